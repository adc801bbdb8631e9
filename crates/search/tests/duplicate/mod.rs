//! Duplicate deals, played in this process: one bot against random players, at every seat of every
//! deal.

use rules::{Eyes, Hidden, HiddenVisitor, Outcome, Seat, Seed};
use search::{Budget, IsmctsSettings, ismcts};
use serde_json::{Value, json};

/// The player at the seat in question.
#[derive(Clone, Copy, Debug)]
pub enum Player {
    Random,
    First,
    Ismcts(IsmctsSettings),
}

/// Some deals of one game.
#[derive(Clone, Debug)]
pub struct Deals {
    pub seats: u8,
    pub count: u64,
    pub player: Player,
    /// The parameters besides the number of seats.
    pub params: Value,
}

/// The worth of each deal to the player: the mean over all seats.
impl HiddenVisitor for Deals {
    type Output = Vec<f64>;

    fn visit<P: Hidden>(self) -> Vec<f64> {
        let mut params = self.params.clone();
        if P::ABOUT.seats.0 != P::ABOUT.seats.1 {
            params["seats"] = json!(self.seats);
        }
        let params: P::Params = rules::read_params(&params).unwrap();
        let deal = |deal: u64| {
            let worth = |seat: u8| play::<P>(&params, deal, Seat(seat), self.player);
            (0..self.seats).map(worth).sum::<f64>() / f64::from(self.seats)
        };
        (0..self.count).map(deal).collect()
    }
}

/// Plays one game. Returns the share of opponents left behind, or the points if there is one seat.
fn play<P: Hidden>(params: &P::Params, deal: u64, own_seat: Seat, player: Player) -> f64 {
    let mut game = P::start(params, Seed::from_number(deal)).unwrap();
    let mut dice = SplitMix(deal * 64 + u64::from(own_seat.0));
    let mut moves = Vec::new();
    while let Some(seat) = game.turn().seats().lowest() {
        moves.clear();
        game.moves(seat, &mut moves);
        let mv = match player {
            _ if moves.len() == 1 => moves[0].clone(),
            Player::First if seat == own_seat => moves[0].clone(),
            Player::Ismcts(settings) if seat == own_seat => {
                let view = game.view(Eyes::Seat(seat)).value();
                let imagine = |seed| Some(P::imagine(params, &view, seat, seed).unwrap());
                ismcts(seat, &settings, dice.next(), &Budget::unlimited(), imagine).unwrap().mv
            }
            _ => moves[dice.next() as usize % moves.len()].clone(),
        };
        assert!(moves.contains(&mv), "{}: {mv} is not legal", P::ABOUT.id);
        game.play(seat, &mv);
    }
    let outcome = Outcome::of(&game).unwrap();
    let (places, own) = (outcome.places(), outcome.places()[own_seat.index()]);
    if places.len() == 1 {
        return outcome.scores()[0].as_f64();
    }
    let count = |want: fn(&u8, &u8) -> bool| places.iter().filter(|place| want(place, &own)).count() as f64;
    (count(|a, b| a > b) + (count(|a, b| a == b) - 1.0) / 2.0) / (places.len() - 1) as f64
}

/// The mean of some blocks, and half the width of its 95 % confidence interval.
pub fn interval(blocks: &[f64]) -> (f64, f64) {
    let count = blocks.len() as f64;
    let mean = blocks.iter().sum::<f64>() / count;
    let variance = blocks.iter().map(|block| (block - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, 1.96 * (variance / count).sqrt())
}

/// `SplitMix64`, for choices that need no better generator.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
