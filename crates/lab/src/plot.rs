//! Plots nodes and time against depth as SVG: one line per search, on a logarithmic scale.

use crate::compare::ComparisonRow;
use crate::ink::{FAINT, GREY, Ink, SANS, TITLE, document};
use std::fmt::Write as _;

const WIDTH: f64 = 790.0;
const PANEL: f64 = 300.0;
const LEFT: f64 = 96.0;
const RIGHT: f64 = 230.0;
const HEAD: f64 = 44.0;
const FOOT: f64 = 44.0;
/// Colours and dash patterns. Lines differ in their pattern too, not in colour alone.
const LINES: [(&str, &str); 6] = [
    ("#3b6fb6", ""),
    ("#c2711b", "7 4"),
    ("#2f855a", "2 3"),
    ("#8b3fa0", "10 3 2 3"),
    ("#b42318", "5 2"),
    ("#5b6372", "1 2"),
];

const INK: Ink = Ink(&[
    TITLE,
    ("faint", &[("fill", FAINT)]),
    ("line", &[("stroke", "#e4e7ec")]),
    ("axis", &[("stroke", GREY)]),
]);

type Measure = fn(&ComparisonRow) -> f64;

/// The quantities that are plotted against depth.
const MEASURES: [(&str, Measure); 2] = [
    ("nodes", |row| row.nodes.unwrap_or(0) as f64),
    ("microseconds", |row| row.seconds.unwrap_or(0.0) * 1e6),
];

/// Draws two panels for each game. A line ends where its search did not finish all positions.
pub fn plot(rows: &[ComparisonRow]) -> String {
    let mut games: Vec<&str> = Vec::new();
    for row in rows {
        if !games.contains(&row.game.as_str()) {
            games.push(&row.game);
        }
    }
    let height = (games.len() * MEASURES.len()) as f64 * PANEL;
    let mut svg = String::new();
    for (at, game) in games.iter().enumerate() {
        let rows: Vec<&ComparisonRow> = rows.iter().filter(|row| row.game == *game && row.finished).collect();
        for (below, (word, measure)) in MEASURES.into_iter().enumerate() {
            let top = (at * MEASURES.len() + below) as f64 * PANEL;
            let title = format!("{game}: {word}");
            if rows.is_empty() {
                let (y, ink) = (top + 24.0, INK.of("title"));
                let _ = writeln!(
                    svg,
                    "<text{ink} x=\"{LEFT}\" y=\"{y}\">{title}: no search finished all positions</text>"
                );
            } else {
                Panel::new(&rows, measure, top).draw(&title, &rows, &mut svg);
            }
        }
    }
    document((WIDTH, height), SANS, &svg)
}

struct Panel {
    measure: Measure,
    top: f64,
    depths: (f64, f64),
    /// The exponents of the lowest and the highest power of ten.
    powers: (f64, f64),
}

impl Panel {
    fn new(rows: &[&ComparisonRow], measure: Measure, top: f64) -> Panel {
        let depths = rows.iter().map(|row| f64::from(row.depth));
        let nodes = rows.iter().map(|row| measure(row).max(1.0).log10());
        let low = nodes.clone().fold(f64::INFINITY, f64::min).floor().min(6.0);
        let high = nodes.fold(0.0, f64::max).ceil();
        let first = depths.clone().fold(f64::INFINITY, f64::min);
        let last = depths.fold(0.0, f64::max);
        Panel { measure, top, depths: (first, last.max(first + 1.0)), powers: (low, high.max(low + 1.0)) }
    }

    fn x(&self, depth: f64) -> f64 {
        LEFT + (depth - self.depths.0) / (self.depths.1 - self.depths.0) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, nodes: f64) -> f64 {
        let share = (nodes.max(1.0).log10() - self.powers.0) / (self.powers.1 - self.powers.0);
        self.top + PANEL - FOOT - share * (PANEL - HEAD - FOOT)
    }

    fn draw(&self, title: &str, rows: &[&ComparisonRow], svg: &mut String) {
        let top = self.top;
        let positions = match rows.first().map_or(0, |row| row.positions) {
            1 => "1 position".to_owned(),
            positions => format!("sum over {positions} positions"),
        };
        let (large, faint) = (INK.of("title"), INK.of("faint"));
        let (x, y) = (WIDTH - RIGHT, top + 24.0);
        let _ = writeln!(svg, "<text{large} x=\"{LEFT}\" y=\"{y}\">{title}</text>");
        let _ = writeln!(svg, "<text{faint} x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{positions}</text>");
        self.axes(svg);
        let mut methods: Vec<&str> = Vec::new();
        for row in rows {
            if !methods.contains(&row.method.as_str()) {
                methods.push(&row.method);
            }
        }
        let mut names = Vec::new();
        for (at, method) in methods.iter().enumerate() {
            let own: Vec<&&ComparisonRow> = rows.iter().filter(|row| row.method == *method).collect();
            if let Some(end) = self.line(at, &own, svg) {
                names.push((end, at, *method));
            }
        }
        name_lines(names, svg);
    }

    fn axes(&self, svg: &mut String) {
        let (left, right) = (LEFT, WIDTH - RIGHT);
        let [faint, line, axis] = ["faint", "line", "axis"].map(|class| INK.of(class));
        for power in self.powers.0 as i32..=self.powers.1 as i32 {
            let y = self.y(10_f64.powi(power));
            let _ = writeln!(svg, "<path{line} d=\"M{left} {y:.1}H{right}\"/>");
            let (x, text_y) = (left - 8.0, y + 4.0);
            let word = grouped(10_u64.pow(power as u32));
            let _ =
                writeln!(svg, "<text{faint} x=\"{x}\" y=\"{text_y:.1}\" text-anchor=\"end\">{word}</text>");
        }
        let bottom = self.top + PANEL - FOOT;
        let _ = writeln!(svg, "<path{axis} d=\"M{left} {bottom:.1}H{right}\"/>");
        for depth in self.depths.0 as u32..=self.depths.1 as u32 {
            let (x, y) = (self.x(f64::from(depth)), bottom + 18.0);
            let _ =
                writeln!(svg, "<text{faint} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{depth}</text>");
        }
        let (x, y) = (f64::midpoint(left, right), bottom + 36.0);
        let _ = writeln!(svg, "<text{faint} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">depth</text>");
    }

    /// Draws a line. Returns the height at which the line ends.
    fn line(&self, at: usize, rows: &[&&ComparisonRow], svg: &mut String) -> Option<f64> {
        let (colour, dashes) = LINES[at % LINES.len()];
        let points: Vec<(f64, f64)> =
            rows.iter().map(|row| (self.x(f64::from(row.depth)), self.y((self.measure)(row)))).collect();
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let path = path.join("L");
        let dashes =
            if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
        let _ = writeln!(
            svg,
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\"{dashes} d=\"M{path}\"/>"
        );
        for (x, y) in &points {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        points.last().map(|point| point.1)
    }
}

/// Writes the names at the ends of the lines. Names that would overlap are moved apart.
fn name_lines(mut names: Vec<(f64, usize, &str)>, svg: &mut String) {
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut lowest = f64::NEG_INFINITY;
    for (end, at, name) in names {
        let name = name.strip_prefix("buggy?bug=").unwrap_or(name);
        let y = (end + 4.0).max(lowest + 15.0);
        lowest = y;
        let x = WIDTH - RIGHT + 10.0;
        let colour = LINES[at % LINES.len()].0;
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y:.1}\" fill=\"{colour}\" font-weight=\"600\">{}</text>",
            text::markup::xml(name)
        );
    }
}

/// Writes a number as `1 000 000`, with thin spaces.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}
