//! Maps with the lengths of shortest paths, and what other paths are above them.

use std::fmt;

use portolan_core::{NavMesh, Path, Query};
use portolan_measure::{ReferenceQuery, Summary, read_references};

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

/// The queries of a map, except those of no length, which have no excess.
fn reference(name: &str) -> Option<Vec<Reference>> {
    let text = std::fs::read_to_string(format!("{FOLDER}/{name}.queries.txt")).ok()?;
    let queries = read_references(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let queries = queries.iter().filter(|query| query.optimum_xz > 0.0);
    let query = |query: &ReferenceQuery| (Query::new(query.from, query.to), query.optimum_xz);
    Some(queries.map(query).collect())
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

    pub(crate) fn new(excesses: Vec<f64>) -> Self {
        let Summary { mean, p99, max, .. } = Summary::of(excesses).expect("a map with queries");
        Self { mean, p99, max }
    }
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mean, p99, max } = self;
        write!(f, "{mean:>6.3} / {p99:>5.2} / {max:>5.2}")
    }
}
