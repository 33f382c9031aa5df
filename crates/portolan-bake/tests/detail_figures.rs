//! What finer surfaces cost and bring: `RAYON_NUM_THREADS=1 cargo test --release -p portolan-bake --test
//! detail_figures -- --ignored --nocapture`.

mod levels;

use std::time::{Duration, Instant};

use levels::{Terrain, flat, hills, map, random_places};
use portolan::{AreaRules, NavMesh, Triangles};
use portolan_bake::{BakeOptions, Tiles, bake};

/// The best time of some runs, and the mesh.
fn measure(level: &Triangles, options: &BakeOptions) -> (Duration, NavMesh) {
    let mut best = Duration::MAX;
    let mut mesh = None;
    for _ in 0..5 {
        let start = Instant::now();
        let baked = bake(level, &AreaRules::default(), options).unwrap();
        best = best.min(start.elapsed());
        mesh = Some(baked.build_navmesh().unwrap());
    }
    (best, mesh.unwrap())
}

#[test]
#[ignore = "prints figures"]
fn figures() {
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
        for tiles in [Tiles::Whole, Tiles::Side(256), Tiles::Side(64)] {
            for detail_sample in [0.0, 6.0] {
                let options = BakeOptions {
                    detail_sample,
                    tiles,
                    ..BakeOptions::default()
                };
                let (time, mesh) = measure(level, &options);
                let finer = mesh.polygons().map(|p| mesh.finer_surface(p));
                let (mut points, mut triangles, mut most) = (0, 0, 0);
                for (p, t) in finer {
                    points += p.len();
                    triangles += t.len();
                    most = most.max(t.len());
                }
                println!(
                    "{name} {tiles:?} sample {detail_sample}: {:.1} ms, {} polygons, {points} points, {triangles} triangles, at most {most}, {} kB",
                    time.as_secs_f64() * 1e3,
                    mesh.polygon_count(),
                    mesh.bytes() / 1000,
                );
                let places = random_places(&mesh, 200_000, 1);
                let start = Instant::now();
                let mut sum = 0.0;
                for &(_, place) in &places {
                    sum += mesh
                        .locate(place, portolan::DEFAULT_SNAP, |_| true)
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
