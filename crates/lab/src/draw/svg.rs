//! Diagrams as pictures for pages and papers.

use super::texts::{self, Rect, Spot, Text};
use super::{Heading, cut_text, label_text, layered, row_mover, summary, tidy, value_text};
use crate::diagram::{Diagram, Edge, Label, Shape, Side};
use crate::ink::{BLUE, DARK, FAINT, GREY, Ink, MONO, ORANGE, PALE, RED, SENTENCE, TITLE, document};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use text::markup::xml;

const CHAR: f64 = 7.3;
/// The width of the smaller letters beside an edge.
const SMALL_CHAR: f64 = 6.0;
const LINE: f64 = 15.0;
const PAD: f64 = 8.0;
const GAP: f64 = 18.0;
const BADGE: f64 = 8.5;
const MARGIN: f64 = 26.0;
/// How often the distance between rows may grow where moves overlap.
const WIDENINGS: usize = 8;
/// The room for the title.
const TOP: f64 = 62.0;
/// The room for `A moves` beside the levels.
const SIDE: f64 = 74.0;

const INK: Ink = Ink(&[
    TITLE,
    SENTENCE,
    ("move", &[("font-size", "10"), ("fill", FAINT)]),
    ("value", &[("font-weight", "700")]),
    ("cut", &[("font-size", "10.5"), ("font-weight", "600"), ("fill", RED)]),
    ("edge", &[("fill", "none"), ("stroke", GREY), ("stroke-width", "1.2")]),
    ("bold", &[("stroke", DARK), ("stroke-width", "3")]),
    ("off", &[("stroke", PALE), ("stroke-dasharray", "4 3")]),
    ("arc", &[("fill", "none"), ("stroke", FAINT), ("stroke-width", "1.4")]),
    ("A", &[("fill", "#e3edfb"), ("stroke", BLUE)]),
    ("B", &[("fill", "#fdeede"), ("stroke", ORANGE)]),
    ("grey", &[("fill", "#f4f5f7"), ("stroke", PALE), ("stroke-dasharray", "4 3")]),
    ("grey-text", &[("fill", "#636a77")]),
    ("left-early", &[("stroke", RED), ("stroke-dasharray", "7 3")]),
    ("wide", &[("stroke-width", "3")]),
    ("label", &[("font-size", "10.5"), ("font-weight", "700"), ("fill", "#fff")]),
    ("label-A", &[("fill", BLUE)]),
    ("label-B", &[("fill", ORANGE)]),
    ("label-draw", &[("fill", "#6b7280")]),
]);

pub(super) fn svg(diagram: &Diagram, heading: &Heading) -> String {
    let page = SvgPage::new(diagram);
    let mut out = String::new();
    page.title(heading, &mut out);
    page.levels(&mut out);
    // Bold edges are drawn last, so that they lie on top.
    for bold in [false, true] {
        (0..diagram.edges.len())
            .filter(|&at| diagram.edges[at].bold == bold)
            .for_each(|at| page.edge(at, &mut out));
    }
    page.and_arcs(&mut out);
    (0..diagram.edges.len()).for_each(|at| page.edge_text(at, &mut out));
    (0..diagram.nodes.len()).for_each(|at| page.node(at, &mut out));
    document(page.size(heading), MONO, &out)
}

/// A node's box.
#[derive(Clone, Copy)]
struct NodeBox {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl NodeBox {
    fn top(self) -> (f64, f64) {
        (self.x, self.y)
    }

    fn bottom(self) -> (f64, f64) {
        (self.x, self.y + self.height)
    }

    /// The area where no move may be written.
    fn solid(self) -> Rect {
        Rect::around((self.x, self.y + self.height / 2.0), self.width, self.height)
    }
}

struct SvgPage<'a> {
    diagram: &'a Diagram,
    places: Vec<NodeBox>,
    /// By row: its upper end, and the height of its tallest box.
    rows: Vec<(f64, f64)>,
    /// By row: the side that moves at all its nodes, if there is one.
    movers: Vec<Option<Side>>,
    /// By edge: the points between its ends.
    bends: Vec<Vec<(f64, f64)>>,
    /// By edge: the place of its moves. `None` for an edge that leads up, which has no room for
    /// text.
    spots: Vec<Option<Spot>>,
    left: f64,
}

/// The layout before the distances between the rows are known.
struct Columns {
    sizes: Vec<(f64, f64)>,
    rows_of: Vec<usize>,
    centres: Vec<f64>,
    bends: Vec<Vec<f64>>,
}

impl Columns {
    fn of(diagram: &Diagram) -> Columns {
        let sizes: Vec<(f64, f64)> = (0..diagram.nodes.len()).map(|at| size(diagram, at)).collect();
        let mut widths: Vec<f64> = sizes.iter().map(|size| size.0).collect();
        match diagram.shape {
            Shape::Tree => {
                // A child is at least as wide as the text of the move that leads there.
                diagram.edges.iter().for_each(|edge| widths[edge.to] = widths[edge.to].max(text_width(edge)));
                Columns {
                    sizes,
                    rows_of: diagram.nodes.iter().map(|node| node.level).collect(),
                    centres: tidy::centres(diagram, &widths, GAP),
                    bends: vec![Vec::new(); diagram.edges.len()],
                }
            }
            Shape::Graph => {
                let layout = layered::layout(diagram, &widths, GAP * 2.0);
                Columns { sizes, rows_of: layout.layers, centres: layout.centres, bends: layout.bends }
            }
        }
    }
}

impl<'a> SvgPage<'a> {
    /// The distance between rows grows until moves no longer overlap, or until the limit is
    /// reached.
    fn new(diagram: &'a Diagram) -> SvgPage<'a> {
        let columns = Columns::of(diagram);
        let mut wider = vec![0.0; diagram.nodes.len()];
        for _ in 0..WIDENINGS {
            let page = SvgPage::with_gaps(diagram, &columns, &wider);
            let crowded = page.crowded_rows();
            if crowded.is_empty() {
                return page;
            }
            for row in crowded {
                wider[row] += texts::HEIGHT * 2.0;
            }
        }
        SvgPage::with_gaps(diagram, &columns, &wider)
    }

    fn with_gaps(diagram: &'a Diagram, columns: &Columns, wider: &[f64]) -> SvgPage<'a> {
        let Columns { sizes, rows_of, centres, bends } = columns;
        let rows = rows(diagram, columns, wider);
        let movers: Vec<_> = (0..rows.len()).map(|row| row_mover(diagram, rows_of, row)).collect();
        let left = if movers.iter().all(Option::is_some) { SIDE } else { 0.0 } + MARGIN;
        let places = (0..sizes.len())
            .map(|at| NodeBox {
                x: left + centres[at],
                y: rows[rows_of[at]].0,
                width: sizes[at].0,
                height: sizes[at].1,
            })
            .collect();
        let bends = (diagram.edges.iter().zip(bends))
            .map(|(edge, bends)| {
                let first = rows_of[edge.from] + 1;
                bends
                    .iter()
                    .enumerate()
                    .map(|(at, x)| (left + x, rows[first + at].0 + rows[first + at].1 / 2.0))
                    .collect()
            })
            .collect();
        let mut page = SvgPage { diagram, places, rows, movers, bends, spots: Vec::new(), left };
        page.spots = page.find_spots();
        page
    }

    fn find_spots(&self) -> Vec<Option<Spot>> {
        let boxes: Vec<Rect> = self.places.iter().map(|place| place.solid()).collect();
        let down: Vec<usize> = (0..self.diagram.edges.len()).filter(|&at| self.leads_down(at)).collect();
        let texts: Vec<Text> = down.iter().map(|&at| self.text(at)).collect();
        let mut spots = vec![None; self.diagram.edges.len()];
        for (at, spot) in down.into_iter().zip(texts::spots(&boxes, &texts)) {
            spots[at] = Some(spot);
        }
        spots
    }

    fn leads_down(&self, at: usize) -> bool {
        let edge = &self.diagram.edges[at];
        self.places[edge.to].y > self.places[edge.from].y
    }

    fn text(&self, at: usize) -> Text {
        let edge = &self.diagram.edges[at];
        // Where edges meet there is no room. So the text is nearer to the end with fewer edges.
        let arriving = self.diagram.edges.iter().filter(|other| other.to == edge.to).count();
        let leaving = self.diagram.edges.iter().filter(|other| other.from == edge.from).count();
        let share = if arriving > leaving { 0.3 } else { 0.62 };
        Text { edge: points_along(&self.path(at)), width: text_width(edge), share }
    }

    /// The rows below which moves overlap.
    fn crowded_rows(&self) -> BTreeSet<usize> {
        let crowded = self.spots.iter().flatten().filter(|spot| spot.crowded);
        let row_above = |spot: &Spot| self.rows.iter().rposition(|(y, _)| *y <= spot.centre.1).unwrap_or(0);
        crowded.map(row_above).collect()
    }

    fn size(&self, heading: &Heading) -> (f64, f64) {
        let boxes = self.places.iter().map(|place| place.x + place.width / 2.0 + BADGE);
        let right = boxes.chain(self.bends.iter().flatten().map(|bend| bend.0)).fold(0.0, f64::max);
        let lowest = self.rows.last().map_or(0.0, |(y, height)| y + height);
        let words = summary(self.diagram).chars().count().max(heading.title().chars().count());
        ((right + MARGIN).max(MARGIN * 2.0 + words as f64 * 7.0), lowest + MARGIN)
    }

    fn title(&self, heading: &Heading, out: &mut String) {
        let after = if heading.moves.is_empty() {
            String::new()
        } else {
            format!(" after {}", heading.moves.join(" "))
        };
        let title = xml(&format!("{}{after}", heading.title()));
        let (large, small) = (INK.of("title"), INK.of("sentence"));
        let summary = xml(&summary(self.diagram));
        let _ = writeln!(out, "<text{large} x=\"{MARGIN}\" y=\"27\">{title}</text>");
        let _ = writeln!(out, "<text{small} x=\"{MARGIN}\" y=\"46\">{summary}</text>");
    }

    /// Writes `A moves` beside each row, if every row belongs to one side.
    fn levels(&self, out: &mut String) {
        if self.left <= MARGIN {
            return;
        }
        for ((y, height), mover) in self.rows.iter().zip(&self.movers) {
            if let Some(side) = mover {
                let (y, ink) = (y + height / 2.0 + 4.0, INK.of("sentence"));
                let _ = writeln!(out, "<text{ink} x=\"{MARGIN}\" y=\"{y:.1}\">{side} moves</text>");
            }
        }
    }

    /// All points of an edge that leads down.
    fn path(&self, at: usize) -> Vec<(f64, f64)> {
        let edge = &self.diagram.edges[at];
        let (from, to) = (self.places[edge.from], self.places[edge.to]);
        let ends = [vec![from.bottom()], self.bends[at].clone(), vec![to.top()]];
        ends.concat()
    }

    fn edge(&self, at: usize, out: &mut String) {
        let edge = &self.diagram.edges[at];
        let (from, to) = (self.places[edge.from], self.places[edge.to]);
        let ink = INK.of(if edge.bold {
            "edge bold"
        } else if edge.cut {
            "edge off"
        } else {
            "edge"
        });
        let path = if to.y <= from.y { back(from, to) } else { through(&self.path(at)) };
        let _ = writeln!(out, "<path{ink} d=\"{path}\"/>");
    }

    fn edge_text(&self, at: usize, out: &mut String) {
        let edge = &self.diagram.edges[at];
        let Some(Spot { centre, .. }) = self.spots[at] else { return };
        // An outline around the letters would need `paint-order`. A program without it paints the
        // outline over the letters.
        let Rect { left, top, right, bottom } = Rect::around(centre, text_width(edge) - 3.0, texts::HEIGHT);
        let (width, height) = (right - left, bottom - top);
        let _ = writeln!(
            out,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"3\" fill=\"#fff\"/>"
        );
        let (x, y) = (centre.0, centre.1 + 3.0);
        let ink = INK.of(if edge.cut { "move grey-text" } else { "move" });
        let moves = xml(&edge.moves.join(" "));
        let _ = writeln!(out, "<text{ink} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{moves}</text>");
    }

    /// Joins moves that must all be answered by an arc.
    fn and_arcs(&self, out: &mut String) {
        for (node, edges) in self.diagram.out_edges().iter().enumerate() {
            if !self.diagram.is_and(node) || edges.len() < 2 {
                continue;
            }
            let radius = 20.0;
            let centre = self.places[node].bottom();
            let on_edge = |at: usize| {
                let (x, y) = self.path(at)[1];
                let (dx, dy) = (x - centre.0, y - centre.1);
                let length = dx.hypot(dy).max(1.0);
                (centre.0 + dx / length * radius, centre.1 + dy / length * radius)
            };
            let (mut first, mut last) = (on_edge(edges[0]), on_edge(edges[edges.len() - 1]));
            if first.0 > last.0 {
                std::mem::swap(&mut first, &mut last);
            }
            let _ = writeln!(
                out,
                "<path{} d=\"M{:.1} {:.1}A{radius} {radius} 0 0 0 {:.1} {:.1}\"/>",
                INK.of("arc"),
                first.0,
                first.1,
                last.0,
                last.1
            );
        }
    }

    fn node(&self, at: usize, out: &mut String) {
        let (node, place) = (&self.diagram.nodes[at], self.places[at]);
        let grey = node.is_cut_off();
        let side = if grey { "grey".to_owned() } else { node.to_move.to_string() };
        let weight = if node.bold { " wide" } else { "" };
        let left_early = if node.cut().is_some() { " left-early" } else { "" };
        let ink = INK.of(&format!("{side}{weight}{left_early}"));
        let NodeBox { x, y, width, height } = place;
        let left = x - width / 2.0;
        let _ = writeln!(
            out,
            "<rect{ink} x=\"{left:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\"/>"
        );
        if node.result.is_some() {
            let ink = INK.of(&side);
            let _ = writeln!(
                out,
                "<rect{ink} x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\"/>",
                left + 3.0,
                y + 3.0,
                width - 6.0,
                height - 6.0
            );
        }
        // The rows of a picture belong together, so they start at the same place.
        let widest = node.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let picture_left = x - widest as f64 * CHAR / 2.0;
        for (at, (class, line)) in node_lines(self.diagram, at).into_iter().enumerate() {
            let y = y + PAD + LINE * at as f64 + 11.0;
            let in_picture = class.is_empty() && node.lines.len() > 1;
            let (x, anchor) = if in_picture { (picture_left, "start") } else { (x, "middle") };
            let ink = INK.of(if grey { "grey-text" } else { class });
            let _ = writeln!(
                out,
                "<text{ink} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" xml:space=\"preserve\">{}</text>",
                xml(&line)
            );
        }
        if let (Some(label), Some(text)) = (node.label, label_text(self.diagram, node)) {
            badge(label, &text, x + width / 2.0, y, out);
        }
    }
}

/// The lines in a box, each with its class.
fn node_lines(diagram: &Diagram, at: usize) -> Vec<(&'static str, String)> {
    let node = &diagram.nodes[at];
    let mut lines: Vec<(&str, String)> = node.lines.iter().map(|line| ("", line.clone())).collect();
    let value = value_text(diagram, at);
    // A leaf of a drawn tree shows only its value.
    if value.is_some() && value == node.lines.first().cloned() {
        lines.clear();
    }
    lines.extend(value.map(|value| ("value", value)));
    // The cut is written inside the box, because the edges are below the box.
    lines.extend(node.cut().map(|cut| ("cut", format!("cut {}", cut_text(diagram, cut)))));
    if node.unexplored && (node.searched.is_none() || node.is_cut_off()) {
        lines.push(("more", "…".to_owned()));
    }
    lines
}

fn size(diagram: &Diagram, at: usize) -> (f64, f64) {
    let lines = node_lines(diagram, at);
    let widest = lines.iter().map(|(_, line)| line.chars().count()).max().unwrap_or(1).max(2) as f64;
    let badge = label_text(diagram, &diagram.nodes[at]).map_or(0.0, |_| BADGE);
    (widest * CHAR + PAD * 2.0 + badge, lines.len() as f64 * LINE + PAD * 2.0 - 3.0)
}

/// The width of the moves beside an edge.
fn text_width(edge: &Edge) -> f64 {
    edge.moves.join(" ").chars().count() as f64 * SMALL_CHAR + 8.0
}

/// The rows. The distance to the next row grows with the length of the edges, so that edges do not
/// become flat, and by `wider`.
fn rows(diagram: &Diagram, columns: &Columns, wider: &[f64]) -> Vec<(f64, f64)> {
    let Columns { sizes, rows_of, centres, .. } = columns;
    let count = rows_of.iter().max().copied().unwrap_or(0) + 1;
    let mut heights = vec![0.0_f64; count];
    rows_of.iter().zip(sizes).for_each(|(&row, size)| heights[row] = heights[row].max(size.1));
    let mut reach = vec![0.0_f64; count];
    for edge in &diagram.edges {
        let row = rows_of[edge.from];
        reach[row] = reach[row].max((centres[edge.to] - centres[edge.from]).abs());
    }
    let mut y = TOP + MARGIN / 2.0;
    let place = |(row, height): (usize, f64)| {
        let at = y;
        y += height + 52.0 + (reach[row] * 0.12).min(90.0) + wider[row];
        (at, height)
    };
    heights.into_iter().enumerate().map(place).collect()
}

/// A path that is straight with two points, and smooth with more.
fn through(points: &[(f64, f64)]) -> String {
    let (x, y) = points[0];
    let mut path = format!("M{x:.1} {y:.1}");
    if let [_, (x, y)] = points {
        let _ = write!(path, "L{x:.1} {y:.1}");
        return path;
    }
    for pair in points.windows(2) {
        let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
        let middle = f64::midpoint(ay, by);
        let _ = write!(path, "C{ax:.1} {middle:.1} {bx:.1} {middle:.1} {bx:.1} {by:.1}");
    }
    path
}

/// Points along an edge, close to each other.
fn points_along(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut along = Vec::new();
    for pair in points.windows(2) {
        let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
        let steps = ((bx - ax).hypot(by - ay) / 5.0).ceil().max(20.0);
        for step in 0..steps as usize {
            let t = step as f64 / steps;
            // The edge is straight, or a Bézier curve with both handles at half height.
            let ease = if points.len() == 2 { t } else { t * t * (3.0 - 2.0 * t) };
            let fall = if points.len() == 2 { t } else { t * (1.5 - 1.5 * t + t * t) };
            along.push((ax + (bx - ax) * ease, ay + (by - ay) * fall));
        }
    }
    along.extend(points.last());
    along
}

/// An edge that leads up or to a neighbour goes around the side.
fn back(from: NodeBox, to: NodeBox) -> String {
    let (x, y) = (from.x + from.width / 2.0, from.y + from.height / 2.0);
    let (tx, ty) = (to.x + to.width / 2.0, to.y + to.height / 2.0);
    let bow = x.max(tx) + 34.0 + (y - ty).abs() * 0.12;
    format!("M{x:.1} {y:.1}C{bow:.1} {y:.1} {bow:.1} {ty:.1} {tx:.1} {ty:.1}")
}

fn badge(label: Label, text: &str, x: f64, y: f64, out: &mut String) {
    let (class, letter) = match label {
        Label::Wins(Side::A) => ("label-A", text),
        Label::Wins(Side::B) => ("label-B", text),
        // The word `draw` is too long.
        Label::Draw => ("label-draw", if text == "0" { "0" } else { "=" }),
    };
    let _ = writeln!(
        out,
        "<circle{} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{BADGE}\" stroke=\"#fff\" stroke-width=\"1.5\"/>\n\
        <text{} x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{letter}</text>",
        INK.of(class),
        INK.of("label"),
        y + 3.7
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ink::assert_plain;
    use crate::{Drawn, open};
    use serde_json::json;

    /// The values of a field, for all texts that contain certain words.
    fn fields<'a>(svg: &'a str, words: &str, field: &str) -> Vec<&'a str> {
        let lines = svg.lines().filter(|line| line.starts_with("<text") && line.contains(words));
        lines.filter_map(|line| line.split(&format!(" {field}=\"")).nth(1)?.split('"').next()).collect()
    }

    #[test]
    fn moves_do_not_lie_on_each_other() {
        for (game, params) in [
            ("dots-and-boxes", json!({"width": 1, "height": 1})),
            ("nim", json!({"heaps": [1, 2, 3]})),
            ("grundy", json!({})),
        ] {
            let study = open(rules::find(game).unwrap(), &params).unwrap();
            for shape in [Shape::Graph, Shape::Tree] {
                let diagram = study.unfold(shape, 3, 10_000).unwrap();
                assert!(SvgPage::new(&diagram).crowded_rows().is_empty(), "{game} {shape:?}");
            }
        }
    }

    #[test]
    fn the_rows_of_a_picture_begin_at_the_same_place() {
        let study = open(rules::find("dots-and-boxes").unwrap(), &json!({"width": 1, "height": 1})).unwrap();
        let diagram = study.unfold(Shape::Tree, 0, 9).unwrap();
        let svg = svg(&diagram, &Heading::default());
        let rows = diagram.nodes[0].lines.len();
        let left = fields(&svg, "text-anchor=\"start\"", "x");
        assert!(rows > 2 && left.len() == rows && left.iter().all(|x| *x == left[0]), "{svg}");
    }

    /// Below the words lies a white rectangle, which every program can paint. Nothing may be
    /// painted over the words.
    #[test]
    fn moves_are_written_on_white_in_any_program() {
        let study = open(rules::find("grundy").unwrap(), &json!({})).unwrap();
        let diagram = study.unfold(Shape::Graph, 9, 1_000).unwrap();
        let svg = svg(&diagram, &Heading::default());
        assert_plain(&svg);
        let (lines, move_text): (Vec<&str>, _) = (svg.lines().collect(), format!("<text{}", INK.of("move")));
        let number = |line: &str, field: &str| -> f64 {
            let (_, rest) = line.split_once(&format!(" {field}=\"")).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        let moves: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].starts_with(&move_text)).collect();
        assert_eq!(moves.len(), diagram.edges.len());
        for at in moves {
            let (below, text) = (lines[at - 1], lines[at]);
            assert!(below.starts_with("<rect") && below.contains("fill=\"#fff\""), "{below}\n{text}");
            let words = text.rsplit_once("</text>").unwrap().0.rsplit_once('>').unwrap().1;
            let (x, left, width) = (number(text, "x"), number(below, "x"), number(below, "width"));
            assert!(width >= words.chars().count() as f64 * SMALL_CHAR, "{below}\n{text}");
            assert!((left + width / 2.0 - x).abs() < 0.2, "{below}\n{text}");
        }
        assert!(
            lines
                .iter()
                .skip_while(|line| !line.starts_with(&move_text))
                .all(|line| !line.starts_with("<path"))
        );
    }

    #[test]
    fn cut_nodes_look_cut() {
        let tree: Drawn = "[[3,4],[2,[9,9]]]".parse().unwrap();
        let svg = svg(&tree.searched(true, 99).unwrap(), &Heading::default());
        assert_plain(&svg);
        // The second MIN node is left after its first child. The other child and everything below
        // it is not visited.
        let boxes = |classes| svg.matches(&format!("<rect{} ", INK.of(classes))).count();
        assert_eq!(
            (boxes("B left-early"), boxes("grey"), svg.matches(">…</text>").count()),
            (1, 1, 1),
            "{svg}"
        );
    }
}
