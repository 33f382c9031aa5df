//! Our own engines: every one that there is, and `auto` at each tier as `ours:TIER`; at taut tiers also with
//! costs as seen from above, which is what excess goes by, as `ours:TIER+plan`.

use std::time::Duration;

use glam::Vec3;
use portolan_core::{
    CostModel, Csr, Engine, GraphOptions, NavMesh, NavMeshOptions, Query, RawNavMesh, Scratch,
    Stage, Tier, World, no_progress,
};
use portolan_index::{HierarchyOptions, IndexOptions, build};
use portolan_measure::{Stopwatch, timed_query};

use crate::peer::{Answer, Parts, Peer, Status};

/// An engine of ours on a world.
pub(crate) struct Ours {
    name: String,
    world: World,
    build_ms: f64,
    engine: Engine,
    /// Infinite: corners only, which is what the others give.
    ground_tolerance: f32,
    scratch: Scratch,
    path: portolan_core::Path,
}

/// The most that hub labels may take.
const MAX_LABEL_BYTES: usize = 4 << 30;

/// The world of a mesh with all that our engines can use, and the milliseconds that each part took
/// beyond a world without.
pub(crate) struct Indexed {
    pub(crate) world: World,
    hierarchy_ms: f64,
    /// Of each tier, in the order of [`Tier::ALL`].
    tier_ms: [f64; 3],
    labels_ms: f64,
    /// The same mesh with taut tiers only, whose costs are as seen from above.
    pub(crate) plan: World,
    /// Of each of [`IN_PLAN`].
    plan_ms: [f64; 2],
}

/// The tiers that are also measured in plan.
const IN_PLAN: [Tier; 2] = [Tier::Default, Tier::Best];

impl Indexed {
    pub(crate) fn new(mesh: NavMesh) -> Self {
        let build = |mesh, options: &IndexOptions| {
            build(mesh, options, &no_progress).expect("an index that fits into memory")
        };
        let in_plan = IndexOptions {
            graph: GraphOptions {
                cost_model: CostModel::Plan,
                ..GraphOptions::default()
            },
            tiers: IN_PLAN.to_vec(),
            ..IndexOptions::default()
        };
        let plan = build(mesh.clone(), &in_plan);
        let everything = IndexOptions {
            tiers: Tier::ALL.to_vec(),
            hierarchy: Some(HierarchyOptions::default()),
            labels: Some(MAX_LABEL_BYTES),
            ..IndexOptions::default()
        };
        let world = build(mesh, &everything);
        let times = |world: &World| world.report().times.unwrap_or_default();
        let (of_plan, of_world) = (times(&plan), times(&world));
        let levels = [Stage::Partition, Stage::Hierarchy, Stage::Tables];
        Self {
            world,
            hierarchy_ms: levels.into_iter().map(|stage| of_world.of(stage)).sum(),
            tier_ms: Tier::ALL.map(|tier| of_world.of_tier(tier)),
            labels_ms: of_world.of(Stage::Labels),
            plan,
            plan_ms: IN_PLAN.map(|tier| of_plan.of_tier(tier)),
        }
    }

    /// What is measured with corners as waypoints.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let world = &self.world;
        let engines = engines(world).map(move |engine| Entry {
            name: name_of(engine),
            world,
            engine,
            index_ms: self.index_ms(engine),
        });
        let in_plan = IN_PLAN.into_iter().zip(self.plan_ms);
        engines.chain(in_plan.map(|(tier, index_ms)| Entry {
            name: plan_name(tier),
            world: &self.plan,
            engine: Engine::Auto(tier),
            index_ms,
        }))
    }

    /// What an engine needs took so long, beyond the world.
    fn index_ms(&self, engine: Engine) -> f64 {
        match Index::of(engine) {
            Index::None => 0.0,
            Index::Hierarchy => self.hierarchy_ms,
            Index::Tier(tier) => self.tier_ms[tier as usize],
            Index::Labels => self.tier_ms[Tier::Fast as usize] + self.labels_ms,
        }
    }
}

/// An engine that is measured.
pub(crate) struct Entry<'a> {
    pub(crate) name: String,
    pub(crate) world: &'a World,
    pub(crate) engine: Engine,
    index_ms: f64,
}

/// All engines, the tiers first, with the corners of paths as waypoints, those of a hierarchy where
/// they choose the level themselves; and the default once more as it answers unless told otherwise,
/// with waypoints that follow the ground. Each has a world of its own: with a common one, each would
/// find its memory in the caches because of the others.
pub(crate) fn peers(indexed: &Indexed) -> Vec<Ours> {
    let build_ms = build_ms(&indexed.world);
    let peer = |entry: Entry<'_>, ground_tolerance| Ours {
        name: entry.name,
        world: entry.world.clone(),
        build_ms: build_ms + entry.index_ms,
        engine: entry.engine,
        ground_tolerance,
        scratch: Scratch::new(),
        path: portolan_core::Path::default(),
    };
    let default = Query::new(Vec3::ZERO, Vec3::ZERO);
    let on_the_ground = Entry {
        name: format!("{}+ground", name_of(default.engine)),
        world: &indexed.world,
        engine: default.engine,
        index_ms: indexed.index_ms(default.engine),
    };
    let on_the_ground = peer(on_the_ground, default.ground_tolerance);
    let corners = indexed.entries().map(|entry| peer(entry, f32::INFINITY));
    corners.chain([on_the_ground]).collect()
}

/// The engines to measure, each once: `auto` at each tier, which is what a user gets, then what is not
/// one of these under another name.
pub(crate) fn engines(world: &World) -> impl Iterator<Item = Engine> {
    let mut known = Vec::new();
    let mut engines = Tier::ALL.map(Engine::Auto).to_vec();
    engines.extend(world.engines());
    engines.retain(|&engine| {
        let resolved = world.resolve_engine(engine);
        let is_new = engine.level().is_none() && !known.contains(&resolved);
        known.push(resolved);
        is_new
    });
    engines.into_iter()
}

/// As it stands in the table.
pub(crate) fn name_of(engine: Engine) -> String {
    match engine {
        Engine::Auto(tier) => format!("ours:{tier}"),
        engine => engine.to_string(),
    }
}

/// A tier with costs as seen from above, as it stands in the table.
pub(crate) fn plan_name(tier: Tier) -> String {
    format!("{}+plan", name_of(Engine::Auto(tier)))
}

/// What an engine needs beyond the world's own graph.
enum Index {
    None,
    Hierarchy,
    Tier(Tier),
    Labels,
}

impl Index {
    fn of(engine: Engine) -> Self {
        match engine {
            Engine::Auto(tier) | Engine::Contraction(tier) => Self::Tier(tier),
            Engine::Labels => Self::Labels,
            Engine::Hna { .. } | Engine::Pccp { .. } => Self::Hierarchy,
            _ => Self::None,
        }
    }
}

/// Milliseconds from polygons to a world that answers: checks, portals, location tree, graph.
fn build_ms(world: &World) -> f64 {
    let raw = raw_polygons(world.mesh());
    let mut watch = Stopwatch::start();
    let built = World::build(raw, &NavMeshOptions::default());
    let ms = watch.lap_ms();
    drop(built);
    ms
}

/// The polygons of a mesh as they would come from elsewhere.
fn raw_polygons(mesh: &NavMesh) -> RawNavMesh {
    let mut polygons = Csr::new();
    for polygon in mesh.polygons() {
        polygons.push(mesh.corners(polygon).iter().copied());
    }
    RawNavMesh {
        vertices: mesh.vertices().to_vec(),
        polygons,
        ..RawNavMesh::default()
    }
}

/// What the mesh and its graph keep; queries of all our engines need both.
pub(crate) fn world_bytes(world: &World) -> usize {
    world.mesh().bytes() + world.graph().bytes()
}

impl Peer for Ours {
    fn name(&self) -> &str {
        &self.name
    }

    fn build_ms(&self) -> f64 {
        self.build_ms
    }

    fn bytes(&self) -> Option<usize> {
        Some(world_bytes(&self.world) + self.world.engine_bytes(self.engine))
    }

    fn ask(&mut self, from: Vec3, to: Vec3, answer: &mut Answer) {
        answer.clear();
        let query = Query {
            engine: self.engine,
            ground_tolerance: self.ground_tolerance,
            ..Query::new(from, to)
        };
        let timed = timed_query(&self.world, &query, &mut self.scratch, &mut self.path);
        let timed = timed.expect("an engine of this world");
        answer.waypoints.extend_from_slice(&self.path.waypoints);
        let nanoseconds = |time: Duration| time.as_nanos() as u64;
        answer.parts = Parts {
            locate: nanoseconds(timed.times.locate),
            corridor: nanoseconds(timed.times.search),
            waypoints: nanoseconds(timed.times.waypoints),
        };
        answer.status = status_of(timed.status);
        if answer.status == Status::OffMesh {
            return;
        }
        // Who does not promise the least cost is not held to it.
        answer.cost = self
            .world
            .resolve_engine(self.engine)
            .is_exact()
            .then(|| f64::from(self.path.cost));
        let ids = self.path.corridor.user_ids(self.world.mesh());
        answer.polygons.extend(ids);
    }
}

pub(crate) fn status_of(status: portolan_core::Status) -> Status {
    match status {
        portolan_core::Status::Found => Status::Found,
        portolan_core::Status::Partial => Status::Partial,
        status if status.is_off_mesh() => Status::OffMesh,
        _ => Status::NoPath,
    }
}
