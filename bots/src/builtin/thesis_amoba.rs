//! The amoba program of the thesis, unchanged: minimax over the sum of all squares' values.
//!
//! - O maximises and X minimises. A leaf is a finished game, or a node with no depth left. *Both*
//!   are worth the sum of the values of their empty squares, so a won game has no bonus. This is a
//!   weakness of the program in the thesis.
//! - The program looks at the empty squares that are at most two king's steps from some mark. It
//!   goes column by column from the left, and from the top down in each column. Of equally good
//!   squares, the first is played.
//! - The thesis names no depth, so the depth is an option. The program of the thesis never meets an
//!   empty board; there this bot plays the middle.

use super::Options;
use crate::kit::{Game, Strategy};
use protocol::{Mark, Move, Search, Turn};
use rules::boards::Cell;
use rules::{Amoba, Duel, Position, Seat, Seed};
use search::{Budget, Tree, deepen, minimax};
use std::time::{Duration, Instant};

/// The message for any other game.
pub const ONLY_AMOBA: &str = "thesis-amoba plays amoba with `line` 5 and nothing else";

/// Whether the program can play this game.
pub fn plays(game: &str, params: &serde_json::Value) -> bool {
    game == Amoba::ABOUT.id && params.get("line").is_none_or(|line| *line == 5)
}

pub struct ThesisAmoba {
    options: Options,
    board: Option<ThesisBoard>,
}

/// A node of the thesis's tree, in which O is MAX.
#[derive(Clone)]
struct ThesisBoard(Amoba);

impl Tree for ThesisBoard {
    type Move = Cell;

    /// A finished game has no special value.
    fn result(&self) -> Option<i32> {
        None
    }

    fn estimate(&self) -> i32 {
        self.0.value()
    }

    fn leaf_value(&self, depth: u32) -> Option<i32> {
        (depth == 0 || self.0.turn().is_over()).then(|| self.estimate())
    }

    fn max_to_move(&self) -> bool {
        self.0.mover() == Seat::SECOND
    }

    fn branches(&self, out: &mut Vec<Cell>) {
        let before = out.len();
        out.extend(self.0.candidates());
        if out.len() == before {
            out.push(self.0.opening_square());
        }
    }

    fn after(&self, square: &Cell) -> ThesisBoard {
        let mut next = self.0;
        next.play(self.0.mover(), square);
        ThesisBoard(next)
    }
}

/// The value of every empty square as in the thesis: the value for O minus the value for X. A
/// larger absolute value has a higher heat.
fn marks(board: &Amoba) -> Vec<Mark> {
    let (width, height) = board.size();
    let empty = Cell::all(width, height).filter(|&square| board.is_empty(square));
    let values: Vec<(Cell, i32)> = empty.map(|square| (square, board.square_value(square))).collect();
    let most = values.iter().map(|(_, value)| value.abs()).max().unwrap_or(0).max(1);
    let mark = |(square, value): (Cell, i32)| Mark {
        cell: square.to_string(),
        text: Some(value.to_string()),
        heat: Some((f64::from(value.abs()) / f64::from(most) * 100.0).round() / 100.0),
    };
    values.into_iter().map(mark).collect()
}

/// The default depth. The thesis names none.
const USUAL_DEPTH: u32 = 2;

impl ThesisAmoba {
    pub fn new(options: Options) -> ThesisAmoba {
        ThesisAmoba { options, board: None }
    }
}

impl Strategy for ThesisAmoba {
    fn start(&mut self, game: &Game) {
        let params = plays(&game.game, &game.params).then(|| rules::read_params(&game.params).ok()).flatten();
        self.board =
            params.and_then(|params| Amoba::start(&params, Seed::from_number(0)).ok()).map(ThesisBoard);
        if self.board.is_none() {
            eprintln!("{ONLY_AMOBA}");
        }
    }

    /// In another game the bot has no move and loses.
    fn choose(&mut self, _game: &Game, turn: &Turn) -> Move {
        let Some(ThesisBoard(board)) = &mut self.board else { return Move::new("") };
        for event in turn.events.iter().filter(|event| event.kind == "move") {
            if let Ok(square) = event.mv.parse() {
                board.play(Seat(event.seat), &square);
            }
        }
        // The search deepens step by step: a smaller depth is better than no move.
        let patience = Duration::from_millis(u64::midpoint(turn.clock.move_ms, turn.clock.bank_ms / 20));
        let root = ThesisBoard(*board);
        let budget = Budget::unlimited().until(Instant::now() + patience);
        let found = deepen(&root, self.options.depth.unwrap_or(USUAL_DEPTH), &budget, minimax);
        let info = Search {
            depth: Some(found.depth),
            nodes: Some(found.count.nodes),
            leaves: Some(found.count.leaves),
            score: Some(f64::from(if root.max_to_move() { found.value } else { -found.value })),
            pv: Some(found.line.iter().map(ToString::to_string).collect()),
            marks: Some(marks(&root.0)),
            ..Search::default()
        };
        Move {
            info: Some(info.into()),
            ..Move::new(found.advice().map(ToString::to_string).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn board(params: &serde_json::Value, moves: &str) -> ThesisBoard {
        let params = rules::read_params(params).unwrap();
        let mut board = Amoba::start(&params, Seed::from_number(0)).unwrap();
        for square in moves.split_whitespace() {
            board.play(board.mover(), &square.parse().unwrap());
        }
        ThesisBoard(board)
    }

    fn advice(board: &ThesisBoard, depth: u32) -> String {
        minimax(board, depth, &Budget::unlimited()).unwrap().advice().unwrap().to_string()
    }

    /// The rule of the sheet, written once more: a plain recursion over all candidates.
    fn value(board: &ThesisBoard, depth: u32) -> i32 {
        if depth == 0 || board.0.turn().is_over() {
            return Cell::all(12, 12).map(|square| board.0.square_value(square)).sum();
        }
        let values = board.0.candidates().into_iter().map(|square| value(&board.after(&square), depth - 1));
        if board.0.mover() == Seat::SECOND { values.max() } else { values.min() }.unwrap()
    }

    #[test]
    fn it_plays_the_first_best_candidate() {
        for moves in ["f6", "a1", "f6 g7", "f6 g7 f7 f8", "a12 b11 c10 l1 d9", "f6 a1 g6 a2 h6 a3 i6"] {
            let board = board(&json!({}), moves);
            let by_hand = |depth: u32| {
                let best = value(&board, depth);
                let first =
                    board.0.candidates().into_iter().find(|s| value(&board.after(s), depth - 1) == best);
                first.unwrap().to_string()
            };
            assert_eq!(advice(&board, 1), by_hand(1), "{moves}");
            if moves.len() < 5 {
                assert_eq!(advice(&board, 2), by_hand(2), "{moves}");
            }
        }
        // All four sides of the first mark are alike. The leftmost column comes first, from its
        // top.
        assert_eq!(board(&json!({}), "f6").0.candidates()[0].to_string(), "d8");
    }

    #[test]
    fn an_empty_board_is_opened_in_the_middle() {
        for (params, square) in [(json!({}), "f6"), (json!({"width": 15, "height": 9}), "h5")] {
            assert_eq!(advice(&board(&params, ""), 2), square);
        }
    }

    /// X has five in the bottom row. The position is still worth the sum over its empty squares.
    #[test]
    fn a_won_game_has_no_bonus() {
        let won = board(&json!({}), "a1 l1 b1 l3 c1 l5 d1 l7 e1");
        assert!(won.0.turn().is_over());
        assert_eq!(won.leaf_value(3), Some(won.0.value()));
        assert!(won.leaf_value(3).unwrap().abs() < search::WIN);
    }

    #[test]
    fn every_empty_square_is_marked_with_its_value() {
        let board = board(&json!({}), "f9 f11 i7 c7").0;
        let marks = marks(&board);
        assert_eq!(marks.len(), 140);
        let text =
            |cell: &str| marks.iter().find(|mark| mark.cell == cell).and_then(|mark| mark.text.clone());
        assert_eq!((text("f7").as_deref(), text("f9")), (Some("-10"), None));
        let sum: i32 = marks.iter().map(|mark| mark.text.as_ref().unwrap().parse::<i32>().unwrap()).sum();
        assert_eq!(sum, board.value());
        assert!(marks.iter().all(|mark| (0.0..=1.0).contains(&mark.heat.unwrap())));
    }

    #[test]
    fn other_games_are_refused() {
        assert!(plays("amoba", &json!({})) && plays("amoba", &json!({"width": 19, "line": 5})));
        assert!(!plays("amoba", &json!({"line": 4})) && !plays("tic-tac-toe", &json!({})));
    }
}
