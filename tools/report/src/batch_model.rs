//! The batches of a report, as `report.json` stores them.

use serde::{Deserialize, Serialize};

/// The times of batches of agents on one scene. Batches run on all threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchCell {
    /// The name of the scene.
    pub scene: String,
    /// The number of polygons.
    pub polygons: usize,
    /// The merge factor of the hierarchy.
    pub mu: u32,
    /// The level that HNA* and PCCP search.
    pub level: u8,
    /// The engines, with A* first.
    pub engines: Vec<BatchEngine>,
}

/// One engine of a [`BatchCell`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchEngine {
    /// The name of the engine.
    pub engine: String,
    /// What the batch returns: `corridor`, `next` or `portal`.
    pub want: String,
    /// The memory that the engine needs in addition to the navmesh and its graph. [Units: bytes]
    pub bytes: usize,
    /// The largest number of agents of a measured batch of at most 40 ms; 0 if there is none.
    pub frame_agents: usize,
    /// The number of agents whose costs were compared with those of single queries.
    pub checked: usize,
    /// The number of agents whose costs differ.
    pub mismatches: usize,
    /// The batches, by ascending number of agents.
    pub batches: Vec<BatchTime>,
}

/// The time of one batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchTime {
    /// The number of agents.
    pub agents: usize,
    /// The time of the fastest run. [Units: ms]
    pub ms: f64,
    /// The number of runs.
    pub runs: usize,
    /// The size of the arrays that were returned. [Units: bytes]
    pub answer_bytes: usize,
}

impl BatchCell {
    /// Returns the parallel A*.
    pub(crate) fn astar(&self) -> Option<&BatchEngine> {
        self.engines.iter().find(|engine| engine.engine == "astar")
    }

    /// Returns the engines that return corridors.
    pub(crate) fn corridors(&self) -> impl Iterator<Item = &BatchEngine> {
        let engines = self.engines.iter();
        engines.filter(|engine| engine.want == "corridor")
    }

    /// Returns the number of agents and the speed-up over A*, for each batch that both answered.
    pub(crate) fn speed_ups(&self, engine: &BatchEngine) -> Vec<[f64; 2]> {
        let of_astar = self.astar().map_or(&[][..], |astar| &astar.batches);
        let pairs = engine.batches.iter().filter_map(|batch| {
            let astar = of_astar.iter().find(|astar| astar.agents == batch.agents)?;
            Some([batch.agents as f64, astar.ms / batch.ms.max(1e-6)])
        });
        pairs.collect()
    }

    /// Returns the mean of the [speed-ups](Self::speed_ups).
    pub(crate) fn mean_speed_up(&self, engine: &BatchEngine) -> Option<f64> {
        let gains = self.speed_ups(engine);
        let mean = portolan_measure::mean(gains.iter().map(|gain| gain[1]));
        (!gains.is_empty()).then_some(mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(engine: &str, times: &[(usize, f64)]) -> BatchEngine {
        let batch = |&(agents, ms): &(usize, f64)| BatchTime {
            agents,
            ms,
            runs: 1,
            answer_bytes: 0,
        };
        BatchEngine {
            engine: engine.to_owned(),
            want: "corridor".to_owned(),
            bytes: 0,
            frame_agents: 0,
            checked: 0,
            mismatches: 0,
            batches: times.iter().map(batch).collect(),
        }
    }

    #[test]
    fn speed_ups_end_where_astar_ends() {
        let pccp = engine("pccp:2", &[(10, 1.0), (20, 4.0), (40, 9.0)]);
        let cell = BatchCell {
            scene: "simple".to_owned(),
            polygons: 10,
            mu: 10,
            level: 2,
            engines: vec![engine("astar", &[(10, 4.0), (20, 8.0)]), pccp.clone()],
        };
        assert_eq!(cell.speed_ups(&pccp), [[10.0, 4.0], [20.0, 2.0]]);
        assert_eq!(cell.mean_speed_up(&pccp), Some(3.0));
        assert_eq!(cell.mean_speed_up(&engine("auto", &[(40, 1.0)])), None);
    }
}
