//! Partitions of real maps, which are next to the checkout and not part of it. If they are missing, this
//! test prints that and passes.

use portolan_core::NavMesh;
use portolan_index::{PartitionOptions, partition};

#[test]
fn no_node_has_more_portals_than_its_bound() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/maps");
    for name in [
        "nav_test.navmesh.obj",
        "dungeon.navmesh.obj",
        "undulating.navmesh.obj",
        "lqdm5.navmesh.obj",
        "lq_e1m1.navmesh.obj",
        "vaduz.navmesh.obj",
        "dungeon_all_tiles_navmesh.bin",
    ] {
        let Ok(bytes) = std::fs::read(format!("{folder}/{name}")) else {
            println!("skipped: {name} does not exist");
            continue;
        };
        let imported = portolan_formats::import_bytes(name, &bytes).unwrap();
        let mesh = NavMesh::build(imported.raw, &imported.options).unwrap();
        for merge_factor in [2, 4, 6, 8, 10, 15, 20] {
            let options = PartitionOptions {
                merge_factor,
                ..PartitionOptions::default()
            };
            let partition = partition(&mesh, &options).unwrap();
            for statistics in partition.statistics(&mesh) {
                for node in partition.node_statistics(&mesh, statistics.level) {
                    let bound = node.bound(statistics.max_portals);
                    assert!(node.inter_edges as i64 <= bound, "{name}: {node:?}");
                }
            }
        }
    }
}
