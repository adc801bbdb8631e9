//! Diagrams for a terminal: a tree by indentation, a graph level by level.

use super::{Heading, cut_text, label_text, marked_text, row_mover, summary, value_text};
use crate::diagram::{Diagram, Shape};
use std::fmt::Write as _;
use text::wrap::hanging;

pub(super) fn text(diagram: &Diagram, heading: &Heading) -> String {
    let mut page = format!("{}\n", wrapped(&heading.title()));
    if !heading.moves.is_empty() {
        let _ = writeln!(page, "{}", wrapped(&format!("after {}", heading.moves.join(" "))));
    }
    page.push('\n');
    match diagram.shape {
        Shape::Tree => branch(diagram, &diagram.out_edges(), 0, "", &mut page),
        Shape::Graph => levels(diagram, &mut page),
    }
    let _ = writeln!(page, "\n{}", wrapped(&summary(diagram)));
    if diagram.nodes.iter().any(|node| node.bold) {
        let _ = writeln!(page, "* {}", marked_text(diagram));
    }
    page
}

/// Wraps words into lines of at most 80 columns. A longer word gets a line of its own.
pub fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= 80 {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

fn branch(diagram: &Diagram, out: &[Vec<usize>], node: usize, indent: &str, page: &mut String) {
    if node == 0 {
        let star = if diagram.nodes[0].bold { "* " } else { "" };
        page.push_str(&row(star, &shown(diagram, 0)));
    }
    for (at, &edge) in out[node].iter().enumerate() {
        let edge = &diagram.edges[edge];
        let last = at + 1 == out[node].len();
        let arm = match (last, edge.cut) {
            (_, true) if last => "└╌",
            (_, true) => "├╌",
            (true, _) => "└─",
            (false, _) => "├─",
        };
        let star = if edge.bold { "*" } else { "" };
        let moves = edge.moves.join(" ");
        let deeper = format!("{indent}{}", if last { "   " } else { "│  " });
        let title = format!("{indent}{arm}{star} {moves}  ");
        let blank = title.chars().count() - deeper.chars().count();
        page.push_str(&hanging(&title, &format!("{deeper}{}", " ".repeat(blank)), &shown(diagram, edge.to)));
        branch(diagram, out, edge.to, &deeper, page);
    }
}

fn levels(diagram: &Diagram, page: &mut String) {
    let out = diagram.out_edges();
    let rows: Vec<usize> = diagram.nodes.iter().map(|node| node.level).collect();
    for level in 0..diagram.levels().len() {
        let mover = row_mover(diagram, &rows, level).map_or(String::new(), |side| format!(" ({side} moves)"));
        let _ = writeln!(page, "level {level}{mover}");
        for (at, node) in diagram.nodes.iter().enumerate().filter(|(_, node)| node.level == level) {
            let star = if node.bold { "*" } else { " " };
            page.push_str(&row(&format!(" {star}"), &shown(diagram, at)));
            for &edge in &out[at] {
                let edge = &diagram.edges[edge];
                let star = if edge.bold { "*" } else { " " };
                let title = format!("    {star}{} → ", edge.moves.join(" "));
                page.push_str(&row(&title, &diagram.nodes[edge.to].name()));
            }
        }
    }
}

/// A line after its title.
fn row(title: &str, line: &str) -> String {
    hanging(title, &" ".repeat(title.chars().count()), line)
}

/// A node with its remarks.
fn shown(diagram: &Diagram, at: usize) -> String {
    format!("{}{}", diagram.nodes[at].name(), remarks(diagram, at))
}

fn remarks(diagram: &Diagram, at: usize) -> String {
    let node = &diagram.nodes[at];
    let mut words = Vec::new();
    if diagram.view.is_some() && node.result.is_none() {
        words.push(if diagram.is_and(at) { "AND" } else { "OR" }.to_owned());
    }
    words.extend(label_text(diagram, node).map(|label| format!("[{label}]")));
    if node.searched.is_some() {
        // A leaf that was drawn with its value needs no second value.
        let value = value_text(diagram, at);
        let plain = node.drawn && value == node.lines.first().cloned();
        words
            .extend(value.map_or(Some("cut off".to_owned()), |value| (!plain).then(|| format!("= {value}"))));
        words.extend(node.cut().map(|cut| format!("cut: {}", cut_text(diagram, cut))));
    } else if let Some(result) = node.result.filter(|_| !node.drawn) {
        let result = result.to_string();
        words.push(if result == "draw" { "a draw".to_owned() } else { format!("{result} has won") });
    } else if node.unexplored {
        words.push("…".to_owned());
    }
    words.iter().map(|word| format!("  {word}")).collect()
}
