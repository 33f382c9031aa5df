//! Off-mesh links: ladders, jumps, teleporters.

use glam::Vec3;

use super::validate::{MAX_COORDINATE, MAX_COST};
use super::{Components, NavMesh, NavMeshError, RawLink};
use crate::array::Array;
use crate::geometry::distance;
use crate::ids::PolygonId;

/// A validated off-mesh link, which connects two points of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The start and the end of the link, each on the ground of its polygon. [Units: m]
    pub ends: [Vec3; 2],
    /// The polygons of the start and of the end, which may be the same polygon.
    pub polygons: [PolygonId; 2],
    /// The cost before the factor of the link's area. [Limit: finite, >= 0]
    pub cost: f32,
    /// Whether the link can also be used from its end to its start.
    pub both_ways: bool,
    /// The area that a profile charges the link as.
    pub area: u8,
    /// The caller's flags.
    pub flags: u16,
    /// The caller's id of the link.
    pub user_id: u64,
}

impl Link {
    /// Returns the link as 48 bytes for files: start and end (f32 bits), two polygons, cost (f32 bits), then flags,
    /// `area << 16` and `both_ways << 24`, and the user id, its low half first.
    pub fn words(&self) -> [u32; 12] {
        let [[sx, sy, sz], [ex, ey, ez]] = self.ends.map(|end| end.to_array().map(f32::to_bits));
        let [from, to] = self.polygons.map(|polygon| polygon.0);
        let attributes =
            u32::from(self.flags) | u32::from(self.area) << 16 | u32::from(self.both_ways) << 24;
        let (cost, id) = (self.cost.to_bits(), self.user_id);
        [
            sx,
            sy,
            sz,
            ex,
            ey,
            ez,
            from,
            to,
            cost,
            attributes,
            id as u32,
            (id >> 32) as u32,
        ]
    }

    /// Returns the link that [`words`](Self::words) stand for. Its fields are not checked.
    pub fn from_words(words: [u32; 12]) -> Self {
        let point = |at: usize| Vec3::from_array([0, 1, 2].map(|i| f32::from_bits(words[at + i])));
        let attributes = words[9];
        Self {
            ends: [point(0), point(3)],
            polygons: [PolygonId(words[6]), PolygonId(words[7])],
            cost: f32::from_bits(words[8]),
            both_ways: attributes >> 24 & 1 == 1,
            area: (attributes >> 16) as u8,
            flags: attributes as u16,
            user_id: u64::from(words[11]) << 32 | u64::from(words[10]),
        }
    }

    /// Returns the distance between the link's start and end. [Units: m]
    pub fn length(&self) -> f32 {
        distance(self.ends[0], self.ends[1])
    }
}

impl NavMesh {
    /// Validates a link for this mesh. Polygons are named by their ids.
    pub(crate) fn attach_link(&self, raw: &RawLink) -> Result<Link, AttachError> {
        check(std::slice::from_ref(raw), self.polygon_count()).map_err(|error| match error {
            NavMeshError::BadLink { what, .. } => AttachError::Bad(what),
            error => unreachable!("only the link is checked: {error}"),
        })?;
        attach(self, raw, |polygon| Some(PolygonId(polygon))).ok_or(AttachError::OffMesh)
    }

    /// Returns this mesh with more links. All other links keep their ids.
    pub(crate) fn with_added_links(&self, added: &[Link]) -> Self {
        let links: Array<Link> = self.links.iter().chain(added).copied().collect();
        Self {
            components: Components::new(self.polygon_count(), &self.portals, &links),
            links,
            ..self.clone()
        }
    }
}

/// The reason why a link cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttachError {
    /// Its numbers are invalid.
    Bad(&'static str),
    /// There is no polygon at one of its ends.
    OffMesh,
}

/// Rejects links with invalid numbers.
pub(super) fn check(links: &[RawLink], polygons: usize) -> Result<(), NavMeshError> {
    for (index, link) in links.iter().enumerate() {
        let bad = |what| Err(NavMeshError::BadLink { link: index, what });
        let in_range = |p: Vec3| p.is_finite() && p.abs().max_element() <= MAX_COORDINATE;
        if !in_range(link.start) || !in_range(link.end) {
            return bad(
                "its start or end has a coordinate that is not finite or more than 1e8 m from the origin",
            );
        }
        if link
            .cost
            .is_some_and(|cost| !(0.0..=MAX_COST).contains(&cost))
        {
            return bad("its cost must be between 0 and 4e8");
        }
        if link.snap.is_nan() {
            return bad("its snap box is not a number");
        }
        if link
            .polygons
            .iter()
            .flatten()
            .any(|&polygon| polygon as usize >= polygons)
        {
            return bad("it names a polygon that does not exist");
        }
    }
    Ok(())
}

/// Snaps the start and the end of a link to their polygons. `id_of` maps a raw polygon to its id.
/// Returns `None` if the start or the end has no polygon within the snap box, or if its polygon was
/// dropped.
pub(super) fn attach(
    mesh: &NavMesh,
    raw: &RawLink,
    id_of: impl Fn(u32) -> Option<PolygonId>,
) -> Option<Link> {
    let snapped = |position: Vec3, polygon: Option<u32>| match polygon {
        Some(raw_polygon) => {
            let polygon = id_of(raw_polygon)?;
            let point = mesh.nearest_on(polygon, position);
            let is_near = (point - position).abs().cmple(raw.snap).all();
            is_near.then_some((polygon, point))
        }
        None => mesh
            .locate(position, raw.snap, |_| true)
            .map(|location| (location.polygon, location.point)),
    };
    let (from, start) = snapped(raw.start, raw.polygons[0])?;
    let (to, end) = snapped(raw.end, raw.polygons[1])?;
    Some(Link {
        ends: [start, end],
        polygons: [from, to],
        cost: raw.cost.unwrap_or_else(|| distance(start, end)),
        both_ways: raw.both_ways,
        area: raw.area,
        flags: raw.flags,
        user_id: raw.id,
    })
}
