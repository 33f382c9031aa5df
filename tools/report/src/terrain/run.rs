//! Measures each ground, then the properties that need several grounds.

use std::time::Instant;

use glam::Vec2;
use portolan_draw::picture::Picture;
use portolan_measure::{Rounds, Stopwatch, mean, thousandths};
use portolan_scenes::HeightFunction;
use portolan_terrain::{
    Distances, EntryPrice, HeightMap, LowGraph, MergeOptions, MeshTree, Price, Terrain,
    TerrainOptions, TerrainPath, TerrainScratch, TriangleWeb, WebOptions,
};

use super::built_ground::{BuiltGround, Structures};
use super::grounds::{GroundSpec, terrain_error};
use super::*;
use crate::machine::{Machine, now};
use crate::{ReportError, ReportProgress};

/// The results of a run: a report, and the pictures that it names.
#[derive(Clone, Debug)]
pub struct TerrainMeasured {
    /// The numbers.
    pub report: TerrainReport,
    /// The pictures.
    pub pictures: Vec<NamedPicture>,
}

/// The maximum number of merge steps that are shown per ground.
const STEPS: usize = 8;

/// The number of progress steps per ground: building, merge steps, two paths, two waves, entry prices.
const PARTS: usize = 7;

/// Measures everything that `options` select. Call it on the main thread: METIS must run there.
///
/// [`write_terrain`] writes the result to a folder.
pub fn terrain_report(
    options: &TerrainReportOptions,
    watch: &dyn Fn(ReportProgress<'_>),
) -> Result<TerrainMeasured, ReportError> {
    let start = Instant::now();
    let effort = &options.effort;
    // An unreadable map must fail before anything is measured.
    let grounds = GroundSpec::all(options)?;
    let total = grounds.len() * PARTS + effort.other_hills as usize + 2 + effort.sizes.len();
    let done = std::cell::Cell::new(0);
    let advance = |label: &str| {
        watch(ReportProgress {
            done: done.replace(done.get() + 1),
            total,
            label,
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
        criteria: Vec::new(),
    };
    let mut pictures = Vec::new();
    for ground in &grounds {
        advance(&ground.name);
        let built = BuiltGround::build(ground)?;
        let cell = ground_cell(ground, &built, effort, &advance, &mut pictures)?;
        report.grounds.push(cell);
        advance(&ground.name);
        if ground.kind == GroundKind::Realistic {
            let cells = entry_cells(ground, &built, effort)?;
            report.entries.extend(cells);
        }
    }
    for number in 1..=effort.other_hills {
        advance("other hills");
        let ground = GroundSpec::hills(effort.size, effort.seed.wrapping_add(number))?;
        report.hills.push(hills_cell(&ground, effort)?);
    }
    advance("ties");
    report.ties = tie_cells(&grounds, effort)?;
    advance("hillside");
    for distances in Distances::OF_THESIS {
        let (cell, picture) = hillside(distances, effort)?;
        report.hillside.push(cell);
        pictures.push(picture);
    }
    for &size in &effort.sizes {
        advance("sizes");
        report.sizes.push(size_cell(size, effort)?);
    }
    report.criteria = terrain_criteria(&report);
    report.seconds = start.elapsed().as_secs_f64().round();
    report.date = now();
    Ok(TerrainMeasured { report, pictures })
}

/// Measures one ground and draws its pictures.
fn ground_cell(
    ground: &GroundSpec,
    built: &BuiltGround,
    effort: &TerrainEffort,
    advance: &dyn Fn(&str),
    pictures: &mut Vec<NamedPicture>,
) -> Result<GroundCell, ReportError> {
    let name = &ground.name;
    let side = effort.picture_side;
    let mut add = |picture: NamedPicture| {
        let file = picture.file.clone();
        pictures.push(picture);
        file
    };
    let relief = add(pictures::relief(format!("{name}.png"), built, side));
    advance(name);
    let iterations = 1..=built.merged.iterations();
    let tops: Vec<usize> = iterations
        .map(|iteration| {
            let mut tops = built.merged.tops_after(iteration);
            tops.sort_unstable();
            tops.dedup();
            tops.len()
        })
        .collect();
    let mut steps = Vec::new();
    for iteration in contours::select_iterations(&tops, STEPS) {
        let top_of = built.merged.tops_after(iteration);
        let file = format!("{name}-step-{iteration:02}.png");
        steps.push(StepCell {
            iteration,
            tops: tops[iteration - 1],
            height_spread: contours::height_spread(built.web(), &top_of),
            picture: add(pictures::tops(file, built, side, &top_of)),
        });
    }
    let mut paths = Vec::new();
    for trip in ground.trips(built.web()) {
        advance(name);
        let mut cell = built.path_cell(name, &trip, effort)?;
        for picture in pictures::paths(&format!("{name}-{}", trip.name), built, side, &cell) {
            cell.pictures.push(add(picture));
        }
        paths.push(cell);
    }
    let mut waves = Vec::new();
    for start in ground.wave_starts(built.web()) {
        advance(name);
        let (mut cell, prices) = built.wave_cell(&start, effort);
        let files = format!("{name}-wave-{}", crate::tables::anchor(start.name));
        for picture in pictures::waves(&files, built, side, &prices) {
            cell.pictures.push(add(picture));
        }
        waves.push(cell);
    }
    Ok(GroundCell {
        name: name.clone(),
        title: ground.title.clone(),
        kind: ground.kind,
        pixels: [ground.map.width(), ground.map.height()],
        triangles: built.web().len(),
        tops,
        steps,
        structures: built.structure_cells(),
        hna_levels: built.hna_levels(),
        contraction_arcs: built.contraction_arcs(),
        paths,
        waves,
        pictures: vec![relief],
    })
}

/// The mean costs of both waves of a ground, relative to A*.
struct WaveComparison {
    paths: usize,
    layers: usize,
    /// Per wave: the means of full structure, 10 and 5 layers.
    means: [[f64; 3]; 2],
}

impl WaveComparison {
    /// Returns the means over both waves.
    fn of_both(&self) -> [f64; 3] {
        let [first, second] = self.means;
        std::array::from_fn(|structure| f64::midpoint(first[structure], second[structure]))
    }
}

/// Builds structures with the given options and compares their costs with A*'s, on up to `max_targets`
/// triangles per wave.
fn compare(
    web: &TriangleWeb,
    graph: &LowGraph,
    ground: &GroundSpec,
    options: &MergeOptions,
    max_targets: usize,
) -> Result<WaveComparison, ReportError> {
    let structures = Structures::merged_by(web, graph, *options);
    let structures = structures.map_err(|error| terrain_error(&ground.name, error))?;
    let full = structures.of(TerrainVariant::Full);
    let triangles: Vec<u32> = (0..web.len() as u32).collect();
    let targets: Vec<u32> = measure::sample(&triangles, max_targets).collect();
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let mut exact = Vec::new();
    let means = ground.wave_starts(web).map(|start| {
        let from = start.triangle;
        full.wave(from, &mut scratch, &mut exact);
        TerrainVariant::HIGH_MESHES.map(|variant| {
            let ratios = targets.iter().filter_map(|&to| {
                structures.find(variant, [from, to], &mut scratch, &mut path);
                let ratio = path.cost / f64::from(exact[to as usize]);
                // The start itself has no ratio: 0 divided by 0.
                let is_path = !path.triangles.is_empty() && ratio.is_finite();
                is_path.then_some(ratio)
            });
            mean(ratios)
        })
    });
    Ok(WaveComparison {
        paths: targets.len(),
        layers: full.meshes().layers(),
        means,
    })
}

/// Compares the structures with A* on hills.
fn hills_cell(ground: &GroundSpec, effort: &TerrainEffort) -> Result<HillsCell, ReportError> {
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

fn low_graph(ground: &GroundSpec) -> Result<(TriangleWeb, LowGraph), ReportError> {
    let web = ground.web()?;
    let graph = LowGraph::new(&web, &Price::default());
    let graph = graph.map_err(|error| terrain_error(&ground.name, error))?;
    Ok((web, graph))
}

/// The measured tie tolerances; the first is the default.
const TIES: [f32; 5] = [1e-5, 0.01, 0.05, 0.1, 0.2];

/// Compares structures that were merged with each tie tolerance.
fn tie_cells(grounds: &[GroundSpec], effort: &TerrainEffort) -> Result<Vec<TieCell>, ReportError> {
    let means = |ground: &GroundSpec| -> Result<[[f64; 3]; TIES.len()], ReportError> {
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
        let ground = GroundSpec::hills(effort.size, effort.seed.wrapping_add(number))?;
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

/// Compares structures that were merged with each entry price.
fn entry_cells(
    ground: &GroundSpec,
    built: &BuiltGround,
    effort: &TerrainEffort,
) -> Result<Vec<EntryCell>, ReportError> {
    let max_targets = effort.timed_targets;
    let cell = |entry: EntryPrice| {
        let options = MergeOptions {
            entry,
            ..MergeOptions::default()
        };
        let compared = compare(built.web(), built.graph(), ground, &options, max_targets)?;
        Ok(EntryCell {
            ground: ground.name.clone(),
            entry: entry.name().to_owned(),
            layers: compared.layers,
            means: compared.of_both(),
        })
    };
    EntryPrice::ALL.into_iter().map(cell).collect()
}

/// The number of squares from the centre of the hillside to each side.
const HILLSIDE: usize = 8;

/// Measures a distance function on a hillside with two triangles per square (picture 5.2 of the thesis).
fn hillside(
    distances: Distances,
    effort: &TerrainEffort,
) -> Result<(HillsideCell, NamedPicture), ReportError> {
    let name = distances.name();
    let terrain_error = |error| terrain_error("hillside", error);
    let pixels = 2 * HILLSIDE + 2;
    // Row 0 is the northernmost and the highest.
    let heights = (0..pixels * pixels).map(|pixel| (pixels - 1 - pixel / pixels) as f64);
    let map = HeightMap::stretched(pixels, pixels, &heights.collect::<Vec<f64>>());
    let map = map.map_err(terrain_error)?;
    let slope = 0.5;
    let length = (pixels - 1) as f32;
    let options = WebOptions {
        extent: Some([Vec2::ZERO, Vec2::splat(length)]),
        height_range: [0.0, slope * length],
        ..WebOptions::default()
    };
    let web = map.triangulate(&options, None).map_err(terrain_error)?;
    let price = Price {
        distances,
        ..Price::default()
    };
    let options = TerrainOptions {
        price,
        ..TerrainOptions::default()
    };
    let terrain = Terrain::build(web, &options).map_err(terrain_error)?;
    // The lower triangle of each square, so that all costs are between triangles of the same kind.
    let at = |column: usize, row: usize| {
        let square = row * (pixels - 1) + column;
        2 * square as u32
    };
    let from = at(HILLSIDE, HILLSIDE);
    let mut wave = Vec::new();
    terrain.wave(from, &mut TerrainScratch::new(), &mut wave);
    let cost_per_unit = |to: u32| f64::from(wave[to as usize]) / HILLSIDE as f64;
    let cell = HillsideCell {
        distances: name.to_owned(),
        slope: f64::from(slope),
        along: cost_per_unit(at(2 * HILLSIDE, HILLSIDE)),
        up: cost_per_unit(at(HILLSIDE, 0)),
        down: cost_per_unit(at(HILLSIDE, 2 * HILLSIDE)),
        picture: format!("hillside-{name}.png"),
    };
    let wave: Vec<f64> = wave.into_iter().map(f64::from).collect();
    let picture = NamedPicture {
        file: cell.picture.clone(),
        picture: Picture::costs(terrain.web(), effort.picture_side, &wave, None),
    };
    Ok((cell, picture))
}

/// Measures build time, memory and search time on hills of one size.
fn size_cell(size: usize, effort: &TerrainEffort) -> Result<SizeCell, ReportError> {
    let terrain_error = |error| terrain_error(&format!("hills of {size} pixels"), error);
    let map = HeightFunction::Hills.map(size, size, effort.seed);
    let options = WebOptions {
        hidef: true,
        ..WebOptions::default()
    };
    let web = map.and_then(|map| map.triangulate(&options, None));
    let web = web.map_err(terrain_error)?;
    let mut watch = Stopwatch::start();
    let graph = LowGraph::new(&web, &Price::default()).map_err(terrain_error)?;
    let crossings_ms = thousandths(watch.lap_ms());
    let merged = MeshTree::new(&graph, &MergeOptions::default());
    let merge_ms = thousandths(watch.lap_ms());
    let terrain = Terrain::from_merged(web, graph, &merged, &TerrainOptions::default());
    let terrain = terrain.map_err(terrain_error)?;
    let price_ms = thousandths(watch.lap_ms());
    let (web, graph) = (terrain.web(), terrain.graph());
    let structures = Structures::new(web, graph, &merged, &TerrainOptions::default());
    let (paths, path_us) = size_times(&structures.map_err(terrain_error)?, effort);
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

/// Times paths between triangles spread over the map. Returns the number of paths and the mean time per
/// engine.
fn size_times(
    structures: &Structures,
    effort: &TerrainEffort,
) -> (usize, Vec<(TerrainVariant, f64)>) {
    let web = structures.of(TerrainVariant::Full).web();
    let pairs = scattered(web, effort.size_paths);
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let mut find = |variant: TerrainVariant, pair: [u32; 2]| {
        structures.find(variant, pair, &mut scratch, &mut path);
        std::hint::black_box(&path);
    };
    let engines = published::ENGINES;
    let rounds = Rounds::by_contender(effort.rounds);
    let times = rounds.mean_micros(engines.len(), pairs.len(), |turn| {
        find(engines[turn.contender], pairs[turn.query]);
    });
    let times = times.into_iter().map(thousandths);
    (pairs.len(), engines.into_iter().zip(times).collect())
}

/// Returns evenly scattered pairs of triangles, from a low-discrepancy sequence: multiples of the two
/// constants of the plastic number.
fn scattered(web: &TriangleWeb, count: usize) -> Vec<[u32; 2]> {
    let at = |number: usize, step: f64| {
        let fraction = (0.5 + number as f64 * step).fract();
        ((fraction * web.len() as f64) as u32).min(web.len() as u32 - 1)
    };
    let pair = |number| [at(number, 0.754_877_666), at(number, 0.569_840_291)];
    (1..=count.max(1)).map(pair).collect()
}
