//! `portolan terrain`: the commands for terrain, from a height map to paths and waves.

mod bench;
mod build;
mod engine;
pub(super) mod info;
mod isochrone;
mod path;
mod report;
mod steps;
mod wave;

use std::path::Path;

use portolan_terrain::{Distances, Price, Terrain, TriangleWeb};

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
        TerrainCommand::Isochrone(args) => isochrone::run(args, common),
        TerrainCommand::Bench(args) => bench::run(args, common),
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

/// Returns the price with this name, or of this file.
fn price(name: &Path) -> Result<Price, Failure> {
    let mut models = Distances::ALL.into_iter();
    let is_named = |distances: &Distances| name.to_str() == Some(distances.name());
    match models.find(is_named) {
        Some(distances) => Ok(Price::walking(distances)),
        None if extension(name) == "toml" => Ok(portolan_formats::open_price(name)?),
        None => Err(Failure::new(format!(
            "--price: {} is neither tobler, naismith or minetti nor a price file (.toml)",
            name.display()
        ))),
    }
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
