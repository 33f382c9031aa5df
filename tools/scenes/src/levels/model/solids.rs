//! Closed solids: blocks, prisms, columns, roofs and domes.

use glam::{Vec2, Vec3, vec2, vec3};

use super::{Model, at, ngon};

/// Solids narrower than this have no room for an agent inside. [Units: m]
const HOLLOW_WIDTH: f32 = 2.1;
/// Distance between the ceilings inside solids, lower than any realistic agent. [Units: m]
pub(super) const HOLLOW_HEIGHT: f32 = 1.6;

impl Model {
    /// Adds a closed box along the axes of the current frame.
    pub fn block(&mut self, min: Vec3, max: Vec3) {
        let outline = rectangle(vec2(min.x, min.z), vec2(max.x, max.z));
        self.prism(&outline, min.y, max.y);
    }

    /// Adds a closed vertical prism over a convex outline of either orientation.
    pub fn prism(&mut self, outline: &[Vec2], bottom: f32, top: f32) {
        self.frustum(outline, bottom, outline, top);
    }

    /// Adds a closed prism whose top is scaled by `factor`. With 0, it is a pyramid.
    pub fn taper(&mut self, outline: &[Vec2], bottom: f32, top: f32, factor: f32) {
        let centre = centre_of(outline);
        let upper: Vec<Vec2> = outline
            .iter()
            .map(|&corner| centre + (corner - centre) * factor)
            .collect();
        self.frustum(outline, bottom, &upper, top);
    }

    /// Adds a closed solid between two convex outlines with the same number of corners.
    ///
    /// # Panics
    /// If the numbers of corners differ.
    pub fn frustum(&mut self, lower: &[Vec2], bottom: f32, upper: &[Vec2], top: f32) {
        assert_eq!(
            lower.len(),
            upper.len(),
            "both outlines must have the same number of corners"
        );
        let mut ring: Vec<(Vec3, Vec3)> = lower
            .iter()
            .zip(upper)
            .map(|(&low, &high)| (at(low, bottom), at(high, top)))
            .collect();
        // From x to z is clockwise seen from above, and the top must face up.
        if signed_area(lower) > 0.0 {
            ring.reverse();
        }
        let roof: Vec<Vec3> = ring.iter().map(|side| side.1).collect();
        let floor: Vec<Vec3> = ring.iter().rev().map(|side| side.0).collect();
        self.face(&roof);
        self.face(&floor);
        for (index, &(low, high)) in ring.iter().enumerate() {
            let (next_low, next_high) = ring[(index + 1) % ring.len()];
            self.quad(low, next_low, next_high, high);
        }
        self.fill(&ring);
    }

    /// Adds ceilings inside a solid that are too low for an agent. A bake sees only surfaces and would
    /// otherwise treat the ground inside a hollow solid as a room.
    fn fill(&mut self, ring: &[(Vec3, Vec3)]) {
        let (min, max) = ring
            .iter()
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), side| {
                (min.min(side.0), max.max(side.0))
            });
        if (max.x - min.x).min(max.z - min.z) < HOLLOW_WIDTH {
            return;
        }
        let (bottom, top) = (ring[0].0.y, ring[0].1.y);
        let mut height = bottom + HOLLOW_HEIGHT;
        while height + 0.2 < top {
            let part = (height - bottom) / (top - bottom);
            let ceiling: Vec<Vec3> = ring
                .iter()
                .rev()
                .map(|side| side.0.lerp(side.1, part))
                .collect();
            self.face(&ceiling);
            height += HOLLOW_HEIGHT;
        }
    }

    /// Adds a vertical column whose outline is a regular polygon; see [`ngon`] for `sides`.
    pub fn column(&mut self, center: Vec2, radius: f32, sides: u32, bottom: f32, top: f32) {
        self.prism(&ngon(center, radius, sides), bottom, top);
    }

    /// Adds a cone over a regular polygon; see [`ngon`] for `sides`.
    pub fn cone(&mut self, center: Vec2, radius: f32, sides: u32, bottom: f32, top: f32) {
        self.taper(&ngon(center, radius, sides), bottom, top, 0.0);
    }

    /// Adds half an ellipsoid that stands on the plane at `bottom`, built from `rings` rings.
    pub fn dome(
        &mut self,
        center: Vec2,
        radius: f32,
        height: f32,
        sides: u32,
        rings: u32,
        bottom: f32,
    ) {
        for ring in 0..rings {
            let [low, high] = [ring, ring + 1].map(|ring| ring as f32 / rings as f32);
            // Rings get lower towards the top.
            let [low, high] = [low, high].map(|part| part * (2.0 - part));
            let [wide, narrow] =
                [low, high].map(|part| radius * (1.0 - part * part).max(0.0).sqrt());
            self.frustum(
                &ngon(center, wide, sides),
                bottom + low * height,
                &ngon(center, narrow, sides),
                bottom + high * height,
            );
        }
    }

    /// Adds a gabled roof over a rectangle with its ridge along x. `eaves` and `ridge` are the heights of its
    /// lower and upper edge.
    pub fn gable(&mut self, min: Vec2, max: Vec2, eaves: f32, ridge: f32) {
        let centre = 0.5 * (min.y + max.y);
        let [sw, se] = [min.x, max.x].map(|x| vec3(x, eaves, min.y));
        let [nw, ne] = [min.x, max.x].map(|x| vec3(x, eaves, max.y));
        let [w, e] = [min.x, max.x].map(|x| vec3(x, ridge, centre));
        self.quad(nw, ne, e, w);
        self.quad(se, sw, w, e);
        self.triangle(sw, nw, w);
        self.triangle(ne, se, e);
        self.quad(sw, se, ne, nw);
    }

    /// Adds a gabled roof over a rectangle with its ridge along z; see [`Model::gable`].
    pub fn gable_along_z(&mut self, min: Vec2, max: Vec2, eaves: f32, ridge: f32) {
        let centre = 0.5 * (min.x + max.x);
        let [sw, nw] = [min.y, max.y].map(|z| vec3(min.x, eaves, z));
        let [se, ne] = [min.y, max.y].map(|z| vec3(max.x, eaves, z));
        let [s, n] = [min.y, max.y].map(|z| vec3(centre, ridge, z));
        self.quad(sw, nw, n, s);
        self.quad(ne, se, s, n);
        self.triangle(se, sw, s);
        self.triangle(nw, ne, n);
        self.quad(sw, se, ne, nw);
    }
}

/// Returns the corners of an axis-aligned rectangle.
pub(crate) fn rectangle(min: Vec2, max: Vec2) -> [Vec2; 4] {
    [min, vec2(min.x, max.y), max, vec2(max.x, min.y)]
}

fn centre_of(outline: &[Vec2]) -> Vec2 {
    outline.iter().sum::<Vec2>() / outline.len() as f32
}

/// Returns twice the area of an outline, positive if the outline turns from x towards z.
fn signed_area(outline: &[Vec2]) -> f32 {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum()
}
