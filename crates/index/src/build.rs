//! One function builds a world.

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::time::Instant;

use portolan_core::{
    BuildReport, BuildTimes, NavMesh, Partition, PortalGraph, Progress, Samples, Stage, Tier,
    World, WorldError,
};

use crate::density::Midpoints;
use crate::options::MAX_SEPARATORS;
use crate::order::order_watched;
use crate::tiers::order_taut_watched;
use crate::{HierarchyOptions, IndexError, IndexOptions, OrderOptions};

/// Taut tiers choose from so many times as many separators as the fast one.
const TAUT_SEPARATORS: u32 = 4;

/// Builds a world with everything that its options ask for. [`World::report`] then says how long each
/// stage took. The same mesh and options give the same world, on any number of threads.
///
/// `watch` is told how far the stage under way is, and stops the build where it breaks:
/// [`IndexError::Stopped`]. It is asked before and after each stage and, within the partition, the
/// hierarchy and orders by flow, while they work; [`no_progress`](portolan_core::no_progress) never stops.
///
/// With a hierarchy polygons are numbered by its nodes. Without, they stay as the navmesh has them: in
/// the order of its location tree, in which neighbours lie together, too.
///
/// ```
/// use portolan_core::{NavMesh, NavMeshOptions, Tier, no_progress};
/// use portolan_index::{IndexOptions, build};
/// use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let mesh = NavMesh::build(raw, &NavMeshOptions::default())?;
/// let world = build(mesh, &IndexOptions::default(), &no_progress)?;
/// assert!(world.tiers().eq([Tier::Fast, Tier::Default]));
///
/// let mut points = RandomPoints::new(world.mesh(), 7);
/// let (from, to) = (points.next().unwrap(), points.next().unwrap());
/// let path = world.find(from, to)?;
/// # drop(path);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build(
    mesh: NavMesh,
    options: &IndexOptions,
    watch: Progress<'_>,
) -> Result<World, IndexError> {
    options.check(&mesh)?;
    let mut build = Build {
        options,
        watch,
        times: BuildTimes::default(),
    };
    // Before there are other threads: METIS takes SIGTERM to itself while it runs, and only on the thread
    // that called it does that end well.
    let (mesh, partition) = match &options.hierarchy {
        Some(hierarchy) => {
            let (mesh, partition) = build.partition(mesh, hierarchy)?;
            (mesh, Some((partition, hierarchy)))
        }
        None => (mesh, None),
    };
    let Some(threads) = options.threads else {
        return build.world(mesh, partition);
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool
        .build()
        .map_err(|error| IndexError::Threads(error.to_string()))?;
    pool.install(|| build.world(mesh, partition))
}

/// A build under way.
struct Build<'a> {
    options: &'a IndexOptions,
    watch: Progress<'a>,
    times: BuildTimes,
}

impl Build<'_> {
    /// Merges the polygons into nodes and numbers them by these.
    #[cfg(feature = "metis")]
    fn partition(
        &mut self,
        mesh: NavMesh,
        options: &HierarchyOptions,
    ) -> Result<(NavMesh, Partition), IndexError> {
        let watch = self.watch;
        self.stage(Stage::Partition, || {
            let share =
                |done: usize, all: usize| watch(Stage::Partition, done as f32 / all.max(1) as f32);
            let partition = crate::partition_with_progress(&mesh, &options.partition, &share)?;
            let order = partition.order();
            Ok((mesh.in_order(&order), partition.in_order(&order)))
        })
    }

    #[cfg(not(feature = "metis"))]
    fn partition(
        &mut self,
        _: NavMesh,
        _: &HierarchyOptions,
    ) -> Result<(NavMesh, Partition), IndexError> {
        Err(IndexError::NoMetis("a hierarchy"))
    }

    /// Everything that is made of the mesh as it is numbered.
    fn world(
        mut self,
        mesh: NavMesh,
        partition: Option<(Partition, &HierarchyOptions)>,
    ) -> Result<World, IndexError> {
        let options = self.options;
        let mut world = self.stage(Stage::Graph, || {
            Ok(World::new(mesh, &options.graph, &options.profile)?)
        })?;
        if let Some((partition, hierarchy)) = partition {
            world = self.with_hierarchy(world, partition, hierarchy)?;
        }
        if options.tiers.contains(&Tier::Fast) {
            world = self.with_fast(world)?;
        }
        if let Some(max_bytes) = options.labels {
            world = self.stage(Stage::Labels, || Ok(world.with_labels(max_bytes)?))?;
        }
        world = self.with_taut(world)?;
        Ok(world.with_report(BuildReport {
            partition: options.hierarchy.as_ref().map(|h| h.partition.clone()),
            order_seed: options.order.seed,
            times: Some(self.times),
        }))
    }

    fn with_hierarchy(
        &mut self,
        world: World,
        partition: Partition,
        options: &HierarchyOptions,
    ) -> Result<World, IndexError> {
        let tables_start = OnceLock::new();
        let watch = |stage, share| {
            if stage == Stage::Tables {
                tables_start.get_or_init(Instant::now);
            }
            (self.watch)(stage, share)
        };
        let start = Instant::now();
        let world = world.with_hierarchy_and_progress(partition, &options.tables, &watch)?;
        let end = Instant::now();
        let middle = *tables_start.get().unwrap_or(&end);
        self.times.add(Stage::Hierarchy, millis(start, middle));
        self.times.add(Stage::Tables, millis(middle, end));
        Ok(world)
    }

    fn with_fast(&mut self, world: World) -> Result<World, IndexError> {
        let (options, watch) = (&self.options.order, self.watch);
        let order = self.stage(Stage::Order, || {
            let share = |share| watch(Stage::Order, share);
            order_watched(world.graph(), |_, samples| samples, options, &share)
        })?;
        self.stage(Stage::Contraction, || Ok(world.with_contraction(order)?))
    }

    /// Adds the taut tiers that are asked for.
    fn with_taut(&mut self, mut world: World) -> Result<World, IndexError> {
        let (options, watch) = (self.options, self.watch);
        let is_wanted = |tier: &Tier| options.tiers.contains(tier);
        let tiers: Vec<Tier> = Tier::TAUT.into_iter().filter(is_wanted).collect();
        // Their searches are 4% faster on vaduz for it, at two to three times the time for an order.
        let orders = OrderOptions {
            separators: (TAUT_SEPARATORS * options.order.separators).min(MAX_SEPARATORS),
            ..options.order.clone()
        };
        let midpoints = match tiers.iter().any(|tier| !options.samples.contains_key(tier)) {
            true => Some(self.stage(Stage::Samples, || {
                let share = |share| watch(Stage::Samples, share);
                Midpoints::new(world.mesh(), world.graph(), &orders, &share)
            })?),
            false => None,
        };
        for tier in tiers {
            let chosen = midpoints.as_ref().and_then(|made| made.samples(tier));
            let samples = options.samples.get(&tier).copied().or(chosen);
            let samples = samples.expect("samples of the user's or chosen ones");
            let stage = match tier {
                Tier::Best => Stage::BestTier,
                _ => Stage::DefaultTier,
            };
            world = self.stage(stage, || {
                let graph_options = world.taut_graph_options(samples);
                if !graph_options.is_valid_for(world.mesh()) {
                    return Err(WorldError::Graph(graph_options).into());
                }
                let graph = PortalGraph::new(world.mesh(), &graph_options);
                let order = match &midpoints {
                    // It is the same order: that of these samples.
                    Some(midpoints) if samples == Samples::Each(1) => midpoints.order.clone(),
                    _ => {
                        // Arcs and costs take about as long again.
                        let share = |share: f32| watch(stage, share / 2.0);
                        order_taut_watched(world.mesh(), &graph, &orders, &share)?
                    }
                };
                Ok(world.with_tier(tier, graph, order)?)
            })?;
        }
        Ok(world)
    }

    /// Runs a stage between two looks at the watcher, and takes its time.
    fn stage<T>(
        &mut self,
        stage: Stage,
        work: impl FnOnce() -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        self.tell(stage, 0.0)?;
        let start = Instant::now();
        let made = work()?;
        self.times.add(stage, millis(start, Instant::now()));
        self.tell(stage, 1.0)?;
        Ok(made)
    }

    fn tell(&self, stage: Stage, share: f32) -> Result<(), IndexError> {
        match (self.watch)(stage, share) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(IndexError::Stopped),
        }
    }
}

fn millis(start: Instant, end: Instant) -> f64 {
    (end - start).as_secs_f64() * 1e3
}
