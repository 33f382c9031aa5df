//! The frame of a picture: the transform from world to pixels, axes with coordinates, room for the legend.

use std::io::{self, Write};

use glam::Vec3;
use portolan_core::geometry::Aabb;

use crate::chart::{Axis, Scale};

/// The longer side of the plot. [Units: px]
const LONGER_SIDE: f32 = 1000.0;
/// The minimum of the shorter side, so that ticks and markers have room. [Units: px]
const MIN_SHORTER_SIDE: f32 = 160.0;
/// The upper left corner of the plot, with room for the numbers of the z axis. [Units: px]
const CORNER: [f32; 2] = [66.0, 14.0];
/// Room for the numbers of the x axis. [Units: px]
const BELOW: f32 = 46.0;
/// Room between plot and legend, and at the right of the legend. [Units: px]
const BESIDE: f32 = 18.0;

/// The background colour of the plot, where the mesh has no ground.
const BACKGROUND: &str = "#2e333b";

/// The visible part of the world and its size in pixels.
pub(super) struct PlotFrame {
    view: Aabb,
    /// Pixels per metre.
    scale: f32,
    /// Width and height of the plot. [Units: px]
    size: [f32; 2],
}

impl PlotFrame {
    pub(super) fn new(view: Aabb) -> Self {
        let extent = (view.max - view.min).with_y(0.0);
        let scale = LONGER_SIDE / extent.max_element();
        let size = [extent.x, extent.z].map(|side| (side * scale).max(MIN_SHORTER_SIDE));
        // A part that is narrower than the plot is centred.
        let grown = Vec3::new(size[0], 0.0, size[1]) / scale - extent;
        let view = view.grown((0.5 * grown).with_y(0.0));
        Self { view, scale, size }
    }

    /// Returns a position in the coordinates of the plot. [Units: px]
    pub(super) fn to_plot(&self, p: Vec3) -> (f32, f32) {
        let q = (p - self.view.min) * self.scale;
        (q.x, q.z)
    }

    /// Returns a position in the coordinates of the page, clamped to the plot, and whether it is inside the
    /// plot. [Units: px]
    pub(super) fn to_page(&self, p: Vec3) -> ([f32; 2], bool) {
        let (x, y) = self.to_plot(p);
        let inside = [x.clamp(0.0, self.size[0]), y.clamp(0.0, self.size[1])];
        let is_inside = inside == [x, y];
        ([inside[0] + CORNER[0], inside[1] + CORNER[1]], is_inside)
    }

    /// Returns the size of the picture, given the size of its legend. [Units: px]
    pub(super) fn page(&self, legend: [f32; 2]) -> [f32; 2] {
        let [left, top] = CORNER;
        let height = (self.size[1] + BELOW).max(legend[1] + BESIDE);
        [left + self.size[0] + 2.0 * BESIDE + legend[0], top + height]
    }

    pub(super) fn legend_corner(&self) -> [f32; 2] {
        [CORNER[0] + self.size[0] + BESIDE, CORNER[1]]
    }

    /// Opens the element of the plot, which clips everything outside of it.
    pub(super) fn open_plot(&self, out: &mut dyn Write) -> io::Result<()> {
        let ([left, top], [width, height]) = (CORNER, self.size);
        writeln!(
            out,
            r#"<svg x="{left}" y="{top}" width="{width:.1}" height="{height:.1}"><rect width="100%" height="100%" fill="{BACKGROUND}"/>"#
        )
    }

    /// Writes the border of the plot and the coordinates along it, in metres.
    pub(super) fn write_axes(&self, out: &mut dyn Write) -> io::Result<()> {
        let ([left, top], [width, height]) = (CORNER, self.size);
        let bottom = top + height;
        writeln!(
            out,
            r##"<g class="frame" fill="#333"><rect x="{left}" y="{top}" width="{width:.1}" height="{height:.1}" fill="none" stroke="#333"/>"##
        )?;
        let (min, max) = (self.view.min, self.view.max);
        for (metres, label) in ticks(min.x, max.x) {
            let x = left + (metres - min.x) * self.scale;
            writeln!(
                out,
                r##"<path d="M{x:.1} {bottom:.1}v6" stroke="#333"/><text x="{x:.1}" y="{:.1}" text-anchor="middle">{label}</text>"##,
                bottom + 20.0
            )?;
        }
        for (metres, label) in ticks(min.z, max.z) {
            let y = top + (metres - min.z) * self.scale;
            writeln!(
                out,
                r##"<path d="M{left} {y:.1}h-6" stroke="#333"/><text x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"##,
                left - 9.0,
                y + 4.5
            )?;
        }
        writeln!(
            out,
            r#"<text x="{:.1}" y="{:.1}" text-anchor="middle" font-weight="bold">x (m)</text><text transform="translate(15 {:.1}) rotate(-90)" text-anchor="middle" font-weight="bold">z (m)</text></g>"#,
            left + 0.5 * width,
            bottom + 39.0,
            top + 0.5 * height
        )
    }
}

fn ticks(from: f32, to: f32) -> impl Iterator<Item = (f32, String)> {
    let ticks = Axis::new("", Scale::Linear).ticks([from, to].map(f64::from));
    ticks
        .into_iter()
        .map(|(metres, label)| (metres as f32, label))
}
