//! `portolan index`: a navmesh gets its hierarchy.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use portolan::{
    CostModel, GraphOptions, IndexOptions, Level, NavMesh, Profile, TableOptions, World,
};
use portolan_io::pidx::{self, BuildTimes, Making};
use portolan_partition::{PartitionFailure, PartitionOptions, Weights};

use super::info::summary;
use super::levels::{print_bytes, print_levels};
use super::{check_outputs, ending, threads};
use crate::args::{Common, IndexArgs, ModelName, WeightsName};
use crate::outcome::{Answer, Failure};
use crate::terminal::{progress, say, spinner};

/// Everything that decides what an index will be.
#[derive(Clone, Debug, Default)]
pub(super) struct Recipe {
    pub(super) partition: PartitionOptions,
    pub(super) index: IndexOptions,
    pub(super) profile: Profile,
}

pub(crate) fn run(args: &IndexArgs, common: &Common) -> Result<Answer, Failure> {
    let has_tables = wants_tables(&args.engines)?;
    check_tiers(&args.tiers)?;
    if ending(&args.output) != "pidx" {
        return Err(Failure::new(format!(
            "{}: index writes .pidx",
            args.output.display()
        )));
    }
    let mut inputs = vec![args.world.as_path()];
    inputs.extend(args.profile.as_deref());
    check_outputs(&inputs, &[Some(&args.output)])?;
    let recipe = args.recipe(has_tables)?;
    let waiting = spinner(common, "opening");
    let mesh = portolan_io::open_navmesh(&args.world)?;
    waiting.finish_and_clear();
    let (world, mut making) = make(mesh, &recipe, &args.world, common)?;
    let times = making.times;
    if args.no_times {
        making.times = None;
    }
    let waiting = spinner(common, "writing");
    portolan_io::save_index(&args.output, &world, &making)?;
    waiting.finish_and_clear();
    if !common.quiet {
        say!("{}: {}", args.output.display(), summary(world.mesh()));
        print_levels(&world, &making);
        if let Some(times) = times {
            say!(
                "partition {:.0} ms, hierarchy {:.0} ms, tables {:.0} ms",
                times.partition,
                times.hierarchy,
                times.tables
            );
        }
        print_bytes(&world);
    }
    Ok(Answer::Yes)
}

/// Whether a list of engines asks for connect tables; refuses names of others.
fn wants_tables(engines: &[String]) -> Result<bool, Failure> {
    for name in engines {
        match name.as_str() {
            "hna" | "pccp" => {}
            "contraction" | "labels" => {
                return Err(Failure::new(format!(
                    "--engines {name}: not in this version; it takes hna and pccp"
                )));
            }
            _ => {
                return Err(Failure::new(format!(
                    "--engines {name}: an index is made for hna and pccp; others need none"
                )));
            }
        }
    }
    Ok(engines.iter().any(|name| name == "pccp"))
}

fn check_tiers(tiers: &[String]) -> Result<(), Failure> {
    let unknown = tiers
        .iter()
        .find(|t| !matches!(t.as_str(), "fast" | "default"));
    match unknown {
        None => Ok(()),
        Some(tier) => Err(Failure::new(format!(
            "--tiers {tier}: not in this version; it takes fast and default"
        ))),
    }
}

impl IndexArgs {
    fn recipe(&self, has_tables: bool) -> Result<Recipe, Failure> {
        let profile = match &self.profile {
            Some(file) => portolan_io::open_profile(file)?,
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
                },
                ..GraphOptions::default()
            },
            tables: TableOptions {
                top: match has_tables {
                    true => self.table_levels.map_or(tables.top, Level),
                    false => Level(0),
                },
                ..tables
            },
        };
        Ok(Recipe {
            partition,
            index,
            profile,
        })
    }
}

/// Makes a world with a hierarchy, with bars, on as many threads as the user wants. `file` is where
/// the mesh came from.
pub(super) fn make(
    mesh: NavMesh,
    recipe: &Recipe,
    file: &Path,
    common: &Common,
) -> Result<(World, Making), Failure> {
    let options = &recipe.partition;
    let wrong =
        |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", file.display()));

    let start = Instant::now();
    let bar = progress(common, "partition", 1);
    let watch = |done: usize, all: usize| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
        ControlFlow::Continue(())
    };
    // Here, and before there are other threads: METIS takes SIGTERM to itself while it runs, and only
    // on the thread that called it does that end well.
    let partition = portolan_partition::partition_watched(&mesh, options, &watch)
        .map_err(|error: PartitionFailure| wrong(&error))?;
    bar.finish_and_clear();
    let partitioned = Instant::now();

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
    let world = threads(common)?.install(|| {
        World::with_hierarchy_watched(mesh, partition, &recipe.index, &recipe.profile, watch)
    });
    let world = world.map_err(|error| wrong(&error))?;
    bar.finish_and_clear();
    let end = Instant::now();
    let half = half
        .into_inner()
        .unwrap_or_else(|poison| poison.into_inner());
    let half = half.unwrap_or(end);
    let millis = |from: Instant, to: Instant| (to - from).as_secs_f64() * 1e3;
    let making = Making {
        merge_factor: options.merge_factor,
        max_levels: options.max_levels,
        seed: options.seed,
        weights: match options.weights {
            Weights::RandomNodes => pidx::Weights::RandomNodes,
            Weights::RandomEdges => pidx::Weights::RandomEdges,
            _ => pidx::Weights::Balanced,
        },
        times: Some(BuildTimes {
            partition: millis(start, partitioned),
            hierarchy: millis(partitioned, half),
            tables: millis(half, end),
        }),
    };
    Ok((world, making))
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
        let recipe = args.recipe(wants_tables(&args.engines).unwrap()).unwrap();
        assert_eq!(recipe.partition, PartitionOptions::default());
        assert_eq!(recipe.index, IndexOptions::default());
        assert_eq!(recipe.profile, Profile::default());
    }
}
