//! The parameter sets that a game is tested with: those of its perft file, `tests/perft/<id>.txt`.
//!
//! A line of such a file is a set of parameters as JSON, a colon, and the number of legal move sequences of length
//! 1, 2, 3, …; a line that begins with `//` is a remark.

use serde_json::Value;
use std::path::PathBuf;

pub fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Parameters with their counts.
pub fn perft(id: &str) -> Vec<(Value, Vec<u64>)> {
    let path = folder("perft").join(format!("{id}.txt"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//"));
    let cases: Vec<_> = lines.map(|line| read(line).unwrap_or_else(|| panic!("{id}: `{line}`"))).collect();
    assert!(!cases.is_empty(), "{id}: no parameter set to test");
    cases
}

fn read(line: &str) -> Option<(Value, Vec<u64>)> {
    let (params, counts) = line.rsplit_once(':')?;
    let counts = counts.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    Some((serde_json::from_str(params).ok()?, counts))
}

#[allow(dead_code, reason = "each test file uses its own part of this module")]
pub fn params(id: &str) -> Vec<Value> {
    perft(id).into_iter().map(|(params, _)| params).collect()
}
