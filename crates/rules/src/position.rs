//! The one trait that every game implements.

use crate::chance::Seed;
use crate::json::Json;
use crate::outcome::Outcome;
use crate::params::{ParamError, Params};
use crate::picture::Picture;
use crate::rules_text::RulesText;
use crate::seat::{Eyes, Seat, Turn};
use crate::touch::Touches;
use crate::view::View;
use serde_json::Value;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// What there is to say about a game before it starts.
#[derive(Debug)]
pub struct About {
    /// Names the game everywhere: `tic-tac-toe`.
    pub id: &'static str,
    /// For people: `Tic-tac-toe`.
    pub name: &'static str,
    /// The section of the source document it comes from.
    pub source: &'static str,
    pub family: Family,
    /// Fewest and most seats.
    pub seats: (u8, u8),
    /// One sentence.
    pub summary: &'static str,
    /// How a move is written, in words: `the cell`, `from-to`.
    pub notation: &'static str,
    /// A move, as an example.
    pub example: &'static str,
    /// Raised when the same moves would give another game; written into every record.
    pub version: u32,
    /// What a person touches to make a move, where the words of its text do not say it best.
    pub touches: Touches,
    /// The game's own source file, whose opening comment is its rules: `include_str!("nim.rs")`.
    pub file: &'static str,
}

impl About {
    /// What most games of a family have in common: two seats and the first version of the rules.
    /// The texts are the game's own.
    pub(crate) const fn of(family: Family) -> About {
        About {
            id: "",
            name: "",
            source: "",
            family,
            seats: (2, 2),
            summary: "",
            notation: "",
            example: "",
            version: 1,
            touches: Picture::touches,
            file: "",
        }
    }

    /// The rules in plain English: the `//!` lines at the top of the game's file.
    pub fn rules(&self) -> String {
        let lines = self.file.lines().map_while(|line| line.strip_prefix("//!"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    }

    /// The rules in parts.
    pub fn rules_text(&self) -> RulesText {
        RulesText::of(&self.rules())
    }
}

/// What one mostly does in a game; also the folder that its file is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Taking things from heaps and rows.
    Taking,
    /// Putting marks and pieces on a board.
    Placing,
    /// Moving pieces about.
    Moving,
    /// Playing cards.
    Cards,
}

impl Family {
    pub fn word(self) -> &'static str {
        match self {
            Family::Taking => "taking",
            Family::Placing => "placing",
            Family::Moving => "moving",
            Family::Cards => "cards",
        }
    }
}

/// A text that can't be a move of this game, in any position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a move of this game")]
pub struct NotAMove;

/// Draws that depend on the history of a game. They are the arena's, not the position's: the
/// referee applies them, a solver leaves them out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawRules {
    /// A position that stands for the third time is a draw.
    pub repetition: bool,
    /// A draw after this many quiet plies in a row, see [`Position::is_quiet`].
    pub quiet_plies: Option<u32>,
    /// A draw when this many plies have been played.
    pub ply_cap: Option<u32>,
}

impl DrawRules {
    pub const NONE: DrawRules = DrawRules { repetition: false, quiet_plies: None, ply_cap: None };

    /// Threefold repetition and a ply cap, which is what most games with endless play have.
    pub const fn repetition_and_cap(cap: u32) -> DrawRules {
        DrawRules { repetition: true, quiet_plies: None, ply_cap: Some(cap) }
    }
}

/// A game in progress.
///
/// Two positions are equal when the same moves lead to the same games from here: history that no
/// rule asks for does not belong in it.
pub trait Position: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    type Params: Params;
    /// A decision. `Display` is its one notation and `FromStr` reads exactly that back.
    type Move: Clone + Eq + Hash + Debug + Display + FromStr + Send + Sync + 'static;

    const ABOUT: About;

    /// Has this type room for a game with these parameters? If not, the list of games names a
    /// larger type beside it.
    fn holds(_params: &Self::Params) -> bool {
        true
    }

    /// The start. Refuses parameters for which the game makes no sense or would be over at once.
    fn start(params: &Self::Params, seed: Seed) -> Result<Self, ParamError>;

    fn seats(&self) -> u8 {
        2
    }

    /// Seats with the same team win and lose together.
    fn team_of(&self, seat: Seat) -> u8 {
        seat.0
    }

    /// Who owes a decision, or how the game ended. A decision that was given is kept inside until
    /// all are in, and shows in nobody else's view before that; the order in which they come in
    /// changes nothing.
    fn turn(&self) -> Turn;

    /// Appends every legal move of a seat that owes a decision: complete, free of duplicates, in a
    /// stable order.
    fn moves(&self, seat: Seat, out: &mut Vec<Self::Move>);

    /// The legal move at the place that `pick` names when it is told how many there are:
    /// `moves()[pick(count)]`. A game may find it without listing them all, which makes random
    /// games quick.
    fn choose_move(
        &self,
        seat: Seat,
        buffer: &mut Vec<Self::Move>,
        pick: impl FnOnce(usize) -> usize,
    ) -> Self::Move {
        buffer.clear();
        self.moves(seat, buffer);
        buffer[pick(buffer.len())].clone()
    }

    /// Makes a move that came from [`Position::moves`].
    fn play(&mut self, seat: Seat, mv: &Self::Move);

    /// The outcome of a game that [`Turn::ranked`] ended. No other game is asked.
    fn rank(&self, reason: &'static str) -> Outcome {
        Outcome::draw(self.seats(), reason)
    }

    /// The outcome if the game were stopped here, where the rules can tell: for a search that does
    /// not play a long game to its end.
    fn outcome_if_stopped(&self) -> Option<Outcome> {
        None
    }

    /// Shows what the eyes of the view may know, so that a bot needs no other source. All positions
    /// of a game show the same fields, but for those behind [`View::when`].
    fn show(&self, view: &mut View);

    /// What these eyes may know, as JSON.
    fn view(&self, eyes: Eyes) -> Json {
        View::written(self, eyes)
    }

    fn picture(&self, eyes: Eyes) -> Picture;

    /// The picture with what only the moves so far can tell: who drew a line, who closed a box. A
    /// terminal shows none of it.
    #[must_use]
    fn recall(&self, picture: Picture, _played: &mut dyn Iterator<Item = (Seat, &str)>) -> Picture {
        picture
    }

    /// Are there moves that not everybody hears in full? Then [`Position::heard`] is asked.
    const HIDES_MOVES: bool = false;

    /// What these eyes learn of a move at the moment it is made (or revealed, if several decide
    /// together).
    fn heard(&self, _seat: Seat, mv: &Self::Move, _eyes: Eyes) -> String {
        mv.to_string()
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules::NONE
    }

    /// Does this move bring the draw by quiet plies nearer? Every other move sets the count back to
    /// zero.
    fn is_quiet(&self, _mv: &Self::Move) -> bool {
        false
    }
}

/// A game that the rules alone end: no position comes back.
pub trait Finite: Position {
    /// A bound on the plies of a whole game from here. Every move lowers it.
    fn longest(&self) -> u32;
}

/// How long a game can last, for searches that do not care whether it is finite. The list of games
/// says which are looping, and so have no bound.
pub trait GameLength: Position {
    /// See [`Finite::longest`].
    fn plies_left(&self) -> Option<u32> {
        None
    }
}

impl<P: Finite> GameLength for P {
    fn plies_left(&self) -> Option<u32> {
        Some(self.longest())
    }
}

/// Two seats or two teams, nothing hidden, no chance, one decision at a time: what minimax needs.
pub trait Duel: GameLength {
    /// How good the position is for seat 0 (and its team): positive is better. For a position that
    /// is not over; stays well inside ±1,000,000.
    fn evaluate(&self) -> i32;

    /// The seat to move in a position that is not over.
    fn mover(&self) -> Seat {
        self.turn().seats().lowest().unwrap_or(Seat::FIRST)
    }

    /// Which side a seat is on: 0 or 1.
    fn side(&self, seat: Seat) -> usize {
        self.team_of(seat) as usize
    }

    /// Does [`Duel::next_move`] find the moves one at a time? A search that leaves most nodes after
    /// their first moves then never lists the others.
    const STEPWISE: bool = false;

    /// The move of the mover that [`Position::moves`] lists right behind `last`, or first.
    fn next_move(&self, last: Option<&Self::Move>) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.moves(self.mover(), &mut moves);
        let mut rest = moves.into_iter();
        if let Some(last) = last {
            rest.find(|mv| mv == last)?;
        }
        rest.next()
    }

    /// One position that stands for all that are alike: mirrored, turned, with heaps in another
    /// order, or with the sides exchanged. It has the same value for the player to move, and as
    /// many moves. Asked of positions that are not over.
    #[must_use]
    fn canonical(&self) -> Self {
        self.clone()
    }
}

/// What a solver may know beyond the rules. Saying nothing, as all of this does unless a game has
/// more to say, is always right.
pub trait Theory: Duel {
    /// By how many points side 0 is ahead, where points alone decide a finished game.
    fn margin(&self) -> Option<i32> {
        None
    }

    /// The same position with no points for anybody, where points won stay won and do not change
    /// what can be played. Only for games whose length does not depend on the moves, such as Dots
    /// and Boxes.
    fn without_points(&self) -> Option<Self> {
        None
    }

    /// The most points by which a side can still gain on the other.
    fn points_left(&self) -> Option<u32> {
        None
    }

    /// Does [`Theory::worth_trying`] list the most promising moves first?
    const BEST_FIRST: bool = false;

    /// The mover's moves without some that gain no more points than one that stays. Leaving out
    /// none is always right.
    fn worth_trying(&self, out: &mut Vec<Self::Move>) {
        self.moves(self.mover(), out);
    }

    /// Where nothing else is worth more points, what the next moves lead to; where the mover has a
    /// choice of two ways, what both lead to. Foreseeing nothing is always right.
    fn foreseen(&self) -> Option<(Self, Option<Self>)> {
        None
    }

    /// Is it already clear by some count whether the player to move wins? Saying nothing is always
    /// right.
    fn foregone(&self) -> Option<bool> {
        None
    }

    /// The fewest plies after which the player to move could have won, and the other side, if the
    /// loser delays as long as possible. 1 is always safe; for a side that can no longer win any
    /// number is.
    fn soonest(&self) -> [u32; 2] {
        [1, 1]
    }
}

/// A game that falls apart into independent games, so that nim values tell who wins.
pub trait Sum: Theory + Finite {
    /// The independent parts of a position in which a move changes one part, both sides have the
    /// same moves, and whoever can't move loses. If [`Sum::misere`], only where each part is as
    /// good as a heap of Nim.
    fn parts(&self) -> Vec<Self>;

    /// Does whoever can't move win?
    fn misere(&self) -> bool {
        false
    }
}

/// A game in which a seat does not know everything (or chance will strike), so that a search has to
/// imagine.
pub trait Hidden: Position {
    /// A random position that a seat with this view can't tell from the true one: same view, same
    /// legal moves, and everything it does not know (cards, order of the deck, the future) drawn
    /// from `seed`.
    fn imagine(params: &Self::Params, view: &Value, seat: Seat, seed: Seed) -> Result<Self, String>;
}
