//! Tests of quality tiers: `portolan index --tiers`, and queries on such an index.

use crate::common::{Folder, QUERY, count, number};
use serde_json::{Value, json};

/// Returns a folder with `world.pnav` and its `world.pidx`, built with these options.
fn indexed(options: &str) -> Folder {
    let folder = Folder::with_scene("rooms --size small --links");
    let line = format!("index world.pnav -o world.pidx -q {options}");
    folder.run(&line).succeeded();
    folder
}

/// All three tiers are measured. Equal results of two tiers would be a bug.
#[test]
fn tiers_differ_in_size_and_length_of_paths() {
    let folder = indexed("--engines contraction --tiers best,default,fast");
    let line = "bench world.pidx --random 60 --rounds 1 --json b.json --lengths l.csv -q";
    folder.run(line).succeeded();
    let bench = folder.json("b.json");
    let engines = bench["engines"].as_array().unwrap();
    let names: Vec<&str> = engines
        .iter()
        .map(|engine| engine["engine"].as_str().unwrap())
        .collect();
    let tiers = ["contraction:fast", "contraction", "contraction:best"];
    assert_eq!(names, [&["auto", "astar", "dijkstra"][..], &tiers].concat());
    let figures_of = |name: &str| engines.iter().find(|e| e["engine"] == name).unwrap();
    assert_eq!(figures_of("contraction:fast")["cost_mismatches"], 0);
    for name in ["auto", "contraction", "contraction:best"] {
        assert_eq!(figures_of(name)["cost_mismatches"], Value::Null);
        assert_eq!(count(figures_of(name), "found"), 60);
        assert!(number(figures_of(name), "build_ms") > 0.0);
    }
    assert_eq!(
        figures_of("auto")["bytes"],
        figures_of("contraction")["bytes"]
    );
    let [fast, default, best] = tiers.map(|name| count(figures_of(name), "bytes"));
    assert!(
        fast < default && default < best,
        "{fast}, {default}, {best}"
    );
    // Paths of the higher tiers are shorter in total.
    let lengths = tiers.map(|name| -> f64 {
        let rows = folder.text("l.csv");
        let rows = rows.lines().map(|row| row.split(',').collect::<Vec<_>>());
        let of_engine = rows.filter(|row| row[1] == name);
        of_engine.map(|row| row[4].parse::<f64>().unwrap()).sum()
    });
    assert!(
        lengths[0] > lengths[1] && lengths[0] > lengths[2],
        "{lengths:?}"
    );
    assert!(lengths[1] != lengths[2]);
}

#[test]
fn an_index_has_the_tiers_it_was_built_with() {
    let folder = indexed("--tiers fast,default");
    let tiers = |folder: &Folder| folder.run("info world.pidx --json").succeeded().json();
    let info = tiers(&folder);
    let names = |info: &Value| -> Vec<Value> {
        let tiers = info["tiers"].as_array().unwrap();
        tiers.iter().map(|tier| tier["tier"].clone()).collect()
    };
    assert_eq!(names(&info), ["fast", "default"]);
    for tier in info["tiers"].as_array().unwrap() {
        assert!(count(tier, "vertices") >= count(&info, "portals"));
        assert!(count(tier, "arcs") >= count(tier, "vertices"));
        assert!(count(tier, "bytes") > 0 && number(tier, "ms") > 0.0);
    }
    assert_eq!(info["tiers"][0]["samples"], "1 each");
    assert!(
        info["tiers"][1]["samples"]
            .as_str()
            .unwrap()
            .starts_with('p')
    );
    // A query at a taut tier also needs the holes, which all taut tiers share.
    let memory = &info["memory"];
    let taut = count(memory, "taut_tiers") + count(memory, "holes");
    assert_eq!(count(&info["tiers"][1], "bytes"), taut);
    assert_eq!(info["tiers"][0]["bytes"], memory["contraction"]);
    let parts = info["memory"].as_object().unwrap().values();
    let sum: u64 = parts.map(|part| part.as_u64().unwrap()).sum();
    assert_eq!(sum, count(&info, "memory_bytes"));
    let text = folder.run("info world.pidx").succeeded().stdout;
    assert!(text.contains("tier default: samples p"), "{text}");

    let path =
        |engine: &str| folder.run(&format!("path world.pidx {QUERY} --json --engine {engine}"));
    for engine in [
        "auto",
        "auto:default",
        "contraction:fast",
        "contraction:default",
    ] {
        assert_eq!(path(engine).succeeded().json()["engine"], engine);
    }
    let missing = "has fast,default: run `portolan index --tiers fast,default,best`";
    path("contraction:best").failed_with(&["world.pidx", "contraction:best", missing]);
    path("auto:best").failed_with(&["world.pidx", "auto:best", missing]);
    path("astar:best").failed_with(&["astar:best", "only auto and contraction have tiers"]);
    folder
        .run("bench world.pidx --random 2 --engines auto,contraction:best")
        .failed_with(&["contraction:best", "--tiers fast,default,best"]);
    folder
        .run(&format!("path world.pnav {QUERY} --engine auto:best"))
        .failed_with(&["world.pnav", "this index has none", "--tiers best"]);

    let folder = indexed("--engines contraction --tiers default --no-times");
    let info = tiers(&folder);
    assert_eq!(names(&info), ["default"]);
    assert_eq!(info["tiers"][0]["ms"], Value::Null);
    assert_eq!(info["contraction"], Value::Null);
    assert_eq!(
        info["engines"],
        json!(["auto", "astar", "dijkstra", "auto:fast", "contraction"])
    );
    folder
        .run(&format!(
            "path world.pidx {QUERY} --engine contraction:fast"
        ))
        .failed_with(&["has default:", "--tiers fast,default"]);
    folder.run("bench world.pidx --random 5").succeeded();

    let folder = indexed("");
    assert_eq!(names(&tiers(&folder)), ["fast", "default"]);
    let folder = indexed("--cost-model published");
    assert_eq!(names(&tiers(&folder)), ["fast"]);
}

/// The file is the same on any number of threads, and other profiles give other costs.
#[test]
fn tiers_are_reproducible() {
    let folder = Folder::with_scene("rooms --size small --areas");
    let index = |threads: &str| {
        let line = format!(
            "index world.pnav -o w.pidx --engines contraction --tiers fast,default,best --no-times -q --threads {threads}"
        );
        folder.run(&line).succeeded();
        folder.bytes("w.pidx")
    };
    assert!(index("1") == index("4"));
    folder.write("slow.toml", "[factors]\n0 = 2\n1 = 2\n2 = 2\n3 = 2\n");
    let cost = |options: &str| {
        let line = format!("path w.pidx {QUERY} --json --engine contraction {options}");
        number(&folder.run(&line).succeeded().json(), "cost")
    };
    let (plain, slow) = (cost(""), cost("--profile slow.toml"));
    assert!((slow - 2.0 * plain).abs() < 1e-3 * slow, "{plain}, {slow}");
}

#[test]
fn limits_and_pictures_work_at_a_taut_tier() {
    let folder = indexed("--engines contraction --tiers fast,default");
    let path = |options: &str| folder.run(&format!("path world.pidx {QUERY} --json {options}"));
    let cost = number(&path("").succeeded().json(), "cost");
    path(&format!("--max-cost {}", cost * 0.9)).answered_no();
    let partial = path(&format!("--max-cost {} --partial", cost * 0.9))
        .succeeded()
        .json();
    assert_eq!(partial["status"], "partial");
    path("--svg p.svg --show-search").succeeded();
    assert!(folder.text("p.svg").contains("on the chains"));
}

#[test]
fn wrong_usage_is_an_error() {
    let folder = Folder::with_scene("rooms --size small");
    for (options, names) in [
        (
            "--tiers worst",
            &["--tiers worst", "'worst'", "fast, default, best or exact"][..],
        ),
        ("--tiers fast,,best", &["--tiers"]),
        (
            "--tiers best --engines hna",
            &["--tiers", "add contraction to --engines"],
        ),
        (
            "--tiers best --engines labels",
            &["labels", "--tiers", "fast"],
        ),
        (
            "--tiers best --cost-model published",
            &["--tiers best", "--cost-model"],
        ),
    ] {
        let line = format!("index world.pnav -o w.pidx {options}");
        folder.run(&line).failed_with(names);
    }
    assert_eq!(folder.names(), ["world.pnav"]);
}
