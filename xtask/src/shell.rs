//! Commands of other people, run and reported.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// `program` with `arguments`, to be run in `folder`, without anything to read.
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

/// Cargo with this verb, to be run in the workspace.
pub(crate) fn cargo(root: &Path, verb: &str) -> Command {
    command(root, "cargo", [verb])
}

/// Shows the command, runs it in the open and fails when it does.
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

/// Runs the command unseen. When it fails, everything that it wrote is shown.
pub(crate) fn capture(command: &mut Command) -> Result<Output, String> {
    capture_codes(command, &[0])
}

/// [`capture`] of a command that says something by the code it exits with: these are no failures.
pub(crate) fn capture_codes(command: &mut Command, fine: &[i32]) -> Result<Output, String> {
    let line = shown(command);
    let output = command
        .output()
        .map_err(|error| format!("`{line}` did not start: {error}"))?;
    if output
        .status
        .code()
        .is_some_and(|code| fine.contains(&code))
    {
        return Ok(output);
    }
    print!("{}", String::from_utf8_lossy(&output.stdout));
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Err(format!("`{line}` ended with {}", output.status))
}

/// Whether the command starts and ends well; nothing of it is seen.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// The command as a person would type it, near enough to recognise it.
fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}
