//! Ways between polygons that are not on the mesh.

use glam::Vec3;

use super::validate::{MAX_COORDINATE, MAX_COST};
use super::{NavMesh, NavMeshError, RawLink};
use crate::geometry::distance;
use crate::ids::PolygonId;

/// A validated off-mesh link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Its two ends, each on the ground of its polygon.
    pub ends: [Vec3; 2],
    /// The polygons of the two ends, which may be the same.
    pub polygons: [PolygonId; 2],
    /// What it costs, before the factor of its area. Finite, not negative.
    pub cost: f32,
    /// Whether it leads back, too.
    pub both_ways: bool,
    /// The kind of ground that it counts as.
    pub area: u8,
    /// The caller's bits.
    pub flags: u16,
    /// The caller's name for it.
    pub user_id: u64,
}

impl Link {
    /// The distance between its ends.
    pub fn length(&self) -> f32 {
        distance(self.ends[0], self.ends[1])
    }
}

/// Refuses links with numbers that no mesh could make sense of.
pub(super) fn check(links: &[RawLink], polygons: usize) -> Result<(), NavMeshError> {
    for (index, link) in links.iter().enumerate() {
        let bad = |what| Err(NavMeshError::BadLink { link: index, what });
        let near = |p: Vec3| p.is_finite() && p.abs().max_element() <= MAX_COORDINATE;
        if !near(link.start) || !near(link.end) {
            return bad("an end that is not a finite point near the mesh");
        }
        if link
            .cost
            .is_some_and(|cost| !(0.0..=MAX_COST).contains(&cost))
        {
            return bad("a cost that is negative, not a number or absurdly large");
        }
        if link.snap.is_nan() {
            return bad("a snap box that is not a number");
        }
        if link
            .polygons
            .iter()
            .flatten()
            .any(|&polygon| polygon as usize >= polygons)
        {
            return bad("a polygon that does not exist");
        }
    }
    Ok(())
}

/// Puts a link's ends on their polygons. `None` when an end has none, or its polygon was left out:
/// `place_of` gives the id of a raw polygon.
pub(super) fn attach(
    mesh: &NavMesh,
    raw: &RawLink,
    place_of: impl Fn(u32) -> Option<PolygonId>,
) -> Option<Link> {
    let end = |place: Vec3, polygon: Option<u32>| match polygon {
        Some(raw_polygon) => {
            let polygon = place_of(raw_polygon)?;
            let point = mesh.nearest_on(polygon, place);
            let is_near = (point - place).abs().cmple(raw.snap).all();
            is_near.then_some((polygon, point))
        }
        None => mesh
            .locate(place, raw.snap, |_| true)
            .map(|location| (location.polygon, location.point)),
    };
    let (from, start) = end(raw.start, raw.polygons[0])?;
    let (to, stop) = end(raw.end, raw.polygons[1])?;
    Some(Link {
        ends: [start, stop],
        polygons: [from, to],
        cost: raw.cost.unwrap_or_else(|| distance(start, stop)),
        both_ways: raw.both_ways,
        area: raw.area,
        flags: raw.flags,
        user_id: raw.id,
    })
}
