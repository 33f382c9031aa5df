//! Compares the reader of level geometry with that of the `tobj` crate, on generated files and on real maps,
//! and opens files by path. The real maps are in a folder beside the checkout and not part of it.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use glam::{Vec3, vec3};
use portolan_core::{Ground, Triangles};
use portolan_formats::{LevelOptions, Up, geometry, open_areas, open_geometry};
use proptest::prelude::*;

/// Reads the corners of every triangle with `tobj`, which cuts faces into fans.
fn oracle(bytes: &[u8]) -> Vec<[Vec3; 3]> {
    let options = tobj::LoadOptions {
        triangulate: true,
        ..tobj::LoadOptions::default()
    };
    let no_materials = |_: &Path| Err(tobj::LoadError::OpenFileFailed);
    let (models, _) = tobj::load_obj_buf(&mut Cursor::new(bytes), &options, no_materials).unwrap();
    let mut triangles = Vec::new();
    for mesh in models.iter().map(|model| &model.mesh) {
        let position = |i: u32| Vec3::from_slice(&mesh.positions[3 * i as usize..]);
        let corners = mesh.indices.as_chunks::<3>().0.iter();
        triangles.extend(corners.map(|triangle| triangle.map(position)));
    }
    triangles
}

fn corners(triangles: &Triangles) -> Vec<[Vec3; 3]> {
    (0..triangles.triangles.len())
        .map(|triangle| triangles.corners(triangle))
        .collect()
}

#[test]
fn real_maps_are_read_as_by_tobj() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let Ok(files) = std::fs::read_dir(folder) else {
        println!("skipped: there are no real maps");
        return;
    };
    let mut maps = 0;
    for path in files.map(|file| file.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.ends_with(".obj") {
            continue;
        }
        let read = corners(&open_geometry(&path, &LevelOptions::default()).unwrap());
        let expected = oracle(&std::fs::read(&path).unwrap());
        assert_eq!(read.len(), expected.len(), "{name}");
        // In `nav_test` some walls with openings are single concave faces, which tobj cuts into fans.
        let pairs = read.iter().zip(&expected);
        let differing: Vec<_> = pairs.filter(|(read, expected)| read != expected).collect();
        println!(
            "{name}: {} triangles, {} differ",
            read.len(),
            differing.len()
        );
        assert!(differing.len() <= 32, "{name}: {}", differing.len());
        let normal = |[a, b, c]: &[Vec3; 3]| (b - a).cross(c - a);
        let sums: [Vec3; 2] = [
            differing.iter().map(|(read, _)| normal(read)).sum(),
            differing.iter().map(|(_, expected)| normal(expected)).sum(),
        ];
        assert!(sums[0].distance(sums[1]) < 1e-3, "{name}: {sums:?}");
        maps += 1;
    }
    println!("{maps} maps");
}

/// Generates a convex face anywhere in space. Its corners are on an ellipse, in order.
fn face() -> impl Strategy<Value = Vec<Vec3>> {
    let number = -50f32..50.0;
    let axis = prop::array::uniform3(number.clone());
    (
        prop::array::uniform3(number),
        axis.clone(),
        axis,
        proptest::collection::vec(0.2f32..1.0, 3..9),
    )
        .prop_filter("a plane", |(_, a, b, _)| {
            Vec3::from(*a).cross(Vec3::from(*b)).length() > 10.0
        })
        .prop_map(|(centre, a, b, steps)| {
            let [centre, a, b] = [centre, a, b].map(Vec3::from);
            let total: f32 = steps.iter().sum();
            let angles = steps.iter().scan(0.0, |sum, step| {
                *sum += step;
                Some(*sum / total * std::f32::consts::TAU)
            });
            angles
                .map(|angle| centre + a * angle.cos() + b * angle.sin())
                .collect()
        })
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn convex_faces_are_triangulated_as_by_tobj(
        faces in proptest::collection::vec((face(), 0..4u8, any::<bool>()), 1..8),
    ) {
        let mut text = "# faces\no thing\n".to_owned();
        let mut vertices = 0;
        for (face, style, material) in &faces {
            if *material {
                text += "usemtl m\n";
            }
            for Vec3 { x, y, z } in face {
                text += &format!("v {x} {y} {z}\nvt 0 0\nvn 0 1 0\n");
            }
            text += "f";
            for i in 0..face.len() {
                let (forth, back) = (vertices + i + 1, face.len() - i);
                text += &match style {
                    0 => format!(" {forth}"),
                    1 => format!(" -{back}"),
                    2 => format!(" {forth}/1"),
                    _ => format!(" {forth}//1"),
                };
            }
            text += "\n";
            vertices += face.len();
        }
        let read = geometry::obj::read(text.as_bytes()).unwrap();
        prop_assert_eq!(read.vertices.len(), vertices);
        prop_assert_eq!(corners(&read), oracle(text.as_bytes()));
    }
}

#[test]
fn files_are_opened_by_path_and_errors_name_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let write = |name: &str, bytes: &[u8]| std::fs::write(path(name), bytes).unwrap();

    write("floor.obj", b"v 0 0 1\nv 1 0 1\nv 1 1 1\nf 1 2 3\n");
    let floor = open_geometry(
        &path("floor.obj"),
        &LevelOptions {
            up: Up::Z,
            ..LevelOptions::default()
        },
    )
    .unwrap();
    assert_eq!(floor.vertices[2], vec3(1., 1., -1.));

    let points: Vec<u8> = [0f32, 0., 0., 0., 0., 1., 1., 0., 1.]
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    std::fs::create_dir(path("in it")).unwrap();
    write("in it/points.bin", &points);
    let gltf = r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "buffers":[{"byteLength":36,"uri":"in%20it/points.bin"}]}"#;
    write("floor.gltf", gltf.as_bytes());
    let floor = open_geometry(&path("floor.gltf"), &LevelOptions::default()).unwrap();
    assert_eq!(floor.triangles, [[0, 1, 2]]);
    assert!(floor.normal(0).y > 0.0);

    std::fs::remove_file(path("in it/points.bin")).unwrap();
    let error = open_geometry(&path("floor.gltf"), &LevelOptions::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with(&path("floor.gltf").display().to_string()),
        "{error}"
    );
    assert!(error.contains("buffer 0: 'in it/points.bin': "), "{error}");

    let error = open_geometry(&path("none.obj"), &LevelOptions::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with(&path("none.obj").display().to_string()),
        "{error}"
    );

    write("areas.toml", b"[materials]\nwater = \"hole\"\n");
    let rules = open_areas(&path("areas.toml")).unwrap();
    assert_eq!(rules.materials["water"], Ground::Hole);
    write("areas.toml", b"[material]\n");
    let error = open_areas(&path("areas.toml")).unwrap_err().to_string();
    assert!(
        error.contains("areas.toml: line 1: unknown field `material`"),
        "{error}"
    );
}

/// Fuzzing starts from these files, so they must be valid.
#[test]
fn seeds_of_the_fuzz_targets_can_be_read() {
    let seeds = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    for seed in [
        "gltf/text.gltf",
        "gltf/binary.glb",
        "gltf/sparse.glb",
        "geometry_obj/concave.obj",
        "geometry_obj/star.obj",
    ] {
        open_geometry(&seeds.join(seed), &LevelOptions::default()).unwrap();
    }
    let rules = open_areas(&seeds.join("areas/all.toml")).unwrap();
    assert_eq!((rules.volumes.len(), rules.links.len()), (2, 1));
}
