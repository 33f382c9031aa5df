//! Errors in the input of a terrain.

use portolan_core::HierarchyError;
use portolan_index::IndexError;

/// The reason why a terrain, or one of its stages, cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TerrainError {
    /// The web has no triangles.
    #[error("the web has no triangles; it needs at least one")]
    Empty,
    /// The web has more than 2^28 triangles.
    #[error("{0} triangles are too many; the limit is {max}", max = super::web::MAX_TRIANGLES)]
    TooMany(usize),
    /// A corner of a triangle is not the index of a point.
    #[error("triangle {triangle}: there is no point {point}, only {points} points")]
    NoPoint {
        /// The triangle.
        triangle: usize,
        /// The index of the point.
        point: u32,
        /// The number of points.
        points: usize,
    },
    /// A coordinate of a point is not finite, or its absolute value exceeds 1e15.
    #[error("point {0} has a coordinate that is not finite or whose absolute value exceeds 1e15")]
    NotFinite(usize),
    /// Two corners of a triangle have the same position.
    #[error("triangle {0} has the same corner twice")]
    Degenerate(usize),
    /// An edge belongs to more than two triangles.
    #[error("triangles {0}, {1} and {2} share an edge; an edge has two triangles at most")]
    ThirdTriangle(usize, usize, usize),
    /// The number of difficulties differs from the number of triangles.
    #[error("there are {found} difficulties for {expected} triangles; give one per triangle")]
    DifficultyCount {
        /// The number of difficulties.
        found: usize,
        /// The number of triangles.
        expected: usize,
    },
    /// A difficulty is not from 0 to 1.
    #[error("triangle {0}: the difficulty is {1}, not from 0 to 1")]
    Difficulty(usize, f32),
    /// A parameter of the price, or the strength of a crowd, is outside its limits.
    #[error("price: {name} is {value}, but has to be {} to {}", compact(limits[0]), compact(limits[1]))]
    Price {
        /// The name of the parameter.
        name: &'static str,
        /// The value that was given.
        value: f32,
        /// The lowest and the highest allowed value.
        limits: [f32; 2],
    },
    /// A height map is smaller than 2 x 2 pixels.
    #[error("a height map of {width} x {height} pixels is too small; it needs 2 x 2 or more")]
    MapTooSmall {
        /// Pixels per row.
        width: usize,
        /// Number of rows.
        height: usize,
    },
    /// The number of values differs from the number of pixels.
    #[error("there are {found} values for a map of {width} x {height} pixels")]
    MapValues {
        /// The number of values.
        found: usize,
        /// Pixels per row.
        width: usize,
        /// Number of rows.
        height: usize,
    },
    /// A height is not finite, or not from 0 to 1 where it has to be.
    #[error(
        "the height at column {column}, row {row} is {value}, which is not from 0 to 1 or not finite"
    )]
    MapValue {
        /// The column, counted from 0 at the left.
        column: usize,
        /// The row, counted from 0 at the top.
        row: usize,
        /// The height that was given.
        value: f32,
    },
    /// The height map and the difficulty map differ in size.
    #[error(
        "the heights have {} x {} pixels, the difficulties {} x {}; both need the same size",
        heights[0], heights[1], difficulty[0], difficulty[1]
    )]
    MapSizes {
        /// Width and height of the height map.
        heights: [usize; 2],
        /// Width and height of the difficulty map.
        difficulty: [usize; 2],
    },
    /// The range of x or y is not a range, or too narrow for the pixels of the map.
    #[error(
        "{axis} from {low} to {high} has no room for {pixels} pixels; use two finite numbers, the lower one first, \
         that are far enough apart for distinct coordinates"
    )]
    MapExtent {
        /// The axis: x or y.
        axis: char,
        /// The lower end of the range.
        low: f32,
        /// The upper end of the range.
        high: f32,
        /// The number of pixels along the axis.
        pixels: usize,
    },
    /// The range of heights is not a range.
    #[error("heights from {0} to {1} are not a range; use two finite numbers, the lower one first")]
    HeightRange(f32, f32),
    /// There is no triangle with this id.
    #[error("there is no triangle {triangle}; this terrain has {triangles} triangles")]
    NoTriangle {
        /// The id that was given.
        triangle: u32,
        /// The number of triangles.
        triangles: usize,
    },
    /// The interval of contour lines is not positive, or too small for the height of the ground.
    #[error(
        "a contour interval of {interval} does not fit ground that is {height} high; use a positive number that gives \
         at most 10000 lines"
    )]
    ContourInterval {
        /// The interval that was given.
        interval: f32,
        /// The difference between the highest and the lowest point.
        height: f32,
    },
    /// There is no such iteration of merging.
    #[error(
        "there is no iteration {iteration}, only {iterations}; a compressed terrain has none, so build it without a \
         number of layers"
    )]
    NoIteration {
        /// The iteration that was given.
        iteration: usize,
        /// The number of iterations.
        iterations: usize,
    },
    /// The numbers of meshes after each iteration do not fit the tree.
    #[error(
        "the numbers of meshes after {0} iterations do not ascend from the Low Meshes to all meshes"
    )]
    Iterations(usize),
    /// Runners shall follow the main path, and there is none.
    #[error("runners that follow the main path need one; set `RunnerOptions::main`")]
    NoMainPath,
    /// A height was given for a point that does not exist.
    #[error("there is no point {point}; this terrain has {points} points")]
    EditedPoint {
        /// The index that was given.
        point: u32,
        /// The number of points.
        points: usize,
    },
    /// [`MergeOptions::max_children`](super::MergeOptions::max_children) is outside its limits.
    #[error("the maximum number of children is {0}; use 2 to 1024")]
    MaxChildren(usize),
    /// [`MergeOptions::tie`](super::MergeOptions::tie) is outside its limits.
    #[error("the tie tolerance is {0}; use 0 to 1")]
    Tie(f32),
    /// [`TerrainOptions::layers`](super::TerrainOptions::layers) is less than 2.
    #[error("{0} layers are too few; the minimum is 2, Low Meshes and a Top Mesh")]
    Layers(usize),
    /// The stages were built from different terrains.
    #[error(
        "the web has {web} triangles, the graph {graph}, the merged meshes {merged}; pass stages that were built \
         from one another"
    )]
    Stages {
        /// The number of triangles of the web.
        web: usize,
        /// The number of triangles of the graph.
        graph: usize,
        /// The number of Low Meshes of the tree.
        merged: usize,
    },
    /// An order of triangles does not contain each triangle exactly once.
    #[error(
        "an order of {found} ranks does not contain each of {expected} triangles once; `order_terrain` computes one"
    )]
    NotAnOrder {
        /// The number of ranks.
        found: usize,
        /// The number of triangles.
        expected: usize,
    },
    /// The order for the contraction cannot be computed.
    #[error("cannot compute the order of the contraction: {0}")]
    Order(IndexError),
    /// The partition for HNA* cannot be computed.
    #[error("cannot compute the partition of HNA*: {0}")]
    Partition(IndexError),
    /// The hierarchy for HNA* cannot be built from the partition.
    #[error("cannot build the hierarchy of HNA*: {0}")]
    Hierarchy(HierarchyError),
    /// A partition was requested from a build without METIS.
    #[error(
        "METIS computes the partition of HNA*, and this build does not include it; enable the feature `metis`, or \
         pass your own partition to `Terrain::with_hierarchy`"
    )]
    NoMetis,
    /// A list of parents is not a valid tree.
    #[error(
        "mesh {0}: its parent does not exist or does not come after it, or it is a High Mesh without children"
    )]
    Tree(usize),
    /// A list of prices has the wrong length, or contains a value that is negative or not finite.
    #[error("{what}: found {found} of {expected} values, or a value is negative or not finite")]
    Prices {
        /// The name of the list.
        what: &'static str,
        /// The number of prices.
        found: usize,
        /// The expected number of prices.
        expected: usize,
    },
}

/// Formats a number in the shorter of plain and scientific notation: 1e6, not 1000000.
fn compact(number: f32) -> String {
    let (plain, short) = (number.to_string(), format!("{number:e}"));
    if short.len() < plain.len() {
        short
    } else {
        plain
    }
}
