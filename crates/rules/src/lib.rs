//! The games of Ludus.
//!
//! A game in progress has two faces. [`Position`] is typed and fast, for search. [`Table`] is the same game
//! behind text and JSON, for a referee; it also applies the draws that need a history.
//!
//! ```
//! use rules::{Seat, Seed};
//!
//! let nim = rules::find("nim").unwrap();
//! let mut table = nim.start(&serde_json::json!({"heaps": [1, 2]}), Seed::from_number(1)).unwrap();
//! assert_eq!(table.legal(Seat(0)), ["1:1", "2:1", "2:2"]);
//! table.play(Seat(0), "2:1").unwrap();
//! table.play(Seat(1), "2:1").unwrap();
//! table.play(Seat(0), "1:1").unwrap();
//! assert!(table.turn().is_over());
//! assert_eq!(table.outcome().unwrap().winner(), Some(Seat(0)));
//! ```
//!
//! No I/O, no clock, no async: the same parameters, seed and moves give the same game anywhere.

pub mod boards;
pub mod cards;
mod chance;
mod class;
mod games;
mod json;
mod nearest;
mod notation;
mod outcome;
mod params;
mod perft;
mod picture;
mod position;
mod registry;
mod rules_text;
mod seat;
mod split_mix;
mod table;
mod touch;
mod view;
mod walk;

pub use chance::{Chance, Script, Seed};
pub use class::{GameClass, Information};
pub use games::*;
pub use json::Json;
pub use nearest::{meant, near_miss, nearest};
pub use notation::{Amount, InWords, Nth};
pub use outcome::{Finish, Outcome, Score, Winner};
pub use params::{
    AnyParameter, Bounds, Domain, Field, NoParams, ParamError, Parameter, Params, read as read_params,
    require, typed,
};
pub use perft::{Playouts, perft, playouts};
pub use picture::{
    Area, Caption, Ground, Item, Link, LinkKind, Paint, Picture, Piece, Pile, PileKind, Shape, Site, Stroke,
    Tint,
};
pub use position::{
    About, DrawRules, Duel, Family, Finite, GameLength, Hidden, NotAMove, Position, Sum, Theory,
};
pub use registry::{
    DuelVisitor, GAMES, Game, HiddenVisitor, Kind, NameError, NamedGame, find, parse_name, split_name,
    visit_duel, visit_hidden,
};
pub use rules_text::RulesText;
pub use seat::{Eyes, MAX_SEATS, Seat, Seats, Turn};
pub use split_mix::SplitMix;
#[cfg(test)]
pub(crate) use table::Seated;
pub use table::{Draws, MoveError, News, Setting, Table, position_of, teams};
pub use touch::{Touch, Touches, gestures};
pub use view::{Typed, View, ViewField, ViewSchema};
pub use walk::{Imaginer, Walk, evaluator, imaginer};
