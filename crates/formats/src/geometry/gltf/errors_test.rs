use proptest::prelude::*;

use super::test_file::{in_scene, load, message, no_files, square};
use super::*;

#[test]
fn files_of_other_formats_and_versions_are_errors() {
    assert_eq!(
        message(" "),
        "not glTF: it starts with neither 'glTF' nor '{'"
    );
    assert_eq!(
        message("v 0 0 0"),
        "not glTF: it starts with neither 'glTF' nor '{'"
    );
    assert_eq!(
        message("{\n\"asset\":"),
        "line 2: column 8: EOF while parsing a value"
    );
    assert_eq!(message("{}"), "line 1: column 2: missing field `asset`");
    let version = |version: &str| message(format!(r#"{{"asset":{{"version":"{version}"}}}}"#));
    assert_eq!(
        version("1.0"),
        "glTF of version 1.0, but only version 2 is supported; export it again"
    );
    assert_eq!(version("2.1"), "the file has no triangles");
    let mut old = in_scene(r#""mesh":0"#).glb();
    old[4] = 1;
    assert_eq!(
        message(&old),
        "glTF of version 1, but only version 2 is supported; export it again"
    );
    old[4] = 2;
    old[16] = b'j';
    assert_eq!(message(&old), "not glTF: its first chunk is not JSON");
    assert_eq!(
        message("glTF"),
        "the file is incomplete: it ends at byte 4, in the middle of the header; copy or create it again"
    );
    assert_eq!(
        message(b"glTF\x02\0\0\0\xff\0\0\0"),
        "the file is incomplete: it ends at byte 12, in the middle of its chunks; copy or create it again"
    );
    assert_eq!(
        message(b"glTF\x02\0\0\0\x0b\0\0\0"),
        "the file is incomplete: it ends at byte 12, in the middle of the JSON chunk; copy or create it again"
    );
    let mut file = in_scene(r#""mesh":0"#);
    file.more = r#","extensionsRequired":["KHR_draco_mesh_compression"]"#.into();
    assert_eq!(
        message(file.gltf()),
        "extension 'KHR_draco_mesh_compression': the file requires it, but it is not supported; export without it"
    );
}

#[test]
fn errors_name_node_mesh_and_primitive() {
    let good = in_scene(r#""mesh":0,"name":"floor""#).gltf();
    let bad = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        let message = message(good.replace(from, to));
        let element = "node 0 'floor', mesh 0 'm', primitive 0: ";
        message.strip_prefix(element).unwrap_or(&message).to_owned()
    };
    let (positions, indices) = ("POSITION, accessor 0: ", "indices, accessor 1: ");
    assert_eq!(
        bad(r#""mesh":0"#, r#""mesh":1"#),
        "node 0 'floor': there is no mesh 1"
    );
    assert_eq!(bad("POSITION", "NORMAL"), "it has no attribute POSITION");
    assert_eq!(
        bad(r#""POSITION":0"#, r#""POSITION":7"#),
        "POSITION, accessor 7: there is no such accessor"
    );
    assert_eq!(
        bad(r#""indices":1"#, r#""indices":1,"mode":7"#),
        "its mode is not one of 0 to 6"
    );
    assert_eq!(
        bad(r#""indices":1"#, r#""indices":1,"material":3"#),
        "there is no material 3"
    );
    assert_eq!(
        bad("VEC3", "VEC2"),
        format!("{positions}its type is not VEC3")
    );
    assert_eq!(
        bad("SCALAR", "SCALER"),
        format!("{indices}its type is not SCALAR")
    );
    assert_eq!(
        bad("5126", "5127"),
        format!("{positions}its component type is unknown")
    );
    assert_eq!(
        bad("5126", "5125"),
        format!("{positions}positions cannot be of component type 5125")
    );
    assert_eq!(
        bad("5121", "5120"),
        format!("{indices}indices cannot be of component type 5120")
    );
    assert_eq!(
        bad(r#""count":4"#, r#""count":0"#),
        format!("{positions}it has no elements")
    );
    assert_eq!(
        bad(r#""bufferView":0,"#, ""),
        format!("{positions}it has no buffer view")
    );
    assert_eq!(
        bad(r#""bufferView":0"#, r#""bufferView":9"#),
        format!("{positions}there is no buffer view 9")
    );
    for count in ["5", "18446744073709551615"] {
        assert_eq!(
            bad(r#""count":4"#, &format!(r#""count":{count}"#)),
            format!(
                "{positions}{count} elements from byte 0 on exceed the 48 bytes of buffer view 0"
            )
        );
    }
    assert_eq!(
        bad(
            r#""bufferView":0"#,
            r#""byteOffset":18446744073709551615,"bufferView":0"#
        ),
        format!(
            "{positions}4 elements from byte 18446744073709551615 on exceed the 48 bytes of buffer view 0"
        )
    );
    for offset in ["9", "18446744073709551615"] {
        assert_eq!(
            bad(r#""byteOffset":0,"#, &format!(r#""byteOffset":{offset},"#)),
            format!(
                "{positions}buffer view 0: 48 bytes from byte {offset} on exceed the 56 bytes of buffer 0"
            )
        );
    }
    assert_eq!(
        bad(r#""buffer":0"#, r#""buffer":1"#),
        format!("{positions}there is no buffer 1")
    );
    assert_eq!(
        bad(r#""byteLength":56"#, r#""byteLength":57"#),
        format!("{positions}buffer 0: it has 56 bytes, not 57")
    );
    assert_eq!(
        bad(r#""count":6"#, r#""count":5"#),
        "5 corners are not a multiple of three"
    );
    let strip = good.replace(r#""indices":1"#, r#""indices":1,"mode":5"#);
    assert_eq!(
        message(strip.replace(r#""count":6"#, r#""count":2"#)),
        "node 0 'floor', mesh 0 'm', primitive 0: a triangle needs 3 corners, but there are only 2"
    );
}

#[test]
fn positions_must_be_finite_and_indices_in_range() {
    let mut file = in_scene(r#""mesh":0"#);
    let at = |i: usize| format!("node 0, mesh 0 'm', primitive {i}: ");
    file.binary[48 + 5] = 4;
    assert_eq!(
        message(file.gltf()),
        format!("{}index 5 is 4, but there are only 4 vertices", at(0))
    );
    file.binary[28..32].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(
        message(file.gltf()),
        format!("{}position 2 is [1, NaN, 1], which is not finite", at(0))
    );
    let far = in_scene(r#""mesh":0,"scale":[3e38,1,1],"translation":[3e38,0,0]"#);
    assert_eq!(
        message(far.gltf()),
        format!(
            "{}position 2 is transformed to [inf, 0, 1], which is not finite",
            at(0)
        )
    );
}

#[test]
fn buffers_that_cannot_be_read_are_errors() {
    let file = in_scene(r#""mesh":0"#);
    let element = "node 0, mesh 0 'm', primitive 0: POSITION, accessor 0: buffer 0: ";
    assert_eq!(
        message(file.json(None)),
        format!("{element}it has neither a URI nor a binary chunk")
    );
    assert_eq!(
        message(file.json(Some("x.bin"))),
        format!("{element}'x.bin': entity not found")
    );
    assert_eq!(
        message(file.json(Some("../x.bin"))),
        format!("{element}'../x.bin' leaves the folder of the file")
    );
    assert_eq!(
        message(file.json(Some("https://a.org/x.bin"))),
        format!("{element}'https://a.org/x.bin' is not the name of a file in this folder")
    );
    assert_eq!(
        message(file.json(Some("data:,x"))),
        format!("{element}its data: URI is not base64")
    );
}

#[test]
fn nodes_must_form_trees_with_valid_transforms() {
    let nodes = |nodes: &[&str], more: &str| {
        let mut file = square();
        for node in nodes {
            file.node(node);
        }
        file.more = more.into();
        message(file.gltf())
    };
    assert_eq!(
        nodes(&[r#""children":[1]"#, r#""children":[0]"#], ""),
        "nodes: 2 of them are their own ancestors"
    );
    assert_eq!(
        nodes(
            &[r#""children":[0]"#],
            r#","scenes":[{"nodes":[0]}],"scene":0"#
        ),
        "node 0: it is a root of a scene and a child of node 0"
    );
    assert_eq!(
        nodes(
            &[r#""children":[2]"#, r#""children":[2]"#, r#""name":"n""#],
            ""
        ),
        "node 2 'n': it is a child of node 0 and of node 1"
    );
    assert_eq!(
        nodes(&[r#""children":[4]"#], ""),
        "node 0: there is no node 4"
    );
    assert_eq!(
        nodes(&[], r#","scenes":[{"nodes":[0]}]"#),
        "scenes: there is no node 0"
    );
    assert_eq!(
        nodes(&[], r#","scene":0"#),
        "scene 0: it is the default scene, but the file has only 0 scenes"
    );
    assert_eq!(
        nodes(&[r#""rotation":[0,0,0,0]"#], ""),
        "node 0: its rotation has length 0, not 1"
    );
    assert_eq!(
        nodes(&[r#""matrix":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]"#], ""),
        "node 0: the last row of its matrix is not 0, 0, 0, 1"
    );
    assert_eq!(
        nodes(&[r#""translation":[1e39,0,0]"#], ""),
        "node 0: its transform is not finite"
    );
}

#[test]
fn a_scene_with_too_many_vertices_or_triangles_is_an_error() {
    let mut file = square();
    file.node(r#""mesh":0"#);
    file.node(r#""mesh":0"#);
    let refused = |max_elements| {
        let error = read_limited(max_elements, &file.glb(), &mut no_files).unwrap_err();
        error.to_string()
    };
    let element = "node 1, mesh 0 'm', primitive 0: ";
    assert_eq!(
        refused(7),
        format!(
            "{element}with it, the scene has more than 7 vertices; split the level into several files"
        )
    );
    assert!(read_limited(8, &file.glb(), &mut no_files).is_ok());
    file.accessor(&[0; 15], 5121, "SCALAR", 15);
    file.meshes[0] = file.meshes[0].replace(r#""indices":1"#, r#""indices":2"#);
    let error = read_limited(9, &file.glb(), &mut no_files).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{element}with it, the scene has more than 9 triangles; split the level into several files"
        )
    );
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = in_scene(r#""mesh":0"#).glb();
    for length in 0..bytes.len() {
        assert!(load(&bytes[..length]).is_err(), "{length}");
    }
    let text = in_scene(r#""mesh":0"#).gltf();
    for length in 0..text.len() {
        assert!(load(&text[..length]).is_err(), "{length}");
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn changed_bytes_never_panic(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = in_scene(r#""mesh":0,"scale":[-2,1,1]"#).glb();
        for (position, value) in changes {
            let position = position.index(bytes.len());
            bytes[position] = value;
        }
        let _ = load(&bytes);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = load(&bytes);
        let _ = load([b"glTF\x02\0\0\0".as_slice(), &bytes].concat());
    }
}
