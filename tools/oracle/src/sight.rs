//! Visibility on the mesh: follows straight lines from polygon to polygon. A test in plan alone is not enough,
//! because floors can be above one another and a portal can be a part of a border.

use std::collections::BTreeMap;

use glam::{DVec2, Vec3};
use portolan_core::{Corridor, Crossing, NavMesh, Path, PolygonId, Portal, PortalId};

/// The tolerance within which a point is on the mesh and a line touches a portal. [Units: m] It exceeds the
/// rounding of `f32` coordinates at 100 m from the origin. A line may cut a corner by as much.
pub(crate) const ROUNDING: f64 = 2e-5;

/// Returns the (x, z) of a point.
pub fn in_plan(point: Vec3) -> DVec2 {
    let point = point.as_dvec3();
    DVec2::new(point.x, point.z)
}

/// The points `p` with `outward . p <= bound`.
#[derive(Debug)]
pub(crate) struct HalfPlane {
    outward: DVec2,
    bound: f64,
}

impl HalfPlane {
    /// Returns the half-plane to the left of the line from `a` to `b`, extended by [`ROUNDING`].
    fn left_of(a: DVec2, b: DVec2) -> Self {
        let along = (b - a).normalize_or_zero();
        let outward = DVec2::new(along.y, -along.x);
        Self {
            outward,
            bound: outward.dot(a) + ROUNDING,
        }
    }
}

/// Returns the first and the last fraction of the line at which it is in all half-planes.
pub(crate) fn clip(planes: &[HalfPlane], [a, b]: [DVec2; 2]) -> Option<[f64; 2]> {
    let (mut first, mut last) = (0f64, 1f64);
    for plane in planes {
        let [at_a, at_b] = [a, b].map(|point| plane.outward.dot(point) - plane.bound);
        let fraction = at_a / (at_a - at_b);
        match (at_a > 0.0, at_b > 0.0) {
            (true, true) => return None,
            (true, false) => first = first.max(fraction),
            (false, true) => last = last.min(fraction),
            (false, false) => (),
        }
    }
    (first <= last).then_some([first, last])
}

/// Returns a box around a portal, which contains the points that touch it.
pub(crate) fn around(portal: &Portal) -> [HalfPlane; 4] {
    let [a, b] = [portal.right, portal.left].map(in_plan);
    let aside = (b - a).perp();
    let sides = [[a, b], [b, a], [a + aside, a], [b, b + aside]];
    sides.map(|[a, b]| HalfPlane::left_of(a, b))
}

/// Visibility between points of a mesh. Links are ignored.
#[derive(Debug)]
pub struct Sight<'a> {
    /// The mesh.
    pub mesh: &'a NavMesh,
    /// Per polygon, the half-planes whose intersection it is.
    half_planes: Vec<Vec<HalfPlane>>,
    /// Per polygon, its portals.
    exits: Vec<Vec<PortalExit>>,
}

/// A portal out of a polygon.
#[derive(Debug)]
struct PortalExit {
    portal: PortalId,
    beyond: PolygonId,
    /// A box around the portal.
    bounds: [HalfPlane; 4],
}

/// The point at which a straight line enters a polygon.
struct PolygonEntry {
    /// The fraction of the line.
    at: f64,
    /// The polygon before and the portal from it. `None` for a polygon in which the line starts.
    over: Option<(PolygonId, PortalId)>,
}

impl<'a> Sight<'a> {
    /// Collects the half-planes and portals of every polygon.
    pub fn new(mesh: &'a NavMesh) -> Self {
        let half_planes = |polygon| {
            let borders = mesh.borders(polygon).map(|border| border.map(in_plan));
            borders.map(|[a, b]| HalfPlane::left_of(a, b)).collect()
        };
        let mut exits: Vec<_> = mesh.polygons().map(|_| Vec::new()).collect();
        for (i, portal) in mesh.portals().iter().enumerate() {
            let [a, b] = portal.polygons;
            for (polygon, beyond) in [(a, b), (b, a)] {
                exits[polygon.index()].push(PortalExit {
                    portal: PortalId::new(i),
                    beyond,
                    bounds: around(portal),
                });
            }
        }
        Self {
            mesh,
            half_planes: mesh.polygons().map(half_planes).collect(),
            exits,
        }
    }

    /// Returns the first and the last fraction of the line at which it is in the polygon.
    fn part_on(&self, polygon: PolygonId, line: [DVec2; 2]) -> Option<[f64; 2]> {
        clip(&self.half_planes[polygon.index()], line)
    }

    /// Returns the polygons that a straight line from one of the polygons `from` can enter. At vertices and along
    /// borders it may pass through any portal that it touches. It never goes backwards.
    fn enter(&self, from: &[PolygonId], line: [DVec2; 2]) -> BTreeMap<PolygonId, PolygonEntry> {
        let mut entered = BTreeMap::new();
        let starts_in = |polygon: &&PolygonId| {
            let part = self.part_on(**polygon, line);
            part.is_some_and(|[first, _]| first == 0.0)
        };
        let mut open: Vec<PolygonId> = from.iter().filter(starts_in).copied().collect();
        entered.extend(open.iter().map(|&polygon| {
            let entry = PolygonEntry {
                at: 0.0,
                over: None,
            };
            (polygon, entry)
        }));
        while let Some(polygon) = open.pop() {
            for exit in &self.exits[polygon.index()] {
                let Some([first, last]) = clip(&exit.bounds, line) else {
                    continue;
                };
                let at = first.max(entered[&polygon].at);
                let known = entered.get(&exit.beyond);
                if at <= last && known.is_none_or(|known| at < known.at) {
                    let over = Some((polygon, exit.portal));
                    entered.insert(exit.beyond, PolygonEntry { at, over });
                    open.push(exit.beyond);
                }
            }
        }
        entered
    }

    /// Returns whether a line ends in a polygon.
    fn ends_in(&self, polygon: PolygonId, line: [DVec2; 2]) -> bool {
        let part = self.part_on(polygon, line);
        part.is_some_and(|[_, last]| last == 1.0)
    }

    /// Returns the polygons in which a straight line from one of the polygons `from` can end. There are none if
    /// it would leave the mesh. A line of length 0 ends in all polygons around its point.
    pub fn walk(&self, from: &[PolygonId], line: [DVec2; 2]) -> Vec<PolygonId> {
        let entered = self.enter(from, line).into_keys();
        entered
            .filter(|&polygon| self.ends_in(polygon, line))
            .collect()
    }

    /// Returns the corridor of the straight line between two points, or `None` if it leaves the mesh.
    pub fn corridor(&self, from: &MeshPoint, to: &MeshPoint) -> Option<Corridor> {
        let line = [from.position, to.position];
        let entered = self.enter(&from.polygons, line);
        let is_end =
            |polygon: &&PolygonId| to.polygons.contains(polygon) && self.ends_in(**polygon, line);
        let mut polygons = vec![*entered.keys().find(is_end)?];
        let mut crossings = Vec::new();
        while let Some((before, portal)) = entered[&polygons[polygons.len() - 1]].over {
            crossings.push(Crossing::Portal(portal));
            polygons.push(before);
        }
        polygons.reverse();
        crossings.reverse();
        Some(Corridor {
            polygons,
            crossings,
        })
    }

    /// Returns whether the straight line between two points stays on the mesh.
    pub fn sees(&self, from: &MeshPoint, to: &MeshPoint) -> bool {
        let ends = self.walk(&from.polygons, [from.position, to.position]);
        ends.iter().any(|polygon| to.polygons.contains(polygon))
    }

    /// Returns a point of a polygon with all polygons around it.
    pub fn mesh_point(&self, polygon: PolygonId, position: DVec2) -> MeshPoint {
        let polygons = self.walk(&[polygon], [position; 2]);
        MeshPoint { position, polygons }
    }

    /// Follows a path from the start's polygon, leg by leg, and returns its waypoints with their polygons.
    ///
    /// # Panics
    /// Panics if a leg leaves the mesh.
    pub fn follow(&self, path: &Path, start: PolygonId) -> Vec<MeshPoint> {
        let mut points = vec![self.mesh_point(start, in_plan(path.waypoints[0]))];
        for (i, [_, to]) in path.legs().enumerate() {
            let (from, position) = (&points[i], in_plan(to));
            let polygons = match path.links.iter().find(|leg| leg.waypoint as usize == i) {
                Some(leg) => {
                    let link = self.mesh.link(leg.link);
                    let end = usize::from(link.ends[1] == to);
                    self.walk(&[link.polygons[end]], [position; 2])
                }
                None => self.walk(&from.polygons, [from.position, position]),
            };
            assert!(!polygons.is_empty(), "leg {i} leaves the mesh: {path:?}");
            points.push(MeshPoint { position, polygons });
        }
        points
    }
}

/// A point of the mesh in plan, with the connected polygons that meet there.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshPoint {
    /// The (x, z) of the point.
    pub position: DVec2,
    /// The polygons that contain the point and can be reached from one another there.
    pub polygons: Vec<PolygonId>,
}
