//! The fuzz targets, each for some seconds.
//!
//! A target's seeds are in `fuzz/seeds/TARGET`, its dictionary in
//! `fuzz/dictionaries/TARGET.dict`; both are optional. What libFuzzer finds worth keeping goes
//! to `fuzz/corpus/TARGET`, what crashes to `fuzz/artifacts/TARGET`; git ignores both.

use std::fs;
use std::path::Path;

use crate::Plan;
use crate::shell::{self, command};
use crate::steps::Outcome;
use crate::tools;

pub(crate) fn run_targets(plan: &Plan) -> Result<Outcome, String> {
    let root = &plan.root;
    if !tools::has_nightly(root) {
        return tools::without_nightly(tools::is_ci());
    }
    if !tools::has_cargo_fuzz(root) {
        return Err("no cargo-fuzz; `cargo xtask test --only tools` installs it".to_owned());
    }
    let listed = shell::capture(&mut command(root, "cargo", ["+nightly", "fuzz", "list"]))?;
    let listed = String::from_utf8_lossy(&listed.stdout);
    if listed.trim().is_empty() {
        return Err("`cargo +nightly fuzz list` names no target".to_owned());
    }
    // All at once, so that the seconds of a target are seconds of fuzzing.
    shell::run(&mut command(root, "cargo", ["+nightly", "fuzz", "build"]))?;
    for target in listed.split_whitespace() {
        run_target(root, target, plan.fuzz_seconds)?;
    }
    Ok(Outcome::Passed)
}

fn run_target(root: &Path, target: &str, seconds: u32) -> Result<(), String> {
    // libFuzzer writes to the first folder and only reads the others.
    let corpus = format!("fuzz/corpus/{target}");
    fs::create_dir_all(root.join(&corpus)).map_err(|error| format!("{corpus}: {error}"))?;
    let mut run = command(root, "cargo", ["+nightly", "fuzz", "run", target, &corpus]);
    let seeds = format!("fuzz/seeds/{target}");
    if root.join(&seeds).is_dir() {
        run.arg(seeds);
    }
    run.arg("--")
        .arg(format!("-max_total_time={seconds}"))
        .args(["-rss_limit_mb=2048", "-timeout=10"]);
    let dictionary = format!("fuzz/dictionaries/{target}.dict");
    if root.join(&dictionary).is_file() {
        run.arg(format!("-dict={dictionary}"));
    }
    println!("   {target}: {seconds} s");
    let output = shell::capture(&mut run)?;
    let log = String::from_utf8_lossy(&output.stderr);
    let done = log.lines().rfind(|line| line.starts_with("Done "));
    println!("   {target}: {}", done.unwrap_or("done"));
    Ok(())
}
