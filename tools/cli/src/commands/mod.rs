//! The commands of the program, one per file.

pub(crate) mod bake;
pub(crate) mod batch;
pub(crate) mod bench;
mod bench_agents;
mod bench_tiles;
mod bench_updates;
pub(crate) mod demo;
mod exact;
pub(crate) mod export;
mod formula;
pub(crate) mod heightmap;
pub(crate) mod import;
pub(crate) mod index;
pub(crate) mod info;
mod islands;
mod levels;
pub(crate) mod path;
pub(crate) mod probe;
pub(crate) mod rebake;
pub(crate) mod report;
pub(crate) mod scene;
pub(crate) mod terrain;
mod tiers;
pub(crate) mod tune;

use std::path::Path;

use portolan_core::{Costs, Engine, World};
use portolan_files::OpenOptions;

use crate::args::Common;
use crate::outcome::Failure;
use crate::terminal::spinner;

/// Opens a `.pnav` or a `.pidx` file. A `.pidx` file is not checked if it `is_trusted`.
fn open_world(file: &Path, is_trusted: bool, common: &Common) -> Result<World, Failure> {
    let waiting = spinner(common, "opening");
    let options = match is_trusted {
        true => OpenOptions::trusted(),
        false => OpenOptions::default(),
    };
    let opened = portolan_files::open_world_with(file, options)?;
    waiting.finish_and_clear();
    Ok(opened)
}

/// Returns the costs of the profile in a file, customized for `engines`. Without a file, it returns the
/// default costs of the world.
fn open_costs(
    world: &World,
    profile: Option<&Path>,
    engines: &[Engine],
    common: &Common,
) -> Result<Costs, Failure> {
    let default = world.default_costs();
    let Some(file) = profile else {
        return Ok(default.clone());
    };
    let profile = portolan_formats::open_profile(file)?;
    if profile == *default.profile() {
        return Ok(default.clone());
    }
    let waiting = spinner(common, "computing costs");
    let costs = threads(common)?.install(|| world.costs_for(&profile, engines));
    waiting.finish_and_clear();
    Ok(costs)
}

/// Returns a thread pool of the size that the user selected, by default with one thread per core.
fn threads(common: &Common) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(common.threads.unwrap_or(0).into())
        .build()
        .map_err(|error| Failure::new(format!("cannot start the threads: {error}")))
}

/// Parses the name of an engine.
fn engine(name: &str) -> Result<Engine, Failure> {
    name.parse()
        .map_err(|error: portolan_core::UnknownEngine| Failure::new(error.to_string()))
}

/// Fails if the world of `file` does not support the engine.
fn check_engine(world: &World, engine: Engine, file: &Path) -> Result<(), Failure> {
    world
        .check_engine(engine)
        .map_err(|error| Failure::new(format!("{}: {error}", file.display())))
}

/// Fails if the engine has no answers for these costs. `file` is the file of the profile, or that of the world.
fn check_costs(world: &World, costs: &Costs, engine: Engine, file: &Path) -> Result<(), Failure> {
    crate::measure::check_costs(world, costs, engine)
        .map_err(|error| Failure::new(format!("{}: {error}", file.display())))
}

/// Returns the extension of a file name in lower case, or an empty string.
fn extension(file: &Path) -> String {
    file.extension()
        .map(|extension| extension.to_string_lossy().to_lowercase())
        .unwrap_or_default()
}

/// Fails if an output cannot be written, or would overwrite an input or another output. Commands check this
/// before they start to work.
fn check_outputs(inputs: &[&Path], outputs: &[Option<&Path>]) -> Result<(), Failure> {
    let canonical = |file: &Path| std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let mut taken: Vec<_> = inputs.iter().map(|input| canonical(input)).collect();
    for output in outputs.iter().flatten() {
        let folder = output
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Failure::new(format!(
                "{}: cannot be written: the folder {} does not exist",
                output.display(),
                folder.display()
            )));
        }
        let target = canonical(output);
        // Pipes and devices may be given several times.
        let is_plain = !target.exists() || target.is_file();
        if is_plain && taken.contains(&target) {
            return Err(Failure::new(format!(
                "{}: would overwrite another file of this command; choose another name",
                output.display()
            )));
        }
        taken.push(target);
    }
    Ok(())
}
