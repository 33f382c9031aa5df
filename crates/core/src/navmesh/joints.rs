//! Finds the portals where polygons were replaced, as [`portals`](super::portals) finds those of a whole mesh: first by
//! common vertices, then by position.
//!
//! Portals between two polygons that stay are kept, with one exception: a border that lost its neighbour may now be
//! joined by position with another polygon that was always there.

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use super::portals::{PolygonBorder, common_part};
use super::tree::BoxTree;
use super::{BorderMatching, NavMesh, Portal, RawNavMesh, Repairs};
use crate::csr::Csr;
use crate::geometry::Aabb;
use crate::ids::PolygonId;

/// New polygons, numbered after those of the mesh. Their corners are indices into the vertices of the mesh and those
/// that are added after them.
#[derive(Debug)]
pub(super) struct NewPolygons {
    /// The id of the first of them.
    pub(super) first: usize,
    pub(super) polygons: Csr<u32>,
}

impl NewPolygons {
    pub(super) fn id(&self, index: usize) -> PolygonId {
        PolygonId::new(self.first + index)
    }
}

/// How far from each other joined borders may be.
pub(super) fn reach(matching: Option<BorderMatching>) -> Vec3 {
    matching.map_or(Vec3::ZERO, |m| Vec3::new(m.gap, m.step, m.gap))
}

/// Returns the vertices to add to a mesh, and the polygons in an order with corners among those and the vertices of
/// the mesh. A vertex at the position of exactly one vertex of the polygons `near` becomes that one.
pub(super) fn weld(
    mesh: &NavMesh,
    near: &[PolygonId],
    raw: &RawNavMesh,
    polygons: &Csr<u32>,
    order: &[u32],
) -> (Vec<Vec3>, Csr<u32>) {
    // The sum with 0 makes 0 of -0.
    let bits = |point: Vec3| (point + Vec3::ZERO).to_array().map(f32::to_bits);
    // Several vertices at one position are a wall of zero thickness, or tiles. Position decides there.
    let mut at: HashMap<[u32; 3], Option<u32>> = HashMap::new();
    for &vertex in near.iter().flat_map(|&polygon| mesh.corners(polygon)) {
        let entry = at.entry(bits(mesh.vertices[vertex as usize]));
        let known = entry.or_insert(Some(vertex));
        if *known != Some(vertex) {
            *known = None;
        }
    }
    let mut added = Vec::new();
    let mut new_index: HashMap<u32, u32> = HashMap::new();
    let mut welded = Csr::new();
    for &polygon in order {
        let corners = polygons.get(polygon as usize).iter();
        welded.push(corners.map(|&vertex| {
            *new_index.entry(vertex).or_insert_with(|| {
                let point = raw.vertices[vertex as usize];
                at.get(&bits(point)).copied().flatten().unwrap_or_else(|| {
                    added.push(point);
                    (mesh.vertices.len() + added.len() - 1) as u32
                })
            })
        }));
    }
    (added, welded)
}

/// A mesh in which polygons are replaced.
pub(super) struct Joints<'a> {
    pub(super) mesh: &'a NavMesh,
    /// The polygons that go, in ascending order.
    pub(super) gone: &'a [PolygonId],
    /// The polygons that stay, and are near those that come or go.
    pub(super) near: &'a [PolygonId],
    pub(super) added_vertices: &'a [Vec3],
    pub(super) new: &'a NewPolygons,
    pub(super) matching: Option<BorderMatching>,
}

/// A border of a polygon that comes or stays.
#[derive(Clone, Copy)]
struct Border {
    polygon: PolygonId,
    /// The vertices at its ends.
    ends: [u32; 2],
    /// Whether it may have portals that the mesh does not have: its polygon is new, or it has lost its neighbour.
    is_open: bool,
}

impl Border {
    fn key(&self) -> [u32; 2] {
        let [start, end] = self.ends;
        [start.min(end), start.max(end)]
    }
}

/// Returns the borders of an outline.
fn borders(corners: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&start, &end)| [start, end])
}

impl Joints<'_> {
    /// Returns the portals that the mesh does not have yet. `boxes` are those of the new polygons. Fails with the index of
    /// a new polygon with a border that two others have.
    pub(super) fn find(&self, boxes: &[Aabb], repairs: &mut Repairs) -> Result<Vec<Portal>, usize> {
        let mut borders = self.borders(boxes);
        borders.sort_by_key(|border| (border.key(), border.polygon, border.ends));
        let mut portals = Vec::new();
        let mut unmatched = Vec::new();
        for group in borders.chunk_by(|a, b| a.key() == b.key()) {
            let first_new = group.iter().find(|border| self.is_new(border.polygon));
            match group {
                [one, two] if one.ends != two.ends && one.polygon != two.polygon => {
                    // The mesh has the portal between two polygons that stay.
                    if first_new.is_some() {
                        let [start, end] = one.ends.map(|vertex| self.point(vertex));
                        portals.push(Portal::new(one.polygon, two.polygon, start, end));
                    }
                }
                [_, _] => repairs.folds += u32::from(first_new.is_some()),
                [one] => unmatched.push(*one),
                _ => {
                    if let Some(border) = first_new {
                        return Err(border.polygon.index() - self.new.first);
                    }
                }
            }
        }
        if let Some(matching) = self.matching {
            self.match_by_position(&unmatched, matching, &mut portals);
        }
        Ok(portals)
    }

    fn is_new(&self, polygon: PolygonId) -> bool {
        polygon.index() >= self.new.first
    }

    fn point(&self, vertex: u32) -> Vec3 {
        let known = &self.mesh.vertices;
        match known.get(vertex as usize) {
            Some(&point) => point,
            None => self.added_vertices[vertex as usize - known.len()],
        }
    }

    /// Returns the borders of new polygons, and those of polygons that stay which are near a polygon that comes or goes.
    /// If two polygons that stay have a common border, it is listed for both or for none.
    fn borders(&self, boxes: &[Aabb]) -> Vec<Border> {
        let mesh = self.mesh;
        let lost: HashSet<[u32; 2]> = self
            .gone
            .iter()
            .flat_map(|&polygon| borders(mesh.corners(polygon)))
            .map(|[start, end]| [start.min(end), start.max(end)])
            .collect();
        let outlines = self.new.polygons.iter().enumerate();
        let mut all: Vec<Border> = outlines
            .flat_map(|(i, corners)| {
                let polygon = self.new.id(i);
                borders(corners).map(move |ends| Border {
                    polygon,
                    ends,
                    is_open: true,
                })
            })
            .collect();
        let gone_boxes = self
            .gone
            .iter()
            .map(|&polygon| Aabb::around(mesh.corner_points(polygon)));
        let changed: Vec<Aabb> = boxes.iter().copied().chain(gone_boxes).collect();
        let (tree, _) = BoxTree::build(&changed);
        let reach = reach(self.matching);
        for &polygon in self.near {
            for ends in borders(mesh.corners(polygon)) {
                let aabb = Aabb::around(ends.map(|vertex| self.point(vertex)));
                let mut is_near = false;
                tree.for_each_near(aabb.grown(reach), |_| is_near = true);
                if is_near {
                    let mut border = Border {
                        polygon,
                        ends,
                        is_open: false,
                    };
                    border.is_open = lost.contains(&border.key());
                    all.push(border);
                }
            }
        }
        all
    }

    fn match_by_position(
        &self,
        unmatched: &[Border],
        matching: BorderMatching,
        portals: &mut Vec<Portal>,
    ) {
        let boxes: Vec<Aabb> = unmatched
            .iter()
            .map(|border| Aabb::around(border.ends.map(|vertex| self.point(vertex))))
            .collect();
        let (tree, order) = BoxTree::build(&boxes);
        let placed = |border: &Border| {
            let [start, end] = border.ends.map(|vertex| self.point(vertex));
            PolygonBorder {
                polygon: border.polygon,
                start,
                end,
            }
        };
        for (i, border) in unmatched.iter().enumerate().filter(|(_, b)| b.is_open) {
            tree.for_each_near(boxes[i].grown(reach(Some(matching))), |item| {
                let j = order[item as usize] as usize;
                let other = &unmatched[j];
                // Each pair is examined once.
                if border.polygon == other.polygon || (other.is_open && j < i) {
                    return;
                }
                let [low, high] = match border.polygon < other.polygon {
                    true => [border, other],
                    false => [other, border],
                };
                portals.extend(common_part(&placed(low), &placed(high), matching));
            });
        }
    }
}
