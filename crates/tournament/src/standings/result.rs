//! The table and everything around it, computed from what was counted.

use super::collector::Collector;
use super::counts::{BotCounts, GameCounts, Pool};
use super::encounters::Counted;
use super::others::{Method, OtherRatings};
use ratings::{Crosstable, Decks, Fit, Meeting, places};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, Write as _};

/// How to make the table.
#[derive(Clone, Debug, Default)]
pub struct TableOptions {
    pub order: OrderBy,
    /// In this order, among those who are still tied.
    pub ties: Vec<TieRule>,
    /// Take all seats as equally good instead of fitting what the first is worth.
    pub equal_seats: bool,
    /// Ratings besides those of the joint fit.
    pub also: Vec<Method>,
    /// Every game of the tournament counts as much as any other in the ratings, however often it was played.
    pub equal_games: bool,
    /// Leave out what grows with the square of the bots: the crosstable and the superiorities.
    pub no_squares: bool,
    /// A bot whose rating is given, and with it those of all who can be compared with that bot.
    pub anchor: Option<Anchor>,
}

/// A bot of known strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    pub bot: String,
    pub elo: f64,
}

impl std::str::FromStr for Anchor {
    type Err = String;

    /// `NAME=ELO`
    fn from_str(text: &str) -> Result<Anchor, String> {
        let wrong = || format!("expected NAME=ELO such as builtin:random=1500, not `{text}`");
        let (bot, elo) = text.rsplit_once('=').ok_or_else(wrong)?;
        let elo = elo.parse().ok().filter(|elo: &f64| elo.abs() <= 1e6).ok_or_else(wrong)?;
        Ok(Anchor { bot: bot.to_owned(), elo })
    }
}

/// What the table is ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OrderBy {
    /// What the tournament's format counts (encounters of a Swiss, rounds of a knockout, Elo in a gauntlet), else
    /// points per game
    #[default]
    Format,
    /// Points per game: fair also when some have played more than others
    Score,
    /// Points, however many games they took
    Points,
    /// Fitted strength
    Elo,
}

/// How bots that are level are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TieRule {
    /// The score in the games among those who are level
    HeadToHead,
    /// Points against each opponent times that opponent's points
    SonnebornBerger,
    /// Games won
    Wins,
    /// The points of all rivals; in a Swiss, the encounters that they have won
    Buchholz,
}

impl From<TieRule> for ratings::TieBreak {
    fn from(rule: TieRule) -> ratings::TieBreak {
        match rule {
            TieRule::HeadToHead => ratings::TieBreak::HeadToHead,
            TieRule::SonnebornBerger => ratings::TieBreak::SonnebornBerger,
            TieRule::Wins => ratings::TieBreak::Wins,
            TieRule::Buchholz => ratings::TieBreak::Buchholz,
        }
    }
}

/// The standings of a tournament, as `standings.json` has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Standings {
    /// The version of this format.
    pub standings: u32,
    /// Games that count.
    pub games: u64,
    /// Games that do not: the arena could not play them.
    pub void: u64,
    /// Sets of games with the same deal or opening and the same bots.
    pub blocks: u64,
    pub order: OrderBy,
    pub ties: Vec<TieRule>,
    /// Every game counts as much as any other in the ratings, however often it was played.
    #[serde(default)]
    pub equal_games: bool,
    /// The bot whose rating was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
    /// The format that the table is ordered by, if it counts anything besides games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Counted>,
    /// How a sequential test stands or has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtResult>,
    /// The best first.
    pub rows: Vec<Row>,
    /// `crosstable[a][b]` is how row a did against row b; null where they have not met. Empty if it was left out.
    pub crosstable: Vec<Vec<Option<CrosstableCell>>>,
    /// `superiority[a][b]` is the probability that row a is stronger than row b; null where nothing can be said. Empty
    /// if it was left out.
    pub superiority: Vec<Vec<Option<f64>>>,
    /// What was played, and what was fitted for each game.
    pub fits: Vec<GameFit>,
    /// Bots that can be compared with each other. More than one group means: no games between them.
    pub groups: Vec<Vec<String>>,
    /// The games alone give somebody an infinite rating, so every bot was given one drawn game against a virtual
    /// bot of average strength.
    pub prior: bool,
    /// The variance of the ratings, divided by what it would be were the games of a block independent; null
    /// where a rating is held.
    pub block_effect: Option<f64>,
    /// One table for each game that is played alone.
    pub solitaire: Vec<SolitaireTable>,
    /// Ratings by other methods, where they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherRatings>,
}

/// A sequential test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SprtResult {
    /// `H0` or `H1` if accepted, else `open`.
    pub verdict: String,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Row {
    /// Shared by those whom no tie-break separates.
    pub place: u32,
    pub bot: String,
    /// Where the format counts by itself: encounters won in a Swiss (drawn ones half, byes whole), rounds survived in a
    /// knockout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format_points: Option<f64>,
    /// In a Swiss: the encounters that all its rivals have won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buchholz: Option<f64>,
    /// 1 for a win and 1/2 for a draw; with more sides, the share of opponents left behind.
    pub points: f64,
    pub played: u64,
    /// Points per game.
    pub score: Option<f64>,
    pub won: u64,
    /// First together with another.
    pub drawn: u64,
    pub lost: u64,
    /// Null without games.
    pub elo: Option<Elo>,
    /// The probability of being stronger than the next row.
    pub superior_to_next: Option<f64>,
    pub sonneborn_berger: f64,
    /// The mean of the game's own points.
    pub game_points: Option<f64>,
    pub void: u64,
    /// How often the bot failed in which way.
    pub faults: BTreeMap<String, u64>,
    pub moves: u64,
    pub mean_move_us: Option<f64>,
}

/// Strength relative to the mean of all in the group, or to the anchor's. The interval is about the mean in any case.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Elo {
    pub elo: f64,
    /// The ends of the 95 % interval.
    pub low: f64,
    pub high: f64,
    /// Too few or too one-sided games: the interval is the model's, and the prior may matter.
    pub held: bool,
}

impl From<ratings::Rating> for Elo {
    fn from(rating: ratings::Rating) -> Elo {
        Elo {
            elo: rating.elo,
            low: rating.elo - rating.error,
            high: rating.elo + rating.error,
            held: rating.held,
        }
    }
}

/// What one did against another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CrosstableCell {
    pub played: u32,
    pub points: f64,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// Of blocks of two games, how many ended LL, LD, WL or DD, WD, WW.
    pub pentanomial: Option<[u32; 5]>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameFit {
    pub game: String,
    pub params: Value,
    pub games: u64,
    /// What sitting first is worth; null where it was not fitted, or where seats were never exchanged.
    pub first_seat: Option<FirstSeat>,
    /// With two sides, the share of draws between equal bots.
    pub draw_rate: Option<f64>,
    /// Where several games are rated: the ratings from this one alone, in the order of the rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<Option<Elo>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FirstSeat {
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// Who scores how much alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SolitaireTable {
    pub game: String,
    pub params: Value,
    /// The best first.
    pub rows: Vec<SolitaireRow>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SolitaireRow {
    pub place: u32,
    pub bot: String,
    pub decks: u64,
    /// The mean score over the decks.
    pub mean: f64,
    /// Half the width of its 95 % interval.
    pub error: Option<f64>,
    /// Compared with the next row, on the decks that both have played.
    pub lead: Option<Lead>,
    pub faults: BTreeMap<String, u64>,
    pub mean_move_us: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Lead {
    /// Decks that both have played.
    pub decks: u64,
    pub mean: f64,
    /// Half the width of its 95 % interval.
    pub error: Option<f64>,
    /// The probability of being better.
    pub superiority: Option<f64>,
}

impl Standings {
    /// What the points of the format are called at the head of a table.
    pub(super) fn format_word(&self) -> Option<&'static str> {
        match self.format? {
            Counted::Swiss => Some("swiss"),
            Counted::Knockout => Some("rounds"),
            Counted::Gauntlet => None,
        }
    }

    /// Leaves only the first rows, of every table.
    pub fn cut(&mut self, rows: usize) {
        self.rows.truncate(rows);
        self.crosstable.truncate(rows);
        self.crosstable.iter_mut().for_each(|row| row.truncate(rows));
        self.superiority.truncate(rows);
        self.superiority.iter_mut().for_each(|row| row.truncate(rows));
        self.fits.iter_mut().for_each(|fit| fit.ratings.truncate(rows));
        self.solitaire.iter_mut().for_each(|table| table.rows.truncate(rows));
        self.others.iter_mut().for_each(|other| other.ratings.truncate(rows));
    }

    /// Writes it as JSON; a text of it all would take more memory than everything else.
    pub fn write_json(&self, to: &mut dyn io::Write) -> io::Result<()> {
        let mut buffer = io::BufWriter::new(to);
        serde_json::to_writer_pretty(&mut buffer, self)?;
        writeln!(buffer)?;
        buffer.flush()
    }
}

impl Collector {
    /// The standings of all games counted so far.
    pub fn standings(&self, options: &TableOptions) -> Standings {
        let bots = self.bots.len();
        let first_seat =
            if options.equal_seats { ratings::FirstSeat::Equal } else { ratings::FirstSeat::Fitted };
        let fit = if options.equal_games {
            Fit::of_equal_pools(&self.games, bots, first_seat)
        } else {
            Fit::of(&self.games, bots, first_seat)
        };
        let meetings = self.games.meetings(bots);
        let format = self.format.filter(|_| options.order == OrderBy::Format);
        let format_points = format.and_then(|format| self.encounters().of(format, bots));
        let buchholz = (format == Some(Counted::Swiss)).then(|| self.encounters().buchholz(bots));
        let order_by = match (options.order, format) {
            (OrderBy::Format, Some(Counted::Gauntlet)) => OrderBy::Elo,
            (OrderBy::Format, None) => OrderBy::Score,
            (order, _) => order,
        };
        let table = self.crosstable(&meetings, buchholz.as_deref());
        let keys = self.keys(order_by, format_points.as_deref(), &table, options, &fit);
        let table = Crosstable { scores: keys, ..table };
        let rules: Vec<ratings::TieBreak> = options.ties.iter().copied().map(Into::into).collect();
        let place = places(&table, &rules);
        let alone = |bot: usize| self.pools.iter().any(|pool| pool.plays_alone(bot));
        let mut order: Vec<usize> =
            (0..bots).filter(|&bot| self.bots[bot].rated.played > 0 || !alone(bot)).collect();
        order.sort_by_key(|&bot| (place[bot], self.among_equals(bot)));
        let shift = |bot: usize| self.shift(options.anchor.as_ref(), &fit, bot);
        let row = |(at, &bot): (usize, &usize)| {
            let next = order.get(at + 1).and_then(|&next| fit.superiority(bot, next));
            let sonneborn_berger = table.value(ratings::TieBreak::SonnebornBerger, bot, &[]);
            Row {
                format_points: format_points.as_ref().map(|points| points[bot]),
                buchholz: buchholz.as_ref().map(|buchholz| buchholz[bot]),
                ..self.row(bot, place[bot] as u32, shift(bot), next, sonneborn_berger)
            }
        };
        let squares = if options.no_squares { &[][..] } else { &order[..] };
        let cells = |&a: &usize| squares.iter().map(|&b| self.cell(a, b, meetings[a][b])).collect();
        let superiority = |a: &usize| squares.iter().map(|&b| fit.superiority(*a, b)).collect();
        let names = |group: &Vec<usize>| group.iter().map(|&bot| self.bots[bot].name.clone()).collect();
        Standings {
            standings: 1,
            games: self.played,
            void: self.void,
            blocks: self.games.blocks(),
            order: order_by,
            ties: options.ties.clone(),
            equal_games: options.equal_games,
            anchor: options.anchor.clone(),
            format,
            sprt: None,
            rows: order.iter().enumerate().map(row).collect(),
            crosstable: squares.iter().map(cells).collect(),
            superiority: squares.iter().map(superiority).collect(),
            fits: self.game_fits(&fit, first_seat, &order),
            groups: fit.groups.iter().map(names).collect(),
            prior: fit.prior,
            block_effect: fit.block_effect,
            solitaire: self.pools.iter().filter_map(|pool| self.solitaire(pool)).collect(),
            others: options.also.iter().map(|&method| OtherRatings::of(method, self, &order)).collect(),
        }
    }

    /// A line of the table, without what the format counts.
    fn row(
        &self,
        bot: usize,
        place: u32,
        rating: Option<ratings::Rating>,
        next: Option<f64>,
        sonneborn_berger: f64,
    ) -> Row {
        let counts = &self.bots[bot];
        let GameCounts { played, won, drawn, lost, points, game_points } = counts.rated;
        Row {
            place,
            bot: counts.name.clone(),
            format_points: None,
            buchholz: None,
            points,
            played,
            score: counts.score(),
            won,
            drawn,
            lost,
            elo: rating.map(Elo::from),
            superior_to_next: next,
            sonneborn_berger,
            game_points: (played > 0).then(|| game_points / played as f64),
            void: counts.void,
            faults: self.faults_of(bot),
            moves: counts.moves,
            mean_move_us: counts.time.mean_us(),
        }
    }

    /// A rating, moved by as much as the anchor's in the same group.
    fn shift(&self, anchor: Option<&Anchor>, fit: &Fit, bot: usize) -> Option<ratings::Rating> {
        let moved = anchor.and_then(|anchor| {
            let number = *self.numbers.get(&anchor.bot)?;
            let group = fit.groups.iter().find(|group| group.contains(&number))?;
            let known = group.contains(&bot).then_some(fit.ratings[number]?)?;
            Some(anchor.elo - known.elo)
        });
        let rating = fit.ratings[bot]?;
        Some(ratings::Rating { elo: rating.elo + moved.unwrap_or(0.0), ..rating })
    }

    /// Who shares a place stands in the order of the config, or of the names.
    fn among_equals(&self, bot: usize) -> (usize, &str) {
        (bot.min(self.listed), &self.bots[bot].name)
    }

    fn crosstable(&self, meetings: &[Vec<Meeting>], buchholz: Option<&[f64]>) -> Crosstable {
        let cell = |met: &Meeting| (f64::from(met.played), met.points());
        let rivals = |bot: usize| {
            let met = meetings[bot].iter().zip(&self.bots).filter(|(met, _)| met.played > 0);
            met.map(|(_, rival)| rival.rated.points).sum()
        };
        Crosstable {
            cells: meetings.iter().map(|row| row.iter().map(cell).collect()).collect(),
            scores: Vec::new(),
            points: self.bots.iter().map(|bot| bot.rated.points).collect(),
            buchholz: buchholz.map_or_else(|| (0..self.bots.len()).map(rivals).collect(), <[f64]>::to_vec),
            wins: self.bots.iter().map(|bot| bot.rated.won as f64).collect(),
        }
    }

    /// What the table is ordered by, before any tie is broken.
    fn keys(
        &self,
        order: OrderBy,
        format_points: Option<&[f64]>,
        table: &Crosstable,
        options: &TableOptions,
        fit: &Fit,
    ) -> Vec<f64> {
        let all = 0..self.bots.len();
        let score = |bot: usize| self.bots[bot].score().unwrap_or(-1.0);
        // Like the points of the format it is about encounters, so it comes before the games are looked at.
        let by_rivals = options.ties.contains(&TieRule::Buchholz);
        let by_format = |bot: usize| {
            let rivals = if by_rivals { table.buchholz[bot] } else { 0.0 };
            (format_points.map_or(0.0, |points| points[bot]), rivals, score(bot))
        };
        let key = |bot: usize| match order {
            // Its place from the bottom: first what the format counts, then the games.
            OrderBy::Format => all.clone().filter(|&other| by_format(other) < by_format(bot)).count() as f64,
            OrderBy::Score => score(bot),
            OrderBy::Points => self.bots[bot].rated.points,
            OrderBy::Elo => fit.ratings[bot].map_or(f64::MIN, |rating| rating.elo),
        };
        all.clone().map(key).collect()
    }

    /// What was played; with several games that are rated, the ratings from each of them alone.
    fn game_fits(&self, fit: &Fit, first_seat: ratings::FirstSeat, order: &[usize]) -> Vec<GameFit> {
        let rated = |pool: &Pool| pool.decks.is_none() && pool.played > 0;
        let several = self.pools.iter().filter(|pool| rated(pool)).count() > 1;
        let of_pool = |(at, pool): (usize, &Pool)| {
            let ratings = if several && rated(pool) {
                let alone = Fit::of_pool(&self.games, self.bots.len(), first_seat, at);
                order.iter().map(|&bot| alone.ratings[bot].map(Elo::from)).collect()
            } else {
                Vec::new()
            };
            GameFit { ratings, ..pool.fit(fit.pools.get(at)) }
        };
        self.pools.iter().enumerate().map(of_pool).collect()
    }

    fn cell(&self, a: usize, b: usize, met: Meeting) -> Option<CrosstableCell> {
        (met.played > 0).then(|| CrosstableCell {
            played: met.played,
            points: met.points(),
            won: met.won,
            drawn: met.drawn,
            lost: met.played - met.won - met.drawn,
            pentanomial: self.games.pentanomial(a, b),
        })
    }

    fn solitaire(&self, pool: &Pool) -> Option<SolitaireTable> {
        let decks = pool.decks.as_ref().filter(|_| pool.played > 0)?;
        let mut ranked: Vec<(usize, ratings::Mean)> =
            (0..self.bots.len()).filter_map(|bot| Some((bot, decks.mean(bot)?))).collect();
        ranked.sort_by(|(a, x), (b, y)| {
            y.mean.total_cmp(&x.mean).then_with(|| self.among_equals(*a).cmp(&self.among_equals(*b)))
        });
        let row = |(at, (bot, mean)): (usize, &(usize, ratings::Mean))| {
            let better = ranked.iter().filter(|(_, other)| other.mean > mean.mean + 1e-12).count();
            SolitaireRow {
                place: better as u32 + 1,
                bot: self.bots[*bot].name.clone(),
                decks: mean.decks,
                mean: mean.mean,
                error: mean.error(),
                lead: ranked.get(at + 1).and_then(|(next, _)| lead(decks, *bot, *next)),
                faults: pool.conduct.get(bot).map_or_else(BTreeMap::new, |conduct| conduct.faults.clone()),
                mean_move_us: pool.conduct.get(bot).and_then(|conduct| conduct.time.mean_us()),
            }
        };
        let rows = ranked.iter().enumerate().map(row).collect();
        Some(SolitaireTable { game: pool.game.clone(), params: pool.params.clone(), rows })
    }
}

fn lead(decks: &Decks, bot: usize, next: usize) -> Option<Lead> {
    let lead = decks.difference(bot, next)?;
    Some(Lead { decks: lead.decks, mean: lead.mean, error: lead.error(), superiority: lead.superiority() })
}

impl BotCounts {
    fn score(&self) -> Option<f64> {
        (self.rated.played > 0).then(|| self.rated.points / self.rated.played as f64)
    }
}

impl Pool {
    fn plays_alone(&self, bot: usize) -> bool {
        self.decks.as_ref().is_some_and(|decks| decks.mean(bot).is_some())
    }

    fn fit(&self, fit: Option<&ratings::PoolFit>) -> GameFit {
        let fit = fit.copied().unwrap_or_default();
        GameFit {
            game: self.game.clone(),
            params: self.params.clone(),
            games: self.played,
            first_seat: fit.first_seat.map(|(elo, error)| FirstSeat { elo, error }),
            draw_rate: fit.draw_rate,
            ratings: Vec::new(),
        }
    }
}
