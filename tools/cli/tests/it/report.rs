//! `portolan report`: a small one, continued, compared, and what it refuses.

use crate::common::{Folder, count, two_islands};
use serde_json::Value;

/// Two scenes of a hundred polygons: a second in all.
const SMALL: &str =
    "report -o out --quick --scenes simple,dungeon --mu 4,8 --queries 10 --world-sizes 200";

#[test]
fn a_report_is_a_page_with_figures_tables_and_one_json() {
    let folder = Folder::new();
    let ran = folder.run(SMALL).succeeded();
    assert!(
        ran.stdout.starts_with("out/index.html: 2 scenes"),
        "{ran:?}"
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
    // Two scenes, and a world of either kind.
    assert_eq!(report["beyond"].as_array().unwrap().len(), 4);
    assert!(page.contains("id=\"beyond-worlds\""));

    let quiet = Folder::new();
    let ran = quiet.run(&format!("{SMALL} -q --threads 1")).succeeded();
    assert_eq!(ran.stdout, "");
}

#[test]
fn what_was_finished_before_an_interruption_is_kept() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("out")).unwrap();
    // Something in the way of the page stops the run when all is measured.
    folder.write("out/figures", "in the way");
    folder.run(SMALL).complained_about(&["out/figures"]);
    let journal = folder.text("out/cells.jsonl");
    let kept = journal.lines().count();
    assert!(kept > 10, "{journal}");
    // A torn last line, as a power cut leaves it.
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
fn a_killed_run_goes_on() {
    let folder = Folder::new();
    let words: Vec<&str> = SMALL.split_whitespace().collect();
    let mut child = folder.command().args(&words).spawn().unwrap();
    let journal = folder.path("out/cells.jsonl");
    let lines = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    while lines() < 4 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    // It may have been faster than that; then there is nothing to go on with.
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
fn maps_are_further_scenes() {
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
    assert!(same.stdout.contains("nothing became faster"), "{same:?}");
    assert!(same.stdout.contains("nothing became slower"), "{same:?}");

    let mut report = folder.json("out/report.json");
    let time = &mut report["grid"][1]["levels"][0]["engines"][3]["time"];
    // Few digits: the last of many may not survive being written and read.
    let mean = time["mean_us"].as_f64().unwrap() / 50.0;
    time["mean_us"] = ((mean * 1e6).round() / 1e6).into();
    report["machine"]["cpu"] = "an abacus".into();
    folder.write("fast.json", report.to_string());
    let ran = folder
        .run("report --diff out/report.json fast.json")
        .succeeded();
    for word in [
        "1 cell became faster",
        "hna:1:table",
        "0.020",
        "±",
        "an abacus",
    ] {
        assert!(ran.stdout.contains(word), "no {word}: {ran:?}");
    }

    // The page of a report can be made again.
    folder.run("report --from fast.json -o again").succeeded();
    assert_eq!(folder.json("again/report.json"), report);
    assert!(folder.text("again/index.html").contains("an abacus"));

    // With others beside us, which it keeps.
    let peers = r#"{"maps": [{"map": "a town", "polygons": 9, "engines": [
        {"engine": "ours:best", "mean_us": 3, "excess": {"mean": 0.002}}]}]}"#;
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
    folder.run(line).complained_about(&["cut.json", "peers"]);
}

#[test]
fn bad_input_is_one_line() {
    let folder = Folder::with_world(&two_islands());
    folder.run("report").complained_about(&["--output"]);
    folder
        .run("report -o out --scenes atlantis")
        .complained_about(&["atlantis", "dungeon"]);
    folder.run("report -o out --mu 1").complained_about(&["1"]);
    folder
        .run("report -o out --queries 0")
        .complained_about(&["0"]);
    folder
        .run("report -o out --world-sizes 12")
        .complained_about(&["--world-sizes", "12"]);
    folder
        .run("report -o out --scenes none")
        .complained_about(&["none", "--maps"]);
    folder.write("file", "not a folder");
    folder
        .run("report -o file/out --quick --scenes simple")
        .complained_about(&["file/out", "written"]);
    folder
        .run("report -o out --scenes simple --maps no.pnav")
        .complained_about(&["no.pnav"]);
    folder.write("broken.obj", "f 1 2 3\n");
    folder
        .run("report -o out --scenes simple --maps broken.obj")
        .complained_about(&["broken.obj"]);
    folder.write("dungeon.pnav", folder.bytes("world.pnav"));
    folder
        .run("report -o out --scenes dungeon --maps dungeon.pnav")
        .complained_about(&["dungeon.pnav", "rename"]);
    assert!(!folder.path("out").exists());

    folder.write("broken.json", "{\"format\": \"portolan rep");
    folder.write("other.json", "{\"format\": \"portolan report 1\"}");
    folder
        .run("report --diff broken.json broken.json")
        .complained_about(&["broken.json", "not a report"]);
    folder
        .run("report --diff other.json other.json")
        .complained_about(&["other.json", "not a report"]);
    folder
        .run("report --diff no.json other.json")
        .complained_about(&["no.json"]);
    folder
        .run("report --diff other.json")
        .complained_about(&["--diff"]);
    folder
        .run("report --from broken.json -o out")
        .complained_about(&["broken.json"]);
}
