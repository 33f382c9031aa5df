//! Every file of seeds that once failed is read by a property test.
//!
//! proptest looks for the seeds of `FOLDER/SOURCE/x/y.rs` in `FOLDER/proptest-regressions/x/y.txt`, where
//! `SOURCE` is the nearest folder above that holds a `lib.rs` or a `main.rs`. A file anywhere else is ignored
//! without a word, for instance after a test has moved.

use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = "proptest-regressions";

/// Folders that hold no sources of ours.
const OTHERS: [&str; 4] = ["target", ".git", "corpus", "artifacts"];

#[test]
fn every_file_of_seeds_is_read_by_a_property_test() {
    let mut seeds = Vec::new();
    collect(&crate::root(), &mut seeds);
    assert!(
        !seeds.is_empty(),
        "no file of seeds; this test looks in the wrong place"
    );
    let unread: Vec<_> = seeds.iter().filter(|file| !is_read(file)).collect();
    assert!(
        unread.is_empty(),
        "no property test reads {unread:#?}; move each to where its test looks, see xtask/src/regressions.rs"
    );
}

/// Adds all files of seeds below a folder.
fn collect(folder: &Path, seeds: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry of a folder").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if path.is_dir() && !OTHERS.contains(&name) {
            collect(&path, seeds);
        } else if name.ends_with(FOLDER) || path.components().any(|part| part.as_os_str() == FOLDER)
        {
            seeds.push(path);
        }
    }
}

/// Whether there is a property test that looks for its seeds in this file.
fn is_read(file: &Path) -> bool {
    let Some(folder) = file.ancestors().find(|above| above.ends_with(FOLDER)) else {
        return false;
    };
    let (Some(beside), Ok(name)) = (folder.parent(), file.strip_prefix(folder)) else {
        return false;
    };
    let sources = fs::read_dir(beside).into_iter().flatten().flatten();
    file.extension().is_some_and(|ending| ending == "txt")
        && sources.map(|entry| entry.path()).any(|source| {
            let test = source.join(name).with_extension("rs");
            let text = fs::read_to_string(&test).unwrap_or_default();
            text.contains("proptest! {") && root_of(&test) == Some(&source)
        })
}

/// The nearest folder above a source that holds the root of a crate.
fn root_of(source: &Path) -> Option<&Path> {
    let is_root = |folder: &&Path| {
        ["lib.rs", "main.rs"]
            .iter()
            .any(|root| folder.join(root).is_file())
    };
    source.ancestors().skip(1).find(is_root)
}

#[test]
fn a_file_that_no_test_reads_is_found() {
    let root = crate::root();
    assert!(is_read(
        &root.join("crates/core/tests/proptest-regressions/taut.txt")
    ));
    for lost in [
        "crates/core/tests/proptest-regressions/no_such_test.txt",
        "crates/core/tests/it/proptest-regressions/taut.txt",
        "crates/core/tests/taut.proptest-regressions",
        "crates/core/proptest-regressions/taut.txt",
        "crates/core/tests/proptest-regressions/taut.seeds",
    ] {
        assert!(!is_read(&root.join(lost)), "{lost}");
    }
}
