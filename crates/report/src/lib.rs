//! Reports as pages that open from disk: a tournament, or the grades of a class.
//!
//! ```text
//! journals ──▶ gathered ──▶ sections, charts ──▶ page
//! ```

pub mod charts;
pub mod class;
pub mod games;
pub mod gathered;
pub mod page;
mod quantiles;
pub mod scorecard;
pub mod sections;
