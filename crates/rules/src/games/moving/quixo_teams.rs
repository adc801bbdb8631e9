//! Quixo for two teams of two.
//!
//! A square of 5 by 5 cubes, all blank at the start, and four seats around it, clockwise: seat 0 in
//! the south (below row 1), seat 1 in the west (left of column a), seat 2 in the north, seat 3 in
//! the east. Seat 0 begins and the turns go 0, 1, 2, 3, 0, ... Seats 0 and 2 are one team and have
//! the crosses, seats 1 and 3 are the other and have the noughts.
//!
//! - Every symbol has a dot that faces one side of the board. A board shows the side alone: `s` and
//!   `n` are crosses whose dot faces south (seat 0) or north (seat 2), `w` and `e` are noughts
//!   whose dot faces west (seat 1) or east (seat 3), `.` is blank. Pushing a cube does not turn it.
//! - A move takes a cube from the border that is blank, or that has your symbol with its dot facing
//!   you. It is turned to show your symbol, with the dot facing you or your partner as you like,
//!   which decides who may take it later. Then it is pushed back in at another end of the row or
//!   the column that it was taken from, not where it was; the cubes between move one step towards
//!   the hole.
//! - A move is written `from-to:side`: `c1-c5:s` takes the cube on c1, pushes it in at c5, so that
//!   the cubes on c2 to c5 go down by one, and has its dot facing south.
//! - If the border has neither a blank cube nor one that faces you, `pass` is your only move. You
//!   can't pass otherwise.
//! - A full row, column or long diagonal (five cubes) of the other team's symbol after your move
//!   loses the game for your team, even with a line of your own. Otherwise a full line of your
//!   symbol wins it. Which way the dots face does not matter for a line.
//! - Both seats of a team share the result. A position that stands for the third time with the same
//!   seat to move is a draw, and so is a game of 400 moves; a pass is a move.
//!
//! With `size` the square can be smaller or larger; a line always has as many cubes as the square
//! is wide.
//!
//! Source: the Lithuanian rules of Quixo for four players. That the south begins is our choice, the
//! source says only that partners face each other and play goes clockwise. Whether partners may
//! talk is left open there: one program can play both seats of a team, or two can. The draws are
//! the arena's.

use super::cubes::Cubes;
use super::prelude::*;

params! {
    /// Cubes in a row, in a column and in a line that wins.
    size: u8 in 3..=7 = 5,
}

/// Where each seat sits; a cube's dot faces one of these sides.
const SIDES: [char; 4] = ['s', 'w', 'n', 'e'];

/// The face of a cube is the index of the seat that its dot faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QuixoTeams {
    cubes: Cubes<4>,
    mover: Seat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The cube comes back with its dot facing this seat.
    Push(Step, Seat),
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Push(push, facing) => write!(f, "{push}:{}", SIDES[facing.index()]),
            Move::Pass => write!(f, "pass"),
        }
    }
}

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        if text == "pass" {
            return Ok(Move::Pass);
        }
        let (push, side) = text.split_once(':').ok_or(NotAMove)?;
        let facing = SIDES.iter().position(|known| side == known.to_string()).ok_or(NotAMove)?;
        Ok(Move::Push(push.parse()?, Seat(facing as u8)))
    }
}

fn partner(seat: Seat) -> Seat {
    Seat((seat.0 + 2) % 4)
}

impl QuixoTeams {
    /// The cubes with the symbol of a seat's team, whichever way their dots face.
    fn symbols(&self, seat: Seat) -> u64 {
        self.cubes.showing(seat.index()) | self.cubes.showing(partner(seat).index())
    }

    fn has_line(&self, seat: Seat) -> bool {
        self.cubes.fill_a_line(self.symbols(seat))
    }

    fn previous_mover(&self) -> Seat {
        Seat((self.mover.0 + 3) % 4)
    }
}

impl Position for QuixoTeams {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "quixo-teams",
        name: "Quixo for teams",
        source: "Quixo",
        seats: (4, 4),
        summary: "Quixo for two against two; a dot says which partner may take a cube.",
        notation: "from-to:side, or pass",
        example: "c1-c5:s",
        file: include_str!("quixo_teams.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        Ok(QuixoTeams { cubes: Cubes::blank(params.size), mover: Seat::FIRST })
    }

    fn seats(&self) -> u8 {
        4
    }

    fn team_of(&self, seat: Seat) -> u8 {
        seat.0 % 2
    }

    fn turn(&self) -> Turn {
        // The mover's team did not make the last move, so a line of theirs was made for them.
        if self.has_line(self.mover) {
            Turn::win(self.mover, "opponents_line")
        } else if self.has_line(self.previous_mover()) {
            Turn::win(self.previous_mover(), "line")
        } else {
            Turn::One(self.mover)
        }
    }

    /// By the cube taken, row by row from the bottom left; then the ends of its row, then of its
    /// column; each first with the dot facing the mover, then their partner.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        let takeable = self.cubes.takeable(seat.index());
        if takeable == 0 {
            out.push(Move::Pass);
        }
        self.cubes
            .pushes(takeable, |push| out.extend([Move::Push(push, seat), Move::Push(push, partner(seat))]));
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        if let Move::Push(push, facing) = *mv {
            self.cubes.push(push, facing.index());
        }
        self.mover = Seat((seat.0 + 1) % 4);
    }

    fn show(&self, view: &mut View) {
        let partner = partner(self.mover);
        view.to_move(self.mover);
        view.word("side", "The side of the seat to move: `s`, `w`, `n` or `e`.", SIDES[self.mover.index()]);
        view.word("partner_side", "The side of their partner: `s`, `w`, `n` or `e`.", SIDES[partner.index()]);
        let meaning =
            "`s` and `n` are crosses, `w` and `e` noughts whose dot faces that side, `.` is a blank cube.";
        view.board(meaning, self.cubes.rows(SIDES));
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let board = self.cubes.rows(SIDES).draw(|side| match side {
            's' | 'n' => Piece::first(side).as_a(Shape::Mark),
            _ => Piece::second(side).as_a(Shape::Mark),
        });
        board.caption("crosses s n, noughts w e")
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules::repetition_and_cap(400)
    }
}

impl Duel for QuixoTeams {
    /// Symbols in every line, see `Cubes::balance`.
    fn evaluate(&self) -> i32 {
        self.cubes.balance(self.symbols(Seat(0)), self.symbols(Seat(1)))
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Turned and mirrored.
    fn canonical(&self) -> Self {
        QuixoTeams { cubes: self.cubes.canonical(), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, Score};

    fn board(board: &str, mover: u8) -> QuixoTeams {
        QuixoTeams { cubes: Cubes::read(board, "swne"), mover: Seat(mover) }
    }

    fn legal(position: &QuixoTeams) -> Vec<String> {
        let mut moves = Vec::new();
        position.moves(position.mover, &mut moves);
        moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_dot_says_who_may_take_a_cube() {
        let mixed = "swn/e.w/nes";
        let from = |cells: &str, ends: &[&str], dots: [&str; 2]| -> Vec<String> {
            let pushes = cells.split(' ').zip(ends);
            pushes.flat_map(|(cell, end)| dots.map(|dot| format!("{cell}-{end}:{dot}"))).collect()
        };
        for (seat, expected) in [
            (0, from("c1 c1 a3 a3", &["a1", "c3", "c3", "a1"], ["s", "n"])),
            (1, from("c2 c2 c2 b3 b3 b3", &["a2", "c1", "c3", "a3", "c3", "b1"], ["w", "e"])),
            (2, from("a1 a1 c3 c3", &["c1", "a3", "a3", "c1"], ["n", "s"])),
            (3, from("b1 b1 b1 a2 a2 a2", &["a1", "c1", "b3", "c2", "a1", "a3"], ["e", "w"])),
        ] {
            assert_eq!(legal(&board(mixed, seat)), expected, "seat {seat}");
        }
    }

    #[test]
    fn passing_is_forced_or_forbidden() {
        for (cubes, seat, pass) in [
            ("nwn/w.w/nwn", 0, true),
            ("nwn/wsw/nwn", 0, true),
            ("nwn/w.w/nws", 0, false),
            ("nwn/w.w/nw.", 0, false),
            ("nwn/w.w/nwn", 1, false),
            ("nwn/w.w/nwn", 2, false),
            ("nwn/w.w/nwn", 3, true),
        ] {
            let mut position = board(cubes, seat);
            let moves = legal(&position);
            assert_eq!(moves == ["pass"], pass, "{cubes} seat {seat}");
            assert_eq!(moves.contains(&"pass".to_owned()), pass, "{cubes} seat {seat}");
            if pass {
                position.play(Seat(seat), &Move::Pass);
                assert_eq!(position, board(cubes, (seat + 1) % 4));
            }
        }
    }

    #[test]
    fn a_line_counts_for_both_partners() {
        for (before, seat, mv, places) in [
            ("sn../..../..../....", 0, "c1-c4:n", None),
            // Dots do not matter for a line.
            ("sn.s/..../..../....", 0, "c1-c4:n", Some([1, 3, 1, 3])),
            ("sn.s/..../..../....", 2, "c1-c4:s", Some([1, 3, 1, 3])),
            ("we.w/..../..../....", 3, "c1-c4:e", Some([3, 1, 3, 1])),
            ("..../we.w/..e./....", 2, "c4-c1:n", Some([3, 1, 3, 1])),
            ("ss.n/..w./ew.w/....", 0, "c1-c4:s", Some([3, 1, 3, 1])),
        ] {
            let mut position = board(before, seat);
            position.play(Seat(seat), &mv.parse().unwrap());
            let outcome = Outcome::of(&position);
            assert_eq!(outcome.map(|o| o.places().to_vec()), places.map(|p| p.to_vec()), "{before} {mv}");
            if let (Some(outcome), Some(places)) = (outcome, places) {
                assert_eq!(
                    outcome.scores(),
                    places.map(|place| Score::whole(i32::from(place == 1))),
                    "{before} {mv}"
                );
            }
        }
    }

    #[test]
    fn moves_are_read_only_in_their_one_form() {
        for wrong in ["a1-a5", "a1-a5:", "a1-a5:x", "a1-a5:S", "a1-a5:sn", "Pass", "pass:s"] {
            assert_eq!(wrong.parse::<Move>(), Err(NotAMove), "`{wrong}`");
        }
    }
}
