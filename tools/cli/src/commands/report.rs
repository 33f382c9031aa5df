//! `portolan report`: repeats the evaluation of the HNA* papers, and compares two reports.

use std::path::Path;
use std::time::Instant;

use portolan_report::{
    PeersRun, ReportEffort, ReportError, ReportOptions, ReportProgress, SCENES, TimingChange,
};

use crate::args::{Common, ReportArgs};
use crate::outcome::{ExitKind, Failure};
use crate::table::TextTable;
use crate::terminal::{count, progress, say};

pub(crate) fn run(args: &ReportArgs, common: &Common) -> Result<ExitKind, Failure> {
    if let Some([a, b]) = args.diff.as_deref() {
        return diff(a, b);
    }
    let Some(output) = &args.output else {
        return Err(Failure::new("report needs -o DIR, or --diff A.json B.json"));
    };
    // The file is opened first: if it cannot be read, the command fails before it measures.
    let peers = args.peers.as_deref().map(PeersRun::open);
    let peers = peers.transpose().map_err(failure)?;
    if let Some(file) = &args.from {
        let mut report = portolan_report::open(file).map_err(failure)?;
        // Without --peers, the report keeps the comparison that it has.
        report.peers = peers.or(report.peers);
        portolan_report::write(&report, output).map_err(failure)?;
        return Ok(ExitKind::Success);
    }
    if let Some(threads) = common.threads {
        // METIS has to run on the main thread, so the work cannot run inside a pool of its own. It uses the
        // global pool, which can be built only once.
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()
            .map_err(|error| Failure::new(format!("cannot start the threads: {error}")))?;
    }
    let options = args.options(peers)?;
    let start = Instant::now();
    let bar = progress(common, "measuring", 1);
    let on_progress = |now: ReportProgress<'_>| {
        bar.set_length(now.total as u64);
        bar.set_position(now.done as u64);
        bar.set_message(now.label.to_owned());
    };
    let report = portolan_report::run(&options, output, &on_progress).map_err(failure)?;
    bar.finish_and_clear();
    if !common.quiet {
        say!(
            "{}: {}, {}, measured in {:.0} s ({:.0} s in this run)",
            output.join("index.html").display(),
            count(report.scenes.len(), "scene"),
            count(report.effort.merge_factors.len(), "merge factor"),
            report.seconds,
            start.elapsed().as_secs_f64()
        );
    }
    Ok(ExitKind::Success)
}

/// The largest number of measurements to list as faster, and as slower.
const MAX_LISTED: usize = 15;

/// Prints what became faster or slower from one report to another.
fn diff(a: &Path, b: &Path) -> Result<ExitKind, Failure> {
    let before = portolan_report::open(a).map_err(failure)?;
    let after = portolan_report::open(b).map_err(failure)?;
    let diff = portolan_report::diff(&before, &after);
    if diff.changes.is_empty() {
        return Err(Failure::new(format!(
            "{} and {} have no measurement in common: their scenes or merge factors differ",
            a.display(),
            b.display()
        )));
    }
    say!(
        "{} ({}) to {} ({}): {} in both, {} in one only",
        a.display(),
        before.date,
        b.display(),
        after.date,
        count(diff.changes.len(), "measurement"),
        diff.unmatched
    );
    for warning in &diff.warnings {
        say!("  note: {warning}");
    }
    let mut table = TextTable::new(&[
        "engine",
        "measurements",
        "after / before",
        "noise",
        "faster",
        "slower",
    ]);
    for (engine, measurements, ratio, noise, [faster, slower]) in diff.by_engine() {
        table.row(vec![
            engine,
            measurements.to_string(),
            format!("{ratio:.3}"),
            percent(noise),
            faster.to_string(),
            slower.to_string(),
        ]);
    }
    table.print();
    let [faster, slower] = diff.sorted();
    list("faster", &faster);
    list("slower", &slower);
    Ok(ExitKind::Success)
}

/// Prints the measurements that changed by more than their noise; `direction` is "faster" or "slower".
fn list(direction: &str, changes: &[&TimingChange]) {
    if changes.is_empty() {
        say!("no measurement became {direction} by more than its noise");
        return;
    }
    say!(
        "{} became {direction} by more than the noise{}:",
        count(changes.len(), "measurement"),
        if changes.len() > MAX_LISTED {
            format!("; the first {MAX_LISTED}")
        } else {
            String::new()
        }
    );
    let mut table = TextTable::new(&[
        "scene",
        "mu",
        "engine",
        "before",
        "after",
        "after / before",
        "noise",
    ]);
    for change in changes.iter().take(MAX_LISTED) {
        let [before, after] = change.micros.map(|micros| format!("{micros:.2} µs"));
        table.row(vec![
            change.scene.clone(),
            change.mu.to_string(),
            change.engine.clone(),
            before,
            after,
            format!("{:.3}", change.ratio),
            percent(change.noise),
        ]);
    }
    table.print();
}

fn percent(fraction: f64) -> String {
    format!("±{:.0}%", 100.0 * fraction)
}

fn failure(error: ReportError) -> Failure {
    Failure::new(error.to_string())
}

impl ReportArgs {
    fn options(&self, peers: Option<PeersRun>) -> Result<ReportOptions, Failure> {
        let scenes = match self.scenes.as_deref() {
            None => SCENES.to_vec(),
            Some([none]) if none == "none" => {
                if self.maps.is_empty() {
                    return Err(Failure::new(
                        "--scenes none leaves nothing to measure; add --maps",
                    ));
                }
                Vec::new()
            }
            Some(names) => names
                .iter()
                .map(|name| name.parse())
                .collect::<Result<_, portolan_scenes::UnknownScene>>()
                .map_err(|error| Failure::new(format!("--scenes: {error}")))?,
        };
        let mut effort = if self.quick {
            ReportEffort::quick()
        } else {
            ReportEffort::full()
        };
        effort.seed = self.seed;
        if let Some(factors) = &self.mu {
            effort.merge_factors.clone_from(factors);
            effort.merge_factors.sort_unstable();
            effort.merge_factors.dedup();
        }
        if let Some(queries) = self.queries {
            effort.queries = queries as usize;
        }
        if let Some(sizes) = &self.world_sizes {
            effort.world_sizes.clone_from(sizes);
            effort.world_sizes.sort_unstable();
            effort.world_sizes.dedup();
        }
        Ok(ReportOptions {
            scenes,
            maps: self.maps.clone(),
            effort,
            peers,
            gpu: self.gpu,
        })
    }
}
