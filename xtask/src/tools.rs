//! Installs the tools that the steps need besides a stable toolchain and a C compiler.

use std::path::Path;

use crate::TestPlan;
use crate::peers;
use crate::shell::{self, command};
use crate::steps::StepOutcome;

/// Debian packages that the fuzz targets need, because libFuzzer is C++, and that the tests on a graphics card need:
/// Mesa emulates one on the CPU.
const DEBIAN: &[&str] = &["g++", "mesa-vulkan-drivers"];

/// Installs missing components of the toolchain.
pub(crate) fn install_components(plan: &TestPlan) -> Result<StepOutcome, String> {
    component(&plan.root, "rustfmt", "fmt")?;
    component(&plan.root, "clippy", "clippy")?;
    Ok(StepOutcome::Passed)
}

/// Installs missing Debian packages.
pub(crate) fn install_packages(plan: &TestPlan) -> Result<StepOutcome, String> {
    debian_packages(&plan.root, DEBIAN)?;
    debian_packages(&plan.root, peers::DEBIAN)?;
    Ok(StepOutcome::Passed)
}

fn component(root: &Path, name: &str, subcommand: &str) -> Result<(), String> {
    if shell::succeeds(&mut command(root, "cargo", [subcommand, "--version"])) {
        return Ok(());
    }
    let add = ["component", "add", name];
    or_by_hand(shell::run(&mut command(root, "rustup", add)))
}

/// Installs those of `packages` that are missing. Without root rights, it fails with the command to run
/// instead.
pub(crate) fn debian_packages(root: &Path, packages: &[&str]) -> Result<(), String> {
    if !shell::succeeds(&mut command(root, "dpkg-query", ["--version"])) {
        println!(
            "   this system has no dpkg; install the equivalents of these Debian packages by hand: {}",
            packages.join(", ")
        );
        return Ok(());
    }
    let installed = |package: &str| {
        let query = ["--show", "--showformat=${db:Status-Status}", package];
        let answer = command(root, "dpkg-query", query).output();
        answer.is_ok_and(|answer| answer.stdout == b"installed")
    };
    let missing: Vec<_> = packages
        .iter()
        .copied()
        .filter(|package| !installed(package))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !is_root(root) {
        let packages = missing.join(" ");
        return Err(format!(
            "Debian packages are missing; run `apt-get install {packages}` as root"
        ));
    }
    let apt_get = |arguments: &[&str]| {
        let mut apt_get = command(root, "apt-get", arguments);
        shell::run(apt_get.env("DEBIAN_FRONTEND", "noninteractive"))
    };
    let install = [
        &["install", "--yes", "--no-install-recommends"],
        &missing[..],
    ]
    .concat();
    or_by_hand(apt_get(&["update"]).and_then(|()| apt_get(&install)))
}

fn is_root(root: &Path) -> bool {
    let answer = command(root, "id", ["-u"]).output();
    answer.is_ok_and(|answer| answer.stdout.trim_ascii() == b"0")
}

/// Adds the advice to install by hand to an error.
fn or_by_hand(installed: Result<(), String>) -> Result<(), String> {
    installed.map_err(|problem| {
        format!("the installation failed; install by hand what this command installs: {problem}")
    })
}
