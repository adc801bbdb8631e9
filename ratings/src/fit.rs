//! The joint maximum-likelihood fit of all bots' strengths.
//!
//! Newton's method on the likelihood of `plackett_luce`, which has one maximum. Errors come from the sandwich
//! `A⁻¹ J A⁻¹` with `A` the curvature and `J` the scatter of the blocks' gradients: they hold for any share of
//! draws, and games that share a deal or an opening are not counted as independent.

use crate::draws::draw_rate_of_equals;
use crate::games::Games;
use crate::groups::Groups;
use crate::plackett_luce::{Order, Sparse, Terms};
use crate::score::{ELO_PER_NAT, Z95, normal_cdf};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// Is the first seat worth something?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstSeat {
    /// As much as the games say, for each pool on its own.
    #[default]
    Fitted,
    /// Nothing.
    Equal,
}

/// Everybody's strength.
#[derive(Clone, Debug)]
pub struct Fit {
    /// By bot; nothing for those without a game.
    pub ratings: Vec<Option<Rating>>,
    /// By pool.
    pub pools: Vec<PoolFit>,
    /// Only bots of one group can be compared: there are no games between groups.
    pub groups: Vec<Vec<usize>>,
    /// The games alone have no finite solution, so every bot was given one drawn game against a virtual bot of
    /// average strength (and the first seat of every pool one drawn game between equals).
    pub prior: bool,
    /// Of the games, without the prior.
    pub log_likelihood: f64,
    /// The variance of the ratings, divided by what it would be were the games of a block independent. Below 1
    /// the blocks have cancelled luck.
    pub block_effect: Option<f64>,
    /// Of the strengths, relative to the means of their groups.
    covariance: DMatrix<f64>,
    strengths: Vec<f64>,
    group: Vec<usize>,
}

/// A bot's strength relative to the mean of its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// Too few or too one-sided games to measure the error: it is the model's, and the prior may matter.
    pub held: bool,
}

/// What was fitted for games with the same rules.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoolFit {
    /// What sitting first is worth in Elo, with half the width of its 95 % interval; nothing where the seats
    /// were never exchanged.
    pub first_seat: Option<(f64, f64)>,
    /// With two sides, the share of draws between equal bots.
    pub draw_rate: Option<f64>,
}

/// With fewer blocks the scatter is no measure of the error.
const FEW_BLOCKS: u64 = 5;
/// Nor where it is less than this share of what the model expects: bots that repeat themselves.
const LITTLE_SCATTER: f64 = 0.01;
/// No likelihood of games that were played has its maximum this far out (in nats).
const INFINITE: f64 = 30.0;
/// A likelihood that bends less than this share of what one parameter alone makes it bend is flat in some direction.
const FLAT: f64 = 1e-9;

impl Fit {
    /// Fits the strengths of bots `0..bots`.
    pub fn of(games: &Games, bots: usize, first_seat: FirstSeat) -> Fit {
        let groups = Groups::of(games, bots);
        let mut model = Model::new(games, bots, &groups.group, first_seat);
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
        let centred = model.centring() * parameters;
        let errors = Errors::at(model, parameters, groups);
        let elo_error = |at: usize| Z95 * ELO_PER_NAT * errors.covariance[(at, at)].max(0.0).sqrt();
        let played = |bot: usize| model.games.blocks_of.get(bot).is_some_and(|&blocks| blocks > 0);
        let rating = |bot: usize| Rating {
            elo: centred[bot] * ELO_PER_NAT,
            error: elo_error(bot),
            held: errors.held[bot],
        };
        let pool = |pool: usize| PoolFit {
            first_seat: model.seats[pool].map(|at| (parameters[at] * ELO_PER_NAT, elo_error(at))),
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
            strengths: centred.iter().take(bots).copied().collect(),
            group: groups.group.clone(),
        }
    }

    /// How much stronger `a` is than `b` in Elo, with half the width of the 95 % interval.
    pub fn difference(&self, a: usize, b: usize) -> Option<(f64, f64)> {
        let comparable = a != b && self.group[a] == self.group[b];
        comparable.then(|| {
            let elo = (self.strengths[a] - self.strengths[b]) * ELO_PER_NAT;
            (elo, Z95 * ELO_PER_NAT * self.variance_of_difference(a, b).sqrt())
        })
    }

    /// The probability that `a` is stronger than `b`.
    pub fn superiority(&self, a: usize, b: usize) -> Option<f64> {
        let (elo, error) = self.difference(a, b)?;
        Some(if error > 0.0 { normal_cdf(elo / (error / Z95)) } else { 0.5 })
    }

    fn variance_of_difference(&self, a: usize, b: usize) -> f64 {
        let c = &self.covariance;
        (c[(a, a)] + c[(b, b)] - 2.0 * c[(a, b)]).max(0.0)
    }
}

/// The likelihood as a function of the parameters: the bots' strengths, then the first seats.
struct Model<'a> {
    games: &'a Games,
    /// By kind of game, in an order that does not depend on that of the games.
    orders: Vec<(usize, Order)>,
    group: &'a [usize],
    /// By pool, the parameter of its first seat.
    seats: Vec<Option<usize>>,
    size: usize,
    prior: bool,
}

struct Sums {
    value: f64,
    gradient: DVector<f64>,
    curvature: DMatrix<f64>,
}

impl<'a> Model<'a> {
    fn new(games: &'a Games, bots: usize, group: &'a [usize], first_seat: FirstSeat) -> Model<'a> {
        let pools = games.kinds.iter().map(|kind| kind.pool + 1).max().unwrap_or(0);
        let played = |pool: usize| games.kinds.iter().any(|kind| kind.pool == pool);
        let mut size = bots;
        let seat = |pool: usize| {
            (first_seat == FirstSeat::Fitted && played(pool)).then(|| {
                size += 1;
                size - 1
            })
        };
        let seats = (0..pools).map(seat).collect();
        let mut model = Model { games, orders: Vec::new(), group, seats, size, prior: false };
        model.number();
        model
    }

    fn number(&mut self) {
        let order = |(kind, id): (_, usize)| (id, Order::new(kind, self.seats[kind.pool]));
        self.orders = self.games.sorted().map(order).collect();
    }

    /// Where the seats were never exchanged, the first seat and its bot cannot be told apart.
    fn drop_unknowable_seats(&mut self) {
        let mut curvature = self.sums(&DVector::zeros(self.size)).curvature;
        let weight = curvature.diagonal().clone();
        (0..self.size).for_each(|at| curvature[(at, at)] += 1e-10 * weight[at].max(1.0));
        let Some(root) = Cholesky::new(curvature) else { return };
        let known = |&at: &usize| root.l()[(at, at)].powi(2) > 1e-7 * weight[at].max(f64::MIN_POSITIVE);
        let mut size = self.group.len();
        for seat in &mut self.seats {
            *seat = seat.filter(known).map(|_| size);
            size += usize::from(seat.is_some());
        }
        self.size = size;
        self.number();
    }

    /// The sums over all games at these parameters. Each group's mean, on which nothing but the prior depends, is
    /// held where there is no prior.
    fn sums(&self, parameters: &DVector<f64>) -> Sums {
        let mut sums = Sums {
            value: 0.0,
            gradient: DVector::zeros(self.size),
            curvature: DMatrix::from_fn(self.size, self.size, |a, b| {
                if self.prior { 0.0 } else { self.same_group(a, b) }
            }),
        };
        for (id, order) in &self.orders {
            let count = self.games.counts[*id] as f64;
            let Terms { value, gradient, curvature } = order.terms(parameters.as_slice());
            sums.value += count * value;
            for (at, pull) in gradient {
                sums.gradient[at] += count * pull;
            }
            for (weight, side) in &curvature {
                add_square(&mut sums.curvature, count * weight, side);
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

    fn log_likelihood(&self, parameters: &DVector<f64>) -> f64 {
        let value = |(id, order): &(usize, Order)| {
            self.games.counts[*id] as f64 * order.terms(parameters.as_slice()).value
        };
        self.orders.iter().map(value).sum()
    }

    /// Newton's method; nothing where the likelihood only grows towards infinity.
    fn maximum(&self) -> Option<DVector<f64>> {
        let mut at = DVector::zeros(self.size);
        let mut here = self.sums(&at);
        let mut length = f64::INFINITY;
        for _ in 0..100 {
            let mut step = Cholesky::<f64, Dyn>::new(here.curvature.clone())?.solve(&here.gradient);
            // Too long a step is halved until it climbs; rounding may hide the last climb.
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
        // With very many games rounding may keep the steps from vanishing; on the way to infinity it makes them vanish.
        let found = length < 1e-6 && is_bent(&here.curvature);
        (self.prior || found).then_some(at)
    }

    /// Subtracts from every bot the mean of its group.
    fn centring(&self) -> DMatrix<f64> {
        let members = |bot: usize| self.group.iter().filter(|&&group| group == self.group[bot]).count();
        DMatrix::from_fn(self.size, self.size, |a, b| {
            let share = if self.same_group(a, b) > 0.0 { 1.0 / members(a) as f64 } else { 0.0 };
            f64::from(u8::from(a == b)) - share
        })
    }

    fn draw_rate(&self, pool: usize, parameters: &DVector<f64>) -> Option<f64> {
        let (mut expected, mut drawn) = (Vec::new(), 0.0);
        for (id, order) in &self.orders {
            let kind = &self.games.kinds[*id];
            if kind.pool == pool && kind.sides.len() == 2 {
                let count = self.games.counts[*id] as f64;
                expected.push((order.expected(parameters.as_slice()), count));
                drawn += if kind.sides[0].place == kind.sides[1].place { count } else { 0.0 };
            }
        }
        draw_rate_of_equals(&expected, drawn)
    }
}

/// Has the likelihood a maximum here? Where a seat or a bot was swept it is flat instead, and grows towards infinity.
fn is_bent(curvature: &DMatrix<f64>) -> bool {
    Cholesky::new(curvature.clone()).is_some_and(|root| {
        (0..curvature.nrows()).all(|at| root.l_dirty()[(at, at)].powi(2) > FLAT * curvature[(at, at)])
    })
}

/// One drawn game against an opponent of strength 0: log-likelihood, gradient, curvature.
fn drawn_game(strength: f64) -> (f64, f64, f64) {
    let won = 1.0 / (1.0 + (-strength).exp());
    (f64::midpoint(won.ln(), (1.0 - won).ln()), 0.5 - won, won * (1.0 - won))
}

fn add_square(matrix: &mut DMatrix<f64>, weight: f64, vector: &Sparse) {
    add_product(matrix, weight, vector, vector);
}

fn add_product(matrix: &mut DMatrix<f64>, weight: f64, left: &Sparse, right: &Sparse) {
    for &(a, x) in left {
        for &(b, y) in right {
            matrix[(a, b)] += weight * x * y;
        }
    }
}

/// How far off the estimates may be.
struct Errors {
    covariance: DMatrix<f64>,
    /// By bot: is its error the model's own?
    held: Vec<bool>,
    block_effect: Option<f64>,
}

impl Errors {
    fn at(model: &Model, parameters: &DVector<f64>, groups: &Groups) -> Errors {
        let kinds = Kinds::at(model, parameters);
        let curvature = model.sums(parameters).curvature;
        let inverse = Cholesky::new(curvature).expect("positive at the maximum").inverse();
        let bread = model.centring() * inverse;
        let sandwich = |scatter: &DMatrix<f64>| &bread * scatter * bread.transpose();
        let blocks = kinds.scatter_of_blocks(model, &[]);
        let expected = kinds.expected_scatter(model, |_| true);
        let held: Vec<bool> = (0..groups.group.len())
            .map(|bot| {
                let few = model.games.blocks_of.get(bot).is_none_or(|&blocks| blocks < FEW_BLOCKS);
                let little = blocks[(bot, bot)] < LITTLE_SCATTER * expected[(bot, bot)];
                groups.outside[bot] || few || little
            })
            .collect();
        let mut scatter = kinds.scatter_of_blocks(model, &held);
        if model.prior {
            let virtual_game = |at: usize| drawn_game(parameters[at]).2;
            (0..model.size).for_each(|at| scatter[(at, at)] += virtual_game(at));
        }
        let single = sandwich(&kinds.scatter_of_games(model)).trace();
        let block_effect =
            (single > 0.0 && !held.contains(&true)).then(|| sandwich(&blocks).trace() / single);
        Errors { covariance: sandwich(&scatter), held, block_effect }
    }
}

/// Gradient and curvature of every kind of game, by its number.
struct Kinds(Vec<(Sparse, Vec<(f64, Sparse)>)>);

impl Kinds {
    fn at(model: &Model, parameters: &DVector<f64>) -> Kinds {
        let mut kinds = vec![(Vec::new(), Vec::new()); model.orders.len()];
        for (id, order) in &model.orders {
            let Terms { gradient, curvature, .. } = order.terms(parameters.as_slice());
            kinds[*id] = (gradient, curvature);
        }
        Kinds(kinds)
    }

    /// The sum over blocks of the outer product of a block's gradient with itself. Games of bots that are held
    /// count with what the model expects instead.
    fn scatter_of_blocks(&self, model: &Model, held: &[bool]) -> DMatrix<f64> {
        let is_held =
            |id: usize| model.games.kinds[id].bots().any(|bot| held.get(bot).copied().unwrap_or(false));
        let mut scatter = self.expected_scatter(model, is_held);
        for (&(a, b), &count) in &model.games.together {
            if is_held(a) {
                continue;
            }
            let (left, right) = (&self.0[a].0, &self.0[b].0);
            add_product(&mut scatter, count as f64, left, right);
            if a != b {
                add_product(&mut scatter, count as f64, right, left);
            }
        }
        scatter
    }

    fn scatter_of_games(&self, model: &Model) -> DMatrix<f64> {
        let mut scatter = DMatrix::zeros(model.size, model.size);
        for ((gradient, _), &count) in self.0.iter().zip(&model.games.counts) {
            add_square(&mut scatter, count as f64, gradient);
        }
        scatter
    }

    fn expected_scatter(&self, model: &Model, counts: impl Fn(usize) -> bool) -> DMatrix<f64> {
        let mut scatter = DMatrix::zeros(model.size, model.size);
        for (id, (_, curvature)) in self.0.iter().enumerate().filter(|(id, _)| counts(*id)) {
            let count = model.games.counts[id] as f64;
            for (weight, side) in curvature {
                add_square(&mut scatter, count * weight, side);
            }
        }
        scatter
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

    /// Errors from the curvature alone, as if the games followed the model to the letter.
    fn plain_errors(games: &Games, bots: usize, first_seat: FirstSeat) -> Vec<f64> {
        let groups = Groups::of(games, bots);
        let model = Model::new(games, bots, &groups.group, first_seat);
        let inverse = Cholesky::new(model.sums(&model.maximum().unwrap()).curvature).unwrap().inverse();
        let centring = model.centring();
        let covariance = &centring * inverse * centring.transpose();
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
