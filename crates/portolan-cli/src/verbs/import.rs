//! `portolan import`: somebody else's navmesh becomes ours.

use portolan::{BorderMatching, KeepComponents, NavMesh};

use super::info::{repairs, summary};
use super::{check_outputs, ending};
use crate::args::{Common, ImportArgs};
use crate::outcome::{Answer, Failure};
use crate::terminal::{say, spinner};

pub(crate) fn run(args: &ImportArgs, common: &Common) -> Result<Answer, Failure> {
    if ending(&args.output) != "pnav" {
        return Err(Failure::new(format!(
            "{}: import writes .pnav",
            args.output.display()
        )));
    }
    check_outputs(&[&args.foreign], &[Some(&args.output)])?;
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

    for &place in &args.holding {
        if mesh
            .locate(place, portolan::DEFAULT_SNAP, |_| true)
            .is_none()
        {
            return Err(Failure::new(format!(
                "{}: there is no ground near --holding {},{},{}",
                args.foreign.display(),
                place.x,
                place.y,
                place.z
            )));
        }
    }
    let keep = KeepComponents {
        min_polygons: args.min_component,
        holding: args.holding.clone(),
    };
    let kept = mesh.polygons_kept(&keep);
    let dropped = kept.iter().filter(|kept| !**kept).count();
    if dropped == kept.len() {
        return Err(Failure::new(format!(
            "{}: nothing would be left: the islands {} have fewer than {} polygons",
            args.foreign.display(),
            if args.holding.is_empty() {
                "all"
            } else {
                "of --holding"
            },
            args.min_component
        )));
    }
    if dropped > 0 {
        mesh = build(mesh.to_raw(&kept))?;
    }
    portolan_io::save_navmesh(&args.output, &mesh)?;
    waiting.finish_and_clear();
    if !common.quiet {
        say!("{}: {}", args.output.display(), summary(&mesh));
        done.iter().for_each(|line| say!("  {line}"));
        if dropped > 0 {
            say!("  {dropped} polygons of islands dropped");
        }
    }
    Ok(Answer::Yes)
}
