//! Tests of the protocol that `portolan-peers` uses.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the program with some input. Returns the lines of its output, and whether it succeeded.
fn run(input: &str) -> (Vec<String>, bool) {
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

/// Two adjacent squares with a side of 4 m at a height of 1 m, a square 20 m away, and a triangle without area.
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
fn queries_are_answered_with_status_times_and_waypoints() {
    let queries = "1 1 2 7 1 2\n1 1 2 22 1 2\n1 1 2 100 1 2\n";
    let (lines, is_ok) = run(&format!("{SQUARES}{queries}"));
    assert!(is_ok);
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

/// The square with a side of 4 m has a hill of 9 m at its centre. One triangle of its surface is upside down.
#[test]
fn points_are_located_on_the_finer_surface() {
    let mesh = "4 1 1\n0 0 0\n4 0 0\n4 0 4\n0 0 4\n0 1 2 3\n";
    let hill = "5 0 0 0 4 0 0 4 0 4 0 0 4 2 9 2 0 1 4 1 2 4 2 3 4 3 0 4 0 2 1\n";
    let (lines, is_ok) = run(&format!("{mesh}{hill}2 9 2 1 4 2\n2 0 2 1 4 2\n"));
    assert!(is_ok);
    assert!(lines[1].starts_with("found "), "{lines:?}");
    assert!(lines[2].starts_with("off_mesh "), "{lines:?}");
}

#[test]
fn invalid_input_is_refused_or_ends_the_program() {
    let (lines, is_ok) = run("1 1 0\n0 0 0\n0 0\n");
    assert!(is_ok && lines[0].starts_with("refused "), "{lines:?}");
    for input in ["", "1\n", "1 0 0\n0 0\n", "0 0 0\n1 2 3\n", "0 0 1\n"] {
        assert!(!run(input).1, "{input:?}");
    }
}
