//! Plays a tournament to its end, from the last game of its journal on.

use super::config::{TRANSCRIPTS, Tournament};
use super::count::RunningCount;
use super::discipline::Discipline;
use super::failure_file;
use super::fingerprint::{Snapshot, fingerprint};
use super::formats::{self, Director, expected_games};
use super::journal::{
    self, BotEntry, Claim, FORMAT, Journal, JournalEnd, JournalError, JournalHeader, Waiting,
};
use super::progress::Progress;
use super::roster::{RosterChange, RosterWish};
use super::schedule::{Cursor, Shard, Slot, Stage, match_id};
use super::seed_file::{check_seed, seed_of};
use super::series::Series;
use super::sprt::RunningTest;
use super::stage_games::StageGames;
use super::stop::Stop;
use super::venue::Venue;
use referee::game;
use referee::record::Record;
use referee::runner::BotId;
use referee::seeds::{RootSeed, commitment};
use referee::transcript;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::Screen;

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{0}")]
    Refused(String),
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The other machines can't be reached, or somebody else plays there.
    #[error("{0}")]
    Venue(String),
}

/// How to run a tournament, besides what the config says.
pub struct RunOptions {
    pub shard: Shard,
    /// Begin again, and keep the old journal under another name.
    pub fresh: bool,
    /// Refuse to begin a new journal.
    pub resume: bool,
    /// Workers whose games are played again.
    pub without: Vec<String>,
    /// Late entries and withdrawals from the next round on.
    pub roster: RosterWish,
    /// Where the progress is shown.
    pub screen: Option<&'static dyn Screen>,
}

/// How a run ended.
pub struct RunOutcome {
    pub count: RunningCount,
    pub seed: RootSeed,
    pub journal: PathBuf,
    /// False if the run was interrupted.
    pub finished: bool,
    pub closing_words: Option<String>,
    /// The names of bots whose files changed while they played.
    pub changed: Vec<String>,
}

/// Plays all games that are not in the journal yet.
pub fn play(
    tournament: &mut Tournament,
    options: &RunOptions,
    venue: &mut dyn Venue,
    stop: &Stop,
) -> Result<RunOutcome, RunError> {
    if options.shard.parts > 1 && tournament.format.depends_on_results() {
        let word = tournament.format.word();
        return Err(RunError::Refused(format!(
            "{word} can't be sharded, because the next games depend on all results; leave out --shard"
        )));
    }
    let path = tournament.results.join(journal::file_name(options.shard));
    if options.resume && !path.exists() {
        return Err(RunError::Refused(format!(
            "there is nothing to resume: {} does not exist; leave out --resume to begin",
            path.display()
        )));
    }
    let mut claim = Claim::of(&path)?;
    if !options.roster.is_empty() && !journal::has_begun(&path) {
        let problem =
            "--add and --withdraw are for a tournament that has begun; change the list of bots instead";
        return Err(RunError::Refused(problem.to_owned()));
    }
    check_seed(tournament, options.shard)?;
    if options.fresh {
        claim.check_neighbours()?;
        claim = claim.put_aside(|| remove_remains(&path, options.shard))?;
    }
    let seed = seed_of(tournament, &path)?;
    let header = header(tournament, seed, options.shard);
    if !options.without.is_empty() {
        claim = drop_games(claim, &path, &header, options)?;
    }
    let journal = Journal::open(claim, &header)?;
    let change = enrol(tournament, &path, options)?;
    let tournament = &*tournament;
    if let Some(folder) = &tournament.transcripts {
        transcript::make_folder(folder).map_err(|error| RunError::Io(folder.clone(), error))?;
    }
    let before = Snapshot::of(&tournament.series.bots);
    let (waiting, known) =
        Waiting::open(&path, &header).map_err(|error| RunError::Io(path.clone(), error))?;
    let expected = expected_games(tournament).0 / options.shard.parts;
    let progress = Progress::new(options.screen, expected, &header.seed_commitment);
    tournament.note().iter().for_each(|note| progress.say(note));
    venue.open(tournament, &header, seed)?;
    let mut run = Run {
        tournament,
        seed,
        shard: options.shard,
        stop,
        journal,
        change,
        waiting,
        known,
        count: RunningCount::new(tournament),
        discipline: Arc::new(Discipline::new(tournament)),
        progress,
        trouble: None,
    };
    let played = run.play_stages(venue);
    venue.close(matches!(played, Ok((true, _))));
    let (finished, director) = played?;
    if finished {
        run.close()?;
    }
    run.journal.check_whole()?;
    let closing_words = director.closing_words(tournament).filter(|_| finished);
    let changed = before.changed(&tournament.series.bots);
    Ok(RunOutcome { count: run.count, seed, journal: path, finished, closing_words, changed })
}

/// Keeps the old journal under another name, and all its games for the new one, besides those that
/// these workers have played.
fn drop_games(
    claim: Claim,
    path: &Path,
    header: &JournalHeader,
    options: &RunOptions,
) -> Result<Claim, RunError> {
    let io = |error| RunError::Io(path.to_owned(), error);
    let workers = &options.without;
    let is_theirs = |record: &Record| record.times.worker.as_ref().is_some_and(|name| workers.contains(name));
    if !path.exists() || !journal::readable_games(path).any(|record| is_theirs(&record)) {
        let problem = format!("{} has no game of {}", path.display(), workers.join(", "));
        return Err(RunError::Refused(problem));
    }
    if !journal::roster_changes(path).map_err(io)?.0.is_empty() || options.shard != Shard::WHOLE {
        let problem = "--without works neither after late entries or withdrawals, nor with --shard";
        return Err(RunError::Refused(problem.to_owned()));
    }
    drop(Journal::open(claim, header)?); // it is the journal of this very tournament
    let claim = Claim::of(path)?;
    let mut games = journal::readable_games(path).peekable();
    let (mut waiting, _) = Waiting::open(path, header).map_err(io)?;
    while games.peek().is_some() {
        let some: Vec<Record> = games.by_ref().take(1_000).filter(|record| !is_theirs(record)).collect();
        waiting.add(&some).map_err(io)?;
    }
    Ok(claim.put_aside(|| Ok(()))?)
}

/// Applies the late entries and withdrawals of the journal, and those of this run. Returns the
/// change that the journal does not have yet.
fn enrol(
    tournament: &mut Tournament,
    journal: &Path,
    options: &RunOptions,
) -> Result<Option<RosterChange>, RunError> {
    let io = |error| RunError::Io(journal.to_owned(), error);
    let (changes, last_round) = journal::roster_changes(journal).map_err(io)?;
    for change in &changes {
        tournament.change(change).map_err(RunError::Refused)?;
        for entry in &change.add {
            let bot = tournament.series.bots.iter().find(|bot| bot.name == entry.name);
            if bot.is_some_and(|bot| fingerprint(&bot.spec) != entry.sha256) {
                return Err(RunError::Refused(format!(
                    "the files of the bot `{}` have changed since it entered; restore them, or begin again with --fresh",
                    entry.name
                )));
            }
        }
    }
    if options.roster.is_empty() {
        return Ok(None);
    }
    if options.shard.parts > 1 {
        return Err(RunError::Refused("--add and --withdraw do not work with --shard".to_owned()));
    }
    let change =
        options.roster.granted_from(last_round + 1, &tournament.sandbox).map_err(RunError::Refused)?;
    tournament.change(&change).map_err(RunError::Refused)?;
    Ok(Some(change))
}

struct Run<'a> {
    tournament: &'a Tournament,
    seed: RootSeed,
    shard: Shard,
    stop: &'a Stop,
    journal: Journal,
    /// The journal gets this change before the next game.
    change: Option<RosterChange>,
    waiting: Waiting,
    /// Games of an earlier run that the journal does not have yet, by id.
    known: HashMap<String, Record>,
    count: RunningCount,
    discipline: Arc<Discipline>,
    progress: Progress,
    /// Why the journal could not be written.
    trouble: Option<RunError>,
}

impl Run<'_> {
    /// Plays all stages. True if the last game has been played.
    fn play_stages(&mut self, venue: &mut dyn Venue) -> Result<(bool, Director), RunError> {
        let mut director = formats::director(self.tournament);
        let (mut games, mut deals) = (0, 0);
        while let Some(stage) = director.next(self.tournament, self.count.collector.encounters()) {
            let stage = Stage { games_before: games, first_deal: deals, ..stage };
            games += stage.games(self.series());
            deals += stage.deals;
            let cursor = self.replay(&stage)?;
            if !self.play_rest(&stage, cursor, venue)? {
                return Ok((false, director));
            }
        }
        if let Some(extra) = self.journal.next_old()? {
            let problem = format!("the journal has match {}, which is not in the schedule", extra.match_id);
            return Err(RunError::Refused(problem));
        }
        Ok((true, director))
    }

    /// Counts the games that the journal already has, and returns the place of the next game.
    fn replay(&mut self, stage: &Stage) -> Result<Cursor, RunError> {
        let mut cursor = Cursor::new(self.shard);
        loop {
            let here = cursor;
            if self.count.decided() {
                return Ok(here);
            }
            let Some(slot) = cursor.next(self.series(), stage) else { return Ok(here) };
            let Some(record) = self.journal.next_old()? else { return Ok(here) };
            compare(&record, slot.number, &stage.names(self.series(), &slot))?;
            self.waiting.done(&record.match_id).map_err(|error| self.io(error))?;
            self.discipline.add(&stage.seating(self.series(), &slot), &record);
            self.count.add(&self.tournament.series, stage, &slot, &record);
        }
    }

    fn series(&self) -> &Series {
        &self.tournament.series
    }

    /// The error for a file that could not be written. If somebody has removed or replaced the
    /// journal, that is the reason, and the journal is rescued.
    fn io(&mut self, error: io::Error) -> RunError {
        match self.journal.check_place() {
            Err(lost) => RunError::Journal(lost),
            Ok(()) => RunError::Io(self.tournament.results.clone(), error),
        }
    }

    /// Plays the rest of a stage. False if the run was interrupted.
    fn play_rest(&mut self, stage: &Stage, cursor: Cursor, venue: &mut dyn Venue) -> Result<bool, RunError> {
        let mut ahead = cursor;
        if self.count.decided() || ahead.next(self.series(), stage).is_none() {
            return Ok(true);
        }
        if self.journal.torn > 0 {
            self.progress.say(&format!("cut off {} bytes of an unfinished line", self.journal.torn));
            self.journal.torn = 0;
        }
        if let Some(change) = self.change.take() {
            self.journal.note_change(&change)?;
        }
        let tournament = self.tournament;
        let mut games = StageGames::new(&tournament.series, stage, self.seed, cursor);
        games.stop = self.stop.clone();
        games.known = std::mem::take(&mut self.known);
        games.discipline = Some(Arc::clone(&self.discipline));
        let mut counted = cursor;
        let result = venue.play(tournament, &games, &mut |records, early| {
            self.keep(stage, &mut counted, records);
            self.set_apart(early);
            if self.count.decided() || self.trouble.is_some() {
                games.over.set();
            }
        });
        self.known = games.known;
        result.map_err(|error| match error {
            RunError::Io(_, error) => self.io(error),
            other => other,
        })?;
        match self.trouble.take() {
            Some(error) => Err(error),
            None => Ok(self.count.decided() || counted.next(self.series(), stage).is_none()),
        }
    }

    /// Writes games to the disk, then counts them.
    fn keep(&mut self, stage: &Stage, counted: &mut Cursor, mut records: Vec<Record>) {
        let mut slots: Vec<Slot> = Vec::with_capacity(records.len());
        let mut test = self.count.test.clone();
        for record in &mut records {
            if test.as_ref().is_some_and(RunningTest::decided) {
                break;
            }
            let Some(slot) = counted.next(self.series(), stage) else { break };
            self.enforce_discipline(stage, &slot, record);
            if let Some(test) = &mut test {
                let seating = stage.seating(self.series(), &slot);
                let worth = self.series().games[slot.game].worth(record, &seating, BotId(0));
                test.add(record, worth, slot.closes_block);
            }
            slots.push(slot);
        }
        // Games that were still running when the test was decided do not count.
        records.truncate(slots.len());
        self.write_down(&mut records);
        if self.trouble.is_some() {
            // The journal can't take these games. A later run finds them in the file of waiting
            // games.
            return self.set_apart(&records.iter().collect::<Vec<_>>());
        }
        if records.is_empty() {
            return;
        }
        if let Err(error) = self.write(&records) {
            self.trouble = Some(error);
            return;
        }
        for (slot, record) in slots.iter().zip(&records) {
            self.count.add(&self.tournament.series, stage, slot, record);
        }
        self.progress.update(&self.count);
    }

    /// Writes the files of games besides the journal. They appear when the journal shows the game, and
    /// not earlier.
    fn write_down(&mut self, records: &mut [Record]) {
        let Tournament { results, failures, transcripts, series, .. } = self.tournament;
        if *failures {
            failure_file::write_all(results, records, series);
        }
        let Some(folder) = transcripts else { return };
        for record in records {
            if let Err(error) = transcript::write_all(folder, &record.match_id.clone(), record) {
                self.trouble.get_or_insert(RunError::Io(folder.clone(), error));
            }
        }
    }

    /// Replaces a game that was begun before one of its bots was disqualified.
    fn enforce_discipline(&self, stage: &Stage, slot: &Slot, record: &mut Record) {
        let seating = stage.seating(self.series(), slot);
        let out = self.discipline.out(&seating);
        if !out.is_empty() {
            *record = game::disqualified(&stage.job(self.series(), self.seed, slot), out);
        }
        self.discipline.add(&seating, record);
    }

    fn write(&mut self, records: &[Record]) -> Result<(), RunError> {
        self.journal.append(records)?;
        let done = records.iter().try_for_each(|record| self.waiting.done(&record.match_id));
        done.map_err(|error| self.io(error))
    }

    /// Writes games that wait for slower games to a file of their own.
    fn set_apart(&mut self, early: &[&Record]) {
        let mut new = self.waiting.missing(early);
        self.write_down(&mut new);
        if let Err(error) = self.waiting.add(&new) {
            let error = self.io(error);
            self.trouble.get_or_insert(error);
        }
    }

    fn close(&mut self) -> Result<(), RunError> {
        self.waiting.remove().map_err(|error| self.io(error))?;
        if self.journal.ended().is_some() {
            return Ok(());
        }
        let test = self.count.test.as_ref().map(RunningTest::result);
        let end = JournalEnd {
            games: self.count.collector.game_count(),
            seed: self.seed,
            llr: test.as_ref().map(|test| test.llr),
            verdict: test.map(|test| test.verdict),
        };
        Ok(self.journal.close(&end)?)
    }
}

/// Checks that a game of the journal is the game that the schedule demands.
fn compare(record: &Record, number: u64, names: &[String]) -> Result<(), RunError> {
    let due = match_id(number);
    if record.match_id == due && record.bots == names {
        return Ok(());
    }
    let found: Option<u64> = record.match_id.parse().ok();
    let problem = if found.is_some_and(|found| found > number + 1) {
        let id = &record.match_id;
        format!(
            "the journal has match {id} but not match {due}: it was merged before all shards had ended\nplay each \
             shard to its end (the same command with --shard I/N goes on), then merge the journals again"
        )
    } else {
        let (found, due_names) = (record.bots.join(", "), names.join(", "));
        let id = &record.match_id;
        format!(
            "the journal has match {id} of {found}, but the schedule has match {due} of {due_names} there"
        )
    };
    Err(RunError::Refused(problem))
}

/// The first line of the journal.
pub fn header(tournament: &Tournament, seed: RootSeed, shard: Shard) -> JournalHeader {
    let bots = tournament.series.bots.iter().map(|bot| BotEntry {
        name: bot.name.clone(),
        run: bot.spec.text.clone(),
        sha256: fingerprint(&bot.spec),
        clock: (bot.clock != tournament.clock).then(|| bot.clock.shown(bot.clock.bank)),
        memory_mib: bot.memory_mib.filter(|_| bot.memory_mib != tournament.memory_mib),
    });
    JournalHeader {
        journal: FORMAT,
        name: tournament.name.clone(),
        seed_commitment: commitment(seed),
        config: tournament.to_json(),
        bots: bots.collect(),
        sandbox: Some(tournament.sandbox.report()),
        shard: (shard.parts > 1).then_some((shard.part + 1, shard.parts)),
    }
}

/// Removes the files that an earlier run left beside its journal: waiting games, failure files,
/// transcripts, a random seed.
fn remove_remains(path: &Path, shard: Shard) -> io::Result<()> {
    let waiting = journal::file_beside(path);
    let results = path.parent().unwrap_or(Path::new(""));
    // The failure files of other shards are in the same folder.
    failure_file::remove_all(results, (shard.parts > 1).then_some([path, &waiting]))?;
    if shard == Shard::WHOLE {
        transcript::clear(&results.join(TRANSCRIPTS))?;
        let _ = fs::remove_file(path.with_file_name("seed")); // the config may give the seed
    }
    journal::remove_beside(path)
}
