//! Checks each crate under `crates/` by itself: it compiles without default features, and needs no C compiler
//! with its default features.

use std::fs;
use std::path::Path;

use crate::TestPlan;
use crate::shell::{self, cargo};
use crate::steps::StepOutcome;

/// Crates that compile or bind C and C++. A library that depends on one of these needs a C compiler.
const C: [&str; 4] = ["cc", "cmake", "bindgen", "metis-sys"];

pub(crate) fn run_step(plan: &TestPlan) -> Result<StepOutcome, String> {
    for package in packages(&plan.root)? {
        let mut clippy = cargo(&plan.root, "clippy");
        clippy.args(["--package", &package, "--no-default-features"]);
        shell::run(clippy.args(["--", "-D", "warnings"]))?;
        let mut tree = cargo(&plan.root, "tree");
        tree.args(["--package", &package, "--edges", "normal,build"]);
        tree.args(["--prefix", "none", "--format", "{p}"]);
        let tree = shell::capture(&mut tree)?;
        if let Some(culprit) = needs_c(&String::from_utf8_lossy(&tree.stdout)) {
            return Err(format!(
                "{package} needs a C compiler by default, because it depends on {culprit}; make that an \
                 optional feature"
            ));
        }
    }
    Ok(StepOutcome::Passed)
}

/// Returns the names of the packages under `crates/`, sorted.
fn packages(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("crates");
    let unreadable = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(unreadable)? {
        let manifest = entry.map_err(unreadable)?.path().join("Cargo.toml");
        let text = fs::read_to_string(&manifest)
            .map_err(|error| format!("{}: {error}", manifest.display()))?;
        let name = text.lines().find_map(|line| line.strip_prefix("name = "));
        let name = name.ok_or_else(|| format!("{}: no name", manifest.display()))?;
        names.push(name.trim_matches('"').to_owned());
    }
    names.sort();
    Ok(names)
}

/// Returns the first line of `cargo tree` that names a crate of [`C`].
fn needs_c(tree: &str) -> Option<&str> {
    let name = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    tree.lines().find(|line| C.contains(&name(line).as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_on_c_is_found_by_crate_name() {
        assert_eq!(needs_c("glam v0.33.0\ncc v1.2.0\n"), Some("cc v1.2.0"));
        assert_eq!(needs_c("glam v0.33.0\nccc v1.0.0\n"), None);
    }

    #[test]
    fn packages_include_the_core() {
        let packages = packages(&crate::root()).expect("the folder `crates` is readable");
        assert!(
            packages.contains(&"portolan-core".to_owned()),
            "{packages:?}"
        );
    }
}
