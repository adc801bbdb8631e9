//! The kit for Rust: the loop, the rules, the clock. One file, without any crate.
//!
//! A bot is a function that takes a position and returns one of its legal moves:
//!
//! ```ignore
//! mod ludus;
//! fn main() {
//!     ludus::play(|position| position.legal().remove(0));
//! }
//! ```
//!
//! The position knows the rules, because the arena answers for it. So a bot can play moves and take
//! them back while it thinks. The game itself stays where it is.

#![allow(dead_code)] // no bot uses all of it

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::time::{Duration, Instant};

/// What a won game is worth.
pub const WIN: i64 = 1_000_000;
/// So many nodes before its limit a search should stop.
const NEAR: u64 = 100;

/// Answers the arena until the arena says `quit`. `choose` takes a position and returns a move.
pub fn play(mut choose: impl FnMut(&mut Position) -> String) {
    let mut start = Json(String::new());
    let mut dice = Dice(1);
    let mut name = String::new();
    loop {
        let message = hear();
        match message.get("type").string().as_str() {
            "start" => {
                dice = Dice(message.get("bot_seed").0.parse().unwrap_or(1));
                name = format!(",\"match\":{}", message.get("match").0);
                start = message;
            }
            "turn" => {
                let mut position = Position::new(&start, &message, dice, name);
                let chosen = choose(&mut position);
                let (id, nodes, notes) = (message.get("id").0, position.nodes, &position.notes);
                say(&format!(
                    "{{\"move\":{},\"id\":{id},\"info\":{{\"nodes\":{nodes}{notes}}}}}",
                    quote(&chosen)
                ));
                (dice, name) = (position.dice, position.name);
            }
            "error" => fail(&message.get("message").string()),
            "quit" => return,
            _ => {}
        }
    }
}

/// A position to think about. It begins where your bot must decide.
pub struct Position {
    /// The message `start`: `params`, `seats` and more.
    pub start: Json,
    /// What has happened since your last turn.
    pub events: Json,
    /// You.
    pub seat: usize,
    /// Positions visited in this turn.
    pub nodes: u64,
    friends: Vec<usize>,
    is_evaluated: bool,
    most_nodes: u64,
    until: Instant,
    dice: Dice,
    /// Names the game in its first request.
    name: String,
    notes: String,
    path: Vec<Node>,
}

impl Position {
    fn new(start: &Json, turn: &Json, dice: Dice, name: String) -> Position {
        let seat = turn.get("seat").number() as usize;
        let clock = turn.get("clock");
        let thinking = clock.get("move_ms").number() / 2.0 + clock.get("bank_ms").number() / 40.0;
        let seats = |team: &Json| team.items().iter().map(|seat| seat.number() as usize).collect::<Vec<_>>();
        let teams: Vec<_> = start.get("teams").items().iter().map(seats).collect();
        Position {
            start: start.clone(),
            events: turn.get("events"),
            seat,
            nodes: 0,
            friends: teams.into_iter().find(|team| team.contains(&seat)).unwrap_or(vec![seat]),
            is_evaluated: start.get("explore").get("evaluate").is_true(),
            most_nodes: start.get("explore").get("nodes").number() as u64,
            until: Instant::now() + Duration::from_millis(thinking as u64),
            dice,
            name,
            notes: String::new(),
            path: vec![Node { turn: seat, ..Node::read(turn) }],
        }
    }

    /// The number of moves played since the turn.
    pub fn depth(&self) -> usize {
        self.path.len() - 1
    }

    /// The legal moves; none if the game is over.
    pub fn legal(&mut self) -> Vec<String> {
        if self.here().legal.is_empty() && !self.over() {
            self.here().legal = Node::read(&self.more("")).legal;
        }
        self.here().legal.clone()
    }

    /// The seat that decides here.
    pub fn turn(&self) -> usize {
        self.node().turn
    }

    /// Do you decide here, or a seat of your team?
    pub fn ours(&self) -> bool {
        self.friends.contains(&self.turn())
    }

    /// Do other seats decide at the same time?
    pub fn simultaneous(&self) -> bool {
        self.node().simultaneous
    }

    /// Is the game over? `reason` says why.
    pub fn over(&self) -> bool {
        !self.node().over.is_empty()
    }

    pub fn reason(&self) -> &str {
        &self.node().over
    }

    /// Your result when the game is over: 1, 0 or -1.
    pub fn value(&self) -> i64 {
        self.node().value
    }

    /// The place of each seat when the game is over; 1 is best.
    pub fn places(&self) -> &[f64] {
        &self.node().places
    }

    /// The points of each seat when the game is over.
    pub fn scores(&self) -> &[f64] {
        &self.node().scores
    }

    /// What the seat that decides here can see.
    pub fn view(&mut self) -> Json {
        if self.here().view.0.is_empty() {
            self.here().view = self.more(r#","legal":false,"view":true"#).get("view");
        }
        self.here().view.clone()
    }

    /// How good the position is for you, from -WIN to WIN; 0 where the arena gives no estimate.
    pub fn evaluate(&mut self) -> i64 {
        if self.over() {
            return self.value() * WIN;
        }
        if self.is_evaluated && self.here().evaluation.is_none() {
            self.here().evaluation = Node::read(&self.more(r#","legal":false,"evaluate":true"#)).evaluation;
        }
        self.here().evaluation.unwrap_or(0)
    }

    /// Plays a move.
    pub fn play(&mut self, step: &str) {
        self.step(step, "");
    }

    /// Plays a move too, and asks for the evaluation, not for the legal moves. This is quicker.
    pub fn play_leaf(&mut self, step: &str) {
        let facts = format!(",\"legal\":false,\"evaluate\":{}", self.is_evaluated);
        self.step(step, &facts);
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        if self.depth() == 0 {
            fail("there is no move to take back");
        }
        self.path.pop();
    }

    /// Goes back to the turn, and imagines all that you can't know. Each seed gives other cards.
    pub fn imagine(&mut self, seed: u32) {
        self.explore(&format!(",\"imagine\":{seed},\"legal\":false"));
        self.path.truncate(1);
        self.nodes += 1;
    }

    /// Seconds that you may go on thinking: half of the time for a move, and a little of the bank. 0 if
    /// the arena soon allows no more nodes.
    pub fn time_left(&self) -> f64 {
        if self.nodes + NEAR > self.most_nodes {
            return 0.0;
        }
        self.until.saturating_duration_since(Instant::now()).as_secs_f64()
    }

    /// A whole number below `count`. The same game gives the same numbers.
    pub fn random(&mut self, count: usize) -> usize {
        self.dice.below(count)
    }

    /// Writes a note into the record; `arena show` prints the note beside the move.
    pub fn log(&self, text: &str) {
        say(&format!("{{\"type\":\"log\",\"text\":{}}}", quote(text)));
    }

    /// Says what your search has found.
    pub fn info(&mut self, depth: usize, score: f64, pv: &[&str]) {
        let pv: Vec<String> = pv.iter().map(|step| quote(step)).collect();
        self.notes = format!(",\"depth\":{depth},\"score\":{score},\"pv\":[{}]", pv.join(","));
    }

    fn node(&self) -> &Node {
        &self.path[self.depth()]
    }

    fn here(&mut self) -> &mut Node {
        let depth = self.depth();
        &mut self.path[depth]
    }

    fn step(&mut self, step: &str, facts: &str) {
        let node = self.more(&format!(",\"play\":{}{facts}", quote(step)));
        self.path.push(Node::read(&node));
        self.nodes += 1;
    }

    /// Asks about the node where the position stands, or about the node after a move.
    fn more(&mut self, facts: &str) -> Json {
        let depth = self.depth();
        self.explore(&format!(",\"at\":{depth}{facts}"))
    }

    fn explore(&mut self, facts: &str) -> Json {
        say(&format!("{{\"type\":\"explore\"{}{facts}}}", self.name));
        self.name.clear(); // only the first request of a game has to name the game
        let node = hear();
        let message = node.get("message"); // of a `problem`, or of the `error` that ends the game
        if !message.0.is_empty() {
            fail(&message.string());
        }
        node
    }
}

/// What the arena has told about a place in the game.
struct Node {
    turn: usize,
    simultaneous: bool,
    over: String,
    value: i64,
    places: Vec<f64>,
    scores: Vec<f64>,
    legal: Vec<String>,
    evaluation: Option<i64>,
    view: Json,
}

impl Node {
    fn read(node: &Json) -> Node {
        let numbers = |key| node.get(key).items().iter().map(Json::number).collect();
        Node {
            turn: node.get("turn").number() as usize,
            simultaneous: node.get("simultaneous").is_true(),
            over: node.get("over").string(),
            value: node.get("value").number() as i64,
            places: numbers("places"),
            scores: numbers("scores"),
            legal: node.get("legal").items().iter().map(Json::string).collect(),
            evaluation: node.get("evaluation").0.parse().ok(),
            view: node.get("view"),
        }
    }
}

/// A piece of JSON text.
#[derive(Clone)]
pub struct Json(pub String);

impl Json {
    /// The value of a key; an empty piece if the key is missing.
    pub fn get(&self, key: &str) -> Json {
        let mut at = 1;
        while self.0.as_bytes().get(at) == Some(&b'"') {
            let colon = self.end(at);
            let last = self.end(colon + 1);
            if &self.0[at + 1..colon - 1] == key {
                return Json(self.0[colon + 1..last].to_owned());
            }
            at = last + 1;
        }
        Json(String::new())
    }

    /// The values of a list.
    pub fn items(&self) -> Vec<Json> {
        let (mut items, mut at) = (Vec::new(), 1);
        while at + 1 < self.0.len() {
            let last = self.end(at);
            items.push(Json(self.0[at..last].to_owned()));
            at = last + 1;
        }
        items
    }

    pub fn is_true(&self) -> bool {
        self.0 == "true"
    }

    /// The number; 0 if there is none.
    pub fn number(&self) -> f64 {
        self.0.parse().unwrap_or(0.0)
    }

    /// The text without quotation marks and escapes.
    pub fn string(&self) -> String {
        let mut text = String::new();
        let mut letters = self.0.chars().skip(1);
        while let Some(letter) = letters.next().filter(|&letter| letter != '"') {
            text.push(match letter {
                '\\' => match letters.next() {
                    Some('b') => '\u{8}',
                    Some('f') => '\u{c}',
                    Some('n') => '\n',
                    Some('r') => '\r',
                    Some('t') => '\t',
                    Some('u') => {
                        let digits: String = letters.by_ref().take(4).collect();
                        u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('?')
                    }
                    other => other.unwrap_or('\\'),
                },
                letter => letter,
            });
        }
        text
    }

    /// The end of the value that begins here.
    fn end(&self, mut at: usize) -> usize {
        let (bytes, mut depth) = (self.0.as_bytes(), 0);
        while at < bytes.len() {
            match bytes[at] {
                b'"' => {
                    at += 1;
                    while at < bytes.len() && bytes[at] != b'"' {
                        at += if bytes[at] == b'\\' { 2 } else { 1 };
                    }
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ if depth > 0 => {}
                _ => {
                    // a number or a word
                    let more = |byte: &u8| !b",:]}".contains(byte);
                    return at + bytes[at..].iter().take_while(|byte| more(byte)).count();
                }
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
        at
    }
}

/// A text as JSON.
fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter < ' ' => quoted += &format!("\\u{:04x}", letter as u32),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

/// The next message. The bot ends with its input.
fn hear() -> Json {
    let mut line = String::new();
    match io::stdin().lock().read_line(&mut line) {
        Ok(0) => exit(0),
        Ok(_) => Json(line.trim_end().to_owned()),
        Err(error) => fail(&error.to_string()),
    }
}

fn say(line: &str) {
    let mut output = io::stdout().lock();
    if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
        exit(0); // nobody listens any more
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    exit(1)
}

/// A small generator of random numbers (splitmix64).
#[derive(Clone, Copy)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % count as u64) as usize
    }
}
