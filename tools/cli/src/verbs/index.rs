//! `portolan index`: a navmesh gets its hierarchy and its contraction, at all its tiers.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;
use portolan_core::contraction::LabelsError;
use portolan_core::{
    BuildReport, CostModel, GraphOptions, Level, NavMesh, Stage, TableOptions, Tier, UnknownTier,
    World,
};
use portolan_index::{
    HierarchyOptions, IndexError, IndexOptions, OrderOptions, PartitionOptions, Weights,
};

use super::info::summary;
use super::levels::{print_bytes, print_labels, print_levels, shown_times};
use super::tiers::print_tiers;
use super::{check_outputs, ending};
use crate::args::{Common, IndexArgs, ModelName, WeightsName};
use crate::outcome::{Answer, Failure};
use crate::terminal::{progress, say, spinner};

/// What `portolan index` makes of a navmesh whose user does not say: the default of the library and a
/// hierarchy.
pub(super) fn default_options() -> IndexOptions {
    IndexOptions {
        hierarchy: Some(HierarchyOptions::default()),
        ..IndexOptions::default()
    }
}

/// The engines that an index is made for.
#[derive(Default)]
struct Engines {
    contraction: bool,
    hna: bool,
    pccp: bool,
    labels: bool,
}

impl Engines {
    /// Refuses engines that are none, or need no index.
    fn of(names: &[String]) -> Result<Self, Failure> {
        let mut engines = Self::default();
        for name in names {
            match name.trim() {
                "contraction" => engines.contraction = true,
                "hna" => engines.hna = true,
                "pccp" => (engines.hna, engines.pccp) = (true, true),
                "labels" => (engines.contraction, engines.labels) = (true, true),
                _ => {
                    return Err(Failure::new(format!(
                        "--engines {name}: an index is made for contraction, hna, pccp and labels; \
                         others need none"
                    )));
                }
            }
        }
        Ok(engines)
    }
}

/// The tiers that are asked for, in their order.
fn tiers(args: &IndexArgs, has_contraction: bool) -> Result<Vec<Tier>, Failure> {
    let has_centres = matches!(args.cost_model, ModelName::Published);
    let Some(names) = &args.tiers else {
        // What is for comparing with what is published has nothing that is not.
        let is_left = |tier: &Tier| has_contraction && !(has_centres && tier.is_taut());
        let tiers = IndexOptions::default().tiers.into_iter();
        return Ok(tiers.filter(is_left).collect());
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
    let mut options = args.options()?;
    if ending(&args.output) != "pidx" {
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
    let mut world = make(mesh, options, &args.world, common)?;
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
        print_labels(&world);
        if let Some(times) = times {
            say!("{}", shown_times(&world, &times));
        }
        print_bytes(&world);
    }
    Ok(Answer::Yes)
}

impl IndexArgs {
    /// What is asked for, but for the profile, which is in a file.
    fn options(&self) -> Result<IndexOptions, Failure> {
        let engines = Engines::of(&self.engines)?;
        let tiers = tiers(self, engines.contraction)?;
        if engines.labels && !tiers.contains(&Tier::Fast) {
            return Err(Failure::new(
                "--engines labels: hub labels are made of the tier fast, and --tiers leaves it out",
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

/// Builds a world, with bars, on as many threads as the user wants. `file` is where the mesh came from.
pub(super) fn make(
    mesh: NavMesh,
    options: IndexOptions,
    file: &Path,
    common: &Common,
) -> Result<World, Failure> {
    let options = IndexOptions {
        // 0 is as many as there are cores.
        threads: Some(common.threads.unwrap_or(0).into()),
        ..options
    };
    let bars = Bars::new(common);
    let watch = |stage, share| {
        bars.show(stage, share);
        ControlFlow::Continue(())
    };
    let built = portolan_index::build(mesh, &options, &watch);
    bars.clear();
    built.map_err(|error| {
        let hint = match error {
            IndexError::Labels(LabelsError::TooLarge { .. }) => {
                "; raise --labels-limit, or leave labels out of --engines"
            }
            _ => "",
        };
        Failure::new(format!("{}: {error}{hint}", file.display()))
    })
}

/// A bar or a spinner for the stage under way.
struct Bars<'a> {
    common: &'a Common,
    shown: Mutex<Option<(Stage, ProgressBar)>>,
}

impl<'a> Bars<'a> {
    fn new(common: &'a Common) -> Self {
        Self {
            common,
            shown: Mutex::new(None),
        }
    }

    /// A spinner has a thread of its own, which METIS must not meet: the partition has a bar.
    fn start(&self, stage: Stage) -> ProgressBar {
        match stage {
            Stage::Partition | Stage::Hierarchy | Stage::Tables | Stage::Order | Stage::Samples => {
                progress(self.common, stage.name(), 100)
            }
            _ => spinner(self.common, stage.name()),
        }
    }

    fn show(&self, stage: Stage, share: f32) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = shown.as_ref().is_none_or(|(before, _)| *before != stage);
        if is_new {
            if let Some((_, bar)) = shown.replace((stage, self.start(stage))) {
                bar.finish_and_clear();
            }
        }
        if let Some((_, bar)) = &*shown {
            bar.set_position((share * 100.0) as u64);
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
    use crate::args::{Cli, Verb};

    #[test]
    fn the_defaults_are_those_of_the_library() {
        let cli = Cli::try_parse_from(["portolan", "index", "w.pnav", "-o", "w.pidx"]);
        let Some(Verb::Index(args)) = cli.unwrap().verb else {
            panic!("not an index");
        };
        assert_eq!(args.options().unwrap(), default_options());
    }
}
