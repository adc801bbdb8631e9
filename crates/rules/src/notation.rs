//! How a move is written and read. Each move has one text, and only that text is read.

use crate::position::NotAMove;
use std::fmt;
use std::str::FromStr;

/// A number that is counted from 0 inside and from 1 in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nth(pub u8);

impl fmt::Display for Nth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0 + 1).fmt(f)
    }
}

impl FromStr for Nth {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Nth, NotAMove> {
        let Amount(number) = text.parse()?;
        number.checked_sub(1).map(Nth).ok_or(NotAMove)
    }
}

/// A number without a sign or a leading zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Amount(pub u8);

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Amount {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Amount, NotAMove> {
        match text.as_bytes() {
            [b'0'] | [b'1'..=b'9', ..] => text.parse().map(Amount).map_err(|_| NotAMove),
            _ => Err(NotAMove),
        }
    }
}

/// What stands behind a verb: one word, or several.
pub trait InWords: Sized {
    /// Writes the words, each with a blank in front.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Self, NotAMove>;
}

/// A move of two parts with a sign between: `pair!(Step { from "-" to })`. A part that is a number
/// says how it is written: `from as Nth`.
macro_rules! pair {
    ($name:ident { $first:ident $(as $one:ident)? $sign:literal $second:ident $(as $two:ident)? }) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&$($one)?(self.$first), f)?;
                f.write_str($sign)?;
                std::fmt::Display::fmt(&$($two)?(self.$second), f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::NotAMove;

            #[allow(unused_parens, reason = "a part that is no number stands alone in them")]
            fn from_str(text: &str) -> Result<$name, $crate::NotAMove> {
                let (first, second) = text.split_once($sign).ok_or($crate::NotAMove)?;
                let ($($one)?($first), $($two)?($second)) = (first.parse()?, second.parse()?);
                Ok($name { $first, $second })
            }
        }
    };
}

/// A move of several sorts. What has a verb is written with it, and each part behind a blank; what
/// has none is written as its one part.
///
/// ```text
/// verbs! {
///     #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
///     pub enum Move { At(Cell), "swap" Swap(Card, Card), "pass" Pass }
/// }
/// ```
macro_rules! verbs {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($(#[doc = $doc:literal])* $($verb:literal)? $sort:ident $(($($part:ty),+))?),* $(,)?
        }
    ) => {
        $(#[$meta])*
        $vis enum $name {
            $($(#[doc = $doc])* $sort $(($($part),+))?,)*
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $($crate::notation::write_sort!(self, f, $name, $($verb)? $sort $($($part),+)?);)*
                Ok(())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::NotAMove;

            fn from_str(text: &str) -> Result<$name, $crate::NotAMove> {
                $($crate::notation::read_sort!(text, $name, $($verb)? $sort $($($part),+)?);)*
                Err($crate::NotAMove)
            }
        }
    };
}

macro_rules! write_sort {
    ($move:ident, $f:ident, $name:ident, $sort:ident $part:ty) => {
        if let $name::$sort(part) = $move {
            return std::fmt::Display::fmt(part, $f);
        }
    };
    ($move:ident, $f:ident, $name:ident, $verb:literal $sort:ident) => {
        if let $name::$sort = $move {
            return $f.write_str($verb);
        }
    };
    ($move:ident, $f:ident, $name:ident, $verb:literal $sort:ident $one:ty) => {
        if let $name::$sort(one) = $move {
            $f.write_str($verb)?;
            return $crate::notation::InWords::write(one, $f);
        }
    };
    ($move:ident, $f:ident, $name:ident, $verb:literal $sort:ident $one:ty, $two:ty) => {
        if let $name::$sort(one, two) = $move {
            $f.write_str($verb)?;
            $crate::notation::InWords::write(one, $f)?;
            return $crate::notation::InWords::write(two, $f);
        }
    };
}

macro_rules! read_sort {
    ($text:ident, $name:ident, $sort:ident $part:ty) => {
        if let Ok(part) = $text.parse() {
            return Ok($name::$sort(part));
        }
    };
    ($text:ident, $name:ident, $verb:literal $sort:ident) => {
        if $text == $verb {
            return Ok($name::$sort);
        }
    };
    ($text:ident, $name:ident, $verb:literal $sort:ident $($part:ty),+) => {
        if let Some(rest) = $text.strip_prefix(concat!($verb, " ")) {
            let mut words = rest.split(' ');
            let read = $name::$sort($(<$part as $crate::notation::InWords>::read(&mut words)?),+);
            return if words.next().is_none() { Ok(read) } else { Err($crate::NotAMove) };
        }
    };
}

/// Types whose text is one word.
macro_rules! one_word {
    ($($type:ty),+) => {
        $(impl $crate::notation::InWords for $type {
            fn write(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, " {self}")
            }

            fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Self, $crate::NotAMove> {
                words.next().and_then(|word| word.parse().ok()).ok_or($crate::NotAMove)
            }
        })+
    };
}

one_word!(Amount, crate::cards::Card, crate::cards::Suit);

pub(crate) use {one_word, pair, read_sort, verbs, write_sort};

#[cfg(test)]
mod tests {
    use super::{Amount, Nth};
    use crate::cards::{Card, Suit};
    use std::fmt::{Debug, Display};
    use std::str::FromStr;

    #[derive(Debug, PartialEq)]
    struct Take {
        heap: u8,
        count: u8,
    }

    pair!(Take { heap as Nth ":" count as Amount });

    verbs! {
        #[derive(Debug, PartialEq)]
        enum Deed {
            Take(Take),
            "swap" Swap(Card, Card),
            "call" Call(Suit),
            "pass" Pass,
        }
    }

    /// Reads each text and writes it again.
    fn same<T: FromStr + Display + Debug>(texts: &[&str]) -> bool {
        texts.iter().all(|text| text.parse::<T>().is_ok_and(|read| read.to_string() == *text))
    }

    fn refused<T: FromStr>(texts: &[&str]) -> bool {
        texts.iter().all(|text| text.parse::<T>().is_err())
    }

    #[test]
    fn a_text_is_read_as_it_is_written_and_in_no_other_way() {
        assert_eq!("2:3".parse(), Ok(Take { heap: 1, count: 3 }));
        assert!(same::<Take>(&["1:0", "255:255"]));
        assert!(refused::<Take>(&[
            "", "1", "0:1", "01:1", "+1:1", "1:+1", "1:1:1", "1:256", "256:1", "1: 1", "1:"
        ]));
        assert_eq!("pass".parse(), Ok(Deed::Pass));
        assert!(same::<Deed>(&["2:3", "swap 2H 3D", "call S", "pass"]));
        assert!(refused::<Deed>(&[
            "",
            "swap",
            "swap 2H",
            "swap 2H  3D",
            "swap 2H 3D 4D",
            "call",
            "call s",
            "pass ",
            "swap2H 3D"
        ]));
    }
}
