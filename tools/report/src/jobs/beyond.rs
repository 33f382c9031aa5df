//! All engines side by side: the papers', the contraction and hub labels.

use std::time::Instant;

use portolan_core::contraction::{Contraction, Shortcuts};
use portolan_core::{Connect, Engine, Level, Profile, Query, Scratch, Tier, World};
use portolan_index::{OrderOptions, PartitionOptions, order};

use super::{Bench, Index};
use crate::ReportError;
use crate::measure::{Asked, Located, Want, mismatches};
use crate::model::{BeyondCell, BeyondEngine, BuildCell, ProfileCell};
use crate::statistics::{rank, thousandths};

/// The most that hub labels may take; a world that needs more is measured without. [Units: bytes]
const MOST_LABELS: usize = 500_000_000;

/// The most levels: those that `portolan index` makes.
const MOST_LEVELS: u32 = 3;

impl Bench<'_> {
    pub(super) fn beyond(&self) -> Result<BeyondCell, ReportError> {
        let PartitionOptions { merge_factor, .. } = PartitionOptions::default();
        let index = Index::new(merge_factor, self.max_levels().min(MOST_LEVELS));
        let (world, times) = self.world(index)?;
        let levels_ms = median_ms(|| world.costs(&other_profile()));

        let start = Instant::now();
        let options = OrderOptions {
            seed: self.effort.seed,
            ..OrderOptions::default()
        };
        let order = order(world.graph(), &options).map_err(|error| ReportError::Order {
            scene: self.scene(),
            error,
        })?;
        let order_ms = millis(start);
        let other_profile = self.other_profile(&world, &order, levels_ms);
        let start = Instant::now();
        let contraction = Contraction::new(order.clone(), world.graph().adjacent());
        let contraction_ms = millis(start);
        let customization_ms = median_ms(|| {
            let edges = world
                .graph()
                .edges(world.mesh(), world.default_costs().prices());
            Shortcuts::of_edges(&contraction, edges)
        });
        let world = world.with_contraction(order);
        let start = Instant::now();
        let (world, labels_ms, no_labels) = match world.clone().with_labels(MOST_LABELS) {
            Ok(world) => (world, Some(millis(start)), None),
            Err(error) => (world, None, Some(error.to_string())),
        };
        let build = BuildCell {
            partition_ms: thousandths(times.partition),
            levels_ms: thousandths(times.index),
            order_ms,
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
            trade_off: self.trade_off(world)?,
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
                bytes: bytes(world, engine),
                build_ms: thousandths(build_ms(world, engine, build)),
                mismatches: engine.is_exact().then(|| measured.mismatches(&dijkstra)),
            }
        });
        cells.collect()
    }

    /// Shortcuts for another profile, as a user makes them, and whether they are right.
    fn other_profile(&self, levels: &World, order: &[u32], levels_ms: f64) -> ProfileCell {
        let world = World::from_mesh(levels.mesh().clone()).with_contraction(order.to_vec());
        let profile = other_profile();
        let contraction_ms = median_ms(|| world.costs(&profile));
        let costs = world.costs(&profile);
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
                .ends()
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

fn millis(since: Instant) -> f64 {
    thousandths(since.elapsed().as_secs_f64() * 1e3)
}

/// The median of three.
fn median_ms<T>(make: impl Fn() -> T) -> f64 {
    let times = [(); 3].map(|()| {
        let start = Instant::now();
        std::hint::black_box(make());
        millis(start)
    });
    rank(&times, 0.5)
}

/// What an engine needs beyond the navmesh: the graph, and of a hierarchy the levels up to its own and
/// the table that it connects with.
fn bytes(world: &World, engine: Engine) -> usize {
    let costs = world.default_costs();
    let levels = |level: Option<Level>, has_centres: bool| {
        let (Some(hierarchy), Some(metric)) = (world.hierarchy(), costs.metric()) else {
            return 0;
        };
        let top = level.unwrap_or(hierarchy.top());
        let mut sum = hierarchy.level(Level(0)).bytes();
        for at in (1..=top.0).map(Level) {
            sum += hierarchy.level(at).bytes() + metric.bytes_at(at);
            sum += size_of_val(hierarchy.partition().nodes(at));
            // Without a level any table may be needed.
            if let Some(table) = metric.table(at).filter(|_| level.is_none_or(|l| l == at)) {
                sum += table.bytes();
                sum += if has_centres { table.centre_bytes() } else { 0 };
            }
        }
        sum
    };
    let contraction = || {
        let shortcuts = costs.shortcuts(Tier::Fast).map_or(0, Shortcuts::bytes);
        shortcuts + world.contraction().map_or(0, Contraction::bytes)
    };
    let more = match engine {
        Engine::Hna { level, .. } => levels(level, false),
        Engine::Pccp { level } => levels(level, true),
        Engine::Contraction(_) | Engine::Auto(_) => contraction(),
        Engine::Labels => contraction() + costs.labels().map_or(0, |labels| labels.bytes()),
        _ => 0,
    };
    world.graph().bytes() + more
}

/// What making that took; levels are made all at once.
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
