//! Diagrams for other programs.

use super::Heading;
use crate::diagram::{Cut, Diagram, DiagramNode, Edge, Marked, Shape};
use serde_json::{Map, Value, json};

pub(super) fn json(diagram: &Diagram, heading: &Heading) -> String {
    let shape = match (diagram.shape, diagram.view, diagram.nodes[0].searched) {
        (_, _, Some(_)) => "searched",
        (_, Some(_), _) => "and-or",
        (Shape::Graph, ..) => "graph",
        (Shape::Tree, ..) => "tree",
    };
    let mut page = json!({
        "game": heading.game,
        "drawing": heading.drawing,
        "moves": heading.moves,
        "as": shape,
        "for": diagram.view.or(diagram.strategy_of),
        "nodes": diagram.nodes.iter().enumerate().map(|(at, node)| self::node(diagram, at, node)).collect::<Vec<_>>(),
        "edges": diagram.edges.iter().map(edge).collect::<Vec<_>>(),
        "levels": diagram.levels(),
        "leaves": diagram.leaves(),
        "horizon": diagram.horizon().count(),
        "label": diagram.root_label(),
        "winning_subtrees": diagram.winning_subtrees().map(|count| u64::try_from(count).unwrap_or(u64::MAX)),
    });
    if shape == "searched" {
        page["generated"] = json!(diagram.generated());
        page["saved"] = json!(diagram.saved);
    }
    if diagram.nodes.iter().any(|node| node.bold) {
        page["marked"] = json!(match diagram.marked {
            Marked::Strategy => "strategy",
            Marked::Line => "line",
            Marked::Game(_) => "game",
        });
    }
    format!("{page:#}\n")
}

fn node(diagram: &Diagram, at: usize, node: &DiagramNode) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
    put("id", json!(at));
    put("name", json!(node.name()));
    put("position", json!(node.lines));
    put("to_move", json!(node.to_move));
    put("level", json!(node.level));
    put("over", json!(node.result.is_some()));
    if let Some(winner) = node.result {
        put("result", json!(winner));
    }
    if node.unexplored {
        put("unexplored", json!(true));
    }
    if diagram.view.is_some() && node.result.is_none() {
        put("kind", json!(if diagram.is_and(at) { "and" } else { "or" }));
    }
    if let Some(label) = node.label {
        put("label", json!(label));
        if diagram.notation.numbers {
            put("value", json!(label.value()));
        }
    }
    put("bold", json!(node.bold));
    if let Some(known) = node.searched {
        put("value", json!(super::value(diagram, at)));
        put("alpha", bound(known.alpha));
        put("beta", bound(known.beta));
        if let Some(Cut { alpha, beta }) = known.cut {
            put("cut", json!({ "alpha": bound(alpha), "beta": bound(beta) }));
        }
    }
    Value::Object(fields)
}

/// Null where there is no bound yet.
fn bound(value: i32) -> Value {
    if value == i32::MIN || value == i32::MAX { Value::Null } else { json!(value) }
}

fn edge(edge: &Edge) -> Value {
    let mut fields = json!({ "from": edge.from, "to": edge.to, "moves": edge.moves, "bold": edge.bold });
    if edge.cut {
        fields["cut"] = json!(true);
    }
    fields
}
