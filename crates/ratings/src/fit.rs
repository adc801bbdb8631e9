//! The joint maximum-likelihood fit of all bots' strengths.
//!
//! The fit runs Newton's method on the likelihood of `plackett_luce`, which has one maximum.

use crate::draws::draw_rate_of_equals;
use crate::errors::Errors;
use crate::games::{Games, Lineup};
use crate::groups::Groups;
use crate::plackett_luce::{Order, Terms};
use crate::score::{ELO_PER_NAT, student_cdf, student95};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// How the first seat is treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstSeat {
    /// The worth of the first seat is fitted for each pool.
    #[default]
    Fitted,
    /// All seats are worth the same.
    Equal,
}

/// The strengths of all bots.
#[derive(Clone, Debug)]
pub struct Fit {
    /// By bot. `None` for a bot without a game.
    pub ratings: Vec<Option<Rating>>,
    /// By pool.
    pub pools: Vec<PoolFit>,
    /// Only bots of the same group can be compared, because there are no games between groups.
    pub groups: Vec<Vec<usize>>,
    /// Whether a prior was needed because the games alone have no finite solution. With the prior,
    /// every bot has one drawn game against a virtual bot of average strength, and the first seat
    /// of every pool has one drawn game between equal bots.
    pub prior: bool,
    /// The log-likelihood of the games, without the prior.
    pub log_likelihood: f64,
    /// The variance of the ratings, divided by the variance as if the games of a block were
    /// independent. A value below 1 means that the blocks have cancelled luck.
    pub block_effect: Option<f64>,
    /// The covariance of the strengths, relative to the means of their groups.
    covariance: DMatrix<f64>,
    /// The number of blocks in which each two bots have played.
    blocks: DMatrix<u32>,
    strengths: Vec<f64>,
    group: Vec<usize>,
}

/// A bot's strength relative to the mean of its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// Whether the games were too few or too one-sided to measure the error. Then the error comes
    /// from the model, and the prior may matter.
    pub held: bool,
}

/// What was fitted for one pool.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoolFit {
    /// The worth of the first seat in Elo, with half the width of its 95 % interval. `None` where
    /// the seats were never exchanged.
    pub first_seat: Option<(f64, f64)>,
    /// The share of draws between equal bots, for games of two sides.
    pub draw_rate: Option<f64>,
}

/// A likelihood of real games has no maximum this far out (in nats).
const INFINITE: f64 = 30.0;
/// If a parameter keeps less than this share of its own curvature, the likelihood is flat in some
/// direction.
const FLAT: f64 = 1e-9;

impl Fit {
    /// Fits the strengths of bots `0..bots`.
    pub fn of(games: &Games, bots: usize, first_seat: FirstSeat) -> Fit {
        Fit::weighted(games, bots, first_seat, vec![1.0; pools_of(games)])
    }

    /// One rating over all pools. Every pool has the same weight, however many games it has.
    pub fn of_equal_pools(games: &Games, bots: usize, first_seat: FirstSeat) -> Fit {
        let mut played = vec![0.0; pools_of(games)];
        for lineup in games.lineups() {
            played[lineup.pool] +=
                lineup.tallies.counts.iter().map(|&(_, count)| f64::from(count)).sum::<f64>();
        }
        let with_games = played.iter().filter(|&&games| games > 0.0).count() as f64;
        let mean = played.iter().sum::<f64>() / with_games;
        let weight = |games: f64| if games > 0.0 { mean / games } else { 0.0 };
        Fit::weighted(games, bots, first_seat, played.into_iter().map(weight).collect())
    }

    /// A rating from the games of one pool alone.
    pub fn of_pool(games: &Games, bots: usize, first_seat: FirstSeat, pool: usize) -> Fit {
        let weights = (0..pools_of(games)).map(|other| if other == pool { 1.0 } else { 0.0 });
        Fit::weighted(games, bots, first_seat, weights.collect())
    }

    /// Every game counts with the weight of its pool.
    fn weighted(games: &Games, bots: usize, first_seat: FirstSeat, weights: Vec<f64>) -> Fit {
        let groups = Groups::of(games, bots, |pool| weights[pool] > 0.0);
        let mut model = Model::new(games, weights, &groups.group, first_seat);
        model.drop_unknowable_seats();
        let plain = if groups.outside.contains(&true) { None } else { model.maximum() };
        let parameters = plain.unwrap_or_else(|| {
            model.prior = true;
            model.maximum().expect("with the prior the likelihood falls towards infinity on every side")
        });
        Fit::at(&model, &parameters, &groups)
    }

    fn at(model: &Model, parameters: &DVector<f64>, groups: &Groups) -> Fit {
        let bots = groups.group.len();
        let mut centred = DMatrix::from_column_slice(model.size, 1, parameters.as_slice());
        model.centre(&mut centred);
        let blocks = model.blocks();
        let errors = Errors::at(model, parameters, groups, &blocks);
        let freedom = |bot: usize| if errors.held[bot] { f64::INFINITY } else { freedom(blocks[(bot, bot)]) };
        let elo_error = |at: usize, freedom: f64| {
            student95(freedom) * ELO_PER_NAT * errors.covariance[(at, at)].max(0.0).sqrt()
        };
        let played = |bot: usize| blocks[(bot, bot)] > 0;
        let rating = |bot: usize| Rating {
            elo: centred[bot] * ELO_PER_NAT,
            error: elo_error(bot, freedom(bot)),
            held: errors.held[bot],
        };
        let pool = |pool: usize| PoolFit {
            first_seat: model.seats[pool].map(|at| {
                let own = model.lineups().filter(|lineup| lineup.pool == pool);
                let blocks = own.map(|lineup| lineup.tallies.blocks).sum();
                (parameters[at] * ELO_PER_NAT, elo_error(at, self::freedom(blocks)))
            }),
            draw_rate: model.draw_rate(pool, parameters),
        };
        let mut members = vec![Vec::new(); groups.group.iter().max().map_or(0, |last| last + 1)];
        (0..bots).filter(|&bot| played(bot)).for_each(|bot| members[groups.group[bot]].push(bot));
        Fit {
            ratings: (0..bots).map(|bot| played(bot).then(|| rating(bot))).collect(),
            pools: (0..model.seats.len()).map(pool).collect(),
            groups: members.into_iter().filter(|group| !group.is_empty()).collect(),
            prior: model.prior,
            log_likelihood: model.log_likelihood(parameters),
            block_effect: errors.block_effect,
            covariance: errors.covariance,
            blocks,
            strengths: centred.iter().take(bots).copied().collect(),
            group: groups.group.clone(),
        }
    }

    /// How much stronger `a` is than `b` in Elo, with half the width of the 95 % interval.
    pub fn difference(&self, a: usize, b: usize) -> Option<(f64, f64)> {
        let comparable = a != b && self.group[a] == self.group[b];
        comparable.then(|| {
            let elo = (self.strengths[a] - self.strengths[b]) * ELO_PER_NAT;
            let error = ELO_PER_NAT * self.variance_of_difference(a, b).sqrt();
            (elo, student95(self.freedom_of_both(a, b)) * error)
        })
    }

    /// The probability that `a` is stronger than `b`.
    pub fn superiority(&self, a: usize, b: usize) -> Option<f64> {
        let comparable = a != b && self.group[a] == self.group[b];
        comparable.then(|| {
            let deviation = self.variance_of_difference(a, b).sqrt();
            if deviation > 0.0 {
                let lead = self.strengths[a] - self.strengths[b];
                student_cdf(lead / deviation, self.freedom_of_both(a, b))
            } else {
                0.5
            }
        })
    }

    fn variance_of_difference(&self, a: usize, b: usize) -> f64 {
        let c = &self.covariance;
        (c[(a, a)] + c[(b, b)] - 2.0 * c[(a, b)]).max(0.0)
    }

    /// The degrees of freedom of a difference. A block in which both bots have played counts once.
    /// Errors that come from the model have unlimited freedom.
    fn freedom_of_both(&self, a: usize, b: usize) -> f64 {
        let held = |bot: usize| self.ratings[bot].is_none_or(|rating| rating.held);
        let blocks = |a: usize, b: usize| self.blocks[(a, b)];
        match (held(a), held(b)) {
            (true, true) => f64::INFINITY,
            (true, false) => freedom(blocks(b, b)),
            (false, true) => freedom(blocks(a, a)),
            (false, false) => freedom(blocks(a, a) + blocks(b, b) - blocks(a, b)),
        }
    }
}

/// The degrees of freedom of an error that was measured from this many blocks. Textbooks give one
/// less than the number of blocks. But an interval in Elo is wider than an interval of scores,
/// because Elo is unbounded and scores are not. Simulation shows that with twice as many degrees of
/// freedom, 95 % intervals contain the truth in 95 % of cases (`tests/coverage.rs`).
fn freedom(blocks: u32) -> f64 {
    2.0 * f64::from(blocks.saturating_sub(1).max(1))
}

fn pools_of(games: &Games) -> usize {
    games.lineups().map(|lineup| lineup.pool + 1).max().unwrap_or(0)
}

/// The likelihood as a function of the parameters: the bots' strengths, then the first seats.
pub(crate) struct Model<'a> {
    pub(crate) games: &'a Games,
    /// By the number of the finish.
    orders: Vec<Order>,
    /// By pool, the weight of each of its games.
    weights: Vec<f64>,
    group: &'a [usize],
    /// By pool, the index of the parameter for its first seat.
    seats: Vec<Option<usize>>,
    pub(crate) size: usize,
    pub(crate) prior: bool,
}

pub(crate) struct Sums {
    value: f64,
    gradient: DVector<f64>,
    pub(crate) curvature: DMatrix<f64>,
}

impl<'a> Model<'a> {
    fn new(games: &'a Games, weights: Vec<f64>, group: &'a [usize], first_seat: FirstSeat) -> Model<'a> {
        let mut size = group.len();
        let mut played = vec![false; weights.len()];
        games.lineups().for_each(|lineup| played[lineup.pool] |= weights[lineup.pool] > 0.0);
        let seat = |played: bool| {
            (first_seat == FirstSeat::Fitted && played).then(|| {
                size += 1;
                size - 1
            })
        };
        let seats = played.into_iter().map(seat).collect();
        let orders = games.finishes().iter().map(|finish| Order::new(finish)).collect();
        Model { games, orders, weights, group, seats, size, prior: false }
    }

    /// The line-ups that count.
    pub(crate) fn lineups(&self) -> impl Iterator<Item = Lineup<'a>> {
        self.games.lineups().filter(|lineup| self.weights[lineup.pool] > 0.0)
    }

    pub(crate) fn weight(&self, lineup: Lineup) -> f64 {
        self.weights[lineup.pool]
    }

    pub(crate) fn order(&self, finish: u32) -> &Order {
        &self.orders[finish as usize]
    }

    /// The indices of the parameters of a line-up: its bots, then the first seat if the seat is
    /// fitted.
    pub(crate) fn parameters_of(&self, lineup: Lineup) -> Vec<usize> {
        lineup.bots().chain(self.seats[lineup.pool]).collect()
    }

    /// The values of these parameters. A seat that is not fitted is worth nothing.
    pub(crate) fn local(at: &[usize], lineup: Lineup, parameters: &DVector<f64>) -> Vec<f64> {
        let mut values: Vec<f64> = at.iter().map(|&at| parameters[at]).collect();
        values.resize(lineup.bots.len() + 1, 0.0);
        values
    }

    /// The number of blocks in which each two bots have played. The diagonal counts the blocks of
    /// each bot.
    fn blocks(&self) -> DMatrix<u32> {
        let mut blocks = DMatrix::zeros(self.group.len(), self.group.len());
        for lineup in self.lineups() {
            for (a, b) in lineup.bots().flat_map(|a| lineup.bots().map(move |b| (a, b))) {
                blocks[(a, b)] += lineup.tallies.blocks;
            }
        }
        blocks
    }

    /// Stops fitting the first seat where the seats were never exchanged: there, the worth of the
    /// seat and the strength of its bot cannot be told apart.
    fn drop_unknowable_seats(&mut self) {
        let mut curvature = self.sums(&DVector::zeros(self.size)).curvature;
        let weight = curvature.diagonal().clone();
        (0..self.size).for_each(|at| curvature[(at, at)] += 1e-10 * weight[at].max(1.0));
        let Some(root) = Cholesky::new(curvature) else { return };
        let bent = |at: usize| root.l_dirty()[(at, at)].powi(2);
        let known = |&at: &usize| bent(at) > 1e-7 * weight[at].max(f64::MIN_POSITIVE);
        let mut size = self.group.len();
        for seat in &mut self.seats {
            *seat = seat.filter(known).map(|_| size);
            size += usize::from(seat.is_some());
        }
        self.size = size;
    }

    /// The sums over all games at these parameters. Only the prior depends on the mean of a group.
    /// Without the prior, that mean is fixed.
    pub(crate) fn sums(&self, parameters: &DVector<f64>) -> Sums {
        let mut sums = Sums {
            value: 0.0,
            gradient: DVector::zeros(self.size),
            curvature: DMatrix::from_fn(self.size, self.size, |a, b| {
                if self.prior { 0.0 } else { self.same_group(a, b) }
            }),
        };
        for lineup in self.lineups() {
            let at = self.parameters_of(lineup);
            let values = Model::local(&at, lineup, parameters);
            for &(finish, count) in &lineup.tallies.counts {
                let count = self.weight(lineup) * f64::from(count);
                let Terms { value, gradient, curvature } = self.order(finish).terms(&values);
                sums.value += count * value;
                for (local, pull) in gradient {
                    if let Some(&at) = at.get(local) {
                        sums.gradient[at] += count * pull;
                    }
                }
                for (weight, side) in &curvature {
                    add_square(&mut sums.curvature, count * weight, side, &at);
                }
            }
        }
        if self.prior {
            for at in 0..self.size {
                let (value, pull, curvature) = drawn_game(parameters[at]);
                sums.value += value;
                sums.gradient[at] += pull;
                sums.curvature[(at, at)] += curvature;
            }
        }
        sums
    }

    fn same_group(&self, a: usize, b: usize) -> f64 {
        let both = self.group.get(a).zip(self.group.get(b));
        f64::from(u8::from(both.is_some_and(|(a, b)| a == b)))
    }

    /// The log-likelihood of the games, each counted once.
    fn log_likelihood(&self, parameters: &DVector<f64>) -> f64 {
        let of_lineup = |lineup: Lineup| {
            let values = Model::local(&self.parameters_of(lineup), lineup, parameters);
            let value =
                |&(finish, count): &(u32, u32)| f64::from(count) * self.order(finish).terms(&values).value;
            lineup.tallies.counts.iter().map(value).sum::<f64>()
        };
        self.lineups().map(of_lineup).sum()
    }

    /// Newton's method. `None` where the likelihood keeps growing towards infinity.
    fn maximum(&self) -> Option<DVector<f64>> {
        let mut at = DVector::zeros(self.size);
        let mut here = self.sums(&at);
        let mut length = f64::INFINITY;
        for _ in 0..100 {
            let mut step = Cholesky::<f64, Dyn>::new(here.curvature.clone())?.solve(&here.gradient);
            // A step that is too long is halved until the value grows. Rounding may hide the growth
            // of the last steps.
            let slack = 1e-12 * here.value.abs();
            for _ in 0..40 {
                let there = self.sums(&(&at + &step));
                if there.value >= here.value - slack {
                    here = there;
                    break;
                }
                step *= 0.5;
            }
            at += &step;
            length = step.amax();
            if length < 1e-10 {
                break;
            }
            if at.amax() > INFINITE && !self.prior {
                return None;
            }
        }
        // With very many games, rounding may keep the steps from vanishing. On the way to infinity,
        // rounding makes the steps vanish.
        let found = length < 1e-6 && is_bent(&here.curvature);
        (self.prior || found).then_some(at)
    }

    /// Subtracts the mean of its group from every bot's row.
    pub(crate) fn centre(&self, rows: &mut DMatrix<f64>) {
        let groups = self.group.iter().max().map_or(0, |last| last + 1);
        let mut members = vec![0.0; groups];
        self.group.iter().for_each(|&group| members[group] += 1.0);
        for mut column in rows.column_iter_mut() {
            let mut sums = vec![0.0; groups];
            self.group.iter().enumerate().for_each(|(bot, &group)| sums[group] += column[bot]);
            for (bot, &group) in self.group.iter().enumerate() {
                column[bot] -= sums[group] / members[group];
            }
        }
    }

    fn draw_rate(&self, pool: usize, parameters: &DVector<f64>) -> Option<f64> {
        let (mut expected, mut drawn) = (Vec::new(), 0.0);
        for lineup in self.lineups().filter(|lineup| lineup.pool == pool) {
            let values = Model::local(&self.parameters_of(lineup), lineup, parameters);
            for &(finish, count) in &lineup.tallies.counts {
                let [one, other] = self.games.finish(finish) else { continue };
                expected.push((self.order(finish).expected(&values), f64::from(count)));
                drawn += if one.place == other.place { f64::from(count) } else { 0.0 };
            }
        }
        draw_rate_of_equals(&expected, drawn)
    }
}

/// Whether the likelihood has a maximum here. If one side won every game of a seat or a bot, the
/// likelihood is flat there and grows towards infinity.
fn is_bent(curvature: &DMatrix<f64>) -> bool {
    Cholesky::new(curvature.clone()).is_some_and(|root| {
        (0..curvature.nrows()).all(|at| root.l_dirty()[(at, at)].powi(2) > FLAT * curvature[(at, at)])
    })
}

/// One drawn game against an opponent of strength 0: log-likelihood, gradient, curvature.
pub(crate) fn drawn_game(strength: f64) -> (f64, f64, f64) {
    let won = 1.0 / (1.0 + (-strength).exp());
    (f64::midpoint(won.ln(), (1.0 - won).ln()), 0.5 - won, won * (1.0 - won))
}

/// Adds the outer product of a vector with itself, at the indices of its parameters. Parameters
/// that are not fitted are left out.
fn add_square(matrix: &mut DMatrix<f64>, weight: f64, vector: &[(usize, f64)], at: &[usize]) {
    let placed = || vector.iter().filter_map(|&(local, x)| Some((*at.get(local)?, x)));
    for (a, x) in placed() {
        for (b, y) in placed() {
            matrix[(a, b)] += weight * x * y;
        }
    }
}

#[cfg(test)]
#[path = "../tests/rr4/mod.rs"]
mod rr4;

#[cfg(test)]
mod tests {
    use super::rr4::RR4;
    use super::*;
    use crate::games::Game;
    use crate::score::Z95;

    /// Errors from the curvature alone, as if the games followed the model exactly.
    fn plain_errors(games: &Games, bots: usize, first_seat: FirstSeat) -> Vec<f64> {
        let groups = Groups::of(games, bots, |_| true);
        let model = Model::new(games, vec![1.0], &groups.group, first_seat);
        let mut covariance =
            Cholesky::new(model.sums(&model.maximum().unwrap()).curvature).unwrap().inverse();
        model.centre(&mut covariance);
        covariance = covariance.transpose();
        model.centre(&mut covariance);
        (0..bots).map(|bot| Z95 * ELO_PER_NAT * covariance[(bot, bot)].sqrt()).collect()
    }

    fn near(found: &[f64], expected: [f64; 4]) {
        let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 0.06, "{found:?} instead of {expected:?}");
    }

    #[test]
    fn errors_of_the_curvature() {
        let mut orders = Games::default();
        for order in ["ABCD", "BADC", "ACBD", "CABD", "ADBC", "BACD", "DABC", "ABD"] {
            let players: Vec<usize> = order.bytes().map(|letter| usize::from(letter - b'A')).collect();
            let (places, teams) = (&[1, 2, 3, 4][..players.len()], &[0, 1, 2, 3][..players.len()]);
            orders.add(&Game { pool: 0, block: order, players: &players, places, teams });
        }
        near(&plain_errors(&orders, 4, FirstSeat::Equal), [162.9, 139.8, 161.5, 170.8]);
        let mut duels = Games::default();
        for (white, black, results) in RR4 {
            for (count, places) in results.into_iter().zip([[1, 2], [1, 1], [2, 1]]) {
                for _ in 0..count {
                    let block = duels.played().to_string();
                    let (players, teams) = (&[white, black], &[0, 1]);
                    duels.add(&Game { pool: 0, block: &block, players, places: &places, teams });
                }
            }
        }
        near(&plain_errors(&duels, 4, FirstSeat::Fitted), [72.3, 69.2, 69.0, 73.5]);
    }
}
