//! One game with its parameters, ready to be asked about many positions.

use crate::answer::{Method, Partial, Refusal, Solution, Stopped, Value, ValueAlone, Verdict};
use crate::effort::{Advice, Listener, Options, TheoryUse, Work};
use crate::fingerprint::Fingerprint;
use crate::judge::{self, Bare, ScoreJudge};
use crate::nim_values::PartValues;
use crate::node::{Child, Valuing};
use crate::saved::{self, FORMAT, Header};
use crate::score::ScoreScale;
use crate::table::{Bounds, SolverTable};
use crate::threads::on_deep_stack;
use crate::way::{Backwards, ByParts, BySearch, Way};
use rules::{DuelVisitor, Kind, Seat, Sum, Table, Theory, position_of};
use search::{Algorithm, Budget, Found, WIN};
use serde_json::Value as Json;
use std::marker::PhantomData;
use std::path::Path;

/// Answers questions about the positions of one game, and remembers what it has found out.
///
/// A position is given by the moves that lead to it. Draws by repetition and caps do not exist here.
pub trait Oracle: Send {
    /// How it goes about it, where no theory helps.
    fn method(&self) -> Method;
    /// Who wins, and nothing else: the quickest question.
    fn value(&mut self, moves: &[String], listen: Listener) -> Result<ValueAlone, Refusal>;
    /// Who wins, and a move that keeps it so: the least that a player has to know.
    fn keeping_move(&mut self, moves: &[String], listen: Listener) -> Result<(Value, String), Refusal>;
    fn verdict(&mut self, moves: &[String], listen: Listener) -> Result<Verdict, Refusal>;
    fn solve(&mut self, moves: &[String], listen: Listener) -> Result<Solution, Refusal>;
    /// Writes all that was found out to a file.
    fn save(&self, path: &Path) -> Result<(), Refusal>;
    /// Takes over what [`Oracle::save`] has written for the same game, parameters and rules.
    fn load(&mut self, path: &Path) -> Result<(), Refusal>;
}

/// An oracle for a game with these parameters. With loops it looks at the whole game at once, if the memory allows.
pub fn oracle(game: &str, params: &Json, options: Options) -> Result<Box<dyn Oracle>, Refusal> {
    consult(game, params, options, Horizon::Game)
}

fn consult(
    game: &str,
    params: &Json,
    options: Options,
    horizon: Horizon,
) -> Result<Box<dyn Oracle>, Refusal> {
    let not_a_duel = || Refusal::NotADuel { game: game.to_owned() };
    let entry = rules::find(game).filter(|entry| entry.kind == Kind::Duel).ok_or_else(not_a_duel)?;
    let start = entry.start_without_draws(params)?;
    rules::visit_duel(game, params, Consult { start, options, horizon }).ok_or_else(not_a_duel)?
}

/// An oracle that is asked about one position only: with loops it looks at nothing else.
pub fn oracle_for_one(game: &str, params: &Json, options: Options) -> Result<Box<dyn Oracle>, Refusal> {
    consult(game, params, options, Horizon::Position)
}

/// Everything about one position.
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

/// What retrograde analysis looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Horizon {
    /// The whole game, so that every later question is answered too; if that is too large, as below.
    Game,
    /// Only what can be reached from the position in question.
    Position,
}

impl DuelVisitor for Consult {
    type Output = Result<Box<dyn Oracle>, Refusal>;

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
    fn open<P: Theory, W: Way<P>>(self) -> Result<Box<dyn Oracle>, Refusal> {
        Ok(Box::new(Typed::<P, W>::new(self.start, self.options, self.horizon)?))
    }
}

/// An oracle for the positions of one type, by one way of solving.
pub(crate) struct Typed<P: Theory, W: Way<P>> {
    /// The same code for all games: compiled once, in `rules`.
    start: Box<dyn Table>,
    pub(crate) options: Options,
    pub(crate) horizon: Horizon,
    pub(crate) eyes: Valuing,
    /// For a search everything found so far, for retrograde analysis all positions or nothing yet.
    pub(crate) table: Option<SolverTable>,
    pub(crate) work: Work,
    way: PhantomData<fn() -> (P, W)>,
}

impl<P: Theory, W: Way<P>> Typed<P, W> {
    fn new(start: Box<dyn Table>, options: Options, horizon: Horizon) -> Result<Self, Refusal> {
        let position = position_of::<P>(&*start);
        if options.theory == TheoryUse::Always && !W::has_parts(position) {
            return Err(Refusal::NoSum { game: P::ABOUT.id.to_owned() });
        }
        let scale = match position.longest() {
            None => ScoreScale::LOOPS,
            Some(_) if position.without_points().is_some() => ScoreScale::POINTS_ONLY,
            Some(plies) => ScoreScale::up_to(plies),
        };
        let eyes = Valuing { scale, symmetry: options.symmetry };
        let work = Work::default();
        Ok(Typed { start, options, horizon, eyes, table: None, work, way: PhantomData })
    }

    pub(crate) fn start(&self) -> &P {
        position_of(&*self.start)
    }

    /// Where theory tells who wins, the search for distances stays small.
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

    /// The part of it for proof numbers, where the search may use them.
    pub(crate) fn memory_for_numbers(&self) -> u64 {
        let pointless = self.start().margin().is_none();
        if W::METHOD == Method::Search && pointless { self.memory() / 4 } else { 0 }
    }

    fn has_theory(&self) -> bool {
        self.options.theory != TheoryUse::Never && W::has_parts(self.start())
    }

    /// What nim values say, if they have a say here and need neither too much memory nor too much
    /// time.
    fn by_theory<T>(
        &self,
        listen: Listener,
        question: impl FnOnce(&mut dyn PartValues<P>) -> Option<T>,
    ) -> Option<T> {
        if !self.has_theory() {
            return None;
        }
        let mut go_on = |known| self.work.report(&mut *listen, "valuing parts", known, 0).is_ok();
        let (mut question, mut answer) = (Some(question), None);
        W::value_parts(self.options.memory.0 / 2, &mut go_on, &mut |values| {
            answer = question.take().and_then(|question| question(values));
        });
        answer
    }

    fn states(&self) -> u64 {
        self.table.as_ref().map_or(0, SolverTable::states)
    }

    /// What the theory says where the general solver has stopped, or what is known without it.
    fn otherwise<T>(
        &self,
        (position, moves): (&P, &[String]),
        stopped: Stopped,
        listen: Listener,
        theory: impl FnOnce(&mut dyn PartValues<P>) -> Option<T>,
    ) -> Result<T, Refusal> {
        let by_theory = self.by_theory(listen, theory);
        by_theory.ok_or_else(|| Refusal::TooLarge(self.partial(position, moves, stopped)))
    }

    fn header(&self) -> Header {
        Header {
            ludus_table: FORMAT,
            game: P::ABOUT.id.to_owned(),
            rules: P::ABOUT.version,
            params: Json::clone(self.start.params()),
            symmetry: self.eyes.symmetry,
            per_point: self.eyes.scale.per_point(),
            start: Fingerprint::of(self.start()).check,
        }
    }

    fn after(&self, moves: &[String]) -> Result<P, Refusal> {
        let game = after(&*self.start, moves, |table| position_of::<P>(table).mover())?;
        Ok(position_of::<P>(&*game).clone())
    }

    /// Asks a judge, on a stack that is deep enough for the longest game.
    fn ask<T: Send>(
        &mut self,
        position: &P,
        listen: Listener,
        mut question: impl FnMut(&mut dyn ScoreJudge<P>, Valuing, &P) -> Result<T, Stopped> + Send,
    ) -> Result<T, Stopped> {
        if self.options.theory == TheoryUse::Always {
            return Err(Stopped::Memory); // if the theory has not enough of it either
        }
        let mut answer = Err(Stopped::Memory);
        on_deep_stack(&mut || {
            let mut ask = |judge: &mut dyn ScoreJudge<P>, eyes| answer = question(judge, eyes, position);
            self.work = Work::default();
            if let Err(stopped) = W::ask(self, position, listen, &mut ask) {
                answer = Err(stopped);
            }
        });
        answer
    }

    /// What is proven about a position that was too large, and what a plain search advises.
    fn partial(&self, position: &P, moves: &[String], stopped: Stopped) -> Partial {
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

    /// What the table says about a position.
    fn proven(&self, position: &P) -> Bounds {
        let Some(ends) = self.eyes.foreseen(position) else {
            let known = self.table.as_ref().and_then(|table| table.find(self.eyes.key(position)));
            return known.unwrap_or(Bounds::UNKNOWN);
        };
        // The mover takes the better one.
        let ends = ends.map(|end| match end {
            Child::Ended(score) => Bounds::exactly(score),
            Child::Open(open) => {
                let Bounds { low, high } = self.proven(&open.position);
                let [low, high] = [low, high].map(|score| self.eyes.seen_from_above(score, &open));
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

/// The game after these moves, if it is not over then.
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

impl<P: Theory, W: Way<P>> Oracle for Typed<P, W> {
    fn method(&self) -> Method {
        W::METHOD
    }

    fn value(&mut self, moves: &[String], listen: Listener) -> Result<ValueAlone, Refusal> {
        let position = self.after(moves)?;
        let asked =
            self.ask(&position, &mut *listen, |mut judge, _, position| judge::value(&mut judge, position));
        match asked {
            Ok(value) => Ok(ValueAlone { value, states: self.states(), method: W::METHOD }),
            Err(stopped) => {
                self.otherwise((&position, moves), stopped, listen, |values| values.value_alone(&position))
            }
        }
    }

    fn keeping_move(&mut self, moves: &[String], listen: Listener) -> Result<(Value, String), Refusal> {
        let position = self.after(moves)?;
        let asked = self.ask(&position, &mut *listen, |mut judge, eyes, position| {
            judge::keeping_move(&mut judge, eyes, position)
        });
        asked.or_else(|stopped| {
            self.otherwise((&position, moves), stopped, listen, |values| values.keeping_move(&position))
        })
    }

    fn verdict(&mut self, moves: &[String], listen: Listener) -> Result<Verdict, Refusal> {
        let position = self.after(moves)?;
        let asked = self.ask(&position, &mut *listen, |mut judge, eyes, position| {
            judge::verdict(&mut judge, eyes, position)
        });
        asked.or_else(|stopped| {
            self.otherwise((&position, moves), stopped, listen, |values| values.verdict(&position))
        })
    }

    fn solve(&mut self, moves: &[String], listen: Listener) -> Result<Solution, Refusal> {
        let position = self.after(moves)?;
        let asked = self.ask(&position, &mut *listen, |mut judge, eyes, position| {
            judge::solution(&mut judge, eyes, position, W::METHOD)
        });
        let is_timed = asked.as_ref().is_ok_and(|solution| solution.verdict.is_timed());
        if !is_timed && let Some(by_theory) = self.by_theory(listen, |values| values.solution(&position)) {
            return Ok(by_theory);
        }
        match asked {
            Ok(solution) => Ok(Solution { states: self.states(), ..solution }),
            Err(stopped) => Err(Refusal::TooLarge(self.partial(&position, moves, stopped))),
        }
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

impl<P: Theory, J: ScoreJudge<P> + ?Sized> ScoreJudge<P> for &mut J {
    fn exact(&mut self, position: &P) -> Result<i32, Stopped> {
        (**self).exact(position)
    }

    fn reaches(&mut self, position: &P, threshold: i32) -> Result<bool, Stopped> {
        (**self).reaches(position, threshold)
    }

    fn remembers(&self, position: &P, mv: &P::Move, threshold: i32) -> bool {
        (**self).remembers(position, mv, threshold)
    }
}
