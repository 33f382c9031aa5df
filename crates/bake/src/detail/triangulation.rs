//! An incremental Delaunay triangulation of a convex polygon.
//!
//! A new point splits the triangle or the edge that contains it. Then edges are flipped (Lawson's
//! algorithm) until the triangles around the point are Delaunay. Every step replaces triangles by others
//! with the same total area and the same orientation, so the polygon stays covered exactly once, even
//! where rounding errors violate the Delaunay property. The flips terminate: each of them adds an edge to
//! the new point and none removes one, so there are fewer flips than points.

use glam::DVec3;

/// Lower limit of twice the area of a triangle, in square cells. Three points on one side of the polygon
/// are not exactly collinear because of rounding errors, and must not become a triangle.
const MIN_TWICE_AREA: f64 = 1e-6;

/// The neighbour across an edge on the outline of the polygon.
const OUTSIDE: u32 = u32::MAX;

/// A triangle: its corners in order, and per corner the neighbour across the edge that starts there.
#[derive(Clone, Copy, Debug)]
struct Triangle {
    corners: [u32; 3],
    neighbours: [u32; 3],
}

/// A triangulation of a convex polygon in the (x, z) plane. Coordinates are in cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Triangulation {
    points: Vec<DVec3>,
    triangles: Vec<Triangle>,
    /// Triangles that the latest point changed. The point is the first corner of each.
    changed: Vec<u32>,
    unchecked: Vec<u32>,
}

/// Returns twice the area of a triangle, positive for the winding order of Recast's polygons.
pub(super) fn orientation(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z)
}

/// Returns a positive number if `d` is inside the circle through `a`, `b` and `c`, which must have a
/// positive orientation.
fn in_circle(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let row = |p: DVec3| {
        let (u, v) = (p.z - d.z, p.x - d.x);
        (u, v, u * u + v * v)
    };
    let ((au, av, aa), (bu, bv, bb), (cu, cv, cc)) = (row(a), row(b), row(c));
    au * (bv * cc - bb * cv) - av * (bu * cc - bb * cu) + aa * (bu * cv - bv * cu)
}

impl Triangulation {
    /// Starts with a polygon of integer coordinates, whose corners may be collinear with their neighbours.
    /// Returns `None` if the polygon has no area or is not convex.
    pub(super) fn start(&mut self, ring: &[DVec3]) -> Option<()> {
        self.points.clear();
        self.points.extend_from_slice(ring);
        self.triangles.clear();
        self.changed.clear();
        let mut remaining: Vec<u32> = (0..ring.len() as u32).collect();
        let orientation_at = |remaining: &[u32], at: usize| {
            let corner = |step: usize| ring[remaining[(at + step) % remaining.len()] as usize];
            orientation(corner(remaining.len() - 1), corner(0), corner(1))
        };
        let mut area: f64 = (2..ring.len())
            .map(|i| orientation(ring[0], ring[i - 1], ring[i]))
            .sum();
        // An ear is cut off only if the remaining polygon has an area. Such an ear always exists: either a
        // convex corner is next to a collinear one, or at least four corners are convex.
        while remaining.len() > 3 {
            let ear = |at: &usize| {
                let ear = orientation_at(&remaining, *at);
                ear > 0.0 && area - ear > 0.0
            };
            let at = (0..remaining.len()).filter(ear).min_by(|&a, &b| {
                orientation_at(&remaining, a).total_cmp(&orientation_at(&remaining, b))
            })?;
            area -= orientation_at(&remaining, at);
            let count = remaining.len();
            self.push([
                remaining[(at + count - 1) % count],
                remaining[at],
                remaining[(at + 1) % count],
            ]);
            remaining.remove(at);
        }
        let [a, b, c] = remaining[..] else {
            return None;
        };
        if orientation_at(&remaining, 1) <= 0.0 {
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
            neighbours: [OUTSIDE; 3],
        });
    }

    /// Finds the neighbours of all triangles. The search is quadratic, but a polygon has six corners at
    /// most.
    fn link(&mut self) {
        for triangle in 0..self.triangles.len() {
            for edge in 0..3 {
                let [from, to] = self.edge(triangle as u32, edge);
                let neighbour = self.find_edge([to, from], 0..self.triangles.len() as u32);
                self.triangles[triangle].neighbours[edge] =
                    neighbour.map_or(OUTSIDE, |(index, _)| index);
            }
        }
    }

    fn flip_all(&mut self) {
        // The limit is for rounding errors only: six corners need at most six flips.
        for _ in 0..6 {
            let candidate = (0..self.triangles.len() as u32)
                .flat_map(|triangle| (0..3).map(move |edge| (triangle, edge)))
                .find(|&(triangle, edge)| self.should_flip(triangle, edge));
            let Some((triangle, edge)) = candidate else {
                break;
            };
            self.flip(triangle, edge);
        }
    }

    fn edge(&self, triangle: u32, edge: usize) -> [u32; 2] {
        let corners = self.triangles[triangle as usize].corners;
        [corners[edge], corners[(edge + 1) % 3]]
    }

    /// Finds an edge, by its endpoints in order, in the triangles `among`. Returns its triangle and its
    /// index there.
    fn find_edge(
        &self,
        endpoints: [u32; 2],
        mut among: impl Iterator<Item = u32>,
    ) -> Option<(u32, usize)> {
        among.find_map(|triangle| {
            let edge = (0..3).find(|&edge| self.edge(triangle, edge) == endpoints)?;
            Some((triangle, edge))
        })
    }

    fn point(&self, index: u32) -> DVec3 {
        self.points[index as usize]
    }

    /// Returns the triangle across an edge and the index of the edge there.
    fn across(&self, triangle: u32, edge: usize) -> Option<(u32, usize)> {
        let neighbour = self.triangles[triangle as usize].neighbours[edge];
        let [from, to] = self.edge(triangle, edge);
        (neighbour != OUTSIDE)
            .then(|| self.find_edge([to, from], std::iter::once(neighbour)))
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
        in_circle(near, a, b, far) > MIN_TWICE_AREA
            && orientation(near, a, far) > MIN_TWICE_AREA
            && orientation(near, far, b) > MIN_TWICE_AREA
    }

    /// Replaces the common edge of two triangles by the other diagonal. The corner of `triangle` opposite
    /// that edge becomes the first corner of both. Returns the second triangle.
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
                near.neighbours[(edge + 2) % 3],
                far.neighbours[(back + 1) % 3],
                other,
            ],
        );
        self.set(
            other,
            [tip, end, b],
            [
                triangle,
                far.neighbours[(back + 2) % 3],
                near.neighbours[(edge + 1) % 3],
            ],
        );
        Some(other)
    }

    /// Writes a triangle and updates its neighbours. An index past the end adds a triangle.
    fn set(&mut self, triangle: u32, corners: [u32; 3], neighbours: [u32; 3]) {
        let new_triangle = Triangle {
            corners,
            neighbours,
        };
        match self.triangles.get_mut(triangle as usize) {
            Some(old) => *old = new_triangle,
            None => self.triangles.push(new_triangle),
        }
        for (edge, next) in neighbours.into_iter().enumerate() {
            let endpoints = [corners[(edge + 1) % 3], corners[edge]];
            if (next as usize) < self.triangles.len()
                && let Some((_, back)) = self.find_edge(endpoints, std::iter::once(next))
            {
                self.triangles[next as usize].neighbours[back] = triangle;
            }
        }
    }

    /// Adds a point to the outline of the polygon, between two consecutive points of the outline.
    pub(super) fn add_to_outline(&mut self, endpoints: [u32; 2], point: DVec3) -> Option<u32> {
        let recent = self.changed.iter().copied();
        let (triangle, edge) =
            self.find_edge(endpoints, recent.chain(0..self.triangles.len() as u32))?;
        Some(self.split_edge(triangle, edge, point))
    }

    /// Adds a point that is inside `triangle` or on one of its inner edges. Returns `false` if it is
    /// neither, or too close to a corner or to the outline.
    pub(super) fn add(&mut self, triangle: u32, point: DVec3) -> bool {
        let mut touched_edge = None;
        for edge in 0..3 {
            let [a, b] = self.edge(triangle, edge).map(|index| self.point(index));
            if orientation(a, b, point) <= MIN_TWICE_AREA {
                if touched_edge.is_some() {
                    return false;
                }
                touched_edge = Some(edge);
            }
        }
        let Some(edge) = touched_edge else {
            self.split_triangle(triangle, point);
            return true;
        };
        let Some((other, _)) = self.across(triangle, edge) else {
            return false;
        };
        let fits = |triangle: u32, without: [u32; 2]| {
            (0..3).all(|edge| {
                let endpoints = self.edge(triangle, edge);
                let [a, b] = endpoints.map(|index| self.point(index));
                endpoints == without || orientation(a, b, point) > MIN_TWICE_AREA
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
            neighbours: [ab, bc, ca],
        } = self.triangles[triangle as usize];
        let second = self.triangles.len() as u32;
        let third = second + 1;
        self.set(triangle, [new, a, b], [third, ab, second]);
        self.set(second, [new, b, c], [triangle, bc, third]);
        self.set(third, [new, c, a], [second, ca, triangle]);
        self.restore_delaunay(&[triangle, second, third]);
    }

    fn split_edge(&mut self, triangle: u32, edge: usize, point: DVec3) -> u32 {
        let across = self.across(triangle, edge);
        let new = self.points.len() as u32;
        self.points.push(point);
        let near = self.triangles[triangle as usize];
        let [a, b] = self.edge(triangle, edge);
        let tip = near.corners[(edge + 2) % 3];
        let (to_tip, from_tip) = (
            near.neighbours[(edge + 1) % 3],
            near.neighbours[(edge + 2) % 3],
        );
        let second = self.triangles.len() as u32;
        let third = second + 1;
        let (far_a, far_b) = across.map_or((OUTSIDE, OUTSIDE), |(other, _)| (other, third));
        self.set(triangle, [new, tip, a], [second, from_tip, far_a]);
        self.set(second, [new, b, tip], [far_b, to_tip, triangle]);
        if let Some((other, back)) = across {
            let far = self.triangles[other as usize];
            let end = far.corners[(back + 2) % 3];
            let (to_end, from_end) = (
                far.neighbours[(back + 1) % 3],
                far.neighbours[(back + 2) % 3],
            );
            self.set(other, [new, a, end], [triangle, to_end, third]);
            self.set(third, [new, end, b], [other, from_end, second]);
            self.restore_delaunay(&[triangle, second, other, third]);
        } else {
            self.restore_delaunay(&[triangle, second]);
        }
        new
    }

    /// Flips edges until the triangles around the latest point are Delaunay. `around` lists the triangles
    /// that have this point as a corner before the first flip.
    fn restore_delaunay(&mut self, around: &[u32]) {
        self.changed.clear();
        self.changed.extend_from_slice(around);
        self.unchecked.clear();
        self.unchecked.extend_from_slice(around);
        while let Some(triangle) = self.unchecked.pop() {
            // The point is the first corner, so edge 1 is opposite.
            if self.should_flip(triangle, 1)
                && let Some(other) = self.flip(triangle, 1)
            {
                self.changed.push(other);
                self.unchecked.extend([triangle, other]);
            }
        }
    }

    /// Returns the triangles that the latest point changed or created.
    pub(super) fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// Returns the number of triangles. The indices of triangles never change.
    pub(super) fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Returns all points: the corners of the polygon, then the added points in order.
    pub(super) fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Returns all triangles as indices of points.
    pub(super) fn triangles(&self) -> impl ExactSizeIterator<Item = [u32; 3]> {
        self.triangles.iter().map(|triangle| triangle.corners)
    }

    /// Returns the smallest barycentric coordinate of (x, z) in a triangle, which is negative outside
    /// the triangle, and the height of the triangle's plane there.
    pub(super) fn weight_and_height(&self, triangle: u32, x: f64, z: f64) -> (f64, f64) {
        let [a, b, c] = self.triangles[triangle as usize]
            .corners
            .map(|index| self.point(index));
        let point = DVec3::new(x, 0.0, z);
        let total = orientation(a, b, c);
        let (wa, wb) = (
            orientation(b, c, point) / total,
            orientation(c, a, point) / total,
        );
        let wc = 1.0 - wa - wb;
        (wa.min(wb).min(wc), wa * a.y + wb * b.y + wc * c.y)
    }

    /// Returns the triangle of `among` that contains (x, z), or comes closest to it, and its height there.
    pub(super) fn find(
        &self,
        x: f64,
        z: f64,
        among: impl Iterator<Item = u32>,
    ) -> Option<(u32, f64)> {
        let mut best: Option<(f64, u32, f64)> = None;
        for triangle in among {
            let (weight, height) = self.weight_and_height(triangle, x, z);
            if best.is_none_or(|(best_weight, ..)| weight > best_weight) {
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
