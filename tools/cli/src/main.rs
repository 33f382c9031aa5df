//! The program `portolan`, with one command per stage from level geometry to paths.
//!
//! Exit codes: 0 is success. 1 means that the command ran and its answer is no, for example that there is no
//! path. 2 is wrong input or wrong usage; one line on stderr says what is wrong and where.
#![allow(
    clippy::disallowed_methods,
    reason = "heights by formula and the choice of pictures may differ in the last bit"
)]

mod args;
mod commands;
mod gpu;
mod measure;
mod outcome;
mod table;
mod terminal;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::args::{Cli, CliCommand, join_points};
use crate::outcome::ExitKind;

fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(join_points(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => return report_usage(&error),
    };
    // Setting the handler can only fail if there is one already. Ctrl-C ends the program either way.
    let _ = ctrlc::set_handler(|| {
        portolan_files::remove_unfinished();
        std::process::exit(130);
    });
    let common = cli.common;
    let exit = match cli.command {
        None => commands::demo::run(&common),
        Some(CliCommand::Scene(args)) => commands::scene::run(&args, &common),
        Some(CliCommand::Heightmap(args)) => commands::heightmap::run(&args, &common),
        Some(CliCommand::Bake(args)) => commands::bake::run(&args, &common),
        Some(CliCommand::Rebake(args)) => commands::rebake::run(&args, &common),
        Some(CliCommand::Import(args)) => commands::import::run(&args, &common),
        Some(CliCommand::Export(args)) => commands::export::run(&args, &common),
        Some(CliCommand::Index(args)) => commands::index::run(&args, &common),
        Some(CliCommand::Tune(args)) => commands::tune::run(&args, &common),
        Some(CliCommand::Info(args)) => commands::info::run(&args),
        Some(CliCommand::Path(args)) => commands::path::run(&args, &common),
        Some(CliCommand::Batch(args)) => commands::batch::run(&args, &common),
        Some(CliCommand::Probe(args)) => commands::probe::run(&args, &common),
        Some(CliCommand::Terrain(args)) => commands::terrain::run(&args, &common),
        Some(CliCommand::Bench(args)) => commands::bench::run(&args, &common),
        Some(CliCommand::Report(args)) => commands::report::run(&args, &common),
    };
    match exit {
        Ok(ExitKind::Success) => ExitCode::SUCCESS,
        Ok(ExitKind::Negative) => ExitCode::from(1),
        Err(failure) => {
            eprintln!("portolan: {failure}");
            ExitCode::from(2)
        }
    }
}

/// Prints help and version as they are, and any other outcome of parsing as one line on stderr.
fn report_usage(error: &clap::Error) -> ExitCode {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        // A failure means that stdout is closed.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // Only `terrain` has commands of its own.
        eprintln!(
            "portolan: terrain needs a command: build, path, wave, info or report; see `portolan terrain --help`"
        );
        return ExitCode::from(2);
    }
    let text = error.to_string();
    let lines: Vec<&str> = text
        .lines()
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let message = lines.join(" ");
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    eprintln!("portolan: {message}; see `portolan --help` and `portolan COMMAND --help`");
    ExitCode::from(2)
}
