//! What the steps need besides a stable toolchain.

use std::env;
use std::path::Path;

use crate::Plan;
use crate::peers;
use crate::shell::{self, command};
use crate::steps::Outcome;

/// Packages of Debian. g++: libFuzzer is C++ and compiled with the fuzz targets.
const DEBIAN: &[&str] = &["g++"];

/// Why the fuzz targets cannot run, and the way out.
const NO_NIGHTLY: &str = "no nightly toolchain; `rustup toolchain install nightly`";

/// Checks for every tool, and installs what is missing and can be installed.
pub(crate) fn provide(plan: &Plan) -> Result<Outcome, String> {
    debian_packages(&plan.root, DEBIAN)?;
    debian_packages(&plan.root, peers::DEBIAN)?;
    component(&plan.root, "rustfmt", "fmt")?;
    component(&plan.root, "clippy", "clippy")?;
    if !has_nightly(&plan.root) && !install_nightly(&plan.root) {
        match without_nightly(is_ci()) {
            Ok(_) => println!("   fuzz will be skipped: {NO_NIGHTLY}"),
            Err(_) => println!("   fuzz will fail: {NO_NIGHTLY}"),
        }
    } else if !has_cargo_fuzz(&plan.root) {
        let install = ["install", "cargo-fuzz", "--locked"];
        by_hand(shell::run(&mut command(&plan.root, "cargo", install)))?;
    }
    Ok(Outcome::Passed)
}

/// What becomes of the fuzz step without a nightly toolchain. A developer can do without; where
/// changes are judged, a fuzz step that never runs must not look like one that passes.
pub(crate) fn without_nightly(is_ci: bool) -> Result<Outcome, String> {
    if is_ci {
        Err(format!(
            "{NO_NIGHTLY}; CI is `true`, so this is not skipped"
        ))
    } else {
        Ok(Outcome::Skipped(NO_NIGHTLY.to_owned()))
    }
}

/// Whether this is a machine that judges changes: such machines set `CI`.
pub(crate) fn is_ci() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}

/// Asks rustup and not `cargo +nightly`, which may start to download a toolchain.
pub(crate) fn has_nightly(root: &Path) -> bool {
    let arguments = ["run", "nightly", "rustc", "--version"];
    shell::succeeds(&mut command(root, "rustup", arguments))
}

/// Tries to; without a network, say, there is none afterwards.
fn install_nightly(root: &Path) -> bool {
    let install = ["toolchain", "install", "nightly", "--profile", "minimal"];
    if let Err(problem) = shell::run(&mut command(root, "rustup", install)) {
        println!("   {problem}");
    }
    has_nightly(root)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ci_fails_without_nightly() {
        assert!(matches!(without_nightly(false), Ok(Outcome::Skipped(_))));
        assert!(without_nightly(true).is_err_and(|problem| problem.contains("rustup")));
    }
}
