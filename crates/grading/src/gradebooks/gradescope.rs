//! Gradescope: `results.json`, with a leaderboard. Codio reads this format too.

use super::markdown;
use crate::assignment::Visibility;
use crate::result::{Grade, Graded, Status};
use serde_json::{Value, json};
use text::markup::markdown as escaped;

pub fn results(grade: &Grade) -> String {
    let leaderboard: Vec<Value> = grade
        .leaderboard()
        .into_iter()
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect();
    let mut output = format!("{}, seed {}", escaped(&grade.assignment), grade.seed);
    if !grade.complete {
        output.push_str(". **Some items are not graded. They cost no points.**");
    }
    for note in &grade.notes {
        output.push_str(&format!("\n\n**Note:** {}.", text::markup::markdown(note)));
    }
    for warning in &grade.warnings {
        output.push_str(&format!("\n\n**Warning:** {}.", escaped(warning)));
    }
    let results = json!({
        "score": grade.score,
        "execution_time": grade.seconds,
        "output": output,
        "output_format": "md",
        "stdout_visibility": "hidden",
        "tests": grade.items.iter().map(test).collect::<Vec<_>>(),
        "leaderboard": leaderboard,
        "extra_data": { "seed": grade.seed, "max_score": grade.max_score, "complete": grade.complete },
    });
    format!("{results:#}\n")
}

fn test(item: &Graded) -> Value {
    let output = format!("{}\n{}", escaped(item.summary_shown()), markdown::feedback(item));
    let mut test = json!({
        "name": item.name,
        "number": item.number.to_string(),
        "output": output,
        "output_format": "md",
        "tags": [item.kind],
        "visibility": visibility(item.visibility),
    });
    // A test without a score is only a note, so an ungraded item costs no points.
    if item.status != Status::Ungraded {
        test["score"] = json!(item.points);
        test["max_score"] = json!(item.max_points);
        test["status"] = json!(if item.status == Status::Passed { "passed" } else { "failed" });
    }
    test
}

fn visibility(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Visible | Visibility::Score => "visible",
        Visibility::AfterDueDate => "after_due_date",
        Visibility::AfterPublished => "after_published",
        Visibility::Hidden => "hidden",
    }
}
