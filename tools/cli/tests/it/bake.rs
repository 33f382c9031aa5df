//! Tests of `portolan bake`.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Folder, count};

/// A floor of 12 x 12 m, y up, with a wall across that leaves a gap.
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
fn a_level_is_baked_to_a_navmesh() {
    let folder = with_level();
    let output = folder.run("bake level.obj -o w.pnav").succeeded().stdout;
    assert!(output.starts_with("w.pnav: "), "{output}");
    assert!(
        output.contains("4 triangles, 40 x 40 cells, 1 tile"),
        "{output}"
    );
    assert!(!output.contains("reversed"), "{output}");
    let path = folder.run("path w.pnav --from 2,0,2 --to 2,0,10 --json");
    let path = path.succeeded().json();
    assert!(path["length"].as_f64().unwrap() > 15.0, "{path}");
    assert_eq!(folder.names(), ["level.obj", "w.pnav"]);
    let quiet = folder.run("bake level.obj -o w.pnav --quiet").succeeded();
    assert_eq!(quiet.stdout, "");
}

#[test]
fn the_agent_radius_decides_which_ground_is_walkable() {
    let folder = with_level();
    folder.run("bake level.obj -o thin.pnav -q").succeeded();
    folder
        .run("bake level.obj -o fat.pnav --agent-radius 1.7 -q")
        .succeeded();
    assert_eq!(count(&info(&folder, "thin.pnav"), "components"), 1);
    assert_eq!(count(&info(&folder, "fat.pnav"), "components"), 2);
    folder
        .run("bake level.obj -o w.pnav --agent-radius 6")
        .failed_with(&["level.obj", "no walkable ground"]);
    assert!(!folder.names().contains(&"w.pnav".to_owned()));
}

#[test]
fn areas_come_from_materials_and_boxes() {
    let folder = with_level();
    folder.write(
        "areas.toml",
        "[materials]\ngrass = 4\nsnow = 5\n\n[[box]]\nmin = [1, -1, 1]\nmax = [5, 1, 4]\n\
         area = 9\n\n[[link]]\nfrom = [2, 0, 4]\nto = [2, 0, 8]\nboth_ways = true\n",
    );
    let output = folder.run("bake level.obj -o w.pnav --areas areas.toml");
    let output = output.succeeded().stdout;
    assert!(output.contains("snow"), "{output}");
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
        .failed_with(&["bad.toml", "line 2", "99"]);
    folder
        .run("bake level.obj -o x.pnav --areas none.toml")
        .failed_with(&["none.toml"]);
}

#[test]
fn the_z_axis_can_point_up() {
    let folder = with_level();
    let turned: String = LEVEL
        .lines()
        .map(|line| match line.strip_prefix("v ") {
            Some(coordinates) => {
                let n: Vec<&str> = coordinates.split(' ').collect();
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

/// If a level seems to be read wrongly, a warning of one line names the option, also with --quiet.
/// With the option, the bake is right.
#[test]
fn a_wrong_axis_winding_or_unit_is_reported() {
    let folder = Folder::new();
    folder.run("scene map -o m.obj -q").succeeded();
    folder.run("bake m.obj -o right.pnav -q").succeeded();
    let changed = |change: &dyn Fn([f32; 3]) -> [f32; 3]| -> String {
        let text = folder.text("m.obj");
        let lines = text.lines().map(|line| match line.strip_prefix("v ") {
            Some(coordinates) => {
                let n: Vec<f32> = coordinates.split(' ').map(|n| n.parse().unwrap()).collect();
                let [x, y, z] = change([n[0], n[1], n[2]]);
                format!("v {x} {y} {z}\n")
            }
            None => format!("{line}\n"),
        });
        lines.collect()
    };
    folder.write("z.obj", changed(&|[x, y, z]| [x, -z, y]));
    folder.write("mirrored.obj", changed(&|[x, y, z]| [-x, y, z]));
    folder.write("cm.obj", changed(&|point| point.map(|axis| axis * 100.0)));
    for (file, option) in [("z.obj", "--up z"), ("mirrored.obj", "--flip")] {
        let run = folder.run(&format!("bake {file} -o w.pnav --quiet"));
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        let start = format!("portolan: warning: {file}: ");
        assert!(
            run.stderr.starts_with(&start) && run.stderr.contains(option),
            "{}",
            run.stderr
        );
        let line = format!("bake {file} -o w.pnav -q {option}");
        folder.run(&line).succeeded();
        let [expected, baked] = ["right.pnav", "w.pnav"].map(|file| info(&folder, file));
        let ground = |info: &serde_json::Value| info["ground_m2"].as_f64().unwrap();
        assert!((ground(&baked) / ground(&expected) - 1.0).abs() < 0.02);
    }
    folder
        .run("bake cm.obj -o w.pnav --max-cells 1000000")
        .failed_with(&["cm.obj", "--scale 0.01"]);
    folder
        .run("bake cm.obj -o w.pnav -q --scale 0.01")
        .succeeded();
    for scale in ["0", "-1", "nan", "inf", "x"] {
        let line = format!("bake m.obj -o w.pnav --scale {scale}");
        folder.run(&line).failed_with(&["--scale", "above 0"]);
    }
}

#[test]
fn polygons_have_the_flags_of_their_area() {
    let folder = with_level();
    // The gap next to the wall is deep water.
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
fn tiles_do_not_depend_on_the_number_of_threads() {
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
fn max_vertices_and_min_component_are_respected() {
    let folder = Folder::new();
    folder.run("scene dungeon -o d.obj -q").succeeded();
    folder.run("bake d.obj -o six.pnav -q").succeeded();
    folder
        .run("bake d.obj -o three.pnav -q --max-vertices 3")
        .succeeded();
    let [six, three] = ["six.pnav", "three.pnav"].map(|file| info(&folder, file));
    assert!(count(&three, "polygons") > count(&six, "polygons"));
    let output = folder.run("bake d.obj -o main.pnav --min-component 60");
    let output = output.succeeded().stdout;
    assert!(output.contains("dropped islands"), "{output}");
    assert_eq!(count(&info(&folder, "main.pnav"), "components"), 1);
}

#[test]
fn an_error_names_the_wrong_input() {
    let folder = with_level();
    let fails = |line: &str, names: &[&str]| {
        folder.run(line).failed_with(names);
    };
    fails("bake none.obj -o w.pnav", &["none.obj"]);
    folder.write("level.fbx", LEVEL);
    fails("bake level.fbx -o w.pnav", &["level.fbx", ".obj", ".glb"]);
    fails("bake level.obj -o w.obj", &["w.obj", ".pnav"]);
    fails("bake level.obj -o no/w.pnav", &["no/w.pnav", "folder"]);
    folder.write("empty.obj", "");
    fails("bake empty.obj -o w.pnav", &["empty.obj"]);
    folder.write("nan.obj", "v 0 nan 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    fails("bake nan.obj -o w.pnav", &["nan.obj", "line 1", "nan"]);
    folder.write("index.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 4\n");
    fails("bake index.obj -o w.pnav", &["index.obj", "line 4", "4"]);
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    fails("bake flat.obj -o w.pnav", &["flat.obj", "degenerate"]);
    folder.write("not.glb", "not a glb");
    fails("bake not.glb -o w.pnav", &["not.glb"]);
    folder.write("huge.obj", "v 0 0 0\nv 0 0 1e7\nv 1e7 0 0\nf 1 2 3\n");
    fails(
        "bake huge.obj -o w.pnav",
        &["huge.obj", "use cells of at least 510 m"],
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
        fails(&format!("bake level.obj -o w.pnav {option}"), &[named]);
    }
    assert!(!folder.names().contains(&"w.pnav".to_owned()));
}

/// An interrupt ends a bake immediately and leaves no file.
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
        "the bake ended before the interrupt"
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
