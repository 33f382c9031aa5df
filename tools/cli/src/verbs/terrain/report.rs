//! `portolan terrain report`: the thesis's tables and pictures, remade.

use portolan_report::{Progress, ReportError, TerrainEffort, TerrainReportOptions};

use crate::args::{Common, TerrainReportArgs};
use crate::outcome::{Answer, Failure};
use crate::terminal::{count, progress, say};

pub(super) fn run(args: &TerrainReportArgs, common: &Common) -> Result<Answer, Failure> {
    let wrong = |error: ReportError| Failure::new(error.to_string());
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
    // A folder that cannot be is worth knowing before anything is measured.
    std::fs::create_dir_all(&args.output).map_err(|error| {
        let folder = args.output.clone();
        wrong(ReportError::Folder { folder, error })
    })?;
    let bar = progress(common, "measuring", 1);
    let watch = |now: Progress<'_>| {
        bar.set_length(now.all as u64);
        bar.set_position(now.done as u64);
        bar.set_message(now.scene.to_owned());
    };
    let measured = portolan_report::terrain_report(&options, &watch).map_err(wrong)?;
    bar.finish_and_clear();
    portolan_report::write_terrain(&measured, &args.output).map_err(wrong)?;
    if common.quiet {
        return Ok(Answer::Yes);
    }
    let report = &measured.report;
    say!(
        "{}: {}, {}, measured in {:.0} s",
        args.output.join("index.html").display(),
        count(report.grounds.len(), "ground"),
        count(measured.pictures.len(), "picture"),
        report.seconds
    );
    for bar in &report.bars {
        say!(
            "  {}: {}, {}: {} (wanted: {})",
            if bar.is_met { "met" } else { "not met" },
            bar.what,
            bar.ground,
            bar.measured,
            bar.wanted
        );
    }
    Ok(Answer::Yes)
}
