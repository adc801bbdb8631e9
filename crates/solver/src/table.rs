//! Bounds on the scores of positions, within a fixed amount of memory.
//!
//! A position takes 16 bytes: half of its fingerprint, and a lower and an upper bound on its score
//! for the player to move. Entries are never removed: when the memory is used up, the table is
//! full. The table grows part by part, so growing needs little more memory than the table itself.
//! Each part has its own lock, so that several threads can search at the same time.

use crate::fingerprint::Fingerprint;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// There is no room for another position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// A score is at least `low` and at most `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) low: i32,
    pub(crate) high: i32,
}

impl Bounds {
    /// Every score is smaller than this.
    pub(crate) const LIMIT: i32 = 1 << 30;
    pub(crate) const UNKNOWN: Bounds = Bounds { low: -Bounds::LIMIT, high: Bounds::LIMIT };

    pub(crate) fn exactly(score: i32) -> Bounds {
        Bounds { low: score, high: score }
    }

    /// The bounds that follow from a score found by asking for at least `threshold`.
    pub(crate) fn shown(score: i32, threshold: i32) -> Bounds {
        if score >= threshold {
            Bounds { low: score, ..Bounds::UNKNOWN }
        } else {
            Bounds { high: score, ..Bounds::UNKNOWN }
        }
    }

    fn pack(self) -> u64 {
        u64::from(self.low as u32) << 32 | u64::from(self.high as u32)
    }

    fn unpack(word: u64) -> Bounds {
        Bounds { low: (word >> 32) as i32, high: word as i32 }
    }

    pub(crate) fn and(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The bound that shows whether the score reaches `threshold`. `None` if neither bound does.
    #[inline]
    pub(crate) fn answer(self, threshold: i32) -> Option<i32> {
        if self.low >= threshold { Some(self.low) } else { (self.high < threshold).then_some(self.high) }
    }
}

/// The `check` half of the fingerprint and the packed bounds. The first word of a free slot is 0.
type TableSlot = [u64; 2];
const SLOT_BYTES: u64 = 16;
/// So many that one part, which exists twice while it grows, is small compared to the whole table.
const PARTS: u64 = 1024;

#[derive(Default)]
struct TablePart {
    slots: Vec<TableSlot>,
    used: usize,
}

pub(crate) struct SolverTable {
    parts: Vec<Mutex<TablePart>>,
    /// The largest number of slots in one part.
    most: usize,
    states: AtomicU64,
    slots: AtomicU64,
}

impl SolverTable {
    /// A table of at most `bytes` bytes.
    pub(crate) fn new(bytes: u64) -> SolverTable {
        // A part exists twice while it grows. A part needs at least ten slots: with fewer, the last
        // free slot would be used too, and a lookup ends only at a free slot.
        let most = (bytes / SLOT_BYTES / (PARTS + 1)).max(10) as usize;
        let parts = (0..PARTS).map(|_| Mutex::default()).collect();
        SolverTable { parts, most, states: AtomicU64::new(0), slots: AtomicU64::new(0) }
    }

    pub(crate) fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.slots.load(Ordering::Relaxed) * SLOT_BYTES
    }

    fn part(&self, key: Fingerprint) -> MutexGuard<'_, TablePart> {
        let part = (key.place >> 54) as usize;
        // A thread that panics leaves a valid part behind: each change keeps the part valid.
        self.parts[part].lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    pub(crate) fn find(&self, key: Fingerprint) -> Option<Bounds> {
        let part = self.part(key);
        let slot = part.slots.get(part.seek(key)?)?;
        (slot[0] == key.check).then(|| Bounds::unpack(slot[1]))
    }

    /// Combines new bounds with the known bounds of a position.
    #[inline]
    pub(crate) fn learn(&self, key: Fingerprint, bounds: Bounds) -> Result<(), Full> {
        let mut part = self.part(key);
        if part.used * 5 >= part.slots.len() * 4 {
            self.grow(&mut part)?;
        }
        let Some(at) = part.seek(key) else { return Err(Full) };
        let slot = &mut part.slots[at];
        if slot[0] == key.check {
            slot[1] = Bounds::unpack(slot[1]).and(bounds).pack();
        } else {
            *slot = [key.check, bounds.pack()];
            part.used += 1;
            self.states.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    fn grow(&self, part: &mut TablePart) -> Result<(), Full> {
        let old = part.slots.len();
        let size = (old * 3 / 2).clamp(8, self.most);
        if size == old {
            // A part that cannot grow is filled up to nine tenths.
            return if part.used * 10 >= old * 9 { Err(Full) } else { Ok(()) };
        }
        let slots = std::mem::replace(&mut part.slots, vec![[0; 2]; size]);
        for slot in slots.into_iter().filter(|slot| slot[0] != 0) {
            let at = part.place_of(slot[0]);
            let at = part.free_from(at);
            part.slots[at] = slot;
        }
        self.slots.fetch_add((size - old) as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Visits every used slot, with the number of its part.
    pub(crate) fn each(&self, mut visit: impl FnMut(u16, TableSlot)) {
        for (number, part) in self.parts.iter().enumerate() {
            let part = part.lock().unwrap_or_else(PoisonError::into_inner);
            part.slots.iter().filter(|slot| slot[0] != 0).for_each(|slot| visit(number as u16, *slot));
        }
    }

    /// Puts back a slot that [`SolverTable::each`] visited.
    pub(crate) fn restore(&self, part: u16, slot: TableSlot) -> Result<(), Full> {
        let key = Fingerprint { place: u64::from(part) << 54, check: slot[0] };
        self.learn(key, Bounds::unpack(slot[1]))
    }
}

impl TablePart {
    /// The slot where the lookup of a position begins. The slot depends only on the kept half of
    /// the fingerprint, so that a part can grow. The other half has chosen the part.
    #[inline]
    fn place_of(&self, check: u64) -> usize {
        ((u128::from(check) * self.slots.len() as u128) >> 64) as usize
    }

    /// The slot of a position, or the free slot where the position belongs. `None` in a part
    /// without slots.
    #[inline]
    fn seek(&self, key: Fingerprint) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.place_of(key.check);
        while self.slots[at][0] != 0 && self.slots[at][0] != key.check {
            at += 1;
            if at == self.slots.len() {
                at = 0;
            }
        }
        Some(at)
    }

    fn free_from(&self, mut at: usize) -> usize {
        while self.slots[at][0] != 0 {
            at = (at + 1) % self.slots.len();
        }
        at
    }
}
