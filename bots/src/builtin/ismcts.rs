//! A bot that searches among imagined positions: positions that fit its view, by the rules of the
//! game.

use super::Options;
use crate::dice::Dice;
use crate::kit::{Game, Strategy};
use protocol::{Move, Search, Turn};
use rules::{Hidden, HiddenVisitor, Position, Seat, Seed};
use search::{Budget, IsmctsSettings, ismcts};
use std::time::{Duration, Instant};

/// `builtin:ismcts`, for any game with hidden cards.
pub struct Ismcts {
    options: Options,
    mind: Option<Box<dyn Mind>>,
}

impl Ismcts {
    pub fn new(options: Options) -> Ismcts {
        Ismcts { options, mind: None }
    }
}

impl Strategy for Ismcts {
    fn start(&mut self, game: &Game) {
        let seating = IsmctsSeating { options: self.options, game: game.clone() };
        self.mind = rules::visit_hidden(&game.game, seating).flatten();
    }

    fn choose(&mut self, _game: &Game, turn: &Turn) -> Move {
        let thought = self.mind.as_mut().and_then(|mind| mind.think(turn));
        // No position could be imagined, or the bot does not know the game: play a legal move
        // anyway.
        thought.unwrap_or_else(|| Move::new(turn.legal.first().cloned().unwrap_or_default()))
    }
}

/// The part of the bot that knows the type of the game.
trait Mind {
    fn think(&mut self, turn: &Turn) -> Option<Move>;
}

#[derive(Clone)]
struct IsmctsSeating {
    options: Options,
    game: Game,
}

impl IsmctsSeating {
    fn searcher(&self) -> IsmctsSearcher {
        let usual = IsmctsSettings::default();
        IsmctsSearcher {
            seat: Seat(self.game.seat),
            settings: IsmctsSettings {
                iterations: self.options.iterations.map_or(usual.iterations, |count| count as u32),
                ..usual
            },
            dice: Dice::new(self.game.bot_seed),
        }
    }
}

impl HiddenVisitor for IsmctsSeating {
    type Output = Option<Box<dyn Mind>>;

    fn visit<P: Hidden>(self) -> Self::Output {
        let params = rules::read_params::<P::Params>(&self.game.params).ok()?;
        Some(Box::new(IsmctsMind::<P> { params, searcher: self.searcher() }))
    }
}

struct IsmctsSearcher {
    seat: Seat,
    settings: IsmctsSettings,
    dice: Dice,
}

impl IsmctsSearcher {
    fn think<P: Position>(&mut self, turn: &Turn, imagine: impl FnMut(Seed) -> Option<P>) -> Option<Move> {
        if let [only] = turn.legal.as_slice() {
            return Some(Move::new(only));
        }
        // The iterations decide, so that a game can be repeated. The time limit is a safety net on
        // a slow machine.
        let patience = Duration::from_millis(u64::midpoint(turn.clock.move_ms, turn.clock.bank_ms / 20));
        let budget = Budget::unlimited().until(Instant::now() + patience);
        let advice = ismcts(self.seat, &self.settings, self.dice.number(), &budget, imagine)?;
        let text = advice.mv.to_string();
        let info = Search {
            nodes: Some(advice.nodes),
            leaves: Some(advice.iterations.into()),
            score: Some(advice.value),
            ..Search::default()
        };
        turn.legal.contains(&text).then(|| Move { info: Some(info.into()), ..Move::new(text) })
    }
}

struct IsmctsMind<P: Hidden> {
    params: P::Params,
    searcher: IsmctsSearcher,
}

impl<P: Hidden> Mind for IsmctsMind<P> {
    fn think(&mut self, turn: &Turn) -> Option<Move> {
        let (view, seat) = (turn.view(), self.searcher.seat);
        self.searcher.think(turn, |seed| P::imagine(&self.params, &view, seat, seed).ok())
    }
}
