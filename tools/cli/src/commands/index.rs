//! `portolan index`: precomputes the hierarchy, the contraction and the exact tier of a navmesh.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;
use portolan_core::contraction::LabelsError;
use portolan_core::{
    BuildReport, CostModel, GraphOptions, Level, NavMesh, Stage, TableOptions, Tier, UnknownTier,
    World, WorldError,
};
use portolan_index::{
    HierarchyOptions, IndexError, IndexOptions, OrderOptions, PartitionOptions, Weights,
};

use super::exact::print_exact;
use super::info::summary;
use super::levels::{print_bytes, print_labels, print_levels, shown_times};
use super::tiers::print_tiers;
use super::{check_outputs, extension};
use crate::args::{Common, IndexArgs, ModelName, WeightsName};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{progress, say, spinner};

/// Returns the default options of `portolan index`: those of the library, and a hierarchy.
pub(super) fn default_options() -> IndexOptions {
    IndexOptions {
        hierarchy: Some(HierarchyOptions::default()),
        ..IndexOptions::default()
    }
}

/// The engines to build an index for.
#[derive(Default)]
struct Engines {
    contraction: bool,
    hna: bool,
    pccp: bool,
    labels: bool,
}

impl Engines {
    /// Parses the names of engines. Fails for an engine that needs no index.
    fn parse(names: &[String]) -> Result<Self, Failure> {
        let mut engines = Self::default();
        for name in names {
            match name.trim() {
                "contraction" => engines.contraction = true,
                "hna" => engines.hna = true,
                "pccp" => (engines.hna, engines.pccp) = (true, true),
                "labels" => (engines.contraction, engines.labels) = (true, true),
                _ => {
                    return Err(Failure::new(format!(
                        "--engines {name}: expected contraction, hna, pccp or labels; other engines need no index"
                    )));
                }
            }
        }
        Ok(engines)
    }
}

/// Returns the selected tiers, sorted by quality.
fn tiers(args: &IndexArgs, has_contraction: bool) -> Result<Vec<Tier>, Failure> {
    let has_centres = matches!(args.cost_model, ModelName::Published);
    let Some(names) = &args.tiers else {
        // The published cost model is for comparisons with the papers, which have no taut tiers.
        let is_included = |tier: &Tier| has_contraction && !(has_centres && tier.is_taut());
        let tiers = IndexOptions::default().tiers.into_iter();
        return Ok(tiers.filter(is_included).collect());
    };
    let mut tiers = Vec::new();
    for name in names {
        let tier = name.trim().parse();
        let tier: Tier =
            tier.map_err(|error: UnknownTier| Failure::new(format!("--tiers {name}: {error}")))?;
        if has_centres && tier.is_taut() {
            return Err(Failure::new(format!(
                "--tiers {tier}: --cost-model published supports the tier fast only, because its paths lead through \
                 the centres of polygons"
            )));
        }
        tiers.push(tier);
    }
    let needs_contraction = |tier: &Tier| *tier != Tier::Exact;
    if let Some(tier) = tiers.iter().copied().find(needs_contraction)
        && !has_contraction
    {
        return Err(Failure::new(format!(
            "--tiers {tier}: this is a tier of the contraction; add contraction to --engines"
        )));
    }
    tiers.sort_unstable();
    tiers.dedup();
    Ok(tiers)
}

pub(crate) fn run(args: &IndexArgs, common: &Common) -> Result<ExitKind, Failure> {
    let mut options = args.options()?;
    if extension(&args.output) != "pidx" {
        return Err(Failure::new(format!(
            "{}: index writes .pidx",
            args.output.display()
        )));
    }
    let mut inputs = vec![args.world.as_path()];
    inputs.extend(args.profile.as_deref());
    check_outputs(&inputs, &[Some(&args.output)])?;
    if let Some(file) = &args.profile {
        options.profile = portolan_formats::open_profile(file)?;
    }
    let waiting = spinner(common, "opening");
    let mesh = portolan_files::open_navmesh(&args.world)?;
    waiting.finish_and_clear();
    let mut world = build_world(mesh, options, &args.world, common)?;
    let times = world.report().times;
    if args.no_times {
        let report = BuildReport {
            times: None,
            ..world.report().clone()
        };
        world = world.with_report(report);
    }
    let waiting = spinner(common, "writing");
    portolan_files::save_index(&args.output, &world)?;
    waiting.finish_and_clear();
    if !common.quiet {
        say!("{}: {}", args.output.display(), summary(world.mesh()));
        print_levels(&world);
        print_tiers(&world, times.as_ref());
        print_exact(&world, times.as_ref());
        print_labels(&world);
        if let Some(times) = times {
            say!("build times: {}", shown_times(&world, &times));
        }
        print_bytes(&world);
    }
    Ok(ExitKind::Success)
}

impl IndexArgs {
    /// Returns the options except for the profile, which is in a file.
    fn options(&self) -> Result<IndexOptions, Failure> {
        let engines = Engines::parse(&self.engines)?;
        let tiers = tiers(self, engines.contraction)?;
        if engines.labels && !tiers.contains(&Tier::Fast) {
            return Err(Failure::new(
                "--engines labels: hub labels need the tier fast; add fast to --tiers",
            ));
        }
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
        let tables = TableOptions {
            top: match engines.pccp {
                true => self.table_levels.map_or(tables.top, Level),
                false => Level(0),
            },
            ..tables
        };
        Ok(IndexOptions {
            graph: GraphOptions {
                cost_model: match self.cost_model {
                    ModelName::Portals => CostModel::Portals,
                    ModelName::Published => CostModel::Published,
                    ModelName::Plan => CostModel::Plan,
                },
                ..GraphOptions::default()
            },
            tiers,
            // A list of tiers is complete.
            exact_where_cheap: self.tiers.is_none(),
            order: OrderOptions {
                seed: self.seed,
                ..OrderOptions::default()
            },
            hierarchy: engines
                .hna
                .then_some(HierarchyOptions { partition, tables }),
            labels: engines.labels.then_some(self.labels_limit),
            ..IndexOptions::default()
        })
    }
}

/// Builds a world and shows the progress. `file` is the navmesh, for errors.
pub(super) fn build_world(
    mesh: NavMesh,
    options: IndexOptions,
    file: &Path,
    common: &Common,
) -> Result<World, Failure> {
    let options = IndexOptions {
        // 0 means one thread per core.
        threads: Some(common.threads.unwrap_or(0).into()),
        ..options
    };
    let bars = StageBars::new(common);
    let on_progress = |stage, fraction| {
        bars.show(stage, fraction);
        ControlFlow::Continue(())
    };
    let built = portolan_index::build(mesh, &options, &on_progress);
    bars.clear();
    built.map_err(|error| {
        let hint = match error {
            IndexError::Labels(LabelsError::TooLarge { .. }) => {
                "; raise --labels-limit, or leave labels out of --engines"
            }
            IndexError::World(WorldError::Exact(_)) => "; leave exact out of --tiers",
            _ => "",
        };
        Failure::new(format!("{}: {error}{hint}", file.display()))
    })
}

/// The progress bar or spinner of the current stage.
struct StageBars<'a> {
    common: &'a Common,
    shown: Mutex<Option<(Stage, ProgressBar)>>,
}

impl<'a> StageBars<'a> {
    fn new(common: &'a Common) -> Self {
        Self {
            common,
            shown: Mutex::new(None),
        }
    }

    /// Returns the bar of a new stage, or a spinner if its length is unknown. METIS does not tolerate the thread
    /// of a spinner, so the partition has a bar.
    fn start(&self, stage: Stage) -> ProgressBar {
        match stage {
            Stage::Partition
            | Stage::Hierarchy
            | Stage::Tables
            | Stage::Order
            | Stage::Samples
            | Stage::ExactTier => progress(self.common, stage.name(), 100),
            _ => spinner(self.common, stage.name()),
        }
    }

    /// Shows the progress of a stage. Of stages that run at the same time, only the last of all stages is shown.
    fn show(&self, stage: Stage, fraction: f32) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let before = shown.as_ref().map(|(before, _)| *before);
        if before.is_some_and(|before| before as usize > stage as usize) {
            return;
        }
        let is_new = before != Some(stage);
        if is_new && let Some((_, bar)) = shown.replace((stage, self.start(stage))) {
            bar.finish_and_clear();
        }
        if let Some((_, bar)) = &*shown {
            bar.set_position((fraction * 100.0) as u64);
        }
    }

    fn clear(&self) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, bar)) = shown.take() {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, CliCommand};

    #[test]
    fn the_defaults_of_index_are_those_of_the_library_and_a_hierarchy() {
        let cli = Cli::try_parse_from(["portolan", "index", "w.pnav", "-o", "w.pidx"]);
        let Some(CliCommand::Index(args)) = cli.unwrap().command else {
            panic!("not the command `index`");
        };
        assert_eq!(args.options().unwrap(), default_options());
    }
}
