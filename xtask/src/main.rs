//! The program behind `cargo xtask`, which tests and measures Portolan; see `cargo xtask --help`.

mod bakes;
mod book;
mod fuzz;
mod libraries;
mod maps;
mod native;
#[cfg(test)]
mod pages_test;
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

use steps::{STEPS, StepOutcome, TestStep};

const HELP: &str = "\
Tests and measures Portolan.

Usage: cargo xtask COMMAND

  test                    run the quick tests; do so before every commit
  test --long             run the quick and the long tests; do so before a merge
  test --long-only        run only the tests that `--long` adds
  test --list             list the steps of `test`, in order
  test --only STEP        run one step, quick or long; may be given several times
  test --fuzz-seconds N   fuzz each target for N seconds [default: 5]
  soak --minutes N        compare every engine with a slow oracle on random worlds for N minutes
  maps [FOLDER]           check paths on real maps, and measure how long queries take
  docs [--open]           build the pages of docs/ into a site; --open shows it in a browser
  peers [MAPS...]         measure Portolan and other libraries: Detour, Polyanya, landmass, fast_paths

`cargo xtask soak --help` and `cargo xtask peers --help` list further options.

Which command to run:
  while you write code:        cargo xtask test
  after a change to README:    cargo xtask test --only readme
  after a change to a reader:  cargo xtask test --only fuzz --fuzz-seconds 300
  after a change to a search:  cargo xtask soak --minutes 10 && cargo xtask maps
  after a change to docs/:     cargo xtask docs && cargo xtask test --only pages
  before you claim a speed:    cargo xtask peers --json OUT.json

test
  Stops at the first step that fails. At the end it prints the time of each step, and the command
  that runs the failed step alone. It installs missing tools where it can. A step that cannot run
  here is listed as skipped, with the reason. On two cores the quick tests take about 9 minutes
  from a fresh clone and 2 minutes if everything is built; quick and long tests together take at
  most 30 minutes.

  Two environment variables control the tests, also with `cargo test`:
    PORTOLAN_CASES=F   the number of cases of each property test, as a multiple of the full number:
                       1 runs all of them, 10 runs ten times as many [default: 0.1]
    PORTOLAN_LONG=1    runs the slow tests too; without it they pass without doing anything
  The step `cases` sets both to 1.

  The steps `readme`, `release` and `pages` run the commands of the documentation. Each line of a
  code block marked ```sh runs in a shell of its own, with `portolan` on the PATH, in one temporary
  folder per page. Lines that start with `cargo` run in the workspace; `cargo xtask test` is skipped.
  `readme` and `pages` run the development build instead of `cargo run --release`; `release` runs
  those lines as written. In a block with `$ ` prompts, lines without a prompt are output and do not
  run. A block marked ```sh no-run does not run.

soak
  Draws random worlds, profiles and queries until the time is up. It compares every exact engine
  with a slow oracle and with Dijkstra's algorithm, and checks that the other engines keep their
  guarantees. It prints the number of answers it compared per engine. If an answer differs, it prints
  the command that generates the same world again.

maps
  Imports every NAME.navmesh.obj that has a NAME.queries.txt next to it in FOLDER and measures it
  with `portolan bench`. FOLDER is `../shared/maps` by default, next to the checkout. It fails if
  - a query finds no path,
  - a cost differs from that of Dijkstra's algorithm,
  - the mean ratio of path length to any-angle optimum, in the (x, z) plane, is above 1.02, or
  - the ratio of one path is below 0.999.
  If FOLDER does not exist, it says so and exits with 0; as a step of `test` it is then skipped.

peers
  Measures Portolan and other libraries on the same navmeshes and queries, and checks the answers.
  Without MAPS it uses generated scenes. It builds C++ and takes minutes. As a step of `test` it is
  only linted and tested.
";

/// The steps that `test` runs, and their options.
struct TestPlan {
    root: PathBuf,
    fuzz_seconds: u32,
    steps: Vec<&'static TestStep>,
}

/// A parsed command line.
enum Job {
    Help,
    List,
    Test(TestPlan),
    /// `docs`, with or without `--open`.
    Docs {
        open: bool,
    },
    /// `maps` with the folder of the maps.
    Maps(PathBuf),
    /// `peers` with the arguments to pass to its program.
    Peers(Vec<String>),
    /// `soak` with the arguments to pass to its program.
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
                let kind = if step.is_long { "long" } else { "quick" };
                println!("{:10} {kind:6} {}", step.name, step.about);
            }
            ExitCode::SUCCESS
        }
        Ok(Job::Test(plan)) => steps::run(&plan),
        Ok(Job::Maps(folder)) => match maps::run(&root(), &folder) {
            Ok(StepOutcome::Passed) => ExitCode::SUCCESS,
            Ok(StepOutcome::Skipped(reason)) => {
                println!("skipped: maps: {reason}");
                ExitCode::SUCCESS
            }
            Err(problem) => {
                eprintln!("failed: maps: {problem}");
                ExitCode::FAILURE
            }
        },
        Ok(Job::Docs { open }) => {
            let built = book::build(&root(), open);
            exit_code(
                "docs",
                built.map(|page| {
                    println!("{}", page.display());
                    0
                }),
            )
        }
        Ok(Job::Peers(arguments)) => exit_code("peers", peers::run(&root(), &arguments)),
        Ok(Job::Soak(arguments)) => exit_code("soak", soak::run(&root(), &arguments)),
        Err(problem) => {
            eprintln!("xtask: {problem}; see `cargo xtask --help`");
            ExitCode::from(2)
        }
    }
}

/// Returns the exit code of a program, or prints why it could not be run.
fn exit_code(name: &str, result: Result<u8, String>) -> ExitCode {
    result.map_or_else(
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
        Some("docs") => return parse_docs(arguments),
        Some("maps") => return parse_maps(arguments),
        Some("peers") => return Ok(Job::Peers(arguments.collect())),
        Some("soak") => return Ok(Job::Soak(arguments.collect())),
        Some(other) => return Err(format!("there is no command `{other}`")),
    }
    let mut plan = TestPlan {
        root: root(),
        fuzz_seconds: 5,
        steps: Vec::new(),
    };
    while let Some(option) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| format!("`{option}` needs a value"))
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
                    format!(
                        "there is no step `{name}`; the steps are {}",
                        names.join(", ")
                    )
                })?);
            }
            "--fuzz-seconds" => {
                let seconds = value()?;
                // To libFuzzer, 0 means no limit.
                plan.fuzz_seconds = match seconds.parse() {
                    Ok(seconds) if seconds > 0 => seconds,
                    _ => {
                        return Err(format!(
                            "`--fuzz-seconds {seconds}`: expected a whole number of at least 1"
                        ));
                    }
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

fn parse_docs(mut arguments: impl Iterator<Item = String>) -> Result<Job, String> {
    match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => Ok(Job::Docs { open: false }),
        (Some("--open"), None) => Ok(Job::Docs { open: true }),
        (Some("--help" | "-h"), _) => Ok(Job::Help),
        (Some(other), _) => Err(format!("`docs` takes only `--open`, not `{other}`")),
    }
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
        Some(extra) => Err(format!(
            "`maps` takes one folder; `{extra}` is one argument too many"
        )),
    }
}

/// Returns the folder of the workspace. Cargo sets `CARGO_MANIFEST_DIR` at run time; a binary that was started
/// by hand uses the value from compile time.
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
            panic!("{line}: not a test plan");
        };
        plan.steps.iter().map(|step| step.name).collect()
    }

    #[test]
    fn every_step_is_either_quick_or_long() {
        let (quick, long) = (steps("test"), steps("test --long-only"));
        assert_eq!(quick, ["tools", "format", "clippy", "tests", "readme"]);
        assert_eq!([quick, long].concat(), steps("test --long"));
        assert_eq!(steps("test --long").len(), STEPS.len());
    }

    #[test]
    fn steps_are_chosen_by_name() {
        let Ok(Job::Test(plan)) = parsed("test --only rustdoc --only fuzz --fuzz-seconds 3") else {
            panic!("not a test plan");
        };
        assert_eq!(plan.fuzz_seconds, 3);
        assert_eq!(
            steps("test --only rustdoc --only fuzz"),
            ["rustdoc", "fuzz"]
        );
    }

    #[test]
    fn maps_reads_the_folder_next_to_the_checkout_by_default() {
        let Ok(Job::Maps(folder)) = parsed("maps") else {
            panic!("not the job `maps`");
        };
        assert_eq!(folder, root().parent().unwrap().join("shared/maps"));
        assert!(
            matches!(parsed("maps here"), Ok(Job::Maps(folder)) if folder == Path::new("here"))
        );
        assert!(matches!(parsed("maps --help"), Ok(Job::Help)));
    }

    #[test]
    fn peers_passes_all_arguments_to_its_program() {
        assert!(matches!(parsed("peers"), Ok(Job::Peers(none)) if none.is_empty()));
        let Ok(Job::Peers(arguments)) = parsed("peers maps a.pnav --random 5 --help") else {
            panic!("not the job `peers`");
        };
        assert_eq!(arguments, ["maps", "a.pnav", "--random", "5", "--help"]);
    }

    #[test]
    fn soak_passes_all_arguments_to_its_program() {
        let Ok(Job::Soak(arguments)) = parsed("soak --minutes 2") else {
            panic!("not the job `soak`");
        };
        assert_eq!(arguments, ["--minutes", "2"]);
    }

    #[test]
    fn an_error_names_the_wrong_argument() {
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
