//! `portolan path`: finds one path.

use glam::Vec3;
use portolan_core::{
    Change, Costs, DEFAULT_GROUND_TOLERANCE, Engine, Level, Limits, LiveOptions, LiveWorld,
    Obstacle, ObstacleId, Path, Query, Scratch, Status, Tier, World,
};
use portolan_draw::svg::{self, DrawnEndpoint, DrawnLevel, DrawnPath, Trace};
use portolan_measure::timed_query;
use serde_json::{Value, json};

use super::{check_costs, check_engine, check_outputs, engine, extension, open_costs, open_world};
use crate::args::{Common, PathArgs};
use crate::measure::{NamedEngine, QueryMicros, StepMicros, timed_steps};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{HEADING, count, say, styled};

pub(crate) fn run(args: &PathArgs, common: &Common) -> Result<ExitKind, Failure> {
    let engine = engine(&args.engine)?;
    if let Some(svg) = args
        .svg
        .as_deref()
        .filter(|svg| is_plain(svg) && extension(svg) != "svg")
    {
        return Err(Failure::new(format!(
            "{}: --svg writes .svg",
            svg.display()
        )));
    }
    check_outputs(&[&args.world], &[args.svg.as_deref()])?;
    let world = open_world(&args.world, args.trust, common)?;
    let world = with_changed_ground(world, args)?;
    check_engine(&world, engine, &args.world)?;
    let nodes = shown_nodes(args, &world)?;
    let costs = open_costs(&world, args.profile.as_deref(), &[engine], common)?;
    let file = args.profile.as_deref().unwrap_or(&args.world);
    check_costs(&world, &costs, engine, file)?;
    let query = Query {
        snap: args.snap,
        costs: Some(&costs),
        engine,
        limits: Limits {
            max_cost: args.max_cost.unwrap_or(f32::INFINITY),
            partial: args.partial,
        },
        ground_tolerance: DEFAULT_GROUND_TOLERANCE,
        ..Query::new(args.from, args.to)
    };
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    // The first query only warms up: it allocates memory.
    let located = world.locate(&query).expect("the world supports the engine");
    let searched = located.search(&mut scratch);
    let tier = searched.tier();
    searched.waypoints(&mut path);
    let named = NamedEngine::new(&world, &costs, args.engine.clone(), engine);
    let steps = named.has_steps();
    let steps = steps.then(|| timed_steps(&world, &query, &mut scratch));
    let timed = timed_query(&world, &query, &mut scratch, &mut path);
    let timed = timed.expect("the world supports the engine");
    let (status, micros) = (timed.status, QueryMicros::from(timed.times));

    if let Some(file) = &args.svg {
        let trace = args.show_search.then(|| Trace::new(&world, &query));
        let trace = trace.transpose().expect("the world supports the engine");
        let is_open = |polygon| costs.prices().allows(world.mesh(), polygon);
        let end = |point| DrawnEndpoint::locate(world.mesh(), point, args.snap, is_open);
        let shown = DrawnPath {
            path: Some(&path),
            endpoints: Some([args.from, args.to].map(end)),
            discs: &args.disc,
        };
        portolan_files::save(file, |file| match (&nodes, &trace) {
            (Some(nodes), _) => svg::write_nodes(&world, &shown, nodes, file),
            (_, Some(trace)) => svg::write_search(&world, &shown, trace, file),
            _ => svg::write(world.mesh(), &shown, file),
        })?;
    }
    let answer = PathAnswer { status, path, tier };
    if args.json {
        print_json(args, &world, &answer, times(micros, steps));
    } else {
        let shows_tier = matches!(engine, Engine::Auto(_)) && status.has_path();
        let shown_tier = match shows_tier {
            true => format!(", tier {tier}"),
            false => String::new(),
        };
        let engine = &args.engine;
        say!(
            "{}  engine {engine}{shown_tier}",
            styled(HEADING, status.name())
        );
        match status.has_path() {
            true => print_path(&world, &answer, micros, steps),
            false => say!("{}", reason(args, &world, &costs, status)),
        }
        if let Some(svg) = &args.svg {
            say!("picture: {}", svg.display());
        }
    }
    Ok(if status.has_path() {
        ExitKind::Success
    } else {
        ExitKind::Negative
    })
}

/// The height of the discs of `--disc`. [Units: m]
const DISC_HEIGHT: f32 = 2.0;

/// Closes the polygons at the points of `--block`, puts the discs of `--disc` on the ground, and settles the world.
fn with_changed_ground(world: World, args: &PathArgs) -> Result<World, Failure> {
    if args.block.is_empty() && args.disc.is_empty() {
        return Ok(world);
    }
    let close = |&point: &Vec3| {
        let place = world.mesh().locate(point, args.snap, |_| true);
        let place = place.ok_or_else(|| {
            let Vec3 { x, y, z } = point;
            Failure::new(format!(
                "--block {x},{y},{z}: there is no ground within --snap of this point"
            ))
        })?;
        Ok(Change::Block(place.polygon))
    };
    let place = |(&[x, y, z, radius], id): (&[f32; 4], u64)| {
        let disc = Obstacle::disc([x, y, z], radius, DISC_HEIGHT);
        Change::Place(ObstacleId(id), disc)
    };
    let mut changes: Vec<Change> = args
        .block
        .iter()
        .map(close)
        .collect::<Result<_, Failure>>()?;
    changes.extend(args.disc.iter().zip(0..).map(place));
    let options = LiveOptions {
        background: false,
        ..LiveOptions::default()
    };
    let live = LiveWorld::with_options(world, options);
    live.update(&changes)
        .map_err(|error| Failure::new(error.to_string()))?;
    live.settle();
    Ok(live.snapshot().world().clone())
}

/// The answer to the query.
struct PathAnswer {
    status: Status,
    path: Path,
    /// The tier that the path was found at.
    tier: Tier,
}

/// Returns the level to draw, if the user selected one. Fails if the hierarchy does not have it.
fn shown_nodes(args: &PathArgs, world: &World) -> Result<Option<DrawnLevel>, Failure> {
    let Some(level) = args.level.map(Level) else {
        return Ok(None);
    };
    let top = world
        .hierarchy()
        .map_or(Level(0), |hierarchy| hierarchy.top());
    if level > top {
        return Err(Failure::new(format!(
            "{}: --level {level}: there is no such level; {}",
            args.world.display(),
            match world.hierarchy() {
                Some(_) => format!("the highest level is {top}"),
                None => "this file has no hierarchy: run `portolan index --engines hna`".to_owned(),
            }
        )));
    }
    Ok(Some(DrawnLevel {
        level,
        all_intra_edges: args.all_intra_edges,
    }))
}

/// Returns the times in microseconds by stage, and those of the steps of the search if it has any.
fn times(micros: QueryMicros, steps: Option<StepMicros>) -> Value {
    let mut times = json!({
        "locate": micros.locate,
        "search": micros.search,
        "waypoints": micros.waypoints,
        "total": micros.total(),
    });
    if let Some(steps) = steps {
        times["nodes"] = json!(steps.nodes);
        times["connect"] = json!(steps.connect);
        times["overlay"] = json!(steps.overlay);
        times["extract"] = json!(steps.extract);
    }
    times
}

fn print_json(args: &PathArgs, world: &World, answer: &PathAnswer, micros: Value) {
    let PathAnswer { status, path, tier } = answer;
    let polygons: Vec<u64> = path.corridor.user_ids(world.mesh()).collect();
    let waypoints: Vec<[f32; 3]> = path.waypoints.iter().map(|p| p.to_array()).collect();
    let links = path.links.iter().map(
        |leg| json!({ "waypoint": leg.waypoint, "link": world.mesh().link(leg.link).user_id }),
    );
    let has_path = status.has_path();
    let all = json!({
        "status": status.name(),
        "length": has_path.then(|| path.length()),
        "length_xz": has_path.then(|| path.length_xz()),
        "cost": has_path.then_some(path.cost),
        "polygons": polygons,
        "waypoints": waypoints,
        "links": links.collect::<Vec<_>>(),
        "engine": args.engine,
        "tier": has_path.then(|| tier.name()),
        "micros": micros,
    });
    say!("{all:#}");
}

/// Returns whether the file is or would be a plain file, and not a pipe or a device.
fn is_plain(file: &std::path::Path) -> bool {
    !file.exists() || file.is_file()
}

fn print_path(world: &World, answer: &PathAnswer, micros: QueryMicros, steps: Option<StepMicros>) {
    let PathAnswer { path, tier, .. } = answer;
    let cost = match tier {
        Tier::Exact => "cost",
        _ => "cost on the graph",
    };
    say!(
        "length {:.3} m, {:.3} m in plan; {cost} {:.3}",
        path.length(),
        path.length_xz(),
        path.cost
    );
    say!(
        "{}, {}:",
        count(path.corridor.polygons.len(), "polygon"),
        count(path.waypoints.len(), "waypoint")
    );
    for (i, waypoint) in path.waypoints.iter().enumerate() {
        let leg = path.links.iter().find(|leg| leg.waypoint as usize == i);
        let link = leg.map_or_else(String::new, |leg| {
            format!("  then by link {} to", world.mesh().link(leg.link).user_id)
        });
        say!(
            "  {:.3}, {:.3}, {:.3}{link}",
            waypoint.x,
            waypoint.y,
            waypoint.z
        );
    }
    say!(
        "{:.1} µs: locate {:.1}, search {:.1}, waypoints {:.1}",
        micros.total(),
        micros.locate,
        micros.search,
        micros.waypoints
    );
    if let Some(steps) = steps {
        say!(
            "   steps of the search, timed separately: nodes {:.1}, connect {:.1}, overlay {:.1}, extract {:.1}",
            steps.nodes,
            steps.connect,
            steps.overlay,
            steps.extract
        );
    }
}

/// Explains why there is no path, and what to try.
fn reason(args: &PathArgs, world: &World, costs: &Costs, status: Status) -> String {
    let snap = args.snap;
    let within = format!("within {},{},{} m", snap.x, snap.y, snap.z);
    let closed = |endpoint: &str, remedy: &str| {
        format!(
            "the profile closes all ground {within} of the {endpoint}: {remedy}, or change the profile"
        )
    };
    let (endpoint, option, point) = match status {
        Status::StartOffMesh => ("start", "--from", args.from),
        Status::GoalOffMesh => ("goal", "--to", args.to),
        Status::StartClosed => return closed("start", "move --from"),
        Status::GoalClosed => return closed("goal", "move --to, use --partial"),
        _ if args.max_cost.is_some() => {
            return "the goal cannot be reached at this cost; raise --max-cost, or use --partial"
                .to_owned();
        }
        _ => {
            return "the goal cannot be reached from the start; --partial finds a path to the nearest reachable point"
                .to_owned();
        }
    };
    let mesh = world.mesh();
    let open = |polygon| costs.prices().allows(mesh, polygon);
    let nearest = match mesh.locate(point, Vec3::splat(1000.0), open) {
        None => "there is no open ground within 1000 m".to_owned(),
        Some(location) => {
            let (p, distance) = (location.point, location.point.distance(point));
            format!(
                "the nearest ground is {distance:.2} m away, at {:.2},{:.2},{:.2}",
                p.x, p.y, p.z
            )
        }
    };
    format!(
        "the {endpoint} is off the mesh: there is no polygon {within} of it; {nearest} (move {option}, or increase --snap)"
    )
}
