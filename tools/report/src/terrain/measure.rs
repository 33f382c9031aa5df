//! Measures the costs and the search times of paths and waves.

use portolan_measure::{Rounds, mean, percentile, thousandths};

use portolan_terrain::{TerrainPath, TerrainScratch};

use super::built_ground::BuiltGround;
use super::grounds::{Trip, WaveStart};
use super::{PathAnswer, PathCell, TerrainEffort, TerrainVariant, WaveAnswer, WaveCell};
use crate::ReportError;

impl BuiltGround {
    /// Measures one path with every engine.
    pub(super) fn path_cell(
        &self,
        ground: &str,
        trip: &Trip,
        effort: &TerrainEffort,
    ) -> Result<PathCell, ReportError> {
        // A single path takes microseconds, so more rounds than for a wave are cheap.
        let times = self.time(&[trip.endpoints], 5 * effort.rounds);
        let mut scratch = TerrainScratch::new();
        let mut answers = Vec::new();
        for (engine, time_us) in times {
            let mut path = TerrainPath::default();
            self.structures
                .find(engine, trip.endpoints, &mut scratch, &mut path);
            let lengths = self
                .price(trip.endpoints, &path)
                .zip(self.graph().base_lengths(self.web(), &path.triangles));
            let Some((price, base)) = lengths else {
                return Err(ReportError::NoPath {
                    ground: ground.to_owned(),
                    engine: engine.name(),
                    endpoints: trip.endpoints,
                });
            };
            answers.push(PathAnswer {
                engine,
                time_us,
                price,
                xyz: base.xyz,
                xy: base.xy,
                z: base.z,
                triangles: path.triangles,
            });
        }
        Ok(PathCell {
            name: trip.name.to_owned(),
            from: self.position(trip.endpoints[0]),
            to: self.position(trip.endpoints[1]),
            answers,
            pictures: Vec::new(),
        })
    }

    /// Measures a wave with every engine. Also returns the cost per triangle and engine; it is not finite for
    /// a triangle without a path.
    pub(super) fn wave_cell(
        &self,
        start: &WaveStart,
        effort: &TerrainEffort,
    ) -> (WaveCell, Vec<(TerrainVariant, Vec<f64>)>) {
        let from = start.triangle;
        let exact = self.exact_wave(from);
        let reached = (0..self.web().len() as u32).filter(|&to| to != from);
        let targets: Vec<u32> = reached
            .filter(|&to| exact[to as usize].is_finite())
            .collect();
        let pairs: Vec<[u32; 2]> = sample(&targets, effort.timed_targets)
            .map(|to| [from, to])
            .collect();
        let times = self.time(&pairs, effort.rounds);
        let (mut answers, mut waves) = (Vec::new(), Vec::new());
        for (engine, path_us) in times {
            let wave = match engine {
                // A* is exact, so the exact wave has its costs.
                TerrainVariant::Astar => exact.clone(),
                _ => self.wave(engine, from, &targets),
            };
            let all = targets
                .iter()
                .map(|&to| wave[to as usize] / exact[to as usize]);
            let (ratios, missing): (Vec<f64>, Vec<f64>) = all.partition(|ratio| ratio.is_finite());
            answers.push(WaveAnswer {
                engine,
                path_us,
                quartiles: [0.25, 0.5, 0.75, 1.0].map(|rank| percentile(&ratios, rank)),
                min: percentile(&ratios, 0.0),
                mean: mean(ratios.iter().copied()),
                missing: missing.len(),
            });
            waves.push((engine, wave));
        }
        let cell = WaveCell {
            name: start.name.to_owned(),
            from: self.position(from),
            targets: targets.len(),
            timed: pairs.len(),
            answers,
            pictures: Vec::new(),
        };
        (cell, waves)
    }

    /// Returns the lowest cost from a triangle to every other one.
    pub(super) fn exact_wave(&self, from: u32) -> Vec<f64> {
        let mut wave = Vec::new();
        let full = self.structures.of(TerrainVariant::Full);
        full.wave(from, &mut TerrainScratch::new(), &mut wave);
        wave.into_iter().map(f64::from).collect()
    }

    /// Returns the cost of an engine's path to each target; infinite for other triangles and missing paths.
    fn wave(&self, engine: TerrainVariant, from: u32, targets: &[u32]) -> Vec<f64> {
        let mut wave = vec![f64::INFINITY; self.web().len()];
        wave[from as usize] = 0.0;
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        for &to in targets {
            self.structures
                .find(engine, [from, to], &mut scratch, &mut path);
            if let Some(price) = self.price([from, to], &path) {
                wave[to as usize] = price;
            }
        }
        wave
    }

    /// Returns the time per path of each engine: the mean over all pairs of the median of all rounds.
    /// [Units: µs]
    fn time(&self, pairs: &[[u32; 2]], rounds: usize) -> Vec<(TerrainVariant, f64)> {
        let engines = TerrainVariant::ALL;
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        let times = Rounds::by_contender(rounds).mean_micros(engines.len(), pairs.len(), |turn| {
            let engine = engines[turn.contender];
            self.structures
                .find(engine, pairs[turn.query], &mut scratch, &mut path);
            std::hint::black_box(&path);
        });
        let times = times.into_iter().map(thousandths);
        engines.into_iter().zip(times).collect()
    }
}

/// Returns at most `max_count` evenly spaced elements.
pub(super) fn sample(all: &[u32], max_count: usize) -> impl Iterator<Item = u32> {
    let count = all.len().min(max_count.max(1));
    (0..count).map(move |i| all[i * all.len() / count])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_evenly_spaced_and_limited() {
        let all: Vec<u32> = (0..10).collect();
        let take = |max_count| sample(&all, max_count).collect::<Vec<u32>>();
        assert_eq!(take(5), [0, 2, 4, 6, 8]);
        assert_eq!(take(100), all);
        assert_eq!(sample(&[], 3).count(), 0);
    }
}
