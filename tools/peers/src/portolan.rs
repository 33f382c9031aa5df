//! All engines of Portolan. The row `auto` is the default engine with an index of default options, which may or may not
//! use the exact tier. The row `auto:exact` is the exact tier without the polygons along the path, and
//! `auto:exact+corridor` is the same with them. `contraction` is the default tier. For taut tiers, whose shortcuts cost
//! what their string-pulled paths cost, there are also rows with `+plan`: their costs are lengths in the (x, z) plane,
//! like the lengths that excess compares.

use std::time::Duration;

use glam::Vec3;
use portolan_core::{
    CostModel, Csr, DEFAULT_GROUND_TOLERANCE, Engine, GraphOptions, NavMesh, NavMeshOptions, Query,
    RawNavMesh, Scratch, Stage, Tier, World, no_progress,
};
use portolan_index::{HierarchyOptions, IndexOptions, build};
use portolan_measure::{Stopwatch, timed_query};

use crate::peer::{Peer, PeerAnswer, PeerStatus, StepTimes};
use crate::report::ExactTier;

/// The engine of the exact tier.
pub(crate) const EXACT: Engine = Engine::Auto(Tier::Exact);

/// The name of the row of the exact tier with the polygons along its paths.
pub(crate) const EXACT_WITH_CORRIDOR: &str = "auto:exact+corridor";

/// An engine of Portolan on a world.
pub(crate) struct PortolanPeer {
    name: String,
    world: World,
    build_ms: f64,
    engine: Engine,
    /// The tolerance for waypoints that follow the ground. If it is infinite, waypoints are corners only, which is
    /// what other libraries return.
    ground_tolerance: f32,
    /// Whether exact paths list the polygons that they pass. All other paths list them in any case.
    corridor: bool,
    scratch: Scratch,
    path: portolan_core::Path,
}

/// The maximum memory of hub labels. [Units: bytes]
const MAX_LABEL_BYTES: usize = 4 << 30;

/// A navmesh indexed for all engines, with the time that each index takes in addition to the world itself.
/// [Units: ms]
pub(crate) struct IndexedWorlds {
    /// The world with all tiers, a hierarchy and hub labels.
    pub(crate) world: World,
    hierarchy_ms: f64,
    /// Per tier, in the order of [`Tier::ALL`].
    tier_ms: [f64; 4],
    labels_ms: f64,
    /// The same navmesh with an index of default options, which decide what `auto` is.
    pub(crate) by_default: World,
    /// The time for the tier that `auto` uses.
    by_default_ms: f64,
    /// The same navmesh with taut tiers only. Costs are lengths in the (x, z) plane.
    pub(crate) plan: World,
    /// Per tier of [`PLAN_TIERS`].
    plan_ms: [f64; 2],
    /// The time to build a world without an index.
    pub(crate) world_ms: f64,
}

/// The tiers that are also measured with costs in the (x, z) plane.
const PLAN_TIERS: [Tier; 2] = [Tier::Default, Tier::Best];

impl IndexedWorlds {
    pub(crate) fn new(mesh: NavMesh) -> Self {
        let build = |mesh, options: &IndexOptions| {
            build(mesh, options, &no_progress).expect("an index that fits into memory")
        };
        let in_plan = IndexOptions {
            graph: GraphOptions {
                cost_model: CostModel::Plan,
                ..GraphOptions::default()
            },
            tiers: PLAN_TIERS.to_vec(),
            exact_where_cheap: false,
            ..IndexOptions::default()
        };
        let plan = build(mesh.clone(), &in_plan);
        let by_default = build(mesh.clone(), &IndexOptions::default());
        let everything = IndexOptions {
            tiers: Tier::ALL.to_vec(),
            hierarchy: Some(HierarchyOptions::default()),
            labels: Some(MAX_LABEL_BYTES),
            ..IndexOptions::default()
        };
        let world = build(mesh, &everything);
        let times = |world: &World| world.report().times.unwrap_or_default();
        let (of_plan, of_world, of_default) = (times(&plan), times(&world), times(&by_default));
        let levels = [Stage::Partition, Stage::Hierarchy, Stage::Tables];
        let tier_of_auto = by_default.resolve_engine(Engine::default()).tier();
        Self {
            hierarchy_ms: levels.into_iter().map(|stage| of_world.of(stage)).sum(),
            tier_ms: Tier::ALL.map(|tier| of_world.of_tier(tier)),
            labels_ms: of_world.of(Stage::Labels),
            by_default_ms: of_default.of_tier(tier_of_auto),
            by_default,
            plan,
            plan_ms: PLAN_TIERS.map(|tier| of_plan.of_tier(tier)),
            world_ms: build_ms(&world),
            world,
        }
    }

    /// Iterates over the rows that are measured with corners as waypoints. The first one is `auto`.
    pub(crate) fn engine_rows(&self) -> impl Iterator<Item = EngineRow<'_>> {
        let world = &self.world;
        let auto = self.row_of_auto(Engine::default().to_string(), false);
        let exact = [
            (EXACT.to_string(), false),
            (EXACT_WITH_CORRIDOR.to_owned(), true),
        ];
        let exact = exact.map(|(name, corridor)| EngineRow {
            name,
            world,
            engine: EXACT,
            corridor,
            index_ms: self.index_ms(EXACT),
        });
        let engines = engines(world).map(move |engine| EngineRow {
            name: engine.to_string(),
            world,
            engine,
            corridor: true,
            index_ms: self.index_ms(engine),
        });
        let in_plan = PLAN_TIERS.into_iter().zip(self.plan_ms);
        let in_plan = in_plan.map(|(tier, index_ms)| EngineRow {
            name: plan_name(tier),
            world: &self.plan,
            engine: engine_of_tier(tier),
            corridor: true,
            index_ms,
        });
        [auto]
            .into_iter()
            .chain(exact)
            .chain(engines)
            .chain(in_plan)
    }

    /// Returns a row of the default engine with an index of default options.
    fn row_of_auto(&self, name: String, corridor: bool) -> EngineRow<'_> {
        EngineRow {
            name,
            world: &self.by_default,
            engine: Engine::default(),
            corridor,
            index_ms: self.by_default_ms,
        }
    }

    /// Returns the time to build the index of an engine, in addition to the world itself.
    fn index_ms(&self, engine: Engine) -> f64 {
        match Index::of(engine) {
            Index::None => 0.0,
            Index::Hierarchy => self.hierarchy_ms,
            Index::Tier(tier) => self.tier_ms[tier as usize],
            Index::Labels => self.tier_ms[Tier::Fast as usize] + self.labels_ms,
        }
    }

    /// Returns the size of the exact tier, how it searches, and whether `auto` uses it.
    pub(crate) fn exact_tier(&self) -> ExactTier {
        let method = |world: &World| world.exact_method().map(|method| method.name().to_owned());
        let size = self.world.exact_size().expect("a world with all tiers");
        ExactTier {
            is_auto: self.by_default.auto_is_exact(),
            auto_method: method(&self.by_default).filter(|_| self.by_default.auto_is_exact()),
            method: method(&self.world).expect("a world with all tiers"),
            corners: size.nodes,
            tangents: size.edges,
            label_entries: size.label_entries,
        }
    }
}

/// An engine that gets a row in the table.
pub(crate) struct EngineRow<'a> {
    pub(crate) name: String,
    pub(crate) world: &'a World,
    pub(crate) engine: Engine,
    /// Whether exact paths list the polygons that they pass.
    pub(crate) corridor: bool,
    index_ms: f64,
}

/// Creates a peer per row: `auto`, the exact tier, the tiers of the contraction, then all other engines, all with corners
/// as waypoints. Engines over a hierarchy choose their level. The last row is the default engine with waypoints that follow
/// the ground.
///
/// Every peer has its own copy of the world. With a shared world, the queries of one peer would fill the caches for
/// the others.
pub(crate) fn peers(indexed: &IndexedWorlds) -> Vec<PortolanPeer> {
    let peer = |row: EngineRow<'_>, ground_tolerance| PortolanPeer {
        name: row.name,
        world: row.world.clone(),
        build_ms: indexed.world_ms + row.index_ms,
        engine: row.engine,
        ground_tolerance,
        corridor: row.corridor,
        scratch: Scratch::new(),
        path: portolan_core::Path::default(),
    };
    let default = Query::new(Vec3::ZERO, Vec3::ZERO);
    let on_the_ground = indexed.row_of_auto(format!("{}+ground", default.engine), default.corridor);
    let on_the_ground = peer(on_the_ground, DEFAULT_GROUND_TOLERANCE);
    let corners = indexed.engine_rows().map(|row| peer(row, f32::INFINITY));
    corners.chain([on_the_ground]).collect()
}

/// Returns the engines to measure in addition to `auto` and the exact tier: the tiers of the contraction, then all
/// engines that none of these resolves to.
fn engines(world: &World) -> impl Iterator<Item = Engine> {
    let mut known = vec![EXACT];
    let mut engines = Tier::CONTRACTED.map(engine_of_tier).to_vec();
    engines.extend(world.engines());
    engines.retain(|&engine| {
        let resolved = world.resolve_engine(engine);
        let is_new = engine.level().is_none() && !known.contains(&resolved);
        known.push(resolved);
        is_new
    });
    engines.into_iter()
}

/// Returns the engine whose row stands for a tier of the contraction. `auto` is not an engine of the default tier,
/// because it may be exact.
pub(crate) fn engine_of_tier(tier: Tier) -> Engine {
    match tier {
        Tier::Default => Engine::Contraction(tier),
        tier => Engine::Auto(tier),
    }
}

/// Returns the name of the row of a tier with costs in the (x, z) plane.
pub(crate) fn plan_name(tier: Tier) -> String {
    format!("{}+plan", engine_of_tier(tier))
}

/// The index that an engine needs in addition to the portal graph.
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

/// Measures the time to build a world from polygons: validation, portals, location tree and graph. [Units: ms]
fn build_ms(world: &World) -> f64 {
    let raw = raw_polygons(world.mesh());
    let mut watch = Stopwatch::start();
    let built = World::build(raw, &NavMeshOptions::default());
    let ms = watch.lap_ms();
    drop(built);
    ms
}

/// Returns the polygons of a navmesh as raw input.
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

/// Returns the memory of navmesh and portal graph in bytes. All engines need both.
pub(crate) fn world_bytes(world: &World) -> usize {
    world.mesh().bytes() + world.graph().bytes()
}

impl Peer for PortolanPeer {
    fn name(&self) -> &str {
        &self.name
    }

    fn build_ms(&self) -> f64 {
        self.build_ms
    }

    fn bytes(&self) -> Option<usize> {
        Some(world_bytes(&self.world) + self.world.engine_bytes(self.engine))
    }

    fn query(&mut self, from: Vec3, to: Vec3, answer: &mut PeerAnswer) {
        answer.clear();
        let query = Query {
            engine: self.engine,
            ground_tolerance: self.ground_tolerance,
            corridor: self.corridor,
            ..Query::new(from, to)
        };
        let timed = timed_query(&self.world, &query, &mut self.scratch, &mut self.path);
        let timed = timed.expect("an engine of this world");
        answer.waypoints.extend_from_slice(&self.path.waypoints);
        let nanoseconds = |time: Duration| time.as_nanos() as u64;
        answer.times = StepTimes {
            locate: nanoseconds(timed.times.locate),
            corridor: nanoseconds(timed.times.search),
            waypoints: nanoseconds(timed.times.waypoints),
        };
        answer.status = status_of(timed.status);
        if answer.status == PeerStatus::OffMesh {
            return;
        }
        // Costs are checked against Dijkstra's, so only engines that must find the same costs report theirs.
        answer.cost = self
            .world
            .resolve_engine(self.engine)
            .is_exact()
            .then(|| f64::from(self.path.cost));
        let ids = self.path.corridor.user_ids(self.world.mesh());
        answer.polygons.extend(ids);
    }
}

pub(crate) fn status_of(status: portolan_core::Status) -> PeerStatus {
    match status {
        portolan_core::Status::Found => PeerStatus::Found,
        portolan_core::Status::Partial => PeerStatus::Partial,
        status if status.is_off_mesh() => PeerStatus::OffMesh,
        _ => PeerStatus::NoPath,
    }
}
