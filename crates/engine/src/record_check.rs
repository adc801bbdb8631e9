//! Does a record that came from a worker tell a game that could have happened, and the one that was
//! asked for?

use referee::fault::Code;
use referee::game::Job;
use referee::record::Record;
use rules::Seat;

/// Compares a record with its job, and plays the game again through the rules.
pub fn check(record: &Record, job: &Job) -> Result<(), String> {
    let about = job.setting.about();
    for (what, fits) in [
        ("match", record.match_id == job.match_id),
        ("list of bots", record.bots == job.names),
        ("deal", record.seed == job.seed.to_string()),
        ("game", record.game == about.id && record.rules == about.version),
        ("parameters", record.params == *job.setting.params()),
        ("block", record.block == job.block && record.round == job.round),
        ("name of a file", record.failure.is_none()),
    ] {
        if !fits {
            return Err(format!("the {what} is not the one that was asked for"));
        }
    }
    let seats = job.names.len();
    let result = &record.result;
    if result.places.len() != seats || result.scores.len() != seats {
        return Err("the result is not for all seats".to_owned());
    }
    if record.faults.iter().any(|fault| fault.seat as usize >= seats) {
        return Err("a seat that does not exist has failed".to_owned());
    }
    check_opening(record, job)?;
    if result.is_void() && record.faults.is_empty() {
        return Err("the game is void without a reason".to_owned());
    }
    check_forfeit(record, job)?;
    record.check_format().map_err(|error| error.to_string())?;
    // Game, parameters and deal are those of the job, so nothing is prepared again.
    let mut table = job.setting.start(job.seed).map_err(|error| error.to_string())?;
    record.verify_from(&mut *table).map_err(|error| error.to_string())
}

fn check_opening(record: &Record, job: &Job) -> Result<(), String> {
    // A game that could not be played has no moves, so it has no opening either.
    if record.moves.is_empty() && !record.faults.is_empty() {
        return Ok(());
    }
    let found = record.moves.iter().take_while(|played| played.opening);
    let found = found.map(|played| (Seat(played.seat), played.mv.as_str()));
    let later = record.moves.iter().skip(job.opening.len()).any(|played| played.opening);
    if later || !found.eq(job.opening.iter().map(|(seat, mv)| (*seat, mv.as_str()))) {
        return Err("the opening is not the opening of the deal".to_owned());
    }
    Ok(())
}

/// A bot that fails never comes first alone.
fn check_forfeit(record: &Record, job: &Job) -> Result<(), String> {
    let failed = |seat: usize| record.faults.iter().any(|fault| fault.seat as usize == seat);
    let places = &record.result.places;
    let firsts: Vec<usize> = (0..places.len()).filter(|&seat| places[seat] == 1).collect();
    let alone = places.len() == 2 && firsts.len() == 1;
    if alone && !record.result.is_void() && failed(firsts[0]) && !failed(1 - firsts[0]) {
        return Err(format!("{} has failed, and wins", job.names[firsts[0]]));
    }
    Ok(())
}

/// Could the game not be played, through no fault of a bot?
pub fn is_trouble(record: &Record) -> bool {
    record.result.is_void() && record.faults.iter().any(|fault| fault.fault.code == Code::ArenaFault)
}
