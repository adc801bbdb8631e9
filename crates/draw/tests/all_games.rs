//! Draws positions of every game, and checks what any program that shows SVG relies on.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use draw::{Heading, Scene, moving, still};
use rules::{Eyes, GAMES, Game, LinkKind, Picture, Seat, Seed, SplitMix, Table, Tint};
use serde_json::json;

/// The positions of one random game, as these eyes see them.
fn scenes(game: &Game, eyes: Eyes, most: usize) -> Vec<Scene> {
    let mut table = game.start(&json!({}), Seed::from_number(1)).unwrap();
    let mut dice = SplitMix::new(1);
    let scene = |table: &dyn Table| {
        let heading = Heading { title: game.about.name.to_owned(), lines: vec!["a < b & c".to_owned()] };
        Scene { heading, picture: table.picture(eyes) }
    };
    let mut scenes = vec![scene(&*table)];
    while let Some(seat) = table.turn().seats().lowest().filter(|_| scenes.len() < most) {
        let legal = table.legal(seat);
        table.play(seat, &legal[dice.below(legal.len())]).unwrap();
        scenes.push(scene(&*table));
    }
    scenes
}

/// Fails unless every tag is closed in turn, and no sign of markup stands in a text.
fn check_well_formed(svg: &str, name: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "{name}: a stray `>`");
        let end = start + rest[start..].find('>').unwrap_or_else(|| panic!("{name}: an open tag"));
        let tag = &rest[start + 1..end];
        let word = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        assert_eq!(tag.matches('"').count() % 2, 0, "{name}: {tag}");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(word), "{name}: {tag}");
        } else if !tag.ends_with('/') {
            open.push(word);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{name}: {open:?} stay open");
}

/// The numbers of an attribute.
fn numbers(svg: &str, attribute: &str) -> Vec<f64> {
    let start = format!(" {attribute}=\"");
    let values = svg.split(start.as_str()).skip(1);
    values.filter_map(|rest| rest.split('"').next()?.parse().ok()).collect()
}

#[test]
fn every_position_is_well_formed_and_inside_its_frame() {
    for game in GAMES {
        for eyes in [Eyes::Referee, Eyes::Spectator, Eyes::Seat(Seat::FIRST)] {
            for (ply, scene) in scenes(game, eyes, 60).iter().enumerate() {
                let (svg, name) = (still(scene), format!("{} after {ply}, {eyes:?}", game.about.id));
                check_well_formed(&svg, &name);
                let size = [numbers(&svg, "width")[0], numbers(&svg, "height")[0]];
                assert!(size.into_iter().all(|side| (50.0..1200.0).contains(&side)), "{name}: {size:?}");
                for (attributes, most) in
                    [(["x", "cx", "x1", "x2"], size[0]), (["y", "cy", "y1", "y2"], size[1])]
                {
                    let places = attributes.into_iter().flat_map(|attribute| numbers(&svg, attribute));
                    places.for_each(|at| assert!((0.0..=most).contains(&at), "{name}: {at} of {most}"));
                }
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
            }
        }
    }
}

/// What a picture says is drawn: its pieces, its cards, its captions and its names.
#[test]
fn nothing_is_left_out() {
    for game in GAMES {
        for (ply, scene) in scenes(game, Eyes::Referee, 40).iter().enumerate() {
            let (svg, name) = (still(scene), format!("{} after {ply}", game.about.id));
            let Picture { sites, links, areas, piles, captions, .. } = &scene.picture;
            let blocked =
                sites.iter().filter(|site| site.piece.tint == Tint::Blocked && site.piece.glyph != ' ');
            assert_eq!(svg.matches("class=\"blocked\"").count(), blocked.count(), "{name}");
            let cards: usize = piles.iter().map(|pile| pile.items.len()).sum();
            let drawn = ["\"card", "\"back", "r=\"8\""].iter().map(|class| svg.matches(class).count());
            assert!(drawn.sum::<usize>() >= cards, "{name}: {cards} cards and counters");
            let open = links.iter().filter(|link| link.kind == LinkKind::Open).count();
            assert_eq!(svg.matches("class=\"open\"").count(), open, "{name}");
            assert_eq!(svg.matches(" area\"").count(), areas.len(), "{name}");
            for word in captions
                .iter()
                .filter(|caption| !caption.only_for_text)
                .flat_map(|caption| caption.text.split_whitespace())
            {
                assert!(svg.contains(&text::markup::xml(word)), "{name}: {word}");
            }
            sites.iter().filter_map(|site| site.label.as_ref()).for_each(|label| {
                assert!(svg.contains(&format!(">{label}</text>")), "{name}: {label}");
            });
        }
    }
}

/// A film has a sensible size, because a README shows it.
#[test]
fn whole_games_are_well_formed_and_small() {
    for game in GAMES {
        let scenes = scenes(game, Eyes::Referee, 60);
        let svg = moving(game.about.name, &scenes);
        check_well_formed(&svg, game.about.id);
        assert!(svg.len() < 600_000, "{}: {} bytes", game.about.id, svg.len());
        let stills: usize = scenes.iter().map(|scene| still(scene).len()).sum();
        assert!(scenes.len() < 10 || svg.len() < stills / 2, "{}: {} of {stills}", game.about.id, svg.len());
        if let Some(folder) = std::env::var_os("SVG_FOLDER") {
            let folder = std::path::Path::new(&folder);
            std::fs::write(folder.join(format!("{}.film.svg", game.about.id)), &svg).unwrap();
            let middle = still(&scenes[scenes.len() / 2]);
            std::fs::write(folder.join(format!("{}.svg", game.about.id)), middle).unwrap();
        }
    }
}
