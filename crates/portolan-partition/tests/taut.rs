//! Taut customization in a good order: the same on any number of threads, and shorter paths.

use portolan::worlds::{RandomPoints, Scene, WorldOptions};
use portolan::{Engine, NavMesh, NavMeshOptions, Path, Query, Scratch, Status, World};
use portolan_partition::{OrderOptions, order};
use rayon::ThreadPoolBuilder;

fn world(scene: Scene, options: &WorldOptions) -> (World, Vec<u32>) {
    let mesh = NavMesh::build(scene.build(options), &NavMeshOptions::default());
    let world = World::from_mesh(mesh.expect("a sound world"));
    let order = order(world.graph(), &OrderOptions::default()).expect("an order");
    (world, order)
}

#[test]
fn threads_make_no_difference() {
    for (scene, links) in [(Scene::Rooms, false), (Scene::Open, true)] {
        let options = WorldOptions {
            polygons: 4000,
            areas: links,
            links,
            ..WorldOptions::default()
        };
        let (world, order) = world(scene, &options);
        let made = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| {
                let world = world.clone().with_taut_contraction(order.clone());
                world.default_costs().shortcuts().cloned()
            })
        };
        let one = made(1).expect("a contraction");
        assert_eq!(one.is_symmetric(), !links);
        for threads in [2, 4] {
            assert!(made(threads).as_ref() == Some(&one), "{threads} threads");
        }
    }
}

#[test]
fn paths_are_shorter() {
    for scene in [Scene::Rooms, Scene::Open] {
        let options = WorldOptions {
            polygons: 3000,
            ..WorldOptions::default()
        };
        let (world, order) = world(scene, &options);
        let summed = world.clone().with_contraction(order.clone());
        let taut = world.with_taut_contraction(order);
        let mut points = RandomPoints::new(summed.mesh(), 5);
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let mut lengths = [0.0; 2];
        for _ in 0..300 {
            let [from, to] = [(); 2].map(|()| points.next().expect("a point"));
            let query = Query {
                engine: Engine::Contraction,
                ..Query::new(from, to)
            };
            for (world, sum) in [&summed, &taut].into_iter().zip(&mut lengths) {
                let status = world.find_path(&query, &mut scratch, &mut path);
                assert!(matches!(status, Status::Found | Status::NoPath));
                *sum += path.length_xz();
            }
        }
        let [summed, taut] = lengths;
        assert!(taut < summed, "{scene:?}: {taut} m, by sums {summed} m");
        println!("{scene:?}: {:.3}% shorter", (1.0 - taut / summed) * 100.0);
    }
}
