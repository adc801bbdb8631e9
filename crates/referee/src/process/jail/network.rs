//! The network of the bots of this arena. The first keeper makes one, without a wire, and the arena
//! keeps it for all others.

use crate::process::lock::locked;
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::Mutex;

/// A network of this arena that bots can share, because nobody can send anything in it: the paths of
/// its namespace of users, and of the network itself. Making a network takes as long as all the
/// rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SharedNetwork {
    pub(crate) users: PathBuf,
    pub(crate) network: PathBuf,
}

/// The namespace of users that the network belongs to, and the network.
static KEPT: Mutex<Option<(File, File)>> = Mutex::new(None);

/// Where a keeper of the same account finds the network, if there is one.
pub(crate) fn shared() -> Option<SharedNetwork> {
    let path = |file: &File| format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()).into();
    let kept = locked(&KEPT);
    kept.as_ref().map(|(users, network)| SharedNetwork { users: path(users), network: path(network) })
}

/// Keeps the network of this keeper, unless there is one.
pub(crate) fn keep(keeper: Pid) {
    let open = |kind: &str| File::open(format!("/proc/{keeper}/ns/{kind}")).ok();
    let mut kept = locked(&KEPT);
    if kept.is_none() {
        *kept = open("user").zip(open("net"));
    }
}
