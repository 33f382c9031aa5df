//! Waypoints of taut tiers are straight: no path reverses its direction, and no path has an unnecessary corner.

use glam::vec3;
use portolan_core::{
    DEFAULT_SNAP, NavMesh, NavMeshOptions, Path, PolygonId, RawNavMesh, Samples, Tier,
};
use portolan_oracle::{
    Agent, CaseRng, MeshPlan, Sight, TautWorld, plans, taut_tiers, turns_back, unnecessary_corners,
};
use proptest::prelude::*;

/// The tolerance to the ground with which all waypoints are corners.
const CORNERS: [f32; 1] = [f32::INFINITY];

/// Returns whether a plan can have walls of zero thickness, which arise where a step is too high to climb. A path may
/// have to reverse its direction at the end of such a wall.
fn has_thin_walls(plan: &MeshPlan) -> bool {
    matches!(plan, MeshPlan::Patchwork(patchwork) if patchwork.steps.is_some_and(|step| step > 0.9))
}

/// Removes the steps of a plan. A corner on stepped ground has a different height for each portal that ends there, and
/// the cost of a bend depends on the corridor.
fn without_steps(mut plan: MeshPlan) -> MeshPlan {
    if let MeshPlan::Patchwork(patchwork) = &mut plan {
        patchwork.steps = patchwork.steps.filter(|&step| step == 0.0);
    }
    plan
}

/// Finds paths between random points of a world, each with one of the tolerances to the ground. Calls `visit` with each
/// path and the polygon of its start.
fn for_each_path(
    plan: &MeshPlan,
    tier: (Tier, Samples),
    tolerances: &[f32],
    seed: u64,
    mut visit: impl FnMut(&Sight<'_>, &Path, PolygonId),
) {
    let mesh = plan.mesh();
    let mut world = TautWorld::new(mesh.clone(), tier, &Agent::without_links().profile(), seed);
    let sight = Sight::new(&mesh);
    let mut rng = CaseRng::new(seed);
    for _ in 0..6 {
        let tolerance = tolerances[rng.below(tolerances.len())];
        let (from, to) = (rng.point_on(&mesh), rng.point_on(&mesh));
        if let Some((ends, path)) = world.find(from, to, tolerance) {
            visit(&sight, &path, ends.start.polygon);
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    #[test]
    fn no_path_reverses_its_direction(plan in plans(), tier in taut_tiers(), seed: u64) {
        prop_assume!(!has_thin_walls(&plan));
        for_each_path(&plan, tier, &[f32::INFINITY, 0.2], seed, |_, path, _| {
            assert_eq!(turns_back(path), [], "{path:?}");
        });
    }

    #[test]
    fn no_path_has_an_unnecessary_corner(
        plan in plans().prop_map(without_steps), tier in taut_tiers(), seed: u64,
    ) {
        for_each_path(&plan, tier, &CORNERS, seed, |sight, path, start| {
            assert_eq!(unnecessary_corners(sight, path, start), [], "{path:?}");
        });
    }
}

/// Builds four squares of 1 m around the vertex at (1, 1).
fn four_squares() -> NavMesh {
    let mut raw = RawNavMesh::default();
    for z in 0u8..3 {
        let points = (0u8..3).map(|x| vec3(x.into(), 0., z.into()));
        raw.vertices.extend(points);
    }
    for first in [0, 1, 3, 4] {
        raw.polygons.push([first, first + 1, first + 4, first + 3]);
    }
    NavMesh::build(raw, &NavMeshOptions::default()).expect("four squares")
}

fn path_over(points: &[(f32, f32)]) -> Path {
    let mut path = Path::default();
    path.waypoints = points.iter().map(|&(x, z)| vec3(x, 0., z)).collect();
    path
}

#[test]
fn a_reversal_is_detected() {
    let there_and_back = path_over(&[(0.5, 0.5), (1.5, 0.5), (1.5, 0.5), (1., 0.5), (1., 1.5)]);
    // Waypoints 1 and 2 are at the same position, and both are reported.
    assert_eq!(turns_back(&there_and_back), [1, 2]);
    assert_eq!(turns_back(&path_over(&[(0., 0.), (1., 0.), (0., 0.1)])), []);
}

#[test]
fn an_unnecessary_corner_is_detected() {
    let mesh = four_squares();
    let sight = Sight::new(&mesh);
    let start = mesh.locate(vec3(0.5, 0., 0.2), DEFAULT_SNAP, |_| true);
    let start = start.expect("the point is on the mesh").polygon;
    let bent = path_over(&[(0.5, 0.2), (1., 1.), (1.2, 1.8)]);
    assert_eq!(unnecessary_corners(&sight, &bent, start), [1]);
    let straight = path_over(&[(0.5, 0.2), (1., 1.), (1.5, 1.8)]);
    assert_eq!(unnecessary_corners(&sight, &straight, start), []);
}
