//! Portolan on the command line: one verb a stage.
//!
//! Exit codes: 0 done; 1 an answer that is "no"; 2 bad input or bad usage, with one line on stderr
//! that says what and where.
#![allow(
    clippy::disallowed_methods,
    reason = "heights by formula and the choice of pictures may differ in the last bit"
)]

mod args;
mod measure;
mod outcome;
mod table;
mod terminal;
mod verbs;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::args::{Cli, Verb, join_points};
use crate::outcome::Answer;

fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(join_points(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    // Without a handler, which can only fail to be set twice, Ctrl-C still ends the program.
    let _ = ctrlc::set_handler(|| {
        portolan_files::remove_unfinished();
        std::process::exit(130);
    });
    let common = cli.common;
    let answer = match cli.verb {
        None => verbs::demo::run(&common),
        Some(Verb::Scene(args)) => verbs::scene::run(&args, &common),
        Some(Verb::Heightmap(args)) => verbs::heightmap::run(&args, &common),
        Some(Verb::Bake(args)) => verbs::bake::run(&args, &common),
        Some(Verb::Rebake(args)) => verbs::rebake::run(&args, &common),
        Some(Verb::Import(args)) => verbs::import::run(&args, &common),
        Some(Verb::Export(args)) => verbs::export::run(&args, &common),
        Some(Verb::Index(args)) => verbs::index::run(&args, &common),
        Some(Verb::Tune(args)) => verbs::tune::run(&args, &common),
        Some(Verb::Info(args)) => verbs::info::run(&args),
        Some(Verb::Path(args)) => verbs::path::run(&args, &common),
        Some(Verb::Terrain(args)) => verbs::terrain::run(&args, &common),
        Some(Verb::Bench(args)) => verbs::bench::run(&args, &common),
        Some(Verb::Report(args)) => verbs::report::run(&args, &common),
    };
    match answer {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(failure) => {
            eprintln!("portolan: {failure}");
            ExitCode::from(2)
        }
    }
}

/// Help and version go out as they are; everything else becomes one line.
fn usage(error: &clap::Error) -> ExitCode {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        // Nobody is left to tell when stdout is closed.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // Only terrain has verbs of its own.
        eprintln!(
            "portolan: terrain wants a verb: build, path, wave, info or report; `portolan terrain --help` explains"
        );
        return ExitCode::from(2);
    }
    let text = error.to_string();
    let what: Vec<&str> = text
        .lines()
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let what = what.join(" ");
    let what = what.strip_prefix("error: ").unwrap_or(&what);
    eprintln!("portolan: {what}; `portolan --help` and `portolan VERB --help` explain");
    ExitCode::from(2)
}
