//! Who finds ways over ground.

use std::time::Instant;

use portolan_index::{OrderOptions, PartitionOptions};
use portolan_terrain::order_terrain;
use portolan_terrain::partition_terrain;
use portolan_terrain::{LowContraction, LowHna, LowScratch, MeshEngine, Terrain, TerrainScratch};

use crate::args::{Common, GroundEngine};
use crate::outcome::Failure;
use crate::terminal::spinner;
use crate::verbs::threads;

/// An engine that is ready to be asked. Shared by threads; each has a scratch of its own.
pub(super) struct Finder<'a> {
    terrain: &'a Terrain,
    engine: Ready,
}

enum Ready {
    OfFile(MeshEngine),
    Hna(LowHna),
    Contraction(Box<LowContraction>),
}

/// Memory of queries.
#[derive(Default)]
pub(super) struct FinderScratch {
    whole: TerrainScratch,
    low: LowScratch,
}

impl<'a> Finder<'a> {
    /// Makes what the engine needs and the file does not hold, and says so: it takes longer than a path.
    pub(super) fn new(
        terrain: &'a Terrain,
        engine: GroundEngine,
        common: &Common,
    ) -> Result<Self, Failure> {
        let ready = match engine {
            GroundEngine::Mesh => Ready::OfFile(MeshEngine::Mesh),
            GroundEngine::Astar => Ready::OfFile(MeshEngine::Astar),
            GroundEngine::Dijkstra => Ready::OfFile(MeshEngine::Dijkstra),
            GroundEngine::Hna | GroundEngine::Contraction => {
                let waiting = spinner(common, format!("building {}", engine.name()));
                let start = Instant::now();
                let ready = match engine {
                    GroundEngine::Hna => Ready::Hna(hna(terrain, common)?),
                    _ => Ready::Contraction(Box::new(contraction(terrain, common)?)),
                };
                waiting.finish_and_clear();
                if !common.quiet {
                    eprintln!(
                        "portolan: {} is not in the file; built in {:.2} s",
                        engine.name(),
                        start.elapsed().as_secs_f64()
                    );
                }
                ready
            }
        };
        Ok(Self {
            terrain,
            engine: ready,
        })
    }

    /// The way from one triangle to another, and its price.
    pub(super) fn find(
        &self,
        ends: [u32; 2],
        scratch: &mut FinderScratch,
        path: &mut Vec<u32>,
    ) -> Option<f64> {
        let FinderScratch { whole, low } = scratch;
        let graph = self.terrain.graph();
        match &self.engine {
            Ready::OfFile(engine) => self.terrain.find(*engine, ends, whole, path),
            Ready::Hna(hna) => hna.find(graph, ends, None, low, path).map(f64::from),
            Ready::Contraction(contraction) => {
                let [from, to] = ends;
                contraction.find(from, to, low, path).map(f64::from)
            }
        }
    }
}

fn hna(terrain: &Terrain, common: &Common) -> Result<LowHna, Failure> {
    let graph = terrain.graph();
    // METIS has to run on the main thread.
    let partition = partition_terrain(graph, &PartitionOptions::default());
    let partition = partition.map_err(|error| Failure::new(format!("--engine hna: {error}")))?;
    let hna = threads(common)?.install(|| LowHna::new(graph, partition));
    hna.map_err(|error| Failure::new(format!("--engine hna: {error}")))
}

fn contraction(terrain: &Terrain, common: &Common) -> Result<LowContraction, Failure> {
    let graph = terrain.graph();
    threads(common)?
        .install(|| {
            let order = order_terrain(graph, &OrderOptions::default())?;
            Ok(LowContraction::new(graph, order))
        })
        .map_err(|error: portolan_index::IndexError| {
            Failure::new(format!("--engine contraction: {error}"))
        })
}
