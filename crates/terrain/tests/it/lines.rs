//! Lines of paths, compared with a slow search over many points per edge.

use glam::{Vec2, vec2};
use oorandom::Rand32;
use portolan_oracle::ground::{GroundPlan, grid, hills, plans};
use portolan_oracle::is_long_run;
use portolan_oracle::lines::{dense_line, leg_price};
use portolan_terrain::{
    Distances, Price, Terrain, TerrainLine, TerrainOptions, TerrainPath, TerrainQuery,
    TerrainScratch, TerrainStatus, TriangleWeb,
};
use proptest::prelude::*;

const SIDE: usize = 17;

/// Creates ground of 17 x 17 points.
#[allow(
    clippy::disallowed_methods,
    reason = "lines are compared with a search on the same ground"
)]
fn ground(four: bool, height: impl Fn(usize, usize) -> f32, swamps: bool, price: Price) -> Terrain {
    let (points, triangles) = grid([SIDE, SIDE], four, height);
    let rate = std::f32::consts::TAU / 8.0;
    let difficulty = triangles.iter().map(|corners| {
        let middle = points[corners[0] as usize].midpoint(points[corners[1] as usize]);
        let wave = (middle.x * rate).sin() * (middle.y * rate).cos();
        if swamps && wave > 0.3 { 1.0 } else { 0.0 }
    });
    let difficulty = difficulty.collect();
    let web = TriangleWeb::new(points, triangles, difficulty).unwrap();
    let options = TerrainOptions {
        price,
        ..TerrainOptions::default()
    };
    Terrain::build(web, &options).unwrap()
}

fn random_ends(seed: u64, count: usize) -> Vec<[Vec2; 2]> {
    let mut rng = Rand32::new(seed);
    let mut draw = || rng.rand_float() * (SIDE - 1) as f32;
    (0..count)
        .map(|_| [(); 2].map(|()| vec2(draw(), draw())))
        .collect()
}

/// Returns the mean and the maximum excess of lines over the reference, in percent, for every kind of line.
fn excess<const KINDS: usize>(
    terrain: &Terrain,
    lines: [TerrainLine; KINDS],
    ends: &[[Vec2; 2]],
    points: usize,
) -> [[f64; 2]; KINDS] {
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let mut excesses = [[0.0, f64::NEG_INFINITY]; KINDS];
    for &[from, to] in ends {
        let query = TerrainQuery::new(from, to);
        let located = terrain.locate(&query).unwrap();
        let located = [located.start, located.goal].map(|end| (end.triangle, end.point));
        let optimum = dense_line(terrain.web(), terrain.graph().price(), located, points);
        for (line, [mean, max]) in lines.into_iter().zip(&mut excesses) {
            let query = TerrainQuery {
                line,
                ..TerrainQuery::new(from, to)
            };
            let status = terrain.find_path(&query, &mut scratch, &mut path);
            assert_eq!(status, Ok(TerrainStatus::Found));
            assert!(path.line_cost.is_finite() && path.time > 0.0);
            let excess = 100.0 * (path.line_cost / optimum - 1.0);
            *mean += excess / ends.len() as f64;
            *max = excess.max(*max);
        }
    }
    excesses
}

/// The mean excess of refined lines is below 1% on all of these grounds. It is printed by
/// `PORTOLAN_LONG=1 cargo test --release -p portolan-terrain --test it lines -- --nocapture`.
#[test]
fn lines_are_close_to_the_optimum() {
    let (count, points) = if is_long_run() { (20, 21) } else { (3, 9) };
    let ends = random_ends(7, count);
    let prices = [
        ("thesis", Price::default()),
        ("tobler", Price::walking(Distances::Tobler)),
        ("naismith", Price::walking(Distances::Naismith)),
        ("minetti", Price::walking(Distances::Minetti)),
    ];
    for (name, price) in prices {
        let plain = ground(true, |_, _| 0.0, false, price);
        let swamps = ground(false, |_, _| 0.0, true, price);
        let gentle = ground(true, hills(SIDE, 2.0, 4), false, price);
        let steep = ground(false, hills(SIDE, 6.0, 9), true, price);
        for (kind, terrain) in [
            ("plain", plain),
            ("swamps", swamps),
            ("hills", gentle),
            ("steep hills and swamps", steep),
        ] {
            let lines = [
                TerrainLine::Midpoints,
                TerrainLine::Straightened,
                TerrainLine::Refined,
            ];
            let [midpoints, straightened, refined] = excess(&terrain, lines, &ends, points);
            println!(
                "{name:9} {kind:23} midpoints {:6.2}%, straightened {:6.2}% (max {:.2}), refined {:6.2}% (max {:.2})",
                midpoints[0], straightened[0], straightened[1], refined[0], refined[1]
            );
            assert!(refined[0] < 1.0, "{name}, {kind}: {refined:?}");
            assert!(refined[1] < 10.0, "{name}, {kind}: {refined:?}");
        }
    }
}

#[test]
fn lines_on_a_plain_are_straight() {
    for four in [false, true] {
        let price = Price::default();
        let terrain = ground(four, |_, _| 3.0, false, price);
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        for line in [TerrainLine::Straightened, TerrainLine::Refined] {
            for [from, to] in random_ends(3, 30) {
                let query = TerrainQuery {
                    line,
                    ..TerrainQuery::new(from, to)
                };
                terrain.find_path(&query, &mut scratch, &mut path).unwrap();
                let straight = f64::from(from.distance(to));
                assert!(
                    path.length() <= straight * (1.0 + 1e-5),
                    "{from} {to} {line:?}"
                );
                assert!((path.line_cost / straight - 1.0).abs() < 1e-5);
                assert_eq!((path.ascent(), path.descent()), (0.0, 0.0));
                // Tobler's speed on the level is 5.0367 km/h.
                assert!((path.time / (straight * 3.6 / 5.036_742) - 1.0).abs() < 1e-4);
            }
        }
    }
}

#[test]
fn queries_for_lines_allocate_nothing_when_warm() {
    let terrain = ground(true, hills(SIDE, 4.0, 5), true, Price::default());
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let ends = random_ends(1, 10);
    let mut find_all = || {
        for &[from, to] in &ends {
            terrain
                .find_path(&TerrainQuery::new(from, to), &mut scratch, &mut path)
                .unwrap();
        }
    };
    find_all();
    let allocated = allocation_counter::measure(find_all);
    assert_eq!(allocated.count_total, 0);
}

proptest! {
    #![proptest_config(portolan_oracle::cases(200))]

    /// The legs of a line are on their triangles, join up, and cost what the documentation says.
    #[test]
    fn legs_lie_on_their_triangles(plan in plans(), ends in prop::array::uniform2((0f32..1.0, 0f32..1.0))) {
        let walking = GroundPlan {
            // With these the final multiplier does not depend on the triangle before.
            price: Price { difficulty_change: 0.0, angle: 0.0, steepness_change: 0.0, ..plan.price },
            ..plan
        };
        let options = TerrainOptions { price: walking.price, ..TerrainOptions::default() };
        let terrain = Terrain::build(walking.web(), &options).unwrap();
        let web = terrain.web();
        let extent = web.extent();
        let [from, to] = ends.map(|(x, y)| (extent.min + extent.size() * vec2(x, y).extend(0.0)).truncate());
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        for line in [TerrainLine::Midpoints, TerrainLine::Straightened, TerrainLine::Refined] {
            let query = TerrainQuery { line, ..TerrainQuery::new(from, to) };
            let found = terrain.find_path(&query, &mut scratch, &mut path).unwrap();
            if found != TerrainStatus::Found {
                prop_assert_eq!(&path, &TerrainPath::default());
                continue;
            }
            let located = terrain.locate(&query).unwrap();
            prop_assert_eq!(path.points.first(), Some(&located.start.point));
            prop_assert_eq!(path.points.last(), Some(&located.goal.point));
            prop_assert_eq!(path.points.len(), path.line_triangles.len() + 1);
            let mut sum = 0.0;
            for (leg, &triangle) in path.points.windows(2).zip(&path.line_triangles) {
                let corners = web.corners(triangle);
                let size = web.extent().size().length();
                for point in leg {
                    // The distance to the triangle: its three areas with the point add up to its own.
                    let area = |a: glam::Vec3, b: glam::Vec3, c: glam::Vec3| (b - a).as_dvec3().cross((c - a).as_dvec3()).length();
                    let whole = area(corners[0], corners[1], corners[2]);
                    let parts: f64 = (0..3).map(|i| area(corners[i], corners[(i + 1) % 3], *point)).sum();
                    prop_assert!(parts <= whole + 1e-4 * f64::from(size * size), "{line:?} {point} {corners:?}");
                }
                sum += leg_price(web, &walking.price, triangle, triangle, (leg[1] - leg[0]).as_dvec3());
            }
            // Naismith's price jumps where points are rounded across 5 or 12 degrees.
            let is_continuous = walking.price.distances != Distances::Naismith;
            if is_continuous && path.line_cost.is_finite() {
                let scale = sum.max(path.line_cost).max(1e-3);
                prop_assert!((sum - path.line_cost).abs() <= 1e-2 * scale, "{line:?}: {sum} {}", path.line_cost);
            }
        }
    }

    /// Each step of the refinement makes lines cheaper, or leaves them as they are.
    #[test]
    fn refinement_never_makes_lines_more_expensive(plan in plans(), ends: [prop::sample::Index; 2]) {
        let options = TerrainOptions { price: plan.price, ..TerrainOptions::default() };
        let terrain = Terrain::build(plan.web(), &options).unwrap();
        let [from, to] = ends.map(|end| end.index(terrain.web().len()) as u32);
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        let mut last = f64::INFINITY;
        for line in [TerrainLine::Midpoints, TerrainLine::Straightened, TerrainLine::Refined] {
            let query = TerrainQuery { line, ..TerrainQuery::new(from, to) };
            if terrain.find_path(&query, &mut scratch, &mut path) != Ok(TerrainStatus::Found) {
                break;
            }
            prop_assert!(path.line_cost <= last * (1.0 + 1e-6), "{line:?}: {} > {last}", path.line_cost);
            last = path.line_cost;
        }
    }
}
