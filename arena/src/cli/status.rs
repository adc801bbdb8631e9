//! `arena status`: how an engine stands.

use super::numbers::seconds;
use super::{Failure, say, usage};
use engine::status::{EngineStatus, SeenTournament, SeenWorker, span};
use engine::subjects::USUAL_CLASS;
use engine::{Login, connect};
use nats::JetStream;
use std::path::Path;
use std::time::Duration;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};
use text::harmless;
use text::wrap::hanging;

/// Show the queue, the tournaments and the workers of an engine
#[derive(clap::Args)]
#[command(after_help = "`arena serve --engine ENGINE` shows the same as a page.\n\n\
    Examples:\n  arena status\n  arena status --engine engine/watcher.ticket --every 5\n  \
    arena status --prometheus > /var/lib/node_exporter/ludus.prom")]
pub struct StatusArgs {
    /// A ticket, or the address of an engine
    #[arg(long, value_name = "ENGINE", default_value = "engine/watcher.ticket")]
    engine: String,
    /// Show it again and again
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    every: Option<f64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print metrics for Prometheus
    #[arg(long, conflicts_with = "json")]
    prometheus: bool,
}

/// Someone who asks an engine how it stands.
pub fn watcher(place: &str) -> Result<JetStream, Failure> {
    // The usual place says more than that a file is missing.
    if place == "engine/watcher.ticket" && !Path::new(place).exists() {
        return Err(usage("there is no engine/watcher.ticket; name the engine with --engine"));
    }
    let session = connect(place, &Login::default().or_environment(), "arena status")?;
    Ok(JetStream::new(session.connection))
}

pub fn run(args: &StatusArgs) -> Result<(), Failure> {
    let streams = watcher(&args.engine)?;
    loop {
        let status = EngineStatus::ask(&streams).map_err(|error| Failure::Ours(error.to_string()))?;
        if args.json {
            let value = serde_json::to_value(&status).map_err(|error| Failure::Ours(error.to_string()))?;
            say(&if args.every.is_some() { format!("{value}\n") } else { format!("{value:#}\n") })?;
        } else if args.prometheus {
            say(&status.prometheus())?;
        } else {
            say(&text(&status))?;
        }
        let Some(pause) = args.every else { return Ok(()) };
        std::thread::sleep(Duration::from_secs_f64(pause));
        if !args.json && !args.prometheus {
            say("\n")?;
        }
    }
}

fn text(status: &EngineStatus) -> String {
    let EngineStatus { waiting, playing, tournaments, workers } = status;
    let (here, slots) = status.fleet();
    let mut text =
        format!("{waiting} batches wait, {playing} are played; {here} workers with {slots} slots\n");
    if tournaments.is_empty() {
        text.push_str("\nno tournament; `arena tournament FILE --engine TICKET` begins one\n");
    }
    for tournament in tournaments {
        text.push_str(&format!("\n{}", tournament_lines(tournament)));
    }
    if workers.is_empty() {
        text.push_str("\nno worker; `arena engine up` prints the line to paste on each\n");
    } else {
        text.push_str(&format!("\n{}", worker_table(workers)));
    }
    text
}

fn tournament_lines(seen: &SeenTournament) -> String {
    let SeenTournament { status, .. } = seen;
    let head = harmless::line(&format!("{} ({}, {})", status.name, status.format, status.tid));
    let lines = seen.lines().into_iter().map(|line| hanging("  ", "    ", &harmless::line(&line)));
    format!("{}{}", hanging("", "  ", &head), lines.collect::<String>())
}

fn worker_table(workers: &[SeenWorker]) -> String {
    let several = workers.iter().any(|seen| seen.presence.class != USUAL_CLASS);
    let class = |words: &str| several.then(|| short(words, 8));
    let mut table = Builder::default();
    let heads = ["worker", "host"].map(str::to_owned).into_iter().chain(class("class"));
    let numbers = ["busy", "speed", "games", "faults", "seen", ""].map(str::to_owned);
    table.push_record(heads.chain(numbers));
    for seen in workers {
        let worker = &seen.presence;
        let names = [short(&worker.worker, 9), short(&worker.host, 16)];
        let numbers = [
            format!("{}/{}", worker.busy, worker.slots),
            format!("{:.0}", worker.speed),
            worker.games.to_string(),
            worker.faults.to_string(),
            span(seen.seen_s),
            seen.note().to_owned(),
        ];
        table.push_record(names.into_iter().chain(class(&worker.class)).chain(numbers));
    }
    let mut table = table.build();
    table.with(Style::empty()).with(Padding::new(0, 2, 0, 0));
    let first = if several { 3 } else { 2 };
    table.modify(Columns::new(first..first + 5), Alignment::right());
    table.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// A word of a stranger, made harmless and cut.
fn short(text: &str, most: usize) -> String {
    ::tournament::standings::short_name(&harmless::line(text), most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::messages::{Suspect, TournamentStatus, WorkerPresence};

    #[test]
    fn a_status_fits_eighty_columns() {
        let long = "a-very-long-name-of-a-machine.cluster.university.example\u{1b}[31m".to_owned();
        let presence = WorkerPresence {
            worker: "abcdefghijkl.0123456789abcdef".to_owned(),
            host: long.clone(),
            class: USUAL_CLASS.to_owned(),
            slots: 128,
            busy: 128,
            speed: 123_456.0,
            games: 12_345_678,
            faults: 12_345,
            ..WorkerPresence::default()
        };
        let suspect = Suspect { worker: presence.worker.clone(), host: long.clone(), reason: long.repeat(3) };
        let tournament = TournamentStatus {
            name: long.clone(),
            expected: 10,
            rate: 7.0,
            eta: Some(7_200.0),
            differing: vec!["0001".to_owned(); 40],
            suspects: vec![suspect],
            ..TournamentStatus::default()
        };
        let status = EngineStatus {
            waiting: 3,
            playing: 4,
            tournaments: vec![SeenTournament { seen_s: 1.0, here: true, status: tournament }],
            workers: vec![SeenWorker { seen_s: 5_000.0, here: false, suspect: Some(long), presence }],
        };
        let shown = text(&status);
        for line in shown.lines() {
            assert!(line.chars().count() <= 80, "{line}\n{shown}");
        }
        for words in
            ["3 batches wait", "0 of 10 games, 7.0 games/s, 2.0 h left", "SUSPECT", "128/128", "83 min"]
        {
            assert!(shown.contains(words), "{words}\n{shown}");
        }
        assert!(!shown.contains('\u{1b}'));
        assert!(text(&EngineStatus::default()).contains("no worker"));
    }
}
