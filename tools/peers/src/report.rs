//! The figures: a table for people, JSON for the rest.

use std::fmt::Write;

use portolan_draw::chart::trade_off::{self, EnginePoint, PEERS};
use portolan_measure::Summary;
use serde::{Deserialize, Serialize};

use crate::measure::{Micros, medians};
use crate::verdict::Verdict;

/// All that a run says.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Times are, per query, medians of the rounds of a process, and of these over the processes.
    pub(crate) processes: u32,
    pub(crate) rounds: u32,
    /// `query`: the next peer's turn after every query; `peer`: after all queries of a round.
    pub(crate) interleaved_by: &'static str,
    /// What reading the CPU clock costs, which was taken off. [Units: µs]
    pub(crate) cpu_clock_us: f64,
    pub(crate) maps: Vec<MapFigures>,
    /// Of every map and tier with bars.
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) bakes: Vec<BakeFigures>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MapFigures {
    pub(crate) map: String,
    pub(crate) polygons: usize,
    pub(crate) portals: usize,
    pub(crate) components: usize,
    pub(crate) queries: usize,
    /// Where the queries are from.
    pub(crate) asked: String,
    /// Whose lengths excess is over.
    pub(crate) optimum: String,
    pub(crate) engines: Vec<EngineFigures>,
    pub(crate) ratios: Vec<Ratio>,
    pub(crate) reference: Option<Referred>,
    pub(crate) faults: Vec<String>,
    pub(crate) notes: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct EngineFigures {
    pub(crate) engine: String,
    pub(crate) found: usize,
    /// All that were not: partial, no path, off the mesh.
    pub(crate) failed: usize,
    pub(crate) partial: usize,
    pub(crate) no_path: usize,
    pub(crate) off_mesh: usize,
    #[serde(flatten)]
    pub(crate) times: Times,
    /// Length over the any-angle optimum in (x, z), less 1, of what was found.
    pub(crate) excess: Option<Excess>,
    pub(crate) build_ms: f64,
    pub(crate) bytes: Option<usize>,
    pub(crate) bytes_per_polygon: Option<f64>,
    /// How many times as long [`WITH_ALL_NODES`](crate::detour::WITH_ALL_NODES) takes: above 1, this one
    /// is faster.
    pub(crate) detour_ratio: Option<f64>,
}

/// Times over all queries. [Units: µs]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Times {
    pub(crate) mean_us: f64,
    pub(crate) median_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) max_us: f64,
    /// The mean of the fastest process and of the slowest.
    pub(crate) lowest_process_mean_us: f64,
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
    /// Of the times of every query in each process.
    pub(crate) fn of(processes: &[&[Micros]]) -> Self {
        let queries = processes.iter().map(|micros| micros.len()).min();
        let micros: Vec<Micros> = (0..queries.unwrap_or(0))
            .map(|query| {
                let times: Vec<Micros> = processes.iter().map(|micros| micros[query]).collect();
                medians(&times)
            })
            .collect();
        let spread =
            |time: fn(&Micros) -> f64| Summary::of(micros.iter().map(time)).unwrap_or_default();
        let (whole, cpu) = (spread(|m| m.whole), spread(|m| m.cpu));
        let of_process = |micros: &&[Micros]| Summary::of(micros.iter().map(|m| m.whole));
        let means = || processes.iter().filter_map(of_process).map(|s| s.mean);
        Self {
            mean_us: whole.mean,
            median_us: whole.median,
            p99_us: whole.p99,
            max_us: whole.max,
            lowest_process_mean_us: means().reduce(f64::min).unwrap_or_default(),
            highest_process_mean_us: means().reduce(f64::max).unwrap_or_default(),
            cpu_mean_us: cpu.mean,
            cpu_median_us: cpu.median,
            cpu_p99_us: cpu.p99,
            cpu_max_us: cpu.max,
            locate_us: spread(|m| m.locate).mean,
            corridor_us: spread(|m| m.corridor).mean,
            waypoints_us: spread(|m| m.waypoints).mean,
        }
    }
}

/// Mean time of a peer over that of our default tier.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ratio {
    pub(crate) peer: String,
    pub(crate) wall: f64,
    pub(crate) cpu: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Excess {
    /// Below 0 by what lengths are rounded by.
    pub(crate) min: f64,
    pub(crate) mean: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

impl Excess {
    /// `None` of nothing.
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

/// What the file of queries says, for comparison.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Referred {
    /// The most that our optimum and the file's differ, relative.
    pub(crate) optimum_difference_max: f64,
    pub(crate) detour_excess: Excess,
}

/// A level, baked by Recast C++ and by us. Wall milliseconds.
#[derive(Debug, Serialize)]
pub(crate) struct BakeFigures {
    pub(crate) level: String,
    pub(crate) triangles: usize,
    /// `None` where it could not.
    pub(crate) recast_ms: Option<f64>,
    pub(crate) recast_polygons: Option<usize>,
    /// On one thread, as Recast.
    pub(crate) ours_ms: f64,
    pub(crate) ours_all_threads_ms: f64,
    pub(crate) ours_polygons: usize,
    pub(crate) notes: Vec<String>,
}

impl Report {
    pub(crate) fn faults(&self) -> usize {
        self.maps.iter().map(|map| map.faults.len()).sum()
    }

    /// Time over excess, one panel per map, as SVG: the chart that `portolan report --peers` shows. A map
    /// without an optimum has no panel.
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

    /// What the columns mean.
    pub(crate) fn legend(&self) -> String {
        format!(
            "\
Whole queries (locate, corridor, waypoints), µs of wall time on one thread. The time of a query is the
median of {} rounds, interleaved by {}, and of these the median of {} processes (where memory lies
differs from one to the next). cpu: by thread CPU time, less the {:.2} µs that its clock takes. locate,
corridor, points: the means of the parts. excess, p99, max: length over the any-angle optimum in
(x, z), in %. failed: not found, or found in part. build: ms. B/poly: bytes a polygon. x Detour: how many
times as long Detour with 65 535 nodes takes. `ours:TIER` is `auto` at that tier, what a user gets;
`+plan` has costs as seen from above (`index --cost-model plan`), as excess is measured, and not in space;
`+ground` adds waypoints that follow the ground, all others give corners only. landmass stands in a
process of its own and measures its own times. --json has more digits and columns.
",
            self.rounds, self.interleaved_by, self.processes, self.cpu_clock_us
        )
    }
}

impl MapFigures {
    pub(crate) fn table(&self) -> String {
        let mut text = format!(
            "\n{}: {} polygons, {} portals, {} components; {} queries ({})\n",
            self.map, self.polygons, self.portals, self.components, self.queries, self.asked
        );
        let _ = writeln!(text, "optimum: {}", self.optimum);
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
            let line = format!("time over that of ours:default: {}", ratios.join("; "));
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

/// The bakes, all in one table; empty where there are none.
pub(crate) fn bake_table(bakes: &[BakeFigures]) -> String {
    if bakes.is_empty() {
        return String::new();
    }
    let headings = [
        "level",
        "triangles",
        "Recast C++ ms",
        "ours ms",
        "ours, all threads",
        "Recast polygons",
        "ours",
    ];
    let mut rows = vec![headings.map(str::to_owned).to_vec()];
    let or_dash = |number: Option<String>| number.unwrap_or("-".to_owned());
    rows.extend(bakes.iter().map(|bake| {
        vec![
            bake.level.clone(),
            bake.triangles.to_string(),
            or_dash(bake.recast_ms.map(|ms| format!("{ms:.0}"))),
            format!("{:.0}", bake.ours_ms),
            format!("{:.0}", bake.ours_all_threads_ms),
            or_dash(bake.recast_polygons.map(|polygons| polygons.to_string())),
            bake.ours_polygons.to_string(),
        ]
    }));
    let mut text = format!("\nBakes, wall time, on one thread\n{}", columns(&rows));
    for bake in bakes {
        for note in &bake.notes {
            text.push_str(&wrapped(&format!("note: {}: {note}", bake.level)));
        }
    }
    text
}

/// Three digits or more: what a measurement is worth.
fn micros(time: f64) -> String {
    let digits = if time < 10.0 {
        2
    } else {
        usize::from(time < 100.0)
    };
    format!("{time:.digits$}")
}

/// Breaks a line between words, where it is longer than the tables.
fn wrapped(line: &str) -> String {
    const MOST: usize = 118;
    let (mut text, mut length) = (String::new(), 0);
    for word in line.split(' ') {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > MOST {
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

/// The first column flush left, the others flush right.
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
