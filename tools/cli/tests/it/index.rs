//! `portolan index`, and every verb that takes what it writes.

use crate::common::{Folder, count, fields, number, two_islands, xml_elements};
use serde_json::{Value, json};

/// A folder with `world.pnav` of about 1000 polygons and its `world.pidx`, of three levels.
fn indexed(options: &str) -> Folder {
    let folder = Folder::with_scene("rooms --size small --links --areas");
    let line = format!("index world.pnav -o world.pidx --mu 6 -q {options}");
    assert_eq!(folder.run(&line).succeeded().stdout, "");
    folder
}

const QUERY: &str = "--from 3,0,3 --to 40,0,30";

#[test]
fn the_summary_counts_levels_times_and_bytes() {
    let folder = Folder::with_scene("rooms --size small");
    let said = folder.run("index world.pnav -o world.pidx").succeeded();
    for word in [
        "polygons a node",
        "inter-edges a node",
        "published",
        "edge-cut",
        "balance",
        "partition",
        "hierarchy",
        "tables",
        "order",
        "tier fast: samples 1 each",
        "tier default: samples p",
        "depth",
        "bytes in memory (a polygon)",
    ] {
        assert!(said.stdout.contains(word), "no '{word}': {said:#?}");
    }
    assert_eq!(folder.names(), ["world.pidx", "world.pnav"]);
}

#[test]
fn info_tells_levels_and_options() {
    let folder = indexed("--seed 9 --weights edges --table-levels 2");
    let info = folder.run("info world.pidx --json").succeeded().json();
    let mesh = folder.run("info world.pnav --json").succeeded().json();
    assert_eq!(info["kind"], "index");
    assert_eq!(count(&info, "version"), 3);
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
        "hierarchy",
        "tables",
        "order",
        "contraction",
        "labels",
        "default",
        "best",
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
        let most = count(&level["inter_edges_per_node"], "max");
        assert!(most as i64 <= level["inter_edge_bound"].as_i64().unwrap());
        assert!(number(level, "published_bound") > 0.0 && number(level, "balance") >= 1.0);
        let mean = number(&level["polygons_per_node"], "mean");
        let polygons = mean * count(level, "nodes") as f64;
        assert!((polygons - number(&info, "polygons")).abs() < 1e-6);
        assert!(count(level, "bytes") > 0);
    }
    assert_eq!(count(&levels[3], "table_bytes"), 0);

    let text = folder.run("info world.pidx").succeeded().stdout;
    assert!(text.starts_with("world.pidx: index, version 3"), "{text}");
    assert!(text.contains("--mu 6 --levels 3 --seed 9"), "{text}");
}

/// The same options give the same file on any number of threads, but for how long they took.
#[test]
fn without_times_the_bytes_are_the_same() {
    let folder = indexed("--no-times --threads 1");
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

#[test]
fn paths_are_those_of_the_navmesh() {
    let folder = indexed("");
    let path = |file: &str, engine: &str| {
        let line = format!("path {file} {QUERY} --engine {engine} --json");
        folder.run(&line).succeeded().json()
    };
    let plain = path("world.pnav", "dijkstra");
    for engine in [
        "auto:fast",
        "contraction:fast",
        "hna",
        "hna:1",
        "hna:2:astar",
        "hna:3:parallel",
        "hna:2:dijkstra",
        "hna:1:table:fast",
    ] {
        let found = path("world.pidx", engine);
        assert_eq!(found["engine"], engine);
        let (cost, least) = (number(&found, "cost"), number(&plain, "cost"));
        assert!(
            (cost - least).abs() < 1e-4 * least,
            "{engine}: {cost} and not {least}"
        );
        // The index numbers polygons anew; the answer does not show it.
        let (polygons, plain) = (&found["polygons"], &plain["polygons"]);
        assert_eq!(
            (&polygons[0], polygons.as_array().unwrap().last()),
            (&plain[0], plain.as_array().unwrap().last())
        );
        let mut steps = vec!["locate", "search", "total", "waypoints"];
        if engine.starts_with("hna") {
            steps.extend(["connect", "extract", "nodes", "overlay"]);
            steps.sort_unstable();
        }
        assert_eq!(fields(&found["micros"]), steps, "{engine}");
    }
    assert_eq!(path("world.pidx", "pccp:2")["status"], "found");
    assert_eq!(path("world.pidx", "closest")["status"], "found");
    assert_eq!(
        fields(&path("world.pidx", "astar")["micros"]),
        ["locate", "search", "total", "waypoints"]
    );
    let said = folder
        .run(&format!("path world.pidx {QUERY} --engine hna"))
        .succeeded();
    assert!(
        said.stdout
            .contains("the search once more, by steps: nodes"),
        "{said:#?}"
    );
}

#[test]
fn engines_that_a_world_cannot_run() {
    let folder = indexed("--table-levels 1");
    let path =
        |file: &str, engine: &str| folder.run(&format!("path {file} {QUERY} --engine {engine}"));
    path("world.pnav", "contraction:fast")
        .complained_about(&["world.pnav", "portolan index --engines contraction"]);
    path("world.pnav", "labels")
        .complained_about(&["world.pnav", "portolan index --engines labels"]);
    path("world.pidx", "labels:fast")
        .complained_about(&["world.pidx", "portolan index --engines labels"]);
    path("world.pnav", "hna:2").complained_about(&["world.pnav", "hna:2", "portolan index"]);
    path("world.pnav", "pccp").complained_about(&["pccp", "portolan index"]);
    path("world.pidx", "hna:9").complained_about(&["hna:9", "level 9", "the highest is 3"]);
    path("world.pidx", "hna:2:table").complained_about(&["hna:2:table", "tables"]);
    path("world.pidx", "pccp:3").complained_about(&["pccp:3", "tables"]);
    folder
        .run("bench world.pidx --random 2 --engines astar,pccp:7 --json b.json")
        .complained_about(&["pccp:7", "the highest is 3"]);
    folder
        .run("bench world.pnav --random 2 --engines hna")
        .complained_about(&["world.pnav", "hna"]);
    assert_eq!(folder.names(), ["world.pidx", "world.pnav"]);
    // Without tables there is still the search.
    let folder = indexed("--engines hna");
    for engine in ["hna:2", "hna:3:dijkstra", "auto"] {
        folder
            .run(&format!("path world.pidx {QUERY} --engine {engine}"))
            .succeeded();
    }
    folder
        .run(&format!("path world.pidx {QUERY} --engine pccp"))
        .complained_about(&["--engines hna,pccp"]);
}

#[test]
fn bench_has_steps_bytes_and_times() {
    let folder = indexed("");
    let said = folder.run("bench world.pidx --random 30 --rounds 2 --json b.json");
    let said = said.succeeded().stdout;
    assert!(
        said.contains("overlay") && said.contains("x astar"),
        "{said}"
    );
    let bench = folder.json("b.json");
    let engines = bench["engines"].as_array().unwrap();
    let names: Vec<_> = engines
        .iter()
        .map(|e| e["engine"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "auto",
            "astar",
            "dijkstra",
            "contraction:fast",
            "contraction",
            "hna",
            "pccp",
            "hna:1",
            "hna:2",
            "hna:3"
        ]
    );
    let of = |name: &str| engines.iter().find(|e| e["engine"] == name).unwrap();
    for name in ["hna", "pccp", "hna:2"] {
        let steps = ["nodes_us", "connect_us", "overlay_us", "extract_us"];
        let sum: f64 = steps.iter().map(|step| number(of(name), step)).sum();
        assert!(sum > 0.0, "{name}");
        assert!(number(of(name), "build_ms") > 0.0);
    }
    for name in ["auto", "astar", "dijkstra", "contraction"] {
        assert_eq!(of(name)["nodes_us"], Value::Null);
    }
    for name in ["pccp", "auto", "contraction"] {
        assert_eq!(of(name)["cost_mismatches"], Value::Null);
    }
    for name in ["hna", "contraction:fast"] {
        assert_eq!(of(name)["cost_mismatches"], 0);
    }
    assert_eq!(count(of("pccp"), "found"), 30);
    let bytes = |name: &str| count(of(name), "bytes");
    assert!(bytes("astar") < bytes("hna:1") && bytes("hna:1") < bytes("hna"));
    assert!(bytes("hna") < bytes("pccp"));
    assert!(bytes("astar") < bytes("contraction"));
    assert_eq!(bytes("auto"), bytes("contraction"));
    let build = |name: &str| number(of(name), "build_ms");
    assert!(build("astar") < build("contraction"));
    assert_eq!(build("auto"), build("contraction"));
}

/// What `--engines` says is in the index, and nothing else.
#[test]
fn engines_of_an_index() {
    let folder = indexed("");
    let least = folder
        .run(&format!("path world.pnav {QUERY} --engine dijkstra --json"))
        .succeeded()
        .json();
    let least = number(&least, "cost");
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
        let said = folder.run(&line).succeeded().stdout;
        let has_hierarchy = runs.iter().any(|engine| engine.starts_with("hna"));
        let has_contraction = runs.contains(&"contraction:fast");
        assert_eq!(said.contains("edge-cut"), has_hierarchy, "{said}");
        assert_eq!(said.contains("contraction"), has_contraction, "{said}");
        let has_labels = runs.contains(&"labels");
        assert_eq!(said.contains("labels"), has_labels, "{said}");

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
                (cost - least).abs() < 1e-4 * least || !is_exact,
                "{engines}, {engine}: {cost} and not {least}"
            );
        }
        for engine in fails {
            let line = format!("path some.pidx {QUERY} --engine {engine}");
            let what = match *engine {
                "contraction" => "portolan index --engines contraction",
                "labels" => "portolan index --engines labels",
                _ => "portolan index",
            };
            folder
                .run(&line)
                .complained_about(&["some.pidx", engine, what]);
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
fn the_contraction_counted() {
    let folder = indexed("");
    let info = folder.run("info world.pidx --json").succeeded().json();
    let contraction = &info["contraction"];
    let expected = count(&info, "portals") + 2 * count(&info, "links");
    assert_eq!(count(contraction, "vertices"), expected);
    assert!(count(contraction, "arcs") >= count(contraction, "vertices"));
    let depth = count(contraction, "depth");
    assert!((2..expected / 4).contains(&depth), "{depth}");
    let bytes = count(contraction, "bytes");
    assert_eq!(bytes, count(&info["memory"], "contraction"));
    let a_polygon = bytes as f64 / number(&info, "polygons");
    assert!((a_polygon - number(contraction, "bytes_per_polygon")).abs() < 1e-9);
    let parts = info["memory"].as_object().unwrap().values();
    let sum: u64 = parts.map(|part| part.as_u64().unwrap()).sum();
    assert_eq!(sum, count(&info, "memory_bytes"));
    let text = folder.run("info world.pidx").succeeded().stdout;
    assert!(text.contains(&format!("depth {depth}")), "{text}");
    let plain = folder.run("info world.pnav --json").succeeded().json();
    assert_eq!(plain["contraction"], Value::Null);
}

/// Shortcuts are made for the profile of the index, and for another where a query brings one.
#[test]
fn profiles_of_a_contraction() {
    let folder = Folder::with_scene("rooms --size small --areas --links");
    folder.write("slow.toml", "forbidden = [3]\n[factors]\n0 = 3\n1 = 0.5\n");
    folder.write("plain.toml", "");
    let index = "index world.pnav -o world.pidx --engines contraction --profile slow.toml -q";
    folder.run(index).succeeded();
    for profile in ["", "--profile plain.toml", "--profile slow.toml"] {
        let line = format!(
            "bench world.pidx {profile} --random 60 --rounds 1 --engines contraction:fast --json b.json -q"
        );
        folder.run(&line).succeeded();
        let engine = &folder.json("b.json")["engines"][0];
        assert_eq!(engine["cost_mismatches"], 0, "{profile}");
        assert!(count(engine, "found") > 0);
    }
}

#[test]
fn the_profile_of_an_index_is_the_default_of_its_queries() {
    let folder = Folder::with_scene("rooms --size small --areas");
    folder.write("slow.toml", "[factors]\n0 = 3\n1 = 2\n2 = 2\n3 = 2\n");
    folder
        .run("index world.pnav -o world.pidx --mu 6 --profile slow.toml -q")
        .succeeded();
    let cost = |line: &str| {
        let found = folder
            .run(&format!("path {line} {QUERY} --json"))
            .succeeded()
            .json();
        number(&found, "cost")
    };
    let [plain, slow, own] = [
        cost("world.pnav"),
        cost("world.pnav --profile slow.toml"),
        cost("world.pidx --engine auto:fast"),
    ];
    assert!((own - slow).abs() < 1e-4 * slow && slow > 1.5 * plain);
    folder.write("plain.toml", "");
    assert!((cost("world.pidx --profile plain.toml --engine hna:2") - plain).abs() < 1e-4 * plain);
    let info = folder.run("info world.pidx --json").succeeded().json();
    assert_eq!(info["options"]["profile"]["factors"]["0"], 3.0);
}

#[test]
fn other_cost_models() {
    for model in ["published", "plan"] {
        let folder = indexed(&format!("--cost-model {model}"));
        let info = folder.run("info world.pidx --json").succeeded().json();
        assert_eq!(info["options"]["cost_model"], model);
        let line = "bench world.pidx --random 20 --rounds 1 --json b.json -q";
        // The engines agree with Dijkstra's on that graph, too.
        folder.run(line).succeeded();
    }
}

#[test]
fn pictures_of_levels() {
    let folder = indexed("");
    let picture = |options: &str| {
        let line = format!("path world.pidx {QUERY} --svg p.svg {options}");
        folder.run(&line).succeeded();
        let elements = xml_elements(&folder.text("p.svg"));
        // The first of a colour is in the plot, before the legend.
        let yellow = elements.iter().find(|(_, all)| all.contains("#ffd91a"));
        let red = elements.iter().find(|(_, all)| all.contains("#e0202c"));
        let lines = |element: Option<&(String, String)>| {
            element.map_or(0, |(_, all)| all.matches('M').count())
        };
        let fills = elements
            .iter()
            .filter(|(_, all)| all.contains("fill-opacity=\"1\" stroke-opacity"));
        (lines(yellow), lines(red), fills.count())
    };
    let (plain_intra, plain_inter, areas) = picture("");
    assert_eq!((plain_intra, plain_inter), (0, 0));
    let info = folder.run("info world.pidx --json").succeeded().json();
    for level in 1..=3 {
        let (intra, inter, colors) = picture(&format!("--level {level}"));
        assert_eq!(inter as u64, count(&info["levels"][level], "inter_edges"));
        assert!(intra > 0 && colors > areas);
        let (all_intra, ..) = picture(&format!("--level {level} --all-intra-edges"));
        assert!(all_intra > intra || level == 3);
    }
    assert_eq!(picture("--level 0").1, 0);

    let line = format!("path world.pidx {QUERY} --level 4 --svg no.svg");
    folder
        .run(&line)
        .complained_about(&["world.pidx", "--level 4", "the highest is 3"]);
    let line = format!("path world.pnav {QUERY} --level 1 --svg no.svg");
    folder
        .run(&line)
        .complained_about(&["--level 1", "portolan index"]);
    folder
        .run(&format!("path world.pidx {QUERY} --level 1"))
        .complained_about(&["--svg"]);
    folder
        .run(&format!(
            "path world.pidx {QUERY} --svg no.svg --all-intra-edges"
        ))
        .complained_about(&["--level"]);
    assert!(!folder.names().contains(&"no.svg".to_owned()));
    // Without a path there is still the map.
    folder
        .run("path world.pidx --from 3,0,3 --to 4000,0,30 --level 2 --svg map.svg")
        .said_no();
    xml_elements(&folder.text("map.svg"));
}

#[test]
fn worlds_too_small_for_levels() {
    let folder = Folder::with_world(&two_islands());
    let said = folder
        .run("index world.pnav -o world.pidx")
        .succeeded()
        .stdout;
    assert!(
        said.contains("no levels") && said.contains("--mu"),
        "{said}"
    );
    let path = "path world.pidx --from 1,0,1 --to 5,0,1";
    for engine in ["auto", "contraction", "contraction:fast", "hna", "pccp"] {
        folder.run(&format!("{path} --engine {engine}")).succeeded();
    }
    folder
        .run(&format!("{path} --engine hna:1"))
        .complained_about(&["level 1", "the highest is 0"]);
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
    // Two squares of the larger island share a node, and the third is one.
    folder
        .run("index world.pnav -o world.pidx --mu 2 -q")
        .succeeded();
    folder.run("bench world.pidx --random 3").succeeded();
}

#[test]
fn bad_usage() {
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
            &["warp", "contraction, hna, pccp and labels"],
        ),
        (
            "index world.pnav -o w.pidx --engines hna,",
            &["--engines", "contraction, hna, pccp and labels"],
        ),
    ] {
        folder.run(line).complained_about(names);
    }
    assert_eq!(folder.names(), ["world.pnav"]);
}

#[test]
fn a_file_of_another_kind_is_named() {
    let folder = indexed("");
    folder.run("index world.pidx -o w.pidx").complained_about(&[
        "world.pidx",
        "not a .pnav file",
        "index",
    ]);
    folder
        .run("index world.pidx -o world.pidx")
        .complained_about(&["overwrite"]);
    folder
        .run("import world.pidx -o w.pnav")
        .complained_about(&["world.pidx", ".pidx"]);
    folder
        .run("export world.pidx -o w.obj")
        .complained_about(&["world.pidx", "not a .pnav file"]);
    // What is in it counts, not the name.
    std::fs::rename(folder.path("world.pidx"), folder.path("odd.pnav")).unwrap();
    let info = folder.run("info odd.pnav --json").succeeded().json();
    assert_eq!(info["kind"], "index");
    assert_eq!(folder.names(), ["odd.pnav", "world.pnav"]);
}

#[test]
fn damaged_indices() {
    for engines in ["contraction,hna,pccp", "contraction", "labels"] {
        damage(&indexed(&format!("--engines {engines}")));
    }
}

fn damage(folder: &Folder) {
    let whole = folder.bytes("world.pidx");
    let readers = [
        "info bad.pidx",
        "path bad.pidx --from 3,0,3 --to 40,0,30",
        "bench bad.pidx --random 2",
    ];
    for length in [0, 5, 12, 31, 100, whole.len() / 2, whole.len() - 1] {
        folder.write("bad.pidx", &whole[..length]);
        for line in readers {
            folder.run(line).complained_about(&["bad.pidx"]);
        }
    }
    for at in [
        0,
        9,
        13,
        40,
        whole.len() / 3,
        whole.len() / 2,
        whole.len() - 3,
    ] {
        let mut bad = whole.clone();
        bad[at] ^= 4;
        folder.write("bad.pidx", &bad);
        for line in readers {
            folder.run(line).complained_about(&["bad.pidx"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_to() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with_scene("rooms --size small");
    let shut = folder.path("shut");
    std::fs::create_dir(&shut).unwrap();
    std::fs::set_permissions(&shut, std::fs::Permissions::from_mode(0o555)).unwrap();
    // Root may write anywhere.
    if std::fs::write(shut.join("probe"), b"").is_err() {
        folder
            .run("index world.pnav -o shut/w.pidx -q")
            .complained_about(&["shut/w.pidx", "cannot be written"]);
    }
    std::fs::create_dir(folder.path("taken.pidx")).unwrap();
    folder
        .run("index world.pnav -o taken.pidx -q")
        .complained_about(&["taken.pidx", "cannot be written"]);
}

#[test]
fn what_an_engine_looked_at_is_drawn() {
    let folder = indexed("");
    let query = "path world.pidx --from 3,0,3 --to 20,0,15";
    let plain = folder.run(&format!("{query} --json")).succeeded().json();
    for (engine, said) in [
        ("astar", "vertices settled"),
        ("dijkstra", "vertices settled"),
        ("hna:1", "inter-edges settled"),
        ("contraction", "of both"),
        ("auto", "of both"),
        ("hna", "settled"),
        ("pccp:1", "settled"),
        ("closest", "vertices settled"),
    ] {
        let line = format!("{query} --json --engine {engine} --svg seen.svg --show-search");
        let answer = folder.run(&line).succeeded().json();
        assert_eq!(answer["status"], plain["status"], "{engine}");
        let svg = folder.text("seen.svg");
        assert!(svg.contains(said) && svg.contains("h0"), "{engine}: {svg}");
        xml_elements(&svg);
    }
    let line = format!("{query} --engine astar --show-search");
    folder.run(&line).complained_about(&["--svg"]);
    let line = format!("{query} --engine hna:1 --svg no.svg --show-search --level 1");
    folder.run(&line).complained_about(&["--level"]);
    assert!(!folder.path("no.svg").exists());
}
