//! What a game calls every frame: questions about the ground, agents on their way, fields for crowds, searches with a
//! budget.
//!
//! [`World::probe`](crate::World::probe) answers questions about the ground around a point, and
//! [`World::many`](crate::World::many) those with more than one start or goal. A [`Follower`] leads one agent along
//! its path, a [`Field`] leads a crowd. A [`PendingSearch`] spreads a search over several frames, and [`Anytime`] has a
//! first path early. The page `docs/cookbook.md` is sorted by question.

pub use portolan_core::{
    Anytime, AnytimeProgress, Budget, Improvement, PendingSearch, ResumeError, SearchProgress,
};
pub use portolan_core::{
    DEFAULT_SNAP, Location, Neighbour, Probe, ProbeScratch, RandomPoints, Ray, Reachable, Totals,
    Wall,
};
pub use portolan_core::{
    Ends, Field, FieldCorner, FieldCornerKind, FieldScratch, FieldStep, Many, ManyScratch,
    NearestEnd, NearestEnds, ReachedPolygon, Terminal,
};
pub use portolan_core::{Follow, FollowCorner, FollowLink, Follower, RepairMethod, Repaired};
