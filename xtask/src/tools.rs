//! What the steps need besides a stable toolchain.

use std::path::Path;

use crate::Plan;
use crate::shell::{self, command};
use crate::steps::Outcome;

/// Packages of Debian. g++: libFuzzer is C++ and compiled with the fuzz targets.
const DEBIAN: &[&str] = &["g++"];

/// Why the fuzz targets cannot run, and the way out.
pub(crate) const NO_NIGHTLY: &str = "no nightly toolchain; `rustup toolchain install nightly`";

/// Checks for every tool, and installs what is missing and can be installed.
pub(crate) fn provide(plan: &Plan) -> Result<Outcome, String> {
    debian_packages(&plan.root)?;
    component(&plan.root, "rustfmt", "fmt")?;
    component(&plan.root, "clippy", "clippy")?;
    if !has_nightly(&plan.root) {
        println!("   fuzz will be skipped: {NO_NIGHTLY}");
    } else if !has_cargo_fuzz(&plan.root) {
        let install = ["install", "cargo-fuzz", "--locked"];
        by_hand(shell::run(&mut command(&plan.root, "cargo", install)))?;
    }
    Ok(Outcome::Passed)
}

/// Asks rustup and not `cargo +nightly`, which may start to download a toolchain.
pub(crate) fn has_nightly(root: &Path) -> bool {
    let arguments = ["run", "nightly", "rustc", "--version"];
    shell::succeeds(&mut command(root, "rustup", arguments))
}

pub(crate) fn has_cargo_fuzz(root: &Path) -> bool {
    shell::succeeds(&mut command(root, "cargo", ["fuzz", "--version"]))
}

fn component(root: &Path, name: &str, verb: &str) -> Result<(), String> {
    if shell::succeeds(&mut command(root, "cargo", [verb, "--version"])) {
        return Ok(());
    }
    let add = ["component", "add", name];
    by_hand(shell::run(&mut command(root, "rustup", add)))
}

fn debian_packages(root: &Path) -> Result<(), String> {
    if !shell::succeeds(&mut command(root, "dpkg-query", ["--version"])) {
        println!("   not Debian: packages like its {DEBIAN:?} have to be there");
        return Ok(());
    }
    let installed = |package: &str| {
        let query = ["--show", "--showformat=${db:Status-Status}", package];
        let answer = command(root, "dpkg-query", query).output();
        answer.is_ok_and(|answer| answer.stdout == b"installed")
    };
    let missing: Vec<_> = DEBIAN.iter().copied().filter(|p| !installed(p)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !is_root(root) {
        let packages = missing.join(" ");
        return Err(format!(
            "to install by hand, as root: `apt-get install {packages}`"
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
    by_hand(apt_get(&["update"]).and_then(|()| apt_get(&install)))
}

fn is_root(root: &Path) -> bool {
    let answer = command(root, "id", ["-u"]).output();
    answer.is_ok_and(|answer| answer.stdout.trim_ascii() == b"0")
}

fn by_hand(installed: Result<(), String>) -> Result<(), String> {
    installed.map_err(|problem| format!("to install by hand: {problem}"))
}
