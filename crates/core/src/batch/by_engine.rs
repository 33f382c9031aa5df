//! Batches by single queries: sorted for warm caches, answered in chunks, and put back in order.

use std::ops::Range;

use glam::Vec3;
use rayon::prelude::*;

use super::answers::{BufferPool, FlatLists};
use super::{BatchAnswers, BatchOptions, BatchQueries, Want};
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;
use crate::path::{Crossing, DirectedPortal, Path};
use crate::query::{EngineError, Scratch};
use crate::world::{Endpoints, Located, Status, World};

/// The maximum number of queries that a thread takes at a time.
const MAX_CHUNK: usize = 256;
/// The number of chunks per thread in a small batch. There are several, because some queries take longer than others.
const CHUNKS_PER_THREAD: usize = 8;

/// Returns the number of queries that a thread takes at a time.
fn chunk_size(queries: usize) -> usize {
    let chunks = CHUNKS_PER_THREAD * rayon::current_num_threads();
    queries.div_ceil(chunks).clamp(1, MAX_CHUNK)
}

/// The buffers of batches by single queries.
#[derive(Debug, Default)]
pub(super) struct EngineMemory {
    scratches: BufferPool<(Scratch, Path)>,
    /// The queries in the order in which they are answered, each with its sorting key.
    order: Vec<(u64, u32)>,
    /// Per query, its position in that order.
    positions: Vec<u32>,
    chunks: Vec<ChunkAnswers>,
}

/// The answers of some consecutive queries, in the order in which they were answered.
#[derive(Debug, Default)]
struct ChunkAnswers {
    entries: Vec<AnswerEntry>,
    corridors: Vec<PolygonId>,
    waypoints: Vec<Vec3>,
}

/// The answer to one query.
#[derive(Clone, Debug)]
struct AnswerEntry {
    status: Status,
    cost: f32,
    distance: f32,
    polygon: PolygonId,
    points: [Vec3; 2],
    /// The ranges of its values in the lists of its chunk.
    corridor: Range<u32>,
    waypoints: Range<u32>,
}

impl AnswerEntry {
    const NO_PATH: Self = Self {
        status: Status::NoPath,
        cost: f32::INFINITY,
        distance: f32::INFINITY,
        polygon: BatchAnswers::NO_POLYGON,
        points: [Vec3::NAN; 2],
        corridor: 0..0,
        waypoints: 0..0,
    };
}

/// What is known of a path before the batch is answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FoundPath<'a> {
    /// The vertices of the path, as [`Located::adopt`] takes them.
    Vertices(&'a [u32]),
    /// There is no path.
    NoPath,
    /// The path has not been found yet.
    Unknown,
}

impl World {
    /// Answers a batch whose paths were found elsewhere, for example on a graphics card. `found` returns what is known of
    /// each query. Paths that are unknown, or that are not paths of the fast tier's graph, are searched here with the
    /// engine of the options. Returns the number of those. `answers` is overwritten, and empty after an error.
    ///
    /// # Errors
    /// Fails as [`find_paths`](Self::find_paths) does.
    pub fn finish_paths<'f>(
        &self,
        queries: BatchQueries<'_>,
        options: &BatchOptions<'_>,
        found: impl Fn(usize) -> FoundPath<'f> + Sync,
        answers: &mut BatchAnswers,
    ) -> Result<usize, EngineError> {
        let result = self.answer_by_engine(queries, options, found, answers);
        if result.is_err() {
            answers.clear();
        }
        result
    }

    /// Answers a batch by single queries where paths are unknown. Returns the number of queries that were searched.
    pub(super) fn answer_by_engine<'f>(
        &self,
        queries: BatchQueries<'_>,
        options: &BatchOptions<'_>,
        found: impl Fn(usize) -> FoundPath<'f> + Sync,
        answers: &mut BatchAnswers,
    ) -> Result<usize, EngineError> {
        answers.clear();
        // No query fails if this one does not.
        self.locate(&options.query([Vec3::NAN; 2]))?;
        let mut memory = std::mem::take(&mut answers.by_engine);
        let EngineMemory {
            scratches,
            order,
            positions,
            chunks,
        } = &mut memory;
        self.sort(queries, order);
        let size = chunk_size(queries.len());
        chunks.resize_with(queries.len().div_ceil(size), ChunkAnswers::default);
        let work = order.par_chunks(size).zip(&mut chunks[..]);
        let answer_chunk = |(order, chunk): (&[(u64, u32)], &mut ChunkAnswers)| {
            scratches.with(|(scratch, path)| {
                chunk.clear();
                let mut searched = 0;
                for &(_, index) in order {
                    let located = self.locate_query(queries, index as usize, options);
                    let found = found(index as usize);
                    if !chunk.adopt(located, found, options.want, scratch, path) {
                        chunk.answer(self, located, options.want, scratch, path);
                        searched += 1;
                    }
                }
                searched
            })
        };
        let searched = work.map(answer_chunk).sum();
        positions.resize(order.len(), 0);
        for (&(_, index), position) in order.iter().zip(0..) {
            positions[index as usize] = position;
        }
        collect(chunks, size, positions, options.want, answers);
        answers.by_engine = memory;
        Ok(searched)
    }

    /// Locates a query. The options must have been checked.
    fn locate_query<'a>(
        &'a self,
        queries: BatchQueries<'_>,
        index: usize,
        options: &BatchOptions<'a>,
    ) -> Located<'a> {
        let located = match queries {
            BatchQueries::Points(points) => self.locate(&options.query(points[index])),
            BatchQueries::Located(endpoints) => {
                let Endpoints { start, goal } = endpoints[index];
                let query = options.query([start.point, goal.point]);
                self.located(&query, endpoints[index])
            }
        };
        located.expect("engine and costs were checked")
    }

    /// Sets `order` to the queries, sorted so that consecutive ones have close starts and close goals.
    fn sort(&self, queries: BatchQueries<'_>, order: &mut Vec<(u64, u32)>) {
        let key = |index: usize| {
            let ends = match queries {
                BatchQueries::Located(endpoints) => {
                    let Endpoints { start, goal } = endpoints[index];
                    [start.polygon, goal.polygon].map(|polygon| polygon.0)
                }
                // Positions are close to each other if their cells are.
                BatchQueries::Points(points) => points[index].map(|point| self.cell(point)),
            };
            (interleaved(ends), index as u32)
        };
        let indexes = (0..queries.len()).into_par_iter();
        indexes.map(key).collect_into_vec(order);
        order.par_sort_unstable();
    }

    /// Returns the number of the cell of a grid over the mesh that contains a point.
    fn cell(&self, point: Vec3) -> u32 {
        let bounds = self.mesh().bounds();
        let size = (bounds.max - bounds.min).max(Vec3::splat(1e-6));
        // NaN becomes 0.
        let [x, _, z] = ((point - bounds.min) / size * 65535.0).to_array();
        let [x, z] = [x, z].map(|along| along as u16);
        interleaved([u32::from(x), u32::from(z)]) as u32
    }
}

/// Interleaves the bits of two numbers (Morton order): pairs with close results have close numbers.
fn interleaved([a, b]: [u32; 2]) -> u64 {
    let spread = |number: u32| {
        let steps = [
            (16, 0x0000_ffff_0000_ffff),
            (8, 0x00ff_00ff_00ff_00ff),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ];
        let number = u64::from(number);
        let spread = |number: u64, (shift, mask): (u32, u64)| (number | number << shift) & mask;
        steps.into_iter().fold(number, spread)
    };
    spread(a) << 1 | spread(b)
}

impl ChunkAnswers {
    fn clear(&mut self) {
        self.entries.clear();
        self.corridors.clear();
        self.waypoints.clear();
    }

    /// Answers a query whose path was found elsewhere. Returns false if the path has to be searched.
    fn adopt(
        &mut self,
        located: Located<'_>,
        found: FoundPath<'_>,
        want: Want,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> bool {
        let mut entry = AnswerEntry::NO_PATH;
        let endpoints = match (located.endpoints(), found) {
            (_, FoundPath::Unknown) => return false,
            (Err(status), _) => {
                entry.status = status;
                self.entries.push(entry);
                return true;
            }
            (Ok(_), FoundPath::NoPath) => {
                self.entries.push(entry);
                return true;
            }
            (Ok(endpoints), FoundPath::Vertices(_)) => endpoints,
        };
        let FoundPath::Vertices(vertices) = found else {
            unreachable!("other paths are answered above")
        };
        let world = located.world();
        let Some(searched) = located.adopt(vertices, scratch) else {
            return false;
        };
        entry.status = searched.waypoints(path);
        entry.cost = path.cost;
        if want == Want::Portal {
            let first = path.corridor.crossings.first().copied();
            (entry.polygon, entry.points) = first_portal(world.mesh(), endpoints, first);
        } else {
            self.take(path, want, &mut entry);
        }
        self.entries.push(entry);
        true
    }

    /// Answers one query.
    fn answer(
        &mut self,
        world: &World,
        located: Located<'_>,
        want: Want,
        scratch: &mut Scratch,
        path: &mut Path,
    ) {
        let mut entry = AnswerEntry::NO_PATH;
        match want {
            Want::Portal => {
                if let Err(status) = located.endpoints() {
                    entry.status = status;
                }
                if let (Ok(ends), Some(first)) = (located.endpoints(), located.distance(scratch)) {
                    entry.status = Status::Found;
                    entry.cost = first.cost;
                    (entry.polygon, entry.points) = first_portal(world.mesh(), ends, first.first);
                }
            }
            _ => {
                entry.status = located.search(scratch).waypoints(path);
                if entry.status.has_path() {
                    entry.cost = path.cost;
                    self.take(path, want, &mut entry);
                }
            }
        }
        self.entries.push(entry);
    }

    /// Takes what is wanted from a path.
    fn take(&mut self, path: &Path, want: Want, entry: &mut AnswerEntry) {
        if want == Want::Next {
            entry.points[0] = path.waypoints[1];
            let last = path.corridor.polygons.last();
            let polygon = path.polygon_after_leg(0).or(last.copied());
            entry.polygon = polygon.unwrap_or(BatchAnswers::NO_POLYGON);
            return;
        }
        entry.distance = path.length() as f32;
        if matches!(want, Want::Corridor | Want::Waypoints) {
            entry.corridor = append(&mut self.corridors, &path.corridor.polygons);
        }
        if want == Want::Waypoints {
            entry.waypoints = append(&mut self.waypoints, &path.waypoints);
        }
    }
}

/// Appends values and returns their range.
fn append<T: Copy>(list: &mut Vec<T>, values: &[T]) -> Range<u32> {
    let first = list.len() as u32;
    list.extend_from_slice(values);
    first..list.len() as u32
}

/// Returns the polygon beyond a first crossing, and its ends, as [`BatchAnswers::portals`] describes them.
pub(super) fn first_portal(
    mesh: &NavMesh,
    endpoints: Endpoints,
    first: Option<Crossing>,
) -> (PolygonId, [Vec3; 2]) {
    let here = endpoints.start.polygon;
    match first {
        Some(Crossing::Portal(portal)) => {
            let crossing = DirectedPortal::new(mesh, portal, here);
            (crossing.to(mesh), crossing.ends(mesh))
        }
        Some(Crossing::Link(link, end)) => {
            let (link, end) = (mesh.link(link), usize::from(end));
            (link.polygons[1 - end], [link.ends[end], link.ends[1 - end]])
        }
        None => (here, [endpoints.goal.point; 2]),
    }
}

/// Writes the answers of all chunks, of `size` queries each, in the order of the queries.
fn collect(
    chunks: &[ChunkAnswers],
    size: usize,
    positions: &[u32],
    want: Want,
    answers: &mut BatchAnswers,
) {
    let entry = |&position: &u32| {
        let chunk = &chunks[position as usize / size];
        (&chunk.entries[position as usize % size], chunk)
    };
    let entries = || positions.par_iter().map(entry);
    entries()
        .map(|(entry, _)| entry.status)
        .collect_into_vec(&mut answers.statuses);
    entries()
        .map(|(entry, _)| entry.cost)
        .collect_into_vec(&mut answers.costs);
    match want {
        Want::Portal | Want::Next => entries()
            .map(|(entry, _)| entry.polygon)
            .collect_into_vec(&mut answers.polygons),
        Want::Distance | Want::Corridor | Want::Waypoints => entries()
            .map(|(entry, _)| entry.distance)
            .collect_into_vec(&mut answers.distances),
    }
    match want {
        Want::Portal => entries()
            .map(|(entry, _)| entry.points)
            .collect_into_vec(&mut answers.portals),
        Want::Next => entries()
            .map(|(entry, _)| entry.points[0])
            .collect_into_vec(&mut answers.next),
        _ => (),
    }
    let list = |position: &u32| {
        let (entry, chunk) = entry(position);
        let range = entry.corridor.start as usize..entry.corridor.end as usize;
        &chunk.corridors[range]
    };
    if matches!(want, Want::Corridor | Want::Waypoints) {
        collect_lists(positions, list, PolygonId(0), &mut answers.corridors);
    }
    let list = |position: &u32| {
        let (entry, chunk) = entry(position);
        let range = entry.waypoints.start as usize..entry.waypoints.end as usize;
        &chunk.waypoints[range]
    };
    if want == Want::Waypoints {
        collect_lists(positions, list, Vec3::ZERO, &mut answers.waypoints);
    }
}

/// Joins the lists of all queries, in parallel.
fn collect_lists<'a, T: Copy + Send + Sync + 'a>(
    positions: &[u32],
    list: impl Fn(&u32) -> &'a [T] + Sync,
    zero: T,
    lists: &mut FlatLists<T>,
) {
    let FlatLists { offsets, values } = lists;
    offsets.clear();
    offsets.push(0);
    let mut end = 0;
    offsets.extend(positions.iter().map(|position| {
        end += list(position).len() as i64;
        end
    }));
    values.clear();
    values.resize(end as usize, zero);
    let mut rest = &mut values[..];
    let mut parts = Vec::with_capacity(positions.len().div_ceil(MAX_CHUNK));
    for (chunk, positions) in positions.chunks(MAX_CHUNK).enumerate() {
        let first = chunk * MAX_CHUNK;
        let length = offsets[first + positions.len()] - offsets[first];
        let (part, after) = rest.split_at_mut(length as usize);
        parts.push((positions, part));
        rest = after;
    }
    parts.into_par_iter().for_each(|(positions, mut part)| {
        for position in positions {
            let values = list(position);
            let (own, after) = part.split_at_mut(values.len());
            own.copy_from_slice(values);
            part = after;
        }
    });
}
