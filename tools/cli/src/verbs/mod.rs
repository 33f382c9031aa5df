//! One file a verb.

pub(crate) mod bake;
pub(crate) mod bench;
pub(crate) mod demo;
pub(crate) mod export;
mod formula;
pub(crate) mod heightmap;
pub(crate) mod import;
pub(crate) mod index;
pub(crate) mod info;
mod islands;
mod levels;
pub(crate) mod path;
pub(crate) mod rebake;
pub(crate) mod report;
pub(crate) mod scene;
pub(crate) mod terrain;
mod tiers;
pub(crate) mod tune;

use std::path::Path;

use portolan_core::{Costs, Engine, World};
use portolan_files::pidx::Making;

use crate::args::Common;
use crate::outcome::Failure;
use crate::terminal::spinner;

/// Opens a world; of an index, also how it was made.
fn open_world(file: &Path, common: &Common) -> Result<(World, Option<Making>), Failure> {
    let waiting = spinner(common, "opening");
    let opened = portolan_files::open_world(file)?;
    waiting.finish_and_clear();
    Ok(opened)
}

/// The costs of a profile, or of the one that the world has, for some engines. Where they take long to
/// make, threads help.
fn open_costs(
    world: &World,
    profile: Option<&Path>,
    engines: &[Engine],
    common: &Common,
) -> Result<Costs, Failure> {
    let own = world.default_costs();
    let Some(file) = profile else {
        return Ok(own.clone());
    };
    let profile = portolan_formats::open_profile(file)?;
    if profile == *own.profile() {
        return Ok(own.clone());
    }
    let waiting = spinner(common, "making costs");
    let costs = threads(common)?.install(|| world.costs_for(&profile, engines));
    waiting.finish_and_clear();
    Ok(costs)
}

/// As many threads as the user wants, or as there are cores.
fn threads(common: &Common) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(common.threads.unwrap_or(0).into())
        .build()
        .map_err(|error| Failure::new(format!("the threads could not be started: {error}")))
}

/// An engine by name.
fn engine(name: &str) -> Result<Engine, Failure> {
    name.parse()
        .map_err(|error: portolan_core::UnknownEngine| Failure::new(error.to_string()))
}

/// Refuses an engine that the world of a file cannot run.
fn check_engine(world: &World, engine: Engine, file: &Path) -> Result<(), Failure> {
    world
        .check_engine(engine)
        .map_err(|error| Failure::new(format!("{}: {error}", file.display())))
}

/// The ending of a file's name, in small letters.
fn ending(file: &Path) -> String {
    file.extension()
        .map(|ending| ending.to_string_lossy().to_lowercase())
        .unwrap_or_default()
}

/// Refuses outputs that could not be written, or that would overwrite an input or one another,
/// before any work is done.
fn check_outputs(inputs: &[&Path], outputs: &[Option<&Path>]) -> Result<(), Failure> {
    let real = |file: &Path| std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let mut taken: Vec<_> = inputs.iter().map(|input| real(input)).collect();
    for output in outputs.iter().flatten() {
        let folder = output
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Failure::new(format!(
                "{}: cannot be written: there is no folder {}",
                output.display(),
                folder.display()
            )));
        }
        let target = real(output);
        let is_plain = !target.exists() || target.is_file();
        if is_plain && taken.contains(&target) {
            return Err(Failure::new(format!(
                "{}: would overwrite another file of this command",
                output.display()
            )));
        }
        taken.push(target);
    }
    Ok(())
}
