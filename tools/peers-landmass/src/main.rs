//! Runs `landmass` for `portolan-peers`, which cannot share a lockfile with it, and answers queries over a pipe.
//!
//! The protocol consists of lines of words separated by spaces. Coordinates have y up, like Portolan's. The input starts
//! with the navmesh:
//! ```text
//! VERTICES POLYGONS SURFACES  the numbers of vertices, polygons and surfaces; then `typed` if each polygon is of a type of its own
//! x y z                       a line per vertex
//! corner corner corner...     a line per polygon, counter-clockwise in (x, z)
//! POINTS x y z... a b c...    a line per surface: its points, and triangles over them
//! ```
//! The number of surfaces is the number of polygons or 0. Typed polygons have no surfaces.
//!
//! The reply is `ready BUILD_MS LEFT_OUT`, where LEFT_OUT is the number of polygons that landmass rejects, or
//! `refused REASON`. Then the reply to each query `x y z x y z` is `STATUS WALL CPU LOCATE CORRIDOR x y z x y z ...`: the
//! status (`found`, `no_path` or `off_mesh`), times in nanoseconds, and the waypoints. Times are measured in this
//! process, so that they do not include the pipe.
//!
//! A change of the ground is `close POLYGON` or `open POLYGON` (the cost of its type), `replace` with a navmesh in the lines after it, or
//! `restore` for the first navmesh. The reply is `done NANOSECONDS`, or `refused REASON`.

mod island;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use landmass::Vec3;

use island::{Mesh, SingleIsland, Surface};

fn main() -> ExitCode {
    match serve(&mut io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("portolan-peers-landmass: {problem}");
            ExitCode::from(2)
        }
    }
}

fn serve(input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let mut line = String::new();
    let mesh = read_mesh(input, &mut line)?;
    let (mut island, left_out) = match SingleIsland::build(mesh) {
        Ok(built) => built,
        Err(problem) => {
            writeln!(output, "refused {problem}")?;
            return output.flush();
        }
    };
    writeln!(output, "ready {} {left_out}", island.build_ms)?;
    output.flush()?;
    while next_line(input, &mut line)? {
        if let Some(request) = ChangeRequest::read(&line)? {
            match change(&mut island, request, input, &mut line)? {
                Ok(time) => writeln!(output, "done {}", time.as_nanos())?,
                Err(problem) => writeln!(output, "refused {problem}")?,
            }
            output.flush()?;
            continue;
        }
        let &[a, b, c, d, e, f] = numbers::<f32>(&line)?.as_slice() else {
            return Err(invalid(&line));
        };
        answer(&island, [Vec3::new(a, b, c), Vec3::new(d, e, f)], output)?;
        output.flush()?;
    }
    Ok(())
}

/// A request to change the ground.
enum ChangeRequest {
    Close(usize),
    Open(usize),
    Replace,
    Restore,
}

impl ChangeRequest {
    /// Returns `None` for a query, which starts with a number.
    fn read(line: &str) -> io::Result<Option<Self>> {
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or_default();
        let mut polygon = || words.next().and_then(|index| index.parse().ok());
        Ok(match word {
            "close" => Some(Self::Close(polygon().ok_or_else(|| invalid(line))?)),
            "open" => Some(Self::Open(polygon().ok_or_else(|| invalid(line))?)),
            "replace" => Some(Self::Replace),
            "restore" => Some(Self::Restore),
            _ => None,
        })
    }
}

/// Changes the ground. Returns the time until it is in effect, or the reason why landmass refuses it.
fn change(
    island: &mut SingleIsland,
    request: ChangeRequest,
    input: &mut impl BufRead,
    line: &mut String,
) -> io::Result<Result<Duration, String>> {
    Ok(match request {
        ChangeRequest::Close(polygon) => island.set_cost(polygon, f32::INFINITY),
        ChangeRequest::Open(polygon) => island.set_cost(polygon, 1.0),
        ChangeRequest::Replace => {
            let mesh = read_mesh(input, line)?;
            island.replace(mesh)
        }
        ChangeRequest::Restore => island.restore(),
    })
}

fn answer(island: &SingleIsland, [from, to]: [Vec3; 2], output: &mut impl Write) -> io::Result<()> {
    let cpu = ThreadTime::now();
    let wall = Instant::now();
    let answer = island.query(from, to);
    let wall = wall.elapsed().as_nanos();
    let cpu = cpu.elapsed().as_nanos();
    let (status, locate, corridor) = (answer.status, answer.locate, answer.corridor);
    write!(output, "{status} {wall} {cpu} {locate} {corridor}")?;
    for point in answer.waypoints {
        write!(output, " {} {} {}", point.x, point.y, point.z)?;
    }
    writeln!(output)
}

fn read_mesh(input: &mut impl BufRead, line: &mut String) -> io::Result<Mesh> {
    next_line(input, line)?;
    let (counts, is_typed) = match line.trim_end().strip_suffix(" typed") {
        Some(counts) => (counts, true),
        None => (line.as_str(), false),
    };
    let &[vertices, polygons, surfaces] = numbers::<usize>(counts)?.as_slice() else {
        return Err(invalid(line));
    };
    let mut mesh = Mesh::default();
    for _ in 0..vertices {
        next_line(input, line)?;
        let &[x, y, z] = numbers::<f32>(line)?.as_slice() else {
            return Err(invalid(line));
        };
        mesh.vertices.push(Vec3::new(x, y, z));
    }
    for _ in 0..polygons {
        next_line(input, line)?;
        mesh.polygons.push(numbers(line)?);
    }
    // Type 0 is that of all polygons of a navmesh without types.
    let types = 1..=polygons;
    mesh.types = types.map(|kind| if is_typed { kind } else { 0 }).collect();
    if surfaces != 0 && surfaces != polygons {
        return Err(io::Error::other(
            "the numbers of surfaces and polygons differ",
        ));
    }
    for _ in 0..surfaces {
        next_line(input, line)?;
        mesh.surfaces
            .push(surface(line).ok_or_else(|| invalid(line))?);
    }
    Ok(mesh)
}

fn surface(line: &str) -> Option<Surface> {
    let (count, words) = line.split_once(' ')?;
    let words: Vec<&str> = words.split_whitespace().collect();
    let (points, triangles) = words.split_at_checked(count.parse::<usize>().ok()? * 3)?;
    let point = |words: &[&str; 3]| {
        let [x, y, z] = words.map(|word| word.parse().ok());
        Some(Vec3::new(x?, y?, z?))
    };
    let triangle = |words: &[&str; 3]| {
        let [a, b, c] = words.map(|word| word.parse().ok());
        Some([a?, b?, c?])
    };
    Some(Surface {
        points: points
            .as_chunks()
            .0
            .iter()
            .map(point)
            .collect::<Option<_>>()?,
        triangles: triangles
            .as_chunks()
            .0
            .iter()
            .map(triangle)
            .collect::<Option<_>>()?,
    })
}

/// Reads a line. Returns `false` at the end of the input.
fn next_line(input: &mut impl BufRead, line: &mut String) -> io::Result<bool> {
    line.clear();
    Ok(input.read_line(line)? > 0)
}

fn numbers<N: std::str::FromStr>(line: &str) -> io::Result<Vec<N>> {
    let words = line.split_whitespace();
    words
        .map(|word| word.parse().map_err(|_| invalid(line)))
        .collect()
}

fn invalid(line: &str) -> io::Error {
    io::Error::other(format!("invalid input: `{}`", line.trim_end()))
}
