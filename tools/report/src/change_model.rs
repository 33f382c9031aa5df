//! The changes of the ground of a report, as `report.json` stores them.

use portolan_measure::UpdateResults;
use serde::{Deserialize, Serialize};

/// Changes of the ground on one navmesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangesCell {
    /// The kind of a generated world, `rooms` or `open`; `None` for a scene or a map.
    pub world: Option<String>,
    /// What `portolan bench --updates --beside` prints. The name is that of the scene.
    pub updates: UpdateResults,
}
