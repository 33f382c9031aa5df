//! Questions about the ground that a game asks every frame: the nearest point, sight, sliding along walls.

mod cache;
mod flood;
mod ground;
mod islands;
mod line;
mod nearest;
mod random;
mod ray;
mod scratch;
mod short_list;
mod slide;
mod spans;
mod sweep;
mod walk;
mod walls;

pub(crate) use cache::ProbeCache;
pub use ground::{Neighbour, Totals};
pub use islands::Reachable;
pub use random::RandomPoints;
pub use ray::Ray;
pub use scratch::ProbeScratch;
pub use spans::Wall;

use glam::Vec3;

use crate::ids::{LinkId, PolygonId};
use crate::navmesh::NavMesh;
use crate::profile::Prices;
use crate::query::EngineError;
use crate::world::{Costs, World};

/// A view of a world for one kind of agent, which answers questions about the ground around a point.
///
/// A probe treats ground that is closed to the agent as a wall. It is right where floors are above one
/// another, because it follows portals and never compares positions in plan alone. Off-mesh links matter
/// only to what is said to be *reachable*. A point is a [`Location`](crate::Location), which
/// [`nearest`](Self::nearest) finds for a position.
///
/// A probe is as cheap to copy as a reference, and no method of it allocates memory once the buffers that
/// it is given have grown.
///
/// ```
/// use glam::vec3;
/// use portolan_core::{DEFAULT_SNAP, NavMeshOptions, ProbeScratch, RawNavMesh, World};
///
/// // Two rooms of 4 m x 4 m with the common border x = 4.
/// let mut raw = RawNavMesh::default();
/// raw.vertices = [[0.0, 0.0], [4.0, 0.0], [8.0, 0.0], [0.0, 4.0], [4.0, 4.0], [8.0, 4.0]]
///     .map(|[x, z]| vec3(x, 0.0, z))
///     .to_vec();
/// raw.polygons.push([0, 1, 4, 3]);
/// raw.polygons.push([1, 2, 5, 4]);
/// let world = World::build(raw, &NavMeshOptions::default())?;
///
/// let probe = world.probe();
/// let agent = probe.nearest(vec3(1.0, 0.2, 1.0), DEFAULT_SNAP).expect("on the mesh");
/// // The agent wants to walk through the wall z = 0 and slides along it into the other room.
/// let moved = probe.slide(agent, vec3(5.0, 0.0, -1.0), &mut ProbeScratch::new());
/// assert_eq!(moved.point, vec3(5.0, 0.0, 0.0));
/// assert_ne!(moved.polygon, agent.polygon);
/// # Ok::<(), portolan_core::NavMeshError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a> {
    world: &'a World,
    mesh: &'a NavMesh,
    costs: &'a Costs,
    /// Points that are closer to one another in plan may be the same point, rounded to `f32`. [Units: m]
    slack: f64,
}

impl World {
    /// Returns a probe for agents with the world's default profile.
    pub fn probe(&self) -> Probe<'_> {
        Probe::new(self, self.default_costs())
    }

    /// Returns a probe for agents with the profile of `costs`.
    ///
    /// # Errors
    /// Fails if the costs were built for another world.
    pub fn probe_with<'a>(&'a self, costs: &'a Costs) -> Result<Probe<'a>, EngineError> {
        self.check_costs(costs)?;
        Ok(Probe::new(self, costs))
    }
}

impl<'a> Probe<'a> {
    fn new(world: &'a World, costs: &'a Costs) -> Self {
        let mesh = world.mesh();
        let bounds = mesh.bounds();
        let farthest = bounds.min.abs().max(bounds.max.abs());
        // Two roundings of one point differ by at most the square root of 2 times this.
        let rounding = f64::from(f32::EPSILON) * f64::from(farthest.x.max(farthest.z));
        Self {
            world,
            mesh,
            costs,
            slack: 2.0 * rounding,
        }
    }

    /// Returns the world.
    pub fn world(&self) -> &'a World {
        self.world
    }

    /// Returns the mesh.
    pub fn mesh(&self) -> &'a NavMesh {
        self.mesh
    }

    /// Returns the costs of the agent.
    pub fn costs(&self) -> &'a Costs {
        self.costs
    }

    fn prices(&self) -> &'a Prices {
        self.costs.prices()
    }

    /// Returns whether the agent may enter a polygon.
    #[inline]
    pub fn is_open(&self, polygon: PolygonId) -> bool {
        // A polygon that is cut around obstacles is left to its pieces.
        self.prices().allows(self.mesh, polygon) && self.mesh.cut(polygon).is_none()
    }

    /// Returns whether the agent may use an off-mesh link: the link and the polygons at both ends are open.
    pub fn is_link_open(&self, link: LinkId) -> bool {
        let cost = self.prices().link_cost(self.mesh, self.mesh.link(link));
        cost.is_some()
    }

    /// Returns the height of a polygon's ground at the (x, z) of a position, on its finer surface if it has
    /// one. [Units: m] For a position outside the polygon it is a height of the polygon nearby.
    pub fn height(&self, polygon: PolygonId, position: Vec3) -> f32 {
        self.mesh.height_at(polygon, position)
    }

    /// Returns a point with the height of a polygon's ground there.
    fn on_ground(&self, polygon: PolygonId, point: Vec3) -> Vec3 {
        point.with_y(self.mesh.height_at(polygon, point))
    }
}
