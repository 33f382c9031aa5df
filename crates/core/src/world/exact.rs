//! The exact tier of a world.

use std::sync::Arc;

use glam::Vec3;

use super::build::next_world_id;
use super::{Costs, Endpoints, Located, Progress, Stage, World, WorldError};
use crate::exact::{
    ExactError, ExactIndex, ExactLimits, ExactMethod, ExactParts, ExactSize, Frame,
};
use crate::navmesh::NavMesh;
use crate::path::Path;
use crate::profile::Prices;
use crate::query::{Engine, Limits, Scratch};

/// How an exact tier is built and used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExactOptions {
    /// The limits on its size and build time. [Default: those of [`ExactLimits::default`]]
    pub limits: ExactLimits,
    /// Whether `auto` at the default tier uses the exact tier. [Default: false]
    pub auto: bool,
}

/// The exact tier of a world.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExactTier {
    pub(super) options: ExactOptions,
}

/// The first part of building an exact tier: the corners of obstacles, without the tangents between them.
#[derive(Debug)]
pub struct ExactCorners {
    frame: Frame,
}

/// An exact tier that is not yet part of a world.
#[derive(Debug)]
pub struct BuiltExact {
    options: ExactOptions,
    index: ExactIndex,
}

impl ExactCorners {
    /// Returns the mean number of tangents at `samples` of the corners, a small part of the work of building
    /// the exact tier.
    pub fn mean_tangents(&self, samples: usize) -> f64 {
        self.frame.mean_tangents(samples)
    }

    /// Returns the number of corners and ends of links in the connected component of `mesh` that has most of them.
    /// The mesh must be the one that the corners were found in.
    pub fn max_in_component(&self, mesh: &NavMesh) -> usize {
        self.frame.max_in_component(mesh)
    }

    /// Builds the rest of the exact tier, without adding it to a world.
    ///
    /// # Errors
    /// Fails with [`WorldError::Exact`] if the tier would exceed its limits, and with [`WorldError::Stopped`]
    /// if `progress` stops the work.
    pub fn build(
        self,
        options: ExactOptions,
        progress: Progress<'_>,
    ) -> Result<BuiltExact, WorldError> {
        let report = |fraction| progress(Stage::ExactTier, fraction);
        match self.frame.build(options.limits, &report) {
            Ok(index) => Ok(BuiltExact { options, index }),
            Err(ExactError::Stopped) => Err(WorldError::Stopped),
            Err(error) => Err(WorldError::Exact(error)),
        }
    }
}

impl World {
    /// Adds the exact tier for the default profile: the shortest any-angle path in plan. [`Costs`] built before
    /// become invalid for the new world.
    ///
    /// # Errors
    /// Fails with [`WorldError::Exact`] if exact paths are not defined for the default profile, or if the tier
    /// would exceed its limits, and with [`WorldError::Stopped`] if `progress` stops the work.
    pub fn with_exact(
        self,
        options: ExactOptions,
        progress: Progress<'_>,
    ) -> Result<Self, WorldError> {
        let built = self.exact_corners()?.build(options, progress)?;
        Ok(self.with_built_exact(built))
    }

    /// Finds the corners of obstacles, which is the first step of building the exact tier for the default
    /// profile. So the tier can be built while other parts of the world are built.
    ///
    /// # Errors
    /// Fails with [`WorldError::Exact`] if exact paths are not defined for the default profile.
    pub fn exact_corners(&self) -> Result<ExactCorners, WorldError> {
        let frame = Frame::new(&self.mesh, self.costs.prices()).map_err(WorldError::Exact)?;
        Ok(ExactCorners { frame })
    }

    /// Adds an exact tier that was built for a world with the same mesh and profile.
    pub fn with_built_exact(self, built: BuiltExact) -> Self {
        self.with_exact_index(built.options, built.index)
    }

    pub(super) fn with_exact_index(mut self, options: ExactOptions, index: ExactIndex) -> Self {
        self.exact = Some(ExactTier { options });
        self.id = next_world_id();
        let costs = self.costs.built_for(self.id);
        self.costs = costs.with_exact(Ok(Arc::new(index)));
        self
    }

    /// Gives this world the exact tier that another one has, without the costs for it: see
    /// [`completed`](Self::completed).
    pub(crate) fn with_exact_tier_of(self, other: &Self) -> Self {
        Self {
            exact: other.exact,
            ..self
        }
    }

    /// Removes the exact tier.
    pub fn without_exact(self) -> Self {
        Self {
            exact: None,
            ..self
        }
    }

    /// Sets whether `auto` at the default tier uses the exact tier, if there is one.
    pub fn with_exact_auto(mut self, auto: bool) -> Self {
        if let Some(exact) = &mut self.exact {
            exact.options.auto = auto;
        }
        self
    }

    /// Makes exact queries search lazily, without hub labels.
    pub fn with_lazy_exact(mut self) -> Self {
        if let (Some(exact), Some(index)) = (&mut self.exact, self.costs.exact_index()) {
            exact.options.limits.entries_per_polygon = 0;
            let index = ExactIndex::clone(index).without_labels();
            self.costs = self.costs.with_exact(Ok(Arc::new(index)));
        }
        self
    }

    /// Returns whether `auto` at the default tier finds exact paths for the default profile.
    pub fn auto_is_exact(&self) -> bool {
        self.exact.is_some_and(|exact| exact.options.auto)
    }

    /// Returns the options of the exact tier.
    pub fn exact_options(&self) -> Option<ExactOptions> {
        self.exact.map(|exact| exact.options)
    }

    /// Returns how exact queries of the default profile search.
    pub fn exact_method(&self) -> Option<ExactMethod> {
        self.exact?;
        self.costs.exact_index().map(|index| index.method())
    }

    /// Returns the size of the exact tier of the default profile.
    pub fn exact_size(&self) -> Option<ExactSize> {
        self.exact?;
        self.costs.exact_index().map(|index| index.size())
    }

    /// Returns the edges of the taut graph of the default profile: the tangents between corners. [Units: m]
    pub fn tangents(&self) -> impl Iterator<Item = [Vec3; 2]> {
        let index = self.exact.and(self.costs.exact_index());
        index.into_iter().flat_map(ExactIndex::tangents)
    }

    /// Returns what an index file stores of the exact tier.
    pub fn exact_parts(&self) -> Option<ExactParts> {
        self.exact?;
        self.costs.exact_index().map(ExactIndex::parts)
    }

    /// Adds what the exact tier needs, if the world has that tier. Profiles that are equal on this mesh share
    /// it.
    pub(super) fn with_exact_costs(&self, costs: Costs) -> Costs {
        let Some(tier) = self.exact else {
            return costs;
        };
        if let Some(index) = self.costs.exact_arc()
            && self.have_equal_prices(costs.prices(), self.costs.prices())
        {
            return costs.with_exact(Ok(Arc::clone(index)));
        }
        let limits = tier.options.limits;
        let index = ExactIndex::new(&self.mesh, costs.prices(), limits, &|_| {
            std::ops::ControlFlow::Continue(())
        });
        costs.with_exact(index.map(Arc::new))
    }

    /// Returns whether two profiles have the same open polygons, cost per metre and costs of links.
    fn have_equal_prices(&self, a: &Prices, b: &Prices) -> bool {
        let mesh = &self.mesh;
        let mut polygons = mesh.polygons();
        let mut links = mesh.links().iter();
        polygons.all(|polygon| a.factor(mesh, polygon) == b.factor(mesh, polygon))
            && links.all(|link| a.link_cost(mesh, link) == b.link_cost(mesh, link))
    }
}

impl Located<'_> {
    /// Writes the corridor and the waypoints of the exact path that was found.
    pub(super) fn follow_exact(
        &self,
        endpoints: Endpoints,
        scratch: &mut Scratch,
        path: &mut Path,
    ) {
        let index = self.costs.exact_index().expect("an exact path was found");
        let Endpoints { start, goal } = endpoints;
        let mesh = &self.world.mesh;
        if !self.query.corridor && self.query.ground_tolerance == f32::INFINITY {
            index.bend([start, goal], &scratch.exact, path);
            return;
        }
        let is_followed = index.follow(
            [start, goal],
            &mut scratch.exact,
            &mut path.corridor,
            &mut scratch.bends,
        );
        if is_followed {
            path.bend(
                mesh,
                start.point,
                &scratch.bends,
                self.query.ground_tolerance,
            );
            return;
        }
        // Only a forged file can have tangents that lead through walls. A path that is not exact, and perhaps
        // beyond the cost limit, is then better than none.
        let mut without_limits = *self;
        without_limits.query.limits = Limits::default();
        without_limits.run_engine(Engine::AStar, endpoints, scratch, &mut ());
        let polygons = [start.polygon, goal.polygon];
        path.corridor
            .follow(&self.world.graph, &scratch.trail, polygons);
        path.pull(
            mesh,
            [start.point, goal.point],
            self.query.ground_tolerance,
            None,
            &mut scratch.pull_buffers,
        );
    }
}
