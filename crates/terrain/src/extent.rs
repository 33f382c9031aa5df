//! Axis-aligned bounding boxes.

use glam::Vec3;

/// The axis-aligned bounding box of a triangle, an edge or a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The lowest coordinates.
    pub min: Vec3,
    /// The highest coordinates.
    pub max: Vec3,
}

impl Extent {
    /// The bounding box of no points. Its [`union`](Self::union) with another box is the other box.
    pub const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    /// Returns the bounding box of some points.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |extent, point| Self {
            min: extent.min.min(point),
            max: extent.max.max(point),
        })
    }

    /// Returns the bounding box of this box and another one.
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Returns by how much this box has to grow in order to contain `other`: first towards higher coordinates,
    /// then towards lower coordinates. No component is negative.
    #[inline]
    pub fn enlargement(self, other: Self) -> [Vec3; 2] {
        [
            (other.max - self.max).max(Vec3::ZERO),
            (self.min - other.min).max(Vec3::ZERO),
        ]
    }

    /// Returns the diagonal, from the lowest to the highest corner.
    pub fn size(self) -> Vec3 {
        self.max - self.min
    }
}
