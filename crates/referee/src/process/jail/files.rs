//! The files that a bot may use.

use super::Jail;
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use std::path::{Path, PathBuf};

/// Folders of the system, which every bot may read.
const SYSTEM: &[&str] = &[
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/nix/store",
    "/gnu/store",
    "/sys/devices/system/cpu",
];

/// Settings of the system that languages read when they start. The rest of `/etc` has secrets.
const SETTINGS: &[&str] = &[
    "alternatives",
    "debian_version",
    "gai.conf",
    "group",
    "host.conf",
    "hosts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "ld.so.preload",
    "locale.alias",
    "localtime",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "passwd",
    "perl",
    "python3",
    "python3.9",
    "python3.10",
    "python3.11",
    "python3.12",
    "python3.13",
    "python3.14",
    "ssl/openssl.cnf",
    "timezone",
];

/// Settings of every version of Java.
const JAVA_SETTINGS: &str = "java-";

/// What a process may read of the machine where it has no list of processes of its own.
const MACHINE: &[&str] = &[
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/proc/filesystems",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sys/vm/max_map_count",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/kernel/cap_last_cap",
];

const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The newest rules that this program knows. An older system enforces those that it knows.
const NEWEST: ABI = ABI::V6;

/// What the system has taken away.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taken {
    pub(crate) files: bool,
    pub(crate) signals: bool,
}

/// Restricts this thread, and whatever the thread starts.
pub(crate) fn apply(jail: &Jail, own: &[&Path], own_proc: bool) -> Result<Taken, RulesetError> {
    let read = AccessFs::from_read(NEWEST);
    let use_device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    let all = AccessFs::from_all(NEWEST) & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(SYSTEM, read))?
        .add_rules(path_beneath_rules(settings(), read))?
        .add_rules(path_beneath_rules(DEVICES, use_device))?
        .add_rules(path_beneath_rules(&jail.read, read))?
        .add_rules(path_beneath_rules(&jail.write, all))?
        .add_rules(path_beneath_rules(own, all))?
        .add_rules(path_beneath_rules(&jail.list, AccessFs::ReadDir))?;
    rules = if own_proc {
        // Read only: some of its files are settings of the whole machine.
        rules.add_rules(path_beneath_rules(["/proc"], read))?
    } else {
        rules.add_rules(path_beneath_rules(MACHINE, read))?
    };
    let status = rules.restrict_self()?;
    let LandlockStatus::Available { effective_abi, .. } = status.landlock else {
        return Ok(Taken::default());
    };
    Ok(Taken { files: true, signals: effective_abi >= ABI::V6 })
}

fn settings() -> Vec<PathBuf> {
    let java = std::fs::read_dir("/etc").into_iter().flatten().flatten().map(|entry| entry.file_name());
    let java = java.filter(|name| name.to_str().is_some_and(|name| name.starts_with(JAVA_SETTINGS)));
    let fixed = SETTINGS.iter().map(Into::into);
    fixed.chain(java).map(|name: std::ffi::OsString| Path::new("/etc").join(name)).collect()
}
