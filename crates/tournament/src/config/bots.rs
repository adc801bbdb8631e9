//! The bots of a config, and the words of a config that name bots.

use super::{Format, note_repeated};
use crate::draft::{BotDraft, BotTable, ClockDraft, Draft};
use crate::series::Entrant;
use crate::standings::Anchor;
use config_file::{Mistake, Mistakes, Whole, unknown_word};
use referee::clock::ClockRules;
use referee::process::Sandbox;
use referee::spec::BotSpec;
use referee::submission::check_name;
use serde_json::json;
use std::sync::Arc;

/// The bots of a config, as far as they are known.
pub(super) struct Bots {
    /// The bots that can be used.
    pub(super) usable: Vec<Entrant>,
    /// All bots that are listed, or `None` if a part of the list was not understood.
    pub(super) count: Option<usize>,
    pub(super) names: Vec<String>,
    /// A bot without a name of its own can't be used. When its command is mended, its name changes.
    may_get_name: bool,
    /// A name must be changed, and nobody knows to what.
    may_get_any_name: bool,
    sandbox: Arc<Sandbox>,
}

impl Bots {
    /// May a bot have this name when all bots are mended?
    fn may_have(&self, name: &str) -> bool {
        let is_open = self.count.is_none() || self.may_get_any_name;
        let is_known = self.names.iter().any(|known| known == name);
        is_open || is_known || self.may_get_name && self.can_use(name)
    }

    fn can_use(&self, command: &str) -> bool {
        let spec = command.parse().ok().map(|spec: BotSpec| spec.within(&self.sandbox));
        spec.is_some_and(|spec| spec.check_exists().is_ok())
    }
}

pub(super) fn entrants(draft: &Draft, sandbox: &Arc<Sandbox>, mistakes: &mut Mistakes) -> Bots {
    let sure = mistakes.sure_of("bots");
    if sure && draft.bots.is_empty() {
        mistakes.add_missing(if draft.only_flags {
            "no bots: add `--bots builtin:random,builtin:greedy`"
        } else {
            "no bots: add `bots = [\"builtin:random\", …]`"
        });
    }
    let count = Some(draft.bots.len()).filter(|&count| sure && count > 0);
    let (usable, names, sandbox) = (Vec::new(), Vec::new(), Arc::clone(sandbox));
    let mut bots = Bots { usable, count, names, may_get_name: false, may_get_any_name: false, sandbox };
    for BotDraft(written) in &draft.bots {
        let spec = BotSpec::in_file(&written.run, &bots.sandbox, mistakes);
        bots.may_get_name |= spec.is_none() && written.name.is_none();
        let name = mistakes.note(bot_name(written, &bots.names));
        bots.may_get_any_name |= name.is_none();
        bots.names.push(written.name.as_ref().unwrap_or(&written.run).value.clone());
        bots.usable.extend(spec.zip(name).map(|(spec, name)| entrant(draft, written, spec, name)));
    }
    bots
}

fn bot_name(written: &BotTable, others: &[String]) -> Result<String, Mistake> {
    let name = written.name.as_ref().unwrap_or(&written.run);
    if written.name.is_some() {
        check_name(&name.value)
            .map_err(|problem| name.wrong(format!("the name {}: {problem}", json!(name.value))))?;
    }
    if others.contains(&name.value) {
        return Err(name.wrong(format!(
            "two bots are called `{}`; give each bot a name of its own: {{ name = \"…\", run = \"…\" }}",
            name.value
        )));
    }
    Ok(name.value.clone())
}

fn entrant(draft: &Draft, written: &BotTable, spec: BotSpec, name: String) -> Entrant {
    let BotTable { move_ms, bank_ms, increment_ms, startup_ms, .. } = *written;
    let own = ClockDraft { move_ms, bank_ms, increment_ms, startup_ms, measured: None };
    let clock = own.over(draft.clock.over(ClockRules::default()));
    let memory_mib = written.memory_mib.or(draft.memory_mib).map(Whole::get);
    Entrant { memory_mib, ..Entrant::new(name, spec, clock) }
}

pub(super) fn heroes(
    draft: &Draft,
    format: Option<Format>,
    bots: &Bots,
    mistakes: &mut Mistakes,
) -> Vec<usize> {
    note_repeated(draft.heroes.iter().map(|hero| (hero, hero.value.clone())), mistakes);
    let names: Vec<&str> = bots.names.iter().map(String::as_str).collect();
    let mut heroes = Vec::new();
    for hero in &draft.heroes {
        if format.is_some_and(|format| format != Format::Gauntlet) {
            mistakes.add(hero.wrong("`heroes` works only with `format = \"gauntlet\"`"));
            break;
        }
        heroes.extend(names.iter().position(|name| *name == hero.value));
        if !bots.may_have(&hero.value) {
            let problem = format!("no bot is called `{}`", hero.value);
            mistakes.add(hero.wrong(unknown_word(&problem, &hero.value, &names)));
        }
    }
    if draft.heroes.is_empty() && format == Some(Format::Gauntlet) {
        heroes.push(0);
    }
    heroes.sort_unstable();
    heroes
}

pub(super) fn anchor(draft: &Draft, bots: &Bots, mistakes: &mut Mistakes) -> Option<Anchor> {
    let written = draft.anchor.as_ref()?;
    let Anchor { bot, elo } = &written.value;
    if !bots.may_have(bot) {
        let names = bots.names.join(", ");
        mistakes.add(written.wrong(format!("no bot is called {}; known: {names}", json!(bot))));
    }
    if elo.abs() > 1e6 || elo.is_nan() {
        mistakes.add(written.wrong(format!("`elo` must be a number from -1000000 to 1000000, not {elo}")));
    }
    Some(written.value.clone())
}
