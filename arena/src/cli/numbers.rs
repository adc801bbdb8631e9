//! Numbers on the command line. Each number has a range, and a number outside is refused.

use config_file::Whole;

/// The longest time: a day.
pub const DAY_MS: u64 = 86_400_000;
/// More nodes or positions than any search visits.
pub const MOST_NODES: u64 = 1_000_000_000_000_000;

/// A whole number from `LOW` to `HIGH`.
pub fn whole<T: TryFrom<u64>, const LOW: u64, const HIGH: u64>(text: &str) -> Result<T, String> {
    let number: Whole<LOW, HIGH> = text.parse()?;
    T::try_from(number.get()).map_err(|_| format!("{text} is too large"))
}

/// A number of seconds, which may have a fraction.
pub fn seconds(text: &str) -> Result<f64, String> {
    const MOST: f64 = 1_000_000.0;
    within(text, 0.0, MOST)
        .ok_or_else(|| format!("expected a number of seconds from 0 to {MOST}, such as 5 or 0.5"))
}

pub fn points(text: &str) -> Result<f64, String> {
    const MOST: f64 = 1_000_000_000.0;
    within(text, 0.0, MOST).ok_or_else(|| format!("expected a number of points from 0 to {MOST}"))
}

/// A number within these limits. Refuses infinity and NaN.
fn within(text: &str, low: f64, high: f64) -> Option<f64> {
    text.parse().ok().filter(|number| (low..=high).contains(number))
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use clap::error::{ContextKind, ContextValue};
    use clap::{Arg, Command, CommandFactory};
    use std::any::TypeId;

    /// Numbers outside of every range. A seed may be any number of 64 bits, so only the others are
    /// outside for a seed.
    const OUTSIDE: [&str; 6] = ["18446744073709551615", "18446744073709551616", "-1", "NaN", "inf", "1e400"];

    fn is_number(arg: &Arg) -> bool {
        let of = |id: TypeId| arg.get_value_parser().type_id() == id;
        let whole = [
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<usize>(),
        ];
        let other = [TypeId::of::<i32>(), TypeId::of::<i64>(), TypeId::of::<f32>(), TypeId::of::<f64>()];
        whole.into_iter().chain(other).any(of)
    }

    /// A command line with all arguments that the command needs, and one flag.
    fn with_flag(command: &Command, flag: &Arg, value: &str) -> Vec<String> {
        let needed = |arg: &&Arg| arg.is_required_set() && arg.get_id() != flag.get_id();
        let mut words = vec!["arena".to_owned(), command.get_name().to_owned()];
        for arg in command.get_arguments().filter(needed) {
            let known = arg.get_possible_values().first().map(|value| value.get_name().to_owned());
            let word = known.unwrap_or_else(|| "minimax".to_owned());
            match arg.get_long() {
                Some(long) => words.push(format!("--{long}={word}")),
                None => words.extend(vec![word; arg.get_num_args().map_or(1, |range| range.min_values())]),
            }
        }
        words.push(format!("--{}={value}", flag.get_long().unwrap_or_default()));
        words
    }

    /// Why the command line is refused. Flags that another flag needs are added first.
    fn refusal(mut words: Vec<String>) -> Option<String> {
        loop {
            let error = Cli::command().try_get_matches_from(&words).err()?;
            let added = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::Strings(missing)) => missing.clone(),
                _ => Vec::new(),
            };
            if added.is_empty() || added.iter().any(|flag| words.contains(flag) || flag.contains(' ')) {
                return Some(error.to_string());
            }
            words.extend(added);
        }
    }

    #[test]
    fn every_number_has_a_range() {
        let mut seen = 0;
        for command in Cli::command().get_subcommands() {
            // The flags of a tournament replace values of its config, and are checked with the
            // config. A time is not a number.
            let numbers = command.get_arguments().filter(|arg| is_number(arg) && arg.get_long().is_some());
            for flag in numbers.filter(|_| command.get_name() != "tournament") {
                let Some(long) = flag.get_long().filter(|long| *long != "since") else { continue };
                let refused = |value: &str| refusal(with_flag(command, flag, value));
                // If every number were refused, the rest of this test would prove nothing.
                let taken = ["1", "2", "4"].iter().any(|value| refused(value).is_none());
                assert!(taken, "arena {} --{long} 1: {:?}", command.get_name(), refused("1"));
                for value in OUTSIDE.into_iter().skip(usize::from(long == "seed")) {
                    let told = refused(value).unwrap_or_default();
                    let name = command.get_name();
                    assert!(told.contains(&format!("--{long}")), "arena {name} --{long} {value}: {told}");
                    let says = told.contains("expected") || long == "seed";
                    assert!(says, "arena {name} --{long} {value}: {told}");
                }
                seen += 1;
            }
        }
        assert!(seen > 25, "only {seen} numbers were found");
    }
}
