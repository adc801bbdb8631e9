//! Where a long run shows its progress.

/// The libraries print nothing themselves. The program that calls them gives them a screen.
pub trait Screen: Send + Sync {
    /// Is the screen a terminal, so that its last rows can be overwritten?
    fn has_terminal(&self) -> bool;
    /// The columns of a row that is shown.
    fn columns(&self) -> usize;
    /// Prints a line that stays.
    fn tell(&self, line: &str);
    /// Shows these rows at the end of a terminal, in place of the rows that were shown before.
    fn show(&self, rows: &[String]);
}
