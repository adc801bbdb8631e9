//! Tournaments.
