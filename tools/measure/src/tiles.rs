//! Replaced patches of polygons: the time until the index is made again, and queries meanwhile.

use std::collections::HashMap;
use std::time::Instant;

use portolan_core::{
    Engine, Indexer, LiveOptions, LiveWorld, NavMesh, PolygonId, RawNavMesh, ReplaceError,
    Replacement, Tier, World,
};
use rayon::ThreadPoolBuilder;

use crate::updates::{
    QueryTimesBeside, UpdateBench, UpdateKind, UpdateOptions, UpdateResults, UpdateTimes,
    mean_excess,
};
use crate::{mean, thousandths};

/// The number of polygons of a patch.
const PATCH: usize = 32;

/// Takes a patch out in every second update, and puts it back in the next one, and calls `step` after each and twice or three
/// times at the end. What `update_us` measures is the check of the replacement, for which the caller waits, and
/// `background_ms` the mesh, the index and the costs, on one thread.
///
/// # Errors
/// Fails if a patch cannot be replaced.
pub fn measure_tiles(
    name: String,
    world: &World,
    options: &UpdateOptions,
    indexer: &Indexer,
    step: &dyn Fn(),
) -> Result<UpdateResults, ReplaceError> {
    let bench = &UpdateBench::new(world, options);
    let live = live(world, indexer, false);
    let query_us_quiet = QueryTimesBeside::new(&bench.time_queries(|| live.snapshot(), || true));
    let one_thread = ThreadPoolBuilder::new().num_threads(1).build();
    let one_thread = one_thread.map_err(|error| ReplaceError::Index(error.to_string()))?;
    let (mut update_us, mut publish_us, mut index_ms) = (Vec::new(), Vec::new(), Vec::new());
    let (mut mismatches, mut checked) = (0, 0);
    let mut out = None;
    for update in 0..bench.updates {
        let replacement = next_replacement(bench, live.snapshot().mesh(), update, &mut out);
        let start = Instant::now();
        let replacing = live.replace(&replacement)?;
        update_us.push(start.elapsed().as_secs_f64() * 1e6);
        let replaced = one_thread.install(|| replacing.wait())?;
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
    let (beside_per_second, query_us_beside) = match options.beside {
        Some(_) => {
            let (rate, times) = time_beside(bench, indexer)?;
            step();
            (Some(rate), Some(times))
        }
        None => (None, None),
    };
    Ok(UpdateResults {
        world: name,
        polygons: bench.world.mesh().polygon_count(),
        portals: bench.world.mesh().portals().len(),
        kind: UpdateKind::Tile.name().to_owned(),
        updates: bench.updates,
        arcs: 0.0,
        rows: 0.0,
        update_us: UpdateTimes::new(&update_us),
        publish_us: UpdateTimes::new(&publish_us),
        query_us_quiet,
        query_us_unsettled: None,
        query_us_beside,
        update_us_beside: None,
        beside_per_second: beside_per_second.map(thousandths),
        mismatches,
        checked,
        background_ms: thousandths(mean(index_ms)),
        excess_after: mean_excess(&after, &shortest),
        excess_settled: mean_excess(&by_default, &shortest),
        writer_bytes: bytes.writer,
        snapshot_bytes: bytes.snapshot,
    })
}

fn live(world: &World, indexer: &Indexer, background: bool) -> LiveWorld {
    let options = LiveOptions {
        background,
        indexer: indexer.clone(),
        ..LiveOptions::default()
    };
    LiveWorld::with_options(world.clone(), options)
}

/// Times queries while patches are replaced, one after the other. Returns the replacements per second, too.
fn time_beside(
    bench: &UpdateBench,
    indexer: &Indexer,
) -> Result<(f64, QueryTimesBeside), ReplaceError> {
    let live = live(&bench.world, indexer, true);
    let start = Instant::now();
    let (mut out, mut times) = (None, Vec::new());
    const REPLACEMENTS: usize = 2;
    for made in 0..REPLACEMENTS {
        let replacement = next_replacement(bench, live.snapshot().mesh(), made, &mut out);
        let replacing = live.replace(&replacement)?;
        // A round of queries lasts milliseconds, after which the next replacement begins if this one is done.
        while !replacing.is_done() {
            times.extend(bench.time_queries(|| live.snapshot(), || true));
        }
        replacing.wait()?;
    }
    let rate = REPLACEMENTS as f64 / start.elapsed().as_secs_f64();
    Ok((rate, QueryTimesBeside::new(&times)))
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
