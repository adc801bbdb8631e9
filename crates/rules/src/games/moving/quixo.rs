//! Quixo, for two.
//!
//! A square of 5 by 5 cubes, all blank at the start. Seat 0 has the crosses X and begins, seat 1
//! the noughts O. Columns are a, b, c, ... from the left, rows 1, 2, 3, ... from the bottom.
//!
//! - A move takes a cube from the border that is blank or shows your own symbol, never one of your
//!   opponent's. The cube is turned to show your symbol and pushed back in at another end of the
//!   row or the column that it was taken from; the cubes between move one step towards the hole. It
//!   can't go back to where it was.
//! - So a corner cube can come back at two places, any other border cube at three: at both ends of
//!   its border line, and at the far end of the line across.
//! - A move is written `from-to`: `c1-c5` takes the cube on c1 and pushes it in at c5, so that the
//!   cubes on c2 to c5 go down by one. There is no passing.
//! - A full row, column or long diagonal (five cubes) with your opponent's symbol after your move
//!   loses, even if you have a line of your own too. Otherwise a full line with your symbol wins.
//! - A position that stands for the third time is a draw, and so is a game of 300 moves.
//!
//! With `size` the square can be smaller or larger; a line always has as many cubes as the square
//! is wide.
//!
//! Source: the Lithuanian rules of Quixo for two players. There the players agree on who begins,
//! and the winner has to announce the line; here the crosses begin and the arena sees the line. The
//! draws are the arena's.
//!
//! Theory: on 5 by 5 cubes neither side can force a win (Tanaka, Bonnet, Tixeuil and Tamura, 2020);
//! on 3 by 3 and on 4 by 4 the crosses win, in 7 and in 21 moves of both sides together (computed
//! here).

use super::cubes::Cubes;
use super::prelude::*;

params! {
    /// Cubes in a row, in a column and in a line that wins.
    size: u8 in 3..=7 = 5,
}

/// The face of a cube is the index of the seat whose symbol it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quixo {
    cubes: Cubes<2>,
    mover: Seat,
}

impl Quixo {
    fn has_line(&self, seat: Seat) -> bool {
        self.cubes.fill_a_line(self.cubes.showing(seat.index()))
    }
}

impl Position for Quixo {
    type Params = Params;
    type Move = Step;

    const ABOUT: About = About {
        id: "quixo",
        name: "Quixo",
        source: "Quixo",
        summary: "Take a border cube, push it back in; five of your symbol in line win.",
        notation: "from-to, both on the border",
        example: "c1-c5",
        file: include_str!("quixo.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        Ok(Quixo { cubes: Cubes::blank(params.size), mover: Seat::FIRST })
    }

    fn turn(&self) -> Turn {
        // `mover` did not make the last move, so a line of theirs was made for them.
        if self.has_line(self.mover) {
            Turn::win(self.mover, "opponents_line")
        } else if self.has_line(self.mover.other()) {
            Turn::win(self.mover.other(), "line")
        } else {
            Turn::One(self.mover)
        }
    }

    /// By the cube taken, row by row from the bottom left; then the ends of its row, then of its
    /// column.
    fn moves(&self, seat: Seat, out: &mut Vec<Step>) {
        self.cubes.pushes(self.cubes.takeable(seat.index()), |push| out.push(push));
    }

    fn play(&mut self, seat: Seat, push: &Step) {
        self.cubes.push(*push, seat.index());
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        view.word("symbol", "The symbol of the seat to move: `X` or `O`.", ['X', 'O'][self.mover.index()]);
        view.board(
            "`X` is a cross of seat 0, `O` a nought of seat 1, `.` a blank cube.",
            self.cubes.rows(['X', 'O']),
        );
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.cubes.rows(['X', 'O']).picture(Piece::marks(['X', 'O']))
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules::repetition_and_cap(300)
    }
}

impl Duel for Quixo {
    /// Symbols in every line, see `Cubes::balance`.
    fn evaluate(&self) -> i32 {
        self.cubes.balance(self.cubes.showing(0), self.cubes.showing(1))
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Turned and mirrored, with the player to move as seat 0.
    fn canonical(&self) -> Self {
        let cubes = if self.mover == Seat::FIRST { self.cubes } else { self.cubes.exchanged() };
        Quixo { cubes: cubes.canonical(), mover: Seat::FIRST }
    }
}

#[cfg(test)]
mod tests {
    use super::super::retrograde;
    use super::*;

    fn board(board: &str, mover: u8) -> Quixo {
        Quixo { cubes: Cubes::read(board, "XO"), mover: Seat(mover) }
    }

    #[test]
    fn who_wins_after_a_push() {
        for (before, mover, push, winner) in [
            ("XX../..../..../....", 0, "c1-c4", None),
            ("XX.X/..../..../....", 0, "c1-c4", Some((0, "line"))),
            // The pushed column brings the last nought into row 3.
            ("..../OO.O/..O./....", 0, "c4-c1", Some((1, "opponents_line"))),
            // An own line does not help against a line of the opponent.
            ("XX.X/..O./OO.O/....", 0, "c1-c4", Some((1, "opponents_line"))),
            ("XX.X/..O./OO.O/....", 1, "c4-c1", None),
            ("O.../.O../..O./X...", 1, "d1-d4", None),
            ("O.../.O../..O./X...", 1, "d4-d1", Some((1, "line"))),
        ] {
            let mut position = board(before, mover);
            assert_eq!(position.turn().finish(), None, "{before}");
            position.play(Seat(mover), &push.parse().unwrap());
            let winner = winner.and_then(|(seat, reason)| Turn::win(Seat(seat), reason).finish());
            assert_eq!(position.turn().finish(), winner, "{before} {push}");
        }
    }

    #[test]
    fn the_opponents_cubes_stay_where_they_are() {
        let position = board("XOX/O.O/XOX", 0);
        let mut moves = Vec::new();
        position.moves(Seat(0), &mut moves);
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        assert_eq!(moves, ["a1-c1", "a1-a3", "c1-a1", "c1-c3", "a3-c3", "a3-a1", "c3-a3", "c3-c1"]);
    }

    #[test]
    fn the_crosses_win_on_the_smallest_board() {
        let start = Quixo::start(&Params { size: 3 }, Seed::from_number(0)).unwrap();
        assert_eq!(retrograde::solve(start)[&start], 1);
    }
}
