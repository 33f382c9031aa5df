//! Tests of `portolan bench --agents`.

use crate::common::{Folder, count, fields, number, two_islands};
use serde_json::Value;

/// The engines are those of the index, every answer is checked, and all figures are there.
#[test]
fn batches_are_measured_and_checked() {
    let folder = Folder::with_index("--tiers fast,default");
    for (want, expected) in [
        (
            "portal",
            &["labels", "contraction:fast", "auto", "hna", "pccp", "astar"][..],
        ),
        (
            "next",
            &["labels", "contraction:fast", "auto", "hna", "pccp", "astar"],
        ),
        (
            "waypoints",
            &["contraction:fast", "auto", "hna", "pccp", "astar"],
        ),
    ] {
        let line = format!(
            "bench world.pidx --agents 300 --want {want} --threads 2 --rounds 2 --json b.json"
        );
        let table = folder.run(&line).succeeded().stdout;
        assert!(table.contains("agents per second"), "{table}");
        let bench = folder.json("b.json");
        let mut names = vec![
            "world",
            "polygons",
            "portals",
            "agents",
            "want",
            "threads",
            "rounds",
            "adapter",
            "checked",
            "label_bytes",
            "label_ms",
            "customize_ms",
            "ready_ms",
            "engines",
        ];
        names.sort_unstable();
        assert_eq!(fields(&bench), names);
        assert_eq!(bench["want"], want);
        assert_eq!(bench["adapter"], Value::Null);
        for (field, value) in [("agents", 300), ("checked", 300), ("threads", 2)] {
            assert_eq!(count(&bench, field), value);
        }
        if want == "waypoints" {
            assert_eq!(bench["label_bytes"], Value::Null);
        } else {
            assert!(count(&bench, "label_bytes") > 0);
            let sum = number(&bench, "label_ms") + number(&bench, "customize_ms");
            assert!((number(&bench, "ready_ms") - sum).abs() < 1e-6);
        }
        let engines = bench["engines"].as_array().unwrap();
        let names: Vec<&str> = engines
            .iter()
            .map(|engine| engine["engine"].as_str().unwrap())
            .collect();
        assert_eq!(names, expected);
        for engine in engines {
            assert_eq!(count(engine, "agents"), 300);
            assert_eq!(count(engine, "mismatches"), 0, "{want} {engine:#}");
            assert_eq!(count(engine, "fallbacks"), 0);
            assert_eq!(count(engine, "found") + count(engine, "no_path"), 300);
            let frame = number(engine, "frame_ms");
            assert!(0.0 < number(engine, "best_frame_ms"));
            assert!(number(engine, "best_frame_ms") <= frame);
            let per_second = number(engine, "agents_per_second");
            assert!((per_second * frame / 300e3 - 1.0).abs() < 1e-6);
        }
    }
}

/// Slow engines answer 20 000 agents at most, and say so.
#[test]
fn slow_engines_answer_fewer_agents() {
    let folder = Folder::with_world(&two_islands());
    folder
        .run("index world.pnav -o world.pidx --engines contraction --tiers fast -q")
        .succeeded();
    let line = "bench world.pidx --agents 21000 --engines labels,astar --rounds 1 --json b.json -q";
    assert_eq!(folder.run(line).succeeded().stdout, "");
    let bench = folder.json("b.json");
    assert_eq!(bench["want"], "portal");
    assert_eq!(count(&bench, "checked"), 20_000);
    let agents = |i: usize| count(&bench["engines"][i], "agents");
    assert_eq!([agents(0), agents(1)], [21_000, 20_000]);
}

#[test]
fn wrong_usage_is_an_error() {
    let folder = Folder::with_world(&two_islands());
    folder.write("q.csv", "sx,sy,sz,gx,gy,gz\n1,0,1,5,0,1\n");
    for (options, names) in [
        ("--agents 0", &["--agents"][..]),
        ("--agents 10 --want distance", &["distance", "portal"]),
        ("--want portal", &["--agents"]),
        ("--agents 10 --random 10", &["--agents", "--random"]),
        ("--agents 10 --queries q.csv", &["--agents", "--queries"]),
        ("--agents 10 --lengths l.csv", &["--agents", "--lengths"]),
        (
            "--agents 10 --engines labels",
            &["world.pnav: labels needs"],
        ),
        ("--agents 10 --json no/b.json", &["no/b.json"]),
    ] {
        folder
            .run(&format!("bench world.pnav {options}"))
            .failed_with(names);
    }
    // Without an index there is only A*.
    let line = "bench world.pnav --agents 10 --rounds 1 --json b.json -q";
    folder.run(line).succeeded();
    let bench = folder.json("b.json");
    let engines = bench["engines"].as_array().unwrap();
    let names: Vec<&Value> = engines.iter().map(|engine| &engine["engine"]).collect();
    assert_eq!(names, ["auto", "astar"]);
}
