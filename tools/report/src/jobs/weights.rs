//! Balanced partitions against random ones.

use portolan_core::{Engine, Level, Scratch};
use portolan_index::Weights;
use portolan_measure::thousandths;

use super::grid::{engine, inter_edges_mean};
use super::{Bench, Index, WEIGHTS_AT};
use crate::ReportError;
use crate::measure::Located;
use crate::model::{WeightsCell, WeightsCells};

/// Weights by their names in the report.
pub(crate) const WEIGHTS: [(&str, Weights); 3] = [
    ("balanced", Weights::Balanced),
    ("random nodes", Weights::RandomNodes),
    ("random edges", Weights::RandomEdges),
];

impl Bench<'_> {
    pub(super) fn weights(&self) -> Result<WeightsCells, ReportError> {
        let (mu, level) = WEIGHTS_AT;
        let mut cells = Vec::new();
        for (name, weights) in WEIGHTS {
            let index = Index::new(mu, level.into()).without_tables();
            let world = self.world(Index { weights, ..index })?;
            let Some(hierarchy) = world.hierarchy().filter(|h| h.top() > Level(0)) else {
                continue;
            };
            let level = hierarchy.top();
            let located = Located::new(&world, &self.queries);
            let measured = located.measure(&[engine("astar", level)], self.effort);
            let measured = &measured[0];
            let mut scratch = Scratch::new();
            let points = measured.totals_us().enumerate().map(|(i, micros)| {
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
                time: measured.timing(),
                points,
            });
        }
        Ok(WeightsCells { cells })
    }
}
