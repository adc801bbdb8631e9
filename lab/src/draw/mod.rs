//! A diagram as SVG, DOT, text or JSON.

mod dot;
mod json;
mod layered;
mod svg;
mod text;
mod texts;
mod tidy;

use crate::diagram::{Diagram, Label, Node, Side};
use search::WIN;
use std::fmt::Display;
use std::str::FromStr;

/// How a diagram is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Svg,
    Dot,
    Json,
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        match text {
            "text" => Ok(Format::Text),
            "svg" => Ok(Format::Svg),
            "dot" => Ok(Format::Dot),
            "json" => Ok(Format::Json),
            _ => Err(format!("there is no format `{text}`; known: text, svg, dot, json")),
        }
    }
}

/// What stands above a drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// The game with its parameters; none for a tree that was written down.
    pub game: Option<String>,
    /// What is drawn of it.
    pub drawing: String,
    /// The moves before the root.
    pub moves: Vec<String>,
}

impl Heading {
    fn title(&self) -> String {
        format!("{}: {}", self.game.as_deref().unwrap_or("a drawn tree"), self.drawing)
    }
}

pub fn render(diagram: &Diagram, heading: &Heading, format: Format) -> String {
    match format {
        Format::Text => text::text(diagram, heading),
        Format::Svg => svg::svg(diagram, heading),
        Format::Dot => dot::dot(diagram, heading),
        Format::Json => json::json(diagram, heading),
    }
}

/// A value or bound, short: a number, or who has won.
fn value_text(value: i32) -> String {
    match value {
        i32::MIN => "-∞".to_owned(),
        i32::MAX => "+∞".to_owned(),
        WIN.. => "A wins".to_owned(),
        value if value <= -WIN => "B wins".to_owned(),
        value => value.to_string(),
    }
}

/// What the diagram shows as a whole, in one or two sentences.
fn summary(diagram: &Diagram) -> String {
    let (nodes, edges) = (diagram.nodes.len(), diagram.edges.len());
    let mut text = [
        counted(nodes, "node", "nodes"),
        counted(edges, "edge", "edges"),
        counted(diagram.leaves(), "leaf", "leaves"),
    ]
    .join(", ");
    let horizon = diagram.horizon().count();
    if horizon > 0 {
        text += &format!(", {horizon} at the horizon");
    }
    if let Some(searched) = diagram.nodes[0].searched {
        let known = diagram.nodes.iter().filter_map(|node| node.searched);
        let seen = known.filter(|known| known.value.is_some()).count();
        // MIN leaves a node by an alpha cut, MAX by a beta cut.
        let cuts = |side: Side| {
            let left =
                |node: &&Node| node.to_move == side && node.searched.is_some_and(|known| known.cut.is_some());
            diagram.nodes.iter().filter(left).count()
        };
        let (alpha, beta) = (cuts(Side::B), cuts(Side::A));
        let value = value_text(searched.value.unwrap_or(0));
        text = format!("value {value}, {} generated", counted(seen, "node", "nodes"));
        if alpha + beta > 0 {
            let cuts = counted(beta, "beta cut", "beta cuts");
            let branches = counted(nodes - seen, "branch", "branches");
            text += &format!(", {alpha} alpha and {cuts}; {branches} cut off");
        }
        return text;
    }
    match diagram.root_label() {
        Some(Label::Wins(side)) => text += &format!("; {side} has a winning strategy"),
        Some(Label::Draw) => text += "; a draw with best play",
        // Somebody's strategy may be drawn without labels.
        None => {
            text += &diagram.strategy_of.filter(|_| diagram.view.is_none()).map_or(String::new(), |side| {
                let has = if diagram.nodes[0].bold { "has a" } else { "has no" };
                let known = if horizon > 0 && !diagram.nodes[0].bold { " this deep" } else { "" };
                format!("; {side} {has} winning strategy{known}")
            });
        }
    }
    if let Some(view) = diagram.view {
        text += &match diagram.winning_subtrees() {
            Some(0) if diagram.nodes.iter().any(|node| node.unexplored) => {
                format!("; no winning subtree for {view} this deep")
            }
            Some(0) => format!("; no winning subtree for {view}"),
            Some(count) => {
                format!("; {} for {view}", counted(count, "winning subtree", "winning subtrees"))
            }
            None => String::new(),
        };
    }
    text
}

/// `1 leaf`, `2 leaves`
fn counted(count: impl Display, one: &str, many: &str) -> String {
    let count = count.to_string();
    format!("{count} {}", if count == "1" { one } else { many })
}

/// Whose row it is, if it is one side's alone; `rows` says in which row each node stands.
fn row_mover(diagram: &Diagram, rows: &[usize], row: usize) -> Option<Side> {
    let nodes = diagram.nodes.iter().zip(rows);
    let mut movers = nodes.filter(|(_, at)| **at == row).map(|(node, _)| node.to_move);
    let first = movers.next()?;
    movers.all(|side| side == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Drawn;
    use serde_json::{Value, json};

    fn summary_of(tree: &str, cuts: bool) -> String {
        summary(&tree.parse::<Drawn>().unwrap().searched(cuts, 100).unwrap())
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!(summary_of("7", false), "value 7, 1 node generated");
        assert_eq!(
            summary_of("[[3],[[2],5]]", true),
            "value 3, 6 nodes generated, 1 alpha and 0 beta cuts; 1 branch cut off"
        );
        let heap = crate::open(rules::find("nim").unwrap(), &json!({"heaps": [1]})).unwrap();
        let diagram = heap.unfold(crate::Shape::Tree, 9, 9).unwrap();
        assert_eq!(summary(&diagram), "2 nodes, 1 edge, 1 leaf");
    }

    #[test]
    fn no_bound_is_null() {
        let diagram = "[[3,4],[2,9]]".parse::<Drawn>().unwrap().searched(true, 100).unwrap();
        let heading = Heading { drawing: "alpha-beta".to_owned(), ..Heading::default() };
        let page: Value = serde_json::from_str(&render(&diagram, &heading, Format::Json)).unwrap();
        assert_eq!((&page["game"], &page["drawing"]), (&Value::Null, &json!("alpha-beta")));
        let bounds: Vec<Value> = (page["nodes"].as_array().unwrap().iter())
            .map(|node| json!([node["alpha"], node["beta"]]))
            .collect();
        assert_eq!(bounds[..2], [json!([null, null]), json!([null, null])]);
        // Within the first MIN node, after its leaf 3; then within the second one, which knows that 3 is certain.
        assert_eq!((&bounds[3], &bounds[4]), (&json!([null, 3]), &json!([3, null])));
    }
}
