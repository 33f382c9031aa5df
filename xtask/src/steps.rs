//! The steps of `cargo xtask test`, in order.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::shell::{self, cargo};
use crate::{Plan, fuzz, libraries, maps, native, peers, readme, soak, tools};

pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Whether only `--long` runs it.
    pub(crate) is_long: bool,
    run: fn(&Plan) -> Result<Outcome, String>,
}

pub(crate) enum Outcome {
    Passed,
    /// The reason, and what to do about it.
    Skipped(String),
}

/// The packages and features that clippy and the tests compile. Both use the same, so that each dependency is
/// checked once and built once.
pub(crate) const EVERYTHING: [&str; 2] = ["--workspace", "--all-features"];

pub(crate) const STEPS: &[Step] = &[
    quick(
        "tools",
        "rustfmt and clippy, installed where they are missing",
        tools::provide,
    ),
    quick("format", "cargo fmt, without changing anything", format),
    quick(
        "clippy",
        "lints in all targets; a warning is an error",
        clippy,
    ),
    quick(
        "tests",
        "unit, doc and command-line tests, and a tenth of the property cases",
        tests,
    ),
    quick(
        "readme",
        "the commands of README.md and docs/engines.md, with the development build",
        readme::run_development,
    ),
    long(
        "packages",
        "Debian packages that the peers need, installed where they are missing",
        tools::provide_long,
    ),
    long(
        "cases",
        "every property case, and tests that are too slow for every day",
        cases,
    ),
    long("docs", "the API documentation; a warning is an error", docs),
    long(
        "libraries",
        "each library by itself, without default features and without C",
        libraries::run_step,
    ),
    long(
        "native",
        "the pinned hash of answers, compiled for this processor",
        native::run_step,
    ),
    long(
        "fuzz",
        "every fuzz target for some seconds",
        fuzz::run_targets,
    ),
    long(
        "release",
        "the commands of the pages that ask for a release build, the demo first",
        readme::run_release,
    ),
    long(
        "pages",
        "the commands of docs/command-line.md and docs/measurements.md, with the development build",
        readme::run_long_pages,
    ),
    long(
        "maps",
        "real maps with reference answers, where they lie beside the checkout",
        maps::run_step,
    ),
    long(
        "soak",
        "one minute of random worlds, every engine against the oracle",
        soak::run_step,
    ),
    long(
        "peers",
        "lints and tests of the comparison with other libraries; builds C++",
        peers::run_step,
    ),
];

const fn quick(
    name: &'static str,
    about: &'static str,
    run: fn(&Plan) -> Result<Outcome, String>,
) -> Step {
    Step {
        name,
        about,
        is_long: false,
        run,
    }
}

const fn long(
    name: &'static str,
    about: &'static str,
    run: fn(&Plan) -> Result<Outcome, String>,
) -> Step {
    Step {
        is_long: true,
        ..quick(name, about, run)
    }
}

/// Runs the plan's steps up to the first that fails, and sums up.
pub(crate) fn run(plan: &Plan) -> ExitCode {
    let begin = Instant::now();
    let mut summary = Vec::new();
    let mut has_failed = false;
    for step in &plan.steps {
        let name = step.name;
        println!("== {name}: {}", step.about);
        let start = Instant::now();
        let outcome = (step.run)(plan);
        let took = start.elapsed();
        let verdict = match outcome {
            Ok(Outcome::Passed) => "passed".to_owned(),
            Ok(Outcome::Skipped(reason)) => format!("skipped: {reason}"),
            Err(problem) => {
                has_failed = true;
                eprintln!("{name}: {problem}");
                format!("failed; `cargo xtask test --only {name}` runs it alone")
            }
        };
        summary.push(line(name, took, &verdict));
        if has_failed {
            break;
        }
    }
    println!("== summary");
    summary.iter().for_each(|line| println!("{line}"));
    let left_out = plan.steps.len() - summary.len();
    let verdict = match (has_failed, left_out) {
        (false, _) => "passed".to_owned(),
        (true, 0) => "failed".to_owned(),
        (true, left_out) => format!("failed; {left_out} steps after it were not run"),
    };
    println!("{}", line("all", begin.elapsed(), &verdict));
    match has_failed {
        false => ExitCode::SUCCESS,
        true => ExitCode::FAILURE,
    }
}

fn line(name: &str, took: Duration, verdict: &str) -> String {
    format!("   {name:10}{:7.1} s  {verdict}", took.as_secs_f32())
}

/// `cargo fmt --all` reaches the workspace. The fuzz targets and the peers are workspaces of their own.
fn format(plan: &Plan) -> Result<Outcome, String> {
    shell::run(cargo(&plan.root, "fmt").args(["--all", "--check"]))?;
    for manifest in [fuzz::MANIFEST].iter().chain(&peers::MANIFESTS) {
        shell::run(cargo(&plan.root, "fmt").args(["--manifest-path", manifest, "--check"]))?;
    }
    Ok(Outcome::Passed)
}

/// `--all-targets` is also what compiles the benches.
fn clippy(plan: &Plan) -> Result<Outcome, String> {
    let mut clippy = cargo(&plan.root, "clippy");
    shell::run(
        clippy
            .args(EVERYTHING)
            .args(["--all-targets", "--", "-D", "warnings"]),
    )?;
    Ok(Outcome::Passed)
}

fn tests(plan: &Plan) -> Result<Outcome, String> {
    shell::run(cargo(&plan.root, "test").args(EVERYTHING))?;
    Ok(Outcome::Passed)
}

/// Builds what the tests build, and no more: the program and the examples are then in the folder of the
/// development build.
pub(crate) fn build_development(plan: &Plan) -> Result<(), String> {
    shell::run(cargo(&plan.root, "test").args(EVERYTHING).arg("--no-run"))
}

/// Without doc tests, which have no property cases.
fn cases(plan: &Plan) -> Result<Outcome, String> {
    let mut tests = cargo(&plan.root, "test");
    tests.args(EVERYTHING).args(["--lib", "--bins", "--tests"]);
    shell::run(tests.env("PORTOLAN_CASES", "1").env("PORTOLAN_LONG", "1"))?;
    Ok(Outcome::Passed)
}

fn docs(plan: &Plan) -> Result<Outcome, String> {
    let mut doc = cargo(&plan.root, "doc");
    doc.args(EVERYTHING).arg("--no-deps");
    shell::run(doc.env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok(Outcome::Passed)
}
