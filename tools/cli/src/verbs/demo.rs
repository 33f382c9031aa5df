//! `portolan` without a verb: the whole job on a built-in level.

use std::path::Path;
use std::time::Instant;

use portolan_bake::BakeOptions;
use portolan_core::{AreaRules, Profile, Query, Scratch, UnknownEngine};
use portolan_draw::svg::DrawnPath;
use portolan_measure::allowed_queries;
use portolan_scenes::{LevelScene, SceneOptions};

use super::bake::{bake, work};
use super::bench::{Builds, figures};
use super::index::{default_options, make};
use super::info::summary;
use super::levels::print_levels;
use super::tiers::print_tiers;
use crate::args::Common;
use crate::measure::{Contender, Run};
use crate::outcome::{Answer, Failure};
use crate::terminal::{HEADING, progress, say, styled};

const ROUNDS: u32 = 3;
/// The reference, the hierarchy as published and as it can be, the tiers of the default engine, and what
/// all that are exact are checked with.
const ENGINES: [&str; 7] = [
    "astar",
    "hna:1:astar",
    "hna",
    "pccp",
    "contraction:fast",
    "contraction",
    "dijkstra",
];
const PICTURE: &str = "portolan-demo.svg";

pub(crate) fn run(common: &Common) -> Result<Answer, Failure> {
    super::check_outputs(&[], &[Some(Path::new(PICTURE))])?;
    let heading = |text: &str| {
        if !common.quiet {
            say!("{}", styled(HEADING, text));
        }
    };
    heading("1. A level: a city on islands, joined by bridges");
    let triangles = LevelScene::CityIslands.build(&SceneOptions::default());
    heading("\n2. Its navmesh");
    let start = Instant::now();
    let (rules, options) = (AreaRules::default(), BakeOptions::default());
    let (baked, mesh) = bake(&triangles, &rules, &options, Path::new("the city"), common)?;
    let seconds = start.elapsed().as_secs_f64();
    if !common.quiet {
        say!("{}", summary(&mesh));
        say!("{}", work(&triangles, &baked, seconds));
    }
    heading(
        "\n3. Its index: a hierarchy with connecting paths calculated beforehand, and a contraction at two tiers",
    );
    let world = make(mesh, default_options(), Path::new("the city"), common)?;
    let builds = Builds::of(&world, None);
    if !common.quiet {
        print_levels(&world);
        print_tiers(&world, world.report().times.as_ref());
    }
    heading("\n4. Engines on the same 1000 random queries");

    let contender = |name: &&str| {
        Ok(Contender {
            name: (*name).to_owned(),
            engine: name.parse()?,
        })
    };
    let contenders: Result<Vec<_>, UnknownEngine> = ENGINES.iter().map(contender).collect();
    let contenders = contenders.map_err(|error| Failure::new(error.to_string()))?;
    let costs = world.costs(&Profile::default());
    let queries = allowed_queries(world.mesh(), world.default_costs(), 1000, 1);
    let mut run = Run {
        world: &world,
        costs: &costs,
        snap: portolan_core::DEFAULT_SNAP,
        contenders: &contenders,
        rounds: ROUNDS,
        threads: common.threads.unwrap_or(1).into(),
        progress: indicatif::ProgressBar::hidden(),
    };
    run.progress = progress(common, "queries", run.steps(queries.len()));
    let rows = run
        .ask(&queries)
        .map_err(|error| Failure::new(error.to_string()))?;
    run.progress.finish_and_clear();
    if !common.quiet {
        figures("city-islands".to_owned(), &run, &rows, &builds).print();
    }

    // The longest of the queries makes the best picture.
    let length = |i: &usize| rows[*i].answers[0].length_xz;
    let longest = (0..rows.len())
        .max_by(|a, b| length(a).total_cmp(&length(b)))
        .unwrap_or(0);
    let [from, to] = queries[longest];
    let mut path = portolan_core::Path::default();
    world
        .find_path(&Query::new(from, to), &mut Scratch::new(), &mut path)
        .expect("an engine of this world");
    portolan_files::save(Path::new(PICTURE), |file| {
        portolan_draw::svg::write(world.mesh(), &DrawnPath::path(&path), file)
    })?;
    if !common.quiet {
        heading("\n5. A picture of the longest of these paths");
        say!(
            "{PICTURE}: {:.0} m through {} polygons, {} waypoints",
            path.length(),
            path.corridor.polygons.len(),
            path.waypoints.len()
        );
        heading("\nWhat to try next");
        say!("portolan scene --list                   other places");
        say!("portolan bake LEVEL.obj -o LEVEL.pnav   your own level: .obj, .gltf or .glb");
        say!("portolan index LEVEL.pnav -o LEVEL.pidx its index; then bench it");
        say!("portolan --help                         everything");
    }
    Ok(Answer::Yes)
}
