//! Portolan beside others, by `tools/peers`: what that needs, its build, its run.

use std::path::Path;
use std::process::Command;

use crate::Plan;
use crate::shell::{self, command};
use crate::steps::Outcome;
use crate::{programs, tools};

/// Packages of Debian. Recast and Detour are C++, built by cmake and read by libclang.
pub(crate) const DEBIAN: &[&str] = &["cmake", "libclang-dev", "g++"];

/// Each a workspace of its own. The second starts the program of the first, and so do its tests.
pub(crate) const MANIFESTS: [&str; 2] =
    ["tools/peers-landmass/Cargo.toml", "tools/peers/Cargo.toml"];

/// Builds the peers and runs them with the arguments, in the folder of the caller. Returns the code
/// that they end with.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<u8, String> {
    tools::debian_packages(root, DEBIAN)?;
    for manifest in MANIFESTS {
        shell::run(cargo(root, "build", manifest)?.arg("--release"))?;
    }
    let name = format!("portolan-peers{}", std::env::consts::EXE_SUFFIX);
    let program = programs::target()?.join("release").join(name);
    let here = std::env::current_dir().map_err(|error| format!("this folder: {error}"))?;
    let status = command(&here, &program, arguments)
        .status()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    Ok(status.code().map_or(1, |code| code.clamp(0, 255) as u8))
}

/// Lints and tests, which nobody's `--workspace` reaches.
pub(crate) fn run_step(plan: &Plan) -> Result<Outcome, String> {
    tools::debian_packages(&plan.root, DEBIAN)?;
    for manifest in MANIFESTS {
        let mut clippy = cargo(&plan.root, "clippy", manifest)?;
        shell::run(clippy.args(["--all-targets", "--", "-D", "warnings"]))?;
        shell::run(&mut cargo(&plan.root, "test", manifest)?)?;
    }
    Ok(Outcome::Passed)
}

/// Into the folder that everything else is built into.
fn cargo(root: &Path, verb: &str, manifest: &str) -> Result<Command, String> {
    let mut cargo = command(root, "cargo", [verb, "--manifest-path", manifest]);
    cargo.arg("--target-dir").arg(programs::target()?);
    // The sources of Recast and Detour come with the crate.
    cargo.env("RECAST_VENDOR", "true");
    Ok(cargo)
}
