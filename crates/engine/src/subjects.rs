//! The names of everything in an engine, and its settings.
//!
//! | stream | subjects | what |
//! | --- | --- | --- |
//! | `WORK` | `work.CLASS.TID.BATCH` | batches to be played; one message for each subject, so that a batch can't be offered twice |
//! | `RES` | `res.TID.USER.INSTANCE.BATCH.PART` | what workers have played |
//! | `BUNDLES` | `bundle.SHA256.PART` | the files of bots |
//! | `KV_ludus` | `$KV.ludus.t.TID` | a tournament: config and seed |
//! | | `$KV.ludus.s.TID` | how a tournament stands |
//! | | `$KV.ludus.lock.TID` | who coordinates a tournament |
//! | | `$KV.ludus.w.USER.INSTANCE` | a worker, and what the worker does |
//!
//! `TID` names a tournament, `USER` a key, and `INSTANCE` one of the workers with that key. Orders
//! (`ctl.…`) are not stored.

use serde_json::{Value, json};
use std::time::Duration;

pub const WORK: &str = "WORK";
pub const RESULTS: &str = "RES";
pub const BUNDLES: &str = "BUNDLES";
/// The bucket of keys and values.
pub const BUCKET: &str = "ludus";
/// The stream behind the bucket.
pub const BUCKET_STREAM: &str = "KV_ludus";

/// The class of workers that take any work.
pub const USUAL_CLASS: &str = "any";

/// A worker that is silent for so long loses its batch.
pub const ACK_WAIT: Duration = Duration::from_secs(15);
/// How often a worker says that it still plays its batch.
pub const SIGN_OF_LIFE: Duration = Duration::from_secs(5);
/// How often a worker says that it is there.
pub const PRESENCE: Duration = Duration::from_secs(10);
/// A worker that has said nothing for so long is gone.
pub const STALE: Duration = Duration::from_secs(30);
/// A coordinator that has not renewed its lock for so long is gone.
pub const LOCK_STALE: Duration = Duration::from_secs(15);
/// Work and results that nobody has taken for so long are removed. A coordinator offers the games
/// again, if there is one.
pub const WORK_AGE: Duration = Duration::from_hours(48);
/// Bundles that nobody has brought for so long are removed. A coordinator brings them again.
pub const BUNDLE_AGE: Duration = Duration::from_hours(168);
/// The largest part of a bundle or of a result. A server takes 1 MiB by default.
pub const PART: usize = 256 << 10;

fn nanos(time: Duration) -> u64 {
    time.as_nanos() as u64
}

/// The settings of all streams, in the form in which a server is asked for them.
pub fn streams() -> [Value; 4] {
    [
        json!({
            "name": WORK, "subjects": ["work.>"], "retention": "workqueue", "storage": "file",
            "max_msgs_per_subject": 1, "discard": "new", "discard_new_per_subject": true,
            "max_age": nanos(WORK_AGE),
        }),
        json!({
            "name": RESULTS, "subjects": ["res.>"], "retention": "workqueue", "storage": "file",
            "discard": "new", "max_age": nanos(WORK_AGE),
        }),
        json!({
            "name": BUNDLES, "subjects": ["bundle.>"], "retention": "limits", "storage": "file",
            "max_msgs_per_subject": 1, "discard": "new", "discard_new_per_subject": true,
            "allow_direct": true, "max_age": nanos(BUNDLE_AGE),
        }),
        json!({
            "name": BUCKET_STREAM, "subjects": [format!("$KV.{BUCKET}.>")], "retention": "limits",
            "storage": "file", "max_msgs_per_subject": 1, "discard": "new", "allow_direct": true,
            "allow_rollup_hdrs": true, "deny_delete": true,
        }),
    ]
}

/// The consumer that hands out the work of a class. The limits are those of the whole fleet.
pub fn work_consumer(class: &str) -> Value {
    json!({
        "durable_name": class, "filter_subject": format!("work.{class}.>"), "ack_policy": "explicit",
        "deliver_policy": "all", "ack_wait": nanos(ACK_WAIT), "max_deliver": -1,
        "max_ack_pending": 100_000, "max_waiting": 10_000,
    })
}

/// The consumer from which the coordinator of a tournament takes results.
pub fn results_consumer(tid: &str) -> Value {
    json!({
        "durable_name": results_consumer_name(tid), "filter_subject": format!("res.{tid}.>"),
        "ack_policy": "explicit", "deliver_policy": "all", "ack_wait": nanos(Duration::from_secs(30)),
        "max_deliver": -1, "max_ack_pending": 10_000,
    })
}

pub fn results_consumer_name(tid: &str) -> String {
    format!("coord-{tid}")
}

/// A batch: the numbers of its first and last unit, and a mark if the batch is offered once more.
pub fn work(class: &str, tid: &str, batch: &str) -> String {
    format!("work.{class}.{tid}.{batch}")
}

pub fn result(tid: &str, worker: &str, batch: &str, part: usize) -> String {
    format!("res.{tid}.{worker}.{batch}.{part}")
}

pub fn bundle(sha256: &str, part: usize) -> String {
    format!("bundle.{sha256}.{part}")
}

pub fn tournament(tid: &str) -> String {
    format!("$KV.{BUCKET}.t.{tid}")
}

pub fn status(tid: &str) -> String {
    format!("$KV.{BUCKET}.s.{tid}")
}

pub fn lock(tid: &str) -> String {
    format!("$KV.{BUCKET}.lock.{tid}")
}

/// The place of a worker. The name of a worker is `USER.INSTANCE`.
pub fn presence(worker: &str) -> String {
    format!("$KV.{BUCKET}.w.{worker}")
}

/// All workers, as a filter.
pub fn all_presences() -> String {
    format!("$KV.{BUCKET}.w.>")
}

/// All tournaments that report how they stand, as a filter.
pub fn all_statuses() -> String {
    format!("$KV.{BUCKET}.s.*")
}

/// Orders for everybody who plays a tournament.
pub fn tournament_orders(tid: &str) -> String {
    format!("ctl.t.{tid}")
}

/// Orders for one worker.
pub fn worker_orders(worker: &str) -> String {
    format!("ctl.w.{worker}")
}
