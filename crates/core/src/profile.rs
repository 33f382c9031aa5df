//! What one kind of agent pays, and where it may go.

use crate::ids::PolygonId;
use crate::navmesh::{Link, NavMesh};

/// The largest factor that an area may have.
pub const MAX_FACTOR: f32 = 1e6;

/// Costs and permissions of one kind of agent, independent of any mesh.
///
/// ```
/// use portolan_core::Profile;
///
/// let mut boat = Profile::default();
/// boat.set_factor(3, 0.5)?; // area 3 at half price
/// boat.forbid(1);
/// assert_eq!(boat.factor(0), Some(1.0));
/// assert_eq!(boat.factor(1), None);
/// assert!(boat.set_factor(2, -1.0).is_err());
/// # Ok::<(), portolan_core::ProfileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Per area; infinite where forbidden.
    factors: [f32; 256],
    /// A polygon or link needs one of these bits. 0 asks for none. [Default: 0]
    pub include_flags: u16,
    /// A polygon or link with one of these bits is closed. [Default: 0]
    pub exclude_flags: u16,
    /// Whether off-mesh links may be used. [Default: true]
    pub links: bool,
}

/// A factor that is not one.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the factor of area {area} must be between 0 and {MAX_FACTOR}, not {factor}")]
pub struct ProfileError {
    /// The area.
    pub area: u8,
    /// What was asked for.
    pub factor: f32,
}

impl Default for Profile {
    /// Every area at the price of its length, everything allowed.
    fn default() -> Self {
        Self {
            factors: [1.0; 256],
            include_flags: 0,
            exclude_flags: 0,
            links: true,
        }
    }
}

impl Profile {
    /// Makes a metre on `area` cost `factor`. [Limit: 0 <= factor <= 1e6]
    pub fn set_factor(&mut self, area: u8, factor: f32) -> Result<(), ProfileError> {
        if !(0.0..=MAX_FACTOR).contains(&factor) {
            return Err(ProfileError { area, factor });
        }
        // Not -0.0, whose bits are not those of 0.
        self.factors[usize::from(area)] = factor + 0.0;
        Ok(())
    }

    /// Closes `area`.
    pub fn forbid(&mut self, area: u8) {
        self.factors[usize::from(area)] = f32::INFINITY;
    }

    /// What a metre on `area` costs; `None` where it is forbidden.
    pub fn factor(&self, area: u8) -> Option<f32> {
        Some(self.factors[usize::from(area)]).filter(|factor| factor.is_finite())
    }

    fn passes(&self, flags: u16) -> bool {
        (self.include_flags == 0 || flags & self.include_flags != 0)
            && flags & self.exclude_flags == 0
    }
}

/// What one kind of agent pays on one mesh: a [`Profile`], and what its costs allow a search to assume.
#[derive(Clone, Debug)]
pub struct Prices {
    profile: Profile,
    checks_flags: bool,
    heuristic_scale: f32,
    uniform: Option<f32>,
}

impl Prices {
    /// Looks at the mesh once for what the heuristic may assume.
    pub fn new(mesh: &NavMesh, profile: &Profile) -> Self {
        let mut prices = Self {
            profile: profile.clone(),
            checks_flags: profile.include_flags != 0 || profile.exclude_flags != 0,
            heuristic_scale: 0.0,
            uniform: None,
        };
        let mut has_area = [false; 256];
        mesh.areas()
            .iter()
            .for_each(|&area| has_area[usize::from(area)] = true);
        let cheapest = (0..=255u8)
            .filter(|&area| has_area[usize::from(area)])
            .filter_map(|area| profile.factor(area))
            .fold(f32::INFINITY, f32::min);
        let by_links = mesh.links().iter().filter_map(|link| {
            let cost = prices.of_link(mesh, link)?;
            (link.length() > 0.0).then(|| cost / link.length())
        });
        let scale = by_links.fold(cheapest, f32::min);
        let mut factors = mesh.polygons().map(|polygon| prices.factor(mesh, polygon));
        let first = factors.next().filter(|factor| factor.is_finite());
        prices.uniform = first.filter(|&first| factors.all(|factor| factor == first));
        prices.heuristic_scale = if scale.is_finite() {
            // Sums of `f32` may come out a little below the straight line they are compared with.
            scale * (1.0 - 1e-6)
        } else {
            0.0
        };
        prices
    }

    /// The profile.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What a metre on the polygon's ground costs; infinite where it is closed.
    #[inline]
    pub fn factor(&self, mesh: &NavMesh, polygon: PolygonId) -> f32 {
        if self.checks_flags && !self.profile.passes(mesh.flags(polygon)) {
            return f32::INFINITY;
        }
        self.profile.factors[usize::from(mesh.area(polygon))]
    }

    /// Whether the polygon may be entered.
    #[inline]
    pub fn allows(&self, mesh: &NavMesh, polygon: PolygonId) -> bool {
        self.factor(mesh, polygon) < f32::INFINITY
    }

    /// What using the link costs, in either direction; `None` where it is closed, or begins or ends
    /// on closed ground.
    #[inline]
    pub fn of_link(&self, mesh: &NavMesh, link: &Link) -> Option<f32> {
        let factor = self.profile.factor(link.area)?;
        let is_open = self.profile.links
            && self.profile.passes(link.flags)
            && link
                .polygons
                .iter()
                .all(|&polygon| self.allows(mesh, polygon));
        is_open.then_some(link.cost * factor)
    }

    /// What a metre costs, where it is the same everywhere and nothing is closed.
    #[inline]
    pub(crate) fn uniform(&self) -> Option<f32> {
        self.uniform
    }

    /// The least that a metre of straight-line distance can cost on this mesh: the smallest factor of a
    /// polygon, or less where a link is cheaper for its length.
    ///
    /// This times the distance to the goal never exceeds the remaining cost, since each arc on the
    /// way costs at least the scale times its own length and the lengths add up to at least the
    /// distance. It is also consistent, arc by arc, for the same reason.
    pub fn heuristic_scale(&self) -> f32 {
        self.heuristic_scale
    }

    /// The same for what is compared with sums of many `f32`, which may come out a little below the
    /// straight line.
    pub(crate) fn cost_per_metre(&self) -> f32 {
        self.heuristic_scale * (1.0 - 1e-4)
    }
}
