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

impl Distances {
    /// All of them. Files store the index in this list: add new ones at its end.
    pub const ALL: [Self; 2] = [Self::Enlargement, Self::Centroid];

    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Enlargement => "enlargement",
            Self::Centroid => "centroid",
        }
    }
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

/// A number of a [`Price`], as files and outputs name it.
#[derive(Clone, Copy, Debug)]
pub struct PriceParameter {
    /// The name in files and outputs: that of the field.
    pub name: &'static str,
    /// What it counts.
    pub unit: &'static str,
    /// The least that it may be.
    pub min: f32,
    /// The most that it may be.
    pub max: f32,
    get: fn(&Price) -> f32,
    set: fn(&mut Price, f32),
}

impl PriceParameter {
    /// What it is in a price.
    pub fn get(&self, price: &Price) -> f32 {
        (self.get)(price)
    }

    /// Sets it, within its limits or not: [`Price::check`] tells.
    pub fn set(&self, price: &mut Price, value: f32) {
        (self.set)(price, value);
    }
}

macro_rules! parameter {
    ($field:ident, $unit:literal, $min:literal to $max:literal) => {
        PriceParameter {
            name: stringify!($field),
            unit: $unit,
            min: $min,
            max: $max,
            get: |price| price.$field,
            set: |price, value| price.$field = value,
        }
    };
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
    /// All numbers of a price, in the order in which `.pter` files store them: add new ones at its end.
    pub const PARAMETERS: [PriceParameter; 11] = [
        parameter!(up, "metres a metre", 0.0 to 1e6),
        parameter!(down, "metres a metre", 0.0 to 1e6),
        parameter!(sideways, "metres a metre", 0.0 to 1e6),
        parameter!(difficulty, "respect", 0.0 to 1e6),
        parameter!(steepness, "respect", 0.0 to 1e6),
        parameter!(difficulty_change, "respect", 0.0 to 1e6),
        parameter!(angle, "respect", 0.0 to 1e6),
        parameter!(concave, "multiplier", 0.0 to 1e6),
        parameter!(convex, "multiplier", 0.0 to 1e6),
        parameter!(steepness_change, "respect", 0.0 to 1e6),
        parameter!(floor, "share of the target's diagonal", 1e-6 to 1.0),
    ];

    /// Whether every parameter is within its limits.
    pub fn check(&self) -> Result<(), TerrainError> {
        for parameter in &Self::PARAMETERS {
            let &PriceParameter { name, min, max, .. } = parameter;
            check_parameter(name, parameter.get(self), [min, max])?;
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

/// Refuses a parameter that is beyond its limits.
pub(super) fn check_parameter(
    name: &'static str,
    value: f32,
    limits @ [min, max]: [f32; 2],
) -> Result<(), TerrainError> {
    match (min..=max).contains(&value) {
        true => Ok(()),
        false => Err(TerrainError::Price {
            name,
            value,
            limits,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files are written and read by this table, so a field that it lacks would be lost.
    #[test]
    fn the_table_has_every_number_once() {
        let mut price = Price::default();
        for (value, parameter) in (2u8..).zip(&Price::PARAMETERS) {
            parameter.set(&mut price, value.into());
        }
        for (value, parameter) in (2u8..).zip(&Price::PARAMETERS) {
            assert_eq!(parameter.get(&price), value.into(), "{}", parameter.name);
        }
        let numbers = size_of::<Price>() - size_of::<f32>();
        assert_eq!(numbers / size_of::<f32>(), Price::PARAMETERS.len());
    }

    #[test]
    fn limits_are_part_of_the_price() {
        for parameter in &Price::PARAMETERS {
            let with = |value| {
                let mut price = Price::default();
                parameter.set(&mut price, value);
                price.check()
            };
            assert_eq!((with(parameter.min), with(parameter.max)), (Ok(()), Ok(())));
            for wrong in [parameter.min - 1.0, parameter.max * 1.01, f32::NAN] {
                let error = with(wrong).unwrap_err().to_string();
                let named = format!("price: {} is {wrong}, but has to be ", parameter.name);
                assert!(error.starts_with(&named), "{error}");
            }
        }
    }
}
