//! Ground for the tests of terrain: a grid of heights as triangles, and a slow search over it.

use glam::{Vec3, vec3};
use portolan_scenes::Random;
use portolan_terrain::{Distances, LowGraph, NO_TRIANGLE, Price, TriangleWeb};
use proptest::prelude::*;

/// A grid of `columns` x `rows` points with a height each, as triangles: two a square, or four around the
/// mean of its corners.
pub fn grid(
    [columns, rows]: [usize; 2],
    four: bool,
    height: impl Fn(usize, usize) -> f32,
) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let place = |x: usize, y: usize| vec3(x as f32, y as f32, height(x, y));
    let mut points: Vec<Vec3> = (0..rows)
        .flat_map(|y| (0..columns).map(move |x| place(x, y)))
        .collect();
    let mut triangles = Vec::new();
    for y in 0..rows - 1 {
        for x in 0..columns - 1 {
            let a = (y * columns + x) as u32;
            let corners = [a, a + 1, a + 1 + columns as u32, a + columns as u32];
            if four {
                let sum: Vec3 = corners.iter().map(|&corner| points[corner as usize]).sum();
                let middle = points.len() as u32;
                points.push(sum / 4.0);
                triangles.extend((0..4).map(|i| [corners[i], corners[(i + 1) % 4], middle]));
            } else {
                triangles.push([corners[0], corners[1], corners[2]]);
                triangles.push([corners[0], corners[2], corners[3]]);
            }
        }
    }
    (points, triangles)
}

/// Hills of several sizes from a seed, smooth, 0 to `height`.
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
        let at =
            |&[a, b, shift, size]: &[f32; 4]| (a * x as f32 + b * y as f32 + shift).sin() * size;
        (waves.iter().map(at).sum::<f32>() / sum + 1.0) * height / 2.0
    }
}

/// `side` x `side` points of hills as four triangles a square, as the thesis prices them.
pub fn hilly(side: usize) -> (TriangleWeb, LowGraph) {
    let height = hills(side, side as f32 / 8.0, 4);
    let (points, triangles) = grid([side, side], true, height);
    let web = TriangleWeb::new(points, triangles, Vec::new()).expect("sound ground");
    let graph = LowGraph::new(&web, &Price::default()).expect("a sound price");
    (web, graph)
}

/// A small piece of ground: any heights, difficulties and price, with holes in it.
#[derive(Clone, Debug)]
pub struct Plan {
    pub size: [usize; 2],
    pub four: bool,
    pub height: f32,
    /// The share of triangles that are missing.
    pub holes: f32,
    pub seed: u64,
    pub price: Price,
}

impl Plan {
    pub fn web(&self) -> TriangleWeb {
        let mut random = Random::new(self.seed);
        let heights: Vec<f32> = (0..self.size[0] * self.size[1])
            .map(|_| random.unit() * self.height)
            .collect();
        let height = |x: usize, y: usize| heights[y * self.size[0] + x];
        let (points, mut triangles) = grid(self.size, self.four, height);
        let whole = triangles.clone();
        triangles.retain(|_| random.unit() >= self.holes);
        if triangles.is_empty() {
            triangles.push(whole[0]);
        }
        let difficulty = triangles.iter().map(|_| random.unit()).collect();
        TriangleWeb::new(points, triangles, difficulty).expect("sound ground")
    }

    /// Whether two ways may cost the same, but for chance: on flat ground, or where some of it is free.
    pub fn has_ties(&self) -> bool {
        let Price { distances, .. } = self.price;
        let of_thesis = Price {
            distances,
            ..Price::default()
        };
        self.height < 1.0 || self.price != of_thesis
    }

    pub fn graph(&self) -> LowGraph {
        LowGraph::new(&self.web(), &self.price).expect("a sound price")
    }
}

pub fn plans() -> impl Strategy<Value = Plan> {
    let size = [2usize..9, 2usize..9];
    // Nothing, ordinary, and as dear as can be.
    let parameter = || prop_oneof![Just(0.0f32), 0f32..20.0, Just(1e6f32)];
    let parameters = prop::array::uniform10(parameter());
    let floor = prop_oneof![Just(1e-6f32), 0.01f32..1.0, Just(1.0f32)];
    let height = prop_oneof![Just(0.0f32), 0f32..30.0];
    let holes = prop_oneof![Just(0.0f32), 0f32..0.5];
    let price = (any::<bool>(), any::<bool>(), parameters, floor);
    (size, any::<bool>(), height, holes, any::<u64>(), price).prop_map(
        |(size, four, height, holes, seed, (by_centroid, of_thesis, parameters, floor))| {
            let [up, down, sideways, rest @ ..] = parameters;
            let [difficulty, steepness, difficulty_change, rest @ ..] = rest;
            let [angle, concave, convex, steepness_change] = rest;
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
            let distances = match by_centroid {
                true => Distances::Centroid,
                false => Distances::Enlargement,
            };
            Plan {
                size,
                four,
                height,
                holes,
                seed,
                price: Price { distances, ..price },
            }
        },
    )
}

/// What it costs from one triangle to every one: the nearest of all that are open, found by looking at
/// each.
pub fn slow_wave(graph: &LowGraph, from: u32) -> Vec<f64> {
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

/// Whether two costs are the same but for the rounding of `f32` sums.
pub fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-5 * a.abs().max(b.abs())
}

/// An answer beside what is true: the same cost, and a path that leads there and costs that.
pub fn check(
    graph: &LowGraph,
    [from, to]: [u32; 2],
    truth: f64,
    found: Option<f32>,
    path: &[u32],
) -> Result<(), TestCaseError> {
    let Some(cost) = found else {
        prop_assert_eq!(truth, f64::INFINITY, "{} to {}: nothing found", from, to);
        prop_assert!(path.is_empty());
        return Ok(());
    };
    let cost = f64::from(cost);
    prop_assert!(close(cost, truth), "{from} to {to}: {cost}, not {truth}");
    prop_assert_eq!((path.first(), path.last()), (Some(&from), Some(&to)));
    let Some(sum) = graph.cost(path) else {
        return Err(TestCaseError::fail(format!("{path:?} is torn")));
    };
    prop_assert!(close(sum, cost), "{cost} is said, and {sum} is walked");
    Ok(())
}
