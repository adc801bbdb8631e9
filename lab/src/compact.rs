//! A position in a few characters, for a node of a drawing.

use rules::{Eyes, Position};
use serde_json::Value;

/// Words in a view that say who moves, not how the position stands.
const ABOUT_THE_MOVER: [&str; 6] = ["stone", "disc", "child", "side", "partner_side", "mark"];

/// The rows of a board, the sizes of heaps (`4,2,1`), a row of boxes; and where a game has none of these, its picture.
pub(crate) fn lines<P: Position>(position: &P) -> Vec<String> {
    let view = position.view(Eyes::Referee).value();
    let fields = view.as_object().into_iter().flatten();
    let fields: Vec<(&str, &Value)> = fields
        .map(|(name, value)| (name.as_str(), value))
        .filter(|(name, _)| !ABOUT_THE_MOVER.contains(name))
        .collect();
    let board =
        fields.iter().find_map(|(name, value)| matches!(*name, "board" | "rows").then(|| rows(value))?);
    let heaps = || fields.iter().find_map(|(_, value)| heaps(value));
    let row = || fields.iter().find_map(|(_, value)| value.as_str().map(|text| vec![text.to_owned()]));
    let lines = board.or_else(heaps).or_else(row).unwrap_or_else(|| picture(position));
    if lines.iter().all(|line| line.trim().is_empty()) { vec!["-".to_owned()] } else { lines }
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

fn picture<P: Position>(position: &P) -> Vec<String> {
    let text = position.picture(Eyes::Referee).text(true);
    text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use rules::{DuelVisitor, GAMES, Kind, Seed};

    struct Start;

    impl DuelVisitor for Start {
        type Output = Vec<String>;

        fn visit<P: rules::Duel>(self) -> Vec<String> {
            super::lines(&P::start(&Default::default(), Seed::from_number(0)).unwrap())
        }
    }

    #[test]
    fn every_start_fits_into_a_node() {
        for game in GAMES.iter().filter(|game| game.kind == Kind::Duel) {
            let lines = rules::visit_duel(game.about.id, Start).unwrap();
            println!("{}: {}", game.about.id, lines.join(" / "));
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
            assert_eq!(rules::visit_duel(id, Start).unwrap(), lines, "{id}");
        }
    }
}
