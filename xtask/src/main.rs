//! The project's chores: `cargo xtask --help`.

mod bakes;
mod fuzz;
mod libraries;
mod maps;
mod native;
mod peers;
mod programs;
mod readme;
#[cfg(test)]
mod regressions;
mod shell;
mod soak;
mod steps;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use steps::{Outcome, STEPS, Step};

const HELP: &str = "\
The project's chores.

  cargo xtask test                    the quick tests: run them before every commit
  cargo xtask test --long             the quick tests and the long ones: run them before a merge
  cargo xtask test --long-only        the steps that `--long` adds
  cargo xtask test --list             the steps, in order
  cargo xtask test --only STEP        one step, quick or long; may be given more than once
  cargo xtask test --fuzz-seconds N   seconds for each fuzz target [default: 10]
  cargo xtask soak --minutes N        random worlds, every engine against the oracle; `--help` says more
  cargo xtask maps [FOLDER]           real maps: whether paths are right, how long, how fast; a table
  cargo xtask peers [MAPS...]         Portolan beside Detour, Polyanya, landmass, fast_paths; `--help`
                                      says more

`test` stops at the first step that fails, prints the time of each step, and says how to run the
failed step alone. It installs missing tools where it can. A step that it has to leave out is listed
as skipped, with the reason. On two cores the quick tests take at most 8 minutes from a fresh clone
and 2 minutes when built; the quick and the long tests together take at most 30 minutes.

While writing code:         cargo xtask test
After a change to README:   cargo xtask test --only readme
After a change to a reader: cargo xtask test --only fuzz --fuzz-seconds 300
After a change to a search: cargo xtask soak --minutes 10 && cargo xtask maps
Before a claim of speed:    cargo xtask peers --json OUT.json

The quick tests try a tenth of the cases of every property test. PORTOLAN_CASES is the share to try:
`PORTOLAN_CASES=1 cargo test -p portolan-core` tries all of them, and 10 tries ten times as many.
PORTOLAN_LONG=1 runs the tests that are too slow for every day; without it they pass at once. The
long step `cases` sets both.

`soak` draws worlds, profiles and queries until the time is up. It compares every exact engine with
a slow oracle and with Dijkstra, and other engines with what they promise. It prints how many answers
it compared per engine, and a command that makes exactly the world again where something differs.

`maps` takes every NAME.navmesh.obj with a NAME.queries.txt in FOLDER, `../shared/maps` beside the
checkout by default, through `portolan import` and `portolan bench`. It fails when a query is not
found, a cost is not Dijkstra's, paths are in the mean more than 1.02 times the any-angle optimum in
(x, z), or one is less than 0.999 times that. Where the folder is absent it says so and exits with 0;
as a step of `test` it is then skipped.

`peers` measures other libraries and Portolan on the same navmeshes and queries, by default on our
own scenes, and checks the answers. It builds C++ and takes minutes; as a step of `test` it is linted
and tested, and measures nothing.

The README's commands are tested, too: each line of a block marked ```sh runs in a shell of its
own, in one temporary folder for the whole file, with `portolan` on the PATH. Lines that start
with `cargo` run in the workspace instead; `cargo xtask test` does not run itself. The quick tests
run `cargo run --release` with the development build; the long step `release` runs it as it is
written. In a block with `$ ` prompts only the prompted lines are commands, the others their output.
A block marked ```sh no-run is left alone.
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
    /// With the arguments for the program.
    Soak(Vec<String>),
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
                let run = if step.is_long { "long" } else { "quick" };
                println!("{:10} {run:6} {}", step.name, step.about);
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
        Ok(Job::Peers(arguments)) => code("peers", peers::run(&root(), &arguments)),
        Ok(Job::Soak(arguments)) => code("soak", soak::run(&root(), &arguments)),
        Err(problem) => {
            eprintln!("xtask: {problem}; see `cargo xtask --help`");
            ExitCode::from(2)
        }
    }
}

/// The exit code of a program that was run, or a failure to run it.
fn code(name: &str, ended: Result<u8, String>) -> ExitCode {
    ended.map_or_else(
        |problem| {
            eprintln!("failed: {name}: {problem}");
            ExitCode::FAILURE
        },
        ExitCode::from,
    )
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Job, String> {
    match arguments.next().as_deref() {
        None | Some("help" | "--help" | "-h") => return Ok(Job::Help),
        Some("test") => {}
        Some("maps") => return parse_maps(arguments),
        Some("peers") => return Ok(Job::Peers(arguments.collect())),
        Some("soak") => return Ok(Job::Soak(arguments.collect())),
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
            "--long" => plan.steps.extend(STEPS),
            "--long-only" => plan.steps.extend(STEPS.iter().filter(|step| step.is_long)),
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
        plan.steps = STEPS.iter().filter(|step| !step.is_long).collect();
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

    fn steps(line: &str) -> Vec<&'static str> {
        let Ok(Job::Test(plan)) = parsed(line) else {
            panic!("{line}: not a plan");
        };
        plan.steps.iter().map(|step| step.name).collect()
    }

    #[test]
    fn quick_and_long_steps_are_all_steps() {
        let (quick, long) = (steps("test"), steps("test --long-only"));
        assert_eq!(quick, ["tools", "format", "clippy", "tests", "readme"]);
        assert_eq!([quick, long].concat(), steps("test --long"));
        assert_eq!(steps("test --long").len(), STEPS.len());
    }

    #[test]
    fn steps_are_chosen_by_name() {
        let Ok(Job::Test(plan)) = parsed("test --only docs --only fuzz --fuzz-seconds 3") else {
            panic!("not a plan");
        };
        assert_eq!(plan.fuzz_seconds, 3);
        assert_eq!(steps("test --only docs --only fuzz"), ["docs", "fuzz"]);
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
    fn soak_takes_whatever_its_program_takes() {
        let Ok(Job::Soak(arguments)) = parsed("soak --minutes 2") else {
            panic!("not soak");
        };
        assert_eq!(arguments, ["--minutes", "2"]);
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
