//! Follows a journal for all readers of its page.

use super::{boards, table};
use crate::results::is_being_written;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use text::harmless;
use tokio::sync::watch;
use tournament::standings::Follower;

/// Between two states for the readers. With the boards, four messages a second.
const PAUSE: Duration = Duration::from_millis(335);
/// Between two choices of boards.
const NEW_BOARDS: Duration = Duration::from_secs(1);
/// A state that takes long to compute is computed more seldom: one part of so many parts of the
/// time.
const SHARE: u32 = 40;
/// A long journal is read in pieces, so that readers see something soon.
const PIECE: usize = 1 << 20;
const LONGEST_READING: Duration = Duration::from_millis(400);
/// A reader who comes back soon finds the journal read.
const LINGER: Duration = Duration::from_secs(10);

/// What readers get. Both texts are JSON.
#[derive(Debug)]
pub(crate) struct LiveNews {
    pub state: String,
    pub boards: Arc<str>,
    /// Other boards have another number.
    pub boards_number: u64,
}

pub(crate) type NewsListener = watch::Receiver<Option<Arc<LiveNews>>>;
type NewsSpeaker = watch::Sender<Option<Arc<LiveNews>>>;

/// The journals that somebody watches.
#[derive(Debug, Default)]
pub(crate) struct Feeds(Mutex<HashMap<PathBuf, NewsSpeaker>>);

impl Feeds {
    pub fn listen(feeds: &Arc<Feeds>, journal: &Path) -> io::Result<NewsListener> {
        let mut open = feeds.open();
        if let Some(known) = open.get(journal) {
            return Ok(known.subscribe());
        }
        let (speaker, listener) = watch::channel(None);
        let feed = Feed::new(journal);
        let (of_thread, known) = (speaker.clone(), Arc::clone(feeds));
        std::thread::Builder::new().name("feed".to_owned()).spawn(move || feed.run(&known, &of_thread))?;
        open.insert(journal.to_owned(), speaker);
        Ok(listener)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<PathBuf, NewsSpeaker>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets a feed to which nobody listens. Nobody can begin to listen at the same moment.
    fn forget_if_silent(&self, journal: &Path, speaker: &NewsSpeaker) -> bool {
        let mut open = self.open();
        let is_silent = speaker.receiver_count() == 0;
        if is_silent {
            open.remove(journal);
        }
        is_silent
    }
}

/// A journal and what readers know of it.
struct Feed {
    journal: PathBuf,
    follower: Option<Follower>,
    problem: Option<String>,
    boards: Arc<str>,
    boards_number: u64,
    /// The games on the boards, and whether the tournament was not over when they were drawn.
    shown: (Vec<String>, bool),
    chosen: Option<Instant>,
}

impl Feed {
    fn new(journal: &Path) -> Feed {
        Feed {
            journal: journal.to_owned(),
            follower: None,
            problem: None,
            boards: Arc::from("{\"boards\":[]}"),
            boards_number: 1,
            shown: Default::default(),
            chosen: None,
        }
    }

    fn run(mut self, feeds: &Feeds, speaker: &NewsSpeaker) {
        // Bots that play go before readers who look on. Without the right to say so, nothing is
        // lost but a little time.
        let _ = rustix::process::nice(19);
        let mut heard = Instant::now();
        loop {
            if speaker.receiver_count() > 0 {
                heard = Instant::now();
            } else if heard.elapsed() > LINGER && feeds.forget_if_silent(&self.journal, speaker) {
                return;
            }
            let mut pause = PAUSE;
            if heard.elapsed() < PAUSE {
                self.read();
                let began = Instant::now();
                let news = self.news();
                pause = pause.max(began.elapsed() * SHARE);
                speaker.send_if_modified(|known| {
                    let is_new = known.as_ref().is_none_or(|known| {
                        known.state != news.state || known.boards_number != news.boards_number
                    });
                    if is_new {
                        *known = Some(Arc::new(news));
                    }
                    is_new
                });
            }
            std::thread::sleep(pause);
        }
    }

    /// Reads what the journal has got.
    fn read(&mut self) {
        self.problem = self.read_on().err();
    }

    fn read_on(&mut self) -> Result<(), String> {
        let follower = match &mut self.follower {
            Some(follower) => follower,
            none => {
                let opened = Follower::open(&self.journal);
                none.insert(opened.map_err(|error| format!("{}: {error}", self.journal.display()))?)
            }
        };
        let began = Instant::now();
        while follower.read_on(PIECE).map_err(|error| error.to_string())? {
            if began.elapsed() > LONGEST_READING {
                break;
            }
        }
        Ok(())
    }

    fn news(&mut self) -> LiveNews {
        let problem = self.problem.as_deref().map(harmless::line);
        let state = match &self.follower {
            None => table::without_games(problem.as_deref()),
            Some(follower) => {
                let is_running = follower.is_open() && is_being_written(&self.journal);
                table::state(follower, is_running, problem.as_deref())
            }
        };
        if self.chosen.is_none_or(|chosen| chosen.elapsed() >= NEW_BOARDS) {
            self.choose_boards();
        }
        LiveNews {
            state: state.to_string(),
            boards: Arc::clone(&self.boards),
            boards_number: self.boards_number,
        }
    }

    fn choose_boards(&mut self) {
        let Some(follower) = &self.follower else { return };
        let chosen = boards::chosen(follower);
        let games = chosen.iter().map(|record| boards::key(record)).collect();
        let shown = (games, follower.is_open());
        if shown != self.shown {
            self.boards = boards::drawn(&chosen, shown.1).to_string().into();
            self.boards_number += 1;
            self.shown = shown;
            self.chosen = Some(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::fs;
    use std::io::Write as _;

    fn game(number: u32, reason: &str) -> String {
        let moves = "[{\"seat\":0,\"move\":\"b2\"},{\"seat\":1,\"move\":\"a1\"}]";
        format!(
            "{{\"ludus\":1,\"match\":\"{number:04}\",\"game\":\"tic-tac-toe\",\"rules\":1,\"params\":{{}},\"seed\":\"{:064x}\",\
             \"bots\":[\"a\",\"b\"],\"moves\":{moves},\"result\":{{\"places\":[1,2],\"scores\":[1,0],\"reason\":\"{reason}\"}},\
             \"times\":{{\"started_ms\":0,\"moves_us\":[1,1]}}}}\n",
            7
        )
    }

    /// Waits until the state fulfils this.
    fn wait(news: &NewsListener, fits: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let state = news.borrow().as_ref().map(|news| serde_json::from_str(&news.state).unwrap());
            match state {
                Some(state) if fits(&state) => return state,
                state => assert!(begun.elapsed() < Duration::from_mins(1), "{state:?}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn a_feed_follows_its_journal_and_ends_with_its_last_listener() {
        let journal = std::env::temp_dir().join(format!("ludus-feed-{}.jsonl", std::process::id()));
        let header = "{\"journal\":1,\"name\":\"a\",\"seed_commitment\":\"c\"}\n";
        fs::write(&journal, format!("{header}{}", game(1, "three in a row"))).unwrap();
        let feeds = Arc::new(Feeds::default());
        let news = Feeds::listen(&feeds, &journal).unwrap();
        let second = Feeds::listen(&feeds, &journal).unwrap();
        assert_eq!(feeds.open().len(), 1, "two readers share a feed");
        assert_eq!(wait(&news, |state| state["games"] == 1)["rows"][0]["bot"], "a");
        let mut file = fs::OpenOptions::new().append(true).open(&journal).unwrap();
        // Half a line is no game yet.
        let line = game(2, "three in a row");
        file.write_all(&line.as_bytes()[..50]).unwrap();
        std::thread::sleep(2 * PAUSE);
        wait(&news, |state| state["games"] == 1);
        file.write_all(&line.as_bytes()[50..]).unwrap();
        wait(&second, |state| state["games"] == 2);
        file.write_all(b"{\"end\":2,\"seed\":7}\n").unwrap();
        wait(&news, |state| state["state"] == "complete");
        let boards: Value = serde_json::from_str(&news.borrow().as_ref().unwrap().boards).unwrap();
        assert_eq!(boards["boards"][0]["frames"].as_array().unwrap().len(), 3, "{boards}");
        // A line that is no JSON is told, and so is a journal that has gone.
        file.write_all(b"nonsense\n").unwrap();
        let state = wait(&news, |state| state["problem"].is_string());
        assert!(state["problem"].as_str().unwrap().contains("line 5"), "{state}");
        fs::remove_file(&journal).unwrap();
        wait(&news, |state| state["problem"].as_str().is_some_and(|words| words.contains("No such file")));
        fs::write(&journal, format!("{header}{}", game(1, "three in a row"))).unwrap();
        wait(&news, |state| state["games"] == 1 && state["problem"].is_null());
        drop((news, second));
        let begun = Instant::now();
        while !feeds.open().is_empty() {
            assert!(begun.elapsed() < LINGER + Duration::from_mins(1));
            std::thread::sleep(Duration::from_millis(100));
        }
        fs::remove_file(&journal).unwrap();
    }
}
