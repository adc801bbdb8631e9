//! Nim, for two.
//!
//! Some heaps of objects lie on the table, by default 3, 4 and 5 of them.
//!
//! - A move takes one or more objects from one heap, written `heap:count`: `2:3` takes three from heap 2.
//!   Heaps are numbered from 1; an emptied heap keeps its number.
//! - The game ends when all heaps are empty. Whoever took the last object wins; with `misere`, loses.
//!
//! Source: exercise 1.1, which gives the title only. Normal play and the heaps 3, 4, 5 are our choice, the
//! best-known textbook start.
//!
//! Theory: the player to move wins exactly if the exclusive or of the heap sizes is not zero. In misère play
//! the same holds as long as some heap has two or more objects; with only single objects left the player to
//! move wins if their number is even.

use super::heaps::{Heaps, Take};
use crate::{About, Duel, Eyes, Family, Outcome, ParamError, Picture, Position, Seat, Seed, Turn, require};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// How many objects each heap has.
    #[schemars(length(min = 1, max = 10), inner(range(min = 0, max = 60)))]
    heaps: Vec<u8>,
    /// Whoever takes the last object loses.
    misere: bool,
}

impl Default for Params {
    fn default() -> Self {
        Params { heaps: vec![3, 4, 5], misere: false }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nim {
    heaps: Heaps,
    misere: bool,
    mover: Seat,
}

impl Position for Nim {
    type Params = Params;
    type Move = Take;

    const ABOUT: About = About {
        id: "nim",
        name: "Nim",
        source: "1.1",
        family: Family::Taking,
        seats: (2, 2),
        summary: "Take any number from one heap; the last object wins.",
        notation: "heap:count",
        example: "2:3",
        version: 1,
        file: include_str!("nim.rs"),
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let heaps = Heaps::new(&params.heaps);
        require(!heaps.are_empty(), "heaps", || "at least one object is needed, or the game is over at once".into())?;
        Ok(Nim { heaps, misere: params.misere, mover: Seat::FIRST })
    }

    fn turn(&self) -> Turn {
        if self.heaps.are_empty() { Turn::Over } else { Turn::One(self.mover) }
    }

    /// Heap by heap, smaller numbers first.
    fn moves(&self, _seat: Seat, out: &mut Vec<Take>) {
        for (heap, &size) in self.heaps.sizes().iter().enumerate() {
            out.extend((1..=size).map(|count| Take { heap: heap as u8, count }));
        }
    }

    fn play(&mut self, seat: Seat, take: &Take) {
        self.heaps.take(*take);
        self.mover = seat.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        // Nobody is to move, so `mover` is the one who did not take the last object.
        let winner = if self.misere { self.mover } else { self.mover.other() };
        self.turn().is_over().then(|| Outcome::win(winner, "last_taken"))
    }

    fn view(&self, _eyes: Eyes) -> Value {
        json!({ "to_move": self.mover, "heaps": self.heaps.sizes(), "misere": self.misere })
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let heaps = self.heaps.sizes().iter().enumerate();
        heaps.fold(Picture::default(), |picture, (heap, &size)| {
            picture.counters((heap + 1).to_string(), 'o', size as usize)
        })
    }

    fn longest(&self) -> Option<u32> {
        Some(self.heaps.total())
    }
}

impl Duel for Nim {
    /// A position that theory calls won for the player to move is worth 1 to him.
    fn evaluate(&self) -> i32 {
        let nim_sum = self.heaps.sizes().iter().fold(0, |sum, size| sum ^ size);
        let singles_only = self.heaps.sizes().iter().all(|&size| size <= 1);
        let mover_wins = (nim_sum != 0) != (self.misere && singles_only);
        if mover_wins == (self.mover == Seat::FIRST) { 1 } else { -1 }
    }
}
