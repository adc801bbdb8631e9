//! A round robin of four bots, from the reference numbers.

/// The bot with white, the bot with black, and white's wins, draws and losses.
pub const RR4: [(usize, usize, [u32; 3]); 12] = [
    (0, 1, [5, 3, 2]),
    (1, 0, [4, 3, 3]),
    (0, 2, [6, 3, 1]),
    (2, 0, [3, 3, 4]),
    (0, 3, [8, 1, 1]),
    (3, 0, [1, 2, 7]),
    (1, 2, [5, 3, 2]),
    (2, 1, [4, 2, 4]),
    (1, 3, [6, 2, 2]),
    (3, 1, [2, 3, 5]),
    (2, 3, [5, 3, 2]),
    (3, 2, [3, 3, 4]),
];
