//! What a report tells about a tournament, gathered from its journals in one pass.

use crate::quantiles::TimeCounts;
use referee::record::Record;
use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;
use text::Ticker;
use tournament::standings::{self, Collector, Filter, GatherError, Standings, Summary, TableOptions};

/// The most points of a line that shows how ratings change.
const CHECKPOINTS: u64 = 24;
/// With more bots, the ratings would have to be computed too often.
const MOST_FOLLOWED: usize = 100;

/// Everything that a report shows besides the boards.
pub struct Gathered {
    pub standings: Standings,
    /// In the order of the journals.
    pub games: Vec<GameRow>,
    /// Names of bots. A game names a bot by its number here.
    pub bots: Vec<String>,
    /// Names of games with the parameters that differ between them. A game names its kind by the
    /// number here.
    pub kinds: Vec<GameKind>,
    /// Time for each move, by the number of the bot.
    pub times: Vec<TimeCounts>,
    pub progress: Vec<Checkpoint>,
}

/// A game with one set of parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct GameKind {
    pub game: String,
    pub params: Value,
}

/// One game of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRow {
    pub match_id: String,
    pub kind: usize,
    /// By seat.
    pub bots: Vec<usize>,
    pub places: Vec<u8>,
    pub reason: String,
    pub plies: usize,
    pub round: Option<u32>,
    /// Seat and cause.
    pub faults: Vec<(u8, String)>,
    pub is_void: bool,
}

/// The ratings after some of the games.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    pub games: u64,
    /// By the number of the bot.
    pub elo: Vec<Option<f64>>,
}

impl Gathered {
    /// Reads journals and files of records. A game that is in several files counts once.
    pub fn read(files: &[PathBuf], ticker: &Ticker) -> Result<(Gathered, Summary), GatherError> {
        ticker.begin("reading games");
        let mut list = GameList::default();
        let mut collector = Collector::default();
        let summary = standings::gather_each(files, &Filter::default(), &mut collector, &mut |record, _| {
            list.add(record);
        })?;
        let options = table_options(&summary);
        let standings = Standings { sprt: summary.sprt.clone(), ..collector.standings(&options) };
        let GameList { games, bots, kinds, times, .. } = list;
        ticker.begin("computing ratings");
        ticker.expect("games", summary.games as usize);
        let progress = progress(files, &summary, &options, &bots, ticker)?;
        Ok((Gathered { standings, games, bots, kinds, times, progress }, summary))
    }

    /// The names of all kinds, with the parameters in which kinds of one game differ.
    pub fn kind_names(&self) -> Vec<String> {
        let name = |GameKind { game, params }: &GameKind| {
            let differs = |name: &str| {
                let mut same = self.kinds.iter().filter(|other| other.game == *game);
                same.any(|other| other.params[name] != params[name])
            };
            let words = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let told = params.as_object().into_iter().flatten().filter(|(name, _)| differs(name));
            let told: Vec<String> = told.map(|(name, value)| format!("{name}={}", words(value))).collect();
            if told.is_empty() { game.clone() } else { format!("{game}?{}", told.join("&")) }
        };
        self.kinds.iter().map(name).collect()
    }

    /// Numbers of bots, the best bot first.
    pub fn ranking(&self) -> Vec<usize> {
        let number = |name: &String| self.bots.iter().position(|bot| bot == name);
        let mut ranking: Vec<usize> = self.standings.rows.iter().filter_map(|row| number(&row.bot)).collect();
        for table in &self.standings.solitaire {
            for at in table.rows.iter().filter_map(|row| number(&row.bot)) {
                if !ranking.contains(&at) {
                    ranking.push(at);
                }
            }
        }
        ranking
    }
}

fn table_options(summary: &Summary) -> TableOptions {
    TableOptions {
        ties: summary.ties.clone(),
        anchor: summary.anchor.clone(),
        equal_games: summary.is_one_tournament(),
        ..TableOptions::default()
    }
}

/// Ratings after equal parts of the games.
fn progress(
    files: &[PathBuf],
    summary: &Summary,
    options: &TableOptions,
    bots: &[String],
    ticker: &Ticker,
) -> Result<Vec<Checkpoint>, GatherError> {
    let mut found = Vec::new();
    if bots.len() < 2 || bots.len() > MOST_FOLLOWED || summary.games < 4 {
        return Ok(found);
    }
    let step = summary.games.div_ceil(CHECKPOINTS).max(1);
    let options = TableOptions { no_squares: true, ..options.clone() };
    let mut count = 0;
    let mut collector = Collector::default();
    standings::gather_each(files, &Filter::default(), &mut collector, &mut |_, collector| {
        count += 1;
        ticker.tick();
        // A journal that is being written has more games by now.
        if count > summary.games {
            return;
        }
        if count % step == 0 || count == summary.games {
            let standings = collector.standings(&options);
            let elo = |bot: &String| {
                let row = standings.rows.iter().find(|row| row.bot == *bot)?;
                row.elo.map(|rating| rating.elo)
            };
            found.push(Checkpoint { games: count, elo: bots.iter().map(elo).collect() });
        }
    })?;
    Ok(found)
}

/// Collects the rows of games, and gives numbers to names.
#[derive(Default)]
struct GameList {
    games: Vec<GameRow>,
    bots: Vec<String>,
    bot_numbers: HashMap<String, usize>,
    kinds: Vec<GameKind>,
    times: Vec<TimeCounts>,
}

impl GameList {
    fn add(&mut self, record: &Record) {
        let bots: Vec<usize> = record.bots.iter().map(|bot| self.bot(bot)).collect();
        let kind = self.kind(record);
        for (played, &micros) in record.moves.iter().zip(&record.times.moves_us) {
            if let Some(&bot) = bots.get(played.seat as usize)
                && !played.opening
                && !played.substitute
            {
                self.times[bot].add(micros);
            }
        }
        self.games.push(GameRow {
            match_id: record.match_id.clone(),
            kind,
            bots,
            places: record.result.places.clone(),
            reason: record.result.ending.reason().to_owned(),
            plies: record.moves.len(),
            round: record.round,
            faults: record.faults.iter().map(|fault| (fault.seat, fault.fault.code.to_string())).collect(),
            is_void: record.result.is_void(),
        });
    }

    fn bot(&mut self, name: &str) -> usize {
        if let Some(&number) = self.bot_numbers.get(name) {
            return number;
        }
        let number = self.bots.len();
        self.bots.push(name.to_owned());
        self.bot_numbers.insert(name.to_owned(), number);
        self.times.push(TimeCounts::default());
        number
    }

    fn kind(&mut self, record: &Record) -> usize {
        let is_same = |kind: &GameKind| kind.game == record.game && kind.params == *record.params;
        self.kinds.iter().position(is_same).unwrap_or_else(|| {
            self.kinds.push(GameKind { game: record.game.clone(), params: (*record.params).clone() });
            self.kinds.len() - 1
        })
    }
}
