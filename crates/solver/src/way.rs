//! The ways of solving. Each is compiled only for the games that need it.

use crate::answer::{Method, Stopped};
use crate::crew::{Crew, Pace};
use crate::effort::Listener;
use crate::judge::{Complete, ScoreJudge};
use crate::loop_free::Search;
use crate::nim_values::{NimValues, PartValues};
use crate::node::Valuing;
use crate::oracle::{Horizon, Typed};
use crate::retrograde;
use crate::table::SolverTable;
use rules::{Sum, Theory};

/// A question for a judge. It is not part of the type, so that a way is compiled once for each game.
pub(crate) type Question<'a, P> = &'a mut dyn FnMut(&mut dyn ScoreJudge<P>, Valuing);

pub(crate) trait Way<P: Theory>: Send + Sized + 'static {
    const METHOD: Method = Method::Search;

    /// Finds a judge who knows the position, and asks the question.
    fn ask(
        oracle: &mut Typed<P, Self>,
        position: &P,
        listen: Listener,
        question: Question<P>,
    ) -> Result<(), Stopped> {
        search(oracle, position, listen, question);
        Ok(())
    }

    /// Does the position fall apart into independent games?
    fn has_parts(_position: &P) -> bool {
        false
    }

    /// Hands over the values of the parts, where there are any. They take no more than `bytes`, and
    /// `go_on` says whether they may take longer.
    fn value_parts(
        _position: &P,
        _bytes: u64,
        _go_on: &mut dyn FnMut(u64) -> bool,
        _question: &mut dyn FnMut(&mut dyn PartValues),
    ) {
    }
}

/// By search: every game ends.
pub(crate) struct BySearch;

impl<P: Theory> Way<P> for BySearch {}

/// By search for distances, and by nim values where the search would be too large.
pub(crate) struct ByParts;

impl<P: Sum> Way<P> for ByParts {
    fn has_parts(position: &P) -> bool {
        position.parts().is_some()
    }

    fn value_parts(
        position: &P,
        bytes: u64,
        go_on: &mut dyn FnMut(u64) -> bool,
        question: &mut dyn FnMut(&mut dyn PartValues),
    ) {
        question(&mut NimValues::new(position, bytes, go_on));
    }
}

fn search<P: Theory, W: Way<P>>(
    oracle: &mut Typed<P, W>,
    position: &P,
    listen: Listener,
    question: Question<P>,
) {
    let (eyes, memory, for_numbers) = (oracle.eyes, oracle.memory(), oracle.memory_for_numbers());
    let table = oracle.table.get_or_insert_with(|| SolverTable::new(memory - for_numbers));
    let pointless = position.margin().is_none();
    let helpers = oracle.options.threads.saturating_sub(1);
    let crew = Crew::new(for_numbers, if helpers > 0 { Pace::USUAL } else { Pace::ALONE });
    let mut search = Search::new(eyes, pointless, (table, &crew), &oracle.work, listen);
    search.with_helpers(helpers, &mut |search| question(search, eyes));
}

/// By retrograde analysis, from the ends of the game backwards: positions can come back.
pub(crate) struct Backwards;

impl<P: Theory> Way<P> for Backwards {
    const METHOD: Method = Method::Retrograde;

    fn ask(
        oracle: &mut Typed<P, Self>,
        position: &P,
        listen: Listener,
        question: Question<P>,
    ) -> Result<(), Stopped> {
        analyse(oracle, position, listen)?;
        let (eyes, memory) = (oracle.eyes, oracle.memory());
        let table = oracle.table.get_or_insert_with(|| SolverTable::new(memory));
        question(&mut Complete { eyes, table }, eyes);
        Ok(())
    }
}

/// Makes sure that the table has the position and all that can follow.
fn analyse<P: Theory>(
    oracle: &mut Typed<P, Backwards>,
    position: &P,
    listen: Listener,
) -> Result<(), Stopped> {
    if oracle.table.as_ref().is_some_and(|table| table.find(oracle.eyes.key(position)).is_some()) {
        return Ok(());
    }
    oracle.table = None;
    let limits = (oracle.memory(), oracle.options.threads);
    let mut from = |root: &P, work| retrograde::analyse(root, oracle.eyes, limits, work, &mut *listen);
    if oracle.horizon == Horizon::Game {
        match from(oracle.start(), &oracle.work) {
            Err(Stopped::Memory) => oracle.horizon = Horizon::Position,
            analysed => {
                oracle.table = Some(analysed?);
                return Ok(());
            }
        }
    }
    oracle.table = Some(from(position, &oracle.work)?);
    Ok(())
}
