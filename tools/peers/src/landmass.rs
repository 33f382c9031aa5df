//! `landmass`: A* from border to border and a funnel, as games have it.
//!
//! It has no common lockfile with `polyanya`, so it is a program of its own, which stands beside this
//! one: `tools/peers-landmass` says how one talks to it.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use glam::Vec3;
use portolan_core::NavMesh;

use crate::peer::{Answer, Clocks, Parts, Peer, Status};
use crate::polyanya;

const PROGRAM: &str = "portolan-peers-landmass";

#[derive(Debug)]
pub(crate) struct Landmass {
    child: Child,
    to: BufWriter<ChildStdin>,
    from: BufReader<ChildStdout>,
    line: String,
    build_ms: f64,
    /// Polygons that landmass would refuse, which are not in its mesh.
    pub(crate) left_out: usize,
    trouble: Option<String>,
}

impl Landmass {
    /// The very same polygons, with one vertex wherever two meet at a portal: landmass joins what has
    /// two corners in common.
    pub(crate) fn start(mesh: &NavMesh) -> Result<Self, String> {
        let program = program()?;
        let (vertices, polygons) = polyanya::welded(mesh)?;
        let mut child = Command::new(&program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("it has no pipes".to_owned());
        };
        let mut this = Self {
            child,
            to: BufWriter::new(to),
            from: BufReader::new(from),
            line: String::new(),
            build_ms: 0.0,
            left_out: 0,
            trouble: None,
        };
        this.send(mesh, &vertices, &polygons)
            .and_then(|()| this.read_line())
            .map_err(|error| error.to_string())?;
        let words: Vec<&str> = this.line.split_whitespace().collect();
        let ready = match words[..] {
            ["ready", ms, left_out] => ms.parse().ok().zip(left_out.parse().ok()),
            _ => None,
        };
        let Some((build_ms, left_out)) = ready else {
            return Err(format!("it says `{}`", this.line.trim_end()));
        };
        (this.build_ms, this.left_out) = (build_ms, left_out);
        Ok(this)
    }

    fn send(&mut self, mesh: &NavMesh, vertices: &[Vec3], polygons: &[Vec<u32>]) -> io::Result<()> {
        let is_finer = mesh
            .polygons()
            .any(|polygon| !mesh.finer_surface(polygon).1.is_empty());
        let surfaces = if is_finer { polygons.len() } else { 0 };
        writeln!(self.to, "{} {} {surfaces}", vertices.len(), polygons.len())?;
        self.send_polygons(vertices, polygons)?;
        if is_finer {
            self.send_surfaces(mesh)?;
        }
        self.to.flush()
    }

    fn send_polygons(&mut self, vertices: &[Vec3], polygons: &[Vec<u32>]) -> io::Result<()> {
        for Vec3 { x, y, z } in vertices {
            writeln!(self.to, "{x} {y} {z}")?;
        }
        for polygon in polygons {
            for corner in polygon {
                write!(self.to, "{corner} ")?;
            }
            writeln!(self.to)?;
        }
        Ok(())
    }

    /// Corners and further points of every polygon; where triangles over them need more than 8 bits,
    /// or there are none, a fan of the corners.
    fn send_surfaces(&mut self, mesh: &NavMesh) -> io::Result<()> {
        for polygon in polyanya::order(mesh) {
            let corners = mesh.corners(polygon);
            let (mut points, triangles) = mesh.finer_surface(polygon);
            let is_fan = triangles.is_empty() || corners.len() + points.len() > 256;
            if is_fan {
                points = &[];
            }
            write!(self.to, "{}", corners.len() + points.len())?;
            let corner_points = corners.iter().map(|&v| mesh.vertices()[v as usize]);
            for Vec3 { x, y, z } in corner_points.chain(points.iter().copied()) {
                write!(self.to, " {x} {y} {z}")?;
            }
            if is_fan {
                for i in 2..corners.len() {
                    write!(self.to, " 0 {} {i}", i - 1)?;
                }
            } else {
                for [a, b, c] in triangles {
                    write!(self.to, " {a} {b} {c}")?;
                }
            }
            writeln!(self.to)?;
        }
        Ok(())
    }

    fn read_line(&mut self) -> io::Result<()> {
        self.line.clear();
        match self.from.read_line(&mut self.line)? {
            0 => Err(io::Error::other("it ended")),
            _ => Ok(()),
        }
    }

    fn talk(&mut self, from: Vec3, to: Vec3, answer: &mut Answer) -> io::Result<()> {
        self.line.clear();
        for Vec3 { x, y, z } in [from, to] {
            let _ = write!(self.line, "{x} {y} {z} ");
        }
        writeln!(self.to, "{}", self.line)?;
        self.to.flush()?;
        self.read_line()?;
        read_answer(&self.line, answer)
            .ok_or_else(|| io::Error::other(format!("it says `{}`", self.line.trim_end())))
    }
}

/// Beside this program; tests are one folder further down.
fn program() -> Result<PathBuf, String> {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut places = this.ancestors().skip(1).take(2);
    places
        .find_map(|folder| Some(folder.join(&name)).filter(|program| program.is_file()))
        .ok_or_else(|| {
            format!("there is no {name} beside this program; `cargo xtask peers` builds it")
        })
}

/// `STATUS WALL CPU LOCATE CORRIDOR x y z x y z ...`
fn read_answer(line: &str, answer: &mut Answer) -> Option<()> {
    let mut words = line.split_whitespace();
    answer.status = match words.next()? {
        "found" => Status::Found,
        "no_path" => Status::NoPath,
        "off_mesh" => Status::OffMesh,
        _ => return None,
    };
    let mut time = || words.next()?.parse().ok();
    let (wall, cpu) = (time()?, time()?);
    answer.own_clocks = Some(Clocks { wall, cpu });
    answer.parts = Parts {
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

    /// Search and string pulling are one call, and the corridor stays with landmass.
    fn ask(&mut self, from: Vec3, to: Vec3, answer: &mut Answer) {
        answer.clear();
        if self.trouble.is_some() {
            return;
        }
        if let Err(problem) = self.talk(from, to, answer) {
            self.trouble = Some(format!("{problem}, asked from {from} to {to}"));
        }
    }

    fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_status_times_and_waypoints() {
        let mut answer = Answer::default();
        let line = "found 9000 8000 1000 7000 1 2 3 4 5 6.5\n";
        assert_eq!(read_answer(line, &mut answer), Some(()));
        assert_eq!(answer.status, Status::Found);
        let clocks = Clocks {
            wall: 9000,
            cpu: 8000,
        };
        assert_eq!(answer.own_clocks, Some(clocks));
        assert_eq!((answer.parts.locate, answer.parts.corridor), (1000, 7000));
        let waypoints = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.5)];
        assert_eq!(answer.waypoints, waypoints);
        for line in [
            "",
            "found",
            "lost 1 1 1 1",
            "found 1 1 1 1 2 3",
            "found 1 1 x 1",
        ] {
            assert_eq!(read_answer(line, &mut Answer::default()), None, "{line}");
        }
    }
}
