use proptest::prelude::*;

use super::*;

/// A polygon as Detour stores it.
#[derive(Clone, Default)]
struct DetourPolygon {
    corners: Vec<u16>,
    flags: u16,
    area_and_type: u8,
}

#[derive(Clone)]
struct OffMeshConnection {
    ends: [[f32; 3]; 2],
    radius: f32,
    polygon: u16,
    flags: u8,
    user_id: u32,
}

/// The input of `dtCreateNavMeshData`, and some values that it would compute, so that tests can set wrong
/// values.
#[derive(Clone, Default)]
struct SampleTile {
    reference: u64,
    x: i32,
    vertices: Vec<[f32; 3]>,
    polygons: Vec<DetourPolygon>,
    /// First vertex, first triangle, number of vertices, number of triangles.
    details: Vec<(u32, u32, u8, u8)>,
    detail_vertices: Vec<[f32; 3]>,
    detail_triangles: Vec<[u8; 3]>,
    connections: Vec<OffMeshConnection>,
}

const LINKS: usize = 3;
const TREE_NODES: usize = 2;
const CLIMB: f32 = 0.9;

impl SampleTile {
    fn bytes(&self, width: ReferenceWidth) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(b"VAND");
        for count in [
            7,
            self.x,
            0,
            0,
            0,
            self.polygons.len() as i32,
            self.vertices.len() as i32,
            LINKS as i32,
            self.details.len() as i32,
            self.detail_vertices.len() as i32,
            self.detail_triangles.len() as i32,
            TREE_NODES as i32,
            self.connections.len() as i32,
            0,
        ] {
            out.extend(count.to_le_bytes());
        }
        put_floats(&mut out, &[2.0, 0.6, CLIMB]);
        put_floats(&mut out, &[0.0; 7]);
        assert_eq!(out.len(), TILE_HEADER);

        put_floats(&mut out, self.vertices.as_flattened());
        for polygon in &self.polygons {
            out.extend([0xff; 4]);
            for k in 0..MAX_CORNERS {
                let corner = polygon.corners.get(k).copied().unwrap_or(0);
                out.extend(corner.to_le_bytes());
            }
            out.extend([0; 2 * MAX_CORNERS]);
            out.extend(polygon.flags.to_le_bytes());
            out.push(polygon.corners.len() as u8);
            out.push(polygon.area_and_type);
        }
        let link = match width {
            ReferenceWidth::Narrow => 12,
            ReferenceWidth::Wide => 16,
        };
        out.extend(vec![0xcc; LINKS * link]);
        for &(vertex, triangle, vertices, triangles) in &self.details {
            out.extend(vertex.to_le_bytes());
            out.extend(triangle.to_le_bytes());
            out.extend([vertices, triangles, 0xcc, 0xcc]);
        }
        put_floats(&mut out, self.detail_vertices.as_flattened());
        for &[a, b, c] in &self.detail_triangles {
            out.extend([a, b, c, 0x15]);
        }
        out.extend([0xcc; TREE_NODES * 16]);
        for connection in &self.connections {
            put_floats(&mut out, connection.ends.as_flattened());
            put_floats(&mut out, &[connection.radius]);
            out.extend(connection.polygon.to_le_bytes());
            out.extend([connection.flags, 0xff]);
            out.extend(connection.user_id.to_le_bytes());
        }
        out
    }
}

fn put_floats(out: &mut Vec<u8>, values: &[f32]) {
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

fn set_bytes(tiles: &[SampleTile], width: ReferenceWidth) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(b"TESM");
    out.extend(1i32.to_le_bytes());
    out.extend((tiles.len() as i32).to_le_bytes());
    put_floats(&mut out, &[0.0, 0.0, 0.0, 10.0, 10.0]);
    out.extend(128i32.to_le_bytes());
    out.extend(0x8000i32.to_le_bytes());
    for tile in tiles {
        let bytes = tile.bytes(width);
        match width {
            ReferenceWidth::Narrow => out.extend((tile.reference as u32).to_le_bytes()),
            ReferenceWidth::Wide => out.extend(tile.reference.to_le_bytes()),
        }
        out.extend((bytes.len() as u32).to_le_bytes());
        if width == ReferenceWidth::Wide {
            out.extend([0xcc; 4]);
        }
        out.extend(bytes);
    }
    out
}

/// Returns two adjacent tiles. The first has a square with a raised centre, a triangle and an off-mesh
/// connection into the second, which has one square and no detail mesh.
fn two_tiles() -> Vec<SampleTile> {
    let ground = |corners: &[u16], area: u8| DetourPolygon {
        corners: corners.to_vec(),
        flags: 5,
        area_and_type: area,
    };
    let first = SampleTile {
        reference: 0x10_0000,
        x: 0,
        vertices: vec![
            [0.0, 0.0, 0.0],
            [10.0, 0.0, 0.0],
            [10.0, 0.0, 8.0],
            [0.0, 0.0, 8.0],
            [5.0, 0.0, 10.0],
            // The ends of the connection.
            [1.0, 0.0, 1.0],
            [19.0, 0.0, 1.0],
        ],
        polygons: vec![
            ground(&[0, 1, 2, 3], 0),
            ground(&[3, 2, 4], 7),
            DetourPolygon {
                corners: vec![5, 6],
                flags: 8,
                area_and_type: OFF_MESH << 6 | 3,
            },
        ],
        details: vec![(0, 0, 1, 4), (0, 4, 0, 1)],
        detail_vertices: vec![[5.0, 0.5, 4.0]],
        detail_triangles: vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [0, 1, 2]],
        connections: vec![OffMeshConnection {
            ends: [[1.0, 0.0, 1.0], [19.0, 0.0, 1.0]],
            radius: 0.75,
            polygon: 2,
            flags: BOTH_WAYS,
            user_id: 77,
        }],
    };
    let second = SampleTile {
        reference: 0x10_4000,
        x: 1,
        vertices: vec![
            [10.0, 0.2, 0.0],
            [20.0, 0.2, 0.0],
            [20.0, 0.2, 8.0],
            [10.0, 0.2, 8.0],
        ],
        polygons: vec![ground(&[0, 1, 2, 3], 0)],
        ..SampleTile::default()
    };
    vec![first, second]
}

fn message(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

#[test]
fn both_widths_of_references_give_the_same_navmesh() {
    let tiles = two_tiles();
    let narrow = read(&set_bytes(&tiles, ReferenceWidth::Narrow)).unwrap();
    let wide = read(&set_bytes(&tiles, ReferenceWidth::Wide)).unwrap();
    assert_eq!(narrow, wide);

    let raw = narrow.raw;
    let polygons: Vec<_> = raw.polygons.iter().collect();
    assert_eq!(polygons, [&[0, 1, 2, 3][..], &[3, 2, 4], &[5, 6, 7, 8]]);
    assert_eq!(
        raw.vertices.len(),
        9,
        "the ends of connections are not vertices"
    );
    assert_eq!(raw.vertices[8], vec3(10.0, 0.2, 8.0));
    assert_eq!(raw.areas, [0, 7, 0]);
    assert_eq!(raw.flags, [5, 5, 5]);
    assert_eq!(raw.ids, [0x10_0000, 0x10_0001, 0x10_4000]);

    assert_eq!(raw.heights.vertices.get(0), [vec3(5.0, 0.5, 4.0)]);
    assert_eq!(raw.heights.triangles.get(0)[3], [3, 0, 4]);
    assert_eq!(raw.heights.triangles.get(1), [[0, 1, 2]]);
    assert!(raw.heights.triangles.get(2).is_empty());

    let link = RawLink {
        start: vec3(1.0, 0.0, 1.0),
        end: vec3(19.0, 0.0, 1.0),
        polygons: [None; 2],
        snap: vec3(0.75, CLIMB, 0.75),
        cost: None,
        both_ways: true,
        area: 3,
        flags: 8,
        id: 77,
    };
    assert_eq!(raw.links, [link]);

    let borders = narrow.options.borders.unwrap();
    assert_eq!((borders.gap, borders.step), (0.01, 1.8));
}

#[test]
fn the_tolerance_grows_far_from_the_origin() {
    let mut tiles = two_tiles();
    for vertex in &mut tiles[1].vertices {
        vertex[0] += 100_000.0;
    }
    let gap = read(&set_bytes(&tiles, ReferenceWidth::Narrow))
        .unwrap()
        .options
        .borders
        .unwrap()
        .gap;
    assert!(gap > 0.04 && gap < 0.06, "{gap}");
}

#[test]
fn without_detail_meshes_there_are_no_heights() {
    let second = two_tiles().split_off(1);
    let raw = read(&set_bytes(&second, ReferenceWidth::Wide)).unwrap().raw;
    assert_eq!(raw.heights, RawHeights::default());
}

#[test]
fn a_tile_without_reference_ends_the_set() {
    for width in [ReferenceWidth::Narrow, ReferenceWidth::Wide] {
        let mut tiles = two_tiles();
        tiles[1].reference = 0;
        let raw = read(&set_bytes(&tiles, width)).unwrap().raw;
        assert_eq!(raw.polygons.len(), 2);
    }
    assert_eq!(
        message(&set_bytes(&[], ReferenceWidth::Narrow)),
        "the file has no polygons"
    );
}

#[test]
fn files_of_other_formats_and_versions_are_errors() {
    assert!(message(b"MSET\0\0\0\x01").contains("big-endian"));
    assert!(message(b"TEST\x01\0\0\0").contains("tile cache"));
    assert!(message(b"VAND\x07\0\0\0").contains("single tile"));
    assert!(message(b"\n").contains("MSET"));
    assert_eq!(message(b""), "the file is empty");

    let mut newer = set_bytes(&two_tiles(), ReferenceWidth::Narrow);
    newer[4] = 2;
    assert!(message(&newer).starts_with("a Detour tile set of version 2, but only version 1"));
    let mut newer = set_bytes(&two_tiles(), ReferenceWidth::Narrow);
    newer[SET_HEADER + 8 + 4] = 8;
    assert!(message(&newer).starts_with("a Detour tile of version 8, but only version 7"));
}

#[test]
fn errors_name_the_tile_and_the_polygon() {
    let broken = |change: fn(&mut SampleTile)| {
        let mut tiles = two_tiles();
        change(&mut tiles[0]);
        tiles.swap(0, 1);
        message(&set_bytes(&tiles, ReferenceWidth::Wide))
    };
    assert_eq!(
        broken(|tile| tile.polygons[1].corners[2] = 9),
        "tile 1: polygon 1 has vertex 9, but the tile has only 7 vertices"
    );
    assert_eq!(
        broken(|tile| tile.polygons[1].corners.truncate(2)),
        "tile 1: polygon 1 has 2 corners; 3 to 6 are allowed"
    );
    assert_eq!(
        broken(|tile| tile.polygons[0].area_and_type = 0xc0),
        "tile 1: polygon 0 has type 3, which is unknown"
    );
    assert_eq!(
        broken(|tile| tile.detail_triangles[2] = [0, 1, 5]),
        "tile 1: polygon 0 has detail vertex 5, but only 5 vertices"
    );
    assert_eq!(
        broken(|tile| tile.details[1] = (0, 4, 0, 2)),
        "tile 1: polygon 1 has detail triangles that do not exist"
    );
    assert_eq!(
        broken(|tile| tile.details[1] = (0, 4, 1, 1)),
        "tile 1: polygon 1 shares its detail mesh with another polygon"
    );
    assert_eq!(
        broken(|tile| tile.connections[0].polygon = 0),
        "tile 1: off-mesh connection 0 has no polygon of its own"
    );
    assert_eq!(
        broken(|tile| tile.vertices[1][1] = f32::NAN),
        "tile 1: it has a point at [10, NaN, 0], which is not finite"
    );
    assert_eq!(
        broken(|tile| tile.x = 1),
        "tile 1: it is at (1, 0), layer 0, like tile 0"
    );
    assert_eq!(
        broken(|tile| tile.reference = 0x10_4000),
        "tile 1: it has the same reference as tile 0"
    );
}

#[test]
fn counts_that_do_not_fit_are_errors() {
    let good = set_bytes(&two_tiles(), ReferenceWidth::Narrow);
    let header = SET_HEADER + 8;
    for count in (24..56).step_by(4) {
        for hostile in [i32::MAX, -1, i32::MIN, 1000] {
            let mut bytes = good.clone();
            bytes[header + count..header + count + 4].copy_from_slice(&hostile.to_le_bytes());
            let message = message(&bytes);
            assert!(message.contains("do not add up"), "{message}");
        }
    }
    let mut more_tiles = good.clone();
    more_tiles[8] = 3;
    assert!(message(&more_tiles).contains("in the middle of tile 2 of 3"));
    let mut fewer_tiles = good;
    fewer_tiles[8] = 1;
    assert!(message(&fewer_tiles).contains("follow the last of its 1 tiles"));
}

#[test]
fn every_truncation_is_an_error() {
    for width in [ReferenceWidth::Narrow, ReferenceWidth::Wide] {
        let bytes = set_bytes(&two_tiles(), width);
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "cut at {length}");
        }
    }
}

/// The expected numbers were counted with another tool.
#[test]
fn a_real_tile_set_is_read() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/maps/dungeon_all_tiles_navmesh.bin"
    );
    let Ok(bytes) = std::fs::read(path) else {
        println!("skipped: there are no real maps");
        return;
    };
    let Imported { raw, options } = read(&bytes).unwrap();
    assert_eq!(raw.polygons.len(), 143);
    assert_eq!(raw.vertices.len(), 398);
    assert_eq!(raw.heights.vertices.values().len(), 53);
    assert_eq!(raw.heights.triangles.values().len(), 348);
    assert_eq!(raw.ids[0], 0x2_0000_0000_0000);
    let tiles: std::collections::HashSet<_> = raw.ids.iter().map(|id| id >> 20).collect();
    assert_eq!(tiles.len(), 41);
    assert!(raw.links.is_empty());
    assert_eq!(options.borders.unwrap().step, 2.0 * 0.9);

    // Detour stored the same number of links in the tiles.
    let mesh = portolan_core::NavMesh::build(raw, &options).unwrap();
    assert_eq!(mesh.portals().len(), 154);
    assert_eq!(mesh.components().count(), 5);
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(&bytes);
        let _ = read(&[&SET_MAGIC, &bytes[..]].concat());
    }

    #[test]
    fn changed_bytes_never_panic(
        wide in any::<bool>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let width = if wide { ReferenceWidth::Wide } else { ReferenceWidth::Narrow };
        let mut bytes = set_bytes(&two_tiles(), width);
        for (position, value) in changes {
            let position = position.index(bytes.len());
            bytes[position] = value;
        }
        let _ = read(&bytes);
    }
}
