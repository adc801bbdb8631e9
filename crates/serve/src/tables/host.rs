//! The thread of a table: it waits for the people, lets the referee play, and has the game judged.

use super::TablesSetup;
use super::room::{FinishedGame, Room, RoomJudgement, RoomStage, Wish};
use super::sitter::Sitter;
use referee::clock::ClockRules;
use referee::explorer::ExploreRules;
use referee::game::{self, FaultPolicy, Job};
use referee::record::Record;
use referee::runner::BotId;
use referee::seeds::deal_seed;
use rules::Seat;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use text::harmless;

/// Games are judged one after another, because a solver uses much memory.
static SOLVER: Mutex<()> = Mutex::new(());

pub(super) fn host_blocking(room: &Arc<Room>, setup: &TablesSetup) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            tracing::error!(%error, "no runtime for a table");
            return close(room, "the machine has no room for this table");
        }
    };
    let Some(record) = runtime.block_on(played(room, setup)) else { return };
    drop(runtime);
    let kept = setup.record.as_deref().map_or(Ok(()), |file| keep(file, &record));
    let record = Arc::new(record);
    {
        let mut inner = room.lock();
        if let Err(error) = kept {
            let problem = format!("The record could not be written: {error}");
            inner.trouble = Some(harmless::sentence(&problem));
        }
        inner.chairs.iter_mut().for_each(|chair| chair.asked = None);
        let record = Arc::clone(&record);
        inner.stage = RoomStage::Over(Box::new(FinishedGame { record, judged: RoomJudgement::NotYet }));
    }
    room.tell();
    let turn = SOLVER.lock().unwrap_or_else(PoisonError::into_inner);
    let values = (setup.judge)(&record);
    drop(turn);
    if let RoomStage::Over(finished) = &mut room.lock().stage {
        finished.judged = RoomJudgement::Done(values.map(Arc::new));
    }
    room.tell();
}

fn close(room: &Room, why: &'static str) {
    room.lock().stage = RoomStage::Closed(why);
    room.tell();
}

/// Plays the game. `None` if the table was closed before the end.
async fn played(room: &Arc<Room>, setup: &TablesSetup) -> Option<Record> {
    tokio::select! {
        () = room.gathered() => {}
        () = room.abandoned(setup.patience) => {
            close(room, "nobody came to this table for a long time, so it was closed");
            return None;
        }
    }
    let mut opening = Vec::new();
    loop {
        // Closing the room needs its lock again.
        let wish = room.lock().wish.take();
        match wish {
            Some(Wish::Close(why)) => {
                close(room, why);
                return None;
            }
            Some(Wish::Undo(moves)) => opening = moves,
            None => {}
        }
        room.begin(room.table_after(&opening)?);
        let job = job(room, &opening);
        let mut sitters = Vec::new();
        for seat in 0..room.order.seats.len() {
            sitters.push(Sitter::sit_down(room, Seat(seat as u8)).await);
        }
        // The game is dropped where somebody wishes something, and its bots end with it.
        let (mut record, sitters) = tokio::select! {
            biased;
            () = room.wished() => continue,
            () = room.abandoned(setup.patience) => {
                close(room, "nobody looked at this table for a long time, so it was closed");
                return None;
            }
            played = game::play(&job, sitters) => played,
        };
        for sitter in sitters.into_iter().flatten() {
            sitter.leave().await;
        }
        if matches!(room.lock().wish, Some(Wish::Undo(_))) {
            continue;
        }
        // The moves before an undo were made by the players, too.
        record.moves.iter_mut().for_each(|played| played.opening = false);
        return Some(record);
    }
}

fn job(room: &Room, opening: &[(Seat, String)]) -> Job {
    let order = &room.order;
    let seats = order.seats.len();
    let clocks: Vec<ClockRules> = (0..seats).map(|seat| order.clock_of(seat)).collect();
    Job {
        match_id: room.id.clone(),
        setting: Arc::clone(&order.game.setting),
        seed: deal_seed(room.seed, 0),
        match_seed: room.seed,
        seating: (0..seats).map(BotId).collect(),
        names: order.names(),
        clocks,
        policy: FaultPolicy::Forfeit,
        // A person may think for an hour, and no bot should compute for so long.
        pondering: false,
        explore: ExploreRules::default(),
        block: None,
        round: None,
        opening: opening.to_vec(),
    }
}

/// Appends a record to a file.
fn keep(file: &Path, record: &Record) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = File::options().create(true).append(true).open(file)?;
    file.write_all(format!("{}\n", record.to_line()).as_bytes())
}
