//! What the fuzz targets share: from bytes to a navmesh, and a walk over it.

use glam::Vec3;
use portolan::{Engine, Limits, NavMesh, Path, Query, Scratch, World};

/// Above this many polygons a walk costs more time than it can teach.
const MAX_POLYGONS: usize = 2000;

/// Imports a file of somebody else's, builds its navmesh and walks over it. `name` says which
/// format it is.
pub fn import_and_walk(name: &str, bytes: &[u8]) {
    let Ok(imported) = portolan_io::import_bytes(name, bytes) else {
        return;
    };
    if let Ok(mesh) = NavMesh::build(imported.raw, &imported.options) {
        walk(mesh);
    }
}

/// Looks for paths there and back between corners of the mesh. Any answer will do as long as the
/// engines agree on it; a panic will not.
pub fn walk(mesh: NavMesh) {
    if mesh.polygon_count() > MAX_POLYGONS {
        return;
    }
    let Some(points) = points(&mesh) else {
        return;
    };
    let world = World::from_mesh(mesh);
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for [from, to] in [[0, 2], [2, 0], [0, 1], [1, 1]] {
        let mut query = Query::new(points[from], points[to]);
        let status = world.find_path(&query, &mut scratch, &mut path);
        let cost = path.cost;
        query.engine = Engine::Dijkstra;
        assert_eq!(status, world.find_path(&query, &mut scratch, &mut path));
        assert!(
            (cost - path.cost).abs() <= 1e-3 * path.cost,
            "{cost} and not {}",
            path.cost
        );
        for engine in [Engine::AStar, Engine::Dijkstra] {
            query.engine = engine;
            query.limits = Limits {
                partial: true,
                max_cost: path.cost / 2.0,
            };
            world.find_path(&query, &mut scratch, &mut path);
        }
    }
}

/// A corner, a place between two corners, which may be off the mesh, and another corner.
fn points(mesh: &NavMesh) -> Option<[Vec3; 3]> {
    let vertices = mesh.vertices();
    let (&first, &last) = (vertices.first()?, vertices.last()?);
    let middle = vertices[vertices.len() / 2];
    Some([first, first.midpoint(middle), last])
}
