//! The memory that a world reports is the memory that it allocates.

use allocation_counter::measure;
use portolan_core::{Engine, NavMesh, NavMeshOptions, Tier, no_progress};
use portolan_index::{IndexOptions, build};
use portolan_scenes::{WorldOptions, WorldScene};

/// By how much a world may exceed what it reports: owners of arrays, and small tables.
const MAX_EXCESS: f64 = 1.02;

#[test]
fn a_world_allocates_what_it_reports() {
    for scene in [WorldScene::Rooms, WorldScene::Open] {
        let options = WorldOptions {
            polygons: 3000,
            ..WorldOptions::default()
        };
        let raw = scene.build(&options);
        let index = IndexOptions {
            tiers: vec![Tier::Default],
            exact_where_cheap: false,
            ..IndexOptions::default()
        };
        // The allocations of one thread are counted.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let (reported, live) = pool.expect("a thread").install(|| {
            let mut built = None;
            let counts = measure(|| {
                let mesh = NavMesh::build(raw.clone(), &NavMeshOptions::default());
                let mesh = mesh.expect("the scene is valid");
                built = Some(build(mesh, &index, &no_progress).expect("valid options"));
            });
            let world = built.expect("it was built");
            let parts = [
                world.mesh().bytes(),
                world.graph().bytes(),
                world.engine_bytes(Engine::Contraction(Tier::Default)),
            ];
            (
                parts.iter().sum::<usize>() as f64,
                counts.bytes_current as f64,
            )
        });
        assert!(
            (reported..MAX_EXCESS * reported).contains(&live),
            "{scene:?}: {live} bytes are allocated, {reported} are reported"
        );
    }
}
