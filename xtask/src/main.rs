//! The project's chores: `cargo xtask --help`.

mod bakes;
mod fuzz;
mod maps;
mod peers;
mod readme;
mod release;
mod shell;
mod steps;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use steps::{Outcome, STEPS, Step};

const HELP: &str = "\
The project's chores.

  cargo xtask test                    everything that has to pass before a change is merged
  cargo xtask test --list             the steps, in order
  cargo xtask test --only STEP        one step; may be given more than once
  cargo xtask test --fuzz-seconds N   seconds for each fuzz target, 10 unless told
  cargo xtask maps [FOLDER]           real maps: are paths right, how long, how fast; a table
  cargo xtask peers [MAPS...]         Portolan beside Detour, Polyanya, landmass, fast_paths; `--help`
                                      says more

`test` installs the tools that it can install, stops at the first step that fails and says how
to run that step alone. What it has to leave out is counted as skipped, with the reason.

While writing code:         cargo xtask test --only format --only clippy --only tests
After a change to README:   cargo xtask test --only readme
After a change to a reader: cargo xtask test --only fuzz --fuzz-seconds 300
After a change to a search: cargo xtask maps
Before a claim of speed:    cargo xtask peers --json OUT.json

`maps` takes every NAME.navmesh.obj with a NAME.queries.txt in FOLDER, `../shared/maps` beside the
checkout unless told, through `portolan import` and `portolan bench`. It fails when a query is not
found, a cost is not Dijkstra's, paths are in the mean more than 1.02 times the any-angle optimum in
(x, z), or one is less than 0.999 times that. Where the folder is absent it says so and exits with 0;
as a step of `test` it is then skipped.

`peers` measures others and us on the same navmeshes and queries, on our own scenes unless told, and
checks the answers. It builds C++ and takes minutes; as a step of `test` it is linted and tested, and
measures nothing.

Fuzzing needs a nightly toolchain, which `test` tries to install. Without one the fuzz targets are
skipped; where the environment variable CI is `true` they fail instead.

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
    Maps(PathBuf),
    /// With the arguments for the program.
    Peers(Vec<String>),
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
        Ok(Job::Maps(folder)) => match maps::run(&root(), &folder) {
            Ok(Outcome::Passed) => ExitCode::SUCCESS,
            Ok(Outcome::Skipped(reason)) => {
                println!("skipped: maps, because {reason}");
                ExitCode::SUCCESS
            }
            Err(problem) => {
                eprintln!("failed: maps: {problem}");
                ExitCode::FAILURE
            }
        },
        Ok(Job::Peers(arguments)) => match peers::run(&root(), &arguments) {
            Ok(code) => ExitCode::from(code),
            Err(problem) => {
                eprintln!("failed: peers: {problem}");
                ExitCode::FAILURE
            }
        },
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
        Some("maps") => return parse_maps(arguments),
        Some("peers") => return Ok(Job::Peers(arguments.collect())),
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

fn parse_maps(mut arguments: impl Iterator<Item = String>) -> Result<Job, String> {
    let folder = match arguments.next() {
        None => maps::default_folder(&root()),
        Some(word) if word == "--help" || word == "-h" => return Ok(Job::Help),
        Some(word) if word.starts_with('-') => {
            return Err(format!("`maps` has no option `{word}`"));
        }
        Some(word) => PathBuf::from(word),
    };
    match arguments.next() {
        None => Ok(Job::Maps(folder)),
        Some(more) => Err(format!("`maps` takes one folder; `{more}` is too much")),
    }
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
    fn maps_are_beside_the_checkout_or_where_one_says() {
        let Ok(Job::Maps(folder)) = parsed("maps") else {
            panic!("not maps");
        };
        assert_eq!(folder, root().parent().unwrap().join("shared/maps"));
        assert!(
            matches!(parsed("maps here"), Ok(Job::Maps(folder)) if folder == Path::new("here"))
        );
        assert!(matches!(parsed("maps --help"), Ok(Job::Help)));
    }

    #[test]
    fn peers_take_whatever_their_program_takes() {
        assert!(matches!(parsed("peers"), Ok(Job::Peers(none)) if none.is_empty()));
        let Ok(Job::Peers(arguments)) = parsed("peers maps a.pnav --random 5 --help") else {
            panic!("not peers");
        };
        assert_eq!(arguments, ["maps", "a.pnav", "--random", "5", "--help"]);
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
            ("maps --fast", "`--fast`"),
            ("maps here there", "`there`"),
        ] {
            let problem = parsed(line).err().unwrap_or_default();
            assert!(problem.contains(word), "{line}: {problem}");
        }
    }
}
