//! Bakes the levels in the folder of maps and compares the navmeshes with those of Recast C++.
//!
//! It compares the number of polygons and, on one level, how many reference queries find a path.

use std::path::Path;
use std::time::Instant;

use crate::maps::{io_error, number, queries_csv, read, references};
use crate::shell::{self, command};

/// A level, the options to bake it with, and the expected result.
struct BakedLevel {
    map: &'static str,
    options: &'static str,
    /// The number of polygons that Recast C++ builds with the same options.
    polygons: f64,
    /// The largest accepted difference from `polygons`.
    tolerance: f64,
    /// How many of the 1 000 reference queries must find a path. Not all of them do: they were drawn
    /// on another navmesh, and this one may have no ground at a start or goal.
    min_found: Option<f64>,
}

const LEVELS: [BakedLevel; 4] = [
    BakedLevel {
        map: "dungeon",
        options: "",
        polygons: 118.0,
        tolerance: 6.0,
        min_found: None,
    },
    BakedLevel {
        map: "nav_test",
        options: "",
        polygons: 155.0,
        tolerance: 8.0,
        min_found: None,
    },
    BakedLevel {
        map: "lq_e1m1",
        options: "--cell-size 0.15 --cell-height 0.1 --agent-height 1.75 --agent-radius 0.5 \
                  --agent-climb 0.5625",
        polygons: 1_702.0,
        tolerance: 170.0,
        min_found: None,
    },
    BakedLevel {
        map: "vaduz",
        options: "--cell-size 0.5 --cell-height 0.5 --agent-radius 0.5",
        polygons: 13_550.0,
        tolerance: 2_032.0,
        min_found: Some(990.0),
    },
];

/// Bakes the levels that are in `folder`, prints a line per level and returns the failed checks.
pub(crate) fn run(portolan: &Path, folder: &Path, work: &Path) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for level in &LEVELS {
        if folder.join(format!("{}.obj", level.map)).is_file() {
            faults.extend(bake(portolan, folder, work, level)?);
        }
    }
    Ok(faults)
}

fn bake(
    portolan: &Path,
    folder: &Path,
    work: &Path,
    level: &BakedLevel,
) -> Result<Vec<String>, String> {
    let map = level.map;
    let geometry = folder.join(format!("{map}.obj"));
    let world = work.join(format!("{map}.baked.pnav"));
    let mut bake = command(work, portolan, ["bake", "-q"]);
    bake.arg(&geometry).arg("-o").arg(&world);
    bake.args(level.options.split_whitespace());
    let start = Instant::now();
    shell::capture(&mut bake)?;
    let seconds = start.elapsed().as_secs_f64();
    let mut info = command(work, portolan, ["info", "--json"]);
    let info = shell::capture(info.arg(&world))?;
    let info = String::from_utf8_lossy(&info.stdout);
    let polygons =
        number(&info, "polygons").ok_or("the output of `portolan info` has no `polygons`")?;
    let mut line = format!(
        "   {map} baked in {seconds:.2} s: {polygons} polygons, Recast C++ {}",
        level.polygons
    );
    let mut faults = Vec::new();
    if (polygons - level.polygons).abs() > level.tolerance {
        faults.push(format!(
            "{map}: the bake has {polygons} polygons, expected {} ± {}",
            level.polygons, level.tolerance
        ));
    }
    if let Some(min_found) = level.min_found {
        let found = count_found(portolan, folder, work, map, &world)?;
        line += &format!("; {found} of the reference queries find a path");
        if found < min_found {
            faults.push(format!(
                "{map}: {found} queries find a path on the bake, expected at least {min_found}"
            ));
        }
    }
    println!("{line}");
    Ok(faults)
}

/// Returns the number of reference queries for which A* finds a path in `world`.
fn count_found(
    portolan: &Path,
    folder: &Path,
    work: &Path,
    map: &str,
    world: &Path,
) -> Result<f64, String> {
    let file = folder.join(format!("{map}.queries.txt"));
    let references =
        references(&read(&file)?).map_err(|problem| format!("{}: {problem}", file.display()))?;
    let queries = work.join(format!("{map}.baked.csv"));
    std::fs::write(&queries, queries_csv(&references))
        .map_err(|error| io_error(&queries, &error))?;
    let figures = work.join(format!("{map}.baked.json"));
    let mut bench = command(work, portolan, ["bench", "-q", "--engines", "astar"]);
    bench.arg(world).arg("--queries").arg(&queries);
    shell::capture_codes(bench.arg("--json").arg(&figures), &[0, 1])?;
    number(&read(&figures)?, "found")
        .ok_or_else(|| "the output of `portolan bench` has no `found`".to_owned())
}
