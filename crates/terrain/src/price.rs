//! The traversal price, which is the cost of crossing from one triangle to the next (chapter 5.1 of the terrain
//! thesis).

use glam::Vec3;
use portolan_core::trigonometry;

use super::{Extent, TerrainError};

/// The measure for the distance from one triangle to the next, which is the base of the traversal price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distances {
    /// By how much the bounding box of the common edge has to grow in order to contain the bounding box of the
    /// target triangle.
    #[default]
    Enlargement,
    /// The vector from centroid to centroid. Paths along a contour line then cost nearly as much as paths across it,
    /// because the centroids of consecutive triangles of a strip are alternately higher and lower (picture 5.2 of
    /// the thesis).
    Centroid,
}

impl Distances {
    /// All measures. Files store the index in this list, so new ones must be added at its end.
    pub const ALL: [Self; 2] = [Self::Enlargement, Self::Centroid];

    /// Returns the name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Enlargement => "enlargement",
            Self::Centroid => "centroid",
        }
    }
}

/// The parameters of the traversal price. The defaults are those of the terrain thesis.
///
/// The price of a crossing is its *base* times its *final multiplier*. The base is the length of the vector of
/// *coordinate distances*, each of which is multiplied by a factor for its axis and sign. The final multiplier is 1
/// plus the weighted sum of five multipliers. The weight of a multiplier is called its *respect*.
///
/// No respect is negative, so the final multiplier is at least 1. Therefore the base is a lower bound of the price,
/// and [`lower_bound`](Self::lower_bound) is an admissible heuristic.
///
/// ```
/// use portolan_terrain::Price;
///
/// // Going up costs twice as much as by default, and swamps do not matter.
/// let price = Price { up: 20.0, difficulty: 0.0, ..Price::default() };
/// price.check()?;
/// # Ok::<(), portolan_terrain::TerrainError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// The measure for coordinate distances. [Default: [`Distances::Enlargement`]]
    pub distances: Distances,
    /// Factor for distances upwards: cost per metre. [Limits: 0 to 1e6] [Default: 10]
    pub up: f32,
    /// Factor for distances downwards: cost per metre. [Limits: 0 to 1e6] [Default: 5]
    pub down: f32,
    /// Factor for distances along x and y: cost per metre. [Limits: 0 to 1e6] [Default: 1]
    pub sideways: f32,
    /// Respect of the difficulty of the target triangle, which is from 0 to 1. [Limits: 0 to 1e6] [Default: 1]
    pub difficulty: f32,
    /// Respect of the steepness of the target triangle. Steepness is 1 minus the z component of the normal: 0 on
    /// a plain and 1 at a wall. [Limits: 0 to 1e6] [Default: 1]
    pub steepness: f32,
    /// Respect of the difference in difficulty between the two triangles. [Limits: 0 to 1e6] [Default: 1]
    pub difficulty_change: f32,
    /// Respect of the angle between the two triangles, which is 0 for coplanar triangles and 1 for 180 degrees.
    /// [Limits: 0 to 1e6] [Default: 1]
    pub angle: f32,
    /// Factor for the angle where the path bends down, for example from uphill to level or from level to downhill.
    /// The default of the thesis makes such edges more expensive, although its text calls them easier.
    /// [Limits: 0 to 1e6] [Default: 1.05]
    pub concave: f32,
    /// Factor for the angle where the path bends up. [Limits: 0 to 1e6] [Default: 0.95]
    pub convex: f32,
    /// Respect of the difference in steepness between the two triangles. [Limits: 0 to 1e6] [Default: 1]
    pub steepness_change: f32,
    /// The minimum base of a crossing, weighted and unweighted, as a fraction of the diagonal of the target's
    /// bounding box. The thesis has no such minimum. [Limits: 1e-6 to 1] [Default: 0.1]
    ///
    /// If a square consists of two triangles, the bounding box of its diagonal is that of the square. Without a
    /// minimum, crossing the diagonal would be free, and unit distances would be divided by 0.
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

/// A numeric parameter of a [`Price`], with its name and limits.
#[derive(Clone, Copy, Debug)]
pub struct PriceParameter {
    /// The name in files and outputs, which is the name of the field.
    pub name: &'static str,
    /// The unit of the value, as text for outputs.
    pub unit: &'static str,
    /// The lowest allowed value.
    pub min: f32,
    /// The highest allowed value.
    pub max: f32,
    get: fn(&Price) -> f32,
    set: fn(&mut Price, f32),
}

impl PriceParameter {
    /// Returns the value of this parameter.
    pub fn get(&self, price: &Price) -> f32 {
        (self.get)(price)
    }

    /// Sets the value of this parameter. Limits are not checked here, but by [`Price::check`].
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

/// The properties of a triangle that a traversal price depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct TriangleSurface {
    pub(super) extent: Extent,
    pub(super) centroid: Vec3,
    /// The unit normal. Its z component is not negative.
    pub(super) normal: Vec3,
    pub(super) difficulty: f32,
}

impl Price {
    /// All numeric parameters, in the order in which `.pter` files store them. New ones must be added at the end.
    pub const PARAMETERS: [PriceParameter; 11] = [
        parameter!(up, "cost per metre", 0.0 to 1e6),
        parameter!(down, "cost per metre", 0.0 to 1e6),
        parameter!(sideways, "cost per metre", 0.0 to 1e6),
        parameter!(difficulty, "respect", 0.0 to 1e6),
        parameter!(steepness, "respect", 0.0 to 1e6),
        parameter!(difficulty_change, "respect", 0.0 to 1e6),
        parameter!(angle, "respect", 0.0 to 1e6),
        parameter!(concave, "multiplier", 0.0 to 1e6),
        parameter!(convex, "multiplier", 0.0 to 1e6),
        parameter!(steepness_change, "respect", 0.0 to 1e6),
        parameter!(floor, "fraction of the target's diagonal", 1e-6 to 1.0),
    ];

    /// Checks that every parameter is within its limits.
    pub fn check(&self) -> Result<(), TerrainError> {
        for parameter in &Self::PARAMETERS {
            let &PriceParameter { name, min, max, .. } = parameter;
            check_parameter(name, parameter.get(self), [min, max])?;
        }
        Ok(())
    }

    /// Multiplies coordinate distances by the factors for their axes and signs.
    #[inline]
    pub(super) fn scale_axes(&self, [towards_higher, towards_lower]: [Vec3; 2]) -> Vec3 {
        let higher = Vec3::new(self.sideways, self.sideways, self.up);
        let lower = Vec3::new(self.sideways, self.sideways, self.down);
        towards_higher * higher + towards_lower * lower
    }

    /// Returns the coordinate distances of a crossing: first towards higher coordinates, then towards lower ones.
    pub(super) fn coordinate_distances(
        &self,
        edge: Extent,
        from: &TriangleSurface,
        to: &TriangleSurface,
    ) -> [Vec3; 2] {
        match self.distances {
            Distances::Enlargement => edge.enlargement(to.extent),
            Distances::Centroid => {
                let vector = to.centroid - from.centroid;
                [vector.max(Vec3::ZERO), (-vector).max(Vec3::ZERO)]
            }
        }
    }

    /// Returns a lower bound of the cost of any path from one triangle or mesh to another, given their bounding
    /// boxes.
    ///
    /// The base of a crossing is the enlargement of the box of its edge, which is within the box of the triangle
    /// before the edge. So, per axis and sign, the coordinate distances along a path add up to at least the
    /// enlargement from the first box to the last. By the triangle inequality, the length of that sum is at most the
    /// sum of the lengths, and no final multiplier is below 1. Centroids are within the boxes of their triangles, so
    /// with [`Distances::Centroid`] a path covers at least the gap between the two boxes.
    #[inline]
    pub fn lower_bound(&self, from: Extent, to: Extent) -> f32 {
        let distances = match self.distances {
            Distances::Enlargement => from.enlargement(to),
            Distances::Centroid => [
                (to.min - from.max).max(Vec3::ZERO),
                (from.min - to.max).max(Vec3::ZERO),
            ],
        };
        self.scale_axes(distances).length()
    }

    /// Returns the final multiplier: 1 plus the weighted sum of the five multipliers.
    pub(super) fn multiplier(&self, from: &TriangleSurface, to: &TriangleSurface) -> f32 {
        let cosine = from.normal.dot(to.normal).clamp(-1.0, 1.0);
        let angle = trigonometry::acos(cosine.into()) as f32 / std::f32::consts::PI;
        // Beyond a crest, the target lies below the plane of the first triangle.
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

/// Returns an error if a parameter is outside its limits.
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

    /// Files are written and read with `PARAMETERS`, so a field that is not in it would be lost.
    #[test]
    fn parameters_contain_every_numeric_field_once() {
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
    fn parameters_outside_their_limits_are_rejected() {
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
