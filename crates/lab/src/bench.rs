//! A duel and its position behind text: the one door to everything typed in this crate.

use crate::compact;
use crate::diagram::{self, Diagram, Shape, Side, TooLarge, Writing};
use crate::method::Method;
use rules::{Draws, Duel, DuelVisitor, Eyes, Game, MoveError, ParamError, Prepared, Seated, Seed, Table};
use search::{Budget, Count, Found, Tree};
use serde_json::Value;
use std::cell::Cell;

/// A position of some duel. Draws by repetition and ply caps are off, as a search wants it.
pub trait Bench: Send {
    /// The same game behind the face that the referee knows.
    fn table(&self) -> &dyn Table;
    /// Plays a move of the side to move and gives back its canonical text.
    fn play(&mut self, mv: &str) -> Result<String, MoveError>;
    fn is_over(&self) -> bool;
    /// The side to move in a game that is not over.
    fn to_move(&self) -> Side;
    fn legal(&self) -> Vec<String>;
    /// The position in a few characters, line by line.
    fn compact(&self) -> Vec<String>;
    fn picture(&self, ascii: bool) -> String;
    /// Everything that can follow within `depth` moves.
    fn unfold(&self, shape: Shape, depth: usize, limit: usize) -> Result<Diagram, TooLarge>;
    /// The tree that minimax walks through, or alpha-beta with its cuts.
    fn searched(&self, cuts: bool, depth: u32, limit: usize) -> Result<Diagram, TooLarge>;
    /// The advice of a search; `None` if it would need more nodes than allowed.
    fn search(&self, method: Method, depth: u32, nodes: u64) -> Option<Finding>;
    /// Alpha-beta, and whether it followed every line it looked at to the end of the game.
    fn prove(&self, depth: u32, nodes: u64) -> Option<(Finding, bool)>;
    fn boxed_clone(&self) -> Box<dyn Bench>;
}

/// What a search found, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// For side A.
    pub value: i32,
    /// The expected line, the advised move first.
    pub line: Vec<String>,
    pub count: Count,
    pub depth: u32,
}

impl Finding {
    /// The value as the side to move sees it.
    pub fn value_for(&self, side: Side) -> i32 {
        if side == Side::A { self.value } else { -self.value }
    }
}

impl Finding {
    fn of<M: ToString>(found: &Found<M>) -> Finding {
        let line = found.line.iter().map(ToString::to_string).collect();
        Finding { value: found.value, line, count: found.count, depth: found.depth }
    }
}

/// Sets a duel up; games that hide something or have chance in them are refused.
pub fn open(game: &Game, params: &Value) -> Result<Box<dyn Bench>, OpenError> {
    let opened = rules::visit_duel(game.about.id, params, Opening { params });
    opened.ok_or(OpenError::NotADuel(game.about.id))?.map_err(OpenError::Params)
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    #[error("{0} hides cards: the laboratory needs a game of two sides in which everything is open")]
    NotADuel(&'static str),
    #[error("{0}")]
    Params(ParamError),
}

struct Opening<'a> {
    params: &'a Value,
}

impl DuelVisitor for Opening<'_> {
    type Output = Result<Box<dyn Bench>, ParamError>;

    fn visit<P: Duel>(self) -> Self::Output {
        let seated = Prepared::<P>::new(self.params, Draws::Off)?.seat(Seed::from_number(0))?;
        Ok(Box::new(Typed(seated)))
    }
}

#[derive(Clone)]
struct Typed<P: Duel>(Seated<P>);

impl<P: Duel> Bench for Typed<P> {
    fn table(&self) -> &dyn Table {
        &self.0
    }

    fn play(&mut self, mv: &str) -> Result<String, MoveError> {
        let mover = self.0.position().mover();
        self.0.play(mover, mv)
    }

    fn is_over(&self) -> bool {
        self.0.turn().is_over()
    }

    fn to_move(&self) -> Side {
        Side::of_max(self.0.position().max_to_move())
    }

    fn legal(&self) -> Vec<String> {
        if self.is_over() { Vec::new() } else { self.0.legal(self.0.position().mover()) }
    }

    fn compact(&self) -> Vec<String> {
        compact::lines(self.0.position())
    }

    fn picture(&self, ascii: bool) -> String {
        self.0.picture(Eyes::Referee).text(ascii)
    }

    fn unfold(&self, shape: Shape, depth: usize, limit: usize) -> Result<Diagram, TooLarge> {
        diagram::unfold(self.0.position(), shape, depth, limit)
    }

    fn searched(&self, cuts: bool, depth: u32, limit: usize) -> Result<Diagram, TooLarge> {
        diagram::search_tree(self.0.position(), &Compact, cuts, depth, limit)
    }

    fn search(&self, method: Method, depth: u32, nodes: u64) -> Option<Finding> {
        method.search(self.0.position(), depth, nodes).ok().as_ref().map(Finding::of)
    }

    fn prove(&self, depth: u32, nodes: u64) -> Option<(Finding, bool)> {
        let estimates = Cell::new(0);
        let root = Watched { node: self.0.position().clone(), estimates: &estimates };
        let found = search::alpha_beta(&root, depth, &Budget::nodes(nodes)).ok()?;
        Some((Finding::of(&found), estimates.get() == 0))
    }

    fn boxed_clone(&self) -> Box<dyn Bench> {
        Box::new(self.clone())
    }
}

struct Compact;

impl<P: Duel> Writing<P> for Compact {
    fn position(&self, node: &P) -> Vec<String> {
        compact::lines(node)
    }

    fn mv(&self, mv: &P::Move) -> String {
        mv.to_string()
    }
}

/// A tree that counts how often a position had to be estimated because the search went no further.
#[derive(Clone)]
struct Watched<'a, T> {
    node: T,
    estimates: &'a Cell<u64>,
}

impl<T: Tree> Tree for Watched<'_, T> {
    type Move = T::Move;

    fn result(&self) -> Option<i32> {
        self.node.result()
    }

    fn estimate(&self) -> i32 {
        self.estimates.set(self.estimates.get() + 1);
        self.node.estimate()
    }

    fn max_to_move(&self) -> bool {
        self.node.max_to_move()
    }

    fn branches(&self, out: &mut Vec<T::Move>) {
        self.node.branches(out);
    }

    fn after(&self, mv: &T::Move) -> Self {
        Watched { node: self.node.after(mv), estimates: self.estimates }
    }
}
