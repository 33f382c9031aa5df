//! Builds and runs `tools/peers`, which compares Portolan with other libraries.

use std::path::Path;
use std::process::Command;

use crate::TestPlan;
use crate::shell::{self, command};
use crate::steps::StepOutcome;
use crate::{programs, tools};

/// Debian packages that the peers need. Recast and Detour are C++: cmake builds them, and libclang reads their
/// headers.
pub(crate) const DEBIAN: &[&str] = &["cmake", "libclang-dev", "g++"];

/// The manifests in build order. Each is a workspace of its own. The program and the tests of the second start
/// the program of the first.
pub(crate) const MANIFESTS: [&str; 2] =
    ["tools/peers-landmass/Cargo.toml", "tools/peers/Cargo.toml"];

/// Builds the peers and runs them with `arguments` in the current folder. Returns their exit code.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<u8, String> {
    tools::debian_packages(root, DEBIAN)?;
    for manifest in MANIFESTS {
        shell::run(cargo(root, "build", manifest)?.arg("--release"))?;
    }
    let name = format!("portolan-peers{}", std::env::consts::EXE_SUFFIX);
    let program = programs::target()?.join("release").join(name);
    let here = std::env::current_dir().map_err(|error| format!("the current folder: {error}"))?;
    let status = command(&here, &program, arguments)
        .status()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    Ok(status.code().map_or(1, |code| code.clamp(0, 255) as u8))
}

/// Lints and tests the peers, which `--workspace` does not include.
pub(crate) fn run_step(plan: &TestPlan) -> Result<StepOutcome, String> {
    tools::debian_packages(&plan.root, DEBIAN)?;
    for manifest in MANIFESTS {
        let mut clippy = cargo(&plan.root, "clippy", manifest)?;
        shell::run(clippy.args(["--all-targets", "--", "-D", "warnings"]))?;
        shell::run(&mut cargo(&plan.root, "test", manifest)?)?;
    }
    Ok(StepOutcome::Passed)
}

/// Returns a cargo command for `manifest` that builds into the target folder of the workspace.
fn cargo(root: &Path, subcommand: &str, manifest: &str) -> Result<Command, String> {
    let mut cargo = command(root, "cargo", [subcommand, "--manifest-path", manifest]);
    cargo.arg("--target-dir").arg(programs::target()?);
    // Builds the sources of Recast and Detour that come with the crate, instead of downloading them.
    cargo.env("RECAST_VENDOR", "true");
    Ok(cargo)
}
