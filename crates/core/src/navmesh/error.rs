//! Why a raw navmesh is not one.

/// What [`NavMesh::build`](crate::NavMesh::build) refuses, with the number of the polygon, vertex or link as it stands in
/// the raw navmesh, counted from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NavMeshError {
    /// Nothing to walk on.
    #[error(
        "no polygon with an area in (x, z); {without_area} without one were left out (is y up?)"
    )]
    Empty {
        /// Polygons that have no area in (x, z).
        without_area: u32,
    },
    /// More of something than ids can name.
    #[error("{count} {what} are more than the {limit} that one navmesh can hold")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there can be.
        limit: usize,
    },
    /// A coordinate that is NaN, infinite or absurdly far away.
    #[error("vertex {vertex} is not a finite point within {limit} m of the origin")]
    BadVertex {
        /// The vertex.
        vertex: usize,
        /// The farthest coordinate allowed.
        limit: f32,
    },
    /// A per-polygon list that does not have one entry a polygon.
    #[error("the list of {what} has {found} entries for {expected} polygons")]
    WrongLength {
        /// Which list.
        what: &'static str,
        /// Number of polygons.
        expected: usize,
        /// Number of entries.
        found: usize,
    },
    /// A polygon that is not a face.
    #[error("polygon {polygon} has {count} vertices; a polygon needs 3")]
    TooFewVertices {
        /// The polygon.
        polygon: usize,
        /// Its number of vertices.
        count: usize,
    },
    /// A polygon with a corner that does not exist.
    #[error("polygon {polygon} refers to vertex {index}, but there are only {vertices}")]
    VertexOutOfRange {
        /// The polygon.
        polygon: usize,
        /// The index it refers to.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A polygon with a dent.
    #[error(
        "polygon {polygon} is not convex: corner {corner} lies {depth:.3} m inside the line through \
         its neighbours, more than the tolerance of {tolerance} m; split it"
    )]
    NotConvex {
        /// The polygon.
        polygon: usize,
        /// Which of its corners.
        corner: usize,
        /// How deep the dent is.
        depth: f32,
        /// How deep it might be.
        tolerance: f32,
    },
    /// A polygon that winds around more than once.
    #[error("polygon {polygon} crosses itself; split it")]
    SelfCrossing {
        /// The polygon.
        polygon: usize,
    },
    /// A border that belongs to too many.
    #[error(
        "polygons {}, {} and {} share the border between vertices {} and {}; a border can have two",
        polygons[0], polygons[1], polygons[2], vertices[0], vertices[1]
    )]
    CrowdedBorder {
        /// Three of the polygons.
        polygons: [usize; 3],
        /// The two ends of the border.
        vertices: [u32; 2],
    },
    /// So many borders at one place that joining them all would take for ever.
    #[error(
        "the borders of polygon {polygon} and of many others lie on one another; is the same place \
         in the mesh many times over? A smaller step keeps storeys apart"
    )]
    HeapOfBorders {
        /// One of the polygons.
        polygon: usize,
    },
    /// A finer surface that makes no sense.
    #[error("the heights of polygon {polygon} have {what}")]
    BadHeights {
        /// The polygon.
        polygon: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// A link that makes no sense.
    #[error("link {link} has {what}")]
    BadLink {
        /// The link.
        link: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// An option out of its limits.
    #[error("{what} must be a number of metres that is not negative, not {value}")]
    BadOption {
        /// Which option.
        what: &'static str,
        /// What it was set to.
        value: f32,
    },
}
