//! CSV, one row per item.

use super::points;
use crate::result::Grade;
use text::markup::csv_cell as cell;

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
