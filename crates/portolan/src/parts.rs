//! The building blocks of the pipeline, for custom pipelines, bindings to other languages, and research. A
//! game usually needs none of them.
//!
//! Each crate behind this one is a stage of the pipeline and is re-exported under its own name. [`core`]
//! has the navmesh, the portal graph, the hierarchy, the contraction, the searches and the paths. [`index`]
//! computes partitions and contraction orders. `bake` turns level geometry into navmeshes, `files` reads
//! and writes Portolan's own formats, and `formats` reads those of other tools. The types and functions
//! that most custom pipelines need are listed below.

pub use portolan_core::{
    self as core, AreaRules, BorderMatching, Corridor, Costs, Crossing, Endpoints, KeepComponents,
    Link, LinkId, LinkLeg, Located, Location, NavMeshError, NavMeshOptions, PolygonId, Portal,
    PortalId, Prices, Progress, RawHeights, RawLink, Repairs, Searched, Stage, Stop, Triangles,
    no_progress,
};
pub use portolan_index::{self as index, build};

#[cfg(feature = "bake")]
pub use portolan_bake::{
    self as bake, BakeError, Baked, Finding, bake as bake_level, bake_with_progress, diagnose,
    rebake_tile,
};
#[cfg(feature = "files")]
pub use portolan_files::{
    self as files, FileError, OpenOptions, ReadError, open_index, open_navmesh, open_world_with,
    save_navmesh,
};
#[cfg(feature = "formats")]
pub use portolan_formats::{
    self as formats, Imported, open_areas, open_geometry, open_profile, open_queries,
};
