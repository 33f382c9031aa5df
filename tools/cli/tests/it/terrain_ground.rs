//! Tests of elevation files: `portolan terrain build` with coordinates on the earth, and paths in them.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::{Folder, count, number, xml_elements};

/// Returns an ESRI grid of half-metre samples on a slope, whose height is 840 m plus a tenth of the column plus the
/// row.
fn slope(columns: usize, rows: usize) -> String {
    let mut text = format!(
        "ncols {columns}\nnrows {rows}\nxllcorner 384000\nyllcorner 5200000\ncellsize 0.5\nnodata_value -9999\n"
    );
    for row in 0..rows {
        for column in 0..columns {
            text += &format!("{} ", 840.0 + column as f64 / 10.0 + row as f64);
        }
        text += "\n";
    }
    text
}

fn points(path: &Value) -> Vec<[f64; 3]> {
    let points = path["points"].as_array().unwrap().iter();
    let point = |point: &Value| [0, 1, 2].map(|axis| point[axis].as_f64().unwrap());
    points.map(point).collect()
}

const QUERY: &str = "--from 384001.1,5200001.3 --to 384007.9,5200008.2";

#[test]
fn points_are_in_the_coordinates_of_the_file() {
    let folder = Folder::new();
    folder.write("slope.asc", slope(20, 18));
    let built = folder
        .run("terrain build slope.asc -o slope.pter --crs EPSG:32633")
        .succeeded()
        .stdout;
    for words in [
        "keeping 20 x 18 of 20 x 18 samples in EPSG:32633: up to 646 triangles, about ",
        "ground from 384000.25,5200000.25 to 384009.75,5200008.75 (EPSG:32633), heights 840 to 858.9",
    ] {
        assert!(built.contains(words), "no '{words}': {built}");
    }
    let info = folder
        .run("terrain info slope.pter --json")
        .succeeded()
        .json();
    assert_eq!(
        (&info["crs"], count(&info, "version")),
        (&json!("EPSG:32633"), 2)
    );
    assert_eq!(
        info["extent"],
        json!([[384000.25, 5200000.25], [384009.75, 5200008.75]])
    );
    let line = format!("terrain path slope.pter {QUERY} --engine astar --json");
    let found = folder.run(&line).succeeded().json();
    let points = points(&found);
    let ends = [points[0], points[points.len() - 1]];
    for ([x, y, z], expected) in ends
        .into_iter()
        .zip([[384_001.1, 5_200_001.3], [384_007.9, 5_200_008.2]])
    {
        assert!(
            (x - expected[0]).abs() < 1e-5 && (y - expected[1]).abs() < 1e-5,
            "{x} {y}"
        );
        // The slope is a plane.
        let height = 840.0 + (x - 384_000.25) / 5.0 + (5_200_008.75 - y) * 2.0;
        assert!((z - height).abs() < 1e-3, "{z} {height}");
    }
    let [ascent, descent] = ["ascent", "descent"].map(|field| number(&found, field));
    assert!(
        (descent - ascent - (ends[0][2] - ends[1][2])).abs() < 1e-3,
        "{found:#}"
    );
    let wave = folder
        .run("terrain wave slope.pter -o w.png --from 384001.1,5200001.3 --engine astar --json")
        .succeeded()
        .json();
    assert_eq!(wave["from"], json!([384001.1, 5200001.3]));
    let off = folder
        .run("terrain path slope.pter --from 384001,5200001 --to 384001,5200010")
        .answered_no()
        .stdout;
    assert!(
        off.contains("384001,5200010 is outside") && off.contains("384000.25,5200000.25"),
        "{off}"
    );
}

#[test]
fn a_path_is_written_for_other_programs() {
    let folder = Folder::new();
    folder.write("slope.asc", slope(20, 18));
    folder
        .run("terrain build slope.asc -o slope.pter --crs epsg:32633 -q")
        .succeeded();
    let path = |output: &str| {
        let line = format!(
            "terrain path slope.pter {QUERY} --engine astar -o {output} --height-profile h.svg"
        );
        let text = folder.run(&line).succeeded().stdout;
        assert!(
            text.contains(&format!("path: {output}")) && text.contains("height profile: h.svg"),
            "{text}"
        );
        folder.text(output)
    };
    let found = format!("terrain path slope.pter {QUERY} --engine astar --json");
    let found = folder.run(&found).succeeded().json();
    let points = points(&found);
    let gpx = path("hike.gpx");
    let (declaration, document) = gpx.split_once('\n').unwrap();
    assert!(declaration.starts_with("<?xml"), "{gpx}");
    let elements = xml_elements(document);
    assert_eq!(
        elements.iter().filter(|(name, _)| name == "trkpt").count(),
        points.len()
    );
    // The start in degrees, by PROJ.
    assert!(
        gpx.contains("lat=\"46.943394") && gpx.contains("lon=\"13.475809"),
        "{gpx}"
    );
    let feature: Value = serde_json::from_str(&path("hike.geojson")).unwrap();
    let coordinates = feature["geometry"]["coordinates"].as_array().unwrap();
    assert_eq!(coordinates.len(), points.len());
    assert_eq!(feature["properties"]["cost"], found["cost"]);
    let obj = path("hike.obj");
    assert!(
        obj.starts_with("# z is up; the origin is 384005.25,5200004.25 in EPSG:32633\n"),
        "{obj}"
    );
    let first: Vec<f64> = obj
        .lines()
        .find_map(|line| line.strip_prefix("v "))
        .unwrap()
        .split(' ')
        .map(|word| word.parse().unwrap())
        .collect();
    for axis in 0..2 {
        let origin = [384_005.25, 5_200_004.25][axis];
        assert!(
            (first[axis] + origin - points[0][axis]).abs() < 1e-5,
            "{first:?}"
        );
    }
    let profile = folder.text("h.svg");
    assert!(
        xml_elements(&profile)
            .iter()
            .any(|(name, _)| name == "path")
    );
    assert!(profile.contains("distance in plan, m"), "{profile}");
}

#[test]
fn without_a_system_there_are_no_degrees() {
    let folder = Folder::new();
    folder.write("slope.asc", slope(20, 18));
    folder
        .run("terrain build slope.asc -o slope.pter -q")
        .succeeded();
    for output in ["a.gpx", "a.geojson"] {
        let line = format!("terrain path slope.pter {QUERY} -o {output}");
        folder
            .run(&line)
            .failed_with(&[output, "slope.pter", "--crs EPSG:"]);
        assert!(!folder.path(output).exists());
    }
    folder
        .run(&format!("terrain path slope.pter {QUERY} -o a.obj"))
        .succeeded();
    folder
        .run(&format!("terrain path slope.pter {QUERY} -o a.csv"))
        .failed_with(&["a.csv", ".geojson"]);
    folder
        .run(&format!(
            "terrain path slope.pter {QUERY} --height-profile a.png"
        ))
        .failed_with(&["a.png", ".svg"]);
    folder.write("areas.geojson", "{}");
    folder
        .run("terrain build slope.asc -o s.pter --areas areas.geojson")
        .failed_with(&["areas.geojson", "--crs"]);
}

#[test]
fn masks_and_areas_close_ground_or_make_it_difficult() {
    let folder = Folder::new();
    folder.write("slope.asc", slope(20, 18));
    let closed = |options: &str| {
        let line = format!("terrain build slope.asc -o a.pter --crs EPSG:32633 -q {options}");
        folder.run(&line).succeeded();
        let info = folder.run("terrain info a.pter --json").succeeded().json();
        (count(&info, "triangles"), number(&info, "mean_difficulty"))
    };
    assert_eq!(closed(""), (646, 0.0));
    // Only the first column is black, and every triangle beside it has a corner there.
    folder
        .run("heightmap --formula x -o m.png --width 20 --height 18 -q")
        .succeeded();
    assert_eq!(closed("--mask m.png").0, 646 - 34);
    assert!(closed("--difficulty m.png").1 > 0.4);
    // A square of 4 m in the middle, in degrees by PROJ.
    let [west, south, east, north] = ["13.475834", "46.943406", "13.475885", "46.943442"];
    let ring = format!(
        "[[{west},{south}],[{east},{south}],[{east},{north}],[{west},{north}],[{west},{south}]]"
    );
    let areas = |effect: &str| {
        folder.write(
            "a.geojson",
            format!(
                "{{\"type\":\"Feature\",\"properties\":{effect},\"geometry\":{{\"type\":\"Polygon\",\"coordinates\":\
                 [{ring}]}}}}"
            ),
        );
        closed("--areas a.geojson")
    };
    let (left, _) = areas("{\"closed\":true}");
    assert!(left < 646 && left > 100, "{left}");
    let (all, difficulty) = areas("{\"difficulty\":1}");
    let expected = (646 - left) as f64 / 646.0;
    assert!(
        all == 646 && (difficulty - expected).abs() < 1e-6,
        "{difficulty} {expected}"
    );
}

#[test]
fn parts_and_joined_files_are_those_of_the_whole() {
    let folder = Folder::new();
    folder.write("slope.asc", slope(20, 18));
    let text = slope(20, 18);
    let rows: Vec<&str> = text.lines().skip(6).collect();
    // The southern half, with a row in common.
    let south = rows[8..].join("\n");
    folder.write(
        "south.asc",
        format!("ncols 20\nnrows 10\nxllcorner 384000\nyllcorner 5200000\ncellsize 0.5\n{south}\n"),
    );
    let north = rows[..9].join("\n");
    folder.write(
        "north.asc",
        format!(
            "ncols 20\nnrows 9\nxllcorner 384000\nyllcorner 5200004.5\ncellsize 0.5\n{north}\n"
        ),
    );
    folder
        .run("terrain build slope.asc -o whole.pter -q")
        .succeeded();
    folder
        .run("terrain build south.asc north.asc -o both.pter -q")
        .succeeded();
    assert!(folder.bytes("whole.pter") == folder.bytes("both.pter"));
    folder
        .run("terrain build south.asc north.asc -o part.pter -q --window 384002,5200002,384006,5200006 --step 2")
        .succeeded();
    let info = folder
        .run("terrain info part.pter --json")
        .succeeded()
        .json();
    assert_eq!(
        info["extent"],
        json!([[384002.25, 5200002.75], [384005.25, 5200005.75]])
    );
    assert_eq!(count(&info, "triangles"), 18);
}

#[test]
fn wrong_elevation_files_are_errors() {
    let folder = Folder::new();
    folder.write("slope.asc", slope(5, 4));
    folder.write(
        "degrees.asc",
        "ncols 2\nnrows 2\nxllcorner 1\nyllcorner 42\ncellsize 0.01\n1 2 3 4\n",
    );
    folder.write(
        "cut.asc",
        "ncols 5\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4 5 6 7 8 9 1 2\n",
    );
    folder.write(
        "huge.asc",
        "ncols 2000000000\nnrows 2000000000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n",
    );
    folder.write(
        "empty.asc",
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nnodata_value 1\n1 1 1 1\n",
    );
    folder.write("fake.tif", slope(5, 4));
    folder.write("N42E001.hgt", slope(5, 4));
    folder.write("fake.zip", "PK\x03\x04");
    folder.write("12.png", "II*\0");
    folder
        .run("heightmap hills -o hills.png --width 5 --height 5 -q")
        .succeeded();
    for (options, words) in [
        ("degrees.asc", &["degrees.asc", "--crs EPSG:4326"][..]),
        ("cut.asc", &["cut.asc", "incomplete"]),
        ("huge.asc", &["huge.asc", "incomplete"]),
        ("empty.asc", &["empty.asc", "no ground is left"]),
        ("fake.tif", &["fake.tif", "GeoTIFF"]),
        ("N42E001.hgt", &["N42E001.hgt", "2884802"]),
        ("fake.zip", &["fake.zip", "archive"]),
        ("12.png --colours mapbox", &["12.png", "PNG"]),
        ("hills.png --colours terrarium", &["hills.png", "grey"]),
        ("slope.asc gone.asc", &["gone.asc"]),
        ("slope.asc degrees.asc", &["degrees.asc"]),
        (
            "slope.asc --crs EPSG:2154",
            &["EPSG:2154", "EPSG:4326", "local"],
        ),
        (
            "slope.asc --window 0,0,1,1",
            &["slope.asc", "--window", "384000.25"],
        ),
        ("slope.asc --window 0,0,1", &["--window", "four numbers"]),
        ("slope.asc --step 0", &["--step"]),
        ("slope.asc --step 9", &["--step", "1 x 1 samples"]),
        (
            "slope.asc --max-triangles 10",
            &["24 triangles", "--step", "--max-triangles"],
        ),
        (
            "slope.asc --height-range 0,1",
            &["slope.asc", "--height-range"],
        ),
        ("slope.asc --extent 0,0,1,1", &["slope.asc", "--extent"]),
        ("slope.asc --mask hills.png", &["hills.png", "5 x 5 pixels"]),
        (
            "slope.asc --difficulty hills.png",
            &["hills.png", "5 x 4 samples"],
        ),
        (
            "slope.asc -o slope.asc.pter --mask slope.asc.pter",
            &["overwrite"],
        ),
    ] {
        let output = if options.contains("-o ") {
            ""
        } else {
            "-o out.pter"
        };
        folder
            .run(&format!("terrain build {options} {output}"))
            .failed_with(words);
        assert!(!folder.path("out.pter").exists(), "{options}");
    }
}

/// The folder with elevation files of other programs, which is not part of the repository. Without it, tests say so
/// and pass.
fn real_files() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps/dem");
    if !folder.is_dir() {
        eprintln!("skipped: there is no folder {}", folder.display());
        return None;
    }
    Some(folder)
}

#[test]
fn a_geotiff_and_a_grid_of_the_same_ground_have_the_same_paths() {
    let Some(dem) = real_files() else { return };
    let folder = Folder::new();
    let window = "--window 380000,4700000,384000,4704000";
    for (file, name) in [
        ("andorra_utm31_60m_f32_lzw.tif", "tif"),
        ("andorra_utm31_60m.asc", "asc"),
    ] {
        let line = format!(
            "terrain build {} -o {name}.pter --crs EPSG:32631 {window} -q",
            dem.join(file).display()
        );
        folder.run(&line).succeeded();
    }
    assert!(folder.bytes("tif.pter") == folder.bytes("asc.pter"));
}
