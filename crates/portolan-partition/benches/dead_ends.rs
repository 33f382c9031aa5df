//! What does not make paths of a midpoint graph as short as taut customization does, measured so that the
//! next person need not try: `cargo bench -p portolan-partition --bench dead_ends`. On maps with reference
//! answers: excess of `length_xz` over the optimum; queries within 0.1% of it; the length of a path over
//! its cost on the graph, with its standard deviation; time of a search with waypoints, without
//! location, and over the fast tier's. Words after `--` choose maps.

mod common;
#[path = "common/reference.rs"]
mod reference;

#[path = "dead_ends/alternatives.rs"]
mod alternatives;
#[path = "dead_ends/calibrated.rs"]
mod calibrated;
#[path = "dead_ends/learned.rs"]
mod learned;
#[path = "dead_ends/ways.rs"]
mod ways;
#[path = "dead_ends/widened.rs"]
mod widened;

use std::collections::HashSet;
use std::fmt;
use std::time::{Duration, Instant};

use portolan::{
    Ends, Engine, GraphOptions, NavMesh, Outcome, Path, PortalGraph, Query, Samples, Scratch,
    Status, Tier, World,
};
use portolan_partition::{PartitionOptions, TierOptions, add_tier, partition};

use alternatives::{Shortest, find_over, perturbed, vias};
use calibrated::Arcs;
use learned::{Lesson, Spread, lessons, moved};
use reference::{Excess, Reference, chosen_maps, excess, microseconds};
use ways::{Buffers, Ways, check_corridor, follow, portal_of};
use widened::{Set, Within};

const MAPS: [&str; 4] = ["vaduz", "lq_e1m1", "nav_test", "undulating"];
/// Rounds of timing; one where a round takes longer than this.
const ROUNDS: usize = 5;
const LONG: Duration = Duration::from_secs(2);

/// Paths with no more excess are right. [Units: %]
const RIGHT: f64 = 0.1;
/// The part of a learned change of costs that a cautious variant makes.
const CAUTION: f32 = 0.2;

fn main() {
    for (name, mesh, reference) in chosen_maps(&MAPS) {
        let partition = partition(&mesh, &PartitionOptions::default()).expect("a partition");
        let mesh = mesh.in_order(&partition.order());
        println!(
            "\n{name}: {} polygons, {} portals\n  {:<30} {:>22} {:>7}  {:>13} {:>9} {:>6}",
            mesh.polygon_count(),
            mesh.portals().len(),
            "",
            Excess::HEADING,
            "right %",
            "length / cost",
            "whole us",
            "/ fast"
        );
        let map = Map::new(mesh, &reference);
        map.calibrated_costs();
        map.moved_midpoints();
        map.alternatives();
        map.widened_corridors();
    }
}

/// A query of the reference.
struct Asked {
    /// Its place among them.
    index: usize,
    query: Query<'static>,
    ends: Ends,
    shortest: f64,
}

struct Map {
    /// With all tiers.
    world: World,
    asked: Vec<Asked>,
    /// The paths of the best tier.
    best: Vec<Path>,
    /// What the fast tier takes. [Units: us]
    fast: f64,
}

impl Map {
    /// Measures the tiers, too.
    fn new(mesh: NavMesh, reference: &[Reference]) -> Self {
        let add = |world, tier| add_tier(world, tier, &TierOptions::default()).expect("a tier");
        let world = Tier::ALL.into_iter().fold(World::from_mesh(mesh), add);
        let asked = reference
            .iter()
            .enumerate()
            .map(|(index, &(query, shortest))| Asked {
                index,
                query,
                ends: world.locate(&query).expect("on the mesh"),
                shortest,
            });
        let mut map = Self {
            asked: asked.collect(),
            world,
            best: Vec::new(),
            fast: f64::NAN,
        };
        let names = ["midpoints, summed", "default tier", "best tier"];
        for (tier, name) in Tier::ALL.into_iter().zip(names) {
            let mut scratch = Scratch::new();
            let (paths, us) = map.measure(name, |asked, path| {
                map.find_at(tier, &asked.query, &asked.ends, &mut scratch, path);
            });
            match tier {
                Tier::Fast => map.fast = us,
                Tier::Default => (),
                Tier::Best => map.best = paths,
            }
        }
        // By the search that the dead ends have, so that times compare, and without flips, as they are.
        let measure = |tier, name| map.measure_ways(name, &Ways::of_tier(&map.world, tier));
        let midpoints = measure(Tier::Fast, "midpoints, this search");
        measure(Tier::Default, "default, no flips");
        measure(Tier::Best, "best, no flips");
        map.print_common_place(&midpoints);
        map
    }

    /// How many of the paths that are not right have one portal in common that the best tier's do not cross.
    fn print_common_place(&self, paths: &[Path]) {
        let mut counts = vec![0; self.world.mesh().portals().len()];
        let mut wrong = 0;
        let pairs = paths.iter().zip(&self.best).zip(self.excesses(paths));
        for ((path, best), _) in pairs.filter(|&(_, excess)| excess > RIGHT) {
            wrong += 1;
            let crossed = |path: &Path| -> HashSet<usize> {
                let portals = path.corridor.crossings.iter();
                portals
                    .map(|&crossing| portal_of(crossing).index())
                    .collect()
            };
            for portal in crossed(path).difference(&crossed(best)) {
                counts[*portal] += 1;
            }
        }
        let most = counts.into_iter().max().unwrap_or(0);
        println!("    of {wrong} midpoint paths that are not right, {most} go wrong at one portal");
    }

    fn find_at(
        &self,
        tier: Tier,
        query: &Query<'_>,
        ends: &Ends,
        scratch: &mut Scratch,
        path: &mut Path,
    ) {
        let query = Query {
            engine: Engine::Contraction(tier),
            ..*query
        };
        let outcome = self.world.search(&query, ends, scratch);
        assert!(matches!(outcome, Outcome::Found { .. }));
        let status = self.world.waypoints(&query, ends, outcome, scratch, path);
        assert_eq!(status, Status::Found);
    }

    /// Prints the row of a way to find paths; them, and the microseconds a query.
    fn measure(&self, name: &str, mut find: impl FnMut(&Asked, &mut Path)) -> (Vec<Path>, f64) {
        let start = Instant::now();
        let answer = |asked: &Asked| {
            let mut path = Path::default();
            find(asked, &mut path);
            check_corridor(self.world.mesh(), &asked.ends, &path.corridor);
            let ends = [asked.ends.start.point, asked.ends.goal.point];
            assert_eq!(
                [path.waypoints[0], *path.waypoints.last().expect("a goal")],
                ends
            );
            path
        };
        let paths: Vec<Path> = self.asked.iter().map(answer).collect();
        let rounds = if start.elapsed() > LONG { 1 } else { ROUNDS };
        let mut path = Path::default();
        let us = microseconds(self.asked.len(), rounds, |i| {
            find(&self.asked[i], &mut path)
        });

        let excesses: Vec<f64> = self.excesses(&paths).collect();
        let right = excesses.iter().filter(|&&excess| excess <= RIGHT).count();
        let over_cost = paths
            .iter()
            .map(|path| path.length() / f64::from(path.cost));
        println!(
            "  {name:<30} {} {:>7.1}  {} {us:>9.1} {:>6.2}",
            Excess::new(excesses),
            100.0 * right as f64 / paths.len() as f64,
            Deviation::new(over_cost.collect()),
            // The fast tier is measured first.
            us / if self.fast.is_nan() { us } else { self.fast },
        );
        (paths, us)
    }

    fn measure_ways(&self, name: &str, ways: &Ways<'_>) -> Vec<Path> {
        let mut buffers = Buffers::default();
        let find = |asked: &Asked, path: &mut Path| {
            ways.find(&asked.query, &asked.ends, &mut buffers, path);
        };
        self.measure(name, find).0
    }

    fn excesses(&self, paths: &[Path]) -> impl Iterator<Item = f64> {
        let answered = self.asked.iter().zip(paths);
        answered.map(|(asked, path)| excess(path, asked.shortest))
    }

    /// Random queries as a graph answers them.
    fn taught_by(&self, ways: &Ways<'_>) -> Vec<Lesson> {
        let mut buffers = Buffers::default();
        lessons(&self.world, |query, ends, path| {
            ways.find(query, ends, &mut buffers, path);
        })
    }

    /// Random queries as the best tier answers them.
    fn taught_by_best(&self) -> Vec<Lesson> {
        let mut scratch = Scratch::new();
        lessons(&self.world, |query, ends, path| {
            self.find_at(Tier::Best, query, ends, &mut scratch, path);
        })
    }

    /// Arcs cost what regression says that they come to when pulled taut.
    fn calibrated_costs(&self) {
        let arcs = Arcs::new(self.world.mesh());
        let midpoints = Ways::directed(&self.world, 1.0, |_| 1.0);
        self.measure_ways("costs: 1 for all", &midpoints);
        self.print_foreseen(&arcs, 1.0, &|_| 1.0);
        // The paths that midpoints find, and those that they should find instead.
        let mut first = self.taught_by(&midpoints);
        first.extend(self.taught_by_best());
        println!(
            "    of one arc, pieces of taut paths over its length deviate by {:.0}% of it",
            100.0 * arcs.deviation(&first)
        );
        let rule = |name, lessons: &[Lesson]| match name {
            "by class" => arcs.by_class(arcs.ratios(lessons)),
            "regression" => arcs.by_class(arcs.regression(lessons)),
            _ => arcs.by_arc(lessons),
        };
        for name in ["by class", "regression", "by arc"] {
            // In later rounds also the paths that the costs so far find.
            let mut later = Vec::new();
            for round in 1..=3 {
                let (legs, factor) = rule(name, &[&first[..], &later].concat());
                let ways = Ways::directed(&self.world, legs, &factor);
                self.measure_ways(&format!("costs: {name}, round {round}"), &ways);
                self.print_foreseen(&arcs, legs, &factor);
                later.extend(self.taught_by(&ways));
            }
            let (legs, factor) = rule(name, &first);
            let less = |factor: f32| 1.0 + (factor - 1.0) * CAUTION;
            let ways = Ways::directed(&self.world, less(legs), |arc| less(factor(arc)));
            self.measure_ways(&format!("costs: {name}, cautious"), &ways);
        }
    }

    /// How well costs foresee the lengths of paths that were not found by them: the best tier's.
    fn print_foreseen(&self, arcs: &Arcs<'_>, legs: f32, factor: &dyn Fn([u32; 2]) -> f32) {
        let answered = self.asked.iter().zip(&self.best);
        let over_cost = answered.map(|(asked, path)| {
            let lesson = Lesson::new(self.world.mesh(), &asked.ends, path);
            lesson.length / arcs.cost(&lesson, legs, factor)
        });
        let deviation = Deviation::new(over_cost.collect());
        println!("    length over such cost of the best tier's paths: {deviation}");
    }

    /// Samples lie where taut paths cross portals on average.
    fn moved_midpoints(&self) {
        let mesh = self.world.mesh();
        let ways = |places| Ways::new(&self.world, places, |_| 1.0);
        let mut lessons = self.taught_by(&Ways::of_tier(&self.world, Tier::Fast));
        for round in 1..=3 {
            let ways = ways(moved(mesh, &lessons));
            self.measure_ways(&format!("moved midpoints: round {round}"), &ways);
            lessons = self.taught_by(&ways);
        }
        let lessons = self.taught_by_best();
        self.measure_ways("moved midpoints: by best", &ways(moved(mesh, &lessons)));
        let Spread {
            at_ends,
            from_mean,
            from_middle,
            both_ends,
        } = Spread::new(mesh, &lessons);
        println!(
            "    the best tier crosses portals at an end in {at_ends:.0}% of cases, on average {from_mean:.2} of \
             a portal from the mean of its crossings and {from_middle:.2} from its middle; {both_ends:.0}% of \
             portals are crossed near both ends"
        );
    }

    /// Several ways, all pulled taut, the shortest taken.
    fn alternatives(&self) {
        for percent in [2, 5, 10] {
            let ways = perturbed(&self.world, 8, f64::from(percent) / 100.0);
            for count in [2, 4, 8] {
                let mut shortest = Shortest::new();
                self.measure(
                    &format!("alternatives: {percent}%, {count} ways"),
                    |asked, path| {
                        shortest.of(count, path, |i, buffers, path| {
                            ways[i].find(&asked.query, &asked.ends, buffers, path);
                        });
                    },
                );
                shortest.print();
            }
        }
        let ways = Ways::of_tier(&self.world, Tier::Fast);
        let mut buffers = Buffers::default();
        let vias = self
            .asked
            .iter()
            .map(|asked| vias(&ways, &asked.ends, 8, &mut buffers));
        let vias: Vec<Vec<u32>> = vias.collect();
        // A search knows all vertices where both sides meet; here finding them is not timed, but each way
        // is searched anew.
        for count in [2, 4, 8] {
            let mut shortest = Shortest::new();
            self.measure(&format!("alternatives: {count} meetings"), |asked, path| {
                let Asked { query, ends, .. } = asked;
                let vias = &vias[asked.index];
                // None where both are in one polygon.
                shortest.of(
                    vias.len().clamp(1, count),
                    path,
                    |i, buffers, path| match vias.get(i) {
                        Some(&via) => find_over(&ways, query, ends, via, buffers, path),
                        None => ways.find(query, ends, buffers, path),
                    },
                );
            });
            shortest.print();
        }
    }

    /// Dense samples, searched in the corridor of the midpoint path and what lies beside it.
    fn widened_corridors(&self) {
        let mesh = self.world.mesh();
        let options = GraphOptions {
            samples: Samples::Each(8),
            ..GraphOptions::default()
        };
        let dense = PortalGraph::new(mesh, &options);
        let ways = Ways::of_tier(&self.world, Tier::Fast);
        let (mut buffers, mut within) = (Buffers::default(), Within::new(&dense));
        let mut set = Set::new(mesh.polygon_count());
        for times in 0..=2 {
            let widen = |asked: &Asked, set: &mut Set, buffers: &mut Buffers, path: &mut Path| {
                ways.find_corridor(&asked.ends, buffers, path);
                set.fill(path.corridor.polygons.iter().copied());
                set.widen(ways.graph, times);
            };
            let name = format!("corridors widened {times} times");
            let (paths, _) = self.measure(&name, |asked, path| {
                widen(asked, &mut set, &mut buffers, path);
                self.search_within(&dense, asked, &set, &mut within, &mut buffers, path);
            });
            let (mut polygons, mut wrong, mut outside) = (0, 0, 0);
            let mut path = Path::default();
            for (asked, excess) in self.asked.iter().zip(self.excesses(&paths)) {
                widen(asked, &mut set, &mut buffers, &mut path);
                polygons += set.len();
                if excess > RIGHT {
                    wrong += 1;
                    outside += usize::from(!set.holds(&self.best[asked.index].corridor));
                }
            }
            println!(
                "    {} polygons a query; of {wrong} paths that are not right {outside} have the best tier's outside",
                polygons / self.asked.len()
            );
        }
        set.fill(mesh.polygons());
        self.measure("8 samples, all polygons", |asked, path| {
            path.clear();
            self.search_within(&dense, asked, &set, &mut within, &mut buffers, path);
        });
    }

    /// The shortest way over dense samples in a set of polygons, pulled taut.
    fn search_within(
        &self,
        dense: &PortalGraph,
        asked: &Asked,
        set: &Set,
        within: &mut Within,
        buffers: &mut Buffers,
        path: &mut Path,
    ) {
        let Asked { query, ends, .. } = asked;
        let straight = ends.start.point.distance(ends.goal.point);
        path.cost = match ends.start.polygon == ends.goal.polygon {
            true => within.stay(straight),
            false => within.search(dense, ends, set),
        };
        follow(dense, &within.vertices, ends, &mut path.corridor);
        self.world.pull(query, ends, &mut buffers.scratch, path);
    }
}

/// Mean and standard deviation.
struct Deviation {
    mean: f64,
    deviation: f64,
}

impl Deviation {
    fn new(values: Vec<f64>) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares = values.iter().map(|value| (value - mean).powi(2));
        Self {
            mean,
            deviation: (squares.sum::<f64>() / count).sqrt(),
        }
    }
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} ± {:.3}", self.mean, self.deviation)
    }
}
