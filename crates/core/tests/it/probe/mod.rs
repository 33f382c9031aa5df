//! The questions that a probe answers equal what a scan over every polygon finds.

mod ground;
mod nearest;
mod random;
mod ray;
mod reachable;
mod slide;
mod walls;

use glam::{DVec2, Vec3};
use portolan_core::{Location, NavMesh, NavMeshOptions, PolygonId, Probe, RawNavMesh, World};
use portolan_oracle::CaseRng;

/// Returns the (x, z) of a point.
fn in_plan(point: Vec3) -> DVec2 {
    DVec2::new(point.x.into(), point.z.into())
}

/// Returns the distance of a point from a segment.
fn distance_from([a, b]: [DVec2; 2], point: DVec2) -> f64 {
    let along = b - a;
    let fraction = (point - a).dot(along) / along.length_squared();
    let fraction = if fraction.is_nan() { 0.0 } else { fraction };
    point.distance(a + along * fraction.clamp(0.0, 1.0))
}

/// Returns what rounding may amount to on a mesh.
fn rounding(mesh: &NavMesh) -> f64 {
    let bounds = mesh.bounds();
    let farthest = bounds.min.abs().max(bounds.max.abs());
    2.0 * f64::from(f32::EPSILON) * f64::from(farthest.x.max(farthest.z))
}

/// Asserts that a location is on its polygon but for rounding, at the height of the ground.
fn assert_on_mesh(mesh: &NavMesh, location: Location) {
    let Location { polygon, point } = location;
    let position = in_plan(point);
    let mut borders = mesh.borders(polygon);
    let is_inside = borders.all(|[a, b]| {
        let [a, b] = [a, b].map(in_plan);
        (b - a).perp_dot(position - a) >= -2.0 * rounding(mesh) * (b - a).length()
    });
    // A polygon may be concave by a centimetre.
    let mut borders = mesh.borders(polygon);
    let is_on_border =
        borders.any(|border| distance_from(border.map(in_plan), position) <= 2.0 * rounding(mesh));
    assert!(is_inside || is_on_border, "{location:?} is off its polygon");
    assert_eq!(point.y, mesh.height_at(polygon, point), "{location:?}");
}

/// Draws a location on open ground, if there is any.
fn open_location(rng: &mut CaseRng, probe: &Probe<'_>) -> Option<Location> {
    let mesh = probe.mesh();
    let open: Vec<PolygonId> = mesh.polygons().filter(|&p| probe.is_open(p)).collect();
    if open.is_empty() {
        return None;
    }
    let polygon = open[rng.below(open.len())];
    Some(rng.location_on(mesh, polygon))
}

/// Builds a world of polygons on a grid: each is a rectangle from one grid point to another, at a height.
/// Rectangles at the same height share their vertices.
fn rectangles(list: &[([i32; 2], [i32; 2], f32)]) -> World {
    let mut raw = RawNavMesh::default();
    let vertex = |raw: &mut RawNavMesh, x: i32, z: i32, y: f32| {
        let point = Vec3::new(x as f32, y, z as f32);
        let known = raw.vertices.iter().position(|&vertex| vertex == point);
        known.unwrap_or_else(|| {
            raw.vertices.push(point);
            raw.vertices.len() - 1
        }) as u32
    };
    for &([west, south], [east, north], y) in list {
        let corners = [(west, south), (east, south), (east, north), (west, north)];
        let corners = corners.map(|(x, z)| vertex(&mut raw, x, z, y));
        raw.polygons.push(corners);
    }
    let ids = (0..list.len() as u64).collect();
    raw.ids = ids;
    World::build(raw, &NavMeshOptions::default()).expect("rectangles")
}
