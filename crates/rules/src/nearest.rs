//! "Did you mean …?"

/// What one letter costs that has to be changed, added or dropped. Another case costs 1, which
/// decides between equals only.
const LETTER: usize = 1_000;

/// The option with the smallest edit distance to what was written, whatever the case of its
/// letters; the first of equals.
pub fn nearest<'a, S: AsRef<str>>(written: &str, options: &'a [S]) -> Option<&'a str> {
    options.iter().map(AsRef::as_ref).min_by_key(|option| distance(written, option))
}

/// The nearest option, if it is so near that it may have been meant: no more than a third of its
/// letters are wrong.
pub fn near_miss<'a, S: AsRef<str>>(written: &str, options: &'a [S]) -> Option<&'a str> {
    let most = written.chars().count() / 3 * LETTER;
    nearest(written, options).filter(|option| distance(written, option) / LETTER * LETTER <= most)
}

/// The nearest option, if the two words share at least half of their letters.
pub fn meant<'a, S: AsRef<str>>(written: &str, options: &'a [S]) -> Option<&'a str> {
    nearest(written, options).filter(|option| looks_like(written, option))
}

fn looks_like(a: &str, b: &str) -> bool {
    let mut left: Vec<char> = b.chars().collect();
    let longer = left.len().max(a.chars().count());
    let shared = a.chars().filter(|letter| {
        let at = left.iter().position(|other| other == letter);
        at.map(|at| left.swap_remove(at)).is_some()
    });
    2 * shared.count() >= longer
}

/// Letters to change, add or drop (Levenshtein), and letters of another case.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).map(|letters| letters * LETTER).collect();
    for (i, left) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = (i + 1) * LETTER;
        for (j, right) in b.iter().enumerate() {
            let change = diagonal + unlike(left, *right);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + LETTER).min(diagonal + LETTER);
        }
    }
    row[b.len()]
}

fn unlike(left: char, right: char) -> usize {
    match left {
        _ if left == right => 0,
        _ if left.eq_ignore_ascii_case(&right) => 1,
        _ => LETTER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_and_choices() {
        for (a, b, letters, cases) in [
            ("", "abc", 3, 0),
            ("abc", "abc", 0, 0),
            ("kitten", "sitting", 3, 0),
            ("a1a9", "a1a2", 1, 0),
            ("A1a9", "a1A2", 1, 2),
        ] {
            assert_eq!(distance(a, b), letters * LETTER + cases, "{a} to {b}");
        }
        assert_eq!(nearest("b9", &["a1", "b2", "c3"]), Some("b2"));
        assert_eq!(nearest("B2", &["a2", "b1", "b2", "c2"]), Some("b2"));
        assert_eq!(nearest("2h", &["2C", "2H", "2h"]), Some("2h"));
        assert_eq!(nearest::<&str>("b9", &[]), None);
    }

    #[test]
    fn what_is_far_away_was_not_meant() {
        let known = ["pypy3", "python3", "perl"];
        for (written, meant) in
            [("pyhton3", Some("python3")), ("Python3", Some("python3")), ("ruby", None), ("pe", None)]
        {
            assert_eq!(near_miss(written, &known), meant, "{written}");
        }
        for (written, word) in [("prel", Some("perl")), ("nmi", None), ("chess", None)] {
            assert_eq!(meant(written, &known), word, "{written}");
        }
    }
}
