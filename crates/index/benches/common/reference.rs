//! Maps with the lengths of shortest paths, and what other paths are above them.

use std::fmt;
use std::time::Instant;

use portolan_core::{NavMesh, Path, Query};

use crate::common::{FOLDER, mesh};

/// A query and the length of its shortest path, seen from above.
pub(crate) type Reference = (Query<'static>, f64);

/// The maps that words after `--` name, or else these, with their queries; says which are not here.
pub(crate) fn chosen_maps(
    defaults: &[&str],
) -> impl Iterator<Item = (String, NavMesh, Vec<Reference>)> {
    let words = std::env::args().skip(1);
    let mut names: Vec<String> = words.filter(|word| !word.starts_with("--")).collect();
    if names.is_empty() {
        names.extend(defaults.iter().map(|&name| name.to_owned()));
    }
    names.into_iter().filter_map(|name| {
        let map = reference(&name).zip(mesh(&name));
        if map.is_none() {
            println!("\n{name} is not here");
        }
        map.map(|(reference, mesh)| (name, mesh, reference))
    })
}

/// Lines of: start polygon, x, y, z, goal polygon, x, y, z, Detour's lengths from above and in space, and
/// the least from above. Without those of no length, which have no excess.
fn reference(name: &str) -> Option<Vec<Reference>> {
    let text = std::fs::read_to_string(format!("{FOLDER}/{name}.queries.txt")).ok()?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let query = |line: &str| {
        let numbers = line
            .split_whitespace()
            .map(|word| word.parse::<f64>().expect("a number"));
        let numbers: Vec<f64> = numbers.collect();
        let point = |at: usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| numbers[at + axis] as f32);
            glam::vec3(x, y, z)
        };
        (Query::new(point(1), point(5)), numbers[10])
    };
    let queries = lines.map(query).filter(|&(_, shortest)| shortest > 0.0);
    Some(queries.collect())
}

/// How much longer than the shortest a path is, in percent.
pub(crate) fn excess(path: &Path, shortest: f64) -> f64 {
    let length = path.length_xz();
    // References have four decimals, points and lengths.
    let rounding = 1e-3 + 1e-6 * shortest;
    assert!(
        length > shortest - rounding,
        "{length}: the shortest, {shortest}, is longer"
    );
    (length / shortest - 1.0) * 100.0
}

/// Excess of many paths. [Units: %]
pub(crate) struct Excess {
    mean: f64,
    p99: f64,
    max: f64,
}

impl Excess {
    pub(crate) const HEADING: &str = "mean / p99 / max %";

    pub(crate) fn new(mut excesses: Vec<f64>) -> Self {
        excesses.sort_by(f64::total_cmp);
        let [p99, max] = [99, 100].map(|p| excesses[(excesses.len() * p).div_ceil(100) - 1]);
        Self {
            mean: excesses.iter().sum::<f64>() / excesses.len() as f64,
            p99,
            max,
        }
    }
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mean, p99, max } = self;
        write!(f, "{mean:>6.3} / {p99:>5.2} / {max:>5.2}")
    }
}

/// Microseconds that each of `count` queries takes: the mean over them of medians of rounds.
pub(crate) fn microseconds(count: usize, rounds: usize, mut ask: impl FnMut(usize)) -> f64 {
    let mut times = vec![Vec::new(); count];
    for _ in 0..rounds {
        for (i, times) in times.iter_mut().enumerate() {
            let start = Instant::now();
            ask(i);
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    times.into_iter().map(median).sum::<f64>() / count as f64
}

pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
