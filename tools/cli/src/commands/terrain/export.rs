//! `portolan terrain export`: writes the triangles of terrain.

use super::open;
use crate::args::{Common, ExportTerrainArgs};
use crate::commands::{check_outputs, extension};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, say};

pub(super) fn run(args: &ExportTerrainArgs, common: &Common) -> Result<ExitKind, Failure> {
    let wanted = [
        (Some(&args.output), "obj"),
        (args.difficulty.as_ref(), "txt"),
    ];
    for (file, expected) in wanted {
        if let Some(file) = file.filter(|file| extension(file) != expected) {
            let file = file.display();
            return Err(Failure::new(format!(
                "{file}: the file must end in .{expected}"
            )));
        }
    }
    let outputs = [Some(args.output.as_path()), args.difficulty.as_deref()];
    check_outputs(&[&args.terrain], &outputs)?;
    let terrain = open(&args.terrain, common)?;
    let web = terrain.web();
    portolan_files::save(&args.output, |out| portolan_formats::write_web(web, out))?;
    if let Some(file) = &args.difficulty {
        let difficulty = web.difficulty();
        portolan_files::save(file, |out| {
            portolan_formats::write_difficulty(difficulty, out)
        })?;
    }
    if !common.quiet {
        say!(
            "{}: {}",
            args.output.display(),
            count(web.len(), "triangle")
        );
    }
    Ok(ExitKind::Success)
}
