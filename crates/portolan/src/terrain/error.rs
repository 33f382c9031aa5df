//! What can be wrong with ground.

/// Why there is no terrain.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TerrainError {
    /// No triangle at all.
    #[error("there is no triangle")]
    Empty,
    /// More triangles than ids.
    #[error("{0} triangles are more than {max}", max = super::web::MAX_TRIANGLES)]
    TooMany(usize),
    /// A corner that is not among the points.
    #[error("triangle {triangle}: there is no point {point}, only {points}")]
    NoPoint {
        /// The triangle.
        triangle: usize,
        /// Its corner.
        point: u32,
        /// How many points there are.
        points: usize,
    },
    /// A point that is no place.
    #[error("point {0} is not finite, or farther out than 1e15")]
    NotFinite(usize),
    /// Two corners of a triangle are one.
    #[error("triangle {0} has the same corner twice")]
    Degenerate(usize),
    /// An edge with a triangle too many.
    #[error("triangles {0}, {1} and {2} share an edge; an edge has two triangles at most")]
    ThirdTriangle(usize, usize, usize),
    /// Not one difficulty a triangle.
    #[error("there are {found} difficulties for {expected} triangles")]
    DifficultyCount {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A difficulty outside 0 to 1.
    #[error("triangle {0}: the difficulty is {1}, not within 0 to 1")]
    Difficulty(usize, f32),
    /// A parameter of the price that makes no sense.
    #[error("price: {name} is {value}, but has to be {range}")]
    Price {
        /// The parameter.
        name: &'static str,
        /// What it is.
        value: f32,
        /// What it may be.
        range: &'static str,
    },
}
