//! Tests of behaviour that all commands share, and of the demo.

use std::process::Stdio;

use crate::common::{Folder, obj, two_islands, xml_elements};

const COMMANDS: [&str; 10] = [
    "scene",
    "heightmap",
    "import",
    "export",
    "index",
    "info",
    "path",
    "terrain",
    "tune",
    "bench",
];

#[test]
fn help_has_examples() {
    let folder = Folder::new();
    let all = folder.run("--help").succeeded().stdout;
    assert!(all.contains("Examples:") && all.contains("Exit codes:"));
    for command in COMMANDS {
        assert!(all.contains(command), "{command}");
        for line in [
            format!("{command} --help"),
            format!("{command} -h"),
            format!("help {command}"),
        ] {
            let help = folder.run(&line).succeeded().stdout;
            assert!(help.contains("Examples:"), "{line}");
            assert!(help.contains(&format!("portolan {command} ")), "{line}");
            for option in ["--quiet", "--threads"] {
                assert!(help.contains(option), "{line}: no {option}");
            }
        }
    }
    let version = folder.run("--version").succeeded().stdout;
    assert!(version.starts_with("portolan "), "{version}");
    assert!(folder.names().is_empty());
}

#[test]
fn unknown_commands_and_options_are_errors() {
    let folder = Folder::new();
    folder.run("walk").failed_with(&["walk"]);
    folder.run("--fast").failed_with(&["--fast"]);
    folder.run("pth w.pnav").failed_with(&["pth", "path"]);
    folder.run("Path").failed_with(&["Path"]);
    folder.run("--threads").failed_with(&["--threads"]);
    folder.run_args(&[""]).failed_with(&[]);
    for command in COMMANDS {
        let line = format!("{command} --no-such-option");
        folder.run(&line).failed_with(&["--no-such-option"]);
    }
    assert!(folder.names().is_empty());
}

#[cfg(unix)]
#[test]
fn file_names_need_not_be_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::with_world(&two_islands());
    let odd = OsStr::from_bytes(b"wor\xffld.pnav");
    if std::fs::rename(folder.path("world.pnav"), folder.path("").join(odd)).is_err() {
        return; // Some file systems accept only Unicode.
    }
    let run = folder.command().arg("info").arg(odd).output().unwrap();
    assert_eq!(run.status.code(), Some(0));
    let run = folder.command().arg(odd).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(run.stderr.iter().filter(|&&byte| byte == b'\n').count(), 1);
}

#[test]
fn long_and_unusual_file_names_work() {
    let folder = Folder::with_world(&two_islands());
    let long = format!("{}.pnav", "n".repeat(230));
    for name in [
        "with space.pnav",
        "Größe.pnav",
        "a.b.c.pnav",
        "a'\"&<>.pnav",
        &long,
    ] {
        std::fs::copy(folder.path("world.pnav"), folder.path(name)).unwrap();
        let words = ["path", name, "--from", "1,0,1", "--to", "5,0,1"];
        folder
            .run_args(&[&words[..], &["--svg", "a 'picture' & <more>.svg"]].concat())
            .succeeded();
        xml_elements(&folder.text("a 'picture' & <more>.svg"));
        let json = ["bench", name, "--random", "2", "--json", "b.json", "-q"];
        folder.run_args(&json).succeeded();
        assert_eq!(folder.json("b.json")["world"], name);
    }
    let too_long = format!("{}.pnav", "n".repeat(300));
    folder
        .run_args(&["info", &too_long])
        .failed_with(&[&too_long]);
    let words = ["scene", "rooms", "--polygons", "1", "-o", &too_long];
    folder.run_args(&words).failed_with(&[&too_long]);
}

#[test]
fn quiet_prints_nothing() {
    let folder = Folder::new();
    folder.write("w.obj", obj(&two_islands()));
    for line in [
        "scene rooms --size small -o s.pnav --quiet",
        "--quiet scene open --size small -o s.obj",
        "import w.obj -o w.pnav -q",
        "import w.obj -o w.pnav -q --min-component 3",
        "export w.pnav -o out.obj --quiet",
        "export -q w.pnav -o out.mesh",
        "index w.pnav -o w.pidx --mu 2 -q",
        "tune s.pnav --mu 9 --levels 1 --random 5 --json t.json --quiet",
        "bench w.pnav --random 5 --json b.json -q",
        "bench w.pnav --random 5 --json b.json --lengths l.csv --quiet",
    ] {
        assert_eq!(folder.run(line).succeeded().stdout, "", "{line}");
    }
    // Errors are printed.
    folder.run("info none -q").failed_with(&["none"]);
    // Results are printed.
    let found = folder.run("path w.pnav --from 1,0,1 --to 5,0,1 -q");
    assert!(found.succeeded().stdout.starts_with("found"));
}

#[test]
fn the_demo_compares_engines_and_draws_a_picture() {
    let folder = Folder::new();
    let output = folder.run("").succeeded().stdout;
    assert!(
        output.contains("astar") && output.contains("dijkstra"),
        "{output}"
    );
    assert!(output.contains("portolan-demo.svg"), "{output}");
    assert_eq!(folder.names(), ["portolan-demo.svg"]);
    let picture = folder.text("portolan-demo.svg");
    let elements = xml_elements(&picture);
    assert!(
        elements
            .iter()
            .any(|(_, attributes)| attributes.contains("fill-opacity"))
    );
    assert!(elements.iter().filter(|(name, _)| name == "circle").count() > 3);

    assert_eq!(folder.run("--quiet --threads 2").succeeded().stdout, "");
    assert_eq!(
        folder.text("portolan-demo.svg"),
        picture,
        "a second run draws another picture"
    );
    assert_eq!(folder.names(), ["portolan-demo.svg"]);
}

/// Stdout is a pipe whose reader has ended, as in `portolan ... | true`.
#[test]
fn a_closed_pipe_causes_no_panic() {
    let folder = Folder::with_scene("rooms --size small");
    for line in [
        "path world.pnav --from 3,0,3 --to 40,0,30",
        "path world.pnav --from 3,0,3 --to 40,0,30 --json",
        "info world.pnav",
        "info world.pnav --json",
        "scene --list",
        "scene rooms -o s.pnav",
        "export world.pnav -o w.obj",
        "import w.obj -o w.pnav",
        "bench world.pnav --random 5",
        "index world.pnav -o world.pidx",
        "info world.pidx",
        "tune world.pnav --mu 9 --levels 1 --random 5",
        "",
        "--help",
        "path --help",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = folder
            .command()
            .args(line.split_whitespace())
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let run = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(run.stderr).unwrap();
        assert!(!stderr.contains("panicked"), "{line}: {stderr}");
        assert_ne!(run.status.code(), Some(101), "{line}");
        assert!(stderr.lines().count() <= 1, "{line}: {stderr}");
    }
}

/// Help prints nothing on stderr if stdout is a closed pipe.
#[test]
fn help_into_a_closed_pipe_is_no_error() {
    let folder = Folder::new();
    for line in ["--help", "path --help", "--version"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command();
        let run = command
            .args(line.split_whitespace())
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&run.stderr), "", "{line}");
    }
}
