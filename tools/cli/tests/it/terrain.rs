//! Tests of `portolan terrain build`, `path`, `wave` and `info`.

use crate::common::{Folder, count, fields, number, obj, two_islands};
use serde_json::{Value, json};

/// Returns a folder with `hills.png`, 17 x 17 pixels, and `hills.pter`, built with these options.
fn built(options: &str) -> Folder {
    let folder = Folder::new();
    folder
        .run("heightmap hills -o hills.png --width 17 --height 17 -q")
        .succeeded();
    let line = format!("terrain build hills.png -o hills.pter -q {options}");
    assert_eq!(folder.run(&line).succeeded().stdout, "");
    folder
}

const QUERY: &str = "--from -0.9,-0.8 --to 0.9,0.7";
const ENGINES: [&str; 5] = ["mesh", "astar", "dijkstra", "hna", "contraction"];

fn path(folder: &Folder, engine: &str) -> Value {
    let line = format!("terrain path hills.pter {QUERY} --engine {engine} --json -q");
    folder.run(&line).succeeded().json()
}

/// Returns the width and height of a PNG.
fn size(png: &[u8]) -> [u32; 2] {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn help_has_examples() {
    let folder = Folder::new();
    for command in [
        "build",
        "path",
        "wave",
        "isochrone",
        "bench",
        "info",
        "report",
    ] {
        let help = folder.run(&format!("terrain {command} --help")).succeeded();
        let example = format!("portolan terrain {command} ");
        for words in ["Examples:", &example, "--quiet", "--threads"] {
            assert!(help.stdout.contains(words), "{command}: no {words}");
        }
        assert!(
            folder
                .run("terrain --help")
                .succeeded()
                .stdout
                .contains(command)
        );
    }
    folder
        .run("terrain")
        .failed_with(&["needs a command", "report"]);
    folder.run("terrain walk").failed_with(&["walk"]);
    assert!(folder.names().is_empty());
}

#[test]
fn build_prints_a_summary() {
    let folder = Folder::new();
    folder
        .run("heightmap hills -o h.png --width 9 --height 5 -q")
        .succeeded();
    let output = folder
        .run("terrain build h.png -o h.pter --hidef --layers 4")
        .succeeded()
        .stdout;
    for words in [
        "h.pter: 128 triangles, ",
        " meshes, 4 layers, 1 Top Mesh, 1 island, ",
        " iterations",
        "ground from -1,-0.5 to 1,0.5, heights 0 to 1",
        " per triangle",
        "triangles ",
        "prices ",
        "merging ",
        "meshes ",
        "writing ",
    ] {
        assert!(output.contains(words), "no '{words}': {output}");
    }
    assert_eq!(folder.names(), ["h.png", "h.pter"]);
}

#[test]
fn the_same_ground_gives_the_same_bytes() {
    let folder = built("--hidef --layers 5 --threads 1");
    let first = folder.bytes("hills.pter");
    folder
        .run("terrain build hills.png -o again.pter --hidef --layers 5 --threads 4 -q")
        .succeeded();
    assert!(folder.bytes("again.pter") == first);
}

#[test]
fn info_describes_the_terrain() {
    let folder = built("--hidef --layers 5 --extent -10,0,70,40 --height-range 100,250");
    let info = folder
        .run("terrain info hills.pter --json")
        .succeeded()
        .json();
    assert_eq!(info["kind"], "terrain");
    assert_eq!(count(&info, "version"), 2);
    assert_eq!(count(&info, "triangles"), 16 * 16 * 4);
    assert_eq!(count(&info, "layers"), 5);
    assert_eq!(count(&info, "tops"), 1);
    assert_eq!(count(&info, "islands"), 1);
    assert_eq!(info["extent"], json!([[-10.0, 0.0], [70.0, 40.0]]));
    assert_eq!(info["height_range"], json!([100.0, 250.0]));
    assert_eq!(
        count(&info, "bytes"),
        folder.bytes("hills.pter").len() as u64
    );
    assert_eq!(info["entry"], "worst-unit");
    assert_eq!(number(&info["price"], "up"), 10.0);
    assert_eq!(info["price"]["distances"], "enlargement");
    assert_eq!(fields(&info["price"]).len(), 15);
    let levels = info["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 5);
    let nodes: u64 = levels.iter().map(|level| count(level, "nodes")).sum();
    assert_eq!(nodes, count(&info, "meshes"));
    assert_eq!(info["polygons"], info["triangles"]);
    assert_eq!(
        folder.run("info hills.pter --json").succeeded().json(),
        info
    );
    let text = folder.run("info hills.pter").succeeded().stdout;
    assert!(
        text.starts_with("hills.pter: terrain, version 2\n"),
        "{text}"
    );
    assert!(
        text.contains("floor 0.1") && text.contains("worst-unit"),
        "{text}"
    );
}

#[test]
fn engines_find_paths_and_the_exact_ones_agree() {
    let folder = built("--hidef --layers 4");
    let all = ENGINES.map(|engine| path(&folder, engine));
    for (found, engine) in all.iter().zip(ENGINES) {
        assert_eq!(
            fields(found),
            [
                "ascent",
                "cost",
                "descent",
                "engine",
                "length",
                "line",
                "micros",
                "points",
                "price",
                "status",
                "time",
                "triangles",
                "xy",
                "xyz",
                "z"
            ]
        );
        assert_eq!(
            (&found["status"], &found["engine"]),
            (&json!("found"), &json!(engine))
        );
        assert!(found["triangles"].as_array().unwrap().len() > 16);
        let [price, xyz, xy, z] = ["price", "xyz", "xy", "z"].map(|field| number(found, field));
        assert!(
            price >= xyz && xyz >= xy && xyz >= z && xy > 0.0,
            "{found:#}"
        );
        assert!(number(found, "micros") > 0.0);
        let [length, ascent, descent] =
            ["length", "ascent", "descent"].map(|field| number(found, field));
        assert!(
            length >= ascent + descent && ascent > 0.0 && descent > 0.0,
            "{found:#}"
        );
        assert_eq!(found["cost"], found["price"]);
        // The line crosses triangles anywhere, so it is cheaper than the path from centre to centre.
        assert!(number(found, "line") < price && number(found, "time") > 0.0);
        let points = found["points"].as_array().unwrap();
        let first = points[0].as_array().unwrap();
        assert!((first[0].as_f64().unwrap() + 0.9).abs() < 1e-6 && first.len() == 3);
    }
    let [mesh, exact @ ..] = all.map(|found| number(&found, "price"));
    let dijkstra = exact[1];
    for (price, engine) in exact.iter().zip(&ENGINES[1..]) {
        let is_same = (price - dijkstra).abs() <= 1e-4 * dijkstra;
        assert!(is_same, "{engine}: {price} instead of {dijkstra}");
    }
    assert!(
        mesh >= dijkstra * 0.9999,
        "mesh: {mesh} is below {dijkstra}"
    );
    let hna = format!("terrain path hills.pter {QUERY} --engine hna");
    let built = folder.run(&hna);
    assert!(
        built.code == Some(0) && built.stderr.contains("built it in"),
        "{built:#?}"
    );
    // The file stores the contraction, which is the default.
    let default = folder.run(&format!("terrain path hills.pter {QUERY}"));
    assert!(
        default.stdout.starts_with("found  engine contraction\n") && default.stderr.is_empty(),
        "{default:#?}"
    );
    let engines = folder.run(&format!("terrain path hills.pter {QUERY} --engine fly"));
    engines.failed_with(&["fly", "mesh", "astar", "dijkstra"]);
}

#[test]
fn a_straightened_line_costs_no_more_than_midpoints() {
    let folder = built("--hidef --layers 4");
    let line = |line: &str| {
        let found = folder.run(&format!(
            "terrain path hills.pter {QUERY} --line {line} --json -q"
        ));
        number(&found.succeeded().json(), "line")
    };
    let [midpoints, straightened, refined] = ["midpoints", "straightened", "refined"].map(line);
    assert!(straightened < midpoints && refined <= straightened * 1.01);
}

#[test]
fn bench_compares_engines_with_dijkstra() {
    let folder = built("--hidef --layers 4");
    let run = "terrain bench hills.pter --random 20 --rounds 2 --engines contraction,astar,hna,mesh --json b.json -q";
    folder.run(run).succeeded();
    let run = "terrain bench hills.pter --random 5 --engines contraction,astar";
    let printed = folder.run(run).succeeded().stdout;
    assert!(
        printed.contains("mismatches") && printed.contains("contraction"),
        "{printed}"
    );
    let results: Value = serde_json::from_slice(&folder.bytes("b.json")).unwrap();
    assert_eq!(
        (count(&results, "triangles"), count(&results, "queries")),
        (1024, 20)
    );
    let engines = results["engines"].as_array().unwrap();
    assert_eq!(engines.len(), 4);
    for engine in engines {
        assert_eq!((count(engine, "found"), count(engine, "no_path")), (20, 0));
        assert!(number(engine, "search_us") > 0.0 && number(engine, "line_us") > 0.0);
        assert!(number(engine, "max_us") >= number(engine, "median_us"));
        let ratio = number(engine, "mean_ratio");
        if engine["engine"] == "mesh" {
            assert!(engine["cost_mismatches"].is_null() && ratio >= 0.999);
        } else {
            assert_eq!(count(engine, "cost_mismatches"), 0);
            assert!((ratio - 1.0).abs() < 1e-4);
        }
    }
    folder
        .run("terrain bench hills.pter --engines fly")
        .failed_with(&["fly", "contraction"]);
}

#[test]
fn isochrones_are_polygons_in_minutes() {
    let folder = Folder::new();
    folder
        .run("heightmap flat -o flat.png --width 17 --height 17 -q")
        .succeeded();
    folder.write("hiker.toml", "distances = \"naismith\"\n");
    folder
        .run("terrain build flat.png -o flat.pter --hidef --extent 0,0,1000,1000 --price hiker.toml -q")
        .succeeded();
    let run = "terrain isochrone flat.pter --from 500,500 --limits 1,3 -o reach.geojson --json";
    let printed = folder.run(run).succeeded().json();
    let all = printed["isochrones"].as_array().unwrap();
    assert_eq!(
        (number(&all[0], "limit"), number(&all[1], "limit")),
        (3.0, 1.0)
    );
    assert_eq!(all[0]["unit"], "min");
    // 5 km/h are 250 m in three minutes.
    let disc = std::f64::consts::PI * 250.0 * 250.0;
    let area = number(&all[0], "area");
    assert!((0.85 * disc..disc).contains(&area), "{area}");
    let written: Value = serde_json::from_slice(&folder.bytes("reach.geojson")).unwrap();
    assert_eq!(written["type"], "FeatureCollection");
    let features = written["features"].as_array().unwrap();
    assert_eq!(features.len(), 2);
    let ring = &features[0]["geometry"]["coordinates"][0][0];
    let ring = ring.as_array().unwrap();
    assert_eq!(ring.first(), ring.last());
    folder
        .run("terrain isochrone flat.pter --from 500,500 --limits 1,3 -o reach.svg -q")
        .succeeded();
    let picture = String::from_utf8(folder.bytes("reach.svg")).unwrap();
    assert_eq!(picture.matches("<path").count(), 2);
    folder
        .run("terrain isochrone flat.pter --from 500,500 --limits -1 -o reach.svg")
        .failed_with(&["--limits", "-1"]);
    folder
        .run("terrain isochrone flat.pter --from 500,500 --limits 1 -o reach.png")
        .failed_with(&["reach.png", ".geojson"]);
    let off = folder.run("terrain isochrone flat.pter --from 5000,500 --limits 1 -o reach.svg");
    assert_eq!(off.code, Some(1), "{off:#?}");
}

#[test]
fn difficulty_price_and_entry_change_the_terrain() {
    let folder = Folder::new();
    folder
        .run("heightmap flat -o flat.png --width 9 --height 9 -q")
        .succeeded();
    folder
        .run_args(&[
            "heightmap",
            "--formula",
            "x",
            "-o",
            "east.png",
            "--width",
            "9",
            "--height",
            "9",
            "-q",
        ])
        .succeeded();
    folder.write("cart.toml", "sideways = 3\n");
    let price = |options: &str| {
        let build = format!("terrain build flat.png -o hills.pter -q {options}");
        folder.run(&build).succeeded();
        number(&path(&folder, "astar"), "price")
    };
    let plain = price("");
    assert!(price("--difficulty east.png") > plain * 1.2);
    // The factor is less than three, because the lower bound of a step stays the same.
    assert!(price("--price cart.toml") > 2.0 * plain);
    folder
        .run("heightmap hills -o flat.png --width 17 --height 17 -q")
        .succeeded();
    let bytes = [
        "average",
        "worst-unweighted",
        "worst-weighted",
        "worst-unit",
    ]
    .map(|entry| {
        price(&format!("--entry {entry}"));
        let info = folder.run("info hills.pter --json").succeeded().json();
        assert_eq!(info["entry"], entry);
        folder.bytes("hills.pter")
    });
    for a in 0..4 {
        assert!((0..a).all(|b| bytes[a] != bytes[b]));
    }
}

#[test]
fn there_is_no_path_between_islands_of_geometry() {
    let folder = Folder::new();
    folder.write("world.obj", obj(&two_islands()));
    folder.write("hard.txt", "0\n0.5\n0\n1\n0\n0\n0\n0\n0\n0\n");
    folder
        .run("terrain build world.obj -o world.pter --difficulty hard.txt -q")
        .succeeded();
    let info = folder
        .run("terrain info world.pter --json")
        .succeeded()
        .json();
    assert_eq!(
        (count(&info, "triangles"), count(&info, "islands")),
        (10, 2)
    );
    assert_eq!((count(&info, "tops"), count(&info, "components")), (2, 2));
    for engine in ENGINES {
        let line = |from: &str, to: &str| {
            format!("terrain path world.pter --from {from} --to {to} --engine {engine} --json -q")
        };
        let apart = folder.run(&line("1,-1", "13,-1")).answered_no().json();
        assert_eq!(apart["status"], "no_path");
        assert_eq!(
            (&apart["price"], &apart["triangles"]),
            (&Value::Null, &json!([]))
        );
        let off = folder.run(&line("8,-1", "13,-1")).answered_no().json();
        assert_eq!(off["status"], "start_off_mesh");
        let off = folder.run(&line("1,-1", "99,-1")).answered_no().json();
        assert_eq!(off["status"], "goal_off_mesh");
        assert_eq!(
            folder.run(&line("1,-1", "5,-1")).succeeded().json()["status"],
            "found"
        );
    }
    let wave = folder
        .run("terrain wave world.pter -o w.png --json")
        .succeeded()
        .json();
    assert!([4, 6].contains(&count(&wave, "reached")), "{wave:#}");
    let text = folder
        .run("terrain path world.pter --from 8,-1 --to 1,-1")
        .answered_no()
        .stdout;
    assert!(text.contains("hole") && text.contains("--from"), "{text}");
    let text = folder
        .run("terrain path world.pter --from 1,-1 --to 1,50")
        .answered_no()
        .stdout;
    assert!(
        text.contains("outside of the map") && text.contains("0,-2 to 14,0"),
        "{text}"
    );
    let text = folder
        .run("terrain path world.pter --from 1,-1 --to 13,-1")
        .answered_no()
        .stdout;
    assert!(text.contains("islands"), "{text}");
}

#[test]
fn paths_and_waves_are_drawn() {
    let folder = built("--extent 0,0,2,1");
    folder
        .run("terrain path hills.pter --from 0.1,0.1 --to 1.9,0.9 -o p.png --json")
        .succeeded();
    assert_eq!(size(&folder.bytes("p.png")), [1024, 512]);
    for engine in ENGINES {
        let line = format!("terrain wave hills.pter -o {engine}.png --engine {engine} --json -q");
        let wave = folder.run(&line).succeeded().json();
        for field in [
            "engine",
            "from",
            "mean",
            "q1",
            "q2",
            "q3",
            "q4",
            "reached",
            "seconds",
            "triangles",
        ] {
            assert!(!wave[field].is_null(), "no {field}: {wave:#}");
        }
        assert_eq!(
            (&wave["engine"], &wave["from"]),
            (&json!(engine), &json!([1.0, 0.5]))
        );
        assert_eq!(
            (count(&wave, "triangles"), count(&wave, "reached")),
            (512, 512)
        );
        let [q1, q2, q3, q4] = ["q1", "q2", "q3", "q4"].map(|field| number(&wave, field));
        assert!(0.9999 <= q1 && q1 <= q2 && q2 <= q3 && q3 <= q4, "{wave:#}");
        let mean = number(&wave, "mean");
        assert!(q1 <= mean && mean <= q4);
        if engine != "mesh" {
            assert!(q4 < 1.0001, "{wave:#}");
        }
        assert_eq!(size(&folder.bytes(&format!("{engine}.png"))), [1024, 512]);
    }
    assert!(folder.bytes("astar.png") == folder.bytes("dijkstra.png"));
    let line = "terrain wave hills.pter -o other.png --from 0.2,0.2 --threads";
    folder.run(&format!("{line} 1")).succeeded();
    let first = folder.bytes("other.png");
    let output = folder.run(&format!("{line} 3")).succeeded().stdout;
    assert!(folder.bytes("other.png") == first && folder.bytes("mesh.png") != first);
    assert!(
        output.contains("engine mesh, from 0.2,0.2: 512 of 512"),
        "{output}"
    );
    let off = folder
        .run("terrain wave hills.pter -o off.png --from 7,7 --json")
        .answered_no();
    assert_eq!(off.json()["status"], "start_off_mesh");
    assert!(!folder.path("off.png").exists());
}

#[test]
fn steps_are_drawn_into_an_empty_folder() {
    let folder = Folder::new();
    folder
        .run("heightmap cone -o c.png --width 9 --height 9 -q")
        .succeeded();
    let output = folder
        .run("terrain build c.png -o c.pter --steps new/steps")
        .succeeded()
        .stdout;
    let steps = || {
        let files = std::fs::read_dir(folder.path("new/steps")).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let first = steps();
    assert!(first.len() > 2 && first[0].ends_with("1.png"), "{first:?}");
    assert!(
        output.contains(&format!("{} pictures of ", first.len())),
        "{output}"
    );
    // Pictures of an earlier run are removed.
    folder.write("new/steps/step-99999.png", "old");
    folder
        .run("terrain build c.png -o c.pter --steps new/steps -q")
        .succeeded();
    assert_eq!(steps(), first);
    folder.write("new/steps/photo.png", "mine");
    folder
        .run("terrain build c.png -o other.pter --steps new/steps")
        .failed_with(&["new/steps", "photo.png", "--steps"]);
    folder
        .run("terrain build c.png -o other.pter --steps c.png")
        .failed_with(&["c.png"]);
    assert!(!folder.path("other.pter").exists());
}

#[test]
fn wrong_ground_is_an_error() {
    let folder = built("");
    folder
        .run("heightmap hills -o small.png --width 5 --height 9 -q")
        .succeeded();
    folder.write("square.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nf 1 3 2\n");
    folder.write("one.txt", "0.5\n0.5\n");
    folder.write("bad.txt", "2\n");
    folder.write("bad.toml", "upwards = 3\n");
    folder.write("low.toml", "floor = 0\n");
    folder.write("no.png", "not a picture");
    let png = folder.bytes("hills.png");
    folder.write("cut.png", &png[..png.len() / 2]);
    for (options, names) in [
        ("missing.png", &["missing.png"][..]),
        ("no.png", &["no.png", "height map"]),
        ("cut.png", &["cut.png", "incomplete"]),
        ("hills.pter", &["hills.pter", ".png"]),
        (
            "hills.png --difficulty small.png",
            &["small.png", "17 x 17", "5 x 9"],
        ),
        ("hills.png --difficulty one.txt", &["one.txt", ".png"]),
        ("hills.png --difficulty gone.png", &["gone.png"]),
        ("hills.png --price bad.toml", &["bad.toml", "upwards"]),
        ("hills.png --price low.toml", &["low.toml", "floor"]),
        ("hills.png --price gone.toml", &["gone.toml"]),
        ("hills.png --extent 1,1,0,2", &["--extent"]),
        ("hills.png --extent 1,1,0", &["--extent", "four numbers"]),
        ("hills.png --height-range 2,1", &["--height-range"]),
        (
            "hills.png --height-range 2",
            &["--height-range", "two numbers"],
        ),
        ("hills.png --layers 1", &["--layers"]),
        ("hills.png --max-children 1", &["--max-children"]),
        ("hills.png --entry best", &["--entry", "worst-unit"]),
        ("square.obj --hidef", &["square.obj", "--hidef"]),
        ("square.obj --extent 0,0,1,1", &["--extent"]),
        ("square.obj --difficulty hills.png", &["hills.png", ".txt"]),
        (
            "square.obj --difficulty one.txt",
            &["one.txt", "2 difficulties for 1"],
        ),
        ("square.obj --difficulty bad.txt", &["bad.txt", "line 1"]),
    ] {
        let line = format!("terrain build {options} -o out.pter");
        folder.run(&line).failed_with(names);
        assert!(!folder.path("out.pter").exists(), "{line}");
    }
    folder
        .run("terrain build hills.png -o out.png")
        .failed_with(&["out.png", ".pter"]);
    folder
        .run("terrain build hills.png -o none/out.pter")
        .failed_with(&["none"]);
    folder.write("huge.toml", "up = 1e6\ndown = 1e6\nsideways = 1e6\n");
    folder
        .run("terrain build hills.png -o out.pter --extent 0,0,1e15,1e15 --price huge.toml")
        .failed_with(&["prices overflow"]);
    folder
        .run("terrain build hills.png")
        .failed_with(&["--output"]);
    folder
        .run("heightmap cone -o cone.png --width 5 --height 5 -q")
        .succeeded();
    for tie in ["-1", "2", "nan"] {
        let line = format!("terrain build cone.png -o c.pter --tie {tie}");
        folder.run(&line).failed_with(&["tie", "0 to 1"]);
    }
}

#[test]
fn wrong_files_and_points_are_errors() {
    let folder = built("");
    let intact = folder.bytes("hills.pter");
    folder.write("cut.pter", &intact[..intact.len() / 2]);
    let mut flipped = intact;
    let middle = flipped.len() / 2;
    flipped[middle] ^= 4;
    folder.write("flipped.pter", &flipped);
    for command in ["path", "wave", "info"] {
        let arguments = match command {
            "path" => "--from 0,0 --to 0,0",
            "wave" => "-o out.png",
            _ => "",
        };
        for (file, what) in [
            ("gone.pter", "gone.pter"),
            ("cut.pter", "incomplete"),
            ("flipped.pter", "damaged"),
            ("hills.png", "terrain build"),
        ] {
            folder
                .run(&format!("terrain {command} {file} {arguments}"))
                .failed_with(&[file, what]);
        }
    }
    folder
        .run("info flipped.pter")
        .failed_with(&["flipped.pter", "damaged"]);
    folder
        .run("path hills.pter --from 0,0,0 --to 1,0,1")
        .failed_with(&["hills.pter", "terrain"]);
    for (line, names) in [
        (
            "path hills.pter --from 0 --to 0,0",
            &["--from", "two numbers"][..],
        ),
        ("path hills.pter --from 0,0,0 --to 0,0", &["--from"]),
        ("path hills.pter --from 0,nan --to 0,0", &["--from"]),
        ("path hills.pter --from 0,0", &["--to"]),
        (
            "path hills.pter --from 0,0 --to 0,0 -o p.svg",
            &["p.svg", ".png"],
        ),
        (
            "path hills.pter --from 0,0 --to 0,0 -o none/p.png",
            &["none"],
        ),
        ("wave hills.pter", &["--output"]),
        ("wave hills.pter -o w.jpg", &["w.jpg", ".png"]),
    ] {
        folder.run(&format!("terrain {line}")).failed_with(names);
    }
}

#[test]
fn a_point_may_be_two_arguments() {
    let folder = Folder::new();
    folder
        .run("heightmap hills -o h.png --width 9 --height 9 -q")
        .succeeded();
    folder
        .run("terrain build h.png -o h.pter --extent -1 -1 1 1 -q")
        .succeeded();
    let price = |points: &str| {
        let line = format!("terrain path h.pter {points} --engine astar --json");
        folder.run(&line).succeeded().json()["price"].clone()
    };
    assert_eq!(
        price("--from -0.5 -.5 --to 0.5 0.5"),
        price("--from -0.5,-0.5 --to 0.5,0.5")
    );
    let run = folder.run("terrain path h.pter --from 0 --to 0.5 0.5");
    run.failed_with(&["two numbers separated by commas, as in --from 0,-5"]);
    let run = folder.run("terrain wave h.pter -o w.png --from 0 nan");
    run.failed_with(&["finite"]);
}
