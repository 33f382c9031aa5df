//! Tests that a property test reads every file of regression seeds.
//!
//! proptest looks for the seeds of `FOLDER/SOURCE/x/y.rs` in `FOLDER/proptest-regressions/x/y.txt`, where
//! `SOURCE` is the nearest folder above the test that contains a `lib.rs` or a `main.rs`. It silently ignores a
//! file anywhere else, for instance after a test has moved.

use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = "proptest-regressions";

/// Folders to skip, because they contain no sources of this project.
const SKIPPED: [&str; 4] = ["target", ".git", "corpus", "artifacts"];

#[test]
fn a_property_test_reads_every_seed_file() {
    let mut seeds = Vec::new();
    collect(&crate::root(), &mut seeds);
    assert!(
        !seeds.is_empty(),
        "found no seed file; this test searches the wrong folder"
    );
    let unread: Vec<_> = seeds.iter().filter(|file| !is_read(file)).collect();
    assert!(
        unread.is_empty(),
        "no property test reads {unread:#?}; move each file to the path that proptest derives from its test, \
         see xtask/src/regressions.rs"
    );
}

/// Adds all seed files below `folder` to `seeds`.
fn collect(folder: &Path, seeds: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace is readable") {
        let path = entry.expect("an entry of a folder is readable").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if path.is_dir() && !SKIPPED.contains(&name) {
            collect(&path, seeds);
        } else if name.ends_with(FOLDER) || path.components().any(|part| part.as_os_str() == FOLDER)
        {
            seeds.push(path);
        }
    }
}

/// Returns whether a property test looks for its seeds in `file`.
fn is_read(file: &Path) -> bool {
    let Some(folder) = file.ancestors().find(|above| above.ends_with(FOLDER)) else {
        return false;
    };
    let (Some(parent), Ok(name)) = (folder.parent(), file.strip_prefix(folder)) else {
        return false;
    };
    let sources = fs::read_dir(parent).into_iter().flatten().flatten();
    file.extension().is_some_and(|extension| extension == "txt")
        && sources.map(|entry| entry.path()).any(|source| {
            let test = source.join(name).with_extension("rs");
            let text = fs::read_to_string(&test).unwrap_or_default();
            text.contains("proptest! {") && crate_root(&test) == Some(&source)
        })
}

/// Returns the nearest folder above `source` that contains the root of a crate.
fn crate_root(source: &Path) -> Option<&Path> {
    let is_root = |folder: &&Path| {
        ["lib.rs", "main.rs"]
            .iter()
            .any(|root| folder.join(root).is_file())
    };
    source.ancestors().skip(1).find(is_root)
}

#[test]
fn a_seed_file_that_no_test_reads_is_detected() {
    let root = crate::root();
    assert!(is_read(
        &root.join("crates/core/tests/proptest-regressions/taut.txt")
    ));
    for unread in [
        "crates/core/tests/proptest-regressions/no_such_test.txt",
        "crates/core/tests/it/proptest-regressions/taut.txt",
        "crates/core/tests/taut.proptest-regressions",
        "crates/core/proptest-regressions/taut.txt",
        "crates/core/tests/proptest-regressions/taut.seeds",
    ] {
        assert!(!is_read(&root.join(unread)), "{unread}");
    }
}
