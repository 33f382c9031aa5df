//! A map of walls and paths in plan.

use std::fmt::Write;

use super::LEGEND_ROW;
use super::looks::Look;
use crate::xml::escape;

/// A named path on a map.
#[derive(Debug)]
pub struct Route<'a> {
    /// The name in the legend.
    pub name: String,
    /// The number of the colour and dash.
    pub look: usize,
    /// The width of the line, in pixels. Where routes coincide, a wider one is visible under a narrower one.
    pub width: f64,
    /// The x and z of each waypoint, in metres.
    pub points: &'a [[f32; 2]],
}

/// Returns a map of walls and routes as an SVG document, in which x points right and z points up. A wall is
/// given as `[x, z, x, z]` of its two ends, in metres.
pub fn svg(description: &str, walls: &[[f32; 4]], routes: &[Route<'_>]) -> String {
    let ends = walls.iter().flat_map(|w| [[w[0], w[1]], [w[2], w[3]]]);
    let points = ends.chain(routes.iter().flat_map(|route| route.points.iter().copied()));
    let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
    for point in points {
        for i in 0..2 {
            low[i] = low[i].min(point[i]);
            high[i] = high[i].max(point[i]);
        }
    }
    let size = [0, 1].map(|i| f64::from((high[i] - low[i]).max(1.0)));
    let scale = (860.0 / size[0]).min(560.0 / size[1]);
    let width = (size[0] * scale + 40.0).max(620.0);
    let left = (width - size[0] * scale) / 2.0;
    let at = |[x, z]: [f32; 2]| {
        [
            left + f64::from(x - low[0]) * scale,
            20.0 + f64::from(high[1] - z) * scale,
        ]
    };
    let drawn = size[1] * scale + 40.0;
    let height = drawn + 34.0 + routes.len() as f64 * LEGEND_ROW;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<title>{}</title>\n<rect width=\"{width:.0}\" \
         height=\"{height:.0}\" fill=\"#fff\"/>\n<path fill=\"none\" stroke=\"#999\" \
         stroke-width=\"0.8\" d=\"",
        escape(description)
    );
    for &[ax, az, bx, bz] in walls {
        let (a, b) = (at([ax, az]), at([bx, bz]));
        let _ = write!(out, "M{:.1} {:.1}L{:.1} {:.1}", a[0], a[1], b[0], b[1]);
    }
    out.push_str("\"/>\n");
    let mut by_width: Vec<&Route<'_>> = routes.iter().collect();
    by_width.sort_by(|a, b| b.width.total_cmp(&a.width));
    for route in by_width {
        let points: Vec<[f64; 2]> = route.points.iter().map(|&point| at(point)).collect();
        let look = Look::new(route.look);
        look.wide_line(&mut out, &points, route.width);
        for &end in points.first().into_iter().chain(points.last()) {
            let _ = writeln!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"#fff\" stroke=\"#000\" \
                 stroke-width=\"2\"/>",
                end[0], end[1]
            );
        }
    }
    if let Some([first, .., last]) = routes.first().map(|route| route.points) {
        for (name, point) in [("S", *first), ("G", *last)] {
            let [x, y] = at(point);
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"15\" font-weight=\"bold\" \
                 stroke=\"#fff\" stroke-width=\"4\" paint-order=\"stroke\">{name}</text>",
                x + 8.0,
                y - 6.0
            );
        }
    }
    // The scale bar is as long as a round number of metres.
    let metres = super::axis::round_step(120.0 / scale);
    let bar = metres * scale;
    let _ = writeln!(
        out,
        "<path d=\"M20 {0:.1}h{bar:.1}m0 -4v8M20 {1:.1}v8\" stroke=\"#222\" fill=\"none\"/>\
         <text x=\"{2:.1}\" y=\"{3:.1}\" fill=\"#222\">{metres} m</text>",
        drawn + 8.0,
        drawn + 4.0,
        26.0 + bar,
        drawn + 12.0
    );
    for (i, route) in routes.iter().enumerate() {
        let y = drawn + 34.0 + i as f64 * LEGEND_ROW;
        let _ = writeln!(out, "<g transform=\"translate(20 {y:.1})\">");
        let look = Look::new(route.look);
        look.wide_line(&mut out, &[[0.0, 0.0], [40.0, 0.0]], route.width);
        let name = escape(&route.name);
        let _ = writeln!(
            out,
            "<text x=\"48\" y=\"4\" fill=\"#222\">{name}</text></g>"
        );
    }
    out.push_str("</svg>\n");
    out
}
