//! A duel at some position, ready for every search.
//!
//! This is the only place where searches are compiled for games: each search once for each game.
//! Callers that know a game by its name use an engine. An engine costs one dynamic call per search,
//! and none per node.

use crate::algorithm::Algorithm;
use crate::alpha_beta::{alpha_beta, prove};
use crate::budget::{Budget, OutOfBudget};
use crate::deepening::deepen_counting;
use crate::greedy::greedy;
use crate::mcts::{Sampled, mcts};
use crate::minimax::minimax;
use crate::negamax::negamax;
use crate::strong::{Strong, TABLE_MIB, strong};
use crate::tree::{Found, Tree, texts};
use rules::{Duel, DuelVisitor, Kind, MoveError, ParamError, Table, position_of};
use serde_json::Value;
use std::any::Any;

/// A position of some duel. Draws by repetition and ply caps are off, because a search needs
/// neither.
pub trait Engine: Send {
    /// The same game through the trait that the referee uses.
    fn table(&self) -> &dyn Table;
    /// The position itself, for callers that know its type.
    fn position(&self) -> &dyn Any;
    /// Plays a move of the side to move and returns the canonical text of the move.
    fn play(&mut self, mv: &str) -> Result<String, MoveError>;
    /// Whether side 0 is to move, in a game that is not over.
    fn max_to_move(&self) -> bool;
    /// Searches to exactly this depth. Fails if the budget runs out.
    fn search(&self, algorithm: Algorithm, depth: u32, budget: &Budget)
    -> Result<Found<String>, OutOfBudget>;
    /// Searches with alpha-beta. Also returns whether every line was followed to the end of the
    /// game, see [`prove`].
    fn prove(&self, depth: u32, budget: &Budget) -> Result<(Found<String>, bool), OutOfBudget>;
    /// Searches as deep as the budget and the game allow, up to `depth`. Depth 1 is always
    /// searched. A finished search reports the counts of its last depth, as a textbook does. A
    /// stopped search, and every `strong` search, reports the work of all depths.
    fn deepen(&mut self, algorithm: Algorithm, depth: u32, budget: &Budget) -> Found<String>;
    /// Sets the size of the table in which [`Engine::deepen`] keeps positions for `strong` from one
    /// search to the next. The old table is dropped.
    fn set_table(&mut self, mib: usize);
    /// See [`greedy`].
    fn greedy(&self) -> (i32, Vec<String>);
    /// See [`mcts`].
    fn sample(&self, rounds: u64, seed: u64, budget: &Budget) -> Sampled<String>;
    /// The table of `strong` is not copied.
    fn boxed_clone(&self) -> Box<dyn Engine>;
}

impl Clone for Box<dyn Engine> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// An engine at the start of a game. `None` if no duel has this id.
pub fn engine(game: &str, params: &Value) -> Option<Result<Box<dyn Engine>, ParamError>> {
    let entry = rules::find(game).filter(|entry| entry.kind == Kind::Duel)?;
    match entry.start_without_draws(params) {
        Ok(table) => rules::visit_duel(game, params, Building { table }).map(Ok),
        Err(error) => Some(Err(error)),
    }
}

struct Building {
    table: Box<dyn Table>,
}

impl DuelVisitor for Building {
    type Output = Box<dyn Engine>;

    fn visit<P: Duel>(self) -> Self::Output {
        Box::new(TypedEngine::<P> { game: self.table, table_mib: TABLE_MIB, strong: None })
    }
}

struct TypedEngine<P: Duel> {
    /// The position as a table. The code of a table is compiled once, in `rules`.
    game: Box<dyn Table>,
    table_mib: usize,
    /// Keeps its table from one search to the next.
    strong: Option<Strong<P>>,
}

impl<P: Duel> TypedEngine<P> {
    fn typed(&self) -> &P {
        position_of(&*self.game)
    }
}

impl<P: Duel> Engine for TypedEngine<P> {
    fn table(&self) -> &dyn Table {
        &*self.game
    }

    fn position(&self) -> &dyn Any {
        self.game.position()
    }

    fn play(&mut self, mv: &str) -> Result<String, MoveError> {
        let mover = self.typed().mover();
        self.game.play(mover, mv)
    }

    fn max_to_move(&self) -> bool {
        self.typed().max_to_move()
    }

    fn search(
        &self,
        algorithm: Algorithm,
        depth: u32,
        budget: &Budget,
    ) -> Result<Found<String>, OutOfBudget> {
        let search = by_depth(algorithm);
        search(self.typed(), depth, budget).map(Found::with_texts)
    }

    fn prove(&self, depth: u32, budget: &Budget) -> Result<(Found<String>, bool), OutOfBudget> {
        let (found, complete) = prove(self.typed(), depth, budget)?;
        Ok((found.with_texts(), complete))
    }

    fn deepen(&mut self, algorithm: Algorithm, depth: u32, budget: &Budget) -> Found<String> {
        let position = position_of::<P>(&*self.game);
        if algorithm == Algorithm::Strong {
            let strong = self.strong.get_or_insert_with(|| Strong::new(self.table_mib));
            return strong.deepen(position, depth, budget).with_texts();
        }
        let deepened = deepen_counting(position, depth, budget, by_depth(algorithm));
        let count = if deepened.stopped { deepened.all } else { deepened.found.count };
        Found { count, ..deepened.found.with_texts() }
    }

    fn set_table(&mut self, mib: usize) {
        self.table_mib = mib;
        self.strong = None;
    }

    fn greedy(&self) -> (i32, Vec<String>) {
        let (value, best) = greedy(self.typed());
        (value, texts(&best))
    }

    fn sample(&self, rounds: u64, seed: u64, budget: &Budget) -> Sampled<String> {
        let Sampled { line, mean, proven, games, nodes } = mcts(self.typed(), rounds, seed, budget);
        Sampled { line: texts(&line), mean, proven, games, nodes }
    }

    fn boxed_clone(&self) -> Box<dyn Engine> {
        Box::new(TypedEngine::<P> { game: self.game.boxed_clone(), table_mib: self.table_mib, strong: None })
    }
}

type ByDepth<P> = fn(&P, u32, &Budget) -> Result<Found<<P as Tree>::Move>, OutOfBudget>;

fn by_depth<P: Duel>(algorithm: Algorithm) -> ByDepth<P> {
    match algorithm {
        Algorithm::Minimax => minimax,
        Algorithm::Negamax => negamax,
        Algorithm::AlphaBeta => alpha_beta,
        Algorithm::Strong => strong,
    }
}
