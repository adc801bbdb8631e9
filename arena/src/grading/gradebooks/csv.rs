//! CSV, one row per item. A cell that a spreadsheet would take for a formula begins with an apostrophe.

use super::points;
use crate::grading::result::Grade;

pub fn csv(grade: &Grade) -> String {
    let mut text = "submission,assignment,number,item,status,points,max_points,summary\n".to_owned();
    for item in &grade.items {
        let cells = [
            cell(&grade.submission),
            cell(&grade.assignment),
            item.number.to_string(),
            cell(&item.name),
            item.status.word().to_owned(),
            points(item.points),
            points(item.max_points),
            cell(item.summary_shown()),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    let total = [cell(&grade.submission), cell(&grade.assignment), String::new(), "total".to_owned()];
    let status = if grade.complete { "complete" } else { "incomplete" };
    text + &format!("{},{status},{},{},\n", total.join(","), points(grade.score), points(grade.max_score))
}

fn cell(text: &str) -> String {
    let armed = text.trim_start().starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if armed { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\'', ';']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells() {
        for (text, written) in [
            ("plain", "plain"),
            ("a, b", "\"a, b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\""),
            (" +1", "\"' +1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("-2", "\"'-2\""),
        ] {
            assert_eq!(cell(text), written);
        }
    }
}
