//! What holds for every verb: help, silence, closed pipes, the demo.

use std::process::Stdio;

use crate::common::{Folder, obj, two_islands, xml_elements};

const VERBS: [&str; 10] = [
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
    for verb in VERBS {
        assert!(all.contains(verb), "{verb}");
        for line in [
            format!("{verb} --help"),
            format!("{verb} -h"),
            format!("help {verb}"),
        ] {
            let help = folder.run(&line).succeeded().stdout;
            assert!(help.contains("Examples:"), "{line}");
            assert!(help.contains(&format!("portolan {verb} ")), "{line}");
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
fn unknown_verbs_and_options() {
    let folder = Folder::new();
    folder.run("walk").complained_about(&["walk"]);
    folder.run("--fast").complained_about(&["--fast"]);
    folder.run("pth w.pnav").complained_about(&["pth", "path"]);
    folder.run("Path").complained_about(&["Path"]);
    folder.run("--threads").complained_about(&["--threads"]);
    folder.run_words(&[""]).complained_about(&[]);
    for verb in VERBS {
        let line = format!("{verb} --no-such-option");
        folder.run(&line).complained_about(&["--no-such-option"]);
    }
    assert!(folder.names().is_empty());
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::with_world(&two_islands());
    let odd = OsStr::from_bytes(b"wor\xffld.pnav");
    if std::fs::rename(folder.path("world.pnav"), folder.path("").join(odd)).is_err() {
        return; // Not every file system takes it.
    }
    let ran = folder.command().arg("info").arg(odd).output().unwrap();
    assert_eq!(ran.status.code(), Some(0));
    let ran = folder.command().arg(odd).output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert_eq!(ran.stderr.iter().filter(|&&byte| byte == b'\n').count(), 1);
}

#[test]
fn long_and_odd_names() {
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
            .run_words(&[&words[..], &["--svg", "a 'picture' & <more>.svg"]].concat())
            .succeeded();
        xml_elements(&folder.text("a 'picture' & <more>.svg"));
        let json = ["bench", name, "--random", "2", "--json", "b.json", "-q"];
        folder.run_words(&json).succeeded();
        assert_eq!(folder.json("b.json")["world"], name);
    }
    let too_long = format!("{}.pnav", "n".repeat(300));
    folder
        .run_words(&["info", &too_long])
        .complained_about(&[&too_long]);
    let words = ["scene", "rooms", "--polygons", "1", "-o", &too_long];
    folder.run_words(&words).complained_about(&[&too_long]);
}

#[test]
fn quiet_says_nothing() {
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
    // Errors are heard all the same.
    folder.run("info none -q").complained_about(&["none"]);
    // And so are results.
    let found = folder.run("path w.pnav --from 1,0,1 --to 5,0,1 -q");
    assert!(found.succeeded().stdout.starts_with("found"));
}

#[test]
fn the_demo() {
    let folder = Folder::new();
    let said = folder.run("").succeeded().stdout;
    assert!(
        said.contains("astar") && said.contains("dijkstra"),
        "{said}"
    );
    assert!(said.contains("portolan-demo.svg"), "{said}");
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
    assert_eq!(folder.text("portolan-demo.svg"), picture, "same every time");
    assert_eq!(folder.names(), ["portolan-demo.svg"]);
}

/// What a shell does to `portolan ... | true`.
#[test]
fn a_closed_pipe_is_no_panic() {
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
        let ran = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(ran.stderr).unwrap();
        assert!(!stderr.contains("panicked"), "{line}: {stderr}");
        assert_ne!(ran.status.code(), Some(101), "{line}");
        assert!(stderr.lines().count() <= 1, "{line}: {stderr}");
    }
}

/// Help reaches a closed pipe without a panic today, and must go on doing so.
#[test]
fn help_into_a_closed_pipe() {
    let folder = Folder::new();
    for line in ["--help", "path --help", "--version"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command();
        let ran = command
            .args(line.split_whitespace())
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&ran.stderr), "", "{line}");
    }
}
