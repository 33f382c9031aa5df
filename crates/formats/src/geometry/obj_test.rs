use glam::vec3;
use proptest::prelude::*;

use super::*;

const SQUARE: &str = "v 0 0 0\nv 0 0 4\nv 4 0 4\nv 4 0 0\n";

fn message(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

fn with_faces(faces: &str) -> Triangles {
    read(format!("{SQUARE}{faces}").as_bytes()).unwrap()
}

#[test]
fn faces_are_triangulated_and_keep_their_orientation() {
    let square = with_faces("f 1//1 2/3 -2 4\n");
    assert_eq!(square.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert!((0..2).all(|triangle| square.normal(triangle).y > 0.0));
    assert!(square.materials.is_empty() && square.material_names.is_empty());
}

#[test]
fn materials_keep_their_names() {
    let faces = "f 1 2 3\nusemtl never used\nusemtl  wet  grass#2 # a comment\nf 1 2 3 4\n\
                 usemtl stone\nf 2 3 4\nusemtl wet  grass#2\nf 1 2 4\nusemtl\nf 1 2 3\n";
    let mixed = with_faces(faces);
    assert_eq!(mixed.material_names, ["", "wet  grass#2", "stone"]);
    assert_eq!(mixed.materials, [0, 1, 1, 2, 1, 0]);
    let all = with_faces("usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n");
    assert_eq!((all.material_names.len(), all.materials), (2, vec![0, 1]));
    assert!(with_faces("f 1 2 3\nusemtl a\n").materials.is_empty());
}

#[test]
fn triangles_without_area_and_vertices_without_triangles_are_kept() {
    let degenerate = with_faces("f 1 1 2\nf 1 1 1\n");
    assert_eq!(degenerate.triangles, [[0, 0, 1], [0, 0, 0]]);
    assert_eq!(degenerate.vertices.len(), 4);
}

#[test]
fn errors_name_the_line() {
    assert_eq!(message("\n"), "the file has no triangles");
    assert_eq!(message(SQUARE), "the file has no triangles");
    assert_eq!(
        message("\nv 0 inf 0\n"),
        "line 2: y = 'inf' is not a finite number"
    );
    assert_eq!(message("v 0 0\n"), "line 1: this vertex has no z");
    assert_eq!(
        message(&format!("{SQUARE}\nf 1 2 9\n")),
        "line 6: there is no vertex 9; the lines before define 4"
    );
    assert_eq!(
        message(&format!("{SQUARE}f 1 2\n")),
        "line 5: a face needs 3 corners, but this one has 2"
    );
    let teeth = 4097;
    let mut comb = String::new();
    for x in 0..teeth {
        comb += &format!("v {x} {} 0\n", x % 2);
    }
    comb += "f";
    for x in 1..=teeth {
        comb += &format!(" {x}");
    }
    assert_eq!(
        message(&comb),
        "line 4098: a concave face can have at most 4096 corners, but this one has 4097"
    );
}

fn written(triangles: &Triangles, comments: &[String]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write(triangles, comments, &mut bytes).map(|()| bytes)
}

#[test]
fn comments_materials_and_faces_are_written() {
    let mut triangles = with_faces("f 1 2 3\nusemtl wet grass\nf 1 3 4\nusemtl\nf 1 2 4\n");
    triangles.vertices[2].y = -0.1;
    let text = written(&triangles, &["a floor".into(), "of\ntwo \\".into()]).unwrap();
    assert_eq!(
        String::from_utf8(text.clone()).unwrap(),
        "# a floor\n# of\n# two \\\nv 0 0 0\nv 0 0 4\nv 4 -0.1 4\nv 4 0 0\nf 1 2 3\n\
         usemtl wet grass\nf 1 3 4\nusemtl \nf 1 2 4\n"
    );
    assert_eq!(read(&text).unwrap(), triangles);
}

#[test]
fn triangles_that_the_format_cannot_store_are_errors() {
    let good = with_faces("usemtl a\nf 1 2 3\n");
    let refused = |change: &dyn Fn(&mut Triangles)| {
        let mut bad = good.clone();
        change(&mut bad);
        let error = written(&bad, &[]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        error.to_string()
    };
    for name in [" a", "a ", "a\nb", "a\\", "#a", "a #b", "a\r"] {
        assert_eq!(
            refused(&|bad| bad.material_names[0] = name.into()),
            format!("the material name {name:?} cannot be written")
        );
    }
    assert_eq!(
        refused(&|bad| bad.materials[0] = 1),
        "the material of triangle 0 does not exist"
    );
    assert_eq!(
        refused(&|bad| bad.triangles[0][1] = 4),
        "triangle 0 has no vertex 4"
    );
    assert_eq!(
        refused(&|bad| bad.vertices[3].x = f32::NAN),
        "vertex 3 is [NaN, 0, 0]"
    );
}

fn finite() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<f32>().prop_filter("finite", |number| number.is_finite()),
        -1e4f32..1e4,
        (-8i8..8).prop_map(f32::from),
    ]
}

/// Generates triangles whose materials are numbered as by the reader.
fn triangles() -> impl Strategy<Value = Triangles> {
    let point = (finite(), finite(), finite()).prop_map(|(x, y, z)| vec3(x, y, z));
    let points = proptest::collection::vec(point, 1..20);
    let name = prop_oneof!["", "a", "wet grass", "[a-z#äß]{1,3}\\.[0-9]"];
    let runs = proptest::collection::vec(
        (
            name,
            proptest::collection::vec(any::<[prop::sample::Index; 3]>(), 0..4),
        ),
        1..6,
    );
    (points, runs)
        .prop_filter("a triangle", |(_, runs)| {
            runs.iter().any(|(_, triangles)| !triangles.is_empty())
        })
        .prop_map(|(vertices, runs)| {
            let mut collector = TriangleCollector::default();
            collector.triangles.vertices = vertices;
            for (name, triangles) in runs {
                let collected = &mut collector.triangles;
                let count = collected.vertices.len();
                let triangles = triangles.iter();
                collected
                    .triangles
                    .extend(triangles.map(|corners| corners.map(|c| c.index(count) as u32)));
                collector.assign_material(if name.starts_with('#') { "" } else { &name });
            }
            collector.finish().unwrap()
        })
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn triangles_survive_a_round_trip(triangles in triangles()) {
        prop_assert_eq!(read(&written(&triangles, &[]).unwrap()).unwrap(), triangles);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes);
    }

    #[test]
    fn arbitrary_faces_never_panic(
        points in proptest::collection::vec((finite(), finite(), finite()), 3..40),
    ) {
        let mut text = String::new();
        for (x, y, z) in &points {
            text += &format!("v {x} {y} {z}\n");
        }
        text += "f";
        for i in 1..=points.len() {
            text += &format!(" {i}");
        }
        let read = read(text.as_bytes()).unwrap();
        prop_assert!(!read.triangles.is_empty());
        prop_assert!(read.triangles.len() <= points.len() - 2);
    }
}
