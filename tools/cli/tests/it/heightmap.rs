//! Tests of `portolan heightmap`.

use crate::common::Folder;
use portolan_terrain::HeightMap;

fn map(folder: &Folder, name: &str) -> HeightMap {
    portolan_formats::open_height_map(&folder.path(name)).unwrap()
}

/// Generates a map of 5 x 3 pixels from a formula, and returns it with the output of the command.
fn by_formula(folder: &Folder, formula: &str) -> (HeightMap, String) {
    let words = [
        "heightmap",
        "--formula",
        formula,
        "-o",
        "h.png",
        "--width",
        "5",
        "--height",
        "3",
        "--colours",
    ];
    let output = folder.run_args(&words).succeeded().stdout;
    (map(folder, "h.png"), output)
}

#[test]
fn the_list_has_every_function() {
    let folder = Folder::new();
    let list = folder.run("heightmap --list").succeeded().stdout;
    let names: Vec<&str> = list
        .lines()
        .filter(|line| line.starts_with("  "))
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    let expected = [
        "cone", "ridges", "hills", "crater", "trench", "canyon", "flat", "maze",
    ];
    assert_eq!(names, expected);
    for name in names {
        let line = format!("heightmap {name} -o {name}.png");
        let output = folder.run(&line).succeeded().stdout;
        let first = format!("{name}.png: 257 x 257 pixels, 16 bits, grey\n");
        assert!(output.starts_with(&first), "{output}");
        assert!(
            output.contains(&format!("terrain build {name}.png")),
            "{output}"
        );
        let map = map(&folder, &format!("{name}.png"));
        assert_eq!([map.width(), map.height()], [257; 2]);
        assert_eq!(map.values().contains(&1.0), name != "flat");
    }
}

#[test]
fn sizes_and_codings_are_respected() {
    let folder = Folder::new();
    let generated = |options: &str| {
        let line = format!("heightmap hills -o h.png -q --width 65 --height 33 {options}");
        assert_eq!(folder.run(&line).succeeded().stdout, "");
        map(&folder, "h.png")
    };
    let fine = generated("--colours");
    assert_eq!([fine.width(), fine.height()], [65, 33]);
    for (options, step) in [("", 65_535.0), ("--bits 16", 65_535.0), ("--bits 8", 255.0)] {
        let map = generated(options);
        for (&a, &b) in map.values().iter().zip(fine.values()) {
            assert!((a - b).abs() <= 0.51 / step, "{options}: {a} {b}");
            let shade = f64::from(a) * f64::from(step);
            assert!((shade - shade.round()).abs() < 0.01, "{options}: {a}");
        }
    }
}

#[test]
fn the_seed_selects_the_map() {
    let folder = Folder::new();
    for (name, is_random) in [("hills", true), ("maze", true), ("cone", false)] {
        let bytes = |options: &str| {
            let line = format!("heightmap {name} -o h.png -q --width 65 --height 65 {options}");
            folder.run(&line).succeeded();
            folder.bytes("h.png")
        };
        let first = bytes("");
        assert!(bytes("--seed 1 --threads 2") == first, "{name}");
        assert_eq!(bytes("--seed 2") != first, is_random, "{name}");
    }
    assert_eq!(folder.names(), ["h.png"]);
}

#[test]
fn a_formula_gives_the_heights() {
    let folder = Folder::new();
    // In the top row, y is 1.
    let (map, output) = by_formula(&folder, "x * y");
    assert!(!output.contains("scaled"), "{output}");
    let near = |a: f32, b: f32| (a - b).abs() < 1e-6;
    assert!(near(map.values()[3], 0.75) && near(map.values()[4], 1.0));
    assert!(near(map.values()[8], 0.375));
    assert!(map.values()[10..].iter().all(|&value| value == 0.0));
    // Heights within 0 to 1 are not scaled.
    let (map, _) = by_formula(&folder, "0.25");
    assert!(map.values().iter().all(|&value| near(value, 0.25)));
    // Other heights are scaled, and the output says so.
    let (map, output) = by_formula(&folder, "-x * 100");
    assert!(
        output.contains("heights from -100 to 0 were scaled to the range 0 to 1"),
        "{output}"
    );
    assert!(near(map.values()[0], 1.0) && near(map.values()[4], 0.0));
}

#[test]
fn wrong_usage_is_an_error() {
    let folder = Folder::new();
    for (line, names) in [
        ("heightmap", &["NAME", "--output"][..]),
        ("heightmap cone", &["--output"]),
        ("heightmap -o h.png", &["NAME"]),
        (
            "heightmap alps -o h.png",
            &["alps", "cone, ridges", "--formula"],
        ),
        ("heightmap cone -o h.jpg", &["h.jpg", ".png"]),
        (
            "heightmap cone -o no/h.png",
            &["no/h.png", "does not exist"],
        ),
        ("heightmap cone -o h.png --bits 12", &["12", "--bits", "8"]),
        (
            "heightmap cone -o h.png --bits 8 --colours",
            &["--bits", "--colours"],
        ),
        ("heightmap cone -o h.png --width 1", &["1", "--width"]),
        (
            "heightmap cone -o h.png --height 100000",
            &["100000", "--height"],
        ),
        ("heightmap cone -o h.png --seed -1", &["-1", "--seed"]),
        ("heightmap cone -o h.png --formula x", &["--formula"]),
        (
            "heightmap -o h.png --formula x --seed 3",
            &["--formula", "--seed"],
        ),
        (
            "heightmap -o h.png --formula x+z",
            &["x+z", "\"z\"", "neither x nor y"],
        ),
        ("heightmap -o h.png --formula x+", &["x+", "not a formula"]),
        ("heightmap -o h.png --formula 1/x", &["inf", "x = 0, y = 1"]),
        (
            "heightmap -o h.png --formula ln(y-0.5)",
            &["column 0, row 128"],
        ),
    ] {
        folder.run(line).failed_with(names);
    }
    assert!(folder.names().is_empty());
}
