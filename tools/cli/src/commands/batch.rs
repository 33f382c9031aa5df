//! `portolan batch`: answers a file of queries and writes a table, slice by slice.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use glam::Vec3;
use indicatif::ProgressBar;
use portolan_core::{
    BatchAnswers, BatchOptions, BatchQueries, EngineError, NavMesh, Status, Want, World,
};
use portolan_formats::{ArrowAnswers, CsvAnswers, FileError, QueryReader};
use portolan_measure::Stopwatch;

use super::{check_outputs, engine, extension, open_costs, open_world, threads};
use crate::args::{BatchArgs, Common};
use crate::gpu::{self, Gpu, GpuError, GpuWorld};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, progress, say, spinner};

/// The number of queries that are in memory at the same time.
const SLICE: usize = 1 << 16;

pub(crate) fn run(args: &BatchArgs, common: &Common) -> Result<ExitKind, Failure> {
    let want = Want::from(args.want);
    let format = TableFormat::of(&args.output)?;
    let engine = match &args.engine {
        Some(name) => engine(name)?,
        None if args.gpu => gpu::default_engine(want),
        None => want.default_engine(),
    };
    let inputs = [
        Some(&args.world),
        Some(&args.queries),
        args.profile.as_ref(),
    ];
    let inputs: Vec<&Path> = inputs.into_iter().flatten().map(|file| &**file).collect();
    check_outputs(&inputs, &[Some(&args.output)])?;
    let mut slices = QuerySlices::open(&args.queries)?;
    let world = open_world(&args.world, args.trust, common)?;
    let costs = open_costs(&world, args.profile.as_deref(), &[engine], common)?;
    let gpu = gpu::open(args.gpu)?;
    let device = gpu.as_ref().map(|gpu| gpu.upload(&world, &costs));
    let batch = Batch {
        world: &world,
        device: device
            .transpose()
            .map_err(|error| failure(&args.world, &BatchError::Gpu(error)))?,
        options: BatchOptions {
            engine,
            costs: Some(&costs),
            snap: args.snap,
            max_label_bytes: args.labels_limit,
            ..BatchOptions::new(want)
        },
        pool: threads(common)?,
    };
    let mut answers = BatchAnswers::default();
    batch.prepare(&mut answers, common).map_err(|error| {
        let profile = args.profile.as_ref();
        let is_profile = matches!(error, BatchError::Engine(EngineError::NotExact { .. }));
        failure(
            profile.filter(|_| is_profile).unwrap_or(&args.world),
            &error,
        )
    })?;

    let progress = slices.progress(common);
    let mut watch = Stopwatch::start();
    let mut tally = Tally::default();
    let (mut broken, mut failed) = (None, None);
    let written = portolan_files::save(&args.output, |out| {
        let mut table = Table::new(format, out, want)?;
        while !slices.queries.is_empty() {
            let mut answering = Stopwatch::start();
            match batch.answer(&slices.queries, &mut answers) {
                Ok(fallbacks) => tally.fallbacks += fallbacks,
                Err(error) => {
                    failed = Some(error);
                    return Err(io::Error::other("the device failed"));
                }
            }
            tally.add(&answers.statuses, answering.lap());
            table.write(world.mesh(), &answers)?;
            progress.set_position(slices.reader.bytes_read());
            if let Err(error) = slices.advance() {
                broken = Some(error);
                // The message is not shown: the query that is wrong is the cause.
                return Err(io::Error::other("the queries are broken"));
            }
        }
        table.finish()
    });
    progress.finish_and_clear();
    if let Some(error) = broken {
        return Err(error.into());
    }
    if let Some(error) = failed {
        return Err(failure(&args.world, &error));
    }
    written?;
    if !common.quiet {
        say!(
            "{}: {}",
            args.output.display(),
            tally.summary(watch.lap().as_secs_f64(), gpu.as_ref())
        );
    }
    Ok(ExitKind::Success)
}

/// The queries of a file, of which one slice is in memory.
struct QuerySlices<'a> {
    file: &'a Path,
    /// The size of the file; 0 if it is not known. [Units: bytes]
    bytes: u64,
    reader: QueryReader<File>,
    /// Empty at the end of the file.
    queries: Vec<[Vec3; 2]>,
}

impl<'a> QuerySlices<'a> {
    /// Opens a file and reads its first slice.
    fn open(file: &'a Path) -> Result<Self, Failure> {
        let mut slices = Self {
            file,
            bytes: std::fs::metadata(file).map_or(0, |file| file.len()),
            reader: portolan_formats::open_query_reader(file)?,
            queries: Vec::new(),
        };
        slices.advance()?;
        if slices.queries.is_empty() {
            let message = format!("{}: the file has no queries", file.display());
            return Err(Failure::new(message));
        }
        Ok(slices)
    }

    /// Reads the next slice.
    fn advance(&mut self) -> Result<(), FileError> {
        self.queries.clear();
        for query in self.reader.by_ref().take(SLICE) {
            let query = query.map_err(|error| FileError::Content {
                file: self.file.display().to_string(),
                error,
            })?;
            self.queries.push([query.from, query.to]);
        }
        Ok(())
    }

    fn progress(&self, common: &Common) -> ProgressBar {
        match self.bytes {
            0 => spinner(common, "answering"),
            bytes => progress(common, "bytes read", bytes),
        }
    }
}

/// How queries are answered.
struct Batch<'a> {
    world: &'a World,
    /// Answers if there is one.
    device: Option<GpuWorld<'a>>,
    options: BatchOptions<'a>,
    pool: rayon::ThreadPool,
}

/// Why a batch cannot be answered.
enum BatchError {
    Engine(EngineError),
    Gpu(GpuError),
}

impl std::fmt::Display for BatchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Engine(error) => error.fmt(f),
            Self::Gpu(error) => f.write_str(&gpu::describe(error)),
        }
    }
}

/// Describes an error and the file that it belongs to.
fn failure(file: &Path, error: &impl std::fmt::Display) -> Failure {
    Failure::new(format!("{}: {error}", file.display()))
}

impl Batch<'_> {
    /// Checks that the queries can be answered, and computes the labels if they are needed.
    fn prepare(&self, answers: &mut BatchAnswers, common: &Common) -> Result<(), BatchError> {
        let waiting = spinner(common, "preparing");
        let prepared = match &self.device {
            Some(device) => device.prepare(&self.options).map_err(BatchError::Gpu),
            None => Ok(()),
        };
        let prepared = prepared.and_then(|()| self.answer(&[], answers));
        waiting.finish_and_clear();
        prepared.map(|_| ())
    }

    /// Answers queries. Returns the number of those that a device left to the CPU.
    fn answer(
        &self,
        queries: &[[Vec3; 2]],
        answers: &mut BatchAnswers,
    ) -> Result<usize, BatchError> {
        let queries = BatchQueries::Points(queries);
        self.pool.install(|| match &self.device {
            Some(device) => {
                let report = device.find_paths(queries, &self.options, answers);
                report
                    .map(|report| report.fallbacks)
                    .map_err(BatchError::Gpu)
            }
            None => {
                let answered = self.world.find_paths(queries, &self.options, answers);
                answered.map(|()| 0).map_err(BatchError::Engine)
            }
        })
    }
}

#[derive(Clone, Copy)]
enum TableFormat {
    Csv,
    Arrow,
}

impl TableFormat {
    /// Returns the format that the ending of a file name stands for.
    fn of(file: &Path) -> Result<Self, Failure> {
        match extension(file).as_str() {
            "csv" => Ok(Self::Csv),
            "arrow" => Ok(Self::Arrow),
            _ => {
                let message = format!("{}: batch writes .csv or .arrow", file.display());
                Err(Failure::new(message))
            }
        }
    }
}

/// The table that is being written.
enum Table<'a> {
    Csv(CsvAnswers<&'a mut dyn Write>),
    Arrow(Box<ArrowAnswers<&'a mut dyn Write>>),
}

impl<'a> Table<'a> {
    fn new(format: TableFormat, out: &'a mut dyn Write, want: Want) -> io::Result<Self> {
        Ok(match format {
            TableFormat::Csv => Self::Csv(CsvAnswers::new(out, want)?),
            TableFormat::Arrow => Self::Arrow(Box::new(ArrowAnswers::new(out, want)?)),
        })
    }

    fn write(&mut self, mesh: &NavMesh, answers: &BatchAnswers) -> io::Result<()> {
        match self {
            Self::Csv(table) => table.write(mesh, answers),
            Self::Arrow(table) => table.write(mesh, answers),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Csv(table) => table.finish(),
            Self::Arrow(table) => table.finish(),
        }
    }
}

/// How many queries ended how, and the time that the answers took.
#[derive(Default)]
struct Tally {
    /// In the order in which the statuses first appeared.
    statuses: Vec<(Status, usize)>,
    answering: Duration,
    /// The number of agents that a device left to the CPU.
    fallbacks: usize,
}

impl Tally {
    fn add(&mut self, statuses: &[Status], answering: Duration) {
        self.answering += answering;
        for &status in statuses {
            match self.statuses.iter_mut().find(|(known, _)| *known == status) {
                Some((_, number)) => *number += 1,
                None => self.statuses.push((status, 1)),
            }
        }
    }

    /// Returns a line with the number of agents, the agents per second, the number of each status, and the device.
    /// `seconds` is the time with reading and writing.
    fn summary(&self, seconds: f64, gpu: Option<&Gpu>) -> String {
        let agents: usize = self.statuses.iter().map(|(_, number)| number).sum();
        let per_second = |seconds: f64| agents as f64 / seconds.max(1e-9);
        let answering = self.answering.as_secs_f64();
        let mut statuses = self.statuses.clone();
        statuses.sort_by_key(|&(_, number)| std::cmp::Reverse(number));
        let statuses = statuses
            .iter()
            .map(|(status, number)| format!("{number} {}", status.name()));
        let device = gpu.map(|gpu| {
            let fallbacks = count(self.fallbacks, "fallback");
            format!("; on {}, {fallbacks} to the CPU", gpu::adapter_name(gpu))
        });
        format!(
            "{} in {seconds:.3} s, {:.0} per second ({answering:.3} s and {:.0} per second without reading and \
             writing): {}{}",
            count(agents, "agent"),
            per_second(seconds),
            per_second(answering),
            statuses.collect::<Vec<_>>().join(", "),
            device.unwrap_or_default()
        )
    }
}
