//! Tests of `portolan rebake`.

use crate::common::{Folder, count};

/// Returns a folder with the level `m.obj`, its navmesh `w.pnav` and its bake `w.pbake` in tiles.
fn with_kept() -> Folder {
    let folder = Folder::new();
    folder.run("scene map -o m.obj -q").succeeded();
    let output = folder.run("bake m.obj -o w.pnav --keep w.pbake --tile 64");
    let output = output.succeeded().stdout;
    assert!(output.contains("w.pbake: 12 tiles: 0,0 to 3,2"), "{output}");
    folder
}

#[test]
fn without_changes_the_navmesh_stays_the_same() {
    let folder = with_kept();
    let kept = folder.bytes("w.pbake");
    let line = "rebake w.pbake m.obj --tile 1,1 --tile 3,2 --at 1,1 -o again.pnav --keep w.pbake";
    let output = folder.run(line).succeeded().stdout;
    assert!(output.contains("baked 3 of 12 tiles"), "{output}");
    assert_eq!(folder.bytes("again.pnav"), folder.bytes("w.pnav"));
    assert_eq!(folder.bytes("w.pbake"), kept);
}

#[test]
fn a_change_gives_the_same_navmesh_as_a_full_bake() {
    let folder = with_kept();
    // Adds a pillar in the centre of a tile. Tiles are 19.2 m wide.
    let bounds = folder.run("info w.pbake --json").succeeded().json();
    let min = |axis: usize| bounds["grid_min"][axis].as_f64().unwrap();
    let (x, z) = (min(0) + 1.5 * 19.2, min(2) + 1.5 * 19.2);
    let mut level = folder.text("m.obj");
    for [dx, y, dz] in [[-1, -1, -1], [-1, -1, 1], [1, -1, 1], [1, -1, -1]] {
        let (x, z) = (x + f64::from(dx) * 2.0, z + f64::from(dz) * 2.0);
        level += &format!("v {x} {y} {z}\nv {x} 6 {z}\n");
    }
    level += "f -8 -7 -1 -2\nf -6 -5 -7 -8\nf -4 -3 -5 -6\nf -2 -1 -3 -4\nf -7 -5 -3 -1\n";
    folder.write("changed.obj", level);
    folder
        .run("rebake w.pbake changed.obj --tile 1,1 -o new.pnav --keep new.pbake -q")
        .succeeded();
    folder
        .run("bake changed.obj -o full.pnav --keep full.pbake --tile 64 -q")
        .succeeded();
    assert_ne!(folder.bytes("new.pnav"), folder.bytes("w.pnav"));
    assert_eq!(folder.bytes("new.pnav"), folder.bytes("full.pnav"));
    let [old, new] = ["w.pbake", "new.pbake"].map(|file| {
        let all = folder
            .run(&format!("info {file} --json"))
            .succeeded()
            .json();
        all["tile_polygons"].as_array().unwrap().clone()
    });
    let differ = (0..12).filter(|&tile| old[tile] != new[tile]);
    assert!(differ.eq([5]));
}

#[test]
fn options_of_the_first_bake_are_used_again() {
    let folder = Folder::new();
    folder.run("scene simple -o s.obj -q").succeeded();
    let bake = "bake s.obj -o w.pnav --keep w.pbake --tile 64 -q";
    folder.write("areas.toml", "[area_flags]\n0 = 6\n");
    for options in ["--scale 0.5", "--areas areas.toml", "--agent-radius 0.3"] {
        folder.run(&format!("{bake} {options}")).succeeded();
        folder
            .run("rebake w.pbake s.obj --tile 0,0 -o again.pnav -q")
            .succeeded();
        assert_eq!(
            folder.bytes("again.pnav"),
            folder.bytes("w.pnav"),
            "{options}"
        );
    }
}

#[test]
fn info_describes_a_bake() {
    let folder = with_kept();
    let all = folder.run("info w.pbake --json").succeeded().json();
    assert_eq!(all["kind"], "bake");
    assert_eq!(count(&all, "version"), 1);
    assert_eq!(count(&all, "bytes"), folder.bytes("w.pbake").len() as u64);
    assert_eq!(all["tiles"], serde_json::json!([4, 3]));
    let mesh = folder.run("info w.pnav --json").succeeded().json();
    for field in ["polygons", "portals", "components"] {
        assert_eq!(all[field], mesh[field], "{field}");
    }
    let output = folder.run("info w.pbake").succeeded().stdout;
    assert!(
        output.contains("12 tiles: 0,0 to 3,2; side 19.2 m"),
        "{output}"
    );
}

#[test]
fn an_error_names_the_wrong_input() {
    let folder = with_kept();
    let fails = |line: &str, names: &[&str]| {
        folder.run(line).failed_with(names);
    };
    fails(
        "rebake w.pbake m.obj --tile 4,0 -o x.pnav",
        &["w.pbake", "no tile 4,0", "12 tiles: 0,0 to 3,2"],
    );
    fails(
        "rebake w.pbake m.obj --at 900,0 -o x.pnav",
        &["w.pbake", "no tile at 900,0", "the tiles cover"],
    );
    fails(
        "rebake w.pbake m.obj --tile 4 -o x.pnav",
        &["--tile", "comma"],
    );
    fails("rebake w.pbake m.obj -o x.pnav", &["--tile"]);
    fails(
        "rebake w.pbake m.obj --tile 0,0 -o x.obj",
        &["x.obj", ".pnav"],
    );
    fails(
        "rebake w.pbake m.obj --tile 0,0 -o x.pnav --keep x.pnav",
        &["x.pnav", ".pbake"],
    );
    fails(
        "rebake w.pnav m.obj --tile 0,0 -o x.pnav",
        &["w.pnav", "a navmesh"],
    );
    fails(
        "path w.pbake --from 0,0,0 --to 1,0,1",
        &["w.pbake", "rebake"],
    );
    fails("bake m.obj -o x.pnav --keep x.bin", &["x.bin", ".pbake"]);
    let intact = folder.bytes("w.pbake");
    folder.write("bad.pbake", &intact[..intact.len() / 2]);
    fails("info bad.pbake", &["bad.pbake", "incomplete"]);
    let mut flipped = intact.clone();
    flipped[intact.len() / 2] ^= 1;
    folder.write("bad.pbake", flipped);
    fails(
        "rebake bad.pbake m.obj --tile 0,0 -o x.pnav",
        &["bad.pbake", "damaged"],
    );
    folder.write("bad.pbake", "");
    fails("rebake bad.pbake m.obj --tile 0,0 -o x.pnav", &["empty"]);
    assert!(!folder.names().contains(&"x.pnav".to_owned()));
}
