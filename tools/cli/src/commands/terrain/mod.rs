//! `portolan terrain`: the commands for terrain, from a height map to paths, waves and runners.

mod build;
mod draw;
mod engine;
mod export;
pub(super) mod info;
mod path;
mod price;
mod report;
mod runners;
mod steps;
mod wave;

use std::path::Path;

use portolan_terrain::{Terrain, TriangleWeb};

use super::extension;
use crate::args::{Common, TerrainArgs, TerrainCommand};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::spinner;

/// The length of the longest side of a picture. [Units: pixels]
const PICTURE_SIZE: usize = 1024;

pub(crate) fn run(args: &TerrainArgs, common: &Common) -> Result<ExitKind, Failure> {
    match &args.command {
        TerrainCommand::Build(args) => build::run(args, common),
        TerrainCommand::Path(args) => path::run(args, common),
        TerrainCommand::Wave(args) => wave::run(args, common),
        TerrainCommand::Draw(args) => draw::run(args, common),
        TerrainCommand::Run(args) => runners::run(args, common),
        TerrainCommand::Export(args) => export::run(args, common),
        TerrainCommand::Price(args) => price::run(args, common),
        TerrainCommand::Info(args) => info::run(&args.terrain, args.json),
        TerrainCommand::Report(args) => report::run(args, common),
    }
}

fn open(file: &Path, common: &Common) -> Result<Terrain, Failure> {
    let waiting = spinner(common, "opening");
    let terrain = portolan_files::open_terrain(file)?;
    waiting.finish_and_clear();
    Ok(terrain)
}

/// Opens a terrain, with the meshes as they were after an iteration of merging if one is given.
fn open_at(file: &Path, iteration: Option<usize>, common: &Common) -> Result<Terrain, Failure> {
    let terrain = open(file, common)?;
    match iteration {
        None => Ok(terrain),
        Some(iteration) => terrain
            .after_iteration(iteration)
            .map_err(|error| Failure::new(format!("--iteration: {error}"))),
    }
}

/// Returns the triangles at two points. The error says which option is wrong.
fn triangles_at(web: &TriangleWeb, ends: [[f32; 2]; 2]) -> Result<[u32; 2], Failure> {
    let at = |point: [f32; 2], what, option| {
        let triangle = web.locate(point[0], point[1]);
        triangle.ok_or_else(|| Failure::new(off_ground(what, option, point, web)))
    };
    Ok([
        at(ends[0], "start", "--from")?,
        at(ends[1], "goal", "--to")?,
    ])
}

/// Fails if the name of a picture does not end in `.png`, unless it is a pipe or a device.
fn check_png(option: &str, file: &Path) -> Result<(), Failure> {
    let is_plain = !file.exists() || file.is_file();
    if is_plain && extension(file) != "png" {
        let file = file.display();
        return Err(Failure::new(format!("{file}: {option} writes .png")));
    }
    Ok(())
}

/// Explains that there is no triangle at a point, and where the ground is.
fn off_ground(what: &str, option: &str, [x, y]: [f32; 2], web: &TriangleWeb) -> String {
    let (min, max) = (web.extent().min, web.extent().max);
    let is_within = (min.x..=max.x).contains(&x) && (min.y..=max.y).contains(&y);
    let extent = format!(
        "the ground is from {},{} to {},{}",
        min.x, min.y, max.x, max.y
    );
    let reason = if is_within {
        format!("there is a hole at {x},{y}; {extent}")
    } else {
        format!("{x},{y} is outside of the map; {extent}")
    };
    format!("the {what} is off the ground: {reason} (move {option})")
}
