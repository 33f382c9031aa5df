//! Straight lines walked on the mesh itself, polygon by polygon: floors lie above one another and portals
//! can be a part of a border, so a picture from above would not do.

use std::collections::BTreeMap;

use glam::{DVec2, Vec3};
use portolan_core::{Corridor, Crossing, NavMesh, Path, PolygonId, Portal, PortalId};

/// What counts as on the mesh, and as touching a portal: more than `f32` rounds the ends of portals and
/// waypoints at 100 m from the origin. A line may cut a corner by as much. [Units: m]
pub(crate) const ROUNDING: f64 = 2e-5;

pub fn from_above(point: Vec3) -> DVec2 {
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
    /// Left of the line from `a` to `b`, and a little more.
    fn left_of(a: DVec2, b: DVec2) -> Self {
        let along = (b - a).normalize_or_zero();
        let outward = DVec2::new(along.y, -along.x);
        Self {
            outward,
            bound: outward.dot(a) + ROUNDING,
        }
    }
}

/// The shares of the line between which it is in all the half-planes.
pub(crate) fn clip(planes: &[HalfPlane], [a, b]: [DVec2; 2]) -> Option<[f64; 2]> {
    let (mut first, mut last) = (0f64, 1f64);
    for plane in planes {
        let [at_a, at_b] = [a, b].map(|point| plane.outward.dot(point) - plane.bound);
        let share = at_a / (at_a - at_b);
        match (at_a > 0.0, at_b > 0.0) {
            (true, true) => return None,
            (true, false) => first = first.max(share),
            (false, true) => last = last.min(share),
            (false, false) => (),
        }
    }
    (first <= last).then_some([first, last])
}

/// A box around a portal that holds all that touches it.
pub(crate) fn around(portal: &Portal) -> [HalfPlane; 4] {
    let [a, b] = [portal.right, portal.left].map(from_above);
    let aside = (b - a).perp();
    let sides = [[a, b], [b, a], [a + aside, a], [b, b + aside]];
    sides.map(|[a, b]| HalfPlane::left_of(a, b))
}

/// Who sees what on a mesh. Links do not count.
#[derive(Debug)]
pub struct Sight<'a> {
    pub mesh: &'a NavMesh,
    /// Per polygon, its ground.
    grounds: Vec<Vec<HalfPlane>>,
    /// Per polygon, its portals.
    exits: Vec<Vec<Exit>>,
}

/// A portal out of a polygon.
#[derive(Debug)]
struct Exit {
    portal: PortalId,
    beyond: PolygonId,
    /// Where it lies.
    place: [HalfPlane; 4],
}

/// How a straight walk enters a polygon.
struct Entry {
    /// The share of the line at which it does.
    at: f64,
    /// From where; `None` where the walk sets out.
    over: Option<(PolygonId, PortalId)>,
}

impl<'a> Sight<'a> {
    pub fn new(mesh: &'a NavMesh) -> Self {
        let ground = |polygon| {
            let borders = mesh.borders(polygon).map(|border| border.map(from_above));
            borders.map(|[a, b]| HalfPlane::left_of(a, b)).collect()
        };
        let mut exits: Vec<_> = mesh.polygons().map(|_| Vec::new()).collect();
        for (i, sides) in mesh.portals().iter().enumerate() {
            let [a, b] = sides.polygons;
            for (polygon, beyond) in [(a, b), (b, a)] {
                exits[polygon.index()].push(Exit {
                    portal: PortalId::new(i),
                    beyond,
                    place: around(sides),
                });
            }
        }
        Self {
            mesh,
            grounds: mesh.polygons().map(ground).collect(),
            exits,
        }
    }

    fn part_on(&self, polygon: PolygonId, line: [DVec2; 2]) -> Option<[f64; 2]> {
        clip(&self.grounds[polygon.index()], line)
    }

    /// The polygons that a straight walk can enter that sets out in one of these. At vertices and along borders
    /// it may pass through any portal that it touches; it does not turn back.
    fn enter(&self, from: &[PolygonId], line: [DVec2; 2]) -> BTreeMap<PolygonId, Entry> {
        let mut entered = BTreeMap::new();
        let begins = |polygon: &&PolygonId| {
            let part = self.part_on(**polygon, line);
            part.is_some_and(|[first, _]| first == 0.0)
        };
        let mut open: Vec<PolygonId> = from.iter().filter(begins).copied().collect();
        entered.extend(open.iter().map(|&polygon| {
            let entry = Entry {
                at: 0.0,
                over: None,
            };
            (polygon, entry)
        }));
        while let Some(polygon) = open.pop() {
            for exit in &self.exits[polygon.index()] {
                let Some([first, last]) = clip(&exit.place, line) else {
                    continue;
                };
                let at = first.max(entered[&polygon].at);
                let known = entered.get(&exit.beyond);
                if at <= last && known.is_none_or(|known| at < known.at) {
                    let over = Some((polygon, exit.portal));
                    entered.insert(exit.beyond, Entry { at, over });
                    open.push(exit.beyond);
                }
            }
        }
        entered
    }

    /// Whether a line ends in a polygon.
    fn ends_in(&self, polygon: PolygonId, line: [DVec2; 2]) -> bool {
        let part = self.part_on(polygon, line);
        part.is_some_and(|[_, last]| last == 1.0)
    }

    /// The polygons in which a straight walk can end that sets out in one of these: none where it would
    /// leave the mesh. A line of no length leads to all polygons around its point.
    pub fn walk(&self, from: &[PolygonId], line: [DVec2; 2]) -> Vec<PolygonId> {
        let entered = self.enter(from, line).into_keys();
        entered
            .filter(|&polygon| self.ends_in(polygon, line))
            .collect()
    }

    /// The corridor of a straight walk from the one place to the other, where there is one.
    pub fn corridor(&self, from: &Stop, to: &Stop) -> Option<Corridor> {
        let line = [from.place, to.place];
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

    /// Whether a straight walk from the one place, in any of its polygons, leads to the other.
    pub fn sees(&self, from: &Stop, to: &Stop) -> bool {
        let ends = self.walk(&from.polygons, [from.place, to.place]);
        ends.iter().any(|polygon| to.polygons.contains(polygon))
    }

    /// A place of a polygon, with all polygons around it.
    pub fn stop(&self, polygon: PolygonId, place: DVec2) -> Stop {
        let polygons = self.walk(&[polygon], [place; 2]);
        Stop { place, polygons }
    }

    /// The waypoints of a path, walked leg by leg from the start's polygon.
    ///
    /// # Panics
    /// Where a leg leaves the mesh.
    pub fn follow(&self, path: &Path, start: PolygonId) -> Vec<Stop> {
        let mut stops = vec![self.stop(start, from_above(path.waypoints[0]))];
        for (i, [_, to]) in path.legs().enumerate() {
            let (from, place) = (&stops[i], from_above(to));
            let polygons = match path.links.iter().find(|leg| leg.waypoint as usize == i) {
                Some(leg) => {
                    let link = self.mesh.link(leg.link);
                    let end = usize::from(link.ends[1] == to);
                    self.walk(&[link.polygons[end]], [place; 2])
                }
                None => self.walk(&from.polygons, [from.place, place]),
            };
            assert!(!polygons.is_empty(), "leg {i} leaves the mesh: {path:?}");
            stops.push(Stop { place, polygons });
        }
        stops
    }
}

/// A place on the mesh, seen from above, and the polygons there that hang together.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    pub place: DVec2,
    pub polygons: Vec<PolygonId>,
}
