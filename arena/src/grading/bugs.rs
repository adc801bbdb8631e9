//! Which known mistake explains the answers?

use super::truth::{Judged, Worth};

/// Positions in which a mistake must show before it is named.
const EVIDENCE: usize = 4;

/// A mistake that explains most of the answers, in words for the student.
pub fn name_the_bug(answers: &[(&Judged, &str)]) -> Option<String> {
    let telling: Vec<(&Judged, Worth)> = answers
        .iter()
        .filter(|(judged, _)| judged.matters())
        .filter_map(|(judged, mv)| Some((*judged, judged.worth_of(mv)?)))
        .collect();
    let worst = |judged: &Judged| judged.moves.iter().map(|(_, worth)| *worth).min();
    let matching = telling.iter().filter(|(judged, worth)| worst(judged) == Some(*worth)).count();
    // By chance the worst move is played about as often as there are worst moves.
    let chance: f64 = telling
        .iter()
        .map(|(judged, _)| {
            let count = judged.moves.iter().filter(|(_, worth)| worst(judged) == Some(*worth)).count();
            count as f64 / judged.moves.len() as f64
        })
        .sum();
    let convincing = matching >= EVIDENCE
        && matching * 10 >= telling.len() * 9
        && matching as f64 >= chance + 2.0 * (chance.max(1.0)).sqrt();
    convincing.then(|| {
        format!(
            "in {matching} of {} positions it played a move of the lowest value: \
            looks as if MAX and MIN were swapped, or a sign is missing",
            telling.len()
        )
    })
}
