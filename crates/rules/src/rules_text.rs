//! The rules of a game as text, in the parts that different readers want.

/// What the file of a game says before its code begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulesText {
    /// What players need.
    pub play: String,
    /// Who wins with best play, as far as it is known. Empty for many games.
    pub theory: String,
    /// Where the rules come from, and how their gaps were filled.
    pub source: String,
}

impl RulesText {
    /// Sorts paragraphs by their first word. A paragraph without such a word belongs to the part
    /// before it.
    pub(crate) fn of(text: &str) -> RulesText {
        let mut parts: [String; 3] = Default::default();
        let mut at = 0;
        for paragraph in text.split("\n\n") {
            let mut words = paragraph;
            for (part, title) in [(1, "Theory: "), (2, "Source: ")] {
                if let Some(rest) = paragraph.strip_prefix(title) {
                    (at, words) = (part, rest);
                }
            }
            parts[at] += if parts[at].is_empty() { "" } else { "\n\n" };
            parts[at] += words;
        }
        let [play, theory, source] = parts;
        RulesText { play, theory, source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_sorted_by_their_first_word() {
        let text = "A game.\n\n- A move.\n\nSource: a book.\n\nIts end is ours.\n\nTheory: a draw.";
        let RulesText { play, theory, source } = RulesText::of(text);
        assert_eq!(
            [play, theory, source],
            ["A game.\n\n- A move.", "a draw.", "a book.\n\nIts end is ours."]
        );
    }
}
