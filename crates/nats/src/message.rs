//! A message, and the headers that it may have.

/// A message as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    pub subject: String,
    /// Where an answer is expected.
    pub reply: Option<String>,
    pub headers: Headers,
    pub payload: Vec<u8>,
}

/// Names and values, and for an answer of the server a number that says what happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    pub status: Option<u16>,
    pub description: String,
    pub fields: Vec<(String, String)>,
}

impl Headers {
    pub fn of(fields: &[(&str, &str)]) -> Headers {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Headers { fields, ..Headers::default() }
    }

    /// The value of a field. Case does not matter.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The block of headers as the wire has it.
    pub(crate) fn to_wire(&self) -> Vec<u8> {
        let mut text = "NATS/1.0\r\n".to_owned();
        for (name, value) in &self.fields {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str("\r\n");
        text.into_bytes()
    }

    pub(crate) fn read(block: &[u8]) -> Headers {
        let text = String::from_utf8_lossy(block);
        let mut lines = text.split("\r\n");
        let first = lines.next().unwrap_or_default().strip_prefix("NATS/1.0").unwrap_or_default().trim();
        let (status, description) = first.split_once(' ').unwrap_or((first, ""));
        let fields = lines.filter_map(|line| line.split_once(':'));
        Headers {
            status: status.parse().ok(),
            description: description.to_owned(),
            fields: fields.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_come_back() {
        let headers = Headers::of(&[("Nats-Expected-Last-Subject-Sequence", "7"), ("A", "b: c")]);
        assert_eq!(Headers::read(&headers.to_wire()), headers);
        let status = Headers::read(b"NATS/1.0 404 Message Not Found\r\n\r\n");
        assert_eq!((status.status, status.description.as_str()), (Some(404), "Message Not Found"));
        assert_eq!(Headers::read(b"NATS/1.0 503\r\n\r\n").status, Some(503));
    }
}
