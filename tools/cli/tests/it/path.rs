//! Tests of `portolan path`: statuses, fields and limits.

use crate::common::{
    Folder, GroundFace, count, fields, ground, number, rooms_with_door, two_islands,
};
use serde_json::{Value, json};

/// Checks all fields of an answer and their types, for any status.
#[track_caller]
pub(crate) fn check_shape(answer: &Value, engine: &str) {
    let mut expected = vec![
        "status",
        "length",
        "length_xz",
        "cost",
        "polygons",
        "waypoints",
        "engine",
        "micros",
        // Which legs of the path are links.
        "links",
        // The tier that answered.
        "tier",
    ];
    expected.sort_unstable();
    assert_eq!(fields(answer), expected);
    assert_eq!(answer["engine"], engine);
    assert_eq!(answer["tier"].is_string(), answer["cost"].is_number());
    let micros = &answer["micros"];
    assert_eq!(fields(micros), ["locate", "search", "total", "waypoints"]);
    let parts: f64 = ["locate", "search", "waypoints"]
        .map(|step| number(micros, step))
        .iter()
        .sum();
    assert!(
        (parts - number(micros, "total")).abs() < 1e-6 && parts > 0.0,
        "{micros}"
    );
    let polygons = answer["polygons"].as_array().unwrap();
    assert!(polygons.iter().all(Value::is_u64));
    let waypoints = answer["waypoints"].as_array().unwrap();
    for waypoint in waypoints {
        let numbers = waypoint.as_array().unwrap();
        assert!(
            numbers.len() == 3 && numbers.iter().all(Value::is_f64),
            "{waypoint}"
        );
    }
    let lengths = ["length", "length_xz", "cost"];
    match answer["status"].as_str().unwrap() {
        "found" | "partial" => {
            assert!(lengths.iter().all(|field| number(answer, field) >= 0.0));
            assert!(!polygons.is_empty() && waypoints.len() >= 2);
        }
        "no_path" | "start_off_mesh" | "goal_off_mesh" => {
            assert!(lengths.iter().all(|field| answer[field].is_null()));
            assert!(polygons.is_empty() && waypoints.is_empty());
        }
        other => panic!("status {other}"),
    }
}

#[test]
fn a_straight_path_is_found() {
    let folder = Folder::with_world(&two_islands());
    let answer = folder
        .run("path world.pnav --from 1,0,1 --to 5,0,1 --json")
        .succeeded()
        .json();
    check_shape(&answer, "auto");
    assert_eq!(answer["status"], "found");
    assert_eq!(answer["polygons"], json!([0, 1, 2]));
    assert_eq!(
        answer["waypoints"],
        json!([[1.0, 0.0, 1.0], [5.0, 0.0, 1.0]])
    );
    for field in ["length", "length_xz", "cost"] {
        assert!((number(&answer, field) - 4.0).abs() < 1e-5, "{answer:#}");
    }
    assert_eq!(folder.names(), ["world.pnav"]);
}

#[test]
fn the_answer_names_the_engine() {
    let folder = Folder::with_world(&rooms_with_door());
    let mut costs = Vec::new();
    for engine in [
        "auto",
        "astar",
        "dijkstra",
        "auto:fast",
        "astar:fast",
        "dijkstra:fast",
    ] {
        let answer = folder
            .run(&format!(
                "path world.pnav --engine {engine} --from 1,0,1 --to 8,0,3.5 --json"
            ))
            .succeeded()
            .json();
        check_shape(&answer, engine);
        assert_eq!(answer["polygons"], json!([0, 1, 2]), "{engine}");
        costs.push(number(&answer, "cost"));
    }
    assert!(costs.iter().all(|cost| (cost - costs[0]).abs() < 1e-4));
}

/// The ids are those of the .obj, not the internal order of the .pnav.
#[test]
fn polygons_have_the_ids_of_the_imported_file() {
    let row = |n: u16| ground([f32::from(n), 0.0], [f32::from(n) + 1.0, 1.0]);
    // 0, 7, 14, ... modulo 20: every face once, in an order that no space-filling curve has.
    let order: Vec<u16> = (0..20).map(|i| i * 7 % 20).collect();
    let faces: Vec<GroundFace> = order.iter().map(|&n| row(n)).collect();
    let folder = Folder::with_world(&faces);
    let answer = folder
        .run("path world.pnav --from 0.5,0,0.5 --to 19.5,0,0.5 --json")
        .succeeded()
        .json();
    let expected: Vec<usize> = (0..20)
        .map(|n| order.iter().position(|&at| at == n).unwrap())
        .collect();
    assert_eq!(answer["polygons"], json!(expected));
}

#[test]
fn lengths_are_reported_in_space_and_in_plan() {
    let folder = Folder::new();
    // 3 m along x, 4 m up.
    folder.write(
        "ramp.obj",
        "v 0 0 0\nv 3 4 0\nv 3 4 2\nv 0 0 2\nv 5 4 0\nv 5 4 2\nf 1 2 3 4\nf 2 5 6 3\n",
    );
    folder.run("import ramp.obj -o ramp.pnav -q").succeeded();
    let answer = folder
        .run("path ramp.pnav --from 0,0,1 --to 5,4,1 --json")
        .succeeded()
        .json();
    check_shape(&answer, "auto");
    assert!((number(&answer, "length") - 7.0).abs() < 1e-3, "{answer:#}");
    assert!(
        (number(&answer, "length_xz") - 5.0).abs() < 1e-3,
        "{answer:#}"
    );
}

#[test]
fn there_is_no_path_between_islands() {
    let folder = Folder::with_world(&two_islands());
    for engine in ["auto", "astar", "dijkstra"] {
        let answer = folder
            .run(&format!(
                "path world.pnav --from 1,0,1 --to 11,0,1 --json --engine {engine}"
            ))
            .answered_no()
            .json();
        check_shape(&answer, engine);
        assert_eq!(answer["status"], "no_path");
    }
    let text = folder.run("path world.pnav --from 1,0,1 --to 11,0,1");
    let text = text.answered_no().stdout;
    assert!(text.starts_with("no_path"), "{text}");
    assert!(text.contains("--partial"), "no hint: {text}");
}

#[test]
fn a_partial_path_ends_at_the_nearest_reachable_point() {
    let folder = Folder::with_world(&two_islands());
    for engine in ["auto", "astar", "dijkstra"] {
        let answer = folder
            .run(&format!(
                "path world.pnav --from 1,0,1 --to 11,0,1 --partial --json --engine {engine}"
            ))
            .succeeded()
            .json();
        check_shape(&answer, engine);
        assert_eq!(answer["status"], "partial");
        assert_eq!(answer["polygons"], json!([0, 1, 2]));
        assert_eq!(answer["waypoints"][1], json!([6.0, 0.0, 1.0]));
        assert!((number(&answer, "length") - 5.0).abs() < 1e-5);
    }
    let reachable = folder.run("path world.pnav --from 1,0,1 --to 5,0,1 --partial --json");
    assert_eq!(reachable.succeeded().json()["status"], "found");
}

#[test]
fn start_and_goal_off_the_mesh_are_distinguished() {
    let folder = Folder::with_world(&two_islands());
    for (from, to, status) in [
        ("1,0,4", "5,0,1", "start_off_mesh"),
        ("1,0,1", "5,0,4", "goal_off_mesh"),
        // The start is checked first.
        ("1,0,4", "5,0,4", "start_off_mesh"),
        ("-3,0,-5", "5,0,1", "start_off_mesh"),
        ("1,2.5,1", "5,0,1", "start_off_mesh"),
        ("1,0,1", "1e30,0,-1e30", "goal_off_mesh"),
    ] {
        let query = ["path", "world.pnav", "--from", from, "--to", to];
        let answer = folder.run_args(&[&query[..], &["--json"]].concat());
        let answer = answer.answered_no().json();
        check_shape(&answer, "auto");
        assert_eq!(answer["status"], status, "{from} to {to}");

        let text = folder.run_args(&query).answered_no().stdout;
        assert!(text.starts_with(status), "{text}");
        let option = if status.starts_with("start") {
            "--from"
        } else {
            "--to"
        };
        assert!(text.contains(option), "{text}");
        let partial = folder.run_args(&[&query[..], &["--partial", "--json"]].concat());
        // A goal off the mesh has a partial path, a start off the mesh has none.
        match status.starts_with("start") {
            true => assert_eq!(partial.answered_no().json()["status"], status),
            false => assert_eq!(partial.succeeded().json()["status"], "partial"),
        }
    }
}

#[test]
fn snap_limits_the_distance_to_the_mesh() {
    let folder = Folder::with_world(&two_islands());
    let status = |options: &str| {
        let line = format!("path world.pnav --to 5,0,1 --json {options}");
        folder.run(&line).json()["status"].clone()
    };
    // The default is half a metre sideways, and two metres up and down.
    assert_eq!(status("--from 1,0,2.4"), "found");
    assert_eq!(status("--from 1,0,2.6"), "start_off_mesh");
    assert_eq!(status("--from 1,-1.9,1"), "found");
    assert_eq!(status("--from 1,0,2.6 --snap 1,1,1"), "found");
    assert_eq!(status("--from 1,0,2.6 --snap 1,1,0.1"), "start_off_mesh");
    assert_eq!(status("--from 1,9,1 --snap 0,10,0"), "found");
    assert_eq!(status("--from 1,0,1 --snap 0,0,0"), "found");
}

#[test]
fn paths_above_max_cost_are_not_found() {
    let folder = Folder::with_world(&two_islands());
    let path_within = |limit: &str| {
        let line = format!("path world.pnav --from 1,0,1 --to 5,0,1 --json --max-cost {limit}");
        folder.run(&line)
    };
    assert_eq!(path_within("3.9").answered_no().json()["status"], "no_path");
    assert_eq!(path_within("4.1").succeeded().json()["status"], "found");
    assert_eq!(path_within("1e30").succeeded().json()["status"], "found");
    assert_eq!(path_within("0").answered_no().json()["status"], "no_path");
    let partial = path_within("3.9 --partial").succeeded().json();
    assert_eq!(partial["status"], "partial");
}

#[test]
fn a_partial_path_does_not_reach_the_goal() {
    let folder = Folder::with_world(&two_islands());
    let answer = folder
        .run("path world.pnav --from 1,0,1 --to 5,0,1 --json --max-cost 3.9 --partial")
        .succeeded()
        .json();
    assert_eq!(answer["status"], "partial");
    let last = answer["waypoints"].as_array().unwrap().last().unwrap();
    assert_ne!(last, &json!([5.0, 0.0, 1.0]));
}

#[test]
fn a_partial_path_respects_max_cost() {
    let folder = Folder::with_scene("rooms --size small");
    for limit in ["0", "1", "5", "20"] {
        let line = format!(
            "path world.pnav --from 3,0,3 --to 20,0,15 --partial --json --max-cost {limit}"
        );
        let answer = folder.run(&line).succeeded().json();
        let limit: f64 = limit.parse().unwrap();
        assert!(number(&answer, "cost") <= limit + 1e-4, "{answer:#}");
    }
}

#[test]
fn a_path_from_a_point_to_itself_has_length_0() {
    let folder = Folder::with_world(&two_islands());
    let answer = folder
        .run("path world.pnav --from 1,0,1 --to 1,0,1 --json")
        .succeeded()
        .json();
    check_shape(&answer, "auto");
    assert_eq!(number(&answer, "length"), 0.0);
    assert_eq!(answer["polygons"], json!([0]));
}

#[test]
fn negative_coordinates_are_accepted() {
    let folder = Folder::with_world(&[
        ground([-6.0, -6.0], [-2.0, -4.0]),
        ground([-2.0, -6.0], [2.0, -4.0]),
    ]);
    for options in [
        "--from -3,0,-5 --to -1.5,-0.5,-5",
        "--from=-3,0,-5 --to=-1.5,-0.5,-5",
        "--to -15e-1,-5E-1,-5.0 --from -3,-0,-5",
    ] {
        let line = format!("path {options} --json world.pnav");
        let answer = folder.run(&line).succeeded().json();
        assert_eq!(answer["polygons"], json!([0, 1]), "{options}");
        assert!((number(&answer, "length") - 1.5).abs() < 1e-5);
    }
}

#[test]
fn options_may_be_in_any_order() {
    let folder = Folder::with_world(&two_islands());
    for line in [
        "--quiet path world.pnav --from 1,0,1 --to 5,0,1 --json",
        "path --json --to 5,0,1 --threads 2 --from 1,0,1 world.pnav --quiet",
        "--threads 3 path --from 1,0,1 world.pnav --to 5,0,1 -q --json",
    ] {
        let answer = folder.run(line).succeeded().json();
        assert_eq!(answer["status"], "found", "{line}");
    }
}

#[test]
fn the_text_has_lengths_waypoints_and_times() {
    let folder = Folder::with_world(&two_islands());
    let text = folder.run("path world.pnav --from 1,0,1 --to 5,0,1");
    let text = text.succeeded().stdout;
    assert!(
        text.starts_with("found  engine auto, tier fast\n"),
        "{text}"
    );
    for part in [
        "length 4.000 m",
        "3 polygons, 2 waypoints",
        "5.000, 0.000, 1.000",
        "µs",
    ] {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
}

#[test]
fn links_on_the_path_are_reported() {
    let folder = Folder::with_scene("open --size small --links --seed 3");
    let info = folder.run("info world.pnav --json").succeeded().json();
    assert!(count(&info, "links") > 0);
    folder.write("walker.toml", "links = false\n");
    // The far side is nearer by a link; the last goal is not on that side.
    let mut by_link = 0;
    for (x, z) in [(45, 5), (45, 35), (55, 15), (55, 45), (5, 5)] {
        let line = format!("path world.pnav --from 2,0,25 --to {x},0,{z} --json --snap 3,2,3");
        let answer = folder.run(&line).json();
        let without = folder.run(&format!("{line} --profile walker.toml")).json();
        assert_eq!(without["links"], json!([]));
        for leg in answer["links"].as_array().unwrap() {
            by_link += 1;
            let waypoints = answer["waypoints"].as_array().unwrap().len() as u64;
            assert!(count(leg, "waypoint") + 1 < waypoints);
            assert!(leg["link"].is_u64());
        }
        if answer["status"] == "found" && without["status"] == "found" {
            assert!(number(&answer, "cost") <= number(&without, "cost") + 1e-3);
        }
    }
    assert!(by_link > 0, "no path has a link; choose other points");
}

#[test]
fn a_point_may_be_three_arguments() {
    let folder = Folder::with_world(&two_islands());
    let json = |points: &str| {
        let line = format!("path world.pnav {points} --snap 0.5 2 0.5 --json");
        let mut answer = folder.run(&line).succeeded().json();
        answer["micros"] = serde_json::Value::Null;
        answer
    };
    let usual = json("--from 1,0,-0.2 --to 5,0,1");
    assert_eq!(json("--from 1 0 -0.2 --to 5 0 1"), usual);
    assert_eq!(json("--to 5 0 1 --from 1, 0, -.2"), usual);
    for (words, example) in [
        ("--from 1 0 --to 5,0,1", "--from 0,0,-5"),
        ("--from 1 0 1 2 --to 5,0,1", "--from 0,0,-5"),
        ("--from 1,0,1 --to 5 0", "--to 0,0,-5"),
        ("--from 1;0;1 --to 5 0 1", "--from 0,0,-5"),
        ("--from here --to 5 0 1", "--from 0,0,-5"),
        ("--from 1,0,1 --to 5,0,1 --snap 1 1", "--snap 0.5,2,0.5"),
    ] {
        let expected = format!("three numbers separated by commas, as in {example}");
        let run = folder.run(&format!("path world.pnav {words}"));
        run.failed_with(&[&expected]);
    }
    for words in ["--from nan 0 1 --to 5,0,1", "--from 1,0,1 --to 5,inf,1"] {
        folder
            .run(&format!("path world.pnav {words}"))
            .failed_with(&["finite"]);
    }
    folder
        .run("path world.pnav --from 1,0,1 --to 5,0,1 --max-cost nan")
        .failed_with(&["finite"]);
    folder.run("export world.pnav -o w.obj -q").succeeded();
    folder
        .run("import w.obj -o w.pnav --holding 11 0 1 -q")
        .succeeded();
}

#[test]
fn wrong_points_and_numbers_are_errors() {
    let folder = Folder::with_world(&two_islands());
    let run_path = |options: &[&str]| folder.run_args(&[&["path", "world.pnav"], options].concat());
    for bad in [
        "", "1", "1,2", "1,2,3,4", "1,2,", "a,b,c", "1;2;3", "1 2 3", "nan,0,0", "0,NaN,0",
        "inf,0,0", "0,0,-inf", "1e39,0,0", "0x1,0,0",
    ] {
        run_path(&["--from", bad, "--to", "1,0,1"]).failed_with(&["--from"]);
        run_path(&["--to", bad, "--from", "1,0,1"]).failed_with(&["--to"]);
        run_path(&["--to", "1,0,1", "--from", "1,0,1", "--snap", bad]).failed_with(&["--snap"]);
    }
    run_path(&[]).failed_with(&["--from", "--to"]);
    run_path(&["--from", "1,0,1"]).failed_with(&["--to"]);
    let endpoints = ["--from", "1,0,1", "--to", "5,0,1"];
    let run_query = |options: &[&str]| run_path(&[&endpoints, options].concat());
    for bad in ["x", "nan", "inf", "", "1,2"] {
        run_query(&["--max-cost", bad]).failed_with(&["--max-cost"]);
    }
    run_query(&["--max-cost=-1"]).failed_with(&["--max-cost"]);
    run_query(&["--threads", "0"]).failed_with(&["--threads"]);
    run_query(&["--threads", "many"]).failed_with(&["--threads"]);
    run_query(&["--from", "2,0,1"]).failed_with(&["--from"]);
    run_query(&["--sideways"]).failed_with(&["--sideways"]);
    run_query(&["second.pnav"]).failed_with(&["second.pnav"]);
    assert_eq!(folder.names(), ["world.pnav"]);
}

#[test]
fn an_error_about_a_negative_number_names_the_option() {
    let folder = Folder::with_world(&two_islands());
    let query = "path world.pnav --from 1,0,1 --to 5,0,1";
    folder
        .run(&format!("{query} --max-cost -1"))
        .failed_with(&["--max-cost"]);
    folder
        .run(&format!("{query} --snap -1,1,1"))
        .failed_with(&["--snap"]);
}

#[test]
fn a_negative_snap_is_an_error() {
    let folder = Folder::with_world(&two_islands());
    folder
        .run("path world.pnav --from 1,0,1 --to 5,0,1 --snap 0.5,-2,0.5")
        .failed_with(&["--snap"]);
}

#[test]
fn an_unknown_engine_is_an_error() {
    let folder = Folder::with_world(&two_islands());
    for engine in [
        "",
        "warp",
        "ASTAR",
        "astar:",
        "astar:fast:fast",
        "hna:2:fly",
    ] {
        let words = ["path", "world.pnav", "--from", "1,0,1", "--to", "5,0,1"];
        folder
            .run_args(&[&words[..], &["--engine", engine]].concat())
            .failed_with(&["engine", engine, "astar", "dijkstra"]);
    }
}
