//! A position of any duel, behind text. All typed code of this crate is reached through this
//! module.

use crate::bugs::{Bug, buggy};
use crate::compact;
use crate::diagram::{self, Diagram, Shape, Side, TooLarge, Writing};
use crate::technique::Technique;
use rules::{Duel, DuelVisitor, Eyes, Game, MoveError, ParamError, Table};
use search::{Budget, Engine, Found};
use serde_json::Value;
use std::any::Any;
use std::marker::PhantomData;

/// A position of some duel. Draws by repetition and ply caps are off, because a search needs
/// neither.
#[derive(Clone)]
pub struct Study {
    engine: Box<dyn Engine>,
    lens: &'static dyn Lens,
}

/// Sets up a duel. Games with hidden information or chance are refused.
pub fn open(game: &Game, params: &Value) -> Result<Study, OpenError> {
    let id = game.about.id;
    let engine = search::engine(id, params).ok_or(OpenError::NotADuel(id))?.map_err(OpenError::Params)?;
    let lens = rules::visit_duel(id, params, LensOf).ok_or(OpenError::NotADuel(id))?;
    Ok(Study { engine, lens })
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    #[error("{0} hides cards: the laboratory needs a game of two sides without hidden information")]
    NotADuel(&'static str),
    #[error("{0}")]
    Params(ParamError),
}

impl Study {
    /// The same game through the trait that the referee uses.
    pub fn table(&self) -> &dyn Table {
        self.engine.table()
    }

    /// Plays a move of the side to move and returns the canonical text of the move.
    pub fn play(&mut self, mv: &str) -> Result<String, MoveError> {
        self.engine.play(mv)
    }

    pub fn is_over(&self) -> bool {
        self.table().turn().is_over()
    }

    /// The side to move in a game that is not over.
    pub fn to_move(&self) -> Side {
        Side::of_max(self.engine.max_to_move())
    }

    pub fn legal(&self) -> Vec<String> {
        self.table().turn().seats().lowest().map_or_else(Vec::new, |mover| self.table().legal(mover))
    }

    pub fn picture(&self, ascii: bool) -> String {
        self.table().picture(Eyes::Referee).text(ascii)
    }

    /// The position in a few characters, line by line.
    pub fn compact(&self) -> Vec<String> {
        self.lens.compact(self.engine.position())
    }

    /// All positions that can follow within `depth` moves.
    pub fn unfold(&self, shape: Shape, depth: usize, limit: usize) -> Result<Diagram, TooLarge> {
        self.lens.unfold(self.engine.position(), shape, depth, limit)
    }

    /// The tree that minimax visits, or the tree of alpha-beta with its cuts.
    pub fn searched(&self, cuts: bool, depth: u32, limit: usize) -> Result<Diagram, TooLarge> {
        self.lens.searched(self.engine.position(), cuts, depth, limit)
    }

    /// The advice of a search. `None` if the search would need more nodes than allowed.
    pub fn search(&self, technique: Technique, depth: u32, nodes: u64) -> Option<Found<String>> {
        let buggy = |bug, cuts| self.lens.buggy(self.engine.position(), (bug, cuts), depth, nodes);
        match technique {
            Technique::Correct(algorithm) => self.engine.search(algorithm, depth, &Budget::nodes(nodes)).ok(),
            Technique::Buggy(bug) => buggy(bug, true),
            Technique::BuggyMinimax(bug) => buggy(bug, false),
        }
    }

    /// Searches with alpha-beta. Also returns whether every line was followed to the end of the
    /// game.
    pub fn prove(&self, depth: u32, nodes: u64) -> Option<(Found<String>, bool)> {
        self.engine.prove(depth, &Budget::nodes(nodes)).ok()
    }
}

/// The typed functions of the laboratory for the positions of one game.
trait Lens: Sync {
    fn compact(&self, position: &dyn Any) -> Vec<String>;
    fn unfold(
        &self,
        position: &dyn Any,
        shape: Shape,
        depth: usize,
        limit: usize,
    ) -> Result<Diagram, TooLarge>;
    fn searched(&self, position: &dyn Any, cuts: bool, depth: u32, limit: usize)
    -> Result<Diagram, TooLarge>;
    fn buggy(&self, position: &dyn Any, how: (Bug, bool), depth: u32, nodes: u64) -> Option<Found<String>>;
}

/// Finds the lens for a game.
struct LensOf;

impl DuelVisitor for LensOf {
    type Output = &'static dyn Lens;

    fn visit<P: Duel>(self) -> Self::Output {
        &TypedLens::<P>(PhantomData)
    }
}

struct TypedLens<P>(PhantomData<P>);

fn typed<P: Duel>(position: &dyn Any) -> &P {
    position.downcast_ref().expect("the engine was built for the same game and parameters")
}

impl<P: Duel> Lens for TypedLens<P> {
    fn compact(&self, position: &dyn Any) -> Vec<String> {
        compact::lines(typed::<P>(position))
    }

    fn unfold(
        &self,
        position: &dyn Any,
        shape: Shape,
        depth: usize,
        limit: usize,
    ) -> Result<Diagram, TooLarge> {
        diagram::unfold(typed::<P>(position), shape, depth, limit)
    }

    fn searched(
        &self,
        position: &dyn Any,
        cuts: bool,
        depth: u32,
        limit: usize,
    ) -> Result<Diagram, TooLarge> {
        diagram::search_tree(typed::<P>(position), &Compact, cuts, depth, limit)
    }

    fn buggy(
        &self,
        position: &dyn Any,
        (bug, cuts): (Bug, bool),
        depth: u32,
        nodes: u64,
    ) -> Option<Found<String>> {
        let Found { value, line, count, depth } =
            buggy(typed::<P>(position), bug, cuts, depth, nodes).ok()?;
        let line = line.iter().map(ToString::to_string).collect();
        Some(Found { value, line, count, depth })
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
