//! Tests of `portolan scene`.

use crate::common::{Folder, count, number};
use serde_json::Value;

/// Generates `s.pnav` and returns its description.
fn generated(folder: &Folder, options: &str) -> Value {
    let line = format!("scene {options} -o s.pnav -q");
    folder.run(&line).succeeded();
    folder.run("info s.pnav --json").succeeded().json()
}

fn height(info: &Value) -> f64 {
    info["max"][1].as_f64().unwrap() - info["min"][1].as_f64().unwrap()
}

fn areas(info: &Value) -> Vec<u64> {
    let areas = info["areas"].as_array().unwrap();
    areas.iter().map(|entry| count(entry, "area")).collect()
}

#[test]
fn the_list_has_every_scene() {
    let folder = Folder::new();
    let list = folder.run("scene --list").succeeded().stdout;
    let names: Vec<&str> = list
        .lines()
        .filter(|line| line.starts_with("  "))
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    let (levels, worlds) = names.split_last_chunk().unwrap();
    assert_eq!(worlds, &["rooms", "open"]);
    assert_eq!(levels.len(), 10);
    assert!(levels.contains(&"city-islands"));
    assert_eq!(folder.run("scene --list --quiet").succeeded().stdout, list);
    for name in names {
        let line = format!("scene {name} -o {name}.pnav --size small");
        let output = folder.run(&line).succeeded().stdout;
        assert!(output.starts_with(&format!("{name}.pnav: ")), "{output}");
    }
}

#[test]
fn a_world_has_about_the_requested_number_of_polygons() {
    let folder = Folder::new();
    for (options, polygons) in [
        ("rooms --size small", 1_000),
        ("rooms", 5_500),
        ("open --size paper", 5_500),
        ("open --size large", 100_000),
        ("rooms --polygons 2000", 2_000),
        ("rooms --polygons 700 --size large", 700),
    ] {
        let generated = count(&generated(&folder, options), "polygons");
        let ratio = generated as f64 / f64::from(polygons);
        assert!((0.9..=1.1).contains(&ratio), "{options}: {generated}");
    }
    assert!(count(&generated(&folder, "rooms --polygons 1"), "polygons") >= 1);
    assert!(count(&generated(&folder, "open --polygons 1"), "polygons") >= 1);
}

#[test]
fn the_seed_selects_the_world() {
    let folder = Folder::new();
    for scene in ["rooms", "open"] {
        for extension in ["pnav", "obj"] {
            let bytes = |name: &str, seed: &str| {
                let options = "--size small --areas --floors 2 --relief 2 -q";
                let line = format!("scene {scene} -o {name}.{extension} {options} {seed}");
                folder.run(&line).succeeded();
                folder.bytes(&format!("{name}.{extension}"))
            };
            let first = bytes("a", "--seed 7");
            assert!(bytes("b", "--seed 7") == first, "{scene}.{extension}");
            assert!(bytes("c", "--seed 7 --threads 4") == first);
            assert!(bytes("d", "--seed 8") != first, "{scene}.{extension}");
            assert!(bytes("e", "--seed 18446744073709551615") != first);
            assert!(bytes("f", "") == bytes("g", "--seed 1"));
        }
    }
}

#[test]
fn options_of_worlds_are_respected() {
    let folder = Folder::new();
    for scene in ["rooms", "open"] {
        let plain = generated(&folder, &format!("{scene} --size small"));
        assert_eq!(areas(&plain), [0], "{scene}");
        assert_eq!(count(&plain, "links"), 0);
        assert_eq!(height(&plain), 0.0);

        let patched = generated(&folder, &format!("{scene} --size small --areas"));
        assert_eq!(areas(&patched), [0, 1, 2, 3]);
        assert_eq!(count(&patched, "polygons"), count(&plain, "polygons"));

        let linked = generated(&folder, &format!("{scene} --size small --links"));
        assert!((1..20).contains(&count(&linked, "links")));
        assert_eq!(count(&linked, "polygons"), count(&plain, "polygons"));

        let tower = generated(&folder, &format!("{scene} --size small --floors 3"));
        assert_eq!(height(&tower), 8.0, "three floors are 4 m apart");
        assert!(number(&tower, "ground_m2") > 100.0);
        let largest = count(&tower, "largest_component");
        assert!(
            largest * 10 > count(&tower, "polygons") * 9,
            "ramps connect the floors"
        );

        let hills = generated(&folder, &format!("{scene} --size small --relief 5"));
        assert!((1.0..=5.0).contains(&height(&hills)), "{hills:#}");
    }
}

#[test]
fn an_obj_has_the_same_polygons_as_a_pnav() {
    let folder = Folder::new();
    let scene = "scene rooms --size small --areas --floors 2 -q";
    folder.run(&format!("{scene} -o s.pnav")).succeeded();
    folder.run(&format!("{scene} -o s.obj")).succeeded();
    folder.run("import s.obj -o again.pnav -q").succeeded();
    let one = folder.run("info s.pnav --json").succeeded().json();
    let two = folder.run("info again.pnav --json").succeeded().json();
    for field in ["polygons", "portals", "components", "areas", "min", "max"] {
        assert_eq!(one[field], two[field], "{field}");
    }
}

#[test]
fn upper_case_extensions_are_accepted() {
    let folder = Folder::new();
    folder
        .run("scene rooms --polygons 1 -o A.PNAV -q")
        .succeeded();
    folder.run("info A.PNAV").succeeded();
}

#[test]
fn wrong_usage_is_an_error() {
    let folder = Folder::new();
    for (line, names) in [
        ("scene", &["NAME", "--output"][..]),
        ("scene rooms", &["--output"]),
        ("scene -o s.pnav", &["NAME"]),
        ("scene castle -o s.pnav", &["castle", "rooms", "open"]),
        ("scene ROOMS -o s.pnav", &["ROOMS"]),
        ("scene rooms -o s.fbx", &["s.fbx", ".pnav", ".obj"]),
        ("scene rooms -o s", &["s: "]),
        ("scene rooms -o s.mesh", &["s.mesh"]),
        ("scene rooms -o s.obj --links", &["--links", ".obj"]),
        (
            "scene rooms -o s.pnav --size huge",
            &["--size", "huge", "small"],
        ),
        ("scene rooms -o s.pnav --polygons 0", &["--polygons"]),
        ("scene rooms -o s.pnav --polygons 50000001", &["--polygons"]),
        ("scene rooms -o s.pnav --polygons many", &["--polygons"]),
        ("scene rooms -o s.pnav --seed=-1", &["--seed"]),
        (
            "scene rooms -o s.pnav --seed 18446744073709551616",
            &["--seed"],
        ),
        ("scene rooms -o s.pnav --floors 0", &["--floors"]),
        ("scene rooms -o s.pnav --floors 257", &["--floors"]),
        ("scene rooms -o s.pnav --relief=-1", &["--relief"]),
        ("scene rooms -o s.pnav --relief nan", &["--relief"]),
        ("scene rooms -o s.pnav --relief inf", &["--relief"]),
        ("scene rooms -o no/such/s.pnav", &["no/such/s.pnav"]),
        ("scene rooms open -o s.pnav", &["open"]),
    ] {
        folder.run(line).failed_with(names);
    }
    assert!(folder.names().is_empty());
}

#[test]
fn an_error_about_a_negative_number_names_the_option() {
    let folder = Folder::new();
    for option in ["--relief", "--floors", "--seed", "--polygons"] {
        folder
            .run(&format!("scene rooms -o s.pnav {option} -1"))
            .failed_with(&[option]);
    }
}

#[test]
fn a_level_can_be_baked() {
    let folder = Folder::new();
    let output = folder.run("scene dungeon -o d.obj").succeeded().stdout;
    assert!(output.contains("triangles"), "{output}");
    let next = output.split("next: portolan ").nth(1).unwrap().trim();
    assert_eq!(next, "bake d.obj -o d.pnav");
    folder.run(next).succeeded();
    let info = folder.run("info d.pnav --json").succeeded().json();
    let polygons = count(&info, "polygons") as f64;
    assert!((0.85..=1.15).contains(&(polygons / 120.0)), "{polygons}");
    assert!(count(&info, "components") > 1, "there are no islands");
    // Writing the .pnav directly gives the same file.
    folder.run("scene dungeon -o once.pnav -q").succeeded();
    assert_eq!(folder.bytes("once.pnav"), folder.bytes("d.pnav"));
    // Another seed gives another level.
    folder.run("scene dungeon -o e.obj --seed 2 -q").succeeded();
    assert_ne!(folder.bytes("e.obj"), folder.bytes("d.obj"));
}

#[test]
fn options_of_worlds_are_errors_for_levels() {
    let folder = Folder::new();
    for option in [
        "--polygons 500",
        "--areas",
        "--links",
        "--relief 3",
        "--floors 3",
    ] {
        let line = format!("scene dungeon -o d.obj {option}");
        let name = option.split_whitespace().next().unwrap();
        folder.run(&line).failed_with(&[name, "dungeon"]);
    }
    assert!(folder.names().is_empty());
    folder
        .run("scene tower -o t.pnav --floors 2 -q")
        .succeeded();
}
