//! The commands of README.md and docs/engines.md, run as a reader would run them.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Instant;
use std::{env, fs, process};

use crate::steps::{self, Outcome};
use crate::{Plan, programs, shell};

/// One command of a page and the line that it starts on.
#[derive(Debug, PartialEq)]
struct Example {
    line: usize,
    command: String,
}

/// What becomes of a command.
#[derive(Debug, PartialEq)]
enum Place {
    /// It runs in the temporary folder that all commands of a page share.
    Folder,
    /// It runs in the workspace.
    Workspace,
    /// It runs in the workspace and makes a release build.
    Release {
        /// The same with the development build, where there is such a command.
        development: Option<String>,
    },
    /// It is the command that runs now.
    Nowhere,
}

/// Which build the commands use.
#[derive(Clone, Copy, PartialEq)]
enum Build {
    /// What the tests have built. `cargo run --release` runs this program instead.
    Development,
    /// Only commands that say `--release` run, as they are written.
    Release,
}

/// The pages whose commands are run.
const PAGES: [&str; 2] = ["README.md", "docs/engines.md"];

/// Runs all commands with the development build.
pub(crate) fn run_development(plan: &Plan) -> Result<Outcome, String> {
    steps::build_development(plan)?;
    run_pages(plan, Build::Development)
}

/// Runs the commands that make a release build.
pub(crate) fn run_release(plan: &Plan) -> Result<Outcome, String> {
    run_pages(plan, Build::Release)
}

fn run_pages(plan: &Plan, build: Build) -> Result<Outcome, String> {
    let path = path_with(&programs::development()?)?;
    for page in PAGES {
        run_page(plan, page, build, &path)?;
    }
    Ok(Outcome::Passed)
}

fn run_page(plan: &Plan, page: &str, build: Build, path: &OsStr) -> Result<(), String> {
    let text =
        fs::read_to_string(plan.root.join(page)).map_err(|error| format!("{page}: {error}"))?;
    let examples = examples(&text);
    if examples.is_empty() {
        return Err(format!("{page}: no command in a block marked ```sh"));
    }
    // A failed command leaves the folder behind, so that its files can be looked at.
    let folder = env::temp_dir().join(format!("portolan-readme-{}", process::id()));
    fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for Example { line, command } in &examples {
        let (place, command) = match (place(command), build) {
            (Place::Release { .. }, Build::Release) => (&plan.root, command.clone()),
            (_, Build::Release) => continue,
            (
                Place::Release {
                    development: Some(command),
                },
                _,
            ) => (&plan.root, command),
            (Place::Release { development: None }, _) => {
                println!("   {page}:{line}: left to `--long`: {command}");
                continue;
            }
            (Place::Nowhere, _) => {
                println!("   {page}:{line}: skipped, it is what runs now: {command}");
                continue;
            }
            (Place::Folder, _) => (&folder, command.clone()),
            (Place::Workspace, _) => (&plan.root, command.clone()),
        };
        let start = Instant::now();
        let mut shell = shell::command(place, "sh", ["-ec", &command]);
        // `cargo install` is welcome in a README, but not to change the tester's home.
        shell.env("PATH", path).env("CARGO_INSTALL_ROOT", &folder);
        shell::capture(&mut shell).map_err(|problem| {
            let folder = folder.display();
            format!("{page}:{line}: {problem}; its files are in {folder}")
        })?;
        let seconds = start.elapsed().as_secs_f32();
        println!("   {page}:{line}: {command} ({seconds:.1} s)");
    }
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// The commands of all blocks marked `sh`.
fn examples(readme: &str) -> Vec<Example> {
    let mut found = Vec::new();
    let mut lines = (1..).zip(readme.lines().map(str::trim));
    while let Some((_, line)) = lines.next() {
        let Some((fence, mark)) = fence(line) else {
            continue;
        };
        let block: Vec<_> = lines
            .by_ref()
            .take_while(|(_, line)| !closes(fence, line))
            .collect();
        let mut words = mark.split_whitespace();
        if words.next() == Some("sh") && !words.any(|word| word == "no-run") {
            found.extend(block_examples(&block));
        }
    }
    found
}

/// Splits the line that opens a block into its fence and what the block is marked with.
fn fence(line: &str) -> Option<(&str, &str)> {
    let character = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let mark = line.trim_start_matches(character);
    let fence = &line[..line.len() - mark.len()];
    // Three backticks and more of them later in the line are a code span, not a block.
    let opens = fence.len() >= 3 && !(character == '`' && mark.contains('`'));
    opens.then_some((fence, mark))
}

/// A block ends with the fence that it began with, or a longer one of the same character.
fn closes(fence: &str, line: &str) -> bool {
    line.starts_with(fence) && line.trim_start_matches(&fence[..1]).is_empty()
}

/// The commands of one block: its prompted lines if it has any, otherwise all of them. A
/// backslash at the end of a line goes on with the next.
fn block_examples(block: &[(usize, &str)]) -> Vec<Example> {
    let prompted = block.iter().any(|(_, line)| line.starts_with("$ "));
    let mut found = Vec::new();
    let mut lines = block.iter();
    while let Some(&(line, text)) = lines.next() {
        let text = match text.strip_prefix("$ ") {
            Some(text) => text.trim_start(),
            None if prompted => continue,
            None => text,
        };
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let mut command = text.to_owned();
        while command.ends_with('\\') {
            command.pop();
            command.push_str(lines.next().map_or("", |(_, text)| text));
        }
        found.push(Example { line, command });
    }
    found
}

fn place(command: &str) -> Place {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words[..] {
        ["cargo", "xtask", "test", ..] => Place::Nowhere,
        ["cargo", "run", "--release", ref rest @ ..] => Place::Release {
            development: development(rest),
        },
        ["cargo", .., "--release"] => Place::Release { development: None },
        ["cargo", ..] => Place::Workspace,
        _ => Place::Folder,
    }
}

/// The program and arguments that `cargo run --release` with these words runs; `None` where it names a package.
fn development(words: &[&str]) -> Option<String> {
    let (program, arguments) = match *words {
        ["--example", example, ref rest @ ..] => (example, rest),
        ref rest => ("portolan", rest),
    };
    match *arguments {
        [] => Some(program.to_owned()),
        ["--", ref arguments @ ..] => Some([&[program], arguments].concat().join(" ")),
        _ => None,
    }
}

/// The `PATH` with the programs and the examples in this folder before all others.
fn path_with(folder: &Path) -> Result<OsString, String> {
    let path = env::var_os("PATH").unwrap_or_default();
    let ours = [folder.to_path_buf(), folder.join("examples")];
    env::join_paths(ours.into_iter().chain(env::split_paths(&path)))
        .map_err(|error| format!("PATH: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(readme: &str) -> Vec<(usize, String)> {
        let examples = examples(readme).into_iter();
        examples.map(|e| (e.line, e.command)).collect()
    }

    fn example(line: usize, command: &str) -> (usize, String) {
        (line, command.to_owned())
    }

    #[test]
    fn only_blocks_marked_sh_are_run() {
        let readme = "\
# Title
portolan not-me
```sh
portolan scene town -o town.obj
```
```
portolan not-me
```
```sh no-run
portolan studio
```
```rust
portolan();
```
~~~sh
portolan info town.pnav
~~~
";
        assert_eq!(
            found(readme),
            [
                example(4, "portolan scene town -o town.obj"),
                example(16, "portolan info town.pnav"),
            ]
        );
    }

    #[test]
    fn blank_lines_and_comments_are_not_commands() {
        let readme = "```sh\n\n# first\n  a --b # c\n\n```\n";
        assert_eq!(found(readme), [example(4, "a --b # c")]);
    }

    #[test]
    fn a_block_with_prompts_also_shows_output() {
        let readme = "```sh\n$ portolan info a.pnav\n polygons 12\n$ ls\na.pnav\n```\n";
        assert_eq!(
            found(readme),
            [example(2, "portolan info a.pnav"), example(4, "ls")]
        );
    }

    #[test]
    fn a_backslash_joins_lines() {
        let readme = "```sh\nportolan path \\\n    --from 1,0,1 \\\n    --to 2,0,2\nls\n```\n";
        assert_eq!(
            found(readme),
            [
                example(2, "portolan path --from 1,0,1 --to 2,0,2"),
                example(5, "ls")
            ]
        );
    }

    #[test]
    fn a_block_inside_a_longer_fence_is_text() {
        let readme = "````md\n```sh\nnot me\n```\n````\n```sh\nme\n```\n";
        assert_eq!(found(readme), [example(7, "me")]);
    }

    #[test]
    fn blocks_in_lists_and_blocks_without_end_count() {
        let readme = "1. First\n\n   ```sh\n   one\n   ```\n2. ```inline```\n\n```sh\ntwo";
        assert_eq!(found(readme), [example(4, "one"), example(9, "two")]);
    }

    #[test]
    fn cargo_runs_in_the_workspace_and_the_tests_do_not_run_themselves() {
        assert_eq!(place("cargo xtask --help"), Place::Workspace);
        assert_eq!(place("cargo xtask test --only docs"), Place::Nowhere);
        assert_eq!(place("portolan"), Place::Folder);
    }

    #[test]
    fn a_release_build_has_a_command_for_development() {
        for (command, same) in [
            ("cargo run --release", Some("portolan")),
            (
                "cargo run --release -- info a.pnav",
                Some("portolan info a.pnav"),
            ),
            ("cargo run --release --example obstacle", Some("obstacle")),
            (
                "cargo run --release --example obstacle -- 3",
                Some("obstacle 3"),
            ),
            ("cargo run --release -p other", None),
            ("cargo build --release", None),
        ] {
            let development = same.map(str::to_owned);
            assert_eq!(place(command), Place::Release { development }, "{command}");
        }
    }
}
