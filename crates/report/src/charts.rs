//! Charts as SVG: intervals, lines, columns. A page shows them without scripts, in light and dark,
//! and on paper. Every chart has a title and a description; its numbers stand in a table beside it.

use maud::{Markup, html};

/// The most lines that one chart tells apart, by colour and by dashes.
pub const MOST_LINES: usize = 8;

/// A chart's width and height, and the room for its axes.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 36.0;
/// The least distance between the names of two lines.
const NAME_GAP: f64 = 15.0;

/// An interval with the value inside it, on an axis that a whole column of a table shares.
pub fn interval(low: f64, value: f64, high: f64, axis: Axis) -> Markup {
    const WIDE: f64 = 180.0;
    let x = |at: f64| short(axis.share(at) * WIDE);
    html! {
        svg.interval viewBox="0 0 180 20" width="180" height="20" aria-hidden="true" {
            line.mean x1=(x(0.0)) x2=(x(0.0)) y1="0" y2="20" {}
            line.whisker x1=(x(low)) x2=(x(high)) y1="10" y2="10" {}
            line.whisker x1=(x(low)) x2=(x(low)) y1="6" y2="14" {}
            line.whisker x1=(x(high)) x2=(x(high)) y1="6" y2="14" {}
            circle.estimate cx=(x(value)) cy="10" r="4" {}
        }
    }
}

/// A bar for a share of 1, with a line where the share would be fair.
pub fn share(share: f64, fair: f64) -> Markup {
    const WIDE: f64 = 90.0;
    html! {
        svg.share viewBox="0 0 90 14" width="90" height="14" aria-hidden="true" {
            rect.room x="0" y="2" width="90" height="10" {}
            rect.column x="0" y="2" width=(short(share.clamp(0.0, 1.0) * WIDE)) height="10" {}
            line.fair x1=(short(fair * WIDE)) x2=(short(fair * WIDE)) y1="0" y2="14" {}
        }
    }
}

/// A range of numbers with round ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// The smallest round range around these numbers.
    pub fn around(numbers: impl IntoIterator<Item = f64>) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers.into_iter().filter(|number| number.is_finite()) {
            (low, high) = (low.min(number), high.max(number));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let step = round_step((high - low).max(1e-9) / 4.0);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Axis { low, high: if high > low { high } else { low + step }, step }
    }

    fn share(self, at: f64) -> f64 {
        ((at - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn ticks(self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as u32;
        (0..=count).map(move |tick| self.low + f64::from(tick) * self.step)
    }
}

/// 1, 2 or 5 times a power of ten, at least as large as the number.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|times| times * power)
        .find(|&step| step >= least * 0.999)
        .unwrap_or(power * 10.0)
}

/// A line of a chart, with its name.
pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// Lines over a common range. The name of a line stands at its end.
pub fn lines(title: &str, description: &str, across: &str, lines: &[Line]) -> Markup {
    let all = || lines.iter().flat_map(|line| &line.points);
    let (x_axis, y_axis) =
        (Axis::around(all().map(|point| point.0)), Axis::around(all().map(|point| point.1)));
    let last = all().map(|point| point.0).fold(f64::NEG_INFINITY, f64::max);
    let x = |at: f64| LEFT + x_axis.share(at) * (WIDTH - LEFT - RIGHT);
    let y = |at: f64| HEIGHT - BOTTOM - y_axis.share(at) * (HEIGHT - TOP - BOTTOM);
    let points = |line: &Line| {
        let points: Vec<String> =
            line.points.iter().map(|&(a, b)| format!("{},{}", short(x(a)), short(y(b)))).collect();
        points.join(" ")
    };
    let ends: Vec<f64> =
        lines.iter().map(|line| line.points.last().map_or(f64::NAN, |end| y(end.1))).collect();
    let names = spread(&ends, NAME_GAP, HEIGHT - BOTTOM);
    frame(
        title,
        description,
        &html! {
            (grid_and_axes(x_axis, y_axis, &x, &y, across))
            @for (at, line) in lines.iter().enumerate() {
                polyline class=(format!("line l{at}")) points=(points(line)) {}
                @if names[at].is_finite() {
                    text.name x=(short(x(last) + 8.0)) y=(short(names[at] + 4.0)) { (cut(&line.name)) }
                    line class=(format!("line l{at}")) x1=(short(x(last))) x2=(short(x(last) + 6.0))
                        y1=(short(ends[at])) y2=(short(names[at])) {}
                }
            }
        },
    )
}

/// Columns side by side: how many things are in each class.
pub fn columns(title: &str, description: &str, across: &str, counts: &[(f64, u64)], width: f64) -> Markup {
    let x_axis = Axis::around(counts.iter().flat_map(|&(from, _)| [from, from + width]));
    let y_axis = Axis::around(counts.iter().map(|&(_, count)| count as f64).chain([0.0]));
    let x = |at: f64| LEFT + x_axis.share(at) * (WIDTH - LEFT - 20.0);
    let y = |at: f64| HEIGHT - BOTTOM - y_axis.share(at) * (HEIGHT - TOP - BOTTOM);
    frame(
        title,
        description,
        &html! {
            (grid_and_axes(x_axis, y_axis, &x, &y, across))
            @for &(from, count) in counts {
                rect.column x=(short(x(from) + 0.5)) y=(short(y(count as f64)))
                    width=(short((x(from + width) - x(from) - 1.0).max(0.5)))
                    height=(short(y(0.0) - y(count as f64))) {}
            }
        },
    )
}

fn grid_and_axes(
    x_axis: Axis,
    y_axis: Axis,
    x: &dyn Fn(f64) -> f64,
    y: &dyn Fn(f64) -> f64,
    across: &str,
) -> Markup {
    let (left, right) = (short(x(x_axis.low)), short(x(x_axis.high)));
    html! {
        @for tick in y_axis.ticks() {
            line.grid x1=(left) x2=(right) y1=(short(y(tick))) y2=(short(y(tick))) {}
            text.tick x=(short(LEFT - 6.0)) y=(short(y(tick) + 4.0)) text-anchor="end" { (number(tick)) }
        }
        line.axis x1=(left) x2=(right) y1=(short(y(y_axis.low))) y2=(short(y(y_axis.low))) {}
        @for tick in x_axis.ticks() {
            text.tick x=(short(x(tick))) y=(short(HEIGHT - BOTTOM + 16.0)) text-anchor="middle" { (number(tick)) }
        }
        text.tick x=(short(f64::midpoint(x(x_axis.low), x(x_axis.high)))) y=(short(HEIGHT - 4.0))
            text-anchor="middle" { (across) }
    }
}

fn frame(title: &str, description: &str, content: &Markup) -> Markup {
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(format!("{title}. {description}")) {
            title { (title) }
            desc { (description) }
            (content)
        }
    }
}

/// Moves heights apart until each has its room. Heights that are no numbers stay.
fn spread(heights: &[f64], gap: f64, lowest: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..heights.len()).filter(|&at| heights[at].is_finite()).collect();
    order.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
    let mut found = heights.to_vec();
    let mut above = f64::NEG_INFINITY;
    for &at in &order {
        found[at] = found[at].max(above + gap);
        above = found[at];
    }
    let mut below = lowest + gap;
    for &at in order.iter().rev() {
        found[at] = found[at].min(below - gap);
        below = found[at];
    }
    found
}

/// A name that fits beside a chart.
fn cut(name: &str) -> String {
    tournament::standings::short_name(&text::harmless::line(name), 20)
}

fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A number at an axis.
fn number(at: f64) -> String {
    if at.abs() >= 10.0 { format!("{}", at.round() as i64) } else { short(at) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_ends() {
        for (numbers, low, high, ticks) in [
            (vec![3.0, 97.0], 0.0, 100.0, 3),
            (vec![-464.0, 394.0], -500.0, 500.0, 3),
            (vec![5.0], 5.0, 5.0 + 1e-9, 2),
            (vec![], 0.0, 1.0, 3),
        ] {
            let axis = Axis::around(numbers.clone());
            assert!(
                (axis.low - low).abs() < 1e-6 && (axis.high - high).abs() < 1e-6,
                "{numbers:?}: {axis:?}"
            );
            assert!(axis.ticks().count() >= ticks, "{numbers:?}: {axis:?}");
        }
    }

    #[test]
    fn names_never_overlap() {
        let found = spread(&[10.0, 11.0, f64::NAN, 12.0, 200.0], 15.0, 205.0);
        let mut heights: Vec<f64> = found.iter().copied().filter(|height| height.is_finite()).collect();
        heights.sort_by(f64::total_cmp);
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= 15.0), "{found:?}");
        assert!(found[2].is_nan());
    }

    #[test]
    fn hostile_names_are_text() {
        let line = Line { name: "</svg><script>".to_owned(), points: vec![(0.0, 1.0), (1.0, 2.0)] };
        let drawn = lines("Elo", "by games", "games", &[line]).into_string();
        assert!(!drawn.contains("<script>") && drawn.contains("&lt;/svg&gt;"), "{drawn}");
    }
}
