//! The config of a server: encrypted, nobody without a key, and each key with least rights.

use super::{ServerPlan, certificates};
use crate::login::user_word;
use crate::rights::Rights;
use crate::ticket::Ticket;
use std::path::Path;

pub(super) const CONFIG: &str = "nats.conf";
pub(super) const LOG: &str = "nats.log";
pub(super) const PID: &str = "nats.pid";

/// The account of all users. The account that rules the server has no user at all.
pub const ACCOUNT: &str = "LUDUS";

pub(super) fn text(plan: &ServerPlan, store_bytes: u64, folder: &Path, tickets: &[Ticket]) -> String {
    let at = |name: &str| format!("{:?}", folder.join(name).display().to_string());
    let monitor = plan.monitor.map_or(String::new(), |place| format!("http: \"{place}\"\n"));
    let users = tickets.iter().map(|ticket| {
        let public = ticket.key.public();
        let rights = Rights::of(&ticket.role, &user_word(&public)).to_config();
        format!("      # {}\n      {{ nkey: {public}, permissions: {rights} }}\n", ticket.name)
    });
    format!(
        "# Written by `arena engine up`, which writes it again at each start.\n\
         server_name: ludus\n\
         listen: \"{listen}:{port}\"\n{monitor}\
         pid_file: {pid}\n\
         log_file: {log}\n\
         log_size_limit: 64MB\n\
         \n\
         max_payload: 1MB\n\
         max_connections: 20000\n\
         max_pending: 64MB\n\
         write_deadline: \"10s\"\n\
         # A peer that is silent for a minute is gone.\n\
         ping_interval: \"20s\"\n\
         ping_max: 2\n\
         \n\
         tls {{\n  cert_file: {certificate}\n  key_file: {key}\n  min_version: \"1.3\"\n  timeout: 5\n}}\n\
         \n\
         jetstream {{\n  store_dir: {store}\n  max_memory_store: 64MB\n  {STORE_BYTES}{most}\n}}\n\
         \n\
         accounts {{\n  {ACCOUNT} {{\n    jetstream {{ max_memory: 64MB, max_file: {most} }}\n    users: [\n{users}    ]\n  }}\n}}\n",
        listen = plan.listen,
        port = plan.port,
        pid = at(PID),
        log = at(LOG),
        certificate = at(certificates::SERVER),
        key = at(certificates::SERVER_KEY),
        store = at("store"),
        most = store_bytes,
        users = users.collect::<String>(),
    )
}

/// What stands before the size of the store.
const STORE_BYTES: &str = "max_file_store: ";

/// The size of the store in an earlier config.
pub(super) fn store_bytes(config: &str) -> Option<u64> {
    config.lines().find_map(|line| line.trim().strip_prefix(STORE_BYTES))?.parse().ok()
}

/// What a server that runs can't take over from a new config.
pub(super) fn without_users(config: &str) -> Vec<&str> {
    let is_user = |line: &&str| line.starts_with("      ");
    config.lines().filter(|line| !is_user(line)).collect()
}
