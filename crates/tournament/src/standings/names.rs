//! Shortens the names of bots to fit a column. Different names stay different.

use std::collections::BTreeSet;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Most names begin with this prefix. It is removed first.
const USUAL: &str = "builtin:";

/// Cuts names to a width, in the middle. Different names stay different.
pub fn short_names(names: &[&str], width: usize) -> Vec<String> {
    let fit = |names: &[&str]| names.iter().all(|name| name.width() <= width);
    let plain: Vec<&str> = names.iter().map(|name| name.strip_prefix(USUAL).unwrap_or(name)).collect();
    let are_distinct = |names: &[&str]| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    let names = if fit(names) || !are_distinct(&plain) { names } else { &plain };
    let cut = |cut: &dyn Fn(&str) -> String| -> Vec<String> {
        names.iter().map(|name| if name.width() <= width { (*name).to_owned() } else { cut(name) }).collect()
    };
    // The end of a long command tells more than its beginning. If the ends are equal, other parts
    // are tried.
    let heads = [width / 3, width / 2, 2 * width / 3, 0, width.saturating_sub(1)];
    let middle = heads.into_iter().map(|head| cut(&|name| cut_middle(name, head, width)));
    let (before, after) = common_ends(names, width);
    let outside = std::iter::once_with(|| cut(&|name| cut_ends(name, before, after, width)));
    let distinct = |list: &Vec<String>| {
        list.iter().collect::<BTreeSet<_>>().len() == names.iter().collect::<BTreeSet<_>>().len()
    };
    middle.chain(outside).find(distinct).unwrap_or_else(|| numbered(names, width))
}

/// One name, cut in the middle.
pub fn short_name(name: &str, width: usize) -> String {
    if name.width() <= width { name.to_owned() } else { cut_middle(name, width / 3, width) }
}

fn cut_middle(name: &str, head: usize, width: usize) -> String {
    let first = head_of(name, head.min(width.saturating_sub(1)));
    let tail = tail_of(name, width.saturating_sub(1 + first.width()));
    format!("{first}…{tail}")
}

/// The number of characters that all long names share at the beginning and at the end.
fn common_ends(names: &[&str], width: usize) -> (usize, usize) {
    let long: Vec<&str> = names.iter().copied().filter(|name| name.width() > width).collect();
    let same = |of: &dyn Fn(&str) -> Vec<char>| {
        let first = long.first().map_or(Vec::new(), |name| of(name));
        let with = |name: &&str| first.iter().zip(of(name)).take_while(|(a, b)| *a == b).count();
        long.iter().map(with).min().unwrap_or(0)
    };
    (same(&|name| name.chars().collect()), same(&|name| name.chars().rev().collect()))
}

/// The part between the common ends, and as many characters before it as there is room for.
fn cut_ends(name: &str, before: usize, after: usize, width: usize) -> String {
    let length = name.chars().count();
    let inner: String = name.chars().take(length.saturating_sub(after).max(before)).collect();
    let shown = tail_of(&inner, width.saturating_sub(2));
    let closing = if after > 0 { "…" } else { "" };
    format!("…{shown}{closing}")
}

/// Cut names with a number, if nothing else makes them different.
fn numbered(names: &[&str], width: usize) -> Vec<String> {
    let one = |(at, name): (usize, &&str)| {
        let number = format!("…{}", at + 1);
        if name.width() <= width {
            return (*name).to_owned();
        }
        format!("{}{number}", head_of(name, width.saturating_sub(number.width())))
    };
    names.iter().enumerate().map(one).collect()
}

fn head_of(name: &str, width: usize) -> String {
    let mut room = width;
    let fits = |letter: &char| {
        let left = room.checked_sub(letter.width().unwrap_or(0));
        room = left.unwrap_or(0);
        left.is_some()
    };
    name.chars().take_while(fits).collect()
}

fn tail_of(name: &str, width: usize) -> String {
    let backwards: String = name.chars().rev().collect();
    head_of(&backwards, width).chars().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_in_the_middle_and_stay_different() {
        for (names, width, expected) in [
            (&["builtin:greedy", "mine"][..], 14, &["builtin:greedy", "mine"][..]),
            (&["builtin:alpha-beta?depth=2", "builtin:greedy"], 18, &["alpha-beta?depth=2", "greedy"]),
            (&["builtin:alpha-beta?depth=2", "builtin:greedy"], 12, &["alph…depth=2", "greedy"]),
            (&["builtin:greedy", "greedy"], 10, &["bui…greedy", "greedy"]),
            (&["students/anna/bot.py", "students/eva/bot.py"], 15, &["stude…na/bot.py", "stude…va/bot.py"]),
            (&["", "x"], 5, &["", "x"]),
        ] {
            let found = short_names(names, width);
            assert!(found.iter().all(|name| name.width() <= width), "{found:?}");
            assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), names.len(), "{found:?}");
            assert_eq!(found, expected);
        }
        let many: Vec<String> =
            (1..=99).map(|number| format!("python3 submissions/student-{number:02}/bot.py")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for width in [6, 8, 12, 20, 30] {
            let found = short_names(&many, width);
            assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 99, "{width}: {found:?}");
            assert!(found.iter().all(|name| name.width() <= width), "{found:?}");
        }
        assert_eq!(short_names(&many, 14)[6], "pyth…07/bot.py");
        assert_eq!(short_names(&many, 8)[6], "…ent-07…");
        assert_eq!(short_name("python3 submissions/anna/bot.py", 12), "pyth…/bot.py");
        assert_eq!(short_name("人工知能対戦", 7), "人…対戦");
    }
}
