//! `portolan import`: converts a navmesh of another program to `.pnav`.

use portolan_core::NavMesh;

use super::info::{repairs, summary};
use super::islands::keep_islands;
use super::{check_outputs, extension};
use crate::args::{Common, ImportArgs};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, say, spinner};

pub(crate) fn run(args: &ImportArgs, common: &Common) -> Result<ExitKind, Failure> {
    if extension(&args.output) != "pnav" {
        return Err(Failure::new(format!(
            "{}: import writes .pnav",
            args.output.display()
        )));
    }
    check_outputs(&[&args.foreign], &[Some(&args.output)])?;
    let waiting = spinner(common, "importing");
    let mut imported = portolan_formats::import(&args.foreign)?;
    let options = &mut imported.options;
    if args.no_border_matching {
        options.borders = None;
    }
    match (args.step, &mut options.borders) {
        (Some(step), Some(borders)) => borders.step = step,
        (Some(_), None) => {
            return Err(Failure::new(format!(
                "{}: --step does not apply, because this format stores which polygons are connected",
                args.foreign.display()
            )));
        }
        (None, _) => {}
    }
    if let Some(tolerance) = args.convexity_tolerance {
        options.convexity_tolerance = tolerance;
    }
    let full_mesh = NavMesh::build(imported.raw, &imported.options)
        .map_err(|error| Failure::navmesh(&args.foreign, &error))?;
    let mesh = keep_islands(&full_mesh, &args.islands, &imported.options, &args.foreign)?;
    let dropped = full_mesh.polygon_count() - mesh.polygon_count();
    portolan_files::save_navmesh(&args.output, &mesh)?;
    waiting.finish_and_clear();
    if !common.quiet {
        say!("{}: {}", args.output.display(), summary(&mesh));
        repairs(&mesh).iter().for_each(|line| say!("  {line}"));
        if dropped > 0 {
            say!("  dropped islands with {}", count(dropped, "polygon"));
        }
    }
    Ok(ExitKind::Success)
}
