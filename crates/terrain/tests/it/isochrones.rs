//! Isochrones, compared with the interpolated prices that they are made from.

use glam::{Vec2, vec2};
use oorandom::Rand32;
use portolan_oracle::ground::{grid, hills, plans};
use portolan_oracle::lines::dense_line;
use portolan_terrain::{
    Distances, Price, Terrain, TerrainOptions, TerrainScratch, TerrainStatus, TriangleWeb,
};
use proptest::prelude::*;

fn terrain(web: TriangleWeb, price: Price) -> Terrain {
    let options = TerrainOptions {
        price,
        contraction: false,
        ..TerrainOptions::default()
    };
    Terrain::build(web, &options).unwrap()
}

/// Creates ground of `side` x `side` points without the triangles for which `is_hole` holds.
fn ground(side: usize, height: f32, price: Price, is_hole: impl Fn(Vec2) -> bool) -> Terrain {
    let (points, mut triangles) = grid([side, side], true, hills(side, height, 3));
    triangles.retain(|corners| {
        let corners = corners.map(|corner| points[corner as usize]);
        !is_hole(((corners[0] + corners[1] + corners[2]) / 3.0).truncate())
    });
    terrain(
        TriangleWeb::new(points, triangles, Vec::new()).unwrap(),
        price,
    )
}

proptest! {
    #![proptest_config(portolan_oracle::cases(150))]

    /// A point is inside if and only if its interpolated price is within the limit.
    #[test]
    fn points_are_inside_if_their_price_is_within_the_limit(
        plan in plans(), from: prop::sample::Index, fraction in 0f64..1.2, seed: u64,
    ) {
        let terrain = terrain(plan.web(), plan.price);
        let start = from.index(terrain.web().len()) as u32;
        let mut scratch = TerrainScratch::new();
        let whole = terrain.line_wave(start, None, f64::INFINITY, &mut scratch).unwrap();
        let extent = terrain.web().extent();
        let mut rng = Rand32::new(seed);
        let mut random_point = || {
            let [x, y] = [(); 2].map(|()| rng.rand_float());
            (extent.min + extent.size() * vec2(x, y).extend(0.0)).truncate()
        };
        let points: Vec<Vec2> = (0..60).map(|_| random_point()).collect();
        let costs: Vec<Option<f64>> = points.iter().map(|&point| whole.cost_at(&terrain, point)).collect();
        let max = costs.iter().flatten().copied().filter(|cost| cost.is_finite()).fold(0.0, f64::max);
        let limit = max * fraction;
        let found = whole.isochrone(&terrain, limit);
        for (&point, cost) in points.iter().zip(costs) {
            let is_inside = found.contains(point);
            match cost {
                None => prop_assert!(!is_inside, "{point} is off the map"),
                // Rings are rounded to f32.
                Some(cost) if (cost - limit).abs() <= 1e-3 * limit => {}
                // The price rises to infinity within a piece.
                Some(f64::INFINITY) => {}
                Some(cost) => prop_assert_eq!(is_inside, cost <= limit, "{} {} {}", point, cost, limit),
            }
        }
    }
}

#[test]
fn isochrones_have_holes_and_grow_with_the_limit() {
    let pond = |point: Vec2| point.distance(vec2(10.0, 10.0)) < 4.0;
    let price = Price::walking(Distances::Naismith);
    let terrain = ground(33, 0.0, price, pond);
    let mut scratch = TerrainScratch::new();
    let limits = [2.0, 12.0, 1000.0];
    let found = terrain
        .isochrones([16.0, 10.0], None, &limits, &mut scratch)
        .unwrap();
    // 2 s are 2.8 m at 5 km/h, and lines turn only at corners and midpoints.
    let radius = 2.0 / 0.72;
    let area = found[0].area() / (std::f64::consts::PI * radius * radius);
    assert!((0.85..1.0).contains(&area), "{area}");
    assert_eq!(found[0].polygons.len(), 1);
    assert!(found[0].polygons[0].holes.is_empty());
    // The ground around the pond is reached from both sides.
    assert!(found[1].area() > found[0].area());
    assert_eq!(
        (found[2].polygons.len(), found[2].polygons[0].holes.len()),
        (1, 1)
    );
    assert!(found[2].contains([31.0, 31.0]) && !found[2].contains([10.0, 10.0]));
    let pond_area = 32.0 * 32.0 - found[2].area();
    assert!(
        (pond_area - std::f64::consts::PI * 16.0).abs() < 6.0,
        "{pond_area}"
    );
    assert!(
        terrain.isochrones([99.0, 0.0], None, &limits, &mut scratch)
            == Err(TerrainStatus::StartOffMap)
    );
}

/// Prices of the wave are not below those of a finer search, and not far above.
#[test]
fn the_wave_is_close_to_the_optimum() {
    for distances in [Distances::Tobler, Distances::Enlargement] {
        let price = Price::walking(distances);
        let terrain = ground(17, 2.0, price, |_| false);
        let wave = terrain
            .line_wave([8.3, 8.1], None, f64::INFINITY, &mut TerrainScratch::new())
            .unwrap();
        let start = terrain.web().location([8.3, 8.1].into()).unwrap();
        let (mut sum, mut count) = (0.0, 0.0);
        for to in [[1.0, 1.0], [14.0, 3.0], [2.0, 13.0], [12.0, 12.0]] {
            let goal = terrain.web().location(to.into()).unwrap();
            let ends = [start, goal].map(|end| (end.triangle, end.point));
            let optimum = dense_line(terrain.web(), &price, ends, 9);
            let found = wave.cost_at(&terrain, to).unwrap();
            assert!(
                found > optimum * 0.999,
                "{distances:?} {to:?}: {found} {optimum}"
            );
            sum += found / optimum - 1.0;
            count += 1.0;
        }
        assert!(sum / count < 0.05, "{distances:?}: {}", sum / count);
    }
}
