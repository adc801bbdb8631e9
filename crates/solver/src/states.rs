//! Positions with numbers: a growing list, and an index that finds a position's number.

use crate::answer::Stopped;
use crate::fingerprint::Fingerprint;
use rules::Theory;

/// A list that grows without moving its items.
pub(crate) struct Pages<T> {
    pages: Vec<Vec<T>>,
}

const PAGE: usize = 1 << 16;
/// The number of positions between two calls of `report`.
const STEP: usize = 1 << 16;

impl<T> Pages<T> {
    pub(crate) fn new() -> Self {
        Pages { pages: Vec::new() }
    }

    pub(crate) fn push(&mut self, item: T) {
        match self.pages.last_mut() {
            Some(page) if page.len() < PAGE => page.push(item),
            // The first page grows as needed, so that a small game takes little memory.
            _ => {
                let mut page = if self.pages.is_empty() { Vec::new() } else { Vec::with_capacity(PAGE) };
                page.push(item);
                self.pages.push(page);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.pages.last().map_or(0, |last| (self.pages.len() - 1) * PAGE + last.len())
    }

    pub(crate) fn get(&self, at: usize) -> &T {
        &self.pages[at / PAGE][at % PAGE]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.pages.iter().flatten()
    }

    pub(crate) fn from(&self, at: usize) -> impl Iterator<Item = &T> {
        let first = self.pages.get(at / PAGE).and_then(|page| page.get(at % PAGE..)).unwrap_or_default();
        first.iter().chain(self.pages.iter().skip(at / PAGE + 1).flatten())
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.pages.iter().map(|page| (page.capacity() * size_of::<T>()) as u64).sum()
    }
}

/// Every position found so far, numbered in the order of discovery.
pub(crate) struct States<P> {
    pub(crate) list: Pages<P>,
    /// The numbers of positions, placed by fingerprint.
    slots: Vec<u32>,
    /// One byte of the fingerprint for each slot, or 0 for a free slot. Most wrong candidates
    /// differ in this byte, so that few positions have to be compared.
    tags: Vec<u8>,
}

/// The byte uses other bits than the choice of the slot.
fn tag(place: u64) -> u8 {
    place as u8 | 1
}

impl<P: Theory> States<P> {
    pub(crate) fn new() -> Self {
        States { list: Pages::new(), slots: vec![0; 64], tags: vec![0; 64] }
    }

    /// The number of a known position.
    pub(crate) fn find(&self, place: u64, position: &P) -> Option<u32> {
        self.seek(place, position).ok()
    }

    /// The number of a position. A new position gets the next number; there must be
    /// [room](States::reserve) for the position.
    pub(crate) fn number(&mut self, place: u64, position: P) -> u32 {
        let at = match self.seek(place, &position) {
            Ok(number) => return number,
            Err(at) => at,
        };
        let number = self.list.len() as u32;
        self.slots[at] = number;
        self.tags[at] = tag(place);
        self.list.push(position);
        number
    }

    /// Makes room for `more` new positions. `report` is called now and then and can stop the work.
    pub(crate) fn reserve(
        &mut self,
        more: usize,
        report: impl FnMut() -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let mut size = self.slots.len();
        while (self.list.len() + more) * 4 > size * 3 {
            size *= 2;
        }
        if size > self.slots.len() { self.grow(size, report) } else { Ok(()) }
    }

    /// The number of a position, or the free slot where the position belongs.
    fn seek(&self, place: u64, position: &P) -> Result<u32, usize> {
        let mut at = self.place(place);
        while self.tags[at] != 0 {
            let number = self.slots[at];
            if self.tags[at] == tag(place) && self.list.get(number as usize) == position {
                return Ok(number);
            }
            at = self.after(at);
        }
        Err(at)
    }

    fn place(&self, place: u64) -> usize {
        ((u128::from(place) * self.slots.len() as u128) >> 64) as usize
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 < self.slots.len() { at + 1 } else { 0 }
    }

    fn grow(&mut self, size: usize, mut report: impl FnMut() -> Result<(), Stopped>) -> Result<(), Stopped> {
        (self.slots, self.tags) = (vec![0; size], vec![0; size]);
        for (number, position) in self.list.iter().enumerate() {
            if number % STEP == 0 {
                report()?;
            }
            let place = Fingerprint::of(position).place;
            let mut at = self.place(place);
            while self.tags[at] != 0 {
                at = self.after(at);
            }
            self.slots[at] = number as u32;
            self.tags[at] = tag(place);
        }
        Ok(())
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.list.bytes() + self.slots.len() as u64 * 5
    }
}
