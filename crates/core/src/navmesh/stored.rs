//! A navmesh in an index file, in the layout that queries read.

use glam::Vec3;
use rayon::prelude::*;

use super::surface_web::SurfaceWebs;
use super::tree::BoxTree;
use super::user_ids::UserIds;
use super::validate::{MAX_COORDINATE, MAX_COST};
use super::{Components, Heights, Link, NavMesh, PartsError, Repairs};
use crate::ids::{MAX_ELEMENTS, PolygonId};
use crate::sections::{SectionError, SectionReader, SectionWriter};

/// The number of elements that a thread checks at a time.
const CHUNK: usize = 1 << 14;

impl NavMesh {
    /// Adds the sections of the mesh to a file.
    pub(crate) fn write_sections(&self, file: &mut SectionWriter) {
        file.array(*b"vert", &self.vertices);
        file.lists([*b"poly", *b"corn"], &self.polygons);
        file.array(*b"area", &self.areas);
        file.array(*b"flag", &self.flags);
        self.user_ids.write_section(file);
        file.lists([*b"hpof", *b"hpnt"], &self.heights.vertices);
        file.lists([*b"htof", *b"htri"], &self.heights.triangles);
        file.array(*b"hrng", &self.height_ranges);
        file.lists([*b"webo", *b"webs"], self.surface_webs.lists());
        file.array(*b"port", &self.portals);
        file.lists([*b"pofo", *b"pofv"], &self.portals_of);
        let links: Vec<[u32; 12]> = self.links.iter().map(Link::words).collect();
        file.small(*b"link", &links);
        file.array(*b"comp", self.components.all());
        file.array(*b"csiz", self.components.sizes());
        file.array(*b"tree", self.tree.stored_nodes());
        file.small(*b"reps", &self.repairs.words());
    }

    /// Reads the sections of a mesh. Only the lengths of the arrays are checked: see
    /// [`check`](Self::check).
    pub(crate) fn read_sections(file: &mut SectionReader) -> Result<Self, SectionError> {
        let mesh = Self {
            vertices: file.array(*b"vert")?,
            polygons: file.lists([*b"poly", *b"corn"])?,
            areas: file.array(*b"area")?,
            flags: file.array(*b"flag")?,
            user_ids: UserIds::read_section(file)?,
            heights: Heights {
                vertices: file.lists([*b"hpof", *b"hpnt"])?,
                triangles: file.lists([*b"htof", *b"htri"])?,
            },
            height_ranges: file.array(*b"hrng")?,
            surface_webs: SurfaceWebs::from_lists(file.lists([*b"webo", *b"webs"])?),
            portals: file.array(*b"port")?,
            portals_of: file.lists([*b"pofo", *b"pofv"])?,
            links: {
                let words = file.array::<[u32; 12]>(*b"link")?;
                words.iter().copied().map(Link::from_words).collect()
            },
            components: Components::from_stored(file.array(*b"comp")?, file.array(*b"csiz")?),
            tree: BoxTree::from_stored(file.array(*b"tree")?),
            repairs: Repairs::from_words(file.small(*b"reps")?),
            conditions: Default::default(),
            cuts: None,
            gone: Default::default(),
        };
        mesh.check_lengths()
            .map_err(|error| SectionError(error.to_string()))?;
        Ok(mesh)
    }

    /// Checks that all arrays have the right number of elements.
    pub(super) fn check_lengths(&self) -> Result<(), PartsError> {
        let ensure =
            |condition: bool, what: &'static str| condition.then_some(()).ok_or(PartsError(what));
        let count = self.polygon_count();
        let corners = self.polygons.values().len();
        let Heights {
            vertices,
            triangles,
        } = &self.heights;
        ensure(count > 0 && corners <= MAX_ELEMENTS, "polygons")?;
        ensure(self.areas.len() == count, "areas")?;
        ensure(self.flags.len() == count, "flags")?;
        ensure(self.user_ids.len() == count, "user ids")?;
        ensure(
            [vertices.len(), triangles.len()] == [0; 2]
                || [vertices.len(), triangles.len()] == [count; 2],
            "heights",
        )?;
        ensure(self.height_ranges.len() == count, "height ranges")?;
        ensure(self.surface_webs.has_length(count), "surface webs")?;
        ensure(self.links.len() <= MAX_ELEMENTS, "links")?;
        let samples = self.portals.len() + 2 * self.links.len();
        ensure(samples <= MAX_ELEMENTS, "portals")?;
        ensure(
            self.portals_of.len() == count
                && self.portals_of.values().len() == 2 * self.portals.len(),
            "portals",
        )?;
        ensure(self.components.all().len() == count, "components")
    }

    /// Checks everything that queries rely on: ranges, finite numbers, a valid tree, components that agree with
    /// the portals, and arrays that are derived from others. It does not repeat the geometric checks of
    /// [`NavMesh::build`], which the mesh passed before it was stored.
    pub(crate) fn check(&self) -> Result<(), PartsError> {
        let ensure =
            |condition: bool, what: &'static str| condition.then_some(()).ok_or(PartsError(what));
        let offsets_are_valid = self.polygons.is_valid()
            && self.heights.vertices.is_valid()
            && self.heights.triangles.is_valid()
            && self.surface_webs.lists().is_valid()
            && self.portals_of.is_valid();
        ensure(offsets_are_valid, "offsets")?;
        let tree = || ensure(self.tree.check(self.polygon_count()), "location boxes");
        let (tree, others) = rayon::join(tree, || {
            ensure(self.vertices_are_valid(), "vertices")?;
            ensure(self.components.check(), "components")?;
            self.check_links()?;
            let chunks = (0..self.polygon_count()).into_par_iter().step_by(CHUNK);
            chunks.try_for_each(|first| {
                let last = self.polygon_count().min(first + CHUNK);
                (first..last).try_for_each(|polygon| self.check_polygon(PolygonId::new(polygon)))
            })?;
            let portals = self.portals.par_chunks(CHUNK);
            ensure(portals.all(|portals| self.are_valid(portals)), "portals")
        });
        tree.and(others)
    }

    fn vertices_are_valid(&self) -> bool {
        // Loops without an early exit are vectorized.
        let are_valid = |points: &[Vec3]| {
            let values = bytemuck::cast_slice::<Vec3, f32>(points).iter();
            values.fold(true, |all, value| all & (value.abs() <= MAX_COORDINATE))
        };
        are_valid(&self.vertices) && are_valid(self.heights.vertices.values())
    }

    fn check_links(&self) -> Result<(), PartsError> {
        for link in &self.links {
            let exist = link
                .polygons
                .iter()
                .all(|polygon| polygon.index() < self.polygon_count());
            let is_valid = exist
                && link.ends.into_iter().all(in_range)
                && (0.0..=MAX_COST).contains(&link.cost)
                && self.are_connected(link.polygons);
            is_valid.then_some(()).ok_or(PartsError("links"))?;
        }
        Ok(())
    }

    fn are_connected(&self, [a, b]: [PolygonId; 2]) -> bool {
        self.components.of(a) == self.components.of(b)
    }

    fn are_valid(&self, portals: &[super::Portal]) -> bool {
        portals.iter().all(|portal| {
            let [low, high] = portal.polygons;
            low < high
                && high.index() < self.polygon_count()
                && in_range(portal.right)
                && in_range(portal.left)
                && self.are_connected(portal.polygons)
        })
    }

    /// Checks the corners of a polygon, its finer surface, its range of heights and its portals. The lists must
    /// exist.
    fn check_polygon(&self, polygon: PolygonId) -> Result<(), PartsError> {
        let ensure =
            |condition: bool, what: &'static str| condition.then_some(()).ok_or(PartsError(what));
        let corners = self.corners(polygon);
        let corners_exist = corners
            .iter()
            .all(|&corner| (corner as usize) < self.vertices.len());
        ensure(
            (3..=usize::from(u16::MAX)).contains(&corners.len()) && corners_exist,
            "polygons",
        )?;
        let (points, triangles) = self.finer_surface(polygon);
        let point_count = corners.len() + points.len();
        let mut surface_points = triangles.iter().flatten();
        ensure(
            surface_points.all(|&point| usize::from(point) < point_count),
            "heights",
        )?;
        let counts = [corners.len(), point_count, triangles.len()];
        ensure(
            self.surface_webs.fits(polygon.index(), counts),
            "surface webs",
        )?;
        let range = self.height_range(polygon);
        ensure(
            range.fits(&self.vertices, corners, &self.heights, polygon.index()),
            "height ranges",
        )?;
        // All lists together have two entries per portal, so they are complete if no entry is repeated.
        let portals = self.portals_of(polygon);
        let is_portal = |portal: &crate::PortalId| {
            let portal = self.portals.get(portal.index());
            portal.is_some_and(|portal| portal.polygons.contains(&polygon))
        };
        let is_valid = portals.is_sorted_by(|a, b| a < b) && portals.iter().all(is_portal);
        ensure(is_valid, "portals")
    }
}

pub(super) fn in_range(point: Vec3) -> bool {
    point.is_finite() && point.abs().max_element() <= MAX_COORDINATE
}
