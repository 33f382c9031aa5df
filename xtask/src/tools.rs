//! What the steps need besides a stable toolchain and a C compiler.

use std::path::Path;

use crate::Plan;
use crate::peers;
use crate::shell::{self, command};
use crate::steps::Outcome;

/// Packages of Debian. libFuzzer is C++ and compiled with the fuzz targets.
const DEBIAN: &[&str] = &["g++"];

/// Installs the parts of the toolchain that are missing.
pub(crate) fn provide(plan: &Plan) -> Result<Outcome, String> {
    component(&plan.root, "rustfmt", "fmt")?;
    component(&plan.root, "clippy", "clippy")?;
    Ok(Outcome::Passed)
}

/// Installs the Debian packages that are missing.
pub(crate) fn provide_long(plan: &Plan) -> Result<Outcome, String> {
    debian_packages(&plan.root, DEBIAN)?;
    debian_packages(&plan.root, peers::DEBIAN)?;
    Ok(Outcome::Passed)
}

fn component(root: &Path, name: &str, verb: &str) -> Result<(), String> {
    if shell::succeeds(&mut command(root, "cargo", [verb, "--version"])) {
        return Ok(());
    }
    let add = ["component", "add", name];
    by_hand(shell::run(&mut command(root, "rustup", add)))
}

/// Installs what is missing of Debian's packages; as somebody else than root, says how.
pub(crate) fn debian_packages(root: &Path, packages: &[&str]) -> Result<(), String> {
    if !shell::succeeds(&mut command(root, "dpkg-query", ["--version"])) {
        println!("   not Debian: packages like its {packages:?} have to be there");
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
