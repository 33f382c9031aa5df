//! The pages of `docs/` as one site, built by mdBook.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::TestPlan;
use crate::programs;
use crate::shell::{self, command};
use crate::steps::StepOutcome;

/// The version that is installed where none is on the `PATH`, and the first one that reads our `book.toml`.
const VERSION: &str = "0.5.4";
const OLDEST: [u32; 2] = [0, 5];

/// Builds the site and returns its front page. With `open`, shows it in the default browser.
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
        Err(format!("mdbook wrote no {}", page.display()))
    }
}

/// The long step `book`.
pub(crate) fn run_step(plan: &TestPlan) -> Result<StepOutcome, String> {
    build(&plan.root, false).map(|_| StepOutcome::Passed)
}

/// Finds a mdBook that is new enough, or installs one into the target directory.
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
        "   no mdbook of version {}.{} or later: installing {VERSION}, once, in some minutes",
        OLDEST[0], OLDEST[1]
    );
    let mut install = command(
        root,
        "cargo",
        ["install", "mdbook", "--version", VERSION, "--locked"],
    );
    // Without a server and a file watcher, which nobody here needs, it builds in half the time.
    install.args(["--no-default-features", "--features", "search"]);
    shell::run(install.arg("--root").arg(tools))
        .map_err(|problem| format!("{problem}; install it yourself: `cargo install mdbook`"))?;
    Ok(installed)
}

fn is_new_enough(version: &mut Command) -> bool {
    let output = version
        .output()
        .ok()
        .filter(|output| output.status.success());
    output.is_some_and(|output| {
        parse_version(&String::from_utf8_lossy(&output.stdout)).is_some_and(|found| found >= OLDEST)
    })
}

/// Reads "mdbook v0.5.4".
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
        assert!([0, 4] < OLDEST && [0, 10] > OLDEST);
    }
}
