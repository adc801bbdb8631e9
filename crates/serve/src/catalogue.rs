//! What the program knows about its games, as JSON and as pictures.

use rules::{About, Eyes, GAMES, Game, Kind, ParamError, Seat, Seed, Setting, SplitMix, Table};
use serde::Serialize;
use serde_json::{Value, json};

/// One game of a list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameFacts {
    pub id: &'static str,
    pub name: &'static str,
    pub seats: Seats,
    /// `taking`, `placing`, `moving` or `cards`
    pub family: &'static str,
    pub hidden_information: bool,
    pub teams: Option<u8>,
    pub chance: bool,
    /// Do the rules end every game? If not, repetition or a limit on the number of moves does.
    pub finite: bool,
    /// `perfect` or `imperfect`
    pub information: &'static str,
    pub zero_sum: bool,
    /// Where the rules come from.
    pub source: &'static str,
    pub summary: &'static str,
    /// The version of the rules.
    pub version: u32,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Seats {
    pub min: u8,
    pub max: u8,
}

/// The games that this filter takes.
pub fn games(wanted: impl Fn(&About) -> bool) -> Vec<GameFacts> {
    GAMES.iter().filter(|game| wanted(game.about)).map(facts).collect()
}

fn facts(game: &Game) -> GameFacts {
    let (about, class) = (game.about, game.class());
    GameFacts {
        id: about.id,
        name: about.name,
        seats: Seats { min: about.seats.0, max: about.seats.1 },
        family: about.family.word(),
        hidden_information: game.kind == Kind::Hidden,
        teams: class.teams,
        chance: class.chance,
        finite: class.finite,
        information: class.information.word(),
        zero_sum: class.zero_sum,
        source: about.source,
        summary: about.summary,
        version: about.version,
    }
}

/// The rules of a game.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameRules {
    pub id: &'static str,
    pub name: &'static str,
    pub version: u32,
    pub source: &'static str,
    pub seats: Seats,
    /// The rules in plain English.
    pub rules: String,
    /// How a move is written.
    pub notation: &'static str,
    pub example_move: &'static str,
    /// The JSON Schema of the parameters.
    pub params: Value,
    pub example: ExampleTurn,
}

/// What a bot sees at the start.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExampleTurn {
    pub seat: u8,
    /// The view of the seat. Each game has fields of its own.
    pub view: Value,
    pub legal: Vec<String>,
}

/// The rules of a game, with the start of this setting as the example.
pub fn rules_of(game: &Game, setting: &dyn Setting) -> Result<GameRules, ParamError> {
    let table = setting.start(Seed::from_number(1))?;
    let seat = table.turn().seats().lowest().unwrap_or(Seat::FIRST);
    let about = game.about;
    Ok(GameRules {
        id: about.id,
        name: about.name,
        version: about.version,
        source: about.source,
        seats: Seats { min: about.seats.0, max: about.seats.1 },
        rules: about.rules(),
        notation: about.notation,
        example_move: about.example,
        params: game.schema(),
        example: ExampleTurn {
            seat: seat.0,
            view: table.view(Eyes::Seat(seat)).value(),
            legal: table.legal(seat),
        },
    })
}

/// A position after so many random moves, always the same ones. A game that ends sooner shows its
/// end.
pub fn after_random_moves(setting: &dyn Setting, plies: u32) -> Result<Box<dyn Table>, ParamError> {
    random_game(setting, 1, plies, |_| {})
}

/// Plays a random game to its end, but not beyond so many moves. Tells the legal moves each time.
pub fn random_game(
    setting: &dyn Setting,
    seed: u64,
    plies: u32,
    mut tell: impl FnMut(&[String]),
) -> Result<Box<dyn Table>, ParamError> {
    let mut table = setting.start(Seed::from_number(seed))?;
    let mut dice = SplitMix::new(seed);
    while table.plies() < plies {
        let Some(seat) = table.turn().seats().lowest() else { break };
        let legal = table.legal(seat);
        tell(&legal);
        if table.play(seat, &legal[dice.below(legal.len())]).is_err() {
            break; // legal moves can be played
        }
    }
    Ok(table)
}

/// A random game is drawn in its middle, but not later than this.
const LATEST: u32 = 24;

/// The middle of a random game with the usual parameters.
pub fn typical_position(game: &Game) -> Result<Box<dyn Table>, ParamError> {
    middle_of(&*game.prepare(&json!({}))?)
}

/// The middle of a random game.
pub fn middle_of(setting: &dyn Setting) -> Result<Box<dyn Table>, ParamError> {
    let end = after_random_moves(setting, 2 * LATEST)?;
    after_random_moves(setting, end.plies() / 2)
}

/// So many random games are searched for moves with a hidden part, each up to so many plies.
const SEARCHED: (u64, u32) = (100, 300);

/// Moves of random games that somebody hears only in part, with what they hear: one of each kind.
pub fn partly_heard(setting: &dyn Setting) -> Result<Vec<(String, String)>, ParamError> {
    let mut found: Vec<(String, String)> = Vec::new();
    for seed in 0..SEARCHED.0 {
        let mut table = setting.start(Seed::from_number(seed))?;
        let mut dice = SplitMix::new(seed);
        while let Some(seat) = table.turn().seats().lowest().filter(|_| table.plies() < SEARCHED.1) {
            let (legal, before) = (table.legal(seat), table.news_count());
            if table.play(seat, &legal[dice.below(legal.len())]).is_err() {
                break; // legal moves can be played
            }
            let full = table.news(Eyes::Referee, before);
            let seats = (0..table.seats()).map(|seat| Eyes::Seat(Seat(seat)));
            for eyes in seats.chain([Eyes::Spectator]) {
                for (full, part) in full.iter().zip(table.news(eyes, before)) {
                    let kind = kind_of(&full.mv, &part.mv);
                    if full.mv != part.mv && found.iter().all(|(full, part)| kind_of(full, part) != kind) {
                        found.push((full.mv.clone(), part.mv));
                    }
                }
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The verb of a move, and how many words of the move are heard.
fn kind_of<'m>(full: &'m str, part: &str) -> (Option<&'m str>, usize) {
    (full.split(' ').next(), part.split(' ').count())
}
