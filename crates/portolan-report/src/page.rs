//! The page.
use std::path::Path;
use crate::{Report, ReportError};
pub(crate) fn write(report: &Report, folder: &Path) -> Result<(), ReportError> {
    portolan_io::save(&folder.join("report.json"), |out| {
        serde_json::to_writer(&mut *out, report)?;
        writeln!(out)
    })?;
    Ok(())
}
