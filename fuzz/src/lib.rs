//! What the fuzz targets share: from bytes to a navmesh, and a walk over it.

use std::io;

use glam::Vec3;
use portolan_core::{
    Engine, GraphOptions, Level, Limits, NavMesh, Path, Profile, Query, Samples, Scratch, Status,
    Triangles, World,
};
use portolan_draw::picture::Picture;
use portolan_draw::svg::{DrawnLevel, DrawnPath};
use portolan_terrain::{Terrain, TerrainPath, TerrainQuery, TerrainScratch, TerrainStatus};
use twox_hash::XxHash3_64;

/// Where the header of a file of ours keeps its size.
const SIZE: std::ops::Range<usize> = 16..24;

/// The checksum is what such a file ends with.
const HASH: usize = size_of::<u64>();

/// Above this many polygons a walk costs more time than it can teach.
const MAX_POLYGONS: usize = 2000;

/// Below this many polygons a walk over a second, denser graph costs little.
const FEW_POLYGONS: usize = 200;

/// Imports a file of somebody else's, builds its navmesh and walks over it. `name` says which
/// format it is.
pub fn import_and_walk(name: &str, bytes: &[u8]) {
    let Ok(imported) = portolan_formats::import_bytes(name, bytes) else {
        return;
    };
    if let Ok(mesh) = NavMesh::build(imported.raw, &imported.options) {
        walk(mesh);
    }
}

/// Asserts what every reader of level geometry promises.
pub fn check_triangles(heap: &Triangles) {
    assert!(!heap.triangles.is_empty());
    assert!(heap.vertices.iter().all(|vertex| vertex.is_finite()));
    let corners = heap.triangles.as_flattened();
    assert!(
        corners
            .iter()
            .all(|&corner| (corner as usize) < heap.vertices.len())
    );
    assert!(heap.materials.is_empty() || heap.materials.len() == heap.triangles.len());
    let names = heap.material_names.len() as u32;
    assert!(heap.materials.iter().all(|&material| material < names));
}

/// Bytes of a file of ours with size and checksum put right; `None` where there is no room for these.
pub fn sealed(bytes: &[u8]) -> Option<Vec<u8>> {
    // In place of the old checksum and not behind it: then a whole file, as the seeds are, stays one.
    let end = bytes.len().checked_sub(HASH)?;
    let mut sealed = bytes.to_vec();
    if let Some(field) = sealed.get_mut(SIZE) {
        field.copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    }
    let hash = XxHash3_64::oneshot(&sealed[..end]);
    sealed[end..].copy_from_slice(&hash.to_le_bytes());
    Some(sealed)
}

/// Asks every engine that a world can run for paths there and back. The costs and ways of its
/// hierarchy may be made up, so any answer will do; a panic will not.
pub fn ask_all_engines(world: &World) {
    if world.mesh().polygon_count() > FEW_POLYGONS {
        return;
    }
    let Some(points) = points(world.mesh()) else {
        return;
    };
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for engine in world.engines() {
        for [from, to] in [[0, 2], [2, 0], [0, 1]] {
            let mut query = Query::new(points[from], points[to]);
            query.engine = engine;
            world
                .find_path(&query, &mut scratch, &mut path)
                .expect("an engine of this world");
            query.limits.partial = true;
            world
                .find_path(&query, &mut scratch, &mut path)
                .expect("an engine of this world");
        }
    }
    for level in 0..=world.hierarchy().map_or(0, |hierarchy| hierarchy.top().0) {
        let shown = DrawnLevel {
            level: Level(level),
            all_intra_edges: true,
        };
        let _ =
            portolan_draw::svg::write_nodes(world, &DrawnPath::path(&path), &shown, &mut io::sink());
    }
}

/// Asks for ways there and back, and draws them. Prices may be made up, so any answer will do that is a way; a
/// panic will not.
pub fn navigate(terrain: &Terrain) {
    let web = terrain.web();
    if web.len() > FEW_POLYGONS {
        return;
    }
    let last = web.len() as u32 - 1;
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    for engine in terrain.engines() {
        for [from, to] in [[0, last], [last, 0], [last / 2, 0]] {
            let query = TerrainQuery {
                engine,
                ..TerrainQuery::new(from, to)
            };
            let status = terrain.find_path(&query, &mut scratch, &mut path);
            if status == Ok(TerrainStatus::Found) {
                assert!(terrain.graph().cost(&path.triangles).is_some());
            }
        }
    }
    let mut picture = Picture::relief(web, 16);
    picture.draw_path(web, &path.triangles, [255, 0, 0]);
}

/// Writes the mesh in every format and looks for paths there and back between its corners. Any
/// answer will do as long as the engines agree on it; a panic will not.
pub fn walk(mesh: NavMesh) {
    if mesh.polygon_count() > MAX_POLYGONS {
        return;
    }
    let _ = portolan_formats::obj::write(&mesh, &mut io::sink());
    let _ = portolan_formats::polyanya::write(&mesh, &mut io::sink());
    if mesh.polygon_count() < FEW_POLYGONS {
        let options = GraphOptions {
            samples: Samples::Each(2),
            ..GraphOptions::default()
        };
        if let Ok(world) = World::new(mesh.clone(), &options, &Profile::default()) {
            walk_world(&world);
        }
    }
    walk_world(&World::from_mesh(mesh));
}

fn walk_world(world: &World) {
    let Some(points) = points(world.mesh()) else {
        return;
    };
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for [from, to] in [[0, 2], [2, 0], [0, 1], [1, 1]] {
        let mut query = Query::new(points[from], points[to]);
        let status = world
            .find_path(&query, &mut scratch, &mut path)
            .expect("`auto` runs on every world");
        let _ = portolan_draw::svg::write(world.mesh(), &DrawnPath::path(&path), &mut io::sink());
        let cost = path.cost;
        query.engine = Engine::Dijkstra;
        assert_eq!(
            status,
            world
                .find_path(&query, &mut scratch, &mut path)
                .expect("an engine of this world")
        );
        assert!(
            (cost - path.cost).abs() <= 1e-3 * path.cost,
            "{cost} and not {}",
            path.cost
        );
        // Half the way to a goal within reach, all the way towards one that is not.
        let limit = match status {
            Status::Found => path.cost / 2.0,
            _ => f32::INFINITY,
        };
        query.limits = Limits {
            partial: true,
            max_cost: limit,
        };
        compare_partial(world, query, &mut scratch, &mut path);
    }
}

/// Asks both engines for a partial path: they have to come as near to the goal as one another.
fn compare_partial(world: &World, mut query: Query<'_>, scratch: &mut Scratch, path: &mut Path) {
    let mut ask = |engine| {
        query.engine = engine;
        let status = world
            .find_path(&query, scratch, path)
            .expect("an engine of this world");
        let end = path.waypoints.last().copied();
        (
            status,
            end.map(|end| end.as_dvec3().distance(query.to.as_dvec3())),
        )
    };
    let (status, left) = ask(Engine::AStar);
    let (plain_status, plain_left) = ask(Engine::Dijkstra);
    assert_eq!(status, plain_status);
    if let (Status::Partial, Some(left), Some(plain_left)) = (status, left, plain_left) {
        assert!(
            (left - plain_left).abs() <= 1e-3 * plain_left,
            "{left} and not {plain_left} from the goal"
        );
    }
}

/// A corner, a place between two corners, which may be off the mesh, and another corner.
fn points(mesh: &NavMesh) -> Option<[Vec3; 3]> {
    let vertices = mesh.vertices();
    let (&first, &last) = (vertices.first()?, vertices.last()?);
    let middle = vertices[vertices.len() / 2];
    Some([first, first.midpoint(middle), last])
}
