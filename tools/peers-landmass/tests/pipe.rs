//! The program, as `portolan-peers` talks to it.

use std::io::Write;
use std::process::{Command, Stdio};

/// The lines that it answers with, and whether it ended well.
fn talk(input: &str) -> (Vec<String>, bool) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_portolan-peers-landmass"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines.lines().map(str::to_owned).collect();
    (lines, output.status.success())
}

/// Two squares of 4 m side by side at a height of 1 m, one 20 m away, and one without area.
const SQUARES: &str = "\
11 4 0
0 1 0
4 1 0
8 1 0
8 1 4
4 1 4
0 1 4
20 1 0
24 1 0
24 1 4
20 1 4
6 1 0
0 1 4 5
1 2 3 4
6 7 8 9
1 10 2
";

#[test]
fn a_path_none_and_a_point_beside_the_mesh() {
    let queries = "1 1 2 7 1 2\n1 1 2 22 1 2\n1 1 2 100 1 2\n";
    let (lines, is_well) = talk(&format!("{SQUARES}{queries}"));
    assert!(is_well);
    let words: Vec<Vec<&str>> = lines
        .iter()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!((words[0][0], words[0][2]), ("ready", "1"));
    assert_eq!(words[1][0], "found");
    assert_eq!(words[1][5..], ["1", "1", "2", "7", "1", "2"]);
    let times = words[1][1..5].iter().map(|time| time.parse::<u64>());
    assert!(times.into_iter().all(|time| time.is_ok()));
    assert_eq!((words[2][0], words[2].len()), ("no_path", 5));
    assert_eq!((words[3][0], words[3].len()), ("off_mesh", 5));
}

/// A square of 4 m whose middle is a hill of 9 m, and a triangle that is upside down.
#[test]
fn finer_surfaces_say_where_the_ground_is() {
    let mesh = "4 1 1\n0 0 0\n4 0 0\n4 0 4\n0 0 4\n0 1 2 3\n";
    let hill = "5 0 0 0 4 0 0 4 0 4 0 0 4 2 9 2 0 1 4 1 2 4 2 3 4 3 0 4 0 2 1\n";
    let (lines, is_well) = talk(&format!("{mesh}{hill}2 9 2 1 4 2\n2 0 2 1 4 2\n"));
    assert!(is_well);
    assert!(lines[1].starts_with("found "), "{lines:?}");
    assert!(lines[2].starts_with("off_mesh "), "{lines:?}");
}

#[test]
fn bad_input_is_refused_or_ends_it() {
    let (lines, is_well) = talk("1 1 0\n0 0 0\n0 0\n");
    assert!(is_well && lines[0].starts_with("refused "), "{lines:?}");
    for input in ["", "1\n", "1 0 0\n0 0\n", "0 0 0\n1 2 3\n", "0 0 1\n"] {
        assert!(!talk(input).1, "{input:?}");
    }
}
