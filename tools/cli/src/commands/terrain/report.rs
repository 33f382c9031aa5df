//! `portolan terrain report`: repeats the evaluation of the terrain thesis (see docs/terrain.md).

use portolan_report::{ReportError, ReportProgress, TerrainEffort, TerrainReportOptions};

use crate::args::{Common, TerrainReportArgs};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, progress, say};

pub(super) fn run(args: &TerrainReportArgs, common: &Common) -> Result<ExitKind, Failure> {
    let failure = |error: ReportError| Failure::new(error.to_string());
    let mut effort = if args.quick {
        TerrainEffort::quick()
    } else {
        TerrainEffort::full()
    };
    effort.seed = args.seed;
    if let Some(size) = args.size {
        effort.size = size as usize;
    }
    let options = TerrainReportOptions {
        map: args.map.clone(),
        effort,
    };
    // The folder is created first: if that is impossible, the command fails before it measures.
    std::fs::create_dir_all(&args.output).map_err(|error| {
        let folder = args.output.clone();
        failure(ReportError::Folder { folder, error })
    })?;
    let bar = progress(common, "measuring", 1);
    let on_progress = |now: ReportProgress<'_>| {
        bar.set_length(now.total as u64);
        bar.set_position(now.done as u64);
        bar.set_message(now.label.to_owned());
    };
    let measured = portolan_report::terrain_report(&options, &on_progress).map_err(failure)?;
    bar.finish_and_clear();
    portolan_report::write_terrain(&measured, &args.output).map_err(failure)?;
    if common.quiet {
        return Ok(ExitKind::Success);
    }
    let report = &measured.report;
    say!(
        "{}: {}, {}, measured in {:.0} s",
        args.output.join("index.html").display(),
        count(report.grounds.len(), "ground"),
        count(measured.pictures.len(), "picture"),
        report.seconds
    );
    for criterion in &report.criteria {
        say!(
            "  {}: {}, {}: {} (expected: {})",
            if criterion.is_met { "met" } else { "not met" },
            criterion.requirement,
            criterion.ground,
            criterion.measured,
            criterion.threshold
        );
    }
    Ok(ExitKind::Success)
}
