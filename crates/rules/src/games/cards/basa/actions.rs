//! What the cards do when they are used: one row for each.
//!
//! An action is a list of steps. A step changes the position, or asks a question whose answer the
//! next step finds in [`Using`](super::Using), or ends the action early because its condition does
//! not hold.

use super::draws::Drawn;
use super::{Ballot, Basa};
use crate::cards::{Card, Suit, everybody};
use crate::view::{Typed, with_meaning};
use crate::{Seat, Seats};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What the player (or, for `EveryCard`, everybody with cards) is asked in the middle of an action.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(super) enum Question {
    /// One of these seats.
    To { seats: Vec<Seat> },
    /// A card of the hand, which all see (`open`) or only the player and whoever gets it.
    HandCard { open: bool },
    /// One of the spades just drawn.
    DrawnSpade,
    /// A number.
    Say { low: u8, high: u8 },
    /// The property of another turn, or something now.
    Opt,
    /// A card of the hand from each seat that has one.
    EveryCard,
}

impl Typed for Question {
    fn schema() -> Value {
        let field = |meaning: &str, schema| with_meaning(schema, meaning);
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["ask"],
            "properties": {
                "ask": {
                    "description": "A seat (`to`), a `hand-card`, one of the spades just drawn (`drawn-spade`), a number (`say`), a property of another turn (`opt`), or a card of everybody (`every-card`).",
                    "enum": ["to", "hand-card", "drawn-spade", "say", "opt", "every-card"],
                },
                "seats": field("The seats that can be chosen.", Vec::<Seat>::schema()),
                "open": field("Do all see the hand card?", bool::schema()),
                "low": field("The lowest number.", u8::schema()),
                "high": field("The highest number.", u8::schema()),
            },
        })
    }
}

pub(super) enum Flow {
    Go,
    Ask(Question),
    /// The rest of the action does not happen.
    Stop,
}

pub(super) type Step = fn(&mut Basa) -> Flow;

pub(super) struct Row {
    pub(super) card: Card,
    /// No other card may be used with it.
    pub(super) unique: bool,
    does: Does,
}

enum Does {
    Steps(&'static [Step]),
    As(Card),
}

/// The steps of a card's action.
pub(super) fn steps(card: Card) -> &'static [Step] {
    match row(card).map(|row| &row.does) {
        Some(Does::Steps(steps)) => steps,
        Some(Does::As(other)) => steps(*other),
        None => &[],
    }
}

pub(super) fn is_unique(card: Card) -> bool {
    row(card).is_some_and(|row| row.unique)
}

fn row(card: Card) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.card == card)
}

const JACK: u8 = 11;
const QUEEN: u8 = 12;
const KING: u8 = 13;
const ACE: u8 = 14;

const fn diamond(high: u8) -> Card {
    Card::new(high, Suit::Diamonds)
}

const fn heart(high: u8) -> Card {
    Card::new(high, Suit::Hearts)
}

const fn spade(high: u8) -> Card {
    Card::new(high, Suit::Spades)
}

const fn club(high: u8) -> Card {
    Card::new(high, Suit::Clubs)
}

const fn plain(card: Card, steps: &'static [Step]) -> Row {
    Row { card, unique: false, does: Does::Steps(steps) }
}

const fn unique(card: Card, steps: &'static [Step]) -> Row {
    Row { card, unique: true, does: Does::Steps(steps) }
}

/// The action of another card.
const fn same(card: Card, other: Card) -> Row {
    Row { card, unique: false, does: Does::As(other) }
}

/// Every card but the ace of diamonds, which is never in a hand.
static TABLE: &[Row] = &[
    unique(Card::RED_JOKER, &[everybody_draws]),
    unique(Card::BLACK_JOKER, &[empty_hands_lose_1, ask_everybody_for_a_card]),
    plain(
        diamond(2),
        &[
            |g| only_if(g.my_hand() > 2),
            pick_card_to_trade,
            choose_seat_with_cards,
            trade,
            pick_card_to_trade,
            choose_seat_with_cards,
            trade,
        ],
    ),
    plain(diamond(3), &[|g| g.roll(1, 12), choose_seat, |g| g.target_pays(g.using.y * g.n())]),
    plain(
        diamond(4),
        &[
            |g| only_if(g.my_score() > 100 && g.my_hand() > 5),
            |g| g.gain(-10 * g.n()),
            |g| g.others_gain(-20 * g.n()),
            |g| g.receive(1),
            choose_seat,
            |g| g.target_gains(-5),
        ],
    ),
    plain(diamond(5), &[|g| g.roll(0, 9), |g| g.gain((g.using.y + 1) * g.n())]),
    plain(diamond(6), &[collect_from_others]),
    plain(diamond(7), &[look_at_next_hand]),
    plain(diamond(8), &[|g| g.next_gains(-g.n()), next_loses_turn]),
    plain(diamond(9), &[choose_seat, |g| g.target_gains(-2 * g.n()), |g| g.gain(2 * g.n())]),
    same(diamond(10), diamond(9)),
    plain(diamond(JACK), &[collect_jacks, move_picked_to_temp]),
    unique(diamond(QUEEN), &[|g| g.others_gain(-g.n()), reverse]),
    unique(diamond(KING), &[choose_seat_if_rich, swap_hands, |g| g.gain(-g.n())]),
    plain(heart(ACE), &[|g| g.gain(g.n()), play_again, take_option, gift_seat, gift_card, gift]),
    plain(heart(2), &[|g| g.gain(2 * g.n())]),
    unique(heart(3), &[|g| g.gain(20), |g| g.take_removed(usize::MAX)]),
    plain(heart(4), &[|g| g.gain(5), |g| g.receive(1), another_stage]),
    plain(
        heart(5),
        &[
            |g| g.gain(if g.my_score() == 0 { 10 } else { 0 }),
            |g| g.receive_anyway(if g.my_hand() == 0 { 2 } else { 1 }),
        ],
    ),
    plain(heart(6), &[|g| only_if(g.my_hand() == 0), |g| g.receive_anyway(3)]),
    plain(heart(7), &[|g| g.claim(Suit::Spades)]),
    plain(heart(8), &[|g| g.gain(if g.my_hand() <= 2 { 5 * g.n() } else { 0 }), |g| g.take_removed(1)]),
    same(heart(9), heart(ACE)),
    plain(heart(10), &[|g| g.gain(10 * g.n()), gift_seat, gift_card, gift]),
    same(heart(JACK), heart(ACE)),
    unique(heart(QUEEN), &[|g| g.gain(10 * (g.n() + 1)), |g| g.take_removed(1)]),
    unique(
        heart(KING),
        &[
            choose_seat,
            |g| g.target_gains(2 * g.n()),
            choose_another_seat,
            |g| g.target_gains(g.n()),
            |g| g.gain(if g.my_hand() == 0 { 10 } else { 5 } * g.n()),
        ],
    ),
    plain(spade(ACE), &[next_draws, |g| only_if(g.my_hand() == 0), take_from_smallest_hand]),
    same(spade(2), spade(ACE)),
    plain(spade(3), &[pick_card_to_give_up, give_up, next_draws_y_mod_6]),
    same(spade(4), spade(ACE)),
    plain(spade(5), &[|g| g.gain(-2 * g.n()), draw_five, keep_spade, keep_spade, remove_the_five]),
    plain(spade(6), &[|g| g.claim(Suit::Hearts)]),
    same(spade(7), spade(3)),
    plain(spade(8), &[choose_seat, |g| g.target_gains(-5 * g.n())]),
    same(spade(9), spade(8)),
    same(spade(10), spade(8)),
    same(spade(JACK), spade(3)),
    same(spade(QUEEN), spade(KING)),
    plain(spade(KING), &[|g| g.next_gains(-5 * g.n())]),
    plain(club(ACE), &[|_| say(1, 13), next_draws_against_said]),
    same(club(2), club(ACE)),
    same(club(3), club(ACE)),
    plain(club(4), &[|_| say(0, 4), |g| g.draw_and_gain_if(|value, said| value % 5 == said)]),
    plain(club(5), &[draw_to_hand, another_stage]),
    same(club(6), club(5)),
    plain(club(7), &[|_| say(2, 13), |g| g.draw_and_gain_if(|value, said| value % said == 0)]),
    plain(club(8), &[double_up]),
    same(club(9), club(5)),
    unique(club(10), &[blind_pick]),
    same(club(JACK), club(8)),
    same(club(QUEEN), club(7)),
    same(club(KING), club(4)),
];

// Questions.

const OPEN_CARD: Question = Question::HandCard { open: true };
const HIDDEN_CARD: Question = Question::HandCard { open: false };

fn choose_seat(g: &mut Basa) -> Flow {
    Flow::Ask(Question::To { seats: g.others() })
}

/// The same as before, if there is no other.
fn choose_another_seat(g: &mut Basa) -> Flow {
    let mut seats = g.others();
    if seats.len() > 1 {
        seats.retain(|seat| Some(*seat) != g.using.target);
    }
    Flow::Ask(Question::To { seats })
}

fn choose_seat_with_cards(g: &mut Basa) -> Flow {
    Flow::Ask(Question::To { seats: g.others_with_cards() })
}

/// With more than 100 points; otherwise nobody is chosen.
fn choose_seat_if_rich(g: &mut Basa) -> Flow {
    if g.my_score() > 100 { choose_seat(g) } else { Flow::Go }
}

fn pick_card_to_trade(g: &mut Basa) -> Flow {
    if g.my_hand() == 0 || g.others_with_cards().is_empty() { Flow::Stop } else { Flow::Ask(HIDDEN_CARD) }
}

fn pick_card_to_give_up(g: &mut Basa) -> Flow {
    if g.my_hand() == 0 { Flow::Stop } else { Flow::Ask(OPEN_CARD) }
}

fn say(low: u8, high: u8) -> Flow {
    Flow::Ask(Question::Say { low, high })
}

fn gift_seat(g: &mut Basa) -> Flow {
    let mut seats = g.others();
    seats.retain(|seat| g.hands[seat.index()].is_empty());
    if g.my_hand() < 2 || seats.is_empty() { Flow::Stop } else { Flow::Ask(Question::To { seats }) }
}

fn gift_card(_: &mut Basa) -> Flow {
    Flow::Ask(HIDDEN_CARD)
}

fn ask_everybody_for_a_card(g: &mut Basa) -> Flow {
    if g.everybody_with_cards().is_empty() {
        g.put_back(&Ballot::default());
        Flow::Go
    } else {
        Flow::Ask(Question::EveryCard)
    }
}

// Effects that only one or two cards have.

/// The player, then the others: who meets the ace of diamonds loses, and the draws go on.
fn everybody_draws(g: &mut Basa) -> Flow {
    let mut aside = Vec::new();
    for seat in g.players_from(g.cur) {
        if let Drawn::Card(card) = g.exposed_draw(seat) {
            aside.push(card);
        }
        if g.is_over() {
            g.put_under(aside);
            return Flow::Go;
        }
    }
    g.put_under(aside);
    g.shuffle();
    Flow::Go
}

fn empty_hands_lose_1(g: &mut Basa) -> Flow {
    for seat in g.players_from(g.cur) {
        if g.hands[seat.index()].is_empty() && g.score[seat.index()] != 0 {
            g.score[seat.index()] -= 1;
        }
    }
    Flow::Go
}

/// A random card of the chosen hand for the picked one.
fn trade(g: &mut Basa) -> Flow {
    let (me, Some(you), Some(card)) = (g.cur, g.using.target.take(), g.using.picked.take()) else {
        return Flow::Go;
    };
    g.steal_random(you);
    g.hands[me.index()].remove_unseen(card, Seats::one(you));
    g.hands[you.index()].add(card, Seats::one(me));
    Flow::Go
}

fn collect_from_others(g: &mut Basa) -> Flow {
    let poor = g.my_hand() == 0;
    for seat in g.others() {
        if !poor {
            g.pay(seat, g.cur, 2);
        } else if g.hands[seat.index()].len() > 1 {
            g.steal_random(seat);
        } else {
            g.pay(seat, g.cur, 3);
        }
    }
    Flow::Go
}

fn look_at_next_hand(g: &mut Basa) -> Flow {
    let seat = g.next_seat(g.cur);
    if g.hands[seat.index()].is_empty() {
        return g.next_gains(-3 * g.n());
    }
    let card = g.random_of(seat);
    g.hands[seat.index()].note(card, Seats::one(g.cur));
    g.pay(seat, g.cur, i32::from(card.low()).min(10) * g.n());
    Flow::Go
}

fn next_loses_turn(g: &mut Basa) -> Flow {
    let seat = g.next_seat(g.cur);
    g.skip[seat.index()] += 1;
    Flow::Go
}

fn collect_jacks(g: &mut Basa) -> Flow {
    let to_hand = g.my_hand() > 0;
    let mut givers = 0;
    for seat in g.others() {
        let jacks: Vec<Card> = g.hands[seat.index()].iter().filter(|card| card.high() == JACK).collect();
        givers += usize::from(!jacks.is_empty());
        for jack in jacks {
            g.hands[seat.index()].remove(jack);
            g.put(jack, to_hand, everybody());
        }
    }
    if givers > 1 && g.my_hand() > 0 { Flow::Ask(OPEN_CARD) } else { Flow::Stop }
}

fn move_picked_to_temp(g: &mut Basa) -> Flow {
    if let Some(card) = g.using.picked.take() {
        g.hands[g.cur.index()].remove(card);
        g.put(card, false, everybody());
    }
    Flow::Go
}

fn reverse(g: &mut Basa) -> Flow {
    g.reversals.push(g.cur);
    g.dir = -g.dir;
    Flow::Go
}

fn swap_hands(g: &mut Basa) -> Flow {
    if let Some(other) = g.using.target {
        for seat in [g.cur, other] {
            g.hands[seat.index()].show(Seats::one(seat));
        }
        g.hands.swap(g.cur.index(), other.index());
    }
    Flow::Go
}

fn play_again(g: &mut Basa) -> Flow {
    g.now.again = true;
    Flow::Ask(Question::Opt)
}

fn take_option(g: &mut Basa) -> Flow {
    match g.using.option {
        Some(super::Opt::Shield) => g.now.next_shield = true,
        Some(super::Opt::Bonus) => g.now.next_bonus = true,
        Some(super::Opt::Points) => return g.gain(g.n()),
        Some(super::Opt::Card) => {
            g.draw_to_temp(g.cur);
        }
        None => {}
    }
    Flow::Go
}

fn gift(g: &mut Basa) -> Flow {
    if let (Some(card), Some(seat)) = (g.using.picked.take(), g.using.target) {
        g.hands[g.cur.index()].remove_unseen(card, Seats::one(seat));
        g.hands[seat.index()].add(card, Seats::one(g.cur));
        return g.gain(5);
    }
    Flow::Go
}

fn another_stage(g: &mut Basa) -> Flow {
    g.now.another_stage = true;
    Flow::Go
}

fn next_draws(g: &mut Basa) -> Flow {
    if let Drawn::Card(card) = g.exposed_draw(g.next_seat(g.cur)) {
        g.put_under([card]);
        g.shuffle();
    }
    Flow::Go
}

/// From the other seat with the fewest cards but at least 2, else from the next.
fn take_from_smallest_hand(g: &mut Basa) -> Flow {
    let size = |seat: &Seat| g.hands[seat.index()].len();
    let smallest = g.others().into_iter().filter(|seat| size(seat) >= 2).min_by_key(size);
    let seat = smallest.unwrap_or_else(|| g.next_seat(g.cur));
    if !g.hands[seat.index()].is_empty() {
        g.steal_random(seat);
    }
    Flow::Go
}

fn give_up(g: &mut Basa) -> Flow {
    if let Some(card) = g.using.picked.take() {
        g.hands[g.cur.index()].remove(card);
        g.using.y = i32::from(card.low());
        g.put_under([card]);
        g.shuffle();
    }
    Flow::Go
}

fn next_draws_y_mod_6(g: &mut Basa) -> Flow {
    let seat = g.next_seat(g.cur);
    let mut drawn = 0;
    for _ in 0..g.using.y % 6 {
        match g.draw_to_temp(seat) {
            Drawn::Card(_) => drawn += 1,
            Drawn::Nothing => {}
            Drawn::Met => return Flow::Go,
        }
    }
    let temp = &mut g.temp[seat.index()];
    let cards = temp.split_off(temp.len() - drawn);
    g.put_under(cards);
    g.shuffle();
    Flow::Go
}

fn draw_five(g: &mut Basa) -> Flow {
    for _ in 0..5 {
        match g.draw_to_temp(g.cur) {
            Drawn::Card(card) => g.using.drawn.push(card),
            Drawn::Nothing => {}
            Drawn::Met => return Flow::Go,
        }
    }
    let spades = g.using.drawn_spades();
    if spades.len() > 2 {
        return Flow::Ask(Question::DrawnSpade);
    }
    for card in spades {
        g.keep(card);
    }
    Flow::Go
}

/// After one of too many spades was chosen.
fn keep_spade(g: &mut Basa) -> Flow {
    let Some(card) = g.using.picked.take() else { return Flow::Go };
    g.keep(card);
    g.using.y += 1;
    if g.using.y < 2 { Flow::Ask(Question::DrawnSpade) } else { Flow::Go }
}

fn remove_the_five(g: &mut Basa) -> Flow {
    for card in std::mem::take(&mut g.using.drawn) {
        g.take_from_temp(card);
        g.removed.push(card);
    }
    Flow::Go
}

fn next_draws_against_said(g: &mut Basa) -> Flow {
    let (n, said) = (g.n(), g.using.y);
    let seat = g.next_seat(g.cur);
    let top = g.top_card();
    if let Some(card) = top {
        let right = !card.is_joker() && i32::from(card.low()) == said;
        let _ = g.gain(if right { 2 * n } else { 0 });
    }
    let _ = g.gain(1);
    match top {
        Some(Card::ACE_OF_DIAMONDS) => {
            let _ = g.gain(20 * n);
            g.meet(seat);
        }
        Some(card) => {
            g.put_under([card]);
            g.shuffle();
        }
        None => {}
    }
    Flow::Go
}

fn draw_to_hand(g: &mut Basa) -> Flow {
    if let Drawn::Card(card) = g.exposed_draw(g.cur) {
        g.put(card, g.my_hand() > 0, everybody());
    }
    Flow::Go
}

fn double_up(g: &mut Basa) -> Flow {
    let mine = g.my_hand();
    if mine == 0 {
        return g.receive_anyway(2);
    }
    if g.others().iter().any(|seat| g.hands[seat.index()].len() == 2 * mine) {
        let _ = g.gain(2 * g.n());
        for _ in 0..mine {
            let _ = draw_to_hand(g);
            if g.is_cut_short() {
                break;
            }
        }
    }
    Flow::Go
}

/// The others pick one of the hand and this card.
fn blind_pick(g: &mut Basa) -> Flow {
    let hand = g.my_hand();
    if g.chance.pick(hand + 1) < hand {
        return g.gain(g.n());
    }
    let _ = g.gain(3 * g.n());
    g.receive(1)
}

fn only_if(holds: bool) -> Flow {
    if holds { Flow::Go } else { Flow::Stop }
}
