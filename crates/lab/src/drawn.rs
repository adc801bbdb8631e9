//! A tree as a textbook draws it: nested lists with numbers or winners at the leaves. A moves at
//! the root, and then the sides alternate.

use crate::diagram::{Diagram, Label, Side, TooLarge, Writing, search_tree};
use search::Tree;
use serde_json::Value;
use std::str::FromStr;

/// Numbers as in `[[7, 8], [10, 3]]`, or winners as in `[["A", "B"], ["B"]]`. A is MAX.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Drawn {
    node: Branch,
    max: bool,
    /// Whether the leaves were written as winners.
    letters: bool,
}

#[derive(Clone, Debug, PartialEq, Hash)]
enum Branch {
    /// A win of A is 1, a win of B is -1, and a draw is 0.
    Leaf(i32),
    Inner(Vec<Branch>),
}

/// How a leaf was written.
#[derive(Clone, Copy, PartialEq)]
enum LeafLanguage {
    Letters,
    Numbers,
}

impl FromStr for Drawn {
    type Err = String;

    /// Letters may be written without quotation marks.
    fn from_str(text: &str) -> Result<Drawn, String> {
        let mut json = text.replace('−', "-");
        if !json.contains('"') {
            json = ["A", "B", "="].iter().fold(json, |json, word| json.replace(word, &format!("\"{word}\"")));
        }
        let value: Value = serde_json::from_str(&json).map_err(|error| format!("not a list: {error}"))?;
        let mut languages = Vec::new();
        let node = branch(&value, &mut languages)?;
        if languages.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err("the leaves must be either winners (A, B, =) or numbers, not both".to_owned());
        }
        Ok(Drawn { node, max: true, letters: languages.first() == Some(&LeafLanguage::Letters) })
    }
}

fn branch(value: &Value, languages: &mut Vec<LeafLanguage>) -> Result<Branch, String> {
    let expected = || {
        format!(
            "a tree must be a list of trees, a whole number, or a winner (A, B, or = for a draw), not `{value}`"
        )
    };
    match value {
        Value::Array(children) if children.is_empty() => {
            Err("an inner node needs a child, so not `[]`".to_owned())
        }
        Value::Array(children) => {
            let children = children.iter().map(|child| branch(child, languages));
            Ok(Branch::Inner(children.collect::<Result<_, _>>()?))
        }
        Value::Number(number) => {
            languages.push(LeafLanguage::Numbers);
            let leaf = number.as_i64().and_then(|number| i32::try_from(number).ok());
            leaf.filter(|leaf| leaf.abs() < search::WIN).map(Branch::Leaf).ok_or_else(expected)
        }
        Value::String(word) => {
            languages.push(LeafLanguage::Letters);
            match word.as_str() {
                "A" | "a" => Ok(Branch::Leaf(1)),
                "B" | "b" => Ok(Branch::Leaf(-1)),
                "=" | "draw" => Ok(Branch::Leaf(0)),
                _ => Err(expected()),
            }
        }
        _ => Err(expected()),
    }
}

impl Tree for Drawn {
    type Move = usize;

    fn result(&self) -> Option<i32> {
        None
    }

    fn estimate(&self) -> i32 {
        match self.node {
            Branch::Leaf(value) => value,
            Branch::Inner(_) => 0,
        }
    }

    fn leaf_value(&self, depth: u32) -> Option<i32> {
        (depth == 0 || matches!(self.node, Branch::Leaf(_))).then(|| self.estimate())
    }

    fn max_to_move(&self) -> bool {
        self.max
    }

    fn branches(&self, out: &mut Vec<usize>) {
        if let Branch::Inner(children) = &self.node {
            out.extend(0..children.len());
        }
    }

    fn after(&self, mv: &usize) -> Drawn {
        let node = match &self.node {
            Branch::Inner(children) => children[*mv].clone(),
            Branch::Leaf(value) => Branch::Leaf(*value),
        };
        Drawn { node, max: !self.max, letters: self.letters }
    }
}

impl Drawn {
    /// The whole tree with the values of a search.
    pub fn searched(&self, cuts: bool, limit: usize) -> Result<Diagram, TooLarge> {
        let writing = Written { ended: self.stranger().is_none() };
        let mut diagram = search_tree(self, &writing, cuts, u32::MAX, limit)?;
        diagram.notation.numbers = !self.letters;
        for node in &mut diagram.nodes {
            node.drawn = true;
            // A drawn leaf is the end of the game, not a place where the search stopped.
            node.unexplored &= node.is_cut_off();
        }
        Ok(diagram)
    }

    /// The tree without a search.
    pub fn unfolded(&self, limit: usize) -> Result<Diagram, TooLarge> {
        let mut diagram = self.searched(false, limit)?;
        diagram.nodes.iter_mut().for_each(|node| node.searched = None);
        Ok(diagram)
    }

    /// The first leaf that does not say who has won, if there is one.
    pub fn stranger(&self) -> Option<i32> {
        fn first(node: &Branch) -> Option<i32> {
            match node {
                Branch::Leaf(value) => (value.abs() > 1).then_some(*value),
                Branch::Inner(children) => children.iter().find_map(first),
            }
        }
        first(&self.node)
    }
}

/// Inner nodes have no picture, and moves have only numbers.
struct Written {
    /// Whether every leaf says who has won.
    ended: bool,
}

impl Writing<Drawn> for Written {
    fn position(&self, node: &Drawn) -> Vec<String> {
        vec![match node.node {
            Branch::Leaf(value) if node.letters => match Label::of_result(value) {
                Label::Wins(side) => side.to_string(),
                Label::Draw => "=".to_owned(),
            },
            Branch::Leaf(value) => value.to_string(),
            Branch::Inner(_) if node.letters => format!("{} moves", Side::of_max(node.max)),
            Branch::Inner(_) if node.max => "MAX".to_owned(),
            Branch::Inner(_) => "MIN".to_owned(),
        }]
    }

    fn mv(&self, mv: &usize) -> String {
        (mv + 1).to_string()
    }

    fn ending(&self, node: &Drawn) -> Option<Label> {
        match node.node {
            Branch::Leaf(value) if self.ended => Some(Label::of_result(value)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Alpha-beta generates 15 of 35 nodes, with two beta cuts and three alpha cuts.
    #[test]
    fn the_example_of_the_thesis() {
        let text = "[[[7,8],[10,3,12],[10,5,9]],[-10,[4,2],[6,1]],[-10,[0,5],[3,9]],[-10,[2],[11]]]";
        let tree: Drawn = text.parse().unwrap();
        let whole = tree.searched(false, 1_000).unwrap();
        assert_eq!((whole.nodes.len(), whole.nodes[0].searched.unwrap().value), (35, Some(8)));
        assert_eq!((whole.generated(), whole.saved), (35, Some(0)));
        let cut = tree.searched(true, 1_000).unwrap();
        assert_eq!((cut.generated(), cut.nodes[0].searched.unwrap().value), (15, Some(8)));
        let cuts: Vec<_> = cut.nodes.iter().filter_map(|node| node.searched?.cut).collect();
        let pairs: Vec<_> = cuts.iter().map(|cut| (cut.alpha, cut.beta)).collect();
        assert_eq!(pairs, [(10, 8), (10, 8), (8, -10), (8, -10), (8, -10)]);
        // Ten nodes were never looked at, and six of them have children: twenty nodes in total.
        assert_eq!(cut.nodes.iter().filter(|node| node.is_cut_off()).count(), 10);
        assert_eq!(cut.nodes.iter().filter(|node| node.unexplored).count(), 6);
        assert_eq!(cut.saved, Some(20));
        assert_eq!(tree.stranger(), Some(7));
        for wrong in ["[[1],[]]", "[true]", "[1,\"A\"]", "[\"C\"]", "[A,B", "[1.5]"] {
            assert!(wrong.parse::<Drawn>().is_err(), "{wrong}");
        }
    }

    fn labels(text: &str) -> (String, usize) {
        let mut diagram = text.parse::<Drawn>().unwrap().unfolded(1_000).unwrap();
        diagram.label(None);
        let label = |node: &crate::DiagramNode| node.label.map_or("?".to_owned(), |label| label.to_string());
        let words: Vec<String> = diagram.nodes.iter().map(label).collect();
        (words.join(" "), diagram.edges.iter().filter(|edge| edge.bold).count())
    }

    /// Columns: two notations of a tree, the labels of the nodes in the order of the walk, and the
    /// number of edges of the winning strategy.
    #[test]
    fn winners_and_numbers_are_labelled_alike() {
        for (letters, numbers, expected, bold) in [
            ("[A,B]", "[1,-1]", "A A B", 1),
            ("[[A,B],[B]]", "[[1,-1],[-1]]", "B B A B B B", 4),
            ("[[A,B],[A,A]]", "[[1,-1],[1,1]]", "A B A B A A A", 3),
            ("[[=,A],[B,A]]", "[[0,1],[-1,1]]", "draw draw draw A B B A", 0),
            // A needs an answer to both moves of B, and has two to the second.
            ("[[[B,A],[A,A]],[[B]]]", "[[[-1,1],[1,1]],[[-1]]]", "A A A B A A A A B B B", 6),
        ] {
            assert_eq!(labels(letters), (expected.to_owned(), bold), "{letters}");
            assert_eq!(labels(numbers), (expected.to_owned(), bold), "{numbers}");
        }
        let quoted: Drawn = "[[\"A\",\"B\"],[\"draw\"]]".parse().unwrap();
        assert_eq!(quoted, "[[A,B],[=]]".parse().unwrap());
        assert_eq!("[−1]".parse::<Drawn>(), "[-1]".parse());
    }
}
