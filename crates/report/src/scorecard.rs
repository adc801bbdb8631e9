//! How well each bot has kept what it had, where the values of all moves are known.

use crate::gathered::Gathered;
use maud::{Markup, html};
use referee::record::Record;
use text::harmless;
use web::GameValues;

/// The most mistakes of a bot that the page links to.
const MOST_LINKS: usize = 5;

/// The scorecards of all bots, by the number of the bot.
pub struct Scorecard {
    bots: Vec<BotCard>,
}

/// What a bot did in positions where some moves are worse than others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotCard {
    /// Positions where the choice of the move mattered.
    pub choices: u64,
    /// Moves that kept the value of the position.
    pub best: u64,
    /// Moves from a won position to a position that is no longer won.
    pub wins_lost: u64,
    /// Moves from a drawn position to a lost position.
    pub draws_lost: u64,
    /// The first mistakes: the number of the game, and the number of moves before the mistake.
    pub where_lost: Vec<(usize, usize)>,
}

impl Scorecard {
    pub fn new(bots: usize) -> Scorecard {
        Scorecard { bots: vec![BotCard::default(); bots] }
    }

    pub fn of(&self, bot: usize) -> &BotCard {
        &self.bots[bot]
    }

    /// Counts the moves of a game. The numbers of the bots are by seat.
    pub fn add(&mut self, game: usize, bots: &[usize], record: &Record, values: &GameValues) {
        for (ply, (played, known)) in record.moves.iter().zip(values).enumerate() {
            let Some(known) = known else { continue };
            let Some(card) = bots.get(played.seat as usize).and_then(|&bot| self.bots.get_mut(bot)) else {
                continue;
            };
            let Some(kept) = known.iter().find(|known| known.mv == played.mv).map(|known| known.value) else {
                continue;
            };
            let best = known.iter().map(|known| known.value).max().unwrap_or(kept);
            if known.iter().all(|known| known.value == best) {
                continue;
            }
            card.choices += 1;
            match (best, kept) {
                _ if kept == best => card.best += 1,
                (1, _) => card.wins_lost += 1,
                _ => card.draws_lost += 1,
            }
            if kept < best && card.where_lost.len() < MOST_LINKS {
                card.where_lost.push((game, ply));
            }
        }
    }

    /// Nothing where no value is known.
    pub(crate) fn section(&self, gathered: &Gathered) -> Markup {
        let ranking = gathered.ranking();
        let known: Vec<usize> = ranking.into_iter().filter(|&bot| self.bots[bot].choices > 0).collect();
        if known.is_empty() {
            return html! {};
        }
        html! {
            section #scorecard {
                h2 { "Won and thrown away" }
                p.note { "Only positions count where the value of every move is proven, and where some moves are worse \
                    than others." }
                div.wide {
                    table.sortable {
                        thead { tr {
                            th scope="col" { "bot" }
                            th.number scope="col" { "choices" }
                            th.number scope="col" { "best move" }
                            th.number scope="col" { "wins thrown away" }
                            th.number scope="col" { "draws thrown away" }
                            th scope="col" { "where" }
                        } }
                        tbody { @for bot in known { (row(&gathered.bots[bot], &self.bots[bot], gathered)) } }
                    }
                }
            }
        }
    }
}

fn row(name: &str, card: &BotCard, gathered: &Gathered) -> Markup {
    let percent = 100.0 * card.best as f64 / card.choices as f64;
    html! {
        tr {
            th scope="row" { (harmless::line(name)) }
            td.number { (card.choices) }
            td.number { (format!("{percent:.0} %")) }
            td.number { (card.wins_lost) }
            td.number { (card.draws_lost) }
            td {
                @for (game, ply) in &card.where_lost {
                    a href=(format!("#game={game}.{ply}")) {
                        (harmless::line(&gathered.games[*game].match_id)) ", move " (ply + 1)
                    }
                    " "
                }
            }
        }
    }
}
