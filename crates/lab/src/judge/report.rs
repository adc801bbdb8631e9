//! Judges a game move by move: what was proven or estimated before and after each move, and what
//! the move gave away.
//!
//! What is proven about a position is also proven about the move that led there. So a move is
//! reported only when the position after the move has been judged, and also every position that may
//! still decide that position.

use super::{Judge, Verdict};
use crate::diagram::Side;
use crate::study::Study;
use rules::MoveError;
use search::WIN;
use serde::Serialize;

/// A game, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub moves: Vec<Judged>,
    /// The side to move after the last move and the worth of the position for that side. `None` if
    /// the game is over there.
    pub end: Option<(Side, Worth)>,
}

/// A move of the game, judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    pub ply: usize,
    pub side: Side,
    #[serde(rename = "move")]
    pub mv: String,
    /// The worth for the mover, before the move (with best play) and after the move.
    pub before: Worth,
    pub after: Worth,
    /// The margins in points, where points decide and the margins are proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margins: Option<Margins>,
    /// The best moves in the position.
    pub best: Vec<String>,
    /// The moves that are proven to keep the result.
    pub keeping: Vec<String>,
    /// The number of moves about which nothing is proven.
    pub unknown: usize,
    pub exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Whether the move gave away a certain win or draw.
    pub threw_away: bool,
}

impl Judged {
    pub fn points_given_away(&self) -> i32 {
        self.margins.map_or(0, |margins| margins.before - margins.after)
    }
}

/// By how many points the mover wins with best play, before and after the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Margins {
    pub before: i32,
    pub after: i32,
}

/// The worth of a position for one side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", content = "score", rename_all = "lowercase")]
pub enum Worth {
    Win,
    Draw,
    Loss,
    Estimate(i32),
}

impl Worth {
    fn of(value: i32, exact: bool) -> Worth {
        match value {
            WIN.. => Worth::Win,
            value if value <= -WIN => Worth::Loss,
            0 if exact => Worth::Draw,
            value => Worth::Estimate(value),
        }
    }

    /// The number that a judge uses for this worth.
    fn value(self) -> i32 {
        match self {
            Worth::Win => WIN,
            Worth::Draw => 0,
            Worth::Loss => -WIN,
            Worth::Estimate(value) => value,
        }
    }

    /// Converts between the view of A and the view of a side.
    fn seen_by(self, side: Side) -> Worth {
        match self {
            worth if side == Side::A => worth,
            Worth::Win => Worth::Loss,
            Worth::Draw => Worth::Draw,
            Worth::Loss => Worth::Win,
            Worth::Estimate(value) => Worth::Estimate(-value),
        }
    }

    fn proven(self) -> Option<Worth> {
        self.rank().map(|_| self)
    }

    /// The order of proven results: a win is better than a draw. An estimate has no rank, because
    /// it lies anywhere between a loss and a win.
    fn rank(self) -> Option<i32> {
        match self {
            Worth::Win => Some(2),
            Worth::Draw => Some(1),
            Worth::Loss => Some(0),
            Worth::Estimate(_) => None,
        }
    }
}

impl std::fmt::Display for Worth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Worth::Win => f.write_str("win"),
            Worth::Draw => f.write_str("draw"),
            Worth::Loss => f.write_str("loss"),
            Worth::Estimate(value) => write!(f, "≈ {value:+}"),
        }
    }
}

/// Judges every move of a game from its start. `tell` is called for each move as soon as everything
/// is known about the move. The analysis stops when `tell` returns false.
pub fn analyse(
    start: &Study,
    moves: &[String],
    judge: &mut dyn Judge,
    tell: &mut dyn FnMut(&Judged) -> bool,
) -> Result<Report, MoveError> {
    let mut study = start.clone();
    let mut game = GameSoFar { positions: Vec::new(), played: Vec::new(), plies: moves.len() };
    let mut judged = Vec::new();
    for at in 0..=moves.len() {
        game.judge_next(&study, &moves[..at], judge);
        if let Some(mv) = moves.get(at) {
            game.played.push(study.play(mv)?);
        }
        while let Some(next) = game.judged(judged.len(), judge) {
            let go_on = tell(&next);
            judged.push(next);
            if !go_on {
                return Ok(Report { moves: judged, end: None });
            }
        }
    }
    Ok(Report { moves: judged, end: game.end() })
}

/// What has been seen of a game so far.
struct GameSoFar {
    positions: Vec<SeenSoFar>,
    /// The canonical texts of the moves.
    played: Vec<String>,
    /// The number of moves of the whole game.
    plies: usize,
}

struct SeenSoFar {
    /// The side to move. `None` where the game is over.
    side: Option<Side>,
    verdict: Verdict,
    legal: usize,
    /// The proven worth for A.
    proven: Option<Worth>,
}

/// What is known for certain about a position.
#[derive(Clone, Copy)]
enum Certainty {
    /// The proven worth for A.
    Proven(Worth),
    /// Nothing is proven, and nothing will be.
    None,
    /// Nothing is proven yet. The result depends on positions that have not been judged.
    NotYet,
}

impl GameSoFar {
    /// Judges the next position.
    fn judge_next(&mut self, study: &Study, moves: &[String], judge: &mut dyn Judge) {
        if study.is_over() {
            let result = study.prove(0, u64::MAX).map(|(found, _)| found.value);
            let proven = result.map(|value| Worth::of(value, true));
            let verdict = Verdict { choices: Vec::new(), exact: true, depth: None };
            self.positions.push(SeenSoFar { side: None, verdict, legal: 0, proven });
            return;
        }
        let side = study.to_move();
        let verdict = judge.judge(study, moves);
        let best = verdict.choices.iter().map(|choice| choice.1).max();
        let own = best.and_then(|value| Worth::of(value, verdict.exact).proven());
        let proven = own.map(|worth| worth.seen_by(side)).or_else(|| self.proven_above());
        self.positions.push(SeenSoFar { side: Some(side), verdict, legal: study.legal().len(), proven });
    }

    /// What the judgement of the last move has proven about the position after it.
    fn proven_above(&self) -> Option<Worth> {
        let (above, mv) = (self.positions.last()?, self.played.last()?);
        let (_, value) = above.verdict.choices.iter().find(|choice| choice.0 == *mv)?;
        Some(Worth::of(*value, above.verdict.exact).proven()?.seen_by(above.side?))
    }

    /// What is certain about a position. The position is also won for its side to move if that side
    /// went on to a won position.
    fn certainty(&self, at: usize) -> Certainty {
        let Some(position) = self.positions.get(at) else {
            return if at > self.plies { Certainty::None } else { Certainty::NotYet };
        };
        let Some(side) = position.side.filter(|_| position.proven.is_none()) else {
            return position.proven.map_or(Certainty::None, Certainty::Proven);
        };
        let next = self.positions.get(at + 1);
        match self.certainty(at + 1) {
            Certainty::Proven(worth) if worth.seen_by(side) == Worth::Win => Certainty::Proven(worth),
            // Only a win of the side to move in the next position can still be found.
            Certainty::NotYet if next.is_none_or(|next| next.side == Some(side)) => Certainty::NotYet,
            _ => Certainty::None,
        }
    }

    /// The move with this index, if everything is known about the move.
    fn judged(&self, at: usize, judge: &dyn Judge) -> Option<Judged> {
        let (position, mv) = (self.positions.get(at)?, self.played.get(at)?);
        let side = position.side?;
        let certain = |at| match self.certainty(at) {
            Certainty::Proven(worth) => Some(Some(worth.seen_by(side))),
            Certainty::None => Some(None),
            Certainty::NotYet => None,
        };
        let (before, after) = (certain(at)?, certain(at + 1)?);
        let sign = if side == Side::A { 1 } else { -1 };
        let margins = judge.margin(at).zip(judge.margin(at + 1));
        let margins = margins.map(|(before, after)| Margins { before: sign * before, after: sign * after });
        Some(judged_move(at + 1, side, mv, position, (before, after), margins))
    }

    /// The worth of the position where the game was left.
    fn end(&self) -> Option<(Side, Worth)> {
        let last = self.positions.last()?;
        let side = last.side?;
        let best = last.verdict.choices.iter().map(|choice| choice.1).max()?;
        let proven = last.proven.map(|worth| worth.seen_by(side));
        Some((side, proven.unwrap_or(Worth::of(best, last.verdict.exact))))
    }
}

/// A judged move, from the verdict about the position and from what is proven before and after the
/// move.
fn judged_move(
    ply: usize,
    side: Side,
    mv: &str,
    position: &SeenSoFar,
    (before, after): (Option<Worth>, Option<Worth>),
    margins: Option<Margins>,
) -> Judged {
    let SeenSoFar { verdict, legal, .. } = position;
    let worth = |value| Worth::of(value, verdict.exact);
    let mut choices = verdict.choices.clone();
    match choices.iter_mut().find(|choice| choice.0 == mv) {
        Some((_, value)) => {
            *value = after.filter(|&after| worth(*value) != after).map_or(*value, Worth::value);
        }
        None => choices.push((mv.to_owned(), after.map_or(0, Worth::value))),
    }
    let best_value = choices.iter().map(|choice| choice.1).max().unwrap_or(0);
    let value = choices.iter().find(|choice| choice.0 == mv).map_or(best_value, |choice| choice.1);
    let (before, after) = (before.unwrap_or(worth(best_value)), after.unwrap_or(worth(value)));
    let rank_of =
        |(other, value): &(String, i32)| if other == mv { after.rank() } else { worth(*value).rank() };
    let choices_that = |fits: &dyn Fn(&(String, i32)) -> bool| {
        let fitting = choices.iter().filter(|choice| fits(choice));
        fitting.map(|choice| choice.0.clone()).collect::<Vec<_>>()
    };
    Judged {
        ply,
        side,
        mv: mv.to_owned(),
        before,
        after,
        margins,
        best: choices_that(&|choice| choice.1 == best_value),
        keeping: choices_that(&|choice| match (rank_of(choice), before.rank()) {
            (Some(kept), Some(before)) => kept >= before,
            // Some move keeps the result, but it is not known which.
            (None, Some(_)) => false,
            _ => choice.1 == best_value,
        }),
        unknown: legal - choices.iter().filter(|choice| rank_of(choice).is_some()).count(),
        exact: verdict.exact || before.rank().is_some() && after.rank().is_some(),
        depth: verdict.depth,
        threw_away: before.rank().zip(after.rank()).is_some_and(|(before, after)| after < before),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::DeepSearch;
    use serde_json::json;

    fn judged(game: &str, params: &serde_json::Value, moves: &str) -> Vec<Judged> {
        let start = crate::open(rules::find(game).unwrap(), params).unwrap();
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        let mut told = Vec::new();
        let mut tell = |judged: &Judged| {
            told.push(judged.clone());
            true
        };
        let mut judge = DeepSearch { depth: 20, nodes: 400_000 };
        let report = analyse(&start, &moves, &mut judge, &mut tell).unwrap();
        assert_eq!(report.moves, told, "each is told once, in order");
        told
    }

    #[test]
    fn a_draw_thrown_away_in_tic_tac_toe() {
        // After the corner, only the centre draws.
        let game = judged("tic-tac-toe", &json!({}), "a1 b1 b2 c3 a3 c1 a2");
        let thrown: Vec<usize> = game.iter().filter(|mv| mv.threw_away).map(|mv| mv.ply).collect();
        assert_eq!(thrown, [2]);
        assert_eq!((game[1].before, game[1].after, game[1].exact), (Worth::Draw, Worth::Loss, true));
        assert_eq!(game[1].keeping, ["b2"]);
        assert_eq!((game[2].before, game[2].after), (Worth::Win, Worth::Win));
    }

    #[test]
    fn the_winner_of_grundy_must_find_one_reply() {
        let game = judged("grundy", &json!({}), "7:5+2 5:3+2 3:2+1");
        assert_eq!((game[0].before, game[0].after, game[0].threw_away), (Worth::Loss, Worth::Loss, false));
        assert_eq!((game[1].keeping.clone(), game[1].threw_away), (vec!["5:4+1".to_owned()], true));
    }

    #[test]
    fn an_unproven_value_is_an_estimate() {
        let game = judged("othello", &json!({}), "d3");
        assert!(!game[0].exact && matches!(game[0].before, Worth::Estimate(_)), "{game:?}");
    }

    /// Knows the positions after certain numbers of moves, and nothing about other positions.
    struct Knows(Vec<(usize, i32)>);

    impl Judge for Knows {
        fn judge(&mut self, study: &Study, moves: &[String]) -> Verdict {
            let known = self.0.iter().find(|known| known.0 == moves.len()).map(|known| known.1);
            let worth = |mv| (mv, known.unwrap_or(0));
            let choices = study.legal().into_iter().map(worth).collect();
            Verdict { choices, exact: known.is_some(), depth: Some(1) }
        }
    }

    /// Otherwise the move that lost the game would not be found.
    #[test]
    fn a_later_proof_holds_for_the_move_before() {
        let start = crate::open(rules::find("tic-tac-toe").unwrap(), &json!({})).unwrap();
        let moves = ["a1", "b1", "b2", "c3", "a3"].map(str::to_owned);
        let report = |known: &[(usize, i32)]| {
            analyse(&start, &moves, &mut Knows(known.to_vec()), &mut |_| true).unwrap()
        };
        // The position is won for the third mover, who is the first player. So b1 lost, whatever it
        // was worth before.
        let game = report(&[(2, WIN)]).moves;
        assert_eq!(
            (game[1].before, game[1].after, game[1].threw_away),
            (Worth::Estimate(0), Worth::Loss, false)
        );
        assert_eq!((game[0].before, game[0].after), (Worth::Estimate(0), Worth::Estimate(0)));
        // The position is lost for the fourth mover. So the third mover had a win and kept it, and
        // b1 had lost.
        let game = report(&[(3, -WIN)]).moves;
        assert_eq!((game[2].before, game[2].after, game[2].exact), (Worth::Win, Worth::Win, true));
        assert_eq!(
            (game[2].best.clone(), game[2].keeping.clone()),
            (vec!["b2".to_owned()], vec!["b2".to_owned()])
        );
        assert_eq!((game[2].unknown, game[1].after), (6, Worth::Loss));
        // A draw before the move and a loss after it: the move threw the draw away.
        let game = report(&[(1, 0), (2, WIN)]).moves;
        assert_eq!((game[1].before, game[1].after, game[1].threw_away), (Worth::Draw, Worth::Loss, true));
        assert_eq!(report(&[(5, -WIN)]).end, Some((Side::B, Worth::Loss)));
    }
}
