//! Answers questions about the positions of one game with fixed parameters.

use crate::answer::{Method, Partial, Refusal, Solution, Stopped, Value, ValueAlone, Verdict};
use crate::effort::{Advice, Listener, Options, TheoryUse, Work};
use crate::fingerprint::Fingerprint;
use crate::judge::ScoreJudge;
use crate::nim_values::PartValues;
use crate::node::{Child, Valuing};
use crate::questions;
use crate::saved::{self, FORMAT, Header};
use crate::score::ScoreScale;
use crate::scored::{Bare, Case, Scored};
use crate::table::{Bounds, SolverTable};
use crate::threads::on_deep_stack;
use crate::way::{Backwards, ByParts, BySearch, Way};
use rules::{DuelVisitor, Kind, Seat, Sum, Table, Theory, position_of};
use search::{Algorithm, Budget, Found, WIN};
use serde_json::Value as Json;
use std::marker::PhantomData;
use std::path::Path;

/// Answers questions about the positions of one game, and remembers the results.
///
/// A position is given by the moves that lead to it. Draws by repetition and caps do not exist here.
pub struct Oracle(Box<dyn Consulted>);

impl Oracle {
    /// How positions are solved where no theory helps.
    pub fn method(&self) -> Method {
        self.0.method()
    }

    /// Who wins, and nothing else: the quickest question.
    pub fn value(&mut self, moves: &[String], listen: Listener) -> Result<ValueAlone, Refusal> {
        match self.ask(moves, &mut *listen, questions::value)? {
            Ok(value) => Ok(ValueAlone { value, states: self.0.states(), method: self.0.method() }),
            Err(stopped) => self.otherwise(moves, stopped, listen, |parts| parts.value_alone()),
        }
    }

    /// Who wins, and a move that keeps it so: the least that a player has to know.
    pub fn keeping_move(&mut self, moves: &[String], listen: Listener) -> Result<(Value, String), Refusal> {
        let asked = self.ask(moves, &mut *listen, questions::keeping_move)?;
        asked.or_else(|stopped| self.otherwise(moves, stopped, listen, |parts| parts.keeping_move()))
    }

    pub fn verdict(&mut self, moves: &[String], listen: Listener) -> Result<Verdict, Refusal> {
        let asked = self.ask(moves, &mut *listen, questions::verdict)?;
        asked.or_else(|stopped| self.otherwise(moves, stopped, listen, |parts| parts.verdict()))
    }

    pub fn solve(&mut self, moves: &[String], listen: Listener) -> Result<Solution, Refusal> {
        let method = self.0.method();
        let asked = self.ask(moves, &mut *listen, |scored| questions::solution(scored, method))?;
        let is_timed = asked.as_ref().is_ok_and(|solution| solution.verdict.is_timed());
        if !is_timed && let Some(by_theory) = self.by_theory(listen, |parts| parts.solution()) {
            return Ok(by_theory);
        }
        match asked {
            Ok(solution) => Ok(Solution { states: self.0.states(), ..solution }),
            Err(stopped) => Err(Refusal::TooLarge(self.0.partial(moves, stopped))),
        }
    }

    /// Writes all that was found out to a file.
    pub fn save(&self, path: &Path) -> Result<(), Refusal> {
        self.0.save(path)
    }

    /// Takes over what [`Oracle::save`] has written for the same game, parameters and rules.
    pub fn load(&mut self, path: &Path) -> Result<(), Refusal> {
        self.0.load(path)
    }

    /// The judge's answer about the position after these moves.
    fn ask<T: Send>(
        &mut self,
        moves: &[String],
        listen: Listener,
        mut question: impl FnMut(&mut dyn Scored) -> Result<T, Stopped> + Send,
    ) -> Result<Result<T, Stopped>, Refusal> {
        self.0.go_to(moves)?;
        let mut answer = Err(Stopped::Memory);
        let asked = self.0.ask(listen, &mut |scored| answer = question(scored));
        Ok(asked.and(answer))
    }

    /// What nim values say about the same position, if they have a say here and need neither too
    /// much memory nor too much time.
    fn by_theory<T>(
        &self,
        listen: Listener,
        question: impl Fn(&mut dyn PartValues) -> Option<T>,
    ) -> Option<T> {
        let mut answer = None;
        self.0.by_theory(listen, &mut |parts| answer = question(parts));
        answer
    }

    /// What the theory says where the general solver has stopped, or what is known without theory.
    fn otherwise<T>(
        &self,
        moves: &[String],
        stopped: Stopped,
        listen: Listener,
        theory: impl Fn(&mut dyn PartValues) -> Option<T>,
    ) -> Result<T, Refusal> {
        let by_theory = self.by_theory(listen, theory);
        by_theory.ok_or_else(|| Refusal::TooLarge(self.0.partial(moves, stopped)))
    }
}

/// The part of an oracle that depends on the game.
trait Consulted: Send {
    fn method(&self) -> Method;
    /// The later questions are about the position after these moves.
    fn go_to(&mut self, moves: &[String]) -> Result<(), Refusal>;
    /// Finds a judge who knows the position, and asks on a stack that is deep enough for the longest game.
    fn ask(
        &mut self,
        listen: Listener,
        question: &mut (dyn FnMut(&mut dyn Scored) + Send),
    ) -> Result<(), Stopped>;
    /// Asks the nim values, if there are any.
    fn by_theory(&self, listen: Listener, question: &mut dyn FnMut(&mut dyn PartValues));
    /// What is proven about a position that was too large, and what a plain search advises.
    fn partial(&self, moves: &[String], stopped: Stopped) -> Partial;
    fn states(&self) -> u64;
    fn save(&self, path: &Path) -> Result<(), Refusal>;
    fn load(&mut self, path: &Path) -> Result<(), Refusal>;
}

/// An oracle for a game with these parameters. With loops it looks at the whole game at once, if the memory allows.
pub fn oracle(game: &str, params: &Json, options: Options) -> Result<Oracle, Refusal> {
    consult(game, params, options, Horizon::Game)
}

fn consult(game: &str, params: &Json, options: Options, horizon: Horizon) -> Result<Oracle, Refusal> {
    let not_a_duel = || Refusal::NotADuel { game: game.to_owned() };
    let entry = rules::find(game).filter(|entry| entry.kind == Kind::Duel).ok_or_else(not_a_duel)?;
    let start = entry.start_without_draws(params)?;
    rules::visit_duel(game, params, Consult { start, options, horizon }).ok_or_else(not_a_duel)?
}

/// An oracle that is asked about one position only: with loops it looks at nothing else.
pub fn oracle_for_one(game: &str, params: &Json, options: Options) -> Result<Oracle, Refusal> {
    consult(game, params, options, Horizon::Position)
}

/// Solves one position.
pub fn solve(
    game: &str,
    params: &Json,
    moves: &[String],
    options: Options,
    listen: Listener,
) -> Result<Solution, Refusal> {
    oracle_for_one(game, params, options)?.solve(moves, listen)
}

struct Consult {
    start: Box<dyn Table>,
    options: Options,
    horizon: Horizon,
}

/// Which positions retrograde analysis covers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Horizon {
    /// The whole game, so that every later question is answered too. If the game is too large, the
    /// analysis falls back to `Position`.
    Game,
    /// Only what can be reached from the position in question.
    Position,
}

impl DuelVisitor for Consult {
    type Output = Result<Oracle, Refusal>;

    fn visit<P: Theory>(self) -> Self::Output {
        self.open::<P, BySearch>()
    }

    fn looping<P: Theory>(self) -> Self::Output {
        self.open::<P, Backwards>()
    }

    fn sum<P: Sum>(self) -> Self::Output {
        self.open::<P, ByParts>()
    }
}

impl Consult {
    fn open<P: Theory, W: Way<P>>(self) -> Result<Oracle, Refusal> {
        Ok(Oracle(Box::new(Typed::<P, W>::new(self.start, self.options, self.horizon)?)))
    }
}

/// An oracle for the positions of one type, with one way of solving.
pub(crate) struct Typed<P: Theory, W: Way<P>> {
    /// The start as a table. The code of a table is compiled once, in `rules`.
    start: Box<dyn Table>,
    /// The position that is asked about.
    position: P,
    pub(crate) options: Options,
    pub(crate) horizon: Horizon,
    pub(crate) valuing: Valuing,
    /// With search, everything found so far. With retrograde analysis, all positions or nothing
    /// yet.
    pub(crate) table: Option<SolverTable>,
    pub(crate) work: Work,
    way: PhantomData<fn() -> (P, W)>,
}

impl<P: Theory, W: Way<P>> Typed<P, W> {
    fn new(start: Box<dyn Table>, options: Options, horizon: Horizon) -> Result<Self, Refusal> {
        let position = position_of::<P>(&*start);
        if options.theory == TheoryUse::Always && !W::HAS_PARTS {
            return Err(Refusal::NoSum { game: P::ABOUT.id.to_owned() });
        }
        let scale = match position.plies_left() {
            None => ScoreScale::LOOPS,
            Some(_) if position.without_points().is_some() => ScoreScale::POINTS_ONLY,
            Some(plies) => ScoreScale::up_to(plies),
        };
        let valuing = Valuing { scale, symmetry: options.symmetry };
        let work = Work::default();
        let position = position.clone();
        Ok(Typed { start, position, options, horizon, valuing, table: None, work, way: PhantomData })
    }

    pub(crate) fn start(&self) -> &P {
        position_of(&*self.start)
    }

    /// The memory for the table. Where a theory says who wins, the search for distances gets little
    /// memory.
    pub(crate) fn memory(&self) -> u64 {
        let all = self.options.memory.0;
        if self.has_theory() {
            all.min(MEMORY_BESIDE_NIM_VALUES)
        } else if self.start().foregone().is_some() {
            all.min(MEMORY_BESIDE_COUNTS)
        } else {
            all
        }
    }

    /// The part of [`Typed::memory`] for proof numbers, where the search may use them.
    pub(crate) fn memory_for_numbers(&self) -> u64 {
        let equal_wins = self.start().margin().is_none();
        if W::METHOD == Method::Search && equal_wins { self.memory() / 4 } else { 0 }
    }

    fn has_theory(&self) -> bool {
        self.options.theory != TheoryUse::Never && W::HAS_PARTS
    }

    fn header(&self) -> Header {
        Header {
            ludus_table: FORMAT,
            game: P::ABOUT.id.to_owned(),
            rules: P::ABOUT.version,
            params: Json::clone(self.start.params()),
            symmetry: self.valuing.symmetry,
            per_point: self.valuing.scale.per_point(),
            start: Fingerprint::of(self.start()).check,
        }
    }

    /// What the table says about a position.
    fn proven(&self, position: &P) -> Bounds {
        let Some(ends) = self.valuing.foreseen(position) else {
            let known = self.table.as_ref().and_then(|table| table.find(self.valuing.key(position)));
            return known.unwrap_or(Bounds::UNKNOWN);
        };
        // The mover takes the better end.
        let ends = ends.map(|end| match end {
            Child::Ended(score) => Bounds::exactly(score),
            Child::Open(open) => {
                let Bounds { low, high } = self.proven(&open.position);
                let [low, high] = [low, high].map(|score| self.valuing.seen_from_above(score, &open));
                Bounds { low: low.min(high), high: low.max(high) }
            }
        });
        let better = |one: Bounds, other: Bounds| Bounds {
            low: one.low.max(other.low),
            high: one.high.max(other.high),
        };
        ends.reduce(better).unwrap_or(Bounds::UNKNOWN)
    }
}

/// The game after these moves. A finished game is refused.
fn after(
    start: &dyn Table,
    moves: &[String],
    mover: fn(&dyn Table) -> Seat,
) -> Result<Box<dyn Table>, Refusal> {
    let mut game = start.boxed_clone();
    for (at, text) in moves.iter().enumerate() {
        let seat = mover(&*game);
        let refused = |error| Refusal::Move { number: at + 1, got: text.clone(), error };
        game.play(seat, text).map_err(refused)?;
    }
    match game.outcome() {
        None => Ok(game),
        Some(outcome) => Err(Refusal::Over(match outcome.winner() {
            Some(seat) => format!("seat {seat} has won ({})", outcome.reason),
            None if outcome.value(Seat::FIRST) == 0 => format!("a draw ({})", outcome.reason),
            None => format!("decided ({})", outcome.reason),
        })),
    }
}

const MEMORY_BESIDE_NIM_VALUES: u64 = 4 << 20;
const MEMORY_BESIDE_COUNTS: u64 = 1 << 20;
const ADVICE_DEPTH: u32 = 40;
const ADVICE_NODES: u64 = 1_000_000;

/// What a plain search would play after these moves.
fn advice(game: &str, params: &Json, moves: &[String], budget: &Budget) -> Option<Found<String>> {
    let mut engine = search::engine(game, params)?.ok()?;
    for mv in moves {
        engine.play(mv).ok()?;
    }
    Some(engine.deepen(Algorithm::AlphaBeta, ADVICE_DEPTH, budget))
}

impl<P: Theory, W: Way<P>> Consulted for Typed<P, W> {
    fn method(&self) -> Method {
        W::METHOD
    }

    fn go_to(&mut self, moves: &[String]) -> Result<(), Refusal> {
        let game = after(&*self.start, moves, |table| position_of::<P>(table).mover())?;
        self.position.clone_from(position_of(&*game));
        Ok(())
    }

    fn ask(
        &mut self,
        listen: Listener,
        question: &mut (dyn FnMut(&mut dyn Scored) + Send),
    ) -> Result<(), Stopped> {
        if self.options.theory == TheoryUse::Always {
            return Err(Stopped::Memory); // if the theory has not enough memory either
        }
        let position = self.position.clone();
        let mut asked = Err(Stopped::Memory);
        on_deep_stack(&mut || {
            let mut ask = |judge: &mut dyn ScoreJudge<P>, valuing| {
                question(&mut Case::new(judge, valuing, &position));
            };
            self.work = Work::default();
            asked = W::ask(self, &position, listen, &mut ask);
        });
        asked
    }

    fn by_theory(&self, listen: Listener, question: &mut dyn FnMut(&mut dyn PartValues)) {
        if self.has_theory() {
            let mut go_on = |known| self.work.report(&mut *listen, "valuing parts", known, 0).is_ok();
            W::value_parts(&self.position, self.options.memory.0 / 2, &mut go_on, question);
        }
    }

    fn partial(&self, moves: &[String], stopped: Stopped) -> Partial {
        let position = &self.position;
        let bare = Bare::of(position);
        let Bounds { low, high } = self.proven(&bare.position);
        let value = |score: i32| ScoreScale::value(score + bare.points_before);
        let (mut at_least, mut at_most) = (value(low), value(high));
        let budget = match self.options.advice {
            Advice::Never => None,
            Advice::Always => Some(Budget::nodes(ADVICE_NODES)),
            Advice::Until(deadline) => Some(Budget::nodes(ADVICE_NODES).until(deadline)),
        };
        let params = self.start.params();
        let found = budget.and_then(|budget| advice(P::ABOUT.id, params, moves, &budget));
        // The theory may have run out of time after the search had run out of memory.
        let stopped = if self.work.is_stopped() { Stopped::Asked } else { stopped };
        // A game that was played to its end within the depth is proven too.
        let value = found.as_ref().map_or(0, |found| found.value);
        let for_mover = if position.side(position.mover()) == 0 { value } else { -value };
        if for_mover >= WIN {
            at_least = Value::Win;
        } else if for_mover <= -WIN {
            at_most = Value::Loss;
        }
        let states = self.table.as_ref().map_or_else(|| self.work.states(), SolverTable::states);
        let advice = found.as_ref().and_then(|found| found.advice().cloned());
        let advice_depth = found.map_or(0, |found| found.depth);
        Partial { at_least, at_most, states, stopped, advice, advice_depth }
    }

    fn states(&self) -> u64 {
        self.table.as_ref().map_or(0, SolverTable::states)
    }

    fn save(&self, path: &Path) -> Result<(), Refusal> {
        let empty = SolverTable::new(0);
        saved::write(path, &self.header(), self.table.as_ref().unwrap_or(&empty))
    }

    fn load(&mut self, path: &Path) -> Result<(), Refusal> {
        let memory = self.memory() - self.memory_for_numbers();
        self.table = Some(saved::read(path, &self.header(), memory)?);
        Ok(())
    }
}
