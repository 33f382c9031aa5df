//! `landmass`, asked over a pipe by `portolan-peers`, with which it has no common lockfile.
//!
//! Lines of words, in our axes (y up). First the navmesh:
//! ```text
//! VERTICES POLYGONS SURFACES
//! x y z                    a line each
//! corner corner corner...  a line each, counter-clockwise in (x, z)
//! POINTS x y z... a b c... a line each: a polygon's points and the triangles over them
//! ```
//! There are as many finer surfaces as polygons, or none.
//!
//! It is answered by `ready BUILD_MS LEFT_OUT`, the latter the number of polygons that landmass would
//! refuse, or by `refused WHY`. Then each query, `x y z x y z`, is answered by
//! `STATUS WALL CPU LOCATE CORRIDOR x y z x y z ...`: `found`, `no_path` or `off_mesh`, nanoseconds,
//! and the waypoints. Times are measured here, so that the pipe is not in them.

mod island;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Instant;

use cpu_time::ThreadTime;
use landmass::Vec3;

use island::{Lone, Mesh, Surface};

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
    let (lone, left_out) = match Lone::build(mesh) {
        Ok(built) => built,
        Err(problem) => {
            writeln!(output, "refused {problem}")?;
            return output.flush();
        }
    };
    writeln!(output, "ready {} {left_out}", lone.build_ms)?;
    output.flush()?;
    while next_line(input, &mut line)? {
        let &[a, b, c, d, e, f] = numbers::<f32>(&line)?.as_slice() else {
            return Err(wrong(&line));
        };
        answer(&lone, [Vec3::new(a, b, c), Vec3::new(d, e, f)], output)?;
        output.flush()?;
    }
    Ok(())
}

fn answer(lone: &Lone, [from, to]: [Vec3; 2], output: &mut impl Write) -> io::Result<()> {
    let cpu = ThreadTime::now();
    let wall = Instant::now();
    let answer = lone.ask(from, to);
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
    let &[vertices, polygons, surfaces] = numbers::<usize>(line)?.as_slice() else {
        return Err(wrong(line));
    };
    let mut mesh = Mesh::default();
    for _ in 0..vertices {
        next_line(input, line)?;
        let &[x, y, z] = numbers::<f32>(line)?.as_slice() else {
            return Err(wrong(line));
        };
        mesh.vertices.push(Vec3::new(x, y, z));
    }
    for _ in 0..polygons {
        next_line(input, line)?;
        mesh.polygons.push(numbers(line)?);
    }
    if surfaces != 0 && surfaces != polygons {
        return Err(io::Error::other("not a surface for each polygon"));
    }
    for _ in 0..surfaces {
        next_line(input, line)?;
        mesh.surfaces
            .push(surface(line).ok_or_else(|| wrong(line))?);
    }
    Ok(mesh)
}

fn surface(line: &str) -> Option<Surface> {
    let (points, rest) = line.split_once(' ')?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (points, triangles) = words.split_at_checked(points.parse::<usize>().ok()? * 3)?;
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

/// `false` at the end.
fn next_line(input: &mut impl BufRead, line: &mut String) -> io::Result<bool> {
    line.clear();
    Ok(input.read_line(line)? > 0)
}

fn numbers<N: std::str::FromStr>(line: &str) -> io::Result<Vec<N>> {
    let words = line.split_whitespace();
    words
        .map(|word| word.parse().map_err(|_| wrong(line)))
        .collect()
}

fn wrong(line: &str) -> io::Error {
    io::Error::other(format!("not what was expected: `{}`", line.trim_end()))
}
