//! Tests of `portolan import` and `portolan export`.

use crate::common::{Folder, count, ground, obj, two_islands, two_routes};
use serde_json::{Value, json};

fn info(folder: &Folder, name: &str) -> Value {
    let line = format!("info {name} --json");
    folder.run(&line).succeeded().json()
}

fn counts(info: &Value) -> [u64; 3] {
    ["polygons", "portals", "components"].map(|field| count(info, field))
}

/// Two adjacent squares with walls around them, in Polyanya's format.
const SQUARES: &str = "mesh\n2\n6 2\n0 0 2 0 -1\n2 0 3 0 1 -1\n4 0 2 1 -1\n4 2 2 1 -1\n\
                       2 2 3 0 1 -1\n0 2 2 0 -1\n\
                       4 0 1 4 5 -1 -1 1 -1\n4 1 2 3 4 0 -1 -1 -1\n";

#[test]
fn an_obj_is_imported() {
    let folder = Folder::new();
    folder.write("w.obj", obj(&two_routes()));
    let output = folder.run("import w.obj -o w.pnav").succeeded().stdout;
    assert_eq!(output, "w.pnav: 6 polygons, 7 portals, 1 component\n");
    let info = info(&folder, "w.pnav");
    assert_eq!(counts(&info), [6, 7, 1]);
    assert_eq!(
        info["areas"],
        json!([{"area": 0, "polygons": 4}, {"area": 3, "polygons": 1}, {"area": 4, "polygons": 1}])
    );
    assert_eq!(folder.names(), ["w.obj", "w.pnav"]);
}

#[test]
fn a_mesh_file_is_imported() {
    let folder = Folder::new();
    folder.write("w.mesh", SQUARES);
    let output = folder.run("import w.mesh -o w.pnav").succeeded().stdout;
    assert_eq!(output, "w.pnav: 2 polygons, 1 portal, 1 component\n");
    let answer = folder
        .run("path w.pnav --from 1,0,1 --to 3,0,1 --json")
        .succeeded()
        .json();
    assert_eq!(answer["polygons"], json!([0, 1]));
}

#[test]
fn only_selected_islands_are_kept() {
    let folder = Folder::new();
    folder.write("w.obj", obj(&two_islands()));
    let kept = |options: &str| {
        let line = format!("import w.obj -o w.pnav {options}");
        let output = folder.run(&line).succeeded().stdout;
        (counts(&info(&folder, "w.pnav")), output)
    };
    assert_eq!(kept("").0, [5, 3, 2]);
    assert_eq!(kept("--min-component 2").0, [5, 3, 2]);
    let (counts, output) = kept("--min-component 3");
    assert_eq!(counts, [3, 2, 1]);
    assert!(
        output.contains("dropped islands with 2 polygons"),
        "{output}"
    );
    assert_eq!(kept("--holding 11,0,1").0, [2, 1, 1]);
    // Polygons keep the ids of the file.
    let answer = folder
        .run("path w.pnav --from 11,0,1 --to 13,0,1 --json")
        .succeeded()
        .json();
    assert_eq!(answer["polygons"], json!([3, 4]));
    assert_eq!(kept("--holding 1,0,1").0, [3, 2, 1]);
    assert_eq!(kept("--holding 1,0,1 --holding 13,0,1").0, [5, 3, 2]);
    assert_eq!(kept("--holding 1,0,1 --min-component 3").0, [3, 2, 1]);

    let before = folder.bytes("w.pnav");
    for options in [
        "--min-component 4",
        "--holding 8,0,1",
        "--holding -50,0,-50",
        "--holding 11,0,1 --min-component 3",
    ] {
        folder
            .run(&format!("import w.obj -o w.pnav {options}"))
            .failed_with(&["w.obj"]);
    }
    assert_eq!(folder.bytes("w.pnav"), before);
    assert_eq!(folder.names(), ["w.obj", "w.pnav"]);
}

#[test]
fn edges_are_matched_up_to_the_step() {
    let folder = Folder::new();
    let mut faces = vec![
        ground([0.0, 0.0], [2.0, 2.0]),
        ground([2.0, 0.0], [4.0, 2.0]),
        // It meets half of an edge, half a metre higher.
        ground([4.0, 0.0], [6.0, 1.0]),
    ];
    faces[2].y = 0.5;
    folder.write("w.obj", obj(&faces));
    let portals = |options: &str| {
        let line = format!("import w.obj -o w.pnav -q {options}");
        folder.run(&line).succeeded();
        counts(&info(&folder, "w.pnav"))
    };
    assert_eq!(portals(""), [3, 2, 1]);
    assert_eq!(portals("--step 0.6"), [3, 2, 1]);
    assert_eq!(portals("--step 0.3"), [3, 1, 2]);
    // Faces share no vertices, so nothing is connected.
    assert_eq!(portals("--no-border-matching"), [3, 0, 3]);
    folder
        .run("import w.obj -o w.pnav --step 1 --no-border-matching")
        .failed_with(&["--step", "--no-border-matching"]);
    folder.write(
        "w.mesh",
        "mesh\n2\n3 1\n0 0 1 0\n1 0 1 0\n0 1 1 0\n3 0 1 2 -1 -1 -1\n",
    );
    folder.run("import w.mesh -o w.pnav -q").succeeded();
    folder
        .run("import w.mesh -o w.pnav --step 1")
        .failed_with(&["w.mesh", "--step"]);
}

#[test]
fn a_concave_polygon_is_an_error_unless_tolerated() {
    let folder = Folder::new();
    folder.write(
        "w.obj",
        "v 0 0 0\nv 1 0 0.1\nv 2 0 0\nv 2 0 2\nv 0 0 2\nf 1 2 3 4 5\n",
    );
    folder
        .run("import w.obj -o w.pnav")
        .failed_with(&["w.obj", "polygon 0"]);
    assert_eq!(folder.names(), ["w.obj"]);
    folder
        .run("import w.obj -o w.pnav --convexity-tolerance 0.2")
        .succeeded();
}

#[test]
fn repairs_are_reported() {
    let folder = Folder::new();
    // A clockwise face, and faces of zero area.
    folder.write(
        "w.obj",
        "v 0 0 0\nv 2 0 0\nv 2 0 2\nv 0 0 2\nf 4 3 2 1\nf 1 2 1 2\nf 1 2 2\n",
    );
    let output = folder.run("import w.obj -o w.pnav").succeeded().stdout;
    assert!(
        output.contains("reversed polygons") && output.contains("zero area"),
        "{output}"
    );
    let info = info(&folder, "w.pnav");
    assert_eq!(info["repairs"]["rewound"], 1);
    assert_eq!(count(&info, "polygons"), 1);
}

#[test]
fn exported_files_can_be_imported() {
    for scene in [
        "rooms --size small --areas",
        "open --size small",
        "open --size small --floors 2 --relief 4 --areas",
    ] {
        let folder = Folder::with_scene(scene);
        let original = info(&folder, "world.pnav");
        for extension in ["obj", "mesh"] {
            let output = folder
                .run(&format!("export world.pnav -o out.{extension}"))
                .succeeded()
                .stdout;
            let polygons = count(&original, "polygons");
            assert!(
                output.starts_with(&format!("out.{extension}: {polygons} polygons\n")),
                "{output}"
            );
            let loses = extension == "mesh" && scene.contains("--areas");
            assert_eq!(output.contains("not exported"), loses, "{output}");
            folder
                .run(&format!("import out.{extension} -o back.pnav -q"))
                .succeeded();
            let back = info(&folder, "back.pnav");
            assert_eq!(counts(&back), counts(&original), "{scene} as .{extension}");
            if extension == "obj" {
                assert_eq!(back["areas"], original["areas"], "{scene}");
                assert_eq!(
                    [&back["min"], &back["max"]],
                    [&original["min"], &original["max"]]
                );
            }
        }
        let names = ["back.pnav", "out.mesh", "out.obj", "world.pnav"];
        assert_eq!(folder.names(), names);
    }
}

/// The counts and the path are the same after exporting and importing a second time.
#[test]
fn a_second_round_trip_changes_nothing() {
    let folder = Folder::with_scene("rooms --size small --areas");
    for extension in ["obj", "mesh"] {
        for line in [
            format!("export world.pnav -o one.{extension} -q"),
            format!("import one.{extension} -o two.pnav -q"),
            format!("export two.pnav -o two.{extension} -q"),
            format!("import two.{extension} -o three.pnav -q"),
        ] {
            folder.run(&line).succeeded();
        }
        let [two, three] = ["two.pnav", "three.pnav"].map(|name| info(&folder, name));
        assert_eq!(counts(&two), counts(&three));
        let query = "--from 3,0,3 --to 40,0,30 --json";
        let [one, two] = ["world.pnav", "two.pnav"].map(|name| {
            let line = format!("path {name} {query}");
            folder.run(&line).succeeded().json()
        });
        let cost = |answer: &Value| answer["cost"].as_f64().unwrap();
        assert!((cost(&one) - cost(&two)).abs() < 1e-3, ".{extension}");
    }
}

#[test]
fn links_that_are_not_exported_are_reported() {
    let folder = Folder::with_scene("rooms --size small --links");
    for extension in ["obj", "mesh"] {
        let line = format!("export world.pnav -o out.{extension}");
        let output = folder.run(&line).succeeded().stdout;
        assert!(
            output.contains("not exported") && output.contains("5 links"),
            "{output}"
        );
        assert_eq!(folder.run(&format!("{line} -q")).succeeded().stdout, "");
    }
}

#[test]
fn areas_and_heights_that_are_not_exported_are_reported() {
    let folder = Folder::with_scene("rooms --size small --areas --floors 2");
    let output = folder.run("export world.pnav -o out.mesh").succeeded();
    assert!(output.stdout.contains("areas"), "{output:?}");
    assert!(output.stdout.contains("heights"), "{output:?}");
}

#[test]
fn wrong_usage_is_an_error() {
    let folder = Folder::with_world(&two_routes());
    folder.write("w.obj", obj(&two_routes()));
    folder.write("w.fbx", "not much");
    for (line, names) in [
        ("import", &["FOREIGN"][..]),
        ("import w.obj", &["--output"]),
        ("import w.obj -o x.obj", &["x.obj", ".pnav"]),
        ("import w.obj -o x", &["x: "]),
        ("import w.fbx -o x.pnav", &["w.fbx", ".obj"]),
        ("import world.pnav -o x.pnav", &["world.pnav"]),
        ("import none.obj -o x.pnav", &["none.obj"]),
        ("import w.obj -o no/x.pnav", &["no/x.pnav"]),
        ("import w.obj -o w.obj/x.pnav", &["w.obj/x.pnav"]),
        (
            "import w.obj -o x.pnav --min-component=-1",
            &["--min-component"],
        ),
        (
            "import w.obj -o x.pnav --min-component 4294967296",
            &["--min-component"],
        ),
        ("import w.obj -o x.pnav --holding 1,2", &["--holding"]),
        ("import w.obj -o x.pnav --holding nan,0,0", &["--holding"]),
        ("import w.obj -o x.pnav --step=-0.1", &["--step"]),
        ("import w.obj -o x.pnav --step nan", &["--step"]),
        (
            "import w.obj -o x.pnav --convexity-tolerance=-1",
            &["--convexity-tolerance"],
        ),
        ("export", &["WORLD"]),
        ("export world.pnav", &["--output"]),
        ("export world.pnav -o x.fbx", &["x.fbx", ".obj", ".mesh"]),
        ("export world.pnav -o x.pnav", &["x.pnav"]),
        ("export none.pnav -o x.obj", &["none.pnav"]),
        ("export w.obj -o x.mesh", &["w.obj"]),
        ("export world.pnav -o no/x.obj", &["no/x.obj"]),
    ] {
        folder.run(line).failed_with(names);
    }
    assert_eq!(folder.names(), ["w.fbx", "w.obj", "world.pnav"]);
}

#[test]
fn an_error_in_an_imported_file_names_its_line() {
    let folder = Folder::new();
    let truncated = &SQUARES[..SQUARES.len() - 9];
    for (name, content, names) in [
        ("a.obj", "", &["the file is empty"][..]),
        ("a.obj", "\n", &["faces"]),
        ("a.obj", "v 0 0 0\nv 1 0 0\n", &["faces"]),
        ("a.obj", "v 0 0 0\nv 1 0\n", &["line 2"]),
        ("a.obj", "v 0 0 0\nv 1 nan 0\n", &["line 2"]),
        ("a.obj", "v 0 0 0\nv 1 1e99 0\n", &["line 2"]),
        ("a.obj", "v 0 0 0\nf 1 2 3\n", &["line 2", "vertex 2"]),
        ("a.obj", "v 0 0 0\nf 0 1 1\n", &["line 2"]),
        ("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", &["line 3"]),
        ("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 x\n", &["line 3"]),
        ("a.mesh", "", &["the file is empty"]),
        ("a.mesh", "\n", &["Polyanya"]),
        ("a.mesh", "mesh\n3\n", &["version"]),
        ("a.mesh", "mesh\n2\n1 1\n", &[]),
        ("a.mesh", "mesh\n2\n4000000000 4000000000\n", &[]),
        ("a.mesh", truncated, &[]),
        ("a.bin", "", &["the file is empty"]),
        ("a.bin", "TESM but no more", &[]),
        (
            "a.bin",
            "this is a text file and not a tile set",
            &["Detour"],
        ),
    ] {
        folder.write(name, content);
        folder
            .run(&format!("import {name} -o w.pnav"))
            .failed_with(&[&[name], names].concat());
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    std::fs::create_dir(folder.path("folder.obj")).unwrap();
    folder
        .run("import folder.obj -o w.pnav")
        .failed_with(&["folder.obj"]);
    assert_eq!(folder.names(), ["folder.obj"]);
}
