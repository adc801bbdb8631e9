//! Joins ES modules into one script.
//!
//! A browser refuses to import a second file from a page that was opened from a disk. So the
//! modules in `js/` are joined: lines with `import` and the word `export` are dropped, and a
//! function around all of it keeps the names out of the page. The tests run the modules as they
//! are.

/// A module: its name, and its text.
pub type Module = (&'static str, &'static str);

macro_rules! modules {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("`js/", stringify!($name), ".js`")]
            #[allow(non_upper_case_globals)]
            const $name: Module = (stringify!($name), include_str!(concat!("../js/", stringify!($name), ".js")));
        )*
        /// All modules, each after those that it imports.
        pub const ALL: &[Module] = &[$($name),*];
    };
}

modules! { el theme frames cards picture motion gif export graph side replay viewer tables report live touches play }

/// What draws boards: for pages that show a position and are no replay.
pub const BOARD: &[Module] = &[el, frames, cards, picture, motion];
/// What replays games, with a board: `openReplay`.
pub const REPLAY: &[Module] = &[el, frames, cards, picture, motion, gif, export, graph, side, replay];
/// The page of `arena show --html`: `startViewer`.
pub const VIEWER: &[Module] =
    &[el, theme, frames, cards, picture, motion, gif, export, graph, side, replay, viewer];
/// A table at which people play: `startPlay`.
pub const PLAY: &[Module] = &[el, theme, frames, cards, picture, motion, touches, play];
/// A page without a script of its own: `startTheme`.
pub const THEME: &[Module] = &[el, theme];
/// Tables that sort by a click: `startTables`.
pub const TABLES: &[Module] = &[el, theme, tables];
/// The page of a tournament: `startReport`.
pub const REPORT: &[Module] =
    &[el, theme, frames, cards, picture, motion, gif, export, graph, side, replay, tables, report];
/// The page of a tournament that is being played: `startLive`.
pub const LIVE: &[Module] = &[el, theme, frames, cards, picture, motion, live];

/// One script of these modules, in this order, and then `start`, such as `startViewer();`.
pub fn joined(modules: &[Module], start: &str) -> String {
    let mut script = String::from("(()=>{\"use strict\";\n");
    for (_, module_text) in modules {
        for line in module_text.lines() {
            if is_dropped(line) {
                continue;
            }
            add_line(&mut script, &tight(line.strip_prefix("export ").unwrap_or(line)));
        }
    }
    script.push_str(start);
    script.push_str("\n})();\n");
    script
}

/// Adds a line of code, and begins a new line only between two words. All statements of the modules
/// end with a sign of their own.
fn add_line(script: &mut String, line: &str) {
    let is_last = line.starts_with('}') && script.ends_with(';');
    if is_last || line.starts_with([')', ']', '}']) && script.ends_with(',') {
        script.pop();
    }
    let is_apart = script.ends_with([';', ',', '{', '}', '(', '[', '=', '>', '&', '|', '?', ':', '\n'])
        || line.starts_with([')', ']', '}', '.', ',', '?', ':', '&', '|', ';']);
    if !is_apart {
        script.push('\n');
    }
    script.push_str(line);
}

/// A line without the spaces that are only for readers of the modules: a seventh of their size. A
/// line whose spaces may be part of a pattern or of a nested text keeps all but its indentation.
fn tight(line: &str) -> String {
    let line = line.trim_start();
    // A stroke between two spaces divides. Any other stroke may begin a pattern.
    let strange = line.contains(['\'', '\\']) || line.matches('/').count() > line.matches(" / ").count();
    let parts = if strange { None } else { code_and_texts(line) };
    let Some(parts) = parts else { return line.to_owned() };
    let shown = |(at, part): (usize, &&str)| if at % 2 == 0 { tight_code(part) } else { (*part).to_owned() };
    parts.iter().enumerate().map(shown).collect()
}

/// Code and texts by turns, beginning with code. A text has its quotation marks. `None` if a text
/// stands inside the code of another text.
fn code_and_texts(line: &str) -> Option<Vec<&str>> {
    let (mut parts, mut begun) = (Vec::new(), 0);
    let (mut quote, mut depth) = (None, 0_usize);
    for (at, sign) in line.char_indices() {
        match (quote, sign) {
            (None, '"' | '`') => {
                parts.push(&line[begun..at]);
                (quote, begun) = (Some(sign), at);
            }
            (Some(_), '`') if depth > 0 => return None,
            (Some(open), _) if open == sign && depth == 0 => {
                parts.push(&line[begun..=at]);
                (quote, begun) = (None, at + 1);
            }
            (Some('`'), '{') if line[..at].ends_with('$') || depth > 0 => depth += 1,
            (Some('`'), '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    parts.push(&line[begun..]);
    Some(parts)
}

/// Code without texts. A space between two signs stays, because `a - -b` is not `a--b`.
fn tight_code(code: &str) -> String {
    let chars: Vec<char> = code.chars().collect();
    let beside = |at: usize, signs: &str| {
        let neighbours = [at.checked_sub(1).map(|before| chars[before]), chars.get(at + 1).copied()];
        neighbours.into_iter().flatten().filter(|&c| signs.contains(c)).count()
    };
    let is_kept = |&(at, c): &(usize, &char)| {
        *c != ' ' || beside(at, "+-") == 2 || beside(at, "+-*/%,;:(){}[]=?<>&|!") == 0
    };
    chars.iter().enumerate().filter(is_kept).map(|(_, c)| c).collect()
}

/// Comments and imports are for readers of the modules.
fn is_dropped(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty()
        || line.starts_with("import ")
        || line.starts_with("//")
        || line.starts_with("/**")
        || line == "*"
        || line.starts_with("* ")
        || matches!(line, "*" | "*/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that a module declares for all of the script.
    fn top_level_names(module_text: &str) -> Vec<&str> {
        let words = ["const ", "let ", "var ", "function ", "async function ", "class "];
        let lines = module_text.lines().map(|line| line.strip_prefix("export ").unwrap_or(line));
        let rests = lines.filter_map(|line| words.iter().find_map(|word| line.strip_prefix(word)));
        rests
            .flat_map(|rest| {
                let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                let pattern = rest.starts_with(['{', '[']).then(|| rest.split(['}', ']']).next());
                let names = pattern
                    .flatten()
                    .unwrap_or_else(|| rest.split([' ', '(', '=', ';']).next().unwrap_or(""));
                names.split(move |c| !is_name(c)).filter(|name| !name.is_empty()).collect::<Vec<_>>()
            })
            .collect()
    }

    #[test]
    fn no_two_modules_declare_the_same_name() {
        let mut names: Vec<(&str, &str)> = Vec::new();
        for (module, text) in ALL {
            for name in top_level_names(text) {
                let twice = names.iter().find(|(known, _)| *known == name);
                assert!(twice.is_none(), "{name} is declared in {module} and in {}", twice.unwrap().1);
                names.push((name, module));
            }
        }
        assert!(names.iter().any(|(name, _)| *name == "drawBoard"), "{names:?}");
    }

    #[test]
    fn modules_import_and_export_in_one_form_only() {
        for (module, text) in ALL {
            for line in text.lines() {
                let has = |word: &str| line.trim_start().starts_with(word);
                if has("import") {
                    let ok = line.starts_with("import { ")
                        && line.contains(" } from \"./")
                        && line.ends_with(".js\";");
                    assert!(ok, "{module}: {line}");
                }
                if has("export") {
                    let ok = ["const ", "function ", "async function ", "class "];
                    let rest = line.strip_prefix("export ").unwrap_or_default();
                    assert!(ok.iter().any(|word| rest.starts_with(word)), "{module}: {line}");
                }
                assert!(!line.contains("import("), "{module}: {line}");
                assert!(
                    !line.trim_start().starts_with("/*") || line.trim_start().starts_with("/**"),
                    "{module}: {line}"
                );
            }
        }
    }

    #[test]
    fn no_script_makes_markup_from_text() {
        for (module, text) in ALL {
            for word in [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "new Function",
                "setAttribute(\"style",
            ] {
                assert!(!text.contains(word), "{module} has {word}");
            }
        }
    }

    #[test]
    fn a_module_comes_after_those_that_it_imports() {
        for list in [BOARD, REPLAY, VIEWER, REPORT, LIVE, PLAY] {
            for (at, (module, text)) in list.iter().enumerate() {
                for line in text.lines().filter(|line| line.starts_with("import ")) {
                    let from = line.rsplit("./").next().unwrap().trim_end_matches(".js\";");
                    assert!(
                        list[..at].iter().any(|(name, _)| *name == from),
                        "{module} imports {from} too early"
                    );
                }
            }
        }
    }

    #[test]
    fn no_part_of_a_comment_is_left() {
        let script = joined(VIEWER, "");
        let left = script.lines().find(|line| line.trim_start().starts_with(['*']) || line.contains("/**"));
        assert_eq!(left, None);
        // A comment behind code would swallow the line that follows.
        for (module, text) in ALL {
            let behind = text.lines().find(|line| !is_dropped(line) && line.contains(" // "));
            assert_eq!(behind, None, "{module}: a comment has a line of its own");
        }
    }

    #[test]
    fn lines_are_joined_where_signs_stand_between_them() {
        let module = "const a = {\n  b: 1,\n  c,\n};\nfunction f(d,\n  e) {\n  return d\n    ? e : [\n      f,\n    ];\n}\n\
            if (a) f(\n  a,\n);\nelse\n  f();\n";
        let script = joined(&[("m", module)], "f();");
        let body = script.strip_prefix("(()=>{\"use strict\";\n").unwrap();
        assert_eq!(body, "const a={b:1,c};function f(d,e){return d?e:[f]}if(a)f(a);else\nf();f();\n})();\n");
    }

    #[test]
    fn only_spaces_for_readers_are_dropped() {
        for (line, expected) in [
            ("  const a = b ? c : d;", "const a=b?c:d;"),
            ("  return \"a = b\" + (c - -d) * e++ + f;", "return \"a = b\"+(c- -d)*e++ +f;"),
            ("  const a = (b / c) * \"d / e\".length;", "const a=(b/c)*\"d / e\".length;"),
            ("  const a = b / c.replace(/d = e/, f);", "const a = b / c.replace(/d = e/, f);"),
            ("if (\"a b\" in c) { f(d, [e]); }", "if(\"a b\" in c){f(d,[e]);}"),
            ("  f(`a = ${b}`, c);", "f(`a = ${b}`,c);"),
            ("  f(`a = ${b ? \"`\" : { c }} d`, c);", "f(`a = ${b ? \"`\" : { c }} d`, c);"),
            ("  f(`a = ${b({ c })} , d`, c);", "f(`a = ${b({ c })} , d`,c);"),
            ("  f(`a ${b ? `c , d` : e}`, c);", "f(`a ${b ? `c , d` : e}`, c);"),
            ("  f(/a = b/, c);", "f(/a = b/, c);"),
            ("else if (a) return;", "else if(a)return;"),
        ] {
            assert_eq!(tight(line), expected);
        }
        for (module, text) in ALL {
            let broken = text.lines().find(|line| line.matches('`').count() % 2 == 1);
            assert_eq!(broken, None, "{module}: a text in backticks is on one line");
        }
    }

    #[test]
    fn scripts_stay_small() {
        for (modules, most) in [(VIEWER, 58_000), (REPORT, 60 * 1_024), (LIVE, 36_000), (PLAY, 48_000)] {
            let size = joined(modules, "").len();
            assert!(size <= most, "{size} bytes");
        }
        assert!(!joined(ALL, "").contains("</script"));
    }
}
