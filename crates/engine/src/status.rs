//! How an engine stands: its queue, its tournaments and its workers.

use crate::messages::{TournamentStatus, WorkerPresence};
use crate::subjects::{BUCKET_STREAM, STALE, WORK, all_presences, all_statuses};
use nats::{ApiError, JetStream, JetStreamError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

/// A worker that has been gone for longer is not shown.
const FORGOTTEN: Duration = Duration::from_hours(1);
/// A tournament that ended earlier is not shown.
const OLD: Duration = Duration::from_hours(24);

/// An engine at one moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EngineStatus {
    /// Batches that wait for a worker.
    pub waiting: u64,
    /// Batches that workers have.
    pub playing: u64,
    pub tournaments: Vec<SeenTournament>,
    pub workers: Vec<SeenWorker>,
}

/// A tournament, and how long ago its coordinator has said so.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeenTournament {
    pub seen_s: f64,
    /// The coordinator is there, or the tournament has ended.
    pub here: bool,
    #[serde(flatten)]
    pub status: TournamentStatus,
}

/// A worker, and how long ago it has said so.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeenWorker {
    pub seen_s: f64,
    pub here: bool,
    /// Why a coordinator has set the worker aside.
    pub suspect: Option<String>,
    #[serde(flatten)]
    pub presence: WorkerPresence,
}

impl SeenTournament {
    /// What people want to know, in lines.
    pub fn lines(&self) -> Vec<String> {
        let status = &self.status;
        let state = match (status.finished, self.here, status.eta) {
            (true, ..) => "has ended".to_owned(),
            (false, true, Some(eta)) => format!("{:.1} games/s, {} left", status.rate, span(eta)),
            (false, true, None) => format!("{:.1} games/s", status.rate),
            (false, false, _) => format!("its coordinator was last seen {} ago", span(self.seen_s)),
        };
        let expected = match status.expected_words.as_str() {
            "" => status.expected.to_string(),
            words => words.to_owned(),
        };
        let mut lines = vec![
            format!("{} of {expected} games, {state}", status.games),
            format!(
                "{} batches outstanding, {} duplicates dropped, {} blocks audited",
                status.outstanding, status.duplicates, status.audited
            ),
        ];
        if !status.differing.is_empty() {
            lines.push(format!("not the same when played again: {}", status.differing.join(", ")));
        }
        for suspect in &status.suspects {
            lines.push(format!("SUSPECT {} ({}): {}", suspect.host, suspect.worker, suspect.reason));
        }
        lines
    }
}

impl SeenWorker {
    /// What is special about the worker, in a word.
    pub fn note(&self) -> &'static str {
        match (&self.suspect, self.here, self.presence.draining) {
            (Some(_), ..) => "suspect",
            (None, false, _) => "gone",
            (None, true, true) => "leaves",
            (None, true, false) => "",
        }
    }
}

/// `4 s`, `12 min`, `3.5 h`, `2.1 d`
pub fn span(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("{seconds:.0} s"),
        ..6_000.0 => format!("{:.0} min", seconds / 60.0),
        ..172_800.0 => format!("{:.1} h", seconds / 3_600.0),
        _ => format!("{:.1} d", seconds / 86_400.0),
    }
}

impl EngineStatus {
    /// The number of workers that are there, and of their slots.
    pub fn fleet(&self) -> (usize, usize) {
        let here = self.workers.iter().filter(|worker| worker.here);
        here.fold((0, 0), |(workers, slots), worker| (workers + 1, slots + worker.presence.slots))
    }

    /// Asks an engine. A watcher may ask.
    pub fn ask(streams: &JetStream) -> Result<EngineStatus, JetStreamError> {
        let mut status = EngineStatus::default();
        // All ages are by the clock of the server.
        let now = match streams.api(&format!("STREAM.INFO.{BUCKET_STREAM}"), &Value::Null) {
            Ok(info) => moment(info["ts"].as_str().unwrap_or_default()),
            Err(error) if error.is(ApiError::NO_STREAM) => return Ok(status),
            Err(error) => return Err(error),
        };
        for (seen_s, tournament) in read_all::<TournamentStatus>(streams, &all_statuses(), now)? {
            if tournament.finished && seen_s > OLD.as_secs_f64() {
                continue;
            }
            let here = tournament.finished || seen_s < STALE.as_secs_f64();
            status.tournaments.push(SeenTournament { seen_s, here, status: tournament });
        }
        status.tournaments.sort_by_key(|seen| (seen.status.finished, seen.status.started_ms));
        let suspects: Vec<_> = status.tournaments.iter().flat_map(|seen| &seen.status.suspects).collect();
        for (seen_s, presence) in read_all::<WorkerPresence>(streams, &all_presences(), now)? {
            let suspect = suspects.iter().find(|suspect| suspect.worker == presence.worker);
            let suspect = suspect.map(|suspect| suspect.reason.clone());
            let here = seen_s < STALE.as_secs_f64();
            // Who has said goodbye is not missing.
            if here || !presence.draining && seen_s < FORGOTTEN.as_secs_f64() {
                status.workers.push(SeenWorker { seen_s, here, suspect, presence });
            }
        }
        status.workers.sort_by(|a, b| {
            let key =
                |seen: &SeenWorker| (!seen.here, seen.presence.host.clone(), seen.presence.worker.clone());
            key(a).cmp(&key(b))
        });
        let mut offset = 0;
        loop {
            let page =
                streams.api(&format!("CONSUMER.LIST.{WORK}"), &serde_json::json!({ "offset": offset }));
            let page = match page {
                Err(error) if error.is(ApiError::NO_STREAM) => break,
                page => page?,
            };
            let consumers = page["consumers"].as_array().map_or(&[][..], Vec::as_slice);
            for consumer in consumers {
                status.waiting += consumer["num_pending"].as_u64().unwrap_or(0);
                status.playing += consumer["num_ack_pending"].as_u64().unwrap_or(0);
            }
            offset += consumers.len();
            if consumers.is_empty() || offset as u64 >= page["total"].as_u64().unwrap_or(0) {
                break;
            }
        }
        Ok(status)
    }

    /// The same as text for Prometheus.
    pub fn prometheus(&self) -> String {
        let mut text = Metrics::default();
        text.family("ludus_batches", "gauge", "Batches in the queue of the engine");
        text.sample("ludus_batches", &[("state", "waiting")], self.waiting as f64);
        text.sample("ludus_batches", &[("state", "playing")], self.playing as f64);
        text.of_tournaments(&self.tournaments);
        text.of_workers(&self.workers);
        text.0
    }
}

/// What stands at all subjects that match a filter, with its age in seconds.
fn read_all<T: DeserializeOwned>(
    streams: &JetStream,
    filter: &str,
    now: Option<SystemTime>,
) -> Result<Vec<(f64, T)>, JetStreamError> {
    let mut all = Vec::new();
    for subject in streams.subjects(BUCKET_STREAM, filter)? {
        let Some(stored) = streams.last(BUCKET_STREAM, &subject)? else { continue };
        // Another version of the program may write something else here.
        let Ok(value) = serde_json::from_slice(&stored.payload) else { continue };
        let age = now.zip(moment(&stored.time)).and_then(|(now, then)| now.duration_since(then).ok());
        all.push((age.map_or(0.0, |age| age.as_secs_f64()), value));
    }
    Ok(all)
}

fn moment(text: &str) -> Option<SystemTime> {
    humantime::parse_rfc3339(text).ok()
}

/// Text in the form that Prometheus reads.
#[derive(Default)]
struct Metrics(String);

impl Metrics {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        let labels: Vec<String> =
            labels.iter().map(|(name, text)| format!("{name}=\"{}\"", escaped(text))).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }

    fn of_tournaments(&mut self, tournaments: &[SeenTournament]) {
        type Value = fn(&SeenTournament) -> Option<f64>;
        let families: [(&str, &str, &str, Value); 9] = [
            ("up", "gauge", "1 if the coordinator is there, or the tournament has ended", |seen| {
                Some(f64::from(u8::from(seen.here)))
            }),
            ("finished", "gauge", "1 if all games are in the journal", |seen| {
                Some(f64::from(u8::from(seen.status.finished)))
            }),
            ("games_total", "counter", "Games in the journal", |seen| Some(seen.status.games as f64)),
            ("games_expected", "gauge", "Games at the end", |seen| Some(seen.status.expected as f64)),
            ("games_per_second", "gauge", "Games per second over the last minute", |seen| {
                Some(seen.status.rate)
            }),
            ("eta_seconds", "gauge", "Seconds until the end at this rate", |seen| seen.status.eta),
            ("duplicates_dropped_total", "counter", "Games that came twice", |seen| {
                Some(seen.status.duplicates as f64)
            }),
            ("differing_games", "gauge", "Games whose two records differ", |seen| {
                Some(seen.status.differing.len() as f64)
            }),
            ("blocks_audited_total", "counter", "Blocks that a second worker has played again", |seen| {
                Some(seen.status.audited as f64)
            }),
        ];
        for (name, kind, help, value) in families {
            let name = format!("ludus_tournament_{name}");
            self.family(&name, kind, help);
            for seen in tournaments {
                let labels = [("tournament", seen.status.name.as_str()), ("tid", &seen.status.tid)];
                if let Some(value) = value(seen) {
                    self.sample(&name, &labels, value);
                }
            }
        }
    }

    fn of_workers(&mut self, workers: &[SeenWorker]) {
        type Value = fn(&SeenWorker) -> f64;
        let families: [(&str, &str, &str, Value); 8] = [
            ("up", "gauge", "1 if the worker is there", |seen| f64::from(u8::from(seen.here))),
            ("seen_seconds", "gauge", "Seconds since the worker was heard of", |seen| seen.seen_s),
            ("suspect", "gauge", "1 if a coordinator has set the worker aside", |seen| {
                f64::from(u8::from(seen.suspect.is_some()))
            }),
            ("slots", "gauge", "Games that the worker plays at the same time", |seen| {
                seen.presence.slots as f64
            }),
            ("busy", "gauge", "Slots that play", |seen| seen.presence.busy as f64),
            ("speed", "gauge", "Plays of a fixed search per second on one core", |seen| seen.presence.speed),
            ("games_total", "counter", "Games that the worker has played", |seen| seen.presence.games as f64),
            ("faults_total", "counter", "Games of the worker in which a bot failed", |seen| {
                seen.presence.faults as f64
            }),
        ];
        for (name, kind, help, value) in families {
            let name = format!("ludus_worker_{name}");
            self.family(&name, kind, help);
            for seen in workers {
                let WorkerPresence { worker, host, class, .. } = &seen.presence;
                self.sample(&name, &[("worker", worker), ("host", host), ("class", class)], value(seen));
            }
        }
    }
}

/// The value of a label. Workers write their own names.
fn escaped(text: &str) -> String {
    let clean = text.chars().filter(|c| !c.is_control() || *c == '\n');
    clean.collect::<String>().replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Suspect;

    #[test]
    fn prometheus_reads_names_of_strangers() {
        let presence = WorkerPresence {
            worker: "abc.1".to_owned(),
            host: "a\"} 1\nludus_worker_up{".to_owned(),
            games: 7,
            ..WorkerPresence::default()
        };
        let tournament = TournamentStatus {
            name: "cup".to_owned(),
            tid: "0123".to_owned(),
            games: 12,
            suspects: vec![Suspect::default()],
            ..TournamentStatus::default()
        };
        let status = EngineStatus {
            waiting: 3,
            playing: 2,
            tournaments: vec![SeenTournament { seen_s: 1.0, here: true, status: tournament }],
            workers: vec![SeenWorker { seen_s: 31.5, here: false, suspect: None, presence }],
        };
        let text = status.prometheus();
        for line in text.lines() {
            let fine = line.starts_with("# ")
                || line.strip_prefix("ludus_").is_some_and(|line| {
                    let (_, value) = line.rsplit_once(' ').unwrap();
                    value.parse::<f64>().is_ok() && (!line.contains('{') || line.contains("\"} "))
                });
            assert!(fine, "{line}");
        }
        for line in [
            "ludus_batches{state=\"waiting\"} 3",
            "ludus_tournament_games_total{tournament=\"cup\",tid=\"0123\"} 12",
            "ludus_worker_games_total{worker=\"abc.1\",host=\"a\\\"} 1\\nludus_worker_up{\",class=\"\"} 7",
            "ludus_worker_seen_seconds{worker=\"abc.1\",host=\"a\\\"} 1\\nludus_worker_up{\",class=\"\"} 31.5",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}\n{text}");
        }
        let estimates = text.lines().filter(|line| line.starts_with("ludus_tournament_eta"));
        assert_eq!(estimates.count(), 0, "without an estimate there is none");
    }

    #[test]
    fn times_of_servers_are_read() {
        let [early, late] = ["2026-11-19T14:00:00Z", "2026-11-19T14:00:01.123456789Z"].map(moment);
        assert_eq!(late.unwrap().duration_since(early.unwrap()).unwrap().as_nanos(), 1_123_456_789);
    }
}
