//! The costs and permissions of one kind of agent.

use crate::ids::{LinkId, PolygonId};
use crate::navmesh::{Link, NavMesh};

/// The largest cost factor of an area.
pub const MAX_FACTOR: f32 = 1e6;

/// The costs and permissions of one kind of agent. A profile is independent of any mesh:
/// [`World::costs`](crate::World::costs) customizes it for one world.
///
/// ```
/// use portolan_core::Profile;
///
/// let mut boat = Profile::default();
/// boat.set_factor(3, 0.5)?; // a metre in area 3 costs 0.5
/// boat.forbid(1);
/// assert_eq!(boat.factor(0), Some(1.0));
/// assert_eq!(boat.factor(1), None);
/// assert!(boat.set_factor(2, -1.0).is_err());
/// # Ok::<(), portolan_core::ProfileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The cost per metre of each area; infinite for a forbidden area.
    factors: [f32; 256],
    /// Polygons and links need at least one of these bits to be open. 0 requires none. [Default: 0]
    pub include_flags: u16,
    /// Polygons and links with any of these bits are closed. [Default: 0]
    pub exclude_flags: u16,
    /// Whether the agent may use off-mesh links. [Default: true]
    pub links: bool,
}

/// A cost factor that is out of its limits.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the factor of area {area} must be between 0 and {MAX_FACTOR}, not {factor}")]
pub struct ProfileError {
    /// The area whose factor was to be set.
    pub area: u8,
    /// The rejected factor.
    pub factor: f32,
}

impl Default for Profile {
    /// Returns a profile that may go everywhere and whose costs are lengths: the factor of every area is 1.
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
    /// Sets the cost per metre on `area`. [Limit: 0 <= factor <= 1e6] 0 makes the area free, which disables
    /// the heuristic of A*: see [`Prices::heuristic_scale`].
    pub fn set_factor(&mut self, area: u8, factor: f32) -> Result<(), ProfileError> {
        if !(0.0..=MAX_FACTOR).contains(&factor) {
            return Err(ProfileError { area, factor });
        }
        // Adding 0.0 turns -0.0 into 0.0, so that equal factors have equal bits.
        self.factors[usize::from(area)] = factor + 0.0;
        Ok(())
    }

    /// Closes `area` to the agent.
    pub fn forbid(&mut self, area: u8) {
        self.factors[usize::from(area)] = f32::INFINITY;
    }

    /// Returns the cost per metre on `area`; `None` if it is forbidden.
    pub fn factor(&self, area: u8) -> Option<f32> {
        Some(self.factors[usize::from(area)]).filter(|factor| factor.is_finite())
    }

    /// Returns whether a polygon or link with these flags is open.
    fn allows_flags(&self, flags: u16) -> bool {
        (self.include_flags == 0 || flags & self.include_flags != 0)
            && flags & self.exclude_flags == 0
    }
}

/// A [`Profile`] on one mesh, with the bounds on its costs that searches rely on.
#[derive(Clone, Debug)]
pub struct Prices {
    profile: Profile,
    checks_flags: bool,
    heuristic_scale: f32,
    /// The cost per metre, if it is the same on all open polygons and there is one.
    uniform: Option<f32>,
    has_closed: bool,
}

impl Prices {
    /// Computes the bounds, which takes one pass over the mesh.
    pub fn new(mesh: &NavMesh, profile: &Profile) -> Self {
        let mut prices = Self {
            profile: profile.clone(),
            checks_flags: profile.include_flags != 0 || profile.exclude_flags != 0,
            heuristic_scale: 0.0,
            uniform: None,
            has_closed: false,
        };
        let mut has_area = [false; 256];
        mesh.areas()
            .iter()
            .for_each(|&area| has_area[usize::from(area)] = true);
        let min_of_areas = (0..=255u8)
            .filter(|&area| has_area[usize::from(area)])
            .filter_map(|area| profile.factor(area))
            .fold(f32::INFINITY, f32::min);
        let mut min_factor = f32::INFINITY;
        let mut max_factor = f32::NEG_INFINITY;
        for polygon in mesh.polygons().filter(|&polygon| !mesh.is_gone(polygon)) {
            let factor = prices.factor(mesh, polygon);
            if factor < f32::INFINITY {
                min_factor = min_factor.min(factor);
                max_factor = max_factor.max(factor);
            } else {
                prices.has_closed = true;
            }
        }
        let link_scales = mesh.links().iter().filter_map(|link| {
            let cost = prices.link_cost(mesh, link)?;
            (link.length() > 0.0).then(|| cost / link.length())
        });
        // Changes at run time can make ground cheaper than its area.
        let scale = link_scales.fold(min_factor.min(min_of_areas), f32::min);
        prices.uniform = (min_factor == max_factor).then_some(min_factor);
        prices.heuristic_scale = if scale.is_finite() {
            // Rounding may leave a sum of `f32` slightly below the straight line that it is compared with.
            scale * (1.0 - 1e-6)
        } else {
            0.0
        };
        prices
    }

    /// Returns the profile.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the cost per metre on a polygon; infinite if it is closed.
    #[inline]
    pub fn factor(&self, mesh: &NavMesh, polygon: PolygonId) -> f32 {
        if self.checks_flags && !self.profile.allows_flags(mesh.flags(polygon)) {
            return f32::INFINITY;
        }
        let condition = mesh.condition(polygon);
        if condition == f32::INFINITY {
            // A factor of 0 would make NaN of it.
            return f32::INFINITY;
        }
        self.profile.factors[usize::from(mesh.area(polygon))] * condition
    }

    /// Returns whether the agent may enter the polygon.
    #[inline]
    pub fn allows(&self, mesh: &NavMesh, polygon: PolygonId) -> bool {
        self.factor(mesh, polygon) < f32::INFINITY
    }

    /// Returns the cost of using a link, in either direction; `None` if the link or the polygon at either
    /// end is closed.
    #[inline]
    pub fn link_cost(&self, mesh: &NavMesh, link: &Link) -> Option<f32> {
        let factor = self.profile.factor(link.area)?;
        let is_open = self.profile.links
            && self.profile.allows_flags(link.flags)
            && link
                .polygons
                .iter()
                .all(|&polygon| self.allows(mesh, polygon));
        (is_open && link.cost < f32::INFINITY).then_some(link.cost * factor)
    }

    /// Returns the cost per metre if it is the same on all open polygons.
    #[inline]
    pub(crate) fn uniform(&self) -> Option<f32> {
        self.uniform
    }

    /// Returns whether polygons may be closed.
    #[inline]
    pub(crate) fn has_closed(&self) -> bool {
        self.has_closed
    }

    /// Returns the bounds after polygons and links have changed, without a pass over the mesh. The bounds hold,
    /// but may be less tight than those of [`new`](Self::new).
    pub(crate) fn after_changes(
        &self,
        mesh: &NavMesh,
        polygons: impl Iterator<Item = PolygonId>,
        links: impl Iterator<Item = LinkId>,
    ) -> Self {
        let mut prices = self.clone();
        let mut scale = f32::INFINITY;
        for polygon in polygons {
            let factor = prices.factor(mesh, polygon);
            if factor == f32::INFINITY {
                prices.has_closed = true;
                continue;
            }
            scale = scale.min(factor);
            if prices.uniform != Some(factor) {
                prices.uniform = None;
            }
        }
        for link in links.map(|link| mesh.link(link)) {
            if let Some(cost) = prices.link_cost(mesh, link)
                && link.length() > 0.0
            {
                scale = scale.min(cost / link.length());
            }
        }
        prices.heuristic_scale = prices.heuristic_scale.min(scale * (1.0 - 1e-6));
        prices
    }

    /// Returns the cost per metre if it is the same on all open polygons; 1 if there are none.
    pub(crate) fn uniform_open(&self, mesh: &NavMesh) -> Option<f32> {
        let factors = mesh.polygons().map(|polygon| self.factor(mesh, polygon));
        let mut open = factors.filter(|factor| factor.is_finite());
        let first = open.next().unwrap_or(1.0);
        open.all(|factor| factor == first).then_some(first)
    }

    /// Returns a lower bound on the cost per metre of straight-line distance on this mesh: the smallest
    /// factor of an area, or less if a link is cheaper for its length.
    ///
    /// The bound times the distance to the goal is an admissible and consistent heuristic: each arc costs
    /// at least the bound times its own length, and the lengths of a path add up to at least the distance.
    pub fn heuristic_scale(&self) -> f32 {
        self.heuristic_scale
    }

    /// Returns [`heuristic_scale`](Self::heuristic_scale) with a wider safety margin. Use it where the
    /// bound is compared with a sum of many `f32`, which rounding may leave slightly below the
    /// straight-line cost.
    pub(crate) fn cost_per_metre(&self) -> f32 {
        self.heuristic_scale * (1.0 - 1e-4)
    }
}
