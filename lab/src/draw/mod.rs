//! A diagram as SVG, DOT, text or JSON.

mod dot;
mod json;
mod layered;
mod svg;
mod text;
mod tidy;

use crate::diagram::{Diagram, Label, Node, Side};
use search::WIN;
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
    /// The game, with its parameters.
    pub title: String,
    /// The moves before the root.
    pub moves: Vec<String>,
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
    let mut text = format!("{nodes} nodes, {edges} edges, {} leaves", diagram.leaves());
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
        text = format!("value {}, {seen} nodes generated", value_text(searched.value.unwrap_or(0)));
        if alpha + beta > 0 {
            text += &format!(", {alpha} alpha and {beta} beta cuts; {} branches cut off", nodes - seen);
        }
        return text;
    }
    match diagram.root_label() {
        Some(Label::Wins(side)) => text += &format!("; {side} has a winning strategy"),
        Some(Label::Draw) => text += "; a draw with best play",
        None => {}
    }
    if let Some(view) = diagram.view {
        text += &match diagram.winning_subtrees() {
            Some(0) if diagram.nodes.iter().any(|node| node.unexplored) => {
                format!("; no winning subtree for {view} this deep")
            }
            Some(0) => format!("; no winning subtree for {view}"),
            Some(1) => format!("; 1 winning subtree for {view}"),
            Some(count) => format!("; {count} winning subtrees for {view}"),
            None => String::new(),
        };
    }
    text
}

/// Whose row it is, if it is one side's alone; `rows` says in which row each node stands.
fn row_mover(diagram: &Diagram, rows: &[usize], row: usize) -> Option<Side> {
    let nodes = diagram.nodes.iter().zip(rows);
    let mut movers = nodes.filter(|(_, at)| **at == row).map(|(node, _)| node.to_move);
    let first = movers.next()?;
    movers.all(|side| side == first).then_some(first)
}
