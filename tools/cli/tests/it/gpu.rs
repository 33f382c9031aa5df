//! Tests of `batch --gpu` and `bench --gpu`.

use crate::common::Folder;

/// Hides all Vulkan drivers of the machine, so that there is no adapter.
const NO_DRIVERS: [(&str, &str); 2] = [
    ("VK_DRIVER_FILES", "/nothing.json"),
    ("VK_ICD_FILENAMES", "/nothing.json"),
];

fn with_queries() -> Folder {
    let folder = Folder::with_index("--tiers fast,default");
    let points = folder
        .run("probe world.pidx --random 400 --seed 3")
        .succeeded()
        .stdout;
    let points: Vec<&str> = points.lines().skip(1).collect();
    let rows = points
        .chunks_exact(2)
        .map(|pair| format!("{},{}\n", pair[0], pair[1]));
    let queries = format!("sx,sy,sz,gx,gy,gz\n{}", rows.collect::<String>());
    folder.write("queries.csv", &queries);
    folder
}

#[test]
fn without_an_adapter_one_line_says_what_to_do() {
    let folder = with_queries();
    for line in [
        "batch world.pidx queries.csv -o out.csv --gpu",
        "bench world.pidx --agents 100 --gpu",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        folder
            .run_in(&words, &NO_DRIVERS)
            .failed_with(&["graphics", "leave out --gpu"]);
    }
    assert!(!folder.path("out.csv").exists());
}

#[test]
fn gpu_needs_agents() {
    let folder = Folder::new();
    folder
        .run("bench world.pidx --gpu")
        .failed_with(&["--agents"]);
}

/// Runs a command line. Mesa prints a warning if it does not know where to put its files.
#[cfg(feature = "gpu")]
fn run_on_gpu(folder: &Folder, line: &str) -> crate::common::CommandRun {
    let words: Vec<&str> = line.split(' ').collect();
    let folder_name = folder.path("").display().to_string();
    folder.run_in(&words, &[("XDG_RUNTIME_DIR", &folder_name)])
}

#[cfg(feature = "gpu")]
#[test]
fn batches_on_a_device_have_the_answers_of_the_cpu() {
    if std::env::var_os("PORTOLAN_LONG").is_none() {
        return;
    }
    let folder = with_queries();
    for (want, engine) in [
        ("distance", "contraction:fast"),
        ("waypoints", "astar"),
        ("corridor", "hna:1:parallel"),
        ("portal", "labels"),
        ("next", "labels"),
    ] {
        let line = format!("batch world.pidx queries.csv --want {want} --engine {engine}");
        folder.run(&format!("{line} -o cpu.csv")).succeeded();
        let said = run_on_gpu(&folder, &format!("{line} -o gpu.csv --gpu"))
            .succeeded()
            .stdout;
        assert!(said.contains("fallback"), "{said}");
        let costs = |file: &str| -> Vec<f64> {
            let table = folder.text(file);
            let header: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
            let column = header
                .iter()
                .position(|name| *name == "cost")
                .expect("a cost");
            let cost = |line: &str| {
                line.split(',')
                    .nth(column)
                    .and_then(|cost| cost.parse().ok())
            };
            table
                .lines()
                .skip(1)
                .map(|line| cost(line).unwrap_or(-1.0))
                .collect()
        };
        let (cpu, gpu) = (costs("cpu.csv"), costs("gpu.csv"));
        assert_eq!(cpu.len(), 200);
        assert!(
            cpu.iter()
                .zip(&gpu)
                .all(|(a, b)| (a - b).abs() <= 1e-4 * a.abs().max(1e-3)),
            "{want} {engine}"
        );
    }
    let dijkstra = "batch world.pidx queries.csv -o no.csv --gpu --engine dijkstra";
    let dijkstra = run_on_gpu(&folder, dijkstra);
    dijkstra.failed_with(&["dijkstra", "astar, hna, pccp, contraction:fast or labels"]);
    let bench = "bench world.pidx --agents 300 --want next --rounds 1 --gpu --json b.json";
    run_on_gpu(&folder, bench).succeeded();
    let bench = folder.json("b.json");
    assert!(bench["adapter"].is_string(), "{bench}");
    for engine in bench["engines"].as_array().expect("engines") {
        assert_eq!(engine["mismatches"], serde_json::Value::from(0), "{engine}");
        assert!(engine["fallbacks"].is_u64(), "{engine}");
    }
}
