//! Tests of `portolan bench`.

use crate::common::{Folder, count, fields, number, two_islands};
use serde_json::Value;

const HEADER: &str = "query,engine,status,length,length_xz,cost,polygons,waypoints";

/// One query per status: found, no path, goal off the mesh, start off the mesh.
const FOUR_QUERIES: &str =
    "sx,sy,sz,gx,gy,gz\n1,0,1,5,0,1\n1,0,1,11,0,1\n1,0,1,90,0,0\n90,0,0,1,0,1\n";

#[track_caller]
fn check_figures(bench: &Value, engines: &[&str]) {
    let mut expected = vec![
        "world", "polygons", "portals", "queries", "engines", // Further fields.
        "rounds", "threads", "open_ms",
    ];
    expected.sort_unstable();
    assert_eq!(fields(bench), expected);
    let queries = count(bench, "queries");
    let figures = bench["engines"].as_array().unwrap();
    assert_eq!(figures.len(), engines.len());
    for (engine, name) in figures.iter().zip(engines) {
        let mut expected = vec![
            "engine",
            "threads",
            "found",
            "no_path",
            "off_mesh",
            "mean_us",
            "median_us",
            "p99_us",
            "max_us",
            "locate_us",
            "search_us",
            "waypoints_us",
            "cost_mismatches",
            "bytes",
            "build_ms",
        ];
        expected.sort_unstable();
        assert_eq!(fields(engine), expected);
        assert_eq!(engine["engine"], *name);
        let answered: u64 = ["found", "no_path", "off_mesh"]
            .map(|field| count(engine, field))
            .iter()
            .sum();
        assert_eq!(answered, queries, "{engine:#}");
        assert_eq!(count(engine, "cost_mismatches"), 0);
        let [mean, median, p99, max] =
            ["mean_us", "median_us", "p99_us", "max_us"].map(|field| number(engine, field));
        assert!(0.0 < median && median <= p99 && p99 <= max, "{engine:#}");
        assert!(0.0 < mean && mean <= max, "{engine:#}");
        let parts: f64 = ["locate_us", "search_us", "waypoints_us"]
            .map(|field| number(engine, field))
            .iter()
            .sum();
        assert!((parts - mean).abs() < 1e-6 * max.max(1.0), "{engine:#}");
        // Without an index, an engine needs only the mesh and the graph.
        assert_eq!(count(engine, "bytes"), 0);
        assert!(number(engine, "build_ms") >= 0.0);
    }
}

#[test]
fn random_queries_are_reported_as_json_and_csv() {
    let folder = Folder::with_scene("rooms --size small --areas --links");
    let output = folder
        .run("bench world.pnav --random 50 --rounds 2 --json b.json --lengths l.csv")
        .succeeded()
        .stdout;
    assert!(
        output.contains("50 queries") && output.contains("dijkstra"),
        "{output}"
    );
    let bench = folder.json("b.json");
    check_figures(&bench, &["auto", "astar", "dijkstra"]);
    assert_eq!(bench["world"], "world.pnav");
    assert_eq!(count(&bench, "queries"), 50);
    assert_eq!(count(&bench, "rounds"), 2);
    let info = folder.run("info world.pnav --json").succeeded().json();
    for field in ["polygons", "portals"] {
        assert_eq!(bench[field], info[field]);
    }
    for engine in bench["engines"].as_array().unwrap() {
        assert_eq!(
            count(engine, "found"),
            50,
            "there is one component, so every goal can be reached"
        );
    }

    let text = folder.text("l.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(HEADER));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 50 * 3);
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), 8);
        assert_eq!(row[0], (i / 3).to_string());
        assert_eq!(row[1], ["auto", "astar", "dijkstra"][i % 3]);
        assert_eq!(row[2], "found");
        let [length, xz, cost]: [f64; 3] = [row[3], row[4], row[5]].map(|n| n.parse().unwrap());
        assert!(
            length >= xz * (1.0 - 1e-6) && xz >= 0.0 && cost >= 0.0,
            "{row:?}"
        );
        let [polygons, waypoints]: [u32; 2] = [row[6], row[7]].map(|n| n.parse().unwrap());
        assert!(polygons >= 1 && waypoints >= 2, "{row:?}");
    }
    assert_eq!(folder.names(), ["b.json", "l.csv", "world.pnav"]);
}

/// A row of `--lengths` has the same numbers as the answer of `portolan path`.
#[test]
fn rows_agree_with_the_path_command() {
    let folder = Folder::with_scene("rooms --size small");
    folder.write(
        "q.csv",
        "sx,sy,sz,gx,gy,gz\n3,0,3,40,0,30\n40,0,30,20,0,15\n",
    );
    folder
        .run(
            "bench world.pnav --queries q.csv --engines astar:fast --lengths l.csv -q --snap 3,2,3",
        )
        .succeeded();
    let text = folder.text("l.csv");
    for (row, endpoints) in text
        .lines()
        .skip(1)
        .zip(["--from 3,0,3 --to 40,0,30", "--from 40,0,30 --to 20,0,15"])
    {
        let line = format!("path world.pnav {endpoints} --engine astar:fast --json --snap 3,2,3");
        let answer = folder.run(&line).succeeded().json();
        let row: Vec<&str> = row.split(',').collect();
        assert_eq!(row[1], "astar:fast");
        assert_eq!(answer["status"], row[2]);
        for (field, value) in [("length", row[3]), ("length_xz", row[4]), ("cost", row[5])] {
            let value: f64 = value.parse().unwrap();
            assert!((number(&answer, field) - value).abs() < 1e-5, "{field}");
        }
        for (field, value) in [("polygons", row[6]), ("waypoints", row[7])] {
            let size = answer[field].as_array().unwrap().len();
            assert_eq!(size.to_string(), value, "{field}");
        }
    }
}

#[test]
fn answers_do_not_depend_on_threads() {
    let folder = Folder::with_scene("rooms --size small --areas --links --floors 2");
    let lengths = |threads: u8| {
        folder
            .run(&format!(
                "bench world.pnav --random 60 --rounds 1 --threads {threads} --lengths l.csv -q --json b.json"
            ))
            .succeeded();
        let bench = folder.json("b.json");
        check_figures(&bench, &["auto", "astar", "dijkstra"]);
        assert_eq!(count(&bench, "threads"), u64::from(threads));
        folder.bytes("l.csv")
    };
    let one = lengths(1);
    assert_eq!(one.iter().filter(|&&byte| byte == b'\n').count(), 181);
    assert!(lengths(2) == one);
    assert!(lengths(4) == one);
    assert!(lengths(1) == one);
}

#[test]
fn only_a_parallel_engine_uses_several_threads_per_query() {
    let folder = Folder::with_index("");
    let bench = |options: &str| {
        let engines = "hna:1:astar,hna:1:parallel";
        let line =
            format!("bench world.pidx --random 20 --engines {engines} --json b.json {options}");
        let run = folder.run(&line).succeeded();
        let bench = folder.json("b.json");
        assert_eq!(count(&bench, "threads"), 1);
        let threads = [0, 1].map(|engine| count(&bench["engines"][engine], "threads"));
        (threads, run.stdout.clone())
    };
    let (threads, printed) = bench("--threads 3");
    assert_eq!(threads, [1, 3]);
    assert!(printed.contains("hna:1:parallel: up to 3 threads per query"));
    let (threads, printed) = bench("--threads 1");
    assert_eq!(threads, [1, 1]);
    assert!(!printed.contains("per query"));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    assert_eq!(bench("").0, [1, cores as u64]);
}

#[test]
fn the_seed_selects_the_queries() {
    let folder = Folder::with_scene("rooms --size small");
    let lengths = |options: &str| {
        let line = format!("bench world.pnav --random 10 --lengths l.csv -q {options}");
        folder.run(&line).succeeded();
        folder.bytes("l.csv")
    };
    let first = lengths("--seed 7");
    assert_eq!(lengths("--seed 7"), first);
    assert_eq!(lengths("--seed 7 --rounds 1"), first);
    assert_ne!(lengths("--seed 8"), first);
    assert_eq!(lengths("--seed 1"), lengths(""));
    assert_ne!(lengths("--seed 18446744073709551615"), first);
}

#[test]
fn every_status_is_counted() {
    let folder = Folder::with_world(&two_islands());
    folder.write("q.csv", FOUR_QUERIES);
    folder
        .run("bench world.pnav --queries q.csv --engines astar,dijkstra:fast --json b.json --lengths l.csv -q")
        .succeeded();
    let bench = folder.json("b.json");
    check_figures(&bench, &["astar", "dijkstra:fast"]);
    for engine in bench["engines"].as_array().unwrap() {
        let counts = ["found", "no_path", "off_mesh"].map(|field| count(engine, field));
        assert_eq!(counts, [1, 1, 2]);
    }
    let text = folder.text("l.csv");
    let statuses: Vec<&str> = text
        .lines()
        .skip(1)
        .step_by(2)
        .map(|line| line.split(',').nth(2).unwrap())
        .collect();
    assert_eq!(
        statuses,
        ["found", "no_path", "goal_off_mesh", "start_off_mesh"]
    );
}

#[test]
fn rows_without_a_path_have_no_lengths() {
    let folder = Folder::with_world(&two_islands());
    folder.write("q.csv", FOUR_QUERIES);
    folder
        .run("bench world.pnav --queries q.csv --engines astar --lengths l.csv -q")
        .succeeded();
    for row in folder.text("l.csv").lines().skip(2) {
        let row: Vec<&str> = row.split(',').collect();
        assert_eq!(row[3..6], ["", "", ""], "{row:?}");
    }
}

#[test]
fn columns_of_queries_may_be_in_any_order() {
    let folder = Folder::with_world(&two_islands());
    folder.write(
        "plain.csv",
        "sx,sy,sz,gx,gy,gz\n1,0,1,5,0,1\n3,0,1,1,0,1.5\n",
    );
    folder.write(
        "odd.csv",
        "id,gz,gy,gx,\"a note, quoted\",sz,sy,sx\r\n\
         7, 1 ,0,5,\"so, so\",1,0,1\r\n\r\n8,1.5,0,1,,1,0,3,one,too,many\r\n",
    );
    let lengths = |file: &str| {
        let line = format!("bench world.pnav --queries {file} --lengths l.csv -q");
        folder.run(&line).succeeded();
        folder.text("l.csv")
    };
    assert_eq!(lengths("odd.csv"), lengths("plain.csv"));
}

#[test]
fn an_error_in_a_query_names_its_line() {
    let folder = Folder::with_world(&two_islands());
    folder.write("old.json", "old");
    for (content, names) in [
        ("", &["the file is empty"][..]),
        ("\n\n", &["sx"]),
        ("1,0,1,5,0,1\n", &["sx"]),
        ("sx,sy,sz,gx,gy\n1,0,1,5,0\n", &["gz"]),
        ("sx;sy;sz;gx;gy;gz\n1;0;1;5;0;1\n", &["sx"]),
        ("sx,sy,sz,gx,gy,gz\n1,0,1,5,0\n", &["line 2", "gz"]),
        (
            "sx,sy,sz,gx,gy,gz\n1,0,1,5,0,1\n\n1,0,1,x,0,1\n",
            &["line 4", "gx"],
        ),
        ("sx,sy,sz,gx,gy,gz\n1,0,nan,5,0,1\n", &["line 2", "sz"]),
        ("sx,sy,sz,gx,gy,gz\n1,0,1,5,0,inf\n", &["line 2", "gz"]),
        ("sx,sy,sz,gx,gy,gz\n1,0,1,5,,1\n", &["line 2", "gy"]),
        ("sx,sy,sz,gx,gy,gz\n1e39,0,1,5,0,1\n", &["line 2", "sx"]),
    ] {
        folder.write("q.csv", content);
        folder
            .run("bench world.pnav --queries q.csv --json old.json --lengths new.csv")
            .failed_with(&[&["q.csv"], names].concat());
    }
    folder.write("q.csv", b"\x00\xff\xfe binary");
    folder
        .run("bench world.pnav --queries q.csv")
        .failed_with(&["q.csv"]);
    folder
        .run("bench world.pnav --queries none.csv")
        .failed_with(&["none.csv"]);
    folder
        .run("bench world.pnav --queries .")
        .failed_with(&[".: "]);
    folder.write("q.csv", "sx,sy,sz,gx,gy,gz\n");
    folder
        .run("bench world.pnav --queries q.csv")
        .failed_with(&["queries"]);
    assert_eq!(folder.text("old.json"), "old");
    assert_eq!(folder.names(), ["old.json", "q.csv", "world.pnav"]);
}

#[test]
fn a_file_without_queries_is_an_error() {
    let folder = Folder::with_world(&two_islands());
    folder.write("q.csv", "sx,sy,sz,gx,gy,gz\n");
    folder
        .run("bench world.pnav --queries q.csv")
        .failed_with(&["q.csv"]);
}

#[test]
fn wrong_usage_is_an_error() {
    let folder = Folder::with_world(&two_islands());
    folder.write("q.csv", FOUR_QUERIES);
    for (line, names) in [
        ("bench", &["WORLD"][..]),
        ("bench none.pnav", &["none.pnav"]),
        ("bench world.pnav --random 0", &["--random"]),
        ("bench world.pnav --random=-5", &["--random"]),
        ("bench world.pnav --random 10000001", &["--random"]),
        ("bench world.pnav --rounds 0", &["--rounds"]),
        ("bench world.pnav --rounds 1001", &["--rounds"]),
        ("bench world.pnav --seed x", &["--seed"]),
        ("bench world.pnav --threads 0", &["--threads"]),
        ("bench world.pnav --threads 1025", &["--threads"]),
        ("bench world.pnav --snap 1,1", &["--snap"]),
        ("bench world.pnav --engines astar,warp", &["warp"]),
        ("bench world.pnav --engines astar,,dijkstra", &["engine"]),
        (
            "bench world.pnav --queries q.csv --random 5",
            &["--queries", "--random"],
        ),
        (
            "bench world.pnav --queries q.csv --seed 5",
            &["--queries", "--seed"],
        ),
        (
            "bench world.pnav --queries q.csv --json no/b.json",
            &["no/b.json"],
        ),
        (
            "bench world.pnav --queries q.csv --lengths no/l.csv",
            &["no/l.csv"],
        ),
        ("bench world.pnav --queries q.csv --lengths .", &[".: "]),
        (
            "bench world.pnav --queries q.csv --profile no.toml",
            &["no.toml"],
        ),
    ] {
        folder.run(line).failed_with(names);
    }
    assert_eq!(folder.names(), ["q.csv", "world.pnav"]);
}

#[test]
fn updates_next_to_queries_are_measured() {
    // It takes five seconds.
    if std::env::var_os("PORTOLAN_LONG").is_none() {
        return;
    }
    let folder = Folder::with_scene("rooms --size small");
    folder.run("index world.pnav -o world.pidx -q").succeeded();
    folder
        .run("bench world.pidx --updates 4 --kind obstacle --beside --json b.json -q")
        .succeeded();
    let json: Value = serde_json::from_str(&folder.text("b.json")).unwrap();
    for times in ["query_us_beside", "update_us_beside", "query_us_unsettled"] {
        let [mean, p99] = ["mean", "p99"].map(|field| number(&json[times], field));
        assert!(mean > 0.0 && p99 > 0.0, "{json}");
    }
    assert!(number(&json, "beside_per_second") > 0.0);
}

#[test]
fn updates_are_measured_and_checked() {
    let folder = Folder::with_scene("rooms --size small");
    folder.run("index world.pnav -o world.pidx -q").succeeded();
    for kind in ["polygon", "door", "obstacle"] {
        let line = format!("bench world.pidx --updates 30 --kind {kind} --json u.json -q");
        folder.run(&line).succeeded();
        let json: Value = serde_json::from_str(&folder.text("u.json")).unwrap();
        assert_eq!(
            (&json["kind"], &json["updates"]),
            (&kind.into(), &30.into())
        );
        assert_eq!(json["mismatches"], 0);
        assert_eq!(json["checked"], 3);
        for times in ["update_us", "publish_us"] {
            let [mean, p99, max] = ["mean", "p99", "max"].map(|field| number(&json[times], field));
            assert!(0.0 < mean && mean <= max && p99 <= max, "{json}");
        }
        assert!(number(&json["query_us_quiet"], "mean") > 0.0);
        assert!(json["query_us_beside"].is_null());
        assert!(number(&json, "background_ms") > 0.0);
        assert!(number(&json, "excess_settled") >= 0.0 && number(&json, "excess_after") >= 0.0);
    }
    // A world without an index is repaired by changing its prices.
    folder
        .run("bench world.pnav --updates 10 --json n.json -q")
        .succeeded();

    folder
        .run("bench world.pidx --updates 4 --kind tile --beside --json t.json -q")
        .succeeded();
    let json: Value = serde_json::from_str(&folder.text("t.json")).unwrap();
    assert_eq!(
        (&json["kind"], &json["mismatches"]),
        (&"tile".into(), &0.into())
    );
    assert_eq!(json["checked"], 4);
    for times in [
        "update_us",
        "publish_us",
        "query_us_quiet",
        "query_us_beside",
    ] {
        assert!(number(&json[times], "mean") > 0.0, "{json}");
    }
    assert!(number(&json, "background_ms") > 0.0);

    for (line, part) in [
        ("bench world.pidx --kind door", "--updates"),
        ("bench world.pidx --updates 10 --kind flood", "flood"),
        ("bench world.pidx --updates 1", "1"),
        ("bench world.pidx --updates 10 --agents 5", "--agents"),
        ("bench missing.pidx --updates 10", "missing.pidx"),
    ] {
        folder.run(line).failed_with(&[part]);
    }
}
