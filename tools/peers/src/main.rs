//! Compares Portolan with other path-finding libraries on the same navmeshes and the same queries.
//!
//! `cargo xtask peers [MAPS...]` builds and runs this program.
#![allow(
    clippy::disallowed_methods,
    reason = "results do not have to be bit-identical here"
)]

mod agents;
mod calls;
mod changes;
mod check;
mod compare;
mod detour;
mod exact_verdict;
mod exactness;
mod fast_paths;
mod input;
mod landmass;
mod measure;
mod peer;
mod polyanya;
mod portolan;
mod processes;
mod recast;
mod report;
mod verdict;
mod walk;
mod welded;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use portolan_measure::{Order, random_queries};

use agents::Problem;
use compare::Rounds;
use input::{LevelInput, Map, RandomQueries};
use report::{BakeFigures, Report};

/// Compares Portolan with other path-finding libraries on the same navmeshes and queries.
///
/// Exits with 1 if an answer is wrong, and with 2 if a file cannot be read or written.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask peers", bin_name = "cargo xtask peers")]
struct Args {
    /// Navmeshes to measure: .pnav files, .obj files with polygons as faces, or folders with .pnav and
    /// .navmesh.obj files. Without any, Portolan's built-in scenes are measured. The queries of a map are read
    /// from NAME.queries.txt, NAME.queries.csv or NAME.csv in the same folder, if one of them exists.
    maps: Vec<PathBuf>,
    /// Adds the three large built-in scenes, on which Polyanya and landmass are slow: tropical, medieval and sirius.
    #[arg(long, conflicts_with = "maps")]
    large: bool,
    /// The number of random queries on a map without a file of queries. Their endpoints lie in the largest
    /// connected component.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    random: u32,
    /// Uses random queries even if there is a file of queries.
    #[arg(long)]
    no_files: bool,
    /// The seed for random queries.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The number of rounds over all queries. The time of a query is the median over the rounds.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// The number of processes that measure a map, one after the other. The reported time of a query is the
    /// median over the processes.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    processes: u32,
    /// Measures the map with this index in this process, and writes the result to stdout for the parent process.
    #[arg(long, hide = true, value_name = "MAP")]
    one_process: Option<usize>,
    /// The number of random pairs of points on vertices and borders, per map. Exact paths between them are compared with
    /// a slow reference search.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    border_pairs: u32,
    /// Compares exact paths with a slow reference search, in addition to `--one-process`.
    #[arg(long, hide = true, requires = "one_process")]
    check_exactness: bool,
    /// Alternates between libraries after every query, so that each runs with caches that the others have filled.
    /// Otherwise a library answers all queries of a round before the next one starts, and has the caches to itself.
    #[arg(long)]
    by_query: bool,
    /// The number of agents that ask for a path at once on all threads, per map. 0 skips this comparison with Detour.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    agents: u32,
    /// Compares agents at once only, without single queries and bakes.
    #[arg(long, conflicts_with_all = ["only_bakes", "json", "figure"])]
    only_agents: bool,
    /// Compares changes of the ground only: a door that closes, and a disc that is put on the ground.
    #[arg(long, conflicts_with_all = ["only_agents", "only_bakes", "figure"])]
    only_changes: bool,
    /// Skips the comparison of changes of the ground.
    #[arg(long, conflicts_with = "only_changes")]
    no_changes: bool,
    /// Skips the comparison of baking times.
    #[arg(long)]
    no_bakes: bool,
    /// Compares baking times only, without any queries.
    #[arg(long, conflicts_with = "no_bakes")]
    only_bakes: bool,
    /// Writes all numbers to this file, as JSON.
    #[arg(long, value_name = "OUT.json")]
    json: Option<PathBuf>,
    /// Draws a chart of query time against excess length into this file, with one panel per map.
    #[arg(long, value_name = "OUT.svg")]
    figure: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(faults) => {
            eprintln!(
                "portolan-peers: {faults} kinds of wrong answers; see the lines that start with FAULT above"
            );
            ExitCode::FAILURE
        }
        Err(problem) => {
            eprintln!("portolan-peers: {problem}");
            ExitCode::from(2)
        }
    }
}

/// Measures all maps, prints the results and returns the number of faults.
fn run(args: &Args) -> Result<usize, String> {
    let random = RandomQueries {
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
        let map = source.open(&random)?;
        let border_pairs = args.check_exactness.then_some(args.border_pairs as usize);
        let measurement = compare::measure_map(&map, rounds, border_pairs);
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
        exact_verdicts: Vec::new(),
        changes: Vec::new(),
        bakes: Vec::new(),
    };
    let compares_queries = !args.only_bakes && !args.only_agents && !args.only_changes;
    let compares_changes = !args.only_bakes && !args.only_agents && !args.no_changes;
    if compares_queries {
        print!("{}", report.legend());
    }
    let mut faults_of_agents = 0;
    for (number, source) in sources.iter().enumerate() {
        // Opening the map here reports a bad file once, before any process is started.
        let map = source.open(&random)?;
        if compares_queries {
            let figures = processes::measure(args.processes, number)
                .map_err(|problem| format!("{}: {problem}", map.name))?;
            print!("{}", figures.table());
            // A map can take minutes, so flush: its table should appear at once, also through a pipe.
            let _ = std::io::stdout().flush();
            report.maps.push(figures);
            match calls::measure(&map.mesh) {
                Ok(figures) => print!("{}", calls::table(&map.name, &figures)),
                Err(problem) => println!(
                    "{}: calls of one frame are not compared: {problem}",
                    map.name
                ),
            }
        }
        if !args.only_bakes && !args.only_changes && args.agents > 0 {
            faults_of_agents += compare_agents(&map, args)?;
        }
        if compares_changes {
            let figures = changes::measure(&map.name, &map.mesh, args.seed)
                .map_err(|problem| format!("{}: {problem}", map.name))?;
            print!("{}", figures.table());
            let _ = std::io::stdout().flush();
            report.changes.push(figures);
        }
        if let Some(level) = &map.level
            && !args.no_bakes
            && !args.only_agents
            && !args.only_changes
        {
            report.bakes.push(bake(&map.name, level)?);
        }
    }
    print!("{}", report::bake_table(&report.bakes));
    report.verdicts = verdict::of_maps(&report.maps);
    print!("{}", verdict::table(&report.verdicts));
    report.exact_verdicts = exact_verdict::of_maps(&report.maps);
    print!("{}", exact_verdict::table(&report.exact_verdicts));
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
    Ok(report.faults() + faults_of_agents)
}

/// Compares many agents at once on a map, prints the table and returns the number of faults.
fn compare_agents(map: &Map, args: &Args) -> Result<usize, String> {
    let queries: Vec<_> = random_queries(&map.mesh, args.seed)
        .take(args.agents as usize)
        .collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    match agents::measure(&map.mesh, &queries, threads) {
        Ok(figures) => {
            print!("{}", figures.table(&map.name));
            let _ = std::io::stdout().flush();
            Ok(figures.faults.len())
        }
        Err(Problem::NoDetour(problem)) => {
            println!("{}: agents at once are not compared: {problem}", map.name);
            Ok(0)
        }
        Err(Problem::NoBatch(problem)) => Err(format!("{}: {problem}", map.name)),
    }
}

fn bake(name: &str, level: &LevelInput) -> Result<BakeFigures, String> {
    let mut notes = Vec::new();
    let recast = recast::bake(&level.triangles, &level.options)
        .map_err(|problem| notes.push(format!("without Recast: {problem}")))
        .ok();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let at = |problem| format!("{name}: {problem}");
    let (portolan_ms, portolan_polygons) = input::bake_with_portolan(level, 1).map_err(at)?;
    let (portolan_all_threads_ms, _) = input::bake_with_portolan(level, threads).map_err(at)?;
    Ok(BakeFigures {
        level: name.to_owned(),
        triangles: level.triangles.triangles.len(),
        recast_ms: recast.map(|bake| bake.ms),
        recast_polygons: recast.map(|bake| bake.polygons),
        portolan_ms,
        portolan_all_threads_ms,
        portolan_polygons,
        notes,
    })
}
