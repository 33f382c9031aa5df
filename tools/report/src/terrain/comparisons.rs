//! Measures what single grounds do not show: unit distances, the simple map of section 8.1, triangles along contour lines,
//! starts with expensive paths, and edits.

use std::collections::HashMap;

use portolan_draw::picture::{LegendItem, Picture, colour_of, height_legend};
use portolan_measure::{Stopwatch, mean, median, percentile, thousandths};
use portolan_scenes::HeightFunction;
use portolan_terrain::{
    Compression, HeightMap, LowGraph, MergeOptions, MeshTree, Price, Terrain, TerrainEdit,
    TerrainEngine, TerrainOptions, TerrainPath, TerrainQuery, TerrainScratch, TriangleWeb,
    UnitDistance, WebOptions,
};

use super::grounds::{GroundSpec, terrain_error};
use super::run::{compare, cone_and_hills, low_graph};
use super::{
    BadAnswer, BadCell, ContourCell, EditCell, GroundKind, NamedPicture, SimpleCell,
    SimpleStepCell, TerrainEffort, UnitCell,
};
use crate::ReportError;

/// Compares structures that were merged with each unit distance.
pub(super) fn unit_cells(
    grounds: &[GroundSpec],
    effort: &TerrainEffort,
) -> Result<Vec<UnitCell>, ReportError> {
    let all = UnitDistance::ALL.map(|unit| MergeOptions {
        unit,
        ..MergeOptions::default()
    });
    let means = cone_and_hills(&all, grounds, effort)?;
    let cells = UnitDistance::ALL.iter().zip(means);
    let cells = cells.map(|(unit, [cone, hills])| UnitCell {
        unit: unit.name().to_owned(),
        cone,
        hills,
    });
    Ok(cells.collect())
}

/// A primitive maze, as in section 8.1 of the thesis: walls and the path between them.
const SIMPLE_MAP: [&str; 7] = [
    "#######", "#...#.#", "#.#.#.#", "#.#...#", "#.###.#", "#.....#", "#######",
];

/// The number of pixels per side of a character of the map.
const BLOCK: usize = 2;

/// The three kinds of ground on the simple map.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum SimpleGround {
    Path,
    Wall,
    Side,
}

/// Merges the simple map, and draws all steps.
pub(super) fn simple_cell(
    effort: &TerrainEffort,
) -> Result<(SimpleCell, Vec<NamedPicture>), ReportError> {
    let terrain_error = |error| terrain_error("simple map", error);
    let side = SIMPLE_MAP.len() * BLOCK;
    let heights = (0..side * side).map(|pixel| {
        let row = SIMPLE_MAP[pixel / side / BLOCK].as_bytes();
        f64::from(u8::from(row[pixel % side / BLOCK] == b'#'))
    });
    let heights: Vec<f64> = heights.collect();
    let map = HeightMap::stretched(side, side, &heights).map_err(terrain_error)?;
    let web = map
        .triangulate(&WebOptions::default(), None)
        .map_err(terrain_error)?;
    let graph = LowGraph::new(&web, &Price::default()).map_err(terrain_error)?;
    let merged = MeshTree::new(&graph, &MergeOptions::default());
    let kinds = (0..web.len() as u32).map(|triangle| {
        let heights = web.corners(triangle).map(|corner| corner.z);
        match heights {
            [a, b, c] if a == 0.0 && b == 0.0 && c == 0.0 => SimpleGround::Path,
            [a, b, c] if a == 1.0 && b == 1.0 && c == 1.0 => SimpleGround::Wall,
            _ => SimpleGround::Side,
        }
    });
    let kinds: Vec<SimpleGround> = kinds.collect();
    let size = effort.picture_side / 2;
    let mut relief = Picture::relief(&web, effort.picture_side);
    relief.add_legend(&[height_legend(&web)]);
    let mut pictures = vec![NamedPicture {
        file: "simple.png".to_owned(),
        picture: relief,
    }];
    let mut steps = Vec::new();
    for iteration in 1..=merged.iterations() {
        let tops = merged.tops_after(iteration);
        let mut counts: HashMap<u32, HashMap<SimpleGround, usize>> = HashMap::new();
        for (&top, &kind) in tops.iter().zip(&kinds) {
            *counts.entry(top).or_default().entry(kind).or_default() += 1;
        }
        let pure = counts
            .values()
            .map(|kinds| kinds.values().max().unwrap_or(&0));
        let pure: usize = pure.sum();
        let file = format!("simple-step-{iteration:02}.png");
        let mut picture =
            Picture::of_web(&web, size, |triangle| colour_of(tops[triangle as usize]));
        picture.add_legend(&[LegendItem::Text(format!("{} tops", counts.len()))]);
        pictures.push(NamedPicture {
            file: file.clone(),
            picture,
        });
        steps.push(SimpleStepCell {
            iteration,
            tops: counts.len(),
            purity: pure as f64 / web.len() as f64,
            picture: file,
        });
    }
    let cell = SimpleCell {
        triangles: web.len(),
        steps,
        picture: "simple.png".to_owned(),
    };
    Ok((cell, pictures))
}

/// Compares a grid of four triangles per square with triangles along contour lines. The interval of the lines is chosen so
/// that both have about the same number of triangles.
pub(super) fn contour_cells(
    grounds: &[GroundSpec],
    effort: &TerrainEffort,
) -> Result<Vec<ContourCell>, ReportError> {
    let mut cells = Vec::new();
    for ground in grounds
        .iter()
        .filter(|ground| ground.kind != GroundKind::OtherCone)
    {
        let (web, graph) = low_graph(ground)?;
        cells.push(contour_cell("grid", ground, &web, &graph, effort)?);
        let error = |error| terrain_error(&ground.name, error);
        let plain = ground
            .map
            .triangulate(&WebOptions::default(), None)
            .map_err(error)?;
        let height = plain.extent().size().z;
        let mut cut = plain.clone();
        for lines in 2..1000 {
            if cut.len() >= web.len() {
                break;
            }
            cut = plain.with_contours(height / lines as f32).map_err(error)?;
        }
        let graph = LowGraph::new(&cut, &Price::default()).map_err(error)?;
        cells.push(contour_cell("contours", ground, &cut, &graph, effort)?);
    }
    Ok(cells)
}

fn contour_cell(
    triangulation: &str,
    ground: &GroundSpec,
    web: &TriangleWeb,
    graph: &LowGraph,
    effort: &TerrainEffort,
) -> Result<ContourCell, ReportError> {
    let options = MergeOptions::default();
    let compared = compare(web, graph, ground, &options, effort.timed_targets)?;
    Ok(ContourCell {
        ground: ground.name.clone(),
        triangulation: triangulation.to_owned(),
        triangles: web.len(),
        layers: compared.layers,
        means: compared.of_both(),
    })
}

/// The engines of [`bad_cells`]: the number of layers, how they are compressed, and the engine.
const BAD_ENGINES: [(Option<usize>, Compression, TerrainEngine); 6] = [
    (None, Compression::Thesis, TerrainEngine::Mesh),
    (Some(10), Compression::Thesis, TerrainEngine::Mesh),
    (Some(10), Compression::Balanced, TerrainEngine::Mesh),
    (Some(5), Compression::Balanced, TerrainEngine::Mesh),
    (Some(10), Compression::Balanced, TerrainEngine::Repaired),
    (None, Compression::Thesis, TerrainEngine::AStar),
];

/// Measures starts from which High Meshes find expensive paths, with repaired paths and A* for comparison.
pub(super) fn bad_cells(effort: &TerrainEffort) -> Result<Vec<BadCell>, ReportError> {
    let starts = [
        (
            HeightFunction::Trench,
            "in the middle of the trench",
            [0.5, 0.5],
        ),
        (HeightFunction::Trench, "beside the trench", [0.25, 0.5]),
        (
            HeightFunction::Hills,
            "start of the medium path",
            [0.3, 0.72],
        ),
    ];
    let mut cells = Vec::new();
    for (function, start, at) in starts {
        let error = |error| terrain_error(function.name(), error);
        let options = WebOptions {
            hidef: true,
            ..WebOptions::default()
        };
        let map = function
            .map(effort.size, effort.size, effort.seed)
            .map_err(error)?;
        let web = map.triangulate(&options, None).map_err(error)?;
        let graph = LowGraph::new(&web, &Price::default()).map_err(error)?;
        let merged = MeshTree::new(&graph, &MergeOptions::default());
        let [x, y] = at.map(|fraction: f32| 2.0 * fraction - 1.0);
        let from = web.locate(x, y).unwrap_or(0);
        let all: Vec<u32> = (0..web.len() as u32).filter(|&to| to != from).collect();
        let targets: Vec<u32> = super::measure::sample(&all, effort.timed_targets).collect();
        let mut answers = Vec::new();
        for (layers, compression, engine) in BAD_ENGINES {
            let options = TerrainOptions {
                layers,
                compression,
                ..TerrainOptions::default()
            };
            let terrain = Terrain::from_merged(web.clone(), graph.clone(), &merged, &options);
            let terrain = terrain.map_err(error)?;
            let structure = match layers {
                None => "full".to_owned(),
                Some(layers) => format!("{layers} layers, {}", compression.name()),
            };
            answers.push(bad_answer(&terrain, engine, structure, from, &targets));
        }
        cells.push(BadCell {
            ground: function.name().to_owned(),
            start: start.to_owned(),
            paths: targets.len(),
            answers,
        });
    }
    Ok(cells)
}

fn bad_answer(
    terrain: &Terrain,
    engine: TerrainEngine,
    structure: String,
    from: u32,
    targets: &[u32],
) -> BadAnswer {
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let mut exact = Vec::new();
    terrain.wave(from, &mut scratch, &mut exact);
    let mut find = |to: u32| {
        let query = TerrainQuery {
            engine,
            ..TerrainQuery::new(from, to)
        };
        let endpoints = terrain.locate(&query).expect("triangles of this ground");
        let found = terrain.search(&query, &endpoints, &mut scratch, &mut path);
        found.expect("an engine that every terrain has");
        path.cost
    };
    // The first round warms up.
    let costs: Vec<f64> = targets.iter().map(|&to| find(to)).collect();
    let mut watch = Stopwatch::start();
    targets.iter().for_each(|&to| {
        std::hint::black_box(find(to));
    });
    let micros = watch.lap_ms() * 1e3 / targets.len().max(1) as f64;
    let ratios = costs.iter().zip(targets);
    let ratios = ratios.map(|(cost, &to)| cost / f64::from(exact[to as usize]));
    let ratios: Vec<f64> = ratios.collect();
    BadAnswer {
        engine: match engine {
            TerrainEngine::Mesh => structure,
            TerrainEngine::Repaired => format!("{structure}, repaired"),
            _ => "A*".to_owned(),
        },
        mean: mean(ratios.iter().copied()),
        median: percentile(&ratios, 0.5),
        max: percentile(&ratios, 1.0),
        path_us: thousandths(micros),
    }
}

/// The number of edits per kind.
const EDITS: u32 = 20;

/// Measures edits while a path is being walked.
pub(super) fn edit_cells(effort: &TerrainEffort) -> Result<Vec<EditCell>, ReportError> {
    let mut cells = Vec::new();
    for &size in effort.sizes.iter().rev().take(2).rev() {
        let error = |error| terrain_error("edits", error);
        let options = WebOptions {
            hidef: true,
            ..WebOptions::default()
        };
        let map = HeightFunction::Hills
            .map(size, size, effort.seed)
            .map_err(error)?;
        let web = map.triangulate(&options, None).map_err(error)?;
        for layers in [None, Some(10)] {
            let options = TerrainOptions {
                layers,
                contraction: true,
                ..TerrainOptions::default()
            };
            let with_contraction = Terrain::build(web.clone(), &options).map_err(error)?;
            let options = TerrainOptions {
                contraction: false,
                ..options
            };
            let meshes_only = Terrain::build(web.clone(), &options).map_err(error)?;
            for (name, radius) in [("height of one point", 0.0), ("heights of a disc", 0.05)] {
                let both = [&meshes_only, &with_contraction];
                cells.push(edit_cell(both, name, radius).map_err(error)?);
            }
        }
    }
    Ok(cells)
}

/// Measures edits of the points within a radius, at several positions.
fn edit_cell(
    terrains: [&Terrain; 2],
    name: &str,
    radius: f32,
) -> Result<EditCell, portolan_terrain::TerrainError> {
    let mut scratch = TerrainScratch::new();
    let mut path = TerrainPath::default();
    let mut times: [Vec<f64>; 4] = Default::default();
    let mut micros = |column: usize, watch: &mut Stopwatch| {
        times[column].push(watch.lap_ms() * 1e3);
    };
    let [mut meshes_only, mut with_contraction] = terrains.map(Clone::clone);
    let web = terrains[0].web();
    for number in 0..EDITS {
        let fraction = |step: f32| ((number as f32 + 0.5) * step).fract() * 1.6 - 0.8;
        let centre = glam::vec2(fraction(0.754_877_7), fraction(0.569_840_3));
        let distance = |point: &glam::Vec3| point.truncate().distance(centre);
        let points = web.points().iter().zip(0..);
        let mut edited: Vec<(u32, f32)> = points
            .clone()
            .filter(|(point, _)| distance(point) < radius)
            .map(|(point, id)| (id, point.z + 0.1))
            .collect();
        if edited.is_empty() {
            let nearest = points.min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)));
            edited.extend(nearest.map(|(point, id)| (id, point.z + 0.1)));
        }
        let edit = TerrainEdit {
            heights: &edited,
            ..TerrainEdit::default()
        };
        let ends = [[-0.9, -0.85], [0.9, 0.85]];
        let query = TerrainQuery {
            engine: TerrainEngine::Contraction,
            ..TerrainQuery::new(ends[0], ends[1])
        };
        let ends = meshes_only.locate(&query).expect("positions on the map");
        let navigator = meshes_only.navigator(&ends, None, &mut scratch);
        let mut navigator = navigator
            .expect("no crowd")
            .expect("the hills are connected");
        for _ in 0..20 {
            navigator.next(&meshes_only, None, &mut scratch);
        }
        let mut watch = Stopwatch::start();
        meshes_only.edit(&edit)?;
        micros(0, &mut watch);
        navigator.next(&meshes_only, None, &mut scratch);
        micros(1, &mut watch);
        with_contraction.edit(&edit)?;
        micros(2, &mut watch);
        let found = with_contraction.find_path(&query, &mut scratch, &mut path);
        found.expect("the terrain has a contraction");
        micros(3, &mut watch);
    }
    let [meshes_us, step_us, both_us, query_us] = times.map(median);
    Ok(EditCell {
        triangles: web.len(),
        layers: terrains[0].meshes().layers(),
        edit: name.to_owned(),
        meshes_us: thousandths(meshes_us),
        step_us: thousandths(step_us),
        contraction_us: thousandths((both_us - meshes_us).max(0.0)),
        query_us: thousandths(query_us),
    })
}
