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
        "report -o report --quick --scenes dungeon --mu 4 --queries 2 --world-sizes 200 --gpu",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        folder
            .run_in(&words, &NO_DRIVERS)
            .failed_with(&["graphics", "leave out --gpu"]);
    }
    assert!(!folder.path("out.csv").exists());
    assert!(!folder.path("report").exists());
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
        // The line ends with the adapter and the number of agents that it left to the CPU.
        let (_, device) = said.trim_end().rsplit_once("; on ").expect(&said);
        let (adapter, fallbacks) = device.rsplit_once(", ").expect(&said);
        assert!(!adapter.is_empty(), "{said}");
        assert!(
            fallbacks.contains("fallback") && fallbacks.ends_with(" to the CPU"),
            "{said}"
        );
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
    for engine in ["dijkstra", "auto", "closest", "contraction:default"] {
        for line in [
            format!("batch world.pidx queries.csv -o no.csv --gpu --engine {engine}"),
            format!("bench world.pidx --agents 10 --gpu --engines {engine}"),
        ] {
            let run = run_on_gpu(&folder, &line);
            run.failed_with(&["astar, hna, pccp, contraction:fast or labels"]);
        }
    }
    assert!(!folder.path("no.csv").exists());
    let engines = "astar,hna,pccp,contraction:fast,labels";
    for want in ["portal", "next", "waypoints"] {
        let bench = "bench world.pidx --agents 300 --rounds 1 --gpu --json b.json";
        let bench = format!("{bench} --want {want} --engines {engines}");
        run_on_gpu(&folder, &bench).succeeded();
        let bench = folder.json("b.json");
        let adapter = bench["adapter"].as_str().expect("an adapter");
        assert!(!adapter.is_empty(), "{bench}");
        let measured = bench["engines"].as_array().expect("engines");
        assert_eq!(measured.len(), 5, "{bench}");
        for engine in measured {
            assert_eq!(engine["mismatches"], serde_json::Value::from(0), "{engine}");
            assert!(engine["fallbacks"].is_u64(), "{engine}");
        }
    }
}
