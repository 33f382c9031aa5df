//! `portolan terrain`: natural ground, from a height map to paths and waves.

mod build;
mod engine;
pub(super) mod info;
mod path;
mod report;
mod steps;
mod wave;

use std::path::Path;

use portolan_terrain::{Terrain, TriangleWeb};

use super::ending;
use crate::args::{Common, TerrainArgs, TerrainVerb};
use crate::outcome::{Answer, Failure};
use crate::terminal::spinner;

/// Pixels along the longest side of a picture.
const PICTURE: usize = 1024;

pub(crate) fn run(args: &TerrainArgs, common: &Common) -> Result<Answer, Failure> {
    match &args.verb {
        TerrainVerb::Build(args) => build::run(args, common),
        TerrainVerb::Path(args) => path::run(args, common),
        TerrainVerb::Wave(args) => wave::run(args, common),
        TerrainVerb::Info(args) => info::run(&args.terrain, args.json),
        TerrainVerb::Report(args) => report::run(args, common),
    }
}

fn open(file: &Path, common: &Common) -> Result<Terrain, Failure> {
    let waiting = spinner(common, "opening");
    let terrain = portolan_files::open_terrain(file)?;
    waiting.finish_and_clear();
    Ok(terrain)
}

/// Refuses names of pictures that do not end in `.png`, but for pipes and devices.
fn check_png(option: &str, file: &Path) -> Result<(), Failure> {
    let is_plain = !file.exists() || file.is_file();
    if is_plain && ending(file) != "png" {
        let file = file.display();
        return Err(Failure::new(format!("{file}: {option} writes .png")));
    }
    Ok(())
}

/// Why there is no triangle at a place, and where there are some.
fn off_ground(what: &str, option: &str, [x, y]: [f32; 2], web: &TriangleWeb) -> String {
    let (min, max) = (web.extent().min, web.extent().max);
    let is_within = (min.x..=max.x).contains(&x) && (min.y..=max.y).contains(&y);
    let where_it_is = format!(
        "the ground lies from {},{} to {},{}",
        min.x, min.y, max.x, max.y
    );
    let why = if is_within {
        format!("there is a hole at {x},{y}; {where_it_is}")
    } else {
        format!("{x},{y} is beyond the rim; {where_it_is}")
    };
    format!("the {what} is off the ground: {why} (move {option})")
}
