//! Tests of damaged input files, and of outputs that cannot be written.

use crate::common::{Folder, obj, two_islands, two_routes};

/// The commands that read a .pnav.
const READERS: [&str; 4] = [
    "info bad.pnav --json",
    "path bad.pnav --from 1,0,1 --to 5,0,1 --json",
    "export bad.pnav -o out.obj",
    "bench bad.pnav --random 1",
];

#[test]
fn a_file_that_is_no_pnav_is_an_error() {
    let folder = Folder::new();
    for content in [
        &b""[..],
        b"\n",
        b"This is a letter and not a world.\n",
        b"PNAV",
        b"<svg></svg>",
        obj(&two_islands()).as_bytes(),
        &[0; 4096],
        &[255; 4096],
    ] {
        folder.write("bad.pnav", content);
        for line in READERS {
            folder.run(line).failed_with(&["bad.pnav"]);
        }
    }
    std::fs::remove_file(folder.path("bad.pnav")).unwrap();
    std::fs::create_dir(folder.path("bad.pnav")).unwrap();
    for line in READERS {
        folder.run(line).failed_with(&["bad.pnav"]);
    }
    assert_eq!(folder.names(), ["bad.pnav"]);
}

/// Every command names a file that is empty.
#[test]
fn an_empty_file_is_an_error() {
    let folder = Folder::with_world(&two_islands());
    folder
        .run("heightmap hills -o good.png --width 9 --height 9 -q")
        .succeeded();
    folder.write("good.obj", obj(&two_islands()));
    for extension in [
        "pnav", "pidx", "pter", "obj", "gltf", "glb", "bin", "mesh", "csv", "toml", "png", "txt",
        "json", "pbake",
    ] {
        folder.write(&format!("empty.{extension}"), "");
    }
    let query = "--from 1,0,1 --to 5,0,1";
    for (line, file) in [
        (format!("path empty.pnav {query}"), "empty.pnav"),
        (format!("path empty.pidx {query}"), "empty.pidx"),
        (
            format!("path world.pnav {query} --profile empty.toml"),
            "empty.toml",
        ),
        ("info empty.pnav".to_owned(), "empty.pnav"),
        ("info empty.pidx --json".to_owned(), "empty.pidx"),
        ("info empty.pter".to_owned(), "empty.pter"),
        ("export empty.pnav -o out.obj".to_owned(), "empty.pnav"),
        ("index empty.pnav -o out.pidx".to_owned(), "empty.pnav"),
        (
            "index world.pnav -o out.pidx --profile empty.toml".to_owned(),
            "empty.toml",
        ),
        ("tune empty.pnav".to_owned(), "empty.pnav"),
        ("bench empty.pidx --random 1".to_owned(), "empty.pidx"),
        (
            "bench world.pnav --queries empty.csv".to_owned(),
            "empty.csv",
        ),
        ("import empty.obj -o out.pnav".to_owned(), "empty.obj"),
        ("import empty.bin -o out.pnav".to_owned(), "empty.bin"),
        ("import empty.mesh -o out.pnav".to_owned(), "empty.mesh"),
        ("bake empty.obj -o out.pnav".to_owned(), "empty.obj"),
        ("bake empty.gltf -o out.pnav".to_owned(), "empty.gltf"),
        (
            "rebake empty.pbake good.obj --tile 0,0 -o out.pnav".to_owned(),
            "empty.pbake",
        ),
        ("bake empty.glb -o out.pnav".to_owned(), "empty.glb"),
        (
            "bake good.obj -o out.pnav --areas empty.toml".to_owned(),
            "empty.toml",
        ),
        (
            "terrain build empty.png -o out.pter".to_owned(),
            "empty.png",
        ),
        (
            "terrain build empty.obj -o out.pter".to_owned(),
            "empty.obj",
        ),
        (
            "terrain build good.png -o out.pter --difficulty empty.png".to_owned(),
            "empty.png",
        ),
        (
            "terrain build good.obj -o out.pter --difficulty empty.txt".to_owned(),
            "empty.txt",
        ),
        (
            "terrain build good.png -o out.pter --price empty.toml".to_owned(),
            "empty.toml",
        ),
        (
            "terrain path empty.pter --from 0 0 --to 0 0".to_owned(),
            "empty.pter",
        ),
        (
            "terrain wave empty.pter -o out.png".to_owned(),
            "empty.pter",
        ),
        ("terrain info empty.pter".to_owned(), "empty.pter"),
        (
            "terrain report -o out --quick --map empty.png".to_owned(),
            "empty.png",
        ),
        (
            "report --diff empty.json empty.json".to_owned(),
            "empty.json",
        ),
        ("report -o out --from empty.json".to_owned(), "empty.json"),
        (
            "report -o out --quick --peers empty.json".to_owned(),
            "empty.json",
        ),
        (
            "report -o out --quick --scenes none --maps empty.pnav".to_owned(),
            "empty.pnav",
        ),
    ] {
        let run = folder.run(&line);
        run.failed_with(&[&format!("{file}: the file is empty")]);
    }
    assert!(!folder.names().iter().any(|name| name.starts_with("out.")));
}

#[test]
fn a_truncated_file_is_an_error() {
    let folder = Folder::with_world(&two_routes());
    let intact = folder.bytes("world.pnav");
    for length in (0..intact.len()).step_by(13).chain([intact.len() - 1]) {
        folder.write("bad.pnav", &intact[..length]);
        folder.run("info bad.pnav").failed_with(&["bad.pnav"]);
    }
    folder.write("bad.pnav", &intact[..intact.len() / 2]);
    for line in READERS {
        folder.run(line).failed_with(&["bad.pnav"]);
    }
    folder.write("bad.pnav", [&intact[..], &b"\n"[..]].concat());
    folder.run("info bad.pnav").failed_with(&["bad.pnav"]);
    folder.write("bad.pnav", [&intact[..], &intact[..]].concat());
    folder.run("info bad.pnav").failed_with(&["bad.pnav"]);
}

#[test]
fn a_flipped_bit_is_an_error() {
    let folder = Folder::with_world(&two_routes());
    let intact = folder.bytes("world.pnav");
    for at in 0..intact.len() {
        // Every byte of the header, and every fifth of the rest.
        if at >= 128 && at % 5 != 0 {
            continue;
        }
        let mut bad = intact.clone();
        bad[at] ^= 1 << (at % 8);
        folder.write("bad.pnav", &bad);
        folder.run("info bad.pnav").failed_with(&["bad.pnav"]);
    }
    let mut bad = intact.clone();
    let middle = intact.len() / 2;
    bad[middle] ^= 0x10;
    folder.write("bad.pnav", &bad);
    for line in READERS {
        folder.run(line).failed_with(&["bad.pnav"]);
    }
}

/// A command that fails changes no file and creates none.
#[test]
fn a_failed_command_changes_no_file() {
    let folder = Folder::with_world(&two_islands());
    folder.write("good.obj", obj(&two_islands()));
    folder.write("bad.obj", "v 0 0 0\nf 1 2 3\n");
    folder.write("bad.pnav", "no");
    folder.write("bad.csv", "sx,sy,sz,gx,gy,gz\n1,0,1,5,0,1\n1,0,1,5,0,x\n");
    folder.write("bad.toml", "links = [");
    for name in [
        "old.pnav", "old.obj", "old.mesh", "old.svg", "old.json", "old.csv",
    ] {
        folder.write(name, name);
    }
    let before: Vec<(String, Vec<u8>)> = folder
        .names()
        .into_iter()
        .map(|name| (name.clone(), folder.bytes(&name)))
        .collect();
    for line in [
        "import bad.obj -o old.pnav",
        "import good.obj -o old.pnav --min-component 9",
        "export bad.pnav -o old.obj",
        "export bad.pnav -o old.mesh",
        "scene castle -o old.pnav",
        "scene rooms --links -o old.obj",
        "path bad.pnav --from 1,0,1 --to 5,0,1 --svg old.svg",
        "path world.pnav --from 1,0,1 --to 5,0,1 --engine warp --svg old.svg",
        "path world.pnav --from 1,0,1 --to 5,0,1 --profile bad.toml --svg old.svg",
        "bench world.pnav --queries bad.csv --json old.json --lengths old.csv",
        "bench world.pnav --profile bad.toml --json old.json --lengths old.csv",
        "bench world.pnav --engines warp --json old.json --lengths old.csv",
    ] {
        folder.run(line).failed_with(&[]);
        let after: Vec<(String, Vec<u8>)> = folder
            .names()
            .into_iter()
            .map(|name| (name.clone(), folder.bytes(&name)))
            .collect();
        assert!(after == before, "{line} changed the folder");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let folder = Folder::with_world(&two_islands());
    folder.write("w.obj", obj(&two_islands()));
    // The name of the file is that of a folder, or the name of its folder is that of a file.
    for extension in ["pnav", "obj", "mesh", "svg", "json", "csv"] {
        std::fs::create_dir(folder.path(&format!("taken.{extension}"))).unwrap();
    }
    let before = folder.names();
    let path = "path world.pnav --from 1,0,1 --to 5,0,1 --svg";
    for to in ["taken", "w.obj/in"] {
        for line in [
            format!("scene rooms --size small -o {to}.pnav"),
            format!("scene rooms --size small -o {to}.obj"),
            format!("import w.obj -o {to}.pnav"),
            format!("export world.pnav -o {to}.obj"),
            format!("export world.pnav -o {to}.mesh"),
            format!("{path} {to}.svg"),
            format!("{path} {to}.svg --json"),
            format!("bench world.pnav --random 2 --json {to}.json"),
            format!("bench world.pnav --random 2 --lengths {to}.csv"),
        ] {
            folder.run(&line).failed_with(&[to]);
        }
    }
    assert_eq!(folder.names(), before);
}

#[test]
fn an_output_replaces_an_existing_file() {
    let folder = Folder::with_world(&two_islands());
    folder.write("out.obj", "x".repeat(100_000));
    folder.run("export world.pnav -o out.obj -q").succeeded();
    folder.run("import out.obj -o world.pnav -q").succeeded();
    folder.run("info world.pnav").succeeded();
    assert_eq!(folder.names(), ["out.obj", "world.pnav"]);
}

/// The permissions of outputs follow the umask, like those of any new file.
#[cfg(unix)]
#[test]
fn outputs_have_the_usual_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with_world(&two_islands());
    folder.write("plain", "a file like any other");
    let mode = |name: &str| {
        let file = std::fs::metadata(folder.path(name)).unwrap();
        file.permissions().mode()
    };
    assert_eq!(mode("world.pnav"), mode("plain"));
}

/// `--svg world.pnav` is a typing mistake.
#[test]
fn a_picture_does_not_replace_the_input() {
    let folder = Folder::with_world(&two_islands());
    let run = folder.run("path world.pnav --from 1,0,1 --to 5,0,1 --svg world.pnav");
    run.failed_with(&["world.pnav"]);
    folder.run("info world.pnav").succeeded();
}

/// The test uses a named pipe, because it must not replace `/dev/null` or `/dev/stdout`.
#[cfg(unix)]
#[test]
fn outputs_do_not_replace_pipes() {
    use std::os::unix::fs::FileTypeExt;
    let folder = Folder::with_world(&two_islands());
    let pipe = folder.path("pipe.obj");
    let mkfifo = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !mkfifo.is_ok_and(|status| status.success()) {
        eprintln!("skipped: mkfifo failed");
        return;
    }
    let mut reader = std::process::Command::new("cat")
        .arg(&pipe)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let run = folder.run("export world.pnav -o pipe.obj -q");
    let still_a_pipe = std::fs::metadata(&pipe).unwrap().file_type().is_fifo();
    // The reader may have ended by itself.
    let _ = reader.kill();
    reader.wait().unwrap();
    assert!(still_a_pipe, "{run:?}");
}
