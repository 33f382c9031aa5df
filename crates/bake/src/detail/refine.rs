//! Which inner points a surface needs: the worst sample is added until all are near enough.
//!
//! Greedy insertion after Garland and Heckbert, "Fast Polygonal Approximation of Terrains and
//! Height Fields", 1995, their algorithm III: a sample belongs to the triangle that it lies in, and
//! is looked at again only when that triangle changes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::triangulation::Triangulation;

/// Ends a list of samples.
const END: u32 = u32::MAX;

/// Samples by the triangle they lie in; buffers are used again for the next polygon.
#[derive(Debug, Default)]
pub(super) struct Refinement {
    /// Per sample, the next in the same triangle.
    next: Vec<u32>,
    /// Per triangle, its first sample.
    first: Vec<u32>,
    /// Per triangle, its worst sample with the bits of its error, which order as errors do: they
    /// are not negative.
    worst: Vec<(u64, u32)>,
    /// Worst samples by error; of equal ones the first triangle's. Out of date where `worst` says
    /// otherwise.
    queue: BinaryHeap<(u64, Reverse<u32>, u32)>,
    moved: Vec<u32>,
}

impl Refinement {
    /// Adds samples to `surface` until the others are within `tolerance` of it or `most` are added.
    /// `home` names a triangle of each sample.
    pub(super) fn run(
        &mut self,
        surface: &mut Triangulation,
        samples: &[DVec3],
        home: &[u32],
        tolerance: f64,
        most: usize,
    ) {
        self.first.clear();
        self.worst.clear();
        self.queue.clear();
        self.next.clear();
        self.next.resize(samples.len(), END);
        self.grow(surface.len());
        for (sample, &triangle) in home.iter().enumerate() {
            self.put(surface, samples, sample as u32, triangle);
        }
        for triangle in 0..surface.len() as u32 {
            self.enqueue(triangle, tolerance);
        }
        let mut added = 0;
        while added < most
            && let Some((error, Reverse(triangle), sample)) = self.queue.pop()
        {
            if self.worst[triangle as usize] != (error, sample) {
                continue;
            }
            self.take_out(triangle, sample);
            let around = if surface.add(triangle, samples[sample as usize]) {
                added += 1;
                self.grow(surface.len());
                surface.changed()
            } else {
                // No room for it, which rounding alone can bring about; the others stay.
                &[triangle]
            };
            self.collect(around);
            let moved = std::mem::take(&mut self.moved);
            for &sample in &moved {
                let DVec3 { x, z, .. } = samples[sample as usize];
                if let Some((home, _)) = surface.find(x, z, around.iter().copied()) {
                    self.put(surface, samples, sample, home);
                }
            }
            self.moved = moved;
            for &triangle in around {
                self.enqueue(triangle, tolerance);
            }
        }
    }

    fn grow(&mut self, triangles: usize) {
        self.first.resize(triangles, END);
        self.worst.resize(triangles, (0, END));
    }

    fn put(&mut self, surface: &Triangulation, samples: &[DVec3], sample: u32, triangle: u32) {
        let DVec3 { x, y, z } = samples[sample as usize];
        let (_, height) = surface.look(triangle, x, z);
        let error = (y - height).abs().to_bits();
        let slot = triangle as usize;
        self.next[sample as usize] = self.first[slot];
        self.first[slot] = sample;
        let worst = self.worst[slot];
        // Among equals the first sample, so that the order of the lists does not matter.
        if worst.1 == END || error > worst.0 || error == worst.0 && sample < worst.1 {
            self.worst[slot] = (error, sample);
        }
    }

    fn enqueue(&mut self, triangle: u32, tolerance: f64) {
        let (error, sample) = self.worst[triangle as usize];
        if sample != END && f64::from_bits(error) > tolerance {
            self.queue.push((error, Reverse(triangle), sample));
        }
    }

    fn take_out(&mut self, triangle: u32, sample: u32) {
        let after = self.next[sample as usize];
        let mut at = self.first[triangle as usize];
        if at == sample {
            self.first[triangle as usize] = after;
        }
        while at != END {
            let next = self.next[at as usize];
            if next == sample {
                self.next[at as usize] = after;
            }
            at = next;
        }
    }

    /// Empties the lists of some triangles into `moved`.
    fn collect(&mut self, triangles: &[u32]) {
        self.moved.clear();
        for &triangle in triangles {
            let mut at = std::mem::replace(&mut self.first[triangle as usize], END);
            self.worst[triangle as usize] = (0, END);
            while at != END {
                self.moved.push(at);
                at = self.next[at as usize];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: f64) -> [DVec3; 4] {
        [[0.0, 0.0], [0.0, side], [side, side], [side, 0.0]].map(|[x, z]| DVec3::new(x, 0.0, z))
    }

    fn samples(side: u32) -> Vec<DVec3> {
        let mut random = oorandom::Rand64::new(8);
        (1..side)
            .flat_map(|z| (1..side).map(move |x| (x, z)))
            .map(|(x, z)| DVec3::new(x.into(), 5.0 * random.rand_float(), z.into()))
            .collect()
    }

    fn run(samples: &[DVec3], side: u32, tolerance: f64, most: usize) -> Triangulation {
        let mut surface = Triangulation::default();
        surface.start(&square(side.into())).unwrap();
        let find = |sample: &DVec3| surface.find(sample.x, sample.z, 0..surface.len() as u32);
        let home: Vec<u32> = samples.iter().map(|s| find(s).unwrap().0).collect();
        Refinement::default().run(&mut surface, samples, &home, tolerance, most);
        surface
    }

    #[test]
    fn all_samples_are_near_in_the_end() {
        for tolerance in [0.0, 0.5, 2.0, 5.0] {
            let samples = samples(20);
            let surface = run(&samples, 20, tolerance, usize::MAX);
            for sample in &samples {
                let all = 0..surface.len() as u32;
                let (_, height) = surface.find(sample.x, sample.z, all).unwrap();
                assert!((height - sample.y).abs() <= tolerance + 1e-9);
            }
            let added = surface.points().len() - 4;
            assert_eq!(added == 0, tolerance == 5.0, "{added} at {tolerance}");
        }
    }

    #[test]
    fn no_more_points_are_added_than_allowed() {
        assert_eq!(run(&samples(20), 20, 0.0, 7).points().len(), 4 + 7);
    }
}
