//! Northcott's game, for two.
//!
//! ```text
//! 5  W . . B . . . .     Every row holds one white disc (W) and one
//! 4  . W . . . . B .     black disc (B). Seat 0 plays white and begins,
//! 3  B . . . W . . .     seat 1 plays black.
//! 2  . . W . B . . .
//! 1  W . . . . . . B
//!    a b c d e f g h
//! ```
//!
//! - A move takes one of your discs any number of empty cells to the left or right in its row. It
//!   can neither jump over the other disc nor land on it. It is written `from-to`: `a1-d1`.
//! - Whoever is to move and can't loses.
//! - Discs may retreat, so a game could go on for ever: it is a draw when a position stands for the
//!   third time, and after `max_plies` plies.
//!
//! `layout` is another board: its rows from the top one down, joined by `/`, each with exactly one
//! `W` and one `B`.
//!
//! Source: exercise 2.15, which leaves the board free; this one is our own, with the gaps 2, 4, 3,
//! 1 and 6 from the top, and one row in which black is on the left.
//!
//! Theory: this is Nim, with the gaps between the discs for heaps. The player to move wins exactly
//! if the exclusive or of the gaps is not zero: they make it zero by an advance, and answer a
//! retreat by following.

use super::prelude::*;

params! {
    /// The board at the start, 3 to 20 columns and 1 to 10 rows of `W`, `B` and `.`.
    layout: String = "W..B..../.W....B./B...W.../..W.B.../W......B",
    /// A draw after this many plies; null is four times the number of cells.
    max_plies: Option<u32> in 10..=10_000 = None,
}

const MAX_ROWS: usize = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Northcott {
    /// For each side, the column of its disc in every row from the bottom.
    discs: [[u8; MAX_ROWS]; 2],
    rows: u8,
    columns: u8,
    mover: Seat,
    max_plies: u32,
}

impl Northcott {
    /// The columns that a disc may go to: those before `from` and those behind it, up to the other
    /// disc.
    fn reach(&self, seat: Seat, row: u8) -> (std::ops::Range<u8>, std::ops::Range<u8>) {
        let from = self.discs[seat.index()][row as usize];
        let other = self.discs[seat.other().index()][row as usize];
        if other < from { (other + 1..from, from + 1..self.columns) } else { (0..from, from + 1..other) }
    }

    fn steps(&self, seat: Seat) -> impl Iterator<Item = Step> {
        (0..self.rows).flat_map(move |row| {
            let from = Cell::new(self.discs[seat.index()][row as usize], row);
            let (left, right) = self.reach(seat, row);
            left.chain(right).map(move |col| Step { from, to: Cell::new(col, row) })
        })
    }

    fn can_move(&self) -> bool {
        (0..self.rows).any(|row| {
            let (left, right) = self.reach(self.mover, row);
            !left.is_empty() || !right.is_empty()
        })
    }

    /// Empty cells between the discs of each row.
    fn gaps(&self) -> impl Iterator<Item = u8> {
        let [white, black] = &self.discs;
        white.iter().zip(black).take(self.rows as usize).map(|(&white, &black)| white.abs_diff(black) - 1)
    }

    fn glyph(&self, cell: Cell) -> char {
        first_glyph(['W', 'B'], self.discs.map(|columns| columns[cell.row as usize] == cell.col))
    }

    fn board(&self) -> BoardRows {
        Layout::rows(self.columns, self.rows, |cell| self.glyph(cell))
    }
}

impl Position for Northcott {
    type Params = Params;
    type Move = Step;

    const ABOUT: About = About {
        id: "northcott",
        name: "Northcott's game",
        source: "2.15",
        summary: "Slide discs along their rows until the other is stuck.",
        notation: "from-to",
        example: "a1-d1",
        file: include_str!("northcott.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, "WB.", 3..=20, 1..=MAX_ROWS as u8)?;
        let Layout { width: columns, height: rows, .. } = layout;
        let mut discs = [[0; MAX_ROWS]; 2];
        for (side, glyph) in ['W', 'B'].into_iter().enumerate() {
            for row in 0..rows {
                let mut found = (0..columns).filter(|&col| layout.glyph(Cell::new(col, row)) == glyph);
                let (Some(col), None) = (found.next(), found.next()) else {
                    return Err(ParamError::new(
                        "layout",
                        format!("row {} needs exactly one `{glyph}`", row + 1),
                    ));
                };
                discs[side][row as usize] = col;
            }
        }
        let max_plies = params.max_plies.unwrap_or(4 * u32::from(rows) * u32::from(columns));
        let game = Northcott { discs, rows, columns, mover: Seat::FIRST, max_plies };
        require(game.can_move(), "layout", || "white, who begins, has no move".into())?;
        Ok(game)
    }

    fn turn(&self) -> Turn {
        if self.can_move() { Turn::One(self.mover) } else { Turn::win(self.mover.other(), "no_moves") }
    }

    /// Row by row from the bottom, each from left to right.
    fn moves(&self, seat: Seat, out: &mut Vec<Step>) {
        out.extend(self.steps(seat));
    }

    fn play(&mut self, seat: Seat, step: &Step) {
        self.discs[seat.index()][step.to.row as usize] = step.to.col;
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        view.word("disc", "The discs of the seat to move: `W` or `B`.", ["W", "B"][self.mover.index()]);
        view.board("`W` is a disc of seat 0, `B` one of seat 1, `.` an empty cell.", self.board());
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.board().picture(Piece::discs(['W', 'B'], [Tint::White, Tint::Black]))
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules::repetition_and_cap(self.max_plies)
    }
}

impl Duel for Northcott {
    /// Theory says who wins. The winner wants the gaps to close.
    fn evaluate(&self) -> i32 {
        let mover_wins = self.gaps().fold(0, |sum, gap| sum ^ gap) != 0;
        let value = 1000 - self.gaps().map(i32::from).sum::<i32>();
        if mover_wins == (self.mover == Seat::FIRST) { value } else { -value }
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// The player to move as seat 0 and on the left in every row, and the rows in order.
    fn canonical(&self) -> Self {
        let mut rows = [(0, 0); MAX_ROWS];
        let rows_used = &mut rows[..self.rows as usize];
        for (at, row) in rows_used.iter_mut().enumerate() {
            let [own, other] = [self.mover, self.mover.other()].map(|seat| self.discs[seat.index()][at]);
            let last = self.columns - 1;
            *row = if own < other { (own, other) } else { (last - own, last - other) };
        }
        rows_used.sort_unstable();
        Northcott { discs: [rows.map(|row| row.0), rows.map(|row| row.1)], mover: Seat::FIRST, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::Northcott;
    use crate::games::trial::assert_refused;
    use crate::{Position, Seat, Seed};
    use serde_json::json;

    fn start(layout: &str) -> Northcott {
        let params = crate::read_params(&json!({"layout": layout})).unwrap();
        Northcott::start(&params, Seed::from_number(0)).unwrap()
    }

    fn nim_sum(position: &Northcott) -> u8 {
        position.gaps().fold(0, |sum, gap| sum ^ gap)
    }

    fn replies(position: &Northcott) -> Vec<Northcott> {
        let mut moves = Vec::new();
        position.moves(position.mover, &mut moves);
        let reply = |mv| {
            let mut next = *position;
            next.play(position.mover, mv);
            next
        };
        moves.iter().map(reply).collect()
    }

    #[test]
    fn discs_slide_up_to_each_other() {
        for (layout, legal) in [
            ("..W.B..", "c1-a1 c1-b1 c1-d1"),
            ("B..W.", "d1-b1 d1-c1 d1-e1"),
            ("BW./W.B", "a1-b1 b2-c2"),
            ("WB./.WB", "b1-a1"),
        ] {
            let table = crate::find("northcott").unwrap();
            let table = table.start(&json!({"layout": layout}), Seed::from_number(0)).unwrap();
            assert_eq!(table.legal(Seat(0)).join(" "), legal, "{layout}");
        }
    }

    #[test]
    fn draws_need_repetition_or_length() {
        let params = json!({"layout": ".W...B."});
        let mut table = crate::find("northcott").unwrap().start(&params, Seed::from_number(0)).unwrap();
        for mv in "b1-a1 f1-g1 a1-b1 g1-f1 b1-a1 f1-g1 a1-b1 g1-f1".split(' ') {
            assert_eq!(table.outcome(), None);
            let seat = table.turn().seats().lowest().unwrap();
            table.play(seat, mv).unwrap();
        }
        assert_eq!(table.outcome().unwrap().reason, "repetition");
        let params = json!({"layout": "W..................B", "max_plies": 10});
        let mut table = crate::find("northcott").unwrap().start(&params, Seed::from_number(0)).unwrap();
        for mv in "a1-b1 t1-s1 b1-c1 s1-r1 c1-d1 r1-q1 d1-e1 q1-p1 e1-f1 p1-o1".split(' ') {
            assert_eq!(table.outcome(), None);
            let seat = table.turn().seats().lowest().unwrap();
            table.play(seat, mv).unwrap();
        }
        assert_eq!(table.outcome().unwrap().reason, "ply_cap");
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert_refused(
            "northcott",
            [
                (json!({"layout": "WB"}), "layout"),
                (json!({"layout": "W.B/W.."}), "layout"),
                (json!({"layout": "W.B/WWB"}), "layout"),
                (json!({"layout": "WB."}), "layout"),
                (json!({"layout": "W.#B"}), "layout"),
            ],
        );
    }

    /// Whoever leaves a nim sum of zero after each of their moves wins against every defence.
    fn wins_by_nim(waiting: &Northcott) -> bool {
        replies(waiting).iter().all(|threat| {
            let answer = replies(threat).into_iter().find(|answer| {
                let total = |position: &Northcott| position.gaps().map(u32::from).sum::<u32>();
                nim_sum(answer) == 0 && total(answer) < total(threat)
            });
            answer.is_some_and(|answer| wins_by_nim(&answer))
        })
    }

    #[test]
    fn it_is_nim_on_the_gaps() {
        for (layout, sum) in [
            ("W..B..../.W....B./B...W.../..W.B.../W......B", 2),
            ("W..B", 2),
            ("W.B./.W.B", 0),
            ("W..B/B..W", 0),
            (".W.B/W..B/BW..", 3),
        ] {
            let position = start(layout);
            assert_eq!(nim_sum(&position), sum, "{layout}");
            if sum == 0 {
                assert!(wins_by_nim(&position), "{layout}");
            } else {
                let found = replies(&position).iter().any(|reply| nim_sum(reply) == 0);
                assert!(found, "{layout}");
            }
        }
    }
}
