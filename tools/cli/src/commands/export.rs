//! `portolan export`: converts a `.pnav` to the format of another program.

use super::{check_outputs, extension};
use crate::args::{Common, ExportArgs};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, say};

pub(crate) fn run(args: &ExportArgs, common: &Common) -> Result<ExitKind, Failure> {
    let output = &args.output;
    let extension = extension(output);
    if !matches!(extension.as_str(), "obj" | "mesh") {
        return Err(Failure::new(format!(
            "{}: export writes .obj or .mesh",
            output.display()
        )));
    }
    check_outputs(&[&args.world], &[Some(output)])?;
    let mesh = portolan_files::open_navmesh(&args.world)?;
    let links = ("links", mesh.links().len());
    let detail = ("detail triangles", mesh.heights().triangles.values().len());
    let left_out = if extension == "obj" {
        portolan_files::save(output, |mut file| {
            portolan_formats::obj::write(&mesh, &mut file)
        })?;
        vec![links, detail]
    } else {
        let left_out = portolan_files::save(output, |mut file| {
            portolan_formats::polyanya::write(&mesh, &mut file)
        })?;
        let areas = mesh.areas().iter().filter(|&&area| area != 0).count();
        let heights = mesh.vertices().iter().filter(|p| p.y != 0.0).count();
        vec![
            links,
            detail,
            ("overlapping portals", left_out.portals),
            ("areas other than 0", areas),
            ("vertex heights other than 0", heights),
        ]
    };
    if !common.quiet {
        say!(
            "{}: {}",
            output.display(),
            count(mesh.polygon_count(), "polygon")
        );
        for (what, count) in left_out.into_iter().filter(|&(_, count)| count > 0) {
            say!("  not exported, because .{extension} cannot store them: {count} {what}");
        }
    }
    Ok(ExitKind::Success)
}
