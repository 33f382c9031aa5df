//! Building blocks, for people who assemble a pipeline of their own, bind it to another language, or study
//! how it works. A game needs none of this.
//!
//! The crates behind this one are stages of the pipeline. Their modules are here under their own names:
//! [`core`] has the navmesh, the portal graph, the hierarchy, the contraction, the searches and the paths;
//! [`index`] partitions and contraction orders; `bake`, `files` and `formats` what their names say. Types
//! and functions that most such pipelines need are listed below.

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
    self as files, FileError, ReadError, open_index, open_navmesh, save_navmesh,
};
#[cfg(feature = "formats")]
pub use portolan_formats::{
    self as formats, Imported, open_areas, open_geometry, open_profile, open_queries,
};
