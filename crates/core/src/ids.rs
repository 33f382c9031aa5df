//! Typed `u32` ids, so that ids of different kinds cannot be confused.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Creates the id of element `index`.
            ///
            /// # Panics
            /// Panics if `index` exceeds `u32::MAX`, which the limits of a navmesh ([`MAX_ELEMENTS`]) rule
            /// out for stored elements.
            #[inline]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("an index beyond u32"))
            }

            /// Returns the index of this element in its array.
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

/// The maximum number of polygons, vertices, portals or samples of a navmesh. A search packs an id and one
/// more bit into 32 bits, and reserves some numbers as markers.
pub const MAX_ELEMENTS: usize = (u32::MAX >> 2) as usize;

id! {
    /// A convex face of the navmesh, which is a node of level 0. Polygons that are close together have
    /// similar ids. The caller's own names are kept as user ids.
    PolygonId
}
id! {
    /// The border that two neighbouring polygons share, or a part of it.
    PortalId
}
id! {
    /// An off-mesh link.
    LinkId
}
id! {
    /// A vertex of the portal graph: a sample point of a portal, or an end of an off-mesh link.
    SampleId
}
id! {
    /// A node of one level of a [`Partition`](crate::Partition): a connected group of nodes of the level
    /// below. Each level numbers its nodes from 0.
    NodeId
}

/// A level of a partition. Level 0 consists of the polygons, and each level above groups the nodes of the
/// level below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(pub u8);

impl Level {
    /// Returns the index of this level in an array that starts with level 1.
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
    /// The position where the agent is.
    Start,
    /// The position that the agent wants to reach.
    Goal,
}
