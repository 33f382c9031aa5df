//! Triangles over a convex polygon that points are added to one by one.
//!
//! Adding a point splits the triangle or the edge that it lies in and then flips edges, as Lawson
//! does, until the triangles around it are Delaunay. Every step replaces triangles by others of the
//! same area that are all the right way round, so the polygon stays covered exactly once whatever
//! rounding makes of the Delaunay property. Adding ends: a flip gives the new point one more edge
//! and never takes one away, so there are fewer flips than points.

use glam::DVec3;

/// Twice the area in square cells below which a triangle is no triangle: points on one border of
/// the polygon are off its line by rounding.
const THIN: f64 = 1e-6;

/// Beyond an edge that is a border of the polygon.
const OUTSIDE: u32 = u32::MAX;

/// Corners in order around it, and across the edge that begins at each the next triangle.
#[derive(Clone, Copy, Debug)]
struct Triangle {
    corners: [u32; 3],
    beyond: [u32; 3],
}

/// A triangulation of a convex polygon. Coordinates are cells; y takes no part in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Triangulation {
    points: Vec<DVec3>,
    triangles: Vec<Triangle>,
    /// Triangles that the last added point changed; each has the point as its first corner.
    changed: Vec<u32>,
    unchecked: Vec<u32>,
}

/// Twice the area of a triangle; positive for the way round that polygons have.
pub(super) fn turn(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z)
}

/// Positive where `d` lies within the circle through `a`, `b` and `c`, which are in order around.
fn in_circle(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let row = |p: DVec3| {
        let (u, v) = (p.z - d.z, p.x - d.x);
        (u, v, u * u + v * v)
    };
    let ((au, av, aa), (bu, bv, bb), (cu, cv, cc)) = (row(a), row(b), row(c));
    au * (bv * cc - bb * cv) - av * (bu * cc - bb * cu) + aa * (bu * cv - bv * cu)
}

impl Triangulation {
    /// Takes a polygon of whole coordinates, some corners of which may lie on the line through
    /// their neighbours. `None` where it has no area or is not convex.
    pub(super) fn start(&mut self, ring: &[DVec3]) -> Option<()> {
        self.points.clear();
        self.points.extend_from_slice(ring);
        self.triangles.clear();
        self.changed.clear();
        let mut left: Vec<u32> = (0..ring.len() as u32).collect();
        let turn_at = |left: &[u32], at: usize| {
            let corner = |step: usize| ring[left[(at + step) % left.len()] as usize];
            turn(corner(left.len() - 1), corner(0), corner(1))
        };
        let mut area: f64 = (2..ring.len())
            .map(|i| turn(ring[0], ring[i - 1], ring[i]))
            .sum();
        // An ear is cut off only where it leaves some area, else the rest would be a line. There
        // always is such an ear: of the corners that bend, one lies next to a corner that does not,
        // or there are four.
        while left.len() > 3 {
            let ear = |at: &usize| {
                let ear = turn_at(&left, *at);
                ear > 0.0 && area - ear > 0.0
            };
            let at = (0..left.len())
                .filter(ear)
                .min_by(|&a, &b| turn_at(&left, a).total_cmp(&turn_at(&left, b)))?;
            area -= turn_at(&left, at);
            let count = left.len();
            self.push([
                left[(at + count - 1) % count],
                left[at],
                left[(at + 1) % count],
            ]);
            left.remove(at);
        }
        let [a, b, c] = left[..] else { return None };
        if turn_at(&left, 1) <= 0.0 {
            return None;
        }
        self.push([a, b, c]);
        self.link();
        self.flip_all();
        Some(())
    }

    fn push(&mut self, corners: [u32; 3]) {
        self.triangles.push(Triangle {
            corners,
            beyond: [OUTSIDE; 3],
        });
    }

    /// Finds what lies beyond each edge. A polygon has six corners at most.
    fn link(&mut self) {
        for triangle in 0..self.triangles.len() {
            for edge in 0..3 {
                let [from, to] = self.edge(triangle as u32, edge);
                let beyond = self.with_edge([to, from], 0..self.triangles.len() as u32);
                self.triangles[triangle].beyond[edge] = beyond.map_or(OUTSIDE, |(next, _)| next);
            }
        }
    }

    fn flip_all(&mut self) {
        // Each flip makes it more nearly Delaunay but for rounding; six corners have no more than
        // six diagonals to go through.
        for _ in 0..6 {
            let flips = (0..self.triangles.len() as u32)
                .flat_map(|triangle| (0..3).map(move |edge| (triangle, edge)))
                .find(|&(triangle, edge)| self.should_flip(triangle, edge));
            let Some((triangle, edge)) = flips else { break };
            self.flip(triangle, edge);
        }
    }

    fn edge(&self, triangle: u32, edge: usize) -> [u32; 2] {
        let corners = self.triangles[triangle as usize].corners;
        [corners[edge], corners[(edge + 1) % 3]]
    }

    /// The triangle, among some, with a certain edge.
    fn with_edge(
        &self,
        ends: [u32; 2],
        mut among: impl Iterator<Item = u32>,
    ) -> Option<(u32, usize)> {
        among.find_map(|triangle| {
            let edge = (0..3).find(|&edge| self.edge(triangle, edge) == ends)?;
            Some((triangle, edge))
        })
    }

    fn point(&self, index: u32) -> DVec3 {
        self.points[index as usize]
    }

    /// The triangle across an edge, and which edge it is from there.
    fn across(&self, triangle: u32, edge: usize) -> Option<(u32, usize)> {
        let beyond = self.triangles[triangle as usize].beyond[edge];
        let [from, to] = self.edge(triangle, edge);
        (beyond != OUTSIDE)
            .then(|| self.with_edge([to, from], std::iter::once(beyond)))
            .flatten()
    }

    fn should_flip(&self, triangle: u32, edge: usize) -> bool {
        let Some((other, back)) = self.across(triangle, edge) else {
            return false;
        };
        let [a, b] = self.edge(triangle, edge).map(|index| self.point(index));
        let tip = |triangle: u32, edge: usize| {
            self.point(self.triangles[triangle as usize].corners[(edge + 2) % 3])
        };
        let (near, far) = (tip(triangle, edge), tip(other, back));
        in_circle(near, a, b, far) > THIN && turn(near, a, far) > THIN && turn(near, far, b) > THIN
    }

    /// Replaces the common edge of two triangles by the other diagonal. The tip of `triangle`
    /// becomes the first corner of both.
    fn flip(&mut self, triangle: u32, edge: usize) -> Option<u32> {
        let (other, back) = self.across(triangle, edge)?;
        let (near, far) = (
            self.triangles[triangle as usize],
            self.triangles[other as usize],
        );
        let [a, b] = self.edge(triangle, edge);
        let (tip, end) = (near.corners[(edge + 2) % 3], far.corners[(back + 2) % 3]);
        self.set(
            triangle,
            [tip, a, end],
            [
                near.beyond[(edge + 2) % 3],
                far.beyond[(back + 1) % 3],
                other,
            ],
        );
        self.set(
            other,
            [tip, end, b],
            [
                triangle,
                far.beyond[(back + 2) % 3],
                near.beyond[(edge + 1) % 3],
            ],
        );
        Some(other)
    }

    /// Writes a triangle and tells those around it; a number past the last adds one.
    fn set(&mut self, triangle: u32, corners: [u32; 3], beyond: [u32; 3]) {
        let written = Triangle { corners, beyond };
        match self.triangles.get_mut(triangle as usize) {
            Some(slot) => *slot = written,
            None => self.triangles.push(written),
        }
        for (edge, next) in beyond.into_iter().enumerate() {
            let ends = [corners[(edge + 1) % 3], corners[edge]];
            if (next as usize) < self.triangles.len()
                && let Some((_, back)) = self.with_edge(ends, std::iter::once(next))
            {
                self.triangles[next as usize].beyond[back] = triangle;
            }
        }
    }

    /// Adds a point to the border of the polygon between two points that follow one another there.
    pub(super) fn add_to_border(&mut self, ends: [u32; 2], point: DVec3) -> Option<u32> {
        let recent = self.changed.iter().copied();
        let (triangle, edge) =
            self.with_edge(ends, recent.chain(0..self.triangles.len() as u32))?;
        Some(self.split_edge(triangle, edge, point))
    }

    /// Adds a point inside a triangle or on one of its inner edges; `false` where it is neither.
    pub(super) fn add(&mut self, triangle: u32, point: DVec3) -> bool {
        let mut on = None;
        for edge in 0..3 {
            let [a, b] = self.edge(triangle, edge).map(|index| self.point(index));
            if turn(a, b, point) <= THIN {
                if on.is_some() {
                    return false;
                }
                on = Some(edge);
            }
        }
        let Some(edge) = on else {
            self.split_triangle(triangle, point);
            return true;
        };
        let Some((other, _)) = self.across(triangle, edge) else {
            return false;
        };
        let fits = |triangle: u32, without: [u32; 2]| {
            (0..3).all(|edge| {
                let ends = self.edge(triangle, edge);
                let [a, b] = ends.map(|index| self.point(index));
                ends == without || turn(a, b, point) > THIN
            })
        };
        let [a, b] = self.edge(triangle, edge);
        if !fits(triangle, [a, b]) || !fits(other, [b, a]) {
            return false;
        }
        self.split_edge(triangle, edge, point);
        true
    }

    fn split_triangle(&mut self, triangle: u32, point: DVec3) {
        let new = self.points.len() as u32;
        self.points.push(point);
        let Triangle {
            corners: [a, b, c],
            beyond: [ab, bc, ca],
        } = self.triangles[triangle as usize];
        let second = self.triangles.len() as u32;
        let third = second + 1;
        self.set(triangle, [new, a, b], [third, ab, second]);
        self.set(second, [new, b, c], [triangle, bc, third]);
        self.set(third, [new, c, a], [second, ca, triangle]);
        self.restore(&[triangle, second, third]);
    }

    fn split_edge(&mut self, triangle: u32, edge: usize, point: DVec3) -> u32 {
        let across = self.across(triangle, edge);
        let new = self.points.len() as u32;
        self.points.push(point);
        let near = self.triangles[triangle as usize];
        let [a, b] = self.edge(triangle, edge);
        let tip = near.corners[(edge + 2) % 3];
        let (to_tip, from_tip) = (near.beyond[(edge + 1) % 3], near.beyond[(edge + 2) % 3]);
        let second = self.triangles.len() as u32;
        let third = second + 1;
        let (far_a, far_b) = across.map_or((OUTSIDE, OUTSIDE), |(other, _)| (other, third));
        self.set(triangle, [new, tip, a], [second, from_tip, far_a]);
        self.set(second, [new, b, tip], [far_b, to_tip, triangle]);
        if let Some((other, back)) = across {
            let far = self.triangles[other as usize];
            let end = far.corners[(back + 2) % 3];
            let (to_end, from_end) = (far.beyond[(back + 1) % 3], far.beyond[(back + 2) % 3]);
            self.set(other, [new, a, end], [triangle, to_end, third]);
            self.set(third, [new, end, b], [other, from_end, second]);
            self.restore(&[triangle, second, other, third]);
        } else {
            self.restore(&[triangle, second]);
        }
        new
    }

    /// Flips edges until the triangles around the last point, its first ones given, are Delaunay.
    fn restore(&mut self, around: &[u32]) {
        self.changed.clear();
        self.changed.extend_from_slice(around);
        self.unchecked.clear();
        self.unchecked.extend_from_slice(around);
        while let Some(triangle) = self.unchecked.pop() {
            // The point is the first corner, so the edge opposite begins at the second.
            if self.should_flip(triangle, 1)
                && let Some(other) = self.flip(triangle, 1)
            {
                self.changed.push(other);
                self.unchecked.extend([triangle, other]);
            }
        }
    }

    /// The triangles that the last added point changed or made.
    pub(super) fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// Number of triangles; they are counted from 0 and keep their numbers.
    pub(super) fn len(&self) -> usize {
        self.triangles.len()
    }

    /// All points: the corners of the polygon, then those added, in order.
    pub(super) fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// All triangles by the numbers of their points.
    pub(super) fn triangles(&self) -> impl ExactSizeIterator<Item = [u32; 3]> {
        self.triangles.iter().map(|triangle| triangle.corners)
    }

    /// The smallest weight of a place in a triangle, negative outside of it, and the height of the
    /// triangle's plane there.
    pub(super) fn look(&self, triangle: u32, x: f64, z: f64) -> (f64, f64) {
        let [a, b, c] = self.triangles[triangle as usize]
            .corners
            .map(|index| self.point(index));
        let place = DVec3::new(x, 0.0, z);
        let whole = turn(a, b, c);
        let (wa, wb) = (turn(b, c, place) / whole, turn(c, a, place) / whole);
        let wc = 1.0 - wa - wb;
        (wa.min(wb).min(wc), wa * a.y + wb * b.y + wc * c.y)
    }

    /// Of some triangles the one that contains a place, or nearly does, and the height there.
    pub(super) fn find(
        &self,
        x: f64,
        z: f64,
        among: impl Iterator<Item = u32>,
    ) -> Option<(u32, f64)> {
        let mut best: Option<(f64, u32, f64)> = None;
        for triangle in among {
            let (weight, height) = self.look(triangle, x, z);
            if best.is_none_or(|(most, ..)| weight > most) {
                best = Some((weight, triangle, height));
                if weight >= 0.0 {
                    break;
                }
            }
        }
        best.map(|(_, triangle, height)| (triangle, height))
    }
}

#[cfg(test)]
#[path = "triangulation_test.rs"]
mod tests;
