//! Asks a bot about a single position. The question is a game of its own, and the moves that lead
//! to the position are events.

use protocol::{EndParts, Search, You, write_end};
use referee::clock::ClockRules;
use referee::explorer::{Explorable, ExploreRules, Witness};
use referee::fault::{Code, Fault};
use referee::game::SeatState;
use referee::player::{MoveReply, MoveRequest, Player};
use referee::process::Bot;
use referee::record::Ending;
use referee::seeds::{RootSeed, bot_seed};
use rules::{MoveError, Table};

/// One question of an interview.
pub struct Topic<'a> {
    /// The position. The game must not be over.
    pub table: &'a dyn Table,
    pub match_id: &'a str,
    pub clock: &'a ClockRules,
    /// The seed that the bot's own seed is derived from.
    pub seed: RootSeed,
    pub explore: ExploreRules,
    /// Who else wants to know what the bot explores.
    pub witness: Option<&'a dyn Witness>,
}

/// Asks a question. The answer has the move in the notation that `play` returns.
pub async fn ask(
    bot: &mut Bot,
    topic: &Topic<'_>,
    play: impl FnOnce(&str) -> Result<String, MoveError>,
) -> Result<MoveReply, Fault> {
    let Topic { table, match_id, clock, seed, explore: rules, witness } = *topic;
    let Some(seat) = table.turn().seats().lowest() else {
        return Err(Fault::new(Code::ArenaFault, "the game of this question is over"));
    };
    bot.begin_game();
    let own_seed = bot_seed(seed, match_id, seat);
    let mut state = SeatState::new(clock, rules);
    state.announce(bot.outbox(), table, match_id, seat, own_seed);
    state.question(bot.outbox(), table, seat, false);
    let explore = Explorable { table, seat, match_id, rules, witness };
    let (id, bank) = (state.questions, clock.bank);
    let request = MoveRequest { id, clock, bank, may_block: true, explore, calm_others: None };
    let example = table.legal(seat).swap_remove(0);
    let answer = bot.ask(&request).await.map_err(|fault| bot.excuse(*fault).with_example(&example))?;
    let mv = play(&answer.mv).map_err(|error| {
        let fault = Fault::new(Code::IllegalMove, error.to_string()).at_line(answer.line, &answer.text);
        bot.excuse(Fault { near: error.near().map(str::to_owned), ..fault })
    })?;
    let seats = table.seats() as usize;
    let end = EndParts {
        match_id,
        places: &vec![1; seats],
        scores: &vec![0.0; seats],
        reason: Ending::Void.reason(),
        you: You::Draw,
    };
    write_end(bot.outbox(), &end);
    Ok(MoveReply { mv, ..answer })
}

/// An answer in the form that the laboratory needs.
pub fn told(mv: String, info: &Search) -> lab::Answer {
    let Search { score, depth, nodes, cutoffs, .. } = *info;
    lab::Answer { mv, score, depth, nodes, cutoffs }
}
