//! `portolan bake`: level geometry becomes a navmesh.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Folder, count};

/// A floor of 12 x 12 m with a wall across that leaves a gap, y up.
const LEVEL: &str = "\
# a level
v 0 0 0
v 0 0 12
v 12 0 12
v 12 0 0
usemtl grass
f 1 2 3 4
v 0 0 6
v 9 0 6
v 9 3 6
v 0 3 6
usemtl brick
f 5 6 7 8
";

fn with_level() -> Folder {
    let folder = Folder::new();
    folder.write("level.obj", LEVEL);
    folder
}

fn info(folder: &Folder, file: &str) -> serde_json::Value {
    folder
        .run(&format!("info {file} --json"))
        .succeeded()
        .json()
}

#[test]
fn geometry_becomes_a_world() {
    let folder = with_level();
    let said = folder.run("bake level.obj -o w.pnav").succeeded().stdout;
    assert!(said.starts_with("w.pnav: "), "{said}");
    assert!(
        said.contains("4 triangles, 40 x 40 cells, 1 tile"),
        "{said}"
    );
    assert!(!said.contains("rewound"), "{said}");
    let path = folder.run("path w.pnav --from 2,0,2 --to 2,0,10 --json");
    let path = path.succeeded().json();
    assert!(path["length"].as_f64().unwrap() > 15.0, "{path}");
    assert_eq!(folder.names(), ["level.obj", "w.pnav"]);
    let quiet = folder.run("bake level.obj -o w.pnav --quiet").succeeded();
    assert_eq!(quiet.stdout, "");
}

#[test]
fn the_agent_decides_what_is_walkable() {
    let folder = with_level();
    folder.run("bake level.obj -o thin.pnav -q").succeeded();
    folder
        .run("bake level.obj -o fat.pnav --agent-radius 1.7 -q")
        .succeeded();
    assert_eq!(count(&info(&folder, "thin.pnav"), "components"), 1);
    assert_eq!(count(&info(&folder, "fat.pnav"), "components"), 2);
    folder
        .run("bake level.obj -o w.pnav --agent-radius 6")
        .complained_about(&["level.obj", "nothing to walk on"]);
    assert!(!folder.names().contains(&"w.pnav".to_owned()));
}

#[test]
fn areas_come_from_materials_volumes_and_links() {
    let folder = with_level();
    folder.write(
        "areas.toml",
        "[materials]\ngrass = 4\nsnow = 5\n\n[[box]]\nmin = [1, -1, 1]\nmax = [5, 1, 4]\n\
         area = 9\n\n[[link]]\nfrom = [2, 0, 4]\nto = [2, 0, 8]\nboth_ways = true\n",
    );
    let said = folder.run("bake level.obj -o w.pnav --areas areas.toml");
    let said = said.succeeded().stdout;
    assert!(said.contains("snow"), "{said}");
    let info = info(&folder, "w.pnav");
    let areas: Vec<u64> = info["areas"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| count(entry, "area"))
        .collect();
    assert_eq!(areas, [4, 9]);
    assert_eq!(count(&info, "links"), 1);
    folder.write("bad.toml", "[materials]\ngrass = 99\n");
    folder
        .run("bake level.obj -o x.pnav --areas bad.toml")
        .complained_about(&["bad.toml", "line 2", "99"]);
    folder
        .run("bake level.obj -o x.pnav --areas none.toml")
        .complained_about(&["none.toml"]);
}

#[test]
fn z_can_be_up() {
    let folder = with_level();
    let turned: String = LEVEL
        .lines()
        .map(|line| match line.strip_prefix("v ") {
            Some(place) => {
                let n: Vec<&str> = place.split(' ').collect();
                format!("v {} -{} {}\n", n[0], n[2], n[1])
            }
            None => format!("{line}\n"),
        })
        .collect();
    folder.write("turned.obj", turned);
    folder.run("bake level.obj -o y.pnav -q").succeeded();
    folder
        .run("bake turned.obj -o z.pnav --up z -q")
        .succeeded();
    let [y, z] = ["y.pnav", "z.pnav"].map(|file| info(&folder, file));
    assert_eq!(y["polygons"], z["polygons"]);
    assert_eq!(y["ground_m2"], z["ground_m2"]);
}

/// Each wrong reading of a level is warned of in one line that names the option, also with --quiet,
/// and the option puts it right.
#[test]
fn levels_read_the_wrong_way_are_noticed() {
    let folder = Folder::new();
    folder.run("scene map -o m.obj -q").succeeded();
    folder.run("bake m.obj -o right.pnav -q").succeeded();
    let changed = |change: &dyn Fn([f32; 3]) -> [f32; 3]| -> String {
        let text = folder.text("m.obj");
        let lines = text.lines().map(|line| match line.strip_prefix("v ") {
            Some(place) => {
                let n: Vec<f32> = place.split(' ').map(|n| n.parse().unwrap()).collect();
                let [x, y, z] = change([n[0], n[1], n[2]]);
                format!("v {x} {y} {z}\n")
            }
            None => format!("{line}\n"),
        });
        lines.collect()
    };
    folder.write("z.obj", changed(&|[x, y, z]| [x, -z, y]));
    folder.write("mirrored.obj", changed(&|[x, y, z]| [-x, y, z]));
    folder.write("cm.obj", changed(&|place| place.map(|axis| axis * 100.0)));
    for (file, option) in [("z.obj", "--up z"), ("mirrored.obj", "--flip")] {
        let ran = folder.run(&format!("bake {file} -o w.pnav --quiet"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        let start = format!("portolan: warning: {file}: ");
        assert!(
            ran.stderr.starts_with(&start) && ran.stderr.contains(option),
            "{}",
            ran.stderr
        );
        let line = format!("bake {file} -o w.pnav -q {option}");
        folder.run(&line).succeeded();
        let [right, put_right] = ["right.pnav", "w.pnav"].map(|file| info(&folder, file));
        let ground = |info: &serde_json::Value| info["ground_m2"].as_f64().unwrap();
        assert!((ground(&put_right) / ground(&right) - 1.0).abs() < 0.02);
    }
    folder
        .run("bake cm.obj -o w.pnav --max-cells 1000000")
        .complained_about(&["cm.obj", "--scale 0.01"]);
    folder
        .run("bake cm.obj -o w.pnav -q --scale 0.01")
        .succeeded();
    for scale in ["0", "-1", "nan", "inf", "x"] {
        let line = format!("bake m.obj -o w.pnav --scale {scale}");
        folder.run(&line).complained_about(&["--scale", "above 0"]);
    }
}

#[test]
fn polygons_of_an_area_carry_flags() {
    let folder = with_level();
    // The gap beside the wall is deep water.
    folder.write(
        "areas.toml",
        "[[box]]\nmin = [8, -1, 5]\nmax = [12, 1, 7]\narea = 7\n\n\
         [flag_names]\nswim = 0x10\n\n[area_flags]\n7 = [\"swim\"]\n",
    );
    folder.write("walker.toml", "exclude_flags = 0x10\n");
    folder.write("swimmer.toml", "include_flags = 0x11\n");
    folder
        .run("bake level.obj -o w.pnav --areas areas.toml -q")
        .succeeded();
    let path = |profile: &str| {
        let line = format!("path w.pnav --from 2,0,2 --to 2,0,10 --profile {profile} --json");
        folder.run(&line)
    };
    assert_eq!(path("swimmer.toml").succeeded().json()["status"], "found");
    let walker = path("walker.toml");
    assert_eq!(walker.code, Some(1), "{walker:?}");
    assert_eq!(walker.json()["status"], "no_path");
}

#[test]
fn tiles_and_threads() {
    let folder = Folder::new();
    folder.run("scene map -o m.obj -q").succeeded();
    folder
        .run("bake m.obj -o one.pnav -q --threads 1")
        .succeeded();
    for threads in [2, 3] {
        let line = format!("bake m.obj -o more.pnav -q --tile 64 --threads {threads}");
        folder.run(&line).succeeded();
        folder
            .run("bake m.obj -o tiled.pnav -q --tile 64 --threads 1")
            .succeeded();
        assert_eq!(folder.bytes("more.pnav"), folder.bytes("tiled.pnav"));
    }
    let [one, tiled] = ["one.pnav", "tiled.pnav"].map(|file| info(&folder, file));
    assert!(count(&tiled, "polygons") > count(&one, "polygons"));
    let ground = |info: &serde_json::Value| info["ground_m2"].as_f64().unwrap();
    assert!((ground(&tiled) / ground(&one) - 1.0).abs() < 0.01);
}

#[test]
fn triangles_and_islands() {
    let folder = Folder::new();
    folder.run("scene dungeon -o d.obj -q").succeeded();
    folder.run("bake d.obj -o six.pnav -q").succeeded();
    folder
        .run("bake d.obj -o three.pnav -q --max-vertices 3")
        .succeeded();
    let [six, three] = ["six.pnav", "three.pnav"].map(|file| info(&folder, file));
    assert!(count(&three, "polygons") > count(&six, "polygons"));
    let said = folder.run("bake d.obj -o main.pnav --min-component 60");
    let said = said.succeeded().stdout;
    assert!(said.contains("islands dropped"), "{said}");
    assert_eq!(count(&info(&folder, "main.pnav"), "components"), 1);
}

#[test]
fn bad_input_is_named() {
    let folder = with_level();
    let refused = |line: &str, names: &[&str]| {
        folder.run(line).complained_about(names);
    };
    refused("bake none.obj -o w.pnav", &["none.obj"]);
    folder.write("level.fbx", LEVEL);
    refused("bake level.fbx -o w.pnav", &["level.fbx", ".obj", ".glb"]);
    refused("bake level.obj -o w.obj", &["w.obj", ".pnav"]);
    refused("bake level.obj -o no/w.pnav", &["no/w.pnav", "folder"]);
    folder.write("empty.obj", "");
    refused("bake empty.obj -o w.pnav", &["empty.obj"]);
    folder.write("nan.obj", "v 0 nan 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    refused("bake nan.obj -o w.pnav", &["nan.obj", "line 1", "nan"]);
    folder.write("index.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 4\n");
    refused("bake index.obj -o w.pnav", &["index.obj", "line 4", "4"]);
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    refused("bake flat.obj -o w.pnav", &["flat.obj", "degenerate"]);
    folder.write("not.glb", "not a glb");
    refused("bake not.glb -o w.pnav", &["not.glb"]);
    folder.write("huge.obj", "v 0 0 0\nv 0 0 1e7\nv 1e7 0 0\nf 1 2 3\n");
    refused(
        "bake huge.obj -o w.pnav",
        &["huge.obj", "cell size of 510 m would fit"],
    );
    for (option, named) in [
        ("--cell-size 0", "--cell-size 0"),
        ("--cell-size -1", "--cell-size -1"),
        ("--agent-climb 3", "--agent-climb 3"),
        ("--max-vertices 9", "--max-vertices 9"),
        ("--tile 5", "--tile 5"),
        ("--agent-slope nan", "--agent-slope NaN"),
        ("--up x", "--up"),
    ] {
        refused(&format!("bake level.obj -o w.pnav {option}"), &[named]);
    }
    assert!(!folder.names().contains(&"w.pnav".to_owned()));
}

/// An interrupt ends the bake at once and leaves no file.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_file() {
    let folder = Folder::new();
    folder.run("scene tropical -o t.obj -q").succeeded();
    let mut bake = folder
        .command()
        .args(["bake", "t.obj", "-o", "t.pnav", "--cell-size", "0.1"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(
        bake.try_wait().unwrap().is_none(),
        "it was meant to take long"
    );
    let start = Instant::now();
    let pid = bake.id().to_string();
    std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status()
        .unwrap();
    assert_eq!(bake.wait().unwrap().code(), Some(130));
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(folder.names(), ["t.obj"]);
}
