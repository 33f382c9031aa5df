//! Paths and waves: what they cost, and what finding them takes.

use portolan_measure::{Rounds, mean, percentile, thousandths};

use portolan_terrain::{TerrainPath, TerrainScratch};

use super::grounds::{Source, Trip};
use super::subject::Subject;
use super::{PathAnswer, PathCell, TerrainEffort, TerrainVariant, WaveAnswer, WaveCell};
use crate::ReportError;

impl Subject {
    /// One path by every engine.
    pub(super) fn path_cell(
        &self,
        ground: &str,
        trip: &Trip,
        effort: &TerrainEffort,
    ) -> Result<PathCell, ReportError> {
        // A single path takes microseconds: more rounds than a wave has cost nothing.
        let times = self.time(&[trip.ends], 5 * effort.rounds);
        let mut scratch = TerrainScratch::new();
        let mut answers = Vec::new();
        for (engine, time_us) in times {
            let mut path = TerrainPath::default();
            self.structures
                .find(engine, trip.ends, &mut scratch, &mut path);
            let lengths = self
                .price(trip.ends, &path)
                .zip(self.graph().base_lengths(self.web(), &path.triangles));
            let Some((price, base)) = lengths else {
                return Err(ReportError::NoPath {
                    ground: ground.to_owned(),
                    engine: engine.name(),
                    ends: trip.ends,
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
            from: self.place(trip.ends[0]),
            to: self.place(trip.ends[1]),
            answers,
            pictures: Vec::new(),
        })
    }

    /// A wave by every engine; and what each place costs by each of them, not finite where there is no
    /// way.
    pub(super) fn wave_cell(
        &self,
        source: &Source,
        effort: &TerrainEffort,
    ) -> (WaveCell, Vec<(TerrainVariant, Vec<f64>)>) {
        let from = source.triangle;
        let exact = self.exact_wave(from);
        let reached = (0..self.web().len() as u32).filter(|&to| to != from);
        let targets: Vec<u32> = reached
            .filter(|&to| exact[to as usize].is_finite())
            .collect();
        let ends: Vec<[u32; 2]> = sample(&targets, effort.timed_targets)
            .map(|to| [from, to])
            .collect();
        let times = self.time(&ends, effort.rounds);
        let (mut answers, mut waves) = (Vec::new(), Vec::new());
        for (engine, path_us) in times {
            let wave = match engine {
                // Every A* would say the same.
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
                quartiles: [0.25, 0.5, 0.75, 1.0].map(|share| percentile(&ratios, share)),
                least: percentile(&ratios, 0.0),
                mean: mean(ratios.iter().copied()),
                missing: missing.len(),
            });
            waves.push((engine, wave));
        }
        let cell = WaveCell {
            name: source.name.to_owned(),
            from: self.place(from),
            targets: targets.len(),
            timed: ends.len(),
            answers,
            pictures: Vec::new(),
        };
        (cell, waves)
    }

    /// What it costs at least to get everywhere.
    pub(super) fn exact_wave(&self, from: u32) -> Vec<f64> {
        let mut wave = Vec::new();
        let full = self.structures.of(TerrainVariant::Full);
        full.wave(from, &mut TerrainScratch::new(), &mut wave);
        wave.into_iter().map(f64::from).collect()
    }

    /// What it costs an engine to get to some triangles.
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

    /// Microseconds that a path takes each engine: the mean over the paths of the median of all rounds.
    fn time(&self, ends: &[[u32; 2]], rounds: usize) -> Vec<(TerrainVariant, f64)> {
        let engines = TerrainVariant::ALL;
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        let times = Rounds::by_contender(rounds).mean_micros(engines.len(), ends.len(), |turn| {
            let engine = engines[turn.contender];
            self.structures
                .find(engine, ends[turn.query], &mut scratch, &mut path);
            std::hint::black_box(&path);
        });
        let times = times.into_iter().map(thousandths);
        engines.into_iter().zip(times).collect()
    }
}

/// So many at most, evenly from all.
pub(super) fn sample(all: &[u32], most: usize) -> impl Iterator<Item = u32> {
    let count = all.len().min(most.max(1));
    (0..count).map(move |place| all[place * all.len() / count])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_even_and_no_more_than_there_are() {
        let all: Vec<u32> = (0..10).collect();
        let take = |most| sample(&all, most).collect::<Vec<u32>>();
        assert_eq!(take(5), [0, 2, 4, 6, 8]);
        assert_eq!(take(100), all);
        assert_eq!(sample(&[], 3).count(), 0);
    }
}
