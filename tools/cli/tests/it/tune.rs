//! Tests of `portolan tune`.

use crate::common::{Folder, count, number, two_islands};

#[test]
fn the_best_setting_is_reported_and_written() {
    let folder = Folder::with_scene("rooms --size small");
    let output = folder.run(
        "tune world.pnav -o best.pidx --mu 6,12 --levels 2 --random 20 --rounds 1 --json t.json",
    );
    let output = output.succeeded().stdout;
    assert!(
        output.contains("best: --mu") && output.contains("times faster"),
        "{output}"
    );
    let tuning = folder.json("t.json");
    assert_eq!(tuning["world"], "world.pnav");
    assert_eq!(count(&tuning, "queries"), 20);
    let settings = tuning["settings"].as_array().unwrap();
    let cells: Vec<_> = settings
        .iter()
        .map(|setting| (count(setting, "mu"), count(setting, "levels")))
        .collect();
    assert_eq!(cells, [(6, 1), (6, 2), (12, 1), (12, 2)]);
    for setting in settings {
        let level = count(setting, "levels");
        let engines = setting["engines"].as_array().unwrap();
        let names: Vec<_> = engines
            .iter()
            .map(|e| e["engine"].as_str().unwrap())
            .collect();
        let expected = ["hna:L:dijkstra", "hna:L:table", "pccp:L"];
        assert_eq!(
            names,
            expected.map(|name| name.replace('L', &level.to_string()))
        );
        for engine in engines {
            let micros = number(engine, "median_search_us");
            let speedup = number(setting, "astar_search_us") / micros;
            assert!((speedup - number(engine, "speedup")).abs() < 1e-9);
        }
        assert!(count(setting, "nodes") > 1 && number(setting, "build_ms") > 0.0);
        assert!(number(setting, "bytes_per_polygon") > 1.0);
    }
    let best = &tuning["best"];
    assert!(best["why"].as_str().unwrap().contains("bytes per polygon"));
    let info = folder.run("info best.pidx --json").succeeded().json();
    assert_eq!(info["options"]["mu"], best["mu"]);
    assert_eq!(info["options"]["levels"], best["levels"]);
    // The written index is the one that `portolan index` builds with these options.
    let line = format!(
        "index world.pnav -o built.pidx --mu {} --levels {}",
        best["mu"], best["levels"]
    );
    folder.run(&line).succeeded();
    let built = folder.run("info built.pidx --json").succeeded().json();
    assert_eq!(info["engines"], built["engines"]);
    assert_eq!(info["contraction"], built["contraction"]);
    std::fs::remove_file(folder.path("built.pidx")).unwrap();
    assert_eq!(folder.names(), ["best.pidx", "t.json", "world.pnav"]);
}

#[test]
fn a_small_navmesh_has_no_best_setting() {
    let folder = Folder::with_world(&two_islands());
    let output = folder
        .run("tune world.pnav --random 3")
        .answered_no()
        .stdout;
    assert!(output.contains("too small"), "{output}");
}

#[test]
fn wrong_usage_is_an_error() {
    let folder = Folder::with_world(&two_islands());
    for (line, names) in [
        ("tune", &["WORLD"][..]),
        ("tune none.pnav", &["none.pnav"]),
        ("tune world.pnav -o w.pnav", &["w.pnav", ".pidx"]),
        ("tune world.pnav --mu 1,5", &["--mu"]),
        ("tune world.pnav --mu 5,x", &["--mu", "x"]),
        ("tune world.pnav --levels 0", &["--levels"]),
        ("tune world.pnav --random 0", &["--random"]),
        ("tune world.pnav --json none/t.json", &["none/t.json"]),
        ("tune world.pnav --profile none.toml", &["none.toml"]),
    ] {
        folder.run(line).failed_with(names);
    }
    assert_eq!(folder.names(), ["world.pnav"]);
}
