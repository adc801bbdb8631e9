//! The text that `arena analyse` prints about a game.

use super::super::counted;
use lab::{Judged, Side, Worth};
use referee::record::{Record, SeatFault};
use std::fmt::Write as _;
use text::harmless;
use text::wrap::indented;

/// The width of the column of moves. Longer moves are rare, and get a row of their own.
const WIDEST_MOVE: usize = 24;

/// Prints one game, piece by piece.
pub(super) struct AnalysisPage<'a> {
    record: &'a Record,
    widest: usize,
}

impl<'a> AnalysisPage<'a> {
    pub(super) fn of(record: &'a Record) -> AnalysisPage<'a> {
        let widest = record.moves.iter().map(|played| played.mv.chars().count()).max().unwrap_or(0);
        AnalysisPage { record, widest: widest.clamp(4, WIDEST_MOVE) }
    }

    pub(super) fn heading(&self) -> String {
        let Record { match_id, game, bots, .. } = self.record;
        let mut heading = format!("match {match_id}: {game}");
        for (seat, bot) in bots.iter().enumerate() {
            let joint = if seat == 0 { "," } else { " against" };
            let _ = write!(heading, "{joint} {} {bot}", self.side(seat));
        }
        indented("", &harmless::line(&heading)) + "\n"
    }

    /// A row with a move, its values, and a remark beside them or below.
    pub(super) fn row(&self, judged: &Judged) -> String {
        let (widest, Judged { ply, side, mv, .. }) = (self.widest, judged);
        let [before, after] = values(judged);
        let values = format!("{ply:>3}. {side} {mv:<widest$}  {before:>8} → {after:<8}");
        match remark(judged) {
            remark if remark.is_empty() => format!("{}\n", values.trim_end()),
            remark if mv.chars().count() > widest => {
                indented("", values.trim_end()) + &indented("       ", &remark)
            }
            remark => indented(&format!("{values}  "), &remark),
        }
    }

    pub(super) fn conclusion(&self, moves: &[Judged], end: Option<(Side, Worth)>) -> String {
        let mut text = format!("\n{}", indented("", &conclusion(moves)));
        for SeatFault { seat, fault, .. } in &self.record.faults {
            let _ = writeln!(text, "{} failed: {}.", self.side(*seat as usize), fault.code);
        }
        if let Some((side, worth)) = end {
            let certain = match worth {
                Worth::Estimate(_) => "the estimate of a search",
                _ => "proven",
            };
            let _ = writeln!(
                text,
                "When the game was broken off, {side} was to move. The value for {side}: {worth} ({certain})."
            );
        }
        text + "\n"
    }

    pub(super) fn side(&self, seat: usize) -> Side {
        let teams = self.record.bots.len() == 4;
        if teams && seat.is_multiple_of(2) || !teams && seat == 0 { Side::A } else { Side::B }
    }
}

/// The values before and after the move: `win`, or with points `win +6`.
fn values(judged: &Judged) -> [String; 2] {
    let margins = judged.margins.map_or([0; 2], |margins| [margins.before, margins.after]);
    let text = |worth: Worth, margin: i32| match margin {
        0 => worth.to_string(),
        margin => format!("{worth} {margin:+}"),
    };
    [text(judged.before, margins[0]), text(judged.after, margins[1])]
}

fn remark(judged: &Judged) -> String {
    match (judged.threw_away, judged.exact, judged.before) {
        (true, ..) => format!("threw the {} away{}", judged.before, kept_by(judged)),
        (_, false, _) => {
            let depth = judged.depth.map(|depth| format!("depth {depth}"));
            let decided = decided_here(judged).then(|| format!("a proven {}", judged.after));
            let better = !judged.best.contains(&judged.mv);
            let better = better.then(|| format!("better {}", listed(&judged.best)));
            depth.into_iter().chain(decided).chain(better).collect::<Vec<_>>().join(", ")
        }
        _ if judged.points_given_away() > 0 => {
            let points = judged.points_given_away();
            let them = if points == 1 { "it" } else { "them" };
            format!("gave {} away; {} kept {them}", counted(points as u64, "point"), listed(&judged.best))
        }
        (.., Worth::Loss) => String::new(),
        _ if judged.keeping.len() == 1 && judged.unknown == 0 => "the only move".to_owned(),
        _ => String::new(),
    }
}

/// It is proven that the move gives no more than this value, but not that another move gives more.
fn decided_here(judged: &Judged) -> bool {
    matches!((judged.before, judged.after), (Worth::Estimate(_), Worth::Loss | Worth::Draw))
}

fn kept_by(judged: &Judged) -> String {
    if judged.keeping.is_empty() { String::new() } else { format!("; {} kept it", listed(&judged.keeping)) }
}

fn listed(moves: &[String]) -> String {
    let shown = moves.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", ");
    if moves.len() > 4 { format!("{shown}, …") } else { shown }
}

fn conclusion(moves: &[Judged]) -> String {
    let thrown: Vec<&Judged> = moves.iter().filter(|judged| judged.threw_away).collect();
    let mut text = String::new();
    let sentence = |judged: &Judged| {
        let Judged { ply, side, mv, .. } = judged;
        let [before, after] = values(judged);
        format!("{ply}. {mv} of {side} ({before} → {after}){}.\n", kept_by(judged))
    };
    if let Some(first) = thrown.first() {
        text += &format!("The first move that threw the game away: {}", sentence(first));
    }
    if let [_, .., last] = thrown[..] {
        text += &format!("The last such move: {}", sentence(last));
    }
    let estimated = moves.iter().filter(|judged| !judged.exact).count();
    if moves.is_empty() {
        return "The game has no moves.".to_owned();
    }
    let given = points_given_away(moves);
    if thrown.is_empty() && estimated == 0 {
        let kept = if given.is_empty() { "value" } else { "win, draw or loss" };
        text += &format!("No move threw anything away: every move kept its {kept}.\n");
    }
    if !given.is_empty() {
        text += &format!("Other points given away: {given}.\n");
    }
    if estimated > 0 {
        text += &format!(
            "{estimated} of {} moves are judged by the estimate of a search, not proven.\n",
            moves.len()
        );
        if let Some(lost) = moves.iter().rfind(|judged| decided_here(judged) && judged.after == Worth::Loss) {
            let Judged { ply, side, mv, .. } = lost;
            text += &format!(
                "Proven lost after {ply}. {mv} of {side}. Whether the position was lost before is not proven.\n"
            );
        }
        if let Some((worst, loss)) = worst_estimate(moves) {
            text += &format!(
                "The largest drop of an estimate: {}. {} of {}, by {loss}.\n",
                worst.ply, worst.mv, worst.side
            );
        }
    }
    text
}

/// The points that each side gave away with moves that kept the value: `A 12, B 4`.
fn points_given_away(moves: &[Judged]) -> String {
    let of = |side: Side| moves.iter().filter(move |judged| judged.side == side && !judged.threw_away);
    let sums = [Side::A, Side::B].map(|side| (side, of(side).map(Judged::points_given_away).sum::<i32>()));
    let sums = sums.iter().filter(|(_, points)| *points > 0).map(|(side, points)| format!("{side} {points}"));
    sums.collect::<Vec<_>>().join(", ")
}

fn worst_estimate(moves: &[Judged]) -> Option<(&Judged, i32)> {
    let falls = moves.iter().filter_map(|judged| match (judged.before, judged.after) {
        (Worth::Estimate(before), Worth::Estimate(after)) if after < before => Some((judged, before - after)),
        _ => None,
    });
    falls.max_by_key(|(judged, loss)| (*loss, std::cmp::Reverse(judged.ply)))
}
