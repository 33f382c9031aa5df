//! `u32` names of things, checked once at the edge and never mixed up afterwards.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of element `index`. Panics past `u32::MAX`, which the limits of a navmesh
            /// ([`MAX_ELEMENTS`]) rule out for anything stored.
            #[inline]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("an index beyond u32"))
            }

            /// The position of this element in its array.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

/// The most polygons, vertices, portals or samples that one navmesh may hold. A search packs an
/// id and one bit into 32 bits, so one bit of the range is given away.
pub const MAX_ELEMENTS: usize = (u32::MAX >> 2) as usize;

id! {
    /// A convex face of the navmesh: a node of level 0. Polygons are numbered so that what is near
    /// has near ids; the caller's own names are kept beside them as user ids.
    PolygonId
}
id! {
    /// The border that two neighbouring polygons share, or the part of it that they share.
    PortalId
}
id! {
    /// An off-mesh link.
    LinkId
}
id! {
    /// A vertex of the portal graph: a sample point of one portal, or one end of one link.
    SampleId
}
id! {
    /// A node of one level of a [`Partition`](crate::Partition): a connected group of nodes of the
    /// level below. Each level numbers its own.
    NodeId
}

/// How coarse: 0 is polygons, and each level above groups the nodes of the one below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(pub u8);

impl Level {
    /// The position of this level in an array that begins with level 1.
    #[inline]
    pub(crate) fn above_ground(self) -> usize {
        usize::from(self.0) - 1
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// One end of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terminal {
    /// Where the agent stands.
    Start,
    /// Where it wants to be.
    Goal,
}
