//! The options of the validation of a raw navmesh.

/// Tolerances for [`NavMesh::build`](crate::NavMesh::build).
#[derive(Clone, Debug, PartialEq)]
pub struct NavMeshOptions {
    /// How far a corner may lie inside the convex hull of its polygon. [Limit: >= 0] [Units: m]
    /// [Default: 0.01] A larger value accepts less accurate meshes, but paths may leave a polygon by
    /// up to this distance.
    pub convexity_tolerance: f32,
    /// How borders that share no vertices are matched by their positions, as needed between tiles.
    /// [Default: `Some`] With `None`, only borders between the same two vertex indices form a portal.
    /// That is faster, and walls of zero thickness stay closed.
    pub borders: Option<BorderMatching>,
}

/// The tolerances within which two borders without common vertices form a portal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BorderMatching {
    /// The largest distance between the two borders in plan. [Limit: >= 0] [Units: m]
    /// [Default: 0.01] A portal is also longer than this. A larger value closes wider gaps between
    /// tiles, but drops narrower portals.
    pub gap: f32,
    /// The largest difference in height between the two borders. [Limit: >= 0] [Units: m]
    /// [Default: 0.9] It should be the step that agents can climb. A larger value may connect
    /// different floors.
    pub step: f32,
}

impl Default for NavMeshOptions {
    /// Returns options with a tolerance of one centimetre and the default border matching.
    fn default() -> Self {
        Self {
            convexity_tolerance: 0.01,
            borders: Some(BorderMatching::default()),
        }
    }
}

impl Default for BorderMatching {
    /// Returns a gap of one centimetre and a step of 0.9 m, the default climb of Recast.
    fn default() -> Self {
        Self {
            gap: 0.01,
            step: 0.9,
        }
    }
}
