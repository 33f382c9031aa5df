//! `portolan terrain path`: one path, and what it costs.

use std::time::Instant;

use portolan_draw::picture::Picture;
use portolan_terrain::{Base, Terrain};
use serde_json::json;

use super::engine::{Finder, FinderScratch};
use super::{PICTURE, check_png, off_ground, open};
use crate::args::{Common, TerrainPathArgs};
use crate::outcome::{Answer, Failure};
use crate::table::Table;
use crate::terminal::{HEADING, say, styled};
use crate::verbs::check_outputs;

const PATH: [u8; 3] = [214, 20, 30];
const START: [u8; 3] = [20, 110, 40];
const GOAL: [u8; 3] = [30, 60, 190];

/// What there is to say.
enum Found {
    StartOff,
    GoalOff,
    NoPath,
    Path { price: f64, base: Base, micros: f64 },
}

impl Found {
    fn status(&self) -> &'static str {
        match self {
            Self::StartOff => "start_off_mesh",
            Self::GoalOff => "goal_off_mesh",
            Self::NoPath => "no_path",
            Self::Path { .. } => "found",
        }
    }
}

pub(crate) fn run(args: &TerrainPathArgs, common: &Common) -> Result<Answer, Failure> {
    if let Some(output) = &args.output {
        check_png("-o", output)?;
    }
    check_outputs(&[&args.terrain], &[args.output.as_deref()])?;
    let terrain = open(&args.terrain, common)?;
    let mut path = Vec::new();
    let found = find(args, &terrain, &mut path, common)?;
    if let Some(output) = &args.output {
        let mut picture = Picture::relief(terrain.web(), PICTURE);
        picture.draw_path(terrain.web(), &path, PATH);
        for ([x, y], colour) in [(args.from, START), (args.to, GOAL)] {
            picture.draw_dot(glam::vec3(x, y, 0.0), colour);
        }
        picture.save(output)?;
    }
    if args.json {
        print_json(args, &found, &path);
    } else {
        print_text(args, &terrain, &found, &path, common);
    }
    Ok(match found {
        Found::Path { .. } => Answer::Yes,
        _ => Answer::No,
    })
}

fn find(
    args: &TerrainPathArgs,
    terrain: &Terrain,
    path: &mut Vec<u32>,
    common: &Common,
) -> Result<Found, Failure> {
    let place = |[x, y]: [f32; 2]| terrain.web().locate(x, y);
    let Some(from) = place(args.from) else {
        return Ok(Found::StartOff);
    };
    let Some(to) = place(args.to) else {
        return Ok(Found::GoalOff);
    };
    let finder = Finder::new(terrain, args.engine, common)?;
    let mut scratch = FinderScratch::default();
    // Once to warm up: the first query allocates.
    finder.find([from, to], &mut scratch, path);
    let start = Instant::now();
    let price = finder.find([from, to], &mut scratch, path);
    let micros = start.elapsed().as_secs_f64() * 1e6;
    let base = terrain.graph().base(terrain.web(), path);
    Ok(match price.zip(base) {
        Some((price, base)) => Found::Path {
            price,
            base,
            micros,
        },
        None => {
            path.clear();
            Found::NoPath
        }
    })
}

fn print_json(args: &TerrainPathArgs, found: &Found, path: &[u32]) {
    let (price, base, micros) = match *found {
        Found::Path {
            price,
            base,
            micros,
        } => (Some(price), Some(base), Some(micros)),
        _ => (None, None, None),
    };
    let all = json!({
        "status": found.status(),
        "price": price,
        "triangles": path,
        "xyz": base.map(|base| base.xyz),
        "xy": base.map(|base| base.xy),
        "z": base.map(|base| base.z),
        "micros": micros,
        "engine": args.engine.name(),
    });
    say!("{all:#}");
}

fn print_text(
    args: &TerrainPathArgs,
    terrain: &Terrain,
    found: &Found,
    path: &[u32],
    common: &Common,
) {
    say!(
        "{}  engine {}",
        styled(HEADING, found.status()),
        args.engine.name()
    );
    match *found {
        Found::StartOff => say!(
            "{}",
            off_ground("start", "--from", args.from, terrain.web())
        ),
        Found::GoalOff => say!("{}", off_ground("goal", "--to", args.to, terrain.web())),
        Found::NoPath => {
            say!("start and goal are on different islands, or a price is too large for numbers");
        }
        Found::Path {
            price,
            base,
            micros,
        } => {
            let mut table = Table::new(&["price", "xyz", "xy", "z", "triangles", "µs"]);
            table.row(vec![
                format!("{price:.3}"),
                format!("{:.3}", base.xyz),
                format!("{:.3}", base.xy),
                format!("{:.3}", base.z),
                path.len().to_string(),
                format!("{micros:.1}"),
            ]);
            table.print();
        }
    }
    if let Some(output) = args.output.as_deref().filter(|_| !common.quiet) {
        say!("drawn in {}", output.display());
    }
}
