//! Games with loops: find all reachable positions, then value them backwards from the ends.
//!
//! ```text
//! start --moves--> all positions --edges reversed--> parents of each position
//! ends --parents, one ply further each time--> all forced results; the rest is drawn
//! ```
//!
//! A position is won for its mover as soon as one move leads to a win of the mover. A position is
//! lost when all moves lead to a loss. Positions are valued in the order of their distance. So the
//! first winning move found is the quickest, and the last losing move found is the slowest. Where
//! points count, this is done for the highest difference first, then for the next one.

use crate::answer::Stopped;
use crate::effort::{Listener, Work};
use crate::fingerprint::Fingerprint;
use crate::node::{Valuing, points};
use crate::states::{Pages, States};
use crate::table::{Bounds, SolverTable};
use crate::threads::{self, ThreadJob};
use rules::{Theory, Turn};
use std::ops::Range;
use std::sync::atomic::{AtomicI32, AtomicU16, AtomicU32, Ordering};

/// The number of positions that are expanded before their children get numbers.
const BATCH: usize = 1 << 12;
/// The number of positions between two reports, in the phases that make no moves.
const STEP: usize = 1 << 17;
/// A smaller share of positions is not worth another thread.
const LEAST: usize = 1 << 13;
/// The number of earlier edges is stored for every position whose number is a multiple of this.
const MARK: usize = 1 << 12;
/// Set in an edge if the sides are exchanged in the child.
const EXCHANGED: u32 = 1 << 31;

/// A position with the positions after its moves.
struct Expanded<P> {
    /// The side to move, or the points of an end.
    kind: StateKind,
    /// Each child, with whether the sides are exchanged in it.
    children: Vec<(bool, FoundState<P>)>,
}

enum FoundState<P> {
    /// The position has a number already.
    Before(u32),
    /// The position had no number when the batch began. The first field is its place in the index.
    New(u64, P),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StateKind {
    Ended(i32),
    Open(u8),
}

/// The game as a graph.
struct Graph<P> {
    states: States<P>,
    kinds: Pages<StateKind>,
    /// The children of all positions, one position after the other.
    edges: Pages<u32>,
    /// How many children each position has.
    degrees: Pages<u16>,
    /// The number of edges before every [`MARK`]-th position.
    marks: Vec<usize>,
}

/// Values every position that can be reached from the start. Returns a table of these positions.
pub(crate) fn analyse<P: Theory>(
    start: &P,
    valuing: Valuing,
    (memory, threads): (u64, usize),
    work: &Work,
    listen: Listener,
) -> Result<SolverTable, Stopped> {
    let graph = explore(start, valuing, (memory, threads), work, &mut *listen)?;
    let (count, bytes) = (graph.states.list.len() as u64, graph.bytes());
    let mut report = || work.report(&mut *listen, "valuing backwards", count, bytes);
    let scores = value(&graph, valuing, threads, &mut report)?;
    let states = &graph.states.list;
    drop((graph.edges, graph.degrees));
    let table = SolverTable::new(memory.saturating_sub(graph.states.bytes() + scores.len() as u64 * 4));
    for (at, ((position, &kind), score)) in states.iter().zip(graph.kinds.iter()).zip(scores).enumerate() {
        if at % BATCH == 0 {
            report()?;
        }
        if let StateKind::Open(side) = kind {
            let score = score.into_inner();
            let for_mover = if side == 0 { score } else { -score };
            table.learn(Fingerprint::of(position), Bounds::exactly(for_mover))?;
        }
    }
    Ok(table)
}

impl<P: Theory> Graph<P> {
    fn bytes(&self) -> u64 {
        self.states.bytes() + self.kinds.bytes() + self.edges.bytes() + self.degrees.bytes()
    }

    /// Calls `visit` for every edge of these positions: first the parent, then the edge.
    fn each_edge(&self, share: Range<usize>, mut visit: impl FnMut(u32, u32)) {
        let mark = share.start / MARK;
        let since: usize =
            self.degrees.from(mark * MARK).take(share.start % MARK).map(|&degree| usize::from(degree)).sum();
        let mut edges = self.edges.from(self.marks.get(mark).copied().unwrap_or(0) + since);
        for (number, &degree) in share.clone().zip(self.degrees.from(share.start)) {
            edges.by_ref().take(degree.into()).for_each(|&edge| visit(number as u32, edge));
        }
    }

    /// The memory that valuing will need in addition: parents, where each list of parents begins,
    /// scores, moves left, and the lists of positions to do. Or, if that is more, the memory for
    /// the final table, when the edges are gone.
    fn bytes_to_come(&self) -> u64 {
        let (states, edges) = (self.states.list.len() as u64, self.edges.len() as u64);
        (edges * 4 + states * (4 + 4 + 2 + 8)).max(states * (4 + 26))
    }
}

fn explore<P: Theory>(
    start: &P,
    valuing: Valuing,
    (memory, threads): (u64, usize),
    work: &Work,
    listen: Listener,
) -> Result<Graph<P>, Stopped> {
    let mut graph = Graph {
        states: States::new(),
        kinds: Pages::new(),
        edges: Pages::new(),
        degrees: Pages::new(),
        marks: Vec::new(),
    };
    let (_, place, first) = stand_in(valuing, start.clone());
    graph.states.number(place, first);
    while graph.degrees.len() < graph.states.list.len() {
        let done = graph.degrees.len();
        let end = graph.states.list.len().min(done + BATCH);
        // Known numbers are looked up on all cores. New numbers are given in the order of the
        // positions.
        let batch = side_by_side(done..end, threads, 1 << 8, |share| {
            share.map(|at| expand(&graph.states, at, valuing)).collect::<Vec<_>>()
        });
        let (states, bytes) = (graph.states.list.len() as u64, graph.bytes());
        let found: usize = batch.iter().flatten().map(|expanded| expanded.children.len()).sum();
        graph.states.reserve(found, || work.report(&mut *listen, "exploring", states, bytes))?;
        for expanded in batch.into_iter().flatten() {
            if graph.degrees.len().is_multiple_of(MARK) {
                graph.marks.push(graph.edges.len());
            }
            graph.kinds.push(expanded.kind);
            graph.degrees.push(expanded.children.len() as u16);
            for (exchanged, child) in expanded.children {
                let number = match child {
                    FoundState::Before(number) => number,
                    FoundState::New(place, child) => graph.states.number(place, child),
                };
                graph.edges.push(if exchanged { number | EXCHANGED } else { number });
            }
        }
        work.add((end - done) as u64);
        let bytes = graph.bytes();
        work.report(&mut *listen, "exploring", graph.states.list.len() as u64, bytes)?;
        // The number of a position has 31 bits, the number of an edge 32.
        let too_many =
            graph.states.list.len() >= EXCHANGED as usize || graph.edges.len() >= u32::MAX as usize;
        if too_many || bytes + graph.bytes_to_come() > memory {
            return Err(Stopped::Memory);
        }
    }
    Ok(graph)
}

/// Works on a range in parallel, in shares of at least `least` items. The results have the order of
/// the shares.
fn side_by_side<T: Send>(
    range: Range<usize>,
    threads: usize,
    least: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let share = range.len().div_ceil(threads.max(1)).max(least);
    if range.len() <= share {
        return vec![work(range)];
    }
    let (work, end) = (&work, range.end);
    let shares = range.step_by(share).map(|begin| begin..end.min(begin + share));
    let mut results: Vec<Option<T>> = shares.clone().map(|_| None).collect();
    let job = |(result, share): (&mut Option<T>, Range<usize>)| *result = Some(work(share));
    let jobs = results.iter_mut().zip(shares).map(|part| -> ThreadJob { Box::new(move || job(part)) });
    threads::at_once(jobs.collect());
    results.into_iter().flatten().collect()
}

/// Works on all of a range, however long that takes. `report` is called before each step and can
/// stop the work.
fn step_by_step<T: Send>(
    range: Range<usize>,
    threads: usize,
    report: &mut dyn FnMut() -> Result<(), Stopped>,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Result<Vec<T>, Stopped> {
    let mut results = Vec::new();
    for begin in range.clone().step_by(STEP) {
        report()?;
        results.extend(side_by_side(begin..range.end.min(begin + STEP), threads, LEAST, &work));
    }
    Ok(results)
}

fn expand<P: Theory>(states: &States<P>, at: usize, valuing: Valuing) -> Expanded<P> {
    let position = states.list.get(at);
    if let Turn::Over(finish) = position.turn() {
        return Expanded { kind: StateKind::Ended(points(position, finish)), children: Vec::new() };
    }
    let seat = position.mover();
    let mut moves = Vec::new();
    position.moves(seat, &mut moves);
    let children = moves.iter().map(|mv| {
        let mut next = position.clone();
        next.play(seat, mv);
        let (exchanged, place, next) = stand_in(valuing, next);
        let known = states.find(place, &next);
        (exchanged, known.map_or_else(|| FoundState::New(place, next), FoundState::Before))
    });
    Expanded { kind: StateKind::Open(position.side(seat) as u8), children: children.collect() }
}

/// The position that stands for all symmetric positions: whether its sides are exchanged, its place
/// in the index, and the position itself.
fn stand_in<P: Theory>(valuing: Valuing, position: P) -> (bool, u64, P) {
    if !valuing.symmetry || position.turn().is_over() {
        return (false, Fingerprint::of(&position).place, position);
    }
    let canonical = position.canonical();
    let exchanged = position.side(position.mover()) != canonical.side(canonical.mover());
    (exchanged, Fingerprint::of(&canonical).place, canonical)
}

/// Reverses the edges. Returns where the parents of each position begin, and all parents. Each
/// parent keeps the [`EXCHANGED`] bit of its edge.
fn turn_round<P: Theory>(
    graph: &Graph<P>,
    threads: usize,
    report: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<(Vec<AtomicU32>, Vec<AtomicU32>), Stopped> {
    let states = graph.states.list.len();
    let mut begins: Vec<AtomicU32> = (0..=states).map(|_| AtomicU32::new(0)).collect();
    step_by_step(0..states, threads, report, |share| {
        graph.each_edge(share, |_, edge| {
            begins[(edge & !EXCHANGED) as usize].fetch_add(1, Ordering::Relaxed);
        });
    })?;
    let mut sum = 0;
    for begin in &mut begins {
        let begin = begin.get_mut();
        sum += *begin;
        *begin = sum;
    }
    // Each list is filled from its end, so that `begins` finally holds the start of each list.
    let parents: Vec<AtomicU32> = (0..graph.edges.len()).map(|_| AtomicU32::new(0)).collect();
    step_by_step(0..states, threads, report, |share| {
        graph.each_edge(share, |parent, edge| {
            let after = begins[(edge & !EXCHANGED) as usize].fetch_sub(1, Ordering::Relaxed);
            parents[after as usize - 1].store(parent | (edge & EXCHANGED), Ordering::Relaxed);
        });
    })?;
    Ok((begins, parents))
}

/// The score of every position for side 0.
fn value<P: Theory>(
    graph: &Graph<P>,
    valuing: Valuing,
    threads: usize,
    report: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<Vec<AtomicI32>, Stopped> {
    let (begins, parents) = turn_round(graph, threads, report)?;
    let scores: Vec<AtomicI32> = (0..graph.states.list.len()).map(|_| AtomicI32::new(0)).collect();
    let open: Vec<AtomicU16> = graph.degrees.iter().map(|&degree| AtomicU16::new(degree)).collect();
    let ends: Vec<(u32, i32)> = (0_u32..)
        .zip(graph.kinds.iter())
        .filter_map(|(number, kind)| match kind {
            StateKind::Ended(points) if *points != 0 => Some((number, *points)),
            _ => None,
        })
        .collect();
    let mut levels: Vec<i32> = ends.iter().map(|(_, points)| points.abs()).collect();
    levels.sort_unstable();
    levels.dedup();
    let value_parents = |child: u32, next: &mut Vec<u32>| {
        let at = |number: u32| begins[number as usize].load(Ordering::Relaxed) as usize;
        let score = valuing.scale.one_ply_up(scores[child as usize].load(Ordering::Relaxed));
        for edge in &parents[at(child)..at(child + 1)] {
            let edge = edge.load(Ordering::Relaxed);
            let parent = (edge & !EXCHANGED) as usize;
            let StateKind::Open(side) = *graph.kinds.get(parent) else { continue };
            if scores[parent].load(Ordering::Relaxed) != 0 {
                continue;
            }
            let score = if edge & EXCHANGED != 0 { -score } else { score };
            let wins = (score > 0) == (side == 0);
            // A winning move is never subtracted, so no other core can find that all moves lose.
            let decides = wins || open[parent].fetch_sub(1, Ordering::Relaxed) == 1;
            if decides && scores[parent].swap(score, Ordering::Relaxed) == 0 {
                next.push(parent as u32);
            }
        }
    };
    for &level in levels.iter().rev() {
        let mut layer: Vec<u32> = Vec::new();
        for &(number, points) in ends.iter().filter(|(_, points)| points.abs() == level) {
            scores[number as usize].store(valuing.scale.ended(points), Ordering::Relaxed);
            layer.push(number);
        }
        while !layer.is_empty() {
            let next = step_by_step(0..layer.len(), threads, report, |share| {
                let mut next = Vec::new();
                layer[share].iter().for_each(|&child| value_parents(child, &mut next));
                next
            })?;
            layer = next.concat();
        }
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effort::Progress;
    use crate::score::ScoreScale;
    use rules::{Dao, MuTorere, Position, Quixo, Seed};
    use serde_json::{Value as Json, json};

    fn compare_threads<P: Theory>(params: &Json) {
        let read = rules::read_params::<P::Params>(params).unwrap();
        let start = P::start(&read, Seed::from_number(0)).unwrap();
        let valuing = Valuing { scale: ScoreScale::LOOPS, symmetry: true };
        let table = |threads| {
            let limits = (1 << 30, threads);
            let table = analyse(&start, valuing, limits, &Work::default(), &mut |_| true).unwrap();
            let mut all = Vec::new();
            table.each(|part, slot| all.push((part, slot)));
            all
        };
        let alone = table(1);
        for threads in [2, 3] {
            assert!(table(threads) == alone, "{} {params}: {threads} threads", P::ABOUT.id);
        }
    }

    /// Compares slot by slot, so that saved tables are equal too. The games are large enough for
    /// several threads.
    #[test]
    fn many_cores_make_the_same_table() {
        compare_threads::<Dao>(&json!({}));
        compare_threads::<Quixo>(&json!({"size": 3}));
    }

    /// The test counts and needs no clock: no step is longer than [`STEP`], and no step follows a
    /// refusal.
    #[test]
    fn the_listener_is_asked_between_two_steps() {
        let all = STEP * 3 + 1;
        for allowed in 0..=4 {
            let (mut asked, done) = (0, AtomicU32::new(0));
            let mut report = || {
                asked += 1;
                if asked > allowed { Err(Stopped::Asked) } else { Ok(()) }
            };
            let result = step_by_step(0..all, 3, &mut report, |share| {
                done.fetch_add(share.len() as u32, Ordering::Relaxed);
            });
            assert_eq!(result.is_ok(), allowed == 4);
            assert_eq!(done.into_inner() as usize, all.min(allowed * STEP));
        }
    }

    fn stop_everywhere<P: Theory>() {
        let params = rules::read_params::<P::Params>(&Json::Null).unwrap();
        let start = P::start(&params, Seed::from_number(0)).unwrap();
        let valuing = Valuing { scale: ScoreScale::LOOPS, symmetry: true };
        let until = |stop: usize| {
            let (mut asked, mut positions, mut most) = (0, 0, 0);
            let mut listen = |progress: &Progress| {
                asked += 1;
                most = most.max(progress.positions - positions);
                positions = progress.positions;
                asked < stop
            };
            let stopped = analyse(&start, valuing, (1 << 30, 2), &Work::default(), &mut listen).is_err();
            (asked, stopped, most)
        };
        let (questions, stopped, most) = until(usize::MAX);
        // The listener is asked while positions are found, while edges are reversed (twice),
        // and while positions are valued.
        assert!(questions > 5 && !stopped && most <= BATCH as u64, "{questions} {most}");
        for stop in 1..=questions {
            let (asked, stopped, _) = until(stop);
            assert_eq!((asked, stopped), (stop, true), "{}", P::ABOUT.id);
        }
    }

    #[test]
    fn a_no_ends_the_work_at_once() {
        stop_everywhere::<MuTorere>();
    }

    /// Growing rebuilds the whole index, and that takes long too.
    #[test]
    fn the_listener_is_asked_while_the_index_grows() {
        let mut states = States::<rules::TicTacToe>::new();
        let params = rules::read_params(&Json::Null).unwrap();
        let start = rules::TicTacToe::start(&params, Seed::from_number(0)).unwrap();
        states.number(Fingerprint::of(&start).place, start);
        assert_eq!(states.reserve(40, || Err(Stopped::Asked)), Ok(()));
        assert_eq!(states.reserve(1_000, || Err(Stopped::Asked)), Err(Stopped::Asked));
    }
}
