//! The mistakes in a file, each with its place.

use super::Origin;
use std::fmt;
use text::harmless;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub origin: Origin,
    pub problem: String,
}

/// All mistakes in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mistakes {
    file: String,
    /// The first byte of each line.
    begins: Vec<usize>,
    list: Vec<Mistake>,
    /// Keys that were not understood, or only in part, each with its table.
    unsure: Vec<(Origin, String)>,
    /// Lines that are not TOML. Any key may stand there without having been read.
    torn: Vec<usize>,
}

impl Mistakes {
    /// An empty list. A mistake without a line is reported for `file`.
    pub fn none_in(file: &str, text: &str) -> Mistakes {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let begins = std::iter::once(0).chain(ends).collect();
        Mistakes { file: harmless::line(file), begins, ..Mistakes::default() }
    }

    /// Adds a mistake. A line that is not TOML has been reported already, and what else is reported
    /// there may be wrong, so it is left out.
    pub fn add(&mut self, mistake: Mistake) {
        let torn = matches!(mistake.origin, Origin::Byte(byte) if self.torn.contains(&self.line(byte)));
        if !torn && !self.list.contains(&mistake) {
            self.list.push(mistake);
        }
    }

    /// Adds a mistake of the whole file.
    pub fn add_missing(&mut self, problem: &str) {
        self.add(Mistake { origin: Origin::Whole, problem: problem.to_owned() });
    }

    /// The value. If there is none, the mistake is added.
    pub fn note<T>(&mut self, result: Result<T, Mistake>) -> Option<T> {
        result.map_err(|mistake| self.add(mistake)).ok()
    }

    /// The value of a key that a table must have. If the key is missing, a mistake is added.
    pub fn needed<T>(&mut self, table: &Origin, key: &str, found: Option<T>, example: &str) -> Option<T> {
        if found.is_none() && self.sure_in(table, &[key]) {
            let who = if *table == Origin::Whole { "" } else { "this table " };
            let problem = format!("{who}needs the key `{key}`: {example}");
            self.add(Mistake { origin: table.clone(), problem });
        }
        found
    }

    /// Has everything that the file has under this key been read and understood?
    pub fn sure_of(&self, key: &str) -> bool {
        self.sure_in(&Origin::Whole, &[key])
    }

    /// Has everything that a table has under these keys been read and understood?
    pub fn sure_in(&self, table: &Origin, keys: &[&str]) -> bool {
        let meant = |(place, key): &(Origin, String)| place == table && keys.contains(&key.as_str());
        self.torn.is_empty() && !self.unsure.iter().any(meant)
    }

    pub(super) fn doubt(&mut self, table: Origin, key: &str) {
        self.unsure.push((table, key.to_owned()));
    }

    /// Marks a line as not TOML. If a bracket was left open, the lines after it are marked too.
    pub(super) fn tear(&mut self, byte: usize, spoils_the_rest: bool) {
        let line = self.line(byte);
        let last = if spoils_the_rest { self.begins.len() } else { line };
        self.torn.extend(line..=last);
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn line(&self, byte: usize) -> usize {
        self.begins.partition_point(|&begin| begin <= byte).max(1)
    }

    /// `nim.toml:7`, or a flag.
    pub fn place(&self, origin: &Origin) -> String {
        match origin {
            Origin::Whole => self.file.clone(),
            Origin::Byte(byte) => format!("{}:{}", self.file, self.line(*byte)),
            Origin::Flag(flag) => (*flag).to_owned(),
        }
    }

    /// Each mistake with its place, from the top of the file to its end.
    pub fn lines(&self) -> Vec<String> {
        let mut list: Vec<&Mistake> = self.list.iter().collect();
        list.sort_by_key(|mistake| match mistake.origin {
            Origin::Whole | Origin::Flag(_) => 0,
            Origin::Byte(byte) => 1 + self.line(byte),
        });
        let line = |mistake: &Mistake| {
            format!("{}: {}", self.place(&mistake.origin), harmless::line(&mistake.problem))
        };
        list.into_iter().map(line).collect()
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.lines()[..] {
            [line] => f.write_str(line),
            lines => write!(f, "{} has {} mistakes:\n{}", self.file, lines.len(), lines.join("\n")),
        }
    }
}

impl std::error::Error for Mistakes {}

/// The mistakes of several files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllMistakes(Vec<Mistakes>);

impl AllMistakes {
    /// What was read from these files, if all of them are right.
    pub fn unless_none<T>(
        files: impl IntoIterator<Item = Mistakes>,
        read: Option<T>,
    ) -> Result<T, AllMistakes> {
        let wrong: Vec<Mistakes> = files.into_iter().filter(|file| !file.is_empty()).collect();
        read.filter(|_| wrong.is_empty()).ok_or(AllMistakes(wrong))
    }
}

impl fmt::Display for AllMistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files: Vec<String> = self.0.iter().map(Mistakes::to_string).collect();
        f.write_str(&files.join("\n"))
    }
}

impl std::error::Error for AllMistakes {}
