//! Tests of `portolan terrain report`.

use crate::common::Folder;

#[test]
fn a_report_has_a_page_pictures_tables_and_json() {
    let folder = Folder::new();
    folder
        .run("heightmap canyon -o canyon.png --width 33 --height 33 -q")
        .succeeded();
    let line = "terrain report -o deep/out --quick --size 17 --map canyon.png";
    let run = folder.run(line).succeeded();
    assert!(
        run.stdout.starts_with("deep/out/index.html: 4 grounds"),
        "{run:?}"
    );
    let report = folder.json("deep/out/terrain.json");
    assert_eq!(report["format"], "portolan terrain report 1");
    assert_eq!(report["grounds"].as_array().map(Vec::len), Some(4));
    assert_eq!(report["grounds"][3]["name"], "map-canyon");
    // The printed results are those of the file.
    let bars = report["bars"].as_array().unwrap();
    let met = bars.iter().filter(|bar| bar["is_met"] == true).count();
    assert_eq!(run.stdout.matches("\n  met: ").count(), met, "{run:?}");
    assert_eq!(
        run.stdout.matches("\n  not met: ").count(),
        bars.len() - met
    );
    let page = folder.text("deep/out/index.html");
    assert!(page.contains("quick run") && page.contains("id=\"map-canyon-long\""));
    assert!(
        folder
            .bytes("deep/out/pictures/hills.png")
            .starts_with(b"\x89PNG")
    );
}

#[test]
fn wrong_usage_is_an_error() {
    let folder = Folder::new();
    let help = folder.run("terrain report --help").succeeded();
    assert!(help.stdout.contains("portolan terrain report -o report"));
    folder
        .run("terrain report --quick")
        .failed_with(&["--output"]);
    folder
        .run("terrain report -o out --map no.png")
        .failed_with(&["no.png"]);
    folder
        .run("terrain report -o out --size 2")
        .failed_with(&["--size"]);
    folder.write("file", "in the way");
    folder
        .run("terrain report -o file --quick")
        .failed_with(&["file"]);
}
