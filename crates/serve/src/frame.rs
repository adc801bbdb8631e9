//! What all pages of the server share.

use crate::site::Site;
use axum::response::{Html, IntoResponse, Response};
use maud::{Markup, html};
use web::{Page, script};

/// Where a page belongs in the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuPlace {
    Results,
    Games,
    Play,
    Engine,
    Elsewhere,
}

/// A page of the server. It is sent as a response.
pub(crate) struct Sheet(pub Page);

impl IntoResponse for Sheet {
    fn into_response(self) -> Response {
        Html(self.0.to_html()).into_response()
    }
}

const STYLE: &str = include_str!("serve.css");

/// A page of the server whose script only switches colours.
pub(crate) fn page(site: &Site, place: MenuPlace, title: &str, body: &Markup) -> Sheet {
    let script = script::joined(script::THEME, "startTheme();");
    let page =
        Page { title: title.to_owned(), body: html! { main #app { (body) } }, script, ..Page::default() };
    Sheet(dressed(site, place, &html! {}, page))
}

/// A page with the menu of the server. `more` stands below the menu.
pub(crate) fn dressed(site: &Site, place: MenuPlace, more: &Markup, mut page: Page) -> Page {
    let link = |to: &str, words: &str, of: MenuPlace| {
        html! { a href=(to) aria-current=[(of == place).then_some("page")] { (words) } }
    };
    page.above = html! {
        header.menu {
            nav aria-label="Ludus" {
                (link("/", "Results", MenuPlace::Results))
                (link("/games", "Games", MenuPlace::Games))
                @if site.play.is_some() { (link("/play", "Play", MenuPlace::Play)) }
                @if site.engine.is_some() { (link("/engine", "Engine", MenuPlace::Engine)) }
            }
            (more)
        }
    };
    page.more_style.push_str(STYLE);
    page
}

/// `the port is used` as `The port is used.`
pub(crate) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// A name as one part of an address.
pub(crate) fn segment(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for &byte in name.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_part_of_an_address() {
        for (name, text) in [
            ("league", "league"),
            ("a b", "a%20b"),
            ("a/../b", "a%2F..%2Fb"),
            ("é?#%\"<", "%C3%A9%3F%23%25%22%3C"),
        ] {
            assert_eq!(segment(name), text);
        }
    }
}
