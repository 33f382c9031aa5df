//! `portolan index`: a navmesh gets its hierarchy and its contraction, at all its tiers.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use portolan_core::{
    CostModel, GraphOptions, HierarchyError, IndexOptions, Level, NavMesh, Partition, PortalGraph,
    Profile, TableOptions, Tier, UnknownTier, World,
};
use portolan_files::pidx::{self, BuildTimes, Making};
use portolan_index::{
    OrderOptions, PartitionFailure, PartitionOptions, TierOptions, Weights, add_tier,
};

use super::info::summary;
use super::levels::{print_bytes, print_labels, print_levels, shown_times};
use super::tiers::print_tiers;
use super::{check_outputs, ending, threads};
use crate::args::{Common, IndexArgs, ModelName, WeightsName};
use crate::outcome::{Answer, Failure};
use crate::terminal::{progress, say, spinner};

/// Everything that decides what an index will be.
#[derive(Clone, Debug, Default)]
pub(super) struct Recipe {
    pub(super) parts: Parts,
    pub(super) partition: PartitionOptions,
    pub(super) index: IndexOptions,
    pub(super) profile: Profile,
}

/// The tiers of an index whose user does not say.
const DEFAULT_TIERS: [Tier; 2] = [Tier::Fast, Tier::Default];

/// What an index holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// Of the contraction.
    pub(super) tiers: Vec<Tier>,
    pub(super) hierarchy: bool,
    /// Of the hierarchy.
    pub(super) tables: bool,
    /// Of the fast tier: hub labels of no more bytes than that.
    pub(super) labels: Option<usize>,
}

impl Default for Parts {
    /// Everything but labels and the best tier.
    fn default() -> Self {
        Self {
            tiers: DEFAULT_TIERS.to_vec(),
            hierarchy: true,
            tables: true,
            labels: None,
        }
    }
}

impl Parts {
    /// What the options ask for; refuses engines that are none, or need nothing.
    fn of(args: &IndexArgs) -> Result<Self, Failure> {
        let mut has_contraction = false;
        let mut parts = Self {
            tiers: Vec::new(),
            hierarchy: false,
            tables: false,
            labels: None,
        };
        for name in &args.engines {
            match name.trim() {
                "contraction" => has_contraction = true,
                "hna" => parts.hierarchy = true,
                "pccp" => (parts.hierarchy, parts.tables) = (true, true),
                "labels" => (has_contraction, parts.labels) = (true, Some(args.labels_limit)),
                _ => {
                    return Err(Failure::new(format!(
                        "--engines {name}: an index is made for contraction, hna, pccp and labels; \
                         others need none"
                    )));
                }
            }
        }
        parts.tiers = tiers(args, has_contraction)?;
        if parts.labels.is_some() && !parts.tiers.contains(&Tier::Fast) {
            return Err(Failure::new(
                "--engines labels: hub labels are made of the tier fast, and --tiers leaves it out",
            ));
        }
        Ok(parts)
    }
}

/// The tiers that are asked for, in their order.
fn tiers(args: &IndexArgs, has_contraction: bool) -> Result<Vec<Tier>, Failure> {
    let has_centres = matches!(args.cost_model, ModelName::Published);
    let Some(names) = &args.tiers else {
        // What is for comparing with what is published has nothing that is not.
        let is_left = |tier: &Tier| has_contraction && !(has_centres && tier.is_taut());
        return Ok(DEFAULT_TIERS.into_iter().filter(is_left).collect());
    };
    let mut tiers = Vec::new();
    for name in names {
        let tier = name.trim().parse();
        let tier: Tier =
            tier.map_err(|error: UnknownTier| Failure::new(format!("--tiers {name}: {error}")))?;
        if has_centres && tier.is_taut() {
            return Err(Failure::new(format!(
                "--tiers {tier}: what is pulled taut does not lead over centres; --cost-model published has \
                 the tier fast only"
            )));
        }
        tiers.push(tier);
    }
    if !has_contraction {
        return Err(Failure::new(
            "--tiers: tiers are those of the contraction; add contraction to --engines",
        ));
    }
    tiers.sort_unstable();
    tiers.dedup();
    Ok(tiers)
}

pub(crate) fn run(args: &IndexArgs, common: &Common) -> Result<Answer, Failure> {
    let parts = Parts::of(args)?;
    if ending(&args.output) != "pidx" {
        return Err(Failure::new(format!(
            "{}: index writes .pidx",
            args.output.display()
        )));
    }
    let mut inputs = vec![args.world.as_path()];
    inputs.extend(args.profile.as_deref());
    check_outputs(&inputs, &[Some(&args.output)])?;
    let recipe = args.recipe(parts)?;
    let waiting = spinner(common, "opening");
    let mesh = portolan_files::open_navmesh(&args.world)?;
    waiting.finish_and_clear();
    let (world, mut making) = make(mesh, &recipe, &args.world, common)?;
    let times = making.times;
    if args.no_times {
        making.times = None;
    }
    let waiting = spinner(common, "writing");
    portolan_files::save_index(&args.output, &world, &making)?;
    waiting.finish_and_clear();
    if !common.quiet {
        say!("{}: {}", args.output.display(), summary(world.mesh()));
        print_levels(&world, &making);
        print_tiers(&world, times.as_ref());
        print_labels(&world);
        if let Some(times) = times {
            say!("{}", shown_times(&world, &times));
        }
        print_bytes(&world);
    }
    Ok(Answer::Yes)
}

impl IndexArgs {
    fn recipe(&self, parts: Parts) -> Result<Recipe, Failure> {
        let profile = match &self.profile {
            Some(file) => portolan_formats::open_profile(file)?,
            None => Profile::default(),
        };
        let partition = PartitionOptions {
            merge_factor: self.mu,
            max_levels: self.levels,
            seed: self.seed,
            weights: match self.weights {
                WeightsName::Balanced => Weights::Balanced,
                WeightsName::Nodes => Weights::RandomNodes,
                WeightsName::Edges => Weights::RandomEdges,
            },
        };
        let tables = TableOptions::default();
        let index = IndexOptions {
            graph: GraphOptions {
                cost_model: match self.cost_model {
                    ModelName::Portals => CostModel::Portals,
                    ModelName::Published => CostModel::Published,
                    ModelName::Plan => CostModel::Plan,
                },
                ..GraphOptions::default()
            },
            tables: TableOptions {
                top: match parts.tables {
                    true => self.table_levels.map_or(tables.top, Level),
                    false => Level(0),
                },
                ..tables
            },
        };
        Ok(Recipe {
            parts,
            partition,
            index,
            profile,
        })
    }
}

impl Recipe {
    fn tier_options(&self) -> TierOptions {
        let mut options = TierOptions::default();
        options.order.seed = self.partition.seed;
        options
    }
}

/// Makes a world with all parts of the recipe, with bars, on as many threads as the user wants. `file` is
/// where the mesh came from.
///
/// With a hierarchy polygons are numbered by its nodes. Without, they stay as the navmesh has them: in
/// the order of its location tree, in which neighbours lie together, too.
pub(super) fn make(
    mesh: NavMesh,
    recipe: &Recipe,
    file: &Path,
    common: &Common,
) -> Result<(World, Making), Failure> {
    let wrong =
        |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", file.display()));
    let failed = |error: PartitionFailure| wrong(&error);
    let mut times = BuildTimes::default();
    // Here, and before there are other threads: METIS takes SIGTERM to itself while it runs, and
    // only on the thread that called it does that end well.
    let mut lap = Lap::new();
    let (mesh, partition) = match recipe.parts.hierarchy {
        true => partition(mesh, &recipe.partition, common).map_err(failed)?,
        false => (mesh, None),
    };
    times.partition = lap.millis();
    let pool = threads(common)?;
    let order = match recipe.parts.tiers.contains(&Tier::Fast) {
        true => Some(
            pool.install(|| order(&mesh, recipe, common))
                .map_err(failed)?,
        ),
        false => None,
    };
    times.order = lap.millis();

    let world = match partition {
        Some(partition) => {
            let (world, half) =
                levels(mesh, partition, recipe, common, &pool).map_err(|error| wrong(&error))?;
            times.tables = half.map_or(0.0, |half| half.elapsed().as_secs_f64() * 1e3);
            times.hierarchy = lap.millis() - times.tables;
            world
        }
        None => World::with_profile(mesh, &recipe.index.graph, &recipe.profile),
    };
    let world = match order {
        Some(order) => {
            let mut lap = Lap::new();
            let waiting = spinner(common, "contraction");
            let world = pool.install(|| world.with_contraction(order));
            waiting.finish_and_clear();
            times.contraction = lap.millis();
            world
        }
        None => world,
    };
    let world = match recipe.parts.labels {
        Some(max_bytes) => {
            let mut lap = Lap::new();
            let waiting = spinner(common, "labels");
            let labelled = pool.install(|| world.with_labels(max_bytes));
            waiting.finish_and_clear();
            times.labels = lap.millis();
            labelled.map_err(|error| {
                wrong(&format_args!(
                    "{error}; raise --labels-limit, or leave labels out of --engines"
                ))
            })?
        }
        None => world,
    };
    let mut world = world;
    for (tier, millis) in Tier::TAUT.into_iter().zip(&mut times.taut) {
        if recipe.parts.tiers.contains(&tier) {
            let mut lap = Lap::new();
            let waiting = spinner(common, format!("tier {tier}"));
            world = pool
                .install(|| add_tier(world, tier, &recipe.tier_options()))
                .map_err(failed)?;
            waiting.finish_and_clear();
            *millis = lap.millis();
        }
    }
    let options = &recipe.partition;
    let making = Making {
        merge_factor: options.merge_factor,
        max_levels: options.max_levels,
        seed: options.seed,
        weights: match options.weights {
            Weights::RandomNodes => pidx::Weights::RandomNodes,
            Weights::RandomEdges => pidx::Weights::RandomEdges,
            _ => pidx::Weights::Balanced,
        },
        times: Some(times),
    };
    Ok((world, making))
}

/// Cuts the polygons into nodes and numbers them by these, as the world will: its graph is known then.
fn partition(
    mesh: NavMesh,
    options: &PartitionOptions,
    common: &Common,
) -> Result<(NavMesh, Option<Partition>), PartitionFailure> {
    let bar = progress(common, "partition", 1);
    let watch = |done: usize, all: usize| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
        ControlFlow::Continue(())
    };
    let partition = portolan_index::partition_watched(&mesh, options, &watch)?;
    bar.finish_and_clear();
    let order = partition.order();
    Ok((mesh.in_order(&order), Some(partition.in_order(&order))))
}

/// The order of the graph's vertices that a contraction wants.
fn order(mesh: &NavMesh, recipe: &Recipe, common: &Common) -> Result<Vec<u32>, PartitionFailure> {
    let waiting = spinner(common, "order");
    let graph = PortalGraph::new(mesh, &recipe.index.graph);
    let options = OrderOptions {
        seed: recipe.partition.seed,
        ..OrderOptions::default()
    };
    let order = portolan_index::order(&graph, &options);
    waiting.finish_and_clear();
    order
}

/// A world with its hierarchy, and when its tables were begun.
fn levels(
    mesh: NavMesh,
    partition: Partition,
    recipe: &Recipe,
    common: &Common,
    pool: &rayon::ThreadPool,
) -> Result<(World, Option<Instant>), HierarchyError> {
    let bar = progress(common, "hierarchy", 100);
    // Tables begin when half of it is done.
    let half = Mutex::new(None);
    let watch = |share: f32| {
        bar.set_position((share * 100.0) as u64);
        if share >= 0.5 {
            let mut half = half.lock().unwrap_or_else(|poison| poison.into_inner());
            half.get_or_insert_with(Instant::now);
        }
    };
    let world = pool.install(|| {
        World::with_hierarchy_watched(mesh, partition, &recipe.index, &recipe.profile, watch)
    })?;
    bar.finish_and_clear();
    let half = half
        .into_inner()
        .unwrap_or_else(|poison| poison.into_inner());
    Ok((world, half))
}

/// A clock for one stage after the other.
struct Lap(Instant);

impl Lap {
    fn new() -> Self {
        Self(Instant::now())
    }

    /// Milliseconds since it was made or last asked.
    fn millis(&mut self) -> f64 {
        let now = Instant::now();
        (now - std::mem::replace(&mut self.0, now)).as_secs_f64() * 1e3
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Verb};

    #[test]
    fn the_defaults_are_those_of_the_library() {
        let cli = Cli::try_parse_from(["portolan", "index", "w.pnav", "-o", "w.pidx"]);
        let Some(Verb::Index(args)) = cli.unwrap().verb else {
            panic!("not an index");
        };
        let recipe = args.recipe(Parts::of(&args).unwrap()).unwrap();
        assert_eq!(recipe.parts, Parts::default());
        assert_eq!(recipe.partition, PartitionOptions::default());
        assert_eq!(recipe.index, IndexOptions::default());
        assert_eq!(recipe.profile, Profile::default());
    }
}
