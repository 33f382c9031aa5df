//! Times HNA* on balanced and on random partitions.

use portolan_core::{Engine, Level, Scratch};
use portolan_index::Weights;
use portolan_measure::thousandths;

use super::grid::{engine, inter_edges_mean};
use super::{IndexSettings, SceneBench, WEIGHTS_AT};
use crate::ReportError;
use crate::measure::LocatedQueries;
use crate::model::{WeightsCell, WeightsCells};

/// The partition weights and their names in the report.
pub(crate) const WEIGHTS: [(&str, Weights); 3] = [
    ("balanced", Weights::Balanced),
    ("random nodes", Weights::RandomNodes),
    ("random edges", Weights::RandomEdges),
];

impl SceneBench<'_> {
    pub(super) fn weights(&self) -> Result<WeightsCells, ReportError> {
        let (mu, level) = WEIGHTS_AT;
        let mut cells = Vec::new();
        for (name, weights) in WEIGHTS {
            let index = IndexSettings::new(mu, level.into()).without_tables();
            let world = self.world(IndexSettings { weights, ..index })?;
            let Some(hierarchy) = world.hierarchy().filter(|h| h.top() > Level(0)) else {
                continue;
            };
            let level = hierarchy.top();
            let located = LocatedQueries::new(&world, &self.queries);
            let times = located.measure(&[engine("astar", level)], self.effort);
            let times = &times[0];
            let mut scratch = Scratch::new();
            let points = times.totals_us().enumerate().map(|(i, micros)| {
                let length = located.path(i, Engine::AStar, &mut scratch).length();
                [thousandths(length), thousandths(micros)]
            });
            let points = points.collect();
            let statistics = hierarchy.partition().statistics(world.mesh());
            let statistics = &statistics[usize::from(level.0) - 1];
            cells.push(WeightsCell {
                scene: self.scene(),
                mu,
                level: level.0,
                weights: name.to_owned(),
                nodes: statistics.nodes,
                balance: thousandths(statistics.balance()),
                inter_edges_mean: thousandths(inter_edges_mean(statistics)),
                inter_edges_max: statistics.inter_edges.max,
                time: times.timing(),
                points,
            });
        }
        Ok(WeightsCells { cells })
    }
}
