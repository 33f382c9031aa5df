//! What finer surfaces cost and bring: `RAYON_NUM_THREADS=1 cargo run --release -p portolan-bake
//! --example detail_figures`.

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::time::Instant;

use common::terrain::{Terrain, flat, hills};
use common::{Places, map};
use portolan_bake::{BakeOptions, Baked, Tiles, bake};
use portolan_core::{AreaRules, Triangles};

const TILES: [Tiles; 3] = [Tiles::Whole, Tiles::Side(256), Tiles::Side(64)];

fn main() {
    times();
    sizes_and_heights();
}

/// Processor time that this process has used, in milliseconds; on a busy machine it says more than
/// the clock. Linux counts it in hundredths of a second.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some(10.0 * (ticks(11)? + ticks(12)?))
}

fn times() {
    let mut cases = vec![
        ("hills", Terrain::new(300, hills).triangles(), 8),
        ("flat", Terrain::new(300, flat).triangles(), 8),
    ];
    cases.extend(map("undulating.obj").map(|level| ("undulating", level, 60)));
    for (name, level, runs) in &cases {
        for tiles in TILES {
            // In turns, so that both meet the same disturbances.
            let mut times = [0.0; 2];
            for _ in 0..*runs {
                for (time, detail_sample) in times.iter_mut().zip([0.0, 6.0]) {
                    let Some(start) = processor_time() else {
                        println!("skipped: no processor time here");
                        return;
                    };
                    bake_with(level, tiles, detail_sample);
                    *time += processor_time().unwrap_or(start) - start;
                }
            }
            let [without, with] = times.map(|time| time / f64::from(*runs));
            println!(
                "{name} {tiles:?}: {without:.1} ms without, {with:.1} ms with finer surfaces, {:+.1}%",
                (with / without - 1.0) * 100.0
            );
        }
    }
}

fn bake_with(level: &Triangles, tiles: Tiles, detail_sample: f32) -> Baked {
    let options = BakeOptions {
        detail_sample,
        tiles,
        ..BakeOptions::default()
    };
    bake(level, &AreaRules::default(), &options).unwrap()
}

fn sizes_and_heights() {
    let terrains = [
        ("hills", Terrain::new(300, hills)),
        ("flat", Terrain::new(300, flat)),
    ];
    let mut cases: Vec<(String, Triangles, Option<&Terrain>)> = terrains
        .iter()
        .map(|(name, terrain)| (name.to_string(), terrain.triangles(), Some(terrain)))
        .collect();
    cases.extend(map("undulating.obj").map(|level| ("undulating".into(), level, None)));
    cases.extend(map("dungeon.obj").map(|level| ("dungeon".into(), level, None)));
    for (name, level, terrain) in &cases {
        for tiles in TILES {
            for detail_sample in [0.0, 6.0] {
                let mesh = bake_with(level, tiles, detail_sample)
                    .build_navmesh()
                    .unwrap();
                let finer = mesh.polygons().map(|p| mesh.finer_surface(p));
                let (mut points, mut triangles, mut most) = (0, 0, 0);
                for (p, t) in finer {
                    points += p.len();
                    triangles += t.len();
                    most = most.max(t.len());
                }
                println!(
                    "{name} {tiles:?} sample {detail_sample}: {} polygons, {points} points, {triangles} triangles, at most {most}, {} kB",
                    mesh.polygon_count(),
                    mesh.bytes() / 1000,
                );
                let places: Vec<_> = Places::new(&mesh, 1).take(200_000).collect();
                let start = Instant::now();
                let mut sum = 0.0;
                for &(_, place) in &places {
                    sum += mesh
                        .locate(place, portolan_core::DEFAULT_SNAP, |_| true)
                        .map_or(0.0, |l| l.point.y);
                }
                let each = start.elapsed().as_secs_f64() / places.len() as f64;
                print!("    locate {:.3} us ({sum:.0})", each * 1e6);
                if let Some(terrain) = terrain {
                    let mut off: Vec<f32> = places
                        .iter()
                        .map(|&(p, place)| {
                            mesh.height_at(p, place) - terrain.ground(place.x, place.z)
                        })
                        .collect();
                    off.sort_by(f32::total_cmp);
                    let at = |share: f64| off[((off.len() - 1) as f64 * share) as usize];
                    let square = off.iter().map(|o| o * o).sum::<f32>() / off.len() as f32;
                    print!(
                        ", above ground: least {:.3}, 1% {:.3}, median {:.3}, 99% {:.3}, most {:.3}, rms {:.3}",
                        at(0.0),
                        at(0.01),
                        at(0.5),
                        at(0.99),
                        at(1.0),
                        square.sqrt()
                    );
                }
                println!();
            }
        }
    }
}
