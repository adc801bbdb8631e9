//! The rules of a game as markup. Rules are written in a small part of Markdown: paragraphs, lists,
//! code in backquotes, words in stars, and blocks of code.

use maud::{Markup, html};

enum ProseBlock {
    Paragraph(String),
    /// The items of a list, and whether they have numbers.
    List(Vec<String>, bool),
    Code(String),
}

pub fn markup(page: &str) -> Markup {
    html! {
        @for block in blocks(page) {
            @match block {
                ProseBlock::Paragraph(words) => p { (inline(&words)) },
                ProseBlock::List(items, false) => ul { @for item in items { li { (inline(&item)) } } },
                ProseBlock::List(items, true) => ol { @for item in items { li { (inline(&item)) } } },
                ProseBlock::Code(text) => pre tabindex="0" { (text) },
            }
        }
    }
}

/// Words with code in backquotes, and words in stars.
pub fn inline(words: &str) -> Markup {
    html! {
        @for (at, part) in words.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (starred(part)) }
        }
    }
}

/// `**strong**` and `*stressed*`. A star between blanks is a star.
fn starred(words: &str) -> Markup {
    for sign in ["**", "*"] {
        let Some((before, rest)) = words.split_once(sign) else { continue };
        let Some((inside, after)) = rest.split_once(sign) else { continue };
        if inside.is_empty() || inside.starts_with(' ') || inside.ends_with(' ') {
            continue;
        }
        return html! {
            (starred(before))
            @if sign == "**" { b { (starred(inside)) } } @else { em { (inside) } }
            (starred(after))
        };
    }
    html! { (words) }
}

/// The words of an item of a list, and whether the item has a number.
fn item(words: &str) -> Option<(&str, bool)> {
    if let Some(words) = words.strip_prefix("- ") {
        return Some((words, false));
    }
    let (number, words) = words.split_once(". ")?;
    number.parse::<u8>().is_ok().then_some((words, true))
}

fn blocks(page: &str) -> Vec<ProseBlock> {
    let mut blocks = Vec::new();
    let mut code: Option<String> = None;
    let mut is_new = true;
    for line in page.lines() {
        let words = line.trim();
        if let Some(text) = &mut code {
            if words.starts_with("```") {
                blocks.extend(code.take().map(ProseBlock::Code));
            } else {
                text.push_str(line);
                text.push('\n');
            }
            continue;
        }
        let item = item(words);
        match blocks.last_mut() {
            _ if words.starts_with("```") => code = Some(String::new()),
            _ if words.is_empty() => {
                is_new = true;
                continue;
            }
            Some(ProseBlock::List(items, counted)) if item.is_some_and(|(_, number)| number == *counted) => {
                items.extend(item.map(|(words, _)| words.to_owned()));
            }
            Some(ProseBlock::List(items, _)) if item.is_none() && (!is_new || line.starts_with(' ')) => {
                add(items.last_mut(), words);
            }
            Some(ProseBlock::Paragraph(text)) if !is_new && item.is_none() => add(Some(text), words),
            _ => blocks.push(match item {
                Some((words, counted)) => ProseBlock::List(vec![words.to_owned()], counted),
                None => ProseBlock::Paragraph(words.to_owned()),
            }),
        }
        is_new = false;
    }
    blocks.extend(code.map(ProseBlock::Code));
    blocks
}

fn add(text: Option<&mut String>, words: &str) {
    if let Some(text) = text {
        text.push(' ');
        text.push_str(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_become_paragraphs_lists_and_code() {
        let page = "A *game*,\nfor **two**, 2 * 3 * 4.\n\nRules:\n- one `a<b`\n  goes on\n- two\n\n  still two\n\nLast.\n\n1. first\n2. second\n\n```text\nx  y\n```\nEnd";
        let html = markup(page).into_string();
        assert_eq!(
            html,
            "<p>A <em>game</em>, for <b>two</b>, 2 * 3 * 4.</p><p>Rules:</p><ul><li>one <code>a&lt;b</code> goes on</li><li>two still two</li></ul>\
             <p>Last.</p><ol><li>first</li><li>second</li></ol><pre tabindex=\"0\">x  y\n</pre><p>End</p>"
        );
    }

    #[test]
    fn the_rules_of_every_game_are_whole() {
        for game in rules::GAMES {
            let rules = game.about.rules();
            let html = markup(&rules).into_string();
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
            assert!(letters(&html) >= letters(&rules) * 9 / 10, "{}: {html}", game.about.id);
            assert!(!html.contains('`') && !html.contains("**"), "{}: {html}", game.about.id);
        }
    }
}
