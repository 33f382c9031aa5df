//! What can change about the ground at run time.

use super::obstacle::{Obstacle, ObstacleId};
use crate::ids::{LinkId, PolygonId};
use crate::navmesh::RawLink;
use crate::profile::MAX_FACTOR;

/// One change of the ground. Changes hold for every profile.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// Closes a polygon.
    Block(PolygonId),
    /// Opens a polygon that was blocked.
    Unblock(PolygonId),
    /// Gives a polygon another area, which decides what each profile pays there.
    Area(PolygonId, u8),
    /// Gives a polygon other flags, which decide which profiles may enter it.
    Flags(PolygonId, u16),
    /// Multiplies the cost per metre of a polygon, for every profile; 1 is the factor of a new world. [Limit: 0 <
    /// factor <= 1e6] A blocked polygon keeps its factor for the time after it.
    Factor(PolygonId, f32),
    /// Closes an off-mesh link.
    CloseLink(LinkId),
    /// Opens a link that was closed.
    OpenLink(LinkId),
    /// Adds an off-mesh link, which gets the next id: see [`Update::first_link`](super::Update::first_link). Its polygons, if they are
    /// given, are ids of the mesh. The index of the world is made again in the background; until then A* answers.
    AddLink(Box<RawLink>),
    /// Removes an off-mesh link. Its id is never used again.
    RemoveLink(LinkId),
    /// Closes all polygons and links of a named [`Switch`].
    Close(String),
    /// Opens all polygons and links of a named [`Switch`].
    Open(String),
    /// Places an obstacle. If there is one of that name, the new one replaces it: so an obstacle is moved.
    Place(ObstacleId, Obstacle),
    /// Removes an obstacle. Does nothing if there is none of that name.
    Remove(ObstacleId),
}

/// Polygons and links that are closed and opened together by a name, such as those of "door 7". An element of
/// several switches has the state of whichever changed last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Switch {
    /// The polygons.
    pub polygons: Vec<PolygonId>,
    /// The off-mesh links.
    pub links: Vec<LinkId>,
}

/// The reason why changes were rejected. None of them was made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// The mesh has no such polygon.
    #[error("change {change} names polygon {polygon}, and the mesh has {count} polygons")]
    Polygon {
        /// The index of the change.
        change: usize,
        /// The polygon.
        polygon: u32,
        /// The number of polygons.
        count: usize,
    },
    /// The mesh has no such link.
    #[error("change {change} names link {link}, and the mesh has {count} links")]
    Link {
        /// The index of the change.
        change: usize,
        /// The link.
        link: u32,
        /// The number of links.
        count: usize,
    },
    /// The link was removed.
    #[error("change {change} names link {link}, which was removed")]
    LinkRemoved {
        /// The index of the change.
        change: usize,
        /// The link, or one of a switch.
        link: u32,
    },
    /// A link that is to be added has invalid numbers.
    #[error("change {change}: the link cannot be added: {what}")]
    BadLink {
        /// The index of the change.
        change: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// There is no ground at the start or at the end of a link that is to be added.
    #[error("change {change}: the link cannot be added: its start or end is off the mesh")]
    LinkOffMesh {
        /// The index of the change.
        change: usize,
    },
    /// There are obstacles in the world.
    #[error("change {change}: links cannot be added while there are obstacles: remove them first")]
    LinkAmongObstacles {
        /// The index of the change.
        change: usize,
    },
    /// The snapshot is from before a link was added.
    #[error(
        "the snapshot has {found} links, and the world has {count}: a world cannot go back to the time before a link was added; \
         remove the link instead"
    )]
    LinksAdded {
        /// The number of links of the snapshot.
        found: usize,
        /// The number of links of the world.
        count: usize,
    },
    /// A factor is out of its limits.
    #[error(
        "change {change}: the factor must be more than 0 and at most {MAX_FACTOR}, not {factor}"
    )]
    Factor {
        /// The index of the change.
        change: usize,
        /// The rejected factor.
        factor: f32,
    },
    /// There is no switch of that name.
    #[error("change {change}: there is no switch '{name}': define it with `LiveWorld::define`")]
    Switch {
        /// The index of the change.
        change: usize,
        /// The name.
        name: String,
    },
    /// An obstacle has an invalid shape.
    #[error("change {change}: obstacle {} cannot be placed: {reason}", obstacle.0)]
    Obstacle {
        /// The index of the change.
        change: usize,
        /// The obstacle.
        obstacle: ObstacleId,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The polygon was taken out of the mesh: see [`LiveWorld::replace`](super::LiveWorld::replace).
    #[error("change {change} names polygon {polygon}, which is gone: it was replaced")]
    Gone {
        /// The index of the change.
        change: usize,
        /// The polygon, or one of a switch.
        polygon: u32,
    },
    /// The link ended on a polygon that was taken out of the mesh.
    #[error("change {change} names link {link}, which is gone: a polygon at its end was replaced")]
    LinkGone {
        /// The index of the change.
        change: usize,
        /// The link, or one of a switch.
        link: u32,
    },
    /// The snapshot has another shape.
    #[error(
        "the snapshot of version {snapshot} is from before polygons were replaced in version {replaced}: a world cannot go back \
         to it, because ids that are gone would come back; keep a world of that shape to go back to"
    )]
    OtherTopology {
        /// The version of the snapshot.
        snapshot: u64,
        /// The version in which the world got its present shape.
        replaced: u64,
    },
    /// The snapshot is of another world.
    #[error("the snapshot belongs to another world")]
    OtherWorld,
}

/// The size of the mesh that changes are checked against.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) polygons: usize,
    pub(super) links: usize,
}

impl Limits {
    pub(super) fn polygon(self, change: usize, polygon: PolygonId) -> Result<(), ChangeError> {
        let exists = polygon.index() < self.polygons;
        exists.then_some(()).ok_or(ChangeError::Polygon {
            change,
            polygon: polygon.0,
            count: self.polygons,
        })
    }

    pub(super) fn link(self, change: usize, link: LinkId) -> Result<(), ChangeError> {
        let exists = link.index() < self.links;
        exists.then_some(()).ok_or(ChangeError::Link {
            change,
            link: link.0,
            count: self.links,
        })
    }

    /// Checks everything about a change except the name of a switch.
    pub(super) fn check(self, index: usize, change: &Change) -> Result<(), ChangeError> {
        match *change {
            Change::Block(polygon)
            | Change::Unblock(polygon)
            | Change::Area(polygon, _)
            | Change::Flags(polygon, _) => self.polygon(index, polygon),
            Change::Factor(polygon, factor) => {
                self.polygon(index, polygon)?;
                let is_valid = factor > 0.0 && factor <= MAX_FACTOR;
                let error = ChangeError::Factor {
                    change: index,
                    factor,
                };
                is_valid.then_some(()).ok_or(error)
            }
            Change::CloseLink(link) | Change::OpenLink(link) | Change::RemoveLink(link) => {
                self.link(index, link)
            }
            // The writer checks these.
            Change::Close(_)
            | Change::Open(_)
            | Change::Place(..)
            | Change::Remove(_)
            | Change::AddLink(_) => Ok(()),
        }
    }
}
