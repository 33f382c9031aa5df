//! `portolan` without a command: a demo of all stages on a built-in level.

use std::path::Path;
use std::time::Instant;

use portolan_bake::BakeOptions;
use portolan_core::{AreaRules, DEFAULT_GROUND_TOLERANCE, Profile, Query, Scratch, UnknownEngine};
use portolan_draw::svg::DrawnPath;
use portolan_measure::allowed_queries;
use portolan_scenes::{LevelScene, SceneOptions};

use super::bake::{bake, work};
use super::bench::{BuildTimings, results};
use super::exact::print_exact;
use super::index::{build_world, default_options};
use super::info::summary;
use super::levels::print_levels;
use super::tiers::print_tiers;
use crate::args::Common;
use crate::measure::{EngineMeasurement, NamedEngine};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{HEADING, progress, say, styled};

const ROUNDS: u32 = 3;
/// The engines that the demo compares: the default engine, A* as the baseline, HNA* as published and with tables,
/// PCCP, the tiers of the contraction, and Dijkstra's algorithm as the reference for costs on the graph.
const ENGINES: [&str; 8] = [
    "auto",
    "astar",
    "hna:1:astar",
    "hna",
    "pccp",
    "contraction:fast",
    "contraction",
    "dijkstra",
];
const PICTURE: &str = "portolan-demo.svg";

pub(crate) fn run(common: &Common) -> Result<ExitKind, Failure> {
    super::check_outputs(&[], &[Some(Path::new(PICTURE))])?;
    let heading = |text: &str| {
        if !common.quiet {
            say!("{}", styled(HEADING, text));
        }
    };
    heading("1. Level: a city on islands, connected by bridges");
    let triangles = LevelScene::CityIslands.build(&SceneOptions::default());
    heading("\n2. Navmesh, baked from the level");
    let start = Instant::now();
    let (rules, options) = (AreaRules::default(), BakeOptions::default());
    let (baked, mesh) = bake(&triangles, &rules, &options, Path::new("the city"), common)?;
    let seconds = start.elapsed().as_secs_f64();
    if !common.quiet {
        say!("{}", summary(&mesh));
        say!("{}", work(&triangles, &baked, seconds));
    }
    heading(
        "\n3. Index: a hierarchy for hna and pccp, a contraction with the tiers fast and default, and the tier exact \
         where it costs no more",
    );
    let world = build_world(mesh, default_options(), Path::new("the city"), common)?;
    let builds = BuildTimings::measure(&world, None);
    if !common.quiet {
        print_levels(&world);
        print_tiers(&world, world.report().times.as_ref());
        print_exact(&world, world.report().times.as_ref());
    }
    heading("\n4. Engines, compared on the same 1000 random queries");

    let costs = world.costs(&Profile::default());
    let contender = |name: &&str| {
        let engine = name.parse()?;
        Ok(NamedEngine::new(&world, &costs, (*name).to_owned(), engine))
    };
    let contenders: Result<Vec<_>, UnknownEngine> = ENGINES.iter().map(contender).collect();
    let contenders = contenders.map_err(|error| Failure::new(error.to_string()))?;
    let queries = allowed_queries(world.mesh(), world.default_costs(), 1000, 1);
    let mut run = EngineMeasurement {
        world: &world,
        costs: &costs,
        snap: portolan_core::DEFAULT_SNAP,
        contenders: &contenders,
        rounds: ROUNDS,
        ground: true,
        threads: common.threads,
        progress: indicatif::ProgressBar::hidden(),
    };
    run.progress = progress(common, "queries", run.steps(queries.len()));
    let rows = run
        .run(&queries)
        .map_err(|error| Failure::new(error.to_string()))?;
    run.progress.finish_and_clear();
    if !common.quiet {
        results("city-islands".to_owned(), &run, &rows, &builds).print();
    }

    // The picture shows the longest path.
    let length = |i: &usize| rows[*i].answers[0].length_xz;
    let longest = (0..rows.len())
        .max_by(|a, b| length(a).total_cmp(&length(b)))
        .unwrap_or(0);
    let [from, to] = queries[longest];
    let mut path = portolan_core::Path::default();
    world
        .find_path(&Query::new(from, to), &mut Scratch::new(), &mut path)
        .expect("the world supports the engine");
    let waypoints = path.on_ground(&world, DEFAULT_GROUND_TOLERANCE).len();
    portolan_files::save(Path::new(PICTURE), |file| {
        portolan_draw::svg::write(world.mesh(), &DrawnPath::path(&path), file)
    })?;
    if !common.quiet {
        heading("\n5. Picture of the longest of these paths");
        say!(
            "{PICTURE}: {:.0} m through {} polygons, {} waypoints",
            path.length(),
            path.corridor.polygons.len(),
            waypoints
        );
        heading("\nWhat to try next");
        say!("portolan scene --list                     list other built-in levels");
        say!("portolan bake LEVEL.obj -o LEVEL.pnav     bake your own level (.obj, .gltf, .glb)");
        say!("portolan index LEVEL.pnav -o LEVEL.pidx   build an index of it");
        say!("portolan bench LEVEL.pidx                 measure queries on it");
        say!("portolan --help                           list all commands");
    }
    Ok(ExitKind::Success)
}
