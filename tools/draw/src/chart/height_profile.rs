//! The heights along a path.

use std::fmt::Write;

use super::axis::{Axis, Scale};
use crate::xml::escape;

const SIZE: [f64; 2] = [900.0, 320.0];
/// The margins: left, top, right, bottom.
const MARGINS: [f64; 4] = [64.0, 24.0, 16.0, 44.0];
/// Distances from here on are in kilometres. [Units: m]
const KILOMETRES: f64 = 5000.0;
const LINE: &str = "#0072b2";

/// Returns a profile as an SVG document. Points are the distance from the start in plan and the height, in metres.
/// Heights are drawn larger than distances, and the picture says by how much.
pub fn svg(description: &str, points: &[[f64; 2]]) -> String {
    let total = points.last().map_or(0.0, |point| point[0]);
    let (unit, scale) = match total >= KILOMETRES {
        true => ("km", 1000.0),
        false => ("m", 1.0),
    };
    let heights: Vec<f64> = points.iter().map(|point| point[1]).collect();
    let y_axis = Axis::new("height, m", Scale::Linear);
    let [low, high] = y_axis.range(&heights);
    let end = if total > 0.0 { total / scale } else { 1.0 };
    let x_axis = Axis::new("", Scale::Linear);
    let [left, top, right, bottom] = MARGINS;
    let plot = [SIZE[0] - left - right, SIZE[1] - top - bottom];
    let at = |[distance, height]: [f64; 2]| {
        let across = left + distance / scale / end * plot[0];
        [across, top + (high - height) / (high - low) * plot[1]]
    };
    let floor = top + plot[1];
    let title = escape(description);
    let [width, height] = SIZE;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n<title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (tick, label) in y_axis.ticks([low, high]) {
        let [_, y] = at([0.0, tick]);
        let _ = writeln!(
            out,
            "<path stroke=\"#ddd\" d=\"M{left} {y:.1}H{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" \
             text-anchor=\"end\">{label}</text>",
            left + plot[0],
            left - 6.0,
            y + 4.0
        );
    }
    for (tick, label) in x_axis.ticks([0.0, end]) {
        let [x, _] = at([tick * scale, low]);
        let _ = writeln!(
            out,
            "<path stroke=\"#888\" d=\"M{x:.1} {floor}v5\"/><text x=\"{x:.1}\" y=\"{:.1}\" \
             text-anchor=\"middle\">{label}</text>",
            floor + 18.0
        );
    }
    let mut line = String::new();
    for (index, &point) in points.iter().enumerate() {
        let [x, y] = at(point);
        let _ = write!(line, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
    }
    if !points.is_empty() {
        let [x, _] = at([total, low]);
        let _ = writeln!(
            out,
            "<path fill=\"{LINE}\" fill-opacity=\"0.18\" d=\"{line}L{x:.1} {floor}L{left} {floor}Z\"/>\n\
             <path fill=\"none\" stroke=\"{LINE}\" stroke-width=\"2\" stroke-linejoin=\"round\" d=\"{line}\"/>"
        );
    }
    let exaggeration = (plot[1] / (high - low)) / (plot[0] / (end * scale));
    let _ = writeln!(
        out,
        "<path stroke=\"#444\" fill=\"none\" d=\"M{left} {top}V{floor}H{:.1}\"/>\n<text x=\"{:.1}\" y=\"{:.1}\" \
         text-anchor=\"middle\">distance in plan, {unit}</text>\n<text x=\"{left}\" y=\"15\">height, m (drawn \
         {exaggeration:.1} times larger than distances)</text>\n</svg>",
        left + plot[0],
        left + plot[0] / 2.0,
        SIZE[1] - 8.0
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_has_all_points_and_its_units() {
        let points = [[0.0, 1200.0], [4000.0, 2100.0], [9000.0, 1500.0]];
        let drawing = svg("from a <to> b", &points);
        assert!(drawing.contains("<title>from a &lt;to&gt; b</title>"));
        assert!(drawing.contains("distance in plan, km"), "{drawing}");
        // The highest point is above the start, and the last one is at the right border.
        let line = drawing
            .split("stroke-linejoin=\"round\" d=\"M")
            .nth(1)
            .unwrap();
        let numbers = line.split('"').next().unwrap();
        let numbers: Vec<f64> = numbers
            .split([' ', 'L'])
            .map(|word| word.parse().unwrap())
            .collect();
        let [x0, y0, x1, y1, x2, y2] = numbers[..] else {
            panic!("{numbers:?}");
        };
        assert!((x0, x2) == (64.0, 884.0) && (x1 - x0 - 820.0 * 4.0 / 9.0).abs() < 0.1);
        assert!(y1 < y2 && y2 < y0);
    }

    #[test]
    fn flat_and_empty_profiles_are_drawn() {
        for points in [&[][..], &[[0.0, 5.0]], &[[0.0, 5.0], [3.0, 5.0]]] {
            let drawing = svg("", points);
            assert!(
                drawing.ends_with("</svg>\n")
                    && !drawing.contains("NaN")
                    && !drawing.contains("inf")
            );
            assert!(drawing.contains("distance in plan, m<"));
        }
    }
}
