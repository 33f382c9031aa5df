//! Pictures of terrain in plan, as PNG.
//!
//! A picture stores the triangle of each pixel, so that any number of layers can be drawn over it. Clone a
//! picture to draw several others over the same ground. [`Picture::add_legend`] comes last.

mod legend;

use std::io::{self, Write};
use std::path::Path;

use glam::{Vec3, vec3};
use portolan_terrain::{NO_TRIANGLE, TriangleWeb};

pub(crate) use legend::ramp_colour;
pub use legend::{LegendItem, legend_number};
use portolan_files::{FileError, save};

/// Red, green and blue.
pub type Colour = [u8; 3];

/// The colour of pixels without a triangle.
const BACKGROUND: Colour = [30, 34, 42];

/// The colours from the lowest ground to the highest. They are pale, so that layers over them stand out.
const TINTS: [Vec3; 4] = [
    vec3(138.0, 160.0, 132.0),
    vec3(198.0, 196.0, 158.0),
    vec3(196.0, 176.0, 152.0),
    vec3(246.0, 246.0, 246.0),
];

/// The slope that the mean slope of the ground is scaled to for shading, so that plains have a visible
/// relief and mountains are not black.
const DRAWN_SLOPE: f64 = 0.5;

/// The colour of triangles that cost more than the end of the scale.
const CLIPPED: Colour = [70, 130, 255];

/// The colour of triangles without a path.
const NO_PATH: Colour = [255; 3];

/// The maximum length of the longer side. [Units: px]
const MAX_SIDE: usize = 1 << 13;

/// A picture of a triangle web in plan, stored row by row from the highest y.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    width: usize,
    height: usize,
    colours: Vec<Colour>,
    /// The triangle of each pixel, or [`NO_TRIANGLE`].
    triangles: Vec<u32>,
    /// The x and y of the top left corner. [Units: m]
    corner: [f64; 2],
    /// The scale along x and y. [Units: px/m]
    scale: [f64; 2],
}

impl Picture {
    /// Draws every triangle in its colour. The longer side has `longest_side` pixels (1 to 8192), and the shorter
    /// side keeps the aspect ratio.
    pub fn of_web(web: &TriangleWeb, longest_side: usize, colour: impl Fn(u32) -> Colour) -> Self {
        let mut picture = Self::empty(web, longest_side);
        picture.overlay(1.0, |triangle| Some(colour(triangle)));
        picture
    }

    /// Draws the ground tinted by height, with light from the top left.
    pub fn relief(web: &TriangleWeb, longest_side: usize) -> Self {
        let relief = ReliefShading::of(web);
        Self::of_web(web, longest_side, |triangle| relief.colour(web, triangle))
    }

    /// Draws the cost of reaching each triangle on the scale of the terrain thesis: the darkest colour for the lowest
    /// cost, and the most saturated one for the cost `scale`, which is the highest cost if it is `None`. Triangles that
    /// cost more are blue, and those without a path are white. [`cost_legend`] explains the colours.
    pub fn costs(
        web: &TriangleWeb,
        longest_side: usize,
        costs: &[f64],
        scale: Option<f64>,
    ) -> Self {
        let scale = scale.unwrap_or_else(|| max_cost(costs));
        Self::of_web(web, longest_side, |triangle| {
            let cost = costs[triangle as usize];
            if !cost.is_finite() {
                NO_PATH
            } else if is_clipped(cost, scale) {
                CLIPPED
            } else {
                cost_colour(if scale > 0.0 { cost / scale } else { 0.0 })
            }
        })
    }

    fn empty(web: &TriangleWeb, longest_side: usize) -> Self {
        let extent = web.extent();
        let [left, top] = [f64::from(extent.min.x), f64::from(extent.max.y)];
        let sizes = [
            f64::from(extent.max.x) - left,
            top - f64::from(extent.min.y),
        ];
        let longest = sizes[0].max(sizes[1]);
        let side = longest_side.clamp(1, MAX_SIDE);
        // Ground without area still has a picture, which is one pixel wide.
        let [width, height] = sizes.map(|size| match longest > 0.0 {
            true => ((size / longest * side as f64).round() as usize).max(1),
            false => 1,
        });
        let scale = |pixels: usize, size: f64| match size > 0.0 {
            true => pixels as f64 / size,
            false => 1.0,
        };
        let mut picture = Self {
            width,
            height,
            colours: vec![BACKGROUND; width * height],
            triangles: Vec::with_capacity(width * height),
            corner: [left, top],
            scale: [scale(width, sizes[0]), scale(height, sizes[1])],
        };
        for row in 0..height {
            let y = top - (row as f64 + 0.5) / picture.scale[1];
            for column in 0..width {
                let x = left + (column as f64 + 0.5) / picture.scale[0];
                let triangle = web.locate(x as f32, y as f32);
                picture.triangles.push(triangle.unwrap_or(NO_TRIANGLE));
            }
        }
        picture
    }

    /// Returns the number of pixels per row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns all pixels, row by row from the top.
    pub fn colours(&self) -> &[Colour] {
        &self.colours
    }

    /// Draws a layer over the picture. `colour` returns the colour of a triangle, or `None` to leave it as
    /// it is. `opacity` is 0 (invisible) to 1 (opaque).
    pub fn overlay(&mut self, opacity: f32, colour: impl Fn(u32) -> Option<Colour>) {
        for (pixel, &triangle) in self.colours.iter_mut().zip(&self.triangles) {
            if triangle == NO_TRIANGLE {
                continue;
            }
            if let Some(over) = colour(triangle) {
                *pixel = mix(*pixel, over, opacity);
            }
        }
    }

    /// Colours the triangles of a path and draws a line through their centroids, so that the path is visible
    /// even if its triangles are smaller than a pixel. Triangles that do not exist are skipped.
    pub fn draw_path(&mut self, web: &TriangleWeb, path: &[u32], colour: Colour) {
        let path = path
            .iter()
            .filter(|&&triangle| (triangle as usize) < web.len());
        let mut sorted: Vec<u32> = path.clone().copied().collect();
        sorted.sort_unstable();
        self.overlay(1.0, |triangle| {
            sorted.binary_search(&triangle).is_ok().then_some(colour)
        });
        let mut last = None;
        for &triangle in path {
            let here = self.pixel(web.centroid(triangle));
            self.draw_line(last.unwrap_or(here), here, colour);
            last = Some(here);
        }
    }

    /// Marks a point with a dot in a white ring, which is visible on any ground.
    pub fn draw_dot(&mut self, point: Vec3, colour: Colour) {
        let here = self.pixel(point);
        let radius = (self.width.max(self.height) as f64 / 120.0).max(2.0);
        for (radius, colour) in [(radius + 1.5, [255, 255, 255]), (radius, colour)] {
            self.draw_disc(here, radius, colour);
        }
    }

    /// Returns the column and the row of a point. [Units: px]
    fn pixel(&self, point: Vec3) -> [f64; 2] {
        [
            (f64::from(point.x) - self.corner[0]) * self.scale[0],
            (self.corner[1] - f64::from(point.y)) * self.scale[1],
        ]
    }

    fn draw_line(&mut self, from: [f64; 2], to: [f64; 2], colour: Colour) {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let steps = (dx.abs().max(dy.abs()) * 2.0).ceil().max(1.0) as usize;
        for step in 0..=steps {
            let fraction = step as f64 / steps as f64;
            let at = [from[0] + dx * fraction, from[1] + dy * fraction];
            // Four pixels around a common corner, so the line is two pixels wide in every direction.
            let [column, row] = at.map(|coordinate| coordinate.round() as i64);
            for [column, row] in [
                [column - 1, row - 1],
                [column, row - 1],
                [column - 1, row],
                [column, row],
            ] {
                self.put(column, row, colour);
            }
        }
    }

    fn draw_disc(&mut self, [x, y]: [f64; 2], radius: f64, colour: Colour) {
        for row in (y - radius).floor() as i64..=(y + radius).ceil() as i64 {
            for column in (x - radius).floor() as i64..=(x + radius).ceil() as i64 {
                let (dx, dy) = (column as f64 + 0.5 - x, row as f64 + 0.5 - y);
                if dx.hypot(dy) <= radius {
                    self.put(column, row, colour);
                }
            }
        }
    }

    fn put(&mut self, column: i64, row: i64, colour: Colour) {
        let [Ok(column), Ok(row)] = [column, row].map(usize::try_from) else {
            return;
        };
        if column < self.width && row < self.height {
            self.colours[row * self.width + column] = colour;
        }
    }

    /// Writes the picture as a PNG to `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.colours.as_flattened())?;
        writer.finish()?;
        Ok(())
    }

    /// Saves the picture as a PNG file.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        save(path, |file| self.write(file))
    }
}

/// The shading of a triangle web by height and slope.
struct ReliefShading {
    lowest: f32,
    height: f32,
    /// The factor of slopes.
    exaggeration: f64,
}

impl ReliefShading {
    fn of(web: &TriangleWeb) -> Self {
        let triangles = 0..web.len() as u32;
        let mean = triangles
            .map(|triangle| {
                let [x, y] = slope(web, triangle);
                // Slopes are capped at 3, so that a few walls do not flatten everything else.
                x.hypot(y).min(3.0)
            })
            .sum::<f64>()
            / web.len() as f64;
        let extent = web.extent();
        Self {
            lowest: extent.min.z,
            height: extent.size().z,
            exaggeration: if mean > 0.0 { DRAWN_SLOPE / mean } else { 0.0 },
        }
    }

    fn colour(&self, web: &TriangleWeb, triangle: u32) -> Colour {
        let height = web.centroid(triangle).z - self.lowest;
        let fraction = if self.height > 0.0 {
            (height / self.height).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let position = fraction * (TINTS.len() - 1) as f32;
        let below = (position as usize).min(TINTS.len() - 2);
        let tint = TINTS[below].lerp(TINTS[below + 1], position - below as f32);
        (tint * self.light(web, triangle))
            .to_array()
            .map(|value| value as u8)
    }

    /// Returns the brightness of a triangle, which is 1 on a plain. The light comes from the top left at 45
    /// degrees.
    fn light(&self, web: &TriangleWeb, triangle: u32) -> f32 {
        let [x, y] = slope(web, triangle).map(|slope| slope * self.exaggeration);
        // The normal is (-x, -y, 1), the light (-1, 1, √2) / 2.
        let towards = (x - y + 2f64.sqrt()) / (2.0 * (1.0 + x * x + y * y).sqrt());
        let plain = 0.5f64.sqrt();
        (towards.max(0.0) / plain).mul_add(0.6, 0.4) as f32
    }
}

/// Returns the slope of a triangle along x and along y, or 0 if it is vertical or has no area.
fn slope(web: &TriangleWeb, triangle: u32) -> [f64; 2] {
    let [a, b, c] = web.corners(triangle).map(Vec3::as_dvec3);
    let normal = (b - a).cross(c - a);
    let slopes = [-normal.x / normal.z, -normal.y / normal.z];
    match slopes.iter().all(|slope| slope.is_finite()) {
        true => slopes,
        false => [0.0; 2],
    }
}

/// Returns the highest finite cost, or 0 if there is none.
pub fn max_cost(costs: &[f64]) -> f64 {
    let finite = costs.iter().copied().filter(|cost| cost.is_finite());
    finite.fold(0.0, f64::max)
}

/// Returns the colour of a cost, as a fraction from 0 to 1 of the scale.
fn cost_colour(fraction: f64) -> Colour {
    let fraction = fraction.clamp(0.0, 1.0);
    hsv(0.0, 0.3 + 0.7 * fraction, 0.12 + 0.88 * fraction)
}

/// Returns whether a cost is beyond the end of the scale. Costs of different engines differ by rounding.
fn is_clipped(cost: f64, scale: f64) -> bool {
    cost > scale * (1.0 + 1e-5)
}

/// Returns the legend of [`Picture::costs`] with the same costs and scale: the scale, and how many triangles are beyond its
/// end or have no path.
pub fn cost_legend(costs: &[f64], scale: Option<f64>) -> Vec<LegendItem> {
    let scale = scale.unwrap_or_else(|| max_cost(costs));
    let steps = (0..=16).map(|step| cost_colour(f64::from(step) / 16.0));
    let mut items = vec![LegendItem::Ramp {
        colours: steps.collect(),
        from: "0".to_owned(),
        to: format!("{} cost", legend_number(scale)),
    }];
    let mut count = |colour: Colour, what: &str, is_it: &dyn Fn(f64) -> bool| {
        let those = costs.iter().filter(|&&cost| is_it(cost)).count();
        if those > 0 {
            let percent = 100.0 * those as f64 / costs.len() as f64;
            let text = format!("{what}: {percent:.1}%");
            items.push(LegendItem::Colour(colour, text));
        }
    };
    count(CLIPPED, "more, clipped", &|cost| {
        cost.is_finite() && is_clipped(cost, scale)
    });
    count(NO_PATH, "no path", &|cost| !cost.is_finite());
    items
}

/// Returns the legend of [`Picture::relief`].
pub fn height_legend(web: &TriangleWeb) -> LegendItem {
    let extent = web.extent();
    let [low, high] = [extent.min.z, extent.max.z].map(|z| legend_number(z.into()));
    LegendItem::Ramp {
        colours: TINTS
            .map(|tint| tint.to_array().map(|value| value as u8))
            .to_vec(),
        from: low,
        to: format!("{high} height"),
    }
}

/// Blends `over` into `under`. `opacity` is 0 (only `under`) to 1 (only `over`).
pub fn mix(under: Colour, over: Colour, opacity: f32) -> Colour {
    let opacity = opacity.clamp(0.0, 1.0);
    std::array::from_fn(|i| {
        let [under, over] = [under[i], over[i]].map(f32::from);
        (under + (over - under) * opacity).round() as u8
    })
}

/// Returns a colour for a mesh id. The colours of nearby ids differ clearly, because such meshes are often
/// neighbours.
pub fn colour_of(id: u32) -> Colour {
    // The hue is the golden ratio times the id, in fixed point, so every next hue falls into the widest gap.
    let hue = id.wrapping_mul(0x9e37_79b9);
    let hue = f64::from(hue) / f64::from(u32::MAX);
    let [saturation, value] = [[0.75, 0.95], [0.55, 0.75], [0.9, 0.7]][id as usize % 3];
    hsv(hue, saturation, value)
}

/// Converts hue, saturation and value, each from 0 to 1, to RGB.
pub fn hsv(hue: f64, saturation: f64, value: f64) -> Colour {
    [5.0, 3.0, 1.0].map(|offset: f64| {
        let sixth = (offset + hue * 6.0).rem_euclid(6.0);
        let reduction = sixth.min(4.0 - sixth).clamp(0.0, 1.0);
        (255.0 * value * (1.0 - saturation * reduction)).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use portolan_scenes::HeightFunction;
    use portolan_terrain::WebOptions;

    use super::*;

    fn web(width: usize, height: usize) -> TriangleWeb {
        let map = HeightFunction::Hills.map(width, height, 1).unwrap();
        map.triangulate(&WebOptions::default(), None).unwrap()
    }

    #[test]
    fn sides_keep_their_ratio_and_the_top_row_has_the_highest_y() {
        let web = web(9, 5);
        let north = |triangle: u32| web.centroid(triangle).y > 0.0;
        let picture = Picture::of_web(&web, 80, |triangle| match north(triangle) {
            true => [255, 0, 0],
            false => [0, 0, 255],
        });
        assert_eq!((picture.width(), picture.height()), (80, 40));
        assert_eq!(picture.colours()[0], [255, 0, 0]);
        assert_eq!(picture.colours()[80 * 40 - 1], [0, 0, 255]);
        assert!(!picture.colours().contains(&BACKGROUND));
    }

    #[test]
    fn a_written_picture_can_be_read() {
        let picture = Picture::relief(&web(9, 9), 50);
        let mut bytes = Vec::new();
        picture.write(&mut bytes).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, picture.colours().as_flattened());
    }

    #[test]
    fn pixels_without_a_triangle_have_the_background_colour() {
        let points = vec![Vec3::ZERO, vec3(4.0, 0.0, 0.0), vec3(0.0, 4.0, 1.0)];
        let web = TriangleWeb::new(points, vec![[0, 1, 2]], Vec::new()).unwrap();
        let picture = Picture::relief(&web, 40);
        assert_eq!(picture.colours()[39], BACKGROUND);
        assert_ne!(picture.colours()[39 * 40], BACKGROUND);
    }

    #[test]
    fn ground_without_area_can_be_drawn() {
        let wall = vec![Vec3::ZERO, vec3(0.0, 4.0, 0.0), vec3(0.0, 4.0, 1.0)];
        let web = TriangleWeb::new(wall, vec![[0, 1, 2]], Vec::new()).unwrap();
        let mut picture = Picture::relief(&web, 40);
        picture.draw_path(&web, &[0, 7], [255, 0, 0]);
        picture.draw_dot(vec3(1e9, 1e9, 0.0), [255, 0, 0]);
        assert_eq!((picture.width(), picture.height()), (1, 40));
    }

    #[test]
    fn a_path_is_visible_if_its_triangles_are_smaller_than_a_pixel() {
        let web = web(200, 200);
        let [from, to] = [web.locate(-0.9, 0.05), web.locate(0.9, 0.05)].map(Option::unwrap);
        let mut picture = Picture::of_web(&web, 60, |_| [0, 0, 0]);
        picture.draw_path(&web, &[from, to], [255, 0, 0]);
        for column in 5..55 {
            let rows = (0..60).filter(|row| picture.colours()[row * 60 + column] == [255, 0, 0]);
            assert!(rows.count() >= 2, "column {column}");
        }
    }

    #[test]
    fn higher_costs_are_brighter() {
        let web = web(9, 9);
        let mut costs: Vec<f64> = (0..web.len()).map(|triangle| triangle as f64).collect();
        let last = costs.len() - 1;
        costs[last - 1] = f64::INFINITY;
        let picture = Picture::costs(&web, 90, &costs, None);
        let colour_at = |triangle: usize| {
            let [x, y] = picture.pixel(web.centroid(triangle as u32));
            picture.colours()[y as usize * picture.width() + x as usize]
        };
        let brightness = |triangle| colour_at(triangle).map(u32::from).iter().sum::<u32>();
        assert!(brightness(0) < brightness(last / 2) && brightness(last / 2) < brightness(last));
        assert_eq!(colour_at(last - 1), NO_PATH);
        // The shortest and the longest cost have the ends of the scale.
        assert_eq!(colour_at(last), [255, 0, 0]);
        let clipped = Picture::costs(&web, 90, &costs, Some(last as f64 / 2.0));
        let [x, y] = clipped.pixel(web.centroid(last as u32));
        assert_eq!(clipped.colours()[y as usize * 90 + x as usize], CLIPPED);
        let legend = cost_legend(&costs, Some(last as f64 / 2.0));
        let LegendItem::Colour(CLIPPED, text) = &legend[1] else {
            panic!("{legend:?}");
        };
        let above = (0..=last).filter(|&index| 2 * index > last && index != last - 1);
        let percent = 100.0 * above.count() as f64 / costs.len() as f64;
        assert_eq!(text, &format!("more, clipped: {percent:.1}%"));
        assert_eq!(cost_legend(&costs, None).len(), 2);
        assert_eq!(max_cost(&costs), last as f64);
        assert_eq!(max_cost(&[f64::INFINITY]), 0.0);
    }

    #[test]
    fn colours_are_blended_and_those_of_neighbouring_ids_differ() {
        assert_eq!(mix([0, 100, 255], [255, 100, 0], 0.0), [0, 100, 255]);
        assert_eq!(mix([0, 100, 255], [255, 100, 0], 1.0), [255, 100, 0]);
        assert_eq!(hsv(0.0, 1.0, 1.0), [255, 0, 0]);
        assert_eq!(hsv(1.0 / 3.0, 1.0, 1.0), [0, 255, 0]);
        for id in 0..1000 {
            let [a, b] = [colour_of(id), colour_of(id + 1)];
            let difference: i32 = (0..3).map(|i| i32::from(a[i].abs_diff(b[i]))).sum();
            assert!(difference > 100, "{id}: {a:?} {b:?}");
        }
    }
}
