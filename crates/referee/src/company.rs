//! What a person at a table needs, at a terminal or in a browser: bots beside the referee, hints,
//! moves as people type them, and the end of a game in words.

use crate::clock::ClockRules;
use crate::explorer::{Explorable, ExploreRules};
use crate::fault::Fault;
use crate::game::SeatState;
use crate::player::{MoveRequest, Player};
use crate::process::{Bot, Sandbox};
use crate::record::GameResult;
use crate::seeds::{RootSeed, bot_seed};
use crate::spec::{BotSpec, GameSpec};
use rules::{Seat, Table};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// The name of a game for which there is no referee.
const UNREFEREED: &str = "play";

/// Who gives hints: the first of these that plays the game.
const ADVISERS: [&str; 4] =
    ["builtin:strong?ms=500", "builtin:ismcts?iterations=2000", "builtin:mcts", "builtin:greedy"];

/// A bot that is asked about positions, one after another, without a referee.
pub struct Companion {
    seat: Seat,
    bot: Bot,
    state: SeatState,
}

impl Companion {
    pub async fn start(
        spec: &BotSpec,
        table: &dyn Table,
        clock: &ClockRules,
        seat: Seat,
        seed: RootSeed,
    ) -> Result<Companion, Fault> {
        let mut bot = Bot::start_blocking(spec, None)?;
        bot.tell(&Bot::hello()).await;
        let state = SeatState::new(clock, ExploreRules::default());
        state.announce(bot.outbox(), table, UNREFEREED, seat, bot_seed(seed, UNREFEREED, seat));
        Ok(Companion { seat, bot, state })
    }

    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What the bot would play here. Its text may be no legal move.
    pub async fn answer(&mut self, table: &dyn Table) -> Result<String, Fault> {
        let together = table.turn().seats().len() > 1;
        self.state.question(self.bot.outbox(), table, self.seat, together);
        let clock = self.state.clock;
        let rules = ExploreRules::default();
        let explore = Explorable { table, seat: self.seat, match_id: UNREFEREED, rules, witness: None };
        let (id, bank) = (self.state.questions, Duration::ZERO);
        let request = MoveRequest { id, clock: &clock, bank, may_block: false, explore, calm_others: None };
        match self.bot.ask(&request).await {
            Ok(reply) => Ok(reply.mv),
            Err(fault) => Err(self.bot.excuse(*fault)),
        }
    }

    pub async fn leave(self) {
        self.bot.quit().await;
    }
}

/// What an adviser would play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub adviser: BotSpec,
    pub mv: String,
}

/// The bot that gives hints in this game. `None` if no built-in bot can play it.
pub fn adviser(game: &GameSpec, sandbox: &Arc<Sandbox>) -> Option<BotSpec> {
    let named = ADVISERS.iter().filter_map(|name| name.parse::<BotSpec>().ok());
    named.map(|spec| spec.within(sandbox)).find(|spec| game.check(spec).is_ok())
}

/// What this adviser would play in this seat.
pub async fn hint(
    adviser: BotSpec,
    table: &dyn Table,
    clock: &ClockRules,
    seat: Seat,
    seed: RootSeed,
) -> Result<Hint, Fault> {
    let mut bot = Companion::start(&adviser, table, clock, seat, seed).await?;
    let answer = bot.answer(table).await;
    bot.leave().await;
    answer.map(|mv| Hint { adviser, mv })
}

/// The legal move that a person means: its text, its text in other letters if no other move has
/// that, or its number in the list of legal moves.
pub fn meant<'a>(text: &str, legal: &'a [String]) -> Option<&'a str> {
    if let Some(mv) = legal.iter().find(|mv| *mv == text) {
        return Some(mv);
    }
    let mut alike = legal.iter().filter(|mv| mv.eq_ignore_ascii_case(text));
    match (alike.next(), alike.next()) {
        (Some(mv), None) => Some(mv),
        (Some(_), Some(_)) => None,
        _ => legal.get(text.parse::<usize>().ok()?.checked_sub(1)?).map(String::as_str),
    }
}

/// What is wrong with a text that means no legal move, in the words of the rules.
pub fn misunderstood(text: &str, table: &dyn Table, seat: Seat) -> String {
    match table.boxed_clone().play(seat, text) {
        Err(error) => {
            let near = error.near().filter(|near| !near.is_empty());
            format!("{error}{}", near.map(|near| format!("; did you mean {near}?")).unwrap_or_default())
        }
        Ok(_) => format!("`{text}` could mean several moves"),
    }
}

impl GameResult {
    /// How the game ended, for the person in this seat. `teams` has the team of each seat.
    pub fn words_for(&self, seat: Seat, teams: &[u8]) -> String {
        let reason = self.ending.reason().replace('_', " ");
        let place = self.places[seat.index()];
        let sides: HashSet<u8> = teams.iter().copied().collect();
        match place {
            _ if self.is_void() => "The game does not count.".to_owned(),
            _ if teams.len() == 1 => {
                let score = self.scores[seat.index()].0;
                format!("The game is over with a score of {score} ({reason}).")
            }
            1 if self.places.iter().all(|&place| place == 1) => format!("A draw ({reason})."),
            1 => format!("You win ({reason})."),
            _ if sides.len() == 2 => format!("You lose ({reason})."),
            _ => format!("You come in at place {place} of {} seats ({reason}).", teams.len()),
        }
    }

    /// How the game ended, for somebody who watches. `names` has a name for each seat.
    pub fn words(&self, names: &[String]) -> String {
        let reason = self.ending.reason().replace('_', " ");
        let winners: Vec<&str> = (self.places.iter().zip(names))
            .filter(|(place, _)| **place == 1)
            .map(|(_, name)| name.as_str())
            .collect();
        match winners.len() {
            _ if self.is_void() => "The game does not count.".to_owned(),
            _ if names.len() == 1 => {
                format!("The game is over with a score of {} ({reason}).", self.scores[0].0)
            }
            count if count == names.len() => format!("A draw ({reason})."),
            1 => format!("{} wins ({reason}).", winners[0]),
            _ => format!("{} win ({reason}).", winners.join(" and ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Ending, SeatPoints};

    #[test]
    fn a_person_types_a_move_in_several_ways() {
        let legal = ["b", "a1", "2", "A", "a", "c-d"].map(str::to_owned);
        for (text, mv) in [
            ("b", Some("b")),
            ("B", Some("b")),
            ("A1", Some("a1")),
            ("2", Some("2")), // a move hides a number
            ("1", Some("b")),
            ("6", Some("c-d")),
            ("a", Some("a")),
            ("C-D", Some("c-d")),
            ("7", None),
            ("0", None),
            ("-1", None),
            ("", None),
            ("c9", None),
        ] {
            assert_eq!(meant(text, &legal), mv, "{text}");
        }
        assert_eq!(meant("x", &["X".to_owned(), "x".to_owned()]), Some("x"));
        assert_eq!(meant("Ab", &["AB".to_owned(), "ab".to_owned()]), None);
    }

    #[test]
    fn an_end_in_words() {
        let result = |places: &[u8], ending: Ending| GameResult {
            places: places.to_vec(),
            scores: places.iter().map(|&place| SeatPoints(f64::from(3 - place))).collect(),
            ending,
        };
        let line = || Ending::Played("no_moves".to_owned());
        for (places, teams, mine, theirs) in [
            (&[1, 2][..], &[0, 1][..], "You win (no moves).", "a wins (no moves)."),
            (&[2, 1], &[0, 1], "You lose (no moves).", "b wins (no moves)."),
            (&[1, 1], &[0, 1], "A draw (no moves).", "A draw (no moves)."),
            (&[3, 1, 2], &[0, 1, 2], "You come in at place 3 of 3 seats (no moves).", "b wins (no moves)."),
            (&[1, 3, 1, 3], &[0, 1, 0, 1], "You win (no moves).", "a and c win (no moves)."),
            (
                &[1],
                &[0],
                "The game is over with a score of 2 (no moves).",
                "The game is over with a score of 2 (no moves).",
            ),
        ] {
            let names = ["a", "b", "c", "d"].map(str::to_owned);
            assert_eq!(result(places, line()).words_for(Seat(0), teams), mine);
            assert_eq!(result(places, line()).words(&names[..places.len()]), theirs);
        }
        assert_eq!(result(&[1, 1], Ending::Void).words_for(Seat(0), &[0, 1]), "The game does not count.");
        assert_eq!(result(&[2, 1], Ending::Forfeit).words_for(Seat(0), &[0, 1]), "You lose (forfeit).");
    }
}
