//! The colours, markers, dashes and hatchings of charts.

use std::fmt::Write;

/// The colours of Okabe and Ito, which people with any colour vision can distinguish, without their yellow,
/// which is too pale for lines.
const COLOURS: [&str; 7] = [
    "#000000", "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
];

const DASHES: [&str; 7] = ["", "7 3", "2 3", "10 3 2 3", "5 5", "1 4", "12 4"];

/// The colour, dash and marker of a series.
#[derive(Clone, Copy)]
pub(super) struct Look(usize);

impl Look {
    pub(super) fn new(number: usize) -> Self {
        Self(number % COLOURS.len())
    }

    fn colour(self) -> &'static str {
        COLOURS[self.0]
    }

    pub(super) fn line(self, out: &mut String, points: &[[f64; 2]]) {
        self.wide_line(out, points, 2.0);
    }

    pub(super) fn wide_line(self, out: &mut String, points: &[[f64; 2]], width: f64) {
        if points.len() < 2 {
            return;
        }
        out.push_str("<path d=\"");
        for (i, [x, y]) in points.iter().enumerate() {
            let _ = write!(out, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
        }
        let _ = write!(
            out,
            "\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"",
            self.colour()
        );
        if !DASHES[self.0].is_empty() {
            let _ = write!(out, " stroke-dasharray=\"{}\"", DASHES[self.0]);
        }
        out.push_str("/>\n");
    }

    pub(super) fn marker(self, out: &mut String, [x, y]: [f64; 2], r: f64) {
        let colour = self.colour();
        let path = match self.0 {
            0 => format!(
                "M{:.1} {y:.1}a{r} {r} 0 1 0 {} 0a{r} {r} 0 1 0 {} 0Z",
                x - r,
                2.0 * r,
                -2.0 * r
            ),
            1 => format!("M{:.1} {:.1}h{2}v{2}h-{2}Z", x - r, y - r, 2.0 * r),
            2 => format!("M{x:.1} {:.1}l{r} {}h{}Z", y - r, 2.0 * r, -2.0 * r),
            3 => format!("M{x:.1} {:.1}l{r} {r}l-{r} {r}l-{r} -{r}Z", y - r),
            4 => format!("M{x:.1} {:.1}l{r} -{}h{}Z", y + r, 2.0 * r, -2.0 * r),
            5 => format!(
                "M{:.1} {:.1}l{2} {2}m0 -{2}l-{2} {2}",
                x - r,
                y - r,
                2.0 * r
            ),
            _ => format!("M{:.1} {y:.1}h{2}M{x:.1} {:.1}v{2}", x - r, y - r, 2.0 * r),
        };
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"{}\" stroke=\"{colour}\" stroke-width=\"{}\"/>",
            if self.0 < 5 { colour } else { "none" },
            if self.0 < 5 { 0.5 } else { 1.8 }
        );
    }

    /// Writes a hollow star with five points, in the colour of its series.
    pub(super) fn star(self, out: &mut String, [x, y]: [f64; 2]) {
        let mut path = String::new();
        for i in 0..10 {
            let angle = std::f64::consts::PI * (f64::from(i) / 5.0 - 0.5);
            let r = if i % 2 == 0 { 8.5 } else { 3.6 };
            let letter = if i == 0 { 'M' } else { 'L' };
            let _ = write!(
                path,
                "{letter}{:.1} {:.1}",
                x + r * angle.cos(),
                y + r * angle.sin()
            );
        }
        let _ = writeln!(
            out,
            "<path d=\"{path}Z\" fill=\"#fff\" stroke=\"{}\" stroke-width=\"1.8\"/>",
            self.colour()
        );
    }
}

/// Writes the hatchings of the parts of stacked bars, which also differ in brightness.
pub(super) fn write_hatchings(out: &mut String, id: &str) {
    let hatchings = [
        ("#f2f2f2", ""),
        ("#E69F00", "M0 8L8 0M-2 2L2 -2M6 10L10 6"),
        ("#9fd4f5", "M4 0V8"),
        ("#0072B2", ""),
        ("#009E73", "M0 4H8"),
    ];
    out.push_str("<defs>\n");
    for (i, (colour, lines)) in hatchings.iter().enumerate() {
        let _ = writeln!(
            out,
            "<pattern id=\"{id}-hatch{i}\" width=\"8\" height=\"8\" \
             patternUnits=\"userSpaceOnUse\"><rect width=\"8\" height=\"8\" fill=\"{colour}\"/>\
             <path d=\"{lines}\" stroke=\"#222\" stroke-width=\"1\"/></pattern>"
        );
    }
    out.push_str("</defs>\n");
}
