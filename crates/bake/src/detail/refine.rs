//! Adds the sample with the largest error to a surface until all samples are within the tolerance.
//!
//! This is the greedy insertion of Garland and Heckbert, "Fast Polygonal Approximation of Terrains and
//! Height Fields", 1995, algorithm III. Each sample belongs to the triangle that contains it, and its
//! error is computed again only when that triangle changes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::triangulation::Triangulation;

/// The end of a list of samples.
const NO_SAMPLE: u32 = u32::MAX;

/// The samples of each triangle in linked lists. The buffers are reused for the next polygon.
#[derive(Debug, Default)]
pub(super) struct Refinement {
    /// Per sample, the next sample in the same triangle.
    next: Vec<u32>,
    /// Per triangle, its first sample.
    first: Vec<u32>,
    /// Per triangle, the bits of the largest error and the sample with it. The bits of numbers that are not
    /// negative have the same order as the numbers.
    worst: Vec<(u64, u32)>,
    /// The worst samples of triangles, ordered by error and then by triangle. An entry that differs from
    /// `worst` is out of date.
    queue: BinaryHeap<(u64, Reverse<u32>, u32)>,
    moved: Vec<u32>,
}

impl Refinement {
    /// Adds samples to `surface` until the others are within `tolerance` of it or `max_points` are added.
    /// `triangle_of` is a triangle that contains each sample.
    pub(super) fn run(
        &mut self,
        surface: &mut Triangulation,
        samples: &[DVec3],
        triangle_of: &[u32],
        tolerance: f64,
        max_points: usize,
    ) {
        self.first.clear();
        self.worst.clear();
        self.queue.clear();
        self.next.clear();
        self.next.resize(samples.len(), NO_SAMPLE);
        self.grow(surface.len());
        for (sample, &triangle) in triangle_of.iter().enumerate() {
            self.insert(surface, samples, sample as u32, triangle);
        }
        for triangle in 0..surface.len() as u32 {
            self.enqueue(triangle, tolerance);
        }
        let mut added = 0;
        while added < max_points
            && let Some((error, Reverse(triangle), sample)) = self.queue.pop()
        {
            if self.worst[triangle as usize] != (error, sample) {
                continue;
            }
            self.remove(triangle, sample);
            let changed = if surface.add(triangle, samples[sample as usize]) {
                added += 1;
                self.grow(surface.len());
                surface.changed()
            } else {
                // Rounding errors leave no room for this sample; the others stay.
                &[triangle]
            };
            self.drain_samples(changed);
            let moved = std::mem::take(&mut self.moved);
            for &sample in &moved {
                let DVec3 { x, z, .. } = samples[sample as usize];
                if let Some((triangle, _)) = surface.find(x, z, changed.iter().copied()) {
                    self.insert(surface, samples, sample, triangle);
                }
            }
            self.moved = moved;
            for &triangle in changed {
                self.enqueue(triangle, tolerance);
            }
        }
    }

    fn grow(&mut self, triangles: usize) {
        self.first.resize(triangles, NO_SAMPLE);
        self.worst.resize(triangles, (0, NO_SAMPLE));
    }

    fn insert(&mut self, surface: &Triangulation, samples: &[DVec3], sample: u32, triangle: u32) {
        let DVec3 { x, y, z } = samples[sample as usize];
        let (_, height) = surface.weight_and_height(triangle, x, z);
        let error = (y - height).abs().to_bits();
        let index = triangle as usize;
        self.next[sample as usize] = self.first[index];
        self.first[index] = sample;
        let worst = self.worst[index];
        // Of equal errors, the first sample counts, so the order of the lists does not matter.
        if worst.1 == NO_SAMPLE || error > worst.0 || error == worst.0 && sample < worst.1 {
            self.worst[index] = (error, sample);
        }
    }

    fn enqueue(&mut self, triangle: u32, tolerance: f64) {
        let (error, sample) = self.worst[triangle as usize];
        if sample != NO_SAMPLE && f64::from_bits(error) > tolerance {
            self.queue.push((error, Reverse(triangle), sample));
        }
    }

    fn remove(&mut self, triangle: u32, sample: u32) {
        let after = self.next[sample as usize];
        let mut at = self.first[triangle as usize];
        if at == sample {
            self.first[triangle as usize] = after;
        }
        while at != NO_SAMPLE {
            let next = self.next[at as usize];
            if next == sample {
                self.next[at as usize] = after;
            }
            at = next;
        }
    }

    /// Moves all samples of some triangles to `moved`.
    fn drain_samples(&mut self, triangles: &[u32]) {
        self.moved.clear();
        for &triangle in triangles {
            let mut at = std::mem::replace(&mut self.first[triangle as usize], NO_SAMPLE);
            self.worst[triangle as usize] = (0, NO_SAMPLE);
            while at != NO_SAMPLE {
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
        let mut rng = oorandom::Rand64::new(8);
        (1..side)
            .flat_map(|z| (1..side).map(move |x| (x, z)))
            .map(|(x, z)| DVec3::new(x.into(), 5.0 * rng.rand_float(), z.into()))
            .collect()
    }

    fn run(samples: &[DVec3], side: u32, tolerance: f64, max_points: usize) -> Triangulation {
        let mut surface = Triangulation::default();
        surface.start(&square(side.into())).unwrap();
        let find = |sample: &DVec3| surface.find(sample.x, sample.z, 0..surface.len() as u32);
        let triangle_of: Vec<u32> = samples.iter().map(|s| find(s).unwrap().0).collect();
        Refinement::default().run(&mut surface, samples, &triangle_of, tolerance, max_points);
        surface
    }

    #[test]
    fn all_samples_end_up_within_the_tolerance() {
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
    fn the_number_of_points_is_limited() {
        assert_eq!(run(&samples(20), 20, 0.0, 7).points().len(), 4 + 7);
    }
}
