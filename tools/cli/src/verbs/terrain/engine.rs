//! What an engine needs and a `.pter` file does not hold.

use std::time::Instant;

use portolan_index::{OrderOptions, PartitionOptions};
use portolan_terrain::{Terrain, TerrainEngine, TerrainError, order_terrain, partition_terrain};

use crate::args::Common;
use crate::outcome::Failure;
use crate::terminal::spinner;
use crate::verbs::threads;

/// Builds what the engine needs, and says so: it takes longer than a path.
pub(super) fn with_engine(
    terrain: Terrain,
    engine: TerrainEngine,
    common: &Common,
) -> Result<Terrain, Failure> {
    if terrain.check_engine(engine).is_ok() {
        return Ok(terrain);
    }
    let wrong = |error: String| Failure::new(format!("--engine {engine}: {error}"));
    let waiting = spinner(common, format!("building {engine}"));
    let start = Instant::now();
    let built = match engine {
        TerrainEngine::Hna { .. } => {
            // METIS has to run on the main thread.
            let partition = partition_terrain(terrain.graph(), &PartitionOptions::default());
            let partition = partition.map_err(|error| wrong(error.to_string()))?;
            threads(common)?.install(|| terrain.with_hierarchy(partition))
        }
        TerrainEngine::Contraction => threads(common)?.install(|| {
            let order = order_terrain(terrain.graph(), &OrderOptions::default());
            terrain.with_contraction(order.map_err(TerrainError::Order)?)
        }),
        _ => Ok(terrain),
    };
    let terrain = built.map_err(|error| wrong(error.to_string()))?;
    waiting.finish_and_clear();
    // A level that does not exist stays one.
    let ready = terrain.check_engine(engine);
    ready.map_err(|error| Failure::new(format!("--engine: {error}")))?;
    if !common.quiet {
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("portolan: {engine} is not in the file; built in {seconds:.2} s");
    }
    Ok(terrain)
}
