//! Functions that the fuzz targets share: they build navmeshes from bytes and run queries on them.

pub mod raw;

use std::io;

use glam::Vec3;
use portolan_core::{
    Endpoints, Engine, ExactLimits, ExactOptions, GraphOptions, Level, Limits, Location, NavMesh,
    Path, Profile, Query, Samples, Scratch, Status, Tier, Triangles, World, no_progress,
};
use portolan_draw::picture::Picture;
use portolan_draw::svg::{DrawnLevel, DrawnPath};
use portolan_terrain::{Terrain, TerrainPath, TerrainQuery, TerrainScratch, TerrainStatus};
use twox_hash::XxHash3_64;

/// The position of the kind of file in the header of a Portolan file.
const KIND_FIELD: std::ops::Range<usize> = 8..12;
/// The position of the file size in the header of a Portolan file.
const SIZE_FIELD: std::ops::Range<usize> = 16..24;

/// The length of the checksum at the end of a Portolan file.
const CHECKSUM_BYTES: usize = size_of::<u64>();

/// The maximum number of polygons of a navmesh that is searched. Larger ones take too long.
const MAX_POLYGONS: usize = 2000;

/// The maximum number of polygons or triangles for slow checks: all engines, and a second search on a denser graph.
const MAX_SLOW_POLYGONS: usize = 200;

/// Imports a file of a foreign format, builds its navmesh and searches it. The extension of `name`
/// determines the format.
pub fn import_and_search(name: &str, bytes: &[u8]) {
    let Ok(imported) = portolan_formats::import_bytes(name, bytes) else {
        return;
    };
    if let Ok(mesh) = NavMesh::build(imported.raw, &imported.options) {
        search_mesh(mesh);
    }
}

/// Builds the exact tier of a navmesh and queries it between corners and centres of polygons. Polygons may overlap and be
/// concave here, so lengths can be arbitrary; but a path costs what it is long.
pub fn find_exact_paths(mesh: NavMesh) {
    if mesh.polygon_count() > MAX_SLOW_POLYGONS {
        return;
    }
    let options = ExactOptions {
        limits: ExactLimits::default(),
        auto: false,
    };
    let Ok(labels) = World::from_mesh(mesh).with_exact(options, &no_progress) else {
        return;
    };
    let lazy = labels.clone().with_lazy_exact();
    let mesh = labels.mesh();
    let polygons: Vec<_> = mesh.polygons().take(6).collect();
    let points = |polygon| {
        let corner = mesh.corner_points(polygon).next().unwrap_or_default();
        [corner, mesh.centre(polygon)].map(|point| Location {
            polygon,
            point: mesh.nearest_on(polygon, point),
        })
    };
    let ends: Vec<Location> = polygons.into_iter().flat_map(points).collect();
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for &start in &ends {
        for &goal in &ends {
            for world in [&labels, &lazy] {
                let query = Query {
                    engine: Engine::Auto(Tier::Exact),
                    ground_tolerance: f32::INFINITY,
                    ..Query::new(start.point, goal.point)
                };
                let located = world.located(&query, Endpoints { start, goal });
                let searched = located.expect("an exact tier").search(&mut scratch);
                let cost = f64::from(searched.cost().unwrap_or_default());
                let status = searched.waypoints(&mut path);
                if status == Status::Found && path.links.is_empty() {
                    let length = path.length_xz();
                    assert!(
                        (cost - length).abs() <= 1e-4 * (1.0 + length),
                        "{cost} {length}"
                    );
                }
            }
        }
    }
}

/// Asserts the guarantees of every reader of level geometry.
pub fn check_triangles(triangles: &Triangles) {
    assert!(!triangles.triangles.is_empty());
    assert!(triangles.vertices.iter().all(|vertex| vertex.is_finite()));
    let corners = triangles.triangles.as_flattened();
    assert!(
        corners
            .iter()
            .all(|&corner| (corner as usize) < triangles.vertices.len())
    );
    assert!(
        triangles.materials.is_empty() || triangles.materials.len() == triangles.triangles.len()
    );
    let names = triangles.material_names.len() as u32;
    assert!(triangles.materials.iter().all(|&material| material < names));
}

/// Returns the bytes of a Portolan file with a correct size and checksum, or `None` if they are too short
/// for a checksum.
pub fn with_valid_checksum(bytes: &[u8]) -> Option<Vec<u8>> {
    // The new checksum replaces the last bytes, so a valid file, like each of the seeds, stays valid.
    let end = bytes.len().checked_sub(CHECKSUM_BYTES)?;
    let mut sealed = bytes.to_vec();
    if let Some(field) = sealed.get_mut(SIZE_FIELD) {
        field.copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    }
    let content = &sealed[..end];
    let checksum = match content.get(KIND_FIELD) {
        // The checksum of an index or a terrain is that of the hashes of its pieces.
        Some(b"INDX" | b"TERR") => {
            let pieces = content.chunks(1 << 20);
            let hashes = pieces.flat_map(|piece| XxHash3_64::oneshot(piece).to_le_bytes());
            XxHash3_64::oneshot(&hashes.collect::<Vec<u8>>())
        }
        _ => XxHash3_64::oneshot(content),
    };
    sealed[end..].copy_from_slice(&checksum.to_le_bytes());
    Some(sealed)
}

/// Queries every engine of a world for paths in both directions and draws every level of its hierarchy. Costs
/// and paths in a damaged hierarchy can be arbitrary, so any answer is accepted. Only a panic is a finding.
pub fn query_all_engines(world: &World) {
    if world.mesh().polygon_count() > MAX_SLOW_POLYGONS {
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
                .expect("the world supports this engine");
            query.limits.partial = true;
            world
                .find_path(&query, &mut scratch, &mut path)
                .expect("the world supports this engine");
        }
    }
    for level in 0..=world.hierarchy().map_or(0, |hierarchy| hierarchy.top().0) {
        let shown = DrawnLevel {
            level: Level(level),
            all_intra_edges: true,
        };
        let _ = portolan_draw::svg::write_nodes(
            world,
            &DrawnPath::path(&path),
            &shown,
            &mut io::sink(),
        );
    }
}

/// Queries a terrain for paths in both directions and draws them. Prices in a damaged file can be arbitrary,
/// so any connected path is accepted. Only a panic is a finding.
pub fn search_terrain(terrain: &Terrain) {
    let web = terrain.web();
    if web.len() > MAX_SLOW_POLYGONS {
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

/// Writes the mesh in every format and finds paths in both directions between its corners. Asserts that
/// `auto` and A* agree with Dijkstra's algorithm.
pub fn search_mesh(mesh: NavMesh) {
    if mesh.polygon_count() > MAX_POLYGONS {
        return;
    }
    let _ = portolan_formats::obj::write(&mesh, &mut io::sink());
    let _ = portolan_formats::polyanya::write(&mesh, &mut io::sink());
    if mesh.polygon_count() < MAX_SLOW_POLYGONS {
        let options = GraphOptions {
            samples: Samples::Each(2),
            ..GraphOptions::default()
        };
        if let Ok(world) = World::new(mesh.clone(), &options, &Profile::default()) {
            search_world(&world);
        }
    }
    search_world(&World::from_mesh(mesh));
}

fn search_world(world: &World) {
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
                .expect("the world supports this engine")
        );
        assert!(
            (cost - path.cost).abs() <= 1e-3 * path.cost,
            "cost {cost} instead of {}",
            path.cost
        );
        // The limit is half the cost if the goal is reachable. Otherwise there is no limit.
        let max_cost = match status {
            Status::Found => path.cost / 2.0,
            _ => f32::INFINITY,
        };
        query.limits = Limits {
            partial: true,
            max_cost,
        };
        compare_partial(world, query, &mut scratch, &mut path);
    }
}

/// Queries A* and Dijkstra's algorithm for a partial path and asserts that both come equally close to the goal.
fn compare_partial(world: &World, mut query: Query<'_>, scratch: &mut Scratch, path: &mut Path) {
    let mut query_with = |engine| {
        query.engine = engine;
        let status = world
            .find_path(&query, scratch, path)
            .expect("the world supports this engine");
        let end = path.waypoints.last().copied();
        (
            status,
            end.map(|end| end.as_dvec3().distance(query.to.as_dvec3())),
        )
    };
    let (status, remaining) = query_with(Engine::AStar);
    let (dijkstra_status, dijkstra_remaining) = query_with(Engine::Dijkstra);
    assert_eq!(status, dijkstra_status);
    if let (Status::Partial, Some(remaining), Some(expected)) =
        (status, remaining, dijkstra_remaining)
    {
        assert!(
            (remaining - expected).abs() <= 1e-3 * expected,
            "{remaining} m from the goal instead of {expected} m"
        );
    }
}

/// Returns a corner, the midpoint of two corners, which may be off the mesh, and another corner.
fn points(mesh: &NavMesh) -> Option<[Vec3; 3]> {
    let vertices = mesh.vertices();
    let (&first, &last) = (vertices.first()?, vertices.last()?);
    let middle = vertices[vertices.len() / 2];
    Some([first, first.midpoint(middle), last])
}
