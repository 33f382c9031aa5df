//! Distances of floors from walls and ledges: the erosion by the agent's radius, and the distance field
//! that regions grow in.
//!
//! A step to a neighbour counts 2 and a diagonal step 3. As in Recast, distances are found in two passes
//! over all floors, one in each direction. Bands of rows are processed in parallel, as if the rows beside
//! the band did not exist. Then the distances that the neighbouring band makes shorter are corrected row by
//! row, until a row has none. Distances within a level are short, so few rows are corrected.

use std::ops::Range;

use rayon::prelude::*;
use rerecast::AreaType;

use crate::open::{NO_NEIGHBOUR, OpenField};

/// Number of floors that one thread smooths at a time.
const CHUNK: usize = 1 << 13;

/// Approximate number of floors of a band. Smaller bands need more corrections. A tile of 256 x 256 cells is
/// a single band, because tiles run in parallel anyway.
const BAND_FLOORS: usize = 1 << 16;

/// Minimum number of rows of a band.
const MIN_BAND_ROWS: usize = 64;

/// A direction, and the direction of the diagonal step after it.
type Steps = [(usize, usize); 2];

/// The steps to floors before a floor, in the order of floors: -x then -z, and -z then +x.
const BACKWARD: Steps = [(0, 3), (3, 2)];
/// The steps to floors after a floor: +x then +z, and +z then -x.
const FORWARD: Steps = [(2, 1), (1, 0)];

impl OpenField {
    /// Makes floors unwalkable that are closer than `radius` cells to a wall or a ledge.
    pub(crate) fn erode(&mut self, radius: u16) {
        let areas = &self.compact.areas;
        let distances = self.distances(|floor, neighbours| {
            let is_walkable = |at: u32| at != NO_NEIGHBOUR && areas[at as usize].is_walkable();
            !areas[floor].is_walkable() || !neighbours.iter().all(|&at| is_walkable(at))
        });
        for (area, distance) in self.compact.areas.iter_mut().zip(distances) {
            if distance < radius.saturating_mul(2) {
                *area = AreaType::NOT_WALKABLE;
            }
        }
    }

    /// Computes the distance of each floor from the border of its area, smoothed over the floors around it.
    pub(crate) fn build_distance_field(&mut self) {
        let areas = &self.compact.areas;
        let distances = self.distances(|floor, neighbours| {
            let is_same = |at: u32| at != NO_NEIGHBOUR && areas[at as usize] == areas[floor];
            !neighbours.iter().all(|&at| is_same(at))
        });
        self.compact.max_distance = distances.iter().copied().max().unwrap_or(0);
        self.compact.dist = self.smooth(&distances);
    }

    /// Returns the distance of each floor from the nearest one for which `is_border` is true.
    fn distances(&self, is_border: impl Fn(usize, &[u32; 4]) -> bool + Sync) -> Vec<u16> {
        let mut distances = vec![0; self.neighbours.len()];
        self.in_bands(&mut distances, |band, distances| {
            for (floor, distance) in band.clone().zip(distances.iter_mut()) {
                let is_zero = is_border(floor, &self.neighbours[floor]);
                *distance = if is_zero { 0 } else { u16::MAX };
            }
            for floor in band.clone() {
                self.shorten(distances, band.start, floor, BACKWARD);
            }
        });
        self.correct(&mut distances, BACKWARD);
        self.in_bands(&mut distances, |band, distances| {
            for floor in band.clone().rev() {
                self.shorten(distances, band.start, floor, FORWARD);
            }
        });
        self.correct(&mut distances, FORWARD);
        distances
    }

    /// Returns the first row of each band.
    fn band_starts(&self) -> impl DoubleEndedIterator<Item = usize> {
        let rows = self.row_starts.len() - 1;
        let bands = self.neighbours.len().div_ceil(BAND_FLOORS).max(1);
        let band_rows = rows.div_ceil(bands).max(MIN_BAND_ROWS);
        (0..rows.div_ceil(band_rows)).map(move |band| band * band_rows)
    }

    /// Calls `visit` for each band of rows, in parallel, with the indices of its floors and their part of
    /// `values`.
    fn in_bands<T: Send>(&self, values: &mut [T], visit: impl Fn(Range<usize>, &mut [T]) + Sync) {
        let mut bands = Vec::new();
        let mut rest = values;
        let starts: Vec<usize> = self.band_starts().collect();
        for (index, &start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied();
            let end = end.unwrap_or(self.row_starts.len() - 1);
            let band = self.row_starts[start]..self.row_starts[end];
            let (values, after) = rest.split_at_mut(band.len());
            rest = after;
            bands.push((band, values));
        }
        bands
            .into_par_iter()
            .with_max_len(1)
            .for_each(|(band, values)| visit(band, values));
    }

    /// Shortens the distance of a floor by steps to floors of a band, which starts at the floor `first` and
    /// has the distances `distances`. Returns whether it did.
    #[inline(always)]
    fn shorten(&self, distances: &mut [u16], first: usize, floor: usize, steps: Steps) -> bool {
        // Floors outside the band are beyond the end of the slice, and so is `NO_NEIGHBOUR`.
        let distance = |floor: u32| {
            let distance = distances.get((floor as usize).wrapping_sub(first));
            distance.copied().unwrap_or(u16::MAX)
        };
        let old = distances[floor - first];
        let links = self.neighbours[floor];
        let mut shortest = old;
        for (direction, diagonal) in steps {
            let beside = links[direction];
            if let Some(links) = self.neighbours.get(beside as usize) {
                shortest = shortest
                    .min(distance(beside).saturating_add(2))
                    .min(distance(links[diagonal]).saturating_add(3));
            }
        }
        distances[floor - first] = shortest;
        shortest < old
    }

    /// Corrects the rows at the ends of bands, which were computed without the rows beyond the band. If a
    /// row does not change, the rows after it are right as well.
    fn correct(&self, distances: &mut [u16], steps: Steps) {
        let rows = self.row_starts.len() - 1;
        let mut correct_row = |z: usize| {
            let mut changed = false;
            let row = self.row_starts[z]..self.row_starts[z + 1];
            let mut shorten = |floor| changed |= self.shorten(distances, 0, floor, steps);
            if steps == BACKWARD {
                row.for_each(&mut shorten);
            } else {
                row.rev().for_each(&mut shorten);
            }
            changed
        };
        if steps == BACKWARD {
            for start in self.band_starts().skip(1) {
                let _ = (start..rows).try_for_each(|z| correct_row(z).then_some(()));
            }
        } else {
            for start in self.band_starts().rev().filter(|&start| start > 0) {
                let _ = (0..start)
                    .rev()
                    .try_for_each(|z| correct_row(z).then_some(()));
            }
        }
    }

    /// Returns the average of each distance and those of the eight floors around it. Distances of up to 2
    /// are kept.
    fn smooth(&self, distances: &[u16]) -> Vec<u16> {
        let mut smoothed = vec![0; distances.len()];
        let average = |floor: usize| {
            let distance = u32::from(distances[floor]);
            if distance <= 2 {
                return distances[floor];
            }
            let mut sum = distance;
            for direction in 0..4 {
                let beside = self.neighbours[floor][direction] as usize;
                if beside == NO_NEIGHBOUR as usize {
                    sum += 2 * distance;
                    continue;
                }
                let across = self.neighbours[beside][(direction + 1) % 4] as usize;
                sum += u32::from(distances[beside]);
                sum += distances.get(across).map_or(distance, |&d| d.into());
            }
            ((sum + 5) / 9) as u16
        };
        smoothed
            .par_chunks_mut(CHUNK)
            .enumerate()
            .for_each(|(chunk, smoothed)| {
                for (floor, smoothed) in (chunk * CHUNK..).zip(smoothed) {
                    *smoothed = average(floor);
                }
            });
        smoothed
    }
}
