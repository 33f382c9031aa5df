//! Tests of `portolan index --engines labels`, and of other commands on such an index.

use crate::common::{Folder, count, number};
use serde_json::Value;

#[test]
fn info_and_bench_show_the_size_of_the_labels() {
    let folder = Folder::with_scene("rooms --size small --links --areas");
    folder
        .run("index world.pnav -o world.pidx --engines labels --tiers fast,default -q")
        .succeeded();
    let info = folder.run("info world.pidx --json").succeeded().json();
    let labels = &info["labels"];
    let entries = count(labels, "entries");
    assert!(entries > count(&info["contraction"], "vertices"));
    let bytes = count(labels, "bytes");
    assert!(bytes > 12 * entries, "{bytes} for {entries}");
    assert_eq!(bytes, count(&info["memory"], "labels"));
    assert!(number(labels, "entries_per_label") > 1.0);
    let parts = info["memory"].as_object().unwrap().values();
    let sum: u64 = parts.map(|part| part.as_u64().unwrap()).sum();
    assert_eq!(sum, count(&info, "memory_bytes"));
    assert!(number(&info["build_ms"], "labels") > 0.0);
    let text = folder.run("info world.pidx").succeeded().stdout;
    assert!(
        text.contains(&format!("labels: {entries} entries")),
        "{text}"
    );

    let bench = "bench world.pidx --random 60 --rounds 1 --json b.json -q";
    folder.run(bench).succeeded();
    let bench = folder.json("b.json");
    let engines = bench["engines"].as_array().unwrap();
    let figures_of = |name: &str| engines.iter().find(|e| e["engine"] == name).unwrap();
    let (contraction, labels) = (figures_of("contraction:fast"), figures_of("labels"));
    assert_eq!(labels["cost_mismatches"], 0);
    assert_eq!(count(labels, "found"), 60);
    assert_eq!(labels["nodes_us"], Value::Null);
    assert_eq!(count(labels, "bytes"), count(contraction, "bytes") + bytes);
    assert!(number(labels, "build_ms") > number(contraction, "build_ms"));
    assert_eq!(
        figures_of("auto")["bytes"],
        figures_of("contraction")["bytes"]
    );
}

/// If the labels are larger than the limit, the command fails and names the limit.
#[test]
fn labels_above_the_limit_are_an_error() {
    let folder = Folder::with_scene("rooms --size small --links");
    let index = "index world.pnav -o world.pidx --engines hna,labels --labels-limit";
    for (limit, bytes) in [("0", "0"), ("50K", "50000"), ("50000b", "50000")] {
        let output = folder.run(&format!("{index} {limit}"));
        let limit = format!("the limit is {bytes}");
        output.failed_with(&["world.pnav", "hub labels", &limit, "--labels-limit"]);
        assert_eq!(folder.names(), ["world.pnav"]);
    }
    folder.run(&format!("{index} 100M -q")).succeeded();
    let info = folder.run("info world.pidx --json").succeeded().json();
    let bytes = count(&info["labels"], "bytes");
    // A limit of exactly their size is enough; one byte less is not.
    folder.run(&format!("{index} {bytes} -q")).succeeded();
    folder
        .run(&format!("{index} {}", bytes - 1))
        .failed_with(&["--labels-limit"]);
}

/// The labels are for the profile of the index; for other profiles the contraction answers.
#[test]
fn labels_are_exact_for_other_profiles() {
    let folder = Folder::with_scene("rooms --size small --areas --links");
    folder.write("slow.toml", "forbidden = [3]\n[factors]\n0 = 3\n1 = 0.5\n");
    folder.write("plain.toml", "# The default profile.\n");
    let index = "index world.pnav -o world.pidx --engines labels --profile slow.toml -q";
    folder.run(index).succeeded();
    for profile in ["", "--profile plain.toml", "--profile slow.toml"] {
        let line = format!(
            "bench world.pidx {profile} --random 60 --rounds 1 --engines labels --json b.json -q"
        );
        folder.run(&line).succeeded();
        let engine = &folder.json("b.json")["engines"][0];
        assert_eq!(engine["cost_mismatches"], 0, "{profile}");
        assert!(count(engine, "found") > 0);
    }
}
