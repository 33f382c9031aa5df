//! Boxes along the axes.

use glam::Vec3;

/// What a triangle, an edge or a mesh extends over: the extremes along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The lowest coordinates.
    pub min: Vec3,
    /// The highest coordinates.
    pub max: Vec3,
}

impl Extent {
    /// Of nothing: whatever is added is all there is.
    pub const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    /// The box around some points.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |extent, point| Self {
            min: extent.min.min(point),
            max: extent.max.max(point),
        })
    }

    /// The box around two.
    pub fn around(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// By how much it has to grow to hold the other one: towards higher coordinates, and towards lower.
    #[inline]
    pub fn enlargement(self, other: Self) -> [Vec3; 2] {
        [
            (other.max - self.max).max(Vec3::ZERO),
            (self.min - other.min).max(Vec3::ZERO),
        ]
    }

    /// From corner to corner.
    pub fn size(self) -> Vec3 {
        self.max - self.min
    }
}
