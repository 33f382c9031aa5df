//! The program as its users run it.

use std::env;
use std::path::{Path, PathBuf};

use crate::shell::{self, command};

/// Builds `portolan` and says which folder it is in.
pub(crate) fn build(root: &Path) -> Result<PathBuf, String> {
    let build = ["build", "--release", "--package", "portolan-cli"];
    shell::run(&mut command(root, "cargo", build))?;
    folder()
}

/// Beside the folder of this program, wherever cargo's target folder is.
pub(crate) fn folder() -> Result<PathBuf, String> {
    let xtask = env::current_exe().map_err(|error| format!("the path of xtask: {error}"))?;
    let target = xtask.ancestors().nth(2);
    let target = target.ok_or_else(|| format!("no target folder above {}", xtask.display()))?;
    Ok(target.join("release"))
}
