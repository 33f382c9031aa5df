//! The folders into which cargo builds the programs that the steps run.

use std::env;
use std::path::{Path, PathBuf};

use crate::shell::{self, cargo};

/// Builds `portolan` with the release profile and returns the folder of the program.
pub(crate) fn build_release(root: &Path) -> Result<PathBuf, String> {
    // Without `--package`, dependencies have the features that they have in `cargo run --release`, so that nothing is
    // compiled twice.
    shell::run(cargo(root, "build").args(["--release", "--bin", "portolan"]))?;
    Ok(target()?.join("release"))
}

/// Returns the folder of the development build.
pub(crate) fn development() -> Result<PathBuf, String> {
    Ok(target()?.join("debug"))
}

/// Returns cargo's target folder, which it derives from the path of this program.
pub(crate) fn target() -> Result<PathBuf, String> {
    let xtask = env::current_exe().map_err(|error| format!("the path of xtask: {error}"))?;
    let target = xtask.ancestors().nth(2).map(Path::to_path_buf);
    target.ok_or_else(|| format!("no target folder above {}", xtask.display()))
}
