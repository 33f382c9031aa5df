//! Path data of SVG, in as few letters as 0.1 pixels need.

use std::fmt::Write;

/// One line through several points. The first point is absolute, the others are relative to the one
/// before them: the differences of rounded positions, so that errors do not add up.
#[derive(Default)]
pub(super) struct Outline {
    text: String,
    last: Option<[i64; 2]>,
}

impl Outline {
    pub(super) fn line_to(&mut self, (x, y): (f32, f32)) {
        let here = [x, y].map(|value| (10.0 * f64::from(value)).round() as i64);
        match self.last {
            None => {
                self.text.push('M');
                self.number(here[0], true);
                self.number(here[1], false);
                self.text.push('l');
            }
            Some(last) => {
                let is_first = self.text.ends_with('l');
                self.number(here[0] - last[0], is_first);
                self.number(here[1] - last[1], false);
            }
        }
        self.last = Some(here);
    }

    /// Writes tenths as a decimal number. A minus parts numbers as well as a blank does.
    fn number(&mut self, tenths: i64, is_first: bool) {
        if !is_first && tenths >= 0 {
            self.text.push(' ');
        }
        if tenths < 0 {
            self.text.push('-');
        }
        let (whole, tenth) = (tenths.abs() / 10, tenths.abs() % 10);
        // Writing to a string cannot fail.
        let _ = match (whole, tenth) {
            (whole, 0) => write!(self.text, "{whole}"),
            (0, tenth) => write!(self.text, ".{tenth}"),
            _ => write!(self.text, "{whole}.{tenth}"),
        };
    }

    /// The path data; a single point has none.
    pub(super) fn text(&self) -> &str {
        if self.text.ends_with('l') {
            return "";
        }
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_and_do_not_drift() {
        let mut outline = Outline::default();
        outline.line_to((1.0, 2.04));
        assert_eq!(outline.text(), "");
        outline.line_to((1.26, -0.5));
        outline.line_to((1.26, 10.0));
        assert_eq!(outline.text(), "M1 2l.3-2.5 0 10.5");
    }
}
