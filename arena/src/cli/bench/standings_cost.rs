//! `arena bench standings`: the time and the memory of `arena standings` for large tournaments.

use super::super::{Failure, about, say};
use super::BenchArgs;
use serde_json::json;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

/// Bots and games, up to the games that somebody asks for. With a thousand bots, a million games
/// are two games of nearly every pair.
const SIZES: [(u64, u64); 4] = [(30, 10_000), (300, 100_000), (1_000, 100_000), (1_000, 1_000_000)];
/// The games of each pair are two of a block, with the seats exchanged, for each of these games.
const GAMES: [&str; 2] = ["tic-tac-toe", "nim"];
/// The memory of a process is looked up so often. Its peak stays readable until the process ends.
const LOOK: Duration = Duration::from_millis(5);

struct StandingsCost {
    bots: u64,
    games: u64,
    /// The number of different games that are played.
    kinds: usize,
    seconds: f64,
    peak_kib: u64,
}

pub(super) fn table(args: &BenchArgs) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("ludus-bench-{}", std::process::id()));
    let result = measure_all(&folder, args.games);
    let _ = std::fs::remove_dir_all(&folder); // the folder may not exist
    let costs = result?;
    if args.json {
        let row = |cost: &StandingsCost| {
            json!({
                "bots": cost.bots, "games": cost.games, "kinds": cost.kinds, "seconds": cost.seconds,
                "peak_kib": cost.peak_kib,
            })
        };
        return say(&format!("{:#}\n", json!(costs.iter().map(row).collect::<Vec<_>>())));
    }
    let mut table = Builder::default();
    table.push_record(["bots", "matches", "games", "seconds", "MiB"]);
    for cost in &costs {
        table.push_record([
            cost.bots.to_string(),
            cost.games.to_string(),
            cost.kinds.to_string(),
            format!("{:.1}", cost.seconds),
            format!("{:.0}", cost.peak_kib as f64 / 1_024.0),
        ]);
    }
    let mut table = table.build();
    table.with(Style::psql()).modify(Columns::new(0..), Alignment::right());
    say(&format!("{table}\n\n`arena standings --csv` of each journal, and the most memory that it had\n"))
}

fn measure_all(folder: &Path, most: u64) -> Result<Vec<StandingsCost>, Failure> {
    std::fs::create_dir_all(folder).map_err(|error| about(folder.display(), &error))?;
    let sizes = SIZES.into_iter().filter(|&(_, games)| games <= most);
    let all = sizes.flat_map(|(bots, games)| [1, GAMES.len()].map(|kinds| (bots, games, kinds)));
    all.map(|(bots, games, kinds)| measure(folder, bots, games, kinds)).collect()
}

fn measure(folder: &Path, bots: u64, games: u64, kinds: usize) -> Result<StandingsCost, Failure> {
    let journal = folder.join("journal.jsonl");
    let games =
        write_journal(&journal, bots, games, kinds).map_err(|error| about(journal.display(), &error))?;
    let begin = Instant::now();
    let mut arena = Command::new(std::env::current_exe()?)
        .arg("standings")
        .arg(&journal)
        .arg("--csv")
        .stdout(Stdio::null())
        .spawn()?;
    let peak_kib = peak_of(&mut arena)?;
    Ok(StandingsCost { bots, games, kinds, seconds: begin.elapsed().as_secs_f64(), peak_kib })
}

/// Waits for the end of a process, and returns the most memory that the process had.
fn peak_of(process: &mut Child) -> Result<u64, Failure> {
    let status = format!("/proc/{}/status", process.id());
    let mut peak = 0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        match process.try_wait()? {
            None => std::thread::sleep(LOOK),
            Some(end) if end.success() => return Ok(peak),
            Some(end) => return Err(Failure::Ours(format!("`arena standings` ended with {end}"))),
        }
    }
}

/// Writes a journal in which all pairs of bots meet, until there are enough games. Each pair plays
/// every kind of game once, and a single kind twice.
fn write_journal(path: &Path, bots: u64, games: u64, kinds: usize) -> io::Result<u64> {
    let mut file = BufWriter::new(File::create(path)?);
    let name = |bot: u64| format!("student-{bot:04}");
    let entries: Vec<_> = (0..bots).map(|bot| json!({ "name": name(bot), "spec": name(bot) })).collect();
    writeln!(
        file,
        "{}",
        json!({ "journal": 1, "name": "bench", "seed_commitment": "bench", "config": null, "bots": entries })
    )?;
    let pairs = (0..bots).flat_map(|a| (a + 1..bots).map(move |b| [a, b]));
    let each = games.min(bots * (bots - 1)) / 2;
    let mut written = 0;
    for number in 0..games / each / 2 * 2 {
        let kind = GAMES[number as usize % kinds];
        for (pair, [a, b]) in pairs.clone().take(each as usize).enumerate() {
            let block = if kinds == 1 { number / 2 } else { number } * each + pair as u64;
            let [first, second] = if number % 2 == 0 { [a, b] } else { [b, a] };
            // Whoever has the lower number is stronger, and luck is a hash of the block.
            let luck = (block.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) % (2 * bots);
            let [places, scores] = match (luck + second).cmp(&(first + bots)) {
                std::cmp::Ordering::Greater => ["[1,2]", "[1,0]"],
                std::cmp::Ordering::Less => ["[2,1]", "[0,1]"],
                std::cmp::Ordering::Equal => ["[1,1]", "[1,1]"],
            };
            writeln!(
                file,
                "{{\"ludus\":1,\"match\":\"{written:07}\",\"game\":\"{kind}\",\"rules\":1,\"params\":{{}},\
                 \"seed\":\"{block:064x}\",\"block\":\"{block}\",\"round\":1,\"bots\":[\"{}\",\"{}\"],\
                 \"moves\":[{{\"seat\":0,\"move\":\"{}\"}}],\"result\":{{\"places\":{places},\"scores\":{scores},\
                 \"reason\":\"\"}},\"times\":{{\"started_ms\":{written},\"moves_us\":[12]}}}}",
                name(first),
                name(second),
                written % 3,
            )?;
            written += 1;
        }
    }
    file.flush()?;
    Ok(written)
}
