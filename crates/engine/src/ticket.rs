//! Tickets: all that somebody needs to join an engine, in one word that can be pasted.
//!
//! ```text
//! ludus1,worker-1,worker:any,tls://league.example:4222,SU…,MII…,end
//!        name     role       address                   key certificate of the authority
//! ```

use crate::rights::Role;
use nats::{Address, AddressError, Nkey, NkeyError};
use std::fmt;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The mark of a ticket, with the version of its form.
const MARK: &str = "ludus1";
/// What stands last, so that a ticket that was cut off is noticed.
const LAST: &str = "end";
/// A longer text is no ticket.
const LONGEST: u64 = 16 << 10;

/// All that somebody needs to join an engine. Whoever has the text has the rights.
#[derive(Debug)]
pub struct Ticket {
    pub name: String,
    pub role: Role,
    pub address: Address,
    pub key: Nkey,
    /// The certificate of the authority to trust: base 64, as a PEM file has it, without line breaks.
    /// Empty for an engine without encryption.
    pub certificate: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TicketError {
    #[error("not a ticket; expected one word that begins with `{MARK},`, as `arena engine up` prints it")]
    NoTicket,
    #[error("the ticket has been cut off or changed: {0}; copy the whole line again")]
    Damaged(String),
    #[error("{0}: {1}")]
    Unreadable(PathBuf, String),
}

impl From<AddressError> for TicketError {
    fn from(error: AddressError) -> TicketError {
        TicketError::Damaged(error.to_string())
    }
}

impl From<NkeyError> for TicketError {
    fn from(error: NkeyError) -> TicketError {
        TicketError::Damaged(error.to_string())
    }
}

impl Ticket {
    /// Reads the ticket that `place` names: a file, or `-` for standard input. `None` if it names an
    /// address.
    pub fn named(place: &str) -> Result<Option<Ticket>, TicketError> {
        let unreadable = |error: io::Error| TicketError::Unreadable(place.into(), error.to_string());
        let mut text = String::new();
        if place.starts_with(&format!("{MARK},")) {
            text.push_str(place);
        } else if place == "-" {
            io::stdin().lock().take(LONGEST).read_to_string(&mut text).map_err(unreadable)?;
        } else if !place.contains("://") && (place.contains('/') || Path::new(place).is_file()) {
            let file = std::fs::File::open(place).map_err(unreadable)?;
            file.take(LONGEST).read_to_string(&mut text).map_err(unreadable)?;
        } else {
            return Ok(None);
        }
        text.parse().map(Some)
    }

    /// The certificate as a PEM file. `None` for an engine without encryption.
    pub fn pem(&self) -> Option<String> {
        if self.certificate.is_empty() {
            return None;
        }
        let lines = self.certificate.as_bytes().chunks(64).map(String::from_utf8_lossy);
        let body: String = lines.map(|line| format!("{line}\n")).collect();
        Some(format!("{BEGIN}\n{body}{END}\n"))
    }

    /// The certificate of a PEM file as a ticket has it.
    pub fn certificate_of(pem: &str) -> String {
        let body = pem.lines().skip_while(|line| *line != BEGIN).skip(1).take_while(|line| *line != END);
        body.collect()
    }
}

const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";

impl FromStr for Ticket {
    type Err = TicketError;

    fn from_str(text: &str) -> Result<Ticket, TicketError> {
        let words: Vec<&str> = text.trim().split(',').collect();
        let [MARK, name, role, address, key, certificate, LAST] = words[..] else {
            let begins = words[0] == MARK;
            return Err(if begins { damaged("parts are missing") } else { TicketError::NoTicket });
        };
        let role = role.parse().map_err(|()| damaged("its role is unknown"))?;
        let address: Address = address.parse()?;
        let is_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
        if address.tls == certificate.is_empty() || !certificate.chars().all(is_base64) {
            return Err(damaged("its certificate is incomplete"));
        }
        let (name, certificate) = (name.to_owned(), certificate.to_owned());
        Ok(Ticket { name, role, address, key: key.parse()?, certificate })
    }
}

fn damaged(what: &str) -> TicketError {
    TicketError::Damaged(what.to_owned())
}

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ticket { name, role, address, key, certificate } = self;
        write!(f, "{MARK},{name},{role},{address},{},{certificate},{LAST}", key.seed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nats::NkeyKind;

    #[test]
    fn a_ticket_survives_copying_and_nothing_less() {
        let pem = format!("{BEGIN}\n{}\nAAAA\n{END}\n", "MIIB".repeat(16));
        let ticket = Ticket {
            name: "worker-1".to_owned(),
            role: Role::Worker { class: "any".to_owned() },
            address: "tls://league.example:4222".parse().unwrap(),
            key: Nkey::generate(NkeyKind::User).unwrap(),
            certificate: Ticket::certificate_of(&pem),
        };
        let text = ticket.to_string();
        let again: Ticket = format!("  {text}\n").parse().unwrap();
        assert_eq!((again.to_string(), again.pem()), (text.clone(), Some(pem)));
        assert!(text.chars().all(|c| c.is_ascii_alphanumeric() || ",.:/-+=".contains(c)), "no quotes needed");
        for cut in 0..text.len() {
            assert!(text[..cut].parse::<Ticket>().is_err(), "{cut}");
        }
        for (wrong, words) in [
            ("", "not a ticket"),
            ("tls://league.example", "not a ticket"),
            ("ludus2,a,worker:any,nats://a,S,,end", "not a ticket"),
            ("ludus1,a", "parts are missing"),
            (&text.replace("worker:any", "king"), "role"),
            (&text.replace(",SU", ",SX"), "nkey"),
        ] {
            let error = wrong.parse::<Ticket>().unwrap_err().to_string();
            assert!(error.contains(words), "{wrong}: {error}");
        }
        assert!(Ticket::named("tls://league.example").unwrap().is_none());
        assert!(Ticket::named("league.example").unwrap().is_none());
        assert!(Ticket::named(&text).unwrap().is_some());
        let missing = Ticket::named("./no-such-file").unwrap_err().to_string();
        assert!(missing.contains("./no-such-file: No such file"), "{missing}");
    }
}
