//! Promises that every game keeps. All of them walk the registry, so a new game is covered on the day it is
//! listed; the parameter sets come from the game's perft file.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod cases;

use cases::{Dice, everyone, random_game, walk};
use rules::{
    Duel, DuelVisitor, Eyes, GAMES, Hidden, HiddenVisitor, Item, Json, Kind, LinkKind, Picture, Piece,
    PileKind, Seat, Seed, Shape, Table, Tint, Touch, Turn, Winner,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn all_views(table: &dyn Table) -> Vec<String> {
    let read_back = |eyes| {
        let view = table.view(eyes);
        assert_eq!(Json::of(&view.value()), view, "a key is there twice, or this is no JSON");
        view.to_string()
    };
    everyone(table).into_iter().map(read_back).collect()
}

#[test]
fn random_games_end_and_say_how() {
    for game in GAMES {
        for params in cases::params(game.about.id) {
            for seed in 0..20 {
                let name = format!("{} {params} seed {seed}", game.about.id);
                let mut outcomes = 0;
                let played = random_game(game, &params, seed, |table| {
                    if let Some(outcome) = table.outcome() {
                        outcomes += 1;
                        assert_eq!(outcome.places().len(), table.seats() as usize, "{name}");
                        assert!(outcome.places().contains(&1), "{name}: somebody is first");
                        assert!(!outcome.reason.is_empty(), "{name}: a reason");
                        for seat in (0..table.seats()).map(Seat) {
                            assert!(table.legal(seat).is_empty(), "{name}: moves after the end");
                        }
                    }
                });
                assert_eq!(outcomes, 1, "{name}");
                assert!(!played.is_empty(), "{name}: over before it began");
            }
        }
    }
}

#[test]
fn legal_moves_are_complete_unique_readable_and_the_only_ones() {
    let mut vocabulary: BTreeSet<String> = BTreeSet::new();
    let mut vocabulary_of = "";
    walk(4, |game, table, name| {
        if vocabulary_of != game.about.id {
            vocabulary.clear();
            vocabulary_of = game.about.id;
            vocabulary
                .extend(["", " ", "pass", "a1", "no such move", "\u{1f3b2}", "-1", "0"].map(str::to_owned));
        }
        let before = all_views(table);
        for seat in (0..table.seats()).map(Seat) {
            let mut line = table.view(Eyes::Seat(seat)).to_string();
            table.write_legal(seat, &mut line);
            let line = line.len();
            assert!(
                line < 1_000_000,
                "{name}: a turn of {line} bytes, where protocol.md promises less than a MiB"
            );
            let legal = table.legal(seat);
            let unique: BTreeSet<&String> = legal.iter().collect();
            assert_eq!(unique.len(), legal.len(), "{name}: a move is listed twice");
            assert_eq!(
                legal.is_empty(),
                !table.turn().seats().contains(seat),
                "{name}: moves when and only when owed"
            );
            assert_eq!(legal, table.legal(seat), "{name}: the order is stable");
            for mv in &legal {
                assert!(mv.is_ascii() && !mv.is_empty() && mv.len() <= 512, "{name}: notation `{mv}`");
                assert!(!mv.contains(['"', '\\', '\n', '[', ']']), "{name}: notation `{mv}`");
            }
            // Every other text that is, was or will be a move somewhere is refused here. A refusal names the
            // nearest legal move, which takes time where there are many: then a part is asked each ply.
            let parts = 1 + vocabulary.len() * legal.len() / 1000;
            let asked = vocabulary.iter().skip(table.plies() as usize % parts).step_by(parts);
            let mut copy = table.boxed_clone();
            for text in asked.filter(|text| !unique.contains(text)) {
                if let Ok(canonical) = copy.play(seat, text) {
                    assert!(legal.contains(&canonical), "{name}: seat {seat} was allowed `{text}`");
                    copy = table.boxed_clone();
                }
            }
            assert_eq!(all_views(&*copy), before, "{name}: a refused move left a trace");
            if let Some(mv) = legal.first() {
                let mut copy = table.boxed_clone();
                assert_eq!(copy.play(seat, mv).as_ref(), Ok(mv), "{name}: a listed move is legal");
            }
            if vocabulary.len() < 400 {
                vocabulary.extend(legal);
            }
        }
        assert_eq!(all_views(table), before, "{name}: a copy, or a refused move, left a trace");
    });
}

#[test]
fn the_same_seed_and_moves_give_the_same_game() {
    for game in GAMES {
        for params in cases::params(game.about.id) {
            let record = |seed| {
                let mut lines = Vec::new();
                let played = random_game(game, &params, seed, |table| lines.push(all_views(table)));
                (played, lines)
            };
            assert_eq!(record(5), record(5), "{} {params}", game.about.id);
        }
    }
}

#[test]
fn parameters_are_read_back_from_what_is_printed() {
    for game in GAMES {
        for params in cases::params(game.about.id) {
            let first = game.start(&params, Seed::from_number(3)).unwrap();
            let again = game.start(first.params(), Seed::from_number(3)).unwrap();
            assert_eq!(first.params(), again.params(), "{}", game.about.id);
            assert_eq!(all_views(&*first), all_views(&*again), "{} {params}", game.about.id);
        }
        assert!(game.start(&serde_json::json!({"no such parameter": 1}), Seed::from_number(0)).is_err());
        assert!(game.start(&serde_json::json!(7), Seed::from_number(0)).is_err());
    }
}

/// Values that a field of this schema must refuse, with what is added to the field's name in the error.
fn outside(schema: &Value) -> Vec<(Value, &'static str)> {
    let number = |key: &str, beyond: i64| schema[key].as_i64().map(|bound| bound + beyond);
    let count = |key, beyond| number(key, beyond).and_then(|count| usize::try_from(count).ok());
    let ends = [("minimum", -1), ("maximum", 1)].map(|(key, beyond)| number(key, beyond).map(Value::from));
    let lengths = [("minLength", -1), ("maxLength", 1)].map(|(key, beyond)| count(key, beyond));
    let texts = lengths.map(|length| length.map(|length| Value::from("x".repeat(length))));
    let counts = [("minItems", -1), ("maxItems", 1)].map(|(key, beyond)| count(key, beyond));
    let lists = counts.map(|count| count.map(|count| Value::from(vec![0; count])));
    let whole = ends.into_iter().chain(texts).chain(lists).flatten().map(|value| (value, ""));
    // A list of the fewest items allowed, the first of which is wrong.
    let fewest = count("minItems", 0).unwrap_or(1).max(1);
    let items = schema.get("items").map(outside).unwrap_or_default();
    let items = items.into_iter().map(|(item, _)| (Value::from(vec![item; fewest]), "[0]"));
    whole.chain(items).chain([(json!({}), ""), (json!(1.5), "")]).collect()
}

#[test]
fn what_a_parameter_may_not_be_is_refused_by_name() {
    for game in GAMES {
        let id = game.about.id;
        let schema = game.schema();
        let refused = |name: &str, value: &Value| game.prepare(&json!({ name: value })).err();
        for (name, field) in schema["properties"].as_object().unwrap() {
            for (value, at) in outside(field) {
                let error = refused(name, &value).unwrap_or_else(|| panic!("{id}: {name} may be {value}"));
                assert_eq!(error.field, format!("{name}{at}"), "{id}: {value}");
            }
        }
        assert_eq!(refused("no_such_field", &json!(1)).unwrap().field, "no_such_field", "{id}");
    }
}

#[test]
fn decisions_made_together_may_come_in_any_order() {
    walk(3, |_, table, name| {
        let Turn::Together(seats) = table.turn() else { return };
        let choices: Vec<(Seat, String)> =
            seats.iter().map(|seat| (seat, table.legal(seat).last().unwrap().clone())).collect();
        let play_all = |order: &mut dyn Iterator<Item = &(Seat, String)>| {
            let mut copy = table.boxed_clone();
            for (seat, mv) in order {
                copy.play(*seat, mv).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
            (all_views(&*copy), copy.news(Eyes::Referee, 0))
        };
        assert_eq!(play_all(&mut choices.iter()), play_all(&mut choices.iter().rev()), "{name}");
        if let Some((early, mv)) = choices.first()
            && seats.len() > 1
        {
            let mut copy = table.boxed_clone();
            copy.play(*early, mv).unwrap();
            for seat in (0..table.seats()).map(Seat).filter(|seat| seat != early) {
                let eyes = Eyes::Seat(seat);
                assert_eq!(copy.view(eyes), table.view(eyes), "{name}: seat {seat} sees a choice too early");
                assert_eq!(copy.news_count(), table.news_count(), "{name}: a choice is told too early");
                assert_eq!(copy.legal(seat), table.legal(seat), "{name}: a choice changes another's options");
            }
            assert_eq!(copy.view(Eyes::Spectator), table.view(Eyes::Spectator), "{name}");
        }
    });
}

#[test]
fn pictures_fit_on_a_terminal() {
    walk(1, |_, table, name| {
        for eyes in everyone(table) {
            let text = table.picture(eyes).text(false);
            assert!(!text.is_empty(), "{name}: an empty picture");
            for line in text.lines() {
                assert!(line.chars().count() <= 80, "{name}: a line of more than 80 columns:\n{line}");
            }
            assert!(table.picture(eyes).text(true).is_ascii(), "{name}: the ASCII picture is not ASCII");
        }
    });
}

/// What any drawing of a picture relies on.
#[test]
fn pictures_say_all_that_a_drawing_needs() {
    walk(1, |_, table, name| {
        let picture = table.picture(Eyes::Referee);
        sites_stand_apart(&picture, name);
        links_and_areas_lie_on_the_board(&picture, table, name);
        let in_piles = picture.piles.iter().flat_map(|pile| &pile.items).filter_map(|item| match item {
            Item::Counter(piece) => Some(*piece),
            Item::Card(_) | Item::Back => None,
        });
        for piece in picture.sites.iter().map(|site| site.piece).chain(in_piles) {
            colours_agree_with_letters(piece, name);
            assert!(
                piece.owner.is_none_or(|owner| owner.0 < table.seats()),
                "{name}: the owner of {piece:?}"
            );
        }
        assert!(picture.captions.iter().all(|caption| !caption.text.contains('\n')), "{name}");
    });
}

fn sites_stand_apart(picture: &Picture, name: &str) {
    let names: BTreeSet<&str> = picture.sites.iter().map(|site| site.name.as_str()).collect();
    assert_eq!(names.len(), picture.sites.len(), "{name}: two sites have the same name");
    assert!(!names.contains(""), "{name}: a site without a name");
    for (at, site) in picture.sites.iter().enumerate() {
        let near = picture.sites[..at].iter().find(|other| (site.x - other.x).hypot(site.y - other.y) < 0.3);
        assert!(near.is_none(), "{name}: {site:?} and {near:?} share a place");
    }
}

fn links_and_areas_lie_on_the_board(picture: &Picture, table: &dyn Table, name: &str) {
    let count = picture.sites.len();
    let open: BTreeSet<&str> = (picture.links.iter())
        .filter(|link| link.kind == LinkKind::Open)
        .map(|link| link.name.as_deref().expect("a line that can be drawn is named by its move"))
        .collect();
    let legal: Vec<String> = table.turn().seats().iter().flat_map(|seat| table.legal(seat)).collect();
    assert!(open.iter().all(|name| legal.iter().any(|mv| mv == name)), "{name}: an open line is no move");
    for link in &picture.links {
        let (from, to) = link.ends;
        assert!(from < count && to < count && from != to, "{name}: {link:?}");
        assert_eq!(link.kind == LinkKind::Open, link.tint == Tint::Empty, "{name}: {link:?}");
    }
    for area in &picture.areas {
        assert!(area.corners.len() > 2 && area.corners.iter().all(|&at| at < count), "{name}: {area:?}");
    }
}

/// A drawing leaves out the letter of a disc. So the colour must say the same.
fn colours_agree_with_letters(piece: Piece, name: &str) {
    if let (Shape::Disc, Some(colours)) = (piece.shape, Piece::colours_named(piece.glyph)) {
        assert!(colours.contains(&piece.tint), "{name}: {piece:?}");
    }
    let side = piece.owner.filter(|_| matches!(piece.tint, Tint::First | Tint::Second));
    assert!(side.is_none_or(|owner| Tint::of(owner) == piece.tint), "{name}: {piece:?}");
}

/// A pile can be followed through a game, and a seat sees the same piles as the referee.
#[test]
fn piles_keep_their_keys() {
    for game in GAMES {
        for params in cases::params(game.about.id) {
            let name = format!("{} {params}", game.about.id);
            let mut known: BTreeMap<String, (PileKind, Option<Seat>)> = BTreeMap::new();
            let mut start = BTreeSet::new();
            random_game(game, &params, 1, |table| {
                let keys_for = |eyes| -> Vec<String> {
                    table.picture(eyes).piles.into_iter().map(|pile| pile.key).collect()
                };
                let keys = keys_for(Eyes::Referee);
                for eyes in everyone(table) {
                    assert_eq!(keys_for(eyes), keys, "{name}: {eyes:?}");
                }
                let unique: BTreeSet<String> = keys.iter().cloned().collect();
                assert_eq!(unique.len(), keys.len(), "{name}: a key is there twice");
                if start.is_empty() {
                    start.clone_from(&unique);
                }
                // In Grundy's game the heaps themselves come and go.
                assert!(unique.is_superset(&start) || game.about.id == "grundy", "{name}: a pile is lost");
                for pile in table.picture(Eyes::Referee).piles {
                    let facts = (pile.kind, pile.owner);
                    assert_eq!(*known.entry(pile.key).or_insert(facts), facts, "{name}: another pile");
                    assert!(pile.owner.is_none_or(|owner| owner.0 < table.seats()), "{name}");
                }
            });
        }
    }
}

struct EvaluationLaw(Value);

impl DuelVisitor for EvaluationLaw {
    type Output = ();

    /// Bounded, the same for equal positions, no longer than the game says, and with one result.
    fn visit<P: Duel>(self) {
        let EvaluationLaw(given) = self;
        let name = format!("{} {given}", P::ABOUT.id);
        let params = rules::read_params::<P::Params>(&given).unwrap();
        let mut dice = Dice(9);
        let mut moves = Vec::new();
        for _ in 0..10 {
            let mut position = P::start(&params, Seed::from_number(0)).unwrap();
            let mut plies = 0;
            while let Turn::One(seat) = position.turn() {
                let (bound, value) = (position.plies_left(), position.evaluate());
                assert!(value.abs() <= 1_000_000, "{name}: evaluation {value}");
                assert_eq!(value, position.clone().evaluate(), "{name}");
                assert_eq!(seat, position.mover(), "{name}");
                assert!(position.side(seat) < 2, "{name}: a duel has two sides");
                moves.clear();
                position.moves(seat, &mut moves);
                let (at, mut buffer) = (dice.below(moves.len()), Vec::new());
                let chosen = position.choose_move(seat, &mut buffer, |count| {
                    assert_eq!(count, moves.len(), "{name}: the number of moves");
                    at
                });
                assert_eq!(chosen, moves[at], "{name}: a move chosen is the one listed there");
                if P::STEPWISE {
                    let one_by_one = std::iter::successors(position.next_move(None), |last| {
                        position.next_move(Some(last))
                    });
                    // One more than there should be, in case they never end.
                    let found: Vec<P::Move> = one_by_one.take(moves.len() + 1).collect();
                    assert_eq!(found, moves, "{name}: moves found one by one are those listed");
                }
                let before = position.clone();
                position.play(seat, &moves[at]);
                assert_ne!(before, position, "{name}: a move that changes nothing");
                if let (Some(before), Some(after)) = (bound, position.plies_left()) {
                    assert!(after < before, "{name}: the bound on the game's length does not fall");
                }
                plies += 1;
                if plies >= 500 {
                    break;
                }
            }
            if let Some(finish) = position.turn().finish() {
                assert_ne!(finish.winner, Winner::ByRank, "{name}: a duel has a winner or is drawn");
            }
        }
    }
}

#[test]
fn duels_evaluate_and_come_nearer_to_their_end() {
    for game in GAMES.iter().filter(|game| game.kind == Kind::Duel) {
        for params in cases::params(game.about.id) {
            rules::visit_duel(game.about.id, &params.clone(), EvaluationLaw(params)).unwrap();
        }
    }
}

#[test]
fn a_duel_hides_nothing() {
    walk(1, |game, table, name| {
        if game.kind == Kind::Duel {
            let views: BTreeSet<String> = all_views(table).into_iter().collect();
            assert_eq!(views.len(), 1, "{name}: eyes see different things");
        }
    });
}

struct LeakLaw(Value);

impl HiddenVisitor for LeakLaw {
    type Output = ();

    /// A position imagined from a seat's view looks the same to that seat, and the hidden part does vary.
    fn visit<P: Hidden>(self) {
        let LeakLaw(given) = self;
        let params = rules::read_params::<P::Params>(&given).unwrap();
        let mut varied = false;
        for seed in 0..4 {
            let name = format!("{} {given} seed {seed}", P::ABOUT.id);
            let mut dice = Dice(seed);
            let mut position = P::start(&params, Seed::from_number(seed)).unwrap();
            for _ in 0..400 {
                let owed = position.turn().seats();
                for seat in owed.iter() {
                    let view = position.view(Eyes::Seat(seat));
                    let mut hidden = BTreeSet::new();
                    for dream in 0..3 {
                        let imagined = P::imagine(&params, &view.value(), seat, Seed::from_number(dream))
                            .unwrap_or_else(|error| {
                                panic!("{name}: seat {seat} can't imagine from {view}: {error}")
                            });
                        assert_eq!(
                            imagined.view(Eyes::Seat(seat)),
                            view,
                            "{name}: seat {seat} sees a difference"
                        );
                        let (mut true_moves, mut moves) = (Vec::new(), Vec::new());
                        position.moves(seat, &mut true_moves);
                        imagined.moves(seat, &mut moves);
                        assert_eq!(moves, true_moves, "{name}: seat {seat} has other moves");
                        hidden.insert(imagined.view(Eyes::Referee).to_string());
                    }
                    varied |= hidden.len() > 1;
                }
                let Some(seat) = owed.lowest() else { break };
                let mut moves = Vec::new();
                position.moves(seat, &mut moves);
                position.play(seat, &moves[dice.below(moves.len())]);
            }
        }
        assert!(varied, "{} {given}: what is hidden never differs", P::ABOUT.id);
    }
}

#[test]
fn a_seat_can_tell_nothing_that_its_view_does_not_say() {
    for game in GAMES.iter().filter(|game| game.kind == Kind::Hidden) {
        // A deck that is written down in the parameters hides nothing, so only shuffled ones are asked.
        for params in cases::params(game.about.id).into_iter().filter(|params| params.get("deck").is_none()) {
            rules::visit_hidden(game.about.id, LeakLaw(params)).unwrap();
        }
    }
}

/// A seat may hear of a card that spectators do not hear of. Then the seat has seen the card, or sees it afterwards.
/// Returns how many cards were kept from spectators.
fn cards_kept(game: &rules::Game, params: &Value, seed: u64) -> usize {
    let name = format!("{} {params} seed {seed}", game.about.id);
    let (mut dice, mut kept) = (Dice(seed), 0);
    let mut table = game.start(params, Seed::from_number(seed)).unwrap();
    let mut seen = vec![all_views(&*table)];
    for _ in 0..400 {
        let Some(seat) = table.turn().seats().lowest() else { break };
        let (told, legal) = (table.news_count(), table.legal(seat));
        table.play(seat, &legal[dice.below(legal.len())]).unwrap();
        seen.push(all_views(&*table));
        let heard = |eyes| {
            let mut heard: Vec<Vec<String>> = Vec::new();
            table.hear(eyes, told, &mut |_, text| heard.push(cards(text).map(str::to_owned).collect()));
            heard
        };
        let open = heard(Eyes::Spectator);
        for ear in 0..table.seats() {
            for (secret, open) in heard(Eyes::Seat(Seat(ear))).iter().zip(&open) {
                for card in secret.iter().filter(|card| !open.contains(card)) {
                    kept += 1;
                    let is_seen = seen.iter().any(|views| views[usize::from(ear)].contains(card.as_str()));
                    assert!(
                        is_seen,
                        "{name}: seat {ear} hears of {card} and does not see the card: {seen:?}"
                    );
                }
            }
        }
        // What several seats decide together is told later.
        if table.news_count() > told {
            seen.drain(..seen.len() - 1);
        }
    }
    kept
}

/// The cards that a text names.
fn cards(text: &str) -> impl Iterator<Item = &str> {
    let is_card = |word: &&str| match word.as_bytes() {
        [rank, suit] => b"23456789TJQKAX".contains(rank) && b"CDHSRB".contains(suit),
        _ => false,
    };
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(is_card)
}

#[test]
fn a_seat_hears_of_no_card_that_it_may_not_see() {
    let mut keeping = 0;
    for game in GAMES.iter().filter(|game| game.kind == Kind::Hidden) {
        let params = cases::params(game.about.id);
        let kept = params.iter().flat_map(|params| (0..6).map(move |seed| cards_kept(game, params, seed)));
        keeping += usize::from(kept.sum::<usize>() > 0);
    }
    assert!(keeping >= 5, "only {keeping} games keep a card from spectators");
}

/// The games in which a move can be made and gone on with: the first touches of one move are another move.
const GESTURES_GO_ON: [&str; 7] =
    ["kayles", "mock-turtles", "pentanim", "plainim", "rugs", "super-stam", "tactix"];

/// A click, or several, can make every move and no other.
#[test]
fn gestures_tell_all_moves_apart() {
    let mut going_on = BTreeSet::new();
    walk(2, |game, table, name| {
        for seat in table.turn().seats().iter() {
            let picture = table.picture(Eyes::Seat(seat));
            let gestures = rules::gestures(table, seat);
            let moves: Vec<&String> = gestures.iter().map(|(mv, _)| mv).collect();
            assert!(moves.into_iter().eq(&table.legal(seat)), "{name}: a gesture for each move");
            let known: BTreeSet<&[Touch]> = gestures.iter().map(|(_, touches)| touches.as_slice()).collect();
            assert_eq!(known.len(), gestures.len(), "{name}: two moves share a gesture: {gestures:?}");
            for (mv, touches) in &gestures {
                assert!(!touches.is_empty(), "{name}: no gesture for {mv}");
                for touch in touches {
                    assert!(is_in(&picture, touch), "{name}: {mv} touches {touch:?}, which is not there");
                }
                if (1..touches.len()).any(|length| known.contains(&touches[..length])) {
                    going_on.insert(game.about.id);
                }
            }
        }
    });
    assert_eq!(going_on, BTreeSet::from(GESTURES_GO_ON));
}

fn is_in(picture: &Picture, touch: &Touch) -> bool {
    match touch {
        Touch::Site(name) => picture.site_named(name).is_some(),
        Touch::Link(name) => picture.links.iter().any(|link| link.name.as_ref() == Some(name)),
        Touch::Card(code) => {
            let shown = picture.piles.iter().flat_map(|pile| &pile.items);
            shown.into_iter().any(|item| matches!(item, Item::Card(card) if card.to_string() == *code))
        }
        Touch::Pile(key) => picture.piles.iter().any(|pile| pile.key == *key),
        Touch::Amount(_) => true,
        Touch::Word(text) => !text.is_empty(),
    }
}

/// What a walk says of the node where it stands.
fn node_of(walk: &mut dyn rules::Walk) -> (Turn, String, Option<rules::Outcome>) {
    let mut legal = String::new();
    walk.write_legal(&mut legal);
    (walk.turn(), legal, walk.outcome())
}

/// What a game in progress says in the same place.
fn state_of(table: &dyn Table, seat: Option<Seat>) -> (Turn, String, Option<rules::Outcome>) {
    let mut legal = "[]".to_owned();
    if let Some(seat) = seat {
        legal.clear();
        table.write_legal(seat, &mut legal);
    }
    (table.turn(), legal, table.outcome())
}

/// Who walks through a game meets what they would meet by playing, with draws by history.
#[test]
fn a_walk_is_the_same_game() {
    let mut reasons = BTreeSet::new();
    let mut dice = Dice(5);
    walk(2, |game, table, name| {
        let Some(seat) = table.turn().seats().lowest().filter(|_| game.kind == Kind::Duel) else { return };
        // A few nodes of each game are enough: a walk is longer than most games.
        if dice.below(6) > 0 {
            return;
        }
        let mut walk = table.walk(seat);
        let mut path = vec![table.boxed_clone()];
        for _ in 0..40 {
            let here = path.last().unwrap();
            assert_eq!(node_of(&mut *walk), state_of(&**here, walk.decider()), "{name}");
            assert_eq!((walk.depth(), walk.is_simultaneous()), (path.len() - 1, false), "{name}");
            let legal = walk.decider().map_or(Vec::new(), |seat| here.legal(seat));
            assert_eq!(walk.count_legal(), legal.len(), "{name}");
            let back = if legal.is_empty() { dice.below(path.len()) } else { path.len() - 1 };
            reasons.extend(walk.outcome().map(|outcome| outcome.reason));
            let mut next = path[back].boxed_clone();
            let Some(seat) = next.turn().seats().lowest() else { continue };
            let legal = next.legal(seat);
            let mv = &legal[dice.below(legal.len())];
            next.play(seat, mv).unwrap();
            let depth = walk.depth();
            assert!(walk.go(back, &[mv, "no such move"]).is_err() && walk.depth() == depth, "{name}");
            walk.go(back, &[mv]).unwrap();
            path.truncate(back + 1);
            path.push(next);
        }
    });
    for reason in ["line", "no_moves", "repetition", "ply_cap", "quiet_plies"] {
        assert!(reasons.contains(reason), "no walk came to {reason}: {reasons:?}");
    }
}

struct ImaginedWalkLaw(Value);

impl HiddenVisitor for ImaginedWalkLaw {
    type Output = ();

    /// A walk from an imagined position goes where the position goes, and asks seats that decide together one by one.
    fn visit<P: Hidden>(self) {
        let ImaginedWalkLaw(given) = self;
        let game = rules::find(P::ABOUT.id).unwrap();
        let params = rules::read_params::<P::Params>(&given).unwrap();
        for seed in 0..3 {
            let mut dice = Dice(seed);
            random_game(game, &given, seed, |table| {
                let Some(seat) = table.turn().seats().lowest().filter(|_| dice.below(8) == 0) else { return };
                let name = format!("{} {given} seed {seed} ply {}", P::ABOUT.id, table.plies());
                let dream = Seed::from_number(dice.below(1_000) as u64);
                let view = table.view(Eyes::Seat(seat));
                let mut typed = P::imagine(&params, &view.value(), seat, dream).unwrap();
                let mut walk = rules::imaginer(table, seat).unwrap().imagine(dream).unwrap();
                assert_eq!(walk.view(Eyes::Seat(seat)), view, "{name}");
                for _ in 0..60 {
                    assert_eq!(walk.position().downcast_ref::<P>(), Some(&typed), "{name}");
                    let owed = typed.turn().seats();
                    let Some(decider) = walk.decider() else { break };
                    let first = if owed.contains(seat) { Some(seat) } else { owed.lowest() };
                    assert_eq!(Some(decider), first, "{name}");
                    assert!(walk.is_simultaneous() || owed.len() == 1, "{name}");
                    let mut moves = Vec::new();
                    typed.moves(decider, &mut moves);
                    let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
                    assert_eq!(node_of(&mut *walk).1, json!(texts).to_string(), "{name}");
                    let at = dice.below(moves.len());
                    let (depth, together) = (walk.depth(), owed.len() > 1);
                    walk.go(depth, &[&texts[at]]).unwrap();
                    typed.play(decider, &moves[at]);
                    // Who decides last still decides at the same time as the others.
                    assert!(!together || walk.is_simultaneous(), "{name}");
                }
                assert_eq!(walk.outcome(), rules::Outcome::of(&typed), "{name}");
            });
        }
    }
}

#[test]
fn a_walk_from_an_imagined_position_is_the_same_game() {
    for game in GAMES.iter().filter(|game| game.kind == Kind::Hidden) {
        for params in cases::params(game.about.id) {
            rules::visit_hidden(game.about.id, ImaginedWalkLaw(params)).unwrap();
        }
    }
    let tic_tac_toe = rules::find("tic-tac-toe").unwrap().start(&json!({}), Seed::from_number(0)).unwrap();
    assert!(rules::imaginer(&*tic_tac_toe, Seat::FIRST).is_none());
}
