//! Audits: some blocks are played again by a second worker, and the records are compared byte for
//! byte, without the times. A legal game that nobody has played is found in no other way.

use crate::coordinator::window::is_same;
use nats::random_bytes;
use referee::fault::Code;
use referee::record::Record;
use std::collections::BTreeMap;
use tournament::travel::Unit;

/// More blocks are not under audit at the same time. Each keeps its records in memory.
const MOST_OPEN: usize = 256;

pub(crate) struct Audits {
    share: f64,
    open: BTreeMap<u64, Audit>,
    done: u64,
}

/// A block, and what workers have brought for it.
struct Audit {
    unit: Unit,
    versions: Vec<(String, Vec<Record>)>,
}

/// What a comparison has shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    Fine,
    /// Another worker than these shall play the block.
    Again {
        unit: Unit,
        not: Vec<String>,
        round: usize,
    },
    /// Two other workers agree against this one.
    Liar {
        worker: String,
        match_id: String,
    },
    /// No two workers agree.
    Unstable {
        match_id: String,
    },
}

impl Audits {
    pub(crate) fn new(share: f64) -> Audits {
        Audits { share, open: BTreeMap::new(), done: 0 }
    }

    /// Shall the next block be played again? No worker can tell in advance.
    pub(crate) fn wants(&self) -> bool {
        let bytes = random_bytes::<4>().unwrap_or_default();
        self.open.len() < MOST_OPEN && f64::from(u32::from_le_bytes(bytes)) < self.share * 2_f64.powi(32)
    }

    pub(crate) fn begin(&mut self, unit: Unit, worker: &str, records: Vec<Record>) {
        // A bot that runs out of time on one machine may be in time on another.
        let is_timed = |record: &Record| {
            let is_timeout = |code: Code| code.to_string().starts_with("timeout");
            record.faults.iter().any(|fault| is_timeout(fault.fault.code))
        };
        if !records.iter().any(is_timed) {
            self.open.insert(unit.number, Audit { unit, versions: vec![(worker.to_owned(), records)] });
        }
    }

    /// Compares what a further worker has brought.
    pub(crate) fn compare(&mut self, number: u64, worker: &str, records: Vec<Record>) -> Ruling {
        let Some(audit) = self.open.get_mut(&number) else { return Ruling::Fine };
        if audit.versions.iter().all(|(known, _)| known != worker) {
            audit.versions.push((worker.to_owned(), records));
        }
        let first_difference = |a: &[Record], b: &[Record]| {
            let differs = |other: &&Record| {
                let twin = b.iter().find(|twin| twin.match_id == other.match_id);
                twin.is_none_or(|twin| !is_same(twin, other))
            };
            a.iter().find(differs).map(|record| record.match_id.clone())
        };
        let not: Vec<String> = audit.versions.iter().map(|(worker, _)| worker.clone()).collect();
        let ruling = match audit.versions.as_slice() {
            [_] => {
                // The same worker has played its own games again.
                return Ruling::Again { unit: audit.unit.clone(), not, round: 2 };
            }
            [(_, a), (_, b)] => match first_difference(a, b) {
                None => Ruling::Fine,
                Some(_) => return Ruling::Again { unit: audit.unit.clone(), not, round: 3 },
            },
            [(first, a), (second, b), (_, c), ..] => {
                let match_id = first_difference(a, b).unwrap_or_default();
                if first_difference(b, c).is_none() {
                    Ruling::Liar { worker: first.clone(), match_id }
                } else if first_difference(a, c).is_none() {
                    Ruling::Liar { worker: second.clone(), match_id }
                } else {
                    Ruling::Unstable { match_id }
                }
            }
            [] => Ruling::Fine,
        };
        self.open.remove(&number);
        self.done += 1;
        ruling
    }

    pub(crate) fn open(&self) -> usize {
        self.open.len()
    }

    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// A remark about blocks that nobody has played again.
    pub(crate) fn closing_words(&self) -> Option<String> {
        let differ = self.open.values().filter(|audit| audit.versions.len() == 2);
        let differ: Vec<String> = differ
            .map(|audit| {
                let match_id = audit.versions[0].1.first().map_or("?", |record| record.match_id.as_str());
                let (a, b) = (&audit.versions[0].0, &audit.versions[1].0);
                format!("the block of match {match_id} differs between {a} and {b}, and no third worker could decide")
            })
            .collect();
        if !differ.is_empty() {
            return Some(differ.join("; "));
        }
        let open = self.open.len();
        (open > 0).then(|| {
            format!("{open} blocks were to be played again, and there was no second worker for them")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str, places: [u8; 2]) -> Record {
        let text = format!(
            "{{\"ludus\":1,\"match\":\"{id}\",\"game\":\"nim\",\"rules\":1,\"params\":{{}},\"seed\":\"\",\"bots\":[],\
             \"moves\":[],\"result\":{{\"places\":[{},{}],\"scores\":[],\"reason\":\"\"}},\
             \"times\":{{\"started_ms\":{},\"moves_us\":[]}}}}",
            places[0],
            places[1],
            id.len()
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn the_odd_one_out_is_named() {
        let unit = Unit { number: 4, round: 1, deal: 2, game: 0, table: vec![0, 1] };
        let (won, lost) = ([1, 2], [2, 1]);
        let liar = |worker: &str| Ruling::Liar { worker: worker.to_owned(), match_id: "5".to_owned() };
        for (versions, expected) in [
            (vec![("a", won), ("b", won)], Ruling::Fine),
            (vec![("a", lost), ("b", won), ("c", won)], liar("a")),
            (vec![("a", won), ("b", lost), ("c", won)], liar("b")),
            (vec![("a", won), ("b", lost), ("c", [1, 1])], Ruling::Unstable { match_id: "5".to_owned() }),
        ] {
            let mut audits = Audits::new(1.0);
            assert!(audits.wants());
            audits.begin(unit.clone(), versions[0].0, vec![record("5", versions[0].1)]);
            let own = audits.compare(4, versions[0].0, vec![record("5", versions[0].1)]);
            assert!(matches!(own, Ruling::Again { round: 2, .. }), "nobody audits their own games");
            let mut last = own;
            for (worker, places) in &versions[1..] {
                last = audits.compare(4, worker, vec![record("5", *places)]);
            }
            assert_eq!((last, audits.open(), audits.done()), (expected, 0, 1));
        }
        assert!(!Audits::new(0.0).wants());
    }
}
