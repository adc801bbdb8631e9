//! A diagram as SVG, DOT, text or JSON.

mod dot;
mod json;
mod layered;
mod svg;
mod text;
mod texts;
mod tidy;

pub use text::wrapped;

use crate::diagram::{Cut, Diagram, DiagramNode, Label, Marked, Side};
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

/// The title of a drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// The game with its parameters. `None` for a tree written by hand.
    pub game: Option<String>,
    /// What the drawing shows of the game.
    pub drawing: String,
    /// The moves before the root.
    pub moves: Vec<String>,
}

impl Heading {
    fn title(&self) -> String {
        format!("{}: {}", self.game.as_deref().unwrap_or("drawn by hand"), self.drawing)
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

/// The value that a search found for a node, with the sign that the drawing gives it.
fn value(diagram: &Diagram, at: usize) -> Option<i32> {
    let node = &diagram.nodes[at];
    let value = node.searched?.value?;
    let decided = value.abs() >= WIN && diagram.notation.numbers;
    let value = if decided { value.signum() } else { value };
    Some(if diagram.notation.for_mover && node.to_move == Side::B { -value } else { value })
}

/// The value of a node as a short text: a number, or who has won.
fn value_text(diagram: &Diagram, at: usize) -> Option<String> {
    let value = value(diagram, at)?;
    Some(match (value.abs() >= WIN, diagram.notation.for_mover) {
        (true, true) => if value > 0 { "win" } else { "loss" }.to_owned(),
        (true, false) => format!("{} wins", Side::of_max(value > 0)),
        (false, _) => value.to_string(),
    })
}

/// Alpha and beta at a cut: `α 10 ≥ β 8`.
fn cut_text(diagram: &Diagram, cut: Cut) -> String {
    let bound = |bound: i32| match bound {
        i32::MIN => "-∞".to_owned(),
        i32::MAX => "+∞".to_owned(),
        bound if bound.abs() < WIN => bound.to_string(),
        bound if diagram.notation.numbers => bound.signum().to_string(),
        bound => format!("{} wins", Side::of_max(bound > 0)),
    };
    format!("α {} ≥ β {}", bound(cut.alpha), bound(cut.beta))
}

/// The label beside a node. A leaf that was drawn with its winner needs no label.
fn label_text(diagram: &Diagram, node: &DiagramNode) -> Option<String> {
    let label = node.label.filter(|_| !(node.drawn && node.result.is_some()))?;
    Some(if diagram.notation.numbers { label.value().to_string() } else { label.to_string() })
}

/// The meaning of the bold parts.
fn marked_text(diagram: &Diagram) -> &'static str {
    match diagram.marked {
        Marked::Strategy => "the winning strategy",
        Marked::Line => "the expected line",
        Marked::Game(_) => "the game",
    }
}

/// A summary of the whole diagram in one or two sentences.
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
    if diagram.nodes[0].searched.is_some() {
        let seen = diagram.generated();
        // MIN leaves a node by an alpha cut, MAX by a beta cut.
        let cuts = |side: Side| {
            let left = |node: &&DiagramNode| {
                node.to_move == side && node.searched.is_some_and(|known| known.cut.is_some())
            };
            diagram.nodes.iter().filter(left).count()
        };
        let (alpha, beta) = (cuts(Side::B), cuts(Side::A));
        let value = value_text(diagram, 0).unwrap_or_default();
        text = format!("value {value}, {} generated", counted(seen, "node", "nodes"));
        if alpha + beta > 0 {
            let cuts = counted(beta, "beta cut", "beta cuts");
            let branches = counted(nodes - seen, "branch", "branches");
            text += &format!(", {alpha} alpha and {cuts}; {branches} cut off{}", saved(diagram));
        }
    }
    match diagram.root_label() {
        Some(Label::Wins(side)) => text += &format!("; {side} has a winning strategy"),
        Some(Label::Draw) => text += "; a draw with best play",
        // A strategy may be drawn without labels.
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
    if let Marked::Game(end) = diagram.marked {
        text += &match diagram.nodes[end].result {
            Some(Label::Wins(side)) => format!("; {side} wins the game"),
            Some(Label::Draw) => "; the game is a draw".to_owned(),
            None => format!("; the game stands at {}", diagram.nodes[end].name()),
        };
    }
    text
}

/// How many nodes of the whole tree the cuts saved.
fn saved(diagram: &Diagram) -> String {
    let Some(saved) = diagram.saved else { return String::new() };
    let all = diagram.generated() as u64 + saved;
    format!(", {saved} of {all} nodes ({:.0} %)", 100.0 * saved as f64 / all as f64)
}

/// `1 leaf`, `2 leaves`
fn counted(count: impl Display, one: &str, many: &str) -> String {
    let count = count.to_string();
    format!("{count} {}", if count == "1" { one } else { many })
}

/// The side that moves at every node of a row, if there is one such side. `rows` is the row of each
/// node.
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
    fn a_count_of_one_is_singular() {
        assert_eq!(summary_of("7", false), "value 7, 1 node generated");
        assert_eq!(
            summary_of("[[3],[[2],5]]", true),
            "value 3, 6 nodes generated, 1 alpha and 0 beta cuts; 1 branch cut off, 1 of 7 nodes (14 %)"
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
        // The first window is inside the first MIN node, after its leaf 3. The second is inside the
        // second MIN node, where MAX is sure of 3.
        assert_eq!((&bounds[3], &bounds[4]), (&json!([null, 3]), &json!([3, null])));
    }
}
