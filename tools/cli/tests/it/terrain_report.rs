//! `portolan terrain report`: a small one, and what it refuses.

use crate::common::Folder;

#[test]
fn a_report_is_a_page_with_pictures_tables_and_one_json() {
    let folder = Folder::new();
    folder
        .run("heightmap canyon -o canyon.png --width 33 --height 33 -q")
        .succeeded();
    let line = "terrain report -o deep/out --quick --size 17 --map canyon.png";
    let ran = folder.run(line).succeeded();
    assert!(
        ran.stdout.starts_with("deep/out/index.html: 4 grounds"),
        "{ran:?}"
    );
    let report = folder.json("deep/out/terrain.json");
    assert_eq!(report["format"], "portolan terrain report 1");
    assert_eq!(report["grounds"].as_array().map(Vec::len), Some(4));
    assert_eq!(report["grounds"][3]["name"], "map-canyon");
    // What is said is what stands in the file.
    let bars = report["bars"].as_array().unwrap();
    let met = bars.iter().filter(|bar| bar["is_met"] == true).count();
    assert_eq!(ran.stdout.matches("\n  met: ").count(), met, "{ran:?}");
    assert_eq!(
        ran.stdout.matches("\n  not met: ").count(),
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
fn what_cannot_be_is_said_before_anything_is_measured() {
    let folder = Folder::new();
    let help = folder.run("terrain report --help").succeeded();
    assert!(help.stdout.contains("portolan terrain report -o report"));
    folder
        .run("terrain report --quick")
        .complained_about(&["--output"]);
    folder
        .run("terrain report -o out --map no.png")
        .complained_about(&["no.png"]);
    folder
        .run("terrain report -o out --size 2")
        .complained_about(&["--size"]);
    folder.write("file", "in the way");
    folder
        .run("terrain report -o file --quick")
        .complained_about(&["file"]);
}
