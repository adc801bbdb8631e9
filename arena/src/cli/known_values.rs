//! The values of the moves of recorded games, as far as the solver can prove them.

use super::analyse::points;
use crate::console;
use referee::record::Record;
use rules::{Kind, Seat, Table, Turn};
use solver::{Advice, Oracle, Value};
use std::collections::HashMap;
use text::Ticker;
use web::{GameValues, MoveValue};

/// The most positions that the solver visits for one move.
const MOST_POSITIONS: u64 = 400_000;
/// After this many failures in a row, positions further from the end are not tried, because they
/// are larger.
const FAILURES: u32 = 2;

/// What is known about the moves of recorded games. Games of the same rules share their proofs.
pub(super) struct KnownValues {
    /// By the name of the game with its parameters. `None` for a game that can't be solved.
    oracles: HashMap<String, Option<Oracle>>,
    ticker: Ticker,
}

impl KnownValues {
    /// The values of so many games are to be found.
    pub(super) fn of_games(games: usize) -> KnownValues {
        let ticker = Ticker::new(console::SCREEN);
        ticker.begin("solving");
        ticker.expect("games", games);
        KnownValues { oracles: HashMap::new(), ticker }
    }

    /// Without a progress line, for work behind another command.
    pub(super) fn in_silence() -> KnownValues {
        KnownValues { oracles: HashMap::new(), ticker: Ticker::silent() }
    }

    /// The values of all moves of a game, as far as the solver gets from the end. The work is
    /// bounded by a number of positions, not by a time, so that every machine writes the same page.
    pub(super) fn of(&mut self, record: &Record) -> Option<GameValues> {
        let key = format!("{} {}", record.game, serde_json::to_string(&*record.params).ok()?);
        let oracle = self.oracles.entry(key).or_insert_with(|| oracle_of(record));
        let found = oracle.as_mut().and_then(|oracle| values(oracle, record));
        self.ticker.tick();
        found
    }
}

fn oracle_of(record: &Record) -> Option<Oracle> {
    let (game, _) = rules::parse_name(&record.game).ok()?;
    let options = solver::Options { threads: 1, advice: Advice::Never, ..solver::Options::default() };
    if game.kind != Kind::Duel {
        return None;
    }
    solver::oracle(game.about.id, &record.params, options).ok()
}

fn values(oracle: &mut Oracle, record: &Record) -> Option<GameValues> {
    let mut tables = vec![record.start().ok()?];
    for played in &record.moves {
        let mut next = tables[tables.len() - 1].boxed_clone();
        next.play(Seat(played.seat), &played.mv).ok()?;
        tables.push(next);
    }
    let moves: Vec<String> = record.moves.iter().map(|played| played.mv.clone()).collect();
    let mut found: GameValues = tables.iter().map(|_| None).collect();
    let mut failures = 0;
    for (ply, table) in tables.iter().enumerate().rev() {
        if table.turn().is_over() {
            continue;
        }
        found[ply] = values_here(oracle, record, &**table, &moves[..ply]);
        failures = if found[ply].is_some() { 0 } else { failures + 1 };
        if failures == FAILURES {
            break;
        }
    }
    Some(found)
}

/// The values of all moves of a position, best first. `None` if one of them is not proven.
fn values_here(
    oracle: &mut Oracle,
    record: &Record,
    table: &dyn Table,
    line: &[String],
) -> Option<Vec<MoveValue>> {
    let Turn::One(seat) = table.turn() else { return None };
    let mut values = Vec::new();
    for mv in table.legal(seat) {
        let mut after = table.boxed_clone();
        after.play(seat, &mv).ok()?;
        let line: Vec<String> = line.iter().cloned().chain([mv.clone()]).collect();
        let (value, margin) =
            match after.turn() {
                Turn::One(next) => {
                    let answer =
                        oracle.verdict(&line, &mut |progress| progress.positions < MOST_POSITIONS).ok()?;
                    let is_same = after.team_of(next) == after.team_of(seat);
                    let value = if is_same { answer.value } else { answer.value.turned() };
                    (number(value), answer.margin.map(|margin| if is_same { margin } else { -margin }))
                }
                _ => {
                    let value = after.outcome()?.value(seat).signum() as i8;
                    let ahead = points(table.about().id, &record.params, &line);
                    (
                        value,
                        ahead.map(|ahead| {
                            if after.team_of(seat) == after.team_of(Seat::FIRST) { ahead } else { -ahead }
                        }),
                    )
                }
            };
        values.push(MoveValue { mv, value, margin });
    }
    values.sort_by_key(|value| (-value.value, -value.margin.unwrap_or(0)));
    Some(values)
}

fn number(value: Value) -> i8 {
    match value {
        Value::Win => 1,
        Value::Draw => 0,
        Value::Loss => -1,
    }
}
