//! Everything within a path distance.

use super::{Many, ManyScratch};
use crate::graph::SampleSide;
use crate::ids::{PolygonId, Terminal};
use crate::navmesh::Location;

/// A polygon that a path reaches: see [`Many::within`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachedPolygon {
    /// The polygon.
    pub polygon: PolygonId,
    /// The cost at which it is entered: that of the cheapest path to a vertex of the graph on its border or to the end
    /// of a link in it. 0 for the polygon of the location.
    pub cost: f32,
}

impl Many<'_> {
    /// Sets `reached` to the polygons that a path of at most `max_cost` enters, the cheapest first: paths from
    /// the location if it is a start, and paths to it if it is a goal. Costs are those of the engine
    /// `dijkstra`. Takes time in proportion to the answer, and allocates nothing once `scratch` and `reached`
    /// have grown.
    ///
    /// The answer is empty if `max_cost` is negative or not a number.
    ///
    /// # Panics
    /// Panics if the mesh has no such polygon.
    ///
    /// ```
    /// use portolan_core::{DEFAULT_SNAP, ManyScratch, NavMeshOptions, PolygonId, Terminal, World};
    /// use portolan_scenes::{WorldOptions, WorldScene};
    ///
    /// let raw = WorldScene::Rooms.build(&WorldOptions::default());
    /// let world = World::build(raw, &NavMeshOptions::default())?;
    /// let many = world.many();
    /// let noise = many.locate(world.mesh().centre(PolygonId(0)), DEFAULT_SNAP).expect("on the mesh");
    ///
    /// // Who is within 20 m of this noise?
    /// let mut heard = Vec::new();
    /// many.within(Terminal::Start, noise, 20.0, &mut ManyScratch::default(), &mut heard);
    /// assert_eq!((heard[0].polygon, heard[0].cost), (noise.polygon, 0.0));
    /// assert!(heard.iter().all(|reached| reached.cost <= 20.0));
    /// # Ok::<(), portolan_core::NavMeshError>(())
    /// ```
    pub fn within(
        &self,
        end: Terminal,
        location: Location,
        max_cost: f32,
        scratch: &mut ManyScratch,
        reached: &mut Vec<ReachedPolygon>,
    ) {
        reached.clear();
        // Also false if the limit is not a number.
        let is_limit = max_cost >= 0.0;
        if !self.is_open(location) || !is_limit {
            return;
        }
        let ManyScratch {
            search, polygons, ..
        } = scratch;
        polygons.reset(self.mesh.polygon_slots());
        let mut enter = |polygon: PolygonId, cost| {
            let is_new = polygons.get(polygon.index()).is_none();
            if is_new && self.prices.allows(self.mesh, polygon) {
                polygons.set(polygon.index(), ());
                reached.push(ReachedPolygon { polygon, cost });
            }
        };
        enter(location.polygon, 0.0);
        self.start_at(search, self.graph.cost_location(location), max_cost);
        while let Some((vertex, cost)) = search.settle(self, end) {
            for side in [0, 1] {
                if let SampleSide::Polygon(polygon) = self.graph.side(vertex, side) {
                    enter(polygon, cost);
                }
            }
        }
    }
}
