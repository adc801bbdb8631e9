//! Games that can go in circles: find every position that can be reached, then value them backwards from the ends.
//!
//! ```text
//! start --moves--> all positions --edges turned round--> parents of each
//! ends --parents, one ply further each time--> everything that somebody can force; the rest is drawn
//! ```
//!
//! A position is won for its mover as soon as one move leads to his win, and lost when all lead to his loss. Taken in
//! the order of the distance, the first such move is the quickest and the last one the slowest. Where points count
//! this is done for the highest difference first, then for the next one.

use crate::answer::Stopped;
use crate::effort::{Listener, Work};
use crate::fingerprint::Fingerprint;
use crate::node::{Eyes, points};
use crate::states::{Pages, States};
use crate::table::{Bounds, Table};
use rules::{Duel, Turn};

/// Positions whose moves are made before their children get numbers.
const BATCH: usize = 1 << 14;
/// Set in an edge whose child has the sides exchanged.
const EXCHANGED: u32 = 1 << 31;

/// A position with its moves made: the children, each with its place in the index.
struct Expanded<P> {
    /// Side to move, or the points of an end.
    kind: Kind,
    children: Vec<(u64, bool, P)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ended(i32),
    Open(u8),
}

/// The game as a graph.
struct Graph<P> {
    states: States<P>,
    kinds: Pages<Kind>,
    /// The children of all positions, one position after the other.
    edges: Pages<u32>,
    /// How many of them each position has.
    degrees: Pages<u16>,
}

/// Values every position that can be reached from the start and puts it into the table.
pub(crate) fn analyse<P: Duel>(
    start: &P,
    eyes: Eyes,
    (memory, threads): (u64, usize),
    work: &Work,
    listen: Listener,
) -> Result<Table, Stopped> {
    let graph = explore(start, eyes, (memory, threads), work, &mut *listen)?;
    work.report(&mut *listen, "valuing backwards", graph.states.list.len() as u64, graph.bytes())?;
    let scores = value(&graph, eyes);
    let states = &graph.states.list;
    drop((graph.edges, graph.degrees));
    let table = Table::new(memory.saturating_sub(graph.states.bytes() + scores.len() as u64 * 4));
    for ((position, &kind), &score) in states.iter().zip(graph.kinds.iter()).zip(&scores) {
        if let Kind::Open(side) = kind {
            let for_mover = if side == 0 { score } else { -score };
            table.learn(Fingerprint::of(position), Bounds::exactly(for_mover))?;
        }
    }
    Ok(table)
}

impl<P: Duel> Graph<P> {
    fn bytes(&self) -> u64 {
        self.states.bytes() + self.kinds.bytes() + self.edges.bytes() + self.degrees.bytes()
    }

    /// What valuing will need on top: parents, where each list of them begins, scores, moves left, and the lists of
    /// positions to do; or the table in the end, when the edges are gone.
    fn bytes_to_come(&self) -> u64 {
        let (states, edges) = (self.states.list.len() as u64, self.edges.len() as u64);
        (edges * 4 + states * (4 + 4 + 2 + 8)).max(states * (4 + 26))
    }
}

fn explore<P: Duel>(
    start: &P,
    eyes: Eyes,
    (memory, threads): (u64, usize),
    work: &Work,
    listen: Listener,
) -> Result<Graph<P>, Stopped> {
    let mut graph =
        Graph { states: States::new(), kinds: Pages::new(), edges: Pages::new(), degrees: Pages::new() };
    let (_, place, first) = stand_in(eyes, start.clone());
    graph.states.number(place, first);
    while graph.degrees.len() < graph.states.list.len() {
        let done = graph.degrees.len();
        let end = graph.states.list.len().min(done + BATCH);
        for expanded in expand_all(&graph.states.list, done, end, eyes, threads) {
            graph.kinds.push(expanded.kind);
            graph.degrees.push(expanded.children.len() as u16);
            for (place, exchanged, child) in expanded.children {
                let number = graph.states.number(place, child);
                graph.edges.push(if exchanged { number | EXCHANGED } else { number });
            }
        }
        work.add((end - done) as u64);
        let bytes = graph.bytes();
        work.report(&mut *listen, "exploring", graph.states.list.len() as u64, bytes)?;
        if bytes + graph.bytes_to_come() > memory || graph.states.list.len() >= EXCHANGED as usize {
            return Err(Stopped::Memory);
        }
    }
    Ok(graph)
}

/// The same on every core; the order of the results is that of the positions.
fn expand_all<P: Duel>(
    list: &Pages<P>,
    from: usize,
    to: usize,
    eyes: Eyes,
    threads: usize,
) -> Vec<Expanded<P>> {
    let work = |from: usize, to: usize| (from..to).map(|at| expand(list.get(at), eyes)).collect::<Vec<_>>();
    if threads < 2 || to - from < 256 {
        return work(from, to);
    }
    let share = (to - from).div_ceil(threads);
    std::thread::scope(|scope| {
        let work = &work;
        let begins = (from..to).step_by(share);
        let jobs: Vec<_> =
            begins.map(|begin| scope.spawn(move || work(begin, to.min(begin + share)))).collect();
        jobs.into_iter().flat_map(|job| job.join().expect("the rules do not panic")).collect()
    })
}

fn expand<P: Duel>(position: &P, eyes: Eyes) -> Expanded<P> {
    if position.turn() == Turn::Over {
        return Expanded { kind: Kind::Ended(points(position)), children: Vec::new() };
    }
    let seat = position.mover();
    let mut moves = Vec::new();
    position.moves(seat, &mut moves);
    let children = moves.iter().map(|mv| {
        let mut next = position.clone();
        next.play(seat, mv);
        let (exchanged, place, next) = stand_in(eyes, next);
        (place, exchanged, next)
    });
    Expanded { kind: Kind::Open(position.side(seat) as u8), children: children.collect() }
}

/// The position that stands for this one, and whether it has the sides exchanged.
fn stand_in<P: Duel>(eyes: Eyes, position: P) -> (bool, u64, P) {
    if !eyes.symmetry || position.turn() == Turn::Over {
        return (false, Fingerprint::of(&position).place, position);
    }
    let canonical = position.canonical();
    let exchanged = position.side(position.mover()) != canonical.side(canonical.mover());
    (exchanged, Fingerprint::of(&canonical).place, canonical)
}

/// Where the parents of each position begin, and all parents; an edge is marked as it was.
fn turn_round<P: Duel>(graph: &Graph<P>) -> (Vec<u32>, Vec<u32>) {
    let mut begins = vec![0_u32; graph.states.list.len() + 1];
    for &edge in graph.edges.iter() {
        begins[(edge & !EXCHANGED) as usize] += 1;
    }
    let mut sum = 0;
    for begin in &mut begins {
        sum += *begin;
        *begin = sum;
    }
    // Filled from the back, each beginning comes to stand where it belongs.
    let mut parents = vec![0_u32; graph.edges.len()];
    let mut edges = graph.edges.iter();
    for (number, &degree) in graph.degrees.iter().enumerate() {
        for &edge in edges.by_ref().take(degree as usize) {
            let begin = &mut begins[(edge & !EXCHANGED) as usize];
            *begin -= 1;
            parents[*begin as usize] = number as u32 | (edge & EXCHANGED);
        }
    }
    (begins, parents)
}

/// The score of every position for side 0.
fn value<P: Duel>(graph: &Graph<P>, eyes: Eyes) -> Vec<i32> {
    let (begins, parents) = turn_round(graph);
    let mut scores = vec![0_i32; graph.states.list.len()];
    let mut open: Vec<u16> = graph.degrees.iter().copied().collect();
    let ends: Vec<(u32, i32)> = (0_u32..)
        .zip(graph.kinds.iter())
        .filter_map(|(number, kind)| match kind {
            Kind::Ended(points) if *points != 0 => Some((number, *points)),
            _ => None,
        })
        .collect();
    let mut levels: Vec<i32> = ends.iter().map(|(_, points)| points.abs()).collect();
    levels.sort_unstable();
    levels.dedup();
    for &level in levels.iter().rev() {
        let mut layer: Vec<u32> = Vec::new();
        for &(number, points) in ends.iter().filter(|(_, points)| points.abs() == level) {
            scores[number as usize] = eyes.scale.ended(points);
            layer.push(number);
        }
        while !layer.is_empty() {
            let mut next = Vec::new();
            for &child in &layer {
                let range = begins[child as usize] as usize..begins[child as usize + 1] as usize;
                for &edge in &parents[range] {
                    let parent = (edge & !EXCHANGED) as usize;
                    let Kind::Open(side) = *graph.kinds.get(parent) else { continue };
                    if scores[parent] != 0 {
                        continue;
                    }
                    let score = eyes.scale.one_ply_up(scores[child as usize]);
                    let score = if edge & EXCHANGED != 0 { -score } else { score };
                    let wins = (score > 0) == (side == 0);
                    open[parent] -= 1;
                    if wins || open[parent] == 0 {
                        scores[parent] = score;
                        next.push(parent as u32);
                    }
                }
            }
            layer = next;
        }
    }
    scores
}
