//! Building blocks of scenes with towns: outlines, houses, props, and claims on the ground.

pub(crate) mod claims;
pub(crate) mod house;
pub(crate) mod outline;
pub(crate) mod props;
