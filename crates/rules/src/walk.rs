//! A walk through the game tree, from a game in progress: for a player who looks ahead.
//!
//! The game itself is not touched. A walk starts at the true position where nothing is hidden, and
//! at an imagined one elsewhere, so that it can show a player nothing that the player may not know.

use crate::json::Json;
use crate::outcome::Outcome;
use crate::position::{Duel, Hidden, Position};
use crate::registry::{DuelVisitor, HiddenVisitor, visit_duel, visit_hidden};
use crate::seat::{Eyes, Seat, Turn};
use crate::table::{History, MoveError, Table, find_move, may_move, write_moves};
use serde_json::Value;
use std::any::Any;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A path from the root to the node where the walk stands, whatever the game.
pub trait Walk {
    /// The number of nodes between the root and here.
    fn depth(&self) -> usize;
    /// Who owes a decision here, or how the game ended. Draws by history apply.
    fn turn(&self) -> Turn;
    /// Of several seats that decide together, the walk asks the player's own first, then the
    /// lowest. `None` if the game is over.
    fn decider(&self) -> Option<Seat>;
    /// Do other seats decide at the same time as the decider? Who decides later knows nothing of
    /// earlier choices.
    fn is_simultaneous(&self) -> bool;
    /// Goes back to this depth, which must not be greater than the present one, and plays moves
    /// from there, each for whoever decides. If a move can't be played, the walk stays where it
    /// was.
    fn go(&mut self, depth: usize, moves: &[&str]) -> Result<(), MoveError>;
    /// Appends the legal moves of the decider as a JSON list.
    fn write_legal(&mut self, json: &mut String);
    fn count_legal(&mut self) -> usize;
    fn outcome(&self) -> Option<Outcome>;
    fn view(&self, eyes: Eyes) -> Json;
    /// The position with its own type.
    fn position(&self) -> &dyn Any;
}

/// The lists of moves are kept for the nodes near the root: a search comes back to them for every
/// move.
const KEPT_LISTS: usize = 64;

/// The one implementation of [`Walk`].
pub(crate) struct Walker<'t, P: Position> {
    /// Who looks ahead.
    seat: Seat,
    /// How often each position has stood in the real game, where that matters.
    stood: Option<&'t HashMap<P, u8>>,
    /// From the root to here. Never empty.
    path: Vec<Node<P>>,
    /// The nodes of a list of moves that is being played.
    fresh: Vec<Node<P>>,
    /// Lists to use again.
    spare: Vec<Vec<P::Move>>,
}

struct Node<P: Position> {
    position: P,
    history: History,
    /// Of the position, where repetitions count.
    hash: u64,
    /// Has a seat decided, and others that decide at the same time have not?
    waiting: bool,
    /// The legal moves of the decider, once somebody has asked.
    moves: Vec<P::Move>,
    listed: bool,
}

impl<P: Position> Node<P> {
    fn new(position: P, history: History, waiting: bool) -> Node<P> {
        let hash = if history.draws.repetition { hash_of(&position) } else { 0 };
        Node { position, history, hash, waiting, moves: Vec::new(), listed: false }
    }

    fn turn(&self) -> Turn {
        self.history.turn(&self.position)
    }

    fn decider(&self, own: Seat) -> Option<Seat> {
        let seats = self.turn().seats();
        if seats.contains(own) { Some(own) } else { seats.lowest() }
    }

    fn list(&mut self, own: Seat, spare: &mut Vec<Vec<P::Move>>) -> &[P::Move] {
        if !self.listed {
            self.listed = true;
            if self.moves.capacity() == 0 {
                self.moves = spare.pop().unwrap_or_default();
            }
            if let Some(seat) = self.decider(own) {
                self.position.moves(seat, &mut self.moves);
            }
        }
        &self.moves
    }

    /// Gives the list away.
    fn forget_list(&mut self, spare: &mut Vec<Vec<P::Move>>) {
        self.listed = false;
        let mut list = std::mem::take(&mut self.moves);
        list.clear();
        if spare.len() < KEPT_LISTS {
            spare.push(list);
        }
    }
}

fn hash_of(position: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    position.hash(&mut hasher);
    hasher.finish()
}

impl<'t, P: Position> Walker<'t, P> {
    /// `stood` belongs to the true position. An imagined one has no history that anybody knows.
    pub(crate) fn new(
        seat: Seat,
        position: P,
        history: History,
        stood: Option<&'t HashMap<P, u8>>,
    ) -> Walker<'t, P> {
        let path = vec![Node::new(position, history, false)];
        Walker { seat, stood, path, fresh: Vec::new(), spare: Vec::new() }
    }

    fn here(&self) -> &Node<P> {
        &self.path[self.path.len() - 1]
    }

    /// Plays a move at the last fresh node, or else at this depth.
    fn step(&mut self, depth: usize, text: &str) -> Result<(), MoveError> {
        let is_deep = depth + self.fresh.len() >= KEPT_LISTS;
        let node = match self.fresh.last_mut() {
            Some(node) => node,
            None => &mut self.path[depth],
        };
        let Some(seat) = node.decider(self.seat) else { return Err(MoveError::Over) };
        may_move(node.turn(), seat)?;
        let mv = find_move::<P>(text, node.list(self.seat, &mut self.spare))?;
        let mut history = node.history;
        history.count_ply(node.position.is_quiet(&mv));
        let waiting = !node.turn().seats().without(seat).is_empty();
        let mut position = node.position.clone();
        position.play(seat, &mv);
        if is_deep {
            node.forget_list(&mut self.spare);
        }
        let mut next = Node::new(position, history, waiting);
        if !next.position.turn().is_over() {
            next.history.look_for_draws(self.repetitions(depth, &next));
        }
        self.fresh.push(next);
        Ok(())
    }

    /// How often the position of a node has stood when the node is reached, with this time.
    fn repetitions(&self, depth: usize, node: &Node<P>) -> u8 {
        if !node.history.draws.repetition {
            return 0;
        }
        let stood = self.stood.and_then(|stood| stood.get(&node.position)).copied().unwrap_or(0);
        let way = self.path[1..=depth].iter().chain(&self.fresh);
        let again = way.filter(|other| other.hash == node.hash && other.position == node.position).count();
        stood.saturating_add(1).saturating_add(again as u8)
    }
}

impl<P: Position> Walk for Walker<'_, P> {
    fn depth(&self) -> usize {
        self.path.len() - 1
    }

    fn turn(&self) -> Turn {
        self.here().turn()
    }

    fn decider(&self) -> Option<Seat> {
        self.here().decider(self.seat)
    }

    fn is_simultaneous(&self) -> bool {
        let node = self.here();
        node.turn().seats().len() > usize::from(!node.waiting)
    }

    fn go(&mut self, depth: usize, moves: &[&str]) -> Result<(), MoveError> {
        for text in moves {
            if let Err(error) = self.step(depth, text) {
                self.fresh.clear();
                return Err(error);
            }
        }
        for mut gone in self.path.drain(depth + 1..) {
            gone.forget_list(&mut self.spare);
        }
        self.path.append(&mut self.fresh);
        Ok(())
    }

    fn write_legal(&mut self, json: &mut String) {
        let at = self.depth();
        write_moves(self.path[at].list(self.seat, &mut self.spare), json);
    }

    fn count_legal(&mut self) -> usize {
        let at = self.depth();
        self.path[at].list(self.seat, &mut self.spare).len()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.turn().finish().map(|finish| finish.outcome(&self.here().position))
    }

    fn view(&self, eyes: Eyes) -> Json {
        self.here().position.view(eyes)
    }

    fn position(&self) -> &dyn Any {
        &self.here().position
    }
}

/// Draws positions that a seat can't tell from the true one.
pub trait Imaginer<'t> {
    /// A walk from the position that belongs to a seed. What the seat sees and the seed are all
    /// that it depends on.
    fn imagine(&self, seed: crate::Seed) -> Result<Box<dyn Walk + 't>, String>;
}

/// For a seat that owes a decision in a game with hidden cards or chance. `None` in every other
/// game: there a walk may start at the true position.
pub fn imaginer(table: &dyn Table, seat: Seat) -> Option<Box<dyn Imaginer<'_> + '_>> {
    visit_hidden(table.about().id, Imagining { table, seat }).flatten()
}

struct Imagining<'t> {
    table: &'t dyn Table,
    seat: Seat,
}

impl<'t> HiddenVisitor for Imagining<'t> {
    type Output = Option<Box<dyn Imaginer<'t> + 't>>;

    fn visit<P: Hidden>(self) -> Self::Output {
        let Imagining { table, seat } = self;
        let params = crate::params::read::<P::Params>(table.params()).ok()?;
        Some(Box::new(TypedImaginer::<P> { table, seat, params, view: table.view(Eyes::Seat(seat)).value() }))
    }
}

struct TypedImaginer<'t, P: Hidden> {
    table: &'t dyn Table,
    seat: Seat,
    params: P::Params,
    view: Value,
}

impl<'t, P: Hidden> Imaginer<'t> for TypedImaginer<'t, P> {
    fn imagine(&self, seed: crate::Seed) -> Result<Box<dyn Walk + 't>, String> {
        let position = P::imagine(&self.params, &self.view, self.seat, seed)?;
        self.table
            .walk_from(Box::new(position), self.seat)
            .ok_or_else(|| "a position of another game".to_owned())
    }
}

/// Estimates a position for seat 0, see [`Duel::evaluate`]. `None` if the game is no duel.
pub fn evaluator(game: &str, params: &Value) -> Option<fn(&dyn Any) -> i32> {
    visit_duel(game, params, Evaluating)
}

struct Evaluating;

impl DuelVisitor for Evaluating {
    type Output = fn(&dyn Any) -> i32;

    fn visit<P: crate::Theory>(self) -> Self::Output {
        estimate::<P>
    }
}

fn estimate<P: Duel>(position: &dyn Any) -> i32 {
    position.downcast_ref::<P>().map_or(0, P::evaluate)
}
