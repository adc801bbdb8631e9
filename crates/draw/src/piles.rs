//! Piles of cards and counters.

use crate::canvas::{Anchor, Canvas, Layer, class, rect};
use crate::{card, piece};
use rules::{Item, Picture, Pile, PileKind, Tint};

/// The widest pile with its label.
const WIDEST: f64 = 560.0;
/// The width of a letter of a label.
const LETTER: f64 = 7.4;
/// From a card to the next one, side by side and like a fan.
const CARD_STEP: (f64, f64) = (card::WIDTH + 4.0, 22.0);
const COUNTER: f64 = 8.0;
const COUNTER_STEP: f64 = 20.0;
const COUNTER_LINE: f64 = 24.0;
const GAP: f64 = 7.0;
/// The room of the bar that shows whose pile it is.
const BAR: f64 = 10.0;
/// The room for the number of counters.
const COUNT: f64 = 34.0;

pub(crate) struct Piles<'a> {
    picture: &'a Picture,
    /// The room for bar and label.
    head: f64,
}

/// How the items of a pile lie.
struct Rows {
    step: f64,
    /// Items in a row.
    long: usize,
    /// From a row to the next one.
    high: f64,
    count: usize,
}

impl<'a> Piles<'a> {
    pub fn new(picture: &'a Picture) -> Piles<'a> {
        let letters = picture.piles.iter().map(|pile| pile.label.chars().count()).max().unwrap_or(0);
        Piles { picture, head: BAR + letters as f64 * LETTER + 12.0 }
    }

    pub fn size(&self) -> (f64, f64) {
        let rows: Vec<Rows> = self.picture.piles.iter().map(|pile| self.rows(pile)).collect();
        let width =
            (self.picture.piles.iter().zip(&rows)).map(|(pile, rows)| rows.width(pile)).fold(0.0, f64::max);
        let height = rows.iter().map(|rows| rows.height() + GAP).sum::<f64>();
        if rows.is_empty() { (0.0, 0.0) } else { (self.head + width, height) }
    }

    fn rows(&self, pile: &Pile) -> Rows {
        let count = pile.items.len();
        let room = WIDEST - self.head;
        let (step, high) = match pile.kind {
            PileKind::Counters => (COUNTER_STEP, COUNTER_LINE),
            PileKind::Cards if count as f64 * CARD_STEP.0 <= room => (CARD_STEP.0, card::HEIGHT + 4.0),
            PileKind::Cards => (CARD_STEP.1, card::HEIGHT + 4.0),
        };
        let end = if pile.kind == PileKind::Cards { card::WIDTH - step } else { COUNT };
        let long = (((room - end) / step) as usize).max(1);
        Rows { step, long, high, count: count.div_ceil(long).max(1) }
    }

    pub fn draw(&self, (left, top): (f64, f64), canvas: &mut Canvas) {
        let mut top = top;
        for pile in &self.picture.piles {
            let rows = self.rows(pile);
            self.label(pile, (left, top), rows.height(), canvas);
            draw_items(pile, &rows, (left + self.head, top), canvas);
            top += rows.height() + GAP;
        }
    }

    fn label(&self, pile: &Pile, (left, top): (f64, f64), height: f64, canvas: &mut Canvas) {
        if pile.marked {
            let size = (self.head - 8.0, height);
            canvas.add(Layer::Mark, rect("mark", (left - 2.0, top - 1.0), size, 4.0));
        }
        // Counters show by themselves whose they are.
        if let Some(owner) = pile.owner.filter(|_| pile.kind == PileKind::Cards) {
            canvas.add(
                Layer::Ground,
                rect(class(Tint::of(owner)), (left + 1.0, top), (4.0, height - 2.0), 2.0),
            );
        }
        let line = if pile.kind == PileKind::Cards { card::HEIGHT } else { COUNTER_LINE };
        canvas.words("", (left + BAR, top + line / 2.0 + 4.0), Anchor::Start, &pile.label);
    }
}

impl Rows {
    fn width(&self, pile: &Pile) -> f64 {
        let widest = pile.items.len().min(self.long) as f64 * self.step;
        match pile.kind {
            PileKind::Cards => (widest + card::WIDTH - self.step).max(card::WIDTH),
            PileKind::Counters => widest + COUNT,
        }
    }

    fn height(&self) -> f64 {
        self.count as f64 * self.high
    }
}

fn draw_items(pile: &Pile, rows: &Rows, (left, top): (f64, f64), canvas: &mut Canvas) {
    let place =
        |at: usize| (left + (at % rows.long) as f64 * rows.step, top + (at / rows.long) as f64 * rows.high);
    for (at, item) in pile.items.iter().enumerate() {
        let (x, y) = place(at);
        match *item {
            Item::Counter(counter) => {
                let centre = (x + COUNTER, y + COUNTER_LINE / 2.0);
                piece::piece(canvas, counter, None, centre, COUNTER);
            }
            shown => {
                let is_marked = pile.marked_items.contains(&at);
                canvas.add_at(Layer::Piece, at, card::card(shown, (x, y), is_marked));
            }
        }
    }
    match (pile.kind, pile.items.len()) {
        (PileKind::Cards, 0) => canvas.add(Layer::Ground, card::slot((left, top))),
        (PileKind::Counters, count @ (0 | 6..)) => {
            let (x, y) = place(if count == 0 { 0 } else { count - 1 });
            let x = if count == 0 { x } else { x + COUNTER_STEP + 4.0 };
            canvas.words("s", (x, y + COUNTER_LINE / 2.0 + 4.5), Anchor::Start, &count.to_string());
        }
        _ => {}
    }
}
