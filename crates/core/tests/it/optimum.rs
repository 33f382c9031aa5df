//! How far paths of taut worlds are above the true optimum on small worlds.

use glam::{Vec3, vec3};
use portolan_core::{
    DEFAULT_SNAP, Location, NavMesh, NavMeshOptions, Path, Profile, RawNavMesh, Samples, Tier,
};
use portolan_oracle::{
    Agent, CaseRng, KINDS, Optimum, Oracle, Plan, TautWorld, assert_corridor, fixed_plan, plans,
    taut_tiers, weigh,
};
use proptest::prelude::*;

/// Rectangles from one corner to the other, level along z, each with corners of its own.
fn slabs(slabs: &[[Vec3; 2]]) -> NavMesh {
    let mut raw = RawNavMesh::default();
    for &[low, high] in slabs {
        let first = raw.vertices.len() as u32;
        raw.vertices.extend([
            low,
            vec3(high.x, high.y, low.z),
            high,
            vec3(low.x, low.y, high.z),
        ]);
        raw.polygons.push([first, first + 1, first + 2, first + 3]);
    }
    NavMesh::build(raw, &NavMeshOptions::default()).expect("slabs")
}

/// Squares of 1 m where there are dots; z goes down the page.
fn squares(rows: &[&str]) -> NavMesh {
    let mut found = Vec::new();
    for (row, z) in rows.iter().zip(0u8..) {
        for (_, x) in row.bytes().zip(0u8..).filter(|(cell, _)| *cell == b'.') {
            let low = vec3(x.into(), 0.0, z.into());
            found.push([low, low + vec3(1., 0., 1.)]);
        }
    }
    slabs(&found)
}

fn locate(mesh: &NavMesh, place: Vec3) -> Location {
    let found = mesh.locate(place, DEFAULT_SNAP, |_| true);
    found.expect("a place on the mesh")
}

/// The shortest way is that long, there and back.
fn assert_shortest(mesh: &NavMesh, from: Vec3, to: Vec3, right: f64) {
    for [from, to] in [[from, to], [to, from]] {
        let (start, goal) = (locate(mesh, from), locate(mesh, to));
        let length = Optimum::new(mesh).length(start, goal);
        assert!((length - right).abs() <= 1e-4, "{length}, not {right}");
    }
}

#[test]
fn straight_on_over_vertices_and_along_borders() {
    let mesh = squares(&["...", "...", "..."]);
    let ways = [
        [vec3(0.5, 0., 0.5), vec3(2.5, 0., 2.5)],
        [vec3(0., 0., 0.), vec3(3., 0., 3.)],
        [vec3(0.2, 0., 1.), vec3(2.9, 0., 1.)],
        [vec3(0., 0., 0.), vec3(3., 0., 0.)],
        [vec3(0.1, 0., 0.7), vec3(2.8, 0., 2.2)],
    ];
    for [from, to] in ways {
        assert_shortest(&mesh, from, to, from.distance(to).into());
    }
}

#[test]
fn around_a_corner() {
    let mesh = squares(&["..", "#."]);
    let right = (0.8f64 * 0.8 + 0.5 * 0.5).sqrt() + (0.5f64 * 0.5 + 0.8 * 0.8).sqrt();
    assert_shortest(&mesh, vec3(0.2, 0., 0.5), vec3(1.5, 0., 1.8), right);
}

#[test]
fn through_a_gap() {
    let mesh = squares(&[".....", "##.##", "....."]);
    // Over both corners on the left.
    let right = 2.0 * (1.5f64 * 1.5 + 0.5 * 0.5).sqrt() + 1.0;
    assert_shortest(&mesh, vec3(0.5, 0., 0.5), vec3(0.5, 0., 2.5), right);
    // From one side to the other: straight.
    let right = (1f64 + 4.0).sqrt();
    assert_shortest(&mesh, vec3(2.0, 0., 0.5), vec3(3.0, 0., 2.5), right);
}

#[test]
fn around_a_hole() {
    let mesh = squares(&["...", ".#.", "..."]);
    let right = 2.0 * 0.5f64.sqrt() + 1.0;
    assert_shortest(&mesh, vec3(0.5, 0., 1.5), vec3(2.5, 0., 1.5), right);
}

#[test]
fn not_between_squares_that_touch_at_a_corner() {
    let mesh = squares(&[".#", "#."]);
    let (start, goal) = (
        locate(&mesh, vec3(0.5, 0., 0.5)),
        locate(&mesh, vec3(1.5, 0., 1.5)),
    );
    assert_eq!(Optimum::new(&mesh).length(start, goal), f64::INFINITY);
    // With a way around, over the corner where they touch.
    let mesh = squares(&["..", "#."]);
    let right = 2f64.sqrt();
    assert_shortest(&mesh, vec3(0.5, 0., 0.5), vec3(1.5, 0., 1.5), right);
}

#[test]
fn over_a_part_of_a_border() {
    let mesh = slabs(&[
        [vec3(0., 0., 0.), vec3(2., 0., 1.)],
        [vec3(1., 0., 1.), vec3(3., 0., 2.)],
    ]);
    let right = (0.8f64 * 0.8 + 0.1 * 0.1).sqrt() + (0.2f64 * 0.2 + 0.9 * 0.9).sqrt();
    assert_shortest(&mesh, vec3(0.2, 0., 0.9), vec3(1.2, 0., 1.9), right);
}

#[test]
fn up_to_the_floor_above() {
    // The floor below, a ramp up, a landing, a ramp back up, the floor above.
    let sheets: [[(f32, f32); 2]; 5] = [
        [(0., 0.), (4., 0.)],
        [(4., 0.), (6., 2.)],
        [(6., 2.), (7., 2.)],
        [(4., 4.), (6., 2.)],
        [(0., 4.), (4., 4.)],
    ];
    let depths = [[0., 1.], [0., 1.], [0., 2.5], [1.5, 2.5], [0., 2.5]];
    let lying = |([(west, low), (east, high)], [south, north]): ([_; 2], [f32; 2])| {
        [vec3(west, low, south), vec3(east, high, north)]
    };
    let sheets = sheets.into_iter().zip(depths).map(lying);
    let mesh = slabs(&sheets.collect::<Vec<_>>());
    let right = 25.25f64.sqrt() + 0.5 + 2.0 + 10f64.sqrt();
    assert_shortest(&mesh, vec3(1., 0., 0.5), vec3(1., 4., 0.5), right);
}

fn walker() -> Profile {
    Agent::on_foot().profile()
}

/// Fast and slow ground, without links.
fn wader() -> Profile {
    Agent {
        factors: [Some(1.0), Some(0.5), Some(2.0), Some(5.0)],
        ..Agent::on_foot()
    }
    .profile()
}

/// What is added to lengths and costs of some metres by `f32`, and by lines that cut corners.
fn rounding(length: f64) -> f64 {
    1e-5 * length + 1e-3
}

fn check_walks(plan: &Plan, tier: (Tier, Samples), seed: u64) {
    let mesh = plan.mesh();
    let mut world = TautWorld::new(mesh.clone(), tier, &walker(), seed);
    let optimum = Optimum::new(&mesh);
    let sums = Oracle::new(&mesh, &walker(), tier.1);
    let mut rng = CaseRng::new(seed);
    for _ in 0..6 {
        let tolerance = [f32::INFINITY, 0.2][rng.below(2)];
        let (from, to) = (rng.place(&mesh), rng.place(&mesh));
        let (start, goal) = (locate(&mesh, from), locate(&mesh, to));
        let least = optimum.length(start, goal);
        let Some((ends, path)) = world.ask(from, to, tolerance) else {
            assert_eq!(least, f64::INFINITY, "from {from} to {to}");
            continue;
        };
        assert_corridor(&mesh, &walker(), &path);
        let stops = optimum.sight.follow(&path, ends.start.polygon);
        let last = &stops[stops.len() - 1];
        assert!(last.polygons.contains(&ends.goal.polygon), "{path:?}");
        let legs = path.waypoints.windows(2);
        let length: f64 = legs
            .map(|leg| leg[0].as_dvec3().distance(leg[1].as_dvec3()))
            .sum();
        assert_eq!(path.length(), length);
        let (length, cost) = (path.length_xz(), f64::from(path.cost));
        assert!(
            length >= least - rounding(least),
            "{length}, not {least}: {path:?}"
        );
        assert!(
            cost >= least - rounding(least),
            "{cost}, not {least}: {path:?}"
        );
        let sum = sums.cost(ends.start, ends.goal);
        assert!(
            cost <= sum + rounding(sum),
            "{cost}, by sums {sum}: {path:?}"
        );
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(100))]

    #[test]
    fn paths_can_be_walked_and_are_no_shorter_than_the_shortest(
        plan in plans(), tier in taut_tiers(), seed: u64,
    ) {
        check_walks(&plan, tier, seed);
    }
}

/// What paths are above the optimum, as shares of it.
#[derive(Debug, Default)]
struct Excess {
    count: u32,
    sum: f64,
    least: f64,
    most: f64,
}

impl Excess {
    fn add(&mut self, found: f64, optimum: f64) {
        let share = found / optimum - 1.0;
        self.count += 1;
        self.sum += share;
        self.least = self.least.min(share);
        self.most = self.most.max(share);
    }

    /// Mean and maximum stay within bounds, in percent.
    fn assert_within(&self, what: &str, [mean, most]: [f64; 2]) {
        let Self { count, .. } = *self;
        let here = [self.sum / f64::from(count), self.most].map(|share| 100.0 * share);
        println!(
            "{what}: {count} paths, {:.3}% above on average, {:.2}% at most",
            here[0], here[1]
        );
        assert!(
            here[0] <= mean && here[1] <= most,
            "{what}: not within {mean}% and {most}%"
        );
    }
}

/// The default tier with midpoints and with samples by length from coarse to fine, and the best tier.
const TIERS: [(Tier, Samples); 4] = [
    (Tier::Default, Samples::Each(1)),
    (Tier::Default, Samples::ByLength { percentile: 90 }),
    (Tier::Default, Samples::ByLength { percentile: 50 }),
    (Tier::Best, Samples::ByLength { percentile: 50 }),
];

/// Per tier, what paths cost above the optimum, from one place to 20 others on each world.
fn excesses(
    profile: &Profile,
    plans: impl Iterator<Item = Plan>,
    optima: impl Fn(&NavMesh, Location, &[Location]) -> Vec<f64>,
    cost: impl Fn(&NavMesh, &Path) -> f64,
) -> [Excess; TIERS.len()] {
    let mut excesses: [Excess; TIERS.len()] = Default::default();
    for (plan, seed) in plans.zip(0..) {
        let (mesh, mut rng) = (plan.mesh(), CaseRng::new(seed));
        let from = rng.point_inside(&mesh);
        let places: Vec<Vec3> = (0..20).map(|_| rng.point_inside(&mesh)).collect();
        let goals: Vec<Location> = places.iter().map(|&place| locate(&mesh, place)).collect();
        let optima = optima(&mesh, locate(&mesh, from), &goals);
        for (&tier, excess) in TIERS.iter().zip(&mut excesses) {
            let mut world = TautWorld::new(mesh.clone(), tier, profile, seed);
            // Next to nothing has no share.
            let reachable = optima.iter().zip(&places);
            let reachable =
                reachable.filter(|(optimum, _)| (0.1..f64::INFINITY).contains(*optimum));
            for (&optimum, &to) in reachable {
                let path = world.ask(from, to, f32::INFINITY);
                let (_, path) = path.expect("a path where there is a way");
                excess.add(cost(&mesh, &path), optimum);
            }
        }
    }
    excesses
}

/// In percent of the shortest, per kind of world and tier: mean and maximum over some 2000 paths. Measured, not
/// proven: `--nocapture` prints what is found, which is less by a third or so. Rooms: 0.038 and 8.5, 0.037 and 9.9,
/// 0.028 and 9.0, best 0.020 and 8.9. Open ground: 0.17 and 33, 0.055 and 5.8, 0.048 and 6.8, best 0.001 and 1.1.
/// Patchwork: 0.002 and 1.9 twice, 0.004 and 2.9, best 0.000 and 0.00.
const WALKS: [[[f64; 2]; TIERS.len()]; 3] = [
    [[0.05, 11.0], [0.05, 13.0], [0.04, 12.0], [0.03, 12.0]],
    [[0.22, 36.0], [0.07, 7.7], [0.06, 9.0], [0.002, 1.4]],
    [[0.003, 2.5], [0.003, 2.5], [0.005, 3.8], [0.001, 0.05]],
];

#[test]
fn excess_over_the_shortest_is_bounded() {
    for (kind, bounds) in WALKS.iter().enumerate() {
        let plans = (0..100).map(|seed| fixed_plan(kind, seed, 0.0));
        let lengths = |mesh: &NavMesh, start, goals: &[Location]| {
            let optimum = Optimum::new(mesh);
            let lengths = goals.iter().map(|&goal| optimum.length(start, goal));
            lengths.collect()
        };
        let found = excesses(&walker(), plans, lengths, |_, path| path.length_xz());
        for ((excess, tier), &bound) in found.iter().zip(TIERS).zip(bounds) {
            excess.assert_within(&format!("{} {tier:?}", KINDS[kind]), bound);
        }
    }
}

/// Gaps between samples on a portal in dense graphs.
const GAPS: u32 = 32;
/// What the least sum on a dense graph is above the optimum, at most, on the worlds below.
const DENSE_EXCESS: f64 = 0.01;

#[test]
fn dense_samples_come_near_the_shortest() {
    let mut excess = Excess::default();
    for kind in 0..KINDS.len() {
        for seed in 0..6 {
            let (mesh, mut rng) = (fixed_plan(kind, seed, 0.0).mesh(), CaseRng::new(seed));
            let mut place = || locate(&mesh, rng.point_inside(&mesh));
            let (start, goals) = (place(), [(); 20].map(|()| place()));
            let optimum = Optimum::new(&mesh);
            for (goal, sum) in goals
                .iter()
                .zip(dense_costs(&mesh, &walker(), start, &goals))
            {
                let least = optimum.length(start, *goal);
                assert_eq!(sum == f64::INFINITY, least == f64::INFINITY);
                if (0.1..f64::INFINITY).contains(&least) {
                    assert!(sum >= least - 1e-4, "{sum}, not {least}");
                    excess.add(sum, least);
                }
            }
        }
    }
    // Measured: 0.024% and 0.32%; with half the gaps 0.085% and 0.88%.
    excess.assert_within("dense samples", [0.05, 100.0 * DENSE_EXCESS]);
}

/// The same where ground differs, by what a path's line costs, over some 600 paths on level and on hilly worlds.
/// Lines are the shortest through their corridor and not the cheapest, and few samples know how to keep to the rim
/// of dear ground: on a patchwork, where a cell costs up to ten times what its neighbours do, that is most of it.
/// The mean is some 0.65 in rooms, 0.75 to 0.9 on open ground and 30 to 31 on patchworks, at any tier.
const WADES: [[[f64; 2]; TIERS.len()]; 3] = [
    [[0.85, 20.0], [0.85, 20.0], [0.8, 20.0], [0.8, 20.0]],
    [[1.05, 125.0], [1.0, 125.0], [1.2, 125.0], [1.0, 125.0]],
    [[36.0, 350.0], [36.0, 350.0], [36.0, 275.0], [36.0, 275.0]],
];

#[test]
fn excess_over_the_cheapest_is_bounded() {
    for (kind, bounds) in WADES.iter().enumerate() {
        let plans = (0..30).map(|seed| fixed_plan(kind, seed, [0.0, 2.0][seed as usize % 2]));
        let wader = wader();
        let costs =
            |mesh: &NavMesh, start, goals: &[Location]| dense_costs(mesh, &wader, start, goals);
        let found = excesses(&wader, plans, costs, |mesh, path| weigh(mesh, &wader, path));
        for ((excess, tier), &bound) in found.iter().zip(TIERS).zip(bounds) {
            let what = format!("{} with areas {tier:?}", KINDS[kind]);
            assert!(excess.least >= -DENSE_EXCESS, "{what}: {excess:?}");
            excess.assert_within(&what, bound);
        }
    }
}

fn dense_costs(mesh: &NavMesh, profile: &Profile, start: Location, goals: &[Location]) -> Vec<f64> {
    let dense = Oracle::dense(mesh, profile, GAPS);
    let costs = dense.costs_from(start);
    let costs = goals
        .iter()
        .map(|&goal| dense.cost_after(&costs, start, goal));
    costs.collect()
}
