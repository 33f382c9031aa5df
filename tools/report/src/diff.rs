//! Compares the times of two reports.

use std::collections::HashMap;

use portolan_measure::geometric_mean;

use crate::model::{Report, Timing};

/// The comparison of two reports, cell by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// The cells that both reports have, in the order of the second.
    pub changes: Vec<TimingChange>,
    /// The number of cells that only one report has.
    pub unmatched: usize,
    /// The reasons why the reports may not be comparable, such as different machines.
    pub warnings: Vec<String>,
}

/// The change of one engine's time from one report to another.
#[derive(Clone, Debug, PartialEq)]
pub struct TimingChange {
    /// The name of the scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The engine: `astar`, `closest`, `hna:2:table`, `pccp:1`. Engines of the comparison of all engines
    /// have a prefix: `beyond:contraction`.
    pub engine: String,
    /// The mean times before and after. [Units: µs]
    pub micros: [f64; 2],
    /// The time after divided by the time before; below 1 is faster.
    pub ratio: f64,
    /// The larger [noise](crate::Timing::noise) of the two cells.
    pub noise: f64,
}

impl TimingChange {
    /// Returns whether the change exceeds the noise.
    pub fn is_real(&self) -> bool {
        self.ratio > 1.0 + self.noise || self.ratio < 1.0 / (1.0 + self.noise)
    }
}

impl Diff {
    /// Returns the changes that exceed the noise: first those that became faster, then those that became
    /// slower. The largest changes come first.
    pub fn sorted(&self) -> [Vec<&TimingChange>; 2] {
        let real = || self.changes.iter().filter(|change| change.is_real());
        let mut faster: Vec<&TimingChange> = real().filter(|change| change.ratio < 1.0).collect();
        let mut slower: Vec<&TimingChange> = real().filter(|change| change.ratio > 1.0).collect();
        faster.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
        slower.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
        [faster, slower]
    }

    /// Summarizes the changes per engine, with all levels combined: the name, the number of cells, the
    /// geometric mean of the ratios, the mean noise, and how many cells became faster and slower beyond
    /// the noise.
    pub fn by_engine(&self) -> Vec<(String, usize, f64, f64, [usize; 2])> {
        let mut names: Vec<String> = Vec::new();
        let mut groups: HashMap<String, Vec<&TimingChange>> = HashMap::new();
        for change in &self.changes {
            let name = without_level(&change.engine);
            let group = groups.entry(name.clone()).or_default();
            if group.is_empty() {
                names.push(name);
            }
            group.push(change);
        }
        let row = |name: String| {
            let group = &groups[&name];
            let count = |is: fn(f64) -> bool| {
                let real = group.iter().filter(|change| change.is_real());
                real.filter(|change| is(change.ratio)).count()
            };
            let ratio = geometric_mean(group.iter().map(|change| change.ratio));
            let noise = portolan_measure::mean(group.iter().map(|change| change.noise));
            let beyond = [count(|ratio| ratio < 1.0), count(|ratio| ratio > 1.0)];
            (name, group.len(), ratio, noise, beyond)
        };
        names.into_iter().map(row).collect()
    }
}

/// Removes the level from the name of an engine: `hna:2:table` becomes `hna:table`.
fn without_level(engine: &str) -> String {
    let words = engine.split(':');
    let words = words.filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit()));
    words.collect::<Vec<_>>().join(":")
}

/// The scene, the merge factor and the engine.
type CellKey = (String, u32, String);

/// Lists every timed cell with its key.
fn cells(report: &Report) -> Vec<(CellKey, &Timing)> {
    let mut cells = Vec::new();
    for cell in &report.grid {
        let key = |engine: String| (cell.scene.clone(), cell.mu, engine);
        cells.push((key("astar".to_owned()), &cell.astar));
        cells.push((key("closest".to_owned()), &cell.closest));
        for level in &cell.levels {
            for engine in &level.engines {
                let name = match engine.method.as_str() {
                    "pccp" => format!("pccp:{}", level.level),
                    method => format!("hna:{}:{method}", level.level),
                };
                cells.push((key(name), &engine.time));
            }
        }
    }
    for cell in &report.comparisons {
        for engine in &cell.engines {
            let suffix = if engine.want == "path" {
                ""
            } else {
                ":distance"
            };
            // The prefix separates them from the same engines of the grid, which were timed in other rounds.
            let name = format!("beyond:{}{suffix}", engine.engine);
            cells.push(((cell.scene.clone(), cell.mu, name), &engine.time));
        }
    }
    cells
}

/// Compares the times of two reports, from `a` (before) to `b` (after).
pub fn diff(a: &Report, b: &Report) -> Diff {
    let before: HashMap<CellKey, &Timing> = cells(a).into_iter().collect();
    let after = cells(b);
    let (all_before, all_after) = (before.len(), after.len());
    let changes: Vec<TimingChange> = after
        .into_iter()
        .filter_map(|(key, after)| {
            let before = before.get(&key)?;
            let (scene, mu, engine) = key;
            let micros = [before.mean_us, after.mean_us];
            (micros[0] > 0.0 && micros[1] > 0.0).then(|| TimingChange {
                scene,
                mu,
                engine,
                micros,
                ratio: micros[1] / micros[0],
                noise: before.noise().max(after.noise()),
            })
        })
        .collect();
    let mut warnings = Vec::new();
    let mut differ = |subject: &str, a: String, b: String| {
        if a != b {
            warnings.push(format!("{subject} differ: {a} and {b}"));
        }
    };
    let machine =
        |report: &Report| format!("{}, {} cores", report.machine.cpu, report.machine.cores);
    differ("the machines", machine(a), machine(b));
    differ(
        "the seeds",
        a.effort.seed.to_string(),
        b.effort.seed.to_string(),
    );
    let queries = |report: &Report| format!("{} queries per cell", report.effort.queries);
    differ("the numbers of queries", queries(a), queries(b));
    Diff {
        unmatched: all_before + all_after - 2 * changes.len(),
        changes,
        warnings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(engine: &str, ratio: f64, noise: f64) -> TimingChange {
        TimingChange {
            scene: "yard".to_owned(),
            mu: 4,
            engine: engine.to_owned(),
            micros: [10.0, 10.0 * ratio],
            ratio,
            noise,
        }
    }

    #[test]
    fn a_change_within_the_noise_is_not_real() {
        assert!(!change("astar", 1.09, 0.1).is_real());
        assert!(!change("astar", 0.92, 0.1).is_real());
        assert!(change("astar", 1.11, 0.1).is_real());
        assert!(change("astar", 0.9, 0.1).is_real());
    }

    #[test]
    fn an_engine_is_summarized_over_its_levels() {
        let diff = Diff {
            changes: vec![
                change("hna:1:table", 2.0, 0.1),
                change("astar", 1.0, 0.0),
                change("hna:2:table", 0.5, 0.1),
                change("pccp:2", 0.25, 0.3),
            ],
            unmatched: 0,
            warnings: Vec::new(),
        };
        let rows = diff.by_engine();
        let names: Vec<&str> = rows.iter().map(|row| row.0.as_str()).collect();
        assert_eq!(names, ["hna:table", "astar", "pccp"]);
        assert!((rows[0].2 - 1.0).abs() < 1e-12 && rows[0].1 == 2);
        assert_eq!((rows[0].4, rows[1].4, rows[2].4), ([1, 1], [0, 0], [1, 0]));
        let [faster, slower] = diff.sorted();
        assert_eq!(faster[0].engine, "pccp:2");
        assert_eq!(slower.len(), 1);
    }
}
