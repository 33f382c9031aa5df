//! `portolan import` and `portolan export`: there and back.

use crate::common::{Folder, count, ground, obj, two_islands, two_ways};
use serde_json::{Value, json};

fn info(folder: &Folder, name: &str) -> Value {
    let line = format!("info {name} --json");
    folder.run(&line).succeeded().json()
}

fn counts(info: &Value) -> [u64; 3] {
    ["polygons", "portals", "components"].map(|field| count(info, field))
}

/// Two squares side by side, walls around them.
const SQUARES: &str = "mesh\n2\n6 2\n0 0 2 0 -1\n2 0 3 0 1 -1\n4 0 2 1 -1\n4 2 2 1 -1\n\
                       2 2 3 0 1 -1\n0 2 2 0 -1\n\
                       4 0 1 4 5 -1 -1 1 -1\n4 1 2 3 4 0 -1 -1 -1\n";

#[test]
fn an_obj_becomes_a_world() {
    let folder = Folder::new();
    folder.write("w.obj", obj(&two_ways()));
    let said = folder.run("import w.obj -o w.pnav").succeeded().stdout;
    assert_eq!(said, "w.pnav: 6 polygons, 7 portals, 1 component\n");
    let info = info(&folder, "w.pnav");
    assert_eq!(counts(&info), [6, 7, 1]);
    assert_eq!(
        info["areas"],
        json!([{"area": 0, "polygons": 4}, {"area": 3, "polygons": 1}, {"area": 4, "polygons": 1}])
    );
    assert_eq!(folder.names(), ["w.obj", "w.pnav"]);
}

#[test]
fn a_mesh_becomes_a_world() {
    let folder = Folder::new();
    folder.write("w.mesh", SQUARES);
    let said = folder.run("import w.mesh -o w.pnav").succeeded().stdout;
    assert_eq!(said, "w.pnav: 2 polygons, 1 portal, 1 component\n");
    let answer = folder
        .run("path w.pnav --from 1,0,1 --to 3,0,1 --json")
        .succeeded()
        .json();
    assert_eq!(answer["polygons"], json!([0, 1]));
}

#[test]
fn small_islands_go() {
    let folder = Folder::new();
    folder.write("w.obj", obj(&two_islands()));
    let kept = |options: &str| {
        let line = format!("import w.obj -o w.pnav {options}");
        let said = folder.run(&line).succeeded().stdout;
        (counts(&info(&folder, "w.pnav")), said)
    };
    assert_eq!(kept("").0, [5, 3, 2]);
    assert_eq!(kept("--min-component 2").0, [5, 3, 2]);
    let (counts, said) = kept("--min-component 3");
    assert_eq!(counts, [3, 2, 1]);
    assert!(said.contains("2 polygons"), "what went is said: {said}");
    assert_eq!(kept("--holding 11,0,1").0, [2, 1, 1]);
    // The ids stay those of the file.
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
            .complained_about(&["w.obj"]);
    }
    assert_eq!(folder.bytes("w.pnav"), before);
    assert_eq!(folder.names(), ["w.obj", "w.pnav"]);
}

#[test]
fn steps_and_border_matching() {
    let folder = Folder::new();
    let mut faces = vec![
        ground([0.0, 0.0], [2.0, 2.0]),
        ground([2.0, 0.0], [4.0, 2.0]),
        // Half a border against a whole one, and half a metre up.
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
    // Every face has corners of its own, so nothing meets by corners.
    assert_eq!(portals("--no-border-matching"), [3, 0, 3]);
    folder
        .run("import w.obj -o w.pnav --step 1 --no-border-matching")
        .complained_about(&["--step", "--no-border-matching"]);
    folder.write(
        "w.mesh",
        "mesh\n2\n3 1\n0 0 1 0\n1 0 1 0\n0 1 1 0\n3 0 1 2 -1 -1 -1\n",
    );
    folder.run("import w.mesh -o w.pnav -q").succeeded();
    folder
        .run("import w.mesh -o w.pnav --step 1")
        .complained_about(&["w.mesh", "--step"]);
}

#[test]
fn dents_are_an_error_unless_tolerated() {
    let folder = Folder::new();
    folder.write(
        "w.obj",
        "v 0 0 0\nv 1 0 0.1\nv 2 0 0\nv 2 0 2\nv 0 0 2\nf 1 2 3 4 5\n",
    );
    folder
        .run("import w.obj -o w.pnav")
        .complained_about(&["w.obj", "polygon 0"]);
    assert_eq!(folder.names(), ["w.obj"]);
    folder
        .run("import w.obj -o w.pnav --convexity-tolerance 0.2")
        .succeeded();
}

#[test]
fn repairs_are_told() {
    let folder = Folder::new();
    // Clockwise, and a face without area.
    folder.write(
        "w.obj",
        "v 0 0 0\nv 2 0 0\nv 2 0 2\nv 0 0 2\nf 4 3 2 1\nf 1 2 1 2\nf 1 2 2\n",
    );
    let said = folder.run("import w.obj -o w.pnav").succeeded().stdout;
    assert!(
        said.contains("rewound") && said.contains("without area"),
        "{said}"
    );
    let info = info(&folder, "w.pnav");
    assert_eq!(info["repairs"]["rewound"], 1);
    assert_eq!(count(&info, "polygons"), 1);
}

#[test]
fn there_and_back() {
    for scene in [
        "rooms --size small --areas",
        "open --size small",
        "open --size small --floors 2 --relief 4 --areas",
    ] {
        let folder = Folder::with_scene(scene);
        let original = info(&folder, "world.pnav");
        for ending in ["obj", "mesh"] {
            let said = folder
                .run(&format!("export world.pnav -o out.{ending}"))
                .succeeded()
                .stdout;
            let polygons = count(&original, "polygons");
            assert!(
                said.starts_with(&format!("out.{ending}: {polygons} polygons\n")),
                "{said}"
            );
            let loses = ending == "mesh" && scene.contains("--areas");
            assert_eq!(said.contains("left out"), loses, "{said}");
            folder
                .run(&format!("import out.{ending} -o back.pnav -q"))
                .succeeded();
            let back = info(&folder, "back.pnav");
            assert_eq!(counts(&back), counts(&original), "{scene} as .{ending}");
            if ending == "obj" {
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

/// A file that was exported and imported is exported again as it was.
#[test]
fn there_and_back_and_there() {
    let folder = Folder::with_scene("rooms --size small --areas");
    for ending in ["obj", "mesh"] {
        for line in [
            format!("export world.pnav -o one.{ending} -q"),
            format!("import one.{ending} -o two.pnav -q"),
            format!("export two.pnav -o two.{ending} -q"),
            format!("import two.{ending} -o three.pnav -q"),
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
        assert!((cost(&one) - cost(&two)).abs() < 1e-3, ".{ending}");
    }
}

#[test]
fn links_left_out_are_told() {
    let folder = Folder::with_scene("rooms --size small --links");
    for ending in ["obj", "mesh"] {
        let line = format!("export world.pnav -o out.{ending}");
        let said = folder.run(&line).succeeded().stdout;
        assert!(
            said.contains("left out") && said.contains("5 links"),
            "{said}"
        );
        assert_eq!(folder.run(&format!("{line} -q")).succeeded().stdout, "");
    }
}

#[test]
fn areas_and_heights_left_out_are_told() {
    let folder = Folder::with_scene("rooms --size small --areas --floors 2");
    let said = folder.run("export world.pnav -o out.mesh").succeeded();
    assert!(said.stdout.contains("areas"), "{said:?}");
    assert!(said.stdout.contains("heights"), "{said:?}");
}

#[test]
fn bad_usage() {
    let folder = Folder::with_world(&two_ways());
    folder.write("w.obj", obj(&two_ways()));
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
        folder.run(line).complained_about(names);
    }
    assert_eq!(folder.names(), ["w.fbx", "w.obj", "world.pnav"]);
}

#[test]
fn broken_foreign_files_name_the_place() {
    let folder = Folder::new();
    let truncated = &SQUARES[..SQUARES.len() - 9];
    for (name, content, names) in [
        ("a.obj", "", &["faces"][..]),
        ("a.obj", "v 0 0 0\nv 1 0 0\n", &["faces"]),
        ("a.obj", "v 0 0 0\nv 1 0\n", &["line 2"]),
        ("a.obj", "v 0 0 0\nv 1 nan 0\n", &["line 2"]),
        ("a.obj", "v 0 0 0\nv 1 1e99 0\n", &["line 2"]),
        ("a.obj", "v 0 0 0\nf 1 2 3\n", &["line 2", "vertex 2"]),
        ("a.obj", "v 0 0 0\nf 0 1 1\n", &["line 2"]),
        ("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", &["line 3"]),
        ("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 x\n", &["line 3"]),
        ("a.mesh", "", &["Polyanya"]),
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
            .complained_about(&[&[name], names].concat());
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    std::fs::create_dir(folder.path("folder.obj")).unwrap();
    folder
        .run("import folder.obj -o w.pnav")
        .complained_about(&["folder.obj"]);
    assert_eq!(folder.names(), ["folder.obj"]);
}
