//! Does a worker bring other results than the others, for the same bots?
//!
//! Workers play different pairings, so each pairing is compared with itself: how many points the
//! first bot gets on this worker, and how many in all. The differences of all pairings are added up,
//! with their variances. The same is done with the number of faults.

use crate::coordinator::Fleet;
use crate::messages::WorkerTally;
use referee::record::Record;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use tournament::travel::Unit;

/// More pairings are not counted.
const MOST_STRATA: usize = 20_000;
/// Differences of so many standard deviations are told.
const TOLD: f64 = 5.0;

#[derive(Default)]
pub(crate) struct Statistics {
    strata: BTreeMap<(usize, Vec<String>), Stratum>,
    tallies: BTreeMap<String, WorkerTally>,
}

/// A pairing with its seats: sums for each worker.
#[derive(Default)]
struct Stratum {
    workers: BTreeMap<String, GameSums>,
}

/// The number of games, and the sum and the squares of what is measured.
type Measure = fn(&GameSums) -> [f64; 3];

/// Sums over games.
#[derive(Clone, Copy, Debug, Default)]
struct GameSums {
    games: f64,
    points: f64,
    squares: f64,
    faults: f64,
}

impl GameSums {
    fn add(&mut self, points: f64, fault: bool) {
        self.games += 1.0;
        self.points += points;
        self.squares += points * points;
        self.faults += f64::from(u8::from(fault));
    }
}

impl Statistics {
    pub(crate) fn add(&mut self, worker: &str, unit: &Unit, record: &Record) {
        let tally = self.tallies.entry(worker.to_owned()).or_insert_with(|| tally(worker));
        tally.games += 1;
        let failed = !record.faults.is_empty();
        tally.faults += u64::from(failed);
        let key = (unit.game, record.bots.clone());
        if record.result.is_void() || self.strata.len() >= MOST_STRATA && !self.strata.contains_key(&key) {
            return;
        }
        let places = &record.result.places;
        // A rival behind counts twice as much as one who shares the place.
        let against = |place: &u8| match place.cmp(&places[0]) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        };
        let rivals: f64 = places.iter().skip(1).map(against).sum();
        let points = rivals / (places.len() as f64 - 1.0).max(1.0);
        let stratum = self.strata.entry(key).or_default();
        stratum.workers.entry(worker.to_owned()).or_default().add(points, failed);
    }

    pub(crate) fn refuse(&mut self, worker: &str) {
        self.tallies.entry(worker.to_owned()).or_insert_with(|| tally(worker)).refused += 1;
    }

    /// The number of games that a worker has brought.
    pub(crate) fn games(&self, worker: &str) -> u64 {
        self.tallies.get(worker).map_or(0, |tally| tally.games)
    }

    pub(crate) fn tallies(&self, fleet: &Fleet) -> Vec<WorkerTally> {
        let hosted = |tally: &WorkerTally| WorkerTally { host: fleet.host(&tally.worker), ..tally.clone() };
        self.tallies.values().map(hosted).collect()
    }

    /// For each worker, how many standard deviations its sum is off, without the workers that are
    /// known to stand out.
    fn deviations(&self, known: &[&str], of: Measure) -> Vec<(&str, f64)> {
        let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for stratum in self.strata.values() {
            let workers = stratum.workers.iter().map(|(worker, own)| (worker.as_str(), of(own)));
            let workers: Vec<(&str, [f64; 3])> =
                workers.filter(|(worker, _)| !known.contains(worker)).collect();
            let total = |at: usize| workers.iter().map(|(_, own)| own[at]).sum::<f64>();
            let (games, points) = (total(0), total(1));
            let (mean, mean_square) = (points / games, total(2) / games);
            for (worker, own) in &workers {
                let (difference, variance) = sums.entry(worker).or_default();
                *difference += own[1] - own[0] * mean;
                let spread = (mean_square - mean * mean) * (games - own[0]) / (games - 1.0).max(1.0);
                *variance += own[0] * spread;
            }
        }
        let deviation = |(difference, variance): (f64, f64)| {
            if variance > 1e-9 { difference / variance.sqrt() } else { 0.0 }
        };
        sums.into_iter().map(|(worker, sums)| (worker, deviation(sums))).collect()
    }

    /// The workers that stand out, the worst one first. One that stands out makes the others look
    /// odd, so each is left out before the next one is looked for.
    fn outliers(&self, of: Measure) -> Vec<(&str, f64)> {
        let mut found: Vec<(&str, f64)> = Vec::new();
        loop {
            let known: Vec<&str> = found.iter().map(|(worker, _)| *worker).collect();
            let deviations = self.deviations(&known, of).into_iter();
            match deviations.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())) {
                Some(worst) if worst.1.abs() > TOLD => found.push(worst),
                _ => return found,
            }
        }
    }

    /// Remarks about workers that stand out.
    pub(crate) fn findings(&self) -> Vec<String> {
        let results = self.outliers(|sums| [sums.games, sums.points, sums.squares]);
        let results = results.into_iter().map(|(worker, off)| {
            format!(
                "the worker {worker} has brought other results than the others for the same bots ({off:+.1} standard deviations)"
            )
        });
        let faults = self.outliers(|sums| [sums.games, sums.faults, sums.faults]);
        let faults = faults.into_iter().filter(|(_, off)| *off > 0.0).map(|(worker, off)| {
            format!(
                "bots fail more often on the worker {worker} than the same bots elsewhere ({off:+.1} standard deviations)"
            )
        });
        results.chain(faults).collect()
    }
}

fn tally(worker: &str) -> WorkerTally {
    WorkerTally { worker: worker.to_owned(), ..WorkerTally::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(bots: [&str; 2], wins: bool, fails: bool) -> Record {
        let places = if wins { "1,2" } else { "2,1" };
        let faults = if fails {
            "\"faults\":[{\"seat\":1,\"ply\":0,\"code\":\"crashed\",\"message\":\"\"}],"
        } else {
            ""
        };
        let text = format!(
            "{{\"ludus\":1,\"match\":\"1\",\"game\":\"nim\",\"rules\":1,\"params\":{{}},\"seed\":\"\",\"bots\":{bots:?},\
             \"moves\":[],\"result\":{{\"places\":[{places}],\"scores\":[],\"reason\":\"\"}},{faults}\
             \"times\":{{\"started_ms\":0,\"moves_us\":[]}}}}"
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_worker_that_stands_out_is_named() {
        let unit = Unit { number: 0, round: 1, deal: 0, game: 0, table: vec![0, 1] };
        // Different pairings on different workers are no reason for suspicion.
        let mut fair = Statistics::default();
        for number in 0..3_000 {
            let worker = ["u.a", "u.b", "u.c"][number % 3];
            let strong = number % 3 == 0;
            fair.add(
                worker,
                &unit,
                &record(if strong { ["x", "y"] } else { ["y", "z"] }, strong || number % 4 == 0, false),
            );
        }
        assert_eq!(fair.findings(), [""; 0]);
        let mut liar = Statistics::default();
        for number in 0..3_000 {
            let worker = ["u.a", "u.b", "u.c"][number % 3];
            let wins = if worker == "u.b" { number % 10 < 8 } else { number % 2 == 0 };
            liar.add(worker, &unit, &record(["x", "y"], wins, worker == "u.c" && number % 9 == 2));
        }
        let found = liar.findings().join("\n");
        assert!(found.contains("u.b has brought other results") && !found.contains("u.a"), "{found}");
        assert!(found.contains("fail more often on the worker u.c"), "{found}");
    }
}
