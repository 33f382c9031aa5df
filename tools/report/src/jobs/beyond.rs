//! All engines side by side: the papers', the contraction and hub labels.

use portolan_core::contraction::{Contraction, Shortcuts};
use portolan_core::{Connect, Engine, Level, Profile, Query, Scratch, Stage, Tier, World};
use portolan_index::PartitionOptions;
use portolan_measure::{Stopwatch, median_ms, mismatches, thousandths};

use super::{Bench, Index, stages_ms};
use crate::ReportError;
use crate::measure::{Asked, Located, Want};
use crate::model::{BeyondCell, BeyondEngine, BuildCell, ProfileCell};

/// The most that hub labels may take; a world that needs more is measured without. [Units: bytes]
const MOST_LABELS: usize = 500_000_000;

/// The most levels: those that `portolan index` makes.
const MOST_LEVELS: u32 = 3;

impl Bench<'_> {
    pub(super) fn beyond(&self) -> Result<BeyondCell, ReportError> {
        let PartitionOptions { merge_factor, .. } = PartitionOptions::default();
        let index = Index {
            tiers: match self.has_trade_off() {
                true => &Tier::ALL,
                false => &[Tier::Fast],
            },
            ..Index::new(merge_factor, self.max_levels().min(MOST_LEVELS))
        };
        let world = self.world(index)?;
        let (graph, prices) = (world.graph(), world.default_costs().prices());
        let order = world.contraction().map_or(&[][..], Contraction::order);
        let mut watch = Stopwatch::start();
        let contraction = Contraction::new(order.to_vec(), graph.adjacent());
        let contraction_ms = thousandths(watch.lap_ms());
        let customization_ms = customized_ms(|| {
            let edges = graph.edges(world.mesh(), prices);
            Shortcuts::from_edges(&contraction, edges)
        });
        let other_profile = self.other_profile(&world);
        let mut watch = Stopwatch::start();
        let (world, labels_ms, no_labels) = match world.clone().with_labels(MOST_LABELS) {
            Ok(world) => (world, Some(thousandths(watch.lap_ms())), None),
            Err(error) => (world, None, Some(error.to_string())),
        };
        let build = BuildCell {
            partition_ms: thousandths(stages_ms(&world, &[Stage::Partition])),
            levels_ms: thousandths(stages_ms(
                &world,
                &[Stage::Graph, Stage::Hierarchy, Stage::Tables],
            )),
            order_ms: thousandths(stages_ms(&world, &[Stage::Order])),
            contraction_ms,
            customization_ms,
            labels_ms,
        };
        Ok(BeyondCell {
            scene: self.scene(),
            world: self.subject.world.map(|kind| kind.name().to_owned()),
            polygons: world.mesh().polygon_count(),
            mu: merge_factor,
            engines: self.engines(&world, &build),
            build,
            no_labels,
            other_profile,
            trade_off: self.trade_off(&world)?,
        })
    }

    /// Engines take turns, and Dijkstra says what they should cost.
    fn engines(&self, world: &World, build: &BuildCell) -> Vec<BeyondEngine> {
        let located = Located::new(world, &self.queries);
        let dijkstra = located.costs(Engine::Dijkstra);
        let asked = asked(world);
        let measured = located.measure_asked(&asked, true, self.effort);
        let both = asked.into_iter().zip(measured);
        let cells = both.map(|(asked, measured)| {
            let engine = asked.engine;
            BeyondEngine {
                engine: engine.to_string(),
                want: match asked.want {
                    Want::Distance => "distance".to_owned(),
                    _ => "path".to_owned(),
                },
                time: measured.timing(),
                bytes: world.engine_bytes(engine),
                build_ms: thousandths(build_ms(world, engine, build)),
                mismatches: engine.is_exact().then(|| measured.mismatches(&dijkstra)),
            }
        });
        cells.collect()
    }

    /// Shortcuts for another profile, as a user makes them, and whether they are right.
    fn other_profile(&self, world: &World) -> ProfileCell {
        let profile = other_profile();
        let hna = Engine::Hna {
            level: None,
            connect: None,
        };
        let levels_ms = customized_ms(|| world.costs_for(&profile, &[hna]));
        let fast = [Engine::Contraction(Tier::Fast)];
        let contraction_ms = customized_ms(|| world.costs_for(&profile, &fast));
        // For Dijkstra, prices are enough.
        let costs = world.costs_for(&profile, &fast);
        let mut scratch = Scratch::new();
        let mut found: [Vec<f32>; 2] = Default::default();
        for &[from, to] in &self.queries {
            let query = |engine| Query {
                engine,
                costs: Some(&costs),
                ..Query::new(from, to)
            };
            let engines = [Engine::Contraction(Tier::Fast), Engine::Dijkstra];
            // Some points lie where this agent may not stand.
            let Ok(ends) = world
                .locate(&query(engines[0]))
                .expect("an engine of this world")
                .endpoints()
            else {
                continue;
            };
            for (engine, found) in engines.into_iter().zip(&mut found) {
                let located = world.located(&query(engine), ends);
                let searched = located
                    .expect("an engine of this world")
                    .search(&mut scratch);
                found.push(searched.cost().unwrap_or(f32::INFINITY));
            }
        }
        ProfileCell {
            contraction_ms,
            levels_ms,
            queries: found[0].len(),
            mismatches: mismatches(&found[0], &found[1]),
        }
    }
}

/// What all are asked, the measure of the others first.
fn asked(world: &World) -> Vec<Asked> {
    let levels = world
        .hierarchy()
        .into_iter()
        .flat_map(|h| h.partition().levels());
    let mut engines = vec![Engine::AStar];
    engines.push(Engine::Hna {
        level: None,
        connect: None,
    });
    let levels: Vec<Option<Level>> = levels.map(Some).collect();
    engines.extend(levels.iter().map(|&level| Engine::Hna {
        level,
        connect: Some(Connect::Table),
    }));
    engines.extend(levels.iter().map(|&level| Engine::Pccp { level }));
    engines.extend([
        Engine::Contraction(Tier::Fast),
        Engine::Labels,
        Engine::Auto(Tier::Fast),
    ]);
    engines.retain(|&engine| world.check_engine(engine).is_ok());
    let mut asked: Vec<Asked> = engines.into_iter().map(Asked::from).collect();
    let labels = asked
        .iter()
        .position(|asked| asked.engine == Engine::Labels);
    if let Some(place) = labels {
        let distance = Asked {
            want: Want::Distance,
            ..asked[place]
        };
        asked.insert(place + 1, distance);
    }
    asked
}

/// An agent that finds all ground dearer, some much more so, and keeps out of area 3.
fn other_profile() -> Profile {
    let mut profile = Profile::default();
    for (area, factor) in [(0, 1.5), (1, 2.5), (2, 4.0)] {
        let set = profile.set_factor(area, factor);
        set.expect("a factor within its limits");
    }
    profile.forbid(3);
    profile
}

/// The median of three.
fn customized_ms<T>(make: impl Fn() -> T) -> f64 {
    thousandths(median_ms(3, make))
}

/// What it took to make what an engine needs; levels are made all at once.
fn build_ms(world: &World, engine: Engine, build: &BuildCell) -> f64 {
    let contraction = build.order_ms + build.contraction_ms + build.customization_ms;
    match engine {
        Engine::Hna { .. } | Engine::Pccp { .. } => build.partition_ms + build.levels_ms,
        Engine::Contraction(_) => contraction,
        Engine::Auto(_) if world.contraction().is_some() => contraction,
        Engine::Labels => contraction + build.labels_ms.unwrap_or(0.0),
        _ => 0.0,
    }
}
