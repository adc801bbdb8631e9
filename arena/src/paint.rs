//! Pictures in the colours of a terminal.

use crate::console;
use rules::{Item, Picture, Piece, Shape, Stroke, Tint};
use std::collections::HashSet;

/// How pictures look on this terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Only ASCII characters.
    pub ascii: bool,
    pub colours: bool,
}

const GREEN: &str = "32";
const RED: &str = "31";

impl Style {
    /// Colours need a terminal, and `NO_COLOR` switches them off.
    pub fn of_terminal(ascii: bool) -> Style {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Style { ascii, colours: console::is_interactive() && !refused && !is_dumb }
    }

    /// The picture as text. The free sites of these names are marked.
    pub fn picture(self, picture: &Picture, lit: &HashSet<String>) -> String {
        picture.painted(self.ascii, &|stroke, text| match stroke {
            Stroke::Site(site) if lit.contains(&site.name) && site.piece.tint == Tint::Empty => {
                self.coloured(GREEN, if self.ascii || !self.colours { "+" } else { "•" })
            }
            Stroke::Site(site) => self.piece(site.piece, text),
            Stroke::Item(Item::Counter(piece)) => self.piece(piece, text),
            Stroke::Item(Item::Card(card)) if card.is_red() => self.coloured(RED, text),
            Stroke::Item(_) => text.to_owned(),
        })
    }

    /// The sign of a piece. Discs of the two sides differ in form too, for people who see no colours.
    pub fn piece(self, piece: Piece, text: &str) -> String {
        let sign = match (piece.shape, piece.tint) {
            (Shape::Disc, Tint::First | Tint::Black) if !self.ascii => "●",
            (Shape::Disc, Tint::Second | Tint::White) if !self.ascii => "○",
            _ => text,
        };
        match colour(piece.tint) {
            Some(code) => self.coloured(code, sign),
            None => sign.to_owned(),
        }
    }

    fn coloured(self, code: &str, text: &str) -> String {
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

fn colour(tint: Tint) -> Option<&'static str> {
    match tint {
        Tint::Neutral | Tint::White | Tint::Black => None,
        Tint::Empty | Tint::Blocked => Some("90"),
        Tint::First => Some("1;36"),
        Tint::Second => Some("1;33"),
        Tint::Red => Some(RED),
        Tint::Yellow => Some("33"),
        Tint::Green => Some(GREEN),
        Tint::Blue => Some("34"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Eyes, Seed, find};

    fn start(game: &str) -> Picture {
        let table = find(game).unwrap().start(&serde_json::json!({}), Seed::from_number(1)).unwrap();
        table.picture(Eyes::Referee)
    }

    #[test]
    fn a_plain_style_changes_nothing_but_the_discs() {
        let plain = Style { ascii: true, colours: false };
        for game in ["othello", "quixo", "nim", "basa"] {
            let picture = start(game);
            assert_eq!(plain.picture(&picture, &HashSet::new()), picture.text(true), "{game}");
        }
    }

    #[test]
    fn colours_add_no_column() {
        let style = Style { ascii: false, colours: true };
        for game in rules::GAMES {
            let picture = start(game.about.id);
            let text = style.picture(&picture, &HashSet::new());
            let mut bare = String::new();
            for (at, part) in text.split('\x1b').enumerate() {
                bare.push_str(if at == 0 { part } else { part.split_once('m').unwrap().1 });
            }
            let columns = |text: &str| text.lines().map(|line| line.chars().count()).collect::<Vec<_>>();
            assert_eq!(columns(&bare), columns(&picture.text(false)), "{}:\n{text}", game.about.id);
        }
    }

    #[test]
    fn free_sites_are_marked() {
        let style = Style { ascii: true, colours: false };
        let text = style.picture(&start("tic-tac-toe"), &HashSet::from(["b2".to_owned()]));
        assert_eq!(text.matches('+').count(), 1, "{text}");
    }
}
