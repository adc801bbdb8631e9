//! The look of the drawings. Every element has its own attributes, because not every program that
//! paints SVG reads style sheets.

pub(crate) const SANS: &str = "system-ui,'Segoe UI','DejaVu Sans',sans-serif";
pub(crate) const MONO: &str = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace";

pub(crate) const DARK: &str = "#1f2430";
pub(crate) const FAINT: &str = "#5b6372";
pub(crate) const GREY: &str = "#8a93a3";
pub(crate) const PALE: &str = "#c3c8d0";
/// The colours of A and B, of X and O.
pub(crate) const BLUE: &str = "#3b6fb6";
pub(crate) const ORANGE: &str = "#c2711b";
pub(crate) const RED: &str = "#b42318";

pub(crate) const TITLE: Class =
    ("title", &[("font-family", SANS), ("font-size", "15"), ("font-weight", "600")]);
pub(crate) const SENTENCE: Class =
    ("sentence", &[("font-family", SANS), ("font-size", "12.5"), ("fill", FAINT)]);

/// A word for a look, and its attributes.
pub(crate) type Class = (&'static str, &'static [(&'static str, &'static str)]);

/// The classes of a drawing.
pub(crate) struct Ink(pub &'static [Class]);

impl Ink {
    /// The attributes of classes that are separated by blanks. A later class overrides an earlier
    /// class.
    pub(crate) fn of(&self, classes: &str) -> String {
        let mut all: Vec<(&str, &str)> = Vec::new();
        for class in classes.split_whitespace() {
            let found = self.0.iter().find(|(name, _)| *name == class);
            for &(name, value) in found.into_iter().flat_map(|(_, attributes)| *attributes) {
                match all.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, old)) => *old = value,
                    None => all.push((name, value)),
                }
            }
        }
        all.iter().map(|(name, value)| format!(" {name}=\"{value}\"")).collect()
    }
}

/// A drawing on white. `family` is the font of texts without a font of their own.
pub(crate) fn document((width, height): (f64, f64), family: &str, body: &str) -> String {
    // Without `stroke="none"` some programs paint a black outline around all letters.
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">\n\
        <g font-family=\"{family}\" font-size=\"12\" fill=\"{DARK}\" stroke=\"none\">\n\
        <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#fff\"/>\n{body}</g>\n</svg>\n"
    )
}

/// Panics if a program without style sheets would paint this drawing in another way.
#[cfg(test)]
pub(crate) fn assert_plain(svg: &str) {
    for word in ["<style", " style=", " class=", "paint-order", "=\"\"", "%\""] {
        assert!(!svg.contains(word), "{word}: {svg}");
    }
    for line in svg.lines() {
        let names: Vec<&str> = line.split('>').next().unwrap_or_default().split("=\"").collect();
        let mut names: Vec<&str> = names.iter().filter_map(|part| part.rsplit(' ').next()).collect();
        names.pop();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "an attribute stands twice: {line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_class_overrides_an_earlier_class() {
        let ink = Ink(&[("a", &[("fill", "none"), ("stroke", "red")]), ("b", &[("stroke", "blue")])]);
        for (classes, attributes) in [
            ("", ""),
            ("unknown", ""),
            ("a", " fill=\"none\" stroke=\"red\""),
            ("a b", " fill=\"none\" stroke=\"blue\""),
            ("b a", " stroke=\"red\" fill=\"none\""),
        ] {
            assert_eq!(ink.of(classes), attributes, "{classes}");
        }
    }
}
