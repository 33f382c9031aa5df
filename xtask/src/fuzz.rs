//! Runs every fuzz target for some seconds, as many at a time as there are cores.
//!
//! The targets are built by cargo itself, without cargo-fuzz and without a sanitizer, so that neither a nightly toolchain
//! nor another tool is needed. A sanitizer would only find faults of `unsafe` code. Debug assertions and overflow checks
//! are on.
//!
//! A target may have seeds in `fuzz/seeds/TARGET` and a dictionary in `fuzz/dictionaries/TARGET.dict`. Inputs
//! that reach new code are saved in `fuzz/corpus/TARGET`, inputs that crash in `fuzz/artifacts/TARGET`. Git
//! ignores both folders.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, thread};

use crate::TestPlan;
use crate::shell::{self, cargo, command};
use crate::steps::{self, StepOutcome};

pub(crate) const MANIFEST: &str = "fuzz/Cargo.toml";

/// The compiler flags for the coverage counters that libFuzzer reads.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

pub(crate) fn run_targets(plan: &TestPlan) -> Result<StepOutcome, String> {
    let root = &plan.root;
    let targets = targets(root)?;
    let folder = build(root)?;
    let waiting = Mutex::new(targets.into_iter());
    let problems = Mutex::new(Vec::new());
    let workers = thread::available_parallelism().map_or(1, |cores| cores.get());
    let work = || {
        // One statement, so that the lock is not held while the target runs.
        while let Some(target) = lock(&waiting).next() {
            if let Err(problem) = run_target(root, &folder, &target, plan.fuzz_seconds) {
                lock(&problems).push(problem);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    let problems = problems
        .into_inner()
        .unwrap_or_else(|lock| lock.into_inner());
    match problems.is_empty() {
        true => Ok(StepOutcome::Passed),
        false => Err(problems.join("; ")),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Returns the names of the files in `fuzz/fuzz_targets`, sorted and without `.rs`.
fn targets(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("fuzz/fuzz_targets");
    let unreadable = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if let (Some(name), Some("rs")) = (
            path.file_stem().and_then(|name| name.to_str()),
            path.extension().and_then(|ending| ending.to_str()),
        ) {
            names.push(name.to_owned());
        }
    }
    names.sort();
    match names.is_empty() {
        false => Ok(names),
        true => Err(format!("{}: no fuzz target", folder.display())),
    }
}

/// Builds all targets and returns the folder of their programs.
fn build(root: &Path) -> Result<PathBuf, String> {
    // With an explicit target triple, cargo compiles build scripts and macros without RUSTFLAGS.
    let version = shell::capture(&mut command(root, "rustc", ["-vV"]))?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("`rustc -vV` names no host")?;
    let mut build = cargo(root, "build");
    build.args(["--release", "--manifest-path", MANIFEST, "--target", host]);
    shell::run(
        build
            .env("RUSTFLAGS", COVERAGE)
            .env("CARGO_TARGET_DIR", "fuzz/target"),
    )?;
    Ok(root.join("fuzz/target").join(host).join("release"))
}

fn run_target(root: &Path, folder: &Path, target: &str, seconds: u32) -> Result<(), String> {
    let program = folder.join(format!("{target}{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        return Err(format!(
            "fuzz/Cargo.toml has no [[bin]] for the target `{target}`"
        ));
    }
    let [corpus, artifacts] =
        ["corpus", "artifacts"].map(|folder| format!("fuzz/{folder}/{target}/"));
    for folder in [&corpus, &artifacts] {
        fs::create_dir_all(root.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
    }
    // libFuzzer writes to the first folder and only reads the others.
    let mut run = command(root, program, [&corpus]);
    let seeds = format!("fuzz/seeds/{target}");
    if root.join(&seeds).is_dir() {
        run.arg(seeds);
    }
    run.arg(format!("-artifact_prefix={artifacts}"))
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-seed={}", steps::SEED))
        .args(["-rss_limit_mb=2048", "-timeout=10"]);
    let dictionary = format!("fuzz/dictionaries/{target}.dict");
    if root.join(&dictionary).is_file() {
        run.arg(format!("-dict={dictionary}"));
    }
    let output = shell::capture(&mut run)
        .map_err(|_| format!("the fuzz target `{target}` failed; the input is in {artifacts}"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    let done = log.lines().rfind(|line| line.starts_with("Done "));
    println!("   {target}: {}", done.unwrap_or("done"));
    Ok(())
}
