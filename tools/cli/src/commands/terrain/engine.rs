//! Builds the parts of engines that a `.pter` file does not have.

use std::time::Instant;

use portolan_index::PartitionOptions;
use portolan_terrain::{Terrain, TerrainEngine, order_by_position, partition_terrain};

use crate::args::Common;
use crate::commands::threads;
use crate::outcome::Failure;
use crate::terminal::spinner;

/// Builds the parts that the engine needs and the terrain lacks. Prints the time, because it is longer than
/// that of a query.
pub(super) fn with_engine(
    terrain: Terrain,
    engine: TerrainEngine,
    common: &Common,
) -> Result<Terrain, Failure> {
    if terrain.check_engine(engine).is_ok() {
        return Ok(terrain);
    }
    let failure = |error: String| Failure::new(format!("--engine {engine}: {error}"));
    let waiting = spinner(common, format!("building {engine}"));
    let start = Instant::now();
    let built = match engine {
        TerrainEngine::Hna { .. } => {
            // METIS has to run on the main thread.
            let partition = partition_terrain(terrain.graph(), &PartitionOptions::default());
            let partition = partition.map_err(|error| failure(error.to_string()))?;
            threads(common)?.install(|| terrain.with_hierarchy(partition))
        }
        TerrainEngine::Contraction => threads(common)?.install(|| {
            let order = order_by_position(terrain.graph());
            terrain.with_contraction(order)
        }),
        _ => Ok(terrain),
    };
    let terrain = built.map_err(|error| failure(error.to_string()))?;
    waiting.finish_and_clear();
    // The selected level may still not exist.
    let checked = terrain.check_engine(engine);
    checked.map_err(|error| Failure::new(format!("--engine: {error}")))?;
    if !common.quiet {
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("portolan: the file does not store {engine}; built it in {seconds:.2} s");
    }
    Ok(terrain)
}
