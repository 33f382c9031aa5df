//! A run: job after job, each kept when it is done, and a report of all at the end.

use std::path::Path;
use std::time::Instant;

use crate::ReportError;
use crate::jobs::Job;
use crate::journal::Journal;
use crate::machine::{Machine, now};
use crate::model::{Cell, FORMAT, Report};
use crate::options::{Effort, ReportOptions};
use crate::scenes::{Source, Subject};

/// What a run says about itself.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Jobs done.
    pub done: usize,
    /// Jobs in all.
    pub all: usize,
    /// What it works on now.
    pub scene: &'a str,
}

/// Measures whatever `folder` does not hold from a run that was interrupted, and writes report,
/// page, figures and tables into it.
///
/// Call it on the main thread, where METIS has to run; engines that use several threads take those
/// of rayon's global pool.
pub fn run(
    options: &ReportOptions,
    folder: &Path,
    watch: &dyn Fn(Progress<'_>),
) -> Result<Report, ReportError> {
    let sources = Source::all(options)?;
    let wrong = |error| ReportError::Folder {
        folder: folder.to_owned(),
        error,
    };
    // A map that cannot be read is worth knowing before anything is measured.
    for source in &sources {
        if let Source::Map(_) = source {
            source.open(options.effort.seed)?;
        }
    }
    std::fs::create_dir_all(folder).map_err(wrong)?;
    let mut journal = Journal::open(folder, &fingerprint(&sources, options)).map_err(wrong)?;
    // Figure 13 of Pelechano and Fuentes shows their tropical islands.
    let shown = sources.iter().find(|source| source.name() == "tropical");
    let is_scene = |source: &&Source| !matches!(source, Source::World(..));
    let shown = shown.or(sources.iter().rfind(is_scene));
    // Scenes and maps stand in a table of their own; that comes first.
    let jobs = |source: &Source| {
        let jobs = Job::all(&options.effort, source, Some(source) == shown);
        let scene = is_scene(&source).then_some(None);
        let jobs: Vec<Option<Job>> = scene
            .into_iter()
            .chain(jobs.into_iter().map(Some))
            .collect();
        jobs
    };
    let all = sources.iter().map(|source| jobs(source).len()).sum();
    let (mut cells, mut seconds) = (Vec::new(), 0.0);
    for source in &sources {
        let (scene, jobs) = (source.name(), jobs(source));
        let mut subject: Option<Subject> = None;
        for job in jobs {
            watch(Progress {
                done: cells.len(),
                all,
                scene: &scene,
            });
            let key = job.map_or_else(|| format!("scene {scene}"), |job| job.key(&scene));
            if journal.get(&key).is_none() {
                let start = Instant::now();
                let subject = match &mut subject {
                    Some(subject) => subject,
                    none => none.insert(source.open(options.effort.seed)?),
                };
                let cell = match job {
                    None => Cell::Scene(subject.cell.clone()),
                    Some(job) => job.run(subject, &options.effort)?,
                };
                let took = start.elapsed().as_secs_f64();
                journal.add(key.clone(), &cell, took).map_err(wrong)?;
            }
            let (cell, took) = journal.get(&key).expect("it was added");
            cells.push(cell.clone());
            seconds += took;
        }
    }
    watch(Progress {
        done: all,
        all,
        scene: "page",
    });
    let mut report = report(cells, seconds, &options.effort);
    report.peers.clone_from(&options.peers);
    crate::page::write(&report, folder)?;
    journal.remove().map_err(wrong)?;
    Ok(report)
}

/// Opens a `report.json`.
pub fn open(file: &Path) -> Result<Report, ReportError> {
    let no_report = |why: String| ReportError::NoReport {
        file: file.to_owned(),
        why,
    };
    let bytes = std::fs::read(file).map_err(|error| no_report(error.to_string()))?;
    if bytes.is_empty() {
        return Err(no_report("the file is empty".to_owned()));
    }
    let report: Report = serde_json::from_slice(&bytes)
        .map_err(|error| no_report(format!("not a report of this version: {error}")))?;
    if report.format != FORMAT {
        return Err(no_report(format!("{:?} is not {FORMAT:?}", report.format)));
    }
    Ok(report)
}

fn report(cells: Vec<Cell>, seconds: f64, effort: &Effort) -> Report {
    let mut report = Report {
        format: FORMAT.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: now(),
        machine: Machine::this(),
        effort: effort.clone(),
        seconds: seconds.round(),
        scenes: Vec::new(),
        grid: Vec::new(),
        memory: Vec::new(),
        lengths: Vec::new(),
        pccp: Vec::new(),
        weights: Vec::new(),
        examples: Vec::new(),
        beyond: Vec::new(),
        peers: None,
    };
    for cell in cells {
        match cell {
            Cell::Scene(cell) => report.scenes.push(cell),
            Cell::Grid(cell) => report.grid.push(cell),
            Cell::Memory(cells) => report.memory.extend(cells.cells),
            Cell::Lengths(cells) => report.lengths.extend(cells.cells),
            Cell::Pccp(cell) => report.pccp.push(cell),
            Cell::Weights(cells) => report.weights.extend(cells.cells),
            Cell::Example(cell) => report.examples.push(cell),
            Cell::Beyond(cell) => report.beyond.push(*cell),
        }
    }
    report
}

/// What has to be the same for cells to belong together: the program, byte by byte, the machine, how
/// much is measured, and the maps. Scenes may be more or fewer than before.
fn fingerprint(sources: &[Source], options: &ReportOptions) -> String {
    let program = std::env::current_exe().and_then(std::fs::read);
    let program = program.map_or(0, |bytes| fnv(&bytes));
    let machine = Machine::this();
    let mut text = format!(
        "{FORMAT}, {}, {program:016x}, {}, {} cores, {:?}",
        env!("CARGO_PKG_VERSION"),
        machine.cpu,
        machine.cores,
        options.effort
    );
    for source in sources {
        if let Source::Map(file) = source {
            let bytes = std::fs::read(file).map_or(0, |bytes| fnv(&bytes));
            text += &format!(", {} {bytes:016x}", source.name());
        }
    }
    text
}

/// The FNV-1a hash, of eight bytes at a time: this tells builds apart, it does not guard anything.
fn fnv(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}
