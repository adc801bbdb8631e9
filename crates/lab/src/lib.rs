//! The laboratory: shows what the theory of games says.
//!
//! A [`Study`] is a position of any duel. A study is typed and fast inside, and uses text outside.
//!
//! ```
//! let grundy = rules::find("grundy").unwrap();
//! let study = lab::open(grundy, &serde_json::json!({"piles": [7]})).unwrap();
//! let mut graph = study.unfold(lab::Shape::Graph, 9, 1_000).unwrap();
//! graph.label(None);
//! assert_eq!((graph.nodes.len(), graph.edges.len()), (14, 17));
//! assert_eq!(graph.root_label(), Some(lab::Label::Wins(lab::Side::B)));
//! ```

mod bugs;
mod compact;
mod compare;
mod diagnose;
mod diagram;
mod draw;
mod drawn;
mod ink;
mod judge;
mod plot;
mod sample;
mod seen;
mod squares;
mod study;
mod technique;
mod visited;

pub use bugs::Bug;
pub use compare::{ComparisonRow, branching, compare};
pub use diagnose::{
    Answer, Asked, DEEPEST, Diagnosis, Hypothesis, HypothesisFit, Inquiry, Oversight, OversightKind, Plan,
    Prediction, Remark, diagnose,
};
pub use diagram::{
    Cut, Diagram, DiagramNode, Edge, Label, Marked, Notation, Searched, Shape, Side, TooLarge,
};
pub use draw::{Format, Heading, render, wrapped};
pub use drawn::Drawn;
pub use judge::{DeepSearch, Judge, Judged, Report, Verdict, Worth, analyse};
pub use plot::plot;
pub use sample::{Sample, sample, samples};
pub use seen::SeenTree;
pub use squares::draw_squares;
pub use study::{OpenError, Study, open};
pub use technique::Technique;
pub use visited::VisitedTree;
