//! Durations for people.

/// `1:02:03`, or `2:03`.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn hours_are_shown_from_one_hour_on() {
        assert_eq!((clock(59.6), clock(3_723.0)), ("1:00".to_owned(), "1:02:03".to_owned()));
    }
}
