//! Comparison of exact paths with those of a slow reference search, and with the paths of all other rows.
//!
//! The reference is the search over intervals in `tools/oracle`. It computes in `f64`, shares no code with the exact tier,
//! and finds the shortest any-angle path in the (x, z) plane.

use std::collections::HashMap;

use glam::{DVec2, Vec3};
use portolan_core::{Endpoints, Location, NavMesh, Path, PolygonId, Query, Scratch, Status, World};
use portolan_oracle::IntervalSearch;
use portolan_scenes::Random;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::check::endpoint_offset;
use crate::peer::{PeerAnswer, PeerStatus};
use crate::portolan::{EXACT, EngineRow, IndexedWorlds};
use crate::walk::{self, in_plan, length_in_plan};

/// The largest relative difference between the length of an exact path and the reference.
pub(crate) const MAX_DIFFERENCE: f64 = 1e-5;

/// The fraction by which an exact path may be longer than a path of another row, because lengths are rounded.
pub(crate) const MAX_FRACTION_LONGER: f64 = 1e-6;

/// Differences of lengths are relative to at least this length. [Units: m]
const MIN_LENGTH: f64 = 0.01;

/// The seed of the points on borders and vertices.
const BORDER_SEED: u64 = 19;

/// The number of faults that are listed per comparison.
const MAX_EXAMPLES: usize = 3;

/// How exact the exact tier is on a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Exactness {
    /// The queries of the map.
    pub(crate) queries: OracleComparison,
    /// Queries between points on borders and vertices, and some centroids.
    pub(crate) borders: OracleComparison,
    /// The largest fraction by which a path of `auto:exact` is longer than that of another row, whose bends are moved to
    /// the nearest vertices.
    pub(crate) longer: LongerPath,
    /// The same for the paths as the rows return them. `polyanya` searches a navmesh whose vertices are moved by some
    /// millimetres, so its paths can be shorter than any path on the real navmesh.
    pub(crate) longer_as_returned: LongerPath,
}

/// The comparison of exact paths with the reference, in both directions of each query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct OracleComparison {
    /// The number of queries. Each is answered in both directions by all exact rows.
    pub(crate) queries: usize,
    /// The number of queries without an exact path although there is a path, or with one although there is none.
    pub(crate) lost: usize,
    /// The number of exact paths that leave their corridor.
    pub(crate) invalid: usize,
    /// The largest relative difference of the lengths.
    pub(crate) max_difference: f64,
    /// The number of answers that are lost, invalid or of another length.
    pub(crate) wrong: usize,
    /// Descriptions of some wrong answers.
    pub(crate) examples: Vec<String>,
}

/// The path of another row that is shorter than that of `auto:exact` by the largest fraction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LongerPath {
    /// By which fraction the exact path is longer. It is 0 if no path is shorter.
    pub(crate) fraction: f64,
    /// The same difference. [Units: m]
    pub(crate) metres: f64,
    /// The row of the shorter path.
    pub(crate) row: String,
    /// The number of the query.
    pub(crate) query: usize,
    /// The number of queries in which a row has a path that is shorter than rounding explains.
    pub(crate) queries: usize,
}

impl LongerPath {
    /// Keeps the larger of the known fraction and that of another path. Returns whether the other path is shorter than
    /// rounding explains.
    fn add(&mut self, row: &str, query: usize, length: f64, other: f64) -> bool {
        let fraction = (length - other) / other.max(MIN_LENGTH);
        if fraction > self.fraction {
            (self.fraction, self.metres) = (fraction, length - other);
            (self.row, self.query) = (row.to_owned(), query);
        }
        fraction > MAX_FRACTION_LONGER
    }
}

/// Compares exact paths with the reference on the queries of a map and on this number of pairs of points on borders.
/// `rows` are the names and the answers of all rows.
///
/// Returns `None` on a navmesh with links, which the reference does not use.
pub(crate) fn measure<'a>(
    indexed: &IndexedWorlds,
    queries: &[[Vec3; 2]],
    border_pairs: usize,
    rows: impl Iterator<Item = (&'a str, &'a [PeerAnswer])>,
) -> Option<Exactness> {
    let mesh = indexed.world.mesh();
    if !mesh.links().is_empty() {
        return None;
    }
    let located: Vec<Option<Endpoints>> = queries
        .iter()
        .map(|&[from, to]| locate(&indexed.world, from, to))
        .collect();
    let on_mesh: Vec<(usize, Endpoints)> = numbered(&located).collect();
    let pairs = draw_border_pairs(&indexed.world, border_pairs);
    let pairs_on_mesh: Vec<(usize, Endpoints)> = numbered(&pairs).collect();
    let exact_rows = exact_rows(indexed);
    let compare = |queries: &[(usize, Endpoints)]| {
        compare_with_reference(&indexed.world, &exact_rows, queries)
    };
    let mut borders = compare(&pairs_on_mesh);
    // All points are on the mesh, so all of them must be located.
    let off_mesh = pairs.len() - pairs_on_mesh.len();
    borders.lost += off_mesh;
    borders.wrong += off_mesh;
    let rows: Vec<(&str, &[PeerAnswer])> = rows.collect();
    let bends = BendPoints::new(mesh);
    Some(Exactness {
        queries: compare(&on_mesh),
        borders,
        longer: longest_over_rows(&located, &rows, |path| bends.length(path)),
        longer_as_returned: longest_over_rows(&located, &rows, length_in_plan),
    })
}

fn numbered(located: &[Option<Endpoints>]) -> impl Iterator<Item = (usize, Endpoints)> {
    let numbered = located.iter().enumerate();
    numbered.filter_map(|(i, ends)| Some((i, (*ends)?)))
}

fn locate(world: &World, from: Vec3, to: Vec3) -> Option<Endpoints> {
    let located = world.locate(&Query::new(from, to)).ok()?;
    located.endpoints().ok()
}

/// Returns the rows that must find exact paths: `auto:exact` without and with a corridor, and `auto` if it is exact.
fn exact_rows(indexed: &IndexedWorlds) -> Vec<ExactRow<'_>> {
    let is_exact = |row: &EngineRow<'_>| row.world.resolve_engine(row.engine) == EXACT;
    let numbers = |world: &World| {
        let of_user_id: HashMap<u64, PolygonId> = world
            .mesh()
            .polygons()
            .map(|polygon| (world.mesh().user_id(polygon), polygon))
            .collect();
        let mesh = indexed.world.mesh();
        let polygons = mesh.polygons();
        polygons
            .map(|polygon| of_user_id[&mesh.user_id(polygon)])
            .collect()
    };
    let rows = indexed.engine_rows().filter(is_exact);
    rows.map(|row| ExactRow {
        polygons: numbers(row.world),
        row,
    })
    .collect()
}

/// A row that must find exact paths.
struct ExactRow<'a> {
    row: EngineRow<'a>,
    /// The id in the world of the row, per polygon of the world with all tiers. Ids differ between indexes.
    polygons: Vec<PolygonId>,
}

impl ExactRow<'_> {
    /// Returns the length of the path, or `None` if there is none, and what is wrong with the path.
    fn find(
        &self,
        ends: [Location; 2],
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> (Option<f64>, Option<String>) {
        let [start, goal] = ends.map(|end| Location {
            polygon: self.polygons[end.polygon.index()],
            ..end
        });
        let EngineRow {
            world,
            engine,
            corridor,
            ..
        } = self.row;
        let query = Query {
            engine,
            ground_tolerance: f32::INFINITY,
            corridor,
            ..Query::new(start.point, goal.point)
        };
        let located = world.located(&query, Endpoints { start, goal });
        path.clear();
        let status = located
            .expect("an engine of this world")
            .search(scratch)
            .waypoints(path);
        if status != Status::Found {
            return (None, None);
        }
        let fault = match corridor {
            true => walk::fault_of(world.mesh(), path),
            false => None,
        };
        (Some(length_in_plan(&path.waypoints)), fault)
    }
}

/// Compares the paths of some rows with the reference, on all cores. `world` is the world of the endpoints.
fn compare_with_reference(
    world: &World,
    rows: &[ExactRow<'_>],
    queries: &[(usize, Endpoints)],
) -> OracleComparison {
    let mesh = world.mesh();
    let prices = world.default_costs().prices();
    let chunk = queries.len().div_ceil(rayon::current_num_threads()).max(1);
    let parts = queries.par_chunks(chunk).map(|queries| {
        let mut search = IntervalSearch::new(mesh, |polygon| prices.allows(mesh, polygon));
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let mut comparison = OracleComparison::default();
        for &(number, Endpoints { start, goal }) in queries {
            let components = mesh.components();
            let has_path = components.of(start.polygon) == components.of(goal.polygon);
            // The slow search runs once: without links, a path is as long in both directions. It takes longest if there
            // is no path, which the components tell.
            let reference = match has_path {
                true => search.length(start, goal),
                false => f64::INFINITY,
            };
            for (ends, direction) in [([start, goal], "forwards"), ([goal, start], "backwards")] {
                for row in rows {
                    let (length, fault) = row.find(ends, &mut scratch, &mut path);
                    let name = || format!("query {number} {direction}: {}", row.row.name);
                    comparison.add(length, reference, has_path, fault, name);
                }
            }
            comparison.queries += 1;
        }
        comparison
    });
    parts.reduce(OracleComparison::default, OracleComparison::merged)
}

impl OracleComparison {
    /// Adds a path of this length to the comparison. `has_path` says whether start and goal are in the same component.
    fn add(
        &mut self,
        length: Option<f64>,
        reference: f64,
        has_path: bool,
        fault: Option<String>,
        name: impl Fn() -> String,
    ) {
        let is_lost = length.is_some() != has_path || reference.is_finite() != has_path;
        let difference = match length {
            Some(length) if !is_lost => relative_difference(length, reference),
            _ => 0.0,
        };
        self.lost += usize::from(is_lost);
        self.invalid += usize::from(fault.is_some());
        self.max_difference = self.max_difference.max(difference);
        let is_wrong = is_lost || difference > MAX_DIFFERENCE || fault.is_some();
        self.wrong += usize::from(is_wrong);
        if is_wrong && self.examples.len() < MAX_EXAMPLES {
            let fault = fault.map_or_else(String::new, |fault| format!(" ({fault})"));
            self.examples.push(format!(
                "{} {length:?} instead of {reference}{fault}",
                name()
            ));
        }
    }

    fn merged(mut self, other: Self) -> Self {
        self.queries += other.queries;
        self.lost += other.lost;
        self.invalid += other.invalid;
        self.wrong += other.wrong;
        self.max_difference = self.max_difference.max(other.max_difference);
        self.examples.extend(other.examples);
        self.examples.truncate(MAX_EXAMPLES);
        self
    }

    /// Returns whether no path is lost, invalid or of another length than the reference.
    pub(crate) fn is_exact(&self) -> bool {
        self.wrong == 0
    }
}

/// Returns the difference of a length from the reference as a fraction of the reference. It is huge if one of them is not
/// a number, and never infinite, which JSON has no number for.
fn relative_difference(length: f64, reference: f64) -> f64 {
    let difference = (length - reference).abs() / reference.max(MIN_LENGTH);
    if difference.is_nan() {
        return f64::MAX;
    }
    difference
}

/// Compares the lengths of the row `auto:exact` with those of all other rows. `length_of` measures the waypoints of other
/// rows.
fn longest_over_rows(
    located: &[Option<Endpoints>],
    rows: &[(&str, &[PeerAnswer])],
    length_of: impl Fn(&[Vec3]) -> f64,
) -> LongerPath {
    let exact_name = EXACT.to_string();
    let exact = rows.iter().find(|(name, _)| *name == exact_name);
    let (_, exact) = exact.expect("a row of the exact tier");
    let mut longest = LongerPath::default();
    for (query, ends) in numbered(located) {
        if exact[query].status != PeerStatus::Found {
            continue;
        }
        let length = exact[query].length_xz();
        let mut is_longer = false;
        for (row, answers) in rows {
            let answer = &answers[query];
            if answer.status == PeerStatus::Found {
                // A path between other points may be shorter by the distance to these.
                let other = length_of(&answer.waypoints) + endpoint_offset(answer, &ends);
                is_longer |= longest.add(row, query, length, other);
            }
        }
        longest.queries += usize::from(is_longer);
    }
    longest
}

/// The points at which paths may bend: the vertices of a navmesh and the ends of its portals.
///
/// The paths of `polyanya` bend beside them, because vertices with the same (x, z) are moved apart for it. Such a path is
/// not valid, and can be shorter than a valid one.
struct BendPoints {
    /// The points per cell of a grid.
    cells: HashMap<[i64; 2], Vec<DVec2>>,
}

/// The size of a cell, and the distance within which a bend belongs to a point. [Units: m]
const BEND_DISTANCE: f64 = 3e-3;

impl BendPoints {
    fn new(mesh: &NavMesh) -> Self {
        let portals = mesh.portals().iter();
        let ends = portals.flat_map(|portal| [portal.right, portal.left]);
        let mut cells: HashMap<[i64; 2], Vec<DVec2>> = HashMap::new();
        for point in mesh.vertices().iter().copied().chain(ends).map(in_plan) {
            let points = cells.entry(Self::cell(point)).or_default();
            if !points.contains(&point) {
                points.push(point);
            }
        }
        Self { cells }
    }

    fn cell(point: DVec2) -> [i64; 2] {
        (point / BEND_DISTANCE)
            .floor()
            .to_array()
            .map(|number| number as i64)
    }

    /// Returns the nearest point to a bend, or the bend itself if none is near.
    fn nearest(&self, bend: DVec2) -> DVec2 {
        let [x, z] = Self::cell(bend);
        let near = (x - 1..=x + 1).flat_map(|x| (z - 1..=z + 1).map(move |z| [x, z]));
        let points = near.filter_map(|cell| self.cells.get(&cell)).flatten();
        points
            .copied()
            .filter(|point| point.distance(bend) <= BEND_DISTANCE)
            .min_by(|a, b| a.distance(bend).total_cmp(&b.distance(bend)))
            .unwrap_or(bend)
    }

    /// Returns the length of a path in the (x, z) plane with its bends moved to the nearest points. [Units: m]
    fn length(&self, waypoints: &[Vec3]) -> f64 {
        let last = waypoints.len().saturating_sub(1);
        let points: Vec<DVec2> = waypoints
            .iter()
            .enumerate()
            .map(|(i, &point)| match i {
                0 => in_plan(point),
                i if i == last => in_plan(point),
                _ => self.nearest(in_plan(point)),
            })
            .collect();
        points.windows(2).map(|leg| leg[0].distance(leg[1])).sum()
    }
}

/// Draws pairs of points on vertices and borders of polygons, on ends and midpoints of portals, and of centroids. Every
/// second pair is in the polygons that it was drawn from, and the others in those that the world locates, if it does.
fn draw_border_pairs(world: &World, count: usize) -> Vec<Option<Endpoints>> {
    let mesh = world.mesh();
    let mut random = Random::new(BORDER_SEED);
    let pair = |number: usize| {
        let [start, goal] = [(); 2].map(|()| border_point(mesh, &mut random));
        match number % 2 {
            0 => Some(Endpoints { start, goal }),
            _ => locate(world, start.point, goal.point),
        }
    };
    (0..count).map(pair).collect()
}

/// Draws a point that is hard for geometry: most lie exactly on a vertex or on a border.
fn border_point(mesh: &NavMesh, random: &mut Random) -> Location {
    let polygon = PolygonId::new(random.below(mesh.polygon_count() as u32) as usize);
    let corners: Vec<Vec3> = mesh.corner_points(polygon).collect();
    let corner = random.below(corners.len() as u32) as usize;
    let [a, b] = [corners[corner], corners[(corner + 1) % corners.len()]];
    let portals = mesh.portals_of(polygon);
    let point = match random.below(6) {
        0 => a,
        1 => a.midpoint(b),
        2 => a.lerp(b, random.unit()),
        3 if !portals.is_empty() => mesh.portal(random.pick(portals)).right,
        4 if !portals.is_empty() => mesh.portal(random.pick(portals)).midpoint(),
        _ => corners.iter().sum::<Vec3>() / corners.len() as f32,
    };
    // A point that is computed in `f32` may be slightly outside.
    Location {
        polygon,
        point: mesh.nearest_on(polygon, point),
    }
}

#[cfg(test)]
#[path = "exactness_test.rs"]
mod tests;
