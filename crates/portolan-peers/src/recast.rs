//! Recast C++, on the very same triangles.

use portolan::Triangles;
use portolan_bake::BakeOptions;

/// What a bake took and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RecastBake {
    /// Wall milliseconds on one thread, from triangles to polygons with their finer surface.
    pub(crate) ms: f64,
    pub(crate) polygons: usize,
}

/// Bakes a level as `options` say; tiles of `options.tiles` where it must.
pub(crate) fn bake(_triangles: &Triangles, _options: &BakeOptions) -> Result<RecastBake, String> {
    Err("not built yet".to_owned())
}
