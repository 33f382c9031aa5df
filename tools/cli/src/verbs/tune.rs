//! `portolan tune`: the merge factor and levels that suit a world, by measurement.

use glam::Vec3;
use indicatif::ProgressBar;
use portolan_core::{Connect, Engine, Level, Profile, World};
use portolan_index::{HierarchyOptions, IndexOptions, PartitionOptions};
use portolan_measure::{allowed_queries, median, same_cost};
use serde::Serialize;

use super::index::{default_options, make};
use super::levels::MemoryParts;
use super::{check_outputs, ending};
use crate::args::{Common, TuneArgs};
use crate::measure::{Contender, Run};
use crate::outcome::{Answer, Failure};
use crate::table::Table;
use crate::terminal::{count, progress, say, spinner};

/// A setting that is this much slower than the fastest counts as being as fast: times differ by as
/// much from run to run.
const AS_FAST: f64 = 1.05;

/// What the JSON holds.
#[derive(Serialize)]
struct Tuning {
    world: String,
    polygons: usize,
    portals: usize,
    queries: usize,
    rounds: u32,
    threads: usize,
    settings: Vec<Setting>,
    best: Option<Best>,
}

/// An index, measured: `levels` levels of merge factor `mu`.
#[derive(Clone, Serialize)]
struct Setting {
    mu: u32,
    levels: u8,
    /// Of the highest level.
    nodes: usize,
    build_ms: f64,
    /// Of the whole index in memory, without navmesh and graph.
    bytes: usize,
    bytes_per_polygon: f64,
    astar_search_us: f64,
    engines: Vec<EngineSetting>,
}

/// An engine at the highest level of an index.
#[derive(Clone, Serialize)]
struct EngineSetting {
    engine: String,
    is_exact: bool,
    /// Over the queries.
    median_search_us: f64,
    /// Over A* in the same rounds.
    speedup: f64,
    cost_mismatches: Option<usize>,
    /// Of the graph and what this engine needs of the index.
    bytes: usize,
}

#[derive(Serialize)]
struct Best {
    mu: u32,
    levels: u8,
    engine: String,
    why: String,
}

pub(crate) fn run(args: &TuneArgs, common: &Common) -> Result<Answer, Failure> {
    if let Some(output) = args.output.as_deref().filter(|file| ending(file) != "pidx") {
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
                // What is compared does not depend on them.
                tiers: Vec::new(),
                ..options(mu, levels, &profile)
            };
            // One bar is enough.
            let quiet = Common {
                quiet: true,
                threads: common.threads,
            };
            let world = make(world.mesh().clone(), options, &args.world, &quiet)?;
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
            "portolan: {mismatches} costs differ from Dijkstra's: this is a bug, please report it"
        );
        return Ok(Answer::No);
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
        return Ok(Answer::No);
    };
    if let Some(output) = &args.output {
        let options = options(best.mu, best.levels.into(), &profile);
        let index = make(world.into_mesh(), options, &args.world, common)?;
        portolan_files::save_index(output, &index)?;
        if !common.quiet {
            say!("written: {}", output.display());
        }
    }
    Ok(Answer::Yes)
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

/// Measures the engines at the highest level of an index, in turn with A*.
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
    let contenders = engines.map(|engine| Contender {
        name: engine.to_string(),
        engine,
    });
    let run = Run {
        world,
        costs: world.default_costs(),
        snap: portolan_core::DEFAULT_SNAP,
        contenders: &contenders,
        rounds: args.rounds,
        threads: common.threads.unwrap_or(1).into(),
        progress: ProgressBar::hidden(),
    };
    let rows = run
        .ask(queries)
        .map_err(|error| Failure::new(error.to_string()))?;
    let median = |i: usize| median(rows.iter().map(|row| row.answers[i].micros.search));
    let astar = median(0);
    let engines = contenders.iter().enumerate().skip(1).map(|(i, contender)| {
        let wrong = || {
            let wrong = rows
                .iter()
                .filter(|row| !same_cost(row.answers[i].cost, row.optimum));
            wrong.count()
        };
        EngineSetting {
            engine: contender.name.clone(),
            is_exact: contender.engine.is_exact(),
            median_search_us: median(i),
            speedup: astar / median(i),
            cost_mismatches: contender.engine.is_exact().then(wrong),
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
    /// The fastest engine that is exact.
    fn fastest(&self) -> Option<&EngineSetting> {
        let exact = self.engines.iter().filter(|engine| engine.is_exact);
        exact.min_by(|a, b| a.median_search_us.total_cmp(&b.median_search_us))
    }

    fn micros(&self) -> f64 {
        self.fastest()
            .map_or(f64::INFINITY, |engine| engine.median_search_us)
    }

    /// Its time over that of A*, in turn with which it was measured: from one setting to the next the
    /// machine may have become slower for all.
    fn share_of_astar(&self) -> f64 {
        self.micros() / self.astar_search_us
    }
}

impl Tuning {
    fn mismatches(&self) -> usize {
        let engines = self.settings.iter().flat_map(|setting| &setting.engines);
        engines.filter_map(|engine| engine.cost_mismatches).sum()
    }

    /// The smallest index of those that are as fast as the fastest.
    fn best(&self) -> Option<Best> {
        let fastest = self
            .settings
            .iter()
            .min_by(|a, b| a.share_of_astar().total_cmp(&b.share_of_astar()))?;
        let most = fastest.share_of_astar() * AS_FAST;
        let as_fast = |setting: &&Setting| setting.share_of_astar() <= most;
        let best = self.settings.iter().filter(as_fast);
        let best = best.min_by_key(|setting| setting.bytes)?;
        let engine = best.fastest()?;
        let mut why = format!(
            "{} takes {:.1} µs where astar takes {:.1} ({:.1} times faster), with {:.0} bytes a polygon",
            engine.engine,
            engine.median_search_us,
            best.astar_search_us,
            engine.speedup,
            best.bytes_per_polygon
        );
        if (best.mu, best.levels) != (fastest.mu, fastest.levels) {
            why += &format!(
                "; the fastest, mu {} with {}, is {:.1} times faster and takes {:.0}",
                fastest.mu,
                count(fastest.levels.into(), "level"),
                1.0 / fastest.share_of_astar(),
                fastest.bytes_per_polygon
            );
        }
        Some(Best {
            mu: best.mu,
            levels: best.levels,
            engine: engine.engine.clone(),
            why,
        })
    }

    fn print(&self) {
        say!(
            "{}: {}, {}; {} queries, median of {}, {}; median µs of a search, and how many times faster than astar",
            self.world,
            count(self.polygons, "polygon"),
            count(self.portals, "portal"),
            self.queries,
            count(self.rounds as usize, "round"),
            count(self.threads, "thread"),
        );
        let mut table = Table::new(&[
            "mu",
            "levels",
            "nodes",
            "build ms",
            "bytes a polygon",
            "astar",
            "hna dijkstra",
            "x",
            "hna table",
            "x",
            "pccp",
            "x",
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
            None => say!("no setting makes a level: the world is too small for these --mu"),
        }
    }
}
