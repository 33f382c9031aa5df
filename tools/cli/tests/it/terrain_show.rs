//! Tests of `portolan terrain draw`, `run`, `export`, `price`, and of the options of `build` that belong to them.

use crate::common::{Folder, count, number};

/// Returns a folder with `hills.pter`, built from 17 x 17 pixels with these options.
fn built(options: &str) -> Folder {
    let folder = Folder::new();
    folder
        .run("heightmap hills -o hills.png --width 17 --height 17 -q")
        .succeeded();
    let line = format!("terrain build hills.png -o hills.pter -q {options}");
    folder.run(&line).succeeded();
    folder
}

const ENDS: &str = "--from -0.9,-0.8 --to 0.9,0.7";

#[test]
fn every_view_is_another_picture() {
    let folder = built("--difficulty hills.png");
    let mut pictures = Vec::new();
    for what in [
        "height",
        "difficulty",
        "steepness",
        "neighbours",
        "layer",
        "clear-height",
    ] {
        let line = format!("terrain draw hills.pter --what {what} -o p.png --size 64");
        let output = folder.run(&line).succeeded().stdout;
        assert!(output.contains("picture: p.png"), "{output}");
        pictures.push(folder.bytes("p.png"));
        folder.run(&format!("{line} {ENDS}")).succeeded();
        pictures.push(folder.bytes("p.png"));
    }
    for iteration in [0, 1, 9] {
        let line = format!(
            "terrain draw hills.pter --what layer --layer 0 --iteration {iteration} -o p.png"
        );
        folder.run(&line).succeeded();
        pictures.push(folder.bytes("p.png"));
    }
    for (index, picture) in pictures.iter().enumerate() {
        assert!(!pictures[..index].contains(picture), "picture {index}");
    }
}

#[test]
fn expansions_are_counted() {
    let folder = built("");
    let expansions = |options: &str| -> [usize; 3] {
        let line = format!(
            "terrain draw hills.pter --what expansions {ENDS} -o p.png --size 64 {options}"
        );
        let output = folder.run(&line).succeeded().stdout;
        let words: Vec<&str> = output.lines().nth(1).unwrap().split_whitespace().collect();
        [0, 2, 5].map(|word| words[word].parse().unwrap())
    };
    assert_eq!(expansions("--until 0"), [0, 0, 1]);
    let [some, walked, to_come] = expansions("--until 20");
    assert!(some == 20 && to_come > 1, "{some} {walked} {to_come}");
    let [all, triangles, none] = expansions("");
    assert!(all > 20 && triangles > walked && none == 0);
}

#[test]
fn runners_write_tables_and_pictures() {
    let folder = built("--layers 6");
    let line = "terrain run hills.pter --runners 3 --steps 40 --every 20 --size 64 -o run";
    let output = folder.run(line).succeeded().stdout;
    assert!(output.contains("trips"), "{output}");
    let rows = folder.text("run/runners.csv");
    assert_eq!(rows.lines().count(), 1 + 3 * 41);
    assert!(rows.starts_with("step,runner,triangle,mesh,x,y,z,goal,status\n0,0,"));
    let trips = folder.text("run/trips.csv");
    assert!(trips.lines().count() > 2, "{trips}");
    for trip in trips.lines().skip(1) {
        let numbers: Vec<f64> = trip.split(',').map(|word| word.parse().unwrap()).collect();
        assert!(numbers[5] >= numbers[6] * 0.9999, "{trip}");
    }
    for step in ["00", "20", "40"] {
        assert!(folder.path(&format!("run/step-{step}.png")).is_file());
    }
    let first = [rows, trips].concat();
    folder.run(&format!("{line} --threads 1")).succeeded();
    assert_eq!(
        first,
        folder.text("run/runners.csv") + &folder.text("run/trips.csv")
    );
    for options in [
        "--kind mesh --movement random --layer 2",
        "--kind hierarchy --movement astar --arrival reverse --pause both",
        "--movement full --arrival follow --from -0.9,-0.8 --to 0.9,0.7 --crowd 2",
        "--movement full-from-here --pause goal --pause-steps 3",
    ] {
        folder.run(&format!("{line} {options} -q")).succeeded();
    }
}

#[test]
fn exported_triangles_give_the_same_terrain() {
    let folder = built("--difficulty hills.png --hidef --layers 5");
    folder
        .run("terrain export hills.pter -o ground.obj --difficulty ground.txt")
        .succeeded();
    folder
        .run("terrain build ground.obj --up z --difficulty ground.txt --layers 5 -o again.pter -q")
        .succeeded();
    let info = |file: &str| {
        folder
            .run(&format!("terrain info {file} --json"))
            .succeeded()
            .json()
    };
    let [first, again] = [info("hills.pter"), info("again.pter")];
    assert_eq!(first, again);
    assert_eq!(count(&first, "triangles"), 1024);
    let path = |file: &str| {
        let line = format!("terrain path {file} {ENDS} --engine astar --json");
        number(&folder.run(&line).succeeded().json(), "price")
    };
    assert_eq!(path("hills.pter"), path("again.pter"));
}

#[test]
fn a_written_price_can_be_edited_and_read() {
    let folder = built("");
    let text = folder.run("terrain price").succeeded().stdout;
    folder.run("terrain price -o price.toml").succeeded();
    assert_eq!(folder.text("price.toml"), text);
    assert!(text.contains("up = 10 "), "{text}");
    folder.write("price.toml", text.replace("up = 10 ", "up = 20 "));
    folder
        .run("terrain build hills.png --price price.toml -o steep.pter -q")
        .succeeded();
    let again = folder.run("terrain price steep.pter").succeeded().stdout;
    assert_eq!(again, folder.text("price.toml"));
}

#[test]
fn builds_differ_by_compression_unit_and_contours() {
    let folder = built("--layers 5 --hidef");
    let mut files = vec![folder.bytes("hills.pter")];
    for options in [
        "--layers 5 --hidef --compression thesis",
        "--layers 5 --hidef --unit mean-of-ratios",
        "--layers 5 --hidef --contours 0.1",
    ] {
        let line = format!("terrain build hills.png -o other.pter -q {options}");
        folder.run(&line).succeeded();
        let info = folder
            .run("terrain info other.pter --json")
            .succeeded()
            .json();
        let more = count(&info, "triangles") > 1024;
        assert_eq!(more, options.contains("contours"));
        assert!(count(&info, "layers") <= 5);
        let file = folder.bytes("other.pter");
        assert!(!files.contains(&file), "{options}");
        files.push(file);
    }
}

#[test]
fn wrong_usage_is_explained() {
    let folder = built("--layers 4");
    for (line, words) in [
        (
            "draw hills.pter --what sky -o p.png",
            &["sky", "steepness"][..],
        ),
        ("draw hills.pter --what layer -o p.jpg", &["p.jpg", ".png"]),
        ("draw hills.pter --what expansions -o p.png", &["--from"]),
        (
            "draw hills.pter --what height -o p.png --from 0,0",
            &["--to"],
        ),
        (
            "draw hills.pter --what height -o p.png --from 0,0 --to 7,7",
            &["--to", "off the ground"],
        ),
        (
            "draw hills.pter --what layer -o p.png --iteration 1",
            &["--iteration", "without"],
        ),
        ("run hills.pter -o run --arrival follow", &["--from"]),
        ("run hills.pter -o run --crowd -1", &["crowd"]),
        (
            "run hills.pter -o run --movement fly",
            &["fly", "progressive"],
        ),
        ("export hills.pter -o hills.gltf", &["hills.gltf", ".obj"]),
        (
            "export hills.pter -o hills.obj --difficulty d.png",
            &["d.png", ".txt"],
        ),
        ("price -o price.txt", &["price.txt", ".toml"]),
        ("price gone.pter", &["gone.pter"]),
        (
            "build hills.png -o x.pter --contours 0",
            &["--contours", "positive"],
        ),
        (
            "build hills.png -o x.pter --compression best",
            &["best", "thesis"],
        ),
    ] {
        folder.run(&format!("terrain {line}")).failed_with(words);
    }
    assert!(!folder.path("run").exists());
}
