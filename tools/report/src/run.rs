//! Runs all measurement jobs, saves each finished cell, and writes the report at the end.

use std::path::Path;
use std::time::Instant;

use crate::ReportError;
use crate::device::Device;
use crate::device_model::DeviceRun;
use crate::jobs::MeasurementJob;
use crate::journal::Journal;
use crate::machine::{Machine, now};
use crate::mesh_source::{LoadedMesh, MeshSource};
use crate::model::{Cell, FORMAT, Report};
use crate::options::{ReportEffort, ReportOptions};

/// The progress of a run, passed to the caller's `watch` function.
#[derive(Clone, Copy, Debug)]
pub struct ReportProgress<'a> {
    /// The number of finished jobs.
    pub done: usize,
    /// The number of all jobs.
    pub total: usize,
    /// The scene, map or step that is being measured.
    pub label: &'a str,
}

/// Measures everything that `options` select and writes the report, page, figures and tables to `folder`.
///
/// If `folder` contains the finished cells of an interrupted run with the same program, machine and effort,
/// the run resumes there.
///
/// Call it on the main thread: METIS must run there. Engines that use several threads use rayon's
/// global pool.
pub fn run(
    options: &ReportOptions,
    folder: &Path,
    watch: &dyn Fn(ReportProgress<'_>),
) -> Result<Report, ReportError> {
    let sources = MeshSource::all(options)?;
    let folder_error = |error| ReportError::Folder {
        folder: folder.to_owned(),
        error,
    };
    // An unreadable map must fail before anything is measured.
    for source in &sources {
        if let MeshSource::Map(_) = source {
            source.open(options.effort.seed)?;
        }
    }
    // So must a missing graphics card.
    let device = options.gpu.then(Device::open).transpose()?;
    std::fs::create_dir_all(folder).map_err(folder_error)?;
    let run = fingerprint(&sources, options, device.as_ref());
    let mut journal = Journal::open(folder, &run).map_err(folder_error)?;
    // Pelechano and Fuentes 2016, figure 13, shows the tropical map.
    let example_source = sources.iter().find(|source| source.name() == "tropical");
    let is_scene = |source: &&MeshSource| !matches!(source, MeshSource::World(..));
    let example_source = example_source.or(sources.iter().rfind(is_scene));
    // `None` is the job that lists a scene or map in the table of sizes.
    let jobs = |source: &MeshSource| {
        let is_example = Some(source) == example_source;
        let jobs = MeasurementJob::all(&options.effort, source, is_example, device.is_some());
        let scene = is_scene(&source).then_some(None);
        let jobs: Vec<Option<MeasurementJob>> = scene
            .into_iter()
            .chain(jobs.into_iter().map(Some))
            .collect();
        jobs
    };
    let total = sources.iter().map(|source| jobs(source).len()).sum();
    let (mut cells, mut seconds) = (Vec::new(), 0.0);
    for source in &sources {
        let (scene, jobs) = (source.name(), jobs(source));
        let mut loaded: Option<LoadedMesh> = None;
        for job in jobs {
            watch(ReportProgress {
                done: cells.len(),
                total,
                label: &scene,
            });
            let key = job.map_or_else(|| format!("scene {scene}"), |job| job.key(&scene));
            if journal.get(&key).is_none() {
                let start = Instant::now();
                let loaded = match &mut loaded {
                    Some(loaded) => loaded,
                    none => none.insert(source.open(options.effort.seed)?),
                };
                let cell = match job {
                    None => Cell::Scene(loaded.cell.clone()),
                    Some(job) => job.run(loaded, &options.effort, device.as_ref())?,
                };
                let took = start.elapsed().as_secs_f64();
                journal
                    .add(key.clone(), &cell, took)
                    .map_err(folder_error)?;
            }
            let (cell, took) = journal
                .get(&key)
                .expect("the journal has every finished cell");
            cells.push(cell.clone());
            seconds += took;
        }
    }
    watch(ReportProgress {
        done: total,
        total,
        label: "page",
    });
    let mut report = combine(cells, seconds, &options.effort, device.as_ref());
    report.peers.clone_from(&options.peers);
    crate::page::write(&report, folder)?;
    journal.remove().map_err(folder_error)?;
    Ok(report)
}

/// Reads a `report.json` that [`run`] or [`write`](crate::write) wrote.
pub fn open(file: &Path) -> Result<Report, ReportError> {
    let no_report = |why: String| ReportError::NoReport {
        file: file.to_owned(),
        why,
    };
    let bytes = std::fs::read(file).map_err(|error| no_report(error.to_string()))?;
    if bytes.is_empty() {
        return Err(no_report("the file is empty".to_owned()));
    }
    let report: Report = serde_json::from_slice(&bytes).map_err(|error| {
        no_report(format!(
            "not a report that this version of portolan can read: {error}"
        ))
    })?;
    if report.format != FORMAT {
        return Err(no_report(format!(
            "the format is {:?}, not {FORMAT:?}",
            report.format
        )));
    }
    Ok(report)
}

/// Combines all cells into a report.
fn combine(
    cells: Vec<Cell>,
    seconds: f64,
    effort: &ReportEffort,
    device: Option<&Device>,
) -> Report {
    let mut of_device = device.map(|device| DeviceRun {
        adapter: device.adapter().to_owned(),
        is_emulated: device.is_emulated(),
        batches: Vec::new(),
        connects: Vec::new(),
    });
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
        comparisons: Vec::new(),
        batches: Vec::new(),
        changes: Vec::new(),
        peers: None,
        device: None,
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
            Cell::Comparison(cell) => report.comparisons.push(*cell),
            Cell::Batches(cell) => report.batches.push(cell),
            Cell::Changes(cell) => report.changes.push(*cell),
            Cell::DeviceBatches(cell) => {
                of_device
                    .iter_mut()
                    .for_each(|device| device.batches.push(cell.clone()));
            }
            Cell::DeviceConnects(cells) => {
                of_device
                    .iter_mut()
                    .for_each(|device| device.connects.extend(cells.cells.clone()));
            }
        }
    }
    report.device = of_device;
    report
}

/// Describes everything that must be equal for cells of two runs to be combined: the bytes of the program,
/// the machine, the effort, and the contents of the maps. The set of scenes may differ.
fn fingerprint(sources: &[MeshSource], options: &ReportOptions, device: Option<&Device>) -> String {
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
    if let Some(device) = device {
        text += &format!(", {}", device.adapter());
    }
    for source in sources {
        if let MeshSource::Map(file) = source {
            let bytes = std::fs::read(file).map_or(0, |bytes| fnv(&bytes));
            text += &format!(", {} {bytes:016x}", source.name());
        }
    }
    text
}

/// Computes an FNV-1a hash over blocks of eight bytes. It distinguishes builds; it is not a checksum.
fn fnv(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}
