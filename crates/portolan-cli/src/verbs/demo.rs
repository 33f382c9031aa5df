//! `portolan` without a verb: the whole job on a built-in world.

use std::path::Path;
use std::time::Instant;

use portolan::worlds::{Scene, WorldOptions};
use portolan::{Engine, Profile, Query, Scratch, World};

use super::bench::{figures, random_queries};
use super::info::summary;
use crate::args::Common;
use crate::measure::{Contender, Run};
use crate::outcome::{Answer, Failure};
use crate::terminal::{HEADING, progress, say, styled};

const ROUNDS: u32 = 3;
const PICTURE: &str = "portolan-demo.svg";

pub(crate) fn run(common: &Common) -> Result<Answer, Failure> {
    let options = WorldOptions {
        polygons: 5_500,
        areas: true,
        ..WorldOptions::default()
    };
    super::check_outputs(&[], &[Some(Path::new(PICTURE))])?;
    let start = Instant::now();
    let raw = Scene::Rooms.build(&options);
    let world = World::build(raw, &Default::default())
        .map_err(|error| Failure::new(format!("the built-in world is broken: {error}")))?;
    let build_ms = start.elapsed().as_secs_f64() * 1e3;
    if !common.quiet {
        say!(
            "{}",
            styled(HEADING, "1. A world: rooms, doors and furniture")
        );
        say!(
            "{}; made and checked in {build_ms:.0} ms\n",
            summary(world.mesh())
        );
        say!(
            "{}",
            styled(HEADING, "2. Every engine on the same random queries")
        );
    }

    let contenders: Vec<Contender> = [Engine::AStar, Engine::Dijkstra]
        .map(|engine| Contender {
            name: engine.to_string(),
            engine,
        })
        .into();
    let costs = world.costs(&Profile::default());
    let queries = random_queries(&world, 300, 1);
    let run = Run {
        world: &world,
        costs: &costs,
        snap: portolan::DEFAULT_SNAP,
        contenders: &contenders,
        rounds: ROUNDS,
        threads: common.threads.unwrap_or(1).into(),
        progress: progress(common, "queries", Run::steps(queries.len(), ROUNDS)),
    };
    let rows = run
        .ask(&queries)
        .map_err(|error| Failure::new(error.to_string()))?;
    run.progress.finish_and_clear();
    if !common.quiet {
        figures("rooms".to_owned(), &run, &rows, build_ms).print();
    }

    // The longest of the queries makes the best picture.
    let length = |i: &usize| rows[*i].answers[0].length_xz;
    let longest = (0..rows.len())
        .max_by(|a, b| length(a).total_cmp(&length(b)))
        .unwrap_or(0);
    let [from, to] = queries[longest];
    let mut path = portolan::Path::default();
    world.find_path(&Query::new(from, to), &mut Scratch::new(), &mut path);
    portolan_io::save(Path::new(PICTURE), |file| {
        portolan_io::svg::write(world.mesh(), Some(&path), file)
    })?;
    if !common.quiet {
        say!(
            "\n{}",
            styled(HEADING, "3. A picture of the longest of these paths")
        );
        say!(
            "{PICTURE}: {:.0} m through {} polygons, {} waypoints",
            path.length(),
            path.corridor.polygons.len(),
            path.waypoints.len()
        );
        say!("\nNext: `portolan --help`, or make a world of your own: `portolan scene --help`");
    }
    Ok(Answer::Yes)
}
