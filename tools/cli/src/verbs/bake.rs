//! `portolan bake`: level geometry becomes a navmesh.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use portolan_bake::{BakeError, BakeOptions, Baked, Finding, Tiles};
use portolan_core::{AreaRules, LevelOptions, NavMesh, Triangles, Up};
use portolan_files::pbake::KeptBake;

use super::info::{repairs, summary};
use super::islands::keep_islands;
use super::{check_outputs, ending, threads};
use crate::args::{BakeArgs, Common, LevelArgs, UpAxis};
use crate::outcome::{Answer, Failure};
use crate::terminal::{count, progress, say, spinner};

pub(crate) fn run(args: &BakeArgs, common: &Common) -> Result<Answer, Failure> {
    check_endings("bake", &args.output, args.keep.as_deref())?;
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
    // Where the unit is wrong the bake takes long: that is said before it. All else waits, so that a
    // bake that fails says one line.
    let mut early = portolan_bake::diagnose(&triangles, &rules, &options, None);
    early.retain(|finding| matches!(finding, Finding::TooLarge { .. }));
    let file = args.geometry.as_path();
    let begin = || warn(file, &early);
    let (baked, whole) = bake_after(&begin, &triangles, &rules, &options, file, common)?;
    let waiting = spinner(common, "checking");
    let late = threads(common)?
        .install(|| portolan_bake::diagnose(&triangles, &rules, &options, Some(&whole)));
    waiting.finish_and_clear();
    warn(file, late.iter().filter(|finding| !early.contains(finding)));
    let waiting = spinner(common, "writing");
    let mesh = keep_islands(
        &whole,
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
        let dropped = whole.polygon_count() - mesh.polygon_count();
        if dropped > 0 {
            say!("  {dropped} polygons of islands dropped");
        }
        notes(&baked).iter().for_each(|line| say!("  {line}"));
        repairs(&mesh).iter().for_each(|line| say!("  {line}"));
    }
    Ok(Answer::Yes)
}

/// Says what is probably not as it was meant, also with `--quiet`.
fn warn<'a>(level: &Path, findings: impl IntoIterator<Item = &'a Finding>) {
    for finding in findings {
        eprintln!("portolan: warning: {}: {finding}", level.display());
    }
}

/// Bakes with a bar for the tiles, on as many threads as the user wants.
pub(super) fn bake(
    triangles: &Triangles,
    rules: &AreaRules,
    options: &BakeOptions,
    file: &Path,
    common: &Common,
) -> Result<(Baked, NavMesh), Failure> {
    bake_after(&|| (), triangles, rules, options, file, common)
}

/// As [`bake`], and calls `begin` when the input has been checked and the first tile is about to begin.
fn bake_after(
    begin: &(dyn Fn() + Sync),
    triangles: &Triangles,
    rules: &AreaRules,
    options: &BakeOptions,
    file: &Path,
    common: &Common,
) -> Result<(Baked, NavMesh), Failure> {
    let bar = progress(common, "tiles", 1);
    let watch = |done: usize, tiles: usize| {
        if done == 0 {
            begin();
        }
        bar.set_length(tiles as u64);
        bar.set_position(done as u64);
        ControlFlow::Continue(())
    };
    let wrong = |error: BakeError| failure(error, file);
    let baked = threads(common)?
        .install(|| portolan_bake::bake_with_progress(triangles, rules, options, &watch))
        .map_err(wrong)?;
    bar.finish_and_clear();
    let mesh = baked.build_navmesh().map_err(wrong)?;
    Ok((baked, mesh))
}

/// An error of a bake; `file` is the level.
pub(super) fn failure(error: BakeError, file: &Path) -> Failure {
    match error {
        BakeError::Option {
            name,
            value,
            allowed,
        } => {
            let name = name.replace('_', "-");
            Failure::new(format!("--{name} {value}: it takes {allowed}"))
        }
        error => Failure::new(format!("{}: {error}", file.display())),
    }
}

/// Refuses outputs whose names end in something else than what is in them.
pub(super) fn check_endings(verb: &str, mesh: &Path, keep: Option<&Path>) -> Result<(), Failure> {
    let check = |file: &Path, known: &str, option: &str| match ending(file) == known {
        true => Ok(()),
        false => Err(Failure::new(format!(
            "{}: {verb} {option}writes .{known}",
            file.display()
        ))),
    };
    check(mesh, "pnav", "")?;
    keep.map_or(Ok(()), |file| check(file, "pbake", "--keep "))
}

/// The tiles that there are, in one line.
pub(super) fn tiles(baked: &Baked) -> String {
    let [columns, rows] = baked.grid().tiles_along();
    match columns * rows {
        1 => "1 tile, 0,0".to_owned(),
        tiles => format!("{tiles} tiles, 0,0 to {},{}", columns - 1, rows - 1),
    }
}

/// What was baked, in one line.
pub(super) fn work(triangles: &Triangles, baked: &Baked, seconds: f64) -> String {
    let [width, depth] = baked.grid().cells_along();
    format!(
        "{}, {width} x {depth} cells, {}, {seconds:.2} s",
        count(triangles.triangles.len(), "triangle"),
        count(baked.grid().tiles(), "tile"),
    )
}

/// What a bake came across that its user may want to know, a line each.
fn notes(baked: &Baked) -> Vec<String> {
    let statistics = baked.statistics();
    let mut notes = Vec::new();
    if statistics.degenerate > 0 {
        let triangles = count(statistics.degenerate, "degenerate triangle");
        notes.push(format!("{triangles} skipped"));
    }
    if !statistics.unused_rules.is_empty() {
        let names = statistics.unused_rules.join(", ");
        notes.push(format!(
            "--areas names materials that the level does not have: {names}"
        ));
    }
    notes
}

impl LevelArgs {
    /// How the level is to be read.
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
                None => Tiles::Auto,
                Some(0) => Tiles::Whole,
                Some(side) => Tiles::Side(side),
            },
            max_cells: self.max_cells,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Verb};

    #[test]
    fn the_defaults_are_those_of_the_library() {
        let cli = Cli::try_parse_from(["portolan", "bake", "level.obj", "-o", "level.pnav"]);
        let Some(Verb::Bake(args)) = cli.unwrap().verb else {
            panic!("not a bake");
        };
        assert_eq!(args.options(), BakeOptions::default());
        assert_eq!(args.level.options(), LevelOptions::default());
    }
}
