//! Checks that 95 % intervals contain the truth in 95 of 100 tournaments, even after few blocks.

#![allow(clippy::disallowed_macros, reason = "a test prints for its developer")]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use ratings::{Chances, Estimate, FirstSeat, Fit, Game, Games, Outcomes, davidson, expected_score};

/// Bots of these strengths (in Elo, with mean zero) that meet each other in this many blocks of two
/// games. An opening favours the first or the second seat by up to `luck` Elo.
struct League {
    elo: Vec<f64>,
    blocks: usize,
    luck: f64,
    draws: f64,
}

impl League {
    /// The half points of `a` in both games of a block.
    fn block(&self, chance: &mut ChaCha8Rng, a: usize, b: usize) -> [usize; 2] {
        let mut uniform = || f64::from(chance.next_u32()) / f64::from(u32::MAX);
        let favour = self.luck * (2.0 * uniform() - 1.0);
        let lead = self.elo[a] - self.elo[b];
        [favour, -favour].map(|favour| {
            let Chances { won, drawn, .. } = davidson(expected_score(lead + favour), self.draws);
            let at = uniform();
            if at < won { 2 } else { usize::from(at < won + drawn) }
        })
    }

    fn play(&self, chance: &mut ChaCha8Rng) -> Fit {
        let mut games = Games::default();
        for (a, b) in pairs(self.elo.len()) {
            for block in 0..self.blocks {
                let results = self.block(chance, a, b);
                for (seat, half_points) in results.into_iter().enumerate() {
                    let (players, half_points) =
                        if seat == 0 { ([a, b], half_points) } else { ([b, a], 2 - half_points) };
                    let places = &[[2, 1], [1, 1], [1, 2]][half_points];
                    let block = &block.to_string();
                    games.add(&Game { pool: 0, block, players: &players, places, teams: &[0, 1] });
                }
            }
        }
        Fit::of(&games, self.elo.len(), FirstSeat::Fitted)
    }

    /// The percentages of intervals that contain the truth: of ratings, and of differences.
    fn covered(&self, times: usize) -> [f64; 2] {
        let mut chance = ChaCha8Rng::seed_from_u64(12);
        let (mut of_ratings, mut of_differences) = (Share::default(), Share::default());
        for _ in 0..times {
            let fit = self.play(&mut chance);
            for (bot, &truth) in self.elo.iter().enumerate() {
                let rating = fit.ratings[bot].unwrap();
                of_ratings.count((rating.elo - truth).abs() <= rating.error);
            }
            for (a, b) in pairs(self.elo.len()) {
                let (difference, error) = fit.difference(a, b).unwrap();
                of_differences.count((difference - (self.elo[a] - self.elo[b])).abs() <= error);
            }
        }
        [of_ratings.percent(), of_differences.percent()]
    }
}

fn pairs(bots: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..bots).flat_map(move |a| (a + 1..bots).map(move |b| (a, b)))
}

#[derive(Default)]
struct Share {
    hits: f64,
    all: f64,
}

impl Share {
    fn count(&mut self, hit: bool) {
        self.hits += f64::from(u8::from(hit));
        self.all += 1.0;
    }

    fn percent(&self) -> f64 {
        100.0 * self.hits / self.all
    }
}

/// These are the claims of the page about standings, to the percent. With this many tournaments, a
/// share of 95 % is found to within 1 %.
#[test]
fn intervals_of_a_fit_hold_the_truth() {
    let equals =
        |bots: usize, blocks: usize, luck: f64| League { elo: vec![0.0; bots], blocks, luck, draws: 0.15 };
    let unequal =
        |blocks: usize| League { elo: vec![90.0, 20.0, -10.0, -100.0], blocks, luck: 0.0, draws: 0.3 };
    for (name, league, times) in [
        ("2 equal bots, 6 blocks each", equals(2, 6, 200.0), 1_000),
        ("2 equal bots, 12 blocks each", equals(2, 12, 200.0), 800),
        ("3 equal bots, 6 blocks each", equals(3, 3, 200.0), 600),
        ("3 equal bots, 12 blocks each", equals(3, 6, 200.0), 500),
        ("3 equal bots, 50 blocks each", equals(3, 25, 200.0), 400),
        ("5 equal bots, 8 blocks each", equals(5, 2, 200.0), 200),
        ("4 unequal bots, 6 blocks each", unequal(2), 300),
        ("4 unequal bots, 24 blocks each", unequal(8), 300),
    ] {
        let covered = league.covered(times);
        println!("{name}: ratings {:.1} %, differences {:.1} %", covered[0], covered[1]);
        assert!(covered.iter().all(|percent| (93.0..97.0).contains(percent)), "{name}: {covered:?}");
    }
}

/// Checks the difference between the two bots of a match.
#[test]
fn intervals_of_a_match_hold_the_truth() {
    for blocks in [6, 8, 12, 24, 100] {
        let league = League { elo: vec![40.0, -40.0], blocks, luck: 0.0, draws: 0.2 };
        let mut chance = ChaCha8Rng::seed_from_u64(3);
        let mut share = Share::default();
        for _ in 0..4_000 {
            let mut levels = [0; 5];
            for _ in 0..blocks {
                levels[league.block(&mut chance, 0, 1).iter().sum::<usize>()] += 1;
            }
            let found = Estimate::of(&Outcomes::of_levels(&levels)).unwrap();
            share.count((found.low..=found.high).contains(&80.0));
        }
        println!("a match of {blocks} blocks: {:.1} %", share.percent());
        assert!((93.0..97.0).contains(&share.percent()), "{blocks}: {}", share.percent());
    }
}
