//! The errors of the estimates of a fit.
//!
//! The errors come from the sandwich `A⁻¹ J A⁻¹`. Here `A` is the curvature, and `J` is the scatter
//! of the blocks' gradients. These errors hold for any share of draws, and games that share a deal
//! or an opening are not counted as independent.
//!
//! A fit leans towards each of its blocks, so the remaining gradient of a block is too small; with
//! few blocks, much too small. Each gradient is therefore stretched by `(1 - h)^-1/2`, where `h` is
//! the block's share in what is known about its bots (after Bell and `McCaffrey`). Intervals then
//! follow Student's distribution (see `Fit`).

use crate::fit::{Model, drawn_game};
use crate::games::Lineup;
use crate::groups::Groups;
use crate::plackett_luce::{Sparse, Terms};
use nalgebra::{Cholesky, DMatrix, DVector, SymmetricEigen};

/// With fewer blocks, the scatter does not measure the error.
const FEW_BLOCKS: u32 = 5;
/// A scatter below this share of what the model expects does not measure the error either: the bots
/// repeat themselves.
const LITTLE_SCATTER: f64 = 0.01;
/// A block with more than this share in what is known does not measure the error either: there is
/// nothing else to scatter around.
const LARGE_SHARE: f64 = 0.4;

/// The errors at the maximum of a fit.
pub(crate) struct Errors {
    /// The covariance of the parameters, relative to the means of their groups.
    pub(crate) covariance: DMatrix<f64>,
    /// By bot: whether its error comes from the model instead of the scatter.
    pub(crate) held: Vec<bool>,
    pub(crate) block_effect: Option<f64>,
}

impl Errors {
    pub(crate) fn at(
        model: &Model,
        parameters: &DVector<f64>,
        groups: &Groups,
        blocks: &DMatrix<u32>,
    ) -> Errors {
        let curvature = model.sums(parameters).curvature;
        let inverse = Cholesky::new(curvature).expect("positive at the maximum").inverse();
        let (measured, block_effect) = BlockScatter::of(model, parameters, &inverse);
        let held: Vec<bool> = (0..groups.group.len())
            .map(|bot| {
                let few = blocks[(bot, bot)] < FEW_BLOCKS;
                let little = measured.scatter[bot] < LITTLE_SCATTER * measured.expected[bot];
                groups.outside[bot] || few || little
            })
            .collect();
        let block_effect = block_effect.filter(|_| !held.contains(&true));
        // Each of these matrices is as large as the table of all pairs, so each is dropped as early
        // as possible.
        let half = &inverse * scatter(model, parameters, &inverse, &held);
        let mut covariance = half * inverse;
        model.centre(&mut covariance);
        covariance.transpose_mut();
        model.centre(&mut covariance);
        Errors { covariance, held, block_effect }
    }
}

/// The terms of a line-up at the maximum.
struct AtMaximum<'a> {
    lineup: Lineup<'a>,
    weight: f64,
    /// The indices of the parameters of the line-up.
    at: Vec<usize>,
    /// By way to finish, in the order of the counts: the gradient and the curvature of the
    /// likelihood.
    terms: Vec<(DVector<f64>, DMatrix<f64>)>,
}

impl<'a> AtMaximum<'a> {
    fn of(model: &Model, lineup: Lineup<'a>, parameters: &DVector<f64>) -> AtMaximum<'a> {
        let at = model.parameters_of(lineup);
        let values = Model::local(&at, lineup, parameters);
        let size = at.len();
        let terms = lineup.tallies.counts.iter().map(|&(finish, _)| {
            let Terms { gradient, curvature, .. } = model.order(finish).terms(&values);
            let mut square = DMatrix::zeros(size, size);
            for (weight, side) in curvature {
                let side = dense(&side, size);
                square += weight * &side * side.transpose();
            }
            (dense(&gradient, size), square)
        });
        AtMaximum { lineup, weight: model.weight(lineup), terms: terms.collect(), at }
    }

    fn gradient(&self, finish: u32) -> &DVector<f64> {
        let at = self.lineup.tallies.counts.iter().position(|(known, _)| *known == finish).unwrap_or(0);
        &self.terms[at].0
    }

    /// The sum over blocks of the outer product of a block's gradient with itself.
    fn scatter(&self) -> DMatrix<f64> {
        let size = self.at.len();
        let mut scatter = DMatrix::zeros(size, size);
        for &((a, b), count) in &self.lineup.tallies.together {
            let product = f64::from(count) * self.gradient(a) * self.gradient(b).transpose();
            scatter += &product;
            if a != b {
                scatter += product.transpose();
            }
        }
        scatter * self.weight.powi(2)
    }

    /// The scatter as if every game were a block of its own.
    fn scatter_of_games(&self) -> DMatrix<f64> {
        let size = self.at.len();
        let mut scatter = DMatrix::zeros(size, size);
        for ((gradient, _), (_, count)) in self.terms.iter().zip(&self.lineup.tallies.counts) {
            scatter += f64::from(*count) * gradient * gradient.transpose();
        }
        scatter * self.weight.powi(2)
    }

    /// The curvature of all games of the line-up. Multiplied by the weight once more, this is the
    /// scatter that the model expects.
    fn curvature(&self) -> DMatrix<f64> {
        let size = self.at.len();
        let mut sum = DMatrix::zeros(size, size);
        for ((_, curvature), (_, count)) in self.terms.iter().zip(&self.lineup.tallies.counts) {
            sum += f64::from(*count) * curvature;
        }
        sum * self.weight
    }

    /// The part of a matrix that belongs to the line-up.
    fn part_of(&self, matrix: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(self.at.len(), self.at.len(), |a, b| matrix[(self.at[a], self.at[b])])
    }

    /// The scatter with every block stretched by its share. `None` where a share is too large.
    fn stretched(&self, inverse: &DMatrix<f64>) -> Option<DMatrix<f64>> {
        let block = self.curvature() / f64::from(self.lineup.tallies.blocks);
        let root = Cholesky::new(self.part_of(inverse))?.l();
        // The shares are the eigenvalues of `block * inverse`. This product is similar to a
        // symmetric matrix.
        let shares = SymmetricEigen::new(root.transpose() * block * &root);
        if shares.eigenvalues.max() > LARGE_SHARE {
            return None;
        }
        let stretch = DMatrix::from_diagonal(&shares.eigenvalues.map(|share| (1.0 - share).powf(-0.5)));
        let symmetric = &shares.eigenvectors * stretch * shares.eigenvectors.transpose();
        let back = root.transpose().try_inverse()?;
        let whole = back * symmetric * root.transpose();
        Some(&whole * self.scatter() * whole.transpose())
    }
}

fn dense(sparse: &Sparse, size: usize) -> DVector<f64> {
    let mut vector = DVector::zeros(size);
    for &(at, value) in sparse.iter().filter(|(at, _)| *at < size) {
        vector[at] += value;
    }
    vector
}

/// For each parameter: how much the blocks' gradients scatter, and how much scatter the model
/// expects.
struct BlockScatter {
    scatter: Vec<f64>,
    expected: Vec<f64>,
}

impl BlockScatter {
    /// Also returns the variance of the ratings, divided by the variance as if every game were a
    /// block.
    fn of(model: &Model, parameters: &DVector<f64>, inverse: &DMatrix<f64>) -> (BlockScatter, Option<f64>) {
        let mut centred = inverse.clone();
        model.centre(&mut centred);
        let squared = inverse * centred;
        let mut measured = BlockScatter { scatter: vec![0.0; model.size], expected: vec![0.0; model.size] };
        let (mut blocks, mut games) = (0.0, 0.0);
        for lineup in model.lineups() {
            let here = AtMaximum::of(model, lineup, parameters);
            let (scatter, expected) = (here.scatter(), here.curvature() * here.weight);
            for (local, &at) in here.at.iter().enumerate() {
                measured.scatter[at] += scatter[(local, local)];
                measured.expected[at] += expected[(local, local)];
            }
            let part = here.part_of(&squared);
            blocks += part.dot(&scatter);
            games += part.dot(&here.scatter_of_games());
        }
        (measured, (games > 0.0).then(|| blocks / games))
    }
}

/// The scatter of all blocks. For games of bots that are held, the scatter that the model expects
/// is used instead.
fn scatter(model: &Model, parameters: &DVector<f64>, inverse: &DMatrix<f64>, held: &[bool]) -> DMatrix<f64> {
    let mut scatter = DMatrix::zeros(model.size, model.size);
    for lineup in model.lineups() {
        let here = AtMaximum::of(model, lineup, parameters);
        let measured = if lineup.bots().any(|bot| held[bot]) { None } else { here.stretched(inverse) };
        let part = measured.unwrap_or_else(|| here.curvature() * here.weight);
        for (a, &at) in here.at.iter().enumerate() {
            for (b, &with) in here.at.iter().enumerate() {
                scatter[(at, with)] += part[(a, b)];
            }
        }
    }
    if model.prior {
        (0..model.size).for_each(|at| scatter[(at, at)] += drawn_game(parameters[at]).2);
    }
    scatter
}
