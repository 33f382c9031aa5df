//! The project's chores: `cargo xtask --help`.

mod fuzz;
mod readme;
mod shell;
mod steps;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use steps::{STEPS, Step};

const HELP: &str = "\
The project's chores.

  cargo xtask test                    everything that has to pass before a change is merged
  cargo xtask test --list             the steps, in order
  cargo xtask test --only STEP        one step; may be given more than once
  cargo xtask test --fuzz-seconds N   seconds for each fuzz target, 10 unless told

`test` installs the tools that it can install, stops at the first step that fails and says how
to run that step alone. What it has to leave out is counted as skipped, with the reason.

While writing code:         cargo xtask test --only format --only clippy --only tests
After a change to README:   cargo xtask test --only readme
After a change to a reader: cargo xtask test --only fuzz --fuzz-seconds 300

The README's commands are tested, too: each line of a block marked ```sh runs in a shell of its
own, in one temporary folder for the whole file, with `portolan` on the PATH. Lines that start
with `cargo` run in the workspace instead; `cargo xtask test` does not run itself. In a block
with `$ ` prompts only the prompted lines are commands, the others their output. A block marked
```sh no-run is left alone.
";

/// What the caller wants from `test`.
struct Plan {
    root: PathBuf,
    fuzz_seconds: u32,
    steps: Vec<&'static Step>,
}

enum Job {
    Help,
    List,
    Test(Plan),
}

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    match parse(arguments.map(|argument| argument.to_string_lossy().into_owned())) {
        Ok(Job::Help) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Ok(Job::List) => {
            for step in STEPS {
                println!("{:8} {}", step.name, step.about);
            }
            ExitCode::SUCCESS
        }
        Ok(Job::Test(plan)) => steps::run(&plan),
        Err(problem) => {
            eprintln!("xtask: {problem}; see `cargo xtask --help`");
            ExitCode::from(2)
        }
    }
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Job, String> {
    match arguments.next().as_deref() {
        None | Some("help" | "--help" | "-h") => return Ok(Job::Help),
        Some("test") => {}
        Some(other) => return Err(format!("there is no verb `{other}`")),
    }
    let mut plan = Plan {
        root: root(),
        fuzz_seconds: 10,
        steps: Vec::new(),
    };
    while let Some(option) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| format!("`{option}` wants a value"))
        };
        match option.as_str() {
            "--help" | "-h" => return Ok(Job::Help),
            "--list" => return Ok(Job::List),
            "--only" => {
                let name = value()?;
                let step = STEPS.iter().find(|step| step.name == name);
                plan.steps.push(step.ok_or_else(|| {
                    let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
                    format!("there is no step `{name}`, only {}", names.join(", "))
                })?);
            }
            "--fuzz-seconds" => {
                let seconds = value()?;
                // libFuzzer takes 0 for "until it is stopped".
                plan.fuzz_seconds = match seconds.parse() {
                    Ok(seconds) if seconds > 0 => seconds,
                    _ => return Err(format!("`--fuzz-seconds {seconds}`: not a count above 0")),
                };
            }
            other => return Err(format!("`test` has no option `{other}`")),
        }
    }
    if plan.steps.is_empty() {
        plan.steps = STEPS.iter().collect();
    }
    Ok(Job::Test(plan))
}

/// The workspace. Cargo says at run time where the package is; the path of compile time is for a
/// binary that was started by hand.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map(Path::to_path_buf).unwrap_or(package)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Job, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn test_alone_means_every_step() {
        let Ok(Job::Test(plan)) = parsed("test") else {
            panic!("not a plan");
        };
        assert_eq!(plan.steps.len(), STEPS.len());
        assert_eq!(plan.fuzz_seconds, 10);
    }

    #[test]
    fn steps_are_chosen_by_name() {
        let Ok(Job::Test(plan)) = parsed("test --only docs --only fuzz --fuzz-seconds 3") else {
            panic!("not a plan");
        };
        let names: Vec<_> = plan.steps.iter().map(|step| step.name).collect();
        assert_eq!(names, ["docs", "fuzz"]);
        assert_eq!(plan.fuzz_seconds, 3);
    }

    #[test]
    fn wrong_words_are_named() {
        for (line, word) in [
            ("tset", "`tset`"),
            ("test --only doc", "`doc`"),
            ("test --only", "`--only`"),
            ("test --fuzz-seconds soon", "soon"),
            ("test --fuzz-seconds 0", "0"),
            ("test --fast", "`--fast`"),
        ] {
            let problem = parsed(line).err().unwrap_or_default();
            assert!(problem.contains(word), "{line}: {problem}");
        }
    }
}
