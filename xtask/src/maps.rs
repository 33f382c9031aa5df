//! Real maps with reference answers, which stand beside a checkout and are not part of it: are the
//! paths as good as they should be, and how long do they take?
//!
//! A map is a pair of files, `NAME.navmesh.obj` and `NAME.queries.txt`. A line of the latter is
//! `start_polygon sx sy sz goal_polygon gx gy gz detour_xz detour_3d optimum_xz`, lengths in metres;
//! the optimum is that of any angle, flat in (x, z). `#` begins a comment. Where `NAME.obj` is the
//! level that the navmesh was made of, [`bakes`] makes it again.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

use crate::shell::{self, command};
use crate::steps::Outcome;
use crate::{Plan, bakes, programs};

/// The mean of length over optimum may not be above this. Paths are the shortest of their corridors,
/// but corridors come from a graph of portal middles, so 1 is out of reach.
const MOST_MEAN: f64 = 1.02;

/// No path is shorter than the optimum, but for the digits that the reference was printed with.
const LEAST_RATIO: f64 = 0.999;

const HEADINGS: [&str; 11] = [
    "map",
    "polygons",
    "found",
    "mismatches",
    "mean",
    "least",
    "most",
    "query",
    "locate",
    "search",
    "waypoints",
];

/// A line of `NAME.queries.txt`, as far as it is used.
#[derive(Debug, PartialEq)]
pub(crate) struct Reference {
    /// `sx,sy,sz,gx,gy,gz`, as the reference has them.
    ends: String,
    optimum_xz: f64,
}

/// What one map gave.
#[derive(Clone, Debug)]
struct Figures {
    map: String,
    polygons: f64,
    queries: usize,
    found: f64,
    /// Costs that are not Dijkstra's.
    mismatches: f64,
    /// Length over optimum, in (x, z).
    ratio: Spread,
    /// Mean microseconds: the whole query, location, search, waypoints.
    micros: [f64; 4],
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    mean: f64,
    least: f64,
    most: f64,
}

/// Where the maps are unless told: in `shared/maps`, beside the checkout.
pub(crate) fn default_folder(root: &Path) -> PathBuf {
    root.parent().unwrap_or(root).join("shared").join("maps")
}

pub(crate) fn run_step(plan: &Plan) -> Result<Outcome, String> {
    run(&plan.root, &default_folder(&plan.root))
}

/// Measures every map in a folder, prints the table and judges it.
pub(crate) fn run(root: &Path, folder: &Path) -> Result<Outcome, String> {
    if !folder.is_dir() {
        let reason = format!("there is no folder {}", folder.display());
        return Ok(Outcome::Skipped(reason));
    }
    // Programs are run in another folder than this one.
    let folder = std::path::absolute(folder).map_err(|error| at(folder, &error))?;
    let maps = maps_in(&folder)?;
    if maps.is_empty() {
        let folder = folder.display();
        return Err(format!(
            "{folder}: no NAME.navmesh.obj with a NAME.queries.txt"
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
        Ok(Outcome::Passed)
    } else {
        Err(faults.join("; "))
    }
}

/// The names of all maps in a folder that have both files, in order.
fn maps_in(folder: &Path) -> Result<Vec<String>, String> {
    let mut maps = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| at(folder, &error))? {
        let name = entry.map_err(|error| at(folder, &error))?.file_name();
        if let Some(map) = name.to_str().and_then(|n| n.strip_suffix(".navmesh.obj"))
            && folder.join(format!("{map}.queries.txt")).is_file()
        {
            maps.push(map.to_owned());
        }
    }
    maps.sort();
    Ok(maps)
}

/// Import, queries, bench: one map through the program, as a user would do it.
fn measure(portolan: &Path, folder: &Path, work: &Path, map: &str) -> Result<Figures, String> {
    println!("   {map}");
    let beside = |extension: &str| work.join(format!("{map}.{extension}"));
    let (world, queries) = (beside("pnav"), beside("queries.csv"));
    let (lengths, figures) = (beside("lengths.csv"), beside("bench.json"));

    let mesh = folder.join(format!("{map}.navmesh.obj"));
    let mut import = command(work, portolan, ["import"]);
    shell::capture(import.arg(mesh).arg("-o").arg(&world).arg("-q"))?;

    let file = folder.join(format!("{map}.queries.txt"));
    let references =
        references(&read(&file)?).map_err(|problem| format!("{}: {problem}", file.display()))?;
    fs::write(&queries, queries_csv(&references)).map_err(|error| at(&queries, &error))?;

    let mut bench = command(work, portolan, ["bench"]);
    bench.arg(&world).arg("--queries").arg(&queries);
    bench.args(["--engines", "astar", "--rounds", "5", "-q"]);
    bench.arg("--lengths").arg(&lengths);
    bench.arg("--json").arg(&figures);
    // 1 is "costs differ from Dijkstra's", with all files written: a row of the table, too.
    shell::capture_codes(&mut bench, &[0, 1])?;
    sum_up(map, &references, &read(&lengths)?, &read(&figures)?)
        .map_err(|problem| format!("{map}: {problem}"))
}

/// The queries of a reference file, which names the line that is wrong.
pub(crate) fn references(text: &str) -> Result<Vec<Reference>, String> {
    let lines = (1..).zip(text.lines());
    let lines = lines.map(|(number, line)| (number, line.split('#').next().unwrap_or("").trim()));
    lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| {
            reference(line).map_err(|problem| format!("line {number}: {problem}"))
        })
        .collect()
}

fn reference(line: &str) -> Result<Reference, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[_, sx, sy, sz, _, gx, gy, gz, _, _, optimum] = words.as_slice() else {
        return Err(format!("{} columns and not 11", words.len()));
    };
    let ends = [sx, sy, sz, gx, gy, gz];
    for word in ends {
        finite(word)?;
    }
    let optimum_xz = finite(optimum)?;
    if optimum_xz <= 0.0 {
        return Err(format!("an optimum of {optimum} has no ratio to it"));
    }
    Ok(Reference {
        ends: ends.join(","),
        optimum_xz,
    })
}

fn finite(word: &str) -> Result<f64, String> {
    let number = word.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("`{word}` is not a number"))
}

/// What `portolan bench --queries` reads.
pub(crate) fn queries_csv(references: &[Reference]) -> String {
    let mut csv = "sx,sy,sz,gx,gy,gz\n".to_owned();
    for reference in references {
        csv.push_str(&reference.ends);
        csv.push('\n');
    }
    csv
}

fn sum_up(
    map: &str,
    references: &[Reference],
    lengths: &str,
    bench: &str,
) -> Result<Figures, String> {
    let lengths = lengths_xz(lengths)?;
    if lengths.len() != references.len() {
        let (some, all) = (lengths.len(), references.len());
        return Err(format!("{some} lengths for {all} queries"));
    }
    let ratios = references.iter().zip(lengths);
    let ratios = ratios.filter_map(|(reference, length)| Some(length? / reference.optimum_xz));
    let figure = |key: &str| number(bench, key).ok_or_else(|| format!("bench has no `{key}`"));
    Ok(Figures {
        map: map.to_owned(),
        polygons: figure("polygons")?,
        queries: references.len(),
        found: figure("found")?,
        mismatches: figure("cost_mismatches")?,
        ratio: Spread::of(ratios),
        micros: [
            figure("mean_us")?,
            figure("locate_us")?,
            figure("search_us")?,
            figure("waypoints_us")?,
        ],
    })
}

/// The column `length_xz` of the file that `--lengths` writes; `None` where no path was found.
/// Nothing in it is quoted.
fn lengths_xz(csv: &str) -> Result<Vec<Option<f64>>, String> {
    let mut lines = (1..).zip(csv.lines());
    let header: Vec<&str> = lines
        .next()
        .map_or("", |(_, line)| line)
        .split(',')
        .collect();
    let column = |name: &str| {
        let place = header.iter().position(|&heading| heading == name);
        place.ok_or_else(|| format!("lengths have no column `{name}`"))
    };
    let (status, length) = (column("status")?, column("length_xz")?);
    lines
        .map(|(number, line)| {
            let fields: Vec<&str> = line.split(',').collect();
            match [fields.get(status), fields.get(length)] {
                [Some(&"found"), Some(length)] => finite(length).map(Some),
                [Some(_), Some(_)] => Ok(None),
                _ => Err("too short".to_owned()),
            }
            .map_err(|problem| format!("line {number} of the lengths: {problem}"))
        })
        .collect()
}

/// The first number that stands under a key, at any depth: enough of JSON for a file of our own.
pub(crate) fn number(json: &str, key: &str) -> Option<f64> {
    let key = format!("\"{key}\"");
    json.match_indices(&key).find_map(|(place, _)| {
        let value = json[place + key.len()..].trim_start().strip_prefix(':')?;
        let value = value.trim_start();
        let end = value.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c)));
        finite(&value[..end.unwrap_or(value.len())]).ok()
    })
}

impl Spread {
    /// Of no values at all, everything is infinite.
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let (mut count, mut sum) = (0.0, 0.0);
        let (mut least, mut most) = (f64::INFINITY, 0.0);
        for value in values {
            count += 1.0;
            sum += value;
            least = value.min(least);
            most = value.max(most);
        }
        if count == 0.0 {
            (sum, count, most) = (f64::INFINITY, 1.0, f64::INFINITY);
        }
        Self {
            mean: sum / count,
            least,
            most,
        }
    }
}

/// What is wrong with a map's answers, each in a few words.
fn faults(figures: &Figures) -> Vec<String> {
    let Figures {
        map,
        queries,
        found,
        mismatches,
        ratio: Spread { mean, least, .. },
        ..
    } = figures;
    let mut faults = Vec::new();
    let missing = *queries as f64 - found;
    if missing != 0.0 {
        faults.push(format!("{map}: {missing} of {queries} queries not found"));
    }
    if *mismatches != 0.0 {
        faults.push(format!("{map}: {mismatches} costs are not Dijkstra's"));
    }
    if *mean > MOST_MEAN {
        faults.push(format!(
            "{map}: paths are {mean:.4} times the optimum in the mean, above {MOST_MEAN}"
        ));
    }
    if *least < LEAST_RATIO {
        faults.push(format!(
            "{map}: a path is {least:.5} times the optimum, below {LEAST_RATIO}"
        ));
    }
    faults
}

/// The first column is flush left, the others flush right.
fn table(measured: &[Figures]) -> String {
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    rows.extend(measured.iter().map(row));
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max();
    let widths: [usize; HEADINGS.len()] = std::array::from_fn(|i| width(i).unwrap_or(0));
    let mut text = "\
A* of the release build; mismatches of costs against Dijkstra's; mean, least and most: length over
the any-angle optimum in (x, z); query, of which locate, search and waypoints: mean µs, one thread,
median of 5 rounds
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

fn row(figures: &Figures) -> [String; HEADINGS.len()] {
    let Spread { mean, least, most } = figures.ratio;
    let [query, locate, search, waypoints] = figures.micros.map(|micros| format!("{micros:.1}"));
    [
        figures.map.clone(),
        figures.polygons.to_string(),
        format!("{}/{}", figures.found, figures.queries),
        figures.mismatches.to_string(),
        format!("{mean:.4}"),
        format!("{least:.4}"),
        format!("{most:.3}"),
        query,
        locate,
        search,
        waypoints,
    ]
}

pub(crate) fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| at(file, &error))
}

pub(crate) fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Nobody else's folder, gone when this is dropped.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn new() -> Result<Self, String> {
        // A process that was killed may have left its folder, and its id to this one.
        for attempt in 0.. {
            let name = format!("portolan-maps-{}-{attempt}", process::id());
            let folder = env::temp_dir().join(name);
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(Self(folder)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(at(&folder, &error)),
            }
        }
        unreachable!("there are more numbers than folders")
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("left behind: {}", at(&self.0, &error));
        }
    }
}

#[cfg(test)]
#[path = "maps_test.rs"]
mod tests;
