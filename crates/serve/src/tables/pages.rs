//! The pages of tables: what can be played, the form, the links, and the table itself.

use super::hall::Links;
use super::order::{Asked, AskedClock, AskedSeat, AskedSeed};
use super::room::Room;
use crate::frame::{self, MenuPlace, Sheet};
use crate::pages::prose;
use crate::site::Site;
use maud::{Markup, html};
use referee::spec::{BotSpec, GameSpec};
use rules::{Family, Game};
use serde_json::Value;
use text::harmless;
use web::{Page, script};

/// Bots that the form offers, weakest first, with a word for each.
const RIVALS: [(&str, &str); 6] = [
    ("builtin:random", "random moves"),
    ("builtin:greedy", "greedy"),
    ("builtin:alpha-beta?depth=4", "alpha-beta, 4 plies"),
    ("builtin:mcts", "Monte Carlo tree search"),
    ("builtin:ismcts", "Monte Carlo tree search for hidden cards"),
    ("builtin:strong?ms=500", "strong alpha-beta, half a second"),
];
const ME: &str = "me";
const PERSON: &str = "person";
const NOBODY: &str = "";

const FORM_STYLE: &str = "\
.families{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:8px 24px}\
.families ul{list-style:none;margin:0;padding:0}.families li{padding:3px 0}\
.fields{display:grid;grid-template-columns:minmax(90px,max-content) minmax(0,1fr);gap:8px 14px;align-items:center;max-width:640px}\
.fields label{overflow-wrap:anywhere}.fields input,.fields select{width:100%;min-width:0}\
.fields small{grid-column:2;color:var(--soft);margin-top:-6px}\
fieldset{border:1px solid var(--edge);border-radius:8px;margin:10px 0;padding:8px 12px;min-width:0}\
legend{padding:0 6px;font-weight:600}.links code{overflow-wrap:anywhere}\
form button{font-weight:600;padding:6px 18px}nav.bar{gap:14px}";

const TABLE_STYLE: &str = include_str!("../../../web/js/play.css");

/// A page with a form, which only a page of this server may send.
fn with_form(site: &Site, title: &str, body: &Markup) -> Sheet {
    let Sheet(mut page) = frame::page(site, MenuPlace::Play, title, body);
    page.more_style.push_str(FORM_STYLE);
    page.connects = true;
    Sheet(page)
}

/// All games, by family.
pub(super) fn start(site: &Site) -> Sheet {
    let family = |title: &str, family: Family| {
        let games = rules::GAMES.iter().filter(move |game| game.about.family == family);
        html! {
            section {
                h2 { (title) }
                ul {
                    @for game in games {
                        li { a href={ "/play/" (game.about.id) } { (game.about.name) } " " span.soft { (seats_words(game)) } }
                    }
                }
            }
        }
    };
    let body = html! {
        h1 { "Play a game" }
        p { "Choose a game, and then who plays." }
        div.families {
            (family("Put pieces on the board", Family::Placing))
            (family("Move pieces", Family::Moving))
            (family("Take things away", Family::Taking))
            (family("Cards", Family::Cards))
        }
    };
    with_form(site, "Play a game", &body)
}

fn seats_words(game: &Game) -> String {
    match game.about.seats {
        (1, 1) => "1 player".to_owned(),
        (least, most) if least == most => format!("{least} players"),
        (least, most) => format!("{least} to {most} players"),
    }
}

/// The form of a game, with what somebody has filled in before, and what was wrong with it.
pub(super) fn form(
    site: &Site,
    game: &'static Game,
    bots: &[BotSpec],
    filled: &[(String, String)],
    problem: Option<&str>,
) -> Sheet {
    let about = game.about;
    let before =
        |name: &str| filled.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str());
    let (least, most) = about.seats;
    let choices = rivals(game, bots);
    let usual = |seat: u8| if seat == 0 { ME } else { "builtin:greedy" };
    let chosen = |seat: u8| {
        let name = format!("seat{seat}");
        let known = filled.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
        known.unwrap_or_else(|| if seat < least { usual(seat).to_owned() } else { NOBODY.to_owned() })
    };
    let params = game.params().into_iter().filter(|(field, _)| least == most || field.name != "seats");
    let body = html! {
        h1 { "Play " (about.name) }
        p { (about.summary) }
        @if let Some(problem) = problem { p.bad role="alert" { (frame::sentence(&harmless::sentence(problem))) } }
        form method="post" action="/play" {
            input type="hidden" name="game" value=(about.id);
            fieldset {
                legend { "Who plays" }
                div.fields {
                    @for seat in 0..most {
                        @let value = chosen(seat);
                        label for={ "seat" (seat) } { "Seat " (seat) }
                        select id={ "seat" (seat) } name={ "seat" (seat) } {
                            @if seat >= least { option value=(NOBODY) selected[value == NOBODY] { "nobody" } }
                            option value=(ME) selected[value == ME] { "me" }
                            option value=(PERSON) selected[value == PERSON] { "another person, by a link" }
                            @for (bot, words) in &choices { option value=(bot) selected[value == *bot] { (words) } }
                        }
                    }
                }
            }
            fieldset {
                legend { "How" }
                div.fields {
                    @for (field, default) in params {
                        @let name = format!("param.{}", field.name);
                        label for=(name) { (field.name) }
                        input id=(name) name=(name) value=(before(&name)) placeholder=(default) aria-describedby={ (name) ".about" } autocomplete="off";
                        small id={ (name) ".about" } { (field.meaning()) " Expected: " (field.domain()) "." }
                    }
                    label for="seconds" { "Seconds for a move" }
                    input id="seconds" name="seconds" inputmode="decimal" value=(before("seconds")) placeholder="no limit" autocomplete="off";
                    label for="seed" { "Seed of the deal" }
                    input id="seed" name="seed" value=(before("seed")) placeholder="random" autocomplete="off";
                }
            }
            p { button type="submit" { "Play" } }
        }
        (rules_box(game))
    };
    with_form(site, &format!("Play {}", about.name), &body)
}

/// The bots that can play this game.
fn rivals(game: &'static Game, bots: &[BotSpec]) -> Vec<(String, String)> {
    let Ok(spec) = game.about.id.parse::<GameSpec>() else { return Vec::new() };
    let can_play = |bot: &BotSpec| spec.check(bot).is_ok();
    let own = bots.iter().filter(|bot| can_play(bot));
    let own = own.map(|bot| (bot.text.clone(), harmless::line(&bot.text)));
    let known = RIVALS.iter().filter(|(bot, _)| bot.parse().is_ok_and(|bot| can_play(&bot)));
    own.chain(known.map(|(bot, words)| ((*bot).to_owned(), (*words).to_owned()))).collect()
}

/// What a form asks for.
pub(super) fn asked(game: &'static Game, fields: &[(String, String)]) -> Result<Asked, String> {
    let mut asked = Asked { game: game.about.id.to_owned(), ..Asked::default() };
    let mut nobody = None;
    for (name, value) in fields {
        let value = value.trim();
        if let Some(seat) = name.strip_prefix("seat") {
            match (value, nobody) {
                (NOBODY, _) => nobody = nobody.or(Some(seat)),
                (_, Some(empty)) => return Err(format!("seat {empty} is empty, but seat {seat} is not")),
                (ME | PERSON, None) => asked.seats.push(AskedSeat::Word("person".to_owned())),
                (bot, None) => asked.seats.push(AskedSeat::Word(bot.to_owned())),
            }
        } else if name == "seed" {
            asked.seed = seed(value);
        } else if name == "seconds" && !value.is_empty() {
            asked.clock = Some(clock(value)?);
        } else if let Some(field) = name.strip_prefix("param.").filter(|_| !value.is_empty()) {
            asked.params.insert(field.to_owned(), param(game, field, value));
        }
    }
    Ok(asked)
}

fn seed(text: &str) -> Option<AskedSeed> {
    match text {
        "" | "random" => None,
        text => Some(text.parse().map_or_else(|_| AskedSeed::Text(text.to_owned()), AskedSeed::Number)),
    }
}

fn clock(text: &str) -> Result<AskedClock, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.1..=86_400.0).contains(seconds));
    let seconds = seconds
        .ok_or_else(|| format!("seconds for a move: expected a number from 0.1 to 86400, not `{text}`"))?;
    Ok(AskedClock { move_ms: (seconds * 1_000.0) as u64, bank_ms: 0, increment_ms: 0 })
}

/// A value as on a command line.
fn param(game: &Game, name: &str, text: &str) -> Value {
    let field = game.params().into_iter().find(|(field, _)| field.name == name);
    rules::typed(field.map(|(field, _)| field), text)
}

/// The links of a table of several people.
pub(super) fn links(site: &Site, game: &Game, names: &[String], links: &Links) -> Sheet {
    let people = links.seats.iter().enumerate().filter_map(|(seat, link)| Some((seat, link.as_ref()?)));
    let body = html! {
        h1 { "A table of " (game.about.name) }
        p { "Open one of these links, and give each of the others to one person. Whoever has a link plays in its "
            "seat and sees its cards. The game begins when all of these people have come." }
        ul.links {
            @for (seat, link) in people {
                li { "Seat " (seat) ", " (harmless::line(&names[seat])) ": " a href=(link) { code { (link) } } }
            }
            li { "To watch: " a href=(links.spectator) { code { (links.spectator) } } }
        }
        p.soft { "The links work on this machine, and where somebody forwards its port." }
    };
    with_form(site, "The links of a table", &body)
}

/// The table. Everything that changes comes with the events.
pub(super) fn table(room: &Room) -> Sheet {
    let about = room.order.game.game.about;
    let body = html! {
        main id="app" {
            h1 { (about.name) }
            noscript { p { "A table needs scripts. " code { "arena play" } " plays at the terminal." } }
            div id="table" { p.soft { "Coming to the table …" } }
            (rules_box(room.order.game.game))
        }
    };
    let page = Page {
        title: format!("{} at Ludus", about.name),
        body,
        script: script::joined(script::PLAY, "startPlay();"),
        more_style: TABLE_STYLE.to_owned(),
        connects: true,
        ..Page::default()
    };
    Sheet(page)
}

fn rules_box(game: &Game) -> Markup {
    html! { details.rules { summary { "Rules" } div.prose { (prose::markup(&game.about.rules())) } } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_form_becomes_an_order() {
        let game = rules::find("majnun").unwrap();
        let filled = fields(&[
            ("game", "majnun"),
            ("seat0", "me"),
            ("seat1", "builtin:greedy"),
            ("seat2", "person"),
            ("seat3", ""),
            ("seconds", "2.5"),
            ("seed", "12"),
        ]);
        let order = asked(game, &filled).unwrap().check(&[], &std::sync::Arc::default()).unwrap();
        assert_eq!(order.names(), ["person 0", "builtin:greedy", "person 2"]);
        assert_eq!(order.clock_of(0).per_move.as_millis(), 2_500);
        let wrong = asked(game, &fields(&[("seat0", "me"), ("seat1", ""), ("seat2", "me")])).unwrap_err();
        assert_eq!(wrong, "seat 1 is empty, but seat 2 is not");
        assert!(asked(game, &fields(&[("seconds", "soon")])).unwrap_err().contains("expected a number"));
    }

    #[test]
    fn parameters_are_read_as_on_a_command_line() {
        let digits = rules::find("digital-deletions").unwrap();
        assert_eq!(param(digits, "number", "1024"), json!("1024"));
        let nim = rules::find("nim").unwrap();
        assert_eq!(param(nim, "heaps", "[1,2]"), json!([1, 2]));
        assert_eq!(param(nim, "heaps", "many"), json!("many"));
    }

    #[test]
    fn every_game_has_a_form_with_a_rival() {
        let site = Site { results: "results".into(), play: None, engine: None };
        for game in rules::GAMES {
            let page = form(&site, game, &[], &[], None).0.to_html();
            assert!(page.contains("name=\"seat0\"") && page.contains("builtin:random"), "{}", game.about.id);
        }
        let page = form(&site, rules::find("nim").unwrap(), &[], &[], Some("<b>no</b>")).0.to_html();
        assert!(page.contains("&lt;b&gt;no") && !page.contains("<b>no"), "{page}");
    }
}
