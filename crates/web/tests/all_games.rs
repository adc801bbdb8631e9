//! Laws of frames that hold for every game.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
#![allow(clippy::disallowed_macros, reason = "a test prints for its developer")]

use referee::record::{Ending, FORMAT, GameResult, PlayedMove, Record, Times};
use rules::{Eyes, GAMES, Game, Item, Picture, Piece, PileKind, Seat, Seed, SplitMix};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use web::{Album, FrameBook, decode, packed};

/// A whole game of random moves, as a record.
fn random_game(game: &Game, seed: u64) -> Record {
    let mut table = game.start(&serde_json::json!({}), Seed::from_number(seed)).unwrap();
    let mut dice = SplitMix::new(seed);
    let mut moves = Vec::new();
    while let Some(seat) = table.turn().seats().lowest() {
        let legal = table.legal(seat);
        let mv = table.play(seat, &legal[dice.below(legal.len())]).unwrap();
        moves.push(PlayedMove { seat: seat.0, mv, ..PlayedMove::default() });
    }
    Record {
        ludus: FORMAT,
        match_id: format!("{seed:04}"),
        game: game.about.id.to_owned(),
        rules: game.about.version,
        params: Arc::clone(table.params()),
        seed: Seed::from_number(seed).to_string(),
        bots: (0..table.seats()).map(|seat| format!("bot {seat}")).collect(),
        block: None,
        round: None,
        result: table.outcome().map_or_else(
            || GameResult { places: Vec::new(), scores: Vec::new(), ending: Ending::Void },
            |outcome| GameResult::from(&outcome),
        ),
        times: Times { moves_us: vec![1_000; moves.len()], ..Times::default() },
        moves,
        faults: Vec::new(),
        failure: None,
        evidence: Vec::new(),
        transcripts: Vec::new(),
    }
}

/// What a frame must keep: all but the captions that explain characters.
fn kept(mut picture: Picture) -> Picture {
    picture.captions.retain(|caption| !caption.only_for_text);
    picture.links.sort_by_key(|link| (link.ends, link.name.clone(), format!("{:?}", link.kind)));
    picture.areas.sort_by_key(|area| area.corners.clone());
    for site in &mut picture.sites {
        site.x = (site.x * 1e3).round() / 1e3;
        site.y = (site.y * 1e3).round() / 1e3;
    }
    picture
}

#[test]
fn every_frame_of_every_game_is_the_whole_picture() {
    for game in GAMES {
        let record = random_game(game, 1);
        let mut table = record.start().unwrap();
        let mut book = FrameBook::default();
        let eyes = [Eyes::Referee, Eyes::Spectator, Eyes::Seat(Seat(0))];
        let mut frames = Vec::new();
        for at in 0..=record.moves.len() {
            for eyes in eyes {
                let picture = table.picture(eyes);
                frames.push((book.frame(&picture), picture));
            }
            if let Some(played) = record.moves.get(at) {
                table.play(Seat(played.seat), &played.mv).unwrap();
            }
        }
        let json = book.to_json();
        for (at, (frame, picture)) in frames.into_iter().enumerate() {
            let read = decode(&json, &frame).unwrap_or_else(|| panic!("{} {at}: {frame}", game.about.id));
            assert_eq!(kept(read), kept(picture), "{}, frame {at}", game.about.id);
        }
    }
}

/// A picture in the words of `openFrame` in `js/frames.js`.
fn opened(picture: Picture) -> Value {
    let word = |kind: &dyn std::fmt::Debug| format!("{kind:?}").to_lowercase();
    let piece = |piece: &Piece| {
        json!([piece.glyph, word(&piece.tint), word(&piece.shape), piece.owner.map(|seat| seat.0)])
    };
    let item = |item: &Item| match item {
        Item::Card(card) => json!(card.to_string()),
        Item::Back => json!(0),
        Item::Counter(counter) => piece(counter),
    };
    let picture = kept(picture);
    json!({
        "ground": word(&picture.ground), "axes": picture.axes, "names": picture.names,
        "sites": picture.sites.iter().map(|site| json!([site.name, piece(&site.piece), site.label, site.marked]))
            .collect::<Vec<_>>(),
        "links": picture.links.iter().map(|link| json!([link.ends, link.name, word(&link.kind), word(&link.tint),
            link.marked])).collect::<Vec<_>>(),
        "areas": picture.areas.iter().map(|area| json!([area.corners, word(&area.tint)])).collect::<Vec<_>>(),
        "piles": picture.piles.iter().map(|pile| json!([pile.key, pile.label, pile.kind == PileKind::Counters,
            pile.owner.map(|seat| seat.0), pile.items.iter().map(item).collect::<Vec<_>>(), pile.marked,
            pile.marked_items])).collect::<Vec<_>>(),
        "captions": picture.captions.iter().map(|caption| &caption.text).collect::<Vec<_>>(),
    })
}

#[test]
fn the_script_of_the_page_opens_the_same_pictures() {
    if Command::new("node").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "there is no node, and CI must skip nothing");
        eprintln!("skipped: node is not installed");
        return;
    }
    let mut lines = String::new();
    for game in GAMES {
        let record = random_game(game, 2);
        let mut table = record.start().unwrap();
        let mut book = FrameBook::default();
        let mut frames = Vec::new();
        for at in 0..=record.moves.len() {
            if at % 7 == 0 || at == record.moves.len() {
                for eyes in [Eyes::Referee, Eyes::Spectator, Eyes::Seat(Seat(0))] {
                    let picture = table.picture(eyes);
                    frames.push(json!([book.frame(&picture), opened(picture)]));
                }
            }
            if let Some(played) = record.moves.get(at) {
                table.play(Seat(played.seat), &played.mv).unwrap();
            }
        }
        lines.push_str(
            &json!({ "game": game.about.id, "book": book.to_json(), "frames": frames }).to_string(),
        );
        lines.push('\n');
    }
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("frames.jsonl");
    std::fs::write(&file, lines).unwrap();
    let script = format!("{root}/tests/web/frames_agree.mjs");
    let run = Command::new("node").arg(script).arg(&file).output().unwrap();
    let told = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{told}");
    assert!(told.starts_with(&format!("{} games, ", GAMES.len())), "{told}");
}

#[test]
fn games_are_small() {
    let (mut sum, mut count, mut sizes) = (0, 0, Vec::new());
    for game in GAMES {
        let mut album = Album::default();
        for seed in 0..8 {
            album.add(&random_game(game, seed), None, None).unwrap();
        }
        let size = packed(&album.to_json().to_string()).len();
        sizes.push((size / 8, game.about.id));
        sum += size;
        count += 8;
    }
    sizes.sort_unstable();
    let average = sum / count;
    // Games of all kinds, with the views of all seats, as base64.
    assert!(average <= 1_600, "{average} bytes a game: {sizes:?}");
}
