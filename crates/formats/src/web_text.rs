//! Triangle webs and prices as text, in the formats that this crate reads.

use std::fmt::Write as _;
use std::io::{self, Write};

use portolan_terrain::{Price, TriangleWeb};

/// Writes the triangles of a web as `.obj`, with z up. Reading it with z up gives the same triangles and points, bit by
/// bit, if every point belongs to a triangle.
pub fn write_web(web: &TriangleWeb, out: &mut dyn Write) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    for point in web.points() {
        writeln!(out, "v {} {} {}", point.x, point.y, point.z)?;
    }
    for corners in web.triangles() {
        let [a, b, c] = corners.map(|corner| u64::from(corner) + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    out.flush()
}

/// Writes difficulties as [`read_difficulty`](crate::read_difficulty) reads them, one per line.
pub fn write_difficulty(difficulties: &[f32], out: &mut dyn Write) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    for difficulty in difficulties {
        writeln!(out, "{difficulty}")?;
    }
    out.flush()
}

/// Returns a price as TOML that [`read_price`](crate::read_price) reads, with the unit and the limits of each parameter as
/// comments.
pub fn price_text(price: &Price) -> String {
    let mut text = "# The price of a step from one triangle to the next.\n".to_owned();
    let distances = format!("distances = \"{}\"", price.distances.name());
    writeln!(text, "{distances:<26} # how distances are measured").expect("a string");
    for parameter in &Price::PARAMETERS {
        let line = format!("{} = {}", parameter.name, parameter.get(price));
        writeln!(
            text,
            "{line:<26} # {}, {} to {}",
            parameter.unit, parameter.min, parameter.max
        )
        .expect("a string");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read_difficulty, read_price};

    #[test]
    fn a_written_price_is_read_as_the_same_price() {
        let mut price = Price::default();
        assert_eq!(read_price(price_text(&price).as_bytes()).unwrap(), price);
        for (value, parameter) in (1u8..).zip(&Price::PARAMETERS) {
            parameter.set(
                &mut price,
                (f32::from(value) / 3.0).min(parameter.max / 2.0),
            );
        }
        assert_eq!(read_price(price_text(&price).as_bytes()).unwrap(), price);
    }

    #[test]
    fn written_difficulties_are_read_as_the_same_numbers() {
        let difficulties = [0.0, 1.0, 0.1, 1.0 / 3.0, f32::MIN_POSITIVE];
        let mut bytes = Vec::new();
        write_difficulty(&difficulties, &mut bytes).unwrap();
        assert_eq!(read_difficulty(&bytes).unwrap(), difficulties);
    }
}
