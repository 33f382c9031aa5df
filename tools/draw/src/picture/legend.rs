//! Legends of pictures: a panel below the ground that explains its colours.

use portolan_terrain::NO_TRIANGLE;

use super::{Colour, Picture, mix};
use crate::glyphs::{GLYPH, glyph};

const PANEL: Colour = [250, 250, 250];
const INK: Colour = [30, 34, 42];
const FRAME: Colour = [130, 130, 130];

/// The height of a row, the space between items, and the widths of a sample and of a ramp, at the smallest size of
/// letters. [Units: px]
const ROW: usize = 12;
const GAP: usize = 10;
const SAMPLE: usize = 9;
const RAMP: usize = 64;

/// One entry of a legend. Letters are shown as capitals.
#[derive(Clone, Debug, PartialEq)]
pub enum LegendItem {
    /// Words without a colour.
    Text(String),
    /// What a colour means.
    Colour(Colour, String),
    /// What a dot means, as [`Picture::draw_dot`] draws it.
    Dot(Colour, String),
    /// Colours from a value to another one, evenly spaced.
    Ramp {
        /// At least one colour.
        colours: Vec<Colour>,
        /// The value of the first colour.
        from: String,
        /// The value of the last colour, and the name of the quantity.
        to: String,
    },
}

impl LegendItem {
    /// Returns the width. [Units: px at the smallest size]
    fn width(&self) -> usize {
        match self {
            Self::Text(text) => width_of(text),
            Self::Colour(_, text) | Self::Dot(_, text) => SAMPLE + 4 + width_of(text),
            Self::Ramp { from, to, .. } => width_of(from) + 4 + RAMP + 4 + width_of(to),
        }
    }
}

fn width_of(text: &str) -> usize {
    text.chars().count() * (GLYPH[0] + 1)
}

/// Formats a value for a legend: four significant digits, without trailing zeros.
pub fn legend_number(value: f64) -> String {
    let magnitude = value.abs().max(1e-3).log10().floor() as i32;
    let decimals = (3 - magnitude).clamp(0, 6) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

impl Picture {
    /// Adds a panel with a legend below the picture. Items that do not fit into a row continue in the next one. Draw
    /// everything else first, because later layers and dots do not change the panel's colours.
    pub fn add_legend(&mut self, items: &[LegendItem]) {
        let zoom = (self.width / 480).max(1);
        let across = self.width / zoom;
        // The column and the row of each item.
        let mut places = Vec::new();
        let (mut x, mut row) = (4, 0);
        for item in items {
            if x > 4 && x + item.width() + 4 > across {
                (x, row) = (4, row + 1);
            }
            places.push([x, row]);
            x += item.width() + GAP;
        }
        if items.is_empty() {
            return;
        }
        let top = self.height;
        self.height += ((row + 1) * ROW + 4) * zoom;
        let pixels = self.width * self.height;
        self.colours.resize(pixels, PANEL);
        self.triangles.resize(pixels, NO_TRIANGLE);
        for (item, [x, row]) in items.iter().zip(places) {
            let mut pen = Pen {
                zoom,
                x,
                y: top / zoom + row * ROW + 4,
                offset: top % zoom,
                picture: self,
            };
            pen.item(item);
        }
    }
}

/// A position in the panel where the next thing is drawn.
struct Pen<'a> {
    picture: &'a mut Picture,
    zoom: usize,
    x: usize,
    y: usize,
    /// The rows of the ground beyond a multiple of `zoom`.
    offset: usize,
}

impl Pen<'_> {
    fn item(&mut self, item: &LegendItem) {
        match item {
            LegendItem::Text(text) => self.text(text),
            LegendItem::Colour(colour, text) => {
                self.boxed(SAMPLE, |_| *colour);
                self.text(text);
            }
            LegendItem::Dot(colour, text) => {
                let centre = (SAMPLE / 2) as i64;
                for row in 0..SAMPLE as i64 {
                    for column in 0..SAMPLE as i64 {
                        let distance = (row - centre).pow(2) + (column - centre).pow(2);
                        if distance <= centre * centre {
                            let colour = if distance < 12 { *colour } else { FRAME };
                            self.dot(column as usize, row as usize, colour);
                        }
                    }
                }
                self.x += SAMPLE + 4;
                self.text(text);
            }
            LegendItem::Ramp { colours, from, to } => {
                self.text(from);
                self.x += 4;
                self.boxed(RAMP, |fraction| ramp_colour(colours, fraction));
                self.text(to);
            }
        }
    }

    /// Draws a framed box whose colour depends on the fraction of its width.
    fn boxed(&mut self, width: usize, colour: impl Fn(f64) -> Colour) {
        for row in 0..SAMPLE {
            for column in 0..width {
                let is_frame = row == 0 || row + 1 == SAMPLE || column == 0 || column + 1 == width;
                let colour = match is_frame {
                    true => FRAME,
                    false => colour(column as f64 / (width - 1) as f64),
                };
                self.dot(column, row, colour);
            }
        }
        self.x += width + 4;
    }

    fn text(&mut self, text: &str) {
        for character in text.chars() {
            for (row, bits) in glyph(character).into_iter().enumerate() {
                for column in
                    (0..GLYPH[0]).filter(|column| bits >> (GLYPH[0] - 1 - column) & 1 == 1)
                {
                    self.dot(column, row + 1, INK);
                }
            }
            self.x += GLYPH[0] + 1;
        }
    }

    fn dot(&mut self, column: usize, row: usize, colour: Colour) {
        for down in 0..self.zoom {
            for right in 0..self.zoom {
                let x = (self.x + column) * self.zoom + right;
                let y = (self.y + row) * self.zoom + self.offset + down;
                self.picture.put(x as i64, y as i64, colour);
            }
        }
    }
}

/// Returns the colour at a fraction from 0 to 1 of a ramp of at least one colour.
pub(crate) fn ramp_colour(colours: &[Colour], fraction: f64) -> Colour {
    let position = fraction.clamp(0.0, 1.0) * (colours.len() - 1) as f64;
    let below = (position as usize).min(colours.len().saturating_sub(2));
    let above = (below + 1).min(colours.len() - 1);
    mix(
        colours[below],
        colours[above],
        (position - below as f64) as f32,
    )
}

#[cfg(test)]
mod tests {
    use portolan_scenes::HeightFunction;
    use portolan_terrain::WebOptions;

    use super::*;

    #[test]
    fn a_legend_is_below_the_ground_and_wraps() {
        let map = HeightFunction::Hills.map(9, 9, 1).unwrap();
        let web = map.triangulate(&WebOptions::default(), None).unwrap();
        for (side, expected_rows) in [(40, 3), (120, 2), (1000, 1)] {
            let plain = Picture::relief(&web, side);
            let mut picture = plain.clone();
            let ramp = LegendItem::Ramp {
                colours: vec![[0; 3], [255, 0, 0]],
                from: "0".to_owned(),
                to: "12.5 cost".to_owned(),
            };
            let dot = LegendItem::Dot([1, 2, 3], "start".to_owned());
            let colour = LegendItem::Colour([9, 8, 7], "no path".to_owned());
            picture.add_legend(&[ramp, dot, colour]);
            let ground = plain.colours();
            assert_eq!(&picture.colours()[..ground.len()], ground);
            assert_eq!(picture.colours().len(), picture.width() * picture.height());
            let panel = &picture.colours()[ground.len()..];
            for expected in [PANEL, INK, [1, 2, 3], [9, 8, 7]] {
                let is_small = side == 40 && expected != PANEL;
                assert!(
                    is_small || panel.contains(&expected),
                    "{side}: {expected:?}"
                );
            }
            let rows = (picture.height() - side) / ((side / 480).max(1) * ROW);
            assert_eq!(rows, expected_rows);
        }
    }

    #[test]
    fn numbers_have_four_digits() {
        let numbers = [0.0, 1.0, 12.3456, 1234.56, 0.012_346, -7.5, 98_765.4];
        let texts = numbers.map(legend_number);
        assert_eq!(
            texts,
            ["0", "1", "12.35", "1235", "0.01235", "-7.5", "98765"]
        );
    }

    #[test]
    fn ramps_begin_and_end_with_their_colours() {
        let colours = [[0; 3], [100, 0, 0], [100, 200, 0]];
        assert_eq!(ramp_colour(&colours, 0.0), colours[0]);
        assert_eq!(ramp_colour(&colours, 0.25), [50, 0, 0]);
        assert_eq!(ramp_colour(&colours, 1.0), colours[2]);
        assert_eq!(ramp_colour(&colours[..1], 0.7), colours[0]);
    }
}
