//! What it costs to cross a polygon with obstacles in it, for an index that knows only the whole polygon.
//!
//! To such an index the polygon is a cell. Its crossings, from one sample of its portals to another, cost as much as the way
//! through the pieces. A sample that an obstacle covers moves to an open part of its portal.

use glam::{DVec2, Vec3};

use super::pieces::CUT_TOLERANCE;
use super::{CutPolygon, CutPortal};
use crate::geometry::{distance, lerp, nearest_fraction};
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;

/// Where a sample of a portal is now: its position, and the polygons or pieces on the two sides of its portal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MovedSample {
    pub(crate) position: Vec3,
    pub(crate) sides: [PolygonId; 2],
}

impl NavMesh {
    /// Sets `moved` to where the samples of a portal at these positions are; `None` for each of them if nothing is left of the
    /// portal. Returns whether the samples connect all that the parts of the portal connect.
    pub(crate) fn move_samples(
        &self,
        cut: &CutPortal,
        positions: impl Iterator<Item = Vec3>,
        moved: &mut Vec<Option<MovedSample>>,
    ) -> bool {
        let portal = &self.portals[cut.portal.index()];
        let part = |index: usize| {
            let polygons = cut.parts[index].polygons;
            let is_first = self.whole(polygons[0]) == portal.polygons[0];
            if is_first {
                polygons
            } else {
                [polygons[1], polygons[0]]
            }
        };
        let key = |index: usize| {
            part(index).map(|side| match self.cut(self.whole(side)) {
                Some(cut) => cut.group(side),
                None => 0,
            })
        };
        moved.clear();
        let mut chosen: Vec<Option<usize>> = Vec::new();
        for position in positions {
            let at = nearest_fraction(portal.right, portal.left, position);
            let outside = |[from, to]: [f64; 2]| (from - at).max(at - to).max(0.0);
            let spans = cut.spans.iter().copied().map(outside).enumerate();
            let nearest = spans.min_by(|a, b| a.1.total_cmp(&b.1));
            chosen.push(nearest.map(|(index, _)| index));
            moved.push(nearest.map(|(index, outside)| MovedSample {
                position: match outside {
                    0.0 => position,
                    _ => {
                        let [from, to] = cut.spans[index];
                        let margin = (to - from) / 4.0;
                        let at = at.clamp(from + margin, to - margin);
                        lerp(portal.right, portal.left, at)
                    }
                },
                sides: part(index),
            }));
        }
        let mut is_complete = true;
        for index in 0..cut.parts.len() {
            let same = |of: &[Option<usize>], key_of: [u32; 2]| {
                of.iter()
                    .flatten()
                    .filter(|&&other| key(other) == key_of)
                    .count()
            };
            if same(&chosen, key(index)) > 0 {
                continue;
            }
            // A sample that another one can stand in for moves here.
            let spare = chosen
                .iter()
                .position(|of| of.is_some_and(|of| same(&chosen, key(of)) > 1));
            let Some(spare) = spare else {
                is_complete = false;
                continue;
            };
            let [from, to] = cut.spans[index];
            chosen[spare] = Some(index);
            moved[spare] = Some(MovedSample {
                position: lerp(portal.right, portal.left, (from + to) / 2.0),
                sides: part(index),
            });
        }
        is_complete
    }
}

/// The lengths of ways through the pieces of a polygon.
pub(crate) struct CutCosts<'a> {
    cut: &'a CutPolygon,
    /// Three points on each portal between pieces.
    points: Vec<Vec3>,
    /// Per point, its distance from the point that was set last.
    lengths: Vec<f32>,
    from: (PolygonId, Vec3),
    is_done: Vec<bool>,
}

/// The points on a portal between pieces, as fractions of it. Ways bend at the ends.
pub(crate) const CUT_SAMPLES: [f64; 3] = [0.05, 0.5, 0.95];

impl<'a> CutCosts<'a> {
    /// Prepares the lengths of ways through a polygon. `measured` is where a point counts as lying.
    pub(crate) fn new(cut: &'a CutPolygon, measured: impl Fn(Vec3) -> Vec3) -> Self {
        let points = cut
            .portals
            .iter()
            .flat_map(|portal| CUT_SAMPLES.map(|at| measured(lerp(portal.right, portal.left, at))));
        Self {
            points: points.collect(),
            lengths: Vec::new(),
            from: (PolygonId(u32::MAX), Vec3::ZERO),
            is_done: Vec::new(),
            cut,
        }
    }

    fn joins(&self, point: usize, piece: PolygonId) -> bool {
        self.cut.portals[point / CUT_SAMPLES.len()]
            .polygons
            .contains(&piece)
    }

    /// Sets the point of a piece from which [`length_to`](Self::length_to) measures.
    pub(crate) fn set_start(&mut self, piece: PolygonId, from: Vec3) {
        self.from = (piece, from);
        let count = self.points.len();
        let mut lengths = std::mem::take(&mut self.lengths);
        lengths.clear();
        lengths.extend((0..count).map(|i| match self.joins(i, piece) {
            true => distance(from, self.points[i]),
            false => f32::INFINITY,
        }));
        self.is_done.clear();
        self.is_done.resize(count, false);
        let is_done = &mut self.is_done;
        loop {
            let open = (0..count).filter(|&i| !is_done[i] && lengths[i] < f32::INFINITY);
            let nearest = open.min_by(|&a, &b| lengths[a].total_cmp(&lengths[b]));
            let Some(nearest) = nearest else { break };
            is_done[nearest] = true;
            let (reached, here) = (lengths[nearest], self.points[nearest]);
            let sides = self.cut.portals[nearest / CUT_SAMPLES.len()].polygons;
            for i in 0..count {
                let portal = self.cut.portals[i / CUT_SAMPLES.len()].polygons;
                if !is_done[i] && sides.iter().any(|side| portal.contains(side)) {
                    lengths[i] = lengths[i].min(reached + distance(here, self.points[i]));
                }
            }
        }
        self.lengths = lengths;
    }

    /// Returns the length of the way to a point of a piece; infinite if there is none inside the polygon.
    pub(crate) fn length_to(&self, piece: PolygonId, to: Vec3) -> f32 {
        let (start, from) = self.from;
        if start == piece || self.cut.group(start) == self.cut.group(piece) && self.sees(to) {
            return distance(from, to);
        }
        let points = (0..self.points.len()).filter(|&i| self.joins(i, piece));
        let lengths = points.map(|i| self.lengths[i] + distance(self.points[i], to));
        lengths.fold(f32::INFINITY, f32::min)
    }

    /// Returns whether no obstacle is between the start and a point.
    fn sees(&self, to: Vec3) -> bool {
        let in_plan = |p: Vec3| DVec2::new(f64::from(p.x), f64::from(p.z));
        let (from, to) = (in_plan(self.from.1), in_plan(to));
        let blocks = self.cut.blocks.iter();
        !blocks.map(|(_, block)| &block.outline).any(|outline| {
            // The part of the line inside the outline, as fractions.
            let (mut enters, mut leaves) = (0.0f64, 1.0f64);
            for (i, &corner) in outline.iter().enumerate() {
                let along = (outline[(i + 1) % outline.len()] - corner).normalize();
                let [a, b] = [from, to].map(|p| along.perp_dot(p - corner) - CUT_TOLERANCE);
                if a < 0.0 && b < 0.0 {
                    return false;
                }
                let crossing = a / (a - b);
                if a < 0.0 {
                    enters = enters.max(crossing);
                } else if b < 0.0 {
                    leaves = leaves.min(crossing);
                }
            }
            enters < leaves
        })
    }
}
