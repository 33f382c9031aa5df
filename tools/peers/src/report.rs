//! The results as tables, as JSON and as a chart.

use std::fmt::Write;

use portolan_draw::chart::trade_off::{self, EnginePoint, PEERS};
use portolan_measure::Summary;
use serde::{Deserialize, Serialize};

use crate::changes::ChangeFigures;
use crate::exact_verdict::ExactVerdict;
use crate::exactness::Exactness;
use crate::measure::{Micros, medians};
use crate::verdict::Verdict;

/// The results of a run.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// The number of processes. The time of a query is the median over the rounds of a process, and then the median
    /// over the processes.
    pub(crate) processes: u32,
    pub(crate) rounds: u32,
    /// `query` if peers alternate after every query, `peer` if they alternate after all queries of a round.
    pub(crate) interleaved_by: &'static str,
    /// The time to read the CPU clock, which CPU times do not include. [Units: µs]
    pub(crate) cpu_clock_us: f64,
    pub(crate) maps: Vec<MapFigures>,
    /// One verdict per map and tier with targets.
    pub(crate) verdicts: Vec<Verdict>,
    /// Several verdicts per map on the exact tier and on `auto`.
    pub(crate) exact_verdicts: Vec<ExactVerdict>,
    /// Changes of the ground, per map.
    pub(crate) changes: Vec<ChangeFigures>,
    pub(crate) bakes: Vec<BakeFigures>,
}

/// The results on one map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MapFigures {
    pub(crate) map: String,
    pub(crate) polygons: usize,
    pub(crate) portals: usize,
    pub(crate) components: usize,
    pub(crate) queries: usize,
    /// The origin of the queries.
    #[serde(rename = "asked")]
    pub(crate) query_source: String,
    /// The origin of the optimal lengths that excess is relative to.
    pub(crate) optimum: String,
    pub(crate) exact_tier: ExactTier,
    /// `None` if the navmesh has links, which the reference search does not use.
    pub(crate) exactness: Option<Exactness>,
    pub(crate) engines: Vec<EngineFigures>,
    pub(crate) ratios: Vec<Ratio>,
    pub(crate) reference: Option<ReferenceComparison>,
    pub(crate) faults: Vec<String>,
    pub(crate) notes: Vec<String>,
}

/// The exact tier of a map, and whether `auto` uses it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExactTier {
    /// Whether `auto` is exact with an index of default options.
    pub(crate) is_auto: bool,
    /// How `auto` searches, if it is exact.
    pub(crate) auto_method: Option<String>,
    /// How `auto:exact` searches.
    pub(crate) method: String,
    /// The number of convex corners of obstacles.
    pub(crate) corners: usize,
    /// The number of tangents between corners.
    pub(crate) tangents: usize,
    /// The number of entries of its hub labels; 0 without labels.
    pub(crate) label_entries: usize,
}

/// The results of one peer on one map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct EngineFigures {
    pub(crate) engine: String,
    pub(crate) found: usize,
    /// The number of queries without a complete path: partial, no path, or off the mesh.
    pub(crate) failed: usize,
    pub(crate) partial: usize,
    pub(crate) no_path: usize,
    pub(crate) off_mesh: usize,
    #[serde(flatten)]
    pub(crate) times: Times,
    /// The excess of the paths that were found: length divided by the any-angle optimum in (x, z), minus 1.
    pub(crate) excess: Option<Excess>,
    pub(crate) build_ms: f64,
    pub(crate) bytes: Option<usize>,
    pub(crate) bytes_per_polygon: Option<f64>,
    /// The mean time of [`WITH_ALL_NODES`](crate::detour::WITH_ALL_NODES) divided by that of this peer. Above 1, this
    /// peer is faster.
    pub(crate) detour_ratio: Option<f64>,
}

/// Times over all queries. [Units: µs]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Times {
    pub(crate) mean_us: f64,
    pub(crate) median_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) max_us: f64,
    /// The mean time in the fastest process.
    pub(crate) lowest_process_mean_us: f64,
    /// The mean time in the slowest process.
    pub(crate) highest_process_mean_us: f64,
    pub(crate) cpu_mean_us: f64,
    pub(crate) cpu_median_us: f64,
    pub(crate) cpu_p99_us: f64,
    pub(crate) cpu_max_us: f64,
    pub(crate) locate_us: f64,
    pub(crate) corridor_us: f64,
    pub(crate) waypoints_us: f64,
}

impl Times {
    /// Summarizes the times of all queries in all processes.
    pub(crate) fn of(processes: &[&[Micros]]) -> Self {
        let queries = processes.iter().map(|micros| micros.len()).min();
        let micros: Vec<Micros> = (0..queries.unwrap_or(0))
            .map(|query| {
                let times: Vec<Micros> = processes.iter().map(|micros| micros[query]).collect();
                medians(&times)
            })
            .collect();
        let summary =
            |time: fn(&Micros) -> f64| Summary::of(micros.iter().map(time)).unwrap_or_default();
        let (total, cpu) = (summary(|m| m.total), summary(|m| m.cpu));
        let of_process = |micros: &&[Micros]| Summary::of(micros.iter().map(|m| m.total));
        let means = || processes.iter().filter_map(of_process).map(|s| s.mean);
        Self {
            mean_us: total.mean,
            median_us: total.median,
            p99_us: total.p99,
            max_us: total.max,
            lowest_process_mean_us: means().reduce(f64::min).unwrap_or_default(),
            highest_process_mean_us: means().reduce(f64::max).unwrap_or_default(),
            cpu_mean_us: cpu.mean,
            cpu_median_us: cpu.median,
            cpu_p99_us: cpu.p99,
            cpu_max_us: cpu.max,
            locate_us: summary(|m| m.locate).mean,
            corridor_us: summary(|m| m.corridor).mean,
            waypoints_us: summary(|m| m.waypoints).mean,
        }
    }
}

/// The mean time of a peer divided by that of `auto`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ratio {
    pub(crate) peer: String,
    pub(crate) wall: f64,
    pub(crate) cpu: f64,
}

/// The excess length over all queries, as fractions of the optimum.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Excess {
    /// Rounding can make it slightly negative.
    pub(crate) min: f64,
    pub(crate) mean: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

impl Excess {
    /// Summarizes values. Returns `None` if there are none.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let Summary {
            min,
            mean,
            p99,
            max,
            ..
        } = Summary::of(values)?;
        Some(Self {
            min,
            mean,
            p99,
            max,
        })
    }
}

/// The comparison with the reference results in a file of queries.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ReferenceComparison {
    /// The maximum relative difference between the optimum of this run and that of the file.
    pub(crate) optimum_difference_max: f64,
    /// The excess of Detour's paths in the file.
    pub(crate) detour_excess: Excess,
}

/// The wall times to bake a level with Recast C++ and with Portolan. [Units: ms]
#[derive(Debug, Serialize)]
pub(crate) struct BakeFigures {
    pub(crate) level: String,
    pub(crate) triangles: usize,
    /// The time of Recast, or `None` if it failed.
    pub(crate) recast_ms: Option<f64>,
    pub(crate) recast_polygons: Option<usize>,
    /// The time of Portolan on one thread, like Recast.
    #[serde(rename = "ours_ms")]
    pub(crate) portolan_ms: f64,
    #[serde(rename = "ours_all_threads_ms")]
    pub(crate) portolan_all_threads_ms: f64,
    #[serde(rename = "ours_polygons")]
    pub(crate) portolan_polygons: usize,
    pub(crate) notes: Vec<String>,
}

impl Report {
    /// Returns the number of kinds of wrong answers on all maps.
    pub(crate) fn faults(&self) -> usize {
        let of_maps = self.maps.iter().map(|map| map.faults.len());
        let of_changes = self.changes.iter().map(|map| map.faults.len());
        of_maps.chain(of_changes).sum()
    }

    /// Draws time against excess as SVG, with one panel per map that has an optimum. `portolan report --peers` shows
    /// the same chart.
    pub(crate) fn trade_off_svg(&self) -> String {
        let panels = self.maps.iter().filter_map(|map| {
            let title = format!("{}, {} polygons", map.map, map.polygons);
            trade_off::panel(title, "optimum", &PEERS, |name| {
                let engine = map.engines.iter().find(|engine| engine.engine == name)?;
                Some(EnginePoint {
                    excess: 100.0 * engine.excess.as_ref()?.mean,
                    mean_us: engine.times.mean_us,
                })
            })
        });
        trade_off::svg("peers", panels.collect())
    }

    /// Explains the rows and columns of the tables.
    pub(crate) fn legend(&self) -> String {
        let turn = match self.interleaved_by {
            "query" => "every query",
            _ => "all queries of a round",
        };
        format!(
            "\
A query locates start and goal, finds a corridor of polygons and pulls waypoints through it, on one thread.
Its time is the median over rounds ({}; rows alternate after {}), then over processes ({}), because the
memory layout, and with it the speed, differs between processes.

Columns:
  failed            queries without a complete path
  mean, p99         wall time per query: mean and 99th percentile, in µs
  locate, corridor, points
                    mean times of the three steps of a query, in µs
  excess, p99, max  how much longer paths are than the shortest any-angle path in the (x, z) plane: mean,
                    99th percentile and maximum, in %
  build             time to build everything from the navmesh, in ms
  B/poly            memory in bytes per polygon
  x Detour          time of Detour with 65 535 nodes divided by the time of this row; above 1 is faster
  cpu               below the tables: ratio of CPU times, without the {:.2} µs to read the CPU clock
Rows:
  auto              Portolan's default engine with an index of default options; waypoints are corners only.
                    It is exact on some maps, and `contraction` on others; see the line above each table
  auto:exact        the exact tier: the shortest any-angle path in the (x, z) plane, without its polygons
  auto:exact+corridor
                    with the polygons that the path passes; `auto` has none if it is exact, all other rows have them
  contraction       the default tier: a contraction hierarchy with taut costs
  auto:fast, auto:best
                    the other tiers of the contraction
  +plan             with costs in the (x, z) plane (`portolan index --cost-model plan`), as excess is measured
  auto+ground       `auto` with waypoints that follow the ground; no other row has these
  fast_paths        the crate fast_paths on Portolan's portal graph, with Portolan's string pulling
  landmass          runs in a process of its own and measures its own times
--json writes all numbers with more digits and columns.
",
            self.rounds, turn, self.processes, self.cpu_clock_us
        )
    }
}

impl MapFigures {
    pub(crate) fn table(&self) -> String {
        let mut text = format!(
            "\n{}: {} polygons, {} portals, {} components; {} queries ({})\n",
            self.map, self.polygons, self.portals, self.components, self.queries, self.query_source
        );
        let _ = writeln!(text, "optimum: {}", self.optimum);
        text.push_str(&wrapped(&self.exact_tier.line()));
        let headings = [
            "engine", "failed", "mean", "p99", "locate", "corridor", "points", "excess", "p99",
            "max", "build", "B/poly", "x Detour",
        ];
        let mut rows = vec![headings.map(str::to_owned).to_vec()];
        rows.extend(self.engines.iter().map(EngineFigures::row));
        text.push_str(&columns(&rows));
        let ratios = self.ratios.iter();
        let ratios =
            ratios.map(|Ratio { peer, wall, cpu }| format!("{peer} {wall:.2} (cpu {cpu:.2})"));
        let ratios: Vec<String> = ratios.collect();
        if !ratios.is_empty() {
            let line = format!("time relative to auto: {}", ratios.join("; "));
            text.push_str(&wrapped(&line));
        }
        for note in &self.notes {
            text.push_str(&wrapped(&format!("note: {note}")));
        }
        for fault in &self.faults {
            let _ = writeln!(text, "FAULT: {fault}");
        }
        text
    }
}

impl ExactTier {
    /// Says what `auto` is, and how large the exact tier is.
    fn line(&self) -> String {
        let Self {
            method,
            corners,
            tangents,
            label_entries,
            ..
        } = self;
        let auto = match &self.auto_method {
            Some(method) => format!("exact ({method})"),
            None => "the default tier of the contraction".to_owned(),
        };
        format!(
            "auto: {auto}; auto:exact: {method}, {corners} corners, {tangents} tangents, {label_entries} label entries"
        )
    }
}

impl EngineFigures {
    fn row(&self) -> Vec<String> {
        let percent = |digits: usize, part: fn(&Excess) -> f64| {
            let excess = self.excess.as_ref();
            excess.map_or("-".to_owned(), |e| format!("{:.digits$}", part(e) * 100.0))
        };
        let mut row = vec![self.engine.clone(), self.failed.to_string()];
        let times = [
            self.times.mean_us,
            self.times.p99_us,
            self.times.locate_us,
            self.times.corridor_us,
            self.times.waypoints_us,
        ];
        row.extend(times.map(micros));
        row.extend([
            percent(3, |e| e.mean),
            percent(2, |e| e.p99),
            percent(2, |e| e.max),
        ]);
        row.push(format!("{:.1}", self.build_ms));
        let or_dash = |number: Option<String>| number.unwrap_or("-".to_owned());
        row.push(or_dash(
            self.bytes_per_polygon.map(|bytes| format!("{bytes:.0}")),
        ));
        row.push(or_dash(
            self.detour_ratio.map(|ratio| format!("{ratio:.2}")),
        ));
        row
    }
}

/// Formats all bakes as one table. Returns an empty string if there are none.
pub(crate) fn bake_table(bakes: &[BakeFigures]) -> String {
    if bakes.is_empty() {
        return String::new();
    }
    let headings = [
        "level",
        "triangles",
        "Recast C++, ms",
        "Portolan, ms",
        "all threads, ms",
        "Recast polygons",
        "Portolan polygons",
    ];
    let mut rows = vec![headings.map(str::to_owned).to_vec()];
    let or_dash = |number: Option<String>| number.unwrap_or("-".to_owned());
    rows.extend(bakes.iter().map(|bake| {
        vec![
            bake.level.clone(),
            bake.triangles.to_string(),
            or_dash(bake.recast_ms.map(|ms| format!("{ms:.0}"))),
            format!("{:.0}", bake.portolan_ms),
            format!("{:.0}", bake.portolan_all_threads_ms),
            or_dash(bake.recast_polygons.map(|polygons| polygons.to_string())),
            bake.portolan_polygons.to_string(),
        ]
    }));
    let mut text = format!(
        "\nBaking: wall time on one thread, and of Portolan on all threads\n{}",
        columns(&rows)
    );
    for bake in bakes {
        for note in &bake.notes {
            text.push_str(&wrapped(&format!("note: {}: {note}", bake.level)));
        }
    }
    text
}

/// Formats a time with at least three significant digits, which is the precision of a measurement.
fn micros(time: f64) -> String {
    let digits = if time < 10.0 {
        2
    } else {
        usize::from(time < 100.0)
    };
    format!("{time:.digits$}")
}

/// Breaks a line between words if it is longer than the tables.
fn wrapped(line: &str) -> String {
    const MAX_LENGTH: usize = 118;
    let (mut text, mut length) = (String::new(), 0);
    for word in line.split(' ') {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > MAX_LENGTH {
            text.push_str("\n ");
            length = 1;
        }
        if length > 0 {
            text.push(' ');
        }
        text.push_str(word);
        length += 1 + letters;
    }
    text.push('\n');
    text
}

/// Aligns the first column to the left and the others to the right.
pub(crate) fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.first().map_or(0, Vec::len);
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|i| width(i).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let _ = write!(text, "{:<1$}", row[0], widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            let _ = write!(text, "  {cell:>width$}");
        }
        text.push('\n');
    }
    text
}
