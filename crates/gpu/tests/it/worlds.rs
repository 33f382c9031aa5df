//! Worlds with every engine that runs on a device.

use std::sync::OnceLock;

use glam::Vec3;
use portolan_core::{CostModel, NavMesh, NavMeshOptions, Tier, World, no_progress};
use portolan_gpu::Gpu;
use portolan_index::{HierarchyOptions, IndexOptions, PartitionOptions, build};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

/// Returns the device that all tests share.
pub(crate) fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| Gpu::new().expect("an adapter: install mesa-vulkan-drivers"))
}

/// Indexes a scene, with a hierarchy and a contraction.
pub(crate) fn indexed(scene: WorldScene, options: &WorldOptions, cost_model: CostModel) -> World {
    let mesh = NavMesh::build(scene.build(options), &NavMeshOptions::default()).expect("a mesh");
    let partition = PartitionOptions {
        merge_factor: 8,
        ..PartitionOptions::default()
    };
    let mut options = IndexOptions {
        tiers: vec![Tier::Fast],
        hierarchy: Some(HierarchyOptions {
            partition,
            ..HierarchyOptions::default()
        }),
        ..IndexOptions::default()
    };
    options.graph.cost_model = cost_model;
    build(mesh, &options, &no_progress).expect("an index")
}

/// Returns worlds of several kinds: indoors and outdoors, with areas, one-way links, islands, floors and hills.
pub(crate) fn worlds() -> Vec<(String, World)> {
    let mut worlds = Vec::new();
    for scene in WorldScene::ALL {
        for (polygons, floors, cost_model) in [
            (300, 1, CostModel::Portals),
            (900, 3, CostModel::Portals),
            (300, 1, CostModel::Published),
            (300, 2, CostModel::Plan),
        ] {
            let options = WorldOptions {
                polygons,
                seed: 5,
                areas: true,
                links: true,
                floors,
                relief: 3.0,
            };
            let name = format!("{scene:?} {polygons} {cost_model:?}");
            worlds.push((name, indexed(scene, &options, cost_model)));
        }
    }
    worlds
}

/// Returns the world that every kernel answers without the CPU: rooms with 1 500 polygons.
pub(crate) fn stated_world() -> World {
    let options = WorldOptions {
        polygons: 1500,
        ..WorldOptions::default()
    };
    indexed(WorldScene::Rooms, &options, CostModel::Portals)
}

/// Draws random queries on a mesh.
pub(crate) fn queries(mesh: &NavMesh, count: usize, seed: u64) -> Vec<[Vec3; 2]> {
    let mut points = RandomPoints::new(mesh, seed);
    let mut next = || points.next().expect("a mesh with ground");
    (0..count).map(|_| [next(), next()]).collect()
}
