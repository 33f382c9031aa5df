//! Tests of taut customization: it does not depend on the number of threads, and gives shorter paths.

use portolan_core::{
    Engine, NavMesh, NavMeshOptions, Path, Query, Samples, Scratch, Status, Tier, World,
    WorldError, no_progress,
};
use portolan_index::{IndexError, IndexOptions, build};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
use rayon::ThreadPoolBuilder;

fn mesh(scene: WorldScene, options: &WorldOptions) -> NavMesh {
    let mesh = NavMesh::build(scene.build(options), &NavMeshOptions::default());
    mesh.expect("a valid world")
}

fn with_tiers(mesh: NavMesh, tiers: &[Tier]) -> World {
    let options = IndexOptions {
        tiers: tiers.to_vec(),
        ..IndexOptions::default()
    };
    build(mesh, &options, &no_progress).expect("tiers")
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    for (scene, links) in [(WorldScene::Rooms, false), (WorldScene::Open, true)] {
        let options = WorldOptions {
            polygons: 4000,
            areas: links,
            links,
            ..WorldOptions::default()
        };
        let mesh = mesh(scene, &options);
        let built = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| {
                let world = with_tiers(mesh.clone(), &[Tier::Default]);
                let contraction = world.tier(Tier::Default)?.1.clone();
                let shortcuts = world.default_costs().shortcuts(Tier::Default)?.clone();
                Some((contraction, shortcuts))
            })
        };
        let one = built(1).expect("a tier");
        assert_eq!(one.1.is_symmetric(), !links);
        for threads in [2, 4] {
            assert!(built(threads).as_ref() == Some(&one), "{threads} threads");
        }
    }
}

#[test]
fn taut_paths_are_shorter() {
    for scene in [WorldScene::Rooms, WorldScene::Open] {
        let options = WorldOptions {
            polygons: 3000,
            ..WorldOptions::default()
        };
        let world = with_tiers(mesh(scene, &options), &Tier::CONTRACTED);
        let mut points = RandomPoints::new(world.mesh(), 5);
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let mut lengths = [0.0; Tier::CONTRACTED.len()];
        for _ in 0..300 {
            let [from, to] = [(); 2].map(|()| points.next().expect("a point"));
            for (tier, sum) in Tier::CONTRACTED.into_iter().zip(&mut lengths) {
                let query = Query {
                    engine: Engine::Contraction(tier),
                    ..Query::new(from, to)
                };
                let status = world
                    .find_path(&query, &mut scratch, &mut path)
                    .expect("an engine of this world");
                assert!(matches!(status, Status::Found | Status::NoPath));
                *sum += path.length_xz();
            }
        }
        let [summed, taut, _] = lengths;
        assert!(taut < summed, "{scene:?}: {taut} m, by sums {summed} m");
        let shorter = lengths.map(|length| (1.0 - length / summed) * 100.0);
        println!("{scene:?}: {shorter:.3?}% shorter");
    }
}

#[test]
fn samples_can_be_chosen_within_limits() {
    let mesh = mesh(WorldScene::Rooms, &WorldOptions::default());
    let with = |tier, samples| {
        let options = IndexOptions {
            tiers: vec![tier],
            samples: [(tier, samples)].into(),
            ..IndexOptions::default()
        };
        build(mesh.clone(), &options, &no_progress)
    };
    let samples = Samples::ByLength { percentile: 60 };
    let built = with(Tier::Best, samples).expect("a tier");
    let (graph, _) = built.tier(Tier::Best).expect("the tier");
    assert_eq!(graph.options().samples, samples);
    assert_eq!(built.graph(), World::from_mesh(mesh.clone()).graph());
    for samples in [Samples::Each(0), Samples::ByLength { percentile: 101 }] {
        let error = with(Tier::Best, samples).expect_err("samples outside the limits");
        let options = built.taut_graph_options(samples);
        assert_eq!(error, IndexError::World(WorldError::Graph(options)));
    }
    let error = with(Tier::Fast, samples).expect_err("a tier without samples of its own");
    assert_eq!(error, IndexError::World(WorldError::NotTaut(Tier::Fast)));
}
