//! The steps of `cargo xtask test`, in order.

use std::process::ExitCode;
use std::time::Instant;

use crate::shell::{self, command};
use crate::{Plan, fuzz, maps, peers, readme, tools};

pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    run: fn(&Plan) -> Result<Outcome, String>,
}

pub(crate) enum Outcome {
    Passed,
    /// Why, and what to do about it.
    Skipped(String),
}

pub(crate) const STEPS: &[Step] = &[
    Step {
        name: "tools",
        about: "what the other steps need, installed where that is possible",
        run: tools::provide,
    },
    Step {
        name: "format",
        about: "cargo fmt, without changing anything",
        run: format,
    },
    Step {
        name: "clippy",
        about: "lints in all targets; a warning is an error",
        run: clippy,
    },
    Step {
        name: "tests",
        about: "unit, property, doc and command-line tests",
        run: tests,
    },
    Step {
        name: "docs",
        about: "the API documentation; a warning is an error",
        run: docs,
    },
    Step {
        name: "peers",
        about: "lints and tests of the comparison with others; builds C++",
        run: peers::run_step,
    },
    Step {
        name: "readme",
        about: "the commands of README.md and docs/engines.md, as a reader would type them",
        run: readme::run_commands,
    },
    Step {
        name: "maps",
        about: "real maps with reference answers, where they stand beside the checkout",
        run: maps::run_step,
    },
    Step {
        name: "fuzz",
        about: "every fuzz target for some seconds; needs a nightly toolchain",
        run: fuzz::run_targets,
    },
];

/// Runs the plan's steps up to the first that fails.
pub(crate) fn run(plan: &Plan) -> ExitCode {
    let (mut passed, mut skipped) = (0, 0);
    for step in &plan.steps {
        let name = step.name;
        println!("== {name}: {}", step.about);
        let start = Instant::now();
        let outcome = (step.run)(plan);
        let seconds = start.elapsed().as_secs_f32();
        match outcome {
            Ok(Outcome::Passed) => {
                passed += 1;
                println!("== {name}: passed in {seconds:.1} s");
            }
            Ok(Outcome::Skipped(reason)) => {
                skipped += 1;
                println!("skipped: {name}, because {reason}");
            }
            Err(problem) => {
                eprintln!(
                    "failed: {name} after {seconds:.1} s: {problem}; \
                     alone: `cargo xtask test --only {name}`"
                );
                println!("{passed} passed, 1 failed, {skipped} skipped");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{passed} passed, 0 failed, {skipped} skipped");
    ExitCode::SUCCESS
}

/// The fuzz package and the peers are not of the workspace, so `--all` does not reach them.
fn format(plan: &Plan) -> Result<Outcome, String> {
    let fuzz = ["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"];
    shell::run(&mut command(
        &plan.root,
        "cargo",
        ["fmt", "--all", "--check"],
    ))?;
    shell::run(&mut command(&plan.root, "cargo", fuzz))?;
    peers::check_format(&plan.root)?;
    Ok(Outcome::Passed)
}

/// `--all-targets` is also what compiles the benches.
fn clippy(plan: &Plan) -> Result<Outcome, String> {
    let arguments = "clippy --workspace --all-targets -- -D warnings".split(' ');
    shell::run(&mut command(&plan.root, "cargo", arguments))?;
    Ok(Outcome::Passed)
}

fn tests(plan: &Plan) -> Result<Outcome, String> {
    shell::run(&mut command(&plan.root, "cargo", ["test", "--workspace"]))?;
    Ok(Outcome::Passed)
}

fn docs(plan: &Plan) -> Result<Outcome, String> {
    let arguments = ["doc", "--workspace", "--no-deps"];
    shell::run(command(&plan.root, "cargo", arguments).env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok(Outcome::Passed)
}
