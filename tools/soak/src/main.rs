//! The command line of the soak; `cargo xtask soak` builds and calls it.

use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Parser;
use portolan_core::World;
use portolan_soak::{EngineFilter, Settings, record_panics, soak};

/// Draws worlds, profiles and queries at random and compares every engine with the oracle, until time is up.
#[derive(Parser)]
#[command(name = "cargo xtask soak", bin_name = "cargo xtask soak")]
struct Arguments {
    /// How long to go on.
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = minutes)]
    minutes: f64,
    /// The seed of the first world; each further world has the next number. By default it is taken from the clock.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// How many worlds to draw at most.
    #[arg(long, value_name = "N")]
    worlds: Option<u64>,
    /// Engines to compare, separated by commas: `hna` means all of `hna:1:astar`, `hna:2:table` and so on, and
    /// `terrain` all engines of the terrain. By default all are compared.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    engines: Vec<String>,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(minutes) if minutes > 0.0 && minutes <= 1e6 => Ok(minutes),
        _ => Err("give a number of minutes above 0".to_owned()),
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let seconds_of_clock = || {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| since.as_secs())
    };
    let settings = Settings {
        seed: arguments.seed.unwrap_or_else(seconds_of_clock),
        worlds: arguments.worlds.unwrap_or(u64::MAX),
        time: Duration::from_secs_f64(60.0 * arguments.minutes),
        engines: EngineFilter::new(arguments.engines),
        ask: World::find_path,
    };
    record_panics();
    println!("   seed {}", settings.seed);
    let report = soak(&settings);
    print!("{report}");
    if report.compared.total() == 0 && report.differences.is_empty() {
        eprintln!(
            "no answer was compared: give `--engines` names that `portolan bench` prints, or more minutes"
        );
        return ExitCode::from(2);
    }
    match report.differences.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
