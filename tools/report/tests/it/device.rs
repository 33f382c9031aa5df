//! The page of a report with a device. The numbers of the device are made up, so no device is needed.

use portolan_report::{
    BatchCell, BatchEngine, BatchTime, DeviceBatches, DeviceConnect, DeviceEngine, DeviceRun,
    KernelWork, Report, Timing, open, write,
};

use crate::page::run_small;

fn engine(engine: &str, want: &str, ms: &[f64], mismatches: usize) -> BatchEngine {
    let batch = |(agents, &ms): (usize, &f64)| BatchTime {
        agents,
        ms,
        runs: 1,
        answer_bytes: 8 * agents,
    };
    BatchEngine {
        engine: engine.to_owned(),
        want: want.to_owned(),
        bytes: 1000,
        frame_agents: 100,
        checked: 100,
        mismatches,
        batches: [20, 100].into_iter().zip(ms).map(batch).collect(),
    }
}

fn of_device(kernels: &[&str], failure: Option<&str>) -> DeviceEngine {
    let kernel = |name: &&str| KernelWork {
        kernel: (*name).to_owned(),
        index_words: 50_000,
        own_words: 30_000,
        written_words: 20_000,
        operations: 400_000,
        lockstep_operations: 900_000,
    };
    DeviceEngine {
        fallbacks: 2,
        failure: failure.map(str::to_owned),
        counted_agents: 20,
        kernels: kernels.iter().map(kernel).collect(),
    }
}

fn made_up(is_emulated: bool) -> DeviceRun {
    let connect = |level: u8, mu: u32| DeviceConnect {
        scene: "dungeon".to_owned(),
        mu,
        level,
        portals_mean: 9.5,
        time: Timing {
            mean_us: 250.0,
            median_us: 240.0,
            p99_us: 300.0,
            max_us: 310.0,
            queries: 6,
            rounds_us: vec![250.0, 251.0],
        },
        connect_us: 125.5,
        mismatches: 0,
        fallbacks: 0,
    };
    DeviceRun {
        adapter: "Made-up card".to_owned(),
        is_emulated,
        batches: vec![DeviceBatches {
            times: BatchCell {
                scene: "dungeon".to_owned(),
                polygons: 119,
                mu: 10,
                level: 2,
                engines: vec![
                    engine("astar", "corridor", &[40.0], 0),
                    engine("hna:2:parallel", "corridor", &[10.0, 30.0], 3),
                    engine("labels", "next", &[], 0),
                ],
            },
            engines: vec![
                of_device(&["astar_search", "astar_extract"], None),
                of_device(&["connect", "overlay_search", "overlay_extract"], None),
                of_device(&[], Some("the table does not fit")),
            ],
        }],
        connects: vec![connect(1, 4), connect(1, 8), connect(2, 4)],
    }
}

fn page_of(report: &Report) -> (String, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    write(report, folder.path()).unwrap();
    let html = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    (html, folder)
}

#[test]
fn the_page_of_a_device_names_it_and_says_that_it_is_emulated() {
    let folder = tempfile::tempdir().unwrap();
    let mut report = run_small(folder.path());
    report.device = Some(made_up(true));
    let (html, folder) = page_of(&report);
    for id in [
        "ma-hna-figure-11-device",
        "ma-hna-figure-12-device",
        "device-batches",
        "device-connects",
        "device-kernels",
        "device-estimate",
    ] {
        assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
    }
    let label = "Made-up card, emulated on the CPU";
    for figure in [
        "ma-hna-figure-9",
        "ma-hna-figure-11-device",
        "ma-hna-figure-12-device",
    ] {
        let file = folder.path().join(format!("figures/{figure}.svg"));
        let svg = std::fs::read_to_string(file).unwrap();
        assert!(svg.contains(label), "{figure}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{figure}");
    }
    assert!(html.contains("dungeon: astar ends at 20"));
    // The published values of CUDA are next to the curves.
    assert!(html.contains("astar on CUDA, published"));
    assert!(html.contains("CUDA-HNA*, published"));
    assert!(html.contains(" --gpu"));
    // Failures and differences are shown.
    assert!(html.contains("3 of 300 statuses and costs differ"));
    assert!(html.contains("the table does not fit"));
    assert!(html.contains("Estimate, not measured"));

    // The report is the same after it was stored.
    assert_eq!(open(&folder.path().join("report.json")).unwrap(), report);

    report.device = Some(made_up(false));
    let (html, _folder) = page_of(&report);
    assert!(html.contains("Made-up card") && !html.contains("emulated on the CPU"));
}

#[test]
fn a_report_without_a_device_has_no_trace_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let report = run_small(folder.path());
    assert_eq!(report.device, None);
    let json = std::fs::read_to_string(folder.path().join("report.json")).unwrap();
    assert!(!json.contains("\"device\""));
    let html = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    for word in [
        "device-batches",
        "device-estimate",
        "--gpu",
        "Graphics card",
        "on CUDA, published",
    ] {
        assert!(!html.contains(word), "{word}");
    }
    assert!(html.contains("The paper's CUDA curves are not repeated."));
}

#[cfg(not(feature = "gpu"))]
#[test]
fn without_the_feature_a_run_on_a_device_says_how_to_build_it() {
    let folder = tempfile::tempdir().unwrap();
    let options = portolan_report::ReportOptions {
        gpu: true,
        ..crate::page::small()
    };
    let error = portolan_report::run(&options, folder.path(), &|_| ()).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("--features gpu") && !message.contains('\n'));
    assert!(!folder.path().join("cells.jsonl").exists());
}
