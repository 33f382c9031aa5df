//! Portolan and others, side by side: the same navmesh, the same queries, the same run.
//!
//! `cargo xtask peers [MAPS...]` builds and runs it.
#![allow(
    clippy::disallowed_methods,
    reason = "what is measured need not be the same to the bit"
)]

mod check;
mod compare;
mod detour;
mod fast_paths;
mod input;
mod landmass;
mod measure;
mod ours;
mod peer;
mod polyanya;
mod processes;
mod recast;
mod report;
mod verdict;
mod walk;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use portolan_measure::Order;

use compare::Rounds;
use input::{Level, Random};
use report::{BakeFigures, Report};

/// Portolan and others on the same navmeshes and queries, side by side.
///
/// Exits with 1 where an answer is wrong, with 2 where something cannot be read.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask peers", bin_name = "cargo xtask peers")]
struct Args {
    /// Navmeshes, .pnav or .obj with polygons as faces, or folders of .pnav and .navmesh.obj; our
    /// own scenes where there are none. NAME.queries.txt, NAME.queries.csv or NAME.csv beside a map
    /// are its queries.
    maps: Vec<PathBuf>,
    /// Our own scenes with the three that take long, tropical, medieval and sirius.
    #[arg(long, conflicts_with = "maps")]
    large: bool,
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
    /// Fresh processes that measure a map one after the other; times are medians of theirs.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    processes: u32,
    /// Measures one map, by its number, in this process and writes that for the one that asked.
    #[arg(long, hide = true, value_name = "MAP")]
    one_process: Option<usize>,
    /// Makes it the next peer's turn after every query, so that each finds the caches full of what the
    /// others need; otherwise a peer answers all queries of a round before the next one begins, as
    /// where one path-finder serves many agents.
    #[arg(long)]
    by_query: bool,
    /// Does not bake.
    #[arg(long)]
    no_bakes: bool,
    /// Writes every number to a file.
    #[arg(long, value_name = "OUT.json")]
    json: Option<PathBuf>,
    /// Draws time over excess, a panel a map.
    #[arg(long, value_name = "OUT.svg")]
    figure: Option<PathBuf>,
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
        order: if args.by_query {
            Order::ByQuery
        } else {
            Order::ByContender { is_warm: true }
        },
    };
    let sources = input::sources(&args.maps, args.large)?;
    if let Some(map) = args.one_process {
        let source = sources.get(map).ok_or("there is no such map")?;
        let measurement = compare::map(&source.open(&random)?, rounds);
        serde_json::to_writer(std::io::stdout(), &measurement).map_err(|e| e.to_string())?;
        return Ok(0);
    }
    let mut report = Report {
        processes: args.processes,
        rounds: args.rounds,
        interleaved_by: if args.by_query { "query" } else { "peer" },
        cpu_clock_us: measure::cpu_clock_micros(),
        maps: Vec::new(),
        verdicts: Vec::new(),
        bakes: Vec::new(),
    };
    print!("{}", report.legend());
    for (number, source) in sources.iter().enumerate() {
        // Whatever is wrong with a file is said here, once.
        let map = source.open(&random)?;
        let figures = processes::measure(args.processes, number)
            .map_err(|problem| format!("{}: {problem}", map.name))?;
        print!("{}", figures.table());
        // A map can take minutes: show it at once, also through a pipe.
        let _ = std::io::stdout().flush();
        report.maps.push(figures);
        if let Some(level) = &map.level
            && !args.no_bakes
        {
            report.bakes.push(bake(&map.name, level)?);
        }
    }
    print!("{}", report::bake_table(&report.bakes));
    report.verdicts = verdict::of_maps(&report.maps);
    print!("{}", verdict::table(&report.verdicts));
    if let Some(file) = &args.json {
        portolan_files::save(file, |out| {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)
        })
        .map_err(|error| error.to_string())?;
    }
    if let Some(file) = &args.figure {
        let svg = report.trade_off_svg();
        portolan_files::save(file, |out| out.write_all(svg.as_bytes()))
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
