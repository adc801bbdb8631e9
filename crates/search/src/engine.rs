//! A duel and its position, ready for every search: the one place where searches meet games.
//!
//! Each search is compiled here once for each game. Whoever knows a game by its name asks an engine. That costs one
//! dynamic call for a search, and none for a node.

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

/// A position of some duel. Draws by repetition and ply caps are off, as a search wants it.
pub trait Engine: Send {
    /// The same game behind the face that the referee knows.
    fn table(&self) -> &dyn Table;
    /// The position itself, for those who know its type.
    fn position(&self) -> &dyn Any;
    /// Plays a move of the side to move and gives back its canonical text.
    fn play(&mut self, mv: &str) -> Result<String, MoveError>;
    /// Is side 0 to move, in a game that is not over?
    fn max_to_move(&self) -> bool;
    /// Searches to exactly this depth, or fails.
    fn search(&self, algorithm: Algorithm, depth: u32, budget: &Budget)
    -> Result<Found<String>, OutOfBudget>;
    /// [`prove`]s: alpha-beta that also says whether it has followed every line to the end.
    fn prove(&self, depth: u32, budget: &Budget) -> Result<(Found<String>, bool), OutOfBudget>;
    /// Searches as deep as the budget and the game allow, up to `depth`; to depth 1 in any case. A search that came to
    /// its end has the counts of a textbook. One that was stopped tells all it did, and so does `strong`.
    fn deepen(&mut self, algorithm: Algorithm, depth: u32, budget: &Budget) -> Found<String>;
    /// The MiB in which [`Engine::deepen`] lets `strong` remember positions from one search to the next. What was
    /// remembered so far is forgotten.
    fn set_table(&mut self, mib: usize);
    /// See [`greedy`].
    fn greedy(&self) -> (i32, Vec<String>);
    /// See [`mcts`].
    fn sample(&self, rounds: u64, seed: u64, budget: &Budget) -> Sampled<String>;
    /// What was remembered is not copied.
    fn boxed_clone(&self) -> Box<dyn Engine>;
}

impl Clone for Box<dyn Engine> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// An engine at the start of a game; `None` if no duel has this id.
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
    /// The same code for all games: compiled once, in `rules`.
    game: Box<dyn Table>,
    table_mib: usize,
    /// Remembers positions from one search to the next.
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
        search(self.typed(), depth, budget).map(Found::spoken)
    }

    fn prove(&self, depth: u32, budget: &Budget) -> Result<(Found<String>, bool), OutOfBudget> {
        let (found, complete) = prove(self.typed(), depth, budget)?;
        Ok((found.spoken(), complete))
    }

    fn deepen(&mut self, algorithm: Algorithm, depth: u32, budget: &Budget) -> Found<String> {
        let position = position_of::<P>(&*self.game);
        if algorithm == Algorithm::Strong {
            let strong = self.strong.get_or_insert_with(|| Strong::new(self.table_mib));
            return strong.deepen(position, depth, budget).spoken();
        }
        let deepened = deepen_counting(position, depth, budget, by_depth(algorithm));
        let count = if deepened.stopped { deepened.all } else { deepened.found.count };
        Found { count, ..deepened.found.spoken() }
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
