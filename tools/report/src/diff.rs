//! What became faster or slower between two reports.

use std::collections::HashMap;

use portolan_measure::geometric_mean;

use crate::model::{Report, Timing};

/// Two reports, cell by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// Cells that both have, in the order of the second.
    pub changes: Vec<Change>,
    /// Cells that only one of them has.
    pub unmatched: usize,
    /// What makes the comparison doubtful: other machines, other efforts.
    pub warnings: Vec<String>,
}

/// One cell in both reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// `astar`, `closest`, `hna:2:table`, `pccp:1`; `beyond:contraction` among all engines.
    pub engine: String,
    /// Mean before and after. [Units: us]
    pub micros: [f64; 2],
    /// After over before: below 1 is faster.
    pub ratio: f64,
    /// How far the rounds of either cell lie apart, over their median; the larger of both.
    pub noise: f64,
}

impl Change {
    /// Whether the ratio is beyond what rounds of one cell differ by.
    pub fn is_real(&self) -> bool {
        self.ratio > 1.0 + self.noise || self.ratio < 1.0 / (1.0 + self.noise)
    }
}

impl Diff {
    /// Changes beyond the noise: those that became faster, by rising ratio, and those that became
    /// slower, by falling ratio.
    pub fn sorted(&self) -> [Vec<&Change>; 2] {
        let real = || self.changes.iter().filter(|change| change.is_real());
        let mut faster: Vec<&Change> = real().filter(|change| change.ratio < 1.0).collect();
        let mut slower: Vec<&Change> = real().filter(|change| change.ratio > 1.0).collect();
        faster.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
        slower.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
        [faster, slower]
    }

    /// Engine by engine, levels taken together: the name, how many cells, the geometric mean of their
    /// ratios, the mean noise, and how many became faster and slower beyond it.
    pub fn by_engine(&self) -> Vec<(String, usize, f64, f64, [usize; 2])> {
        let mut names: Vec<String> = Vec::new();
        let mut groups: HashMap<String, Vec<&Change>> = HashMap::new();
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

/// `hna:2:table` is `hna:table`.
fn without_level(engine: &str) -> String {
    let words = engine.split(':');
    let words = words.filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit()));
    words.collect::<Vec<_>>().join(":")
}

type Key = (String, u32, String);

/// Every timed cell with its key.
fn cells(report: &Report) -> Vec<(Key, &Timing)> {
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
    for cell in &report.beyond {
        for engine in &cell.engines {
            let want = if engine.want == "path" {
                ""
            } else {
                ":distance"
            };
            // The grid has some of them, measured among others.
            let name = format!("beyond:{}{want}", engine.engine);
            cells.push(((cell.scene.clone(), cell.mu, name), &engine.time));
        }
    }
    cells
}

/// Compares two reports, from `a` to `b`.
pub fn diff(a: &Report, b: &Report) -> Diff {
    let before: HashMap<Key, &Timing> = cells(a).into_iter().collect();
    let after = cells(b);
    let (all_before, all_after) = (before.len(), after.len());
    let changes: Vec<Change> = after
        .into_iter()
        .filter_map(|(key, after)| {
            let before = before.get(&key)?;
            let (scene, mu, engine) = key;
            let micros = [before.mean_us, after.mean_us];
            (micros[0] > 0.0 && micros[1] > 0.0).then(|| Change {
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
    let mut differ = |what: &str, a: String, b: String| {
        if a != b {
            warnings.push(format!("{what} differ: {a} and {b}"));
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
    let paths = |report: &Report| format!("{} paths a cell", report.effort.queries);
    differ("the queries", paths(a), paths(b));
    Diff {
        unmatched: all_before + all_after - 2 * changes.len(),
        changes,
        warnings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(engine: &str, ratio: f64, noise: f64) -> Change {
        Change {
            scene: "yard".to_owned(),
            mu: 4,
            engine: engine.to_owned(),
            micros: [10.0, 10.0 * ratio],
            ratio,
            noise,
        }
    }

    #[test]
    fn noise_hides_what_it_could_have_made() {
        assert!(!change("astar", 1.09, 0.1).is_real());
        assert!(!change("astar", 0.92, 0.1).is_real());
        assert!(change("astar", 1.11, 0.1).is_real());
        assert!(change("astar", 0.9, 0.1).is_real());
    }

    #[test]
    fn engines_are_summed_up_over_levels() {
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
