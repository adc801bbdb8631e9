//! `arena doctor`: what this host offers to hold bots, shown by real attacks.

use super::{Failure, say};
use nix::sys::utsname::uname;
use nix::unistd::Uid;
use referee::process::{self, HOLDS_BOTS, Protections, Sandbox, Trial, try_attacks};
use serde_json::json;
use text::wrap::indented;

/// Show what this host offers to hold bots, and try real attacks
#[derive(clap::Args)]
#[command(
    after_help = "Each attack is started as a bot, under each profile. `held` means that the attack failed.\n\n\
    Examples:\n  arena doctor\n  arena doctor --json\n\n\
    Exit codes: 0 the sandbox `strict` holds all attacks, 1 an attack succeeded or nothing is enforced, 3 an error of the arena or \
    the machine."
)]
pub struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What an administrator can do where a protection is missing.
const ADVICE: &[(&str, &str)] = &[
    (
        "files",
        "Linux 5.13 or newer with Landlock: add landlock to the list lsm= of the kernel's command line",
    ),
    ("calls", "a kernel with CONFIG_SECCOMP_FILTER, on x86-64, ARM64 or RISC-V"),
    ("signals", "Linux 6.12 or newer with Landlock, or user namespaces"),
    ("processes", NAMESPACES),
    ("network", NAMESPACES),
    ("count", "user namespaces for an ordinary user; for root Linux 6.14 or newer as well"),
    ("scratch", NAMESPACES),
];

const NAMESPACES: &str = "user namespaces: sysctl user.max_user_namespaces=10000; on Debian and Ubuntu also \
    kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in Docker --security-opt \
    seccomp=unconfined";

/// What a bot can do, and what the arena can't, on a system that holds no bots.
const UNHELD: &[(&str, &str)] = &[
    ("files", "a bot can read and change what you can; it has a scratch folder, which is emptied"),
    ("network", "a bot can use it"),
    (
        "processes",
        "a bot can see and end yours; its group is ended with it, and what leaves the group goes on",
    ),
    ("memory", "is not limited, whatever a flag or a file says"),
    (
        "time",
        "is measured on the wall, also where processor time is asked for; a bot may compute while others think",
    ),
    ("open files", "are limited to 1024, and each file that a bot writes to 64 MiB"),
    ("advice", "play only bots that you would run without the arena; decide about points on Linux"),
];

pub fn run(args: &DoctorArgs) -> Result<(), Failure> {
    process::prepare();
    let found = Sandbox::default().protections()?;
    let trials = try_attacks()?;
    let lost = trials.iter().filter(|trial| !trial.strict).count();
    say(&if args.json { json_page(&found, &trials) } else { page(&found, &trials) })?;
    match lost {
        _ if !HOLDS_BOTS => Err(Failure::Failed("nothing holds a bot on this system".to_owned())),
        0 => Ok(()),
        1 => Err(Failure::Failed("`strict` does not hold one of the attacks on this host".to_owned())),
        lost => Err(Failure::Failed(format!("`strict` does not hold {lost} of the attacks on this host"))),
    }
}

fn json_page(found: &Protections, trials: &[Trial]) -> String {
    let attack = |Trial { name, aim, strict, trusted }: &Trial| json!({ "attack": name, "aim": aim, "strict": strict, "trusted": trusted });
    let attacks: Vec<_> = trials.iter().map(attack).collect();
    let page = json!({ "root": Uid::effective().is_root(), "strict": found, "attacks": attacks });
    format!("{page:#}\n")
}

fn page(found: &Protections, trials: &[Trial]) -> String {
    let system = uname().map_or_else(
        |_| "an unknown system".to_owned(),
        |about| format!("{} {}", about.sysname().display(), about.release().display()),
    );
    let user = if Uid::effective().is_root() { "root" } else { "an ordinary user" };
    let mut text = format!("{system}, as {user}\n\n");
    if !HOLDS_BOTS {
        text += "Nothing of the sandbox is enforced on this system: only Linux has what it takes.\n\n";
        for (what, how) in UNHELD {
            text += &indented(&format!("  {what:<10} "), how);
        }
        return text;
    }
    text += "`strict` on this host:\n\n";
    let missing = found.missing();
    for (word, without, has) in Protections::ALL {
        let state = if has(found) { "enforced".to_owned() } else { format!("MISSING: {without}") };
        text += &format!("  {word:<10} {state}\n");
    }
    text += "\nAttacks, tried for real:             strict    trusted\n\n";
    for Trial { aim, strict, trusted, .. } in trials {
        let word = |held: &bool| if *held { "held" } else { "SUCCEEDED" };
        text += &format!("  {aim:<34} {:<9} {}\n", word(strict), word(trusted).to_lowercase());
    }
    text += "\n`trusted` only limits open files and memory, and ends what a bot leaves\nbehind. `off` does not limit open files either.\n";
    if !missing.is_empty() {
        text += "\nAn administrator could switch on:\n\n";
    }
    for (word, _) in missing {
        let advice = ADVICE.iter().find(|(known, _)| *known == word).map_or("", |(_, advice)| advice);
        text += &indented(&format!("  {word}: "), advice);
    }
    text
}
