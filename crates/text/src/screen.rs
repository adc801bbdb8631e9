//! Where a long piece of work says how far it has come.

/// The libraries print nothing themselves: whoever calls them lends them a screen.
pub trait Screen: Send + Sync {
    /// Is there a terminal, whose last line can be written over?
    fn has_terminal(&self) -> bool;
    /// A line that stays.
    fn tell(&self, line: &str);
    /// Writes over the last line of a terminal.
    fn overwrite(&self, line: &str);
}
