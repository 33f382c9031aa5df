//! The portals of a mesh as line segments in plan, and the fan of polygons around each portal end.

use std::collections::HashMap;

use glam::DVec2;
use portolan_core::union_find::UnionFind;
use portolan_core::{NavMesh, PolygonId};

use crate::sight::in_plan;

/// The largest distance at which a point that is behind a portal of its own polygon counts as a point of that portal.
/// [Units: m] A point can be behind a portal because coordinates are rounded, because a polygon may have a dent of
/// 0.01 m, and because the two borders of a portal may be 0.01 m apart.
pub(crate) const TOUCH: f64 = 0.02;

/// Returns twice the signed area of the triangle `a b c`. It is positive if `c` is to the left of the line from `a` to
/// `b`. It is exact for points with `f32` coordinates, except for extreme exponents.
pub(crate) fn orientation(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// A portal as seen from one of its two polygons.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    /// The index of the portal.
    pub(crate) portal: usize,
    /// The polygon on the other side.
    pub(crate) beyond: PolygonId,
    /// The right and the left end as seen when leaving the polygon.
    pub(crate) ends: [DVec2; 2],
    /// The vertices at the right and at the left end.
    pub(crate) vertices: [usize; 2],
}

impl Exit {
    /// Returns whether a point of the polygon is on the portal or slightly behind it. A point in front of the portal does
    /// not touch it, however near it is, because the portal then has a right and a left as seen from the point.
    fn touches(&self, position: DVec2) -> bool {
        let [right, left] = self.ends;
        let (along, offset) = (left - right, position - right);
        let behind = -orientation(position, right, left);
        let is_beside = (0.0..=along.length_squared()).contains(&offset.dot(along));
        is_beside && (0.0..=TOUCH * along.length()).contains(&behind)
    }
}

/// Portal ends at the same position that are connected there.
#[derive(Debug)]
pub(crate) struct FanVertex {
    pub(crate) position: DVec2,
    /// The polygons that an agent at this vertex is in.
    pub(crate) polygons: Vec<PolygonId>,
}

/// The portals between allowed polygons, with their ends merged into vertices.
///
/// Two ends are the same vertex if they have exactly the same (x, z) and their portals have a common polygon. So fans
/// of polygons that only touch at a point have vertices of their own, and so have fans on different floors.
#[derive(Debug)]
pub(crate) struct Fans {
    /// Per polygon, its portals to allowed polygons. A forbidden polygon has none.
    pub(crate) exits: Vec<Vec<Exit>>,
    pub(crate) vertices: Vec<FanVertex>,
}

impl Fans {
    /// Collects the portals and merges their ends.
    pub(crate) fn new(mesh: &NavMesh, allowed: impl Fn(PolygonId) -> bool) -> Self {
        let is_open = |portal: usize| mesh.portals()[portal].polygons.iter().all(|&p| allowed(p));
        let open: Vec<bool> = (0..mesh.portals().len()).map(is_open).collect();
        let portals_of = |polygon| {
            let portals = mesh.portals_of(polygon).iter().map(|portal| portal.index());
            portals.filter(|&portal| open[portal])
        };

        // The right end of a portal has twice the index of the portal, and the left end has one more.
        let mut groups = UnionFind::new(2 * open.len());
        for polygon in mesh.polygons() {
            let mut ends: HashMap<[u64; 2], usize> = HashMap::new();
            for portal in portals_of(polygon) {
                let [right, left] = [mesh.portals()[portal].right, mesh.portals()[portal].left];
                for (end, point) in [(2 * portal, right), (2 * portal + 1, left)] {
                    // The sum turns a negative zero into a positive one.
                    let position = (in_plan(point) + DVec2::ZERO).to_array();
                    let same = ends.entry(position.map(f64::to_bits)).or_insert(end);
                    groups.join(*same as u32, end as u32);
                }
            }
        }

        let mut fans = Self {
            exits: mesh.polygons().map(|_| Vec::new()).collect(),
            vertices: Vec::new(),
        };
        let mut vertex_of_root = HashMap::new();
        for polygon in mesh.polygons() {
            for portal in portals_of(polygon) {
                let is_first = mesh.portals()[portal].polygons[0] == polygon;
                let indices = if is_first { [0, 1] } else { [1, 0] };
                let ends = mesh.portals()[portal].ends_from(polygon).map(in_plan);
                let vertices = [0, 1].map(|side| {
                    let root = groups.root((2 * portal + indices[side]) as u32);
                    *vertex_of_root.entry(root).or_insert_with(|| {
                        fans.vertices.push(FanVertex {
                            position: ends[side],
                            polygons: vec![polygon],
                        });
                        fans.vertices.len() - 1
                    })
                });
                fans.exits[polygon.index()].push(Exit {
                    portal,
                    beyond: mesh.portals()[portal].beyond(polygon),
                    ends,
                    vertices,
                });
            }
        }
        for vertex in 0..fans.vertices.len() {
            let FanVertex { position, polygons } = &fans.vertices[vertex];
            fans.vertices[vertex].polygons = fans.polygons_around(*position, polygons[0]);
        }
        fans
    }

    /// Returns a polygon and all polygons that can be reached from it over portals which touch the position.
    pub(crate) fn polygons_around(&self, position: DVec2, polygon: PolygonId) -> Vec<PolygonId> {
        let mut around = vec![polygon];
        let mut next = 0;
        while next < around.len() {
            for exit in &self.exits[around[next].index()] {
                if exit.touches(position) && !around.contains(&exit.beyond) {
                    around.push(exit.beyond);
                }
            }
            next += 1;
        }
        around
    }
}
