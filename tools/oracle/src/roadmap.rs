//! Walks around obstacles that surely exist, and points that surely are closed: an oracle that knows no pieces of polygons.

use glam::{DVec2, Vec3};
use portolan_core::union_find::UnionFind;
use portolan_core::{Footprint, Location, NavMesh, Obstacle, PolygonId, Prices};

use crate::CaseRng;
use crate::obstacles::point_of_polygon;

/// How much larger a shadow is than what a world may close at most. [Units: m]
const MARGIN: f64 = 0.01;

/// A corner of what an obstacle closes is at most this many radii of agents away from the obstacle.
const MAX_CORNER: f64 = 1.16;

/// The number of sides of the polygon around a circle, and how much its corners lie outside.
const SIDES: usize = 16;

/// The agents that keep their distance from obstacles.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    /// The distance. [Units: m]
    pub radius: f32,
    /// The height. [Units: m]
    pub height: f32,
}

fn in_plan(p: Vec3) -> DVec2 {
    DVec2::new(f64::from(p.x), f64::from(p.z))
}

/// Returns the corners of an obstacle in plan; one for a disc.
fn corners(footprint: &Footprint) -> Vec<DVec2> {
    let point = |[x, z]: [f32; 2]| DVec2::new(f64::from(x), f64::from(z));
    match footprint {
        Footprint::Disc { centre, .. } => vec![point(*centre)],
        Footprint::Box {
            centre,
            half_sides: [a, b],
            yaw,
        } => {
            let along = DVec2::from_angle(f64::from(*yaw));
            let sides = [along * f64::from(*a), along.perp() * f64::from(*b)];
            let signs = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let corner = |[s, t]: [f64; 2]| point(*centre) + sides[0] * s + sides[1] * t;
            signs.map(corner).to_vec()
        }
        Footprint::Convex(outline) => outline.iter().copied().map(point).collect(),
        _ => panic!("a footprint that the oracle does not know"),
    }
}

impl Walker {
    /// Returns how much nearer than its radius an agent is to an obstacle in plan. [Units: m]
    pub fn depth(&self, at: Vec3, obstacle: &Obstacle) -> f64 {
        let (p, corners) = (in_plan(at), corners(&obstacle.footprint));
        let own_radius = match obstacle.footprint {
            Footprint::Disc { radius, .. } => f64::from(radius),
            _ => 0.0,
        };
        let sides = || (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]]);
        let to_side = |[a, b]: [DVec2; 2]| {
            let along = (p - a).dot(b - a) / (b - a).length_squared().max(f64::MIN_POSITIVE);
            p.distance(a.lerp(b, along.clamp(0.0, 1.0)))
        };
        let to_border = sides().map(to_side).fold(f64::INFINITY, f64::min);
        let turns = |sign: f64| sides().all(|[a, b]| (b - a).perp_dot(p - a) * sign > 0.0);
        let distance = match turns(1.0) || turns(-1.0) {
            true => -to_border,
            false => to_border,
        };
        f64::from(self.radius) + own_radius - distance
    }

    /// Returns whether an obstacle closes the ground at this height, for an agent near it in plan. Heights at its ends are
    /// left out.
    pub fn is_at_height(&self, at: Vec3, obstacle: &Obstacle) -> bool {
        (obstacle.bottom - self.height + 0.1..obstacle.top - 0.1).contains(&at.y)
    }

    /// Returns a convex outline around everything that an obstacle may close.
    fn shadow(&self, obstacle: &Obstacle) -> Vec<DVec2> {
        let radius = match obstacle.footprint {
            // The corners of 12 sides.
            Footprint::Disc { radius, .. } => (f64::from(self.radius) + f64::from(radius)) * 1.04,
            _ => f64::from(self.radius) * MAX_CORNER,
        };
        let around = (radius + MARGIN) / (std::f64::consts::PI / SIDES as f64).cos();
        let angles = (0..SIDES).map(|i| i as f64 * std::f64::consts::TAU / SIDES as f64);
        let circle: Vec<DVec2> = angles.map(|a| DVec2::from_angle(a) * around).collect();
        let all = corners(&obstacle.footprint);
        hull(all.iter().flat_map(|c| circle.iter().map(move |p| *c + *p)))
    }
}

/// Returns the convex hull of points, in counter-clockwise order.
fn hull(points: impl Iterator<Item = DVec2>) -> Vec<DVec2> {
    let mut points: Vec<DVec2> = points.collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let half = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(p - a) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter().copied());
    lower.extend(half(&mut points.iter().rev().copied()));
    lower
}

/// Returns whether a segment, or a point if both ends are equal, touches a convex outline.
fn meets([from, to]: [DVec2; 2], outline: &[DVec2]) -> bool {
    let (mut enters, mut leaves) = (0.0f64, 1.0f64);
    for (i, &corner) in outline.iter().enumerate() {
        let along = outline[(i + 1) % outline.len()] - corner;
        let [a, b] = [from, to].map(|p| along.perp_dot(p - corner));
        match (a >= 0.0, b >= 0.0) {
            (true, true) => {}
            (false, false) => return false,
            (false, true) => enters = enters.max(a / (a - b)),
            (true, false) => leaves = leaves.min(a / (a - b)),
        }
    }
    enters <= leaves
}

/// Points of open ground that no obstacle reaches, and which of them straight lines connect that no obstacle touches. Every
/// obstacle counts as a little larger than it is, so a world has a path wherever the roadmap has one; it may have others.
#[derive(Debug)]
pub struct Roadmap {
    points: Vec<Location>,
    groups: UnionFind,
    /// Links, as pairs of points: each leads from the first to the second.
    links: Vec<[u32; 2]>,
}

impl Roadmap {
    /// Draws points on a mesh without obstacles, with links as they are without obstacles, for agents that pay `prices`.
    pub fn new(
        mesh: &NavMesh,
        prices: &Prices,
        obstacles: &[Obstacle],
        walker: Walker,
        rng: &mut CaseRng,
    ) -> Self {
        let shadows: Vec<Vec<DVec2>> = obstacles.iter().map(|o| walker.shadow(o)).collect();
        // Per polygon, what may be closed there, and the points in it.
        let mut closed: Vec<Vec<&[DVec2]>> = Vec::new();
        let mut inside: Vec<Vec<u32>> = vec![Vec::new(); mesh.polygon_count()];
        for polygon in mesh.polygons() {
            let heights = mesh.surface(polygon).flatten().map(|corner| corner.y);
            let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), y| {
                (l.min(y), h.max(y))
            });
            let may_reach = |o: &Obstacle| {
                low <= o.top + 0.01 && high >= o.bottom - walker.height - 0.01 || low > high
            };
            let near = obstacles.iter().zip(&shadows);
            let near = near.filter(|(o, _)| may_reach(o));
            closed.push(near.map(|(_, shadow)| shadow.as_slice()).collect());
        }
        let is_free = |polygon: PolygonId, [a, b]: [Vec3; 2]| {
            let segment = [in_plan(a), in_plan(b)];
            let mut near = closed[polygon.index()].iter();
            !near.any(|shadow| meets(segment, shadow))
        };
        let mut points: Vec<Location> = Vec::new();
        let mut add = |polygons: &[PolygonId], point: Vec3| {
            let is_open = |&p: &PolygonId| prices.allows(mesh, p) && is_free(p, [point; 2]);
            polygons.iter().all(is_open).then(|| {
                let id = points.len() as u32;
                points.push(Location {
                    polygon: polygons[0],
                    point: point.with_y(mesh.height_at(polygons[0], point)),
                });
                for polygon in polygons {
                    inside[polygon.index()].push(id);
                }
                id
            })
        };
        for polygon in mesh.polygons() {
            add(&[polygon], mesh.centre(polygon));
            for _ in 0..4 {
                add(&[polygon], point_of_polygon(mesh, polygon, rng));
            }
            // Ways around obstacles bend at their corners.
            let outlines = &closed[polygon.index()];
            let all = outlines.iter().flat_map(|outline| {
                let centre = outline.iter().sum::<DVec2>() / outline.len() as f64;
                outline
                    .iter()
                    .map(move |&p| p + (p - centre).normalize() * 1e-3)
            });
            for p in all {
                let point = Vec3::new(p.x as f32, 0.0, p.y as f32);
                if mesh.contains_xz(polygon, point) {
                    add(&[polygon], point);
                }
            }
        }
        for portal in mesh.portals() {
            for at in [0.02, 0.2, 0.4, 0.6, 0.8, 0.98] {
                add(&portal.polygons, portal.right.lerp(portal.left, at));
            }
        }
        let mut links = Vec::new();
        for link in mesh.links() {
            let is_open = prices.link_cost(mesh, link).is_some();
            let mut end = |i: usize| add(&[link.polygons[i]], link.ends[i]);
            if let (true, Some(from), Some(to)) = (is_open, end(0), end(1)) {
                links.push([from, to]);
                if link.both_ways {
                    links.push([to, from]);
                }
            }
        }
        let mut groups = UnionFind::new(points.len());
        for polygon in mesh.polygons() {
            let here = &inside[polygon.index()];
            for (i, &a) in here.iter().enumerate() {
                for &b in &here[..i] {
                    let ends = [a, b].map(|id| points[id as usize].point);
                    if groups.root(a) != groups.root(b) && is_free(polygon, ends) {
                        groups.join(a, b);
                    }
                }
            }
        }
        Self {
            points,
            groups,
            links,
        }
    }

    /// Returns the points: polygons of the mesh without obstacles, and positions on the ground.
    pub fn points(&self) -> &[Location] {
        &self.points
    }

    /// Returns whether there surely is a path from one point to another, by their indices.
    pub fn connects(&mut self, from: usize, to: usize) -> bool {
        let goal = self.groups.root(to as u32);
        let mut reached = vec![self.groups.root(from as u32)];
        let mut next = 0;
        while let Some(&group) = reached.get(next) {
            next += 1;
            for [from, to] in self.links.clone() {
                let to = self.groups.root(to);
                if self.groups.root(from) == group && !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        reached.contains(&goal)
    }
}

#[cfg(test)]
mod tests {
    use portolan_core::{NavMeshOptions, Profile, RawNavMesh};

    use super::*;

    /// A square of 10 m.
    fn square() -> NavMesh {
        let mut raw = RawNavMesh::default();
        let corners = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
        raw.vertices = corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
        raw.polygons.push([0, 1, 2, 3]);
        NavMesh::build(raw, &NavMeshOptions::default()).expect("a square")
    }

    const WALKER: Walker = Walker {
        radius: 0.5,
        height: 2.0,
    };

    fn groups_beside(wall: &Obstacle) -> [bool; 2] {
        let mesh = square();
        let prices = Prices::new(&mesh, &Profile::default());
        let wall = std::slice::from_ref(wall);
        let mut map = Roadmap::new(&mesh, &prices, wall, WALKER, &mut CaseRng::new(1));
        let beside = |map: &Roadmap, is_side: &dyn Fn(f32) -> bool| {
            let mut points = map.points.iter();
            points.position(|at| is_side(at.point.x)).expect("a point")
        };
        let left = beside(&map, &|x| x < 4.0);
        let right = beside(&map, &|x| x > 6.0);
        [map.connects(left, right), map.connects(right, left)]
    }

    #[test]
    fn a_wall_across_separates_and_a_shorter_one_does_not() {
        let across = std::f32::consts::FRAC_PI_2;
        let wall = |half: f32| Obstacle::upright_box([5.0, 0.0, 5.0], [half, 0.1], across, 1.0);
        assert_eq!(groups_beside(&wall(6.0)), [false; 2]);
        assert_eq!(groups_beside(&wall(4.0)), [true; 2]);
        // Agents do not fit between its ends and the borders.
        assert_eq!(groups_beside(&wall(4.6)), [false; 2]);
        let above = Obstacle {
            bottom: 2.2,
            ..wall(6.0)
        };
        assert_eq!(groups_beside(&Obstacle { top: 3.0, ..above }), [true; 2]);
    }

    #[test]
    fn depths_are_those_of_the_shapes() {
        let shapes = [
            Obstacle::disc([5.0, 0.0, 5.0], 1.0, 1.0),
            Obstacle::upright_box([5.0, 0.0, 5.0], [1.0, 1.0], 0.0, 1.0),
            Obstacle::prism([[4.0, 4.0], [4.0, 6.0], [6.0, 6.0], [6.0, 4.0]], 0.0, 1.0),
        ];
        for shape in shapes {
            for (x, depth) in [(7.0, -0.5), (6.5, 0.0), (6.2, 0.3), (5.7, 0.8)] {
                let found = WALKER.depth(Vec3::new(x, 0.0, 5.0), &shape);
                assert!((found - depth).abs() < 1e-5, "{found} for {depth}");
            }
        }
    }
}
