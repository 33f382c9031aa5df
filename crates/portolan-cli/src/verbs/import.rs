//! `portolan import`: somebody else's navmesh becomes ours.

use portolan::{BorderMatching, KeepComponents, NavMesh};

use super::ending;
use super::info::{repairs, summary};
use crate::args::{Common, ImportArgs};
use crate::outcome::{Answer, Failure};
use crate::terminal::spinner;

pub(crate) fn run(args: &ImportArgs, common: &Common) -> Result<Answer, Failure> {
    if ending(&args.output) != "pnav" {
        return Err(Failure::new(format!(
            "{}: import writes .pnav",
            args.output.display()
        )));
    }
    let waiting = spinner(common, "importing");
    let mut imported = portolan_io::import(&args.foreign)?;
    let options = &mut imported.options;
    if args.no_border_matching {
        options.borders = None;
    }
    if let Some(step) = args.step {
        options.borders = Some(BorderMatching {
            step,
            ..options.borders.unwrap_or_default()
        });
    }
    if let Some(tolerance) = args.convexity_tolerance {
        options.convexity_tolerance = tolerance;
    }
    let build = |raw| {
        NavMesh::build(raw, &imported.options)
            .map_err(|error| Failure::navmesh(&args.foreign, &error))
    };
    let mut mesh = build(imported.raw)?;
    let done = repairs(&mesh);

    let keep = KeepComponents {
        min_polygons: args.min_component,
        holding: args.holding.clone(),
    };
    let kept = mesh.polygons_kept(&keep);
    let dropped = kept.iter().filter(|kept| !**kept).count();
    if dropped == kept.len() {
        return Err(Failure::new(format!(
            "{}: no island has {} polygons and holds one of the given points; nothing would be left",
            args.foreign.display(),
            args.min_component
        )));
    }
    if dropped > 0 {
        mesh = build(mesh.to_raw(&kept))?;
    }
    portolan_io::save_navmesh(&args.output, &mesh)?;
    waiting.finish_and_clear();
    if !common.quiet {
        println!("{}: {}", args.output.display(), summary(&mesh));
        done.iter().for_each(|line| println!("  {line}"));
        if dropped > 0 {
            println!("  {dropped} polygons of islands dropped");
        }
    }
    Ok(Answer::Yes)
}
