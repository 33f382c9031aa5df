//! Portolan and others, side by side: the same navmesh, the same queries, the same run.
//!
//! `cargo xtask peers [MAPS...]` builds and runs it.

mod check;
mod compare;
mod detour;
mod fast_paths;
mod input;
mod measure;
mod ours;
mod peer;
mod polyanya;
mod recast;
mod report;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use compare::Rounds;
use input::{Level, Map, Random};
use measure::Order;
use report::{BakeFigures, Report};

/// Portolan and others on the same navmeshes and queries, side by side.
///
/// Exits with 1 where an answer is wrong, with 2 where something cannot be read.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask peers")]
struct Args {
    /// Navmeshes, .pnav or .obj with polygons as faces, or folders of .pnav and .navmesh.obj; our
    /// own scenes where there are none. NAME.queries.txt, NAME.queries.csv or NAME.csv beside a map
    /// are its queries.
    maps: Vec<PathBuf>,
    /// Random queries on maps without a file of them, between points in the largest component.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    random: u32,
    /// Draws random queries even where there is a file of them.
    #[arg(long)]
    no_files: bool,
    /// Another seed, other random queries.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Rounds over all queries; times are medians of them.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Lets a peer answer all queries of a round before the next, with its own caches; otherwise it
    /// is the next peer's turn after every query.
    #[arg(long)]
    by_peer: bool,
    /// Does not bake.
    #[arg(long)]
    no_bakes: bool,
    /// Writes every number to a file.
    #[arg(long, value_name = "OUT.json")]
    json: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(faults) => {
            eprintln!("portolan-peers: {faults} kinds of wrong answers, see FAULT above");
            ExitCode::FAILURE
        }
        Err(problem) => {
            eprintln!("portolan-peers: {problem}");
            ExitCode::from(2)
        }
    }
}

/// Measures everything, prints as it goes and returns the number of faults.
fn run(args: &Args) -> Result<usize, String> {
    let random = Random {
        count: args.random as usize,
        seed: args.seed,
        always: args.no_files,
    };
    let rounds = Rounds {
        count: args.rounds,
        order: if args.by_peer {
            Order::ByPeer
        } else {
            Order::ByQuery
        },
    };
    let mut report = Report {
        rounds: args.rounds,
        interleaved_by: if args.by_peer { "peer" } else { "query" },
        cpu_clock_us: measure::cpu_clock_micros(),
        maps: Vec::new(),
        bakes: Vec::new(),
    };
    print!("{}", report.legend());
    for source in input::sources(&args.maps)? {
        let map = source.open(&random)?;
        let figures = compare::map(&map, rounds);
        print!("{}", figures.table());
        // A map can take minutes: show it at once, also through a pipe.
        let _ = std::io::stdout().flush();
        report.maps.push(figures);
        if let Map {
            name,
            level: Some(level),
            ..
        } = &map
            && !args.no_bakes
        {
            report.bakes.push(bake(name, level)?);
        }
    }
    print!("{}", report::bake_table(&report.bakes));
    if let Some(file) = &args.json {
        portolan_io::save(file, |out| {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)
        })
        .map_err(|error| error.to_string())?;
    }
    Ok(report.faults())
}

fn bake(name: &str, level: &Level) -> Result<BakeFigures, String> {
    let mut notes = Vec::new();
    let recast = recast::bake(&level.triangles, &level.options)
        .map_err(|problem| notes.push(format!("without Recast: {problem}")))
        .ok();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let at = |problem| format!("{name}: {problem}");
    let (ours_ms, ours_polygons) = input::bake_ours(level, 1).map_err(at)?;
    let (ours_all_threads_ms, _) = input::bake_ours(level, threads).map_err(at)?;
    Ok(BakeFigures {
        level: name.to_owned(),
        triangles: level.triangles.triangles.len(),
        recast_ms: recast.map(|bake| bake.ms),
        recast_polygons: recast.map(|bake| bake.polygons),
        ours_ms,
        ours_all_threads_ms,
        ours_polygons,
        notes,
    })
}
