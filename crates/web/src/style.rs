//! The styles of pages.
//!
//! Boards have the colours of the crate `draw`. A page follows the system to light or dark, unless
//! a reader has switched: then the root element has the class `light` or `dark`.

const DARK: &str = "@media(prefers-color-scheme:dark){";

/// The colours of boards, in light and dark.
pub fn board_style() -> String {
    let (light, dark) = draw::STYLE.split_once(DARK).unwrap_or((draw::STYLE, "}"));
    let dark = dark.strip_suffix('}').unwrap_or(dark);
    let more = include_str!("../js/board.css");
    let (more_light, more_dark) = more.split_once(DARK).unwrap_or((more, "}"));
    let more_dark = more_dark.trim_end().strip_suffix('}').unwrap_or(more_dark);
    let (light, dark) = (format!("{light}\n{more_light}"), format!("{dark}{more_dark}"));
    format!("{light}{DARK}:root:not(.light){{{dark}}}}}\n:root.dark{{{dark}}}\n")
}

/// Everything else.
pub fn page_style() -> String {
    include_str!("../js/style.css").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dark_is_chosen_by_the_system_or_by_a_switch() {
        let style = board_style();
        assert_eq!(style.matches('{').count(), style.matches('}').count(), "{style}");
        assert_eq!(style.matches(".page{fill:#15181d").count(), 2, "{style}");
        assert_eq!(style.matches(".page{fill:#fff").count(), 1, "{style}");
        let page = page_style();
        assert_eq!(page.matches('{').count(), page.matches('}').count());
    }
}
