//! Tests on a device. They run with the long tests, which install an adapter: on Debian, `mesa-vulkan-drivers`.

mod answers;
mod crowd;
mod edge_cases;
#[cfg(feature = "estimate")]
mod estimate;
mod live;
mod random;
mod worlds;
