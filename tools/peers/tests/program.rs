//! Tests of the program as `cargo xtask peers` runs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Two adjacent squares with a side of 4 m.
const SQUARES: &str = "\
v 0 0 0
v 4 0 0
v 8 0 0
v 8 0 4
v 4 0 4
v 0 0 4
f 1 2 5 6
f 2 3 4 5
";

fn peers(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_portolan-peers"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn a_map_is_measured_in_several_processes() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("squares.obj"), SQUARES).unwrap();
    let arguments = "squares.obj --random 20 --border-pairs 50 --rounds 1 --processes 2 --agents 0 --json out.json --figure out.svg";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let output = peers(folder.path(), &arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("squares: 2 polygons, 1 portals"), "{table}");
    assert!(!table.contains("agents at once"), "{table}");

    let json = fs::read(folder.path().join("out.json")).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["processes"], 2);
    for engine in json["maps"][0]["engines"].as_array().unwrap() {
        assert_eq!(engine["found"], 20, "{engine}");
        let time = |key: &str| engine[key].as_f64().unwrap();
        assert!(time("lowest_process_mean_us") <= time("highest_process_mean_us"));
    }
    assert!(json["maps"][0]["ratios"][0]["wall"].is_number());
    let verdicts = json["verdicts"].as_array().unwrap().iter();
    let tiers: Vec<_> = verdicts.map(|verdict| &verdict["tier"]).collect();
    assert_eq!(tiers, ["default", "default+plan", "best", "best+plan"]);
    assert!(table.contains("Verdicts"), "{table}");
    let verdicts = json["exact_verdicts"].as_array().unwrap().iter();
    let targets: Vec<_> = verdicts.clone().map(|verdict| &verdict["target"]).collect();
    let expected = [
        "difference",
        "longer",
        "lost_on_borders",
        "difference_on_borders",
        "slowest_over_a_star",
    ];
    assert_eq!(targets, expected);
    // Times of so few queries may be anything.
    assert!(verdicts.take(4).all(|verdict| verdict["is_met"] == true));
    assert!(table.contains("Verdicts on the exact tier"), "{table}");
    let svg = fs::read_to_string(folder.path().join("out.svg")).unwrap();
    assert!(svg.contains("squares, 2 polygons") && svg.contains("auto:best"));
}

#[test]
fn agents_are_compared_at_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("squares.obj"), SQUARES).unwrap();
    let output = peers(
        folder.path(),
        &["squares.obj", "--only-agents", "--agents", "50"],
    );
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{table}");
    assert!(table.contains("squares: 50 agents at once on"), "{table}");
    assert!(!table.contains("Verdicts"), "{table}");
}

#[test]
fn errors_name_the_file_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.pnav"), "not one").unwrap();
    for (argument, word) in [
        (".", "bad.pnav"),
        ("bad.pnav", "bad.pnav"),
        ("none.obj", "none.obj"),
    ] {
        let output = peers(folder.path(), &[argument]);
        assert_eq!(output.status.code(), Some(2), "{argument}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(word), "{argument}: {errors}");
    }
    fs::remove_file(folder.path().join("bad.pnav")).unwrap();
    let output = peers(folder.path(), &["."]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no .pnav"));
}
