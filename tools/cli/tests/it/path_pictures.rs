//! Tests of the pictures of `portolan path`, and of ground that is closed on the command line.

use crate::common::{Folder, number, rooms_with_door, two_islands, two_routes, xml_elements};
use crate::path::check_shape;
use serde_json::json;
#[test]
fn a_picture_shows_corridor_and_waypoints() {
    let folder = Folder::with_scene("rooms --size small --areas");
    let answer = folder
        .run("path world.pnav --from 3,0,3 --to 40,0,30 --json --svg path.svg")
        .succeeded()
        .json();
    let elements = xml_elements(&folder.text("path.svg"));
    assert_eq!(elements[0].0, "svg");
    assert!(elements[0].1.contains("http://www.w3.org/2000/svg"));
    let of_class = |class: &str| {
        let class = format!("class=\"{class}\"");
        let elements = elements.iter();
        elements.filter(move |(_, attributes)| attributes.starts_with(&class))
    };
    let corridor: Vec<_> = of_class("corridor").collect();
    assert_eq!(corridor.len(), 1);
    let polygons = answer["polygons"].as_array().unwrap().len();
    assert_eq!(corridor[0].1.matches('M').count(), polygons);
    let waypoints = answer["waypoints"].as_array().unwrap().len();
    assert_eq!(of_class("waypoint").count(), waypoints);
    let words = texts_in(&folder.text("path.svg"));
    for word in [
        "x (m)",
        "z (m)",
        "S",
        "G",
        "corridor and its portals",
        "area 1",
    ] {
        assert!(words.iter().any(|other| other == word), "{word}: {words:?}");
    }
    assert!(!folder.text("path.svg").contains("NaN"));
    assert_eq!(folder.names(), ["path.svg", "world.pnav"]);

    let text = folder.run("path world.pnav --from 3,0,3 --to 40,0,30 --svg path.svg");
    assert!(text.succeeded().stdout.contains("path.svg"));
}

#[test]
fn a_picture_of_a_tower_has_the_usual_size() {
    let folder = Folder::with_scene("rooms --size small --floors 60");
    folder
        .run("path world.pnav --from 3,0,3 --to 3,40,3 --snap 9,9,9 --svg tower.svg")
        .succeeded();
    let (_, attributes) = xml_elements(&folder.text("tower.svg")).swap_remove(0);
    let side = |word: &str| {
        let value = attributes.split_once(&format!(" {word}=\"")).unwrap().1;
        let value = value.split_once('"').unwrap().0;
        value.parse::<f32>().unwrap()
    };
    let longer = side("width").max(side("height"));
    assert!((1000.0..1400.0).contains(&longer), "{attributes}");
    // Floors are translucent, so lower ones can be seen.
    let text = folder.text("tower.svg");
    assert!(text.contains("fill-opacity=\"0.78\""));
    assert!(texts_in(&text).contains(&"height y".to_owned()));
}

#[test]
fn a_picture_without_a_path_shows_start_and_goal() {
    let folder = Folder::with_world(&two_islands());
    let words = |options: &str| {
        folder.run(&format!("path world.pnav {options} --svg p.svg"));
        let text = folder.text("p.svg");
        let elements = xml_elements(&text);
        // A point off the mesh is a dashed disc. Each disc is in the picture and in the legend.
        let discs = elements
            .iter()
            .filter(|(name, all)| name == "circle" && all.contains("r=\"10\""));
        let hollow = discs.clone().filter(|(_, all)| all.contains("dasharray"));
        assert_eq!(discs.count(), 4, "{options}");
        (texts_in(&text), hollow.count() / 2)
    };
    let (unreachable, hollow) = words("--from 1,0,1 --to 11,0,1");
    assert_eq!(hollow, 0);
    for word in [
        "start 1.0, 0.0, 1.0",
        "goal 11.0, 0.0, 1.0",
        "no path",
        "island 1: 3 polygons",
        "island 2: 2 polygons",
    ] {
        assert!(
            unreachable.contains(&word.to_owned()),
            "{word}: {unreachable:?}"
        );
    }
    // Next to the mesh, and far from it.
    for goal in ["8,0,1", "-400,0,9000"] {
        let (off, hollow) = words(&format!("--from 1,0,1 --to {goal}"));
        assert_eq!(hollow, 1, "{goal}");
        let is_off = |word: &String| word.starts_with("goal") && word.ends_with("off the mesh");
        assert!(off.iter().any(is_off), "{off:?}");
    }
    let (_, hollow) = words("--from 0,9,0 --to 8,0,1");
    assert_eq!(hollow, 2);
    // The goal is drawn at its own position, not at the end of a partial path.
    let (partial, _) = words("--from 1,0,1 --to 11,0,1 --partial");
    assert!(
        partial.contains(&"goal 11.0, 0.0, 1.0".to_owned()),
        "{partial:?}"
    );
    folder.write("closed.toml", "forbidden = [0]");
    let (closed, _) = words("--from 1,0,1 --to 5,0,1 --profile closed.toml");
    let is_closed = |word: &&String| word.ends_with("on closed ground");
    assert_eq!(closed.iter().filter(is_closed).count(), 2, "{closed:?}");
}

/// Returns the texts in a picture.
fn texts_in(svg: &str) -> Vec<String> {
    let texts = svg.split("<text ").skip(1);
    let words = texts.filter_map(|text| Some(text.split_once('>')?.1.split_once("</text>")?.0));
    words.map(str::to_owned).collect()
}

#[test]
fn blocked_ground_is_closed_for_the_query_and_drawn() {
    let folder = Folder::with_world(&rooms_with_door());
    let path = |options: &str| {
        let line = format!("path world.pnav --from 1,0,1 --to 8,0,3.5 --json {options}");
        folder.run(&line)
    };
    path("--svg p.svg").succeeded();
    assert!(!folder.text("p.svg").contains("closed"));
    for engine in ["auto", "astar", "dijkstra", "auto:fast"] {
        let run = path(&format!("--block 4.5,0,2 --engine {engine} --svg p.svg"));
        let answer = run.answered_no().json();
        check_shape(&answer, engine);
        assert_eq!(answer["status"], "no_path");
    }
    let svg = folder.text("p.svg");
    assert!(svg.contains("class=\"closed\"") && svg.contains("closed ground"));
    xml_elements(&svg);
    let run = path("--block 4.5,0,2 --block 8,0,3.5").answered_no();
    assert_eq!(run.json()["status"], "goal_closed");
    path("--block 500,0,0").failed_with(&["--block 500,0,0", "no ground"]);

    let folder = Folder::with_world(&two_routes());
    let line = "path world.pnav --from 1,0,1 --to 5,0,1 --block 3,0,1 --json";
    let answer = folder.run(line).succeeded().json();
    assert_eq!(answer["polygons"], json!([0, 3, 4, 5, 2]));
}

#[test]
fn a_path_leads_around_a_disc() {
    let folder = Folder::with_world(&two_routes());
    let line = "path world.pnav --from 1,0,1 --to 5,0,1 --json --svg p.svg --disc";
    // Agents keep 0.6 m away, so the disc closes the direct route.
    let answer = folder.run(&format!("{line} 3,0,1,0.5")).succeeded().json();
    assert!(number(&answer, "length") > 4.5, "{answer:#}");
    let svg = folder.text("p.svg");
    assert!(svg.contains("class=\"disc\"") && svg.contains("disc on the ground"));
    xml_elements(&svg);
    folder
        .run(&format!("{line} 3,0,1,0"))
        .failed_with(&["--disc", "radius"]);
    folder
        .run(&format!("{line} 3,0,1,1 --show-search"))
        .failed_with(&["--show-search"]);
}
