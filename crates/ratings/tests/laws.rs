//! Laws for any games: the order of the games, the names of bots, repeated games and shifted
//! ratings.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use ratings::{FirstSeat, Fit, Game, Games};

/// A game that owns its lists.
#[derive(Clone)]
struct Played {
    pool: usize,
    block: String,
    players: Vec<usize>,
    places: Vec<u8>,
    teams: Vec<usize>,
}

fn fit(played: &[Played], bots: usize) -> Fit {
    let mut games = Games::default();
    for Played { pool, block, players, places, teams } in played {
        games.add(&Game { pool: *pool, block, players, places, teams });
    }
    Fit::of(&games, bots, FirstSeat::Fitted)
}

/// Blocks of games for two bots, for three bots, and for two teams of two. A bot with a lower
/// number is better.
fn tournament(seed: u64, bots: usize, blocks: usize) -> Vec<Played> {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |limit: usize| chance.next_u32() as usize % limit;
    let mut games = Vec::new();
    for block in 0..blocks {
        let pool = below(3);
        let seats = [2, 3, 4][pool];
        let teams: Vec<usize> = (0..seats).map(|seat| if pool == 2 { seat % 2 } else { seat }).collect();
        let mut players: Vec<usize> = (0..bots).collect();
        for at in 0..seats {
            players.swap(at, at + below(bots - at));
        }
        players.truncate(seats);
        for turn in 0..seats {
            let players: Vec<usize> = (0..seats).map(|seat| players[(seat + turn) % seats]).collect();
            let luck: Vec<usize> = (0..seats).map(|_| below(5)).collect();
            // In a team, the luck of the first member counts for all.
            let worth = |seat: usize| {
                let mates = (0..seats).filter(|&mate| teams[mate] == teams[seat]);
                luck[teams[seat]] * 2 * (seats / (teams.iter().max().unwrap() + 1))
                    + mates.map(|mate| bots - players[mate]).sum::<usize>()
            };
            let places = (0..seats)
                .map(|seat| 1 + (0..seats).filter(|&other| worth(other) > worth(seat)).count() as u8)
                .collect();
            games.push(Played { pool, block: block.to_string(), players, places, teams: teams.clone() });
        }
    }
    games
}

/// The largest difference between two fits. Bot `b` of the first fit is bot `names[b]` of the
/// second.
fn distance(a: &Fit, b: &Fit, names: &[usize]) -> f64 {
    let mut largest: f64 = 0.0;
    for (bot, &name) in names.iter().enumerate() {
        let (x, y) = (a.ratings[bot].unwrap(), b.ratings[name].unwrap());
        assert_eq!(x.held, y.held);
        largest = largest.max((x.elo - y.elo).abs()).max((x.error - y.error).abs());
        for (other, &other_name) in names.iter().enumerate().filter(|(other, _)| *other != bot) {
            let (x, y) = (a.superiority(bot, other).unwrap(), b.superiority(name, other_name).unwrap());
            largest = largest.max((x - y).abs());
        }
    }
    largest
}

const SAME: [usize; 6] = [0, 1, 2, 3, 4, 5];

#[test]
fn the_order_of_games_does_not_matter() {
    for seed in 0..5 {
        let games = tournament(seed, 6, 150);
        let mut shuffled = games.clone();
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, chance.next_u32() as usize % (at + 1));
        }
        assert!(distance(&fit(&games, 6), &fit(&shuffled, 6), &SAME) < 1e-7, "seed {seed}");
    }
}

#[test]
fn other_names_give_the_same_ratings() {
    let games = tournament(7, 6, 150);
    let names = [3, 5, 0, 1, 4, 2];
    let mut renamed = games.clone();
    for game in &mut renamed {
        game.players.iter_mut().for_each(|player| *player = names[*player]);
    }
    assert!(distance(&fit(&games, 6), &fit(&renamed, 6), &names) < 1e-7);
}

#[test]
fn twice_the_games_halve_the_variance() {
    let games = tournament(3, 6, 200);
    let mut again = games.clone();
    for game in &mut again {
        game.block.push_str(" again");
    }
    let (once, twice) = (fit(&games, 6), fit(&[games.clone(), again].concat(), 6));
    // The same games in the same blocks say nothing new about luck within a block, so the errors
    // stay.
    let doubled = fit(&[games.clone(), games].concat(), 6);
    for bot in SAME {
        let [a, b, c] = [&once, &twice, &doubled].map(|fit| fit.ratings[bot].unwrap());
        assert!((a.elo - b.elo).abs() < 1e-7 && (a.elo - c.elo).abs() < 1e-7);
        // The ratio is a little larger, because with half of the blocks the error itself is less
        // certain.
        let share = a.error / b.error / 2_f64.sqrt();
        assert!((1.0..1.03).contains(&share), "{share}");
        assert!((a.error - c.error).abs() < 1e-7);
    }
}

#[test]
fn ratings_are_relative() {
    let fit = fit(&tournament(4, 6, 150), 6);
    let elo = |bot: usize| fit.ratings[bot].unwrap().elo;
    assert!(SAME.iter().map(|&bot| elo(bot)).sum::<f64>().abs() < 1e-7);
    for a in SAME {
        assert_eq!(fit.difference(a, a), None);
        for b in SAME.into_iter().filter(|&b| b != a) {
            let (difference, error) = fit.difference(a, b).unwrap();
            assert!((difference - (elo(a) - elo(b))).abs() < 1e-9 && error > 0.0);
            let both = fit.superiority(a, b).unwrap() + fit.superiority(b, a).unwrap();
            assert!((both - 1.0).abs() < 1e-9);
        }
    }
    assert!(elo(0) > elo(5), "{:?}", fit.ratings);
}

fn duel(block: &str, players: [usize; 2], places: [u8; 2]) -> Played {
    Played {
        pool: 0,
        block: block.to_owned(),
        players: players.into(),
        places: places.into(),
        teams: vec![0, 1],
    }
}

#[test]
fn one_sided_games_stay_finite_and_are_marked() {
    let mut last = 0.0;
    for wins in 1..=10 {
        let games: Vec<Played> = (0..wins)
            .map(|game| {
                let block = (game / 2).to_string();
                if game % 2 == 0 { duel(&block, [0, 1], [1, 2]) } else { duel(&block, [1, 0], [2, 1]) }
            })
            .collect();
        let fit = fit(&games, 2);
        let (elo, error) = fit.difference(0, 1).unwrap();
        assert!(fit.prior && fit.ratings[0].unwrap().held && fit.ratings[1].unwrap().held);
        assert!(elo > last && elo < 1_000.0 && error > 100.0 && error < 2_000.0, "{wins}: {elo} ± {error}");
        last = elo;
    }
}

#[test]
fn a_hopeless_bot_is_marked_alone() {
    let mut games = Vec::new();
    for block in 0..20 {
        let block = block.to_string();
        games.push(duel(&block, [0, 1], if games.len() % 3 == 0 { [2, 1] } else { [1, 2] }));
        games.push(duel(&block, [1, 0], [1, 2]));
        games.push(duel(&block, [0, 2], [1, 2]));
        games.push(duel(&block, [2, 1], [2, 1]));
    }
    let fit = fit(&games, 3);
    let held: Vec<bool> = fit.ratings.iter().map(|rating| rating.unwrap().held).collect();
    assert_eq!(held, [false, false, true]);
    assert!(
        fit.superiority(0, 2).unwrap() > 0.99,
        "{:?} {:?} {:?}",
        fit.ratings,
        fit.difference(0, 2),
        fit.pools
    );
}

/// Bots that repeat the same pair of games again and again have no scatter, but the result is not
/// certain.
#[test]
fn repetition_is_not_certainty() {
    let games: Vec<Played> = (0..50)
        .flat_map(|block| {
            let block = block.to_string();
            [duel(&block, [0, 1], [1, 2]), duel(&block, [1, 0], [1, 2])]
        })
        .collect();
    let fit = fit(&games, 2);
    let (elo, error) = fit.difference(0, 1).unwrap();
    assert!(elo.abs() < 1e-6 && error > 20.0 && fit.ratings[0].unwrap().held, "{elo} ± {error}");
    // The first seat has won every time.
    assert!(fit.prior && fit.pools[0].first_seat.unwrap().0 > 400.0);
}

#[test]
fn groups_without_games_between_them_are_listed() {
    let mut games = Vec::new();
    for block in 0..10 {
        let block = block.to_string();
        for (a, b) in [(0, 2), (1, 3)] {
            games.push(duel(&block, [a, b], if games.len() % 5 == 0 { [2, 1] } else { [1, 2] }));
            games.push(duel(&block, [b, a], if games.len() % 3 == 0 { [2, 1] } else { [1, 2] }));
        }
    }
    let fit = fit(&games, 5);
    assert_eq!(fit.groups, [[0, 2], [1, 3]]);
    assert_eq!((fit.superiority(0, 1), fit.ratings[4]), (None, None));
    assert!((fit.ratings[1].unwrap().elo + fit.ratings[3].unwrap().elo).abs() < 1e-9);
}

#[test]
fn a_seat_never_exchanged_is_not_guessed() {
    let games: Vec<Played> = (0..30)
        .map(|game| duel(&game.to_string(), [0, 1], if game % 3 == 0 { [2, 1] } else { [1, 2] }))
        .collect();
    let fit = fit(&games, 2);
    assert_eq!(fit.pools[0].first_seat, None);
    assert!((fit.difference(0, 1).unwrap().0 - ratings::elo(2.0 / 3.0)).abs() < 1e-6);
}

#[test]
fn the_same_bot_on_both_seats_of_a_team_plays_as_one() {
    let mut pairs = Vec::new();
    let mut teams = Vec::new();
    for block in 0..20 {
        let (name, places) = (block.to_string(), if block % 3 == 0 { [2, 1] } else { [1, 2] });
        for (a, b, places) in
            [(0, 1, places), (1, 0, [places[1], if block % 7 == 0 { 1 } else { places[0] }])]
        {
            pairs.push(duel(&name, [a, b], places));
            teams.push(Played {
                pool: 0,
                block: name.clone(),
                players: vec![a, b, a, b],
                places: [places, places].concat(),
                teams: vec![0, 1, 0, 1],
            });
        }
    }
    assert!(distance(&fit(&pairs, 2), &fit(&teams, 2), &[0, 1]) < 1e-9);
}

#[test]
fn no_games_no_ratings() {
    let fit = fit(&[], 3);
    assert!(fit.ratings.iter().all(Option::is_none) && fit.groups.is_empty());
}

/// The results of bot 0 in pairs of games with seats exchanged: from the first seat, and from the
/// second seat.
fn pairs(rival: usize, first: [u8; 3], second: [u8; 3]) -> Vec<Played> {
    let list = |[won, drawn, lost]: [u8; 3]| {
        let results = [(won, [1, 2]), (drawn, [1, 1]), (lost, [2, 1])];
        results.into_iter().flat_map(|(count, places)| std::iter::repeat_n(places, count as usize))
    };
    let game = |block: usize, players: [usize; 2], places: [u8; 2]| Played {
        pool: 0,
        block: format!("{rival} {block}"),
        players: players.to_vec(),
        places: places.to_vec(),
        teams: vec![0, 1],
    };
    let firsts = list(first).enumerate().map(|(block, places)| game(block, [0, rival], places));
    let seconds = list(second).enumerate().map(|(block, [a, b])| game(block, [rival, 0], [b, a]));
    firsts.chain(seconds).collect()
}

/// A bot that wins every game from one seat but not from the other has no finite strength, and that
/// seat has no finite worth. Rounding must not produce finite values.
#[test]
fn a_seat_that_was_swept_needs_the_prior() {
    for (first, second) in [
        ([5, 0, 5], [10, 0, 0]),
        ([0, 10, 0], [10, 0, 0]),
        ([2, 0, 1], [3, 0, 0]),
        ([0, 0, 20], [10, 0, 10]),
        ([20, 0, 0], [5, 10, 5]),
        ([4, 2, 0], [6, 0, 0]),
        ([99, 1, 100], [200, 0, 0]),
    ] {
        let fit = fit(&pairs(1, first, second), 2);
        let place = format!("{first:?} {second:?}: {:?} {:?}", fit.ratings, fit.pools);
        assert!(fit.prior, "{place}");
        let rating = fit.ratings[0].unwrap();
        assert!(rating.elo.abs() < 1_500.0 && (1.0..2_000.0).contains(&rating.error), "{place}");
        let (worth, error) = fit.pools[0].first_seat.unwrap();
        assert!(worth.abs() < 1_500.0 && (1.0..2_000.0).contains(&error), "{place}");
    }
    // In a star, bot 0 wins every game from one seat against one rival. The games against the other
    // rival tell the worth of the seat.
    let star = [pairs(1, [5, 0, 5], [10, 0, 0]), pairs(2, [7, 0, 3], [6, 0, 4])].concat();
    let fit = fit(&star, 3);
    assert!(!fit.prior && fit.ratings.iter().all(|rating| rating.unwrap().error < 1_000.0), "{fit:?}");
}
