//! The best possible result in a position, and the moves that keep it.
//!
//! The result is exact if the solver finds it within its limits. Otherwise a search decides: a win
//! or a loss within its horizon is certain, and everything else is open.

use super::assignment::Assignment;
use crate::truth::{Effort, Truth};
use lab::{DeepSearch, Judge, Study, Technique, Verdict};
use search::WIN;
use solver::Memory;

/// The most work for one position. Quixo on its 5x5 board would need more.
const EFFORT: Effort = Effort {
    memory: Memory(256 << 20),
    positions: 500_000,
    otherwise: DeepSearch { depth: 20, nodes: 300_000 },
};
/// The most nodes of a search for one position, if the assignment names a depth.
const NODES: u64 = 30_000_000;

/// The result of a position for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worth {
    Loss,
    /// A draw. With a horizon, also a position that is not decided within the horizon.
    Even,
    Win,
}

/// The result of a position and of each of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    pub worth: Worth,
    moves: Vec<(String, Worth)>,
    /// The depth of the search in plies, if the position was not solved.
    pub horizon: Option<u32>,
}

impl Judged {
    fn of(verdict: Verdict) -> Option<Judged> {
        let worth = |value: i32| match value {
            WIN.. => Worth::Win,
            value if value <= -WIN => Worth::Loss,
            _ => Worth::Even,
        };
        let moves: Vec<_> = verdict.choices.into_iter().map(|(mv, value)| (mv, worth(value))).collect();
        let worth = moves.iter().map(|(_, worth)| *worth).max()?;
        Some(Judged { worth, moves, horizon: verdict.depth.filter(|_| !verdict.exact) })
    }

    /// The moves that keep the best possible result.
    pub fn keeping(&self) -> Vec<&str> {
        let keeps = self.moves.iter().filter(|(_, worth)| *worth >= self.worth);
        keeps.map(|(mv, _)| mv.as_str()).collect()
    }

    pub fn worth_of(&self, mv: &str) -> Option<Worth> {
        self.moves.iter().find(|(other, _)| other == mv).map(|(_, worth)| *worth)
    }

    /// Is at least one move a mistake?
    pub fn matters(&self) -> bool {
        self.moves.iter().any(|(_, worth)| *worth < self.worth)
    }

    /// Are at least half of the moves mistakes? If most moves are right, a bot with random moves
    /// looks good.
    pub fn tells_apart(&self) -> bool {
        self.keeping().len() * 2 <= self.moves.len()
    }

    pub fn word(&self, worth: Worth) -> String {
        match (worth, self.horizon) {
            (Worth::Win, None) => "a win".to_owned(),
            (Worth::Even, None) => "a draw".to_owned(),
            (Worth::Loss, None) => "a loss".to_owned(),
            (Worth::Win, Some(plies)) => format!("a win within {plies} plies"),
            (Worth::Even, Some(plies)) => format!("a game that is open for {plies} plies"),
            (Worth::Loss, Some(plies)) => format!("a loss within {plies} plies"),
        }
    }
}

/// The result of full minimax for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The value for the player to move, as the built-in bots report it.
    pub value: i32,
    pub nodes: u64,
    /// The value is not an estimate: every line that matters ends within the depth.
    pub complete: bool,
    pub moves: usize,
}

/// Judges positions of the game of an assignment.
pub struct Examiner {
    start: Study,
    truth: Truth,
}

impl Examiner {
    /// `None` for a game with hidden information, or with more than two sides.
    pub fn of(assignment: &Assignment) -> Option<Examiner> {
        let params = assignment.game.setting.params();
        let start = lab::open(assignment.game.game, params).ok()?;
        Some(Examiner { start, truth: Truth::new(assignment.game.id(), params, EFFORT) })
    }

    /// The position after these moves. `None` if the game is over.
    pub fn at(&self, moves: &[String]) -> Option<Study> {
        let mut study = self.start.clone();
        for mv in moves {
            study.play(mv).ok()?;
        }
        (!study.is_over()).then_some(study)
    }

    /// The truth about a position, or the result of a full search of `horizon` plies. `None` if
    /// that is too much work.
    pub fn judge(&mut self, moves: &[String], horizon: Option<u32>) -> Option<Judged> {
        let study = self.at(moves)?;
        let verdict = match horizon {
            None => self.truth.judge(&study, moves),
            Some(depth) => {
                let verdict = DeepSearch { depth, nodes: NODES }.judge(&study, moves);
                (verdict.exact || verdict.depth == Some(depth)).then_some(verdict)?
            }
        };
        Judged::of(verdict)
    }

    /// The best replies of the other side to a mistake. `None` if the game is over, or if the other
    /// side is not to move.
    pub fn replies(&mut self, before: &[String], judged: &Judged, mistake: &str) -> Option<Vec<String>> {
        let after: Vec<String> = before.iter().cloned().chain([mistake.to_owned()]).collect();
        if self.at(&after)?.to_move() == self.at(before)?.to_move() {
            return None;
        }
        let horizon = judged.horizon.map(|plies| plies.saturating_sub(1).max(1));
        let replies = self.judge(&after, horizon)?;
        replies.matters().then(|| replies.keeping().into_iter().map(str::to_owned).collect())
    }

    /// The first mistake among the moves at the indices `own`.
    pub fn first_mistake(
        &mut self,
        moves: &[String],
        mut own: impl Iterator<Item = usize>,
    ) -> Option<(usize, Judged)> {
        let mut judge = self.truth.of_game(&self.start, moves);
        own.find_map(|at| {
            let study = self.at(&moves[..at])?;
            let judged = Judged::of(judge.judge(&study, &moves[..at]))?;
            (judged.worth_of(&moves[at])? < judged.worth).then_some((at, judged))
        })
    }

    /// Minimax to a depth. `None` if that is too much work.
    pub fn reference(&self, moves: &[String], depth: u32) -> Option<Reference> {
        let study = self.at(moves)?;
        let found = study.search(Technique::MINIMAX, depth, NODES)?;
        let (_, complete) = study.prove(depth, NODES)?;
        let value = study.to_move().sees(found.value);
        Some(Reference { value, nodes: found.count.nodes, complete, moves: study.legal().len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn examiner(game: &str) -> Examiner {
        let text = format!(
            "title = 'T'\ngame = '{game}'\nseed = 1\n[[item]]\nname = 'a'\npoints = 1\nkind = 'check'"
        );
        Examiner::of(&read(("a.toml", &text), None, None).ok().unwrap()).unwrap()
    }

    fn moves(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn known_truths() {
        let mut noughts = examiner("tic-tac-toe");
        let centre = noughts.judge(&moves("b2"), None).unwrap();
        assert_eq!((centre.worth, centre.keeping()), (Worth::Even, vec!["a1", "c1", "a3", "c3"]));
        // One ply is enough to see that a line of two can be completed.
        let threat = noughts.judge(&moves("a1 b2 a2 c3"), Some(1)).unwrap();
        assert_eq!((threat.worth, threat.keeping()), (Worth::Win, vec!["a3"]));
        // 3, 4, 5: the only winning move makes the exclusive or zero.
        let nim = examiner("nim").judge(&[], None).unwrap();
        assert_eq!((nim.worth, nim.keeping()), (Worth::Win, vec!["1:2"]));
        // A small game is solved even if its positions can repeat.
        let quixo = examiner("quixo?size=3").judge(&[], None).unwrap();
        assert_eq!((quixo.worth, quixo.horizon), (Worth::Win, None));
    }

    #[test]
    fn large_games_are_searched() {
        let mut quixo = examiner("quixo");
        let start = quixo.judge(&[], None).unwrap();
        assert!(start.horizon.is_some_and(|plies| plies >= 2), "{start:?}");
        assert!(start.word(start.worth).contains("open for"), "{start:?}");
    }

    #[test]
    fn a_mistake_is_found_in_a_game() {
        // After the corner only the centre draws.
        let game = moves("a1 b1 b2 c3 a3 c1 a2");
        let mut examiner = examiner("tic-tac-toe");
        let (at, judged) = examiner.first_mistake(&game, [1, 3, 5].into_iter()).unwrap();
        assert_eq!((at, judged.keeping()), (1, vec!["b2"]));
        let replies = examiner.replies(&game[..1], &judged, "b1");
        assert!(replies.is_some_and(|replies| replies.contains(&"b2".to_owned())));
    }

    #[test]
    fn minimax_is_the_reference() {
        let noughts = examiner("tic-tac-toe");
        let whole = noughts.reference(&[], 9).unwrap();
        assert_eq!(whole, Reference { value: 0, nodes: 549_946, complete: true, moves: 9 });
        let shallow = noughts.reference(&[], 1).unwrap();
        assert_eq!((shallow.nodes, shallow.complete), (10, false));
    }
}
