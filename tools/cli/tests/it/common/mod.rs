//! What the tests of all verbs share: a folder to run the real binary in, and small worlds.

// Every file of tests is a crate of its own and needs only some of this.
#![allow(dead_code)]

use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// An empty folder in which commands run; gone at the end of the test.
pub(crate) struct Folder(TempDir);

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The command, for messages.
    pub(crate) args: String,
    /// None when a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with `world.pnav`, imported from faces.
    pub(crate) fn with_world(faces: &[Face]) -> Self {
        let folder = Self::new();
        folder.write("world.obj", obj(faces));
        folder.run("import world.obj -o world.pnav -q").succeeded();
        std::fs::remove_file(folder.path("world.obj")).unwrap();
        folder
    }

    /// A folder with `world.pnav`, a small built-in scene made with these options.
    pub(crate) fn with_scene(options: &str) -> Self {
        let folder = Self::new();
        folder
            .run(&format!("scene {options} -o world.pnav -q"))
            .succeeded();
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.bytes(name)).unwrap()
    }

    /// The names of all files, hidden ones too, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The binary, in this folder, with nothing of the caller's taste in the environment.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portolan"));
        command
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE");
        command
    }

    /// Runs a command line whose words hold no spaces.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_words(&line.split_whitespace().collect::<Vec<_>>())
    }

    pub(crate) fn run_words(&self, words: &[&str]) -> Ran {
        let output = self.command().args(words).output().unwrap();
        Ran::new(words.join(" "), &output)
    }
}

impl Ran {
    fn new(args: String, output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self {
            args,
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// Exit code 0 and a clean stderr.
    #[track_caller]
    pub(crate) fn succeeded(self) -> Self {
        self.ended(0)
    }

    /// Exit code 1, "no", which is an answer: stderr stays clean.
    #[track_caller]
    pub(crate) fn said_no(self) -> Self {
        self.ended(1)
    }

    #[track_caller]
    fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert_eq!(self.stderr, "", "{self:#?}");
        assert!(!self.stdout.contains('\x1b'), "colours: {self:#?}");
        self
    }

    /// Exit code 2, nothing on stdout and one line on stderr that names all of these.
    #[track_caller]
    pub(crate) fn complained_about(self, names: &[&str]) -> Self {
        assert_eq!(self.code, Some(2), "{self:#?}");
        assert_eq!(self.stdout, "", "{self:#?}");
        assert!(self.stderr.starts_with("portolan: "), "{self:#?}");
        assert!(self.stderr.ends_with('\n'), "{self:#?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:#?}");
        let is_plain = |c: char| c == '\n' || !c.is_control();
        assert!(self.stderr.chars().all(is_plain), "{self:#?}");
        for name in names {
            assert!(self.stderr.contains(name), "no '{name}': {self:#?}");
        }
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// A rectangle of ground: from (x, z) to (x, z), its height and its area.
#[derive(Clone, Copy)]
pub(crate) struct Face {
    pub(crate) from: [f32; 2],
    pub(crate) to: [f32; 2],
    pub(crate) y: f32,
    pub(crate) area: u8,
}

/// A flat rectangle of area 0 at height 0.
pub(crate) fn ground(from: [f32; 2], to: [f32; 2]) -> Face {
    Face {
        from,
        to,
        y: 0.0,
        area: 0,
    }
}

impl Face {
    pub(crate) fn of_area(self, area: u8) -> Self {
        Self { area, ..self }
    }
}

/// Faces as an .obj, each with corners of its own, counter-clockwise in (x, z).
pub(crate) fn obj(faces: &[Face]) -> String {
    let mut text = String::new();
    for (i, face) in faces.iter().enumerate() {
        let ([x0, z0], [x1, z1], y) = (face.from, face.to, face.y);
        for (x, z) in [(x0, z0), (x1, z0), (x1, z1), (x0, z1)] {
            writeln!(text, "v {x} {y} {z}").unwrap();
        }
        let v = 4 * i + 1;
        writeln!(text, "usemtl area{}", face.area).unwrap();
        writeln!(text, "f {v} {} {} {}", v + 1, v + 2, v + 3).unwrap();
    }
    text
}

/// Three squares of 2 m in a row along x, and an island of two squares that begins 4 m further on.
/// Polygons 0, 1, 2 and 3, 4.
pub(crate) fn two_islands() -> Vec<Face> {
    let square = |x: f32| ground([x, 0.0], [x + 2.0, 2.0]);
    [0.0, 2.0, 4.0, 10.0, 12.0].map(square).into()
}

/// Two rooms of 4 m and a door of area 7 between them, 1 m wide. Polygons 0, 2 and 1.
pub(crate) fn rooms_with_door() -> Vec<Face> {
    vec![
        ground([0.0, 0.0], [4.0, 4.0]),
        ground([4.0, 1.5], [5.0, 2.5]).of_area(7),
        ground([5.0, 0.0], [9.0, 4.0]),
    ]
}

/// A straight way of squares of 2 m, 0, 1 and 2, whose middle is of area 3, and a way around it, 3,
/// 4 and 5, whose middle is of area 4.
pub(crate) fn two_ways() -> Vec<Face> {
    let square = |x: f32, z: f32| ground([x, z], [x + 2.0, z + 2.0]);
    vec![
        square(0.0, 0.0),
        square(2.0, 0.0).of_area(3),
        square(4.0, 0.0),
        square(0.0, 2.0),
        square(2.0, 2.0).of_area(4),
        square(4.0, 2.0),
    ]
}

/// The fields of an object, in order.
#[track_caller]
pub(crate) fn fields(object: &Value) -> Vec<&str> {
    let object = object.as_object().expect("an object");
    let mut names: Vec<&str> = object.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[track_caller]
pub(crate) fn number(object: &Value, field: &str) -> f64 {
    let number = object[field].as_f64();
    number.unwrap_or_else(|| panic!("{field} is no number in {object:#}"))
}

#[track_caller]
pub(crate) fn count(object: &Value, field: &str) -> u64 {
    let count = object[field].as_u64();
    count.unwrap_or_else(|| panic!("{field} is no count in {object:#}"))
}

/// Every element with its attributes as they are written; panics unless tags nest, attributes are
/// quoted and there is one root.
#[track_caller]
pub(crate) fn xml_elements(text: &str) -> Vec<(String, String)> {
    let (mut elements, mut open) = (Vec::new(), Vec::new());
    let mut rest = text.trim();
    assert!(rest.starts_with('<'), "text before the root");
    while let Some(start) = rest.find('<') {
        let between = &rest[..start];
        assert!(!between.contains(['>', '&']), "bare markup in {between:?}");
        assert!(
            !open.is_empty() || between.trim().is_empty() && elements.is_empty(),
            "text or a second root after the root: {between:?}"
        );
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let (tag, closes) = tag
            .strip_suffix('/')
            .map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(char::is_alphanumeric), "element {name:?}");
        assert!(!attributes.contains('<'), "{attributes:?}");
        let mut left = attributes.trim();
        while !left.is_empty() {
            let (key, after) = left.split_once("=\"").expect("key=\"value\"");
            assert!(
                key.chars().all(|c| c.is_alphanumeric() || c == '-'),
                "{key:?}"
            );
            left = after.split_once('"').expect("a value ends").1.trim_start();
        }
        elements.push((name.to_owned(), attributes.to_owned()));
        if !closes {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    assert_eq!(rest, "", "text after the root");
    elements
}
