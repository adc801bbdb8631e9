//! Autolab: one JSON line, which must be the last line on standard output. Problems have the names
//! of the items.

use crate::result::{Grade, Status};
use serde_json::{Map, Value, json};

pub fn line(grade: &Grade) -> String {
    let counted = grade.items.iter().filter(|item| item.status != Status::Ungraded);
    let scores: Map<String, Value> = counted.map(|item| (item.name.clone(), json!(item.points))).collect();
    let scoreboard: Vec<f64> = grade.leaderboard().into_iter().map(|(_, value)| value).collect();
    format!("{}\n", json!({ "scores": scores, "scoreboard": scoreboard }))
}
