//! Tests of agents at once on three rooms and an island.

use glam::vec3;
use portolan_core::Status;

use super::*;
use crate::check::same;
use crate::tests::rooms;

/// Two agents with a path, one whose goal is on the island, and one whose goal is off the mesh.
const QUERIES: [[Vec3; 2]; 4] = [
    [vec3(1.0, 0.0, 3.0), vec3(12.0, 0.0, 0.5)],
    [vec3(1.0, 0.0, 3.0), vec3(22.0, 0.0, 2.0)],
    [vec3(1.0, 0.0, 3.0), vec3(100.0, 0.0, 100.0)],
    [vec3(12.0, 0.0, 0.5), vec3(1.0, 0.0, 3.0)],
];

#[test]
fn all_rows_find_the_same_paths_on_any_number_of_threads() {
    for threads in [1, 2, 3] {
        let queries = QUERIES.repeat(20);
        let figures = measure(&rooms(), &queries, threads).unwrap();
        assert_eq!(figures.faults, [""; 0]);
        let names: Vec<&str> = figures.rows.iter().map(|row| &*row.name).collect();
        let expected = [
            detour::WITH_ALL_NODES,
            "waypoints by auto",
            "waypoints by contraction:fast",
            "next by labels",
            "portal by labels",
        ];
        assert_eq!(names, expected);
        for row in &figures.rows {
            assert_eq!(row.found, 40, "{row:?}");
            assert!(row.length_ratio.is_none_or(|ratio| same(ratio, 1.0)));
        }
        let table = figures.table("rooms");
        let title = format!("rooms: 80 agents at once on {threads} threads");
        assert!(table.contains(&title), "{table}");
        assert_eq!(table.trim().lines().count(), 2 + 5, "{table}");
    }
}

#[test]
fn wrong_answers_are_faults() {
    let mesh = rooms();
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    build_detours(&pool, &mesh).unwrap();
    let detours = detour_answers(&pool, &QUERIES);
    let world = build(mesh, &IndexOptions::default(), &no_progress).unwrap();
    let answered = |(want, engine)| {
        let mut batch = Batch::new(want, engine);
        batch.frame(&world, &pool, &QUERIES).unwrap();
        batch
    };
    let faults_of = |batch: &Batch| batch.faults(&world, &QUERIES, &detours);

    for kind in BATCHES {
        let mut batch = answered(kind);
        assert_eq!(faults_of(&batch), [""; 0]);
        batch.answers.statuses[1] = Status::GoalOffMesh;
        let faults = faults_of(&batch);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].contains("1 statuses differ"), "{faults:?}");
        assert!(faults[0].contains("agent 1"), "{faults:?}");
    }

    let mut batch = answered(BATCHES[3]);
    batch.answers.statuses[3] = Status::NoPath;
    let faults = faults_of(&batch);
    assert!(
        faults[1].contains("1 paths instead of Detour's 2"),
        "{faults:?}"
    );

    let mut batch = answered(BATCHES[0]);
    batch.answers.waypoints.values[1].z -= 1.0;
    let faults = faults_of(&batch);
    assert!(faults[0].contains("agent 0: length"), "{faults:?}");
    assert!(
        faults[1].contains("times as long as Detour's"),
        "{faults:?}"
    );
}
