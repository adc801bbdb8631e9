//! What a page is told: everything that its eyes may have, and nothing else.
//!
//! A message is complete, so that a page that missed some needs only the last one. Before the end of
//! a game all of it comes from the picture, the moves and the gestures of these eyes. At the end
//! everything is shown to everybody.

use super::room::{FinishedGame, Hint, Room, RoomChair, RoomJudgement, RoomStage, RoomState};
use referee::record::Record;
use rules::{Eyes, Seat, Table};
use serde_json::{Value, json};
use text::harmless;
use web::{FrameBook, GameValues, MoveValue};

/// The most mistakes that a page lists.
const MOST_MISTAKES: usize = 60;

impl Room {
    /// The table for these eyes.
    pub fn scene(&self, eyes: Eyes) -> Value {
        let inner = self.lock();
        let table = &*inner.table;
        let finished = match &inner.stage {
            RoomStage::Over(finished) => Some(&**finished),
            _ => None,
        };
        let seen_by = if finished.is_some() { Eyes::Referee } else { eyes };
        let me = match eyes {
            Eyes::Seat(seat) => Some(seat),
            _ => None,
        };
        let mut book = FrameBook::default();
        let frame = book.frame(&table.picture(seen_by));
        let moves: Vec<Value> =
            table.news(seen_by, 0).into_iter().map(|news| json!([news.seat.0, news.mv])).collect();
        let about = table.about();
        let mut scene = json!({
            "game": about.id, "title": about.name, "match": self.id, "seat": me.map(|seat| seat.0),
            "stage": stage_word(&inner.stage), "ply": table.plies(),
            "turn": table.turn().seats().iter().map(|seat| seat.0).collect::<Vec<_>>(),
            "teams": self.teams, "seats": self.seats(&inner), "frame": frame, "book": book.to_json(),
            "moves": moves,
        });
        if let Some(me) = me {
            self.add_own(&mut scene, &inner, table, me);
        }
        if let RoomStage::Closed(why) = inner.stage {
            scene["closed"] = json!(why);
        }
        if let Some(trouble) = &inner.trouble {
            scene["trouble"] = json!(trouble);
        }
        if let Some(finished) = finished {
            scene["end"] = self.end(finished, me);
        }
        if let Some((seats, spectator)) = &inner.next {
            let own = me.and_then(|me| seats[me.index()].clone());
            scene["next"] = json!(own.unwrap_or_else(|| spectator.clone()));
        }
        scene
    }

    /// What only the person of a seat is told.
    fn add_own(&self, scene: &mut Value, inner: &RoomState, table: &dyn Table, me: Seat) {
        let chair = &inner.chairs[me.index()];
        let waits = inner.waits_for(me);
        scene["yours"] = json!(waits);
        if waits {
            let gestures = rules::gestures(table, me);
            scene["legal"] = gestures.iter().map(|(mv, touches)| json!([mv, touches])).collect();
        } else if let Some((ply, mv)) = &chair.answer
            && *ply == table.plies()
        {
            scene["decided"] = json!(mv);
        }
        if chair.resigned {
            scene["resigned"] = json!(true);
        }
        if self.order.people() == 1 {
            scene["alone"] = json!(true);
            if let Some(hint) = inner.hint.as_ref().filter(|hint| hint.ply == table.plies()) {
                scene["hint"] = hint_json(hint);
            }
        }
    }

    fn seats(&self, inner: &RoomState) -> Vec<Value> {
        let seats = self.order.seats.iter().zip(&inner.chairs);
        seats
            .map(|(sitting, chair)| {
                let mut seat = json!({ "name": sitting.name(), "person": sitting.is_person() });
                if sitting.is_person() && !chair.opened {
                    seat["missing"] = json!(true);
                }
                if chair.asked.is_some() {
                    seat["thinks"] = json!(true);
                }
                if let Some(why) = &chair.gone {
                    seat["gone"] = json!(why);
                }
                if let Some(clock) = self.order.clock {
                    seat["left_ms"] = json!(left_ms(chair, clock.per_move));
                }
                seat
            })
            .collect()
    }

    fn end(&self, finished: &FinishedGame, me: Option<Seat>) -> Value {
        let FinishedGame { record, judged } = finished;
        let result = &record.result;
        let words = match me {
            Some(me) => result.words_for(me, &self.teams),
            None => result.words(&record.bots.iter().map(|name| harmless::line(name)).collect::<Vec<_>>()),
        };
        let faults = record.faults.iter().map(|fault| {
            let name = record.bots.get(fault.seat as usize).map_or("", String::as_str);
            let words =
                format!("{name} (seat {}): {}: {}", fault.seat, fault.fault.code, fault.fault.message);
            harmless::sentence(&words)
        });
        let mut end = json!({
            "words": words, "places": result.places, "scores": result.scores, "seed": record.seed,
            "faults": faults.collect::<Vec<_>>(),
        });
        if let RoomJudgement::Done(values) = judged {
            let values = values.as_deref();
            end["judged"] = json!({ "words": verdict(values, record), "mistakes": mistakes(values, record) });
        }
        end
    }
}

fn stage_word(stage: &RoomStage) -> &'static str {
    match stage {
        RoomStage::Gathering => "gathering",
        RoomStage::Playing => "playing",
        RoomStage::Over(_) => "over",
        RoomStage::Closed(_) => "closed",
    }
}

/// The time that is left for the move, or would be.
fn left_ms(chair: &RoomChair, per_move: std::time::Duration) -> u64 {
    let left = match &chair.asked {
        Some(question) => question.limit.saturating_sub(question.since.elapsed()),
        None => per_move + chair.bank,
    };
    left.as_millis() as u64
}

fn hint_json(hint: &Hint) -> Value {
    match &hint.answer {
        None => json!({ "words": "A strong bot is thinking …" }),
        Some(Err(problem)) => json!({ "words": problem }),
        Some(Ok((adviser, mv))) => json!({ "words": format!("{adviser} would play {mv}."), "move": mv }),
    }
}

fn word(value: i8) -> &'static str {
    match value {
        1 => "win",
        0 => "draw",
        _ => "loss",
    }
}

fn judged(values: &GameValues) -> usize {
    values.iter().flatten().count()
}

/// What is known about the moves, in a sentence.
fn verdict(values: Option<&GameValues>, record: &Record) -> String {
    let plies = record.moves.len();
    match values.map(judged) {
        None | Some(0) => "No move of this game could be proven good or bad.".to_owned(),
        Some(known) if known >= plies => match mistakes(values, record).len() {
            0 => "All moves were proven, and none gave anything away.".to_owned(),
            1 => "All moves were proven. One gave something away:".to_owned(),
            many => format!("All moves were proven. {many} gave something away:"),
        },
        Some(known) => {
            let many = mistakes(values, record).len();
            let found = if many == 0 { ", and none gave anything away." } else { ":" };
            format!("The last {known} of {plies} moves were proven{found}")
        }
    }
}

/// The moves that gave a better result away.
fn mistakes(values: Option<&GameValues>, record: &Record) -> Vec<Value> {
    let Some(values) = values else { return Vec::new() };
    let mut mistakes = Vec::new();
    for (at, played) in record.moves.iter().enumerate() {
        let Some(known) = values.get(at).and_then(Option::as_ref) else { continue };
        let Some(best) = known.iter().map(|one| one.value).max() else { continue };
        let Some(own) = known.iter().find(|one| one.mv == played.mv) else { continue };
        if own.value < best {
            mistakes.push(mistake(at, played.seat, own, known, best));
        }
    }
    mistakes.truncate(MOST_MISTAKES);
    mistakes
}

fn mistake(at: usize, seat: u8, own: &MoveValue, known: &[MoveValue], best: i8) -> Value {
    let better: Vec<&str> = known.iter().filter(|one| one.value == best).map(|one| one.mv.as_str()).collect();
    let more = if better.len() > 4 { ", …" } else { "" };
    let better = better[..better.len().min(4)].join(", ");
    let (was, is) = (word(best), word(own.value));
    let words = format!("{} was a {is}. {better}{more} would have been a {was}.", own.mv);
    json!({ "ply": at + 1, "seat": seat, "words": words })
}

#[cfg(test)]
mod tests {
    use super::super::order::{Order, Sitting};
    use super::*;
    use referee::seeds::SeedChoice;
    use rules::Information;
    use serde_json::Value;
    use std::collections::BTreeSet;

    fn room(game: &str, seed: u64) -> Room {
        let game: referee::spec::GameSpec = game.parse().unwrap();
        let people = (0..game.teams.len()).map(|seat| Sitting::Person(format!("p{seat}"))).collect();
        let seed = SeedChoice::Given(seed.into());
        let order = Order::new(game, people, None, seed).unwrap();
        Room::new(order, "0001".to_owned(), seed.settle().unwrap()).unwrap()
    }

    /// The cards in a text: `7H` between quotation marks or blanks.
    fn cards(text: &str) -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        let is_card = |word: &str| {
            let mut letters = word.chars();
            matches!((letters.next(), letters.next(), letters.next()),
                (Some(rank), Some(suit), None) if "A23456789TJQK".contains(rank) && "CDHS".contains(suit))
        };
        words.filter(|word| is_card(word)).map(str::to_owned).collect()
    }

    /// Plays random games of all games with hidden cards. No scene names a card that the rules have
    /// not shown to its eyes.
    #[test]
    fn a_scene_shows_no_card_of_others() {
        let mut hidden = 0;
        for game in rules::GAMES.iter().filter(|game| game.class().information == Information::Imperfect) {
            for seed in 0..3 {
                let room = room(game.about.id, seed);
                let mut table = room.table_after(&[]).unwrap();
                let mut kept = 0;
                for step in 0..120 {
                    room.begin(table.boxed_clone());
                    let seats = (0..table.seats()).map(|seat| Eyes::Seat(Seat(seat)));
                    let all = cards(&table.view(Eyes::Referee).to_string());
                    for eyes in seats.chain([Eyes::Spectator]) {
                        let shown = cards(&room.scene(eyes).to_string());
                        let mut allowed = cards(&table.view(eyes).to_string());
                        allowed.extend(cards(&table.picture(eyes).text(true)));
                        for news in table.news(eyes, 0) {
                            allowed.extend(cards(&news.mv));
                        }
                        if let Eyes::Seat(seat) = eyes {
                            table.legal(seat).iter().for_each(|mv| allowed.extend(cards(mv)));
                        }
                        let leaked: Vec<_> = shown.difference(&allowed).collect();
                        assert!(
                            leaked.is_empty(),
                            "{} {eyes:?} after {step} moves: {leaked:?}",
                            game.about.id
                        );
                        kept += all.difference(&shown).count();
                    }
                    let Some(seat) = table.turn().seats().lowest() else { break };
                    let legal = table.legal(seat);
                    let mv = legal[(step * 7 + seed as usize) % legal.len()].clone();
                    table.play(seat, &mv).unwrap();
                }
                hidden += usize::from(kept > 0);
            }
        }
        // Without secrets the test would prove nothing.
        assert!(hidden >= 20, "only {hidden} games had something to hide");
    }

    /// While others decide, nobody learns what one of them has chosen.
    #[test]
    fn a_choice_stays_secret_until_all_have_chosen() {
        let room = room("krav-maga", 1);
        let mut table = room.table_after(&[]).unwrap();
        room.begin(table.boxed_clone());
        let before = room.scene(Eyes::Spectator);
        let legal = table.legal(Seat(0));
        table.play(Seat(0), &legal[0]).unwrap();
        assert_eq!(table.turn().seats().len(), 1, "the other seat still decides");
        // The referee shows the table only between rounds, and the room keeps what was shown.
        assert_eq!(room.scene(Eyes::Spectator), before);
        assert_eq!(room.scene(Eyes::Seat(Seat(1)))["moves"], Value::Array(Vec::new()));
    }

    #[test]
    fn a_decision_is_taken_back_with_all_of_its_round() {
        let room = room("krav-maga", 1);
        let mut table = room.table_after(&[]).unwrap();
        let mut rounds = Vec::new();
        for _ in 0..2 {
            for seat in table.turn().seats().iter() {
                let mv = table.legal(seat)[0].clone();
                rounds.push((seat, table.play(seat, &mv).unwrap()));
            }
        }
        assert_eq!(room.before_last(Seat(1), &*table), Some(rounds[..2].to_vec()));
        let start = room.table_after(&rounds[..2]).unwrap();
        assert_eq!(room.before_last(Seat(1), &*start), Some(Vec::new()));
        assert_eq!(room.before_last(Seat(1), &*room.table_after(&[]).unwrap()), None);
    }

    #[test]
    fn mistakes_are_named_with_what_was_better() {
        let value = |mv: &str, value| MoveValue { mv: mv.to_owned(), value, margin: None };
        let values: GameValues = vec![
            Some(vec![value("a1", 1), value("b2", 1), value("c3", -1)]),
            None,
            Some(vec![value("x", 0)]),
        ];
        let mut record = referee::game::void(&job(), "");
        for mv in ["c3", "b1", "x"] {
            record.moves.push(referee::record::PlayedMove { mv: mv.to_owned(), ..Default::default() });
        }
        let found = mistakes(Some(&values), &record);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["words"], "c3 was a loss. a1, b2 would have been a win.");
        assert_eq!(verdict(Some(&values), &record), "The last 2 of 3 moves were proven:");
        assert!(verdict(None, &record).starts_with("No move"));
    }

    fn job() -> referee::game::Job {
        let game: referee::spec::GameSpec = "nim".parse().unwrap();
        referee::game::Job {
            match_id: "1".to_owned(),
            setting: game.setting,
            seed: rules::Seed::from_number(1),
            match_seed: 1.into(),
            seating: Vec::new(),
            names: vec!["a".to_owned(), "b".to_owned()],
            clocks: Vec::new(),
            policy: referee::game::FaultPolicy::Forfeit,
            pondering: false,
            explore: referee::explorer::ExploreRules::default(),
            block: None,
            round: None,
            opening: Vec::new(),
        }
    }
}
