//! Random changes of the ground, and a mesh that was really changed in the same way.

use portolan_core::navmesh::NavMeshParts;
use portolan_core::{Change, Link, LinkId, NavMesh, PolygonId, Profile};

use crate::{CaseRng, parts_of};

/// The factors that random changes multiply costs with.
const FACTORS: [f32; 4] = [1.0, 0.25, 3.0, 40.0];

/// The areas of a changed mesh are these many numbers apart for each factor.
const AREAS: u8 = 40;

/// The area of blocked polygons and closed links.
const CLOSED: u8 = 250;

/// The ground after a list of changes, kept in the plainest way: as a mesh whose areas say what has changed. It shares
/// no code with [`LiveWorld`](portolan_core::LiveWorld) except the mesh.
#[derive(Debug)]
pub struct ChangedGround {
    parts: NavMeshParts,
    blocked: Vec<bool>,
    factors: Vec<usize>,
    closed_links: Vec<bool>,
}

impl ChangedGround {
    /// Creates ground without changes.
    pub fn new(mesh: &NavMesh) -> Self {
        let polygons = mesh.polygon_count();
        Self {
            parts: parts_of(mesh),
            blocked: vec![false; polygons],
            factors: vec![0; polygons],
            closed_links: vec![false; mesh.links().len()],
        }
    }

    /// Applies a change.
    ///
    /// # Panics
    /// Panics if the change is a switch, or a factor that [`random_changes`] does not draw.
    pub fn apply(&mut self, change: &Change) {
        match *change {
            Change::Block(polygon) => self.blocked[polygon.index()] = true,
            Change::Unblock(polygon) => self.blocked[polygon.index()] = false,
            Change::Area(polygon, area) => self.parts.areas[polygon.index()] = area,
            Change::Flags(polygon, flags) => self.parts.flags[polygon.index()] = flags,
            Change::Factor(polygon, factor) => {
                let known = FACTORS.iter().position(|&known| known == factor);
                self.factors[polygon.index()] = known.expect("a drawn factor");
            }
            Change::CloseLink(link) | Change::RemoveLink(link) => {
                self.closed_links[link.index()] = true;
            }
            Change::OpenLink(link) => self.closed_links[link.index()] = false,
            _ => panic!("{change:?} is not a change of one element"),
        }
    }

    /// Adds a link, which gets the next id.
    pub fn add_link(&mut self, link: Link) {
        self.parts.links.push(link);
        self.closed_links.push(false);
        // The oracle does not look at components. One is always valid.
        self.parts.components.fill(0);
    }

    /// Returns the changed mesh, and the profile that pays on it what `profile` pays after the changes.
    pub fn mesh_and_profile(&self, profile: &Profile) -> (NavMesh, Profile) {
        let mut parts = self.parts.clone();
        for (polygon, area) in parts.areas.iter_mut().enumerate() {
            *area += AREAS * self.factors[polygon] as u8;
            if self.blocked[polygon] {
                *area = CLOSED;
            }
        }
        for (link, &is_closed) in parts.links.iter_mut().zip(&self.closed_links) {
            // A link is closed, too, if the polygon at one of its ends is.
            if is_closed || link.polygons.iter().any(|&end| self.blocked[end.index()]) {
                link.area = CLOSED;
            }
        }
        let mut changed = profile.clone();
        changed.forbid(CLOSED);
        for (index, factor) in FACTORS.into_iter().enumerate() {
            for area in 0..AREAS {
                let code = AREAS * index as u8 + area;
                match profile.factor(area) {
                    Some(own) => changed.set_factor(code, own * factor).expect("a factor"),
                    None => changed.forbid(code),
                }
            }
        }
        let mesh = NavMesh::from_parts(parts).expect("valid parts");
        (mesh, changed)
    }
}

/// Draws a batch of changes of single polygons and links.
pub fn random_changes(mesh: &NavMesh, rng: &mut CaseRng) -> Vec<Change> {
    let mut changes = Vec::new();
    for _ in 0..1 + rng.below(6) {
        let polygon = PolygonId::new(rng.below(mesh.polygon_count()));
        let links = mesh.links().len();
        changes.push(match rng.below(10) {
            0..3 => Change::Block(polygon),
            3..5 => Change::Unblock(polygon),
            5 => Change::Factor(polygon, FACTORS[rng.below(FACTORS.len())]),
            6 => Change::Area(polygon, rng.below(4) as u8),
            7 => Change::Flags(polygon, rng.below(8) as u16),
            8 if links > 0 => Change::CloseLink(LinkId::new(rng.below(links))),
            9 if links > 0 => Change::OpenLink(LinkId::new(rng.below(links))),
            _ => Change::Unblock(polygon),
        });
    }
    changes
}
