//! A navmesh as plain arrays, for whoever stores it.

use glam::Vec3;

use super::portals::portals_of;
use super::relief::reliefs;
use super::tree::{BoxTree, TreeNode};
use super::validate::{MAX_COORDINATE, MAX_COST};
use super::{Components, Heights, Link, NavMesh, Portal, Repairs};
use crate::csr::Csr;
use crate::ids::MAX_ELEMENTS;

/// The arrays that make up a [`NavMesh`], in its own numbering. They follow what queries need and
/// change with it, without notice in the version of this crate; files have versions of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NavMeshParts {
    /// Corner points.
    pub vertices: Vec<Vec3>,
    /// Per polygon, its corners.
    pub polygons: Csr<u32>,
    /// Per polygon, the kind of ground.
    pub areas: Vec<u8>,
    /// Per polygon, the caller's bits.
    pub flags: Vec<u16>,
    /// Per polygon, the caller's name.
    pub user_ids: Vec<u64>,
    /// Finer surfaces, if any.
    pub heights: Heights,
    /// All portals.
    pub portals: Vec<Portal>,
    /// All links.
    pub links: Vec<Link>,
    /// Per polygon, its component.
    pub components: Vec<u32>,
    /// The location tree.
    pub tree: Vec<TreeNode>,
    /// What was put right when the mesh was built.
    pub repairs: Repairs,
}

/// Arrays that do not fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {0} of the navmesh are broken")]
pub struct PartsError(pub &'static str);

impl NavMesh {
    /// Puts stored arrays together. Checks everything that keeps queries from failing (lengths,
    /// ranges, finite numbers, a sound tree, components that agree with the portals) in one pass
    /// over each; it does not repeat the geometry checks of [`NavMesh::build`], which the mesh
    /// passed before it was stored.
    pub fn from_parts(parts: NavMeshParts) -> Result<Self, PartsError> {
        let sound =
            |condition: bool, what: &'static str| condition.then_some(()).ok_or(PartsError(what));
        let count = parts.polygons.len();
        let is_place = |p: Vec3| p.is_finite() && p.abs().max_element() <= MAX_COORDINATE;
        let is_polygon = |polygon: crate::PolygonId| polygon.index() < count;

        sound(parts.vertices.iter().all(|&p| is_place(p)), "vertices")?;
        let offsets = parts.polygons.offsets();
        let corners = parts.polygons.values();
        let within = corners.iter().all(|&v| (v as usize) < parts.vertices.len());
        let faces = offsets
            .windows(2)
            .all(|pair| (3..=u32::from(u16::MAX)).contains(&(pair[1] - pair[0])));
        sound(
            count > 0 && corners.len() <= MAX_ELEMENTS && within && faces,
            "polygons",
        )?;
        sound(parts.areas.len() == count, "areas")?;
        sound(parts.flags.len() == count, "flags")?;
        sound(parts.user_ids.len() == count, "user ids")?;
        sound(heights_fit(&parts.heights, &parts.polygons), "heights")?;
        sound(
            parts.heights.vertices.values().iter().all(|&p| is_place(p)),
            "heights",
        )?;

        let components = Components::from_labels(parts.components);
        let components = components.filter(|components| components.labels().len() == count);
        let components = components.ok_or(PartsError("components"))?;
        let together = |[a, b]: [crate::PolygonId; 2]| components.of(a) == components.of(b);
        sound(
            parts.portals.len() + 2 * parts.links.len() <= MAX_ELEMENTS,
            "portals",
        )?;
        for portal in &parts.portals {
            let [low, high] = portal.polygons;
            let ends = is_place(portal.right) && is_place(portal.left);
            sound(
                low < high && is_polygon(high) && ends && together(portal.polygons),
                "portals",
            )?;
        }
        sound(parts.links.len() <= MAX_ELEMENTS, "links")?;
        for link in &parts.links {
            let known = link.polygons.into_iter().all(is_polygon);
            let ends = link.ends.into_iter().all(is_place);
            let cost = (0.0..=MAX_COST).contains(&link.cost);
            sound(known && ends && cost && together(link.polygons), "links")?;
        }
        let tree = BoxTree::from_nodes(parts.tree, count).ok_or(PartsError("location boxes"))?;
        let reliefs = reliefs(&parts.vertices, &parts.polygons, &parts.heights);
        Ok(Self {
            vertices: parts.vertices,
            polygons: parts.polygons,
            areas: parts.areas,
            flags: parts.flags,
            user_ids: parts.user_ids,
            heights: parts.heights,
            reliefs,
            portals_of: portals_of(count, &parts.portals),
            portals: parts.portals,
            links: parts.links,
            components,
            tree,
            repairs: parts.repairs,
        })
    }

    /// Per polygon, its corners.
    pub fn corner_lists(&self) -> &Csr<u32> {
        &self.polygons
    }

    /// The kind of ground of every polygon.
    pub fn areas(&self) -> &[u8] {
        &self.areas
    }

    /// The caller's bits of every polygon.
    pub fn all_flags(&self) -> &[u16] {
        &self.flags
    }

    /// The caller's name of every polygon.
    pub fn user_ids(&self) -> &[u64] {
        &self.user_ids
    }

    /// The finer surfaces.
    pub fn heights(&self) -> &Heights {
        &self.heights
    }

    /// The location tree.
    pub fn tree(&self) -> &BoxTree {
        &self.tree
    }
}

fn heights_fit(heights: &Heights, polygons: &Csr<u32>) -> bool {
    if heights.triangles.is_empty() && heights.vertices.is_empty() {
        return true;
    }
    heights.triangles.len() == polygons.len()
        && heights.vertices.len() == polygons.len()
        && (0..polygons.len()).all(|i| {
            let known = polygons.get(i).len() + heights.vertices.get(i).len();
            heights
                .triangles
                .get(i)
                .iter()
                .flatten()
                .all(|&p| usize::from(p) < known)
        })
}
