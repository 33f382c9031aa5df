//! Builds the pages of `docs/` into one site with mdBook.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::TestPlan;
use crate::programs;
use crate::shell::{self, command};
use crate::steps::StepOutcome;

/// The version that is installed if there is no usable mdBook.
const INSTALLED_VERSION: &str = "0.5.4";

/// The oldest version that can read our `book.toml`: major and minor number.
const OLDEST_VERSION: [u32; 2] = [0, 5];

/// Builds the site and returns the path of its front page. With `open`, also shows it in the default browser.
pub(crate) fn build(root: &Path, open: bool) -> Result<PathBuf, String> {
    let mdbook = mdbook(root)?;
    let mut build = command(root, mdbook, ["build"]);
    if open {
        build.arg("--open");
    }
    shell::run(&mut build)?;
    let page = root.join("target/book/index.html");
    if page.exists() {
        Ok(page)
    } else {
        Err(format!(
            "mdbook did not write {}; check `build-dir` in book.toml",
            page.display()
        ))
    }
}

/// Runs the step `book`: builds the site and does not open it.
pub(crate) fn run_step(plan: &TestPlan) -> Result<StepOutcome, String> {
    build(&plan.root, false).map(|_| StepOutcome::Passed)
}

/// Returns an mdBook program that is new enough: the one on the `PATH`, or the one in `tools` in the target folder, which
/// is installed if it is missing.
fn mdbook(root: &Path) -> Result<PathBuf, String> {
    let tools = programs::target()?.join("tools");
    let installed = tools
        .join("bin")
        .join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    for candidate in [Path::new("mdbook"), &installed] {
        if is_new_enough(&mut command(root, candidate, ["--version"])) {
            return Ok(candidate.to_owned());
        }
    }
    println!(
        "   mdbook {}.{} or later is missing; installing {INSTALLED_VERSION}, which takes some minutes",
        OLDEST_VERSION[0], OLDEST_VERSION[1]
    );
    let mut install = command(
        root,
        "cargo",
        [
            "install",
            "mdbook",
            "--version",
            INSTALLED_VERSION,
            "--locked",
        ],
    );
    // Without the server and the file watcher, which are not needed here, mdBook compiles faster.
    install.args(["--debug", "--no-default-features", "--features", "search"]);
    shell::run(install.arg("--root").arg(tools))
        .map_err(|problem| format!("{problem}; install mdbook by hand: `cargo install mdbook`"))?;
    Ok(installed)
}

/// Returns whether `version_command` succeeds and prints a version that is new enough.
fn is_new_enough(version_command: &mut Command) -> bool {
    let output = version_command
        .output()
        .ok()
        .filter(|output| output.status.success());
    output.is_some_and(|output| {
        parse_version(&String::from_utf8_lossy(&output.stdout))
            .is_some_and(|found| found >= OLDEST_VERSION)
    })
}

/// Parses the output of `mdbook --version`, such as `mdbook v0.5.4`, and returns the major and the minor number.
fn parse_version(output: &str) -> Option<[u32; 2]> {
    let mut numbers = output
        .trim()
        .strip_prefix("mdbook v")?
        .split('.')
        .map(str::parse);
    Some([numbers.next()?.ok()?, numbers.next()?.ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        assert_eq!(parse_version("mdbook v0.5.4\n"), Some([0, 5]));
        assert_eq!(parse_version("mdbook v0.4.52\n"), Some([0, 4]));
        assert_eq!(parse_version("mdbook v1.0.0-beta\n"), Some([1, 0]));
        assert_eq!(parse_version("another program"), None);
        assert!([0, 4] < OLDEST_VERSION && [0, 10] > OLDEST_VERSION);
    }
}
