//! `portolan export`: our navmesh for somebody else.

use super::{check_outputs, ending};
use crate::args::{Common, ExportArgs};
use crate::outcome::{Answer, Failure};
use crate::terminal::{count, say};

pub(crate) fn run(args: &ExportArgs, common: &Common) -> Result<Answer, Failure> {
    let output = &args.output;
    let ending = ending(output);
    if !matches!(ending.as_str(), "obj" | "mesh") {
        return Err(Failure::new(format!(
            "{}: export writes .obj or .mesh",
            output.display()
        )));
    }
    check_outputs(&[&args.world], &[Some(output)])?;
    let mesh = portolan_files::open_navmesh(&args.world)?;
    let links = ("links", mesh.links().len());
    let finer = (
        "triangles of finer ground",
        mesh.heights().triangles.values().len(),
    );
    let left_out = if ending == "obj" {
        portolan_files::save(output, |mut file| {
            portolan_formats::obj::write(&mesh, &mut file)
        })?;
        vec![links, finer]
    } else {
        let left_out = portolan_files::save(output, |mut file| {
            portolan_formats::polyanya::write(&mesh, &mut file)
        })?;
        let areas = mesh.areas().iter().filter(|&&area| area != 0).count();
        let heights = mesh.vertices().iter().filter(|p| p.y != 0.0).count();
        vec![
            links,
            finer,
            ("overlapping portals", left_out.portals),
            ("areas other than 0", areas),
            ("heights of vertices other than 0", heights),
        ]
    };
    if !common.quiet {
        say!(
            "{}: {}",
            output.display(),
            count(mesh.polygon_count(), "polygon")
        );
        for (what, count) in left_out.into_iter().filter(|&(_, count)| count > 0) {
            say!("  left out, because .{ending} cannot hold them: {count} {what}");
        }
    }
    Ok(Answer::Yes)
}
