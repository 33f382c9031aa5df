//! `portolan bench --updates N --kind tile`: replaces patches of polygons, and times queries while the index is made again.

use std::cell::Cell;
use std::collections::HashMap;
use std::time::Instant;

use portolan_core::{
    Engine, LiveOptions, LiveWorld, NavMesh, PolygonId, RawNavMesh, Replacement, Tier, World,
};
use portolan_measure::mean;
use rayon::ThreadPoolBuilder;

use super::bench_updates::{QueryTimes, Times, UpdateBench, UpdateResults, mean_excess};
use crate::outcome::Failure;

/// The number of polygons of a patch.
const PATCH: usize = 32;

/// Takes a patch out in every second update, and puts it back in the next one. What `update_us` measures is the check of
/// the replacement, for which the caller waits, and `background_ms` the mesh, the index and the costs, on one thread.
pub(super) fn run(
    bench: &UpdateBench,
    world: String,
    beside: bool,
    step: &dyn Fn(),
) -> Result<UpdateResults, Failure> {
    let live = live(&bench.world, false);
    let query_us_quiet = QueryTimes::new(&bench.time_queries(|| live.snapshot(), || true));
    let one_thread = ThreadPoolBuilder::new().num_threads(1).build();
    let one_thread = one_thread.map_err(|error| Failure::new(error.to_string()))?;
    let (mut update_us, mut publish_us, mut index_ms) = (Vec::new(), Vec::new(), Vec::new());
    let (mut mismatches, mut checked) = (0, 0);
    let mut out = None;
    for update in 0..bench.updates {
        let replacement = next_replacement(bench, live.snapshot().mesh(), update, &mut out);
        let start = Instant::now();
        let replacing = live.replace(&replacement);
        let replacing = replacing.map_err(|error| Failure::new(error.to_string()))?;
        update_us.push(start.elapsed().as_secs_f64() * 1e6);
        let replaced = one_thread
            .install(|| replacing.wait())
            .map_err(|error| Failure::new(error.to_string()))?;
        publish_us.push(replaced.publish_time.as_secs_f64() * 1e6);
        index_ms.push(replaced.index_time.as_secs_f64() * 1e3);
        mismatches += bench.mismatches(&live.snapshot(), update);
        checked += 1;
        step();
    }
    let bytes = live.bytes();
    let after = bench.lengths(&live.snapshot(), Engine::default());
    live.settle();
    let settled = live.snapshot();
    let by_default = bench.lengths(&settled, Engine::default());
    let mut shortest = by_default.clone();
    for tier in [Tier::Best, Tier::Exact] {
        if settled.check_engine(Engine::Auto(tier)).is_ok() {
            let lengths = bench.lengths(&settled, Engine::Auto(tier));
            let known = shortest.iter_mut().zip(lengths);
            known.for_each(|(known, length)| *known = known.min(length));
        }
    }
    step();
    let (beside_per_second, query_us_beside) = match beside {
        true => {
            let (rate, times) = time_beside(bench)?;
            step();
            (Some(rate), Some(times))
        }
        false => (None, None),
    };
    Ok(UpdateResults {
        world,
        polygons: bench.world.mesh().polygon_count(),
        portals: bench.world.mesh().portals().len(),
        kind: "tile",
        updates: bench.updates,
        arcs: 0.0,
        rows: 0.0,
        update_us: Times::new(&update_us),
        publish_us: Times::new(&publish_us),
        query_us_quiet,
        query_us_beside,
        beside_per_second,
        mismatches,
        checked,
        background_ms: mean(index_ms),
        excess_after: mean_excess(&after, &shortest),
        excess_settled: mean_excess(&by_default, &shortest),
        writer_bytes: bytes.writer,
        snapshot_bytes: bytes.snapshot,
    })
}

fn live(world: &World, background: bool) -> LiveWorld {
    let options = LiveOptions {
        background,
        indexer: portolan_index::indexer(),
        ..LiveOptions::default()
    };
    LiveWorld::with_options(world.clone(), options)
}

/// Times queries while patches are replaced, one after the other. Returns the replacements per second, too.
fn time_beside(bench: &UpdateBench) -> Result<(f64, QueryTimes), Failure> {
    let live = live(&bench.world, true);
    let start = Instant::now();
    let (mut made, mut out) = (0, None);
    let replacing = Cell::new(None);
    let mut failed = None;
    let begin = |made: usize, out: &mut Option<RawNavMesh>| {
        let replacement = next_replacement(bench, live.snapshot().mesh(), made, out);
        live.replace(&replacement)
    };
    replacing.set(Some(
        begin(made, &mut out).map_err(|error| Failure::new(error.to_string()))?,
    ));
    // A round of queries lasts milliseconds, after which the next replacement begins if the last one is done.
    let mut times = Vec::new();
    while made < 2 && failed.is_none() {
        times.extend(bench.time_queries(|| live.snapshot(), || true));
        match replacing.take() {
            Some(work) if !work.is_done() => replacing.set(Some(work)),
            Some(work) => {
                made += 1;
                failed = work.wait().err();
                if made < 2 && failed.is_none() {
                    match begin(made, &mut out) {
                        Ok(work) => replacing.set(Some(work)),
                        Err(error) => failed = Some(error),
                    }
                }
            }
            None => break,
        }
    }
    match failed {
        Some(error) => Err(Failure::new(error.to_string())),
        None => Ok((
            made as f64 / start.elapsed().as_secs_f64(),
            QueryTimes::new(&times),
        )),
    }
}

/// Returns the replacement of an update. `out` is the patch that was taken out, if one was.
fn next_replacement(
    bench: &UpdateBench,
    mesh: &NavMesh,
    update: usize,
    out: &mut Option<RawNavMesh>,
) -> Replacement {
    if let Some(add) = out.take() {
        return Replacement {
            add,
            ..Replacement::default()
        };
    }
    // A place that was taken out and put back has another id, so the place is looked for where it was.
    let places = &bench.polygons;
    let place = places[update / 2 % places.len()];
    let centre = bench.world.mesh().centre(place);
    let snap = glam::Vec3::splat(f32::INFINITY);
    let there = mesh.locate(centre, snap, |_| true);
    let remove = patch_around(mesh, there.map_or(place, |location| location.polygon));
    *out = Some(part_of(mesh, &remove));
    Replacement {
        remove,
        ..Replacement::default()
    }
}

/// Returns the polygons that are nearest to one over portals.
fn patch_around(mesh: &NavMesh, centre: PolygonId) -> Vec<PolygonId> {
    let mut patch = vec![centre];
    let mut next = 0;
    // Something has to remain of a small world.
    let present = mesh.polygon_count() - mesh.gone_count();
    let size = PATCH.min(present / 4).max(1);
    while next < patch.len() && patch.len() < size {
        let polygon = patch[next];
        for &portal in mesh.portals_of(polygon) {
            let beyond = mesh.portal(portal).beyond(polygon);
            if !patch.contains(&beyond) && patch.len() < size {
                patch.push(beyond);
            }
        }
        next += 1;
    }
    patch
}

/// Returns some polygons as a raw mesh without the vertices of all others.
fn part_of(mesh: &NavMesh, polygons: &[PolygonId]) -> RawNavMesh {
    let all = mesh.to_raw(|polygon| polygons.contains(&polygon));
    let mut part = RawNavMesh {
        vertices: Vec::new(),
        polygons: portolan_core::Csr::new(),
        ..all.clone()
    };
    let mut index_of: HashMap<u32, u32> = HashMap::new();
    for corners in all.polygons.iter() {
        part.polygons.push(corners.iter().map(|&vertex| {
            *index_of.entry(vertex).or_insert_with(|| {
                part.vertices.push(all.vertices[vertex as usize]);
                part.vertices.len() as u32 - 1
            })
        }));
    }
    part
}
