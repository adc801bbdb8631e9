//! Counting: how many sequences of moves there are, and how fast random games go.

use crate::chance::Seed;
use crate::params::ParamError;
use crate::position::Position;
use crate::seat::Seat;
use crate::split_mix::SplitMix;
use crate::table::{Draws, Prepared, Seated, Table};

/// The number of legal move sequences of each length from 1 to `depth`.
///
/// A finished game adds nothing further, a forced pass is a move. Of seats that decide together the
/// lowest decides first, and each decision counts.
pub fn perft<P: Position>(
    params: P::Params,
    seed: Seed,
    depth: usize,
    draws: Draws,
) -> Result<Vec<u64>, ParamError> {
    let start = Prepared::<P>::of(params, draws).seat(seed)?;
    let mut counts = vec![0; depth];
    if draws == Draws::Applied {
        count_with_history(&start, &mut counts);
    } else {
        let mut buffers = vec![Vec::new(); depth];
        count(start.position(), &mut counts, &mut buffers);
    }
    Ok(counts)
}

fn count<P: Position>(position: &P, counts: &mut [u64], buffers: &mut [Vec<P::Move>]) {
    let (Some(seat), Some((here, deeper))) = (position.turn().seats().lowest(), counts.split_first_mut())
    else {
        return;
    };
    let Some((moves, buffers)) = buffers.split_first_mut() else { return };
    moves.clear();
    position.moves(seat, moves);
    *here += moves.len() as u64;
    if deeper.is_empty() {
        return;
    }
    for mv in moves.iter() {
        let mut next = position.clone();
        next.play(seat, mv);
        count(&next, deeper, buffers);
    }
}

fn count_with_history<P: Position>(game: &Seated<P>, counts: &mut [u64]) {
    let (Some(seat), Some((here, deeper))) = (game.turn().seats().lowest(), counts.split_first_mut()) else {
        return;
    };
    let mut moves = Vec::new();
    game.position().moves(seat, &mut moves);
    *here += moves.len() as u64;
    if deeper.is_empty() {
        return;
    }
    for mv in &moves {
        let mut next = game.clone();
        next.play_move(seat, mv);
        count_with_history(&next, deeper);
    }
}

/// How far some random games went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Playouts {
    pub games: u64,
    pub plies: u64,
}

/// Plays random games from the start, without draws by history, each cut off after `ply_limit`
/// plies.
pub fn playouts<P: Position>(params: &P::Params, games: u64, ply_limit: u64) -> Result<Playouts, ParamError> {
    let mut dice = SplitMix::new(games);
    let start = P::start(params, Seed::from_number(games))?;
    let mut moves = Vec::new();
    let mut total = Playouts { games, plies: 0 };
    for _ in 0..games {
        let mut position = start.clone();
        for _ in 0..ply_limit {
            let Some(seat) = position.turn().seats().lowest() else { break };
            play_random(&mut position, seat, &mut moves, &mut dice);
            total.plies += 1;
        }
    }
    Ok(total)
}

#[inline]
fn play_random<P: Position>(position: &mut P, seat: Seat, moves: &mut Vec<P::Move>, dice: &mut SplitMix) {
    let mv = position.choose_move(seat, moves, |count| dice.below(count));
    position.play(seat, &mv);
}
