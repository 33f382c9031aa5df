//! What builds an index for ground of another shape.

use std::fmt;
use std::sync::Arc;

use crate::navmesh::NavMesh;
use crate::world::{Progress, World, WorldError};

/// Builds the index of a mesh whose shape has changed. `portolan_index::indexer` builds the same tiers and levels that the
/// world has had; [`Indexer::none`] is for worlds without an index.
#[derive(Clone)]
pub struct Indexer(Option<Arc<Build>>);

type Build = dyn Fn(NavMesh, &World, Progress<'_>) -> Result<World, IndexFailure> + Send + Sync;

/// The reason why there is no index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexFailure {
    /// The progress callback stopped the work.
    #[error("stopped")]
    Stopped,
    /// The index cannot be built.
    #[error("{0}")]
    Failed(String),
}

impl From<WorldError> for IndexFailure {
    fn from(error: WorldError) -> Self {
        match error {
            WorldError::Stopped => Self::Stopped,
            error => Self::Failed(error.to_string()),
        }
    }
}

impl fmt::Debug for Indexer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Indexer").field(&self.0.is_some()).finish()
    }
}

impl Default for Indexer {
    fn default() -> Self {
        Self::none()
    }
}

impl Indexer {
    /// Creates an indexer. `build` gets the new mesh and the world as it was before, and returns a world on exactly this mesh:
    /// it must not renumber the polygons. It may leave out the exact tier, which is added afterwards if the world had it.
    pub fn new(
        build: impl Fn(NavMesh, &World, Progress<'_>) -> Result<World, IndexFailure>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self(Some(Arc::new(build)))
    }

    /// Returns the indexer of worlds without an index, which answer queries with A*.
    pub fn none() -> Self {
        Self(None)
    }

    /// Returns whether the indexer can make the index that a world has.
    pub(super) fn is_enough_for(&self, world: &World) -> bool {
        self.0.is_some() || (world.tiers().next().is_none() && world.hierarchy().is_none())
    }

    pub(super) fn build(
        &self,
        mesh: NavMesh,
        before: &World,
        progress: Progress<'_>,
    ) -> Result<World, IndexFailure> {
        match &self.0 {
            Some(build) => build(mesh, before, progress),
            None => {
                let profile = before.default_costs().profile();
                Ok(World::new(mesh, &before.graph().options(), profile)?)
            }
        }
    }
}
