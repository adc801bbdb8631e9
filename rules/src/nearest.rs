//! "Did you mean …?"

/// The option with the smallest edit distance to what was written; the first of equals.
pub fn nearest<'a, S: AsRef<str>>(written: &str, options: &'a [S]) -> Option<&'a str> {
    options.iter().map(AsRef::as_ref).min_by_key(|option| distance(written, option))
}

/// Letters to change, add or drop (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let change = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_and_choices() {
        for (a, b, edits) in
            [("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("a1a9", "a1a2", 1)]
        {
            assert_eq!(distance(a, b), edits, "{a} to {b}");
        }
        assert_eq!(nearest("b9", &["a1", "b2", "c3"]), Some("b2"));
        assert_eq!(nearest::<&str>("b9", &[]), None);
    }
}
