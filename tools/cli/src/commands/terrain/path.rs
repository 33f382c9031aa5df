//! `portolan terrain path`: finds one path on terrain.

use std::path::Path;
use std::time::Instant;

use portolan_draw::picture::Picture;
use portolan_terrain::{
    BaseLengths, Terrain, TerrainEngine, TerrainPath, TerrainProfile, TerrainQuery, TerrainScratch,
    TerrainStatus, TriangleWeb,
};
use serde_json::json;

use super::engine::with_engine;
use super::{PICTURE_SIZE, check_png, off_ground, open, price};
use crate::args::{Common, TerrainPathArgs};
use crate::commands::{check_outputs, threads};
use crate::outcome::{ExitKind, Failure};
use crate::table::TextTable;
use crate::terminal::{HEADING, say, spinner, styled};

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
    if let Some(output) = &args.output {
        check_png("-o", output)?;
    }
    check_outputs(&[&args.terrain], &[args.output.as_deref()])?;
    let terrain = open(&args.terrain, common)?;
    let profile = match &args.price {
        Some(name) => Some(profile(&terrain, name, args.engine, common)?),
        None => None,
    };
    let query = TerrainQuery {
        engine: args.engine,
        profile: profile.as_ref(),
        line: args.line.into(),
        ..TerrainQuery::new(args.from, args.to)
    };
    // If an endpoint is off the map, the engine need not be built.
    let (terrain, found) = match terrain.locate(&query) {
        Err(status) => (terrain, TerrainAnswer::without_path(status)),
        Ok(_) => {
            let terrain = match profile {
                Some(_) => terrain,
                None => with_engine(terrain, args.engine, common)?,
            };
            let found = find(&terrain, &query)?;
            (terrain, found)
        }
    };
    let web = terrain.web();
    if let Some(output) = &args.output {
        let mut picture = Picture::relief(web, PICTURE_SIZE);
        picture.draw_path(web, &found.path.line_triangles, PATH);
        for ([x, y], colour) in [(args.from, START), (args.to, GOAL)] {
            picture.draw_dot(glam::vec3(x, y, 0.0), colour);
        }
        picture.save(output)?;
    }
    if args.json {
        print_json(args, &found);
    } else {
        print_text(args, web, &found, common);
    }
    Ok(match found.status {
        TerrainStatus::Found => ExitKind::Success,
        _ => ExitKind::Negative,
    })
}

/// Computes the prices of a query. Prints the time, because it is longer than that of the query.
fn profile(
    terrain: &Terrain,
    name: &Path,
    engine: TerrainEngine,
    common: &Common,
) -> Result<TerrainProfile, Failure> {
    let waiting = spinner(common, "computing prices");
    let start = Instant::now();
    let price = price(name)?;
    let with_contraction = engine == TerrainEngine::Contraction;
    let profile = threads(common)?.install(|| terrain.profile(&price, with_contraction));
    let profile = profile.map_err(|error| Failure::new(format!("--price: {error}")))?;
    waiting.finish_and_clear();
    if !common.quiet {
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("portolan: the file does not store this price; computed it in {seconds:.2} s");
    }
    Ok(profile)
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
            base: {
                let graph = query
                    .profile
                    .map_or(terrain.graph(), |profile| profile.graph());
                graph.base_lengths(terrain.web(), &path.triangles)
            },
            path,
            micros,
        },
        status => TerrainAnswer::without_path(status),
    })
}

fn print_json(args: &TerrainPathArgs, found: &TerrainAnswer) {
    let path = &found.path;
    let with_path = |value: f64| (found.status == TerrainStatus::Found).then_some(value);
    let points = path.points.iter().map(|point| point.to_array());
    let all = json!({
        "status": found.status.name(),
        "cost": with_path(path.cost),
        "length": with_path(path.length()),
        "ascent": with_path(path.ascent()),
        "descent": with_path(path.descent()),
        "time": with_path(path.time),
        "line": with_path(path.line_cost),
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
                ("line", path.line_cost),
                ("time", path.time),
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
    if let Some(output) = args.output.as_deref().filter(|_| !common.quiet) {
        say!("picture: {}", output.display());
    }
}
