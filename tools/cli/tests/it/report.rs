//! Tests of `portolan report`.

use crate::common::{Folder, count, two_islands};
use serde_json::Value;

/// A report on two scenes of about a hundred polygons, which takes about a second.
const SMALL: &str =
    "report -o out --quick --scenes simple,dungeon --mu 4,8 --queries 10 --world-sizes 200";

#[test]
fn a_report_has_a_page_figures_tables_and_json() {
    let folder = Folder::new();
    let run = folder.run(SMALL).succeeded();
    assert!(
        run.stdout.starts_with("out/index.html: 2 scenes"),
        "{run:?}"
    );
    let report = folder.json("out/report.json");
    assert_eq!(report["format"], "portolan report 1");
    assert_eq!(report["effort"]["merge_factors"], serde_json::json!([4, 8]));
    let scenes: Vec<&Value> = report["scenes"].as_array().unwrap().iter().collect();
    assert_eq!(scenes.len(), 2);
    assert!(count(scenes[0], "polygons") > 60);
    let page = folder.text("out/index.html");
    assert!(page.contains("id=\"thesis-a-dungeon\"") && page.contains("quick run"));
    assert!(folder.text("out/figures/hna-figure-8.svg").contains("µs"));
    assert!(
        folder
            .text("out/tables/hna-table-1.csv")
            .starts_with("scene,")
    );
    assert!(!folder.path("out/cells.jsonl").exists());
    // Two scenes and two worlds.
    assert_eq!(report["beyond"].as_array().unwrap().len(), 4);
    assert!(page.contains("id=\"beyond-worlds\""));

    let quiet = Folder::new();
    let run = quiet.run(&format!("{SMALL} -q --threads 1")).succeeded();
    assert_eq!(run.stdout, "");
}

#[test]
fn finished_measurements_survive_an_error() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("out")).unwrap();
    // A file instead of the folder of figures makes the command fail after all measurements.
    folder.write("out/figures", "in the way");
    folder.run(SMALL).failed_with(&["out/figures"]);
    let journal = folder.text("out/cells.jsonl");
    let kept = journal.lines().count();
    assert!(kept > 10, "{journal}");
    // The last line is incomplete, as after a power failure.
    folder.write("out/cells.jsonl", &journal[..journal.len() - 30]);
    std::fs::remove_file(folder.path("out/figures")).unwrap();
    folder.run(SMALL).succeeded();
    let report = folder.json("out/report.json");
    let first: Value = journal
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .find(|line: &Value| line["cell"]["kind"] == "grid")
        .unwrap();
    assert_eq!(report["grid"][0]["astar"], first["cell"]["astar"]);
}

#[test]
fn a_killed_run_can_be_continued() {
    let folder = Folder::new();
    let words: Vec<&str> = SMALL.split_whitespace().collect();
    let mut child = folder.command().args(&words).spawn().unwrap();
    let journal = folder.path("out/cells.jsonl");
    let lines = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    while lines() < 4 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    // The run may have finished already.
    let _ = child.kill();
    child.wait().unwrap();
    folder.run(SMALL).succeeded();
    assert_eq!(
        folder.json("out/report.json")["grid"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
}

#[test]
fn maps_are_measured_like_scenes() {
    let folder = Folder::new();
    folder
        .run("scene rooms -o rooms.pnav --polygons 500 -q")
        .succeeded();
    folder
        .run("scene open -o fields.obj --polygons 500 -q")
        .succeeded();
    let line = "report -o out --quick --scenes none --mu 4 --queries 10 --world-sizes 200 --maps rooms.pnav fields.obj";
    folder.run(line).succeeded();
    let report = folder.json("out/report.json");
    let names: Vec<&str> = report["scenes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|scene| scene["scene"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["rooms", "fields"]);
    let page = folder.text("out/index.html");
    for id in [
        "map-rooms-hna",
        "map-fields-pccp",
        "thesis-a-rooms",
        "hna-figure-8",
    ] {
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
}

#[test]
fn two_reports_are_compared() {
    let folder = Folder::new();
    folder.run(SMALL).succeeded();
    let same = folder
        .run("report --diff out/report.json out/report.json")
        .succeeded();
    for change in [
        "no measurement became faster",
        "no measurement became slower",
    ] {
        assert!(same.stdout.contains(change), "{same:?}");
    }

    let mut report = folder.json("out/report.json");
    let time = &mut report["grid"][1]["levels"][0]["engines"][3]["time"];
    // The number is rounded, because writing and reading may change its last digit.
    let mean = time["mean_us"].as_f64().unwrap() / 50.0;
    time["mean_us"] = ((mean * 1e6).round() / 1e6).into();
    report["machine"]["cpu"] = "an abacus".into();
    folder.write("fast.json", report.to_string());
    let run = folder
        .run("report --diff out/report.json fast.json")
        .succeeded();
    for word in [
        "1 measurement became faster",
        "hna:1:table",
        "0.020",
        "±",
        "an abacus",
    ] {
        assert!(run.stdout.contains(word), "no {word}: {run:?}");
    }

    // The page can be written again from the JSON.
    folder.run("report --from fast.json -o again").succeeded();
    assert_eq!(folder.json("again/report.json"), report);
    assert!(folder.text("again/index.html").contains("an abacus"));

    // A report keeps its comparison with other libraries.
    let peers = r#"{"maps": [{"map": "a town", "polygons": 9, "engines": [
        {"engine": "auto:best", "mean_us": 3, "excess": {"mean": 0.002}}]}]}"#;
    folder.write("peers.json", peers);
    let line = "report --from fast.json --peers peers.json -o beside";
    folder.run(line).succeeded();
    let line = "report --from beside/report.json -o beside-again";
    folder.run(line).succeeded();
    for page in ["beside/index.html", "beside-again/index.html"] {
        assert!(folder.text(page).contains("id=\"beyond-peers\""), "{page}");
    }
    folder.write("cut.json", &peers[..40]);
    let line = "report --from fast.json --peers cut.json -o none";
    folder.run(line).failed_with(&["cut.json", "peers"]);
}

#[test]
fn wrong_input_is_an_error() {
    let folder = Folder::with_world(&two_islands());
    folder.run("report").failed_with(&["--output"]);
    folder
        .run("report -o out --scenes atlantis")
        .failed_with(&["atlantis", "dungeon"]);
    folder.run("report -o out --mu 1").failed_with(&["1"]);
    folder.run("report -o out --queries 0").failed_with(&["0"]);
    folder
        .run("report -o out --world-sizes 12")
        .failed_with(&["--world-sizes", "12"]);
    folder
        .run("report -o out --scenes none")
        .failed_with(&["none", "--maps"]);
    folder.write("file", "not a folder");
    folder
        .run("report -o file/out --quick --scenes simple")
        .failed_with(&["file/out", "written"]);
    folder
        .run("report -o out --scenes simple --maps no.pnav")
        .failed_with(&["no.pnav"]);
    folder.write("broken.obj", "f 1 2 3\n");
    folder
        .run("report -o out --scenes simple --maps broken.obj")
        .failed_with(&["broken.obj"]);
    folder.write("dungeon.pnav", folder.bytes("world.pnav"));
    folder
        .run("report -o out --scenes dungeon --maps dungeon.pnav")
        .failed_with(&["dungeon.pnav", "rename"]);
    assert!(!folder.path("out").exists());

    folder.write("broken.json", "{\"format\": \"portolan rep");
    folder.write("other.json", "{\"format\": \"portolan report 1\"}");
    folder
        .run("report --diff broken.json broken.json")
        .failed_with(&["broken.json", "not a report"]);
    folder
        .run("report --diff other.json other.json")
        .failed_with(&["other.json", "not a report"]);
    folder
        .run("report --diff no.json other.json")
        .failed_with(&["no.json"]);
    folder
        .run("report --diff other.json")
        .failed_with(&["--diff"]);
    folder
        .run("report --from broken.json -o out")
        .failed_with(&["broken.json"]);
}

#[cfg(not(feature = "gpu"))]
#[test]
fn without_support_for_graphics_cards_the_option_fails_in_one_line() {
    let folder = Folder::new();
    let run = folder.run(&format!("{SMALL} --gpu"));
    run.failed_with(&["--features gpu"]);
    assert!(!folder.path("out").exists());
}
