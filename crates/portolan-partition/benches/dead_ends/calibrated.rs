//! Costs of arcs as regression has them: what they come to when the path is pulled taut.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec3Swizzles};
use portolan::NavMesh;
use portolan::geometry::between;

use crate::learned::{Lesson, PRIOR};

/// Classes of arcs by length and by the angles to the portals at their ends, and one more: the legs from
/// the start and to the goal.
const LENGTHS: usize = 5;
const ANGLES: usize = 3;
const LEGS: usize = LENGTHS * ANGLES * ANGLES;
const CLASSES: usize = LEGS + 1;

/// Per class, taut over summed length.
pub(crate) type Factors = [f64; CLASSES];

/// What a metre costs on an arc.
pub(crate) type Rule<'a> = Box<dyn Fn([u32; 2]) -> f32 + 'a>;

/// The arcs between midpoints; vertices have the numbers of their portals.
pub(crate) struct Arcs<'a> {
    mesh: &'a NavMesh,
    /// A mean portal's length.
    unit: f32,
}

/// A piece of a path between two portals: pulled taut, and between their middles.
struct Piece {
    /// `None` from the start and to the goal.
    arc: Option<[u32; 2]>,
    taut: f64,
    summed: f64,
}

impl<'a> Arcs<'a> {
    pub(crate) fn new(mesh: &'a NavMesh) -> Self {
        let portals = mesh.portals();
        let lengths = portals.iter().map(|p| p.right.distance(p.left));
        Self {
            mesh,
            unit: lengths.sum::<f32>() / portals.len() as f32,
        }
    }

    fn class(&self, arc: [u32; 2]) -> usize {
        let [a, b] = arc.map(|portal| self.mesh.portals()[portal as usize]);
        let along = b.middle() - a.middle();
        let units = (along.length() / self.unit).log2() + LENGTHS as f32 / 2.0;
        let direction = along.xz().normalize_or_zero();
        let mut angles = [a, b].map(|portal| {
            let across = (portal.left - portal.right).xz().normalize_or_zero();
            let sine = Vec2::perp_dot(direction, across).abs();
            ((sine * ANGLES as f32) as usize).min(ANGLES - 1)
        });
        // Either way an arc costs the same.
        angles.sort_unstable();
        let length = (units as usize).min(LENGTHS - 1);
        (length * ANGLES + angles[0]) * ANGLES + angles[1]
    }

    fn class_of(&self, piece: &Piece) -> usize {
        piece.arc.map_or(LEGS, |arc| self.class(arc))
    }

    fn pieces(&self, lesson: &Lesson) -> impl Iterator<Item = Piece> {
        let [start, goal] = lesson.ends;
        let crossed = lesson.crossings.iter().map(|&(id, share)| {
            let portal = self.mesh.portal(id);
            let taut = between(portal.right, portal.left, share);
            (Some(id.0), taut, portal.middle())
        });
        let mut before = (None, start, start);
        crossed
            .chain([(None, goal, goal)])
            .map(move |next: (Option<u32>, Vec3, Vec3)| {
                let last = std::mem::replace(&mut before, next);
                let arc = last.0.zip(next.0).map(|(a, b)| [a.min(b), a.max(b)]);
                Piece {
                    arc,
                    taut: last.1.distance(next.1).into(),
                    summed: last.2.distance(next.2).into(),
                }
            })
    }

    /// Piece by piece: the taut lengths of a class over its summed ones.
    pub(crate) fn ratios(&self, lessons: &[Lesson]) -> Factors {
        let mut sums = [[0.0; 2]; CLASSES];
        for piece in lessons.iter().flat_map(|lesson| self.pieces(lesson)) {
            let [taut, summed] = &mut sums[self.class_of(&piece)];
            *taut += piece.taut;
            *summed += piece.summed;
        }
        let all = sums
            .iter()
            .fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
        sums.map(|[taut, summed]| match summed > 0.0 {
            true => taut / summed,
            false => all[0] / all[1],
        })
    }

    /// Path by path: least squares of the error of whole lengths, in shares of them.
    pub(crate) fn regression(&self, lessons: &[Lesson]) -> Factors {
        let mut sums = [[0.0; CLASSES + 1]; CLASSES];
        for lesson in lessons.iter().filter(|lesson| lesson.length > 0.0) {
            let mut row = [0.0; CLASSES + 1];
            for piece in self.pieces(lesson) {
                row[self.class_of(&piece)] += piece.summed / lesson.length;
            }
            row[CLASSES] = 1.0;
            for (a, sums) in row.iter().zip(&mut sums) {
                for (b, sum) in row.iter().zip(sums) {
                    *sum += a * b;
                }
            }
        }
        // Classes that hardly occur stay near their ratio.
        let ratios = self.ratios(lessons);
        let weight = 1e-5 * lessons.len() as f64;
        for (i, ratio) in ratios.into_iter().enumerate() {
            sums[i][i] += weight;
            sums[i][CLASSES] += weight * ratio;
        }
        solve(sums).map(|factor| factor.clamp(0.3, 1.5))
    }

    /// What a path would cost if it was the one that is found.
    pub(crate) fn cost(&self, lesson: &Lesson, legs: f32, factor: &dyn Fn([u32; 2]) -> f32) -> f64 {
        let pieces = self.pieces(lesson);
        let cost = |piece: Piece| piece.summed * f64::from(piece.arc.map_or(legs, factor));
        pieces.map(cost).sum()
    }

    /// What a metre costs on legs, and on the arcs of each class.
    pub(crate) fn by_class(&self, factors: Factors) -> (f32, Rule<'_>) {
        let factor = move |arc| factors[self.class(arc)] as f32;
        (factors[LEGS] as f32, Box::new(factor))
    }

    /// The same, but each arc as far as paths passed it costs what it cost them.
    pub(crate) fn by_arc(&self, lessons: &[Lesson]) -> (f32, Rule<'_>) {
        let (factors, seen) = (self.ratios(lessons), self.seen(lessons));
        let factor = move |[a, b]: [u32; 2]| {
            let arc = [a.min(b), a.max(b)];
            let class = factors[self.class(arc)];
            let Seen { taut, summed, .. } = seen.get(&arc).copied().unwrap_or_default();
            let [from, to] = arc.map(|portal| self.mesh.portals()[portal as usize].middle());
            let prior = PRIOR * f64::from(from.distance(to));
            match prior > 0.0 {
                true => ((taut + prior * class) / (summed + prior)) as f32,
                false => class as f32,
            }
        };
        (factors[LEGS] as f32, Box::new(factor))
    }

    fn seen(&self, lessons: &[Lesson]) -> HashMap<[u32; 2], Seen> {
        let mut seen: HashMap<[u32; 2], Seen> = HashMap::new();
        for piece in lessons.iter().flat_map(|lesson| self.pieces(lesson)) {
            if let Some(arc) = piece.arc {
                let seen = seen.entry(arc).or_default();
                seen.times += 1;
                seen.taut += piece.taut;
                seen.squares += piece.taut * piece.taut;
                seen.summed += piece.summed;
            }
        }
        seen
    }

    /// How far pieces of taut paths deviate from the mean of their arc, over its length: the root of the
    /// mean square over all pieces of arcs that ten paths or more pass.
    pub(crate) fn deviation(&self, lessons: &[Lesson]) -> f64 {
        let (mut squares, mut times) = (0.0, 0.0);
        let seen = self.seen(lessons).into_values();
        for seen in seen.filter(|seen| seen.times >= 10 && seen.summed > 0.0) {
            let count = f64::from(seen.times);
            let length = seen.summed / count;
            let variance = seen.squares / count - (seen.taut / count).powi(2);
            // Portals that meet in a corner can have their middles next to each other.
            if length > 0.1 * f64::from(self.unit) {
                squares += count * variance.max(0.0) / (length * length);
                times += count;
            }
        }
        (squares / times).sqrt()
    }
}

/// Pieces of taut paths along one arc.
#[derive(Clone, Copy, Default)]
struct Seen {
    times: u32,
    taut: f64,
    squares: f64,
    summed: f64,
}

/// Gauss's elimination; the matrix is positive definite, so that it needs no pivots.
fn solve(mut rows: [[f64; CLASSES + 1]; CLASSES]) -> Factors {
    for i in 0..CLASSES {
        let pivot = rows[i];
        let others = rows.iter_mut().enumerate().filter(|&(j, _)| j != i);
        for (_, row) in others {
            let factor = row[i] / pivot[i];
            row.iter_mut()
                .zip(pivot)
                .for_each(|(a, b)| *a -= factor * b);
        }
    }
    std::array::from_fn(|i| rows[i][CLASSES] / rows[i][i])
}
