//! One page of HTML in one file.
//!
//! The policy in the head of the page allows only the script and the styles of the page itself, by
//! their hashes. A browser runs nothing else, loads nothing, and sends nothing, whatever text a
//! stranger has put into a name or a note.

use crate::base64::base64;
use crate::style::{board_style, page_style};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};
use std::io::Write as _;
use text::harmless;

/// A page. [`Page::to_html`] writes the whole file.
#[derive(Clone, Debug, Default)]
pub struct Page {
    pub title: String,
    /// What stands above the body, such as the menu of a server.
    pub above: Markup,
    /// What a reader sees without scripts too.
    pub body: Markup,
    pub blocks: Vec<Block>,
    /// One script, made by [`crate::script::joined`].
    pub script: String,
    /// Styles besides those of boards and of all pages.
    pub more_style: String,
    /// May the script talk to the server that sent the page? A page from disk has no server.
    pub connects: bool,
}

/// Data for the script of a page. The text of a block is never markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    id: String,
    kind: &'static str,
    content: String,
}

impl Block {
    /// JSON that a script reads at once.
    pub fn json(id: impl Into<String>, value: &serde_json::Value) -> Block {
        // A `<` could begin the end of the block, or a comment that swallows the page.
        let content = value.to_string().replace('<', "\\u003c");
        Block { id: id.into(), kind: "application/json", content }
    }

    /// JSON that a script unpacks when somebody asks for it.
    pub fn packed(id: impl Into<String>, json: &str) -> Block {
        Block { id: id.into(), kind: "text/plain", content: packed(json) }
    }
}

/// A text as base64 of its raw deflate stream.
pub fn packed(text: &str) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory can't fail.
    let _ = encoder.write_all(text.as_bytes());
    base64(&encoder.finish().unwrap_or_default())
}

impl Page {
    /// The bytes of the data. The rest of a page is small.
    pub fn data_bytes(&self) -> usize {
        self.blocks.iter().map(|block| block.content.len()).sum()
    }

    pub fn to_html(&self) -> String {
        // A browser does not say where a form comes from, unless a page tells its own server who asks.
        let (rights, referrer) = if self.connects {
            ("connect-src 'self'; form-action 'self'", "same-origin")
        } else {
            ("form-action 'none'", "no-referrer")
        };
        let styles = [board_style(), page_style() + &self.more_style];
        let policy = format!(
            "default-src 'none'; script-src {}; style-src {} {}; img-src data: blob:; base-uri 'none'; {rights}",
            hash(&self.script),
            hash(&styles[0]),
            hash(&styles[1])
        );
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content=(referrer);
                    title { (harmless::line(&self.title)) }
                    style id="board-style" { (PreEscaped(&styles[0])) }
                    style { (PreEscaped(&styles[1])) }
                }
                body {
                    (self.above)
                    (self.body)
                    @for Block { id, kind, content } in &self.blocks {
                        script type=(kind) id=(id) { (PreEscaped(content)) }
                    }
                    script type="module" { (PreEscaped(&self.script)) }
                }
            }
        };
        page.into_string() + "\n"
    }
}

/// The hash of a text in the words of a policy.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn page(title: &str) -> Page {
        let body = html! { p { (title) } };
        let blocks = vec![Block::json("meta", &json!({ "name": title })), Block::packed("c0", title)];
        Page { title: title.to_owned(), body, blocks, script: "void 0;".to_owned(), ..Page::default() }
    }

    #[test]
    fn no_text_of_a_stranger_becomes_markup() {
        let html = page("</script></title><!--<script><img src=x onerror=alert(1)>\u{2028}").to_html();
        assert_eq!(html.matches("<script").count(), 3, "{html}");
        assert_eq!(html.matches("</script>").count(), 3, "{html}");
        assert!(!html.contains("<!--") && !html.contains("<img"), "{html}");
    }

    #[test]
    fn the_policy_names_the_script_and_the_styles_by_their_hashes() {
        let html = page("a").to_html();
        // Of `void 0;`, by another program.
        assert!(html.contains(&hash("void 0;").replace('\'', "&#39;")) || html.contains(&hash("void 0;")));
        assert_eq!(html.matches("sha256-").count(), 3, "{html}");
        assert!(
            !html.contains("unsafe-inline") && !html.contains("style=\"") && !html.contains("connect-src")
        );
        let of_server = Page { connects: true, ..page("a") }.to_html();
        assert!(
            of_server.contains("; connect-src &#39;self&#39;") || of_server.contains("; connect-src 'self'")
        );
    }

    #[test]
    fn a_packed_block_unpacks_to_its_text() {
        let text = "{\"a\":\"é♥\"}".repeat(40);
        assert!(packed(&text).len() < text.len() / 4);
        assert!(packed(&text).bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)));
    }
}
