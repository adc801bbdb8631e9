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

/// A question for a judge. Its type is `dyn`, so that each way is compiled once per game and not
/// once per question.
pub(crate) type Question<'a, P> = &'a mut dyn FnMut(&mut dyn ScoreJudge<P>, Valuing);

pub(crate) trait Way<P: Theory>: Send + Sized + 'static {
    const METHOD: Method = Method::Search;

    /// Finds a judge that knows the position, and asks the judge the question.
    fn ask(
        oracle: &mut Typed<P, Self>,
        position: &P,
        listen: Listener,
        question: Question<P>,
    ) -> Result<(), Stopped> {
        search(oracle, position, listen, question);
        Ok(())
    }

    /// Whether positions fall apart into independent games.
    const HAS_PARTS: bool = false;

    /// Calls `question` with the nim values of the parts, where the game has parts. The values take
    /// at most `bytes` of memory. `go_on` says whether to continue.
    fn value_parts(
        _position: &P,
        _bytes: u64,
        _go_on: &mut dyn FnMut(u64) -> bool,
        _question: &mut dyn FnMut(&mut dyn PartValues),
    ) {
    }
}

/// Solves by search, for games that always end.
pub(crate) struct BySearch;

impl<P: Theory> Way<P> for BySearch {}

/// Solves by search, which finds distances. Where the search would be too large, nim values decide.
pub(crate) struct ByParts;

impl<P: Sum> Way<P> for ByParts {
    const HAS_PARTS: bool = true;

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
    let (valuing, memory, for_numbers) = (oracle.valuing, oracle.memory(), oracle.memory_for_numbers());
    let table = oracle.table.get_or_insert_with(|| SolverTable::new(memory - for_numbers));
    let equal_wins = position.margin().is_none();
    let helpers = oracle.options.threads.saturating_sub(1);
    let crew = Crew::new(for_numbers, if helpers > 0 { Pace::USUAL } else { Pace::ALONE });
    let mut search = Search::new(valuing, equal_wins, (table, &crew), &oracle.work, listen);
    search.with_helpers(helpers, &mut |search| question(search, valuing));
}

/// Solves by retrograde analysis, from the ends of the game backwards, for games in which positions
/// can repeat.
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
        let (valuing, memory) = (oracle.valuing, oracle.memory());
        let table = oracle.table.get_or_insert_with(|| SolverTable::new(memory));
        question(&mut Complete { valuing, table }, valuing);
        Ok(())
    }
}

/// Makes sure that the table holds the position and everything that can follow from it.
fn analyse<P: Theory>(
    oracle: &mut Typed<P, Backwards>,
    position: &P,
    listen: Listener,
) -> Result<(), Stopped> {
    if oracle.table.as_ref().is_some_and(|table| table.find(oracle.valuing.key(position)).is_some()) {
        return Ok(());
    }
    oracle.table = None;
    let limits = (oracle.memory(), oracle.options.threads);
    let mut from = |root: &P, work| retrograde::analyse(root, oracle.valuing, limits, work, &mut *listen);
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
