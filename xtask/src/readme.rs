//! Runs the commands in README.md and in the pages of `docs/`, as a reader would run them.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Instant;
use std::{env, fs, process};

use crate::steps::{self, StepOutcome};
use crate::{TestPlan, programs, shell};

/// A command of a page and the number of the line that it starts on.
#[derive(Debug, PartialEq)]
struct Example {
    line: usize,
    command: String,
}

/// Where a command runs.
#[derive(Debug, PartialEq)]
enum RunIn {
    /// In the temporary folder that all commands of a page share.
    TemporaryFolder,
    /// In the workspace.
    Workspace,
    /// In the workspace; the command uses a release build.
    WorkspaceWithRelease {
        /// The equivalent command for the development build, if there is one.
        development: Option<String>,
    },
    /// The command does not run, because it would run this program again.
    Nowhere,
}

/// The build that the commands use.
#[derive(Clone, Copy, PartialEq)]
enum BuildProfile {
    /// All commands run. Those with `cargo run --release` use the development build of the tests instead.
    Development,
    /// Only commands with `--release` run, as written.
    Release,
}

/// The pages whose commands the quick tests run. The long tests run those of all other pages in `docs/`.
const QUICK_PAGES: [&str; 3] = ["README.md", "docs/getting-started.md", "docs/engines.md"];

/// Runs the commands of [`QUICK_PAGES`] with the development build.
pub(crate) fn run_development(plan: &TestPlan) -> Result<StepOutcome, String> {
    steps::build_development(plan)?;
    run_pages(plan, &QUICK_PAGES, BuildProfile::Development)
}

/// Runs the commands of the pages in `docs/` that are not [`QUICK_PAGES`] with the development build.
pub(crate) fn run_long_pages(plan: &TestPlan) -> Result<StepOutcome, String> {
    steps::build_development(plan)?;
    run_pages(plan, &long_pages(&plan.root)?, BuildProfile::Development)
}

/// Lists the pages in `docs/` that have commands and are not [`QUICK_PAGES`].
fn long_pages(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("docs");
    let problem = |error| format!("{}: {error}", folder.display());
    let mut pages = Vec::new();
    for entry in fs::read_dir(&folder).map_err(problem)? {
        let name = format!(
            "docs/{}",
            entry.map_err(problem)?.file_name().to_string_lossy()
        );
        let is_long = name.ends_with(".md") && !QUICK_PAGES.contains(&&name[..]);
        if is_long && !examples(&fs::read_to_string(root.join(&name)).map_err(problem)?).is_empty()
        {
            pages.push(name);
        }
    }
    pages.sort_unstable();
    Ok(pages)
}

/// Runs the commands of [`QUICK_PAGES`] that use a release build.
pub(crate) fn run_release(plan: &TestPlan) -> Result<StepOutcome, String> {
    run_pages(plan, &QUICK_PAGES, BuildProfile::Release)
}

fn run_pages(
    plan: &TestPlan,
    pages: &[impl AsRef<str>],
    build: BuildProfile,
) -> Result<StepOutcome, String> {
    let path = path_with(&programs::development()?)?;
    for page in pages {
        run_page(plan, page.as_ref(), build, &path)?;
    }
    Ok(StepOutcome::Passed)
}

fn run_page(plan: &TestPlan, page: &str, build: BuildProfile, path: &OsStr) -> Result<(), String> {
    let text =
        fs::read_to_string(plan.root.join(page)).map_err(|error| format!("{page}: {error}"))?;
    let examples = examples(&text);
    if examples.is_empty() {
        return Err(format!("{page} has no command in a block marked ```sh"));
    }
    // If a command fails, the folder stays, so that its files can be inspected.
    let folder = env::temp_dir().join(format!("portolan-readme-{}", process::id()));
    fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for Example { line, command } in &examples {
        let (working_folder, command) = match (run_in(command), build) {
            (RunIn::WorkspaceWithRelease { .. }, BuildProfile::Release) => {
                (&plan.root, command.clone())
            }
            (_, BuildProfile::Release) => continue,
            (
                RunIn::WorkspaceWithRelease {
                    development: Some(command),
                },
                _,
            ) => (&plan.root, command),
            (RunIn::WorkspaceWithRelease { development: None }, _) => {
                println!("   {page}:{line}: skipped, needs a release build: {command}");
                continue;
            }
            (RunIn::Nowhere, _) => {
                println!("   {page}:{line}: skipped, would run itself: {command}");
                continue;
            }
            (RunIn::TemporaryFolder, _) => (&folder, command.clone()),
            (RunIn::Workspace, _) => (&plan.root, command.clone()),
        };
        let start = Instant::now();
        let mut shell = shell::command(working_folder, "sh", ["-ec", &command]);
        // `cargo install` must not change the home folder of the person who runs the tests.
        shell.env("PATH", path).env("CARGO_INSTALL_ROOT", &folder);
        shell::capture(&mut shell).map_err(|problem| {
            let folder = folder.display();
            format!("{page}:{line}: {problem}; the files of this page are in {folder}")
        })?;
        let seconds = start.elapsed().as_secs_f32();
        println!("   {page}:{line}: {command} ({seconds:.1} s)");
    }
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Returns the commands of all blocks marked `sh`.
fn examples(page: &str) -> Vec<Example> {
    let mut found = Vec::new();
    let mut lines = (1..).zip(page.lines().map(str::trim));
    while let Some((_, line)) = lines.next() {
        let Some((fence, info)) = fence(line) else {
            continue;
        };
        let block: Vec<_> = lines
            .by_ref()
            .take_while(|(_, line)| !closes(fence, line))
            .collect();
        let mut words = info.split_whitespace();
        if words.next() == Some("sh") && !words.any(|word| word == "no-run") {
            found.extend(block_examples(&block));
        }
    }
    found
}

/// Splits the line that opens a block into the fence and the info string after it.
fn fence(line: &str) -> Option<(&str, &str)> {
    let character = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = line.trim_start_matches(character);
    let fence = &line[..line.len() - info.len()];
    // A line with backticks after the fence is a code span, not the start of a block.
    let opens = fence.len() >= 3 && !(character == '`' && info.contains('`'));
    opens.then_some((fence, info))
}

/// Returns whether `line` closes a block that `fence` opened: it is the same fence, or a longer one of the same
/// character.
fn closes(fence: &str, line: &str) -> bool {
    line.starts_with(fence) && line.trim_start_matches(&fence[..1]).is_empty()
}

/// Returns the commands of one block: the lines with a prompt if it has any, otherwise all lines. A backslash
/// at the end of a line joins it with the next.
fn block_examples(block: &[(usize, &str)]) -> Vec<Example> {
    let has_prompts = block.iter().any(|(_, line)| line.starts_with("$ "));
    let mut found = Vec::new();
    let mut lines = block.iter();
    while let Some(&(line, text)) = lines.next() {
        let text = match text.strip_prefix("$ ") {
            Some(text) => text.trim_start(),
            None if has_prompts => continue,
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

/// Returns where a command runs.
fn run_in(command: &str) -> RunIn {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words[..] {
        ["cargo", "xtask", "test", ..] => RunIn::Nowhere,
        ["cargo", "run", "--release", ref rest @ ..] => RunIn::WorkspaceWithRelease {
            development: development(rest),
        },
        ["cargo", .., "--release"] => RunIn::WorkspaceWithRelease { development: None },
        ["cargo", ..] => RunIn::Workspace,
        _ => RunIn::TemporaryFolder,
    }
}

/// Returns the program and arguments that `cargo run --release` starts when these words follow it. Returns
/// `None` if the words select another package.
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

/// Returns the `PATH` with `folder` and its `examples` in front.
fn path_with(folder: &Path) -> Result<OsString, String> {
    let path = env::var_os("PATH").unwrap_or_default();
    let first = [folder.to_path_buf(), folder.join("examples")];
    env::join_paths(first.into_iter().chain(env::split_paths(&path)))
        .map_err(|error| format!("PATH: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(page: &str) -> Vec<(usize, String)> {
        let examples = examples(page).into_iter();
        examples.map(|e| (e.line, e.command)).collect()
    }

    fn example(line: usize, command: &str) -> (usize, String) {
        (line, command.to_owned())
    }

    #[test]
    fn only_blocks_marked_sh_run() {
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
    fn lines_without_a_prompt_are_output_in_a_block_with_prompts() {
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
    fn blocks_in_lists_and_unclosed_blocks_are_read() {
        let readme = "1. First\n\n   ```sh\n   one\n   ```\n2. ```inline```\n\n```sh\ntwo";
        assert_eq!(found(readme), [example(4, "one"), example(9, "two")]);
    }

    #[test]
    fn cargo_runs_in_the_workspace_and_xtask_test_does_not_run() {
        assert_eq!(run_in("cargo xtask --help"), RunIn::Workspace);
        assert_eq!(run_in("cargo xtask test --only docs"), RunIn::Nowhere);
        assert_eq!(run_in("portolan"), RunIn::TemporaryFolder);
    }

    #[test]
    fn cargo_run_release_has_an_equivalent_for_the_development_build() {
        for (command, equivalent) in [
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
            let development = equivalent.map(str::to_owned);
            assert_eq!(
                run_in(command),
                RunIn::WorkspaceWithRelease { development },
                "{command}"
            );
        }
    }
}
