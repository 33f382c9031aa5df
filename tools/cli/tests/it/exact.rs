//! Tests of the tier exact: `portolan index --tiers exact`, and queries on such an index.

use crate::common::{Folder, QUERY, count, fields, number, xml_elements};
use serde_json::{Value, json};

/// The options of an index with a contraction and the exact tier. Whether `auto` is exact depends on the world.
const WITH_EXACT: &str = "--engines contraction --tiers fast,default,exact";

/// A profile that gives areas different costs, for the scene `rooms --areas`.
const MUD: &str = "[factors]\n1 = 3\n";

/// Returns a folder with `world.pnav`, a scene of rooms, and its `world.pidx`.
fn indexed(scene: &str, options: &str) -> Folder {
    let folder = Folder::with_scene(&format!("rooms --size small {scene}"));
    let line = format!("index world.pnav -o world.pidx -q {options}");
    folder.run(&line).succeeded();
    folder
}

fn info(folder: &Folder) -> Value {
    folder.run("info world.pidx --json").succeeded().json()
}

#[track_caller]
fn assert_close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-5 * a.abs().max(b.abs()), "{a}, {b}");
}

/// Without any other tier, there is nothing else that `auto` could use.
#[test]
fn auto_is_exact_on_an_index_with_the_exact_tier_only() {
    let folder = indexed("", "--engines hna --tiers exact");
    let all = info(&folder);
    let exact = &all["exact"];
    assert_eq!(
        fields(exact),
        [
            "auto",
            "build_ms",
            "bytes",
            "corners",
            "edges",
            "label_entries",
            "method"
        ]
    );
    assert_eq!(exact["auto"], true);
    assert!(count(exact, "corners") > 100 && count(exact, "edges") > count(exact, "corners"));
    let has_labels = exact["method"] == "labels";
    assert!(has_labels || exact["method"] == "lazy", "{exact}");
    assert_eq!(count(exact, "label_entries") > 0, has_labels);
    assert_eq!(exact["bytes"], all["memory"]["exact"]);
    assert_eq!(exact["build_ms"], all["build_ms"]["exact"]);
    assert!(number(exact, "build_ms") > 0.0);
    let parts = all["memory"].as_object().unwrap().values();
    let sum: u64 = parts.map(|part| part.as_u64().unwrap()).sum();
    assert_eq!(sum, count(&all, "memory_bytes"));
    assert_eq!(all["tiers"], json!([]));
    assert!(
        all["engines"]
            .as_array()
            .unwrap()
            .contains(&json!("auto:exact"))
    );

    let text = folder.run("info world.pidx").succeeded().stdout;
    let line = format!("tier exact: method {}", exact["method"].as_str().unwrap());
    assert!(text.contains(&line), "{text}");
    assert!(
        text.contains("auto is exact: the shortest paths in plan"),
        "{text}"
    );
    let text = folder.run(&format!("path world.pidx {QUERY}")).succeeded();
    assert!(
        text.stdout.starts_with("found  engine auto, tier exact\n"),
        "{text:#?}"
    );
    assert!(!text.stdout.contains("cost on the graph"), "{text:#?}");
    let answer = folder.run(&format!("path world.pidx {QUERY} --json"));
    let answer = answer.succeeded().json();
    assert_eq!(
        (&answer["engine"], &answer["tier"]),
        (&json!("auto"), &json!("exact"))
    );
    assert_close(number(&answer, "cost"), number(&answer, "length_xz"));
}

/// Every path of every other engine is at least as long in plan.
#[test]
fn exact_paths_are_the_shortest() {
    for scene in ["", "--links"] {
        let folder = indexed(scene, WITH_EXACT);
        let line = "bench world.pidx --random 60 --rounds 1 --json b.json --lengths l.csv";
        let text = folder.run(line).succeeded().stdout;
        assert!(text.contains("\nauto is "), "{text}");
        let bench = folder.json("b.json");
        let engines = bench["engines"].as_array().unwrap();
        let names: Vec<&str> = engines
            .iter()
            .map(|engine| engine["engine"].as_str().unwrap())
            .collect();
        assert_eq!(
            names,
            [
                "auto",
                "astar",
                "dijkstra",
                "contraction:fast",
                "contraction",
                "auto:exact"
            ]
        );
        let figures = &engines[5];
        assert_eq!(figures["cost_mismatches"], Value::Null);
        assert_eq!(count(figures, "found"), 60);
        let exact = &info(&folder)["exact"];
        assert_eq!(figures["bytes"], exact["bytes"]);
        assert_eq!(figures["build_ms"], exact["build_ms"]);
        let same = if exact["auto"] == true { 5 } else { 4 };
        assert_eq!(engines[0]["bytes"], engines[same]["bytes"]);
        if !scene.is_empty() {
            // A link may be cheaper than it is long, so lengths cannot be compared.
            assert_eq!(exact["method"], "lazy");
            continue;
        }
        let csv = folder.text("l.csv");
        let rows: Vec<Vec<&str>> = csv
            .lines()
            .skip(1)
            .map(|row| row.split(',').collect())
            .collect();
        let length = |row: &[&str]| row[4].parse::<f64>().unwrap();
        let mut shorter = 0;
        for of_query in rows.chunks_exact(names.len()) {
            let shortest = length(&of_query[5]);
            assert_close(shortest, of_query[5][5].parse().unwrap());
            for row in of_query {
                assert!(length(row) >= shortest * (1.0 - 1e-5), "{of_query:#?}");
                shorter += usize::from(length(row) > shortest * 1.001);
            }
        }
        assert!(shorter > 0, "no path of another engine is longer");
    }
}

#[test]
fn a_list_of_tiers_without_exact_leaves_it_out() {
    let folder = indexed("", "--engines contraction --tiers fast,default");
    let all = info(&folder);
    assert_eq!(all["exact"], Value::Null);
    assert_eq!(
        (&all["memory"]["exact"], &all["build_ms"]["exact"]),
        (&json!(0), &json!(0.0))
    );
    let text = folder.run("info world.pidx").succeeded().stdout;
    assert!(
        text.contains("auto is the contraction at the tier default"),
        "{text}"
    );
    let answer = folder.run(&format!("path world.pidx {QUERY} --json"));
    assert_eq!(answer.succeeded().json()["tier"], "default");
    let missing = "needs the tier 'exact', and this index has fast,default: run `portolan index --tiers \
                   fast,default,exact`";
    folder
        .run(&format!("path world.pidx {QUERY} --engine auto:exact"))
        .failed_with(&["world.pidx: auto:exact", missing]);
    folder
        .run("bench world.pidx --random 3 --engines auto,auto:exact")
        .failed_with(&["world.pidx: auto:exact", missing]);
    folder
        .run(&format!("path world.pnav {QUERY} --engine auto:exact"))
        .failed_with(&["world.pnav", "this index has none", "--tiers exact"]);
}

/// Without `--tiers`, an index has the exact tier only if `auto` uses it.
#[test]
fn by_default_the_exact_tier_is_for_auto() {
    for scene in ["", "--links"] {
        let folder = indexed(scene, "--engines contraction");
        let exact = &info(&folder)["exact"];
        assert!(exact.is_null() || exact["auto"] == true, "{exact}");
        let text = folder.run("info world.pidx").succeeded().stdout;
        let is_exact = text.contains("auto is exact");
        assert_eq!(is_exact, !exact.is_null(), "{text}");
        let answer = folder.run(&format!("path world.pidx {QUERY} --json"));
        let tier = if is_exact { "exact" } else { "default" };
        assert_eq!(answer.succeeded().json()["tier"], tier);
    }
}

/// Exact paths are defined for one cost per metre.
#[test]
fn areas_of_different_costs_are_an_error() {
    let folder = indexed("--areas", WITH_EXACT);
    folder.write("mud.toml", MUD);
    let reason = "gives areas different costs";
    let path = |options: &str| folder.run(&format!("path world.pidx {QUERY} {options}"));
    path("--engine auto:exact --profile mud.toml").failed_with(&[
        "mud.toml: auto:exact",
        reason,
        "use `auto`",
    ]);
    folder
        .run("bench world.pidx --random 3 --engines astar,auto:exact --profile mud.toml")
        .failed_with(&["mud.toml: auto:exact", reason]);
    folder
        .run("index world.pnav -o mud.pidx --tiers fast,exact --profile mud.toml")
        .failed_with(&["world.pnav", reason, "leave exact out of --tiers"]);
    assert!(!folder.path("mud.pidx").exists());

    // All other engines answer, and a bench leaves the exact tier out.
    let answer = path("--profile mud.toml --json").succeeded().json();
    assert_eq!(answer["tier"], "default");
    let bench = "bench world.pidx --random 10 --rounds 1 --profile mud.toml --json b.json -q";
    folder.run(bench).succeeded();
    let bench = folder.json("b.json");
    let engines = bench["engines"].as_array().unwrap();
    let figures_of = |name: &str| engines.iter().find(|engine| engine["engine"] == name);
    assert!(figures_of("auto:exact").is_none());
    let [auto, contraction] = ["auto", "contraction"].map(|name| figures_of(name).unwrap());
    for field in ["bytes", "build_ms"] {
        assert_eq!(auto[field], contraction[field]);
    }
    let index = "index world.pnav -o mud.pidx --engines contraction --profile mud.toml -q";
    folder.run(index).succeeded();
    let mud = folder.run("info mud.pidx --json").succeeded().json();
    assert_eq!(mud["exact"], Value::Null);

    // The same factor for all areas is one cost per metre.
    folder.write("slow.toml", "[factors]\n0 = 2\n1 = 2\n2 = 2\n3 = 2\n");
    let exact = |options: &str| {
        let answer = path(&format!("--engine auto:exact --json {options}"));
        answer.succeeded().json()
    };
    let (plain, slow) = (exact(""), exact("--profile slow.toml"));
    assert_eq!(slow["waypoints"], plain["waypoints"]);
    assert_close(number(&slow, "cost"), 2.0 * number(&slow, "length_xz"));
    // A forbidden area is an obstacle.
    folder.write("closed.toml", "forbidden = [2]\n");
    let closed = exact("--profile closed.toml");
    assert!(number(&closed, "cost") >= number(&plain, "cost"));
}

/// If `auto` is exact on an index, it uses another engine for a profile that has no exact paths.
#[test]
fn auto_falls_back_for_a_profile_without_exact_paths() {
    let folder = indexed("--areas", "--engines hna --tiers exact");
    folder.write("mud.toml", MUD);
    let line = format!("path world.pidx {QUERY} --json --profile mud.toml");
    assert_eq!(folder.run(&line).succeeded().json()["tier"], "fast");
    let line = "bench world.pidx --random 5 --rounds 1 --profile mud.toml --json b.json";
    let text = folder.run(line).succeeded().stdout;
    assert!(text.contains("auto is hna"), "{text}");
    let bench = folder.json("b.json");
    let engines = bench["engines"].as_array().unwrap();
    let figures_of = |name: &str| engines.iter().find(|engine| engine["engine"] == name);
    let [auto, hna] = ["auto", "hna"].map(|name| figures_of(name).unwrap());
    assert_eq!(auto["bytes"], hna["bytes"]);
    assert_eq!(auto["cost_mismatches"], 0);
}

#[test]
fn limits_and_pictures_work_at_the_exact_tier() {
    let folder = indexed("", WITH_EXACT);
    let path = |options: &str| {
        let line = format!("path world.pidx {QUERY} --json --engine auto:exact {options}");
        folder.run(&line)
    };
    let cost = number(&path("").succeeded().json(), "cost");
    path(&format!("--max-cost {}", cost * 1.01)).succeeded();
    let no = path(&format!("--max-cost {}", cost * 0.9)).answered_no();
    assert_eq!(no.json()["tier"], Value::Null);
    let partial = path(&format!("--max-cost {} --partial", cost * 0.9));
    let partial = partial.succeeded().json();
    // Partial paths are those of A*.
    assert_eq!(
        (&partial["status"], &partial["tier"]),
        (&json!("partial"), &json!("fast"))
    );
    path("--svg p.svg --show-search").succeeded();
    let svg = folder.text("p.svg");
    for part in [
        "parts of portals from the start",
        "parts of portals from the goal",
        "corners from the start",
        "corners from the goal",
    ] {
        assert!(svg.contains(part), "no '{part}'");
    }
    xml_elements(&svg);
}

/// The file is the same on any number of threads.
#[test]
fn the_exact_tier_is_reproducible() {
    let folder = Folder::with_scene("rooms --size small");
    let index = |options: &str| {
        let line = "index world.pnav -o w.pidx --engines contraction --no-times -q";
        folder.run(&format!("{line} {options}")).succeeded();
        folder.bytes("w.pidx")
    };
    for tiers in ["", "--tiers fast,default,exact"] {
        let one = index(&format!("{tiers} --threads 1"));
        assert!(one == index(&format!("{tiers} --threads 4")), "{tiers}");
    }
    let info = folder.run("info w.pidx --json").succeeded().json();
    assert_eq!(info["exact"]["build_ms"], Value::Null);
}

#[test]
fn wrong_usage_is_an_error_and_help_explains_the_tier() {
    let folder = Folder::with_scene("rooms --size small");
    folder
        .run("index world.pnav -o w.pidx --tiers fast,exact --engines hna")
        .failed_with(&["--tiers fast", "add contraction to --engines"]);
    folder
        .run("index world.pnav -o w.pidx --tiers exactly")
        .failed_with(&["--tiers exactly", "fast, default, best or exact"]);
    folder
        .run(&format!(
            "path world.pnav {QUERY} --engine contraction:exact"
        ))
        .failed_with(&["contraction:exact", "only auto has the tier exact"]);
    assert_eq!(folder.names(), ["world.pnav"]);
    for command in ["index", "path"] {
        let help = folder.run(&format!("{command} --help")).succeeded().stdout;
        let words: Vec<&str> = help.split_whitespace().collect();
        let help = words.join(" ");
        assert!(help.contains("the shortest path in plan"), "{help}");
        assert!(
            help.contains("the same cost per metre on all open ground"),
            "{help}"
        );
    }
}
