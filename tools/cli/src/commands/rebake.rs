//! `portolan rebake`: bakes single tiles again.

use std::path::Path;
use std::time::Instant;

use glam::Vec3;
use portolan_bake::{Baked, TileId};
use portolan_core::Up;
use portolan_files::pbake::KeptBake;
use serde_json::json;

use super::bake::{check_extensions, failure, tiles};
use super::info::{of_mesh, repairs, summary};
use super::islands::keep_islands;
use super::{check_outputs, threads};
use crate::args::{Common, RebakeArgs};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, progress, say, spinner};

pub(crate) fn run(args: &RebakeArgs, common: &Common) -> Result<ExitKind, Failure> {
    check_extensions("rebake", &args.output, args.keep.as_deref())?;
    let mut inputs = vec![args.geometry.as_path()];
    inputs.extend(args.areas.as_deref());
    // The updated bake may replace the old one, but the navmesh may not.
    let keep = args.keep.as_deref();
    check_outputs(&inputs, &[Some(&args.output), keep])?;
    check_outputs(&[&args.kept], &[Some(&args.output)])?;
    let start = Instant::now();
    let waiting = spinner(common, "reading");
    let mut kept = portolan_files::open_bake(&args.kept)?;
    let chosen = chosen_tiles(args, &kept.baked)?;
    let rules = match &args.areas {
        Some(file) => portolan_formats::open_areas(file)?,
        None => kept.baked.rules().clone(),
    };
    let triangles = portolan_formats::open_geometry(&args.geometry, &kept.level)?;
    waiting.finish_and_clear();
    let bar = progress(common, "tiles", chosen.len() as u64);
    let baked = &mut kept.baked;
    threads(common)?
        .install(|| {
            chosen.iter().try_for_each(|&tile| {
                let done = portolan_bake::rebake_tile(baked, tile, &triangles, &rules);
                bar.inc(1);
                done
            })
        })
        .map_err(|error| failure(error, &args.geometry))?;
    bar.finish_and_clear();
    let full_mesh = kept.baked.build_navmesh();
    let full_mesh = full_mesh.map_err(|error| failure(error, &args.geometry))?;
    let waiting = spinner(common, "writing");
    let options = kept.baked.navmesh_options();
    let mesh = keep_islands(&full_mesh, &args.islands, &options, &args.geometry)?;
    portolan_files::save_navmesh(&args.output, &mesh)?;
    if let Some(file) = keep {
        portolan_files::save_bake(file, &kept)?;
    }
    waiting.finish_and_clear();
    if !common.quiet {
        say!("{}: {}", args.output.display(), summary(&mesh));
        let seconds = start.elapsed().as_secs_f64();
        let all = count(kept.baked.grid().tiles(), "tile");
        say!("  baked {} of {all} in {seconds:.2} s", chosen.len());
        let dropped = full_mesh.polygon_count() - mesh.polygon_count();
        if dropped > 0 {
            say!("  dropped islands with {}", count(dropped, "polygon"));
        }
        repairs(&mesh).iter().for_each(|line| say!("  {line}"));
    }
    Ok(ExitKind::Success)
}

/// Returns the tiles that the user selected, without duplicates.
fn chosen_tiles(args: &RebakeArgs, baked: &Baked) -> Result<Vec<TileId>, Failure> {
    let grid = baked.grid();
    let file = args.kept.display();
    let mut chosen = Vec::new();
    for &[x, z] in &args.tile {
        let tile = grid.tile(x, z).ok_or_else(|| {
            let tiles = tiles(baked);
            Failure::new(format!("{file}: there is no tile {x},{z}; it has {tiles}"))
        })?;
        chosen.push(tile);
    }
    for &[x, z] in &args.at {
        let tile = grid.tile_at(Vec3::new(x, 0.0, z)).ok_or_else(|| {
            let (from, [width, _, depth]) = (grid.origin(), grid.extent());
            let (to_x, to_z) = (from.x + width, from.z + depth);
            Failure::new(format!(
                "{file}: there is no tile at {x},{z}; the tiles cover {},{} to {to_x},{to_z}",
                from.x, from.z
            ))
        })?;
        chosen.push(tile);
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// Describes a `.pbake` file, for `portolan info`.
pub(super) fn info(file: &Path, as_json: bool) -> Result<ExitKind, Failure> {
    let KeptBake { baked, level } = portolan_files::open_bake(file)?;
    let mesh = baked.build_navmesh();
    let mesh = mesh.map_err(|error| failure(error, file))?;
    let bytes = std::fs::metadata(file).map_or(0, |file| file.len());
    let (grid, options) = (baked.grid(), baked.options());
    let (from, extent) = (grid.origin(), grid.extent());
    let tile_metres = match grid.tile_side() {
        0 => extent[0].max(extent[2]),
        side => side as f32 * options.cell_size,
    };
    let up = match level.up {
        Up::Y => "y",
        Up::Z => "z",
    };
    if as_json {
        let mut all = of_mesh(&mesh);
        all["kind"] = json!("bake");
        all["version"] = json!(portolan_files::pbake::VERSION);
        all["bytes"] = json!(bytes);
        all["tiles"] = json!(grid.tiles_along());
        all["grid_min"] = json!(from.to_array());
        all["tile_metres"] = json!(tile_metres);
        all["tile_polygons"] = (0..grid.tiles() as u32)
            .map(|tile| json!(baked.polygons_of(TileId(tile))))
            .collect();
        all["level"] = json!({ "up": up, "flip": level.flip, "scale": level.scale });
        all["cells"] = json!(grid.cells_along());
        all["cell_size"] = json!(options.cell_size);
        all["cell_height"] = json!(options.cell_height);
        all["agent_height"] = json!(options.agent_height);
        all["agent_radius"] = json!(options.agent_radius);
        all["agent_climb"] = json!(options.agent_climb);
        all["agent_slope"] = json!(options.agent_slope);
        say!("{all:#}");
        return Ok(ExitKind::Success);
    }
    let version = portolan_files::pbake::VERSION;
    say!("{}: bake, version {version}", file.display());
    say!("  {}", summary(&mesh));
    say!(
        "  {}; side {tile_metres} m; x,z from {},{} to {},{}",
        tiles(&baked),
        from.x,
        from.z,
        from.x + extent[0],
        from.z + extent[2]
    );
    say!(
        "  level read with --up {up} --scale {}{}",
        level.scale,
        if level.flip { " --flip" } else { "" }
    );
    say!(
        "  cells of {} m, {} m high; agent {} m high, radius {} m, climb {} m, slope {} degrees",
        options.cell_size,
        options.cell_height,
        options.agent_height,
        options.agent_radius,
        options.agent_climb,
        options.agent_slope
    );
    say!("  file: {bytes} bytes");
    Ok(ExitKind::Success)
}
