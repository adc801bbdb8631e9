//! Diagrams for Graphviz.

use super::{Heading, cut_text, label_text, summary, value_text};
use crate::diagram::{Diagram, DiagramNode, Side};
use std::fmt::Write as _;

pub(super) fn dot(diagram: &Diagram, heading: &Heading) -> String {
    let mut text = String::from("digraph game {\n");
    let _ = writeln!(
        text,
        "  label=\"{}\\n{}\"; labelloc=t;",
        quoted(&heading.title()),
        quoted(&summary(diagram))
    );
    text.push_str("  node [shape=box, style=\"rounded,filled\", fontname=monospace];\n");
    text.push_str("  edge [fontname=monospace, fontsize=10];\n");
    for (at, node) in diagram.nodes.iter().enumerate() {
        let _ = writeln!(text, "  n{at} [label=\"{}\", {}];", node_text(diagram, at), node_style(node));
    }
    for edge in &diagram.edges {
        let style = match (edge.bold, edge.cut) {
            (true, _) => ", penwidth=3",
            (_, true) => ", style=dashed, color=gray70, fontcolor=gray40",
            _ => "",
        };
        let (from, to, moves) = (edge.from, edge.to, quoted(&edge.moves.join(" ")));
        let _ = writeln!(text, "  n{from} -> n{to} [label=\"{moves}\"{style}];");
    }
    text.push_str("}\n");
    text
}

fn node_text(diagram: &Diagram, at: usize) -> String {
    let node = &diagram.nodes[at];
    let mut lines = node.lines.clone();
    lines.extend(label_text(diagram, node).map(|label| format!("({label})")));
    lines.extend(value_text(diagram, at));
    lines.extend(node.cut().map(|cut| cut_text(diagram, cut)));
    lines.iter().map(|line| quoted(line)).collect::<Vec<_>>().join("\\n")
}

fn node_style(node: &DiagramNode) -> String {
    let cut = node.is_cut_off();
    let fill = match (cut, node.to_move) {
        (true, _) => "gray95",
        (_, Side::A) => "#e3edfb",
        (_, Side::B) => "#fdeede",
    };
    let mut style = format!("fillcolor=\"{fill}\"");
    if cut {
        style += ", style=\"rounded,filled,dashed\", color=gray70, fontcolor=gray40";
    }
    if node.cut().is_some() {
        style += ", style=\"rounded,filled,dashed\", color=\"#b42318\"";
    }
    if node.bold {
        style += ", penwidth=3";
    }
    if node.result.is_some() {
        style += ", peripheries=2";
    }
    style
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
