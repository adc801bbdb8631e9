//! The standings, computed from the counts.

use super::collector::Collector;
use super::counts::{BotCounts, GameCounts, Pool};
use super::encounters::Counted;
use super::others::{Method, OtherRatings};
use crate::elo_gap::test_words;
use crate::paired::NoElo;
use ratings::{Crosstable, Decks, Fit, Meeting, Sprt, Verdict, places};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, Write as _};

/// How to make the table.
#[derive(Clone, Debug, Default)]
pub struct TableOptions {
    pub order: OrderBy,
    /// The tie-breaks, in the order in which they are applied.
    pub ties: Vec<TieRule>,
    /// Treat all seats as equal, instead of fitting the advantage of the first seat.
    pub equal_seats: bool,
    /// Further methods of rating, besides the joint fit.
    pub also: Vec<Method>,
    /// Give every game of the tournament the same weight in the ratings, however often it was
    /// played.
    pub equal_games: bool,
    /// Leave out the crosstable and the superiorities, which grow with the square of the number of
    /// bots.
    pub no_squares: bool,
    /// A bot whose rating is fixed. All bots that can be compared with this bot are rated relative
    /// to it.
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

/// The order of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OrderBy {
    /// What the format counts (encounters of a Swiss, rounds of a knockout, Elo in a gauntlet), or
    /// points per game
    #[default]
    Format,
    /// Points per game, which is fair even if some bots have played more games than others
    Score,
    /// Points, whatever the number of games
    Points,
    /// Strength, from the joint fit
    Elo,
}

/// How bots with equal results are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TieRule {
    /// The score in the games among the tied bots
    HeadToHead,
    /// Points against each opponent times that opponent's points
    SonnebornBerger,
    /// Games won
    Wins,
    /// The points of all opponents; in a Swiss, the encounters that they have won
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
    /// Games that do not count, because the arena could not play them.
    pub void: u64,
    /// Sets of games with the same deal or opening and the same bots.
    pub blocks: u64,
    pub order: OrderBy,
    pub ties: Vec<TieRule>,
    /// Every game has the same weight in the ratings, however often it was played.
    #[serde(default)]
    pub equal_games: bool,
    /// The bot whose rating is fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
    /// The format that the table is ordered by, if the format counts anything besides games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Counted>,
    /// The state of a sequential test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtResult>,
    /// One row for each bot, the best bot first.
    pub rows: Vec<Row>,
    /// `crosstable[a][b]` is the result of row a against row b. Null if they have not met. Empty if
    /// the crosstable was left out.
    pub crosstable: Vec<Vec<Option<CrosstableCell>>>,
    /// `superiority[a][b]` is the probability that row a is stronger than row b. Null if nothing is
    /// known. Empty if it was left out.
    pub superiority: Vec<Vec<Option<f64>>>,
    /// What was fitted for each game.
    pub fits: Vec<GameFit>,
    /// Groups of bots that can be compared with each other. There are no games between two groups.
    pub groups: Vec<Vec<String>>,
    /// The games alone would give a bot an infinite rating, so every bot got one drawn game against
    /// a virtual bot of average strength.
    pub prior: bool,
    /// The variance of the ratings, divided by the variance if the games of a block were
    /// independent. Null if a rating is held.
    pub block_effect: Option<f64>,
    /// The number of deals, if there are several and all of them have the same moves. Such deals
    /// prove no more than one deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated_deals: Option<u64>,
    /// One table for each game for one.
    pub solitaire: Vec<SolitaireTable>,
    /// Ratings by other methods, if requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherRatings>,
}

/// A sequential test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SprtResult {
    /// `H0` or `H1` if that hypothesis was accepted, `open` if neither was, and `none` if the games
    /// say nothing about strength.
    pub verdict: String,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// The verdict in words, or why there is none.
    #[serde(default)]
    pub words: String,
}

impl SprtResult {
    /// `no_elo` says why the games prove nothing, if there is a reason.
    pub fn new(test: &Sprt, (llr, verdict): (f64, Verdict), no_elo: Option<NoElo>) -> SprtResult {
        let word = match no_elo {
            None | Some(NoElo::NoGames) => verdict.word(),
            Some(NoElo::Repeated | NoElo::Faults) => "none",
        };
        SprtResult { verdict: word.to_owned(), llr, words: test_words(test, verdict, no_elo) }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Row {
    /// Bots that no tie-break separates share a place.
    pub place: u32,
    pub bot: String,
    /// What the format counts: encounters won in a Swiss (a drawn encounter counts half, a bye
    /// whole), rounds survived in a knockout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format_points: Option<f64>,
    /// In a Swiss: the encounters that all opponents of the bot have won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buchholz: Option<f64>,
    /// 1 for a win and 1/2 for a draw. With more than two sides, the share of opponents left
    /// behind.
    pub points: f64,
    pub played: u64,
    /// Points per game.
    pub score: Option<f64>,
    pub won: u64,
    /// Games in which the bot shared first place.
    pub drawn: u64,
    pub lost: u64,
    /// The rating. Null without games.
    pub elo: Option<Elo>,
    /// The probability that this bot is stronger than the bot of the next row.
    pub superior_to_next: Option<f64>,
    pub sonneborn_berger: f64,
    /// The mean of the game's own points.
    pub game_points: Option<f64>,
    pub void: u64,
    /// The number of faults of each kind.
    pub faults: BTreeMap<String, u64>,
    pub moves: u64,
    pub mean_move_us: Option<f64>,
}

/// Strength relative to the mean of the group, or to the anchor. The width of the interval always
/// refers to the mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Elo {
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end of the 95 % interval.
    pub high: f64,
    /// The games were too few or too one-sided: the interval comes from the model, and the prior
    /// may matter.
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

/// The result of one bot against another bot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CrosstableCell {
    pub played: u32,
    pub points: f64,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// For blocks of two games: how many ended LL, LD, WL or DD, WD, WW.
    pub pentanomial: Option<[u32; 5]>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameFit {
    pub game: String,
    pub params: Value,
    pub games: u64,
    /// The advantage of the first seat. Null if it was not fitted, if seats were never exchanged,
    /// or if faults ended all games.
    pub first_seat: Option<FirstSeat>,
    /// With two sides: the share of draws between equal bots.
    pub draw_rate: Option<f64>,
    /// If several games are rated: the ratings from this game alone, in the order of the rows.
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

/// The scores in a game for one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SolitaireTable {
    pub game: String,
    pub params: Value,
    /// One row for each bot, the best bot first.
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
    /// The lead on the next row.
    pub lead: Option<Lead>,
    pub faults: BTreeMap<String, u64>,
    pub mean_move_us: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Lead {
    /// The decks on which the two bots were compared. 0 if they share at most one deck: then the
    /// lead is the difference of their means.
    pub decks: u64,
    pub mean: f64,
    /// Half the width of its 95 % interval.
    pub error: Option<f64>,
    /// The probability that this bot is better than the next.
    pub superiority: Option<f64>,
}

impl Standings {
    /// The heading of the column with the points of the format.
    pub fn format_word(&self) -> Option<&'static str> {
        match self.format? {
            Counted::Swiss => Some("swiss"),
            Counted::Knockout => Some("rounds"),
            Counted::Gauntlet => None,
        }
    }

    /// Keeps only the first rows of every table.
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

    /// Writes the standings as JSON, piece by piece. The whole text would take more memory than
    /// everything else.
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
            repeated_deals: self.repeats.deals().filter(|_| self.pools.iter().any(|pool| pool.finished > 0)),
            solitaire: self.pools.iter().filter_map(|pool| self.solitaire(pool)).collect(),
            others: options.also.iter().map(|&method| OtherRatings::of(method, self, &order)).collect(),
        }
    }

    /// A row of the table, without the points of the format.
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

    /// The rating of a bot, shifted so that the anchor of its group has the fixed rating.
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

    /// The order of bots that share a place: the order of the config, then of the names.
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

    /// The value that orders the table, before any tie-break.
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
        // Buchholz is about encounters, like the points of the format, so it comes before the score
        // of the games.
        let by_rivals = options.ties.contains(&TieRule::Buchholz);
        let by_format = |bot: usize| {
            let rivals = if by_rivals { table.buchholz[bot] } else { 0.0 };
            (format_points.map_or(0.0, |points| points[bot]), rivals, score(bot))
        };
        let key = |bot: usize| match order {
            // The number of bots below: compared by the points of the format first, then by the
            // games.
            OrderBy::Format => all.clone().filter(|&other| by_format(other) < by_format(bot)).count() as f64,
            OrderBy::Score => score(bot),
            OrderBy::Points => self.bots[bot].rated.points,
            OrderBy::Elo => fit.ratings[bot].map_or(f64::MIN, |rating| rating.elo),
        };
        all.clone().map(key).collect()
    }

    /// What was fitted for each game. If several games are rated, with the ratings from each game
    /// alone.
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
            first_seat: fit
                .first_seat
                .filter(|_| self.finished > 0)
                .map(|(elo, error)| FirstSeat { elo, error }),
            draw_rate: fit.draw_rate,
            ratings: Vec::new(),
        }
    }
}
