//! Models of draws between two bots.

use crate::score::elo;
use crate::sprt::bisect;

/// The probabilities of a game's results for the first bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    pub won: f64,
    pub drawn: f64,
    pub lost: f64,
}

/// The model of Davidson: the chance of a draw is proportional to the geometric mean of the chances
/// of a win and a loss. `score` is the expected score, and `equals` is the share of draws between
/// equal bots.
pub fn davidson(score: f64, equals: f64) -> Chances {
    if equals <= 0.0 {
        return Chances { won: score, drawn: 0.0, lost: 1.0 - score };
    }
    let phi = (1.0 - equals) / (2.0 * equals);
    // Solves (4 phi^2 - 1) D^2 + 2 D - 4 p (1 - p) = 0 in a form that also works where the first
    // term vanishes.
    let product = 4.0 * score * (1.0 - score);
    let drawn = product / (1.0 + (1.0 + (4.0 * phi * phi - 1.0) * product).max(0.0).sqrt());
    Chances { won: score - drawn / 2.0, drawn, lost: 1.0 - score - drawn / 2.0 }
}

/// The share of draws between equal bots that explains the number of draws seen. `games` holds
/// expected scores, each with its number of games.
pub fn draw_rate_of_equals(games: &[(f64, f64)], drawn: f64) -> Option<f64> {
    let played: f64 = games.iter().map(|(_, count)| count).sum();
    let explained =
        |equals: f64| games.iter().map(|(score, count)| count * davidson(*score, equals).drawn).sum::<f64>();
    match drawn {
        _ if played == 0.0 => None,
        0.0 => Some(0.0),
        _ if drawn >= explained(1.0) => Some(1.0),
        _ => Some(bisect(0.0, 1.0, |equals| explained(equals) < drawn)),
    }
}

/// The model of Rao and Kupper, as in `BayesElo`: a win needs a lead of `draw_elo`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaoKupper {
    pub elo: f64,
    pub draw_elo: f64,
}

impl RaoKupper {
    pub fn of(Chances { won, lost, .. }: Chances) -> RaoKupper {
        RaoKupper {
            elo: 200.0 * (won / lost * (1.0 - lost) / (1.0 - won)).log10(),
            draw_elo: 200.0 * ((1.0 - lost) / lost * (1.0 - won) / won).log10(),
        }
    }

    pub fn chances(self) -> Chances {
        let chance = |lead: f64| 1.0 / (1.0 + 10_f64.powf((self.draw_elo - lead) / 400.0));
        let (won, lost) = (chance(self.elo), chance(-self.elo));
        Chances { won, drawn: 1.0 - won - lost, lost }
    }

    /// The same difference in plain Elo.
    pub fn plain_elo(self) -> f64 {
        let Chances { won, drawn, .. } = self.chances();
        elo(won + drawn / 2.0)
    }
}
