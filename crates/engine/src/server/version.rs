//! Which servers are good enough.

/// The oldest server that passes the tests.
pub const OLDEST: [u32; 3] = [2, 10, 27];

/// The version of a server: what `nats-server --version` prints, or what a server says of itself.
pub fn read(text: &str) -> Option<[u32; 3]> {
    let word = text.split_whitespace().last()?.trim_start_matches('v');
    // The mark of a preview says nothing about the order of versions.
    let mut numbers = word.split(['-', '+']).next()?.split('.').map(str::parse::<u32>);
    let mut next = || numbers.next()?.ok();
    Some([next()?, next()?, next()?])
}

/// Why a server of this version can't be trusted with a tournament.
pub fn refusal(text: &str) -> Option<String> {
    let wanted = "2.10.27 or later is needed (better 2.12 or later)";
    let Some(version) = read(text) else {
        return Some(format!("`{}` is no version of nats-server; {wanted}", text.trim()));
    };
    let reason = match version {
        _ if version >= OLDEST => return None,
        [0..=1, ..] | [2, 0..=9, _] => {
            "when such a server is killed, it forgets which work was acknowledged and hands all of it out again, \
             and it can't be told to write each message to the disk"
        }
        _ => "when such a server is killed, it can lose whole streams, with work and results",
    };
    let [major, minor, patch] = version;
    Some(format!("nats-server {major}.{minor}.{patch} is too old: {reason}; {wanted}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_servers_are_refused_with_the_reason() {
        for (text, refused) in [
            ("nats-server: v2.9.10\n", Some("forgets which work was acknowledged")),
            ("2.10.22", Some("lose whole streams")),
            ("2.10.26", Some("2.10.26 is too old")),
            ("nats-server: v2.10.27", None),
            ("2.12.0-RC.1", None),
            ("nats-server: v2.15.1", None),
            ("3.0.0", None),
            ("redis 7", Some("no version of nats-server")),
            ("", Some("no version")),
        ] {
            let found = refusal(text);
            let fits = match (&found, refused) {
                (Some(words), Some(part)) => words.contains(part) && words.contains("2.10.27 or later"),
                (found, refused) => found.is_none() && refused.is_none(),
            };
            assert!(fits, "{text}: {found:?}");
        }
    }
}
