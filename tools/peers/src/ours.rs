//! Our own engines: every one that there is, and `auto` at each tier as `ours:TIER`; at taut tiers also with
//! costs as seen from above, which is what excess goes by, as `ours:TIER+plan`.

use glam::Vec3;
use portolan_core::contraction::{HubLabels, Shortcuts};
use portolan_core::{
    CostModel, Csr, Engine, GraphOptions, Hierarchy, IndexOptions, NavMesh, NavMeshOptions, Query,
    RawNavMesh, Scratch, Tier, World,
};
use portolan_index::{OrderOptions, PartitionOptions, TierOptions, add_tier, order, partition};

use crate::peer::{Answer, Peer, Status, Stopwatch};

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
        let in_plan = GraphOptions {
            cost_model: CostModel::Plan,
            ..GraphOptions::default()
        };
        let add = |world, tier| add_tier(world, tier, &TierOptions::default()).expect("a tier");
        let mut plan = World::with_graph(mesh.clone(), &in_plan);
        let mut watch = Stopwatch::start();
        let plan_ms = IN_PLAN.map(|tier| {
            plan = add(plan.clone(), tier);
            watch.lap_ms()
        });
        watch.lap_ms();
        let partition = partition(&mesh, &PartitionOptions::default()).expect("a partition");
        let world = World::with_hierarchy(mesh, partition, &IndexOptions::default());
        let world = world.expect("a hierarchy that fits into memory");
        let hierarchy_ms = watch.lap_ms();
        let order = order(world.graph(), &OrderOptions::default()).expect("an order");
        let world = world.with_contraction(order);
        let fast_ms = watch.lap_ms();
        let world = world.with_labels(MAX_LABEL_BYTES);
        let world = world.expect("labels that fit into memory");
        let labels_ms = watch.lap_ms();
        let world = add(world, Tier::Default);
        let default_ms = watch.lap_ms();
        let world = add(world, Tier::Best);
        let best_ms = watch.lap_ms();
        Self {
            world,
            hierarchy_ms,
            tier_ms: [fast_ms, default_ms, best_ms],
            labels_ms,
            plan,
            plan_ms,
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

    /// Bytes of it in a world.
    fn bytes(&self, world: &World) -> usize {
        match *self {
            Self::None => 0,
            Self::Hierarchy => hierarchy_bytes(world),
            Self::Tier(tier) => tier_bytes(world, tier),
            Self::Labels => {
                let labels = world.default_costs().labels();
                tier_bytes(world, Tier::Fast) + labels.map_or(0, HubLabels::bytes)
            }
        }
    }
}

/// What a tier keeps: its contraction and shortcuts, and a taut one samples of its own and the holes
/// of the mesh.
fn tier_bytes(world: &World, tier: Tier) -> usize {
    let shortcuts = world.default_costs().shortcuts(tier);
    let contraction = world.tier(tier).map_or(0, |(graph, contraction)| {
        let samples = if tier.is_taut() { graph.bytes() } else { 0 };
        samples + contraction.bytes()
    });
    let holes = if tier.is_taut() {
        world.hole_bytes()
    } else {
        0
    };
    contraction + shortcuts.map_or(0, Shortcuts::bytes) + holes
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

/// What the hierarchy keeps, with its tables.
fn hierarchy_bytes(world: &World) -> usize {
    let metric = world.default_costs().metric();
    let metric = metric.map_or(0, |m| m.bytes() + m.table_bytes() + m.centre_bytes());
    metric + world.hierarchy().map_or(0, Hierarchy::bytes)
}

impl Peer for Ours {
    fn name(&self) -> &str {
        &self.name
    }

    fn build_ms(&self) -> f64 {
        self.build_ms
    }

    fn bytes(&self) -> Option<usize> {
        Some(world_bytes(&self.world) + Index::of(self.engine).bytes(&self.world))
    }

    fn ask(&mut self, from: Vec3, to: Vec3, answer: &mut Answer) {
        answer.clear();
        let query = Query {
            engine: self.engine,
            ground_tolerance: self.ground_tolerance,
            ..Query::new(from, to)
        };
        let mut watch = Stopwatch::start();
        let located = self.world.locate(&query).expect("an engine of this world");
        answer.parts.locate = watch.lap();
        if located.ends().is_err() {
            answer.status = Status::OffMesh;
            return;
        }
        let searched = located.search(&mut self.scratch);
        answer.parts.corridor = watch.lap();
        let status = searched.waypoints(&mut self.path);
        answer.waypoints.extend_from_slice(&self.path.waypoints);
        answer.parts.waypoints = watch.lap();

        answer.status = status_of(status);
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
