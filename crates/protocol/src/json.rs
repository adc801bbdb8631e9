//! Appends small pieces of JSON to a text. The arena writes very many, so these functions avoid the
//! overhead of serde.

/// Appends a text in quotation marks, escaped as serde escapes it.
pub fn push_text(out: &mut String, text: &str) {
    if text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        return push_any(out, text);
    }
    out.push('"');
    out.push_str(text);
    out.push('"');
}

/// Appends a whole number. Most numbers have one digit.
#[inline]
pub fn push_number(out: &mut String, number: u64) {
    match number {
        0..10 => out.push(char::from(b'0' + number as u8)),
        _ => push_digits(out, number),
    }
}

fn push_digits(out: &mut String, mut number: u64) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.push_str(std::str::from_utf8(&digits[first..]).unwrap_or_default());
}

pub fn push_numbers(out: &mut String, numbers: impl IntoIterator<Item = u64>) {
    out.push('[');
    for (at, number) in numbers.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        push_number(out, number);
    }
    out.push(']');
}

/// Appends any value, with serde.
pub fn push_any(out: &mut String, value: &(impl serde::Serialize + ?Sized)) {
    out.push_str(&serde_json::to_string(value).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_written_as_serde_json_writes_them() {
        for text in ["plain", "aé→", "\"\\\n\u{1}/\u{7f}", ""] {
            let mut written = String::new();
            push_text(&mut written, text);
            assert_eq!(written, serde_json::to_string(text).unwrap());
        }
        for number in [0, 9, 10, u64::MAX] {
            let mut written = String::new();
            push_number(&mut written, number);
            assert_eq!(written, number.to_string());
        }
    }
}
