//! Tests of `--profile`.

use crate::common::{Folder, number, rooms_with_door, two_routes};
use serde_json::{Value, json};

/// Finds a path with the given profile and further options.
fn path_with(folder: &Folder, profile: &str, options: &str) -> Value {
    folder.write("agent.toml", format!("{profile}\n"));
    let line =
        format!("path world.pnav --from 1,0,1 --to 5,0,1 --json --profile agent.toml {options}");
    let run = folder.run(&line);
    assert_eq!(run.stderr, "", "{profile}");
    run.json()
}

#[test]
fn an_expensive_area_is_avoided() {
    let folder = Folder::with_world(&two_routes());
    for engine in ["--engine auto", "--engine astar", "--engine dijkstra:fast"] {
        for profile in [
            "",
            "# nothing\n",
            "[factors]\n3 = 1.0\n",
            "[factors]\n4 = 9\n",
        ] {
            let answer = path_with(&folder, profile, engine);
            assert_eq!(answer["polygons"], json!([0, 1, 2]), "{profile}");
        }
        let around = path_with(&folder, "[factors]\n3 = 20.0\n", engine);
        assert_eq!(around["polygons"], json!([0, 3, 4, 5, 2]));
        assert!(number(&around, "length") > 4.5);
        let both = path_with(&folder, "[factors]\n3 = 20.0\n4 = 20.0\n", engine);
        assert_eq!(both["polygons"], json!([0, 1, 2]));
        assert!(
            number(&both, "cost") > 2.0 * 20.0,
            "2 m cost 20 per metre each"
        );
        assert!((number(&both, "length") - 4.0).abs() < 1e-4);
    }
}

#[test]
fn a_forbidden_area_is_closed() {
    let folder = Folder::with_world(&two_routes());
    let around = path_with(&folder, "forbidden = [3]", "");
    assert_eq!(around["polygons"], json!([0, 3, 4, 5, 2]));
    let closed = path_with(&folder, "forbidden = [3, 4]", "");
    assert_eq!(closed["status"], "no_path");
    let partial = path_with(&folder, "forbidden = [3, 4]", "--partial");
    assert_eq!(partial["status"], "partial");
    let unused_area = path_with(&folder, "forbidden = [200]", "");
    assert_eq!(unused_area["polygons"], json!([0, 1, 2]));
    let all_closed = path_with(&folder, "forbidden = [0]", "");
    assert_eq!(all_closed["status"], "start_closed");
}

#[test]
fn a_closed_door_blocks_the_path() {
    let folder = Folder::with_world(&rooms_with_door());
    folder.write("thief.toml", "forbidden = [7]\n");
    let query = "path world.pnav --from 1,0,1 --to 8,0,3 --json";
    assert_eq!(folder.run(query).succeeded().json()["status"], "found");
    let closed = folder.run(&format!("{query} --profile thief.toml"));
    assert_eq!(closed.answered_no().json()["status"], "no_path");
    let at_the_door = folder.run(
        "path world.pnav --from 4.5,0,2 --to 8,0,3 --json --profile thief.toml --snap 0.1,1,0.1",
    );
    assert_eq!(at_the_door.answered_no().json()["status"], "start_closed");
}

#[test]
fn bench_uses_the_profile() {
    let folder = Folder::with_world(&rooms_with_door());
    folder.write("thief.toml", "forbidden = [7]\n");
    folder.write("q.csv", "sx,sy,sz,gx,gy,gz\n1,0,1,8,0,3\n1,0,1,3,0,3\n");
    folder
        .run("bench world.pnav --queries q.csv --profile thief.toml --json b.json -q")
        .succeeded();
    for engine in folder.json("b.json")["engines"].as_array().unwrap() {
        assert_eq!(
            (&engine["found"], &engine["no_path"]),
            (&json!(1), &json!(1))
        );
        assert_eq!(engine["cost_mismatches"], 0);
    }
}

#[test]
fn a_wrong_profile_is_an_error() {
    let folder = Folder::with_world(&two_routes());
    let query = "path world.pnav --from 1,0,1 --to 5,0,1 --profile";
    for (content, names) in [
        ("forbidden = [3", &["line 1"][..]),
        ("links = true\nfactor = 3", &["line 2", "factor"]),
        ("links = 7", &["line 1"]),
        ("forbidden = [256]", &["line 1"]),
        ("forbidden = [-1]", &["line 1"]),
        ("forbidden = 3", &["line 1"]),
        ("[factors]\n300 = 1.0", &["300"]),
        ("[factors]\nmud = 1.0", &["mud"]),
        ("[factors]\n3 = -1.0", &["area 3"]),
        ("[factors]\n3 = nan", &["area 3"]),
        ("[factors]\n3 = inf", &["area 3"]),
        ("[factors]\n3 = 1e30", &["area 3"]),
        ("[factors]\n3 = \"high\"", &["line 2"]),
        ("[factors]\n3 = 1\n3 = 2", &["line 3"]),
        ("{\"forbidden\": [3]}", &["line 1"]),
        ("\u{0}\u{1}", &["line 1"]),
    ] {
        folder.write("bad.toml", content);
        let run = folder.run(&format!("{query} bad.toml"));
        run.failed_with(&[&["bad.toml"], names].concat());
    }
    folder.write("bad.toml", b"\xff\xfe");
    folder
        .run(&format!("{query} bad.toml"))
        .failed_with(&["bad.toml"]);
    folder
        .run(&format!("{query} none.toml"))
        .failed_with(&["none.toml"]);
    folder.run(&format!("{query} .")).failed_with(&[".: "]);
}

#[test]
fn random_queries_are_on_open_ground() {
    let folder = Folder::with_scene("rooms --polygons 800 --areas --seed 3");
    folder.write("shy.toml", "forbidden = [1]\n");
    let line = "bench world.pnav --random 60 --rounds 1 --engines astar --json b.json -q";
    folder
        .run(&format!("{line} --profile shy.toml"))
        .succeeded();
    assert_eq!(folder.json("b.json")["engines"][0]["off_mesh"], 0);
    let all: Vec<String> = (0..256).map(|area| area.to_string()).collect();
    folder.write("ghost.toml", format!("forbidden = [{}]\n", all.join(", ")));
    folder
        .run(&format!("{line} --profile ghost.toml"))
        .failed_with(&["world.pnav", "profile"]);
}
