//! A game between a person at the terminal and bots.

use super::super::{Failure, failed, say};
use crate::console;
use crate::paint::Style;
use referee::clock::ClockRules;
use referee::company::{Companion, adviser, hint, meant, misunderstood};
use referee::process::Sandbox;
use referee::record::GameResult;
use referee::seeds::RootSeed;
use referee::spec::{BotSpec, GameSpec};
use rules::{Eyes, Kind, Piece, Seat, Table, Touch};
use std::collections::HashSet;
use std::io::{self, BufRead, IsTerminal as _};
use std::sync::Arc;
use std::time::Duration;
use text::{harmless, wrap};

const HELP: &str = "\
Type a move, or its number in the list of moves. Capital letters do not matter.
  ?       the list of legal moves
  hint    a move that a strong bot would play
  undo    take your last move back, with the answers of the bots
  board   the picture once more
  rules   the rules of the game
  q       give up
";

/// A table with one person.
pub struct Evening {
    /// The game as a shell reads it.
    pub name: String,
    pub game: GameSpec,
    pub table: Box<dyn Table>,
    pub me: Seat,
    pub rival: BotSpec,
    pub sandbox: Arc<Sandbox>,
    pub seed: RootSeed,
    pub style: Style,
}

impl Evening {
    pub async fn play(self) -> Result<(), Failure> {
        let clock = ClockRules { per_move: Duration::from_secs(30), ..ClockRules::default() };
        let mut session = Session { rivals: Vec::new(), before: Vec::new(), told: 0, clock, evening: self };
        session.seat_rivals().await?;
        let result = session.play().await;
        session.send_rivals_away().await;
        result
    }
}

struct Session {
    evening: Evening,
    clock: ClockRules,
    rivals: Vec<Companion>,
    /// The table before each move of the person, for `undo`.
    before: Vec<Box<dyn Table>>,
    /// The number of events that the person has seen.
    told: usize,
}

/// What a person has decided.
enum Decision {
    Played,
    TookBack,
    GaveUp,
}

/// What a line of the person means.
#[derive(Debug, PartialEq, Eq)]
enum Line<'a> {
    Move(&'a str),
    Word(&'a str),
    Unknown(&'a str),
}

impl Session {
    async fn seat_rivals(&mut self) -> Result<(), Failure> {
        let Evening { table, me, rival, seed, .. } = &self.evening;
        for seat in (0..table.seats()).map(Seat).filter(|seat| seat != me) {
            let rival = Companion::start(rival, &**table, &self.clock, seat, *seed).await;
            let rival = rival.map_err(|fault| failed("", &fault))?;
            self.rivals.push(rival);
        }
        Ok(())
    }

    async fn send_rivals_away(&mut self) {
        for rival in self.rivals.drain(..) {
            rival.leave().await;
        }
    }

    async fn play(&mut self) -> Result<(), Failure> {
        say(&self.introduction())?;
        while let Some(seat) = self.next_seat() {
            if seat != self.evening.me {
                self.ask_rival(seat).await?;
                continue;
            }
            match self.ask_person().await? {
                Decision::Played => {}
                Decision::TookBack => self.take_back().await?,
                Decision::GaveUp => return say("You gave up.\n"),
            }
        }
        self.show(&HashSet::new())?;
        let Evening { game, table, me, seed, .. } = &self.evening;
        if let Some(outcome) = table.outcome() {
            let teams: Vec<u8> = (0..table.seats()).map(|seat| table.team_of(Seat(seat))).collect();
            say(&format!("{}\n", GameResult::from(&outcome).words_for(*me, &teams)))?;
        }
        // Only cards differ from deal to deal.
        if game.game.kind == Kind::Duel {
            return Ok(());
        }
        say(&format!("The same deal again: arena play {} --seed {seed}\n", self.evening.name))
    }

    /// Who sits where.
    fn introduction(&self) -> String {
        let Evening { game, table, me, rival, .. } = &self.evening;
        let picture = table.picture(Eyes::Seat(*me));
        let mut pieces = picture.sites.iter().map(|site| site.piece);
        let own = pieces.find(|piece| piece.owner == Some(*me));
        let plain = Style { colours: false, ..self.evening.style };
        let sign = |piece: Piece| plain.piece(piece, piece.glyph.encode_utf8(&mut [0; 4]));
        let own = own.map_or(String::new(), |piece| format!(" with the pieces {}", sign(piece)));
        let place = if table.turn().seats().lowest() == Some(*me) { ", and you begin" } else { "" };
        let name = game.game.about.name;
        let rivals = match table.seats() {
            1 => String::new(),
            _ => format!(" against {}", harmless::line(&rival.to_string())),
        };
        let text = format!("{name}: you sit in seat {me}{own}{rivals}{place}. Type `help` for help.");
        wrap::indented("", &text)
    }

    /// The next seat to move. Bots come first, so that they can't see the person's choice if all
    /// decide together.
    fn next_seat(&self) -> Option<Seat> {
        let owed = self.evening.table.turn().seats();
        owed.iter().find(|&seat| seat != self.evening.me).or(owed.lowest())
    }

    async fn ask_rival(&mut self, seat: Seat) -> Result<(), Failure> {
        let Some(rival) = self.rivals.iter_mut().find(|rival| rival.seat() == seat) else { return Ok(()) };
        let answer = rival.answer(&*self.evening.table).await;
        let mv = answer.map_err(|fault| failed(&format!("the bot in seat {seat} failed: "), &fault))?;
        let played = self.evening.table.play(seat, &mv);
        played.map_err(|error| {
            let problem = harmless::line(&error.to_string());
            Failure::Failed(format!("the bot in seat {seat} failed: {problem}"))
        })?;
        Ok(())
    }

    async fn ask_person(&mut self) -> Result<Decision, Failure> {
        let legal = self.evening.table.legal(self.evening.me);
        self.show(&self.lit())?;
        loop {
            prompt(&format!("your move (1 of {}, or help): ", legal.len()))?;
            let Some(line) = typed()? else { return Ok(Decision::GaveUp) };
            match meaning(line.trim(), &legal) {
                Line::Move(mv) => {
                    let before = self.evening.table.boxed_clone();
                    match self.evening.table.play(self.evening.me, mv) {
                        Ok(_) => self.before.push(before),
                        Err(error) => {
                            say(&wrap::indented("", &error.to_string()))?;
                            continue;
                        }
                    }
                    if !self.evening.table.turn().is_over() {
                        self.show(&HashSet::new())?;
                    }
                    return Ok(Decision::Played);
                }
                Line::Word("q" | "quit") => return Ok(Decision::GaveUp),
                Line::Word("?" | "moves") => say(&numbered(&legal))?,
                Line::Word("help" | "h") => say(HELP)?,
                Line::Word("board" | "b") => self.show(&self.lit())?,
                Line::Word("rules") => say(&wrap::prose(&self.evening.game.game.about.rules()))?,
                Line::Word("hint") => say(&self.hint().await)?,
                Line::Word("undo" | "u") if self.before.is_empty() => {
                    say("There is no move to take back.\n")?;
                }
                Line::Word("undo" | "u") => return Ok(Decision::TookBack),
                Line::Word(_) => {}
                Line::Unknown(text) => {
                    // The rules say what is wrong with the text, as they say to bots.
                    let problem = misunderstood(text, &*self.evening.table, self.evening.me);
                    say(&wrap::indented("", &problem))?;
                }
            }
        }
    }

    /// Goes back to the table before the person's last move. The bots begin anew and hear all that
    /// has happened until then.
    async fn take_back(&mut self) -> Result<(), Failure> {
        let Some(table) = self.before.pop() else { return Ok(()) };
        self.evening.table = table;
        self.told = self.evening.table.news_count();
        self.send_rivals_away().await;
        self.seat_rivals().await
    }

    /// What a strong bot would play in the person's seat.
    async fn hint(&self) -> String {
        let Evening { game, table, me, sandbox, seed, .. } = &self.evening;
        let Some(adviser) = adviser(game, sandbox) else {
            return "No built-in bot can play this game.\n".to_owned();
        };
        match hint(adviser, &**table, &self.clock, *me, *seed).await {
            Ok(hint) => format!("{} would play {}.\n", hint.adviser, harmless::line(&hint.mv)),
            Err(_) => "The adviser has no answer.\n".to_owned(),
        }
    }

    /// The names of all sites that a legal move begins with.
    fn lit(&self) -> HashSet<String> {
        let gestures = rules::gestures(&*self.evening.table, self.evening.me);
        let site = |gesture: Vec<Touch>| match gesture.into_iter().next() {
            Some(Touch::Site(name)) => Some(name),
            _ => None,
        };
        gestures.into_iter().filter_map(|(_, gesture)| site(gesture)).collect()
    }

    /// What has happened since the last picture, and the picture.
    fn show(&mut self, lit: &HashSet<String>) -> Result<(), Failure> {
        let Evening { table, me, style, .. } = &self.evening;
        for news in table.news(Eyes::Seat(*me), self.told) {
            if news.seat != *me {
                say(&format!("seat {} plays {}\n", news.seat, news.mv))?;
            }
        }
        self.told = table.news_count();
        // The words of a picture come from the rules.
        let picture = style.picture(&table.picture(Eyes::Seat(*me)), lit);
        Ok(console::say_verbatim(format!("\n{picture}\n").as_bytes())?)
    }
}

/// A legal move as it stands, then a word of ours, then a move in other letters, then a number of
/// the list.
fn meaning<'a>(line: &'a str, legal: &'a [String]) -> Line<'a> {
    const WORDS: [&str; 13] =
        ["", "?", "moves", "help", "h", "board", "b", "rules", "hint", "undo", "u", "q", "quit"];
    if let Some(mv) = legal.iter().find(|mv| *mv == line) {
        return Line::Move(mv);
    }
    if let Some(word) = WORDS.iter().find(|word| line.eq_ignore_ascii_case(word)) {
        return Line::Word(word);
    }
    meant(line, legal).map_or(Line::Unknown(line), Line::Move)
}

fn numbered(legal: &[String]) -> String {
    let items: Vec<String> = legal.iter().enumerate().map(|(at, mv)| format!("{}) {mv}", at + 1)).collect();
    wrap::rows(&items).into_iter().map(|row| format!("  {}\n", row.join("  "))).collect()
}

fn prompt(text: &str) -> Result<(), Failure> {
    Ok(console::prompt(text)?)
}

/// The next line of the person. A line that comes from a file is shown, as if somebody had typed it.
fn typed() -> Result<Option<String>, Failure> {
    let mut line = String::new();
    if io::stdin().lock().read_line(&mut line)? == 0 {
        prompt("\n")?;
        return Ok(None);
    }
    if !io::stdin().is_terminal() {
        say(&format!("{}\n", harmless::line(line.trim_end())))?;
    }
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_before_words_and_numbers() {
        let legal = ["b", "a1", "2", "A", "a"].map(str::to_owned);
        assert_eq!(meaning("b", &legal), Line::Move("b"), "a move hides a word");
        assert_eq!(meaning("B", &legal), Line::Word("b"));
        assert_eq!(meaning("A1", &legal), Line::Move("a1"));
        assert_eq!(meaning("2", &legal), Line::Move("2"), "a move hides a number");
        assert_eq!(meaning("1", &legal), Line::Move("b"));
        assert_eq!(meaning("A", &legal), Line::Move("A"));
        assert_eq!(meaning("Undo", &legal), Line::Word("undo"));
        for unknown in ["6", "0", "c9", "-1"] {
            assert_eq!(meaning(unknown, &legal), Line::Unknown(unknown));
        }
    }
}
