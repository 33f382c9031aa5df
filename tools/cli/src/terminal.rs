//! What only a person at a terminal gets to see: progress and colours.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

use anstyle::Style;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::Common;

/// `println!` for a program in a pipe: see [`print_line`].
macro_rules! say {
    ($($arg:tt)*) => { $crate::terminal::print_line(format_args!($($arg)*)) };
}
pub(crate) use say;

/// A line on stdout. Where nobody reads any more the program ends, quietly, as others do; where
/// the line cannot be written for another reason it says so.
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

/// `1 polygon`, `2 polygons`.
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A bar on stderr for work of `steps` steps; invisible with `--quiet` or without a terminal.
pub(crate) fn progress(common: &Common, what: &'static str, steps: u64) -> ProgressBar {
    if common.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(steps).with_message(what);
    let style = ProgressStyle::with_template("{msg:>12} [{wide_bar}] {pos}/{len} {eta}");
    match style {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}

/// A moving sign on stderr for work whose length is not known.
pub(crate) fn spinner(common: &Common, what: impl Into<Cow<'static, str>>) -> ProgressBar {
    if common.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner().with_message(what);
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}

/// Text in a style, if stdout is a terminal and the user has not asked for `NO_COLOR`.
pub(crate) fn styled(style: Style, text: &str) -> String {
    if std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

/// What headings look like.
pub(crate) const HEADING: Style = Style::new().bold();
