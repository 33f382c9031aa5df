//! Portolan beside others, by `crates/portolan-peers`: what that needs, its build, its run.

use std::path::Path;

use crate::shell::{self, command};
use crate::tools;

/// Packages of Debian. Recast and Detour are C++, built by cmake and read by libclang.
const DEBIAN: &[&str] = &["cmake", "libclang-dev", "g++"];

/// Builds the peers and runs them with the arguments, in the folder of the caller. Returns the code
/// that they end with.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<u8, String> {
    tools::debian_packages(root, DEBIAN)?;
    let build = ["build", "--release", "--package", "portolan-peers"];
    // The sources of Recast and Detour come with the crate.
    shell::run(command(root, "cargo", build).env("RECAST_VENDOR", "true"))?;
    let program =
        crate::release::folder()?.join(format!("portolan-peers{}", std::env::consts::EXE_SUFFIX));
    let here = std::env::current_dir().map_err(|error| format!("this folder: {error}"))?;
    let status = command(&here, &program, arguments)
        .status()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    Ok(status.code().map_or(1, |code| code.clamp(0, 255) as u8))
}
