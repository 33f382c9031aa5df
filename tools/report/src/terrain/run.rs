//! A run: ground after ground, then what is measured on several.

use std::time::Instant;

use glam::Vec2;
use portolan_draw::picture::Picture;
use portolan_measure::{Rounds, Stopwatch, mean, thousandths};
use portolan_scenes::HeightFunction;
use portolan_terrain::{
    Distances, EntryPrice, HeightMap, LowGraph, MergeOptions, MeshTree, Price, Terrain,
    TerrainOptions, TerrainPath, TerrainScratch, TriangleWeb, WebOptions,
};

use super::grounds::{Ground, wrong};
use super::subject::{Structures, Subject};
use super::*;
use crate::machine::{Machine, now};
use crate::{Progress, ReportError};

/// What a run gives: numbers, and pictures, which the numbers name.
#[derive(Clone, Debug)]
pub struct TerrainMeasured {
    /// Numbers.
    pub report: TerrainReport,
    /// Pictures.
    pub pictures: Vec<NamedPicture>,
}

/// Merge steps that are looked at, of each ground.
const STEPS: usize = 8;

/// Parts that a ground takes: building, merge steps, two paths, two waves, entry prices.
const PARTS: usize = 7;

/// Measures everything. Call it on the main thread, where METIS has to run.
pub fn terrain_report(
    options: &TerrainReportOptions,
    watch: &dyn Fn(Progress<'_>),
) -> Result<TerrainMeasured, ReportError> {
    let start = Instant::now();
    let effort = &options.effort;
    // A map that cannot be read is worth knowing before anything is measured.
    let grounds = Ground::all(options)?;
    let all = grounds.len() * PARTS + effort.other_hills as usize + 2 + effort.sizes.len();
    let done = std::cell::Cell::new(0);
    let tell = |scene: &str| {
        watch(Progress {
            done: done.replace(done.get() + 1),
            all,
            scene,
        });
    };
    let mut report = TerrainReport {
        format: TERRAIN_FORMAT.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: String::new(),
        machine: Machine::this(),
        effort: effort.clone(),
        seconds: 0.0,
        grounds: Vec::new(),
        hills: Vec::new(),
        ties: Vec::new(),
        entries: Vec::new(),
        hillside: Vec::new(),
        sizes: Vec::new(),
        bars: Vec::new(),
    };
    let mut pictures = Vec::new();
    for ground in &grounds {
        tell(&ground.name);
        let subject = Subject::build(ground)?;
        let cell = ground_cell(ground, &subject, effort, &tell, &mut pictures)?;
        report.grounds.push(cell);
        tell(&ground.name);
        if ground.kind == GroundKind::Realistic {
            let cells = entry_cells(ground, &subject, effort)?;
            report.entries.extend(cells);
        }
    }
    for number in 1..=effort.other_hills {
        tell("other hills");
        let ground = Ground::hills(effort.size, effort.seed.wrapping_add(number))?;
        report.hills.push(hills_cell(&ground, effort)?);
    }
    tell("ties");
    report.ties = tie_cells(&grounds, effort)?;
    tell("hillside");
    for distances in Distances::ALL {
        let (cell, picture) = hillside(distances, effort)?;
        report.hillside.push(cell);
        pictures.push(picture);
    }
    for &size in &effort.sizes {
        tell("sizes");
        report.sizes.push(size_cell(size, effort)?);
    }
    report.bars = terrain_bars(&report);
    report.seconds = start.elapsed().as_secs_f64().round();
    report.date = now();
    Ok(TerrainMeasured { report, pictures })
}

fn ground_cell(
    ground: &Ground,
    subject: &Subject,
    effort: &TerrainEffort,
    tell: &dyn Fn(&str),
    pictures: &mut Vec<NamedPicture>,
) -> Result<GroundCell, ReportError> {
    let name = &ground.name;
    let side = effort.picture_side;
    let mut add = |picture: NamedPicture| {
        let file = picture.file.clone();
        pictures.push(picture);
        file
    };
    let relief = add(pictures::relief(format!("{name}.png"), subject, side));
    tell(name);
    let iterations = 1..=subject.merged.iterations();
    let tops: Vec<usize> = iterations
        .map(|iteration| {
            let mut tops = subject.merged.tops_after(iteration);
            tops.sort_unstable();
            tops.dedup();
            tops.len()
        })
        .collect();
    let mut steps = Vec::new();
    for iteration in contours::chosen(&tops, STEPS) {
        let above = subject.merged.tops_after(iteration);
        let file = format!("{name}-step-{iteration:02}.png");
        steps.push(StepCell {
            iteration,
            tops: tops[iteration - 1],
            height_spread: contours::height_spread(subject.web(), &above),
            picture: add(pictures::tops(file, subject, side, &above)),
        });
    }
    let mut paths = Vec::new();
    for trip in ground.trips(subject.web()) {
        tell(name);
        let mut cell = subject.path_cell(name, &trip, effort)?;
        for picture in pictures::paths(&format!("{name}-{}", trip.name), subject, side, &cell) {
            cell.pictures.push(add(picture));
        }
        paths.push(cell);
    }
    let mut waves = Vec::new();
    for source in ground.sources(subject.web()) {
        tell(name);
        let (mut cell, prices) = subject.wave_cell(&source, effort);
        let place = crate::tables::anchor(source.name);
        let files = format!("{name}-wave-{place}");
        for picture in pictures::waves(&files, subject, side, &prices) {
            cell.pictures.push(add(picture));
        }
        waves.push(cell);
    }
    Ok(GroundCell {
        name: name.clone(),
        title: ground.title.clone(),
        kind: ground.kind,
        pixels: [ground.map.width(), ground.map.height()],
        triangles: subject.web().len(),
        tops,
        steps,
        structures: subject.structure_cells(),
        hna_levels: subject.hna_levels(),
        contraction_arcs: subject.contraction_arcs(),
        paths,
        waves,
        pictures: vec![relief],
    })
}

/// Structures, and what both waves of a ground cost over A*, on up to so many triangles.
struct Compared {
    paths: usize,
    layers: usize,
    /// Wave by wave: full structure, 10 layers, 5 layers.
    means: [[f64; 3]; 2],
}

impl Compared {
    /// The means of both waves together.
    fn of_both(&self) -> [f64; 3] {
        let [first, second] = self.means;
        std::array::from_fn(|structure| f64::midpoint(first[structure], second[structure]))
    }
}

fn compare(
    web: &TriangleWeb,
    graph: &LowGraph,
    ground: &Ground,
    options: &MergeOptions,
    most: usize,
) -> Result<Compared, ReportError> {
    let structures = Structures::merged_by(web, graph, *options);
    let structures = structures.map_err(|error| wrong(&ground.name, error))?;
    let full = structures.of(TerrainVariant::Full);
    let triangles: Vec<u32> = (0..web.len() as u32).collect();
    let targets: Vec<u32> = measure::sample(&triangles, most).collect();
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let mut exact = Vec::new();
    let means = ground.sources(web).map(|source| {
        let from = source.triangle;
        full.wave(from, &mut scratch, &mut exact);
        TerrainVariant::HIGH_MESHES.map(|variant| {
            let ratios = targets.iter().filter_map(|&to| {
                structures.find(variant, [from, to], &mut scratch, &mut path);
                let ratio = path.cost / f64::from(exact[to as usize]);
                // The start is no target: nothing over nothing.
                let is_path = !path.triangles.is_empty() && ratio.is_finite();
                is_path.then_some(ratio)
            });
            mean(ratios)
        })
    });
    Ok(Compared {
        paths: targets.len(),
        layers: full.meshes().layers(),
        means,
    })
}

fn hills_cell(ground: &Ground, effort: &TerrainEffort) -> Result<HillsCell, ReportError> {
    let (web, graph) = low_graph(ground)?;
    let options = MergeOptions::default();
    let compared = compare(&web, &graph, ground, &options, effort.timed_targets)?;
    Ok(HillsCell {
        seed: ground.seed,
        paths: compared.paths,
        layers: compared.layers,
        means: compared.means,
    })
}

fn low_graph(ground: &Ground) -> Result<(TriangleWeb, LowGraph), ReportError> {
    let web = ground.web()?;
    let graph = LowGraph::new(&web, &Price::default());
    let graph = graph.map_err(|error| wrong(&ground.name, error))?;
    Ok((web, graph))
}

/// Shares within which neighbours tie; the first is the default.
const TIES: [f32; 5] = [1e-5, 0.01, 0.05, 0.1, 0.2];

/// Every such share, merged and navigated with.
fn tie_cells(grounds: &[Ground], effort: &TerrainEffort) -> Result<Vec<TieCell>, ReportError> {
    let means = |ground: &Ground| -> Result<[[f64; 3]; TIES.len()], ReportError> {
        let (web, graph) = low_graph(ground)?;
        let mut means = [[0.0; 3]; TIES.len()];
        for (means, tie) in means.iter_mut().zip(TIES) {
            let options = MergeOptions {
                tie,
                ..MergeOptions::default()
            };
            let compared = compare(&web, &graph, ground, &options, effort.timed_targets)?;
            *means = compared.of_both();
        }
        Ok(means)
    };
    let cone = grounds
        .iter()
        .find(|ground| ground.kind == GroundKind::Cone);
    let cone = cone.map(means).transpose()?.unwrap_or_default();
    let hills = (1..=effort.other_hills).map(|number| {
        let ground = Ground::hills(effort.size, effort.seed.wrapping_add(number))?;
        means(&ground)
    });
    let hills = hills.collect::<Result<Vec<_>, ReportError>>()?;
    let cells = TIES.iter().enumerate().map(|(row, &tie)| TieCell {
        tie,
        cone: cone[row],
        hills: std::array::from_fn(|structure| {
            mean(hills.iter().map(|means| means[row][structure]))
        }),
    });
    Ok(cells.collect())
}

/// Every entry price, merged and navigated with.
fn entry_cells(
    ground: &Ground,
    subject: &Subject,
    effort: &TerrainEffort,
) -> Result<Vec<EntryCell>, ReportError> {
    let most = effort.timed_targets;
    let cell = |entry: EntryPrice| {
        let options = MergeOptions {
            entry,
            ..MergeOptions::default()
        };
        let compared = compare(subject.web(), subject.graph(), ground, &options, most)?;
        Ok(EntryCell {
            ground: ground.name.clone(),
            entry: entry.name().to_owned(),
            layers: compared.layers,
            means: compared.of_both(),
        })
    };
    EntryPrice::ALL.into_iter().map(cell).collect()
}

/// Squares a side of the hillside, from its middle.
const HILLSIDE: usize = 8;

/// Picture 5.2: a hillside of two triangles a square, narrow lines along the contour lines.
fn hillside(
    distances: Distances,
    effort: &TerrainEffort,
) -> Result<(HillsideCell, NamedPicture), ReportError> {
    let name = distances.name();
    let wrong = |error| wrong("hillside", error);
    let pixels = 2 * HILLSIDE + 2;
    // Row 0 is the north, and the highest.
    let heights = (0..pixels * pixels).map(|pixel| (pixels - 1 - pixel / pixels) as f64);
    let map = HeightMap::stretched(pixels, pixels, &heights.collect::<Vec<f64>>());
    let map = map.map_err(wrong)?;
    let slope = 0.5;
    let length = (pixels - 1) as f32;
    let options = WebOptions {
        extent: Some([Vec2::ZERO, Vec2::splat(length)]),
        height_range: [0.0, slope * length],
        ..WebOptions::default()
    };
    let web = map.triangulate(&options, None).map_err(wrong)?;
    let price = Price {
        distances,
        ..Price::default()
    };
    let options = TerrainOptions {
        price,
        ..TerrainOptions::default()
    };
    let terrain = Terrain::build(web, &options).map_err(wrong)?;
    // The lower triangle of each square: like to like.
    let at = |column: usize, row: usize| {
        let square = row * (pixels - 1) + column;
        2 * square as u32
    };
    let from = at(HILLSIDE, HILLSIDE);
    let mut wave = Vec::new();
    terrain.wave(from, &mut TerrainScratch::new(), &mut wave);
    let each = |to: u32| f64::from(wave[to as usize]) / HILLSIDE as f64;
    let cell = HillsideCell {
        distances: name.to_owned(),
        slope: f64::from(slope),
        along: each(at(2 * HILLSIDE, HILLSIDE)),
        up: each(at(HILLSIDE, 0)),
        down: each(at(HILLSIDE, 2 * HILLSIDE)),
        picture: format!("hillside-{name}.png"),
    };
    let wave: Vec<f64> = wave.into_iter().map(f64::from).collect();
    let picture = NamedPicture {
        file: cell.picture.clone(),
        picture: Picture::costs(terrain.web(), effort.picture_side, &wave, None),
    };
    Ok((cell, picture))
}

/// Hills of one size, built and walked on.
fn size_cell(size: usize, effort: &TerrainEffort) -> Result<SizeCell, ReportError> {
    let wrong = |error| wrong(&format!("hills of {size} pixels"), error);
    let map = HeightFunction::Hills.map(size, size, effort.seed);
    let options = WebOptions {
        hidef: true,
        ..WebOptions::default()
    };
    let web = map.and_then(|map| map.triangulate(&options, None));
    let web = web.map_err(wrong)?;
    let mut watch = Stopwatch::start();
    let graph = LowGraph::new(&web, &Price::default()).map_err(wrong)?;
    let crossings_ms = thousandths(watch.lap_ms());
    let merged = MeshTree::new(&graph, &MergeOptions::default());
    let merge_ms = thousandths(watch.lap_ms());
    let terrain = Terrain::from_merged(web, graph, &merged, &TerrainOptions::default());
    let terrain = terrain.map_err(wrong)?;
    let price_ms = thousandths(watch.lap_ms());
    let (web, graph) = (terrain.web(), terrain.graph());
    let structures = Structures::new(web, graph, &merged, &TerrainOptions::default());
    let (paths, path_us) = size_times(&structures.map_err(wrong)?, effort);
    Ok(SizeCell {
        size,
        triangles: terrain.web().len(),
        crossings_ms,
        merge_ms,
        price_ms,
        layers: terrain.meshes().layers(),
        meshes: terrain.meshes().len(),
        bytes: terrain.bytes(),
        joint_bytes: terrain.meshes().joint_bytes(),
        paths,
        path_us,
    })
}

/// What paths between triangles all over the map take.
fn size_times(
    structures: &Structures,
    effort: &TerrainEffort,
) -> (usize, Vec<(TerrainVariant, f64)>) {
    let web = structures.of(TerrainVariant::Full).web();
    let ends = scattered(web, effort.size_paths);
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let mut find = |variant: TerrainVariant, ends: [u32; 2]| {
        structures.find(variant, ends, &mut scratch, &mut path);
        std::hint::black_box(&path);
    };
    let engines = published::ENGINES;
    let rounds = Rounds::by_contender(effort.rounds);
    let times = rounds.mean_micros(engines.len(), ends.len(), |turn| {
        find(engines[turn.contender], ends[turn.query]);
    });
    let times = times.into_iter().map(thousandths);
    (ends.len(), engines.into_iter().zip(times).collect())
}

/// Pairs of triangles, scattered evenly: multiples of the golden ratio and of another number like it.
fn scattered(web: &TriangleWeb, count: usize) -> Vec<[u32; 2]> {
    let at = |number: usize, step: f64| {
        let share = (0.5 + number as f64 * step).fract();
        ((share * web.len() as f64) as u32).min(web.len() as u32 - 1)
    };
    let pair = |number| [at(number, 0.754_877_666), at(number, 0.569_840_291)];
    (1..=count.max(1)).map(pair).collect()
}
