//! Builds a world from a navmesh in one call.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use portolan_core::{
    BuildReport, BuildTimes, BuiltContraction, BuiltExact, BuiltHierarchy, BuiltTier, NavMesh,
    Partition, PortalGraph, Progress, Stage, Tier, World, WorldError,
};

use crate::density::SampleChoices;
use crate::exact::{add_exact, build_exact};
use crate::options::MAX_SEPARATORS;
use crate::order::order_with_progress;
use crate::tiers::order_taut_with_progress;
use crate::{HierarchyOptions, IndexError, IndexOptions, OrderMethod, OrderOptions};

/// Taut tiers choose from this many times as many separators as the fast tier.
const TAUT_SEPARATORS: u32 = 4;

/// Builds a world with everything that `options` select. [`World::report`] returns how long each stage
/// took. The same mesh and options give the same world, on any number of threads.
///
/// `progress` is called with the current stage and the fraction of it that is done. If it breaks, the build
/// stops with [`IndexError::Stopped`]. `progress` is called before and after each stage, and during the partition,
/// the hierarchy and orders by flow. The hierarchy is built at the same time as the contractions, so their reports
/// alternate; all other stages follow one another in the order of [`Stage::ALL`]. [`no_progress`](portolan_core::no_progress) never stops the build.
///
/// With a hierarchy, polygons are renumbered by its nodes, unless some of them were replaced at run time. Without one, they keep the order of the
/// navmesh's location tree, in which neighbours are close together as well.
///
/// # Errors
/// Fails if an option is outside its limits or needs the feature `metis`, if a part of the index would be too
/// large, or if `progress` breaks.
///
/// ```
/// use portolan_core::{NavMesh, NavMeshOptions, Tier, no_progress};
/// use portolan_index::{IndexOptions, build};
/// use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let mesh = NavMesh::build(raw, &NavMeshOptions::default())?;
/// let world = build(mesh, &IndexOptions::default(), &no_progress)?;
/// assert!(world.tiers().take(2).eq([Tier::Fast, Tier::Default]));
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
    progress: Progress<'_>,
) -> Result<World, IndexError> {
    options.check(&mesh)?;
    // Stages that run at the same time all stop, and the callback is not called again.
    let is_stopped = AtomicBool::new(false);
    let progress = |stage, fraction| {
        if is_stopped.load(Ordering::Relaxed) || progress(stage, fraction).is_break() {
            is_stopped.store(true, Ordering::Relaxed);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let build = IndexBuild {
        options,
        progress: &progress,
        is_stopped: &is_stopped,
        times: Mutex::default(),
    };
    // The partition is computed on the caller's thread, before other threads start: METIS installs a SIGTERM
    // handler while it runs, which is only safe on the thread that called METIS.
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

/// A build in progress.
struct IndexBuild<'a> {
    options: &'a IndexOptions,
    progress: Progress<'a>,
    /// Whether `progress` has stopped the build.
    is_stopped: &'a AtomicBool,
    times: Mutex<BuildTimes>,
}

impl IndexBuild<'_> {
    /// Merges the polygons into nodes and renumbers the polygons by node.
    #[cfg(feature = "metis")]
    fn partition(
        &self,
        mesh: NavMesh,
        options: &HierarchyOptions,
    ) -> Result<(NavMesh, Partition), IndexError> {
        let progress = self.progress;
        self.stage(Stage::Partition, || {
            let report = |done: usize, all: usize| {
                progress(Stage::Partition, done as f32 / all.max(1) as f32)
            };
            let partition = crate::partition_with_progress(&mesh, &options.partition, &report)?;
            if mesh.topology() > 0 {
                // Polygons were replaced at run time, and those that stayed keep their ids.
                return Ok((mesh, partition));
            }
            let order = partition.order();
            Ok((mesh.in_order(&order), partition.in_order(&order)))
        })
    }

    #[cfg(not(feature = "metis"))]
    fn partition(
        &self,
        _: NavMesh,
        _: &HierarchyOptions,
    ) -> Result<(NavMesh, Partition), IndexError> {
        Err(IndexError::NoMetis("a hierarchy"))
    }

    /// Builds everything that depends on the final numbers of the polygons.
    fn world(
        self,
        mesh: NavMesh,
        partition: Option<(Partition, &HierarchyOptions)>,
    ) -> Result<World, IndexError> {
        let options = self.options;
        let base = self.stage(Stage::Graph, || {
            Ok(World::new(mesh, &options.graph, &options.profile)?)
        })?;
        let build_hierarchy = || match partition {
            Some((partition, options)) => {
                let built = self.build_hierarchy(&base, partition, options);
                built.map(Some)
            }
            None => Ok(None),
        };
        let (world, hierarchy, exact) = match options.order.method {
            // Each of them has parts that run on one thread only, so on several threads they take less time together.
            // The first bisections of the fast tier are such a part, so the others start at the same time.
            OrderMethod::Flow => {
                let (mut hierarchy, mut exact) = (Ok(None), Ok(None));
                let world = rayon::scope(|scope| {
                    scope.spawn(|_| {
                        exact = self.try_exact(&base);
                        hierarchy = build_hierarchy();
                    });
                    self.with_contractions(&base)
                });
                (world, hierarchy, exact)
            }
            // METIS must not be interrupted on another thread.
            OrderMethod::Metis => {
                let world = self.with_contractions(&base);
                (world, build_hierarchy(), self.try_exact(&base))
            }
        };
        let mut world = world?;
        if let Some(hierarchy) = hierarchy? {
            world = world.with_built_hierarchy(hierarchy);
        }
        world = self.with_exact(world, exact?)?;
        let times = self.times.into_inner();
        Ok(world.with_report(BuildReport {
            partition: options.hierarchy.as_ref().map(|h| h.partition.clone()),
            order_seed: options.order.seed,
            times: Some(times.unwrap_or_else(PoisonError::into_inner)),
        }))
    }

    /// Returns the world with the contractions of all selected tiers, and with labels.
    fn with_contractions(&self, base: &World) -> Result<World, IndexError> {
        let fast = match self.options.tiers.contains(&Tier::Fast) {
            true => Some(self.contract_fast(base)?),
            false => None,
        };
        // The taut tiers read the contraction of the fast tier, and not its costs.
        let with_costs = || -> Result<World, IndexError> {
            let mut world = base.clone();
            if let Some(fast) = fast.clone() {
                let start = Instant::now();
                world = world.with_fast_tier(fast);
                self.add_time(Stage::Contraction, millis(start, Instant::now()));
            }
            if let Some(max_bytes) = self.options.labels {
                world = self.stage(Stage::Labels, || Ok(world.with_labels(max_bytes)?))?;
            }
            Ok(world)
        };
        let with_taut = || {
            let choices = self.choose_samples(base, fast.as_ref())?;
            self.build_taut(base, choices.as_ref())
        };
        let (world, tiers) = match self.options.order.method {
            // Labels are a stage of their own, and stages of contractions follow one another.
            OrderMethod::Flow if self.options.labels.is_none() => {
                rayon::join(with_costs, with_taut)
            }
            // METIS must not be interrupted on another thread.
            _ => (Ok(with_costs()?), with_taut()),
        };
        Ok(tiers?.into_iter().fold(world?, World::with_built_tier))
    }

    fn build_hierarchy(
        &self,
        world: &World,
        partition: Partition,
        options: &HierarchyOptions,
    ) -> Result<BuiltHierarchy, IndexError> {
        let tables_start = OnceLock::new();
        let progress = |stage, fraction| {
            if stage == Stage::Tables {
                tables_start.get_or_init(Instant::now);
            }
            (self.progress)(stage, fraction)
        };
        let start = Instant::now();
        let built = world.build_hierarchy(partition, &options.tables, &progress)?;
        let end = Instant::now();
        let tables_started = *tables_start.get().unwrap_or(&end);
        self.add_time(Stage::Hierarchy, millis(start, tables_started));
        self.add_time(Stage::Tables, millis(tables_started, end));
        Ok(built)
    }

    /// Builds the contraction of the fast tier, without costs.
    fn contract_fast(&self, world: &World) -> Result<BuiltContraction, IndexError> {
        let (options, progress) = (&self.options.order, self.progress);
        let order = self.stage(Stage::Order, || {
            let report = |fraction| progress(Stage::Order, fraction);
            order_with_progress(world.graph(), |_, samples| samples, options, &report)
        })?;
        self.stage(Stage::Contraction, || Ok(world.build_contraction(order)?))
    }

    /// Returns the taut tiers that the options select.
    fn taut_tiers(&self) -> Vec<Tier> {
        let is_wanted = |tier: &Tier| self.options.tiers.contains(tier);
        Tier::TAUT.into_iter().filter(is_wanted).collect()
    }

    /// Chooses the samples of the taut tiers, unless the options say all of them.
    fn choose_samples(
        &self,
        world: &World,
        fast: Option<&BuiltContraction>,
    ) -> Result<Option<SampleChoices>, IndexError> {
        let (options, progress) = (self.options, self.progress);
        let mut tiers = self.taut_tiers();
        tiers.retain(|tier| !options.samples.contains_key(tier));
        if tiers.is_empty() {
            return Ok(None);
        }
        let report = |fraction| progress(Stage::Samples, fraction);
        let choose = || SampleChoices::new(world, fast, tiers, &options.order, &report);
        self.stage(Stage::Samples, choose).map(Some)
    }

    /// Builds the taut tiers that the options select.
    fn build_taut(
        &self,
        world: &World,
        choices: Option<&SampleChoices>,
    ) -> Result<Vec<BuiltTier>, IndexError> {
        let (options, progress) = (self.options, self.progress);
        // More separators make searches of taut tiers 4% faster on vaduz, and computing an order slower by half.
        let orders = OrderOptions {
            separators: (TAUT_SEPARATORS * options.order.separators).min(MAX_SEPARATORS),
            ..options.order.clone()
        };
        let mut built = Vec::new();
        for tier in self.taut_tiers() {
            let chosen = choices.and_then(|choices| choices.of(tier));
            let samples = options.samples.get(&tier).copied().or(chosen);
            let samples = samples.expect("samples from the options or chosen ones");
            let stage = match tier {
                Tier::Best => Stage::BestTier,
                _ => Stage::DefaultTier,
            };
            built.push(self.stage(stage, || {
                let graph_options = world.taut_graph_options(samples);
                if !graph_options.is_valid_for(world.mesh()) {
                    return Err(WorldError::Graph(graph_options).into());
                }
                let graph = PortalGraph::new(world.mesh(), &graph_options);
                // Arcs and costs take about as long as the order.
                let report = |fraction: f32| progress(stage, fraction / 2.0);
                let order = order_taut_with_progress(world.mesh(), &graph, &orders, &report)?;
                Ok(world.build_tier(tier, graph, order)?)
            })?);
        }
        Ok(built)
    }

    /// Returns whether the options select the exact tier.
    fn is_exact_forced(&self) -> bool {
        self.options.tiers.contains(&Tier::Exact)
    }

    /// Builds the exact tier where it is added only if it costs no more than the default tier. Its stage is
    /// reported when that is decided.
    fn try_exact(&self, world: &World) -> Result<Option<BuiltExact>, IndexError> {
        let options = self.options;
        let has_default = options.tiers.contains(&Tier::Default);
        if self.is_exact_forced() || !options.exact_where_cheap || !has_default {
            return Ok(None);
        }
        let stop_only = |_, _| match self.is_stopped.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let start = Instant::now();
        let built = build_exact(world, false, &stop_only)?;
        self.add_time(Stage::ExactTier, millis(start, Instant::now()));
        Ok(built)
    }

    /// Adds the exact tier if the options select it, or if `tried` costs no more than the default tier.
    fn with_exact(&self, world: World, tried: Option<BuiltExact>) -> Result<World, IndexError> {
        let is_forced = self.is_exact_forced();
        let is_tried = self.options.exact_where_cheap && world.has_tier(Tier::Default);
        if !is_forced && !is_tried {
            return Ok(world);
        }
        self.stage(Stage::ExactTier, || {
            let built = match is_forced {
                true => build_exact(&world, is_forced, self.progress)?,
                false => tried,
            };
            Ok(match built {
                Some(built) => add_exact(world, built, is_forced),
                None => world,
            })
        })
    }

    /// Runs a stage, measures its time, and reports progress before and after it.
    fn stage<T>(
        &self,
        stage: Stage,
        work: impl FnOnce() -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        self.report(stage, 0.0)?;
        let start = Instant::now();
        let result = work()?;
        self.add_time(stage, millis(start, Instant::now()));
        self.report(stage, 1.0)?;
        Ok(result)
    }

    fn add_time(&self, stage: Stage, millis: f64) {
        let times = self.times.lock();
        times
            .unwrap_or_else(PoisonError::into_inner)
            .add(stage, millis);
    }

    fn report(&self, stage: Stage, fraction: f32) -> Result<(), IndexError> {
        match (self.progress)(stage, fraction) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(IndexError::Stopped),
        }
    }
}

fn millis(start: Instant, end: Instant) -> f64 {
    (end - start).as_secs_f64() * 1e3
}
