//! What probes compute when it is first asked for.

use std::sync::{Arc, OnceLock};

use super::islands::Islands;
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;
use crate::profile::Prices;

/// What probes compute when it is first asked for, for one profile on one mesh. Opening a world does not wait for
/// it. Clones share what has been computed.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProbeCache {
    islands: OnceLock<Arc<Islands>>,
    user_ids: OnceLock<Arc<Vec<(u64, PolygonId)>>>,
}

impl ProbeCache {
    /// Returns what is reachable from where.
    #[inline]
    pub(super) fn islands(&self, mesh: &NavMesh, prices: &Prices) -> &Islands {
        self.islands
            .get_or_init(|| Arc::new(Islands::new(mesh, prices)))
    }

    /// Returns the user ids of all polygons with the polygons, in ascending order.
    pub(super) fn user_ids(&self, mesh: &NavMesh) -> &[(u64, PolygonId)] {
        self.user_ids.get_or_init(|| {
            let ids = mesh.user_ids().zip(mesh.polygons());
            let ids = ids.filter(|&(_, polygon)| !mesh.is_gone(polygon));
            let mut ids: Vec<_> = ids.collect();
            ids.sort_unstable();
            Arc::new(ids)
        })
    }
}
