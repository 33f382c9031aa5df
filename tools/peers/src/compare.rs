//! The comparison on one map: builds all peers, runs the queries, checks the answers and summarizes the results.

use std::collections::HashMap;

use glam::Vec3;
use portolan_core::DEFAULT_SNAP;
use portolan_measure::{Order, ReferenceQuery, Summary};

use crate::check::{AnswerChecker, contradicts, endpoint_offset, is_below, same};
use crate::exactness::Exactness;
use crate::fast_paths::FastPaths;
use crate::input::Map;
use crate::landmass::Landmass;
use crate::measure::{self, Measured, Micros};
use crate::peer::{Peer, PeerAnswer, PeerStatus};
use crate::polyanya::Optimum;
use crate::portolan::IndexedWorlds;
use crate::processes::Measurement;
use crate::report::{EngineFigures, Excess, MapFigures, ReferenceComparison, Times};
use crate::{detour, exactness, polyanya, portolan};

/// The number of queries that are listed per kind of fault.
const MAX_EXAMPLES: usize = 3;

/// The number and the order of the measuring rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    pub(crate) count: u32,
    pub(crate) order: Order,
}

/// All peers on a map. Portolan's engines come first, then `fast_paths` on Portolan's portal graph, then the others.
struct PeerSet {
    peers: Vec<Box<dyn Peer>>,
    /// The number of Portolan's engines.
    portolan_count: usize,
    /// The number of peers on Portolan's portal graph. Their statuses and costs must agree.
    on_portal_graph: usize,
    optimum: Option<Optimum>,
    notes: Vec<String>,
}

/// Measures all peers on a map in this process. `border_pairs` is the number of pairs of points on borders on which exact
/// paths are compared with a slow reference, or `None` to skip the comparison.
pub(crate) fn measure_map(map: &Map, rounds: Rounds, border_pairs: Option<usize>) -> Measurement {
    let indexed = IndexedWorlds::new(map.mesh.clone());
    let world = &indexed.world;
    let mut peers = PeerSet::build(&indexed);
    let mut measured = measure::run(&mut peers.peers, &map.queries, rounds.count, rounds.order);
    peers.remove_failed(&mut measured);
    let mut checker = AnswerChecker::new(world);
    let polyanya_optima = peers.polyanya_optima(&checker, &map.queries);
    let mut optima = polyanya_optima.clone();
    if !map.references.is_empty() {
        optima = map.references.iter().map(|r| Some(r.optimum_xz)).collect();
    }
    let mut faults = Faults::default();
    let shortest = shortest_valid(&indexed, &map.queries, &measured, &mut faults);
    peers.notes.extend(lower_optima(&mut optima, &shortest));
    peers.add_faults(&mut checker, &map.queries, &measured, &optima, &mut faults);
    let exactness = border_pairs.and_then(|border_pairs| {
        peers.exactness(&indexed, &map.queries, border_pairs, &measured, &mut faults)
    });
    let engines = peers.figures(&measured, &optima, world.mesh().polygon_count());
    let figures = MapFigures {
        map: map.name.clone(),
        polygons: world.mesh().polygon_count(),
        portals: world.mesh().portals().len(),
        components: world.mesh().components().count(),
        queries: map.queries.len(),
        query_source: map.query_source.clone(),
        optimum: match map.references.is_empty() {
            true => "Polyanya in this run".to_owned(),
            false => map.query_source.clone(),
        },
        ratios: Vec::new(),
        reference: compare_with_references(&map.references, &polyanya_optima),
        exact_tier: indexed.exact_tier(),
        exactness,
        engines,
        faults: faults.lines(),
        notes: peers.notes,
    };
    Measurement {
        figures,
        portolan_count: peers.portolan_count,
        micros: measured.micros,
    }
}

/// Returns, per query, the length of the shortest valid path of Portolan. Adds a fault for each invalid path.
fn shortest_valid(
    indexed: &IndexedWorlds,
    queries: &[[Vec3; 2]],
    measured: &Measured,
    faults: &mut Faults,
) -> Vec<Option<f64>> {
    let mut shortest = vec![None; queries.len()];
    for (row, answers) in indexed.engine_rows().zip(&measured.answers) {
        let mut checker = AnswerChecker::new(row.world);
        for (i, answer) in answers.iter().enumerate() {
            if let Some(fault) = checker.fault_of(row.engine, queries[i], answer) {
                faults.add(&row.name, "path or cost", i, fault);
            } else if answer.status == PeerStatus::Found {
                let length = answer.length_xz();
                shortest[i] = Some(shortest[i].map_or(length, |known: f64| known.min(length)));
            }
        }
    }
    shortest
}

impl PeerSet {
    /// Builds all peers. If one cannot be built, a note says why.
    fn build(indexed: &IndexedWorlds) -> Self {
        let world = &indexed.world;
        let mut notes = Vec::new();
        let engines = portolan::peers(indexed);
        let mut peers: Vec<Box<dyn Peer>> = Vec::new();
        peers.extend(
            engines
                .into_iter()
                .map(|peer| Box::new(peer) as Box<dyn Peer>),
        );
        let portolan_count = peers.len();
        peers.push(Box::new(FastPaths::new(world, indexed.world_ms)));
        let on_portal_graph = peers.len();
        match detour::peers(world.mesh(), DEFAULT_SNAP) {
            Ok(detours) => peers.extend(detours),
            Err(problem) => notes.push(format!("without Detour: {problem}")),
        }
        let mut optimum = None;
        match polyanya::build(world.mesh()) {
            Ok((peer, lengths)) => {
                peers.push(Box::new(peer));
                optimum = Some(lengths);
            }
            Err(problem) => {
                notes.push(format!(
                    "without Polyanya, and so without excess: {problem}"
                ));
            }
        }
        match Landmass::start(world.mesh()) {
            Ok(peer) => {
                if peer.left_out > 0 {
                    notes.push(format!(
                        "the navmesh of landmass lacks {} polygons that it rejects as concave or degenerate",
                        peer.left_out
                    ));
                }
                peers.push(Box::new(peer));
            }
            Err(problem) => notes.push(format!("without landmass: {problem}")),
        }
        if let Some(missing) = optimum
            .as_ref()
            .and_then(|optimum| optimum.missing.as_ref())
        {
            notes.push(format!(
                "the navmesh of Polyanya lacks {missing}, so paths may be shorter than its optimum"
            ));
        }
        Self {
            peers,
            portolan_count,
            on_portal_graph,
            optimum,
            notes,
        }
    }

    /// Removes the peers that failed during the measurement. Peers on the portal graph cannot fail.
    fn remove_failed(&mut self, measured: &mut Measured) {
        for i in (self.on_portal_graph..self.peers.len()).rev() {
            if let Some(failure) = self.peers[i].failure() {
                let name = self.peers[i].name();
                self.notes.push(format!("without {name}: {failure}"));
                self.peers.remove(i);
                measured.answers.remove(i);
                measured.micros.remove(i);
            }
        }
    }

    /// Returns the length of each query's shortest path according to Polyanya, if it is known.
    fn polyanya_optima(
        &self,
        checker: &AnswerChecker<'_>,
        queries: &[[Vec3; 2]],
    ) -> Vec<Option<f64>> {
        let optimum = |query: &[Vec3; 2]| {
            let optimum = self.optimum.as_ref()?;
            optimum.length(&checker.ends(*query)?)
        };
        queries.iter().map(optimum).collect()
    }

    fn add_faults(
        &self,
        checker: &mut AnswerChecker<'_>,
        queries: &[[Vec3; 2]],
        measured: &Measured,
        optima: &[Option<f64>],
        faults: &mut Faults,
    ) {
        let is_complete = self.optimum.as_ref().is_some_and(|o| o.missing.is_none());
        for (i, (&query, &optimum)) in queries.iter().zip(optima).enumerate() {
            let (ends, dijkstra) = (checker.ends(query), checker.dijkstra(query));
            let first = &measured.answers[0][i];
            for (number, peer) in self.peers.iter().enumerate() {
                let answer = &measured.answers[number][i];
                let mut add = |kind, details: String| faults.add(peer.name(), kind, i, details);
                if number < self.on_portal_graph {
                    if answer.status != first.status {
                        let details = format!("{:?} instead of {:?}", answer.status, first.status);
                        add("status", details);
                    }
                    if !checker.is_joined(&answer.polygons) {
                        add("corridor is not connected", String::new());
                    }
                    let cost = answer.cost.filter(|_| answer.status == PeerStatus::Found);
                    if let (Some(cost), Some(dijkstra)) = (cost, dijkstra)
                        && !same(cost, dijkstra)
                    {
                        let details = format!("{cost} instead of {dijkstra}");
                        add("cost differs from Dijkstra's", details);
                    }
                } else if contradicts(first, answer) {
                    add("found a path where Portolan has none", String::new());
                }
                if let (Some(ends), Some(optimum)) = (&ends, optimum)
                    && answer.status == PeerStatus::Found
                    && is_complete
                    && is_below(answer.length_xz() + endpoint_offset(answer, ends), optimum)
                {
                    let length = answer.length_xz();
                    let details = format!("{length:.3} instead of {optimum:.3}");
                    add("shorter than the optimum", details);
                }
            }
        }
    }

    /// Compares exact paths with the reference and with the paths of all peers. Adds a fault for each kind of wrong
    /// answer, and a note if the reference does not support the navmesh.
    fn exactness(
        &mut self,
        indexed: &IndexedWorlds,
        queries: &[[Vec3; 2]],
        border_pairs: usize,
        measured: &Measured,
        faults: &mut Faults,
    ) -> Option<Exactness> {
        let answers = measured.answers.iter().map(Vec::as_slice);
        let rows = self.peers.iter().map(|peer| peer.name()).zip(answers);
        let exactness = exactness::measure(indexed, queries, border_pairs, rows);
        match &exactness {
            None => self.notes.push(
                "exact paths are not compared with the interval search, which does not use links"
                    .to_owned(),
            ),
            Some(exactness) => faults.add_inexact(exactness),
        }
        exactness
    }

    fn figures(
        &self,
        measured: &Measured,
        optima: &[Option<f64>],
        polygons: usize,
    ) -> Vec<EngineFigures> {
        let rows = measured.answers.iter().zip(&measured.micros);
        self.peers
            .iter()
            .zip(rows)
            .map(|(peer, (answers, micros))| figures(&**peer, answers, micros, optima, polygons))
            .collect()
    }
}

fn figures(
    peer: &dyn Peer,
    answers: &[PeerAnswer],
    micros: &[Micros],
    optima: &[Option<f64>],
    polygons: usize,
) -> EngineFigures {
    let count = |status| answers.iter().filter(|a| a.status == status).count();
    let excess = answers.iter().zip(optima).filter_map(|(answer, optimum)| {
        let optimum = optimum.filter(|&optimum| optimum > 0.0)?;
        (answer.status == PeerStatus::Found).then(|| answer.length_xz() / optimum - 1.0)
    });
    let found = count(PeerStatus::Found);
    EngineFigures {
        engine: peer.name().to_owned(),
        found,
        failed: answers.len() - found,
        partial: count(PeerStatus::Partial),
        no_path: count(PeerStatus::NoPath),
        off_mesh: count(PeerStatus::OffMesh),
        times: Times::of(&[micros]),
        excess: Excess::of(excess),
        build_ms: peer.build_ms(),
        bytes: peer.bytes(),
        bytes_per_polygon: peer.bytes().map(|bytes| bytes as f64 / polygons as f64),
        detour_ratio: None,
    }
}

/// Lowers each optimum that is longer than the shortest valid path, and returns a note about it.
fn lower_optima(optima: &mut [Option<f64>], shortest: &[Option<f64>]) -> Option<String> {
    let (mut count, mut max_excess) = (0, 0f64);
    for (optimum, shortest) in optima.iter_mut().zip(shortest) {
        let (Some(known), Some(length)) = (*optimum, *shortest) else {
            continue;
        };
        if is_below(length, known) {
            (count, max_excess) = (count + 1, max_excess.max(known / length - 1.0));
            *optimum = *shortest;
        }
    }
    (count > 0).then(|| {
        format!(
            "in {count} queries a valid path of Portolan is shorter than the optimum, by up to {:.2}%, and is \
             used as the optimum",
            max_excess * 100.0
        )
    })
}

/// Compares the optimum of this run with the reference results.
fn compare_with_references(
    references: &[ReferenceQuery],
    optima: &[Option<f64>],
) -> Option<ReferenceComparison> {
    let difference = references
        .iter()
        .zip(optima)
        .filter_map(|(reference, optimum)| Some(((*optimum)? / reference.optimum_xz - 1.0).abs()));
    let excess = references.iter().map(|r| r.detour_xz / r.optimum_xz - 1.0);
    Some(ReferenceComparison {
        optimum_difference_max: Summary::of(difference)?.max,
        detour_excess: Excess::of(excess)?,
    })
}

/// Faults by peer and kind, with some examples per kind.
#[derive(Default)]
struct Faults {
    /// Peer and kind of each fault, in the order in which they were first found.
    kinds: Vec<(String, &'static str)>,
    /// The number of queries with each fault, and some examples.
    examples: HashMap<(String, &'static str), (usize, Vec<String>)>,
}

impl Faults {
    /// Counts a fault of `peer` in a query. `details` go into the examples.
    fn add(&mut self, peer: &str, kind: &'static str, query: usize, details: String) {
        let kind = (peer.to_owned(), kind);
        if !self.examples.contains_key(&kind) {
            self.kinds.push(kind.clone());
        }
        let (count, examples) = self.examples.entry(kind).or_default();
        *count += 1;
        if examples.len() < MAX_EXAMPLES {
            examples.push(format!("query {query} {details}").trim_end().to_owned());
        }
    }

    /// Adds a fault per comparison with the reference in which an exact path is wrong.
    fn add_inexact(&mut self, exactness: &Exactness) {
        let of_queries = ("differs from the interval search", &exactness.queries);
        let of_borders = ("differs on vertices or borders", &exactness.borders);
        for (kind, comparison) in [of_queries, of_borders] {
            if comparison.is_exact() {
                continue;
            }
            let kind = (portolan::EXACT.to_string(), kind);
            self.kinds.push(kind.clone());
            let answers = (comparison.wrong, comparison.examples.clone());
            self.examples.insert(kind, answers);
        }
    }

    fn lines(&self) -> Vec<String> {
        let line = |kind: &(String, &'static str)| {
            let (count, examples) = &self.examples[kind];
            let (peer, kind) = kind;
            format!("{peer}: {kind}: {count} queries ({})", examples.join("; "))
        };
        self.kinds.iter().map(line).collect()
    }
}
