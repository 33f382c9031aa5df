use glam::vec3;
use proptest::prelude::*;

use super::test_file::{GltfFile, SQUARE, in_scene, load, message, square};
use super::*;

#[test]
fn buffers_are_read_from_uris_binary_chunks_and_files() {
    let file = in_scene(r#""mesh":0"#);
    let expected = Triangles {
        vertices: SQUARE.map(Vec3::from).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..Triangles::default()
    };
    assert_eq!(load(file.gltf()).unwrap(), expected);
    assert_eq!(load(file.glb()).unwrap(), expected);
    let with_file = file.json(Some("a%20folder/x.bin"));
    let mut fetched = Vec::new();
    let mut fetch = |path: &str| {
        fetched.push(path.to_owned());
        Ok(file.binary.clone())
    };
    assert_eq!(read(with_file.as_bytes(), &mut fetch).unwrap(), expected);
    assert_eq!(fetched, ["a folder/x.bin"]);
}

#[test]
fn indices_of_every_width_are_read_and_are_optional() {
    let mut file = GltfFile::default();
    file.positions(&SQUARE);
    file.accessor(&[3, 2, 1], 5121, "SCALAR", 3);
    file.accessor(&[3, 0, 2, 0, 1, 0], 5123, "SCALAR", 3);
    file.accessor(&[3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0], 5125, "SCALAR", 3);
    file.positions(&SQUARE[1..]);
    file.mesh(
        r#"{"attributes":{"POSITION":0},"indices":1},{"attributes":{"POSITION":0},"indices":2},
        {"attributes":{"POSITION":0},"indices":3},{"attributes":{"POSITION":4}}"#,
    );
    file.node(r#""mesh":0"#);
    let read = load(file.gltf()).unwrap();
    // The first three have the same vertices.
    assert_eq!(read.triangles, [[3, 2, 1], [3, 2, 1], [3, 2, 1], [4, 5, 6]]);
    assert_eq!(read.vertices.len(), 7);
}

#[test]
fn strips_and_fans_are_read_and_points_and_lines_skipped() {
    let mut file = GltfFile::default();
    file.positions(&[SQUARE[0], SQUARE[1], SQUARE[3], SQUARE[2], SQUARE[0]]);
    file.mesh(
        r#"{"attributes":{"POSITION":0},"mode":5},{"attributes":{"POSITION":0},"mode":6},
        {"attributes":{"POSITION":0},"mode":0},{"attributes":{"POSITION":0},"mode":1},
        {"attributes":{},"mode":2},{"attributes":{"POSITION":0},"mode":3}"#,
    );
    file.node(r#""mesh":0"#);
    assert_eq!(
        load(file.gltf()).unwrap().triangles,
        [
            [0, 1, 2],
            [1, 3, 2],
            [2, 3, 4],
            [1, 2, 0],
            [2, 3, 0],
            [3, 4, 0]
        ]
    );
}

#[test]
fn transforms_are_composed_and_mirrored_triangles_still_face_up() {
    let mut file = square();
    file.node(r#""children":[1,2],"translation":[10,0,0]"#);
    file.node(r#""mesh":0,"scale":[-2,1,1]"#);
    // A quarter turn about y: x becomes -z.
    file.node(r#""children":[3],"rotation":[0,0.70710678,0,0.70710678]"#);
    file.node(r#""mesh":0,"matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,5,0,1]"#);
    let read = load(file.gltf()).unwrap();
    assert_eq!(read.vertices[3], vec3(8., 0., 0.));
    assert!(
        read.vertices[7].distance(vec3(10., 5., -1.)) < 1e-6,
        "{:?}",
        read.vertices
    );
    assert_eq!(read.triangles, [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7]]);
    assert!((0..4).all(|triangle| read.normal(triangle).y > 0.0));
}

#[test]
fn the_default_scene_is_read_or_all_scenes_or_all_nodes() {
    let mut file = square();
    for x in 0..3 {
        file.node(&format!(r#""mesh":0,"translation":[{x},0,0]"#));
    }
    let positions_with = |more: &str| {
        let mut file = file.clone();
        file.more = more.into();
        let read = load(file.gltf()).unwrap();
        read.vertices
            .iter()
            .step_by(4)
            .map(|v| v.x)
            .collect::<Vec<_>>()
    };
    let scenes = r#","scenes":[{"nodes":[2,0]},{"nodes":[0,0]}]"#;
    assert_eq!(positions_with(&format!(r#"{scenes},"scene":0"#)), [2., 0.]);
    assert_eq!(positions_with(&format!(r#"{scenes},"scene":1"#)), [0.]);
    assert_eq!(positions_with(scenes), [2., 0.]);
    assert_eq!(positions_with(""), [0., 1., 2.]);
}

#[test]
fn materials_keep_their_names() {
    let mut file = square();
    file.materials = vec![r#"{"name":"grass","extras":"any"}"#.into(), "{}".into()];
    file.mesh(
        r#"{"attributes":{"POSITION":0},"indices":1,"material":0},
        {"attributes":{"POSITION":0},"indices":1,"material":1}"#,
    );
    file.node(r#""mesh":1"#);
    file.node(r#""mesh":0"#);
    let read = load(file.gltf()).unwrap();
    assert_eq!(read.material_names, ["grass", ""]);
    assert_eq!(read.materials, [0, 0, 1, 1, 1, 1]);
}

#[test]
fn sparse_accessors_are_read_with_and_without_a_base() {
    let mut file = GltfFile::default();
    file.positions(&SQUARE);
    let indices = file.view(&[1, 3]);
    let values: Vec<u8> = [7f32, 8., 9., -1., -2., -3.]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let values = file.view(&values);
    let sparse = format!(
        r#","sparse":{{"count":2,"indices":{{"bufferView":{indices},"componentType":5121}},"values":{{"bufferView":{values}}}}}}}"#
    );
    file.accessors[0].pop();
    file.accessors[0] += &sparse;
    let without_base = file.accessors[0].replace(r#""bufferView":0,"#, "");
    file.accessors.push(without_base);
    file.mesh(r#"{"attributes":{"POSITION":0},"mode":6},{"attributes":{"POSITION":1},"mode":6}"#);
    file.node(r#""mesh":0"#);
    let [a, b] = [vec3(7., 8., 9.), vec3(-1., -2., -3.)];
    let [p, q] = [SQUARE[0], SQUARE[2]].map(Vec3::from);
    let zero = Vec3::ZERO;
    assert_eq!(
        load(file.gltf()).unwrap().vertices,
        [p, a, q, b, zero, a, zero, b]
    );

    let bad = |from: &str, to: &str| message(file.gltf().replace(from, to));
    let element = "node 0, mesh 0 'm', primitive 0: POSITION, accessor 0: ";
    let mut far = file.clone();
    far.binary[49] = 4;
    assert_eq!(
        message(far.gltf()),
        format!("{element}sparse index 1 is 4, but there are only 4 elements")
    );
    assert_eq!(
        bad(r#""sparse":{"count":2"#, r#""sparse":{"count":3"#),
        format!("{element}3 elements from byte 0 on exceed the 2 bytes of buffer view 1")
    );
    assert_eq!(
        bad(r#"5121},"#, r#"5120},"#),
        format!("{element}the type of its sparse indices is unknown")
    );
    assert_eq!(
        bad(
            r#"{"componentType":5126,"type":"VEC3","count":4"#,
            r#"{"componentType":5126,"type":"VEC3","count":4000000000000"#
        ),
        "node 0, mesh 0 'm', primitive 1: POSITION, accessor 1: it has 4000000000000 elements but no bytes for them"
    );
}

#[test]
fn strides_and_quantized_positions_are_read() {
    let mut file = GltfFile::default();
    // Each element has three bytes and is followed by one byte of padding.
    file.accessor(&[0, 128, 255, 9, 127, 0, 0, 9, 1, 2, 3], 5121, "VEC3", 3);
    file.views[0] = file.views[0].replace(r#""buffer":0"#, r#""buffer":0,"byteStride":4"#);
    let signed = file.accessors[0]
        .replace("5121", "5120")
        .replace("{", r#"{"normalized":true,"#);
    file.accessors.push(signed);
    let wide: Vec<u8> = [1u16, 2, 65535]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    file.accessor(&wide.repeat(3), 5123, "VEC3", 3);
    let signed = file.accessors[2]
        .replace("5123", "5122")
        .replace("{", r#"{"normalized":true,"#);
    file.accessors.push(signed);
    file.mesh(
        r#"{"attributes":{"POSITION":0}},{"attributes":{"POSITION":1}},
        {"attributes":{"POSITION":2}},{"attributes":{"POSITION":3}}"#,
    );
    file.node(r#""mesh":0"#);
    file.more = r#","extensionsRequired":["KHR_mesh_quantization","KHR_materials_unlit"]"#.into();
    let vertices = load(file.gltf()).unwrap().vertices;
    assert_eq!(vertices[..2], [vec3(0., 128., 255.), vec3(127., 0., 0.)]);
    assert_eq!(
        vertices[3..5],
        [vec3(0., -1., -1. / 127.), vec3(1., 0., 0.)]
    );
    assert_eq!(vertices[6], vec3(1., 2., 65535.));
    assert_eq!(vertices[9], vec3(1. / 32767., 2. / 32767., -1. / 32767.));
    assert_eq!(
        message(
            file.gltf()
                .replace(r#""byteStride":4"#, r#""byteStride":2"#)
        ),
        "node 0, mesh 0 'm', primitive 0: POSITION, accessor 0: buffer view 0: elements of 3 bytes are 2 bytes apart"
    );
}

/// Reads a file with the `gltf` crate.
fn oracle(bytes: &[u8]) -> Vec<[Vec3; 3]> {
    let gltf = gltf::Gltf::from_slice(bytes).unwrap();
    let blob = gltf.blob.as_deref();
    let mut triangles = Vec::new();
    let mut stack: Vec<_> = gltf
        .nodes()
        .map(|node| (node, glam::Mat4::IDENTITY))
        .collect();
    let children: Vec<usize> = gltf
        .nodes()
        .flat_map(|n| n.children().map(|c| c.index()).collect::<Vec<_>>())
        .collect();
    stack.retain(|(node, _)| !children.contains(&node.index()));
    stack.reverse();
    while let Some((node, parent_transform)) = stack.pop() {
        let transform =
            parent_transform * glam::Mat4::from_cols_array_2d(&node.transform().matrix());
        for primitive in node.mesh().iter().flat_map(|mesh| mesh.primitives()) {
            let reader = primitive.reader(|_| blob);
            let points: Vec<Vec3> = reader.read_positions().unwrap().map(Vec3::from).collect();
            let corners: Vec<u32> = match reader.read_indices() {
                Some(indices) => indices.into_u32().collect(),
                None => (0..points.len() as u32).collect(),
            };
            triangles.extend(corners.chunks(3).map(|corners| {
                let [a, b, c] =
                    [0, 1, 2].map(|i| transform.transform_point3(points[corners[i] as usize]));
                if transform.determinant() < 0.0 {
                    [a, c, b]
                } else {
                    [a, b, c]
                }
            }));
        }
        let below: Vec<_> = node.children().map(|child| (child, transform)).collect();
        stack.extend(below.into_iter().rev());
    }
    triangles
}

fn arbitrary_file() -> impl Strategy<Value = GltfFile> {
    let number = -8f32..8.0;
    let node = (
        prop::array::uniform3(number.clone()),
        prop::array::uniform3(-2f32..2.0),
        prop::array::uniform4(-1f32..1.0)
            .prop_filter("a rotation", |q| glam::Quat::from_array(*q).length() > 0.1),
        any::<prop::sample::Index>(),
    );
    let points = proptest::collection::vec(prop::array::uniform3(number), 3..9);
    let corners = proptest::collection::vec(any::<[prop::sample::Index; 3]>(), 1..5);
    (
        points,
        corners,
        proptest::collection::vec(node, 1..6),
        0..3usize,
    )
        .prop_map(|(points, corners, nodes, width)| {
            let mut file = GltfFile::default();
            file.positions(&points);
            let corners: Vec<u32> = corners
                .as_flattened()
                .iter()
                .map(|i| i.index(points.len()) as u32)
                .collect();
            let bytes: Vec<u8> = corners
                .iter()
                .flat_map(|c| c.to_le_bytes()[..1 << width].to_vec())
                .collect();
            let component = [5121, 5123, 5125][width];
            file.accessor(&bytes, component, "SCALAR", corners.len());
            file.positions(&points[..3]);
            file.mesh(r#"{"attributes":{"POSITION":0},"indices":1},{"attributes":{"POSITION":2}}"#);
            // Each node is a child of an earlier node or a root.
            let parents: Vec<usize> = nodes
                .iter()
                .enumerate()
                .map(|(i, node)| node.3.index(i + 1))
                .collect();
            for (i, (t, s, r, _)) in nodes.iter().enumerate() {
                let children: Vec<usize> = (i + 1..nodes.len())
                    .filter(|&child| parents[child] == i)
                    .collect();
                let children = if children.is_empty() {
                    String::new()
                } else {
                    format!(r#","children":{children:?}"#)
                };
                let r = glam::Quat::from_array(*r).normalize().to_array();
                file.node(&format!(
                    r#""mesh":0,"translation":{t:?},"scale":{s:?},"rotation":{r:?}{children}"#
                ));
            }
            file
        })
}

#[test]
fn a_very_deep_tree_does_not_overflow_the_stack() {
    let mut file = square();
    let depth = 100_000;
    for i in 1..depth {
        file.node(&format!(r#""children":[{i}],"translation":[1,0,0]"#));
    }
    file.node(r#""mesh":0"#);
    assert_eq!(load(file.gltf()).unwrap().vertices[0].x, (depth - 1) as f32);
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn triangles_are_those_that_the_gltf_crate_reads(file in arbitrary_file()) {
        let bytes = file.glb();
        let read = load(&bytes).unwrap();
        let expected = oracle(&bytes);
        prop_assert_eq!(read.triangles.len(), expected.len());
        for (i, expected) in expected.iter().enumerate() {
            for (corner, expected) in read.corners(i).iter().zip(expected) {
                let tolerance = 1e-4 * (1.0 + expected.length());
                prop_assert!(corner.distance(*expected) < tolerance, "{}, expected {}", corner, expected);
            }
        }
    }
}
