//! The command line of the soak test. `cargo xtask soak` builds and runs it.

use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Parser;
use portolan_core::World;
use portolan_soak::{EngineFilter, Settings, record_panics, soak};

/// Draws random worlds, profiles and queries and compares every engine with a slow reference implementation.
#[derive(Parser)]
#[command(name = "cargo xtask soak", bin_name = "cargo xtask soak")]
struct Arguments {
    /// How long to run, in minutes. No new world is started after this time.
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = minutes)]
    minutes: f64,
    /// The seed of the first world. Each further world has the next number. The default is taken from the clock.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The largest number of worlds to check. The default is no limit.
    #[arg(long, value_name = "N")]
    worlds: Option<u64>,
    /// The engines to compare, separated by commas. `hna` selects `hna:1:astar`, `hna:2:table` and so on, and
    /// `terrain` selects all terrain engines. The default is all engines.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    engines: Vec<String>,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(minutes) if minutes > 0.0 && minutes <= 1e6 => Ok(minutes),
        _ => Err("give a number above 0 and up to 1000000".to_owned()),
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let clock_seconds = || {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH);
        elapsed.map_or(0, |elapsed| elapsed.as_secs())
    };
    let settings = Settings {
        seed: arguments.seed.unwrap_or_else(clock_seconds),
        worlds: arguments.worlds.unwrap_or(u64::MAX),
        time: Duration::from_secs_f64(60.0 * arguments.minutes),
        engines: EngineFilter::new(arguments.engines),
        find_path: World::find_path,
    };
    record_panics();
    println!("   seed {}", settings.seed);
    let report = soak(&settings);
    print!("{report}");
    if report.compared.total() == 0 && report.differences.is_empty() {
        eprintln!(
            "no answer was compared; give `--engines` names that `portolan bench` prints, or a larger `--minutes`"
        );
        return ExitCode::from(2);
    }
    match report.differences.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
