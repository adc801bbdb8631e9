//! A tree as a textbook draws it: nested lists, numbers are leaves, MAX moves at the root and then they take turns.

use crate::diagram::{Diagram, TooLarge, Writing, search_tree};
use search::Tree;
use serde_json::Value;
use std::str::FromStr;

/// `[[7, 8], [10, 3]]`
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    node: Branch,
    max: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Branch {
    Leaf(i32),
    Inner(Vec<Branch>),
}

impl FromStr for Drawn {
    type Err = String;

    fn from_str(text: &str) -> Result<Drawn, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| format!("not a list: {error}"))?;
        Ok(Drawn { node: branch(&value)?, max: true })
    }
}

fn branch(value: &Value) -> Result<Branch, String> {
    let expected = || format!("a tree is a list of trees or a whole number, not `{value}`");
    match value {
        Value::Array(children) if children.is_empty() => {
            Err("an inner node needs a child, so not `[]`".to_owned())
        }
        Value::Array(children) => Ok(Branch::Inner(children.iter().map(branch).collect::<Result<_, _>>()?)),
        Value::Number(number) => {
            let leaf = number.as_i64().and_then(|number| i32::try_from(number).ok());
            leaf.filter(|leaf| leaf.abs() < search::WIN).map(Branch::Leaf).ok_or_else(expected)
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
        Drawn { node, max: !self.max }
    }
}

impl Drawn {
    /// The whole tree as a search sees it.
    pub fn searched(&self, cuts: bool, limit: usize) -> Result<Diagram, TooLarge> {
        let mut diagram = search_tree(self, &Numbers, cuts, u32::MAX, limit)?;
        // A drawn leaf is the end, not a place where the search gave up.
        diagram.nodes.iter_mut().for_each(|node| node.unexplored &= node.is_cut_off());
        Ok(diagram)
    }
}

/// Inner nodes have no picture, and the moves no names but their numbers.
struct Numbers;

impl Writing<Drawn> for Numbers {
    fn position(&self, node: &Drawn) -> Vec<String> {
        vec![match node.node {
            Branch::Leaf(value) => value.to_string(),
            Branch::Inner(_) if node.max => "MAX".to_owned(),
            Branch::Inner(_) => "MIN".to_owned(),
        }]
    }

    fn mv(&self, mv: &usize) -> String {
        (mv + 1).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 15 of 35 nodes are generated, with two beta cuts and three alpha cuts.
    #[test]
    fn the_example_of_the_thesis() {
        let text = "[[[7,8],[10,3,12],[10,5,9]],[-10,[4,2],[6,1]],[-10,[0,5],[3,9]],[-10,[2],[11]]]";
        let tree: Drawn = text.parse().unwrap();
        let whole = tree.searched(false, 1_000).unwrap();
        assert_eq!((whole.nodes.len(), whole.nodes[0].searched.unwrap().value), (35, Some(8)));
        let cut = tree.searched(true, 1_000).unwrap();
        let seen = cut.nodes.iter().filter(|node| node.searched.is_some_and(|known| known.value.is_some()));
        assert_eq!((seen.count(), cut.nodes[0].searched.unwrap().value), (15, Some(8)));
        let cuts: Vec<_> = cut.nodes.iter().filter_map(|node| node.searched?.cut).collect();
        let pairs: Vec<_> = cuts.iter().map(|cut| (cut.alpha, cut.beta)).collect();
        assert_eq!(pairs, [(10, 8), (10, 8), (8, -10), (8, -10), (8, -10)]);
        // Of the ten that were never looked at, six have children of their own.
        assert_eq!(cut.nodes.iter().filter(|node| node.is_cut_off()).count(), 10);
        assert_eq!(cut.nodes.iter().filter(|node| node.unexplored).count(), 6);
        assert!("[[1],[]]".parse::<Drawn>().is_err() && "[true]".parse::<Drawn>().is_err());
    }
}
