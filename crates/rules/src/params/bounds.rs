//! How large a number, how long a text or a list may be.

use std::fmt;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    pub(super) low: Option<u32>,
    pub(super) high: Option<u32>,
}

impl Bounds {
    pub const NONE: Bounds = Bounds { low: None, high: None };

    /// `low` has one number or none.
    pub const fn new(low: &[u32], high: u32) -> Bounds {
        Bounds { low: if low.is_empty() { None } else { Some(low[0]) }, high: Some(high) }
    }

    pub(super) fn hold(self, size: i64) -> bool {
        self.low.is_none_or(|low| size >= i64::from(low))
            && self.high.is_none_or(|high| size <= i64::from(high))
    }
}

/// With a blank in front, because what has no bounds is written as nothing.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            (Some(low), Some(high)) if low == high => write!(f, " {low}"),
            (Some(low), Some(high)) => write!(f, " {low} to {high}"),
            (Some(low), None) => write!(f, " {low} or more"),
            (None, Some(high)) => write!(f, " up to {high}"),
            (None, None) => Ok(()),
        }
    }
}
