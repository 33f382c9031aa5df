//! `landmass`, a navigation library for games: A* over the edges of polygons, and a funnel.
//!
//! It cannot share a lockfile with `polyanya`, so it runs in a program of its own. `tools/peers-landmass` documents the
//! protocol.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use glam::Vec3;
use portolan_core::NavMesh;

use crate::peer::{Clocks, Peer, PeerAnswer, PeerStatus, StepTimes};
use crate::polyanya;
use crate::welded::WeldedMesh;

const PROGRAM: &str = "portolan-peers-landmass";

/// A running landmass process.
#[derive(Debug)]
pub(crate) struct Landmass {
    child: Child,
    stdin: BufWriter<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    /// The buffer for a line to send or a line that was read.
    line: String,
    build_ms: f64,
    /// The number of polygons that landmass rejects, and that are left out of its navmesh.
    pub(crate) left_out: usize,
    failure: Option<String>,
}

impl Landmass {
    /// Starts the process and sends it the navmesh. Landmass connects polygons with two common vertices, so vertices
    /// are inserted at the ends of portals.
    pub(crate) fn start(mesh: &NavMesh) -> Result<Self, String> {
        Self::start_as(mesh, "")
    }

    /// Starts the process with a navmesh whose polygons can be closed one by one: each is of a type of its own, and has no finer
    /// surface.
    pub(crate) fn start_with_doors(mesh: &NavMesh) -> Result<Self, String> {
        Self::start_as(mesh, " typed")
    }

    fn start_as(mesh: &NavMesh, kind: &str) -> Result<Self, String> {
        let program = program()?;
        let welded = WeldedMesh::new(mesh)?;
        let mut child = Command::new(&program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the process has no pipes".to_owned());
        };
        let mut this = Self {
            child,
            stdin: BufWriter::new(stdin),
            stdout: BufReader::new(stdout),
            line: String::new(),
            build_ms: 0.0,
            left_out: 0,
            failure: None,
        };
        let sent = if kind.is_empty() {
            this.send(mesh, &welded)
        } else {
            this.send_flat(&welded, kind)
        };
        sent.and_then(|()| this.read_line())
            .map_err(|error| error.to_string())?;
        let words: Vec<&str> = this.line.split_whitespace().collect();
        let ready = match words[..] {
            ["ready", ms, left_out] => ms.parse().ok().zip(left_out.parse().ok()),
            _ => None,
        };
        let Some((build_ms, left_out)) = ready else {
            return Err(format!("unexpected reply `{}`", this.line.trim_end()));
        };
        (this.build_ms, this.left_out) = (build_ms, left_out);
        Ok(this)
    }

    fn send(&mut self, mesh: &NavMesh, welded: &WeldedMesh) -> io::Result<()> {
        let has_finer_surfaces = mesh
            .polygons()
            .any(|polygon| !mesh.finer_surface(polygon).1.is_empty());
        if !has_finer_surfaces {
            return self.send_flat(welded, "");
        }
        let (vertices, polygons) = (welded.vertices.len(), welded.polygons.len());
        writeln!(self.stdin, "{vertices} {polygons} {polygons}")?;
        self.send_polygons(&welded.vertices, &welded.polygons)?;
        self.send_surfaces(mesh)?;
        self.stdin.flush()
    }

    /// Sends a navmesh without finer surfaces. `kind` ends its first line.
    fn send_flat(&mut self, mesh: &WeldedMesh, kind: &str) -> io::Result<()> {
        let (vertices, polygons) = (mesh.vertices.len(), mesh.polygons.len());
        writeln!(self.stdin, "{vertices} {polygons} 0{kind}")?;
        self.send_polygons(&mesh.vertices, &mesh.polygons)?;
        self.stdin.flush()
    }

    /// Requests a change, and returns the time that it took in the process: `close POLYGON`, `open POLYGON` or `restore`.
    pub(crate) fn request_change(&mut self, request: &str) -> Result<Duration, String> {
        let sent = writeln!(self.stdin, "{request}").and_then(|()| self.stdin.flush());
        sent.map_err(|error| error.to_string())?;
        self.read_done()
    }

    /// Replaces the navmesh, and returns the time that landmass needs to check and adopt it.
    pub(crate) fn replace(&mut self, mesh: &WeldedMesh) -> Result<Duration, String> {
        let sent = writeln!(self.stdin, "replace").and_then(|()| self.send_flat(mesh, ""));
        sent.map_err(|error| error.to_string())?;
        self.read_done()
    }

    fn read_done(&mut self) -> Result<Duration, String> {
        self.read_line().map_err(|error| error.to_string())?;
        let nanoseconds = self.line.trim_end().strip_prefix("done ");
        let time = nanoseconds
            .and_then(|ns| ns.parse().ok())
            .map(Duration::from_nanos);
        time.ok_or_else(|| format!("unexpected reply `{}`", self.line.trim_end()))
    }

    fn send_polygons(&mut self, vertices: &[Vec3], polygons: &[Vec<u32>]) -> io::Result<()> {
        for Vec3 { x, y, z } in vertices {
            writeln!(self.stdin, "{x} {y} {z}")?;
        }
        for polygon in polygons {
            for corner in polygon {
                write!(self.stdin, "{corner} ")?;
            }
            writeln!(self.stdin)?;
        }
        Ok(())
    }

    /// Sends the points and triangles of every polygon's surface. If a polygon has no finer surface, or one whose
    /// indices need more than 8 bits, sends a triangle fan of its corners.
    fn send_surfaces(&mut self, mesh: &NavMesh) -> io::Result<()> {
        for polygon in polyanya::order(mesh) {
            let corners = mesh.corners(polygon);
            let (mut points, triangles) = mesh.finer_surface(polygon);
            let is_fan = triangles.is_empty() || corners.len() + points.len() > 256;
            if is_fan {
                points = &[];
            }
            write!(self.stdin, "{}", corners.len() + points.len())?;
            let corner_points = corners.iter().map(|&v| mesh.vertices()[v as usize]);
            for Vec3 { x, y, z } in corner_points.chain(points.iter().copied()) {
                write!(self.stdin, " {x} {y} {z}")?;
            }
            if is_fan {
                for i in 2..corners.len() {
                    write!(self.stdin, " 0 {} {i}", i - 1)?;
                }
            } else {
                for [a, b, c] in triangles {
                    write!(self.stdin, " {a} {b} {c}")?;
                }
            }
            writeln!(self.stdin)?;
        }
        Ok(())
    }

    fn read_line(&mut self) -> io::Result<()> {
        self.line.clear();
        match self.stdout.read_line(&mut self.line)? {
            0 => Err(io::Error::other("the process has ended")),
            _ => Ok(()),
        }
    }

    fn request(&mut self, from: Vec3, to: Vec3, answer: &mut PeerAnswer) -> io::Result<()> {
        self.line.clear();
        for Vec3 { x, y, z } in [from, to] {
            let _ = write!(self.line, "{x} {y} {z} ");
        }
        writeln!(self.stdin, "{}", self.line)?;
        self.stdin.flush()?;
        self.read_line()?;
        read_answer(&self.line, answer)
            .ok_or_else(|| io::Error::other(format!("unexpected reply `{}`", self.line.trim_end())))
    }
}

/// Returns the path of the landmass program. It is in the folder of this program, or one folder up for tests.
fn program() -> Result<PathBuf, String> {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut folders = this.ancestors().skip(1).take(2);
    folders
        .find_map(|folder| Some(folder.join(&name)).filter(|program| program.is_file()))
        .ok_or_else(|| {
            format!("{name} is not in the folder of this program; `cargo xtask peers` builds it")
        })
}

/// Parses an answer: `STATUS WALL CPU LOCATE CORRIDOR x y z x y z ...`.
fn read_answer(line: &str, answer: &mut PeerAnswer) -> Option<()> {
    let mut words = line.split_whitespace();
    answer.status = match words.next()? {
        "found" => PeerStatus::Found,
        "no_path" => PeerStatus::NoPath,
        "off_mesh" => PeerStatus::OffMesh,
        _ => return None,
    };
    let mut time = || words.next()?.parse().ok();
    let (wall, cpu) = (time()?, time()?);
    answer.own_clocks = Some(Clocks { wall, cpu });
    answer.times = StepTimes {
        locate: time()?,
        corridor: time()?,
        waypoints: 0,
    };
    while let Some(x) = words.next() {
        let [y, z] = [words.next()?, words.next()?];
        let point = Vec3::new(x.parse().ok()?, y.parse().ok()?, z.parse().ok()?);
        answer.waypoints.push(point);
    }
    Some(())
}

impl Drop for Landmass {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Peer for Landmass {
    fn name(&self) -> &str {
        "landmass"
    }

    fn build_ms(&self) -> f64 {
        self.build_ms
    }

    fn bytes(&self) -> Option<usize> {
        None
    }

    /// Landmass searches and pulls the string in one call, and does not return the corridor.
    fn query(&mut self, from: Vec3, to: Vec3, answer: &mut PeerAnswer) {
        answer.clear();
        if self.failure.is_some() {
            return;
        }
        if let Err(problem) = self.request(from, to, answer) {
            self.failure = Some(format!("{problem}, for the query from {from} to {to}"));
        }
    }

    fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_consists_of_status_times_and_waypoints() {
        let mut answer = PeerAnswer::default();
        let line = "found 9000 8000 1000 7000 1 2 3 4 5 6.5\n";
        assert_eq!(read_answer(line, &mut answer), Some(()));
        assert_eq!(answer.status, PeerStatus::Found);
        let clocks = Clocks {
            wall: 9000,
            cpu: 8000,
        };
        assert_eq!(answer.own_clocks, Some(clocks));
        assert_eq!((answer.times.locate, answer.times.corridor), (1000, 7000));
        let waypoints = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.5)];
        assert_eq!(answer.waypoints, waypoints);
        for line in [
            "",
            "found",
            "lost 1 1 1 1",
            "found 1 1 1 1 2 3",
            "found 1 1 x 1",
        ] {
            assert_eq!(
                read_answer(line, &mut PeerAnswer::default()),
                None,
                "{line}"
            );
        }
    }
}
