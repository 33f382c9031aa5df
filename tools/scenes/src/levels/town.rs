//! What the built-up scenes share: outlines on the map, houses, furniture of streets.

pub(crate) mod furniture;
pub(crate) mod house;
pub(crate) mod outline;
pub(crate) mod site;
