//! Random points on a navmesh, for queries.

use glam::Vec3;
use oorandom::Rand64;

use portolan_core::PolygonId;
use portolan_core::navmesh::NavMesh;

/// An endless sequence of random points, evenly distributed over the largest component of a navmesh. The
/// same seed gives the same points.
///
/// ```
/// use portolan_core::{NavMesh, NavMeshOptions};
/// use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let mesh = NavMesh::build(raw, &NavMeshOptions::default())?;
/// let mut points = RandomPoints::new(&mesh, 7);
/// let (start, goal) = (points.next(), points.next());
/// assert!(start.is_some() && start != goal);
/// # Ok::<(), portolan_core::NavMeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RandomPoints<'a> {
    mesh: &'a NavMesh,
    polygons: Vec<PolygonId>,
    /// Per polygon, the total area of all polygons up to and including it, in square metres.
    cumulative_areas: Vec<f64>,
    /// A generator with 53 random bits per number. The 24 bits of [`Random`](crate::Random) would leave
    /// gaps on a large mesh.
    random: Rand64,
}

impl<'a> RandomPoints<'a> {
    /// Creates a sequence of points on the largest component of `mesh`.
    pub fn new(mesh: &'a NavMesh, seed: u64) -> Self {
        let components = mesh.components();
        let largest = components.largest();
        let polygons: Vec<PolygonId> = mesh
            .polygons()
            .filter(|&polygon| components.of(polygon) == largest)
            .collect();
        let mut sum = 0.0;
        let cumulative_areas = polygons.iter().map(|&polygon| {
            sum += mesh.polygon_area(polygon);
            sum
        });
        let cumulative_areas = cumulative_areas.collect();
        Self {
            mesh,
            polygons,
            cumulative_areas,
            random: Rand64::new(u128::from(seed)),
        }
    }
}

impl Iterator for RandomPoints<'_> {
    type Item = Vec3;

    fn next(&mut self) -> Option<Vec3> {
        let total = *self.cumulative_areas.last()?;
        let target = self.random.rand_float() * total;
        let index = self
            .cumulative_areas
            .partition_point(|&sum| sum <= target)
            .min(self.polygons.len() - 1);
        let polygon = self.polygons[index];
        // The remaining area selects a triangle of the polygon's fan.
        let before = if index == 0 {
            0.0
        } else {
            self.cumulative_areas[index - 1]
        };
        let mut remaining = target - before;
        let corners: Vec<Vec3> = self.mesh.corner_points(polygon).collect();
        let mut triangle = [corners[0], corners[1], corners[2]];
        for pair in corners[1..].windows(2) {
            triangle = [corners[0], pair[0], pair[1]];
            let area =
                portolan_core::geometry::orientation(triangle[0], triangle[1], triangle[2]) / 2.0;
            if remaining < area {
                break;
            }
            remaining -= area;
        }
        let (u, v) = (self.random.rand_float(), self.random.rand_float());
        let (u, v) = if u + v > 1.0 {
            (1.0 - u, 1.0 - v)
        } else {
            (u, v)
        };
        let [a, b, c] = triangle.map(Vec3::as_dvec3);
        let point = (a + (b - a) * u + (c - a) * v).as_vec3();
        Some(self.mesh.nearest_on(polygon, point))
    }
}
