//! Maps with the lengths of shortest paths, and the excess of other paths.

use std::fmt;

use portolan_core::{NavMesh, Path, Query};
use portolan_measure::{ReferenceQuery, Summary, read_references};

use crate::common::{FOLDER, mesh};

/// A query, and the length of its shortest path in the (x, z) plane.
pub(crate) type QueryReference = (Query<'static>, f64);

/// Returns the maps that arguments after `--` name, or else the default ones, with their queries. Skips maps
/// that do not exist, and prints their names.
pub(crate) fn chosen_maps(
    defaults: &[&str],
) -> impl Iterator<Item = (String, NavMesh, Vec<QueryReference>)> {
    let args = std::env::args().skip(1);
    let mut names: Vec<String> = args.filter(|word| !word.starts_with("--")).collect();
    if names.is_empty() {
        names.extend(defaults.iter().map(|&name| name.to_owned()));
    }
    names.into_iter().filter_map(|name| {
        let map = reference(&name).zip(mesh(&name));
        if map.is_none() {
            println!("\n{name}: no such map in {FOLDER}");
        }
        map.map(|(reference, mesh)| (name, mesh, reference))
    })
}

/// Returns the queries of a map, except those of length zero, which have no excess.
fn reference(name: &str) -> Option<Vec<QueryReference>> {
    let text = std::fs::read_to_string(format!("{FOLDER}/{name}.queries.txt")).ok()?;
    let queries = read_references(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let queries = queries.iter().filter(|query| query.optimum_xz > 0.0);
    let query = |query: &ReferenceQuery| (Query::new(query.from, query.to), query.optimum_xz);
    Some(queries.map(query).collect())
}

/// Returns by how much the length of a path exceeds the shortest one. [Units: %]
pub(crate) fn excess(path: &Path, shortest: f64) -> f64 {
    let length = path.length_xz();
    // References have four decimals, both for points and for lengths.
    let rounding = 1e-3 + 1e-6 * shortest;
    assert!(
        length > shortest - rounding,
        "a path of {length} m is shorter than the shortest path, {shortest} m"
    );
    (length / shortest - 1.0) * 100.0
}

/// The excess of many paths. [Units: %]
pub(crate) struct ExcessSummary {
    mean: f64,
    p99: f64,
    max: f64,
}

impl ExcessSummary {
    pub(crate) const HEADING: &str = "mean / p99 / max %";

    pub(crate) fn new(excesses: Vec<f64>) -> Self {
        let Summary { mean, p99, max, .. } = Summary::of(excesses).expect("a map with queries");
        Self { mean, p99, max }
    }
}

impl fmt::Display for ExcessSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mean, p99, max } = self;
        write!(f, "{mean:>6.3} / {p99:>5.2} / {max:>5.2}")
    }
}
