//! `arena play`: a person plays against a bot at the terminal.

use super::numbers::whole;
use super::sandbox::SandboxArgs;
use super::{Failure, usage};
use crate::console;
use referee::clock::ClockRules;
use referee::game::SeatState;
use referee::player::{MoveRequest, Player};
use referee::process::Bot;
use referee::seeds::{RootSeed, SeedChoice, bot_seed, deal_seed};
use referee::spec::BotSpec;
use rules::{Eyes, Seat, Table};
use std::io::{self, BufRead};
use std::time::Duration;
use text::{harmless, wrap};

/// Play a game yourself, at the terminal
#[derive(clap::Args)]
#[command(after_help = "Type a move in the notation of the game. ? lists the legal moves, q gives up.\n\n\
    Examples:\n  arena play tic-tac-toe\n  arena play quixo --against 'builtin:alpha-beta?depth=3' --seat 1\n  arena play trishape")]
pub struct PlayArgs {
    /// The game: othello, or with parameters quixo?size=4
    game: String,
    /// The bot in all the other seats
    #[arg(long, default_value = "builtin:greedy")]
    against: String,
    /// Your seat
    #[arg(long, default_value_t = 0, value_parser = whole::<u8, 0, 63>)]
    seat: u8,
    /// Parameters as JSON, or @FILE with JSON
    #[arg(long)]
    params: Option<String>,
    /// The seed of the deal: a number, 64 hexadecimal digits or `random` [default: 1, or `random`
    /// if cards are hidden]
    #[arg(long)]
    seed: Option<SeedChoice>,
    /// Only ASCII characters in pictures
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

pub fn run(args: &PlayArgs) -> Result<(), Failure> {
    let spec = super::bot_named(&args.against, &args.sandbox.settle()?)?;
    let game = super::game_named(&args.game, args.params.as_deref())?;
    let seed = args.seed.unwrap_or_else(|| SeedChoice::usual([game.game.kind])).settle()?;
    let table = game.setting.start(deal_seed(seed, 0)).map_err(usage)?;
    if args.seat >= table.seats() {
        return Err(usage(format!(
            "--seat: {} has seats 0 to {}, not {}",
            game.id(),
            table.seats() - 1,
            args.seat
        )));
    }
    if table.seats() > 1 {
        game.check(&spec).map_err(usage)?;
    }
    spec.prepare().map_err(|error| usage(format!("{error} ({})", error.hint)))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    referee::process::prepare();
    runtime.block_on(sit_down(args, &spec, table, seed))
}

async fn sit_down(
    args: &PlayArgs,
    spec: &BotSpec,
    table: Box<dyn Table>,
    seed: RootSeed,
) -> Result<(), Failure> {
    let me = Seat(args.seat);
    let clock = ClockRules { per_move: Duration::from_secs(30), ..ClockRules::default() };
    let mut rivals = Vec::new();
    for seat in (0..table.seats()).map(Seat).filter(|&seat| seat != me) {
        let mut bot = Bot::start_blocking(spec, None).map_err(|fault| super::failed("", &fault))?;
        bot.tell(&Bot::hello()).await;
        let state = SeatState::new(&clock);
        state.announce(bot.outbox(), &*table, "play", seat, bot_seed(seed, "play", seat));
        rivals.push(Rival { seat, bot, state });
    }
    let mut session =
        PlaySession { table, me, clock, rivals, ascii: args.ascii || super::ascii_only(), told: 0 };
    let result = session.play().await;
    for rival in session.rivals {
        rival.bot.quit().await;
    }
    result
}

struct Rival {
    seat: Seat,
    bot: Bot,
    state: SeatState,
}

struct PlaySession {
    table: Box<dyn Table>,
    me: Seat,
    clock: ClockRules,
    rivals: Vec<Rival>,
    ascii: bool,
    /// The number of events that the person has seen.
    told: usize,
}

impl PlaySession {
    async fn play(&mut self) -> Result<(), Failure> {
        while let Some(seat) = self.next_seat() {
            let played = if seat == self.me { self.ask_person()? } else { self.ask_rival(seat).await? };
            if !played {
                return say("You gave up.\n");
            }
        }
        self.show()?;
        let outcome = self.table.outcome();
        say(&format!("The game is over: {}\n", serde_json::to_string(&outcome).unwrap_or_default()))
    }

    /// The next seat to move. Bots come first, so that they can't see the person's choice if all
    /// decide together.
    fn next_seat(&self) -> Option<Seat> {
        let owed = self.table.turn().seats();
        owed.iter().find(|&seat| seat != self.me).or(owed.lowest())
    }

    async fn ask_rival(&mut self, seat: Seat) -> Result<bool, Failure> {
        let together = self.table.turn().seats().len() > 1;
        let Some(rival) = self.rivals.iter_mut().find(|rival| rival.seat == seat) else { return Ok(false) };
        rival.state.question(rival.bot.outbox(), &*self.table, seat, together);
        let request = MoveRequest {
            id: rival.state.questions,
            clock: &self.clock,
            bank: Duration::ZERO,
            may_block: false,
        };
        let which = format!("the bot in seat {seat} failed: ");
        let answer = rival.bot.ask(&request).await;
        let answer = answer.map_err(|fault| super::failed(&which, &rival.bot.excuse(*fault)))?;
        self.table
            .play(seat, &answer.mv)
            .map_err(|error| Failure::Failed(format!("{which}{}", harmless::line(&error.to_string()))))?;
        Ok(true)
    }

    /// False if the person gives up.
    fn ask_person(&mut self) -> Result<bool, Failure> {
        self.show()?;
        let legal = self.table.legal(self.me);
        loop {
            say(&format!("your move ({} legal, ? for all, q to give up): ", legal.len()))?;
            let mut line = String::new();
            if io::stdin().lock().read_line(&mut line)? == 0 {
                return Ok(false);
            }
            match line.trim() {
                "" => {}
                "q" => return Ok(false),
                "?" => {
                    let rows = wrap::rows(&legal).into_iter().map(|row| format!("  {}\n", row.join("  ")));
                    say(&rows.collect::<String>())?;
                }
                mv => match self.table.play(self.me, mv) {
                    Ok(_) => return Ok(true),
                    Err(error) => {
                        let near =
                            error.near().map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                        say(&wrap::indented("", &format!("{error}{near}")))?;
                    }
                },
            }
        }
    }

    fn show(&mut self) -> Result<(), Failure> {
        for news in self.table.news(Eyes::Seat(self.me), self.told) {
            if news.seat != self.me {
                say(&format!("seat {} plays {}\n", news.seat, news.mv))?;
            }
        }
        self.told = self.table.news_count();
        say(&format!("\n{}\n", self.table.picture(Eyes::Seat(self.me)).text(self.ascii)))
    }
}

fn say(text: &str) -> Result<(), Failure> {
    Ok(console::prompt(text)?)
}
