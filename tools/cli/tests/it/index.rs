//! Tests of `portolan index`: its output, its files and its errors.

use crate::common::{Folder, QUERY, count, number, two_islands};
use serde_json::{Value, json};

#[test]
fn the_summary_has_levels_times_and_bytes() {
    let folder = Folder::with_scene("rooms --size small");
    let output = folder.run("index world.pnav -o world.pidx").succeeded();
    for word in [
        "polygons per node",
        "inter-edges per node",
        "published",
        "edge cut",
        "balance",
        "partition",
        "hierarchy",
        "tables",
        "order",
        "tier fast: samples 1 each",
        "tier default: samples p",
        "depth",
        "bytes in memory (per polygon)",
    ] {
        assert!(output.stdout.contains(word), "no '{word}': {output:#?}");
    }
    assert_eq!(folder.names(), ["world.pidx", "world.pnav"]);
}

#[test]
fn info_shows_levels_and_options() {
    let folder = Folder::with_index("--seed 9 --weights edges --table-levels 2");
    let info = folder.run("info world.pidx --json").succeeded().json();
    let mesh = folder.run("info world.pnav --json").succeeded().json();
    assert_eq!(info["kind"], "index");
    assert_eq!(count(&info, "version"), 9);
    for field in ["polygons", "portals", "components", "links", "vertices"] {
        assert_eq!(info[field], mesh[field], "{field}");
    }
    assert_eq!(
        count(&info, "bytes"),
        folder.bytes("world.pidx").len() as u64
    );
    let options = &info["options"];
    assert_eq!(count(options, "mu"), 6);
    assert_eq!(count(options, "levels"), 3);
    assert_eq!(count(options, "seed"), 9);
    assert_eq!(count(options, "table_levels"), 2);
    assert_eq!(options["weights"], "edges");
    assert_eq!(options["cost_model"], "portals");
    assert_eq!(options["profile"]["forbidden"], json!([]));
    let times = &info["build_ms"];
    let parts = [
        "partition",
        "graph",
        "hierarchy",
        "tables",
        "order",
        "contraction",
        "labels",
        "samples",
        "default",
        "best",
        "exact",
    ];
    let parts = parts.map(|part| number(times, part));
    assert!((parts.iter().sum::<f64>() - number(times, "total")).abs() < 1e-6);
    let engines = info["engines"].as_array().unwrap();
    assert!(engines.contains(&json!("hna:3:dijkstra")) && engines.contains(&json!("pccp:2")));
    assert!(!engines.contains(&json!("hna:3:table")));

    let levels = info["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 4);
    assert_eq!(levels[0], mesh["levels"][0]);
    for (level, below) in levels[1..].iter().zip(levels) {
        assert!(count(level, "nodes") < count(below, "nodes"));
        assert!(count(level, "inter_edges") < count(below, "inter_edges"));
        let edges = count(level, "edge_cut") + count(level, "links_between");
        assert_eq!(count(level, "inter_edges"), edges);
        let max = count(&level["inter_edges_per_node"], "max");
        assert!(max as i64 <= level["inter_edge_bound"].as_i64().unwrap());
        assert!(number(level, "published_bound") > 0.0 && number(level, "balance") >= 1.0);
        let mean = number(&level["polygons_per_node"], "mean");
        let polygons = mean * count(level, "nodes") as f64;
        assert!((polygons - number(&info, "polygons")).abs() < 1e-6);
        assert!(count(level, "bytes") > 0);
    }
    assert_eq!(count(&levels[3], "table_bytes"), 0);

    let text = folder.run("info world.pidx").succeeded().stdout;
    assert!(text.starts_with("world.pidx: index, version 9"), "{text}");
    assert!(text.contains("--mu 6 --levels 3 --seed 9"), "{text}");
}

/// Apart from build times, the same options give the same file on any number of threads.
#[test]
fn without_times_the_file_is_reproducible() {
    let folder = Folder::with_index("--no-times --threads 1");
    let first = folder.bytes("world.pidx");
    let flat = |threads: &str, engines: &str| {
        let line = format!(
            "index world.pnav -o flat.pidx --engines {engines} --no-times -q --threads {threads}"
        );
        folder.run(&line).succeeded();
        folder.bytes("flat.pidx")
    };
    assert!(flat("1", "contraction") == flat("4", "contraction"));
    assert!(flat("1", "labels") == flat("4", "labels"));
    for threads in ["1", "2", "4"] {
        let line =
            format!("index world.pnav -o other.pidx --mu 6 --no-times -q --threads {threads}");
        folder.run(&line).succeeded();
        assert!(folder.bytes("other.pidx") == first, "{threads} threads");
    }
    let info = folder.run("info world.pidx --json").succeeded().json();
    assert_eq!(info["build_ms"], Value::Null);
    let bench = "bench world.pidx --random 5 --engines hna,astar --json b.json -q";
    folder.run(bench).succeeded();
    let engines = &folder.json("b.json")["engines"];
    assert_eq!(engines[0]["build_ms"], Value::Null);
    assert!(number(&engines[1], "build_ms") >= 0.0);
}

/// An index supports exactly the engines of `--engines`.
#[test]
fn an_index_supports_the_engines_it_was_built_for() {
    let folder = Folder::with_index("");
    let dijkstra = folder
        .run(&format!("path world.pnav {QUERY} --engine dijkstra --json"))
        .succeeded()
        .json();
    let optimum = number(&dijkstra, "cost");
    for (engines, runs, fails) in [
        (
            "contraction",
            &["contraction:fast"][..],
            &["hna", "hna:1", "pccp"][..],
        ),
        ("hna", &["hna", "hna:2"], &["contraction", "pccp"]),
        ("pccp", &["hna", "hna:1:table", "pccp"], &["contraction"]),
        ("hna,contraction", &["hna:1", "contraction:fast"], &["pccp"]),
        (
            "pccp,contraction",
            &["hna:2", "contraction:fast", "pccp"],
            &[],
        ),
        (
            "contraction,contraction",
            &["contraction:fast"],
            &["hna", "labels"],
        ),
        ("labels", &["contraction:fast", "labels"], &["hna", "pccp"]),
        (
            "hna,labels",
            &["hna:1", "contraction:fast", "labels"],
            &["pccp"],
        ),
    ] {
        let line = format!("index world.pnav -o some.pidx --mu 6 --engines {engines} --no-times");
        let output = folder.run(&line).succeeded().stdout;
        let has_hierarchy = runs.iter().any(|engine| engine.starts_with("hna"));
        let has_contraction = runs.contains(&"contraction:fast");
        assert_eq!(output.contains("edge cut"), has_hierarchy, "{output}");
        assert_eq!(output.contains("contraction"), has_contraction, "{output}");
        let has_labels = runs.contains(&"labels");
        assert_eq!(output.contains("labels"), has_labels, "{output}");

        let info = folder.run("info some.pidx --json").succeeded().json();
        let named = info["engines"].as_array().unwrap();
        assert_eq!(named.contains(&json!("contraction")), has_contraction);
        assert_eq!(info["contraction"].is_null(), !has_contraction);
        let tiers = info["tiers"].as_array().unwrap().len();
        assert_eq!(tiers, if has_contraction { 2 } else { 0 });
        assert_eq!(named.contains(&json!("labels")), has_labels);
        assert_eq!(info["labels"].is_null(), !has_labels);
        assert_eq!(info["options"]["mu"].is_null(), !has_hierarchy);
        let levels = info["levels"].as_array().unwrap().len();
        assert_eq!(levels, if has_hierarchy { 4 } else { 1 });
        folder.run("info some.pidx").succeeded();

        for engine in runs.iter().chain(&["auto:fast", "astar"]) {
            let line = format!("path some.pidx {QUERY} --json --engine {engine}");
            let found = folder.run(&line).succeeded().json();
            assert_eq!(found["engine"], *engine);
            let cost = number(&found, "cost");
            let is_exact = *engine != "pccp";
            assert!(
                (cost - optimum).abs() < 1e-4 * optimum || !is_exact,
                "{engines}, {engine}: {cost} instead of {optimum}"
            );
        }
        for engine in fails {
            let line = format!("path some.pidx {QUERY} --engine {engine}");
            let what = match *engine {
                "contraction" => "portolan index --engines contraction",
                "labels" => "portolan index --engines labels",
                _ => "portolan index",
            };
            folder.run(&line).failed_with(&["some.pidx", engine, what]);
        }
        folder
            .run("bench some.pidx --random 20 --rounds 1 --json b.json -q")
            .succeeded();
        for engine in folder.json("b.json")["engines"].as_array().unwrap() {
            assert!(matches!(engine["cost_mismatches"].as_u64(), None | Some(0)));
            assert_eq!(count(engine, "found"), 20);
        }
    }
}

#[test]
fn info_shows_the_size_of_the_contraction() {
    let folder = Folder::with_index("");
    let info = folder.run("info world.pidx --json").succeeded().json();
    let contraction = &info["contraction"];
    let expected = count(&info, "portals") + 2 * count(&info, "links");
    assert_eq!(count(contraction, "vertices"), expected);
    assert!(count(contraction, "arcs") >= count(contraction, "vertices"));
    let depth = count(contraction, "depth");
    assert!((2..expected / 4).contains(&depth), "{depth}");
    let bytes = count(contraction, "bytes");
    assert_eq!(bytes, count(&info["memory"], "contraction"));
    let bytes_per_polygon = bytes as f64 / number(&info, "polygons");
    assert!((bytes_per_polygon - number(contraction, "bytes_per_polygon")).abs() < 1e-9);
    let parts = info["memory"].as_object().unwrap().values();
    let sum: u64 = parts.map(|part| part.as_u64().unwrap()).sum();
    assert_eq!(sum, count(&info, "memory_bytes"));
    let text = folder.run("info world.pidx").succeeded().stdout;
    assert!(text.contains(&format!("depth {depth}")), "{text}");
    let plain = folder.run("info world.pnav --json").succeeded().json();
    assert_eq!(plain["contraction"], Value::Null);
}

#[test]
fn a_small_navmesh_has_no_levels() {
    let folder = Folder::with_world(&two_islands());
    let output = folder
        .run("index world.pnav -o world.pidx")
        .succeeded()
        .stdout;
    assert!(
        output.contains("no levels") && output.contains("--mu"),
        "{output}"
    );
    let path = "path world.pidx --from 1,0,1 --to 5,0,1";
    for engine in ["auto", "contraction", "contraction:fast", "hna", "pccp"] {
        folder.run(&format!("{path} --engine {engine}")).succeeded();
    }
    folder
        .run(&format!("{path} --engine hna:1"))
        .failed_with(&["level 1", "the highest is 0"]);
    folder.run("info world.pidx").succeeded();
    folder.run("bench world.pidx --random 3").succeeded();
    folder
        .run("index world.pnav -o flat.pidx --engines contraction")
        .succeeded();
    folder.run("bench flat.pidx --random 3").succeeded();
    folder
        .run("index world.pnav -o flat.pidx --engines labels")
        .succeeded();
    folder.run("bench flat.pidx --random 3").succeeded();
    // Two squares of the larger island form a node, and the third is a node of its own.
    folder
        .run("index world.pnav -o world.pidx --mu 2 -q")
        .succeeded();
    folder.run("bench world.pidx --random 3").succeeded();
}

#[test]
fn wrong_usage_is_an_error() {
    let folder = Folder::with_scene("rooms --size small");
    for (line, names) in [
        ("index", &["WORLD", "--output"][..]),
        ("index world.pnav", &["--output"]),
        ("index none.pnav -o w.pidx", &["none.pnav"]),
        ("index world.pnav -o w.pnav", &["w.pnav", ".pidx"]),
        ("index world.pnav -o none/w.pidx", &["none/w.pidx"]),
        ("index world.pnav -o w.pidx --mu 1", &["--mu", "1"]),
        ("index world.pnav -o w.pidx --mu -3", &["--mu"]),
        ("index world.pnav -o w.pidx --levels 0", &["--levels"]),
        (
            "index world.pnav -o w.pidx --levels 17",
            &["--levels", "17"],
        ),
        (
            "index world.pnav -o w.pidx --weights heavy",
            &["--weights", "heavy"],
        ),
        (
            "index world.pnav -o w.pidx --cost-model free",
            &["--cost-model"],
        ),
        (
            "index world.pnav -o w.pidx --profile none.toml",
            &["none.toml"],
        ),
        (
            "index world.pnav -o w.pidx --engines labels --labels-limit lots",
            &["--labels-limit", "lots", "500M"],
        ),
        (
            "index world.pnav -o w.pidx --labels-limit -1",
            &["--labels-limit", "-1"],
        ),
        (
            "index world.pnav -o w.pidx --engines warp",
            &["warp", "contraction, hna, pccp or labels"],
        ),
        (
            "index world.pnav -o w.pidx --engines hna,",
            &["--engines", "contraction, hna, pccp or labels"],
        ),
    ] {
        folder.run(line).failed_with(names);
    }
    assert_eq!(folder.names(), ["world.pnav"]);
}

#[test]
fn a_file_of_another_kind_is_an_error() {
    let folder = Folder::with_index("");
    folder.run("index world.pidx -o w.pidx").failed_with(&[
        "world.pidx",
        "not a .pnav file",
        "index",
    ]);
    folder
        .run("index world.pidx -o world.pidx")
        .failed_with(&["overwrite"]);
    folder
        .run("import world.pidx -o w.pnav")
        .failed_with(&["world.pidx", ".pidx"]);
    folder
        .run("export world.pidx -o w.obj")
        .failed_with(&["world.pidx", "not a .pnav file"]);
    // The content decides, not the name.
    std::fs::rename(folder.path("world.pidx"), folder.path("odd.pnav")).unwrap();
    let info = folder.run("info odd.pnav --json").succeeded().json();
    assert_eq!(info["kind"], "index");
    assert_eq!(folder.names(), ["odd.pnav", "world.pnav"]);
}

#[test]
fn a_damaged_index_is_an_error() {
    for engines in ["contraction,hna,pccp", "contraction", "labels"] {
        check_damaged_copies(&Folder::with_index(&format!("--engines {engines}")));
    }
}

fn check_damaged_copies(folder: &Folder) {
    let intact = folder.bytes("world.pidx");
    let readers = [
        "info bad.pidx",
        "path bad.pidx --from 3,0,3 --to 40,0,30",
        "bench bad.pidx --random 2",
    ];
    for length in [0, 5, 12, 31, 100, intact.len() / 2, intact.len() - 1] {
        folder.write("bad.pidx", &intact[..length]);
        for line in readers {
            folder.run(line).failed_with(&["bad.pidx"]);
        }
    }
    for at in [
        0,
        9,
        13,
        40,
        intact.len() / 3,
        intact.len() / 2,
        intact.len() - 3,
    ] {
        let mut bad = intact.clone();
        bad[at] ^= 4;
        folder.write("bad.pidx", &bad);
        for line in readers {
            folder.run(line).failed_with(&["bad.pidx"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with_scene("rooms --size small");
    let read_only = folder.path("read-only");
    std::fs::create_dir(&read_only).unwrap();
    std::fs::set_permissions(&read_only, std::fs::Permissions::from_mode(0o555)).unwrap();
    // Root can write to any folder.
    if std::fs::write(read_only.join("probe"), b"").is_err() {
        folder
            .run("index world.pnav -o read-only/w.pidx -q")
            .failed_with(&["read-only/w.pidx", "cannot be written"]);
    }
    std::fs::create_dir(folder.path("taken.pidx")).unwrap();
    folder
        .run("index world.pnav -o taken.pidx -q")
        .failed_with(&["taken.pidx", "cannot be written"]);
}
