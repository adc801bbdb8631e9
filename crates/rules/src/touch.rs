//! What a person touches to make a move: squares, cards, heaps, buttons, in this order.
//!
//! The words of a move's text are the names that its [`Picture`] uses. So the text tells what to
//! touch, in nearly all games ([`Picture::touches`]). A game in which something else reads better
//! says so in [`About::touches`](crate::About): two heaps for the `b` of Wythoff, the squares that
//! change for the `3:011` of Plainim.

use crate::picture::{Item, Picture};
use crate::seat::{Eyes, Seat};
use crate::table::Table;
use serde::{Deserialize, Serialize};

/// One step of a gesture. As JSON: `{"site": "c3"}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Touch {
    /// The site of this name.
    Site(String),
    /// The line that the move of this name draws.
    Link(String),
    /// A card with this code, wherever it lies.
    Card(String),
    /// The pile with this key.
    Pile(String),
    /// So many things: of the pile touched before, if there is one.
    Amount(u32),
    /// Nothing in the picture: a button with this text.
    Word(String),
}

/// How the text of a move becomes a gesture. The picture is the one that the seat sees.
pub type Touches = fn(&Picture, &str) -> Vec<Touch>;

/// Every legal move of a seat with its gesture. No two gestures are equal. A gesture may be the
/// beginning of another: then whoever touches has to say when the move is complete.
pub fn gestures(table: &dyn Table, seat: Seat) -> Vec<(String, Vec<Touch>)> {
    let picture = table.picture(Eyes::Seat(seat));
    let touches = table.about().touches;
    let with_touches = |mv: String| {
        let gesture = touches(&picture, &mv);
        (mv, gesture)
    };
    table.legal(seat).into_iter().map(with_touches).collect()
}

impl Picture {
    /// What each word of a move's text names in this picture. A number behind a colon is an amount,
    /// even where something has that number as its name.
    pub fn touches(&self, mv: &str) -> Vec<Touch> {
        if self.links.iter().any(|link| link.name.as_deref() == Some(mv)) {
            return vec![Touch::Link(mv.to_owned())];
        }
        let (before, behind) = mv.split_once(':').unwrap_or((mv, ""));
        let mut touches = self.named(before);
        match behind.parse() {
            Ok(amount) => touches.push(Touch::Amount(amount)),
            Err(_) => touches.extend(self.named(behind)),
        }
        touches
    }

    fn named(&self, text: &str) -> Vec<Touch> {
        let words = text.split(['-', ':', '+', '@', ',', ' ']).filter(|word| !word.is_empty());
        words
            .flat_map(|word| self.thing(word).map_or_else(|| self.capture(word), |thing| vec![thing]))
            .collect()
    }

    /// `d6xa1` has two sites, and `x11` has one. The `x` of any other word is a letter.
    fn capture(&self, word: &str) -> Vec<Touch> {
        let parts = word.split('x').filter(|part| !part.is_empty());
        let sites: Option<Vec<Touch>> = parts.map(|part| self.site(part)).collect();
        sites.filter(|sites| !sites.is_empty()).unwrap_or_else(|| vec![Touch::Word(word.to_owned())])
    }

    fn thing(&self, word: &str) -> Option<Touch> {
        self.site(word).or_else(|| self.card(word)).or_else(|| self.pile_named(word))
    }

    fn site(&self, word: &str) -> Option<Touch> {
        self.site_named(word).map(|_| Touch::Site(word.to_owned()))
    }

    fn card(&self, word: &str) -> Option<Touch> {
        let mut items = self.piles.iter().flat_map(|pile| &pile.items);
        let is_here = items.any(|item| matches!(item, Item::Card(card) if card.to_string() == word));
        is_here.then(|| Touch::Card(word.to_owned()))
    }

    fn pile_named(&self, word: &str) -> Option<Touch> {
        self.piles.iter().any(|pile| pile.key == word).then(|| Touch::Pile(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use serde_json::json;

    /// The gesture of a legal move, after some others.
    fn gesture(id: &str, params: &serde_json::Value, played: &str, mv: &str) -> String {
        let mut table = crate::find(id).unwrap().start(params, Seed::from_number(1)).unwrap();
        let mover = |table: &dyn Table| table.turn().seats().lowest().unwrap();
        for mv in played.split_whitespace() {
            table.play(mover(&*table), mv).unwrap_or_else(|error| panic!("{id}: {mv}: {error}"));
        }
        let all = gestures(&*table, mover(&*table));
        let (_, touches) =
            all.into_iter().find(|(text, _)| text == mv).unwrap_or_else(|| panic!("{id}: {mv}"));
        serde_json::to_string(&touches).unwrap()
    }

    #[test]
    fn gestures_in_a_table() {
        for (id, params, played, mv, touches) in [
            ("tic-tac-toe", json!({}), "", "b2", r#"[{"site":"b2"}]"#),
            ("nim", json!({"heaps": [1, 2, 3, 5]}), "", "4:3", r#"[{"pile":"4"},{"amount":3}]"#),
            ("wythoff", json!({}), "", "2:1", r#"[{"pile":"2"},{"amount":1}]"#),
            ("wythoff", json!({}), "", "b:3", r#"[{"pile":"1"},{"pile":"2"},{"amount":3}]"#),
            ("grundy", json!({"piles": [7, 5]}), "", "7:5+2", r#"[{"pile":"7"},{"amount":5}]"#),
            ("plainim", json!({"rows": ["1010"]}), "", "1:0110", r#"[{"site":"1/1"},{"site":"1/2"}]"#),
            ("dots-and-boxes", json!({}), "", "a1-b1", r#"[{"link":"a1-b1"}]"#),
            ("digital-deletions", json!({}), "", "x6", r#"[{"site":"6"}]"#),
            ("digital-deletions", json!({}), "", "-5", r#"[{"site":"5"}]"#),
            ("tandems", json!({}), "", "a1+c1:n", r#"[{"site":"a1"},{"site":"c1"},{"site":"c2"}]"#),
            ("four-colours", json!({}), "", "r@b3", r#"[{"word":"r"},{"site":"b3"}]"#),
            (
                "vector-powers",
                json!({"size": 2, "shifts": 1}),
                "a1 a2 b1 b2",
                "row2:l",
                r#"[{"site":"b2"},{"site":"a2"}]"#,
            ),
            (
                "vector-powers",
                json!({"size": 2, "shifts": 1}),
                "a1 a2 b1 b2",
                "diag2:u",
                r#"[{"site":"b1"},{"site":"a2"}]"#,
            ),
        ] {
            assert_eq!(gesture(id, &params, played, mv), touches, "{id} {mv}");
        }
    }

    #[test]
    fn a_word_keeps_its_x() {
        let picture = Picture::board(2, 2, |_| crate::Piece::EMPTY);
        let texts = |mv: &str| serde_json::to_string(&picture.touches(mv)).unwrap();
        assert_eq!(texts("next"), r#"[{"word":"next"}]"#);
        assert_eq!(texts("a1xb2"), r#"[{"site":"a1"},{"site":"b2"}]"#);
        assert_eq!(texts("x"), r#"[{"word":"x"}]"#);
        assert_eq!(texts("to 3"), r#"[{"word":"to"},{"word":"3"}]"#);
    }
}
