//! What a better path costs: time and length of whole queries, by engine and tier.

use portolan_core::{Engine, Path, Samples, Scratch, Tier, World, no_progress};
use portolan_index::{IndexOptions, OrderOptions, build};
use portolan_measure::{mean, percentile, thousandths};

use super::Bench;
use crate::ReportError;
use crate::measure::{Asked, Located, Want};
use crate::model::TradeOffEngine;

/// The samples of what stands in for the optimum.
pub(crate) const DENSE: Samples = Samples::Each(8);

/// The most polygons of a world: such dense samples take time and memory.
const MAX_POLYGONS: usize = 15_000;

impl Bench<'_> {
    /// Whether there is one: of worlds that are not too large; scenes and maps have none.
    pub(super) fn has_trade_off(&self) -> bool {
        self.subject.world.is_some() && self.subject.mesh.polygon_count() <= MAX_POLYGONS
    }

    /// Of a world with all tiers; none where it [has none](Self::has_trade_off).
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

        let asked = engines.map(|engine| Asked {
            engine,
            want: Want::Whole,
        });
        let measured = Located::new(world, &self.queries).measure_asked(&asked, true, self.effort);
        let all = engines.into_iter().zip(lengths).zip(measured);
        let cells = all.map(|((engine, lengths), measured)| {
            let excesses = lengths
                .iter()
                .zip(&shortest)
                .map(|(a, b)| 100.0 * (a / b - 1.0));
            // Where there is no path, or no way to go, there is no excess.
            let excesses: Vec<f64> = excesses.filter(|excess| excess.is_finite()).collect();
            TradeOffEngine {
                engine: engine.to_string(),
                time: measured.timing(),
                mean_percent: thousandths(mean(excesses.iter().copied())),
                p99_percent: thousandths(percentile(&excesses, 0.99)),
                max_percent: thousandths(percentile(&excesses, 1.0)),
            }
        });
        Ok(cells.collect())
    }

    /// Of each query, from above; infinite where there is no path.
    fn lengths_xz(&self, world: &World, engine: Engine) -> Vec<f64> {
        let located = Located::new(world, &self.queries);
        let mut scratch = Scratch::new();
        let numbers = 0..located.ends.len();
        let paths = numbers.map(|number| located.path(number, engine, &mut scratch));
        let length = |path: Path| match path.waypoints.is_empty() {
            true => f64::INFINITY,
            false => path.length_xz(),
        };
        paths.map(length).collect()
    }
}

/// Those that are compared.
fn engines() -> [Engine; 5] {
    let hna = Engine::Hna {
        level: None,
        connect: None,
    };
    let [fast, default, best] = Tier::ALL.map(Engine::Contraction);
    [Engine::AStar, hna, fast, default, best]
}
