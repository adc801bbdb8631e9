//! The help of the program itself: all commands on one screen, in groups by use.

use clap::Command;
use std::fmt::Write as _;

/// A use of the program, with one example and the commands.
struct Group {
    name: &'static str,
    example: &'static str,
    commands: &'static [&'static str],
}

const GROUPS: [Group; 7] = [
    Group {
        name: "Play",
        example: "arena play quixo --against builtin:alpha-beta",
        commands: &["games", "rules", "play", "match", "practice", "show", "verify"],
    },
    Group {
        name: "Write a bot",
        example: "arena new my-bot --lang python --level greedy",
        commands: &["new", "check", "diagnose", "pack", "bot", "query", "schema"],
    },
    Group {
        name: "Compete",
        example: "arena tournament configs/round-robin.toml",
        commands: &["tournament", "worker", "merge", "standings", "report", "serve"],
    },
    Group {
        name: "Teach",
        example: "arena grade assignment.toml --submission my-bot",
        commands: &["grade", "analyse"],
    },
    Group {
        name: "Study",
        example: "arena compare minimax alpha-beta --game nim --depth 1..4",
        commands: &["tree", "values", "compare", "solve", "perft", "bench"],
    },
    Group { name: "Scale", example: "arena engine up", commands: &["engine", "status"] },
    Group { name: "Set up", example: "arena doctor", commands: &["doctor", "completions", "manual", "help"] },
];

/// Where the summary of a command begins.
const INDENT: usize = 15;

/// Gives a command its overview as help.
pub fn with_overview(command: Command) -> Command {
    let groups = groups(&command);
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} arena COMMAND …, and arena COMMAND --help for more\n\n\
         {groups}Options:\n{{options}}{{after-help}}"
    ))
}

fn groups(command: &Command) -> String {
    let mut text = String::new();
    for Group { name, example, commands } in &GROUPS {
        let _ = writeln!(text, "{:<INDENT$}{example}", format!("{name}:"));
        for name in *commands {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            // Only clap's own command has no summary here.
            let about = about.map_or("The same as --help, for a command".to_owned(), ToString::to_string);
            let _ = writeln!(text, "{:<INDENT$}{about}", format!("  {name}"));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::command_line;
    use super::*;

    #[test]
    fn each_command_is_in_one_group_and_fits_a_line() {
        let command = command_line();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|group| group.commands).copied().collect();
        let mut known: Vec<&str> =
            command.get_subcommands().filter(|one| !one.is_hide_set()).map(Command::get_name).collect();
        known.push("help");
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
        for Group { example, .. } in &GROUPS {
            let words = shlex::split(example).unwrap();
            assert!(command.clone().try_get_matches_from(words).is_ok(), "{example}");
        }
        let text = groups(&command);
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert_eq!(wide, [""; 0]);
    }
}
