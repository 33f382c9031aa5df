//! Measures the time and the path length of full queries, per engine and quality tier.

use portolan_core::{Engine, Path, Samples, Scratch, Tier, World, no_progress};
use portolan_index::{IndexOptions, OrderOptions, build};
use portolan_measure::{mean, percentile, thousandths};

use super::SceneBench;
use crate::ReportError;
use crate::measure::{LocatedQueries, TimedRequest, TimedScope};
use crate::model::TradeOffEngine;

/// The samples per portal of the reference, which replaces the unknown optimum.
pub(crate) const DENSE: Samples = Samples::Each(8);

/// The maximum number of polygons: the dense reference takes much time and memory.
const MAX_POLYGONS: usize = 15_000;

impl SceneBench<'_> {
    /// Returns whether the trade-off is measured: on generated worlds up to a limit, not on scenes and maps.
    pub(super) fn has_trade_off(&self) -> bool {
        self.loaded.world.is_some() && self.loaded.mesh.polygon_count() <= MAX_POLYGONS
    }

    /// Measures the engines on a world with all tiers. The result is empty if
    /// [`has_trade_off`](Self::has_trade_off) is false.
    pub(super) fn trade_off(&self, world: &World) -> Result<Vec<TradeOffEngine>, ReportError> {
        if !self.has_trade_off() {
            return Ok(Vec::new());
        }
        let options = IndexOptions {
            tiers: vec![Tier::Best],
            samples: [(Tier::Best, DENSE)].into(),
            order: OrderOptions {
                seed: self.effort.seed,
                ..OrderOptions::default()
            },
            ..IndexOptions::default()
        };
        let dense = build(world.mesh().clone(), &options, &no_progress);
        let dense = dense.map_err(|error| ReportError::Order {
            scene: self.scene(),
            error,
        })?;

        let engines = engines();
        let mut shortest = self.lengths_xz(&dense, Engine::Contraction(Tier::Best));
        let lengths = engines.map(|engine| self.lengths_xz(world, engine));
        for lengths in &lengths {
            for (shortest, &length) in shortest.iter_mut().zip(lengths) {
                *shortest = shortest.min(length);
            }
        }

        let requests = engines.map(|engine| TimedRequest {
            engine,
            scope: TimedScope::FullQuery,
        });
        let located = LocatedQueries::new(world, &self.queries);
        let times = located.measure_requests(&requests, true, self.effort);
        let all = engines.into_iter().zip(lengths).zip(times);
        let cells = all.map(|((engine, lengths), times)| {
            let excesses = lengths
                .iter()
                .zip(&shortest)
                .map(|(a, b)| 100.0 * (a / b - 1.0));
            // A query without a path, or with a path of length 0, has no excess.
            let excesses: Vec<f64> = excesses.filter(|excess| excess.is_finite()).collect();
            TradeOffEngine {
                engine: engine.to_string(),
                time: times.timing(),
                mean_percent: thousandths(mean(excesses.iter().copied())),
                p99_percent: thousandths(percentile(&excesses, 0.99)),
                max_percent: thousandths(percentile(&excesses, 1.0)),
            }
        });
        Ok(cells.collect())
    }

    /// Returns the path length in the (x, z) plane per query; infinite if there is no path.
    fn lengths_xz(&self, world: &World, engine: Engine) -> Vec<f64> {
        let located = LocatedQueries::new(world, &self.queries);
        let mut scratch = Scratch::new();
        let numbers = 0..located.endpoints.len();
        let paths = numbers.map(|number| located.path(number, engine, &mut scratch));
        let length = |path: Path| match path.waypoints.is_empty() {
            true => f64::INFINITY,
            false => path.length_xz(),
        };
        paths.map(length).collect()
    }
}

/// Returns the engines that are compared.
fn engines() -> [Engine; 5] {
    let hna = Engine::Hna {
        level: None,
        connect: None,
    };
    let [fast, default, best] = Tier::CONTRACTED.map(Engine::Contraction);
    [Engine::AStar, hna, fast, default, best]
}
