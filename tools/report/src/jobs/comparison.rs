//! Compares all engines: those of the papers, the contraction hierarchy and hub labels.

use portolan_core::contraction::{Contraction, Shortcuts};
use portolan_core::{Connect, Engine, Level, Profile, Query, Scratch, Stage, Tier, World};
use portolan_index::PartitionOptions;
use portolan_measure::{Stopwatch, median_ms, mismatches, thousandths};

use super::{IndexSettings, SceneBench, stages_ms};
use crate::ReportError;
use crate::measure::{LocatedQueries, TimedRequest, TimedScope};
use crate::model::{BuildCell, ComparedEngine, EngineComparison, ProfileCell};

/// The maximum size of hub labels. A world that needs more is measured without them. [Units: bytes]
const MAX_LABEL_BYTES: usize = 500_000_000;

/// The maximum number of levels, the default of `portolan index`.
const MAX_LEVELS: u32 = 3;

impl SceneBench<'_> {
    pub(super) fn comparison(&self) -> Result<EngineComparison, ReportError> {
        let PartitionOptions { merge_factor, .. } = PartitionOptions::default();
        let index = IndexSettings {
            tiers: match self.has_trade_off() {
                true => &Tier::CONTRACTED,
                false => &[Tier::Fast],
            },
            ..IndexSettings::new(merge_factor, self.max_levels().min(MAX_LEVELS))
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
        let (world, labels_ms, no_labels) = match world.clone().with_labels(MAX_LABEL_BYTES) {
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
        Ok(EngineComparison {
            scene: self.scene(),
            world: self.loaded.world.map(|kind| kind.name().to_owned()),
            polygons: world.mesh().polygon_count(),
            mu: merge_factor,
            engines: self.engines(&world, &build),
            build,
            no_labels,
            other_profile,
            trade_off: self.trade_off(&world)?,
        })
    }

    /// Times all engines in alternating rounds and checks their costs against Dijkstra's.
    fn engines(&self, world: &World, build: &BuildCell) -> Vec<ComparedEngine> {
        let located = LocatedQueries::new(world, &self.queries);
        let dijkstra = located.costs(Engine::Dijkstra);
        let requests = requests(world);
        let times = located.measure_requests(&requests, true, self.effort);
        let both = requests.into_iter().zip(times);
        let cells = both.map(|(request, times)| {
            let engine = request.engine;
            ComparedEngine {
                engine: engine.to_string(),
                want: match request.scope {
                    TimedScope::Distance => "distance".to_owned(),
                    _ => "path".to_owned(),
                },
                time: times.timing(),
                bytes: world.engine_bytes(engine),
                build_ms: thousandths(build_ms(world, engine, build)),
                mismatches: engine.is_exact().then(|| times.mismatches(&dijkstra)),
            }
        });
        cells.collect()
    }

    /// Times the customization for another profile and checks the contraction's costs with that profile.
    fn other_profile(&self, world: &World) -> ProfileCell {
        let profile = other_profile();
        let hna = Engine::Hna {
            level: None,
            connect: None,
        };
        let levels_ms = customized_ms(|| world.costs_for(&profile, &[hna]));
        let fast = [Engine::Contraction(Tier::Fast)];
        let contraction_ms = customized_ms(|| world.costs_for(&profile, &fast));
        // Dijkstra needs no shortcuts, so these costs serve it, too.
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
            // Some points are in an area that this profile forbids.
            let Ok(endpoints) = world
                .locate(&query(engines[0]))
                .expect("an engine of this world")
                .endpoints()
            else {
                continue;
            };
            for (engine, found) in engines.into_iter().zip(&mut found) {
                let located = world.located(&query(engine), endpoints);
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

/// Lists the requests to time, with A*, the reference, first.
fn requests(world: &World) -> Vec<TimedRequest> {
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
    let mut requests: Vec<TimedRequest> = engines.into_iter().map(TimedRequest::from).collect();
    let labels = requests
        .iter()
        .position(|request| request.engine == Engine::Labels);
    if let Some(index) = labels {
        let distance = TimedRequest {
            scope: TimedScope::Distance,
            ..requests[index]
        };
        requests.insert(index + 1, distance);
    }
    requests
}

/// Returns a profile that multiplies the costs of areas 0 to 2 and forbids area 3.
fn other_profile() -> Profile {
    let mut profile = Profile::default();
    for (area, factor) in [(0, 1.5), (1, 2.5), (2, 4.0)] {
        let set = profile.set_factor(area, factor);
        set.expect("a factor within its limits");
    }
    profile.forbid(3);
    profile
}

/// Returns the median time of three customizations. [Units: ms]
fn customized_ms<T>(customize: impl Fn() -> T) -> f64 {
    thousandths(median_ms(3, customize))
}

/// Returns the time to build the data that an engine needs. All levels are built together, so every level
/// has the same build time. [Units: ms]
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
