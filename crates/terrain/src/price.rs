//! What a crossing from one triangle to the next costs (chapter 5.1 of the thesis).

use glam::Vec3;
use portolan_core::trigonometry;

use super::{Extent, TerrainError};

/// How far one triangle is from the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distances {
    /// By how much the box of the common edge has to grow to hold the box of the target.
    #[default]
    Enlargement,
    /// From centroid to centroid. Along a contour line it rises nearly as fast as across it, for a line
    /// of triangles points up and down in turns: the thesis's picture 5.2.
    Centroid,
}

/// The parameters of the traversal price; the thesis's values by default.
///
/// A crossing costs its *base* times its *final multiplier*. The base is the length of the vector of
/// coordinate distances, each multiplied for its axis and sign. The final multiplier is 1 plus the sum of
/// five multipliers, each times its respect.
///
/// No respect is negative, so the final multiplier is 1 or more, and the base alone is what a heuristic may
/// promise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// How distances are taken.
    pub distances: Distances,
    /// What a metre upwards counts. Metres a metre, 0 to 1e6; the thesis has 10.
    pub up: f32,
    /// What a metre downwards counts. Metres a metre, 0 to 1e6; the thesis has 5.
    pub down: f32,
    /// What a metre in x or y counts. Metres a metre, 0 to 1e6; the thesis has 1.
    pub sideways: f32,
    /// Respect of the difficulty of the target, which is 0 to 1. 0 to 1e6; the thesis has 1.
    pub difficulty: f32,
    /// Respect of the steepness of the target: 1 less the height of its normal, so 0 on a plain and 1 at a
    /// wall. 0 to 1e6; the thesis has 1.
    pub steepness: f32,
    /// Respect of the difference of both difficulties. 0 to 1e6; the thesis has 1.
    pub difficulty_change: f32,
    /// Respect of the angle at the edge: 0 straight on, 1 for half a turn. 0 to 1e6; the thesis has 1.
    pub angle: f32,
    /// Multiplies the angle where the path bends down: from uphill to straight on, from there to downhill.
    /// 0 to 1e6; the thesis has 1.05 (although it calls such an edge the easier one).
    pub concave: f32,
    /// Multiplies the angle where the path bends up. 0 to 1e6; the thesis has 0.95.
    pub convex: f32,
    /// Respect of the difference of both steepnesses. 0 to 1e6; the thesis has 1.
    pub steepness_change: f32,
    /// The least base of a crossing, weighted and unweighted, as a share of the diagonal of the target's
    /// box. 1e-6 to 1; ours, 0.1.
    ///
    /// With two triangles a square the box of the diagonal is the box of the square: crossing it would be
    /// free, and so would unit distances divide by 0.
    pub floor: f32,
}

impl Default for Price {
    fn default() -> Self {
        Self {
            distances: Distances::Enlargement,
            up: 10.0,
            down: 5.0,
            sideways: 1.0,
            difficulty: 1.0,
            steepness: 1.0,
            difficulty_change: 1.0,
            angle: 1.0,
            concave: 1.05,
            convex: 0.95,
            steepness_change: 1.0,
            floor: 0.1,
        }
    }
}

/// One side of a crossing, as far as the price asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) extent: Extent,
    pub(super) centroid: Vec3,
    /// Upwards, of length 1.
    pub(super) normal: Vec3,
    pub(super) difficulty: f32,
}

impl Price {
    /// Whether every parameter is within its range.
    pub fn check(&self) -> Result<(), TerrainError> {
        let parameters = [
            ("up", self.up),
            ("down", self.down),
            ("sideways", self.sideways),
            ("difficulty", self.difficulty),
            ("steepness", self.steepness),
            ("difficulty_change", self.difficulty_change),
            ("angle", self.angle),
            ("concave", self.concave),
            ("convex", self.convex),
            ("steepness_change", self.steepness_change),
        ];
        for (name, value) in parameters {
            if !(0.0..=1e6).contains(&value) {
                return Err(TerrainError::Price {
                    name,
                    value,
                    range: "0 to 1e6",
                });
            }
        }
        if !(1e-6..=1.0).contains(&self.floor) {
            return Err(TerrainError::Price {
                name: "floor",
                value: self.floor,
                range: "1e-6 to 1",
            });
        }
        Ok(())
    }

    /// Distances of the three coordinates, multiplied by axis and sign.
    #[inline]
    pub(super) fn weigh(&self, [towards_higher, towards_lower]: [Vec3; 2]) -> Vec3 {
        let higher = Vec3::new(self.sideways, self.sideways, self.up);
        let lower = Vec3::new(self.sideways, self.sideways, self.down);
        towards_higher * higher + towards_lower * lower
    }

    /// The coordinate distances of a crossing: towards higher coordinates, and towards lower ones.
    pub(super) fn reach(&self, edge: Extent, from: &Side, to: &Side) -> [Vec3; 2] {
        match self.distances {
            Distances::Enlargement => edge.enlargement(to.extent),
            Distances::Centroid => {
                let way = to.centroid - from.centroid;
                [way.max(Vec3::ZERO), (-way).max(Vec3::ZERO)]
            }
        }
    }

    /// The least that getting from one box into another costs, over whatever lies between.
    ///
    /// A crossing grows the box of the edge, which lies within the box of the triangle before: so the
    /// extremes along a way rise by no more than its crossings pay for, sign by sign. The length of a sum is
    /// at most the sum of lengths, and no multiplier is below 1. Centroids lie within their boxes, so for
    /// them it is the gap between both boxes that has to be bridged.
    #[inline]
    pub fn least(&self, from: Extent, to: Extent) -> f32 {
        let reach = match self.distances {
            Distances::Enlargement => from.enlargement(to),
            Distances::Centroid => [
                (to.min - from.max).max(Vec3::ZERO),
                (from.min - to.max).max(Vec3::ZERO),
            ],
        };
        self.weigh(reach).length()
    }

    /// One and the sum of the five multipliers.
    pub(super) fn multiplier(&self, from: &Side, to: &Side) -> f32 {
        let cosine = from.normal.dot(to.normal).clamp(-1.0, 1.0);
        let angle = trigonometry::acos(cosine.into()) as f32 / std::f32::consts::PI;
        // Beyond a crest the target falls away below the plane of the triangle before.
        let bends_down = from.normal.dot(to.centroid - from.centroid) < 0.0;
        let bend = if bends_down {
            self.concave
        } else {
            self.convex
        };
        1.0 + self.difficulty * to.difficulty
            + self.steepness * (1.0 - to.normal.z)
            + self.difficulty_change * (to.difficulty - from.difficulty).abs()
            + self.angle * bend * angle
            + self.steepness_change * (to.normal.z - from.normal.z).abs()
    }
}
