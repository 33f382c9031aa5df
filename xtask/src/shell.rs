//! Runs external commands and reports how they ended.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Returns the command `program arguments`, to be run in `folder` with an empty standard input.
pub(crate) fn command<A: AsRef<OsStr>>(
    folder: &Path,
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = A>,
) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    command
}

/// Returns the command `cargo subcommand`, to be run in the workspace.
pub(crate) fn cargo(root: &Path, subcommand: &str) -> Command {
    command(root, "cargo", [subcommand])
}

/// Prints the command and runs it. Its output is shown as it comes. Fails unless the command succeeds.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let line = shown(command);
    println!("   {line}");
    let status = command
        .status()
        .map_err(|error| format!("`{line}` did not start: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{line}` ended with {status}"))
    }
}

/// Runs the command and returns its output, which is printed only if the command fails.
pub(crate) fn capture(command: &mut Command) -> Result<Output, String> {
    capture_codes(command, &[0])
}

/// Runs the command like [`capture`], but fails only if its exit code is not one of `accepted`.
pub(crate) fn capture_codes(command: &mut Command, accepted: &[i32]) -> Result<Output, String> {
    let line = shown(command);
    let output = command
        .output()
        .map_err(|error| format!("`{line}` did not start: {error}"))?;
    if output
        .status
        .code()
        .is_some_and(|code| accepted.contains(&code))
    {
        return Ok(output);
    }
    print!("{}", String::from_utf8_lossy(&output.stdout));
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Err(format!("`{line}` ended with {}", output.status))
}

/// Returns whether the command starts and exits with 0. Its output is discarded.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Returns the command as a person would type it, without quotes around arguments.
fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}
