//! How a game writes its parameters down.

/// The parameters of a game: what each is for, its type, how many items a list has (`of`), how
/// large the numbers are or how long the texts (`in`), and its default.
///
/// ```text
/// params! {
///     /// How many objects each heap has.
///     heaps: Vec<u8> of 1..=10 in 0..=60 = [3, 4, 5],
///     /// Whoever takes the last object loses.
///     misere: bool = false,
/// }
/// ```
macro_rules! params {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident: $type:ident $(<$inner:ident>)?
            $(of $($fewest:literal)? ..= $most:literal)? $(in $low:literal ..= $high:literal)? = $default:expr
    ),* $(,)?) => {
        #[derive(Clone, Debug)]
        pub struct Params {
            $($(#[doc = $doc])* $name: $type $(<$inner>)?,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Params { $($name: $crate::params::default!($type $(<$inner>)?, $default),)* }
            }
        }

        impl $crate::params::Params for Params {
            const FIELDS: &'static [$crate::params::Field] = &[$($crate::params::Field {
                name: stringify!($name),
                doc: concat!($($doc),*),
                domain: <$type $(<$inner>)? as $crate::params::Parameter>::domain,
                count: $crate::params::bounds!($($($fewest)? ..= $most)?),
                range: $crate::params::bounds!($($low ..= $high)?),
            }),*];

            fn each(&self) -> Vec<&dyn $crate::params::AnyParameter> {
                vec![$(&self.$name),*]
            }

            fn each_mut(&mut self) -> Vec<&mut dyn $crate::params::AnyParameter> {
                vec![$(&mut self.$name),*]
            }
        }
    };
}

/// A default as it is written: a literal for a text, an array for a list.
macro_rules! default {
    (String, $text:expr) => {
        String::from($text)
    };
    (Vec<String>, $texts:expr) => {
        $texts.map(String::from).to_vec()
    };
    (Vec<$item:ident>, $items:expr) => {
        $items.to_vec()
    };
    ($type:ident $(<$inner:ident>)?, $value:expr) => {
        $value
    };
}

macro_rules! bounds {
    () => {
        $crate::params::Bounds::NONE
    };
    ($($low:literal)? ..= $high:literal) => {
        $crate::params::Bounds::new(&[$($low)?], $high)
    };
}

/// A parameter that is one of some words: `words! { enum Slide { Any = "any", Full = "full" } }`.
macro_rules! words {
    ($(#[doc = $doc:literal])* $vis:vis enum $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $name {
            $($variant,)*
        }

        impl $name {
            fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }

        impl $crate::params::Parameter for $name {
            fn domain() -> $crate::params::Domain {
                $crate::params::Domain::Words {
                    name: stringify!($name),
                    doc: concat!($($doc),*),
                    words: &[$($word),*],
                }
            }

            fn read(value: &serde_json::Value) -> Result<Self, String> {
                match value.as_str() {
                    $(Some($word) => Ok($name::$variant),)*
                    _ => Err(format!("expected {}", Self::domain())),
                }
            }

            fn write(&self) -> serde_json::Value {
                self.word().into()
            }
        }
    };
}

pub(crate) use {bounds, default, params, words};
