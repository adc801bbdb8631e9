//! Compares with numbers printed by other programs: fishtest, fastchess, `OpenBench`, Ordo and
//! `BayesElo`.

#![allow(clippy::unwrap_used, clippy::unreadable_literal, reason = "numbers as they were printed")]

mod rr4;

use ratings::{
    BayesElo, BayesEloModel, Chances, Estimate, FirstSeat, Fit, Game, Games, Ladder, Outcomes, RaoKupper,
    Scale, Sprt, Z95, davidson, elo, expected_score, normal_cdf,
};
use rr4::RR4;
use statrs::distribution::{ContinuousCDF, StudentsT};

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() < tolerance, "{found} instead of {expected}");
}

/// Half the width of a 95 % interval, in standard errors.
fn student(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).unwrap().inverse_cdf(0.975)
}

/// Columns: counts; Elo and its error; normalized Elo and its error; superiority.
#[test]
fn elo_of_counts() {
    for (counts, elo, error, normalized, normalized_error, superiority) in [
        (&[89, 123, 76][..], -15.6935207054, 30.4580007170, -20.7564497774, 40.1260255576, 0.1553264349),
        (&[96, 111, 136], 40.7024581865, 30.4272179436, 49.7684153810, 36.7684505950, 0.9960102357),
        (&[10, 20, 30], 120.4119982656, 75.2598869383, 155.3779174062, 87.9117173637, 0.9997339972),
        (&[356, 0, 34], -407.9884323722, 63.1645147358, -508.4353250397, 34.4818124854, 0.0),
        (&[34, 54, 63, 64, 75], 55.5797804204, 27.6534295064, 57.9355999381, 28.2753762434, 0.9999703930),
        (
            &[332, 433, 498, 333, 334],
            -8.6426672680,
            10.3341944244,
            -9.1729142700,
            10.9604588775,
            0.0504700670,
        ),
        (&[7895, 8757, 5685, 568, 9999], -21.0435205782, 2.9452808685, -19.0128342789, 2.6545019165, 0.0),
        (&[39, 8843, 26675, 9240, 44], 1.5767629414, 1.0303140417, 3.4799561269, f64::NAN, 0.9986479839),
        (
            &[10789, 19328, 33806, 19402, 10543],
            -0.7735773359,
            1.2775798957,
            -0.9516290045,
            f64::NAN,
            0.1176588580,
        ),
    ] {
        let outcomes = Outcomes::of_levels(counts);
        let found = Estimate::of(&outcomes).unwrap();
        near(found.elo, elo, 1e-9);
        // The other programs use the normal distribution.
        let (low, high) = outcomes.interval(Z95);
        near((high - low) / 2.0, error, 1e-9);
        near(found.normalized, normalized, 1e-9);
        if !normalized_error.is_nan() {
            near(found.normalized_error, normalized_error, 1e-9);
        }
        let (mean, variance) = outcomes.moments();
        near(normal_cdf((mean - 0.5) / (variance / outcomes.blocks()).sqrt()), superiority, 1e-9);
        near(found.superiority, superiority, 1e-3);
        assert!(!found.guarded);
    }
}

#[test]
fn elo_with_other_quantiles() {
    // OpenBench uses Student's t.
    let (low, high) = Outcomes::of_levels(&[96, 111, 136]).interval(student(342.0));
    near(low, 10.480351, 1e-6);
    near(high, 71.552065, 1e-6);
    // cutechess uses a quantile of its own.
    let (low, high) = Outcomes::of_levels(&[89, 123, 76]).interval(1.95716193);
    near((high - low) / 2.0, 30.41423225, 1e-6);
}

#[test]
fn one_sided_results_stay_finite() {
    for counts in [&[0, 0, 10][..], &[1, 0, 0], &[0, 7, 0], &[0, 0, 0, 0, 1], &[0, 0, 9, 0, 0]] {
        let found = Estimate::of(&Outcomes::of_levels(counts)).unwrap();
        assert!(found.elo.is_finite() && found.low < found.elo && found.elo < found.high, "{found:?}");
        assert!(found.guarded && found.superiority > 0.0 && found.superiority < 1.0, "{found:?}");
    }
    assert_eq!(Estimate::of(&Outcomes::of_levels(&[0, 0, 0])), None);
}

const fn test(elo0: f64, elo1: f64, scale: Scale) -> Sprt {
    Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, scale }
}

/// Columns: counts, the two hypotheses, and the ratio in logistic and in normalized Elo.
#[test]
fn sequential_tests() {
    let (low, high) = test(0.0, 1.0, Scale::Logistic).bounds();
    near(low, -2.9444389791664403, 1e-12);
    near(high, 2.9444389791664403, 1e-12);
    for (counts, elo0, elo1, logistic, normalized) in [
        (&[36027, 68692, 36433][..], 0.0, 2.0, -0.0029819772, 0.9232934509),
        (&[10650, 20431, 10871], -1.75, 0.25, 3.4960188194, 2.2975004071),
        (&[21184, 40708, 21404], 0.5, 2.5, -1.5718887927, -0.2989848897),
        (&[57030, 106593, 57433], 0.0, 2.0, -2.5930241635, -0.4386393630),
        (&[10, 20, 30], 0.0, 10.0, 0.8291213438, 0.6806230806),
        (&[0, 0, 4250], 0.0, 10.0, 120.5646793846, 120.5482677412),
        (&[365, 16618, 36229, 16974, 390], 0.0, 2.0, -0.0059199326, 2.2503677035),
        (&[127, 4883, 10712, 5150, 104], -1.75, 0.25, 6.8620034363, 3.0101541966),
        (&[223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.0741264396, 0.4067989590),
        (&[871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.9786728634, 0.8044514731),
        (&[39, 8843, 26675, 9240, 44], 0.5, 2.5, 0.5555170687, 2.9416752080),
        (&[10789, 19328, 33806, 19402, 10543], -3.0, 1.0, 2.1310678118, 0.3008697855),
        (&[0, 0, 0, 0, 5550], 0.0, 5.0, 79.2962511471, 111.7975550867),
        (&[2, 3, 10, 5, 0], 0.0, 10.0, -0.2053089291, -0.1110932760),
        (&[20, 0, 0, 0, 0], 0.0, 10.0, -0.5839885546, -0.8304397967),
    ] {
        let outcomes = Outcomes::of_levels(counts);
        near(test(elo0, elo1, Scale::Logistic).log_likelihood_ratio(&outcomes), logistic, 1e-6);
        near(test(elo0, elo1, Scale::Normalized).log_likelihood_ratio(&outcomes), normalized, 1e-6);
    }
    let lost = Outcomes::of_levels(&[20, 0, 0, 0, 0]);
    near(test(-1500.0, -500.0, Scale::Logistic).log_likelihood_ratio(&lost), -1.0838001644, 1e-6);
    // fishtest gives no number here; fastchess prints this number.
    near(test(-1500.0, -500.0, Scale::Normalized).log_likelihood_ratio(&lost), -0.918143, 1e-6);
}

/// The numbers come from `OpenBench` and the old fishtest.
#[test]
fn sequential_test_with_a_model_of_draws() {
    let outcomes = Outcomes::of_levels(&[68526, 128429, 68965]);
    near(test(0.0, 2.0, Scale::Bayesian).log_likelihood_ratio(&outcomes), -1.2621546928, 1e-9);
}

#[test]
fn strength_after_a_sequential_test() {
    for (counts, elo0, elo1, elo, low, high, superiority) in [
        ([39, 2226, 31451, 2412, 40], 0.2, 0.9, 0.8651827882599539, 0.1683070591, 1.5405993355, 0.9920016651),
        (
            [10789, 19328, 33806, 19402, 10543],
            -3.0,
            1.0,
            -0.9925365595,
            -3.4884921313,
            1.4885858955,
            0.1880347931,
        ),
    ] {
        let found = test(elo0, elo1, Scale::Logistic).unbiased(&Outcomes::of_levels(&counts)).unwrap();
        near(found.elo, elo, 1e-6);
        near(found.low, low, 1e-6);
        near(found.high, high, 1e-6);
        near(found.superiority, superiority, 1e-6);
    }
}

#[test]
fn draw_models() {
    for (score, equals, won, drawn, lost) in [
        (0.6, 0.3, 0.45432128282912243, 0.29135743434175515, 0.2543212828291225),
        (0.76, 0.5, 0.5776, 0.3648, 0.0576),
        (0.9, 0.2861, f64::NAN, 0.13345678458137444, f64::NAN),
    ] {
        let found = davidson(score, equals);
        near(found.drawn, drawn, 1e-14);
        if !f64::is_nan(won) {
            near(found.won, won, 1e-14);
            near(found.lost, lost, 1e-14);
        }
    }
    let total = 68526.0 + 128429.0 + 68965.0;
    let found =
        RaoKupper::of(Chances { won: 68965.0 / total, drawn: 128429.0 / total, lost: 68526.0 / total });
    near(found.elo, 0.7480591626392122, 1e-10);
    near(found.draw_elo, 183.04336714741942, 1e-10);
    let model = RaoKupper { elo: 20.0, draw_elo: 200.0 };
    let Chances { won, drawn, lost } = model.chances();
    near(lost, 0.2198703960068415, 1e-14);
    near(drawn, 0.5182386365335772, 1e-14);
    near(won, 0.2618909674595814, 1e-14);
    near(model.plain_elo(), 14.608043844947064, 1e-10);
    let score = expected_score(10.0);
    let found = RaoKupper::of(Chances { won: score - 0.25, drawn: 0.5, lost: 0.75 - score });
    near(found.elo, 13.341119986886563, 1e-10);
    near(found.draw_elo, 191.1046749686319, 1e-10);
    near(elo(score), 10.0, 1e-10);
}

/// Every game is a block of its own.
fn rr4() -> Games {
    duels(&RR4)
}

fn duels(results: &[(usize, usize, [u32; 3])]) -> Games {
    let mut games = Games::default();
    for &(white, black, results) in results {
        for (result, places) in [[1, 2], [1, 1], [2, 1]].iter().enumerate() {
            for _ in 0..results[result] {
                let block = games.played().to_string();
                games.add(&Game { pool: 0, block: &block, players: &[white, black], places, teams: &[0, 1] });
            }
        }
    }
    games
}

/// Elo points of Ordo per Elo point. In Ordo, 202 points are a score of 76 %.
const ORDO: f64 = 0.005756462732485115 / 0.00570633420761577;

#[test]
fn joint_ratings() {
    let equal = Fit::of(&rr4(), 4, FirstSeat::Equal);
    let fitted = Fit::of(&rr4(), 4, FirstSeat::Fitted);
    assert!(!equal.prior && !fitted.prior && fitted.groups == [[0, 1, 2, 3]]);
    for (bot, [plain, with_seat, ordo, ordo_with_seat]) in [
        [98.14116796, 100.01070798, 99.00331024, 100.8893],
        [36.87172390, 37.57925867, 37.19563152, 37.9094],
        [-22.52532603, -22.96850038, -22.72320462, -23.1703],
        [-112.48756583, -114.62146626, -113.47573714, -115.6284],
    ]
    .into_iter()
    .enumerate()
    {
        let (equal, fitted) = (equal.ratings[bot].unwrap(), fitted.ratings[bot].unwrap());
        assert!(!equal.held && !fitted.held);
        near(equal.elo, plain, 1e-7);
        near(fitted.elo, with_seat, 1e-7);
        near(equal.elo * ORDO, ordo, 1e-7);
        near(fitted.elo * ORDO, ordo_with_seat, 2e-3);
    }
    let (advantage, _) = fitted.pools[0].first_seat.unwrap();
    near(advantage, 49.53168417, 1e-7);
    near(advantage * ORDO, 49.966806, 1e-5);
    near(fitted.pools[0].draw_rate.unwrap(), 0.2861, 5e-5);
}

/// The values come from an independent solver. The iterations of `BayesElo` come close to them.
#[test]
fn joint_ratings_as_bayes_elo_has_them() {
    // `mm`: the worth of the first seat and of a draw are given.
    let chess = BayesEloModel { prior_draws: 2.0, first_seat: Some(32.8), draw_elo: Some(97.3) };
    let given = BayesElo::of(&rr4(), 4, &chess).unwrap();
    near(given.scale, 0.925497, 1e-6);
    // `prior 0; mm 1 1`: both are fitted.
    let alone = BayesEloModel { prior_draws: 0.0, ..BayesEloModel::default() };
    let fitted = BayesElo::of(&rr4(), 4, &alone).unwrap();
    near(fitted.first_seat, 53.536, 5e-3);
    near(fitted.draw_elo, 107.82, 5e-3);
    for (bot, (with_given, with_fitted, covariance)) in [
        (91.785961, 99.160289, 56.0),
        (34.874091, 37.760058, 55.0),
        (-20.557892, -21.903074, 55.0),
        (-106.102160, -115.017273, 57.0),
    ]
    .into_iter()
    .enumerate()
    {
        let ((found, error), (free, _)) = (given.ratings[bot].unwrap(), fitted.ratings[bot].unwrap());
        near(found, with_given, 2e-6);
        near(free, with_fitted, 1e-5);
        near(error, covariance, 1.5); // printed without decimals
    }
    // The differences after n games, all won by the first seat, before scaling.
    for (games, expected) in [(1, 89.2563), (2, 150.156), (3, 195.835), (4, 232.215), (5, 262.379)] {
        let won = BayesElo::of(&duels(&[(0, 1, [games, 0, 0])]), 2, &chess).unwrap();
        let [a, b] = [0, 1].map(|bot| won.ratings[bot].unwrap().0 / won.scale);
        near(a - b, expected, 2e-3);
    }
}

/// Columns: the places of new players, their ratings, and the uncertainty. `skillratings` and
/// `openskill` (without tau) agree on these numbers.
#[test]
fn online_ladder() {
    for (places, expected, uncertainty) in [
        (&[1, 2][..], &[27.63523138347365, 22.36476861652635][..], 8.065506316323548),
        (&[1, 2, 3], &[30.2704627669473, 25.0, 19.7295372330527], 7.788474807872567),
        (
            &[1, 2, 3, 4],
            &[32.90569415042095, 27.63523138347365, 22.36476861652635, 17.09430584957905],
            7.5012190693964005,
        ),
        (&[1, 2, 2, 4], &[32.90569415042095, 25.0, 25.0, 17.09430584957905], f64::NAN),
    ] {
        let mut ladder = Ladder::default();
        let players: Vec<usize> = (0..places.len()).collect();
        ladder.add(&Game { pool: 0, block: "", players: &players, places, teams: &players });
        for (&bot, &expected) in players.iter().zip(expected) {
            let (rating, deviation) = ladder.rating(bot).unwrap();
            near(rating, expected, 1e-9);
            if !uncertainty.is_nan() {
                near(deviation, uncertainty, 1e-9);
            }
        }
        assert_eq!(ladder.rating(places.len()), None);
    }
}

#[test]
fn errors_without_simulation() {
    let fit = Fit::of(&rr4(), 4, FirstSeat::Fitted);
    // Each bot has 60 blocks, and each block moves the fit by about a sixtieth.
    let few = (60.0_f64 / 59.0).sqrt() * student(2.0 * 59.0) / Z95;
    for (bot, error) in [58.81, 59.36, 57.85, 62.04].into_iter().enumerate() {
        near(fit.ratings[bot].unwrap().error / few / error, 1.0, 5e-3);
    }
    near(fit.difference(0, 1).unwrap().1 / few / 95.05, 1.0, 5e-3);
    for (bot, superiority) in [0.901, 0.893, 0.968].into_iter().enumerate() {
        near(fit.superiority(bot, bot + 1).unwrap(), superiority, 5e-3);
    }
}

/// A block of two games is one entry of the pentanomial formula.
#[test]
fn errors_of_pairs() {
    let mut games = Games::default();
    // The results of the pairs LL, LD, WL, WD and WW: 0 drawn, 1 won, 2 lost.
    let pairs = [(34, [2, 2]), (54, [2, 0]), (63, [1, 2]), (64, [1, 0]), (75, [1, 1])];
    for (kind, (count, results)) in pairs.into_iter().enumerate() {
        for pair in 0..count {
            let block = format!("{kind} {pair}");
            for (first, result) in results.into_iter().enumerate() {
                let (mine, theirs) = [(1, 1), (1, 2), (2, 1)][result];
                let (players, places) =
                    if first == 0 { ([0, 1], [mine, theirs]) } else { ([1, 0], [theirs, mine]) };
                games.add(&Game {
                    pool: 0,
                    block: &block,
                    players: &players,
                    places: &places,
                    teams: &[0, 1],
                });
            }
        }
    }
    let fit = Fit::of(&games, 2, FirstSeat::Equal);
    let (difference, error) = fit.difference(0, 1).unwrap();
    near(difference, 55.5797804204, 1e-9);
    // The formula uses the normal distribution and the variance of the pairs without correction.
    let few = (290.0_f64 / 289.0).sqrt() * student(2.0 * 289.0) / Z95;
    near(error, 27.590775541833 * few, 1e-10);
}

#[test]
fn more_than_two_players() {
    let mut games = Games::default();
    let orders = ["ABCD", "BADC", "ACBD", "CABD", "ADBC", "BACD", "DABC", "ABD"];
    for order in orders {
        let players: Vec<usize> = order.bytes().map(|letter| usize::from(letter - b'A')).collect();
        let places: Vec<u8> = (1..=players.len() as u8).collect();
        let teams: Vec<usize> = (0..players.len()).collect();
        games.add(&Game { pool: 0, block: order, players: &players, places: &places, teams: &teams });
    }
    let fit = Fit::of(&games, 4, FirstSeat::Equal);
    let expected = [
        (229.910054, 3.756428564486445, 162.9),
        (56.514958, 1.3844822566439452, 139.8),
        (-108.712676, 0.534833139463628, 161.5),
        (-177.712335, 0.3595167773350657, 170.8),
    ];
    for (bot, (elo, strength, _)) in expected.into_iter().enumerate() {
        let found = fit.ratings[bot].unwrap().elo;
        near(found, elo, 1e-4);
        near(10_f64.powf(found / 400.0), strength, 1e-5);
    }
    near(fit.log_likelihood, -18.29357614310044, 1e-9);
}
