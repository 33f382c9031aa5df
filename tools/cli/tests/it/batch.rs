//! Tests of `portolan batch`.

use crate::common::{CommandRun, Folder, number, rooms_with_door, two_islands};
use serde_json::Value;

const WANTS: [(&str, &str); 5] = [
    ("distance", "query,status,distance,cost"),
    ("portal", "query,status,cost,polygon,ax,ay,az,bx,by,bz"),
    ("next", "query,status,cost,nx,ny,nz,polygon"),
    ("corridor", "query,status,distance,cost,polygons"),
    ("waypoints", "query,status,distance,cost,polygons,waypoints"),
];

/// One query per status: found, no path, goal off the mesh, start off the mesh, found in one polygon.
const QUERIES: &str = "sx,sy,sz,gx,gy,gz\n1,0,1,5,0,1\n1,0,1,11,0,1\n1,0,1,90,0,0\n90,0,0,1,0,1\n\
                       1,0,1,1.5,0,1\n";

/// Points on the ground of `rooms --size small`, and one that is not.
const POINTS: [&str; 6] = ["3,0,3", "40,0,30", "20,0,15", "9,0,33", "30,0,4", "-50,0,0"];

/// Returns every pair of [`POINTS`].
fn pairs() -> Vec<[&'static str; 2]> {
    let pairs = POINTS.iter().flat_map(|&from| POINTS.map(|to| [from, to]));
    pairs.collect()
}

/// Writes the queries between all pairs of points to `q.csv`.
fn write_pairs(folder: &Folder) {
    let rows = pairs()
        .into_iter()
        .map(|[from, to]| format!("{from},{to}\n"));
    let text = format!("sx,sy,sz,gx,gy,gz\n{}", rows.collect::<String>());
    folder.write("q.csv", text);
}

/// Returns the rows of a CSV file without its header, which must be this one.
#[track_caller]
fn rows(folder: &Folder, file: &str, header: &str) -> Vec<Vec<String>> {
    let text = folder.text(file);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(header));
    let row = |line: &str| line.split(',').map(str::to_owned).collect();
    lines.map(row).collect()
}

/// Returns the answers of `portolan path` to all pairs. The snap is wide, because walls and furniture cover some
/// of the points.
fn single_answers(folder: &Folder, engine: &str) -> Vec<Value> {
    let answer = |[from, to]: [&str; 2]| {
        let line = format!(
            "path world.pidx --from {from} --to {to} --engine {engine} --json --snap 3,2,3"
        );
        let CommandRun { stdout, .. } = folder.run(&line);
        serde_json::from_str(&stdout).unwrap()
    };
    pairs().into_iter().map(answer).collect()
}

#[track_caller]
fn assert_close(text: &str, expected: f64) {
    let value: f64 = text.parse().unwrap();
    assert!(
        (value - expected).abs() <= 1e-4 * expected.abs().max(1.0),
        "{value} is not {expected}"
    );
}

/// Asserts that a point, given as three fields, is one of an answer's points.
#[track_caller]
fn assert_point(fields: &[String], point: &Value) {
    for (field, coordinate) in fields.iter().zip(point.as_array().unwrap()) {
        assert_close(field, coordinate.as_f64().unwrap());
    }
}

/// Every row has what `portolan path` answers to its query. The corners of a path are among the waypoints of
/// `path`, which follow the ground.
#[test]
fn rows_agree_with_the_path_command() {
    let folder = Folder::with_index("--tiers fast,default");
    write_pairs(&folder);
    let of_engine = ["contraction:fast", "auto"].map(|engine| single_answers(&folder, engine));
    let found = of_engine[0]
        .iter()
        .filter(|answer| answer["status"] == "found");
    assert!(found.count() > 10);
    for (want, header) in WANTS {
        let line = format!("batch world.pidx q.csv -o r.csv --want {want} --snap 3,2,3 -q");
        assert_eq!(folder.run(&line).succeeded().stdout, "");
        let rows = rows(&folder, "r.csv", header);
        let answers = &of_engine[usize::from(!matches!(want, "portal" | "next"))];
        assert_eq!(rows.len(), answers.len());
        for (i, (row, answer)) in rows.iter().zip(answers).enumerate() {
            assert_eq!(row[0], i.to_string());
            assert_eq!(answer["status"], row[1], "{want} {row:?}");
            if row[1] != "found" {
                assert!(row[2..].iter().all(String::is_empty), "{row:?}");
                continue;
            }
            let cost_column = header.split(',').position(|name| name == "cost").unwrap();
            assert_close(&row[cost_column], number(answer, "cost"));
            let polygons = answer["polygons"].as_array().unwrap();
            let ids: Vec<String> = polygons.iter().map(Value::to_string).collect();
            let points = answer["waypoints"].as_array().unwrap();
            match want {
                "portal" => assert_eq!(&row[3], ids.get(1).unwrap_or(&ids[0])),
                "next" => {
                    let is_same = |point: &Value| {
                        let point = point.as_array().unwrap();
                        row[3..6].iter().zip(point).all(|(field, value)| {
                            let field: f64 = field.parse().unwrap();
                            (field - value.as_f64().unwrap()).abs() < 1e-3
                        })
                    };
                    assert!(points.iter().any(is_same), "{row:?}");
                    assert!(ids.contains(&row[6]), "{row:?}");
                }
                _ => {
                    // The ground of this scene is flat, so both have the same length.
                    assert_close(&row[2], number(answer, "length"));
                }
            }
            if matches!(want, "corridor" | "waypoints") {
                assert_eq!(row[4], ids.join(" "));
            }
            if want == "waypoints" {
                let corners: Vec<Vec<String>> = row[5]
                    .split(' ')
                    .map(|point| point.split(';').map(str::to_owned).collect())
                    .collect();
                assert!(corners.len() >= 2 && corners.iter().all(|point| point.len() == 3));
                assert_point(&corners[0], &points[0]);
                assert_point(corners.last().unwrap(), points.last().unwrap());
            }
        }
    }
}

#[test]
fn every_status_has_a_row() {
    let folder = Folder::with_world(&two_islands());
    folder.write("q.csv", QUERIES);
    let output = folder
        .run("batch world.pnav q.csv -o r.csv --want corridor")
        .succeeded()
        .stdout;
    assert_eq!(output.lines().count(), 1, "{output}");
    for part in [
        "r.csv: 5 agents in ",
        "per second",
        "2 found",
        "1 no_path",
        "1 goal_off_mesh",
        "1 start_off_mesh",
    ] {
        assert!(output.contains(part), "{output}");
    }
    assert_eq!(
        folder.text("r.csv"),
        "query,status,distance,cost,polygons\n0,found,4,4,0 1 2\n1,no_path,,,\n2,goal_off_mesh,,,\n\
         3,start_off_mesh,,,\n4,found,0.5,0.5,0\n"
    );
    folder
        .run("batch world.pnav q.csv -o r.csv --engine astar --want portal -q")
        .succeeded();
    // The portal to polygon 1 is at x = 2. In the goal's own polygon, the portal is the goal.
    let rows = rows(&folder, "r.csv", WANTS[1].1);
    assert_eq!(rows[0][3..], ["1", "2", "0", "0", "2", "0", "2"]);
    assert_eq!(rows[4][3..], ["0", "1.5", "0", "1", "1.5", "0", "1"]);
    folder
        .run("batch world.pnav q.csv -o r.csv --engine astar --want next -q")
        .succeeded();
    let rows = self::rows(&folder, "r.csv", WANTS[2].1);
    assert_eq!(rows[0][3..], ["5", "0", "1", "2"]);
}

/// Neither the number of threads nor the size of the file changes a byte. 70 000 queries are more than one slice.
#[test]
fn tables_do_not_depend_on_threads() {
    let folder = Folder::with_index("--engines contraction --tiers fast,default");
    write_pairs(&folder);
    for (want, _) in WANTS {
        for ending in ["csv", "arrow"] {
            let table = |threads: u8| {
                let line = format!(
                    "batch world.pidx q.csv -o r.{ending} --want {want} --threads {threads} -q"
                );
                folder.run(&line).succeeded();
                folder.bytes(&format!("r.{ending}"))
            };
            assert!(table(1) == table(2), "{want} {ending}");
        }
    }
    let small = folder.text("q.csv");
    let rows = small.split_once('\n').unwrap().1;
    let times = 70_000 / pairs().len() + 1;
    let header = "sx,sy,sz,gx,gy,gz\n";
    folder.write("q.csv", format!("{header}{}", rows.repeat(times)));
    let line = "batch world.pidx q.csv -o r.csv --want portal -q --snap 3,2,3";
    folder.run(line).succeeded();
    let table = self::rows(&folder, "r.csv", WANTS[1].1);
    assert_eq!(table.len(), pairs().len() * times);
    for (i, row) in table.iter().enumerate() {
        assert_eq!(row[0], i.to_string());
        assert_eq!(row[1..], table[i % pairs().len()][1..], "row {i}");
    }
}

#[test]
fn a_profile_closes_ground() {
    let folder = Folder::with_world(&rooms_with_door());
    folder.write("q.csv", "sx,sy,sz,gx,gy,gz\n1,0,2,8,0,2\n");
    folder.write("closed.toml", "forbidden = [7]\n");
    folder.write("slow.toml", "[factors]\n7 = 4\n");
    let line =
        |profile: &str| format!("batch world.pnav q.csv -o r.csv --want distance -q {profile}");
    let row = |profile: &str| {
        folder.run(&line(profile)).succeeded();
        rows(&folder, "r.csv", WANTS[0].1).remove(0)
    };
    assert_eq!(row(""), ["0", "found", "7", "7"]);
    assert_eq!(row("--profile slow.toml"), ["0", "found", "7", "10"]);
    assert_eq!(row("--profile closed.toml"), ["0", "no_path", "", ""]);
}

#[test]
fn an_error_in_a_query_names_its_line_and_nothing_is_written() {
    let folder = Folder::with_world(&two_islands());
    folder.write("old.csv", "old");
    let long = format!(
        "sx,sy,sz,gx,gy,gz\n{}1,0,1,5,x,1\n",
        "1,0,1,5,0,1\n".repeat(70_000)
    );
    for (content, names) in [
        ("", &["the file is empty"][..]),
        ("\n", &["sx"]),
        ("sx,sy,sz,gx,gy,gz\n", &["the file has no queries"]),
        ("sx,sy,sz,gx,gy,gz", &["the file has no queries"]),
        ("sx,sy,sz,gx,gy\n1,0,1,5,0\n", &["gz"]),
        ("sx,sy,sz,gx,gy,gz\n1,0,1,5,0\n", &["line 2", "gz"]),
        (
            "sx,sy,sz,gx,gy,gz\n1,0,1,5,0,1\n\n1,0,1,x,0,1\n",
            &["line 4", "gx"],
        ),
        ("sx,sy,sz,gx,gy,gz\n1,0,nan,5,0,1\n", &["line 2", "sz"]),
        ("sx,sy,sz,gx,gy,gz\n1,0,1,5,0,inf\n", &["line 2", "gz"]),
        // In the second slice, when rows have been written already.
        (&long, &["line 70002", "gy"]),
    ] {
        folder.write("q.csv", content);
        for output in ["old.csv", "new.csv", "new.arrow"] {
            folder
                .run(&format!(
                    "batch world.pnav q.csv -o {output} --want distance"
                ))
                .failed_with(&[&["q.csv: "], names].concat());
        }
    }
    assert_eq!(folder.text("old.csv"), "old");
    assert_eq!(folder.names(), ["old.csv", "q.csv", "world.pnav"]);
}

#[test]
fn wrong_usage_is_an_error() {
    let folder = Folder::with_world(&two_islands());
    folder.write("q.csv", QUERIES);
    for (line, names) in [
        ("batch", &["WORLD"][..]),
        ("batch world.pnav", &["QUERIES"]),
        ("batch world.pnav q.csv", &["--output"]),
        ("batch none.pnav q.csv -o r.csv", &["none.pnav: "]),
        ("batch world.pnav none.csv -o r.csv", &["none.csv: "]),
        ("batch world.pnav . -o r.csv", &[".: "]),
        (
            "batch world.pnav q.csv -o r.txt",
            &["r.txt", ".csv or .arrow"],
        ),
        ("batch world.pnav q.csv -o r", &["r: ", ".csv or .arrow"]),
        ("batch world.pnav q.csv -o q.csv", &["q.csv", "overwrite"]),
        ("batch world.pnav q.csv -o no/r.csv", &["no/r.csv"]),
        (
            "batch world.pnav q.csv -o r.csv --want way",
            &["way", "portal"],
        ),
        ("batch world.pnav q.csv -o r.csv --engine warp", &["warp"]),
        (
            "batch world.pnav q.csv -o r.csv --engine contraction",
            &["world.pnav: ", "contraction"],
        ),
        (
            "batch world.pnav q.csv -o r.csv --want portal",
            &["world.pnav: labels needs a contraction", "portolan index"],
        ),
        (
            "batch world.pnav q.csv -o r.csv --want distance --engine labels",
            &["world.pnav: ", "labels"],
        ),
        (
            "batch world.pnav q.csv -o r.csv --profile no.toml",
            &["no.toml"],
        ),
        ("batch world.pnav q.csv -o r.csv --snap 1,1", &["--snap"]),
        (
            "batch world.pnav q.csv -o r.csv --threads 0",
            &["--threads"],
        ),
    ] {
        folder.run(line).failed_with(names);
    }
    assert_eq!(folder.names(), ["q.csv", "world.pnav"]);
}

#[test]
fn labels_above_the_limit_are_an_error() {
    let folder = Folder::with_index("--engines contraction --tiers fast");
    write_pairs(&folder);
    folder
        .run("batch world.pidx q.csv -o r.csv --want next --labels-limit 1K")
        .failed_with(&["world.pidx: labels would need", "1000", "contraction:fast"]);
    assert_eq!(folder.names(), ["q.csv", "world.pidx", "world.pnav"]);
}
