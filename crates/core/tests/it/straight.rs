//! Waypoints of taut worlds are straight: no turn back, and no corner that the path could do without.

use glam::vec3;
use portolan_core::{
    DEFAULT_SNAP, NavMesh, NavMeshOptions, Path, PolygonId, RawNavMesh, Samples, Tier,
};
use portolan_oracle::{
    Agent, CaseRng, KINDS, Plan, Sight, TautWorld, fixed_plan, is_inside, plans,
    superfluous_corners, taut_tiers, turns_back,
};
use proptest::prelude::*;

/// No waypoints but corners.
const CORNERS: [f32; 1] = [f32::INFINITY];

/// Walls without thickness stand where a step is too high to climb; around their tips one may have to turn back.
fn has_thin_walls(plan: &Plan) -> bool {
    matches!(plan, Plan::Patchwork(patchwork) if patchwork.steps.is_some_and(|step| step > 0.9))
}

/// A corner of stepped ground has as many heights as portals end there, and which of them a bend pays for is the
/// corridor's to say.
fn without_steps(mut plan: Plan) -> Plan {
    if let Plan::Patchwork(patchwork) = &mut plan {
        patchwork.steps = patchwork.steps.filter(|&step| step == 0.0);
    }
    plan
}

/// Tells of paths between random places of a world, each at one of the tolerances to the ground.
fn for_each_path(
    plan: &Plan,
    tier: (Tier, Samples),
    tolerances: &[f32],
    seed: u64,
    mut tell: impl FnMut(&Sight<'_>, &Path, PolygonId),
) {
    let mesh = plan.mesh();
    let mut world = TautWorld::new(mesh.clone(), tier, &Agent::on_foot().profile(), seed);
    let sight = Sight::new(&mesh);
    let mut rng = CaseRng::new(seed);
    for _ in 0..6 {
        let tolerance = tolerances[rng.below(tolerances.len())];
        let (from, to) = (rng.place(&mesh), rng.place(&mesh));
        if let Some((ends, path)) = world.ask(from, to, tolerance) {
            tell(&sight, &path, ends.start.polygon);
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    #[test]
    fn no_path_turns_back(plan in plans(), tier in taut_tiers(), seed: u64) {
        prop_assume!(!has_thin_walls(&plan));
        for_each_path(&plan, tier, &[f32::INFINITY, 0.2], seed, |_, path, _| {
            assert_eq!(turns_back(path), [], "{path:?}");
        });
    }

    #[test]
    fn no_corner_is_superfluous(
        plan in plans().prop_map(without_steps), tier in taut_tiers(), seed: u64,
    ) {
        for_each_path(&plan, tier, &CORNERS, seed, |sight, path, start| {
            assert_eq!(superfluous_corners(sight, path, start), [], "{path:?}");
        });
    }
}

/// How many paths have superfluous corners: `cargo test -p portolan-core --test it -- --ignored --nocapture straight::figures`.
#[test]
#[ignore = "prints figures"]
fn figures() {
    let by_length = |percentile| Samples::ByLength { percentile };
    let tiers = [
        (Tier::Default, Samples::Each(1)),
        (Tier::Default, by_length(90)),
        (Tier::Default, by_length(50)),
        (Tier::Best, by_length(50)),
    ];
    for tier in tiers {
        for (kind, name) in KINDS.iter().enumerate() {
            let (mut paths, mut crooked, mut at_walls, mut inside) = (0, 0, 0, 0);
            for seed in 0..330 {
                let plan = fixed_plan(kind, seed, 0.0);
                for_each_path(&plan, tier, &CORNERS, seed, |sight, path, start| {
                    let found = superfluous_corners(sight, path, start);
                    let stops = sight.follow(path, start);
                    let is_inside = |i: &&usize| is_inside(sight.mesh, &stops[**i]);
                    let within = found.iter().filter(is_inside).count();
                    paths += 1;
                    crooked += usize::from(!found.is_empty());
                    inside += within;
                    at_walls += found.len() - within;
                });
            }
            println!(
                "{name} {tier:?}: {crooked} of {paths} paths, at {inside} vertices inside and {at_walls} at walls"
            );
        }
    }
}

/// Four squares of 1 m around the vertex at (1, 1).
fn window() -> NavMesh {
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

fn path_over(places: &[(f32, f32)]) -> Path {
    Path {
        waypoints: places.iter().map(|&(x, z)| vec3(x, 0., z)).collect(),
        ..Path::default()
    }
}

#[test]
fn a_turn_back_is_seen() {
    let there_and_back = path_over(&[(0.5, 0.5), (1.5, 0.5), (1.5, 0.5), (1., 0.5), (1., 1.5)]);
    // At the first of two waypoints that are one place, and at the second.
    assert_eq!(turns_back(&there_and_back), [1, 2]);
    assert_eq!(turns_back(&path_over(&[(0., 0.), (1., 0.), (0., 0.1)])), []);
}

#[test]
fn a_superfluous_corner_is_seen() {
    let mesh = window();
    let sight = Sight::new(&mesh);
    let start = mesh.locate(vec3(0.5, 0., 0.2), DEFAULT_SNAP, |_| true);
    let start = start.expect("a place on the mesh").polygon;
    let bent = path_over(&[(0.5, 0.2), (1., 1.), (1.2, 1.8)]);
    assert_eq!(superfluous_corners(&sight, &bent, start), [1]);
    let straight = path_over(&[(0.5, 0.2), (1., 1.), (1.5, 1.8)]);
    assert_eq!(superfluous_corners(&sight, &straight, start), []);
}
