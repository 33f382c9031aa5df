//! `portolan report`: the papers' evaluation, remade, and two of them compared.

use std::path::Path;
use std::time::Instant;

use portolan_report::{Change, Effort, PeersRun, Progress, ReportError, ReportOptions, SCENES};

use crate::args::{Common, ReportArgs};
use crate::outcome::{Answer, Failure};
use crate::table::Table;
use crate::terminal::{count, progress, say};

pub(crate) fn run(args: &ReportArgs, common: &Common) -> Result<Answer, Failure> {
    if let Some([a, b]) = args.diff.as_deref() {
        return diff(a, b);
    }
    let Some(output) = &args.output else {
        return Err(Failure::new("report needs -o DIR, or --diff A.json B.json"));
    };
    // One that cannot be read is worth knowing before anything is measured.
    let peers = args.peers.as_deref().map(PeersRun::open);
    let peers = peers.transpose().map_err(wrong)?;
    if let Some(file) = &args.from {
        let mut report = portolan_report::open(file).map_err(wrong)?;
        // Without new ones it keeps those it has.
        report.peers = peers.or(report.peers);
        portolan_report::write(&report, output).map_err(wrong)?;
        return Ok(Answer::Yes);
    }
    if let Some(threads) = common.threads {
        // METIS has to run on the main thread, so the pool is the global one; it can be built but
        // once, and nobody has before.
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()
            .map_err(|error| Failure::new(format!("the threads could not be started: {error}")))?;
    }
    let options = args.options(peers)?;
    let start = Instant::now();
    let bar = progress(common, "measuring", 1);
    let watch = |now: Progress<'_>| {
        bar.set_length(now.all as u64);
        bar.set_position(now.done as u64);
        bar.set_message(now.scene.to_owned());
    };
    let report = portolan_report::run(&options, output, &watch).map_err(wrong)?;
    bar.finish_and_clear();
    if !common.quiet {
        say!(
            "{}: {}, {}, measured in {:.0} s ({:.0} s of them now)",
            output.join("index.html").display(),
            count(report.scenes.len(), "scene"),
            count(report.effort.merge_factors.len(), "merge factor"),
            report.seconds,
            start.elapsed().as_secs_f64()
        );
    }
    Ok(Answer::Yes)
}

/// The most cells that are listed in either direction.
const LISTED: usize = 15;

/// What became faster or slower from one report to another.
fn diff(a: &Path, b: &Path) -> Result<Answer, Failure> {
    let before = portolan_report::open(a).map_err(wrong)?;
    let after = portolan_report::open(b).map_err(wrong)?;
    let diff = portolan_report::diff(&before, &after);
    if diff.changes.is_empty() {
        return Err(Failure::new(format!(
            "{} and {} have no cell in common: other scenes, or other merge factors",
            a.display(),
            b.display()
        )));
    }
    say!(
        "{} ({}) to {} ({}): {} cells, {} in one only",
        a.display(),
        before.date,
        b.display(),
        after.date,
        diff.changes.len(),
        diff.unmatched
    );
    for warning in &diff.warnings {
        say!("  note: {warning}");
    }
    let mut table = Table::new(&["engine", "cells", "ratio", "noise", "faster", "slower"]);
    for (engine, cells, ratio, noise, [faster, slower]) in diff.by_engine() {
        table.row(vec![
            engine,
            cells.to_string(),
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
    Ok(Answer::Yes)
}

/// The cells that changed most, with the noise that they are beyond.
fn list(what: &str, changes: &[&Change]) {
    if changes.is_empty() {
        say!("nothing became {what} beyond the noise");
        return;
    }
    say!(
        "{} became {what} beyond the noise{}:",
        count(changes.len(), "cell"),
        if changes.len() > LISTED {
            format!(", the first {LISTED}")
        } else {
            String::new()
        }
    );
    let mut table = Table::new(&["scene", "mu", "engine", "before", "after", "ratio", "noise"]);
    for change in changes.iter().take(LISTED) {
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

fn percent(share: f64) -> String {
    format!("±{:.0}%", 100.0 * share)
}

fn wrong(error: ReportError) -> Failure {
    Failure::new(error.to_string())
}

impl ReportArgs {
    fn options(&self, peers: Option<PeersRun>) -> Result<ReportOptions, Failure> {
        let scenes = match self.scenes.as_deref() {
            None => SCENES.to_vec(),
            Some([none]) if none == "none" => {
                if self.maps.is_empty() {
                    return Err(Failure::new("--scenes none leaves nothing without --maps"));
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
            Effort::quick()
        } else {
            Effort::full()
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
        })
    }
}
