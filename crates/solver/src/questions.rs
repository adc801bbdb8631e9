//! From scores to everything that can be asked about a position.

use crate::answer::{Method, Solution, Stopped, Value, Verdict};
use crate::scored::{Facts, Scored};

/// The longest line that is written down; drawn games may have no end.
const LINE_PLIES: usize = 400;

/// Who wins.
pub(crate) fn value(scored: &mut dyn Scored) -> Result<Value, Stopped> {
    let facts = scored.facts();
    for value in [Value::Win, Value::Draw] {
        if scored.reaches(facts.needed(value))? {
            return Ok(value);
        }
    }
    Ok(Value::Loss)
}

/// Who wins, and a move that keeps it so.
pub(crate) fn keeping_move(scored: &mut dyn Scored) -> Result<(Value, String), Stopped> {
    let value = value(scored)?;
    let (threshold, count) = (scored.facts().needed(value), scored.list_moves());
    // The search for the value has come past such a move, as a rule.
    let first = (0..count).find(|&mv| scored.remembers(mv, threshold)).unwrap_or(0);
    for mv in (first..count).chain(0..first) {
        if scored.move_reaches(mv, threshold)? {
            return Ok((value, scored.word(mv)));
        }
    }
    unreachable!("some move keeps the value")
}

/// The value, and the distance if the judge goes so far.
pub(crate) fn verdict(scored: &mut dyn Scored) -> Result<Verdict, Stopped> {
    let value = value(scored)?;
    let facts = scored.facts();
    match scored.exact() {
        Err(_) if !facts.has_points => Ok(untimed(value)),
        score => Ok(facts.verdict(score?)),
    }
}

/// Who wins, where points do not count and nothing else is known.
fn untimed(value: Value) -> Verdict {
    Verdict { value, margin: None, plies: None }
}

/// Everything: the moves that keep the value, the best moves, and a line of best play.
pub(crate) fn solution(scored: &mut dyn Scored, method: Method) -> Result<Solution, Stopped> {
    let value = value(scored)?;
    let (facts, count) = (scored.facts(), scored.list_moves());
    let keeping = reaching(scored, (0..count).collect(), facts.needed(value))?;
    let words = words(scored, &keeping);
    let Timed { verdict, best, line } = match timed(scored, facts, keeping) {
        // Who wins is proven, whatever became of the distances.
        Err(_) if !facts.has_points => {
            Timed { verdict: untimed(value), best: words.clone(), line: Vec::new() }
        }
        timed => timed?,
    };
    Ok(Solution { verdict, best, keeping: words, line, states: 0, method })
}

/// What the distances tell besides the value.
struct Timed {
    verdict: Verdict,
    best: Vec<String>,
    line: Vec<String>,
}

fn timed(scored: &mut dyn Scored, facts: Facts, keeping: Vec<usize>) -> Result<Timed, Stopped> {
    let score = scored.exact()?;
    let best = reaching(scored, keeping, score)?;
    let best = words(scored, &best);
    Ok(Timed { verdict: facts.verdict(score), best, line: line(scored, score)? })
}

/// Those of the moves that get the player who makes them at least this score.
fn reaching(scored: &mut dyn Scored, moves: Vec<usize>, threshold: i32) -> Result<Vec<usize>, Stopped> {
    let mut reaching = Vec::new();
    for mv in moves {
        if scored.move_reaches(mv, threshold)? {
            reaching.push(mv);
        }
    }
    Ok(reaching)
}

fn words(scored: &dyn Scored, moves: &[usize]) -> Vec<String> {
    moves.iter().map(|&mv| scored.word(mv)).collect()
}

/// Best play from a position with this score, until the game ends or a position comes again.
fn line(scored: &mut dyn Scored, mut score: i32) -> Result<Vec<String>, Stopped> {
    let counts_plies = scored.facts().scale.counts_plies();
    let mut line = Vec::new();
    while line.len() < LINE_PLIES && scored.goes_on() {
        let Some(mv) = first_reaching(scored, score)? else { break };
        line.push(scored.word(mv));
        let Some(step) = scored.make(mv) else { break };
        let rest = score - step.won;
        let below = if counts_plies { rest + rest.signum() } else { rest };
        score = if step.same_side { below } else { -below };
    }
    Ok(line)
}

fn first_reaching(scored: &mut dyn Scored, score: i32) -> Result<Option<usize>, Stopped> {
    for mv in 0..scored.list_moves() {
        if scored.move_reaches(mv, score)? {
            return Ok(Some(mv));
        }
    }
    Ok(None)
}
