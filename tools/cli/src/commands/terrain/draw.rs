//! `portolan terrain draw`: draws ground, meshes, or a path while it is being found.

use glam::vec3;
use portolan_draw::picture::LegendItem;
use portolan_draw::terrain::{GOAL, PATH, START, TerrainView, draw_expansions, draw_ground};
use portolan_terrain::{NavigationStep, Navigator, Terrain, TerrainQuery, TerrainScratch};

use super::{check_png, open_at, triangles_at};
use crate::args::{Common, DrawArgs};
use crate::commands::check_outputs;
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, say};

/// A path of the engine mesh after a number of expansions.
struct GuidedPath {
    navigator: Navigator,
    walked: Vec<u32>,
}

pub(super) fn run(args: &DrawArgs, common: &Common) -> Result<ExitKind, Failure> {
    check_png("-o", &args.output)?;
    check_outputs(&[&args.terrain], &[Some(&args.output)])?;
    let ends = args.from.zip(args.to);
    if args.what == TerrainView::Expansions && ends.is_none() {
        return Err(Failure::new("--what expansions needs --from and --to"));
    }
    let terrain = open_at(&args.terrain, args.iteration, common)?;
    let path = match ends {
        None => None,
        Some((from, to)) => {
            let ends = triangles_at(terrain.web(), [from, to])?;
            match guide(&terrain, ends, args.until.unwrap_or(usize::MAX)) {
                Some(path) => Some(path),
                None => {
                    say!("no_path: start and goal are on different islands");
                    return Ok(ExitKind::Negative);
                }
            }
        }
    };
    let side = args.size as usize;
    let (mut picture, mut legend) = draw_ground(&terrain, args.what, args.layer, side);
    if let (Some(path), Some((from, to))) = (&path, ends) {
        if args.what == TerrainView::Expansions {
            let items = draw_expansions(&mut picture, &terrain, &path.navigator, &path.walked);
            legend.extend(items);
        } else {
            picture.draw_path(terrain.web(), &path.walked, PATH);
            legend.push(LegendItem::Colour(PATH, "path".to_owned()));
        }
        for ([x, y], colour, what) in [(from, START, "start"), (to, GOAL, "goal")] {
            picture.draw_dot(vec3(x, y, 0.0), colour);
            legend.push(LegendItem::Dot(colour, what.to_owned()));
        }
    }
    picture.add_legend(&legend);
    picture.save(&args.output)?;
    if !common.quiet {
        say!("picture: {}", args.output.display());
        if let Some(path) = &path {
            let remaining = path.navigator.remaining();
            say!(
                "  {}, {} walked, {} to come",
                count(path.navigator.expansions(), "expansion"),
                count(path.walked.len(), "triangle"),
                count(remaining.count(), "mesh").replace("meshs", "meshes")
            );
        }
    }
    Ok(ExitKind::Success)
}

/// Follows a path until it ends or the next step would be one expansion too many.
fn guide(terrain: &Terrain, [from, to]: [u32; 2], until: usize) -> Option<GuidedPath> {
    let mut scratch = TerrainScratch::new();
    let ends = terrain.locate(&TerrainQuery::new(from, to)).ok()?;
    let navigator = terrain.navigator(&ends, None, &mut scratch);
    // Without a crowd there is no error.
    let mut navigator = navigator.ok().flatten()?;
    let mut walked = Vec::new();
    loop {
        let is_high = |mesh: u32| (mesh as usize) >= terrain.meshes().low_count();
        let is_expansion = navigator.remaining().next().is_some_and(is_high);
        if is_expansion && navigator.expansions() >= until {
            break;
        }
        match navigator.step(terrain, None, &mut scratch) {
            NavigationStep::Triangle(triangle) => walked.push(triangle),
            NavigationStep::Expanded(_) => {}
            NavigationStep::End => break,
        }
    }
    Some(GuidedPath { navigator, walked })
}
