//! `polyanya`, which finds shortest any-angle paths in the (x, z) plane (Cui, Harabor, Grastien 2017).
//!
//! The library identifies vertices by (x, z), so it confuses vertices of floors above one another. Vertices with the
//! same (x, z) are therefore moved apart by a millimetre each.

use std::collections::HashMap;
use std::rc::Rc;

use glam::{DVec2, Vec2, Vec3, Vec3Swizzles};
use polyanya::{Coords, Mesh, PolyanyaFile, Triangulation};
use portolan_core::{NavMesh, PolygonId};
use portolan_formats::polyanya::LeftOut;
use portolan_measure::Stopwatch;

use crate::peer::{Peer, PeerAnswer, PeerStatus};
use crate::welded::WeldedMesh;

/// The distance by which vertices with the same (x, z) are moved apart. [Units: m]
const VERTEX_SHIFT: f32 = 1e-3;

/// The library `polyanya` on a navmesh.
pub(crate) struct Polyanya {
    mesh: Rc<Mesh>,
    /// The user id of each of its polygons.
    user_ids: Rc<[u64]>,
    build_ms: f64,
}

/// The lengths of shortest paths, computed with `polyanya`.
pub(crate) struct Optimum {
    mesh: Rc<Mesh>,
    /// Per polygon of the navmesh, its index in the mesh of `polyanya`.
    indices: Vec<u32>,
    /// A description of the portals and links that the mesh of `polyanya` lacks, if any. Then a path that is shorter than
    /// its optimum is not a fault.
    pub(crate) missing: Option<String>,
}

/// Builds the peer and the optimum for a navmesh.
pub(crate) fn build(navmesh: &NavMesh) -> Result<(Polyanya, Optimum), String> {
    let (file, left_out) = file(navmesh)?;
    let order = order(navmesh);
    let mut watch = Stopwatch::start();
    let mut mesh: Mesh = file.try_into().map_err(|e| format!("{e:?}"))?;
    let heights = heights(navmesh, &order, &mesh);
    let layer = &mut mesh.layers[0];
    layer.set_heights(heights).map_err(|e| format!("{e:?}"))?;
    separate(layer.vertices.iter_mut().map(|vertex| &mut vertex.coords));
    mesh.bake();
    let build_ms = watch.lap_ms();

    let mut indices = vec![0; order.len()];
    for (index, polygon) in order.iter().enumerate() {
        indices[polygon.index()] = index as u32;
    }
    let missing = (left_out.portals + left_out.links > 0).then(|| {
        format!(
            "{} portals and {} links that a flat mesh cannot represent",
            left_out.portals, left_out.links
        )
    });
    let mesh = Rc::new(mesh);
    let peer = Polyanya {
        mesh: Rc::clone(&mesh),
        user_ids: order
            .iter()
            .map(|&polygon| navmesh.user_id(polygon))
            .collect(),
        build_ms,
    };
    Ok((
        peer,
        Optimum {
            mesh,
            indices,
            missing,
        },
    ))
}

/// Returns vertices and polygons with a vertex at both ends of every portal, as `polyanya` and `landmass` need them.
/// Polygons are in the order of [`order`], and no vertex is moved.
pub(crate) fn welded(navmesh: &NavMesh) -> Result<(Vec<Vec3>, Vec<Vec<u32>>), String> {
    let mesh: Mesh = file(navmesh)?.0.try_into().map_err(|e| format!("{e:?}"))?;
    let heights = heights(navmesh, &order(navmesh), &mesh);
    let layer = &mesh.layers[0];
    let positions = layer.vertices.iter().map(|vertex| vertex.coords);
    let point = |(position, height): (Vec2, f32)| Vec3::new(position.x, height, position.y);
    let polygons = layer.polygons.iter();
    Ok((
        positions.zip(heights).map(point).collect(),
        polygons.map(|polygon| polygon.vertices.clone()).collect(),
    ))
}

fn file(navmesh: &NavMesh) -> Result<(PolyanyaFile, LeftOut), String> {
    let mut file = Vec::new();
    let left_out =
        portolan_formats::polyanya::write(navmesh, &mut file).map_err(|e| e.to_string())?;
    Ok((PolyanyaFile::from_bytes(&file), left_out))
}

/// Returns the polygons sorted by user id, which is their order in a file of Polyanya.
pub(crate) fn order(navmesh: &NavMesh) -> Vec<PolygonId> {
    let mut order: Vec<PolygonId> = navmesh.polygons().collect();
    order.sort_by_key(|&polygon| (navmesh.user_id(polygon), polygon));
    order
}

/// Returns the height of each vertex of the flat mesh, taken from a polygon of the navmesh that it is a corner of.
fn heights(navmesh: &NavMesh, order: &[PolygonId], mesh: &Mesh) -> Vec<f32> {
    let layer = &mesh.layers[0];
    let mut heights = vec![0.0; layer.vertices.len()];
    for (&polygon, flat) in order.iter().zip(&layer.polygons) {
        for &vertex in &flat.vertices {
            let position = layer.vertices[vertex as usize].coords;
            heights[vertex as usize] = height_on_border(navmesh, polygon, position);
        }
    }
    heights
}

/// Returns the height of a polygon's border at the point nearest to a position in the (x, z) plane.
fn height_on_border(mesh: &NavMesh, polygon: PolygonId, position: Vec2) -> f32 {
    let nearest = |[a, b]: [Vec3; 2]| {
        let along = b.xz() - a.xz();
        let length_squared = along.length_squared().max(f32::MIN_POSITIVE);
        let fraction = along.dot(position - a.xz()) / length_squared;
        let point = a.lerp(b, fraction.clamp(0.0, 1.0));
        (point.xz().distance_squared(position), point.y)
    };
    let candidates = mesh.borders(polygon).map(nearest);
    candidates
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map_or(0.0, |(_, height)| height)
}

/// Moves vertices with the same position apart.
fn separate<'a>(positions: impl Iterator<Item = &'a mut Vec2>) {
    let mut counts: HashMap<[u32; 2], u32> = HashMap::new();
    for position in positions {
        let key = [position.x, position.y].map(f32::to_bits);
        let count = counts.entry(key).or_default();
        position.x += VERTEX_SHIFT * *count as f32;
        *count += 1;
    }
}

impl Optimum {
    /// Returns the length of the shortest path between two locations in (x, z), or `None` if there is none. `polyanya`
    /// may move the endpoints. The distances by which it moves them are subtracted, so that the result is never too long.
    pub(crate) fn length(&self, ends: &portolan_core::Endpoints) -> Option<f64> {
        let [start, goal] = [&ends.start, &ends.goal].map(|location| {
            let point = location.point.xz();
            let index = self.indices[location.polygon.index()];
            let candidates = self.mesh.get_closest_points(point);
            let same = candidates.iter().find(|coords| coords.polygon() == index);
            same.copied()
                .or_else(|| located(&self.mesh, location.point))
                .map(|coords| (coords, coords.position().distance(point)))
        });
        let ((start, off_start), (goal, off_goal)) = (start?, goal?);
        let path = self.mesh.path(start, goal)?;
        let endpoint_offset = f64::from(off_start) + f64::from(off_goal);
        Some(length(start.position(), &path.path) - endpoint_offset)
    }
}

/// Returns the length of the line from `start` over `points`.
fn length(start: Vec2, points: &[Vec2]) -> f64 {
    let mut here: DVec2 = start.as_dvec2();
    points.iter().fold(0.0, |sum, point| {
        let before = std::mem::replace(&mut here, point.as_dvec2());
        sum + before.distance(here)
    })
}

/// Locates a point with `polyanya`, which searches in rings around it and then takes the nearest height.
fn located(mesh: &Mesh, point: Vec3) -> Option<Coords> {
    mesh.get_closest_point_at_height(point, point.y)
}

/// The largest difference in height of a flat navmesh. [Units: m]
const FLAT: f32 = 0.01;

/// A triangulation whose walls are prebuilt, into which obstacles are cut.
pub(crate) struct Triangulated(Triangulation);

impl Triangulated {
    /// Triangulates the largest piece of a flat navmesh.
    pub(crate) fn new(mesh: &WeldedMesh) -> Result<Self, String> {
        let heights = || mesh.vertices.iter().map(|vertex| vertex.y);
        let low = heights().fold(f32::INFINITY, f32::min);
        let high = heights().fold(f32::NEG_INFINITY, f32::max);
        if high - low > FLAT {
            return Err("a triangulation is flat, and this navmesh is not".to_owned());
        }
        let point = |&vertex: &u32| mesh.vertices[vertex as usize].xz();
        let mut loops: Vec<Vec<Vec2>> = mesh
            .outlines()
            .iter()
            .map(|outline| outline.iter().map(point).collect())
            .collect();
        let largest = (0..loops.len())
            .max_by(|&a, &b| signed_area(&loops[a]).total_cmp(&signed_area(&loops[b])));
        let outer = loops.swap_remove(largest.ok_or("no polygons")?);
        let mut triangulation = Triangulation::from_outer_edges(&outer);
        // Other pieces of the navmesh lie in holes or outside, and so are not ground.
        triangulation.add_obstacles(
            loops
                .into_iter()
                .filter(|outline| signed_area(outline) < 0.0),
        );
        triangulation.prebuild();
        Ok(Self(triangulation))
    }

    /// Returns a mesh without an obstacle, as the documentation of the library makes it: merged once, and baked.
    pub(crate) fn mesh(&self, obstacle: Option<Vec<Vec2>>) -> Mesh {
        let mut triangulation = self.0.clone();
        triangulation.add_obstacles(obstacle);
        let mut mesh = triangulation.as_navmesh();
        mesh.merge_polygons();
        mesh.bake();
        mesh
    }
}

/// Returns the area of a loop, which is positive if it runs counter-clockwise.
fn signed_area(outline: &[Vec2]) -> f32 {
    let following = outline.iter().cycle().skip(1);
    let doubled = outline.iter().zip(following).map(|(a, b)| a.perp_dot(*b));
    doubled.sum::<f32>() / 2.0
}

impl WeldedMesh {
    /// Returns the polygons of a flat mesh.
    pub(crate) fn of_flat(mesh: &Mesh) -> Self {
        let layer = &mesh.layers[0];
        let vertices = layer.vertices.iter().map(|v| v.coords);
        Self {
            vertices: vertices.map(|v| Vec3::new(v.x, 0.0, v.y)).collect(),
            polygons: layer.polygons.iter().map(|p| p.vertices.clone()).collect(),
        }
    }
}

/// Answers a query in the plane.
pub(crate) fn find(mesh: &Mesh, [from, to]: [Vec3; 2], answer: &mut PeerAnswer) {
    answer.clear();
    let ends = (
        mesh.get_closest_point(from.xz()),
        mesh.get_closest_point(to.xz()),
    );
    let (Some(start), Some(goal)) = ends else {
        answer.status = PeerStatus::OffMesh;
        return;
    };
    if let Some(path) = mesh.path(start, goal) {
        let points = std::iter::once(start.position()).chain(path.path);
        answer
            .waypoints
            .extend(points.map(|point| Vec3::new(point.x, from.y, point.y)));
        answer.status = PeerStatus::Found;
    }
}

impl Peer for Polyanya {
    fn name(&self) -> &str {
        "polyanya"
    }

    fn build_ms(&self) -> f64 {
        self.build_ms
    }

    fn bytes(&self) -> Option<usize> {
        None
    }

    /// The algorithm searches and pulls the string in one step. Waypoints have the height of the goal, and the first
    /// one that of the start, because the library works in the plane.
    fn query(&mut self, from: Vec3, to: Vec3, answer: &mut PeerAnswer) {
        answer.clear();
        let mut watch = Stopwatch::start();
        let ends = (located(&self.mesh, from), located(&self.mesh, to));
        answer.times.locate = watch.lap_ns();
        let (Some(start), Some(goal)) = ends else {
            answer.status = PeerStatus::OffMesh;
            return;
        };
        let path = self.mesh.path(start, goal);
        answer.times.corridor = watch.lap_ns();
        let Some(path) = path else {
            return;
        };
        let at_goal_height = |point: Vec2| Vec3::new(point.x, to.y, point.y);
        answer
            .waypoints
            .push(at_goal_height(start.position()).with_y(from.y));
        answer
            .waypoints
            .extend(path.path.iter().copied().map(at_goal_height));
        answer.status = PeerStatus::Found;
        let ids = path.polygons().into_iter();
        answer
            .polygons
            .extend(ids.map(|(_, polygon)| self.user_ids[polygon as usize]));
    }
}
