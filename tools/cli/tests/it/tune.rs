//! `portolan tune`.

use crate::common::{Folder, count, number, two_islands};

#[test]
fn the_grid_the_best_and_its_index() {
    let folder = Folder::with_scene("rooms --size small");
    let said = folder.run(
        "tune world.pnav -o best.pidx --mu 6,12 --levels 2 --random 20 --rounds 1 --json t.json",
    );
    let said = said.succeeded().stdout;
    assert!(
        said.contains("best: --mu") && said.contains("astar takes"),
        "{said}"
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
    assert!(best["why"].as_str().unwrap().contains("bytes a polygon"));
    let info = folder.run("info best.pidx --json").succeeded().json();
    assert_eq!(info["options"]["mu"], best["mu"]);
    assert_eq!(info["options"]["levels"], best["levels"]);
    // What is written is what `index` makes with these settings.
    let line = format!(
        "index world.pnav -o made.pidx --mu {} --levels {}",
        best["mu"], best["levels"]
    );
    folder.run(&line).succeeded();
    let made = folder.run("info made.pidx --json").succeeded().json();
    assert_eq!(info["engines"], made["engines"]);
    assert_eq!(info["contraction"], made["contraction"]);
    std::fs::remove_file(folder.path("made.pidx")).unwrap();
    assert_eq!(folder.names(), ["best.pidx", "t.json", "world.pnav"]);
}

#[test]
fn a_world_too_small() {
    let folder = Folder::with_world(&two_islands());
    let said = folder.run("tune world.pnav --random 3").said_no().stdout;
    assert!(said.contains("too small"), "{said}");
}

#[test]
fn bad_usage() {
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
        folder.run(line).complained_about(names);
    }
    assert_eq!(folder.names(), ["world.pnav"]);
}
