//! `portolan terrain run`: lets runners walk over terrain.

use std::fmt::Write as _;
use std::path::Path;

use portolan_draw::picture::{Colour, LegendItem, Picture, colour_of};
use portolan_draw::terrain::{GOAL, START};
use portolan_terrain::{
    RunnerKind, RunnerOptions, RunnerStatus, Runners, Terrain, TerrainEngine, TerrainPath,
    TerrainQuery, TerrainScratch,
};

use super::{open_at, triangles_at};
use crate::args::{Common, RunArgs};
use crate::outcome::{ExitKind, Failure};
use crate::table::TextTable;
use crate::terminal::{count, progress, say};

pub(super) fn run(args: &RunArgs, common: &Common) -> Result<ExitKind, Failure> {
    let terrain = open_at(&args.terrain, args.iteration, common)?;
    let main = match args.from.zip(args.to) {
        Some((from, to)) => Some(triangles_at(terrain.web(), [from, to])?),
        None => None,
    };
    let options = RunnerOptions {
        kind: args.kind,
        movement: args.movement,
        arrival: args.arrival,
        pause: args.pause,
        pause_steps: args.pause_steps,
        main,
        layer: args.layer,
        chain: args.chain as usize,
        crowd: args.crowd,
        seed: args.seed,
    };
    let runners = Runners::new(&terrain, args.runners as usize, options);
    let mut runners = runners.map_err(|error| match main {
        None if args.arrival.name() == "follow" => {
            Failure::new("--arrival follow needs the main path: --from and --to")
        }
        _ => Failure::new(error.to_string()),
    })?;
    std::fs::create_dir_all(&args.output).map_err(|error| {
        let folder = args.output.display();
        Failure::new(format!("{folder}: cannot be created: {error}"))
    })?;
    let every = args.every.unwrap_or(args.steps.div_ceil(10));
    let digits = args.steps.to_string().len();
    let relief = (every > 0).then(|| Picture::relief(terrain.web(), args.size as usize));
    let draw = |runners: &Runners| -> Result<(), Failure> {
        let step = runners.ticks();
        match &relief {
            Some(relief) if step.is_multiple_of(every) => {
                let name = format!("step-{step:0digits$}.png");
                let picture = picture(relief, &terrain, runners);
                Ok(picture.save(&args.output.join(name))?)
            }
            _ => Ok(()),
        }
    };
    let mut rows = "step,runner,triangle,mesh,x,y,z,goal,status\n".to_owned();
    let mut scratch = TerrainScratch::new();
    let bar = progress(common, "running", u64::from(args.steps));
    add_rows(&mut rows, &terrain, &runners);
    draw(&runners)?;
    for _ in 0..args.steps {
        runners.tick(&terrain, &mut scratch);
        add_rows(&mut rows, &terrain, &runners);
        draw(&runners)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    save(&args.output.join("runners.csv"), &rows)?;
    let (trips, mean_ratio) = trips(&terrain, &runners);
    save(&args.output.join("trips.csv"), &trips)?;
    if !common.quiet {
        print(args, &runners, mean_ratio);
    }
    Ok(ExitKind::Success)
}

fn save(file: &Path, text: &str) -> Result<(), Failure> {
    Ok(portolan_files::save(file, |out| {
        out.write_all(text.as_bytes())
    })?)
}

/// Adds one row per runner. Before the first step, the status is that of a runner that walks.
fn add_rows(rows: &mut String, terrain: &Terrain, runners: &Runners) {
    for (index, runner) in runners.runners().iter().enumerate() {
        let centre = terrain.web().centroid(runner.triangle());
        let goal = runner.goal().map(|goal| goal.to_string());
        let row = writeln!(
            rows,
            "{},{index},{},{},{},{},{},{},{}",
            runners.ticks(),
            runner.triangle(),
            runner.mesh(),
            centre.x,
            centre.y,
            centre.z,
            goal.unwrap_or_default(),
            runner.status().name()
        );
        row.expect("writing to a string cannot fail");
    }
}

/// Returns the rows of all trips, and the mean ratio of their costs to those of the cheapest paths.
fn trips(terrain: &Terrain, runners: &Runners) -> (String, Option<f64>) {
    let mut rows = "runner,step,from,to,triangles,cost,cheapest\n".to_owned();
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let mut ratios = Vec::new();
    for trip in runners.trips() {
        let query = TerrainQuery {
            engine: TerrainEngine::AStar,
            ..TerrainQuery::new(trip.from, trip.to)
        };
        // A runner has just walked there, so there is a path.
        let is_found = terrain.find_path(&query, &mut scratch, &mut path).is_ok();
        let cheapest = if is_found { path.cost } else { f64::NAN };
        if cheapest > 0.0 {
            ratios.push(trip.cost / cheapest);
        }
        let row = writeln!(
            rows,
            "{},{},{},{},{},{},{cheapest}",
            trip.runner, trip.tick, trip.from, trip.to, trip.triangles, trip.cost
        );
        row.expect("writing to a string cannot fail");
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    (rows, (!ratios.is_empty()).then_some(mean))
}

fn runner_colour(index: usize) -> Colour {
    colour_of(index as u32)
}

/// Draws each runner with the meshes that it shows, in its own colour.
fn picture(relief: &Picture, terrain: &Terrain, runners: &Runners) -> Picture {
    let (web, meshes) = (terrain.web(), terrain.meshes());
    let mut picture = relief.clone();
    for (index, runner) in runners.runners().iter().enumerate() {
        let shown = runners.shown(meshes, runner);
        // Larger meshes first and more transparent, so that the smaller ones are visible in them.
        for (above, &mesh) in shown.iter().enumerate().rev() {
            let lows = meshes.low_range(mesh);
            let opacity = if above == 0 { 0.9 } else { 0.45 };
            picture.overlay(opacity, |triangle| {
                lows.contains(&meshes.low(triangle))
                    .then(|| runner_colour(index))
            });
        }
    }
    for (index, runner) in runners.runners().iter().enumerate() {
        if runners.options().kind != RunnerKind::Mesh {
            picture.draw_dot(web.centroid(runner.triangle()), runner_colour(index));
        }
    }
    let tick = runners.ticks();
    let mut legend = vec![LegendItem::Text(format!("step {tick}"))];
    let all = count(runners.runners().len(), "runner");
    legend.push(LegendItem::Dot(runner_colour(0), all));
    if let Some(ends) = runners.options().main {
        for (end, colour, what) in [(ends[0], START, "start"), (ends[1], GOAL, "goal")] {
            picture.draw_dot(web.centroid(end), colour);
            legend.push(LegendItem::Dot(colour, what.to_owned()));
        }
    }
    legend.push(LegendItem::Text(format!("{} trips", runners.trips().len())));
    picture.add_legend(&legend);
    picture
}

fn print(args: &RunArgs, runners: &Runners, mean_ratio: Option<f64>) {
    let of = |status: RunnerStatus| {
        let all = runners.runners().iter();
        all.filter(|runner| runner.status() == status).count()
    };
    let mut table = TextTable::new(&["runners", "steps", "trips", "price / cheapest", "stuck"]);
    table.row(vec![
        args.runners.to_string(),
        args.steps.to_string(),
        runners.trips().len().to_string(),
        mean_ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.3}")),
        of(RunnerStatus::Stuck).to_string(),
    ]);
    table.print();
    say!("written to {}", args.output.display());
}
