//! One file a verb.

pub(crate) mod bake;
pub(crate) mod bench;
pub(crate) mod demo;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod info;
mod islands;
pub(crate) mod path;
pub(crate) mod report;
pub(crate) mod scene;

use std::path::Path;

use portolan::{Costs, Engine, Profile, World};

use crate::args::Common;
use crate::outcome::Failure;
use crate::terminal::spinner;

/// Opens a world and makes it ready for queries.
fn open_world(file: &Path, common: &Common) -> Result<World, Failure> {
    let waiting = spinner(common, "opening");
    let mesh = portolan_io::open_navmesh(file)?;
    let world = World::from_mesh(mesh);
    waiting.finish_and_clear();
    Ok(world)
}

/// The costs of a profile, or of the default one.
fn open_costs(world: &World, profile: Option<&Path>) -> Result<Costs, Failure> {
    let profile = match profile {
        Some(file) => portolan_io::open_profile(file)?,
        None => Profile::default(),
    };
    Ok(world.costs(&profile))
}

/// An engine by name.
fn engine(name: &str) -> Result<Engine, Failure> {
    name.parse()
        .map_err(|error: portolan::UnknownEngine| Failure::new(error.to_string()))
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
