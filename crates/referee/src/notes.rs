//! How much a record keeps of what a bot says besides its moves: enough for a person to read, too
//! little to fill a disk.

use protocol::{Limits, Search};
use serde::Serialize;

/// A bot's room in the record of one game.
pub struct Notes {
    left: usize,
}

impl Default for Notes {
    fn default() -> Notes {
        Notes { left: Limits::GAME_NOTES }
    }
}

impl Notes {
    /// Takes out notes for which there is no room, and counts them. The numbers of an `info` are
    /// few and always stay.
    pub fn fit(&mut self, info: &mut Option<Box<Search>>, log: &mut Vec<String>) -> u64 {
        let room = self.left.min(Limits::MOVE_NOTES);
        let (mut free, mut dropped) = (room, 0);
        let mut has_room = |bytes: usize| {
            let fits = bytes <= free;
            if fits {
                free -= bytes;
            } else {
                dropped += 1;
            }
            fits
        };
        if let Some(info) = info {
            info.text.take_if(|text| !has_room(bytes(text)));
        }
        log.retain(|text| has_room(bytes(text)));
        if let Some(info) = info {
            info.pv.take_if(|pv| !has_room(bytes(pv)));
            info.marks.take_if(|marks| !has_room(bytes(marks)));
        }
        self.left -= room - free;
        dropped
    }
}

/// The length of a note in the record, with a comma.
fn bytes(note: &impl Serialize) -> usize {
    serde_json::to_string(note).map_or(0, |text| text.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Mark;

    fn chatter() -> (Option<Box<Search>>, Vec<String>) {
        let mark = Mark { cell: "a1".to_owned(), text: Some("\"".repeat(16)), heat: Some(0.5) };
        let info = Search {
            depth: Some(4),
            text: Some("\\".repeat(2_000)),
            pv: Some(vec!["a1".to_owned(); 128]),
            marks: Some(vec![mark; 400]),
            ..Search::default()
        };
        (Some(info.into()), vec!["x".repeat(2_000); 10])
    }

    #[test]
    fn a_flood_leaves_the_numbers_and_what_there_is_room_for() {
        let mut notes = Notes::default();
        let (mut whole, mut moves) = (0, 0);
        while notes.left > 0 && moves < 1_000 {
            let (mut info, mut log) = chatter();
            assert!(notes.fit(&mut info, &mut log) > 0);
            let info = info.unwrap();
            assert_eq!(info.depth, Some(4));
            let kept = bytes(&info.text) + bytes(&log) + bytes(&info.pv) + bytes(&info.marks);
            assert!(kept < Limits::MOVE_NOTES + 100, "{kept}");
            whole += kept;
            moves += 1;
        }
        assert!(whole < Limits::GAME_NOTES + 100 * moves, "{whole}");
        assert_eq!(Notes::default().fit(&mut None, &mut Vec::new()), 0);
    }
}
