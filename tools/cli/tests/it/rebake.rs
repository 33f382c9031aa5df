//! `portolan rebake`: tiles of a kept bake, baked again.

use crate::common::{Folder, count};

/// A tiled bake of an arena, kept.
fn with_kept() -> Folder {
    let folder = Folder::new();
    folder.run("scene map -o m.obj -q").succeeded();
    let said = folder.run("bake m.obj -o w.pnav --keep w.pbake --tile 64");
    let said = said.succeeded().stdout;
    assert!(said.contains("w.pbake: 12 tiles, 0,0 to 3,2"), "{said}");
    folder
}

#[test]
fn without_changes_the_navmesh_is_the_same() {
    let folder = with_kept();
    let kept = folder.bytes("w.pbake");
    let line = "rebake w.pbake m.obj --tile 1,1 --tile 3,2 --at 1,1 -o again.pnav --keep w.pbake";
    let said = folder.run(line).succeeded().stdout;
    assert!(said.contains("3 tiles of 12 baked again"), "{said}");
    assert_eq!(folder.bytes("again.pnav"), folder.bytes("w.pnav"));
    assert_eq!(folder.bytes("w.pbake"), kept);
}

#[test]
fn a_change_is_as_in_a_full_bake() {
    let folder = with_kept();
    // A pillar in the middle of a tile: tiles are 19.2 m wide.
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
fn the_level_is_read_as_before() {
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
fn what_is_in_a_kept_bake() {
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
    let said = folder.run("info w.pbake").succeeded().stdout;
    assert!(said.contains("12 tiles, 0,0 to 3,2 of 19.2 m"), "{said}");
}

#[test]
fn bad_input_is_named() {
    let folder = with_kept();
    let refused = |line: &str, names: &[&str]| {
        folder.run(line).complained_about(names);
    };
    refused(
        "rebake w.pbake m.obj --tile 4,0 -o x.pnav",
        &["w.pbake", "no tile 4,0", "12 tiles, 0,0 to 3,2"],
    );
    refused(
        "rebake w.pbake m.obj --at 900,0 -o x.pnav",
        &["w.pbake", "no tile at 900,0", "tiles reach from"],
    );
    refused(
        "rebake w.pbake m.obj --tile 4 -o x.pnav",
        &["--tile", "comma"],
    );
    refused("rebake w.pbake m.obj -o x.pnav", &["--tile"]);
    refused(
        "rebake w.pbake m.obj --tile 0,0 -o x.obj",
        &["x.obj", ".pnav"],
    );
    refused(
        "rebake w.pbake m.obj --tile 0,0 -o x.pnav --keep x.pnav",
        &["x.pnav", ".pbake"],
    );
    refused(
        "rebake w.pnav m.obj --tile 0,0 -o x.pnav",
        &["w.pnav", "a navmesh"],
    );
    refused(
        "path w.pbake --from 0,0,0 --to 1,0,1",
        &["w.pbake", "rebake"],
    );
    refused("bake m.obj -o x.pnav --keep x.bin", &["x.bin", ".pbake"]);
    let whole = folder.bytes("w.pbake");
    folder.write("bad.pbake", &whole[..whole.len() / 2]);
    refused("info bad.pbake", &["bad.pbake", "incomplete"]);
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    folder.write("bad.pbake", flipped);
    refused(
        "rebake bad.pbake m.obj --tile 0,0 -o x.pnav",
        &["bad.pbake", "damaged"],
    );
    folder.write("bad.pbake", "");
    refused("rebake bad.pbake m.obj --tile 0,0 -o x.pnav", &["empty"]);
    assert!(!folder.names().contains(&"x.pnav".to_owned()));
}
