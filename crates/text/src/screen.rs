//! Where a long run shows its progress.

/// The libraries print nothing themselves. The program that calls them gives them a screen.
pub trait Screen: Send + Sync {
    /// Is the screen a terminal, so that its last line can be overwritten?
    fn has_terminal(&self) -> bool;
    /// Prints a line that stays.
    fn tell(&self, line: &str);
    /// Replaces the last line of a terminal.
    fn overwrite(&self, line: &str);
}
