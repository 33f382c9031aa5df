//! One map, all peers: build, ask, judge, sum up.

use std::collections::HashMap;

use glam::Vec3;
use portolan_core::DEFAULT_SNAP;
use portolan_measure::{Order, ReferenceQuery, Summary};

use crate::check::{Judge, contradicts, is_below, moved, same};
use crate::fast_paths::FastPaths;
use crate::input::Map;
use crate::landmass::Landmass;
use crate::measure::{self, Measured, Micros};
use crate::ours::Indexed;
use crate::peer::{Answer, Peer, Status};
use crate::polyanya::Optimum;
use crate::processes::Measurement;
use crate::report::{EngineFigures, Excess, MapFigures, Referred, Times};
use crate::{detour, ours, polyanya};

/// A fault is told with the first queries that show it.
const EXAMPLES: usize = 3;

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    pub(crate) count: u32,
    pub(crate) order: Order,
}

/// Whose answers are held to what we promise: our engines, and `fast_paths` on our graph.
struct Field {
    peers: Vec<Box<dyn Peer>>,
    /// So many of the peers, from the first, are our engines.
    ours: usize,
    /// So many of the peers, from the first, stand on our graph.
    on_our_graph: usize,
    optimum: Option<Optimum>,
    notes: Vec<String>,
}

/// Everything about a map that this process can say.
pub(crate) fn map(map: &Map, rounds: Rounds) -> Measurement {
    let indexed = Indexed::new(map.mesh.clone());
    let world = &indexed.world;
    let mut field = Field::build(&indexed);
    let mut measured = measure::run(&mut field.peers, &map.queries, rounds.count, rounds.order);
    field.dismiss_troubled(&mut measured);
    let mut judge = Judge::new(world);
    let flat = field.optima(&judge, &map.queries);
    let mut optima = flat.clone();
    if !map.references.is_empty() {
        optima = map.references.iter().map(|r| Some(r.optimum_xz)).collect();
    }
    let mut faults = Faults::default();
    let walked = walked(&indexed, &map.queries, &measured, &mut faults);
    field.notes.extend(lower(&mut optima, &walked));
    field.add_faults(&mut judge, &map.queries, &measured, &optima, &mut faults);
    let engines = field.figures(&measured, &optima, world.mesh().polygon_count());
    let figures = MapFigures {
        map: map.name.clone(),
        polygons: world.mesh().polygon_count(),
        portals: world.mesh().portals().len(),
        components: world.mesh().components().count(),
        queries: map.queries.len(),
        asked: map.asked.clone(),
        optimum: match map.references.is_empty() {
            true => "Polyanya's, in this run".to_owned(),
            false => format!("that of {}", map.asked),
        },
        ratios: Vec::new(),
        reference: reference(&map.references, &flat),
        engines,
        faults: faults.told(),
        notes: field.notes,
    };
    Measurement {
        figures,
        ours: field.ours,
        micros: measured.micros,
    }
}

/// Per query, the shortest path of ours that was looked at and is sound.
fn walked(
    indexed: &Indexed,
    queries: &[[Vec3; 2]],
    measured: &Measured,
    faults: &mut Faults,
) -> Vec<Option<f64>> {
    let mut walked = vec![None; queries.len()];
    for (entry, answers) in indexed.entries().zip(&measured.answers) {
        let mut judge = Judge::new(entry.world);
        for (i, answer) in answers.iter().enumerate() {
            if let Some(fault) = judge.fault_of(entry.engine, queries[i], answer) {
                faults.add(&entry.name, "path or cost", i, fault);
            } else if answer.status == Status::Found {
                let length = answer.length_xz();
                walked[i] = Some(walked[i].map_or(length, |known: f64| known.min(length)));
            }
        }
    }
    walked
}

impl Field {
    /// All peers that can be built; notes say which cannot and why.
    fn build(indexed: &Indexed) -> Self {
        let world = &indexed.world;
        let mut notes = Vec::new();
        let ours = ours::peers(indexed);
        let world_ms = ours.first().map_or(0.0, Peer::build_ms);
        let mut peers: Vec<Box<dyn Peer>> = Vec::new();
        peers.extend(ours.into_iter().map(|peer| Box::new(peer) as Box<dyn Peer>));
        let ours = peers.len();
        peers.push(Box::new(FastPaths::new(world, world_ms)));
        let on_our_graph = peers.len();
        match detour::peers(world.mesh(), DEFAULT_SNAP) {
            Ok(detours) => peers.extend(detours),
            Err(problem) => notes.push(format!("without Detour: {problem}")),
        }
        let mut optimum = None;
        match polyanya::build(world.mesh()) {
            Ok((peer, judge)) => {
                peers.push(Box::new(peer));
                optimum = Some(judge);
            }
            Err(problem) => notes.push(format!("without Polyanya, so without excess: {problem}")),
        }
        match Landmass::start(world.mesh()) {
            Ok(peer) => {
                if peer.left_out > 0 {
                    notes.push(format!(
                        "landmass's mesh lacks {} polygons that it takes for concave",
                        peer.left_out
                    ));
                }
                peers.push(Box::new(peer));
            }
            Err(problem) => notes.push(format!("without landmass: {problem}")),
        }
        if let Some(lacks) = optimum.as_ref().and_then(|optimum| optimum.lacks.as_ref()) {
            notes.push(format!(
                "Polyanya's mesh lacks {lacks}: paths may be below its optimum"
            ));
        }
        Self {
            peers,
            ours,
            on_our_graph,
            optimum,
            notes,
        }
    }

    /// Takes out those whose answers are worth nothing. None of them stands on our graph.
    fn dismiss_troubled(&mut self, measured: &mut Measured) {
        for i in (self.on_our_graph..self.peers.len()).rev() {
            if let Some(trouble) = self.peers[i].trouble() {
                let name = self.peers[i].name();
                self.notes.push(format!("without {name}: {trouble}"));
                self.peers.remove(i);
                measured.answers.remove(i);
                measured.micros.remove(i);
            }
        }
    }

    /// Per query, the length that no path is below.
    fn optima(&self, judge: &Judge<'_>, queries: &[[Vec3; 2]]) -> Vec<Option<f64>> {
        let optimum = |query: &[Vec3; 2]| {
            let optimum = self.optimum.as_ref()?;
            optimum.length(&judge.ends(*query)?)
        };
        queries.iter().map(optimum).collect()
    }

    fn add_faults(
        &self,
        judge: &mut Judge<'_>,
        queries: &[[Vec3; 2]],
        measured: &Measured,
        optima: &[Option<f64>],
        faults: &mut Faults,
    ) {
        let is_whole = self.optimum.as_ref().is_some_and(|o| o.lacks.is_none());
        for (i, (&query, &optimum)) in queries.iter().zip(optima).enumerate() {
            let (ends, dijkstra) = (judge.ends(query), judge.dijkstra(query));
            let first = &measured.answers[0][i];
            for (number, peer) in self.peers.iter().enumerate() {
                let answer = &measured.answers[number][i];
                let mut add = |what, how: String| faults.add(peer.name(), what, i, how);
                if number < self.on_our_graph {
                    if answer.status != first.status {
                        let how = format!("{:?} and not {:?}", answer.status, first.status);
                        add("status", how);
                    }
                    if !judge.is_joined(&answer.polygons) {
                        add("corridor not joined", String::new());
                    }
                    let cost = answer.cost.filter(|_| answer.status == Status::Found);
                    if let (Some(cost), Some(dijkstra)) = (cost, dijkstra)
                        && !same(cost, dijkstra)
                    {
                        add("cost is not Dijkstra's", format!("{cost}, {dijkstra}"));
                    }
                } else if contradicts(first, answer) {
                    add("found where ours has no path", String::new());
                }
                if let (Some(ends), Some(optimum)) = (&ends, optimum)
                    && answer.status == Status::Found
                    && is_whole
                    && is_below(answer.length_xz() + moved(answer, ends), optimum)
                {
                    let length = answer.length_xz();
                    add("below the optimum", format!("{length:.3}, {optimum:.3}"));
                }
            }
        }
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
    answers: &[Answer],
    micros: &[Micros],
    optima: &[Option<f64>],
    polygons: usize,
) -> EngineFigures {
    let count = |status| answers.iter().filter(|a| a.status == status).count();
    let excess = answers.iter().zip(optima).filter_map(|(answer, optimum)| {
        let optimum = optimum.filter(|&optimum| optimum > 0.0)?;
        (answer.status == Status::Found).then(|| answer.length_xz() / optimum - 1.0)
    });
    let found = count(Status::Found);
    EngineFigures {
        engine: peer.name().to_owned(),
        found,
        failed: answers.len() - found,
        partial: count(Status::Partial),
        no_path: count(Status::NoPath),
        off_mesh: count(Status::OffMesh),
        times: Times::of(&[micros]),
        excess: Excess::of(excess),
        build_ms: peer.build_ms(),
        bytes: peer.bytes(),
        bytes_per_polygon: peer.bytes().map(|bytes| bytes as f64 / polygons as f64),
        detour_ratio: None,
    }
}

/// Where a path that can be walked is shorter than the optimum, that was none: takes the smaller, and says
/// so.
fn lower(optima: &mut [Option<f64>], walked: &[Option<f64>]) -> Option<String> {
    let (mut count, mut most) = (0, 0f64);
    for (optimum, walked) in optima.iter_mut().zip(walked) {
        let (Some(known), Some(length)) = (*optimum, *walked) else {
            continue;
        };
        if is_below(length, known) {
            (count, most) = (count + 1, most.max(known / length - 1.0));
            *optimum = *walked;
        }
    }
    (count > 0).then(|| {
        format!(
            "paths of ours are shorter than the optimum of {count} queries, by up to {:.2}%, and can be \
             walked: taken for the optimum there",
            most * 100.0
        )
    })
}

/// How far our optimum is from the one that came with the queries, at most and relative to it.
fn reference(references: &[ReferenceQuery], optima: &[Option<f64>]) -> Option<Referred> {
    let difference = references
        .iter()
        .zip(optima)
        .filter_map(|(reference, optimum)| Some(((*optimum)? / reference.optimum_xz - 1.0).abs()));
    let excess = references.iter().map(|r| r.detour_xz / r.optimum_xz - 1.0);
    Some(Referred {
        optimum_difference_max: Summary::of(difference)?.max,
        detour_excess: Excess::of(excess)?,
    })
}

/// Faults by peer and kind, with some examples each.
#[derive(Default)]
struct Faults {
    kinds: Vec<(String, &'static str)>,
    examples: HashMap<(String, &'static str), (usize, Vec<String>)>,
}

impl Faults {
    fn add(&mut self, peer: &str, what: &'static str, query: usize, how: String) {
        let kind = (peer.to_owned(), what);
        if !self.examples.contains_key(&kind) {
            self.kinds.push(kind.clone());
        }
        let (count, examples) = self.examples.entry(kind).or_default();
        *count += 1;
        if examples.len() < EXAMPLES {
            examples.push(format!("query {query} {how}").trim_end().to_owned());
        }
    }

    fn told(&self) -> Vec<String> {
        let tell = |kind: &(String, &'static str)| {
            let (count, examples) = &self.examples[kind];
            let (peer, what) = kind;
            format!("{peer}: {what}: {count} queries ({})", examples.join("; "))
        };
        self.kinds.iter().map(tell).collect()
    }
}
