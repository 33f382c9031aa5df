//! The steps of `cargo xtask test`, in order.

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use crate::shell::{self, cargo};
use crate::{TestPlan, book, fuzz, libraries, maps, native, peers, readme, soak, tools};

/// A step of `cargo xtask test`.
pub(crate) struct TestStep {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Whether `cargo xtask test` runs the step only with `--long`.
    pub(crate) is_long: bool,
    run: fn(&TestPlan) -> Result<StepOutcome, String>,
}

/// How a step ended, unless it failed.
pub(crate) enum StepOutcome {
    Passed,
    /// The step was not run, for this reason.
    Skipped(String),
}

/// The packages and features that clippy and the tests compile. Both compile the same, so that each dependency
/// is checked once and built once.
pub(crate) const EVERYTHING: [&str; 2] = ["--workspace", "--all-features"];

/// The seed of all random cases. A run that fails then fails because of the change under test, and fails again when it is
/// repeated. `PROPTEST_RNG_SEED` overrides it, and `cargo xtask soak` takes new seeds from the clock.
pub(crate) const SEED: &str = "20";

/// The variable with the seed of proptest.
const PROPTEST_SEED: &str = "PROPTEST_RNG_SEED";

pub(crate) const STEPS: &[TestStep] = &[
    quick(
        "tools",
        "installs rustfmt and clippy if they are missing",
        tools::install_components,
    ),
    quick(
        "format",
        "checks the formatting with cargo fmt and changes no file",
        format,
    ),
    quick("clippy", "lints all targets; a warning is an error", clippy),
    quick(
        "tests",
        "runs unit, doc and command-line tests, and a tenth of the property test cases",
        tests,
    ),
    quick(
        "readme",
        "runs the commands in README.md and two pages of docs/ with the development build",
        readme::run_development,
    ),
    long(
        "packages",
        "installs the Debian packages that `cases`, `fuzz` and `peers` need if they are missing",
        tools::install_packages,
    ),
    long(
        "cases",
        "runs all property test cases, and the tests that are too slow for the quick run or need a graphics card",
        cases,
    ),
    long(
        "rustdoc",
        "builds the API documentation; a warning is an error",
        docs,
    ),
    long(
        "book",
        "builds the pages of docs/ into a site with mdBook, which is installed if it is missing",
        book::run_step,
    ),
    long(
        "libraries",
        "compiles each library without default features and checks that none needs C by default",
        libraries::run_step,
    ),
    long(
        "native",
        "compiles for this processor and checks that answers keep their recorded hash",
        native::run_step,
    ),
    long(
        "fuzz",
        "runs every fuzz target for some seconds",
        fuzz::run_targets,
    ),
    long(
        "release",
        "runs the `--release` commands in README.md and two pages of docs/ as written",
        readme::run_release,
    ),
    long(
        "pages",
        "runs the commands in all other pages of docs/ with the development build",
        readme::run_long_pages,
    ),
    long(
        "maps",
        "checks paths on real maps, if they are in a folder next to the checkout",
        maps::run_step,
    ),
    long(
        "soak",
        "compares every engine with the oracle on random worlds for one minute",
        soak::run_step,
    ),
    long(
        "peers",
        "lints and tests tools/peers, which compares with other libraries and builds C++",
        peers::run_step,
    ),
];

const fn quick(
    name: &'static str,
    about: &'static str,
    run: fn(&TestPlan) -> Result<StepOutcome, String>,
) -> TestStep {
    TestStep {
        name,
        about,
        is_long: false,
        run,
    }
}

const fn long(
    name: &'static str,
    about: &'static str,
    run: fn(&TestPlan) -> Result<StepOutcome, String>,
) -> TestStep {
    TestStep {
        is_long: true,
        ..quick(name, about, run)
    }
}

/// Runs the steps of the plan up to the first that fails and prints a summary.
pub(crate) fn run(plan: &TestPlan) -> ExitCode {
    let start_of_all = Instant::now();
    let mut summary = Vec::new();
    let mut has_failed = false;
    for step in &plan.steps {
        let name = step.name;
        println!("== {name}: {}", step.about);
        let start = Instant::now();
        let outcome = (step.run)(plan);
        let took = start.elapsed();
        let verdict = match outcome {
            Ok(StepOutcome::Passed) => "passed".to_owned(),
            Ok(StepOutcome::Skipped(reason)) => format!("skipped: {reason}"),
            Err(problem) => {
                has_failed = true;
                eprintln!("{name}: {problem}");
                format!("failed; to run it alone: `cargo xtask test --only {name}`")
            }
        };
        summary.push(line(name, took, &verdict));
        if has_failed {
            break;
        }
    }
    println!("== summary");
    summary.iter().for_each(|line| println!("{line}"));
    let not_run = plan.steps.len() - summary.len();
    let verdict = match (has_failed, not_run) {
        (false, _) => "passed".to_owned(),
        (true, 0) => "failed".to_owned(),
        (true, not_run) => format!("failed; steps that were not run: {not_run}"),
    };
    println!("{}", line("all", start_of_all.elapsed(), &verdict));
    match has_failed {
        false => ExitCode::SUCCESS,
        true => ExitCode::FAILURE,
    }
}

fn line(name: &str, took: Duration, verdict: &str) -> String {
    format!("   {name:10}{:7.1} s  {verdict}", took.as_secs_f32())
}

/// Checks the formatting of the workspace, and of the fuzz targets and the peers, which are workspaces of their
/// own.
fn format(plan: &TestPlan) -> Result<StepOutcome, String> {
    shell::run(cargo(&plan.root, "fmt").args(["--all", "--check"]))?;
    for manifest in [fuzz::MANIFEST].iter().chain(&peers::MANIFESTS) {
        shell::run(cargo(&plan.root, "fmt").args(["--manifest-path", manifest, "--check"]))?;
    }
    Ok(StepOutcome::Passed)
}

/// Lints all targets, including the benchmarks, which no other step compiles.
fn clippy(plan: &TestPlan) -> Result<StepOutcome, String> {
    let mut clippy = cargo(&plan.root, "clippy");
    shell::run(
        clippy
            .args(EVERYTHING)
            .args(["--all-targets", "--", "-D", "warnings"]),
    )?;
    Ok(StepOutcome::Passed)
}

fn tests(plan: &TestPlan) -> Result<StepOutcome, String> {
    shell::run(seeded(cargo(&plan.root, "test").args(EVERYTHING)))?;
    Ok(StepOutcome::Passed)
}

/// Builds the development build, with the program and the examples. It builds exactly what the tests build, so
/// that nothing is compiled twice.
pub(crate) fn build_development(plan: &TestPlan) -> Result<(), String> {
    shell::run(cargo(&plan.root, "test").args(EVERYTHING).arg("--no-run"))
}

/// Runs all property test cases and slow tests. Doc tests are left out, because they have no property test
/// cases.
fn cases(plan: &TestPlan) -> Result<StepOutcome, String> {
    let mut tests = cargo(&plan.root, "test");
    tests.args(EVERYTHING).args(["--lib", "--bins", "--tests"]);
    tests.env("PORTOLAN_CASES", "1").env("PORTOLAN_LONG", "1");
    shell::run(seeded(&mut tests))?;
    Ok(StepOutcome::Passed)
}

/// Sets the seed of property tests, unless the caller's environment has one.
fn seeded(tests: &mut Command) -> &mut Command {
    match std::env::var_os(PROPTEST_SEED) {
        Some(_) => tests,
        None => tests.env(PROPTEST_SEED, SEED),
    }
}

fn docs(plan: &TestPlan) -> Result<StepOutcome, String> {
    let mut doc = cargo(&plan.root, "doc");
    doc.args(EVERYTHING).arg("--no-deps");
    shell::run(doc.env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok(StepOutcome::Passed)
}
