//! Tests of a small run: the page, its files, resumed runs and comparisons.

use std::collections::HashSet;
use std::path::Path;

use portolan_report::{
    PeersRun, Report, ReportEffort, ReportOptions, TradeOffEngine, diff, open, run,
};
use portolan_scenes::LevelScene;

/// Returns options of a run that takes milliseconds per scene.
pub(crate) fn small() -> ReportOptions {
    ReportOptions {
        scenes: vec![LevelScene::Simple, LevelScene::Dungeon],
        maps: Vec::new(),
        effort: ReportEffort {
            merge_factors: vec![4, 8],
            length_factors: vec![5],
            queries: 6,
            length_queries: 10,
            rounds: 2,
            world_sizes: vec![150, 300],
            agents: vec![20, 100],
            updates: 4,
            beside_ms: 10,
            ..ReportEffort::quick()
        },
        peers: None,
        gpu: false,
    }
}

pub(crate) fn run_small(folder: &Path) -> Report {
    run(&small(), folder, &|_| ()).unwrap()
}

/// Returns the values of an attribute.
fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let prefix = format!(" {name}=\"");
    let parts = html.split(prefix.as_str()).skip(1);
    parts.filter_map(|part| part.split('"').next()).collect()
}

#[test]
fn the_page_contains_every_figure_and_needs_no_network() {
    let folder = tempfile::tempdir().unwrap();
    run_small(folder.path());
    let html = std::fs::read_to_string(folder.path().join("index.html")).unwrap();

    let ids = attributes(&html, "id");
    let known: HashSet<&str> = ids.iter().copied().collect();
    assert_eq!(known.len(), ids.len(), "duplicate id");
    let figures = [
        "hna-figure-7",
        "hna-figure-8",
        "hna-figure-9",
        "hna-figure-10",
        "hna-figure-11",
        "hna-figure-13",
        "hna-figure-14",
        "hna-figure-15",
        "ma-hna-figure-6",
        "ma-hna-figure-7",
        "ma-hna-figure-9",
        "ma-hna-figure-11",
        "ma-hna-figure-12",
        "ma-hna-figure-13",
        "ma-hna-figure-14",
        "beyond-times",
        "beyond-profiles",
        "beyond-trade-off",
        "changes-figure",
    ];
    let tables = [
        "summary",
        "hna-table-1",
        "ma-hna-table-3",
        "ma-hna-batches",
        "thesis-table-4-2",
        "thesis-a-simple",
        "thesis-a-dungeon",
        "beyond-scenes",
        "beyond-worlds",
        "beyond-builds",
        "changes-table",
    ];
    for (names, part, ending) in [(&figures[..], "figures", "svg"), (&tables, "tables", "csv")] {
        for name in names {
            assert!(known.contains(name), "{name} is not on the page");
            let file = folder.path().join(part).join(format!("{name}.{ending}"));
            assert!(file.metadata().unwrap().len() > 100, "{name}");
        }
    }

    let links = attributes(&html, "href");
    let contents = links.iter().filter_map(|link| link.strip_prefix('#'));
    assert!(contents.clone().count() > 20);
    for target in contents {
        assert!(known.contains(target), "no element has the id {target}");
    }
    for file in links.iter().filter(|link| !link.starts_with('#')) {
        assert!(
            folder.path().join(file).is_file(),
            "the file {file} is missing"
        );
    }
    // The SVG namespace is a name; no browser requests it.
    let text = html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for word in [
        "http:", "https:", "//cdn", "<script", "<link", "@import", " src=",
    ] {
        assert!(!text.contains(word), "{word} on the page");
    }
    for word in [
        "Machine",
        "Version",
        "Date",
        "Seed",
        "How to read this",
        "★",
    ] {
        assert!(html.contains(word), "{word} is not on the page");
    }
    for forbidden in ["NaN", "inf ", "inf%"] {
        assert!(!html.contains(forbidden), "{forbidden} on the page");
    }
}

#[test]
fn figures_are_xml_with_axes_units_and_no_empty_panel() {
    let folder = tempfile::tempdir().unwrap();
    run_small(folder.path());
    for entry in std::fs::read_dir(folder.path().join("figures")).unwrap() {
        let path = entry.unwrap().path();
        let svg = std::fs::read_to_string(&path).unwrap();
        assert!(
            svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
            "{path:?}"
        );
        assert!(svg.contains("<title>"), "{path:?}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{path:?}");
        let open = svg.matches("<g ").count();
        assert_eq!(open, svg.matches("</g>").count(), "{path:?}");
        let is_map = path.ends_with("hna-figure-13.svg") && !path.ends_with("ma-hna-figure-13.svg");
        if !is_map {
            let units = [
                "µs",
                "%",
                "(m)",
                "(MB)",
                "(ms)",
                "(times)",
                "inter-edges per node",
            ];
            assert!(units.iter().any(|unit| svg.contains(unit)), "{path:?}");
        }
    }
}

#[test]
fn the_json_restores_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let report = run_small(folder.path());
    let read = open(&folder.path().join("report.json")).unwrap();
    assert_eq!(read, report);
    assert_eq!(report.scenes.len(), 2);
    assert_eq!(report.grid.len(), 4);
    let batches: Vec<_> = report
        .batches
        .iter()
        .flat_map(|cell| &cell.engines)
        .collect();
    assert_eq!(batches.len(), 7);
    for engine in batches {
        assert_eq!(engine.mismatches, 0, "{}", engine.engine);
        assert_eq!(engine.batches[0].agents, 20, "{}", engine.engine);
    }
    for cell in &report.grid {
        assert!(!cell.levels.is_empty());
        for engine in cell.levels.iter().flat_map(|level| &level.engines) {
            let steps = [
                engine.get_us,
                engine.connect_us,
                engine.search_us,
                engine.extract_us,
            ];
            let (sum, total) = (steps.iter().sum::<f64>(), engine.time.mean_us);
            assert!(sum <= total + 0.01, "steps of {sum} in {total}");
            assert!(engine.mismatches.is_none_or(|count| count == 0));
            assert_eq!(engine.time.queries, 6);
            assert_eq!(engine.time.rounds_us.len(), 2);
        }
        let levels = cell.levels.iter();
        assert!(levels.clone().all(|l| l.inter_edges_max as i64 <= l.bound));
    }
}

#[test]
fn all_exact_engines_have_the_costs_of_dijkstra() {
    let folder = tempfile::tempdir().unwrap();
    let report = run_small(folder.path());
    let names: Vec<&str> = report
        .comparisons
        .iter()
        .map(|c| c.scene.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "simple",
            "dungeon",
            "rooms-150",
            "rooms-300",
            "open-150",
            "open-300"
        ]
    );
    for cell in &report.comparisons {
        assert_eq!(cell.no_labels, None);
        let has = |name: &str, want: &str| {
            let mut engines = cell.engines.iter();
            engines.any(|e| e.engine == name && e.want == want)
        };
        for name in ["astar", "hna", "contraction:fast", "labels", "auto:fast"] {
            assert!(has(name, "path"), "no {name} on {}", cell.scene);
        }
        assert!(has("labels", "distance") && has("pccp:1", "path"));
        for engine in &cell.engines {
            let is_exact = !engine.engine.starts_with("pccp");
            assert_eq!(engine.mismatches, is_exact.then_some(0), "{engine:?}");
            assert_eq!(engine.time.queries, 6);
            // A* and Dijkstra need no data in addition to mesh and graph.
            let is_plain = ["astar", "dijkstra"].contains(&engine.engine.as_str());
            assert_eq!(engine.bytes > 0, !is_plain, "{engine:?}");
        }
        assert_eq!(cell.other_profile.mismatches, 0, "{}", cell.scene);
        // The trade-off is measured on generated worlds only.
        let compared: Vec<&str> = cell.trade_off.iter().map(|e| e.engine.as_str()).collect();
        let expected: &[&str] = match cell.world {
            Some(_) => &[
                "astar",
                "hna",
                "contraction:fast",
                "contraction",
                "contraction:best",
            ],
            None => &[],
        };
        assert_eq!(compared, expected, "{}", cell.scene);
        for engine in &cell.trade_off {
            let TradeOffEngine {
                mean_percent,
                p99_percent,
                max_percent,
                ..
            } = *engine;
            assert!(
                0.0 <= mean_percent && mean_percent <= max_percent,
                "{engine:?}"
            );
            assert!(p99_percent <= max_percent);
            assert!(engine.time.mean_us > 0.0);
        }
        assert!(cell.other_profile.queries > 0);
    }
    let csv = std::fs::read_to_string(folder.path().join("tables/beyond-worlds.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 4 * 7, "{csv}");
}

#[test]
fn a_report_without_comparisons_has_no_such_chapter() {
    let folder = tempfile::tempdir().unwrap();
    let mut report = run_small(folder.path());
    report.comparisons.clear();
    portolan_report::write(&report, folder.path()).unwrap();
    let html = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(!html.contains("id=\"beyond\""));
}

#[test]
fn peers_are_shown_in_a_figure() {
    let folder = tempfile::tempdir().unwrap();
    let mut report = run_small(folder.path());
    let json = r#"{"maps": [{"map": "a town", "polygons": 9, "engines": [
        {"engine": "contraction", "mean_us": 3, "excess": {"mean": 0.002}},
        {"engine": "landmass", "mean_us": 300, "excess": {"mean": 0.01}}]}]}"#;
    report.peers = Some(PeersRun::from_json(json.as_bytes()).unwrap());
    portolan_report::write(&report, folder.path()).unwrap();
    let svg = std::fs::read_to_string(folder.path().join("figures/beyond-peers.svg")).unwrap();
    assert!(svg.contains("a town, 9 polygons") && svg.contains("landmass"));
    // `report.json` includes the peers.
    assert_eq!(open(&folder.path().join("report.json")).unwrap(), report);
}

#[test]
fn an_interrupted_run_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let (options, journal) = (small(), folder.path().join("cells.jsonl"));
    // The folder of the figures cannot be created, so the run fails and the journal remains.
    std::fs::write(folder.path().join("figures"), "in the way").unwrap();
    run(&options, folder.path(), &|_| ()).unwrap_err();
    let complete = std::fs::read(&journal).unwrap();
    // The last line is removed, and the one before it is cut after 20 bytes.
    let lines: Vec<&[u8]> = complete.split_inclusive(|&byte| byte == b'\n').collect();
    let kept = lines[..lines.len() - 2].concat();
    let torn = [&kept[..], &lines[lines.len() - 2][..20]].concat();
    std::fs::write(&journal, torn).unwrap();
    std::fs::remove_file(folder.path().join("figures")).unwrap();
    let report = run(&options, folder.path(), &|_| ()).unwrap();
    assert!(!journal.exists());

    // The saved cells are reused, not measured again.
    let kept = String::from_utf8(kept).unwrap();
    let first = report.grid[0].astar.mean_us;
    assert!(kept.contains(&format!("\"mean_us\":{first}")), "{first}");
    assert_eq!((report.scenes.len(), report.grid.len()), (2, 4));
    assert!(folder.path().join("index.html").is_file());
}

#[test]
fn other_options_discard_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("figures"), "in the way").unwrap();
    let mut options = small();
    run(&options, folder.path(), &|_| ()).unwrap_err();
    std::fs::remove_file(folder.path().join("figures")).unwrap();
    options.effort.queries = 5;
    let report = run(&options, folder.path(), &|_| ()).unwrap();
    assert!(report.grid.iter().all(|cell| cell.astar.queries == 5));
}

#[test]
fn a_report_compared_with_itself_has_no_changes() {
    let folder = tempfile::tempdir().unwrap();
    let report = run_small(folder.path());
    let same = diff(&report, &report);
    assert!(
        same.changes
            .iter()
            .all(|change| change.ratio == 1.0 && !change.is_real())
    );
    assert_eq!((same.unmatched, same.warnings.len()), (0, 0));

    let mut slower = report.clone();
    slower.machine.cpu = "an abacus".to_owned();
    let cell = &mut slower.grid[0];
    cell.astar.mean_us *= 100.0;
    cell.levels[0].engines.pop();
    let changed = diff(&report, &slower);
    let [faster, slow] = changed.sorted();
    assert!(faster.is_empty());
    assert_eq!((slow.len(), slow[0].engine.as_str()), (1, "astar"));
    assert!((slow[0].ratio - 100.0).abs() < 1e-6);
    assert_eq!((changed.unmatched, changed.warnings.len()), (1, 1));
}
