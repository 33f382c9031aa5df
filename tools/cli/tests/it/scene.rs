//! `portolan scene`: built-in levels and worlds.

use crate::common::{Folder, count, number};
use serde_json::Value;

/// Makes `s.pnav` and says what is in it.
fn made(folder: &Folder, options: &str) -> Value {
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
fn list_names_every_scene() {
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
        let said = folder.run(&line).succeeded().stdout;
        assert!(said.starts_with(&format!("{name}.pnav: ")), "{said}");
    }
}

#[test]
fn sizes() {
    let folder = Folder::new();
    for (options, polygons) in [
        ("rooms --size small", 1_000),
        ("rooms", 5_500),
        ("open --size paper", 5_500),
        ("open --size large", 100_000),
        ("rooms --polygons 2000", 2_000),
        ("rooms --polygons 700 --size large", 700),
    ] {
        let made = count(&made(&folder, options), "polygons");
        let share = made as f64 / f64::from(polygons);
        assert!((0.9..=1.1).contains(&share), "{options}: {made}");
    }
    assert!(count(&made(&folder, "rooms --polygons 1"), "polygons") >= 1);
    assert!(count(&made(&folder, "open --polygons 1"), "polygons") >= 1);
}

#[test]
fn a_seed_is_a_world() {
    let folder = Folder::new();
    for scene in ["rooms", "open"] {
        for ending in ["pnav", "obj"] {
            let bytes = |name: &str, seed: &str| {
                let options = "--size small --areas --floors 2 --relief 2 -q";
                let line = format!("scene {scene} -o {name}.{ending} {options} {seed}");
                folder.run(&line).succeeded();
                folder.bytes(&format!("{name}.{ending}"))
            };
            let first = bytes("a", "--seed 7");
            assert!(bytes("b", "--seed 7") == first, "{scene}.{ending}");
            assert!(bytes("c", "--seed 7 --threads 4") == first);
            assert!(bytes("d", "--seed 8") != first, "{scene}.{ending}");
            assert!(bytes("e", "--seed 18446744073709551615") != first);
            assert!(bytes("f", "") == bytes("g", "--seed 1"));
        }
    }
}

#[test]
fn areas_links_floors_and_relief() {
    let folder = Folder::new();
    for scene in ["rooms", "open"] {
        let plain = made(&folder, &format!("{scene} --size small"));
        assert_eq!(areas(&plain), [0], "{scene}");
        assert_eq!(count(&plain, "links"), 0);
        assert_eq!(height(&plain), 0.0);

        let patched = made(&folder, &format!("{scene} --size small --areas"));
        assert_eq!(areas(&patched), [0, 1, 2, 3]);
        assert_eq!(count(&patched, "polygons"), count(&plain, "polygons"));

        let linked = made(&folder, &format!("{scene} --size small --links"));
        assert!((1..20).contains(&count(&linked, "links")));
        assert_eq!(count(&linked, "polygons"), count(&plain, "polygons"));

        let tower = made(&folder, &format!("{scene} --size small --floors 3"));
        assert_eq!(height(&tower), 8.0, "three floors, 4 m apart");
        assert!(number(&tower, "ground_m2") > 100.0);
        let most = count(&tower, "largest_component");
        assert!(most * 10 > count(&tower, "polygons") * 9, "ramps join them");

        let hills = made(&folder, &format!("{scene} --size small --relief 5"));
        assert!((1.0..=5.0).contains(&height(&hills)), "{hills:#}");
    }
}

#[test]
fn an_obj_holds_the_same_polygons() {
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
fn endings_in_capitals_count() {
    let folder = Folder::new();
    folder
        .run("scene rooms --polygons 1 -o A.PNAV -q")
        .succeeded();
    folder.run("info A.PNAV").succeeded();
}

#[test]
fn bad_usage() {
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
        folder.run(line).complained_about(names);
    }
    assert!(folder.names().is_empty());
}

#[test]
fn negative_numbers_are_refused_by_the_name_of_their_option() {
    let folder = Folder::new();
    for option in ["--relief", "--floors", "--seed", "--polygons"] {
        folder
            .run(&format!("scene rooms -o s.pnav {option} -1"))
            .complained_about(&[option]);
    }
}

#[test]
fn a_level_is_geometry_to_bake() {
    let folder = Folder::new();
    let said = folder.run("scene dungeon -o d.obj").succeeded().stdout;
    assert!(said.contains("triangles"), "{said}");
    let next = said.split("next: portolan ").nth(1).unwrap().trim();
    assert_eq!(next, "bake d.obj -o d.pnav");
    folder.run(next).succeeded();
    let info = folder.run("info d.pnav --json").succeeded().json();
    let polygons = count(&info, "polygons") as f64;
    assert!((0.85..=1.15).contains(&(polygons / 120.0)), "{polygons}");
    assert!(count(&info, "components") > 1, "no islands");
    // In one go it is the same.
    folder.run("scene dungeon -o once.pnav -q").succeeded();
    assert_eq!(folder.bytes("once.pnav"), folder.bytes("d.pnav"));
    // Another seed is another level.
    folder.run("scene dungeon -o e.obj --seed 2 -q").succeeded();
    assert_ne!(folder.bytes("e.obj"), folder.bytes("d.obj"));
}

#[test]
fn options_of_worlds_are_refused_for_levels() {
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
        folder.run(&line).complained_about(&[name, "dungeon"]);
    }
    assert!(folder.names().is_empty());
    folder
        .run("scene tower -o t.pnav --floors 2 -q")
        .succeeded();
}
