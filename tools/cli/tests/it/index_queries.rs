//! Tests of queries, benches and pictures on an index.

use crate::common::{Folder, QUERY, count, fields, number, xml_elements};
use serde_json::Value;

#[test]
fn paths_cost_the_same_as_without_an_index() {
    let folder = Folder::with_index("");
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
        let (cost, optimum) = (number(&found, "cost"), number(&plain, "cost"));
        assert!(
            (cost - optimum).abs() < 1e-4 * optimum,
            "{engine}: {cost} instead of {optimum}"
        );
        // An index renumbers polygons, but answers have the ids of the navmesh.
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
    let output = folder
        .run(&format!("path world.pidx {QUERY} --engine hna"))
        .succeeded();
    assert!(
        output
            .stdout
            .contains("steps of the search, timed separately: nodes"),
        "{output:#?}"
    );
}

#[test]
fn an_unsupported_engine_is_an_error() {
    let folder = Folder::with_index("--table-levels 1");
    let path =
        |file: &str, engine: &str| folder.run(&format!("path {file} {QUERY} --engine {engine}"));
    path("world.pnav", "contraction:fast")
        .failed_with(&["world.pnav", "portolan index --engines contraction"]);
    path("world.pnav", "labels").failed_with(&["world.pnav", "portolan index --engines labels"]);
    path("world.pidx", "labels:fast")
        .failed_with(&["world.pidx", "portolan index --engines labels"]);
    path("world.pnav", "hna:2").failed_with(&["world.pnav", "hna:2", "portolan index"]);
    path("world.pnav", "pccp").failed_with(&["pccp", "portolan index"]);
    path("world.pidx", "hna:9").failed_with(&["hna:9", "level 9", "the highest is 3"]);
    path("world.pidx", "hna:2:table").failed_with(&["hna:2:table", "tables"]);
    path("world.pidx", "pccp:3").failed_with(&["pccp:3", "tables"]);
    folder
        .run("bench world.pidx --random 2 --engines astar,pccp:7 --json b.json")
        .failed_with(&["pccp:7", "the highest is 3"]);
    folder
        .run("bench world.pnav --random 2 --engines hna")
        .failed_with(&["world.pnav", "hna"]);
    assert_eq!(folder.names(), ["world.pidx", "world.pnav"]);
    // Without tables, start and goal are connected by a search.
    let folder = Folder::with_index("--engines hna");
    for engine in ["hna:2", "hna:3:dijkstra", "auto"] {
        folder
            .run(&format!("path world.pidx {QUERY} --engine {engine}"))
            .succeeded();
    }
    folder
        .run(&format!("path world.pidx {QUERY} --engine pccp"))
        .failed_with(&["--engines hna,pccp"]);
}

#[test]
fn bench_reports_steps_bytes_and_build_times() {
    let folder = Folder::with_index("--tiers fast,default");
    let output = folder.run("bench world.pidx --random 30 --rounds 2 --json b.json");
    let output = output.succeeded().stdout;
    assert!(
        output.contains("overlay") && output.contains("speedup over astar"),
        "{output}"
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
    let figures_of = |name: &str| engines.iter().find(|e| e["engine"] == name).unwrap();
    for name in ["hna", "pccp", "hna:2"] {
        let steps = ["nodes_us", "connect_us", "overlay_us", "extract_us"];
        let sum: f64 = steps
            .iter()
            .map(|step| number(figures_of(name), step))
            .sum();
        assert!(sum > 0.0, "{name}");
        assert!(number(figures_of(name), "build_ms") > 0.0);
    }
    for name in ["auto", "astar", "dijkstra", "contraction"] {
        assert_eq!(figures_of(name)["nodes_us"], Value::Null);
    }
    for name in ["pccp", "auto", "contraction"] {
        assert_eq!(figures_of(name)["cost_mismatches"], Value::Null);
    }
    for name in ["hna", "contraction:fast"] {
        assert_eq!(figures_of(name)["cost_mismatches"], 0);
    }
    assert_eq!(count(figures_of("pccp"), "found"), 30);
    let bytes = |name: &str| count(figures_of(name), "bytes");
    assert_eq!((bytes("astar"), bytes("dijkstra")), (0, 0));
    assert!(0 < bytes("hna:1") && bytes("hna:1") < bytes("hna"));
    assert!(bytes("hna") < bytes("pccp"));
    assert!(0 < bytes("contraction"));
    assert_eq!(bytes("auto"), bytes("contraction"));
    let build = |name: &str| number(figures_of(name), "build_ms");
    assert!(build("astar") < build("contraction"));
    assert_eq!(build("auto"), build("contraction"));
}

/// Shortcuts are computed for the profile of the index, and again for another profile of a query.
#[test]
fn the_contraction_is_exact_for_other_profiles() {
    let folder = Folder::with_scene("rooms --size small --areas --links");
    folder.write("slow.toml", "forbidden = [3]\n[factors]\n0 = 3\n1 = 0.5\n");
    folder.write("plain.toml", "# The default profile.\n");
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
    let [plain, slow, indexed] = [
        cost("world.pnav"),
        cost("world.pnav --profile slow.toml"),
        cost("world.pidx --engine auto:fast"),
    ];
    assert!((indexed - slow).abs() < 1e-4 * slow && slow > 1.5 * plain);
    folder.write("plain.toml", "# The default profile.\n");
    assert!((cost("world.pidx --profile plain.toml --engine hna:2") - plain).abs() < 1e-4 * plain);
    let info = folder.run("info world.pidx --json").succeeded().json();
    assert_eq!(info["options"]["profile"]["factors"]["0"], 3.0);
}

#[test]
fn engines_are_exact_with_other_cost_models() {
    for model in ["published", "plan"] {
        let folder = Folder::with_index(&format!("--cost-model {model}"));
        let info = folder.run("info world.pidx --json").succeeded().json();
        assert_eq!(info["options"]["cost_model"], model);
        let line = "bench world.pidx --random 20 --rounds 1 --json b.json -q";
        // It succeeds if all exact engines agree with Dijkstra's algorithm.
        folder.run(line).succeeded();
    }
}

#[test]
fn pictures_show_the_nodes_and_edges_of_a_level() {
    let folder = Folder::with_index("");
    let picture = |options: &str| {
        let line = format!("path world.pidx {QUERY} --svg p.svg {options}");
        folder.run(&line).succeeded();
        let elements = xml_elements(&folder.text("p.svg"));
        // The first element of a colour is in the plot, which comes before the legend.
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
        .failed_with(&["world.pidx", "--level 4", "the highest level is 3"]);
    let line = format!("path world.pnav {QUERY} --level 1 --svg no.svg");
    folder
        .run(&line)
        .failed_with(&["--level 1", "portolan index"]);
    folder
        .run(&format!("path world.pidx {QUERY} --level 1"))
        .failed_with(&["--svg"]);
    folder
        .run(&format!(
            "path world.pidx {QUERY} --svg no.svg --all-intra-edges"
        ))
        .failed_with(&["--level"]);
    assert!(!folder.names().contains(&"no.svg".to_owned()));
    // Without a path, the map is drawn all the same.
    folder
        .run("path world.pidx --from 3,0,3 --to 4000,0,30 --level 2 --svg map.svg")
        .answered_no();
    xml_elements(&folder.text("map.svg"));
}

#[test]
fn show_search_draws_what_the_engine_visited() {
    let folder = Folder::with_index("--tiers fast,default");
    let query = "path world.pidx --from 3,0,3 --to 20,0,15";
    let plain = folder.run(&format!("{query} --json")).succeeded().json();
    for (engine, legend) in [
        ("astar", "vertices settled"),
        ("dijkstra", "vertices settled"),
        ("hna:1", "inter-edges settled"),
        ("contraction", "of both"),
        ("auto", "of both"),
        ("hna", "settled"),
        ("pccp:1", "settled"),
        ("closest", "vertices settled"),
    ] {
        let line = format!("{query} --json --engine {engine} --svg search.svg --show-search");
        let answer = folder.run(&line).succeeded().json();
        assert_eq!(answer["status"], plain["status"], "{engine}");
        let svg = folder.text("search.svg");
        assert!(
            svg.contains(legend) && svg.contains("h0"),
            "{engine}: {svg}"
        );
        xml_elements(&svg);
    }
    let line = format!("{query} --engine astar --show-search");
    folder.run(&line).failed_with(&["--svg"]);
    let line = format!("{query} --engine hna:1 --svg no.svg --show-search --level 1");
    folder.run(&line).failed_with(&["--level"]);
    assert!(!folder.path("no.svg").exists());
}
