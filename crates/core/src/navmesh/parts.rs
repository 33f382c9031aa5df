//! A navmesh as plain arrays, for file formats.

use glam::Vec3;

use super::height_range::height_ranges;
use super::portals::portals_of;
use super::surface_web::SurfaceWebs;
use super::tree::{BoxTree, TreeNode};
use super::validate::{MAX_COORDINATE, MAX_COST};
use super::{Components, Heights, Link, NavMesh, Portal, Repairs};
use crate::csr::{Csr, Lists};
use crate::ids::MAX_ELEMENTS;

/// The arrays that a [`NavMesh`] consists of, in the mesh's own numbering. This layout may change in
/// any release of this crate. File formats built on it must carry a version of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NavMeshParts {
    /// The positions of the vertices. [Units: m]
    pub vertices: Vec<Vec3>,
    /// Per polygon, the indices of its corners in `vertices`.
    pub polygons: Csr<u32>,
    /// Per polygon, its area: the kind of ground.
    pub areas: Vec<u8>,
    /// Per polygon, the caller's flags.
    pub flags: Vec<u16>,
    /// Per polygon, the caller's id.
    pub user_ids: Vec<u64>,
    /// The finer surfaces of polygons. Both lists are empty if no polygon has one.
    pub heights: Heights,
    /// All portals, sorted by their polygons.
    pub portals: Vec<Portal>,
    /// All off-mesh links.
    pub links: Vec<Link>,
    /// Per polygon, its component.
    pub components: Vec<u32>,
    /// The nodes of the location tree.
    pub tree: Vec<TreeNode>,
    /// The counts of defects that were repaired or dropped when the mesh was built.
    pub repairs: Repairs,
}

/// The name of the stored array that is invalid or does not fit the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {0} of the stored navmesh are invalid; build the mesh again from its source")]
pub struct PartsError(pub &'static str);

impl NavMesh {
    /// Assembles a mesh from stored arrays. In one pass over each array it checks everything that
    /// queries rely on: lengths, ranges, finite numbers, a valid tree, and components that agree with
    /// the portals. It does not repeat the geometric checks of [`NavMesh::build`], which the mesh
    /// passed before it was stored.
    pub fn from_parts(parts: NavMeshParts) -> Result<Self, PartsError> {
        let ensure =
            |condition: bool, what: &'static str| condition.then_some(()).ok_or(PartsError(what));
        let count = parts.polygons.len();
        let in_range = |p: Vec3| p.is_finite() && p.abs().max_element() <= MAX_COORDINATE;
        let is_polygon = |polygon: crate::PolygonId| polygon.index() < count;

        ensure(parts.vertices.iter().all(|&p| in_range(p)), "vertices")?;
        let offsets = parts.polygons.offsets();
        let corners = parts.polygons.values();
        let corners_exist = corners.iter().all(|&v| (v as usize) < parts.vertices.len());
        let corner_counts_are_valid = offsets
            .windows(2)
            .all(|pair| (3..=u32::from(u16::MAX)).contains(&(pair[1] - pair[0])));
        ensure(
            count > 0 && corners.len() <= MAX_ELEMENTS && corners_exist && corner_counts_are_valid,
            "polygons",
        )?;
        ensure(parts.areas.len() == count, "areas")?;
        ensure(parts.flags.len() == count, "flags")?;
        ensure(parts.user_ids.len() == count, "user ids")?;
        ensure(heights_fit(&parts.heights, &parts.polygons), "heights")?;
        ensure(
            parts.heights.vertices.values().iter().all(|&p| in_range(p)),
            "heights",
        )?;

        let components = Components::from_labels(parts.components);
        let components = components.filter(|components| components.labels().len() == count);
        let components = components.ok_or(PartsError("components"))?;
        let connected = |[a, b]: [crate::PolygonId; 2]| components.of(a) == components.of(b);
        ensure(
            parts.portals.len() + 2 * parts.links.len() <= MAX_ELEMENTS,
            "portals",
        )?;
        for portal in &parts.portals {
            let [low, high] = portal.polygons;
            let ends_are_valid = in_range(portal.right) && in_range(portal.left);
            ensure(
                low < high && is_polygon(high) && ends_are_valid && connected(portal.polygons),
                "portals",
            )?;
        }
        ensure(parts.links.len() <= MAX_ELEMENTS, "links")?;
        for link in &parts.links {
            let polygons_exist = link.polygons.into_iter().all(is_polygon);
            let ends_are_valid = link.ends.into_iter().all(in_range);
            let cost_is_valid = (0.0..=MAX_COST).contains(&link.cost);
            ensure(
                polygons_exist && ends_are_valid && cost_is_valid && connected(link.polygons),
                "links",
            )?;
        }
        let tree = BoxTree::from_nodes(parts.tree, count).ok_or(PartsError("location boxes"))?;
        let polygons = Lists::from(parts.polygons);
        let (vertices, heights) = (&parts.vertices, &parts.heights);
        let height_ranges = height_ranges(vertices, &polygons, heights, &parts.portals);
        let surface_webs = SurfaceWebs::new(vertices, &polygons, heights);
        Ok(Self {
            vertices: parts.vertices.into(),
            polygons,
            areas: parts.areas.into(),
            flags: parts.flags.into(),
            user_ids: parts.user_ids.into_iter().collect(),
            heights: parts.heights,
            height_ranges,
            surface_webs,
            portals_of: portals_of(count, &parts.portals),
            portals: parts.portals.into(),
            links: parts.links.into(),
            components,
            tree,
            repairs: parts.repairs,
            conditions: Default::default(),
            cuts: None,
            gone: Default::default(),
        })
    }

    /// Returns the corners of every polygon as indices into [`vertices`](Self::vertices).
    pub fn corner_lists(&self) -> &Lists<u32> {
        &self.polygons
    }

    /// Returns the area (the kind of ground) of every polygon.
    pub fn areas(&self) -> &[u8] {
        &self.areas
    }

    /// Returns the caller's flags of every polygon.
    pub fn all_flags(&self) -> &[u16] {
        &self.flags
    }

    /// Returns the caller's id of every polygon.
    pub fn user_ids(&self) -> impl ExactSizeIterator<Item = u64> {
        self.user_ids.iter()
    }

    /// Returns the finer surfaces of all polygons.
    pub fn heights(&self) -> &Heights {
        &self.heights
    }

    /// Returns the tree of bounding boxes that [`locate`](Self::locate) searches.
    pub fn tree(&self) -> &BoxTree {
        &self.tree
    }
}

/// Returns whether the finer surfaces have one entry per polygon and refer only to points that exist.
fn heights_fit(heights: &Heights, polygons: &Csr<u32>) -> bool {
    if heights.triangles.is_empty() && heights.vertices.is_empty() {
        return true;
    }
    heights.triangles.len() == polygons.len()
        && heights.vertices.len() == polygons.len()
        && (0..polygons.len()).all(|i| {
            let point_count = polygons.get(i).len() + heights.vertices.get(i).len();
            heights
                .triangles
                .get(i)
                .iter()
                .flatten()
                .all(|&p| usize::from(p) < point_count)
        })
}
