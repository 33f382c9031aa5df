//! Measures the cost and the precision of detail surfaces: `RAYON_NUM_THREADS=1 cargo run --release -p
//! portolan-bake --example detail_figures`.

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::time::Instant;

use common::terrain::{TestTerrain, flat, hills};
use common::{PolygonPoints, map};
use portolan_bake::{BakeOptions, Baked, Tiling, bake};
use portolan_core::{AreaRules, Triangles};

const TILINGS: [Tiling; 3] = [Tiling::SingleTile, Tiling::Side(256), Tiling::Side(64)];

fn main() {
    print_times();
    print_sizes_and_heights();
}

/// Returns the processor time of this process in milliseconds, which is more precise than the wall clock
/// on a busy machine. Linux counts it in hundredths of a second.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some(10.0 * (ticks(11)? + ticks(12)?))
}

fn print_times() {
    let mut cases = vec![
        ("hills", TestTerrain::new(300, hills).triangles(), 8),
        ("flat", TestTerrain::new(300, flat).triangles(), 8),
    ];
    cases.extend(map("undulating.obj").map(|level| ("undulating", level, 60)));
    for (name, level, runs) in &cases {
        for tiles in TILINGS {
            // The two variants alternate, so that both are disturbed equally by other processes.
            let mut times = [0.0; 2];
            for _ in 0..*runs {
                for (time, detail_sample) in times.iter_mut().zip([0.0, 6.0]) {
                    let Some(start) = processor_time() else {
                        println!("skipped: the processor time is not available");
                        return;
                    };
                    bake_with(level, tiles, detail_sample);
                    *time += processor_time().unwrap_or(start) - start;
                }
            }
            let [without, with] = times.map(|time| time / f64::from(*runs));
            println!(
                "{name} {tiles:?}: {without:.1} ms without, {with:.1} ms with detail surfaces, {:+.1}%",
                (with / without - 1.0) * 100.0
            );
        }
    }
}

fn bake_with(level: &Triangles, tiles: Tiling, detail_sample: f32) -> Baked {
    let options = BakeOptions {
        detail_sample,
        tiles,
        ..BakeOptions::default()
    };
    bake(level, &AreaRules::default(), &options).unwrap()
}

fn print_sizes_and_heights() {
    let terrains = [
        ("hills", TestTerrain::new(300, hills)),
        ("flat", TestTerrain::new(300, flat)),
    ];
    let mut cases: Vec<(String, Triangles, Option<&TestTerrain>)> = terrains
        .iter()
        .map(|(name, terrain)| (name.to_string(), terrain.triangles(), Some(terrain)))
        .collect();
    cases.extend(map("undulating.obj").map(|level| ("undulating".into(), level, None)));
    cases.extend(map("dungeon.obj").map(|level| ("dungeon".into(), level, None)));
    for (name, level, terrain) in &cases {
        for tiles in TILINGS {
            for detail_sample in [0.0, 6.0] {
                let mesh = bake_with(level, tiles, detail_sample)
                    .build_navmesh()
                    .unwrap();
                let surfaces = mesh.polygons().map(|p| mesh.finer_surface(p));
                let (mut points, mut triangles, mut max_triangles) = (0, 0, 0);
                for (p, t) in surfaces {
                    points += p.len();
                    triangles += t.len();
                    max_triangles = max_triangles.max(t.len());
                }
                println!(
                    "{name} {tiles:?} sample {detail_sample}: {} polygons, {points} points, {triangles} triangles, at most {max_triangles} per polygon, {} kB",
                    mesh.polygon_count(),
                    mesh.bytes() / 1000,
                );
                let points: Vec<_> = PolygonPoints::new(&mesh, 1).take(200_000).collect();
                let start = Instant::now();
                let mut sum = 0.0;
                for &(_, point) in &points {
                    sum += mesh
                        .locate(point, portolan_core::DEFAULT_SNAP, |_| true)
                        .map_or(0.0, |l| l.point.y);
                }
                let seconds_each = start.elapsed().as_secs_f64() / points.len() as f64;
                print!(
                    "    locate {:.3} us (checksum {sum:.0})",
                    seconds_each * 1e6
                );
                if let Some(terrain) = terrain {
                    let mut errors: Vec<f32> = points
                        .iter()
                        .map(|&(p, point)| {
                            mesh.height_at(p, point) - terrain.ground(point.x, point.z)
                        })
                        .collect();
                    errors.sort_by(f32::total_cmp);
                    let at =
                        |fraction: f64| errors[((errors.len() - 1) as f64 * fraction) as usize];
                    let mean_square =
                        errors.iter().map(|error| error * error).sum::<f32>() / errors.len() as f32;
                    print!(
                        ", above ground: min {:.3}, 1% {:.3}, median {:.3}, 99% {:.3}, max {:.3}, rms {:.3}",
                        at(0.0),
                        at(0.01),
                        at(0.5),
                        at(0.99),
                        at(1.0),
                        mean_square.sqrt()
                    );
                }
                println!();
            }
        }
    }
}
