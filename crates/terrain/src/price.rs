//! The traversal price, which is the cost of crossing from one triangle to the next (chapter 5.1 of the terrain
//! thesis).

use glam::Vec3;
use portolan_core::trigonometry;

use super::walking::Walking;
use super::{Extent, TerrainError};

/// The measure for the distance from one triangle to the next, which is the base of the traversal price.
///
/// The first three are of the terrain thesis, where coordinate distances have a factor per axis and sign. The others are
/// models of walking. They depend on run and rise only: the rise from centroid to centroid, and the run over the midpoint
/// of the common edge. Of the parameters of a [`Price`], only [`difficulty`](Price::difficulty), [`max_up`](Price::max_up)
/// and [`max_down`](Price::max_down) matter for them.
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
    /// By how much the bounding box of the first triangle has to grow in order to contain the bounding box of the target
    /// triangle. The thesis shows where it fails (picture 5.4).
    SimpleEnlargement,
    /// The walking time in seconds after Tobler (1993): 6 exp(-3.5 |slope + 0.05|) km/h.
    Tobler,
    /// The walking time in seconds after Naismith (1892) with Langmuir's correction (1984): 5 km/h, half an hour more
    /// per 300 m of ascent, and 10 minutes less (at 5 to 12 degrees) or more (beyond) per 300 m of descent.
    Naismith,
    /// The energy of walking in joules per kilogram of body mass after Minetti and others (2002).
    Minetti,
}

impl Distances {
    /// All measures. Files store the index in this list, so new ones must be added at its end.
    pub const ALL: [Self; 6] = [
        Self::Enlargement,
        Self::Centroid,
        Self::SimpleEnlargement,
        Self::Tobler,
        Self::Naismith,
        Self::Minetti,
    ];

    /// The two measures that the terrain thesis compares.
    pub const OF_THESIS: [Self; 2] = [Self::Enlargement, Self::Centroid];

    /// Returns the name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Enlargement => "enlargement",
            Self::Centroid => "centroid",
            Self::SimpleEnlargement => "simple-enlargement",
            Self::Tobler => "tobler",
            Self::Naismith => "naismith",
            Self::Minetti => "minetti",
        }
    }

    /// Returns the unit of prices with this measure.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Enlargement | Self::Centroid | Self::SimpleEnlargement => "cost",
            Self::Tobler | Self::Naismith => "s",
            Self::Minetti => "J/kg",
        }
    }

    /// Returns the model of walking, if this is one.
    pub(super) const fn walking(self) -> Option<Walking> {
        match self {
            Self::Enlargement | Self::Centroid | Self::SimpleEnlargement => None,
            Self::Tobler => Some(Walking::Tobler),
            Self::Naismith => Some(Walking::Naismith),
            Self::Minetti => Some(Walking::Minetti),
        }
    }
}

/// The parameters of the traversal price. The defaults are those of the terrain thesis.
///
/// [`Price::walking`] has the prices of walking models.
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
    /// Factor for distances along y, on top of [`sideways`](Self::sideways). [Limits: 0 to 1e6] [Default: 1]
    pub y_factor: f32,
    /// The maximum slope upwards, as rise divided by run: a crossing that is steeper is impossible. 1 is 45 degrees. With
    /// a limit, [`TerrainEngine::Mesh`](super::TerrainEngine::Mesh) can miss paths that exist.
    /// [Limits: 0 to 1e6] [Default: 1e6, which is no limit]
    pub max_up: f32,
    /// The maximum slope downwards, as a positive number. [Limits: 0 to 1e6] [Default: 1e6, which is no limit]
    pub max_down: f32,
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
            y_factor: 1.0,
            max_up: NO_LIMIT,
            max_down: NO_LIMIT,
        }
    }
}

/// The slope limit that stands for no limit.
const NO_LIMIT: f32 = 1e6;

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
    pub const PARAMETERS: [PriceParameter; 14] = [
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
        parameter!(y_factor, "multiplier", 0.0 to 1e6),
        parameter!(max_up, "rise per run", 0.0 to 1e6),
        parameter!(max_down, "rise per run", 0.0 to 1e6),
    ];

    /// Checks that every parameter is within its limits.
    pub fn check(&self) -> Result<(), TerrainError> {
        for parameter in &Self::PARAMETERS {
            let &PriceParameter { name, min, max, .. } = parameter;
            check_parameter(name, parameter.get(self), [min, max])?;
        }
        Ok(())
    }

    /// Returns the price with a measure and otherwise the defaults. With a walking model, difficult ground costs up to
    /// twice as much as easy ground.
    ///
    /// ```
    /// use portolan_terrain::{Distances, Price};
    ///
    /// // Hikers who avoid slopes of more than 30% upwards and 40% downwards.
    /// let hiker = Price { max_up: 0.3, max_down: 0.4, ..Price::walking(Distances::Tobler) };
    /// hiker.check()?;
    /// # Ok::<(), portolan_terrain::TerrainError>(())
    /// ```
    pub fn walking(distances: Distances) -> Self {
        Self {
            distances,
            ..Self::default()
        }
    }

    /// Returns whether some slopes are too steep to walk on.
    pub fn has_limits(&self) -> bool {
        self.max_up < NO_LIMIT || self.max_down < NO_LIMIT
    }

    /// Returns whether a leg is within the slope limits.
    #[inline]
    pub(super) fn allows(&self, run: f64, rise: f64) -> bool {
        let allows = |limit: f32| limit >= NO_LIMIT || rise.abs() <= f64::from(limit) * run;
        allows(if rise > 0.0 {
            self.max_up
        } else {
            self.max_down
        })
    }

    /// Multiplies coordinate distances by the factors for their axes and signs.
    #[inline]
    pub(super) fn scale_axes(&self, [towards_higher, towards_lower]: [Vec3; 2]) -> Vec3 {
        let along_y = self.sideways * self.y_factor;
        let higher = Vec3::new(self.sideways, along_y, self.up);
        let lower = Vec3::new(self.sideways, along_y, self.down);
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
            Distances::SimpleEnlargement => from.extent.enlargement(to.extent),
            _ => {
                let vector = to.centroid - from.centroid;
                [vector.max(Vec3::ZERO), (-vector).max(Vec3::ZERO)]
            }
        }
    }

    /// Returns how many metres sideways a metre up or down is worth at least.
    pub(super) fn height_factor(&self) -> f32 {
        let factor = match self.distances.walking() {
            Some(walking) => {
                let bounds = walking.bounds();
                bounds.up.min(bounds.down) / bounds.run
            }
            None => self.up.min(self.down) / self.sideways,
        };
        if factor.is_finite() { factor } else { 1.0 }
    }

    /// Returns a lower bound of the cost of any path from one triangle or mesh to another, given their bounding
    /// boxes.
    ///
    /// The base of a crossing is the enlargement of the box of its edge, which is within the box of the triangle
    /// before the edge, or of that box itself. So, per axis and sign, the coordinate distances along a path add up to at
    /// least the enlargement from the first box to the last. By the triangle inequality, the length of that sum is at most
    /// the sum of the lengths, and no final multiplier is below 1. Centroids are within the boxes of their triangles, so
    /// with the other measures a path covers at least the gap between the two boxes.
    #[inline]
    pub fn lower_bound(&self, from: Extent, to: Extent) -> f32 {
        let distances = match self.distances {
            Distances::Enlargement | Distances::SimpleEnlargement => from.enlargement(to),
            _ => [
                (to.min - from.max).max(Vec3::ZERO),
                (from.min - to.max).max(Vec3::ZERO),
            ],
        };
        match self.distances.walking() {
            None => self.scale_axes(distances).length(),
            Some(walking) => {
                let [higher, lower] = distances;
                let run = (higher + lower).truncate().length();
                walking.bounds().cost(run, higher.z, lower.z)
            }
        }
    }

    /// Returns the final multiplier: 1 plus the weighted sum of the five multipliers.
    ///
    /// Walking models know slopes already, so only the difficulty counts for them.
    pub(super) fn multiplier(&self, from: &TriangleSurface, to: &TriangleSurface) -> f32 {
        if self.distances.walking().is_some() {
            return 1.0 + self.difficulty * to.difficulty;
        }
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
