//! Reads a bot's line, or says what is wrong with the line so that a beginner can correct it.

use crate::PROTOCOL;
use crate::explore;
use crate::from_bot::{FromBot, Info, InfoTag, Log, Move, Ready, Search};
use crate::limits::Limits;
use crate::not_json::not_json;
use crate::object::Object;
use serde::Deserialize;
use serde_json::Value;

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `bad_json`, `bad_message` or `protocol_version`.
    pub code: &'static str,
    pub message: String,
    pub column: Option<usize>,
    pub hint: Option<String>,
}

impl Problem {
    fn message(message: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem { code: "bad_message", message: message.into(), column: None, hint: Some(hint.into()) }
    }
}

/// The place of a legal move in a hint. The referee replaces it with a legal move.
pub const EXAMPLE: &str = r#""…""#;

const EXPECTED: &str = r#"send one line such as {"move":"…"} with a move from the list `legal`"#;

/// Reads one line without its newline. Unknown keys and unknown types are ignored.
pub fn read_line(line: &[u8]) -> Result<FromBot, Problem> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    // A plain move is by far the most frequent line.
    if let Some(reply) = skim(line) {
        return Ok(FromBot::Move(reply));
    }
    // A search sends many of these.
    if let Some(request) = explore::skim(line) {
        return Ok(FromBot::Explore(request));
    }
    if let Ok(Object(mut reply)) = serde_json::from_slice::<Object<Move>>(line) {
        reply.mv.truncate(reply.mv.trim_end().len());
        reply.mv.drain(..reply.mv.len() - reply.mv.trim_start().len());
        reply.info = reply.info.map(|info| tidy(*info).into());
        return Ok(FromBot::Move(reply));
    }
    let value = read_value(line)?;
    let Value::Object(fields) = &value else { return Err(not_an_object(&value)) };
    match fields.get("type") {
        None => read_move(value),
        Some(Value::String(kind)) => match kind.as_str() {
            "move" => read_move(value),
            "ready" => read_ready(&value),
            "info" => Ok(read_info(value)),
            "explore" => Ok(FromBot::Explore(explore::read(&value))),
            "log" => {
                Ok(Log::deserialize(value).map_or_else(|_| FromBot::Unknown("log".to_owned()), tidy_log))
            }
            other => Ok(FromBot::Unknown(cut(other, Limits::NAME_CHARS))),
        },
        Some(other) => {
            Err(Problem::message(format!("`type` must be a text, not {}", shown(other)), EXPECTED))
        }
    }
}

/// JSON allows numbers of any size. A number that is too large for this program is read as a text.
/// A field that needs a number then refuses the text, or leaves it out.
fn read_value(line: &[u8]) -> Result<Value, Problem> {
    match (serde_json::from_slice(line), std::str::from_utf8(line)) {
        (Err(error), Ok(text)) if error.to_string().starts_with("number out of range") => {
            let line = with_texts_for_huge_numbers(text);
            serde_json::from_str(&line).map_err(|error| not_json(line.as_bytes(), &error))
        }
        (value, _) => value.map_err(|error| not_json(line, &error)),
    }
}

fn with_texts_for_huge_numbers(line: &str) -> String {
    let mut found = String::with_capacity(line.len() + 2);
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => text_length(rest),
            '-' | '0'..='9' => rest.find(|c: char| !"+-.eE0123456789".contains(c)).unwrap_or(rest.len()),
            other => other.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        let huge = first != '"' && piece.parse::<f64>().is_ok_and(f64::is_infinite);
        found.push_str(&if huge { format!("\"{piece}\"") } else { piece.to_owned() });
        rest = after;
    }
    found
}

/// The number of bytes of the JSON text at the beginning of the line, with its quotation marks.
fn text_length(line: &str) -> usize {
    let mut escaped = false;
    let end = line.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(line.len(), |end| end + 2)
}

/// A value that a bot sent, for a message.
pub(crate) fn shown(value: &Value) -> String {
    quoted(value.to_string().as_bytes())
}

/// Reads a move that is written exactly like `{"id":4,"move":"b2"}` or `{"move":"b2"}`, without
/// blanks or escapes.
fn skim(line: &[u8]) -> Option<Move> {
    let rest = std::str::from_utf8(line).ok()?.strip_prefix('{')?;
    let (id, rest) = match rest.strip_prefix(r#""id":"#) {
        Some(rest) => rest.split_once(',').map(|(id, rest)| (Some(id), rest))?,
        None => (None, rest),
    };
    let mv = rest.strip_prefix(r#""move":""#)?.strip_suffix(r#""}"#)?;
    let plain = mv.bytes().all(|byte| (b' '..0x7f).contains(&byte) && byte != b'"' && byte != b'\\');
    if !plain || mv.starts_with(' ') || mv.ends_with(' ') {
        return None;
    }
    let id = match id {
        Some(id) => Some(whole_number(id)?),
        None => None,
    };
    Some(Move { id, ..Move::new(mv) })
}

/// A whole number as JSON writes it. 18 digits always fit into a `u64`.
pub(crate) fn whole_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.len() < 19 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits && !(text.starts_with('0') && text.len() > 1);
    if number { text.parse().ok() } else { None }
}

fn read_move(mut value: Value) -> Result<FromBot, Problem> {
    let info = value.get_mut("info").map(Value::take);
    let mv = match value.get("move") {
        Some(Value::String(mv)) => mv.trim().to_owned(),
        Some(Value::Null) => {
            return Err(Problem::message(
                "`move` is null: the bot has chosen no move",
                "did its search find no move good enough? Let the first legal move be the best to begin with",
            ));
        }
        Some(other) => {
            let hint = r#"moves are texts: write {"move":"…"}, with a text from the list `legal`"#;
            return Err(Problem::message(format!("`move` must be a text, not {}", shown(other)), hint));
        }
        None => return Err(no_move(&value)),
    };
    let id = match value.get("id") {
        None | Some(Value::Null) => None,
        Some(id) => {
            let wrong = || {
                let message = format!("`id` must be the whole number of the turn, not {}", shown(id));
                Problem::message(message, "write the id without quotation marks, \"id\":1, or leave it out")
            };
            Some(id.as_u64().ok_or_else(wrong)?)
        }
    };
    let (info, slips) = info.map_or((None, 0), read_search);
    Ok(FromBot::Move(Move { kind: None, id, mv, info: info.map(Box::new), slips }))
}

fn read_info(mut value: Value) -> FromBot {
    let fields = value.as_object_mut();
    let id = fields.and_then(|fields| {
        fields.remove("type");
        fields.remove("id")
    });
    let (search, slips) = read_search(value);
    let search = search.unwrap_or_default();
    FromBot::Info(Info { kind: InfoTag::Info, id: id.and_then(|id| id.as_u64()), search, slips })
}

/// What a bot says about its search is optional, so a mistake there must not cost the move. Wrong
/// fields are left out and counted.
fn read_search(info: Value) -> (Option<Search>, u64) {
    let mut fields = match info {
        Value::Null => return (None, 0),
        Value::Object(fields) => fields,
        _ => return (None, 1),
    };
    let sent = fields.len();
    fields.retain(|name, value| {
        let alone = serde_json::Map::from_iter([(name.clone(), value.clone())]);
        Search::deserialize(Value::Object(alone)).is_ok()
    });
    let slips = (sent - fields.len()) as u64;
    (Search::deserialize(Value::Object(fields)).ok().map(tidy), slips)
}

fn no_move(value: &Value) -> Problem {
    let keys: Vec<&str> = value.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
    let similar = keys.iter().find(|key| {
        let key = key.to_ascii_lowercase();
        key.starts_with("mov") || key == "action" || key == "mv" || key == "play"
    });
    match similar {
        Some(key) => Problem::message(
            format!("there is no `move` in this object, but there is the field `{key}`"),
            format!("rename `{key}` to `move`, in lower case"),
        ),
        None => Problem::message("there is no `move` in this object", EXPECTED),
    }
}

fn read_ready(value: &Value) -> Result<FromBot, Problem> {
    let text = |name: &str| match value.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(cut(text, Limits::NAME_CHARS))),
        Some(other) => {
            let message = format!("`{name}` must be a text, not {}", shown(other));
            Err(Problem::message(message, format!("put the {name} in quotation marks, or leave it out")))
        }
    };
    let protocol = match value.get("protocol") {
        None | Some(Value::Null) => None,
        Some(version) => Some(version.as_u64().ok_or_else(|| {
            let message = format!("`protocol` must be a whole number, not {}", shown(version));
            Problem::message(message, format!("write \"protocol\":{PROTOCOL}, or leave it out"))
        })?),
    };
    if let Some(spoken) = protocol.filter(|&version| version != u64::from(PROTOCOL)) {
        return Err(Problem {
            code: "protocol_version",
            message: format!("the bot speaks protocol {spoken}, and this arena speaks protocol {PROTOCOL}"),
            column: None,
            hint: Some(format!("write the bot for protocol {PROTOCOL}, or leave `protocol` out of `ready`")),
        });
    }
    Ok(FromBot::Ready(Ready {
        protocol: protocol.map(|_| PROTOCOL),
        name: text("name")?,
        version: text("version")?,
        author: text("author")?,
        ..Ready::default()
    }))
}

fn tidy_log(mut log: Log) -> FromBot {
    log.text = cut(&log.text, Limits::TEXT_CHARS);
    FromBot::Log(log)
}

/// Cuts the report of a search down to the limits.
fn tidy(mut search: Search) -> Search {
    search.text = search.text.map(|text| cut(&text, Limits::TEXT_CHARS));
    if let Some(pv) = &mut search.pv {
        pv.truncate(Limits::PV_MOVES);
        for mv in pv {
            *mv = cut(mv, Limits::NAME_CHARS);
        }
    }
    if let Some(marks) = &mut search.marks {
        marks.truncate(Limits::MARKS);
        for mark in marks {
            mark.cell = cut(&mark.cell, 16);
            mark.text = mark.text.take().map(|text| cut(&text, 16));
        }
    }
    search
}

/// At most `count` characters, none of them a control character.
fn cut(text: &str, count: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(count).collect()
}

fn not_an_object(value: &Value) -> Problem {
    let message = match value {
        Value::String(_) => "this is a JSON text, not an object",
        Value::Array(_) => "this is a JSON list, not an object",
        _ => "this is a bare JSON value, not an object",
    };
    Problem::message(message, EXPECTED)
}

/// A bot's line for a report: at most 200 bytes, and control characters are escaped as in JSON.
pub fn quoted(line: &[u8]) -> String {
    const SHOWN: usize = 200;
    let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
    let mut quoted = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => quoted.extend(c.escape_default()),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    if line.len() > SHOWN {
        quoted.push_str(&format!("… ({} bytes)", line.len()));
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<FromBot, Problem> {
        read_line(line.as_bytes())
    }

    #[test]
    fn what_bots_may_write() {
        for (line, mv, id) in [
            (r#"{"move":"b2"}"#, "b2", None),
            (r#"{"type":"move","id":7,"move":"b2"}"#, "b2", Some(7)),
            (r#" {"move": " b2 ", "extra": [1, {"x": null}]} "#, "b2", None),
            ("{\"move\":\"b2\"}\r", "b2", None),
            (r#"{"move":"b2","info":{"score":"high"}}"#, "b2", None),
            (r#"{"id":null,"move":"put 2C 6H"}"#, "put 2C 6H", None),
        ] {
            let Ok(FromBot::Move(found)) = read(line) else { panic!("{line}") };
            assert_eq!((found.mv.as_str(), found.id), (mv, id), "{line}");
        }
        assert!(matches!(read(r#"{"type":"ready","name":"x"}"#), Ok(FromBot::Ready(_))));
        assert!(matches!(read(r#"{"type":"info","depth":3}"#), Ok(FromBot::Info(_))));
        assert!(matches!(read(r#"{"type":"log","text":"x"}"#), Ok(FromBot::Log(_))));
        assert!(matches!(read(r#"{"type":"dance"}"#), Ok(FromBot::Unknown(_))));
    }

    #[test]
    fn a_list_is_not_an_object() {
        for (line, slips) in [
            (r#"{"move":"b2","info":[1,2]}"#, 1),
            (r#"{"move":"b2","info":{"marks":[["a1","x",0.5]]}}"#, 1),
            (r#"{"move":"b2","info":{"marks":[{"cell":"a1"}]}}"#, 0),
            (r#"{"move":"b2","info":null}"#, 0),
        ] {
            let Ok(FromBot::Move(found)) = read(line) else { panic!("{line}") };
            assert_eq!((found.mv.as_str(), found.slips), ("b2", slips), "{line}");
            let marks = found.info.as_ref().and_then(|info| info.marks.as_ref());
            assert_eq!(marks.is_some(), line.contains("cell"), "{line}");
            assert!(found.info.is_none_or(|info| info.depth.is_none()), "{line}");
        }
        assert!(
            matches!(read(r#"{"type":"info","marks":[["a1"]]}"#), Ok(FromBot::Info(info)) if info.slips == 1)
        );
    }

    #[test]
    fn the_quick_way_to_read_a_move_reads_the_same() {
        for line in [
            r#"{"id":4,"move":"b2"}"#,
            r#"{"move":"b2"}"#,
            r#"{"id":0,"move":""}"#,
            r#"{"id":0,"move":"put 2C 6H"}"#,
            r#"{"id":123456789012345678,"move":"a1-b2"}"#,
        ] {
            let general = serde_json::from_str::<Move>(line).unwrap();
            assert_eq!(skim(line.as_bytes()), Some(general), "{line}");
        }
        for line in [
            r#"{"id":04,"move":"b2"}"#,
            r#"{"id":-4,"move":"b2"}"#,
            r#"{"id":,"move":"b2"}"#,
            r#"{"id":4,"move":"b\u0032"}"#,
            r#"{"id":4,"move":"b2","move":"b3"}"#,
            r#"{"id":4,"move":"b2"}{"id":4,"move":"b3"}"#,
            r#"{"id":4,"move":" b2"}"#,
            r#"{"id":4,"move":"aé"}"#,
            "{\"id\":4,\"move\":\"b\u{1}\"}",
        ] {
            assert_eq!(skim(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn frequent_mistakes_get_a_hint() {
        for (line, code, hint) in [
            ("{'move': 'a1'}", "bad_json", "json.dumps"),
            ("a1a2", "bad_json", "if this is your move"),
            ("\"a1a2\"", "bad_message", "one line such as"),
            (r#"{"move": 5}"#, "bad_message", EXAMPLE),
            (r#"{"move": [1,1]}"#, "bad_message", EXAMPLE),
            (r#"{"move":null,"id":1}"#, "bad_message", "no move good enough"),
            (r#"{"mov":"a1"}"#, "bad_message", "rename `mov` to `move`"),
            (r#"{"Move":"a1"}"#, "bad_message", "lower case"),
            (r#"{"action":"a1"}"#, "bad_message", "rename `action` to `move`"),
            (r#"{"move":"a1","info":{"score": Infinity}}"#, "bad_json", "not JSON: leave"),
            (r#"{"move":"a1","info":{"score": NaN}}"#, "bad_json", "not JSON: leave"),
            (r#"{"move":"a1","info":{"score": -inf}}"#, "bad_json", "not JSON: leave"),
            (r#"{"move":"a1","info":{"depth":3,}}"#, "bad_json", "JSON library"),
            (r#"{info:{"depth":3}}"#, "bad_json", "JSON library"),
            (r#"{"move":"NaN",}"#, "bad_json", "JSON library"),
            (r#"depth 4 {"move":"a1"}"#, "bad_json", "standard error"),
            ("thinking about it for a while", "bad_json", "standard error"),
            (r#"{"move":"a1"}{"move":"a2"}"#, "bad_json", "one object per line"),
            (r#"{"move":"a1""#, "bad_json", "not finished"),
            ("\u{feff}{\"move\":\"a1\"}", "bad_json", "byte order mark"),
            ("[]", "bad_message", "one line such as"),
            (r#"["move",null,"a1"]"#, "bad_message", "one line such as"),
            (r#"{"move":"a1","id":"7"}"#, "bad_message", "without quotation marks"),
            ("play 3C", "bad_json", "if this is your move"),
            (r#"{"type":"ready","protocol":2}"#, "protocol_version", "protocol 1"),
            (r#"{"type":"ready","protocol":"1"}"#, "bad_message", r#""protocol":1"#),
            (r#"{"type":"ready","name":5}"#, "bad_message", "quotation marks"),
            (r#"{"type":5,"move":"a1"}"#, "bad_message", "one line such as"),
        ] {
            let problem = read(line).expect_err(line);
            assert_eq!(problem.code, code, "{line}");
            let found = problem.hint.unwrap();
            assert!(found.contains(hint), "{line}: {found}");
        }
        assert!(read_line(b"\xff\xfe{\0").is_err());
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(read(&deep).unwrap_err().code, "bad_json");
    }

    #[test]
    fn a_mistake_in_info_costs_nothing() {
        for (line, slips, depth) in [
            (r#"{"move":"a1","info":{"depth":3,"score":1e400}}"#, 1, Some(3)),
            (r#"{"move":"a1","info":{"depth":3,"score":-1e400,"text":"1e400 \"1e400\" \\"}}"#, 1, Some(3)),
            (r#"{"move":"a1","info":{"depth":3,"bound":"about","proven":"maybe","pv":"a1"}}"#, 3, Some(3)),
            (r#"{"move":"a1","info":{"depth":-3,"nodes":1e30,"marks":[{"heat":1}]}}"#, 3, None),
            (r#"{"move":"a1","info":"deep"}"#, 1, None),
            (r#"{"move":"a1","info":null,"more":1e999}"#, 0, None),
        ] {
            let Ok(FromBot::Move(found)) = read(line) else { panic!("{line}") };
            assert_eq!((found.slips, found.info.and_then(|info| info.depth)), (slips, depth), "{line}");
        }
        let Ok(FromBot::Info(info)) = read(r#"{"type":"info","id":"x","depth":4,"score":1e400,"nodes":"5"}"#)
        else {
            panic!()
        };
        assert_eq!((info.search.depth, info.slips), (Some(4), 2));
        assert!(matches!(read(r#"{"type":"log","text":5}"#), Ok(FromBot::Unknown(_))));
        // A huge number does not make a wrong line right.
        assert_eq!(read(r#"{"move":"a1","id":1e400}"#).unwrap_err().code, "bad_message");
        assert_eq!(read(r#"{"move":"a1","info":{"score":1e400}"#).unwrap_err().code, "bad_json");
    }

    #[test]
    fn long_texts_are_cut() {
        let name = "x".repeat(500);
        let Ok(FromBot::Ready(ready)) = read(&format!(r#"{{"type":"ready","name":"{name}\u001b[31m"}}"#))
        else {
            panic!()
        };
        assert_eq!(ready.name.unwrap().len(), Limits::NAME_CHARS);
        assert_eq!(quoted(b"a\x1b[31m\n\x7f"), "a\\u001b[31m\\n\\u007f");
        assert!(quoted(&[b'x'; 1000]).ends_with("… (1000 bytes)"));
    }
}
