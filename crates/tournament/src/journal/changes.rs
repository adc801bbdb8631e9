//! Compares a tournament with the first line of its journal.

use super::format::{BotEntry, JournalHeader};
use serde_json::{Value, json};
use text::harmless;

/// What has changed since the first line of the journal was written. If anything has, the journal
/// can't go on.
pub(super) fn changes(old: &JournalHeader, new: &JournalHeader) -> Vec<String> {
    let mut list = Vec::new();
    if old.seed_commitment != new.seed_commitment {
        list.push("\n  the seed is not the seed that the journal is committed to".to_owned());
    }
    let of = |bots: &[BotEntry], name: &str| bots.iter().find(|bot| bot.name == name).cloned();
    for was in &old.bots {
        let name = &was.name;
        match of(&new.bots, name) {
            None => list.push(format!("\n  the bot `{name}` is missing")),
            Some(now) if now.run != was.run => {
                list.push(format!("\n  the bot `{name}` was started by `{}`, now by `{}`", was.run, now.run));
            }
            Some(now) if now.sha256 != was.sha256 => {
                list.push(format!("\n  the files of the bot `{name}` have changed"));
            }
            Some(_) => {}
        }
    }
    for now in new.bots.iter().filter(|bot| of(&old.bots, &bot.name).is_none()) {
        list.push(format!("\n  the bot `{}` is new", now.name));
    }
    if list.is_empty() && old.bots != new.bots {
        list.push("\n  the bots are in another order".to_owned());
    }
    let rest = |header: &JournalHeader| json!({ "name": header.name, "config": header.config, "shard": header.shard });
    list.extend(differences(&rest(old), &rest(new)));
    list
}

/// Where two configs differ: `deals: 10 in the journal, 12 now`.
pub fn differences(old: &Value, new: &Value) -> Vec<String> {
    let mut list = Vec::new();
    differ("", old, new, &mut list);
    list
}

fn differ(path: &str, old: &Value, new: &Value, list: &mut Vec<String>) {
    if old == new {
        return;
    }
    let shown = |value: &Value| if value.is_null() { "nothing".to_owned() } else { value.to_string() };
    match (old, new) {
        (Value::Object(left), Value::Object(right)) => {
            let added = right.keys().filter(|key| !left.contains_key(*key));
            for key in left.keys().chain(added) {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                differ(&path, &old[key], &new[key], list);
            }
        }
        (Value::Array(left), Value::Array(right)) => {
            for at in 0..left.len().max(right.len()) {
                let nothing = Value::Null;
                let item = |list: &[Value]| list.get(at).unwrap_or(&nothing).clone();
                differ(&format!("{path}[{at}]"), &item(left), &item(right), list);
            }
        }
        _ => {
            let path = harmless::line(path);
            list.push(format!("\n  {path}: {} in the journal, {} now", shown(old), shown(new)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::format::tests::header;

    #[test]
    fn every_change_is_named() {
        let bot = |name: &str, run: &str, sha256: &str| BotEntry {
            name: name.to_owned(),
            run: run.to_owned(),
            sha256: Some(sha256.to_owned()),
            clock: None,
            memory_mib: None,
        };
        let with = |bots: Vec<BotEntry>| JournalHeader { bots, ..header(1) };
        let old = with(vec![bot("anna", "a", "1"), bot("béla", "b", "2")]);
        for (new, expected) in [
            (
                with(vec![bot("anna", "a", "1"), bot("béla", "b", "3")]),
                "the files of the bot `béla` have changed",
            ),
            (
                with(vec![bot("anna", "a", "1"), bot("béla", "c", "2")]),
                "the bot `béla` was started by `b`, now by `c`",
            ),
            (with(vec![bot("anna", "a", "1")]), "the bot `béla` is missing"),
            (with([&old.bots[..], &[bot("cili", "c", "3")]].concat()), "the bot `cili` is new"),
            (with(vec![bot("béla", "b", "2"), bot("anna", "a", "1")]), "the bots are in another order"),
            (JournalHeader { seed_commitment: "d".to_owned(), ..old.clone() }, "the seed is not the seed"),
        ] {
            let found = changes(&old, &new);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains(expected), "{found:?}");
        }
        assert!(changes(&old, &old).is_empty());
    }
}
