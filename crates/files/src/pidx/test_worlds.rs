//! Small worlds with every combination of parts, for the tests of `.pidx` files.

use glam::vec3;
use portolan_core::{
    BuildReport, BuildTimes, CostModel, Engine, ExactLimits, ExactOptions, GraphOptions, NavMesh,
    NavMeshOptions, NodeId, Partition, PartitionOptions, Path, PortalGraph, Profile, Query,
    RawNavMesh, Samples, Scratch, Status, Tier, Weights, World, no_progress,
};
use portolan_oracle::{LevelsOptions, with_levels};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

/// Returns a navmesh of rooms with areas and links, some of them one-way.
pub(super) fn mesh() -> NavMesh {
    rooms(60)
}

/// Returns a navmesh as [`mesh`], but with enough corners for exact paths with several bends.
pub(super) fn large_mesh() -> NavMesh {
    rooms(250)
}

fn rooms(polygons: usize) -> NavMesh {
    let raw = WorldScene::Rooms.build(&WorldOptions {
        polygons,
        areas: true,
        links: true,
        ..WorldOptions::default()
    });
    NavMesh::build(raw, &NavMeshOptions::default()).unwrap()
}

/// Returns a world with a hierarchy of two levels, with nodes of 5 and 20 polygons.
pub(super) fn world(options: &LevelsOptions) -> World {
    let mesh = mesh();
    let cells = mesh.polygon_count();
    let level = |size: usize| (0..cells).map(|cell| NodeId::new(cell / size)).collect();
    let partition = Partition::new(cells, vec![level(5), level(20)]).unwrap();
    with_report(with_levels(mesh, partition, options))
}

/// Returns a pseudo-random contraction order. Files work with any order, good or bad.
pub(super) fn order(vertices: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..vertices as u32).collect();
    order.sort_by_key(|&vertex| vertex.wrapping_mul(0x9e37_79b9).rotate_left(9));
    order
}

pub(super) fn with_contraction(world: World) -> World {
    let order = order(world.graph().sample_count());
    world
        .with_contraction(order)
        .expect("order is a permutation")
}

/// Returns a world with a hierarchy and a contraction.
pub(super) fn with_hierarchy_and_contraction() -> World {
    with_contraction(world(&LevelsOptions::default()))
}

pub(super) fn with_labels(world: World) -> World {
    world.with_labels(usize::MAX).unwrap()
}

/// Adds a taut tier.
pub(super) fn with_tier(world: World, tier: Tier, samples: Samples) -> World {
    let graph = PortalGraph::new(world.mesh(), &world.taut_graph_options(samples));
    let order = order(graph.sample_count());
    world
        .with_tier(tier, graph, order)
        .expect("the tier fits the world")
}

pub(super) fn with_default_tier(world: World) -> World {
    with_tier(world, Tier::Default, Samples::ByLength { percentile: 40 })
}

/// Returns a world with a contraction and no hierarchy.
pub(super) fn with_contraction_only(graph: &GraphOptions, profile: &Profile) -> World {
    let world = World::new(mesh(), graph, profile).expect("the graph options are valid");
    with_contraction(with_report(world))
}

/// Adds an exact tier, which `auto` uses. Its queries use hub labels if no link is open.
pub(super) fn with_exact(world: World) -> World {
    let options = ExactOptions {
        limits: ExactLimits::NONE,
        auto: true,
    };
    world
        .with_exact(options, &no_progress)
        .expect("every metre costs the same")
}

/// Returns a profile that closes all links.
pub(super) fn without_links() -> Profile {
    let mut profile = Profile::default();
    profile.links = false;
    profile
}

/// Returns a world with an exact tier whose queries use hub labels, and nothing else.
pub(super) fn with_exact_labels() -> World {
    let world = World::new(large_mesh(), &GraphOptions::default(), &without_links());
    with_exact(with_report(world.expect("the graph options are valid")))
}

/// Returns a world with an exact tier whose paths can use links, and nothing else.
pub(super) fn with_exact_links() -> World {
    with_exact(with_report(World::from_mesh(large_mesh())))
}

/// Returns a world of two squares, one of which has a hill as its finer surface.
pub(super) fn with_finer_surface() -> World {
    let mut raw = RawNavMesh {
        vertices: (0..6)
            .map(|i| vec3((i % 3) as f32, 0.0, (i / 3) as f32))
            .collect(),
        ..RawNavMesh::default()
    };
    raw.polygons.push([0, 1, 4, 3]);
    raw.polygons.push([1, 2, 5, 4]);
    raw.heights.vertices.push([vec3(0.5, 0.3, 0.5)]);
    raw.heights.vertices.push([]);
    raw.heights
        .triangles
        .push([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]);
    raw.heights.triangles.push([]);
    with_contraction(World::build(raw, &NavMeshOptions::default()).expect("the squares are valid"))
}

/// Returns the worlds from which fuzzing starts, with the names of their files.
pub(super) fn seeds() -> [(&'static str, World); 8] {
    let contraction = with_contraction_only(&GraphOptions::default(), &Profile::default());
    let symmetric = with_contraction_only(&GraphOptions::default(), &without_links());
    [
        (
            "published",
            with_contraction_only(&published(), &Profile::default()),
        ),
        ("hierarchy", with_hierarchy_and_contraction()),
        ("tiers", with_default_tier(contraction.clone())),
        ("labels", with_labels(contraction)),
        ("labels-symmetric", with_labels(symmetric)),
        ("exact", with_exact_labels()),
        ("exact-links", with_exact_links()),
        ("finer-surface", with_finer_surface()),
    ]
}

/// Sets a build report whose numbers are all different.
pub(super) fn with_report(world: World) -> World {
    let millis = [1.5, 0.0, 1e6, 0.25, 17.0, 0.125, 40.0, 0.5, 3.0, 7.0, 9.0];
    world.with_report(BuildReport {
        partition: Some(PartitionOptions {
            merge_factor: 5,
            max_levels: 2,
            seed: u64::MAX - 1,
            weights: Weights::RandomEdges,
        }),
        order_seed: u64::MAX - 2,
        times: BuildTimes::from_millis(millis),
    })
}

pub(super) fn without_times(world: World) -> World {
    let report = BuildReport {
        times: None,
        ..world.report().clone()
    };
    world.with_report(report)
}

/// Runs some queries, in both directions, with every engine of the world. Returns status and cost of each.
pub(super) fn answers(world: &World) -> Vec<(Engine, Status, f32)> {
    let mut points = RandomPoints::new(world.mesh(), 3);
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let mut answers = Vec::new();
    let pairs: Vec<_> = (0..8)
        .filter_map(|_| points.next().zip(points.next()))
        .collect();
    for (a, b) in pairs {
        for [from, to] in [[a, b], [b, a]] {
            for engine in world.engines() {
                let mut query = Query::new(from, to);
                query.engine = engine;
                let status = world
                    .find_path(&query, &mut scratch, &mut path)
                    .expect("the world has this engine");
                answers.push((engine, status, path.cost));
                query.limits.partial = true;
                world
                    .find_path(&query, &mut scratch, &mut path)
                    .expect("the world has this engine");
            }
        }
    }
    answers
}

pub(super) fn published() -> GraphOptions {
    GraphOptions {
        samples: Samples::Each(1),
        cost_model: CostModel::Published,
    }
}

pub(super) fn in_plan() -> GraphOptions {
    GraphOptions {
        samples: Samples::Each(2),
        cost_model: CostModel::Plan,
    }
}

/// Returns a world whose contraction has shortcuts that are too long for runs.
pub(super) fn with_long_shortcuts() -> World {
    let options = GraphOptions::default();
    let world = World::new(rooms(1500), &options, &Profile::default());
    with_contraction(world.expect("the graph options are valid"))
}
