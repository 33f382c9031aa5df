//! `portolan export`: our navmesh for somebody else.

use super::ending;
use crate::args::{Common, ExportArgs};
use crate::outcome::{Answer, Failure};

pub(crate) fn run(args: &ExportArgs, common: &Common) -> Result<Answer, Failure> {
    let output = &args.output;
    let ending = ending(output);
    if !matches!(ending.as_str(), "obj" | "mesh") {
        return Err(Failure::new(format!(
            "{}: export writes .obj or .mesh",
            output.display()
        )));
    }
    let mesh = portolan_io::open_navmesh(&args.world)?;
    let (portals, links) = if ending == "obj" {
        portolan_io::save(output, |mut file| portolan_io::obj::write(&mesh, &mut file))?;
        (0, mesh.links().len())
    } else {
        let left_out = portolan_io::save(output, |mut file| {
            portolan_io::polyanya::write(&mesh, &mut file)
        })?;
        (left_out.portals, left_out.links)
    };
    if !common.quiet {
        println!("{}: {} polygons", output.display(), mesh.polygon_count());
        for (count, what) in [(portals, "portals"), (links, "links")] {
            if count > 0 {
                println!("  {count} {what} left out, which .{ending} cannot hold");
            }
        }
    }
    Ok(Answer::Yes)
}
