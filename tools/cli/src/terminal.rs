//! Output to the terminal: lines, progress and styles.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

use anstyle::Style;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::Common;

/// Prints a line like `println!`, but does not panic if stdout is a closed pipe; see [`print_line`].
macro_rules! say {
    ($($arg:tt)*) => { $crate::terminal::print_line(format_args!($($arg)*)) };
}
pub(crate) use say;

/// Prints a line on stdout. If the reader of a pipe has closed it, the program ends silently with exit code
/// 0. On any other error, it reports the error and ends with exit code 2.
pub(crate) fn print_line(line: std::fmt::Arguments<'_>) {
    if let Err(error) = writeln!(std::io::stdout(), "{line}") {
        portolan_files::remove_unfinished();
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        eprintln!("portolan: the results cannot be written: {error}");
        std::process::exit(2);
    }
}

/// Returns a number with its noun: `1 polygon`, `2 polygons`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns a progress bar on stderr for `steps` steps. It is hidden with `--quiet` and if stderr is no
/// terminal.
pub(crate) fn progress(common: &Common, label: &'static str, steps: u64) -> ProgressBar {
    if common.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(steps).with_message(label);
    let style = ProgressStyle::with_template("{msg:>12} [{wide_bar}] {pos}/{len} {eta}");
    match style {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}

/// Returns a spinner on stderr for work of unknown length. It is hidden like a progress bar.
pub(crate) fn spinner(common: &Common, label: impl Into<Cow<'static, str>>) -> ProgressBar {
    if common.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner().with_message(label);
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}

/// Returns the text with the escape codes of a style, unless stdout is no terminal or `NO_COLOR` is set.
pub(crate) fn styled(style: Style, text: &str) -> String {
    if std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

/// The style of headings.
pub(crate) const HEADING: Style = Style::new().bold();
