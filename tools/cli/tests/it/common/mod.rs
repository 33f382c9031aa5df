//! Helpers of all tests: a folder to run the program in, and small navmeshes.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The options of a query from one end of the scene `rooms --size small` to the other.
pub(crate) const QUERY: &str = "--from 3,0,3 --to 40,0,30";

/// A new folder in which commands run. It is removed when this value is dropped.
pub(crate) struct Folder(TempDir);

/// How a command ended.
#[derive(Debug)]
pub(crate) struct CommandRun {
    /// The arguments.
    #[allow(dead_code, reason = "messages print it with `Debug`")]
    pub(crate) args: String,
    /// `None` if a signal ended the command.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Returns a folder with `world.pnav`, imported from faces.
    pub(crate) fn with_world(faces: &[GroundFace]) -> Self {
        let folder = Self::new();
        folder.write("world.obj", obj(faces));
        folder.run("import world.obj -o world.pnav -q").succeeded();
        std::fs::remove_file(folder.path("world.obj")).unwrap();
        folder
    }

    /// Returns a folder with `world.pnav`, a built-in scene generated with these options.
    pub(crate) fn with_scene(options: &str) -> Self {
        let folder = Self::new();
        folder
            .run(&format!("scene {options} -o world.pnav -q"))
            .succeeded();
        folder
    }

    /// Returns a folder with `world.pnav` of about 1000 polygons and its `world.pidx` with three levels.
    /// `options` are further options of `portolan index`.
    pub(crate) fn with_index(options: &str) -> Self {
        let folder = Self::with_scene("rooms --size small --links --areas");
        let line = format!("index world.pnav -o world.pidx --mu 6 -q {options}");
        assert_eq!(folder.run(&line).succeeded().stdout, "");
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

    /// Returns the names of all files, including hidden ones, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Returns a command that runs the program in this folder, without variables that change its colours.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portolan"));
        command
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE");
        command
    }

    /// Runs a command line, which is split at spaces.
    pub(crate) fn run(&self, line: &str) -> CommandRun {
        self.run_args(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs the program with arguments, which may contain spaces.
    pub(crate) fn run_args(&self, args: &[&str]) -> CommandRun {
        self.run_in(args, &[])
    }

    /// Runs the program with arguments and variables of the environment.
    pub(crate) fn run_in(&self, args: &[&str], variables: &[(&str, &str)]) -> CommandRun {
        let mut command = self.command();
        let output = command.args(args).envs(variables.iter().copied()).output();
        CommandRun::new(args.join(" "), &output.unwrap())
    }
}

impl CommandRun {
    fn new(args: String, output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self {
            args,
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// Asserts exit code 0 and an empty stderr.
    #[track_caller]
    pub(crate) fn succeeded(self) -> Self {
        self.ended(0)
    }

    /// Asserts exit code 1, which means "no", and an empty stderr.
    #[track_caller]
    pub(crate) fn answered_no(self) -> Self {
        self.ended(1)
    }

    #[track_caller]
    fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert_eq!(self.stderr, "", "{self:#?}");
        assert!(!self.stdout.contains('\x1b'), "colours: {self:#?}");
        self
    }

    /// Asserts exit code 2, an empty stdout, and one line on stderr that contains all of these parts.
    #[track_caller]
    pub(crate) fn failed_with(self, parts: &[&str]) -> Self {
        assert_eq!(self.code, Some(2), "{self:#?}");
        assert_eq!(self.stdout, "", "{self:#?}");
        assert!(self.stderr.starts_with("portolan: "), "{self:#?}");
        assert!(self.stderr.ends_with('\n'), "{self:#?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:#?}");
        let is_plain = |c: char| c == '\n' || !c.is_control();
        assert!(self.stderr.chars().all(is_plain), "{self:#?}");
        for part in parts {
            assert!(self.stderr.contains(part), "no '{part}': {self:#?}");
        }
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// A level rectangle of ground between two opposite corners (x, z).
#[derive(Clone, Copy)]
pub(crate) struct GroundFace {
    pub(crate) from: [f32; 2],
    pub(crate) to: [f32; 2],
    pub(crate) y: f32,
    pub(crate) area: u8,
}

/// Returns a rectangle of area 0 at height 0.
pub(crate) fn ground(from: [f32; 2], to: [f32; 2]) -> GroundFace {
    GroundFace {
        from,
        to,
        y: 0.0,
        area: 0,
    }
}

impl GroundFace {
    pub(crate) fn with_area(self, area: u8) -> Self {
        Self { area, ..self }
    }
}

/// Returns the faces as an .obj. Faces share no vertices, and are counter-clockwise in (x, z).
pub(crate) fn obj(faces: &[GroundFace]) -> String {
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

/// Returns two islands: three squares of 2 m in a row along x, with the polygons 0, 1 and 2, and 4 m further
/// along x two squares, with the polygons 3 and 4.
pub(crate) fn two_islands() -> Vec<GroundFace> {
    let square = |x: f32| ground([x, 0.0], [x + 2.0, 2.0]);
    [0.0, 2.0, 4.0, 10.0, 12.0].map(square).into()
}

/// Returns two rooms of 4 m, with the polygons 0 and 2, and a door between them, polygon 1, which is 1 m wide
/// and of area 7.
pub(crate) fn rooms_with_door() -> Vec<GroundFace> {
    vec![
        ground([0.0, 0.0], [4.0, 4.0]),
        ground([4.0, 1.5], [5.0, 2.5]).with_area(7),
        ground([5.0, 0.0], [9.0, 4.0]),
    ]
}

/// Returns a direct route over three squares of 2 m, with the polygons 0, 1 and 2, and a detour over the
/// polygons 3, 4 and 5. The middle square of the direct route has area 3, that of the detour area 4.
pub(crate) fn two_routes() -> Vec<GroundFace> {
    let square = |x: f32, z: f32| ground([x, z], [x + 2.0, z + 2.0]);
    vec![
        square(0.0, 0.0),
        square(2.0, 0.0).with_area(3),
        square(4.0, 0.0),
        square(0.0, 2.0),
        square(2.0, 2.0).with_area(4),
        square(4.0, 2.0),
    ]
}

/// Returns the names of the fields of an object, sorted.
#[track_caller]
pub(crate) fn fields(object: &Value) -> Vec<&str> {
    let object = object.as_object().expect("the value is an object");
    let mut names: Vec<&str> = object.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[track_caller]
pub(crate) fn number(object: &Value, field: &str) -> f64 {
    let number = object[field].as_f64();
    number.unwrap_or_else(|| panic!("{field} is not a number in {object:#}"))
}

#[track_caller]
pub(crate) fn count(object: &Value, field: &str) -> u64 {
    let count = object[field].as_u64();
    count.unwrap_or_else(|| panic!("{field} is not a count in {object:#}"))
}

/// Returns the names of all elements with the text of their attributes. Panics unless tags are nested,
/// attributes are quoted and there is one root.
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
        let end = start + rest[start..].find('>').expect("the tag is closed");
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
            left = after.split_once('"').expect("the value is closed").1;
            left = left.trim_start();
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
