//! Links that nobody can guess.

use std::fs::File;
use std::io::{self, Read as _};

/// 128 bits of the system's generator, as 32 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Token(String);

impl Token {
    pub fn draw() -> io::Result<Token> {
        let mut bytes = [0; 16];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The word of an address. It need not be a token.
    pub fn written(text: &str) -> Token {
        Token(text.to_owned())
    }

    /// The address of the page.
    pub fn path(&self) -> String {
        format!("/t/{}", self.0)
    }
}

/// A token is a secret: no log shows it.
impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn tokens_are_long_and_never_alike() {
        let tokens: HashSet<Token> = (0..1_000).map(|_| Token::draw().unwrap()).collect();
        assert_eq!(tokens.len(), 1_000);
        assert!(tokens.iter().all(|token| token.0.len() == 32 && token.path().starts_with("/t/")));
        assert!(tokens.iter().all(|token| !format!("{token:?}").contains(&token.0)));
    }
}
