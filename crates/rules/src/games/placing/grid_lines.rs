//! Lines between neighbouring dots of a grid, as bits, and the boxes that lie beside each of them.

/// Dots in a row, whatever part of it a board uses.
pub(super) const STRIDE: u8 = 9;

/// Lines are numbered: those across by their left dot, 9 times its row plus its column, then those
/// up by their lower dot in the same way, from this number on.
pub(super) const UP: u8 = STRIDE * STRIDE;

/// Some lines across and some lines up, each with the bit of its left or lower dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) across: u128,
    pub(super) up: u128,
}

impl Lines {
    pub(super) const NONE: Lines = Lines { across: 0, up: 0 };

    /// All lines of a board of so many boxes.
    #[inline]
    pub(super) fn of_board(width: u8, height: u8) -> Lines {
        BOARDS[width as usize][height as usize]
    }

    #[inline]
    #[must_use]
    pub(super) fn and(self, other: Lines) -> Lines {
        Lines { across: self.across & other.across, up: self.up & other.up }
    }

    #[inline]
    #[must_use]
    pub(super) fn with(self, other: Lines) -> Lines {
        Lines { across: self.across | other.across, up: self.up | other.up }
    }

    #[inline]
    #[must_use]
    pub(super) fn without(self, other: Lines) -> Lines {
        Lines { across: self.across & !other.across, up: self.up & !other.up }
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.across | self.up == 0
    }

    pub(super) fn count(self) -> u32 {
        self.across.count_ones() + self.up.count_ones()
    }

    /// The lowest number of a line.
    #[inline]
    pub(super) fn first(self) -> Option<u8> {
        if self.across != 0 {
            Some(self.across.trailing_zeros() as u8)
        } else {
            (self.up != 0).then(|| self.up.trailing_zeros() as u8 + UP)
        }
    }

    /// The boxes with exactly three sides, each with the bit of its lower left dot.
    #[inline]
    pub(super) fn boxes_of_three(self) -> u128 {
        let (below, above) = (self.across, self.across >> STRIDE);
        let (left, right) = (self.up, self.up >> 1);
        below & above & (left ^ right) | left & right & (below ^ above)
    }

    /// The numbers of the lines.
    pub(super) fn each(self) -> impl Iterator<Item = u8> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let first = rest.first()?;
            rest = rest.without(SURROUNDINGS[first as usize].line);
            Some(first)
        })
    }

    /// The sides of a box, by its lower left dot.
    pub(super) const fn around(corner: u8) -> Lines {
        let corner = 1 << corner;
        Lines { across: corner | corner << STRIDE, up: corner | corner << 1 }
    }
}

/// What a line has around it, looked up because shifting so many bits takes long.
pub(super) struct Surroundings {
    pub(super) line: Lines,
    /// All lines with higher numbers.
    pub(super) later: Lines,
    /// The sides of the boxes beside it. Of a box outside the board some are never drawn.
    pub(super) boxes: [Lines; 2],
}

/// By the numbers of the lines.
pub(super) static SURROUNDINGS: [Surroundings; 2 * UP as usize] = {
    /// A box that nobody can close: no line has this bit.
    const OUTSIDE: Lines = Lines { across: 1 << 127, up: 0 };
    const NOTHING: Surroundings = Surroundings { line: Lines::NONE, later: Lines::NONE, boxes: [OUTSIDE; 2] };
    let mut all = [NOTHING; 2 * UP as usize];
    let mut dot = 0;
    while dot < UP {
        let bit = 1 << dot;
        let higher = !(bit | (bit - 1));
        let below = if dot < STRIDE { OUTSIDE } else { Lines::around(dot - STRIDE) };
        let left = if dot == 0 { OUTSIDE } else { Lines::around(dot - 1) };
        all[dot as usize] = Surroundings {
            line: Lines { across: bit, up: 0 },
            later: Lines { across: higher, up: u128::MAX },
            boxes: [Lines::around(dot), below],
        };
        all[(UP + dot) as usize] = Surroundings {
            line: Lines { across: 0, up: bit },
            later: Lines { across: 0, up: higher },
            boxes: [Lines::around(dot), left],
        };
        dot += 1;
    }
    all
};

/// By width and height.
static BOARDS: [[Lines; STRIDE as usize]; STRIDE as usize] = {
    let mut boards = [[Lines::NONE; STRIDE as usize]; STRIDE as usize];
    let mut at = 0;
    while at < UP as usize * UP as usize {
        let (board, dot) = (at / UP as usize, at % UP as usize);
        let (width, height) = (board / STRIDE as usize, board % STRIDE as usize);
        let (col, row) = (dot % STRIDE as usize, dot / STRIDE as usize);
        if col < width && row <= height {
            boards[width][height].across |= 1 << dot;
        }
        if col <= width && row < height {
            boards[width][height].up |= 1 << dot;
        }
        at += 1;
    }
    boards
};
