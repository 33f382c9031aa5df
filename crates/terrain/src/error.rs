//! What can be wrong with ground.

use portolan_core::HierarchyError;
use portolan_index::IndexError;

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
    #[error("price: {name} is {value}, but has to be {} to {}", shown(limits[0]), shown(limits[1]))]
    Price {
        /// The parameter.
        name: &'static str,
        /// What it is.
        value: f32,
        /// The least and the most that it may be.
        limits: [f32; 2],
    },
    /// A map without a square.
    #[error("a height map of {width} x {height} pixels has no square; it takes 2 x 2 or more")]
    MapTooSmall {
        /// Pixels a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// Not one value a pixel.
    #[error("there are {found} values for a map of {width} x {height} pixels")]
    MapValues {
        /// How many there are.
        found: usize,
        /// Pixels a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A value that is none.
    #[error("the height at column {column}, row {row} is {value}, not within 0 to 1 or not finite")]
    MapValue {
        /// Counted from 0, from the left.
        column: usize,
        /// Counted from 0, from the top.
        row: usize,
        /// What is there.
        value: f32,
    },
    /// Two maps of one ground that do not fit.
    #[error(
        "the heights have {} x {} pixels, the difficulties {} x {}; both need the same size",
        heights[0], heights[1], difficulty[0], difficulty[1]
    )]
    MapSizes {
        /// Width and height of the heights.
        heights: [usize; 2],
        /// Width and height of the difficulties.
        difficulty: [usize; 2],
    },
    /// A box that does not hold a map.
    #[error(
        "{axis} from {low} to {high} does not hold {pixels} pixels; it takes two finite numbers, the lower \
         one first, and room for every pixel between them"
    )]
    MapExtent {
        /// Which axis: x or y.
        axis: char,
        /// Its lower end.
        low: f32,
        /// Its higher end.
        high: f32,
        /// How many pixels lie along it.
        pixels: usize,
    },
    /// Heights from nowhere.
    #[error(
        "heights from {0} to {1} are no range; it takes two finite numbers, the lower one first"
    )]
    HeightRange(f32, f32),
    /// A triangle that does not exist.
    #[error("there is no triangle {triangle}, only {triangles}")]
    NoTriangle {
        /// The triangle.
        triangle: u32,
        /// How many there are.
        triangles: usize,
    },
    /// Too few or too many children.
    #[error("a mesh of at most {0} children cannot be merged; take 2 to 1024")]
    MaxChildren(usize),
    /// No share.
    #[error("a tie of {0} is no share; take 0 to 1")]
    Tie(f32),
    /// Too few layers.
    #[error("{0} layers are too few: Low Meshes and a Top Mesh are 2")]
    Layers(usize),
    /// Stages of different grounds.
    #[error(
        "the web has {web} triangles, the graph {graph}, the merged meshes {merged}; pass stages that were \
         made of one another"
    )]
    Stages {
        /// Triangles of the web.
        web: usize,
        /// Triangles of the graph.
        graph: usize,
        /// Low Meshes that were merged.
        merged: usize,
    },
    /// Ranks that do not name every triangle once.
    #[error("an order of {found} ranks does not name each of {expected} triangles once")]
    NotAnOrder {
        /// Ranks of the order.
        found: usize,
        /// Triangles of the ground.
        expected: usize,
    },
    /// No order for a contraction.
    #[error("the order of the contraction: {0}")]
    Order(IndexError),
    /// No partition for HNA*.
    #[error("the partition of HNA*: {0}")]
    Partition(IndexError),
    /// No hierarchy for HNA*.
    #[error("the hierarchy of HNA*: {0}")]
    Hierarchy(HierarchyError),
    /// A partition is wanted, and this build has no METIS.
    #[error(
        "the partition of HNA* is cut by METIS, which this build does not have; enable the feature `metis`, or \
         pass a partition of your own to `Terrain::with_hierarchy`"
    )]
    NoMetis,
    /// Parents that make no tree.
    #[error("mesh {0}: its parent is none, or not after it, or it has no children")]
    Tree(usize),
    /// Prices that are none, or not as many as there should be.
    #[error("{what}: {found} of them for {expected}, or one that is no price")]
    Prices {
        /// Which ones.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
}

/// A number without a row of zeros: 1e6, not 1000000.
fn shown(number: f32) -> String {
    let (plain, short) = (number.to_string(), format!("{number:e}"));
    if short.len() < plain.len() {
        short
    } else {
        plain
    }
}
