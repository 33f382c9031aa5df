//! Tests on a device. They need an adapter: on Debian, `apt-get install mesa-vulkan-drivers`.

mod answers;
mod crowd;
#[cfg(feature = "estimate")]
mod estimate;
mod worlds;
