//! Where cargo puts the programs that the steps run.

use std::env;
use std::path::{Path, PathBuf};

use crate::shell::{self, cargo};

/// Builds `portolan` for release and returns its folder.
pub(crate) fn build_release(root: &Path) -> Result<PathBuf, String> {
    shell::run(cargo(root, "build").args(["--release", "--package", "portolan-cli"]))?;
    Ok(target()?.join("release"))
}

/// The folder of the development build.
pub(crate) fn development() -> Result<PathBuf, String> {
    Ok(target()?.join("debug"))
}

/// Cargo's target folder, found from this program's own path.
pub(crate) fn target() -> Result<PathBuf, String> {
    let xtask = env::current_exe().map_err(|error| format!("the path of xtask: {error}"))?;
    let target = xtask.ancestors().nth(2).map(Path::to_path_buf);
    target.ok_or_else(|| format!("no target folder above {}", xtask.display()))
}
