//! A position in a few characters, for a node of a drawing.

use rules::{Eyes, Picture, Position};
use serde_json::Value;

/// Fields of a view that say who moves, not what the position is.
const ABOUT_THE_MOVER: [&str; 6] = ["stone", "disc", "child", "side", "partner_side", "mark"];

/// Fields with what a side has won or has left. They are not part of the position.
const POINTS: [&str; 5] = ["boxes", "sums", "taken", "children_left", "hands"];

/// Fields with other things that the next moves depend on.
const MEMORY: [&str; 3] = ["last", "last_moved", "hands"];

/// The rows of a board, the sizes of heaps (`4,2,1`), or a row of boxes. A game with none of these
/// is shown by its picture.
pub(crate) fn lines<P: Position>(position: &P) -> Vec<String> {
    let view = position.view(Eyes::Referee).value();
    of_view(&view).unwrap_or_else(|| of_picture(&position.picture(Eyes::Referee)))
}

fn of_view(view: &Value) -> Option<Vec<String>> {
    let fields = view.as_object().into_iter().flatten();
    let fields: Vec<(&str, &Value)> = fields
        .map(|(name, value)| (name.as_str(), value))
        .filter(|(name, _)| !ABOUT_THE_MOVER.contains(name))
        .collect();
    let board =
        fields.iter().find_map(|(name, value)| matches!(*name, "board" | "rows").then(|| rows(value))?);
    let counted = || fields.iter().filter(|(name, _)| !POINTS.contains(name));
    let heaps = || counted().find_map(|(_, value)| heaps(value));
    let row = || fields.iter().find_map(|(_, value)| value.as_str().map(|text| vec![text.to_owned()]));
    let mut lines = board.or_else(row).or_else(heaps)?;
    lines.extend(
        fields.iter().filter(|(name, _)| MEMORY.contains(name)).filter_map(|(_, value)| memory(value)),
    );
    Some(if lines.iter().all(|line| line.trim().is_empty()) { vec!["-".to_owned()] } else { lines })
}

fn rows(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|row| row.as_str().map(str::to_owned)).collect()
}

fn heaps(value: &Value) -> Option<Vec<String>> {
    let heaps = value.as_array()?;
    let sizes: Option<Vec<String>> =
        heaps.iter().map(|size| size.as_u64().map(|size| size.to_string())).collect();
    sizes.filter(|sizes| !sizes.is_empty()).map(|sizes| vec![sizes.join(",")])
}

/// A line for what must be remembered, if there is something.
fn memory(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(format!("({text})")),
        Value::Array(_) => heaps(value).map(|line| format!("({})", line.concat())),
        _ => None,
    }
}

fn of_picture(picture: &Picture) -> Vec<String> {
    let text = picture.text(true);
    // An empty row in the middle belongs to the board. Without the row, the next position would
    // have another height.
    text.trim_matches('\n').lines().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use rules::{DuelVisitor, GAMES, Kind, Seed};
    use serde_json::Value;
    use std::collections::HashMap;

    struct Start;

    impl DuelVisitor for Start {
        type Output = Vec<String>;

        fn visit<P: rules::Duel>(self) -> Vec<String> {
            super::lines(&P::start(&Default::default(), Seed::from_number(0)).unwrap())
        }
    }

    struct Apart;

    impl DuelVisitor for Apart {
        type Output = Option<String>;

        /// Searches the positions after the first moves for two different positions that look
        /// alike.
        fn visit<P: rules::Duel>(self) -> Option<String> {
            let start = P::start(&Default::default(), Seed::from_number(0)).unwrap();
            let (mut level, mut named) = (vec![start], HashMap::new());
            for _ in 0..3 {
                let mut next = Vec::new();
                for position in level.iter().filter(|position| !position.turn().is_over()).take(30) {
                    let mut moves = Vec::new();
                    position.moves(position.mover(), &mut moves);
                    for mv in moves.iter().take(40) {
                        let mut child = position.clone();
                        child.play(position.mover(), mv);
                        if child.turn().is_over() {
                            continue;
                        }
                        let name = (child.mover(), super::lines(&child));
                        let twin = named.entry(name.clone()).or_insert_with(|| child.clone());
                        if *twin != child {
                            return Some(format!("{name:?}\n{twin:?}\n{child:?}"));
                        }
                        next.push(child);
                    }
                }
                level = next;
            }
            None
        }
    }

    #[test]
    fn different_positions_look_different() {
        let alike: Vec<String> = GAMES
            .iter()
            .filter(|game| game.kind == Kind::Duel)
            .filter_map(|game| {
                Some(format!(
                    "{}: {}",
                    game.about.id,
                    rules::visit_duel(game.about.id, &Value::Null, Apart)??
                ))
            })
            .collect();
        assert!(alike.is_empty(), "{}", alike.join("\n\n"));
    }

    #[test]
    fn every_start_fits_into_a_node() {
        for game in GAMES.iter().filter(|game| game.kind == Kind::Duel) {
            let lines = rules::visit_duel(game.about.id, &Value::Null, Start).unwrap();
            let widest = lines.iter().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= 62 && lines.len() <= 14, "{}: {lines:?}", game.about.id);
        }
        for (id, lines) in [
            ("grundy", vec!["7"]),
            ("nim", vec!["3,4,5"]),
            ("tic-tac-toe", vec!["...", "...", "..."]),
            ("kayles", vec!["o.ooooooooooo"]),
            ("corner-the-queen", vec!["f8"]),
        ] {
            assert_eq!(rules::visit_duel(id, &Value::Null, Start).unwrap(), lines, "{id}");
        }
    }
}
