//! Closed bodies: blocks, prisms, columns, roofs, domes.

use glam::{Vec2, Vec3, vec2, vec3};

use super::{Model, at, ngon};

/// What is narrower has no room for an agent once its radius is taken off. [Units: m]
const HOLLOW_WIDTH: f32 = 2.1;
/// Lower than any agent that is worth a bake. [Units: m]
pub(super) const HOLLOW_HEIGHT: f32 = 1.6;

impl Model {
    /// A box along the axes of the frame, closed.
    pub fn block(&mut self, min: Vec3, max: Vec3) {
        let outline = rectangle(vec2(min.x, min.z), vec2(max.x, max.z));
        self.prism(&outline, min.y, max.y);
    }

    /// An upright prism over a convex outline, closed. Either way round.
    pub fn prism(&mut self, outline: &[Vec2], bottom: f32, top: f32) {
        self.frustum(outline, bottom, outline, top);
    }

    /// A prism whose top is `factor` as wide as its bottom: a pyramid at 0, closed.
    pub fn taper(&mut self, outline: &[Vec2], bottom: f32, top: f32, factor: f32) {
        let middle = middle(outline);
        let upper: Vec<Vec2> = outline
            .iter()
            .map(|&corner| middle + (corner - middle) * factor)
            .collect();
        self.frustum(outline, bottom, &upper, top);
    }

    /// What lies between two convex outlines with equally many corners, closed.
    ///
    /// # Panics
    /// Where their numbers of corners differ.
    pub fn frustum(&mut self, lower: &[Vec2], bottom: f32, upper: &[Vec2], top: f32) {
        assert_eq!(
            lower.len(),
            upper.len(),
            "outlines of one number of corners"
        );
        let mut ring: Vec<(Vec3, Vec3)> = lower
            .iter()
            .zip(upper)
            .map(|(&low, &high)| (at(low, bottom), at(high, top)))
            .collect();
        // From x to z is clockwise for who looks down, and tops should look up.
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

    /// Ceilings inside a body, so low that nobody can stand below them: a bake sees surfaces only,
    /// and would take the ground that a hollow body stands on for a room.
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

    /// A column with a regular polygon for its outline; see [`ngon`].
    pub fn column(&mut self, center: Vec2, radius: f32, sides: u32, bottom: f32, top: f32) {
        self.prism(&ngon(center, radius, sides), bottom, top);
    }

    /// A cone, or the top of a round tower.
    pub fn cone(&mut self, center: Vec2, radius: f32, sides: u32, bottom: f32, top: f32) {
        self.taper(&ngon(center, radius, sides), bottom, top, 0.0);
    }

    /// Half an ellipsoid standing on the plane at `bottom`, out of `rings` rings.
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
            // Rings get flatter towards the top: heights of equal steps of the square root.
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

    /// A gabled roof over a rectangle, its ridge along x; `eaves` is its lower edge.
    pub fn gable(&mut self, min: Vec2, max: Vec2, eaves: f32, ridge: f32) {
        let middle = 0.5 * (min.y + max.y);
        let [sw, se] = [min.x, max.x].map(|x| vec3(x, eaves, min.y));
        let [nw, ne] = [min.x, max.x].map(|x| vec3(x, eaves, max.y));
        let [w, e] = [min.x, max.x].map(|x| vec3(x, ridge, middle));
        self.quad(nw, ne, e, w);
        self.quad(se, sw, w, e);
        self.triangle(sw, nw, w);
        self.triangle(ne, se, e);
        self.quad(sw, se, ne, nw);
    }

    /// A gabled roof with its ridge along z.
    pub fn gable_along_z(&mut self, min: Vec2, max: Vec2, eaves: f32, ridge: f32) {
        let middle = 0.5 * (min.x + max.x);
        let [sw, nw] = [min.y, max.y].map(|z| vec3(min.x, eaves, z));
        let [se, ne] = [min.y, max.y].map(|z| vec3(max.x, eaves, z));
        let [s, n] = [min.y, max.y].map(|z| vec3(middle, ridge, z));
        self.quad(sw, nw, n, s);
        self.quad(ne, se, s, n);
        self.triangle(se, sw, s);
        self.triangle(nw, ne, n);
        self.quad(sw, se, ne, nw);
    }
}

/// The corners of a rectangle.
pub(crate) fn rectangle(min: Vec2, max: Vec2) -> [Vec2; 4] {
    [min, vec2(min.x, max.y), max, vec2(max.x, min.y)]
}

fn middle(outline: &[Vec2]) -> Vec2 {
    outline.iter().sum::<Vec2>() / outline.len() as f32
}

/// Positive where the outline goes from x towards z.
fn signed_area(outline: &[Vec2]) -> f32 {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum()
}
