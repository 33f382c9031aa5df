//! Whether a world gets the exact tier, how exact queries search, and whether `auto` uses them.
//!
//! All choices depend on counts and never on a clock, so that the same world and options give the same index.
//! A fixed sample of queries is answered by each method. What each of them does is counted and converted to
//! time by constants that were fitted to measurements (`docs/exact.md`).

use portolan_core::{
    BuiltExact, Costs, DEFAULT_GROUND_TOLERANCE, Endpoints, Engine, Event, ExactLimits,
    ExactMethod, ExactOptions, Located, Location, NavMesh, Path, PolygonId, Progress, Query,
    Scratch, SearchWork, Status, Tier, World, WorldError,
};

use crate::IndexError;

/// The number of sample queries.
const SAMPLES: usize = 256;

/// The number of corners whose tangents are counted before the taut graph is built.
const TANGENT_SAMPLES: usize = 256;

/// The mean number of tangents at a corner beyond which exact paths are not worth the time to build the taut
/// graph: in open worlds, where corners see many others, the default tier is faster.
const MAX_TANGENTS: f64 = 8.0;

/// The number of corners in one component beyond which a world is large: there, only worlds that are nearly trees
/// have short labels, and a lazy search settles thousands of corners. The exact tier already costs more than
/// the default tier on `rooms` with 2 800 connected corners.
const MAX_CONNECTED_CORNERS: usize = 1 << 14;

/// The mean number of tangents at a corner beyond which exact paths are not worth the time to build the taut graph
/// of a large world.
const MAX_TANGENTS_OF_LARGE: f64 = 4.0;

/// The maximum number of label entries per polygon if the user asks for the exact tier. On baked cities labels are
/// four times as fast as a lazy search, and take six times the memory.
const FORCED_ENTRIES: usize = 192;

/// By how much exact paths may be longer in space than those of the default tier, summed over the sample.
/// Rounding alone makes a difference of this size.
const LENGTH_MARGIN: f64 = 1e-6;

/// The mean work of the sample queries with an engine, and the total length of their paths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Estimate {
    /// The mean time of search and waypoints. [Units: µs]
    pub(crate) micros: f64,
    /// The total length of all paths in space. [Units: m]
    pub(crate) length: f64,
}

/// Builds an exact tier that may become part of a world. It reads only the mesh and the prices, so that it can be
/// built at the same time as all other parts. Unless it is forced, it has limits, and the result is `None` if it is
/// certain that `auto` should not use it.
pub(crate) fn build_exact(
    world: &World,
    is_forced: bool,
    progress: Progress<'_>,
) -> Result<Option<BuiltExact>, IndexError> {
    let limits = match is_forced {
        true => ExactLimits {
            cones_per_polygon: usize::MAX,
            entries_per_polygon: FORCED_ENTRIES,
        },
        false => ExactLimits::default(),
    };
    let options = ExactOptions {
        limits,
        auto: false,
    };
    let build = || {
        let corners = world.exact_corners()?;
        if !is_forced {
            let tangents = corners.mean_tangents(TANGENT_SAMPLES);
            let is_large = corners.max_in_component(world.mesh()) > MAX_CONNECTED_CORNERS;
            if tangents > MAX_TANGENTS || is_large && tangents > MAX_TANGENTS_OF_LARGE {
                return Ok(None);
            }
        }
        corners.build(options, progress).map(Some)
    };
    match build() {
        Err(WorldError::Exact(_)) if !is_forced => Ok(None),
        built => Ok(built?),
    }
}

/// Adds an exact tier. Unless it is forced, it is added only if `auto` should use it: if it costs no more than
/// the default tier, and its paths are no longer in space.
pub(crate) fn add_exact(world: World, built: BuiltExact, is_forced: bool) -> World {
    let queries = SampleQueries::new(world.mesh(), world.default_costs());
    let default = queries.run(&world, Engine::Contraction(Tier::Default), f64::INFINITY);
    let world = world.with_built_exact(built);
    // An exact tier that costs more is not used, so the sample need not be answered to the end.
    let max_micros = match default {
        Some(default) if !is_forced => default.micros,
        _ => f64::INFINITY,
    };
    let exact = |world: &World| {
        let estimate = queries.run(world, Engine::Auto(Tier::Exact), max_micros);
        estimate.expect("the world has the exact tier")
    };
    let by_labels = exact(&world);
    let (world, exact) = match world.exact_method() {
        Some(ExactMethod::Labels) => {
            let lazy = world.clone().with_lazy_exact();
            let estimate = exact(&lazy);
            match estimate.micros < by_labels.micros {
                true => (lazy, estimate),
                false => (world, by_labels),
            }
        }
        _ => (world, by_labels),
    };
    let auto = match default {
        Some(default) => {
            exact.micros <= default.micros && exact.length <= default.length * (1.0 + LENGTH_MARGIN)
        }
        // There is nothing else that `auto` could use at its own tier.
        None => true,
    };
    match auto || is_forced {
        true => world.with_exact_auto(auto),
        false => world.without_exact(),
    }
}

/// Queries between random points of a mesh that have a path.
pub(crate) struct SampleQueries {
    endpoints: Vec<Endpoints>,
}

impl SampleQueries {
    /// Draws the sample. Polygons are equally likely, so that small ones count as much as large ones.
    pub(crate) fn new(mesh: &NavMesh, costs: &Costs) -> Self {
        let mut random = oorandom::Rand32::new(0x5eed);
        let open: Vec<PolygonId> = mesh
            .polygons()
            .filter(|&polygon| costs.prices().allows(mesh, polygon))
            .collect();
        let mut endpoints = Vec::with_capacity(SAMPLES);
        // Many islands make most pairs unreachable.
        for _ in 0..16 * SAMPLES {
            if endpoints.len() == SAMPLES || open.is_empty() {
                break;
            }
            let [start, goal] = [(); 2].map(|()| {
                let polygon = open[random.rand_range(0..open.len() as u32) as usize];
                random_location(mesh, polygon, &mut random)
            });
            let components = mesh.components();
            if components.of(start.polygon) == components.of(goal.polygon) {
                endpoints.push(Endpoints { start, goal });
            }
        }
        Self { endpoints }
    }

    /// Answers all queries with an engine and estimates what they cost. Returns `None` if the world cannot run
    /// the engine. As soon as the mean is certain to exceed `max_micros`, the estimate is infinite.
    pub(crate) fn run(&self, world: &World, engine: Engine, max_micros: f64) -> Option<Estimate> {
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let mut total = Estimate::default();
        let max_total = max_micros * self.endpoints.len() as f64;
        for endpoints in &self.endpoints {
            let mut climbed = 0u32;
            let query = Query {
                engine,
                ground_tolerance: DEFAULT_GROUND_TOLERANCE,
                ..Query::new(endpoints.start.point, endpoints.goal.point)
            };
            let located: Located<'_> = world.located(&query, *endpoints).ok()?;
            // An exact search that is observed looks around where others read what polygons see.
            let searched = match engine.tier() {
                Tier::Exact => located.search(&mut scratch),
                _ => located.search_observed(&mut scratch, &mut |event: Event| {
                    climbed += u32::from(matches!(event, Event::Climbed(..)));
                }),
            };
            let status = searched.waypoints(&mut path);
            if status == Status::Found {
                total.length += path.length();
            }
            let crossings = path.corridor.crossings.len();
            total.micros += match world.exact_method() {
                Some(method) if engine.tier() == Tier::Exact => {
                    exact_micros(scratch.exact_work(), method, crossings)
                }
                _ => contraction_micros(climbed, crossings),
            };
            if total.micros > max_total {
                total.micros = f64::INFINITY;
                break;
            }
        }
        total.micros /= self.endpoints.len().max(1) as f64;
        Some(total)
    }
}

/// Returns a random point of a polygon: a random mean of its corners.
fn random_location(mesh: &NavMesh, polygon: PolygonId, random: &mut oorandom::Rand32) -> Location {
    let corners = mesh.corner_points(polygon);
    let (mut sum, mut weights) = (glam::Vec3::ZERO, 0.0);
    for corner in corners {
        let weight = random.rand_float() + 0.01;
        sum += corner * weight;
        weights += weight;
    }
    let point = mesh.nearest_on(polygon, sum / weights);
    Location { polygon, point }
}

/// Returns the time of an exact search and of its corridor. [Units: µs]
fn exact_micros(work: SearchWork, method: ExactMethod, crossings: usize) -> f64 {
    let [per_search, per_cone] = match method {
        ExactMethod::Labels => [0.2, 0.06],
        // Cones wait in the queue.
        ExactMethod::Lazy => [0.2, 0.2],
    };
    per_search
        + per_cone * f64::from(work.cones)
        + 0.06 * f64::from(work.nodes)
        + 0.03 * f64::from(work.edges)
        + 0.005 * f64::from(work.entries)
        + 0.04 * crossings as f64
}

/// Returns the time of a search over a taut contraction and of its waypoints. [Units: µs]
fn contraction_micros(climbed: u32, crossings: usize) -> f64 {
    1.4 + 0.012 * f64::from(climbed) + 0.046 * crossings as f64
}
