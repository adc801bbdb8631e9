//! The rules of the referee, with players that follow a script instead of processes.

use super::{FaultPolicy, Job, disqualified, play, void};
use crate::clock::ClockRules;
use crate::explorer::ExploreRules;
use crate::fault::{Code, Fault};
use crate::player::{MoveReply, MoveRequest, Player};
use crate::process::FaultEvidence;
use crate::record::{PlayedMove, Record};
use crate::runner::BotId;
use crate::spec::GameSpec;
use rules::{Seat, Seats, Seed};
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// Answers with the next word of a script, and with `*` once the script is over.
///
/// `*` is the first legal move, `a1@150` a move that took 150 ms, `!crashed` a fault, and anything
/// else a move.
struct Scripted {
    words: Vec<&'static str>,
    outbox: String,
    /// What happened to the player.
    diary: Diary,
}

type Diary = Rc<RefCell<Vec<String>>>;

impl Scripted {
    fn note(&self, what: &str) {
        self.diary.borrow_mut().push(what.to_owned());
    }
}

/// What a word of a script stands for.
fn reply(word: &str, question: &Value) -> Result<MoveReply, Box<Fault>> {
    if let Some(code) = word.strip_prefix('!') {
        let code: Code = serde_json::from_value(code.into()).unwrap();
        return Err(Fault::new(code, "as the script says").into());
    }
    let (mv, ms) = word.split_once('@').unwrap_or((word, "0"));
    let mv = if mv == "*" { question["legal"][0].as_str().unwrap() } else { mv };
    let taken = Duration::from_millis(ms.parse().unwrap());
    Ok(MoveReply { mv: mv.to_owned(), taken, line: 1, ..MoveReply::default() })
}

impl Player for Scripted {
    fn begin_game(&mut self) {
        self.note("begin");
    }

    fn outbox(&mut self) -> &mut String {
        &mut self.outbox
    }

    async fn ask(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Box<Fault>> {
        let lines = std::mem::take(&mut self.outbox);
        lines.lines().for_each(|line| self.note(line));
        let question: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
        assert_eq!(question["id"], request.id);
        let word = if self.words.is_empty() { "*" } else { self.words.remove(0) };
        reply(word, &question)
    }

    fn freeze(&mut self, frozen: bool) {
        self.note(if frozen { "freeze" } else { "go on" });
    }

    async fn dismiss(self, fault: Fault) -> (Fault, FaultEvidence) {
        self.note(&format!("dismissed: {}", fault.code));
        (fault, FaultEvidence { stderr: "why".to_owned(), ..FaultEvidence::default() })
    }
}

/// A game of as many seats as names, and nothing else that is special.
fn job(game: &str, seats: usize) -> Job {
    let game: GameSpec = game.parse().unwrap();
    let clock = ClockRules {
        per_move: Duration::from_millis(100),
        bank: Duration::from_millis(500),
        increment: Duration::from_millis(10),
        ..ClockRules::default()
    };
    Job {
        match_id: "0001".to_owned(),
        setting: game.setting,
        seed: Seed::from_number(1),
        match_seed: "1".parse().unwrap(),
        seating: (0..seats).map(BotId).collect(),
        names: (0..seats).map(|seat| format!("bot {seat}")).collect(),
        clocks: vec![clock; seats],
        policy: FaultPolicy::Forfeit,
        pondering: true,
        explore: ExploreRules::default(),
        block: None,
        round: None,
        opening: Vec::new(),
    }
}

/// What came of a game: its record, which players are left, and what each of them has seen.
struct Played {
    record: Record,
    left: Vec<bool>,
    diaries: Vec<Vec<String>>,
}

/// Plays a game of scripts, a text of words for each seat. `?` stands for a player that could not
/// be started.
fn play_scripts(job: &Job, scripts: &[&'static str]) -> Played {
    let diaries: Vec<Diary> = scripts.iter().map(|_| Diary::default()).collect();
    let player = |(script, diary): (&&'static str, &Diary)| match *script {
        "?" => Err(Fault::new(Code::FailedToStart, "no such file")),
        script => {
            let words = script.split(' ').filter(|word| !word.is_empty()).collect();
            Ok(Box::new(Scripted { words, outbox: String::new(), diary: Rc::clone(diary) }))
        }
    };
    let players = scripts.iter().zip(&diaries).map(player).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (record, survivors) = runtime.block_on(play(job, players));
    let survivor = |(player, diary): (&Option<Box<Scripted>>, &Diary)| {
        // The last line waits in the outbox for the next game.
        let mut seen = diary.take();
        seen.extend(player.iter().flat_map(|player| player.outbox.lines()).map(str::to_owned));
        seen
    };
    let seen = survivors.iter().zip(&diaries).map(survivor).collect();
    Played { record, left: survivors.iter().map(Option::is_some).collect(), diaries: seen }
}

/// The end of a game in one line: reason, places, scores, and its faults by seat and ply.
fn outcome(record: &Record) -> String {
    let result = &record.result;
    let scores: Vec<f64> = result.scores.iter().map(|points| points.0).collect();
    let faults: String = record
        .faults
        .iter()
        .map(|fault| format!(", {} fails at {}: {}", fault.seat, fault.ply, fault.fault.code))
        .collect();
    format!("{} {:?} {scores:?}{faults}", result.ending.reason(), result.places)
}

#[test]
fn who_wins_and_who_is_left() {
    use FaultPolicy::{Forfeit, Void};
    let cup = "shlif-shluf?seats=3";
    for (game, policy, scripts, left, expected) in [
        // By the rules.
        ("tic-tac-toe", Forfeit, &["a1 a2 a3", "b1 b2"][..], "11", "line [1, 2] [1.0, 0.0]"),
        ("tic-tac-toe", Forfeit, &["a1 b1 c2 a3 b3", "b2 c1 a2 c3"], "11", "full [1, 1] [0.5, 0.5]"),
        ("quixo", Forfeit, &["", ""], "11", "repetition [1, 1] [0.5, 0.5]"),
        ("northcott?max_plies=10", Forfeit, &["", ""], "11", "ply_cap [1, 1] [0.5, 0.5]"),
        ("nine-mens-morris", Forfeit, &["", ""], "11", "quiet_plies [1, 1] [0.5, 0.5]"),
        // With two sides a failure ends the game, whatever the policy.
        (
            "tic-tac-toe",
            Void,
            &["a1 z9", "b1"],
            "01",
            "forfeit [2, 1] [0.0, 1.0], 0 fails at 2: illegal_move",
        ),
        ("tic-tac-toe", Forfeit, &["", "!crashed"], "10", "forfeit [1, 2] [1.0, 0.0], 1 fails at 1: crashed"),
        (
            "tic-tac-toe",
            Forfeit,
            &["?", ""],
            "01",
            "forfeit [2, 1] [0.0, 1.0], 0 fails at 0: failed_to_start",
        ),
        (
            "tic-tac-toe",
            Forfeit,
            &["?", "?"],
            "00",
            "forfeit [1, 1] [0.0, 0.0], 0 fails at 0: failed_to_start, 1 fails at 0: failed_to_start",
        ),
        (
            "quixo-teams",
            Forfeit,
            &["", "", "!bad_json", ""],
            "1101",
            "forfeit [3, 1, 3, 1] [0.0, 1.0, 0.0, 1.0], 2 fails at 2: bad_json",
        ),
        // What the machine lacks is nobody's loss.
        (
            "tic-tac-toe",
            Forfeit,
            &["!arena_fault", ""],
            "01",
            "void [1, 1] [1.0, 1.0], 0 fails at 0: arena_fault",
        ),
        // With more sides the others play on, or the game does not count.
        (cup, Void, &["", "!exited", ""], "101", "void [1, 1, 1] [1.0, 0.0, 1.0], 1 fails at 0: exited"),
        (
            cup,
            Forfeit,
            &["!exited", "!exited", "!exited"],
            "000",
            "forfeit [1, 1, 1] [0.0, 0.0, 0.0], 0 fails at 4: exited, 1 fails at 0: exited, 2 fails at 1: exited",
        ),
    ] {
        let job = Job { policy, ..job(game, scripts.len()) };
        let played = play_scripts(&job, scripts);
        assert_eq!(outcome(&played.record), expected, "{game} {scripts:?}");
        let players: String = played.left.iter().map(|&left| if left { '1' } else { '0' }).collect();
        assert_eq!(players, left, "{game} {scripts:?}");
    }
}

/// A random player takes the chair of a player that has failed, and the failed player is behind all
/// others.
#[test]
fn the_others_play_on() {
    let job = job("shlif-shluf?seats=3", 3);
    let Played { record, diaries, .. } = play_scripts(&job, &["", "* !crashed", ""]);
    let result = &record.result;
    assert!(result.places[1] == 3 && result.places[0] < 3 && result.places[2] < 3, "{}", outcome(&record));
    let by = |seat: u8| record.moves.iter().filter(move |played| played.seat == seat);
    assert!(by(1).next().is_some_and(|first| !first.substitute), "a move of its own comes first");
    assert!(by(1).skip(1).count() > 0 && by(1).skip(1).all(|later| later.substitute));
    assert!(by(0).chain(by(2)).all(|played| !played.substitute));
    assert_eq!(diaries[1].last().unwrap(), "dismissed: crashed");
    let [fault, evidence] = [record.faults.len(), record.evidence.len()];
    assert_eq!((fault, evidence, record.evidence[0].seat), (1, 1, 1));
    assert_eq!((record.evidence[0].stderr.as_str(), record.evidence[0].position.is_empty()), ("why", false));
    assert_eq!(
        record,
        Record {
            times: record.times.clone(),
            evidence: record.evidence.clone(),
            ..play_scripts(&job, &["", "* !crashed", ""]).record
        }
    );
}

/// Who decides at the same time learns nothing of the others' choice. If both sides fail at once,
/// both have lost.
#[test]
fn simultaneous_choices_become_known_together() {
    let job = job("karov-meod?seats=2", 2);
    let Played { record, diaries, .. } = play_scripts(&job, &["", ""]);
    for diary in &diaries {
        let first: Value = serde_json::from_str(&diary[2]).unwrap();
        assert_eq!((&first["simultaneous"], &first["events"]), (&true.into(), &Value::Array(Vec::new())));
    }
    assert_eq!(record.moves[..2].iter().map(|played| played.seat).collect::<Vec<_>>(), [0, 1]);
    for (scripts, expected) in [
        (
            ["!crashed", "!bad_json"],
            "forfeit [1, 1] [0.0, 0.0], 0 fails at 0: crashed, 1 fails at 0: bad_json",
        ),
        (["", "!bad_json"], "forfeit [1, 2] [1.0, 0.0], 1 fails at 1: bad_json"),
    ] {
        assert_eq!(outcome(&play_scripts(&job, &scripts).record), expected, "{scripts:?}");
    }
}

/// Of the clock, a question shows what is left in the bank.
#[test]
fn the_bank_pays_for_long_moves() {
    let played = play_scripts(&job("tic-tac-toe", 2), &["a1@250 a2@50 b2", "b1 c1@700 c2"]);
    let banks = |seat: usize| -> Vec<u64> {
        let lines = played.diaries[seat].iter().filter(|line| line.contains("\"type\":\"turn\""));
        let bank = |line: &String| serde_json::from_str::<Value>(line).unwrap()["clock"]["bank_ms"].as_u64();
        lines.filter_map(bank).collect()
    };
    assert_eq!(banks(0)[..3], [500, 360, 370]);
    assert_eq!(banks(1)[..3], [500, 510, 10]);
    assert_eq!(played.record.times.moves_us[..4], [250_000, 0, 50_000, 700_000]);
}

/// Each player hears of the game with the first question, and of its end with whatever comes next.
#[test]
fn what_a_player_is_told() {
    for (opening, pondering, scripts, types) in [
        ("", true, ["a1 a2 a3", "b1 b2"], ["begin start turn turn turn end", "begin start turn turn end"]),
        ("a1 b1 a2 b2", true, ["a3", ""], ["begin start turn end", "begin start end"]),
        (
            "a1 b1 a2 b2",
            false,
            ["a3", ""],
            ["begin freeze go start turn freeze go end", "begin freeze go start end"],
        ),
        ("a1 b1", true, ["c9", ""], ["begin start turn dismissed", "begin start end"]),
    ] {
        let seats = [Seat(0), Seat(1)].into_iter().cycle();
        let opening: Vec<_> = seats.zip(opening.split_whitespace().map(str::to_owned)).collect();
        let job = Job { pondering, opening, ..job("tic-tac-toe", 2) };
        let Played { record, diaries, .. } = play_scripts(&job, &scripts);
        let word = |line: &String| match serde_json::from_str::<Value>(line) {
            Ok(message) => message["type"].as_str().unwrap().to_owned(),
            Err(_) => line.split([' ', ':']).next().unwrap().to_owned(),
        };
        for (diary, types) in diaries.iter().zip(types) {
            assert_eq!(diary.iter().map(word).collect::<Vec<_>>().join(" "), types, "{scripts:?}");
        }
        let opened = |played: &&PlayedMove| played.opening;
        assert_eq!(record.moves.iter().take_while(opened).count(), job.opening.len());
    }
    let played = play_scripts(&job("tic-tac-toe", 2), &["a1 a2 a3", "b1 b2"]);
    for (diary, you) in played.diaries.iter().zip(["win", "loss"]) {
        let end: Value = serde_json::from_str(diary.last().unwrap()).unwrap();
        assert_eq!(
            (&end["you"], &end["reason"], &end["match"]),
            (&you.into(), &"line".into(), &"0001".into())
        );
    }
}

#[test]
fn an_illegal_move_is_explained() {
    let fault = |script| play_scripts(&job("tic-tac-toe", 2), &[script, "b1"]).record.faults.remove(0).fault;
    let wrong = fault("a1 a4");
    assert_eq!((wrong.turn, wrong.line), (Some(2), Some(1)));
    assert_eq!(wrong.expected.as_deref(), Some("one of the 7 moves in `legal`, such as `c1`"));
    assert_eq!(wrong.near.as_deref(), Some("a2"));
    assert!(wrong.hint.unwrap().starts_with("take the move from the list"));
    assert!(fault("a1 a1").hint.unwrap().starts_with("this was your last move already"));
}

#[test]
fn games_that_nobody_plays_have_records() {
    for (game, seats, out, expected) in [
        ("tic-tac-toe", 2, &[1][..], "forfeit [1, 2] [1.0, 0.0], 1 fails at 0: disqualified"),
        ("quixo-teams", 4, &[3], "forfeit [1, 3, 1, 3] [1.0, 0.0, 1.0, 0.0], 3 fails at 0: disqualified"),
        ("shlif-shluf?seats=3", 3, &[0], "void [1, 1, 1] [0.0, 0.0, 0.0], 0 fails at 0: disqualified"),
    ] {
        let out: Seats = out.iter().map(|&seat| Seat(seat)).collect();
        assert_eq!(outcome(&disqualified(&job(game, seats), out)), expected, "{game}");
    }
    let record = void(&job("tic-tac-toe", 2), "no runtime");
    assert_eq!(outcome(&record), "void [1, 1] [0.0, 0.0], 0 fails at 0: arena_fault");
    // An opening that the rules refuse is our own mistake.
    let job = Job { opening: vec![(Seat(0), "z9".to_owned())], ..job("tic-tac-toe", 2) };
    let played = play_scripts(&job, &["", ""]);
    assert_eq!((played.record.faults[0].fault.code, &played.left[..]), (Code::ArenaFault, &[true, true][..]));
}
