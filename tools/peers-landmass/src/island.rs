//! A landmass archipelago with a single island.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use landmass::{
    Archipelago, ArchipelagoOptions, CoordinateSystem, FromAgentRadius, HeightNavigationMesh,
    HeightPolygon, Island, IslandId, NavigationMesh, PathStep, PermittedAnimationLinks,
    PointSampleDistance3d, Transform, ValidNavigationMesh, ValidationError, Vec3,
};

/// The maximum distances between a query point and the mesh, which are the same for all peers. [Units: m]
const SNAP: PointSampleDistance3d = PointSampleDistance3d {
    horizontal_distance: 0.5,
    distance_above: 2.0,
    distance_below: 2.0,
    vertical_preference_ratio: 1.0,
    animation_link_max_vertical_distance: 0.5,
};

/// A navmesh as it is read from the pipe.
#[derive(Debug, Default)]
pub(crate) struct Mesh {
    pub(crate) vertices: Vec<Vec3>,
    pub(crate) polygons: Vec<Vec<usize>>,
    /// The type of each polygon, on which its cost depends.
    pub(crate) types: Vec<usize>,
    /// One surface per polygon, or none at all.
    pub(crate) surfaces: Vec<Surface>,
}

/// The surface of a polygon: triangles over points, counter-clockwise in (x, z).
#[derive(Debug, Default)]
pub(crate) struct Surface {
    pub(crate) points: Vec<Vec3>,
    pub(crate) triangles: Vec<[u8; 3]>,
}

impl Mesh {
    /// Returns the surfaces for landmass, without triangles whose orientation rounding has reversed, because landmass
    /// rejects them.
    fn heights(&self) -> Option<HeightNavigationMesh<YUp>> {
        let mut heights = HeightNavigationMesh {
            polygons: Vec::new(),
            vertices: Vec::new(),
            triangles: Vec::new(),
        };
        for Surface { points, triangles } in &self.surfaces {
            let (first, first_triangle) = (heights.vertices.len(), heights.triangles.len());
            let is_upward = |triangle: &&[u8; 3]| {
                let corners = triangle.map(|corner| points.get(usize::from(corner)));
                let [Some(a), Some(b), Some(c)] = corners else {
                    return false;
                };
                let (ab, ac) = (*b - *a, *c - *a);
                ab.x * ac.z - ab.z * ac.x > 0.0
            };
            heights.vertices.extend(points);
            heights.triangles.extend(triangles.iter().filter(is_upward));
            heights.polygons.push(HeightPolygon {
                base_vertex_index: first as u32,
                vertex_count: points.len() as u32,
                base_triangle_index: first_triangle as u32,
                triangle_count: (heights.triangles.len() - first_triangle) as u32,
            });
        }
        (!self.surfaces.is_empty()).then_some(heights)
    }
}

/// Portolan's coordinate system, with y up. Landmass has z up.
struct YUp;

impl CoordinateSystem for YUp {
    type Coordinate = Vec3;
    type SampleDistance = PointSampleDistance3d;

    /// Landmass expects polygons that are counter-clockwise in its (x, y). Ours are counter-clockwise in (x, z), so they
    /// are not flipped.
    const FLIP_POLYGONS: bool = false;

    fn to_landmass(point: &Vec3) -> Vec3 {
        Vec3::new(point.x, point.z, point.y)
    }

    fn from_landmass(point: &Vec3) -> Vec3 {
        Vec3::new(point.x, point.z, point.y)
    }
}

/// An archipelago with one island.
pub(crate) struct SingleIsland {
    archipelago: Archipelago<YUp>,
    island: IslandId,
    /// The navmesh at the start.
    first: Arc<ValidNavigationMesh<YUp>>,
    costs: HashMap<usize, f32>,
    pub(crate) build_ms: f64,
}

/// The answer to a query. Times are in nanoseconds.
pub(crate) struct LandmassAnswer {
    pub(crate) status: &'static str,
    pub(crate) locate: u128,
    /// The time of the search, string pulling included: landmass has one call for both.
    pub(crate) corridor: u128,
    pub(crate) waypoints: Vec<Vec3>,
}

/// Checks a navmesh. Leaves out polygons that landmass rejects, mostly those without area. Returns when the last attempt has
/// started.
fn checked(mesh: &mut Mesh) -> Result<(ValidNavigationMesh<YUp>, Instant), ValidationError> {
    loop {
        let height_mesh = mesh.heights();
        let start = Instant::now();
        let checked = NavigationMesh::<YUp> {
            vertices: mesh.vertices.clone(),
            polygons: mesh.polygons.clone(),
            polygon_type_indices: mesh.types.clone(),
            height_mesh,
        }
        .validate();
        match checked {
            Ok(checked) => return Ok((checked, start)),
            Err(
                ValidationError::ConcavePolygon(polygon)
                | ValidationError::DegenerateEdgeInPolygon(polygon),
            ) => {
                mesh.polygons.swap_remove(polygon);
                mesh.types.swap_remove(polygon);
                if !mesh.surfaces.is_empty() {
                    mesh.surfaces.swap_remove(polygon);
                }
            }
            Err(problem) => return Err(problem),
        }
    }
}

impl SingleIsland {
    /// Builds the island. Returns the number of polygons that landmass rejects too.
    pub(crate) fn build(mut mesh: Mesh) -> Result<(Self, usize), ValidationError> {
        let all = mesh.polygons.len();
        let (checked, start) = checked(&mut mesh)?;
        let first = Arc::new(checked);
        let mut archipelago = Archipelago::new(ArchipelagoOptions::from_agent_radius(0.5));
        let transform = Transform {
            translation: Vec3::ZERO,
            rotation: 0.0,
        };
        let island = archipelago.add_island(Island::new(transform, Arc::clone(&first)));
        archipelago.update(0.0);
        let island = Self {
            archipelago,
            island,
            first,
            costs: HashMap::new(),
            build_ms: start.elapsed().as_secs_f64() * 1e3,
        };
        Ok((island, all - mesh.polygons.len()))
    }

    /// Sets the cost of a polygon's type. Nobody enters a polygon with an infinite cost.
    pub(crate) fn set_cost(&mut self, polygon: usize, cost: f32) -> Result<Duration, String> {
        let start = Instant::now();
        let set = self.archipelago.set_type_index_cost(polygon + 1, cost);
        let time = start.elapsed();
        set.map(|()| time).map_err(|problem| problem.to_string())
    }

    /// Replaces the navmesh. The time is that of checking and adopting it.
    pub(crate) fn replace(&mut self, mut mesh: Mesh) -> Result<Duration, String> {
        let (checked, start) = checked(&mut mesh).map_err(|problem| problem.to_string())?;
        self.adopt(Arc::new(checked))?;
        Ok(start.elapsed())
    }

    /// Goes back to the navmesh at the start, which is checked already.
    pub(crate) fn restore(&mut self) -> Result<Duration, String> {
        let start = Instant::now();
        self.adopt(Arc::clone(&self.first))?;
        Ok(start.elapsed())
    }

    fn adopt(&mut self, mesh: Arc<ValidNavigationMesh<YUp>>) -> Result<(), String> {
        let island = self.archipelago.get_island_mut(self.island);
        island.ok_or("the island is gone")?.set_nav_mesh(mesh);
        self.archipelago.update(0.0);
        Ok(())
    }

    /// Finds a path and measures the steps.
    pub(crate) fn query(&self, from: Vec3, to: Vec3) -> LandmassAnswer {
        let mut answer = LandmassAnswer {
            status: "off_mesh",
            locate: 0,
            corridor: 0,
            waypoints: Vec::new(),
        };
        let start = Instant::now();
        let ends = [from, to].map(|point| self.archipelago.sample_point(point, &SNAP));
        let located = Instant::now();
        answer.locate = (located - start).as_nanos();
        let [Ok(from), Ok(to)] = ends else {
            return answer;
        };
        let links = PermittedAnimationLinks::default();
        let steps = self.archipelago.find_path(&from, &to, &self.costs, links);
        answer.corridor = located.elapsed().as_nanos();
        answer.status = if steps.is_ok() { "found" } else { "no_path" };
        // The navmesh has no links, so all steps are waypoints.
        let waypoint = |step| match step {
            PathStep::Waypoint(point) => Some(point),
            PathStep::AnimationLink { .. } => None,
        };
        let steps = steps.unwrap_or_default().into_iter();
        answer.waypoints.extend(steps.filter_map(waypoint));
        answer
    }
}
