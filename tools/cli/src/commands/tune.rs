//! `portolan tune`: finds the best merge factor and number of levels for a navmesh by measurement.

use glam::Vec3;
use indicatif::ProgressBar;
use portolan_core::{Connect, Engine, Level, Profile, World};
use portolan_index::{HierarchyOptions, IndexOptions, PartitionOptions};
use portolan_measure::{allowed_queries, median, same_cost};
use serde::Serialize;

use super::index::{build_world, default_options};
use super::levels::MemoryParts;
use super::{check_outputs, extension};
use crate::args::{Common, TuneArgs};
use crate::measure::{EngineMeasurement, NamedEngine};
use crate::outcome::{ExitKind, Failure};
use crate::table::TextTable;
use crate::terminal::{count, progress, say, spinner};

/// A setting counts as equally fast as the fastest if it takes up to this many times as long. Times differ by
/// as much from run to run.
const EQUALLY_FAST: f64 = 1.05;

/// The results, as the JSON has them.
#[derive(Serialize)]
struct Tuning {
    world: String,
    polygons: usize,
    portals: usize,
    queries: usize,
    rounds: u32,
    threads: usize,
    settings: Vec<Setting>,
    best: Option<BestSetting>,
}

/// The measurement of an index with `levels` levels of merge factor `mu`.
#[derive(Clone, Serialize)]
struct Setting {
    mu: u32,
    levels: u8,
    /// The number of nodes of the highest level.
    nodes: usize,
    build_ms: f64,
    /// The size of the hierarchy in memory, without navmesh and graph.
    bytes: usize,
    bytes_per_polygon: f64,
    astar_search_us: f64,
    engines: Vec<EngineSetting>,
}

/// The measurement of an engine at the highest level of an index.
#[derive(Clone, Serialize)]
struct EngineSetting {
    engine: String,
    is_exact: bool,
    /// The median over the queries.
    median_search_us: f64,
    /// How many times faster than A* the engine is in the same rounds.
    speedup: f64,
    /// `None` if the engine is not exact.
    cost_mismatches: Option<usize>,
    /// The size of the graph and of the parts of the index that this engine needs.
    bytes: usize,
}

/// The recommended setting.
#[derive(Serialize)]
struct BestSetting {
    mu: u32,
    levels: u8,
    engine: String,
    why: String,
}

pub(crate) fn run(args: &TuneArgs, common: &Common) -> Result<ExitKind, Failure> {
    if let Some(output) = args
        .output
        .as_deref()
        .filter(|file| extension(file) != "pidx")
    {
        return Err(Failure::new(format!(
            "{}: tune writes .pidx",
            output.display()
        )));
    }
    let mut inputs = vec![args.world.as_path()];
    inputs.extend(args.profile.as_deref());
    check_outputs(&inputs, &[args.output.as_deref(), args.json.as_deref()])?;
    let profile = match &args.profile {
        Some(file) => portolan_formats::open_profile(file)?,
        None => Profile::default(),
    };
    let waiting = spinner(common, "opening");
    let world = World::from_mesh(portolan_files::open_navmesh(&args.world)?);
    waiting.finish_and_clear();
    let queries = allowed_queries(
        world.mesh(),
        world.default_costs(),
        args.random as usize,
        args.seed,
    );

    let mut tuning = Tuning {
        world: file_name(&args.world),
        polygons: world.mesh().polygon_count(),
        portals: world.mesh().portals().len(),
        queries: queries.len(),
        rounds: args.rounds,
        threads: common.threads.unwrap_or(1).into(),
        settings: Vec::new(),
        best: None,
    };
    let cells = args.mu.len() as u64 * u64::from(args.levels);
    let bar = progress(common, "settings", cells);
    for &mu in &args.mu {
        for levels in 1..=args.levels {
            let options = IndexOptions {
                // The measured engines do not use the tiers.
                tiers: Vec::new(),
                ..options(mu, levels, &profile)
            };
            // The bar of the settings is the only one.
            let quiet = Common {
                quiet: true,
                threads: common.threads,
            };
            let world = build_world(world.mesh().clone(), options, &args.world, &quiet)?;
            let top = world
                .partition()
                .map_or(Level(0), |partition| partition.top());
            if u32::from(top.0) == levels {
                let setting = measure(&world, mu, top, &queries, args, common)?;
                tuning.settings.push(setting);
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let mismatches = tuning.mismatches();
    if mismatches > 0 {
        eprintln!(
            "portolan: {mismatches} costs differ from those of Dijkstra's algorithm; this is a bug, please report it"
        );
        return Ok(ExitKind::Negative);
    }
    tuning.best = tuning.best();
    if let Some(file) = &args.json {
        portolan_files::save(file, |out| {
            serde_json::to_writer_pretty(&mut *out, &tuning)?;
            writeln!(out)
        })?;
    }
    if !common.quiet || args.json.is_none() && args.output.is_none() {
        tuning.print();
    }
    let Some(best) = &tuning.best else {
        return Ok(ExitKind::Negative);
    };
    if let Some(output) = &args.output {
        let options = options(best.mu, best.levels.into(), &profile);
        let index = build_world(world.into_mesh(), options, &args.world, common)?;
        portolan_files::save_index(output, &index)?;
        if !common.quiet {
            say!("index: {}", output.display());
        }
    }
    Ok(ExitKind::Success)
}

fn file_name(file: &std::path::Path) -> String {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn options(mu: u32, levels: u32, profile: &Profile) -> IndexOptions {
    let partition = PartitionOptions {
        merge_factor: mu,
        max_levels: levels,
        ..PartitionOptions::default()
    };
    IndexOptions {
        profile: profile.clone(),
        hierarchy: Some(HierarchyOptions {
            partition,
            ..HierarchyOptions::default()
        }),
        ..default_options()
    }
}

/// Measures the engines at the highest level of an index, alternating with A*.
fn measure(
    world: &World,
    mu: u32,
    top: Level,
    queries: &[[Vec3; 2]],
    args: &TuneArgs,
    common: &Common,
) -> Result<Setting, Failure> {
    let level = Some(top);
    let hna = |connect| Engine::Hna {
        level,
        connect: Some(connect),
    };
    let engines = [
        Engine::AStar,
        hna(Connect::Dijkstra),
        hna(Connect::Table),
        Engine::Pccp { level },
    ];
    let costs = world.default_costs();
    let contenders =
        engines.map(|engine| NamedEngine::new(world, costs, engine.to_string(), engine));
    let run = EngineMeasurement {
        world,
        costs,
        snap: portolan_core::DEFAULT_SNAP,
        contenders: &contenders,
        rounds: args.rounds,
        ground: false,
        threads: common.threads,
        progress: ProgressBar::hidden(),
    };
    let rows = run
        .run(queries)
        .map_err(|error| Failure::new(error.to_string()))?;
    let median = |i: usize| median(rows.iter().map(|row| row.answers[i].micros.search));
    let astar = median(0);
    let engines = contenders.iter().enumerate().skip(1).map(|(i, contender)| {
        let count_mismatches = || {
            let mismatches = rows
                .iter()
                .filter(|row| !same_cost(row.answers[i].cost, row.optimum));
            mismatches.count()
        };
        EngineSetting {
            engine: contender.name.clone(),
            is_exact: contender.engine.is_exact(),
            median_search_us: median(i),
            speedup: astar / median(i),
            cost_mismatches: contender.engine.is_exact().then(count_mismatches),
            bytes: world.engine_bytes(contender.engine),
        }
    });
    let bytes = MemoryParts::of_all(world).total();
    Ok(Setting {
        mu,
        levels: top.0,
        nodes: world
            .hierarchy()
            .map_or(0, |h| h.partition().node_count(top)),
        build_ms: world.report().times.map_or(0.0, |times| times.total()),
        bytes,
        bytes_per_polygon: bytes as f64 / world.mesh().polygon_count() as f64,
        astar_search_us: astar,
        engines: engines.collect(),
    })
}

impl Setting {
    /// Returns the fastest exact engine.
    fn fastest(&self) -> Option<&EngineSetting> {
        let exact = self.engines.iter().filter(|engine| engine.is_exact);
        exact.min_by(|a, b| a.median_search_us.total_cmp(&b.median_search_us))
    }

    fn micros(&self) -> f64 {
        self.fastest()
            .map_or(f64::INFINITY, |engine| engine.median_search_us)
    }

    /// Returns the time of the fastest exact engine as a fraction of the time of A*. Settings are compared by
    /// it, because the machine may have become slower from one setting to the next.
    fn fraction_of_astar(&self) -> f64 {
        self.micros() / self.astar_search_us
    }
}

impl Tuning {
    fn mismatches(&self) -> usize {
        let engines = self.settings.iter().flat_map(|setting| &setting.engines);
        engines.filter_map(|engine| engine.cost_mismatches).sum()
    }

    /// Returns the smallest index of those that are equally fast as the fastest.
    fn best(&self) -> Option<BestSetting> {
        let fastest = self
            .settings
            .iter()
            .min_by(|a, b| a.fraction_of_astar().total_cmp(&b.fraction_of_astar()))?;
        let limit = fastest.fraction_of_astar() * EQUALLY_FAST;
        let is_fast = |setting: &&Setting| setting.fraction_of_astar() <= limit;
        let best = self.settings.iter().filter(is_fast);
        let best = best.min_by_key(|setting| setting.bytes)?;
        let engine = best.fastest()?;
        let mut why = format!(
            "{} takes {:.1} µs and astar {:.1} µs ({:.1} times faster), with {:.0} bytes per polygon",
            engine.engine,
            engine.median_search_us,
            best.astar_search_us,
            engine.speedup,
            best.bytes_per_polygon
        );
        if (best.mu, best.levels) != (fastest.mu, fastest.levels) {
            why += &format!(
                "; the fastest setting, mu {} with {}, is {:.1} times faster than astar, with {:.0} bytes per polygon",
                fastest.mu,
                count(fastest.levels.into(), "level"),
                1.0 / fastest.fraction_of_astar(),
                fastest.bytes_per_polygon
            );
        }
        Some(BestSetting {
            mu: best.mu,
            levels: best.levels,
            engine: engine.engine.clone(),
            why,
        })
    }

    fn print(&self) {
        say!(
            "{}: {}, {}; {} queries, median of {}, {}; median time of a search in µs, and speedup over astar",
            self.world,
            count(self.polygons, "polygon"),
            count(self.portals, "portal"),
            self.queries,
            count(self.rounds as usize, "round"),
            count(self.threads, "thread"),
        );
        let mut table = TextTable::new(&[
            "mu",
            "levels",
            "nodes",
            "build (ms)",
            "bytes per polygon",
            "astar",
            "hna dijkstra",
            "speedup",
            "hna table",
            "speedup",
            "pccp",
            "speedup",
        ]);
        for setting in &self.settings {
            let mut cells = vec![
                setting.mu.to_string(),
                setting.levels.to_string(),
                setting.nodes.to_string(),
                format!("{:.0}", setting.build_ms),
                format!("{:.0}", setting.bytes_per_polygon),
                format!("{:.1}", setting.astar_search_us),
            ];
            for engine in &setting.engines {
                cells.push(format!("{:.1}", engine.median_search_us));
                cells.push(format!("{:.1}", engine.speedup));
            }
            table.row(cells);
        }
        table.print();
        match &self.best {
            Some(best) => say!(
                "best: --mu {} --levels {}: {}",
                best.mu,
                best.levels,
                best.why
            ),
            None => say!(
                "the navmesh is too small for a hierarchy with these merge factors; use a smaller --mu"
            ),
        }
    }
}
