//! Compares the closed form of the errors with the results of many simulated tournaments.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod rr4;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use ratings::{FirstSeat, Fit, Game, Games, Z95, davidson, expected_score};
use rr4::RR4;

const TIMES: u32 = 1_500;

/// The places of white and black after a result of white: 0 won, 1 drawn, 2 lost.
const PLACES: [[u8; 2]; 3] = [[1, 2], [1, 1], [2, 1]];

fn played() -> Vec<(usize, usize, usize)> {
    let of_pair = |(white, black, results): (usize, usize, [u32; 3])| {
        (0..3).flat_map(move |result| std::iter::repeat_n((white, black, result), results[result] as usize))
    };
    RR4.into_iter().flat_map(of_pair).collect()
}

fn fit(played: impl Iterator<Item = (usize, usize, usize)>) -> Fit {
    let mut games = Games::default();
    for (white, black, result) in played {
        let block = games.played().to_string();
        let (players, places) = (&[white, black], &PLACES[result]);
        games.add(&Game { pool: 0, block: &block, players, places, teams: &[0, 1] });
    }
    Fit::of(&games, 4, FirstSeat::Fitted)
}

/// 1.96 standard deviations over many tournaments: of each bot's rating, and of the lead of the
/// first bot over the second.
fn spread(mut again: impl FnMut() -> Fit) -> [f64; 5] {
    let (mut sums, mut squares) = ([0.0; 5], [0.0; 5]);
    for _ in 0..TIMES {
        let fit = again();
        let elo = |bot: usize| fit.ratings[bot].unwrap().elo;
        for (at, value) in [elo(0), elo(1), elo(2), elo(3), elo(0) - elo(1)].into_iter().enumerate() {
            sums[at] += value;
            squares[at] += value * value;
        }
    }
    let count = f64::from(TIMES);
    std::array::from_fn(|at| Z95 * (squares[at] / count - (sums[at] / count).powi(2)).sqrt())
}

/// A deviation found from this many tournaments is off by about one part in fifty-five. Four times
/// that is allowed.
#[track_caller]
fn near(found: [f64; 5], expected: [f64; 5]) {
    let close = found.iter().zip(expected).all(|(a, b)| (a / b - 1.0).abs() < 4.0 / 55.0);
    assert!(close, "{found:?} instead of {expected:?}");
}

#[test]
fn games_resampled_from_the_played_games() {
    let games = played();
    let mut chance = ChaCha8Rng::seed_from_u64(1);
    let found = spread(|| fit((0..games.len()).map(|_| games[chance.next_u32() as usize % games.len()])));
    near(found, [60.6, 61.0, 59.7, 64.6, 97.8]);
}

/// As Ordo does with `-W -D -s 10000`, on Ordo's scale of 202 points for 76 %.
#[test]
fn games_played_again_by_the_model() {
    let games = played();
    let fitted = fit(games.iter().copied());
    let (seat, _) = fitted.pools[0].first_seat.unwrap();
    let draws = fitted.pools[0].draw_rate.unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(2);
    let found = spread(|| {
        fit(games.iter().map(|&(white, black, _)| {
            let lead = fitted.difference(white, black).unwrap().0;
            let chances = davidson(expected_score(lead + seat), draws);
            let luck = f64::from(chance.next_u32()) / f64::from(u32::MAX);
            let result = usize::from(luck > chances.won) + usize::from(luck > chances.won + chances.drawn);
            (white, black, result)
        }))
    });
    let ordo = 400.0 / 10_f64.ln() / (202.0 / (0.76_f64 / 0.24).ln());
    near(found.map(|elo| elo / ordo), [62.6, 59.9, 60.0, 63.9, 98.3]);
}
