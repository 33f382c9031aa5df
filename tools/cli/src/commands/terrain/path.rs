//! `portolan terrain path`: finds one path on terrain.

use std::time::Instant;

use portolan_draw::picture::Picture;
use portolan_terrain::{
    BaseLengths, Terrain, TerrainPath, TerrainQuery, TerrainScratch, TerrainStatus, TriangleWeb,
};
use serde_json::json;

use super::answer::{self, AnswerKind};
use super::coordinates::FileCoordinates;
use super::engine::with_engine;
use super::{PICTURE_SIZE, off_ground, open};
use crate::args::{Common, TerrainPathArgs};
use crate::commands::check_outputs;
use crate::outcome::{ExitKind, Failure};
use crate::table::TextTable;
use crate::terminal::{HEADING, say, styled};

const PATH: [u8; 3] = [214, 20, 30];
const START: [u8; 3] = [20, 110, 40];
const GOAL: [u8; 3] = [30, 60, 190];

/// The answer to a query.
struct TerrainAnswer {
    status: TerrainStatus,
    /// The path. It is empty if the status is not [`TerrainStatus::Found`].
    path: TerrainPath,
    /// The lengths of the path with the costs of up, down and sideways only; `None` if there is no path.
    base: Option<BaseLengths>,
    /// The time of the query. [Units: µs]
    micros: f64,
}

impl TerrainAnswer {
    fn without_path(status: TerrainStatus) -> Self {
        Self {
            status,
            path: TerrainPath::default(),
            base: None,
            micros: 0.0,
        }
    }
}

pub(crate) fn run(args: &TerrainPathArgs, common: &Common) -> Result<ExitKind, Failure> {
    let kind = args.output.as_deref().map(AnswerKind::of).transpose()?;
    if let Some(profile) = &args.height_profile {
        answer::check_profile(profile)?;
    }
    let outputs = [args.output.as_deref(), args.height_profile.as_deref()];
    check_outputs(&[&args.terrain], &outputs)?;
    let terrain = open(&args.terrain, common)?;
    answer::check(args, &terrain)?;
    let coordinates = FileCoordinates::new(terrain.web());
    let [from, to] = [args.from, args.to].map(|point| coordinates.local(point));
    let query = TerrainQuery {
        engine: args.engine,
        ..TerrainQuery::new(from, to)
    };
    // If an endpoint is off the map, the engine need not be built.
    let (terrain, found) = match terrain.locate(&query) {
        Err(status) => (terrain, TerrainAnswer::without_path(status)),
        Ok(_) => {
            let terrain = with_engine(terrain, args.engine, common)?;
            let found = find(&terrain, &query)?;
            (terrain, found)
        }
    };
    let web = terrain.web();
    if let (Some(output), Some(AnswerKind::Picture)) = (&args.output, kind) {
        let mut picture = Picture::relief(web, PICTURE_SIZE);
        picture.draw_path(web, &found.path.triangles, PATH);
        for ([x, y], colour) in [(from, START), (to, GOAL)] {
            picture.draw_dot(glam::vec3(x, y, 0.0), colour);
        }
        picture.save(output)?;
    }
    // A path that does not exist is only drawn, as its start and goal.
    if found.status == TerrainStatus::Found {
        if let (Some(output), Some(kind)) = (&args.output, kind) {
            answer::write(output, kind, args, &terrain, &found.path)?;
        }
        if let Some(profile) = &args.height_profile {
            let text = format!("Heights along a path on {}", args.terrain.display());
            answer::write_profile(profile, &found.path.points, &text)?;
        }
    }
    if args.json {
        print_json(args, web, &found);
    } else {
        print_text(args, web, &found, common);
    }
    Ok(match found.status {
        TerrainStatus::Found => ExitKind::Success,
        _ => ExitKind::Negative,
    })
}

fn find(terrain: &Terrain, query: &TerrainQuery<'_>) -> Result<TerrainAnswer, Failure> {
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let mut query_once = || {
        let status = terrain.find_path(query, &mut scratch, &mut path);
        status.map_err(|error| Failure::new(error.to_string()))
    };
    // The first query only warms up: it allocates memory.
    query_once()?;
    let start = Instant::now();
    let status = query_once()?;
    let micros = start.elapsed().as_secs_f64() * 1e6;
    Ok(match status {
        TerrainStatus::Found => TerrainAnswer {
            status,
            base: terrain.graph().base_lengths(terrain.web(), &path.triangles),
            path,
            micros,
        },
        status => TerrainAnswer::without_path(status),
    })
}

fn print_json(args: &TerrainPathArgs, web: &TriangleWeb, found: &TerrainAnswer) {
    let path = &found.path;
    let coordinates = FileCoordinates::new(web);
    let with_path = |value: f64| (found.status == TerrainStatus::Found).then_some(value);
    let points = path.points.iter().map(|&point| coordinates.of(point));
    let all = json!({
        "status": found.status.name(),
        "cost": with_path(path.cost),
        "length": with_path(path.length()),
        "ascent": with_path(path.ascent()),
        "descent": with_path(path.descent()),
        "points": points.collect::<Vec<_>>(),
        "triangles": path.triangles,
        "engine": args.engine.to_string(),
        "price": with_path(path.cost),
        "xyz": found.base.map(|base| base.xyz),
        "xy": found.base.map(|base| base.xy),
        "z": found.base.map(|base| base.z),
        "micros": with_path(found.micros),
    });
    say!("{all:#}");
}

fn print_text(args: &TerrainPathArgs, web: &TriangleWeb, found: &TerrainAnswer, common: &Common) {
    let status = styled(HEADING, found.status.name());
    say!("{status}  engine {}", args.engine);
    match (found.status, found.base) {
        (TerrainStatus::StartOffMap, _) => {
            say!("{}", off_ground("start", "--from", args.from, web));
        }
        (TerrainStatus::GoalOffMap, _) => say!("{}", off_ground("goal", "--to", args.to, web)),
        (_, Some(base)) => {
            let path = &found.path;
            let numbers = [
                ("price", path.cost),
                ("xyz", base.xyz),
                ("xy", base.xy),
                ("z", base.z),
                ("length", path.length()),
                ("ascent", path.ascent()),
                ("descent", path.descent()),
            ];
            let mut header = numbers.map(|(name, _)| name).to_vec();
            header.extend(["triangles", "µs"]);
            let mut row: Vec<String> = numbers.map(|(_, n)| format!("{n:.3}")).to_vec();
            row.push(path.triangles.len().to_string());
            row.push(format!("{:.1}", found.micros));
            let mut table = TextTable::new(&header);
            table.row(row);
            table.print();
        }
        (_, None) => {
            say!("start and goal are on different islands, or the price overflows");
        }
    }
    if common.quiet {
        return;
    }
    let is_found = found.status == TerrainStatus::Found;
    if let Some(output) = &args.output {
        match AnswerKind::of(output) {
            Ok(AnswerKind::Picture) => say!("picture: {}", output.display()),
            _ if is_found => say!("path: {}", output.display()),
            _ => {}
        }
    }
    if let Some(profile) = args.height_profile.as_ref().filter(|_| is_found) {
        say!("height profile: {}", profile.display());
    }
}
