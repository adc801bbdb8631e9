//! Shortens the names of bots to fit a column. Different names stay different.

use std::collections::{BTreeMap, BTreeSet};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Most names begin with this prefix. It is removed first.
const USUAL: &str = "builtin:";

/// Cuts names to a width. Different names stay different.
///
/// Every name keeps its head. Names with the same head are cut in the same way, so that a reader sees
/// where the names differ. Numbers replace the rest of a name only if no cut tells two names apart.
pub fn short_names(names: &[&str], width: usize) -> Vec<String> {
    let names = without_prefix(names, width);
    let mut groups: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for name in names.iter().filter(|name| name.width() > width) {
        groups.entry(head_of(name, width / 3)).or_default().insert(name);
    }
    let mut short: BTreeMap<&str, String> =
        names.iter().filter(|name| name.width() <= width).map(|name| (*name, (*name).to_owned())).collect();
    let mut taken: BTreeSet<String> = short.values().cloned().collect();
    let mut left = Vec::new();
    for group in groups.values() {
        let group: Vec<&str> = group.iter().copied().collect();
        for (name, cut) in group.iter().zip(cut_group(&group, width, &taken)) {
            match cut.filter(|cut| taken.insert(cut.clone())) {
                Some(cut) => _ = short.insert(name, cut),
                None => left.push(*name),
            }
        }
    }
    for name in left {
        let place = names.iter().position(|other| *other == name).unwrap_or(0);
        let mut numbers = (place + 1..).map(|number| numbered(name, number, width));
        let number = numbers.find(|text| taken.insert(text.clone()));
        short.insert(name, number.unwrap_or_default());
    }
    names.iter().map(|name| short.get(name).cloned().unwrap_or_default()).collect()
}

/// The names without their usual prefix, if they are too wide otherwise and stay different.
pub(super) fn without_prefix<'a>(names: &[&'a str], width: usize) -> Vec<&'a str> {
    let plain: Vec<&str> = names.iter().map(|name| name.strip_prefix(USUAL).unwrap_or(name)).collect();
    let are_distinct = plain.iter().collect::<BTreeSet<_>>().len() == names.len();
    let fit = names.iter().all(|name| name.width() <= width);
    if fit || !are_distinct { names.to_vec() } else { plain }
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

/// How a name is cut.
#[derive(Clone, Copy)]
enum Cut {
    /// A head of so many columns, and the tail.
    Middle(usize),
    /// A head, a window that begins at this character, and a tail of so many columns.
    From(usize, usize),
    /// A head, and a window that ends so many characters before the end.
    UpTo(usize),
}

impl Cut {
    fn apply(self, name: &str, width: usize) -> String {
        let usual = cut_middle(name, width / 3, width);
        let head = head_of(name, width / 3);
        let letters: Vec<char> = name.chars().collect();
        let (tail, window) = match self {
            Cut::Middle(head) => return cut_middle(name, head, width),
            Cut::From(begin, tail) => {
                let tail = tail_of(name, tail);
                let room = width.saturating_sub(head.width() + tail.width() + 2);
                let rest: String = letters.iter().skip(begin).collect();
                (tail, (begin, head_of(&rest, room)))
            }
            Cut::UpTo(end) => {
                let room = width.saturating_sub(head.width() + 2);
                let end = letters.len().saturating_sub(end);
                let shown = tail_of(&letters[..end].iter().collect::<String>(), room);
                (String::new(), (end - shown.chars().count(), shown))
            }
        };
        let (begin, window) = window;
        let is_inside = head.chars().count() < begin
            && begin + window.chars().count() + tail.chars().count() < letters.len();
        if is_inside && !window.is_empty() { format!("{head}…{window}…{tail}") } else { usual }
    }
}

/// A cut of each name of a group, or `None` for names that no cut tells apart.
fn cut_group(group: &[&str], width: usize, taken: &BTreeSet<String>) -> Vec<Option<String>> {
    let cuts = cuts(group, width);
    let distinct = |cut: &Cut| -> Option<Vec<String>> {
        let mut seen = BTreeSet::new();
        let mut is_new = |text: &String| !taken.contains(text) && seen.insert(text.clone());
        group.iter().map(|name| Some(cut.apply(name, width)).filter(|text| is_new(text))).collect()
    };
    if let Some(texts) = cuts.iter().find_map(distinct) {
        return texts.into_iter().map(Some).collect();
    }
    // No cut tells all names apart. Each name gets the first cut that no other name has.
    let mut found: Vec<Option<String>> = vec![None; group.len()];
    for cut in &cuts {
        let texts: Vec<String> = group.iter().map(|name| cut.apply(name, width)).collect();
        let mut count: BTreeMap<&String, usize> = BTreeMap::new();
        for text in &texts {
            *count.entry(text).or_default() += 1;
        }
        for (name, text) in found.iter_mut().zip(&texts).filter(|(name, _)| name.is_none()) {
            *name = Some(text).filter(|text| count[text] == 1 && !taken.contains(*text)).cloned();
        }
    }
    found
}

/// All cuts that may tell the names of a group apart, the most legible cut first. Windows begin or
/// end where the names differ, with some letters around.
fn cuts(group: &[&str], width: usize) -> Vec<Cut> {
    let letters: Vec<Vec<char>> = group.iter().map(|name| name.chars().collect()).collect();
    let same = |letters: &[Vec<char>]| {
        let with = |other: &Vec<char>| letters[0].iter().zip(other).take_while(|(a, b)| a == b).count();
        letters.iter().map(with).min().unwrap_or(0)
    };
    let before = same(&letters);
    let backwards: Vec<Vec<char>> = letters.iter().map(|name| name.iter().rev().copied().collect()).collect();
    let after = same(&backwards);
    let longest = letters.iter().map(Vec::len).max().unwrap_or(0);
    let room = width.saturating_sub(width / 3 + 2);
    let windows = |tail: usize| {
        let context = room.saturating_sub(tail) / 3;
        (before.saturating_sub(context)..longest).map(move |begin| Cut::From(begin, tail))
    };
    let heads = [width / 3, width / 2, 2 * width / 3].map(Cut::Middle);
    let ends = (after.saturating_sub(room / 3)..longest).map(Cut::UpTo);
    heads.into_iter().chain(windows(0)).chain(ends).chain(windows(room / 2)).collect()
}

/// The head of a name and a number, if nothing else makes the name different.
fn numbered(name: &str, number: usize, width: usize) -> String {
    let number = format!("…{number}");
    format!("{}{number}", head_of(name, width.saturating_sub(number.width())))
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
        assert_eq!(short_names(&many, 8)[6], "py…-07/…");
        assert_eq!(short_name("python3 submissions/anna/bot.py", 12), "pyth…/bot.py");
        assert_eq!(short_name("人工知能対戦", 7), "人…対戦");
    }

    #[test]
    fn all_names_of_a_group_are_cut_in_the_same_way() {
        let name = |kis: u32| format!("anna-maria-kovacs-nagy-szabo-kis-{kis}-toth-varga-horvath-szabo");
        let names = [name(1), name(2), name(12), "alpha-beta?depth=2&nodes=1000000".to_owned()];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let expected =
            ["anna-m…kis-1-toth-v…", "anna-m…kis-2-toth-v…", "anna-m…kis-12-toth-…", "alpha-…nodes=1000000"];
        assert_eq!(short_names(&names, 20), expected);
        // Only a number tells these names apart.
        let name = |a: u32, b: u32| format!("team-{a}-{}-{b}-{}", "x".repeat(30), "y".repeat(30));
        let names = [name(1, 1), name(1, 2), name(2, 1), name(2, 2)];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(short_names(&names, 10), ["team-1-x…1", "team-1-x…2", "team-2-x…3", "team-2-x…4"]);
    }

    /// Sets of long names that share heads and tails, or differ in a letter somewhere.
    #[test]
    fn cut_names_are_distinct_and_keep_their_heads() {
        let mut state = 1_u64;
        let mut below = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let parts = ["anna-maria", "kovacs-", "alpha-beta", "depth=", "x", "人工", "/bot.py", "…", "1"];
        for round in 0..2_000 {
            let mut word =
                || -> String { (0..below(8)).map(|_| parts[below(parts.len() as u64) as usize]).collect() };
            let (heads, tails) = ([word(), word()], [word(), word()]);
            let count = 2 + below(12);
            let names: BTreeSet<String> = (0..count)
                .map(|_| {
                    let (head, tail) = (&heads[below(2) as usize], &tails[below(2) as usize]);
                    format!("{head}-kis-{}-{}{tail}", below(20), "z".repeat(below(3) as usize))
                })
                .collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            for width in [8, 9, 12, 13, 20, 27, 40] {
                let found = short_names(&names, width);
                let distinct: BTreeSet<&String> = found.iter().collect();
                assert_eq!(distinct.len(), names.len(), "{round}, {width}: {names:?} {found:?}");
                for (name, text) in names.iter().zip(&found) {
                    assert!(text.width() <= width, "{width}: {text}");
                    let is_whole = text == name;
                    assert!(
                        is_whole || text.starts_with(&head_of(name, width / 3)),
                        "{width}: {name} {text}"
                    );
                }
            }
        }
    }
}
