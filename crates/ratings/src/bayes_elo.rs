//! The joint fit as in `BayesElo`, for comparison with the lists of `BayesElo`. Draws follow Rao
//! and Kupper, and the prior consists of drawn games between bots that have met.
//!
//! The chance of a draw is `(e^2d - 1)` times the chance of a win times the chance of a loss. So
//! the likelihood is a product of logistic functions, and a draw counts as a win and as a loss. The
//! likelihood has one maximum, which Newton's method finds.

use crate::games::Games;
use crate::groups::Groups;
use crate::score::{ELO_PER_NAT, Z95};
use nalgebra::{Cholesky, DMatrix, DVector};
use std::collections::BTreeMap;

/// The parts of the model that are given. `None` is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BayesEloModel {
    /// The number of virtual drawn games for two bots that met only each other.
    pub prior_draws: f64,
    /// The worth of the first seat in Elo.
    pub first_seat: Option<f64>,
    /// The lead in Elo that a win needs.
    pub draw_elo: Option<f64>,
}

impl Default for BayesEloModel {
    /// Two virtual draws, and everything else fitted: `mm 1 1`.
    fn default() -> Self {
        BayesEloModel { prior_draws: 2.0, first_seat: None, draw_elo: None }
    }
}

const USUAL_DRAW_ELO: f64 = 97.3;
/// With a larger value, all but one game in sixteen between equal bots would be drawn.
const MOST_DRAW_ELO: f64 = 600.0;

#[derive(Clone, Debug, PartialEq)]
pub struct BayesElo {
    /// By bot, relative to the mean, on the scale that `BayesElo` prints, with half the width of
    /// the 95 % interval. `None` for a bot without a two-bot game.
    pub ratings: Vec<Option<(f64, f64)>>,
    pub first_seat: f64,
    pub draw_elo: f64,
    /// Printed Elo per Elo of the model.
    pub scale: f64,
}

/// Results of the bot in the first seat against the bot in the other seat.
#[derive(Clone, Copy, Default)]
struct FirstSeatResults {
    won: f64,
    drawn: f64,
    lost: f64,
}

type Pairings = BTreeMap<(usize, usize), FirstSeatResults>;

impl BayesElo {
    /// Fits all games between two bots. `None` if there are none.
    pub fn of(games: &Games, bots: usize, model: &BayesEloModel) -> Option<BayesElo> {
        let mut pairings = pairings(games);
        if pairings.is_empty() {
            return None;
        }
        add_prior(&mut pairings, model.prior_draws);
        let problem = RatingLikelihood { pairings, group: Groups::of(games, bots, |_| true).group, model };
        let (parameters, covariance) = problem.maximum()?;
        let draw_elo = problem.draws(&parameters) * ELO_PER_NAT;
        // If no draw was seen, the fit has no finite value here. Then the initial value of
        // `BayesElo` is used.
        if model.draw_elo.is_none() && draw_elo > MOST_DRAW_ELO {
            let given = BayesEloModel { draw_elo: Some(USUAL_DRAW_ELO), ..*model };
            return BayesElo::of(games, bots, &given);
        }
        let share = 10_f64.powf(-draw_elo / 400.0);
        let scale = 4.0 * share / (1.0 + share).powi(2);
        let centring = problem.centring();
        let (centred, covariance) = (&centring * &parameters, &centring * covariance * centring.transpose());
        let met = |bot: usize| problem.pairings.keys().any(|&(a, b)| a == bot || b == bot);
        let rating = |bot: usize| {
            let error = Z95 * covariance[(bot, bot)].max(0.0).sqrt();
            (centred[bot] * ELO_PER_NAT * scale, error * ELO_PER_NAT * scale)
        };
        Some(BayesElo {
            ratings: (0..bots).map(|bot| met(bot).then(|| rating(bot))).collect(),
            first_seat: problem.first_seat(&parameters) * ELO_PER_NAT,
            draw_elo,
            scale,
        })
    }
}

fn pairings(games: &Games) -> Pairings {
    let mut pairings = Pairings::new();
    for lineup in games.lineups() {
        for &(finish, count) in &lineup.tallies.counts {
            let [better, other] = games.finish(finish) else { continue };
            let ([a], [b]) = (better.bots.as_slice(), other.bots.as_slice()) else { continue };
            let [a, b] = [a, b].map(|&local| lineup.bots[local] as usize);
            let results = pairings.entry(if better.first { (a, b) } else { (b, a) }).or_default();
            let kind = match (better.place == other.place, better.first) {
                (true, _) => &mut results.drawn,
                (false, true) => &mut results.won,
                (false, false) => &mut results.lost,
            };
            *kind += f64::from(count);
        }
    }
    pairings.retain(|(a, b), _| a != b);
    pairings
}

/// Each bot spreads half of the virtual draws over the bots it has met, in proportion to the games
/// played, in both seats.
fn add_prior(pairings: &mut Pairings, draws: f64) {
    let mut met: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let mut played: BTreeMap<usize, f64> = BTreeMap::new();
    for (&(a, b), results) in pairings.iter() {
        let games = results.won + results.drawn + results.lost;
        *met.entry((a.min(b), a.max(b))).or_default() += games;
        *played.entry(a).or_default() += games;
        *played.entry(b).or_default() += games;
    }
    for ((a, b), games) in met {
        let drawn = draws / 4.0 * games * (1.0 / played[&a] + 1.0 / played[&b]);
        pairings.entry((a, b)).or_default().drawn += drawn;
        pairings.entry((b, a)).or_default().drawn += drawn;
    }
}

/// The log-likelihood in nats. The parameters are the bots' strengths, then the first seat and the
/// draws if they are fitted.
struct RatingLikelihood<'a> {
    pairings: Pairings,
    group: Vec<usize>,
    model: &'a BayesEloModel,
}

impl RatingLikelihood<'_> {
    fn seat_at(&self) -> Option<usize> {
        self.model.first_seat.is_none().then_some(self.group.len())
    }

    fn draws_at(&self) -> Option<usize> {
        self.model.draw_elo.is_none().then(|| self.group.len() + usize::from(self.seat_at().is_some()))
    }

    fn first_seat(&self, parameters: &DVector<f64>) -> f64 {
        self.seat_at().map_or_else(|| self.model.first_seat.unwrap_or(0.0) / ELO_PER_NAT, |at| parameters[at])
    }

    fn draws(&self, parameters: &DVector<f64>) -> f64 {
        self.draws_at().map_or_else(|| self.model.draw_elo.unwrap_or(0.0) / ELO_PER_NAT, |at| parameters[at])
    }

    fn size(&self) -> usize {
        self.group.len() + usize::from(self.seat_at().is_some()) + usize::from(self.draws_at().is_some())
    }

    /// Newton's method. Returns the maximum, and the inverse of the curvature there.
    fn maximum(&self) -> Option<(DVector<f64>, DMatrix<f64>)> {
        let mut at = DVector::zeros(self.size());
        if let Some(draws) = self.draws_at() {
            at[draws] = 0.5;
        }
        for _ in 0..100 {
            let (value, gradient, curvature) = self.sums(&at);
            let root = Cholesky::new(curvature)?;
            let mut step = root.solve(&gradient);
            // A step is halved if it is too long or leads to a value without any draws.
            while step.amax() > 1e-14 && self.sums(&(&at + &step)).0 < value - 1e-12 * value.abs() {
                step *= 0.5;
            }
            at += &step;
            if step.amax() < 1e-12 {
                return Some((at, root.inverse()));
            }
        }
        None
    }

    /// The log-likelihood, the gradient and the curvature. The mean of each group is fixed.
    fn sums(&self, at: &DVector<f64>) -> (f64, DVector<f64>, DMatrix<f64>) {
        let (seat, draws) = (self.first_seat(at), self.draws(at));
        let size = self.size();
        let together =
            |a: usize, b: usize| self.group.get(a).zip(self.group.get(b)).is_some_and(|(a, b)| a == b);
        let held = |a: usize, b: usize| if together(a, b) { 1.0 } else { 0.0 };
        let mut sums = (0.0, DVector::zeros(size), DMatrix::from_fn(size, size, held));
        for (&(first, second), results) in &self.pairings {
            let lead = at[first] - at[second] + seat;
            for (times, lead, sign) in [
                (results.won + results.drawn, lead - draws, 1.0),
                (results.lost + results.drawn, -lead - draws, -1.0),
            ] {
                let chance = 1.0 / (1.0 + (-lead).exp());
                let slope: Vec<(usize, f64)> = [(first, sign), (second, -sign)]
                    .into_iter()
                    .chain(self.seat_at().map(|at| (at, sign)))
                    .chain(self.draws_at().map(|at| (at, -1.0)))
                    .collect();
                sums.0 += times * chance.ln();
                for &(a, x) in &slope {
                    sums.1[a] += times * (1.0 - chance) * x;
                    for &(b, y) in &slope {
                        sums.2[(a, b)] += times * chance * (1.0 - chance) * x * y;
                    }
                }
            }
            // The chance of a draw has another factor, e^2d - 1.
            if let Some(at) = self.draws_at().filter(|_| results.drawn > 0.0) {
                let falling = (-2.0 * draws).exp();
                sums.0 += results.drawn * (2.0 * draws).exp_m1().ln();
                sums.1[at] += results.drawn * 2.0 / (1.0 - falling);
                sums.2[(at, at)] += results.drawn * 4.0 * falling / (1.0 - falling).powi(2);
            }
        }
        // Outside its domain the logarithm is not a number. No step may lead there.
        if sums.0.is_nan() {
            sums.0 = f64::NEG_INFINITY;
        }
        sums
    }

    /// The matrix that subtracts from every bot the mean of its group.
    fn centring(&self) -> DMatrix<f64> {
        let size = |group: usize| self.group.iter().filter(|&&other| other == group).count() as f64;
        DMatrix::from_fn(self.size(), self.size(), |a, b| {
            let same = self.group.get(a).zip(self.group.get(b)).filter(|(a, b)| a == b);
            f64::from(u8::from(a == b)) - same.map_or(0.0, |(&group, _)| 1.0 / size(group))
        })
    }
}
