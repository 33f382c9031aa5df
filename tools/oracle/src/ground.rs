//! Ground for the tests of terrain: grids of heights as triangles, and a slow reference search over them.

use glam::{Vec3, vec3};
use portolan_scenes::Random;
use portolan_terrain::{Distances, LowGraph, NO_TRIANGLE, Price, TriangleWeb};
use proptest::prelude::*;

/// Creates a grid of `columns` x `rows` points with the given heights. Each square has two triangles or, with
/// `four`, four triangles around the mean of its corners. Returns the points and the triangles.
pub fn grid(
    [columns, rows]: [usize; 2],
    four: bool,
    height: impl Fn(usize, usize) -> f32,
) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let point = |x: usize, y: usize| vec3(x as f32, y as f32, height(x, y));
    let mut points: Vec<Vec3> = (0..rows)
        .flat_map(|y| (0..columns).map(move |x| point(x, y)))
        .collect();
    let mut triangles = Vec::new();
    for y in 0..rows - 1 {
        for x in 0..columns - 1 {
            let a = (y * columns + x) as u32;
            let corners = [a, a + 1, a + 1 + columns as u32, a + columns as u32];
            if four {
                let sum: Vec3 = corners.iter().map(|&corner| points[corner as usize]).sum();
                let centre = points.len() as u32;
                points.push(sum / 4.0);
                triangles.extend((0..4).map(|i| [corners[i], corners[(i + 1) % 4], centre]));
            } else {
                triangles.push([corners[0], corners[1], corners[2]]);
                triangles.push([corners[0], corners[2], corners[3]]);
            }
        }
    }
    (points, triangles)
}

/// Returns a height function: smooth random hills of several sizes, with heights from 0 to `height`.
pub fn hills(side: usize, height: f32, seed: u64) -> impl Fn(usize, usize) -> f32 {
    let mut random = Random::new(seed);
    let waves: Vec<[f32; 4]> = (0..12)
        .map(|number| {
            let turns = 1.0 + number as f32;
            let mut draw = || random.unit();
            let (angle, shift) = (draw() * std::f32::consts::TAU, draw() * 7.0);
            let rate = turns * std::f32::consts::TAU / side as f32;
            [angle.cos() * rate, angle.sin() * rate, shift, 1.0 / turns]
        })
        .collect();
    let sum: f32 = waves.iter().map(|wave| wave[3]).sum();
    move |x, y| {
        let wave_at = |&[x_rate, y_rate, shift, size]: &[f32; 4]| {
            (x_rate * x as f32 + y_rate * y as f32 + shift).sin() * size
        };
        (waves.iter().map(wave_at).sum::<f32>() / sum + 1.0) * height / 2.0
    }
}

/// Creates `side` x `side` points of hills with four triangles per square, and their graph at the price of the
/// terrain thesis (see docs/terrain.md).
pub fn hilly(side: usize) -> (TriangleWeb, LowGraph) {
    let height = hills(side, side as f32 / 8.0, 4);
    let (points, triangles) = grid([side, side], true, height);
    let web = TriangleWeb::new(points, triangles, Vec::new()).expect("valid ground");
    let graph = LowGraph::new(&web, &Price::default()).expect("a valid price");
    (web, graph)
}

/// The parameters of a small piece of ground with random heights, difficulties, holes and price.
#[derive(Clone, Debug)]
pub struct GroundPlan {
    /// The number of points in each direction.
    pub size: [usize; 2],
    /// Whether a square has four triangles instead of two.
    pub four: bool,
    /// The largest height.
    pub height: f32,
    /// The fraction of triangles that are missing.
    pub holes: f32,
    /// The seed for heights, holes and difficulties.
    pub seed: u64,
    /// The price of the graph.
    pub price: Price,
}

impl GroundPlan {
    /// Creates the ground.
    pub fn web(&self) -> TriangleWeb {
        let mut random = Random::new(self.seed);
        let heights: Vec<f32> = (0..self.size[0] * self.size[1])
            .map(|_| random.unit() * self.height)
            .collect();
        let height = |x: usize, y: usize| heights[y * self.size[0] + x];
        let (points, mut triangles) = grid(self.size, self.four, height);
        let first = triangles[0];
        triangles.retain(|_| random.unit() >= self.holes);
        if triangles.is_empty() {
            triangles.push(first);
        }
        let difficulty = triangles.iter().map(|_| random.unit()).collect();
        TriangleWeb::new(points, triangles, difficulty).expect("valid ground")
    }

    /// Returns whether several paths are likely to have the same cost, as on nearly flat ground or with prices of 0.
    pub fn has_ties(&self) -> bool {
        let Price { distances, .. } = self.price;
        let of_thesis = Price {
            distances,
            ..Price::default()
        };
        self.height < 1.0 || self.price != of_thesis
    }

    /// Creates the ground and returns its graph.
    pub fn graph(&self) -> LowGraph {
        LowGraph::new(&self.web(), &self.price).expect("a valid price")
    }
}

/// Draws plans of small pieces of ground without slope limits.
pub fn plans() -> impl Strategy<Value = GroundPlan> {
    plans_with_limits().prop_map(|plan| GroundPlan {
        price: Price {
            max_up: 1e6,
            max_down: 1e6,
            ..plan.price
        },
        ..plan
    })
}

/// Draws plans of small pieces of ground, some of which have slope limits.
pub fn plans_with_limits() -> impl Strategy<Value = GroundPlan> {
    let size = [2usize..9, 2usize..9];
    // A parameter is 0, ordinary, or the largest that is allowed.
    let parameter = || prop_oneof![Just(0.0f32), 0f32..20.0, Just(1e6f32)];
    let parameters = prop::array::uniform10(parameter());
    let floor = prop_oneof![Just(1e-6f32), 0.01f32..1.0, Just(1.0f32)];
    let height = prop_oneof![Just(0.0f32), 0f32..30.0];
    let holes = prop_oneof![Just(0.0f32), 0f32..0.5];
    let limit = || prop_oneof![1 => Just(1e6f32), 1 => 0f32..6.0];
    let measure = prop::sample::select(&Distances::ALL[..]);
    let price = (
        measure,
        any::<bool>(),
        parameters,
        floor,
        [limit(), limit()],
    );
    (size, any::<bool>(), height, holes, any::<u64>(), price).prop_map(
        |(size, four, height, holes, seed, (distances, of_thesis, parameters, floor, limits))| {
            let [
                up,
                down,
                sideways,
                difficulty,
                steepness,
                difficulty_change,
                angle,
                concave,
                convex,
                steepness_change,
            ] = parameters;
            let drawn = Price {
                up,
                down,
                sideways,
                difficulty,
                steepness,
                difficulty_change,
                angle,
                concave,
                convex,
                steepness_change,
                floor,
                ..Price::default()
            };
            let price = if of_thesis { Price::default() } else { drawn };
            let [max_up, max_down] = limits;
            GroundPlan {
                size,
                four,
                height,
                holes,
                seed,
                price: Price {
                    distances,
                    max_up,
                    max_down,
                    ..price
                },
            }
        },
    )
}

/// Returns the costs from one triangle to all others, by Dijkstra's algorithm with a linear scan instead of a
/// queue.
pub fn slow_costs(graph: &LowGraph, from: u32) -> Vec<f64> {
    let mut costs = vec![f64::INFINITY; graph.len()];
    let mut is_open = vec![true; graph.len()];
    costs[from as usize] = 0.0;
    loop {
        let open = (0..graph.len()).filter(|&at| is_open[at] && costs[at] < f64::INFINITY);
        let Some(at) = open.min_by(|&a, &b| costs[a].total_cmp(&costs[b])) else {
            return costs;
        };
        is_open[at] = false;
        let (neighbours, crossings) = graph.crossings(at as u32);
        for (to, crossing) in neighbours.into_iter().zip(crossings) {
            if to != NO_TRIANGLE {
                let cost = costs[at] + f64::from(crossing);
                costs[to as usize] = costs[to as usize].min(cost);
            }
        }
    }
}

/// Returns whether two costs are equal up to the rounding of `f32` sums.
pub fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-5 * a.abs().max(b.abs())
}

/// Checks an answer: its cost must be the true cost, and its path must lead from start to goal at that cost.
/// `truth` is infinite if there is no path.
pub fn check(
    graph: &LowGraph,
    [from, to]: [u32; 2],
    truth: f64,
    found: Option<f32>,
    path: &[u32],
) -> Result<(), TestCaseError> {
    let Some(cost) = found else {
        prop_assert_eq!(truth, f64::INFINITY, "{} to {}: no path found", from, to);
        prop_assert!(path.is_empty());
        return Ok(());
    };
    let cost = f64::from(cost);
    prop_assert!(
        close(cost, truth),
        "{from} to {to}: the cost is {cost} instead of {truth}"
    );
    prop_assert_eq!((path.first(), path.last()), (Some(&from), Some(&to)));
    let Some(sum) = graph.cost(path) else {
        return Err(TestCaseError::fail(format!(
            "two consecutive triangles of {path:?} are not neighbours"
        )));
    };
    prop_assert!(
        close(sum, cost),
        "the reported cost is {cost}, but the path costs {sum}"
    );
    Ok(())
}
