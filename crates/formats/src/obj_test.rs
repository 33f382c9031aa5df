use proptest::prelude::*;

use super::*;

fn polygons(text: &str) -> Vec<Vec<u32>> {
    let raw = read(text.as_bytes()).unwrap().raw;
    raw.polygons.iter().map(<[u32]>::to_vec).collect()
}

fn message(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

const SQUARE: &str = "v 0 0 0\nv 4 0 0 1.0\nv 4 0 4 0.5 0.5 0.5\nv 0 0 4\n";

#[test]
fn corners_are_read_in_every_notation() {
    for face in [
        "f 1 2 3 4",
        "f 1/7 2/7 3/7 4/7",
        "f 1//7 2//7 3//7 4//7",
        "f 1/7/7 2/7/7 3/7/7 4/7/7",
        "f -4 -3 -2 -1",
        "\tf  1 2\\\r\n 3 \\\n4 # the last",
    ] {
        assert_eq!(polygons(&format!("{SQUARE}{face}\n")), [[0, 1, 2, 3]]);
    }
}

#[test]
fn comments_and_other_statements_are_skipped() {
    let text = "# made in C:\\maps\\\r\nmtllib a.mtl\r\no floor\r\nvn 0 1 0\r\nvt 0 0\r\ns off\r\n";
    let text = format!("{text}{}f 1 2 3 4\r\n", SQUARE.replace('\n', "\r\n"));
    assert_eq!(polygons(&text), [[0, 1, 2, 3]]);
}

#[test]
fn comments_and_names_need_not_be_utf_8() {
    let text = [b"# caf\xe9\no \xff\n", SQUARE.as_bytes(), b"f 1 2 3"].concat();
    assert_eq!(read(&text).unwrap().raw.polygons.len(), 1);
}

#[test]
fn materials_are_areas() {
    let faces = "f 1 2 3\nusemtl area200\nf 1 3 4\nusemtl stone\nf 1 2 4\n\
                 usemtl area256\nf 2 3 4\nusemtl area+7\nf 2 3 4\nusemtl area3\nf 2 3 4\n";
    let raw = read(format!("{SQUARE}{faces}").as_bytes()).unwrap().raw;
    assert_eq!(raw.areas, [0, 200, 0, 0, 0, 3]);
    let plain = read(format!("{SQUARE}usemtl area0\nf 1 2 3\n").as_bytes()).unwrap();
    assert!(plain.raw.areas.is_empty());
}

#[test]
fn faces_with_their_own_vertices_are_joined_unless_thin_walls_are_kept() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 0\nv 1 0 1\nv -0 0 1\nf 1 2 3\nf 4 5 6\n";
    let Imported { raw, options } = read(text.as_bytes()).unwrap();
    let joined = NavMesh::build(raw.clone(), &options).unwrap();
    assert_eq!(joined.portals().len(), 1);
    let walls = NavMeshOptions {
        borders: None,
        ..options
    };
    assert_eq!(NavMesh::build(raw, &walls).unwrap().portals().len(), 0);
}

#[test]
fn errors_name_the_line() {
    assert_eq!(message("\n"), "the file has no faces");
    assert_eq!(message(SQUARE), "the file has no faces");
    assert_eq!(message("\nv 1 2\n"), "line 2: this vertex has no z");
    assert_eq!(
        message("v 1 nan 2\n"),
        "line 1: y = 'nan' is not a finite number"
    );
    assert_eq!(
        message("v 1 1e99 2\n"),
        "line 1: y = '1e99' is not a finite number"
    );
    let with_face = |face: &str| message(&format!("{SQUARE}{face}\n"));
    assert_eq!(
        with_face("f 1 2"),
        "line 5: a face needs 3 corners, but this one has 2"
    );
    assert_eq!(
        with_face("f 1 2 \\\n 5"),
        "line 5: there is no vertex 5; the lines before define 4"
    );
    assert_eq!(
        with_face("f 1 2 -5"),
        "line 5: there is no vertex -5; the lines before define 4"
    );
    assert_eq!(
        with_face("f 1 2 0"),
        "line 5: there is no vertex 0; vertices are counted from 1"
    );
    assert_eq!(
        with_face("f 1 2 x/3"),
        "line 5: 'x/3' is not a vertex number"
    );
    assert!(with_face("f 1 2 -9223372036854775808").contains("no vertex"));
}

#[test]
fn a_real_navmesh_is_read() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/maps/vaduz.navmesh.obj"
    );
    let Ok(bytes) = std::fs::read(path) else {
        println!("skipped: there are no real maps");
        return;
    };
    assert_eq!(read(&bytes).unwrap().raw.polygons.len(), 13_550);
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes);
    }

    #[test]
    fn arbitrary_statements_never_panic(text in r"([vf#\\] ?(-?[0-9]{0,3}[ /\n\\.e]?){0,9}\r?\n?){0,20}") {
        let _ = read(text.as_bytes());
    }

    #[test]
    fn changed_bytes_never_panic(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = format!("{SQUARE}usemtl area3\nf 1 2 3\nf 1//2 -2 \\\n4\n").into_bytes();
        for (position, value) in changes {
            let position = position.index(bytes.len());
            bytes[position] = value;
        }
        let _ = read(&bytes);
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let text = b"\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n";
    assert_eq!(read(text).unwrap().raw.vertices.len(), 3);
    assert_eq!(read(text), read(&text[3..]));
}
