//! Random replacements of polygons, and the mesh that results, built from scratch.

use std::collections::HashMap;

use glam::Vec3;
use portolan_core::{
    Change, LinkId, NavMesh, NavMeshOptions, PolygonId, RawNavMesh, Replaced, Replacement,
};

use crate::CaseRng;

/// The polygons of a world in which some are replaced, kept in the plainest way: all that there ever were, in one raw mesh. It
/// shares no code with [`LiveWorld::replace`](portolan_core::LiveWorld::replace).
#[derive(Debug)]
pub struct ReplacedGround {
    raw: RawNavMesh,
    /// Per row of `raw`, the polygon of the world.
    ids: Vec<PolygonId>,
    is_present: Vec<bool>,
    /// Per link of `raw`, the link of the world.
    links: Vec<LinkId>,
    changes: Vec<Change>,
}

/// The mesh from scratch, and which polygon of the world each of its polygons is.
#[derive(Debug)]
pub struct FromScratch {
    /// The mesh. The user id of a polygon or link is its id in the world.
    pub mesh: NavMesh,
    /// Per polygon of the world, that of the mesh.
    pub polygons: HashMap<PolygonId, PolygonId>,
    /// All changes so far that are of polygons and links of the mesh, with their ids there.
    pub changes: Vec<Change>,
}

impl ReplacedGround {
    /// Creates ground without replacements.
    pub fn new(mesh: &NavMesh) -> Self {
        let raw = mesh.to_raw(|_| true);
        Self {
            ids: mesh.polygons().collect(),
            is_present: vec![true; raw.polygons.len()],
            links: (0..raw.links.len()).map(LinkId::new).collect(),
            raw,
            changes: Vec::new(),
        }
    }

    /// Notes a change.
    pub fn apply(&mut self, change: &Change) {
        self.changes.push(change.clone());
    }

    /// Returns the polygons that are present.
    pub fn present(&self) -> Vec<PolygonId> {
        let ids = self.ids.iter().zip(&self.is_present);
        ids.filter(|(_, present)| **present)
            .map(|(&id, _)| id)
            .collect()
    }

    fn row(&self, polygon: PolygonId) -> usize {
        let row = self.ids.iter().position(|&id| id == polygon);
        row.expect("a polygon of the world")
    }

    /// Notes a replacement and the ids that its polygons and links have got.
    pub fn replace(&mut self, replacement: &Replacement, replaced: &Replaced) {
        for &polygon in &replacement.remove {
            let row = self.row(polygon);
            self.is_present[row] = false;
        }
        let add = &replacement.add;
        // A corner at the position of exactly one corner of the polygons that stay is that corner.
        let mut at: HashMap<[u32; 3], Vec<u32>> = HashMap::new();
        let bits = |point: Vec3| point.to_array().map(|x| (x + 0.0).to_bits());
        for row in (0..self.ids.len()).filter(|&row| self.is_present[row]) {
            for &vertex in self.raw.polygons.get(row) {
                let known = at.entry(bits(self.raw.vertices[vertex as usize]));
                let known = known.or_default();
                if !known.contains(&vertex) {
                    known.push(vertex);
                }
            }
        }
        let vertices: Vec<u32> = add
            .vertices
            .iter()
            .map(|&point| match at.get(&bits(point)).map(Vec::as_slice) {
                Some(&[only]) => only,
                _ => {
                    self.raw.vertices.push(point);
                    self.raw.vertices.len() as u32 - 1
                }
            })
            .collect();
        let old_rows = self.ids.len();
        for row in 0..add.polygons.len() {
            let corners = add.polygons.get(row).iter();
            let corners = corners.map(|&vertex| vertices[vertex as usize]);
            self.raw.polygons.push(corners);
            self.raw
                .areas
                .push(add.areas.get(row).copied().unwrap_or(0));
            self.raw
                .flags
                .push(add.flags.get(row).copied().unwrap_or(1));
            // Polygons without an area get no id, and none when the mesh is built from scratch.
            let id = replaced.polygons[row];
            self.ids.push(id.unwrap_or(PolygonId(u32::MAX)));
            self.is_present.push(id.is_some());
            let has_heights = !add.heights.triangles.is_empty();
            if !self.raw.heights.triangles.is_empty() {
                let points = has_heights.then(|| add.heights.vertices.get(row));
                let points = points.into_iter().flatten().copied();
                self.raw.heights.vertices.push(points);
                let triangles = has_heights.then(|| add.heights.triangles.get(row));
                let triangles = triangles.into_iter().flatten().copied();
                self.raw.heights.triangles.push(triangles);
            }
        }
        for (link, id) in add.links.iter().zip(&replaced.links) {
            if let Some(id) = id {
                let mut link = link.clone();
                let rows = link.polygons;
                link.polygons = rows.map(|row| row.map(|row| row + old_rows as u32));
                self.raw.links.push(link);
                self.links.push(*id);
            }
        }
    }

    /// Builds the mesh of all polygons that are present.
    ///
    /// # Panics
    /// Panics if they are invalid.
    pub fn from_scratch(&self) -> FromScratch {
        let mut raw = RawNavMesh {
            vertices: self.raw.vertices.clone(),
            ..RawNavMesh::default()
        };
        let mut new_rows = HashMap::new();
        for row in (0..self.ids.len()).filter(|&row| self.is_present[row]) {
            new_rows.insert(row as u32, raw.polygons.len() as u32);
            raw.polygons
                .push(self.raw.polygons.get(row).iter().copied());
            raw.areas.push(self.raw.areas[row]);
            raw.flags.push(self.raw.flags[row]);
            raw.ids.push(u64::from(self.ids[row].0));
            if !self.raw.heights.triangles.is_empty() {
                let points = self.raw.heights.vertices.get(row).iter().copied();
                raw.heights.vertices.push(points);
                let triangles = self.raw.heights.triangles.get(row).iter().copied();
                raw.heights.triangles.push(triangles);
            }
        }
        for (link, id) in self.raw.links.iter().zip(&self.links) {
            let mut link = link.clone();
            let is_present = link
                .polygons
                .iter()
                .flatten()
                .all(|row| new_rows.contains_key(row));
            link.polygons = link
                .polygons
                .map(|row| row.and_then(|row| new_rows.get(&row)).copied());
            link.id = u64::from(id.0);
            if is_present {
                raw.links.push(link);
            }
        }
        let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("valid polygons");
        let polygons: HashMap<PolygonId, PolygonId> = mesh
            .polygons()
            .map(|polygon| (PolygonId(mesh.user_id(polygon) as u32), polygon))
            .collect();
        let links: HashMap<LinkId, LinkId> = (0..mesh.links().len())
            .map(LinkId::new)
            .map(|link| (LinkId(mesh.link(link).user_id as u32), link))
            .collect();
        let polygon = |id: &PolygonId| polygons.get(id).copied();
        let translate = |change: &Change| {
            Some(match change {
                Change::Block(id) => Change::Block(polygon(id)?),
                Change::Unblock(id) => Change::Unblock(polygon(id)?),
                Change::Factor(id, factor) => Change::Factor(polygon(id)?, *factor),
                Change::Area(id, area) => Change::Area(polygon(id)?, *area),
                Change::Flags(id, flags) => Change::Flags(polygon(id)?, *flags),
                Change::CloseLink(id) => Change::CloseLink(*links.get(id)?),
                Change::OpenLink(id) => Change::OpenLink(*links.get(id)?),
                other => panic!("{other:?} is not a change of one element"),
            })
        };
        let changes = self.changes.iter().filter_map(translate).collect();
        FromScratch {
            mesh,
            polygons,
            changes,
        }
    }

    /// Draws a replacement: polygons around a random one are removed, left out, or put in again as they were or cut into
    /// smaller ones; ground that was removed earlier may come back.
    pub fn random(&self, rng: &mut CaseRng) -> Replacement {
        let mut patch = Vec::new();
        let present: Vec<usize> = (0..self.ids.len())
            .filter(|&row| self.is_present[row])
            .collect();
        let centre = self.centre(present[rng.below(present.len())]);
        let mut by_distance = present.clone();
        by_distance.sort_by(|&a, &b| {
            let [a, b] = [a, b].map(|row| self.centre(row).distance(centre));
            a.total_cmp(&b)
        });
        by_distance.truncate((1 + rng.below(8)).min(present.len()));
        let remove: Vec<PolygonId> = by_distance.iter().map(|&row| self.ids[row]).collect();
        let how = rng.below(4);
        for &row in &by_distance {
            match how {
                0 => (),
                1 if rng.chance(0.3) => (),
                _ => patch.push(row),
            }
        }
        let mut add = self.cut(&patch, how >= 2, rng);
        if remove.len() == present.len() && patch.is_empty() {
            // Something has to remain.
            add = self.cut(&by_distance, false, rng);
        }
        if rng.chance(0.5) && !add.polygons.is_empty() {
            let end = |rng: &mut CaseRng| {
                let row = rng.below(add.polygons.len());
                let corners = add.polygons.get(row).iter();
                let sum: Vec3 = corners.clone().map(|&v| add.vertices[v as usize]).sum();
                (row as u32, sum / corners.len() as f32)
            };
            let ((from, start), (to, end)) = (end(rng), end(rng));
            add.links.push(portolan_core::RawLink {
                start,
                end,
                polygons: [Some(from), Some(to)],
                both_ways: rng.chance(0.5),
                ..Default::default()
            });
        }
        Replacement {
            remove,
            add,
            ..Replacement::default()
        }
    }

    /// Returns the replacement of polygons by the same ones, with new ids.
    pub fn again(&self, polygons: &[PolygonId]) -> Replacement {
        let mut remove = polygons.to_vec();
        remove.sort();
        remove.dedup();
        let rows: Vec<usize> = remove.iter().map(|&polygon| self.row(polygon)).collect();
        let add = self.cut(&rows, false, &mut CaseRng::new(0));
        Replacement {
            remove,
            add,
            ..Replacement::default()
        }
    }

    fn centre(&self, row: usize) -> Vec3 {
        let corners = self.raw.polygons.get(row);
        let points = corners.iter().map(|&v| self.raw.vertices[v as usize]);
        points.sum::<Vec3>() / corners.len() as f32
    }

    /// Returns some polygons as a raw mesh of its own. With `cuts`, some are cut into triangles, and some borders get a
    /// corner in their middle.
    fn cut(&self, rows: &[usize], cuts: bool, rng: &mut CaseRng) -> RawNavMesh {
        let mut raw = RawNavMesh::default();
        let has_heights = !self.raw.heights.triangles.is_empty();
        let are_shared = rng.chance(0.5);
        let mut shared: HashMap<u32, u32> = HashMap::new();
        for &row in rows {
            let mut outline: Vec<u32> = Vec::new();
            for &vertex in self.raw.polygons.get(row) {
                let index = if are_shared {
                    shared.get(&vertex).copied()
                } else {
                    None
                };
                outline.push(index.unwrap_or_else(|| {
                    raw.vertices.push(self.raw.vertices[vertex as usize]);
                    shared.insert(vertex, raw.vertices.len() as u32 - 1);
                    raw.vertices.len() as u32 - 1
                }));
            }
            let mut is_cut = false;
            if cuts && rng.chance(0.3) {
                let at = rng.below(outline.len());
                let ends = [outline[at], outline[(at + 1) % outline.len()]];
                let [a, b] = ends.map(|vertex| raw.vertices[vertex as usize]);
                raw.vertices.push((a + b) / 2.0);
                outline.insert(at + 1, raw.vertices.len() as u32 - 1);
                is_cut = true;
            }
            let parts: Vec<Vec<u32>> = match cuts && rng.chance(0.4) {
                true => (1..outline.len() - 1)
                    .map(|i| vec![outline[0], outline[i], outline[i + 1]])
                    .collect(),
                false => vec![outline],
            };
            is_cut |= parts.len() > 1;
            for part in parts {
                raw.polygons.push(part);
                raw.areas.push(match rng.chance(0.2) {
                    true => rng.below(4) as u8,
                    false => self.raw.areas[row],
                });
                raw.flags.push(self.raw.flags[row]);
                if has_heights {
                    let heights = (!is_cut).then_some(&self.raw.heights);
                    let points = heights.map(|heights| heights.vertices.get(row));
                    raw.heights
                        .vertices
                        .push(points.into_iter().flatten().copied());
                    let triangles = heights.map(|heights| heights.triangles.get(row));
                    raw.heights
                        .triangles
                        .push(triangles.into_iter().flatten().copied());
                }
            }
        }
        raw
    }
}
