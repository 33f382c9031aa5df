//! Selects islands, for commands that write navmeshes.

use std::path::Path;

use portolan_core::{KeepComponents, NavMesh, NavMeshError, NavMeshOptions};

use crate::args::Islands;
use crate::outcome::Failure;

/// Returns the mesh with only those islands that the options select. `file` is its source, for errors.
pub(super) fn keep_islands(
    full_mesh: &NavMesh,
    islands: &Islands,
    options: &NavMeshOptions,
    file: &Path,
) -> Result<NavMesh, Failure> {
    if islands.min_component <= 1 && islands.holding.is_empty() {
        return Ok(full_mesh.clone());
    }
    for &point in &islands.holding {
        if full_mesh
            .locate(point, portolan_core::DEFAULT_SNAP, |_| true)
            .is_none()
        {
            return Err(Failure::new(format!(
                "{}: there is no ground near --holding {},{},{}",
                file.display(),
                point.x,
                point.y,
                point.z
            )));
        }
    }
    let keep = KeepComponents {
        min_polygons: islands.min_component,
        holding: islands.holding.clone(),
    };
    full_mesh
        .keep_components(&keep, options)
        .map_err(|error| match error {
            NavMeshError::Empty { .. } => Failure::new(format!(
                "{}: no island would be left: {} fewer than {} polygons; lower --min-component",
                file.display(),
                if islands.holding.is_empty() {
                    "all have"
                } else {
                    "those of --holding have"
                },
                islands.min_component
            )),
            error => Failure::navmesh(file, &error),
        })
}
