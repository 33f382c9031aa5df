//! Tests of `portolan probe`: every question as text and JSON, and wrong usage.

use serde_json::{Value, json};

use crate::common::{Folder, number, rooms_with_door};

fn ask(folder: &Folder, question: &str) -> Value {
    let command = format!("probe world.pnav {question} --json");
    folder.run(&command).succeeded().json()
}

#[test]
fn every_question_has_an_answer() {
    let folder = Folder::with_world(&rooms_with_door());
    let near = ask(&folder, "--near 1,0.5,-0.25");
    assert_eq!(near["status"], "found");
    assert_eq!(near["point"], json!([1.0, 0.0, 0.0]));
    assert_eq!(near["polygon"], 0);
    assert_eq!(near["reachable"]["polygons"], 3);
    assert!((number(&near["reachable"], "area") - 33.0).abs() < 1e-4);

    let hit = ask(&folder, "--ray 1,0,0.5 8,0,0.5");
    assert_eq!((&hit["status"], &hit["hit"]), (&json!("hit"), &json!(true)));
    assert_eq!(hit["point"], json!([4.0, 0.0, 0.5]));
    assert_eq!(hit["normal"], json!([-1.0, 0.0, 0.0]));
    assert_eq!(number(&hit, "distance"), 3.0);
    let clear = ask(&folder, "--ray 1,0,2 8,0,2");
    assert_eq!(clear["status"], "clear");
    assert_eq!(clear["polygons"], json!([0, 1, 2]));

    let moved = ask(&folder, "--move 3.5,0,0.5 4.5,0,1");
    assert_eq!(moved["point"], json!([4.0, 0.0, 1.0]));
    let wall = ask(&folder, "--wall 1,0,2");
    assert_eq!(number(&wall, "distance"), 1.0);
    assert_eq!(wall["normal"], json!([1.0, 0.0, 0.0]));
    let around = ask(&folder, "--around 4.5,0,2 --radius 1");
    assert_eq!(around["polygons"].as_array().map(Vec::len), Some(3));
    assert!(!around["walls"].as_array().unwrap().is_empty());
    let random = ask(&folder, "--random 20 --seed 3");
    assert_eq!(random["points"].as_array().map(Vec::len), Some(20));
    assert_eq!(random, ask(&folder, "--random 20 --seed 3"));
    assert_ne!(random, ask(&folder, "--random 20 --seed 4"));
    let within = ask(&folder, "--random 20 --within 1,0,2 --radius 1");
    for point in within["points"].as_array().unwrap() {
        let [x, z] = [0, 2].map(|axis| point[axis].as_f64().unwrap());
        let [dx, dz] = [x - 1.0, z - 2.0];
        assert!(dx * dx + dz * dz <= 1.0 + 1e-5, "{point}");
    }
}

#[test]
fn text_and_picture_show_the_answer() {
    let folder = Folder::with_world(&rooms_with_door());
    let text = folder
        .run("probe world.pnav --ray 1,0,0.5 8,0,0.5 --svg ray.svg")
        .succeeded()
        .stdout;
    assert!(text.starts_with("hit\n4,0,0.5 on polygon 0\n"), "{text}");
    let svg = std::fs::read_to_string(folder.path("ray.svg")).unwrap();
    assert!(svg.contains("class=\"line\"") && svg.contains("class=\"walls\""));
}

#[test]
fn a_profile_closes_ground() {
    let folder = Folder::with_world(&rooms_with_door());
    std::fs::write(folder.path("no-doors.toml"), "forbidden = [7]\n").unwrap();
    let hit = ask(&folder, "--ray 1,0,2 8,0,2 --profile no-doors.toml");
    assert_eq!(hit["point"], json!([4.0, 0.0, 2.0]));
    let near = ask(&folder, "--near 1,0,1 --profile no-doors.toml");
    assert_eq!(near["reachable"]["polygons"], 1);
}

#[test]
fn nothing_found_is_an_answer() {
    let folder = Folder::with_world(&rooms_with_door());
    let off = folder
        .run("probe world.pnav --near 50,0,0")
        .answered_no()
        .stdout;
    assert!(
        off.starts_with("off_mesh\n") && off.contains("--snap"),
        "{off}"
    );
    let none = folder
        .run("probe world.pnav --wall 2,0,2 --radius 0.5")
        .answered_no()
        .stdout;
    assert!(none.starts_with("none\n"), "{none}");
}

#[test]
fn wrong_usage_is_one_line() {
    let folder = Folder::with_world(&rooms_with_door());
    for line in [
        "probe world.pnav",
        "probe world.pnav --near 1,0,1 --wall 1,0,1",
        "probe world.pnav --ray 1,0,1",
        "probe world.pnav --near 1,nan,1",
        "probe world.pnav --random 0",
        "probe world.pnav --wall 1,0,1 --radius -1",
        "probe missing.pnav --near 1,0,1",
        "probe world.pnav --near 1,0,1 --svg picture.png",
    ] {
        folder.run(line).failed_with(&[]);
    }
}
