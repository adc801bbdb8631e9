//! Reads a request to explore. A mistake in a request costs no game, so it is noted in the request.

use crate::from_bot::{CountTag, Explore, Listing, Steps};
use crate::read::{shown, whole_number};
use serde::Deserialize;
use serde_json::Value;

/// Reads a request that has its `type` first, no escapes, and spaces only behind commas and colons.
/// Anything else is left to [`read`].
pub(crate) fn skim(line: &[u8]) -> Option<Explore> {
    let rest = std::str::from_utf8(line).ok()?.strip_prefix(r#"{"type":"#)?;
    let mut rest = rest.trim_start_matches(' ').strip_prefix(r#""explore""#)?;
    let mut request = Explore::default();
    while let Some(fields) = rest.strip_prefix(',') {
        let (key, value) = text(fields.trim_start_matches(' '))?;
        let value = value.strip_prefix(':')?.trim_start_matches(' ');
        rest = match key {
            "at" if request.at.is_none() => number(value, &mut request.at)?,
            "play" if request.play.is_none() => steps(value, &mut request.play)?,
            "tag" if request.tag.is_none() => number(value, &mut request.tag)?,
            "id" if request.id.is_none() => number(value, &mut request.id)?,
            "imagine" if request.imagine.is_none() => number(value, &mut request.imagine)?,
            "legal" if request.legal.is_none() => {
                let (listing, rest) = match value.strip_prefix(r#""count""#) {
                    Some(rest) => (Listing::Count(CountTag::Count), rest),
                    None => boolean(value).map(|(yes, rest)| (Listing::Moves(yes), rest))?,
                };
                request.legal = Some(listing);
                rest
            }
            "evaluate" if request.evaluate.is_none() => {
                let (yes, rest) = boolean(value)?;
                request.evaluate = Some(yes);
                rest
            }
            _ => return None,
        };
    }
    (rest == "}").then_some(request)
}

/// A text without escapes at the beginning of a line, and what comes after.
fn text(line: &str) -> Option<(&str, &str)> {
    let (text, rest) = line.strip_prefix('"')?.split_once('"')?;
    let plain = text.bytes().all(|byte| (b' '..0x7f).contains(&byte) && byte != b'\\');
    plain.then_some((text, rest))
}

fn number<'a>(line: &'a str, number: &mut Option<u64>) -> Option<&'a str> {
    let end = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len());
    let (digits, rest) = line.split_at(end);
    *number = Some(whole_number(digits)?);
    Some(rest)
}

fn boolean(line: &str) -> Option<(bool, &str)> {
    let yes = line.strip_prefix("true").map(|rest| (true, rest));
    yes.or_else(|| line.strip_prefix("false").map(|rest| (false, rest)))
}

fn steps<'a>(line: &'a str, play: &mut Option<Steps>) -> Option<&'a str> {
    let Some(list) = line.strip_prefix('[') else {
        let (mv, rest) = text(line)?;
        *play = Some(Steps::One(mv.to_owned()));
        return Some(rest);
    };
    let mut moves = Vec::new();
    let mut rest = list;
    loop {
        let (mv, after) = text(rest.trim_start_matches(' '))?;
        moves.push(mv.to_owned());
        match after.strip_prefix(',') {
            Some(more) => rest = more,
            None => break rest = after,
        }
    }
    *play = Some(Steps::Several(moves));
    rest.strip_prefix(']')
}

/// Reads a request in any layout.
pub(crate) fn read(value: &Value) -> Explore {
    let mut request = Explore::default();
    let mut reader = FieldReader { value, problem: None };
    let whole = "a whole number from 0 on";
    request.tag = reader.field("tag", whole);
    request.id = reader.field("id", "the whole number of the turn");
    request.match_id = reader.field("match", "the text of `match` in `start`");
    request.imagine = reader.field("imagine", whole);
    request.at = reader.field("at", whole);
    request.play = reader.field("play", "a move, or a list of moves, as texts");
    request.legal = reader.field("legal", "true, false or \"count\"");
    request.view = reader.field("view", "true, false or the number of a seat");
    request.evaluate = reader.field("evaluate", "true or false");
    request.problem = reader.problem;
    request
}

struct FieldReader<'a> {
    value: &'a Value,
    /// The first thing that is wrong.
    problem: Option<String>,
}

impl FieldReader<'_> {
    fn field<T: for<'a> Deserialize<'a>>(&mut self, name: &str, expected: &str) -> Option<T> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        let read = T::deserialize(value).ok();
        if read.is_none() {
            self.problem.get_or_insert_with(|| format!("`{name}` must be {expected}, not {}", shown(value)));
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::from_bot::Viewer;

    #[test]
    fn the_quick_way_to_read_a_request_reads_the_same() {
        for line in [
            r#"{"type":"explore"}"#,
            r#"{"type":"explore","at":0,"play":"b2"}"#,
            r#"{"type": "explore", "at": 12, "play": ["a1", "put 2C 6H"], "legal": "count"}"#,
            r#"{"type":"explore","play":["a1"],"legal":false,"evaluate":true,"tag":123456789012345678}"#,
            r#"{"type":"explore","legal":true,"imagine":17,"id":3}"#,
        ] {
            let general = read(&serde_json::from_str(line).unwrap());
            assert_eq!(general.problem, None, "{line}");
            assert_eq!(skim(line.as_bytes()), Some(general.clone()), "{line}");
            let written = serde_json::to_string(&general).unwrap();
            assert_eq!(serde_json::from_str::<Explore>(&written).unwrap(), general);
        }
        for line in [
            r#"{"type":"explore" }"#,
            r#"{"type":"explore","at":-1}"#,
            r#"{"type":"explore","at":01}"#,
            r#"{"type":"explore","at":1.5}"#,
            r#"{"type":"explore","at":1,"at":2}"#,
            r#"{"type":"explore","play":[]}"#,
            r#"{"type":"explore","play":["a1",]}"#,
            r#"{"type":"explore","play":["a1"}"#,
            r#"{"type":"explore","play":"b\u0032"}"#,
            r#"{"type":"explore","legal":"counts"}"#,
            r#"{"type":"explore","play":"aé"}"#,
            r#"{"type":"explore","view":true}"#,
            r#"{"type":"explore","match":"0001"}"#,
            r#"{"type":"explore","new":true}"#,
            r#"{"type":"explore","at":1}}"#,
            r#"{"type":"explore","at":1},"#,
            r#"{"type":"explored"}"#,
            r#"{"at":1,"type":"explore"}"#,
        ] {
            assert_eq!(skim(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_mistake_is_noted() {
        for (line, problem) in [
            (r#"{"play":5}"#, "`play` must be a move, or a list of moves, as texts, not 5"),
            (r#"{"play":["a1",2]}"#, "`play` must be"),
            (r#"{"at":-1}"#, "`at` must be a whole number from 0 on, not -1"),
            (r#"{"at":"0"}"#, "`at` must be"),
            (r#"{"imagine":1.5}"#, "`imagine` must be"),
            (r#"{"legal":"all"}"#, "`legal` must be true, false or \"count\", not \"all\""),
            (r#"{"view":"me"}"#, "`view` must be"),
            (r#"{"view":256}"#, "`view` must be"),
            (r#"{"evaluate":1}"#, "`evaluate` must be"),
            (r#"{"tag":"x","at":"y"}"#, "`tag` must be"),
        ] {
            let found = read(&serde_json::from_str(line).unwrap()).problem.unwrap_or_default();
            assert!(found.starts_with(problem), "{line}: {found}");
        }
        let whole =
            read(&serde_json::from_str(r#"{"play":[],"view":1,"at":null,"new":{},"match":"7"}"#).unwrap());
        assert_eq!((whole.moves().len(), whole.view, whole.problem), (0, Some(Viewer::Seat(1)), None));
        assert_eq!(whole.match_id.as_deref(), Some("7"));
    }
}
