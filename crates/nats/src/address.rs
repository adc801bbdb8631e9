//! Where a server listens, as people write it.

use std::fmt;
use std::str::FromStr;

/// The port of a NATS server without a wish.
const USUAL_PORT: u16 = 4222;

/// `nats://HOST:PORT`, or `tls://HOST:PORT` if the connection must be encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub tls: bool,
    pub host: String,
    pub port: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the address of an engine; expected nats://HOST, nats://HOST:4222 or tls://HOST:4222")]
pub struct AddressError(String);

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Address, AddressError> {
        let wrong = || AddressError(text.to_owned());
        let (tls, place) = match text.split_once("://") {
            Some(("nats", place)) => (false, place),
            Some(("tls", place)) => (true, place),
            Some(_) => return Err(wrong()),
            None => (false, text),
        };
        let place = place.strip_suffix('/').unwrap_or(place);
        let (host, port) = match place.rsplit_once(':') {
            // An address of IP version 6 stands in brackets.
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| wrong())?),
            _ => (place, USUAL_PORT),
        };
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let fine = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
        if host.is_empty() || !host.chars().all(fine) {
            return Err(wrong());
        }
        Ok(Address { tls, host: host.to_owned(), port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "tls" } else { "nats" };
        let (open, close) = if self.host.contains(':') { ("[", "]") } else { ("", "") };
        write!(f, "{scheme}://{open}{}{close}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_shown() {
        for (text, shown) in [
            ("nats://league.example", "nats://league.example:4222"),
            ("tls://10.0.0.7:4443", "tls://10.0.0.7:4443"),
            ("localhost:9", "nats://localhost:9"),
            ("nats://[::1]:9/", "nats://[::1]:9"),
            ("nats://[::1]", "nats://[::1]:4222"),
        ] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), shown, "{text}");
        }
        for text in ["", "nats://", "http://a", "nats://a:b", "nats://user:word@host", "nats://a:99999"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
