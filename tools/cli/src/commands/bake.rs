//! `portolan bake`: builds a navmesh from level geometry.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use portolan_bake::{BakeError, BakeOptions, Baked, Finding, Tiling};
use portolan_core::{AreaRules, LevelOptions, NavMesh, Triangles, Up};
use portolan_files::pbake::KeptBake;

use super::info::{repairs, summary};
use super::islands::keep_islands;
use super::{check_outputs, extension, threads};
use crate::args::{BakeArgs, Common, LevelArgs, UpAxis};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, progress, say, spinner};

pub(crate) fn run(args: &BakeArgs, common: &Common) -> Result<ExitKind, Failure> {
    check_extensions("bake", &args.output, args.keep.as_deref())?;
    let mut inputs = vec![args.geometry.as_path()];
    inputs.extend(args.areas.as_deref());
    check_outputs(&inputs, &[Some(&args.output), args.keep.as_deref()])?;
    let start = Instant::now();
    let rules = match &args.areas {
        Some(file) => portolan_formats::open_areas(file)?,
        None => AreaRules::default(),
    };
    let waiting = spinner(common, "reading");
    let level = args.level.options();
    let triangles = portolan_formats::open_geometry(&args.geometry, &level)?;
    waiting.finish_and_clear();
    let options = args.options();
    // With a wrong unit the bake takes long, so this warning is printed before it. All other warnings are
    // printed after the bake: a command that fails prints one line only.
    let mut early = portolan_bake::diagnose(&triangles, &rules, &options, None);
    early.retain(|finding| matches!(finding, Finding::TooLarge { .. }));
    let file = args.geometry.as_path();
    let on_start = || warn(file, &early);
    let (baked, full_mesh) =
        bake_with_start(&on_start, &triangles, &rules, &options, file, common)?;
    let waiting = spinner(common, "checking");
    let late = threads(common)?
        .install(|| portolan_bake::diagnose(&triangles, &rules, &options, Some(&full_mesh)));
    waiting.finish_and_clear();
    warn(file, late.iter().filter(|finding| !early.contains(finding)));
    let waiting = spinner(common, "writing");
    let mesh = keep_islands(
        &full_mesh,
        &args.islands,
        &baked.navmesh_options(),
        &args.geometry,
    )?;
    portolan_files::save_navmesh(&args.output, &mesh)?;
    let kept = KeptBake { baked, level };
    if let Some(file) = &args.keep {
        portolan_files::save_bake(file, &kept)?;
    }
    let baked = kept.baked;
    waiting.finish_and_clear();
    if !common.quiet {
        say!("{}: {}", args.output.display(), summary(&mesh));
        say!(
            "  {}",
            work(&triangles, &baked, start.elapsed().as_secs_f64())
        );
        if let Some(file) = &args.keep {
            say!("  {}: {}", file.display(), tiles(&baked));
        }
        let dropped = full_mesh.polygon_count() - mesh.polygon_count();
        if dropped > 0 {
            say!("  dropped islands with {}", count(dropped, "polygon"));
        }
        notes(&baked).iter().for_each(|line| say!("  {line}"));
        repairs(&mesh).iter().for_each(|line| say!("  {line}"));
    }
    Ok(ExitKind::Success)
}

/// Prints warnings about a level that is probably not as intended, also with `--quiet`.
fn warn<'a>(level: &Path, findings: impl IntoIterator<Item = &'a Finding>) {
    for finding in findings {
        eprintln!("portolan: warning: {}: {finding}", level.display());
    }
}

/// Bakes a level and shows its progress. `file` is the level, for errors.
pub(super) fn bake(
    triangles: &Triangles,
    rules: &AreaRules,
    options: &BakeOptions,
    file: &Path,
    common: &Common,
) -> Result<(Baked, NavMesh), Failure> {
    bake_with_start(&|| (), triangles, rules, options, file, common)
}

/// Bakes a level like [`bake`], and calls `on_start` after the input is checked, before the first tile.
fn bake_with_start(
    on_start: &(dyn Fn() + Sync),
    triangles: &Triangles,
    rules: &AreaRules,
    options: &BakeOptions,
    file: &Path,
    common: &Common,
) -> Result<(Baked, NavMesh), Failure> {
    let waiting = spinner(common, "preparing");
    let shown = OnceLock::new();
    let on_progress = |done: usize, tiles: usize| {
        let start = || {
            waiting.finish_and_clear();
            on_start();
            match tiles {
                // A bar of a single step would not move.
                1 => spinner(common, "baking"),
                _ => progress(common, "tiles", tiles as u64),
            }
        };
        shown.get_or_init(start).set_position(done as u64);
        ControlFlow::Continue(())
    };
    let to_failure = |error: BakeError| failure(error, file);
    let baked = threads(common)?
        .install(|| portolan_bake::bake_with_progress(triangles, rules, options, &on_progress))
        .map_err(to_failure)?;
    shown.get().inspect(|bar| bar.finish_and_clear());
    let waiting = spinner(common, "joining tiles");
    let mesh = baked.build_navmesh().map_err(to_failure)?;
    waiting.finish_and_clear();
    Ok((baked, mesh))
}

/// Describes an error of a bake; `file` is the level.
pub(super) fn failure(error: BakeError, file: &Path) -> Failure {
    match error {
        BakeError::Option {
            name,
            value,
            allowed,
        } => {
            let name = name.replace('_', "-");
            Failure::new(format!("--{name} {value}: expected {allowed}"))
        }
        error => Failure::new(format!("{}: {error}", file.display())),
    }
}

/// Fails unless the names of the outputs end in `.pnav` and `.pbake`.
pub(super) fn check_extensions(
    command: &str,
    mesh: &Path,
    keep: Option<&Path>,
) -> Result<(), Failure> {
    let check = |file: &Path, expected: &str, option: &str| match extension(file) == expected {
        true => Ok(()),
        false => Err(Failure::new(format!(
            "{}: {command} {option}writes .{expected}",
            file.display()
        ))),
    };
    check(mesh, "pnav", "")?;
    keep.map_or(Ok(()), |file| check(file, "pbake", "--keep "))
}

/// Describes the grid of tiles in one line.
pub(super) fn tiles(baked: &Baked) -> String {
    let [columns, rows] = baked.grid().tiles_along();
    match columns * rows {
        1 => "1 tile: 0,0".to_owned(),
        tiles => format!("{tiles} tiles: 0,0 to {},{}", columns - 1, rows - 1),
    }
}

/// Describes the work of a bake in one line.
pub(super) fn work(triangles: &Triangles, baked: &Baked, seconds: f64) -> String {
    let [width, depth] = baked.grid().cells_along();
    format!(
        "{}, {width} x {depth} cells, {}, {seconds:.2} s",
        count(triangles.triangles.len(), "triangle"),
        count(baked.grid().tiles(), "tile"),
    )
}

/// Returns notes about the input of a bake, one line each.
fn notes(baked: &Baked) -> Vec<String> {
    let statistics = baked.statistics();
    let mut notes = Vec::new();
    if statistics.degenerate > 0 {
        let triangles = count(statistics.degenerate, "degenerate triangle");
        notes.push(format!("skipped {triangles}"));
    }
    if !statistics.unused_rules.is_empty() {
        let names = statistics.unused_rules.join(", ");
        notes.push(format!(
            "the file of --areas names materials that the level does not have: {names}"
        ));
    }
    notes
}

impl LevelArgs {
    /// Returns how to read the level.
    pub(super) fn options(&self) -> LevelOptions {
        LevelOptions {
            up: match self.up {
                UpAxis::Y => Up::Y,
                UpAxis::Z => Up::Z,
            },
            flip: self.flip,
            scale: self.scale,
        }
    }
}

impl BakeArgs {
    fn options(&self) -> BakeOptions {
        BakeOptions {
            cell_size: self.cell_size,
            cell_height: self.cell_height,
            agent_height: self.agent_height,
            agent_radius: self.agent_radius,
            agent_climb: self.agent_climb,
            agent_slope: self.agent_slope,
            max_vertices: self.max_vertices,
            min_region: self.min_region,
            merge_region: self.merge_region,
            max_edge: self.max_edge,
            max_edge_error: self.max_edge_error,
            detail_sample: self.detail_sample,
            detail_error: self.detail_error,
            tiles: match self.tile {
                None => Tiling::Auto,
                Some(0) => Tiling::SingleTile,
                Some(side) => Tiling::Side(side),
            },
            max_cells: self.max_cells,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, CliCommand};

    #[test]
    fn the_defaults_of_bake_are_those_of_the_library() {
        let cli = Cli::try_parse_from(["portolan", "bake", "level.obj", "-o", "level.pnav"]);
        let Some(CliCommand::Bake(args)) = cli.unwrap().command else {
            panic!("not the command `bake`");
        };
        assert_eq!(args.options(), BakeOptions::default());
        assert_eq!(args.level.options(), LevelOptions::default());
    }
}
