//! Islands that stay, for verbs that make navmeshes.

use std::path::Path;

use portolan_core::{KeepComponents, NavMesh, NavMeshError, NavMeshOptions};

use crate::args::Islands;
use crate::outcome::Failure;

/// The mesh without the islands that the user does not want. `file` is where it came from.
pub(super) fn keep_islands(
    whole: &NavMesh,
    islands: &Islands,
    options: &NavMeshOptions,
    file: &Path,
) -> Result<NavMesh, Failure> {
    if islands.min_component <= 1 && islands.holding.is_empty() {
        return Ok(whole.clone());
    }
    for &place in &islands.holding {
        if whole
            .locate(place, portolan_core::DEFAULT_SNAP, |_| true)
            .is_none()
        {
            return Err(Failure::new(format!(
                "{}: there is no ground near --holding {},{},{}",
                file.display(),
                place.x,
                place.y,
                place.z
            )));
        }
    }
    let keep = KeepComponents {
        min_polygons: islands.min_component,
        holding: islands.holding.clone(),
    };
    whole
        .keep_components(&keep, options)
        .map_err(|error| match error {
            NavMeshError::Empty { .. } => Failure::new(format!(
                "{}: nothing would be left: the islands {} have fewer than {} polygons",
                file.display(),
                if islands.holding.is_empty() {
                    "all"
                } else {
                    "of --holding"
                },
                islands.min_component
            )),
            error => Failure::navmesh(file, &error),
        })
}
