//! How strict the check of a raw navmesh is.

/// Tolerances for [`NavMesh::build`](crate::NavMesh::build).
#[derive(Clone, Debug, PartialEq)]
pub struct NavMeshOptions {
    /// How far a corner may lie inside the line through its two neighbours before the polygon
    /// counts as not convex. [Limit: >= 0] [Units: m] Larger accepts sloppier meshes, whose paths
    /// may leave a polygon by as much.
    pub convexity_tolerance: f32,
    /// Borders that share no corners are also matched by where they lie, as tiles need it.
    /// `None`: only borders between the same two corner indices meet, which is faster and keeps
    /// walls without thickness shut.
    pub borders: Option<BorderMatching>,
}

/// When two borders without common corners are one portal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BorderMatching {
    /// How far apart, seen from above, the two borders may lie. [Limit: >= 0] [Units: m] A
    /// portal has to be longer than this, too.
    pub gap: f32,
    /// The step in height that an agent climbs from one to the other. [Limit: >= 0] [Units: m]
    pub step: f32,
}

impl Default for NavMeshOptions {
    /// One centimetre of tolerance, borders matched with Recast's default climb of 0.9 m.
    fn default() -> Self {
        Self {
            convexity_tolerance: 0.01,
            borders: Some(BorderMatching::default()),
        }
    }
}

impl Default for BorderMatching {
    fn default() -> Self {
        Self {
            gap: 0.01,
            step: 0.9,
        }
    }
}
