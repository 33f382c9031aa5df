//! Builds a validated [`NavMesh`] from a [`RawNavMesh`], and converts it back.

use glam::Vec3;

use super::height_range::height_ranges;
use super::surface_web::SurfaceWebs;
use super::tree::BoxTree;
use super::{
    Components, Heights, NavMesh, NavMeshError, NavMeshOptions, RawHeights, RawLink, RawNavMesh,
    links, portals, validate,
};
use crate::array::Array;
use crate::csr::{Csr, Lists};
use crate::geometry::Aabb;
use crate::ids::PolygonId;

impl NavMesh {
    /// Validates a raw navmesh and derives everything that queries need. Harmless defects are repaired
    /// and counted in [`repairs`](Self::repairs). Any other defect is an error that names the polygon,
    /// vertex or link.
    ///
    /// ```
    /// use glam::vec3;
    /// use portolan_core::{NavMesh, NavMeshError, NavMeshOptions, RawNavMesh};
    ///
    /// let mut raw = RawNavMesh::default();
    /// raw.vertices = vec![vec3(0., 0., 0.), vec3(9., 0., 0.), vec3(1., 0., 1.), vec3(0., 0., 9.)];
    /// raw.polygons.push([0, 1, 2, 3]);
    /// let result = NavMesh::build(raw, &NavMeshOptions::default());
    /// assert!(matches!(result, Err(NavMeshError::NotConvex { polygon: 0, corner: 2, .. })));
    /// ```
    pub fn build(raw: RawNavMesh, options: &NavMeshOptions) -> Result<Self, NavMeshError> {
        // 1. Validate every number and every polygon.
        let valid = validate::check(&raw, options)?;
        let mut repairs = valid.repairs;

        // 2. Number the polygons by the leaves of the location tree, so that neighbours get similar ids.
        let boxes: Vec<Aabb> = (0..valid.polygons.len())
            .map(|i| {
                let corners = valid
                    .polygons
                    .get(i)
                    .iter()
                    .map(|&v| raw.vertices[v as usize]);
                let height_points = valid.heights.points(i).iter().copied();
                Aabb::around(corners.chain(height_points))
            })
            .collect();
        let (tree, order) = BoxTree::build(&boxes);
        let raw_index: Vec<u32> = order.iter().map(|&i| valid.raw_index[i as usize]).collect();
        let (raw_vertices, polygons) =
            renumber_vertices(raw.vertices.len(), &order, |i| valid.polygons.get(i));
        let vertices: Vec<Vec3> = raw_vertices
            .iter()
            .map(|&v| raw.vertices[v as usize])
            .collect();
        let heights = valid.heights.reordered(order.iter().map(|&i| i as usize));
        // 3. Find the portals between polygons.
        let portals = portals::find(
            &vertices,
            &polygons,
            options.borders,
            &portals::RawIds {
                polygons: &raw_index,
                vertices: &raw_vertices,
            },
            &mut repairs,
        )?;
        let polygons = Lists::from(polygons);
        let mesh = Self {
            areas: pick(&raw.areas, &raw_index, |_| 0),
            flags: pick(&raw.flags, &raw_index, |_| 1),
            user_ids: pick(&raw.ids, &raw_index, u64::from),
            height_ranges: height_ranges(&vertices, &polygons, &heights, &portals),
            surface_webs: SurfaceWebs::new(&vertices, &polygons, &heights),
            heights,
            portals_of: portals::portals_of(raw_index.len(), &portals),
            portals: portals.into(),
            vertices: vertices.into(),
            polygons,
            links: Array::default(),
            components: Components::default(),
            tree,
            repairs,
            conditions: Default::default(),
            cuts: None,
            gone: Default::default(),
        };

        // 4. Snap the endpoints of the links to the ground.
        let mut id_of = vec![None; raw.polygons.len()];
        for (id, &raw) in raw_index.iter().enumerate() {
            id_of[raw as usize] = Some(PolygonId::new(id));
        }
        let attached: Vec<_> = raw
            .links
            .iter()
            .filter_map(|link| links::attach(&mesh, link, |polygon| id_of[polygon as usize]))
            .collect();

        // 5. Find the connected components.
        repairs.links_off_mesh = (raw.links.len() - attached.len()) as u32;
        let components = Components::new(mesh.polygon_count(), &mesh.portals, &attached);
        Ok(Self {
            links: attached.into(),
            components,
            repairs,
            ..mesh
        })
    }

    /// Converts the polygons for which `keep` returns `true`, and the links between them, to a raw
    /// navmesh. Polygons and links keep their user ids. Polygons that [are gone](Self::is_gone) are left out.
    pub fn to_raw(&self, keep: impl Fn(PolygonId) -> bool) -> RawNavMesh {
        let mut raw = RawNavMesh {
            vertices: self.vertices.to_vec(),
            ..RawNavMesh::default()
        };
        let mut raw_index = vec![None; self.polygon_count()];
        let is_kept = |&polygon: &PolygonId| !self.is_gone(polygon) && keep(polygon);
        let kept: Vec<PolygonId> = self.polygons().filter(is_kept).collect();
        for (index, &polygon) in kept.iter().enumerate() {
            raw_index[polygon.index()] = Some(index as u32);
            raw.polygons.push(self.corners(polygon).iter().copied());
            raw.areas.push(self.area(polygon));
            raw.flags.push(self.flags(polygon));
            raw.ids.push(self.user_id(polygon));
        }
        if !self.heights.triangles.is_empty() {
            let Heights {
                vertices,
                triangles,
            } = self
                .heights
                .reordered(kept.iter().map(|polygon| polygon.index()));
            raw.heights = RawHeights {
                vertices: vertices.to_csr(),
                triangles: triangles.to_csr(),
            };
        }
        raw.links = self
            .links
            .iter()
            .filter_map(|link| {
                let index_of = |end: PolygonId| raw_index[self.whole(end).index()];
                let polygons = link.polygons.map(index_of);
                polygons.iter().all(Option::is_some).then(|| RawLink {
                    start: link.ends[0],
                    end: link.ends[1],
                    polygons,
                    cost: Some(link.cost),
                    both_ways: link.both_ways,
                    area: link.area,
                    flags: link.flags,
                    id: link.user_id,
                    ..RawLink::default()
                })
            })
            .collect();
        raw
    }

    /// Builds the mesh of the polygons for which `keep` returns `true` and the links between them. The
    /// new [`repairs`](Self::repairs) include those of this mesh. `options` should be the options that
    /// this mesh was built with.
    pub fn keep_polygons(
        &self,
        keep: impl Fn(PolygonId) -> bool,
        options: &NavMeshOptions,
    ) -> Result<Self, NavMeshError> {
        let mut kept = Self::build(self.to_raw(keep), options)?;
        kept.repairs = self.repairs.plus(kept.repairs);
        Ok(kept)
    }
}

impl Heights {
    /// Returns the points of a polygon's finer surface besides its corners. The list is empty if the
    /// mesh has no finer surfaces.
    pub(super) fn points(&self, polygon: usize) -> &[Vec3] {
        if self.vertices.is_empty() {
            &[]
        } else {
            self.vertices.get(polygon)
        }
    }

    /// Returns the finer surfaces of the given polygons, in the given order.
    pub(super) fn reordered(&self, polygons: impl Iterator<Item = usize>) -> Self {
        if self.triangles.is_empty() {
            return Self::default();
        }
        let (mut vertices, mut triangles) = (Csr::new(), Csr::new());
        for polygon in polygons {
            vertices.push(self.vertices.get(polygon).iter().copied());
            triangles.push(self.triangles.get(polygon).iter().copied());
        }
        Self {
            vertices: vertices.into(),
            triangles: triangles.into(),
        }
    }
}

/// Returns `list[i]` for each `i` of `order`, or `default(i)` if the list is empty.
fn pick<T: Copy, C: FromIterator<T>>(list: &[T], order: &[u32], default: impl Fn(u32) -> T) -> C {
    let value = |&i: &u32| list.get(i as usize).copied().unwrap_or_else(|| default(i));
    order.iter().map(value).collect()
}

/// Reorders polygons and renumbers vertices by first use. `corners` returns the corners of a polygon. Returns
/// the old index of each vertex that is in use, and the corner lists with the new indices. Unused vertices are
/// dropped.
pub(super) fn renumber_vertices<'a>(
    vertices: usize,
    order: &[u32],
    corners: impl Fn(usize) -> &'a [u32],
) -> (Vec<u32>, Csr<u32>) {
    const NEW: u32 = u32::MAX;
    let mut new_index = vec![NEW; vertices];
    let mut used = Vec::with_capacity(vertices);
    let mut renumbered = Csr::new();
    for &polygon in order {
        renumbered.push(corners(polygon as usize).iter().map(|&v| {
            let index = &mut new_index[v as usize];
            if *index == NEW {
                *index = used.len() as u32;
                used.push(v);
            }
            *index
        }));
    }
    (used, renumbered)
}
