//! Moving pieces about a board.
