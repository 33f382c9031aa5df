//! Checks the lengths of paths on real maps against reference answers, and measures the query times.
//!
//! The maps are not part of the repository; they are in a folder next to the checkout. A map is a pair
//! of files, `NAME.navmesh.obj` and `NAME.queries.txt`. A line of the latter is
//! `start_polygon sx sy sz goal_polygon gx gy gz detour_xz detour_3d optimum_xz`, with lengths in
//! metres. The optimum is the length of the shortest any-angle path in the (x, z) plane. `#` starts a
//! comment. If `NAME.obj`, the level that the navmesh was built from, is there too, [`bakes`] bakes it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

use crate::shell::{self, command};
use crate::steps::StepOutcome;
use crate::{TestPlan, bakes, programs};

/// The largest accepted mean ratio of path length to optimum. A path is the shortest in its corridor, but the
/// corridor is the cheapest in a graph of portal midpoints, so the mean is above 1.
const MAX_MEAN_RATIO: f64 = 1.02;

/// The smallest accepted ratio of path length to optimum. It is below 1 because the reference is rounded.
const MIN_RATIO: f64 = 0.999;

const HEADINGS: [&str; 11] = [
    "map",
    "polygons",
    "found",
    "mismatches",
    "mean",
    "min",
    "max",
    "query",
    "locate",
    "search",
    "waypoints",
];

/// The used columns of a line of `NAME.queries.txt`.
#[derive(Debug, PartialEq)]
pub(crate) struct ReferenceQuery {
    /// Start and goal as in the file: `sx,sy,sz,gx,gy,gz`.
    endpoints: String,
    optimum_xz: f64,
}

/// The results for one map.
#[derive(Clone, Debug)]
struct MapResults {
    map: String,
    polygons: f64,
    queries: usize,
    found: f64,
    /// The number of costs that differ from those of Dijkstra's algorithm.
    mismatches: f64,
    /// The ratio of path length to optimum in the (x, z) plane.
    ratio: RatioSummary,
    /// Mean times in microseconds: the entire query, point location, search, waypoints.
    micros: [f64; 4],
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct RatioSummary {
    mean: f64,
    min: f64,
    max: f64,
}

/// Returns the folder of the maps if the caller names none: `shared/maps`, next to the checkout.
pub(crate) fn default_folder(root: &Path) -> PathBuf {
    root.parent().unwrap_or(root).join("shared").join("maps")
}

pub(crate) fn run_step(plan: &TestPlan) -> Result<StepOutcome, String> {
    run(&plan.root, &default_folder(&plan.root))
}

/// Measures every map in a folder, prints a table and fails if a check fails.
pub(crate) fn run(root: &Path, folder: &Path) -> Result<StepOutcome, String> {
    if !folder.is_dir() {
        let reason = format!("the folder {} does not exist", folder.display());
        return Ok(StepOutcome::Skipped(reason));
    }
    // The commands below run in another folder.
    let folder = std::path::absolute(folder).map_err(|error| io_error(folder, &error))?;
    let maps = maps_in(&folder)?;
    if maps.is_empty() {
        let folder = folder.display();
        return Err(format!(
            "{folder} has no NAME.navmesh.obj with a NAME.queries.txt"
        ));
    }
    let portolan =
        programs::build_release(root)?.join(format!("portolan{}", env::consts::EXE_SUFFIX));
    let work = TemporaryFolder::new()?;
    let measured = maps
        .iter()
        .map(|map| measure(&portolan, &folder, &work.0, map))
        .collect::<Result<Vec<_>, _>>()?;
    print!("{}", table(&measured));
    let mut faults: Vec<_> = measured.iter().flat_map(faults).collect();
    faults.extend(bakes::run(&portolan, &folder, &work.0)?);
    if faults.is_empty() {
        Ok(StepOutcome::Passed)
    } else {
        Err(faults.join("; "))
    }
}

/// Returns the names of all maps in a folder that have both files, sorted.
fn maps_in(folder: &Path) -> Result<Vec<String>, String> {
    let mut maps = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| io_error(folder, &error))? {
        let name = entry.map_err(|error| io_error(folder, &error))?.file_name();
        if let Some(map) = name.to_str().and_then(|n| n.strip_suffix(".navmesh.obj"))
            && folder.join(format!("{map}.queries.txt")).is_file()
        {
            maps.push(map.to_owned());
        }
    }
    maps.sort();
    Ok(maps)
}

/// Imports one map and measures its queries, with the commands that a user would run.
fn measure(portolan: &Path, folder: &Path, work: &Path, map: &str) -> Result<MapResults, String> {
    println!("   {map}");
    let work_file = |extension: &str| work.join(format!("{map}.{extension}"));
    let (world, queries) = (work_file("pnav"), work_file("queries.csv"));
    let (lengths, figures) = (work_file("lengths.csv"), work_file("bench.json"));

    let mesh = folder.join(format!("{map}.navmesh.obj"));
    let mut import = command(work, portolan, ["import"]);
    shell::capture(import.arg(mesh).arg("-o").arg(&world).arg("-q"))?;

    let file = folder.join(format!("{map}.queries.txt"));
    let references =
        references(&read(&file)?).map_err(|problem| format!("{}: {problem}", file.display()))?;
    fs::write(&queries, queries_csv(&references)).map_err(|error| io_error(&queries, &error))?;

    let mut bench = command(work, portolan, ["bench"]);
    bench.arg(&world).arg("--queries").arg(&queries);
    bench.args(["--engines", "astar", "--rounds", "5", "-q"]);
    bench.arg("--lengths").arg(&lengths);
    bench.arg("--json").arg(&figures);
    // `bench` exits with 1 if costs differ from Dijkstra's. It has then written all files, and the map gets its
    // row in the table.
    shell::capture_codes(&mut bench, &[0, 1])?;
    summarize(map, &references, &read(&lengths)?, &read(&figures)?)
        .map_err(|problem| format!("{map}: {problem}"))
}

/// Parses a file of reference queries. An error names the line.
pub(crate) fn references(text: &str) -> Result<Vec<ReferenceQuery>, String> {
    let lines = (1..).zip(text.lines());
    let lines = lines.map(|(number, line)| (number, line.split('#').next().unwrap_or("").trim()));
    lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| {
            reference(line).map_err(|problem| format!("line {number}: {problem}"))
        })
        .collect()
}

fn reference(line: &str) -> Result<ReferenceQuery, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[_, sx, sy, sz, _, gx, gy, gz, _, _, optimum] = words.as_slice() else {
        return Err(format!("{} columns instead of 11", words.len()));
    };
    let endpoints = [sx, sy, sz, gx, gy, gz];
    for word in endpoints {
        finite(word)?;
    }
    let optimum_xz = finite(optimum)?;
    if optimum_xz <= 0.0 {
        return Err(format!("the optimum is {optimum}, which is not above 0"));
    }
    Ok(ReferenceQuery {
        endpoints: endpoints.join(","),
        optimum_xz,
    })
}

fn finite(word: &str) -> Result<f64, String> {
    let number = word.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("`{word}` is not a number"))
}

/// Returns the queries in the format that `portolan bench --queries` reads.
pub(crate) fn queries_csv(references: &[ReferenceQuery]) -> String {
    let mut csv = "sx,sy,sz,gx,gy,gz\n".to_owned();
    for reference in references {
        csv.push_str(&reference.endpoints);
        csv.push('\n');
    }
    csv
}

fn summarize(
    map: &str,
    references: &[ReferenceQuery],
    lengths: &str,
    bench: &str,
) -> Result<MapResults, String> {
    let lengths = lengths_xz(lengths)?;
    if lengths.len() != references.len() {
        let (lengths, queries) = (lengths.len(), references.len());
        return Err(format!("{lengths} lengths for {queries} queries"));
    }
    let ratios = references.iter().zip(lengths);
    let ratios = ratios.filter_map(|(reference, length)| Some(length? / reference.optimum_xz));
    let figure = |key: &str| {
        number(bench, key).ok_or_else(|| format!("the output of `bench` has no `{key}`"))
    };
    Ok(MapResults {
        map: map.to_owned(),
        polygons: figure("polygons")?,
        queries: references.len(),
        found: figure("found")?,
        mismatches: figure("cost_mismatches")?,
        ratio: RatioSummary::of(ratios),
        micros: [
            figure("mean_us")?,
            figure("locate_us")?,
            figure("search_us")?,
            figure("waypoints_us")?,
        ],
    })
}

/// Returns the column `length_xz` of the file that `--lengths` writes, with `None` for a query without a path.
/// The file quotes no field.
fn lengths_xz(csv: &str) -> Result<Vec<Option<f64>>, String> {
    let mut lines = (1..).zip(csv.lines());
    let header: Vec<&str> = lines
        .next()
        .map_or("", |(_, line)| line)
        .split(',')
        .collect();
    let column = |name: &str| {
        let index = header.iter().position(|&heading| heading == name);
        index.ok_or_else(|| format!("the lengths have no column `{name}`"))
    };
    let (status, length) = (column("status")?, column("length_xz")?);
    lines
        .map(|(number, line)| {
            let fields: Vec<&str> = line.split(',').collect();
            match [fields.get(status), fields.get(length)] {
                [Some(&"found"), Some(length)] => finite(length).map(Some),
                [Some(_), Some(_)] => Ok(None),
                _ => Err("too few columns".to_owned()),
            }
            .map_err(|problem| format!("line {number} of the lengths: {problem}"))
        })
        .collect()
}

/// Returns the first number with this key, at any depth. This is enough of JSON for the files that `portolan`
/// writes.
pub(crate) fn number(json: &str, key: &str) -> Option<f64> {
    let key = format!("\"{key}\"");
    json.match_indices(&key).find_map(|(offset, _)| {
        let value = json[offset + key.len()..].trim_start().strip_prefix(':')?;
        let value = value.trim_start();
        let end = value.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c)));
        finite(&value[..end.unwrap_or(value.len())]).ok()
    })
}

impl RatioSummary {
    /// Summarizes the values. Without values, all fields are infinite.
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let (mut count, mut sum) = (0.0, 0.0);
        let (mut min, mut max) = (f64::INFINITY, 0.0);
        for value in values {
            count += 1.0;
            sum += value;
            min = value.min(min);
            max = value.max(max);
        }
        if count == 0.0 {
            (sum, count, max) = (f64::INFINITY, 1.0, f64::INFINITY);
        }
        Self {
            mean: sum / count,
            min,
            max,
        }
    }
}

/// Returns the failed checks of a map.
fn faults(figures: &MapResults) -> Vec<String> {
    let MapResults {
        map,
        queries,
        found,
        mismatches,
        ratio: RatioSummary { mean, min, .. },
        ..
    } = figures;
    let mut faults = Vec::new();
    let missing = *queries as f64 - found;
    if missing != 0.0 {
        faults.push(format!(
            "{map}: {missing} of {queries} queries find no path"
        ));
    }
    if *mismatches != 0.0 {
        faults.push(format!(
            "{map}: {mismatches} costs differ from Dijkstra's algorithm"
        ));
    }
    if *mean > MAX_MEAN_RATIO {
        faults.push(format!(
            "{map}: on average, paths are {mean:.4} times as long as the optimum, which is above {MAX_MEAN_RATIO}"
        ));
    }
    if *min < MIN_RATIO {
        faults.push(format!(
            "{map}: a path is {min:.5} times as long as the optimum, which is below {MIN_RATIO}"
        ));
    }
    faults
}

/// Returns the results as a table. The first column is aligned left, the others right.
fn table(measured: &[MapResults]) -> String {
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    rows.extend(measured.iter().map(row));
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max();
    let widths: [usize; HEADINGS.len()] = std::array::from_fn(|i| width(i).unwrap_or(0));
    let mut text = "\
A* in the release build, one thread. mismatches: costs that differ from Dijkstra's algorithm. mean, min,
max: path length divided by the any-angle optimum, in the (x, z) plane. query, and its parts locate,
search and waypoints: mean time in µs, median of 5 rounds.
"
    .to_owned();
    for row in &rows {
        let _ = write!(text, "{:<1$}", row[0], widths[0]);
        for (cell, width) in row.iter().zip(widths).skip(1) {
            let _ = write!(text, "  {cell:>width$}");
        }
        text.push('\n');
    }
    text
}

fn row(figures: &MapResults) -> [String; HEADINGS.len()] {
    let RatioSummary { mean, min, max } = figures.ratio;
    let [query, locate, search, waypoints] = figures.micros.map(|micros| format!("{micros:.1}"));
    [
        figures.map.clone(),
        figures.polygons.to_string(),
        format!("{}/{}", figures.found, figures.queries),
        figures.mismatches.to_string(),
        format!("{mean:.4}"),
        format!("{min:.4}"),
        format!("{max:.3}"),
        query,
        locate,
        search,
        waypoints,
    ]
}

pub(crate) fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| io_error(file, &error))
}

pub(crate) fn io_error(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// A new folder, which is removed when this value is dropped.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn new() -> Result<Self, String> {
        // A folder with this process id may be left from a process that was killed.
        for attempt in 0.. {
            let name = format!("portolan-maps-{}-{attempt}", process::id());
            let folder = env::temp_dir().join(name);
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(Self(folder)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(io_error(&folder, &error)),
            }
        }
        unreachable!("one of the names is free")
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!(
                "cannot remove a temporary folder: {}",
                io_error(&self.0, &error)
            );
        }
    }
}

#[cfg(test)]
#[path = "maps_test.rs"]
mod tests;
