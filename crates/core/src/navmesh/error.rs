//! The reasons why a raw navmesh is rejected.

/// The reason why [`NavMesh::build`](crate::NavMesh::build) rejects a raw navmesh. Polygons, vertices
/// and links are named by their index in the [`RawNavMesh`](crate::RawNavMesh), counted from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NavMeshError {
    /// The navmesh has no polygon to walk on.
    #[error(
        "no polygon with an area in (x, z): the navmesh is empty or all of its {without_area} \
         polygons are vertical or degenerate; check that y points up"
    )]
    Empty {
        /// The number of polygons without an area in (x, z).
        without_area: u32,
    },
    /// The navmesh has more elements of one kind than ids can address.
    #[error("{count} {what} exceed the limit of {limit}; split the navmesh or the polygon")]
    TooMany {
        /// The kind of element.
        what: &'static str,
        /// The number of elements.
        count: usize,
        /// The largest number allowed.
        limit: usize,
    },
    /// A coordinate is NaN, infinite or too far from the origin.
    #[error(
        "vertex {vertex} has a coordinate that is not finite or more than {limit} m from the origin; \
         move the mesh closer to the origin"
    )]
    BadVertex {
        /// The vertex.
        vertex: usize,
        /// The largest absolute coordinate allowed. [Units: m]
        limit: f32,
    },
    /// A per-polygon list does not have one entry per polygon.
    #[error(
        "the list of {what} has {found} entries for {expected} polygons; give one entry per polygon \
         or leave the list empty"
    )]
    WrongLength {
        /// The name of the list.
        what: &'static str,
        /// The number of polygons.
        expected: usize,
        /// The number of entries.
        found: usize,
    },
    /// A polygon has fewer than three corners.
    #[error("polygon {polygon} has {count} corners, but a polygon needs at least 3")]
    TooFewVertices {
        /// The polygon.
        polygon: usize,
        /// The number of its corners.
        count: usize,
    },
    /// A polygon refers to a vertex that does not exist.
    #[error("polygon {polygon} refers to vertex {index}, but there are only {vertices} vertices")]
    VertexOutOfRange {
        /// The polygon.
        polygon: usize,
        /// The index that it refers to.
        index: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A polygon is not convex.
    #[error(
        "polygon {polygon} is not convex: the dent or spike at corner {corner} is {depth:.3} m deep, \
         more than the tolerance of {tolerance} m; split the polygon or raise the tolerance"
    )]
    NotConvex {
        /// The polygon.
        polygon: usize,
        /// The index of the corner in the polygon's corner list.
        corner: usize,
        /// The depth of the dent, or the length of the spike. [Units: m]
        depth: f32,
        /// The largest depth allowed. [Units: m]
        tolerance: f32,
    },
    /// The border of a polygon turns around more than once.
    #[error("polygon {polygon} crosses itself; split it into simple polygons")]
    SelfCrossing {
        /// The polygon.
        polygon: usize,
    },
    /// More than two polygons share a border.
    #[error(
        "polygons {}, {} and {} share the border between vertices {} and {}, but at most two polygons \
         can share a border; remove one of them or give it vertices of its own",
        polygons[0], polygons[1], polygons[2], vertices[0], vertices[1]
    )]
    CrowdedBorder {
        /// Three of the polygons.
        polygons: [usize; 3],
        /// The two vertices of the border.
        vertices: [u32; 2],
    },
    /// So many borders overlap that the number of portals would grow with their square.
    #[error(
        "the borders of polygon {polygon} and of many others overlap; remove duplicate polygons, or \
         lower the step of the border matching so that it does not connect different floors"
    )]
    OverlappingBorders {
        /// One of the polygons.
        polygon: usize,
    },
    /// The finer surface of a polygon is invalid.
    #[error("the heights of polygon {polygon} are invalid: {what}")]
    BadHeights {
        /// The polygon.
        polygon: usize,
        /// The reason.
        what: &'static str,
    },
    /// An off-mesh link is invalid.
    #[error("link {link} is invalid: {what}")]
    BadLink {
        /// The link.
        link: usize,
        /// The reason.
        what: &'static str,
    },
    /// An option is outside its limits.
    #[error("{what} must be a finite number of metres, at least 0, but it is {value}")]
    BadOption {
        /// The name of the option.
        what: &'static str,
        /// The value of the option.
        value: f32,
    },
}
