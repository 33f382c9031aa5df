//! Compares the path lengths of HNA* with those of the papers' A*, with the published costs and with
//! Portolan's.

use portolan_core::{CostModel, Engine, Level, NavMesh, Path, Scratch};
use portolan_measure::{distant_queries, mean, thousandths};

use super::{EXAMPLE_MU, IndexSettings, SceneBench};
use crate::ReportError;
use crate::measure::LocatedQueries;
use crate::model::{ExampleCell, ExamplePath, LengthsCell, LengthsCells};

/// The highest level whose path lengths are compared.
const TOP: u32 = 3;

/// The cost models and their names in the report.
pub(crate) const MODELS: [(&str, CostModel); 2] = [
    ("published", CostModel::Published),
    ("portals", CostModel::Portals),
];

/// Returns HNA* at a level. The connecting method does not change the cost of its paths.
fn hna(level: Level) -> Engine {
    Engine::Hna {
        level: Some(level),
        connect: None,
    }
}

impl SceneBench<'_> {
    pub(super) fn lengths(&self, mu: u32) -> Result<LengthsCells, ReportError> {
        // These are not the timed queries: there are more of them, from another seed.
        let effort = self.effort;
        let queries = distant_queries(&self.loaded.mesh, effort.length_queries, effort.seed + 1);
        let index = IndexSettings::new(mu, TOP).without_tables();
        let mut scratch = Scratch::new();
        let world = self.world(index)?;
        let located = LocatedQueries::new(&world, &queries);
        let numbers = 0..located.endpoints.len();
        let closest: Vec<f64> = numbers
            .clone()
            .map(|i| located.path(i, Engine::Closest, &mut scratch).length())
            .collect();
        let mut cells = Vec::new();
        for (name, model) in MODELS {
            let world = self.world(IndexSettings { model, ..index })?;
            let located = LocatedQueries::new(&world, &queries);
            let mut lengths = |engine| -> Vec<f64> {
                let path = |i| located.path(i, engine, &mut scratch).length();
                numbers.clone().map(path).collect()
            };
            let astar = lengths(Engine::AStar);
            let partition = world.hierarchy().map(|h| h.partition());
            for level in partition.into_iter().flat_map(|p| p.levels()) {
                let hna = lengths(hna(level));
                let errors: Vec<f64> = closest
                    .iter()
                    .zip(&hna)
                    .filter(|(reference, _)| **reference > 0.0)
                    .map(|(reference, length)| 100.0 * (length / reference - 1.0))
                    .collect();
                let same = |&(a, h): &(&f64, &f64)| (h - a).abs() <= 1e-4 * a;
                cells.push(LengthsCell {
                    scene: self.scene(),
                    mu,
                    level: level.0,
                    model: name.to_owned(),
                    mean_percent: thousandths(mean(errors.iter().copied())),
                    max_percent: thousandths(errors.iter().copied().fold(f64::MIN, f64::max)),
                    min_percent: thousandths(errors.iter().copied().fold(f64::MAX, f64::min)),
                    queries: errors.len(),
                    same_as_astar: astar.iter().zip(&hna).filter(same).count(),
                    points: closest
                        .iter()
                        .zip(&hna)
                        .map(|(&a, &b)| [thousandths(a), thousandths(b)])
                        .collect(),
                });
            }
        }
        Ok(LengthsCells { cells })
    }

    /// Finds the query for which the published costs have the largest error, and returns its paths.
    pub(super) fn example(&self) -> Result<ExampleCell, ReportError> {
        let effort = self.effort;
        let queries = distant_queries(&self.loaded.mesh, effort.length_queries, effort.seed + 1);
        let index = IndexSettings::new(EXAMPLE_MU, TOP).without_tables();
        let portals = self.world(index)?;
        let model = CostModel::Published;
        let published = self.world(IndexSettings { model, ..index })?;
        let (portals, published) = (
            LocatedQueries::new(&portals, &queries),
            LocatedQueries::new(&published, &queries),
        );
        let mut scratch = Scratch::new();
        let top = published.world.hierarchy().map_or(Level(0), |h| h.top());
        let mut error = |i: usize| {
            let reference = portals.path(i, Engine::Closest, &mut scratch).length();
            published.path(i, hna(top), &mut scratch).length() / reference.max(1.0)
        };
        let worst = (0..portals.endpoints.len())
            .map(|i| (error(i), i))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(0, |(_, i)| i);
        let mut paths = vec![rounded_path(
            "A*, closest points",
            &portals.path(worst, Engine::Closest, &mut scratch),
        )];
        for level in (1..=top.0).map(Level) {
            let path = published.path(worst, hna(level), &mut scratch);
            paths.push(rounded_path(
                &format!("HNA* L{level}, published costs"),
                &path,
            ));
        }
        let path = portals.path(worst, hna(top), &mut scratch);
        paths.push(rounded_path(
            &format!("HNA* L{top}, costs over portals"),
            &path,
        ));
        Ok(ExampleCell {
            scene: self.scene(),
            mu: EXAMPLE_MU,
            walls: walls(&self.loaded.mesh, &paths),
            paths,
        })
    }
}

/// Rounds the waypoints of a path to tenths of a metre.
fn rounded_path(name: &str, path: &Path) -> ExamplePath {
    let tenth = |value: f32| (value * 10.0).round() / 10.0;
    let mut waypoints: Vec<[f32; 2]> = Vec::new();
    for point in &path.waypoints {
        let rounded = [tenth(point.x), tenth(point.z)];
        if waypoints.last() != Some(&rounded) {
            waypoints.push(rounded);
        }
    }
    ExamplePath {
        name: name.to_owned(),
        length: thousandths(path.length()),
        waypoints,
    }
}

/// Returns the polygon borders without a portal that are near the paths, in the largest component.
fn walls(mesh: &NavMesh, paths: &[ExamplePath]) -> Vec<[f32; 4]> {
    let points = || paths.iter().flat_map(|path| &path.waypoints);
    let min = |axis: usize| points().map(|p| p[axis]).fold(f32::MAX, f32::min);
    let max = |axis: usize| points().map(|p| p[axis]).fold(f32::MIN, f32::max);
    let margin = 0.05 * (max(0) - min(0)).max(max(1) - min(1)) + 2.0;
    let within = |point: glam::Vec3| {
        (min(0) - margin..=max(0) + margin).contains(&point.x)
            && (min(1) - margin..=max(1) + margin).contains(&point.z)
    };
    let mut open = std::collections::HashSet::new();
    let key = |a: glam::Vec3, b: glam::Vec3| {
        let bits = |p: glam::Vec3| [p.x.to_bits(), p.y.to_bits(), p.z.to_bits()];
        let (a, b) = (bits(a), bits(b));
        if a < b { (a, b) } else { (b, a) }
    };
    for portal in mesh.portals() {
        open.insert(key(portal.left, portal.right));
    }
    let components = mesh.components();
    let largest = components.largest();
    let mut walls = Vec::new();
    for polygon in mesh.polygons().filter(|&p| components.of(p) == largest) {
        for [a, b] in mesh.borders(polygon) {
            if !open.contains(&key(a, b)) && within(a) && within(b) {
                let tenth = |value: f32| (value * 10.0).round() / 10.0;
                walls.push([tenth(a.x), tenth(a.z), tenth(b.x), tenth(b.z)]);
            }
        }
    }
    walls
}
