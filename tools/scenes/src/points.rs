//! Random positions on a mesh, for queries.

use glam::Vec3;
use oorandom::Rand64;

use portolan_core::PolygonId;
use portolan_core::navmesh::NavMesh;

/// An endless sequence of points spread evenly over the ground of one component, the same for the same
/// seed.
#[derive(Clone, Debug)]
pub struct RandomPoints<'a> {
    mesh: &'a NavMesh,
    polygons: Vec<PolygonId>,
    /// The ground up to and with each polygon, in square metres.
    ground: Vec<f64>,
    /// 53 random bits a number: the 24 bits of [`Random`](crate::Random) would leave gaps on a large
    /// mesh.
    random: Rand64,
}

impl<'a> RandomPoints<'a> {
    /// Points in the largest component.
    pub fn new(mesh: &'a NavMesh, seed: u64) -> Self {
        let components = mesh.components();
        let largest = components.largest();
        let polygons: Vec<PolygonId> = mesh
            .polygons()
            .filter(|&polygon| components.of(polygon) == largest)
            .collect();
        let mut sum = 0.0;
        let ground = polygons.iter().map(|&polygon| {
            sum += mesh.polygon_area(polygon);
            sum
        });
        let ground = ground.collect();
        Self {
            mesh,
            polygons,
            ground,
            random: Rand64::new(u128::from(seed)),
        }
    }
}

impl Iterator for RandomPoints<'_> {
    type Item = Vec3;

    fn next(&mut self) -> Option<Vec3> {
        let whole = *self.ground.last()?;
        let at = self.random.rand_float() * whole;
        let index = self
            .ground
            .partition_point(|&sum| sum <= at)
            .min(self.polygons.len() - 1);
        let polygon = self.polygons[index];
        // How far into the polygon's own ground, and so into which triangle of its fan.
        let before = if index == 0 {
            0.0
        } else {
            self.ground[index - 1]
        };
        let mut left = at - before;
        let corners: Vec<Vec3> = self.mesh.corner_points(polygon).collect();
        let mut triangle = [corners[0], corners[1], corners[2]];
        for pair in corners[1..].windows(2) {
            triangle = [corners[0], pair[0], pair[1]];
            let area =
                portolan_core::geometry::orientation(triangle[0], triangle[1], triangle[2]) / 2.0;
            if left < area {
                break;
            }
            left -= area;
        }
        let (u, v) = (self.random.rand_float(), self.random.rand_float());
        let (u, v) = if u + v > 1.0 {
            (1.0 - u, 1.0 - v)
        } else {
            (u, v)
        };
        let [a, b, c] = triangle.map(Vec3::as_dvec3);
        let place = (a + (b - a) * u + (c - a) * v).as_vec3();
        Some(self.mesh.nearest_on(polygon, place))
    }
}
