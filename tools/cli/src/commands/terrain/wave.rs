//! `portolan terrain wave`: finds the paths from one point to all triangles.

use std::time::Instant;

use glam::{Vec2, vec3};
use portolan_draw::picture::{Colour, LegendItem, Picture, cost_legend};
use portolan_draw::terrain::START;
use portolan_terrain::{
    Terrain, TerrainEngine, TerrainEngineError, TerrainPath, TerrainQuery, TerrainScratch,
    TerrainStatus, TriangleWeb,
};
use rayon::prelude::*;
use serde_json::json;

use super::engine::with_engine;
use super::{PICTURE_SIZE, check_png, off_ground, open};
use crate::args::{Common, WaveArgs};
use crate::commands::{check_outputs, threads};
use crate::outcome::{ExitKind, Failure};
use crate::table::TextTable;
use crate::terminal::{HEADING, progress, say, spinner, styled};

/// The colour of ground outside of the area of the wave.
const OUTSIDE: Colour = [170, 176, 170];

/// The results of a wave.
struct Wave {
    from: [f32; 2],
    /// The number of triangles in the area of the wave.
    targets: usize,
    reached: usize,
    seconds: f64,
    ratios: Ratios,
}

pub(crate) fn run(args: &WaveArgs, common: &Common) -> Result<ExitKind, Failure> {
    check_png("-o", &args.output)?;
    if !(args.area > 0.0 && args.area <= 1.0) {
        return Err(Failure::new(format!(
            "--area {}: expected a fraction above 0, and at most 1",
            args.area
        )));
    }
    check_outputs(&[&args.terrain], &[Some(&args.output)])?;
    let mut terrain = open(&args.terrain, common)?;
    let from = args.from.unwrap_or_else(|| centre(terrain.web()));
    let waiting = spinner(common, "computing the cheapest prices");
    let mut exact = Vec::new();
    let start = Instant::now();
    let status = terrain.wave(from, &mut TerrainScratch::new(), &mut exact);
    let exact_seconds = start.elapsed().as_secs_f64();
    waiting.finish_and_clear();
    if status != TerrainStatus::Found {
        let status = status.name();
        if args.json {
            say!("{:#}", json!({ "status": status, "from": from }));
        } else {
            say!("{}", styled(HEADING, status));
            say!("{}", off_ground("start", "--from", from, terrain.web()));
        }
        return Ok(ExitKind::Negative);
    }
    let is_target = nearest(terrain.web(), &exact, args.area);
    let (mut prices, seconds) = match args.engine {
        TerrainEngine::AStar | TerrainEngine::Dijkstra => {
            let prices = exact.iter().map(|&price| f64::from(price));
            (prices.collect(), exact_seconds)
        }
        engine => {
            terrain = with_engine(terrain, engine, common)?;
            one_by_one(&terrain, from, engine, &is_target, common)?
        }
    };
    for (price, _) in prices
        .iter_mut()
        .zip(&is_target)
        .filter(|(_, is_target)| !**is_target)
    {
        *price = f64::INFINITY;
    }
    draw(args, &terrain, from, (&prices, &exact), &is_target)?;
    let wave = Wave {
        from,
        targets: is_target.iter().filter(|&&is_target| is_target).count(),
        reached: prices.iter().filter(|price| price.is_finite()).count(),
        seconds,
        ratios: Ratios::of(&prices, &exact),
    };
    print(args, &terrain, &wave, common);
    Ok(ExitKind::Success)
}

/// Returns the centre of the ground. If there is a hole, it returns the centroid of the nearest triangle, and
/// of the one with the lower id if two are equally near.
fn centre(web: &TriangleWeb) -> [f32; 2] {
    let centre = web.extent().min.midpoint(web.extent().max).truncate();
    if web.locate(centre.x, centre.y).is_some() {
        return centre.to_array();
    }
    let centroids = (0..web.len() as u32).map(|triangle| web.centroid(triangle).truncate());
    // A vertical triangle has a centroid, but there is no ground at it.
    let centroids = centroids.filter(|point| web.locate(point.x, point.y).is_some());
    let distance = |point: &Vec2| point.as_dvec2().distance_squared(centre.as_dvec2());
    let nearest = centroids.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.unwrap_or(centre).to_array()
}

/// Returns which triangles belong to a fraction of the ground in plan: those that are cheapest to reach. Triangles without a
/// path come last, so they belong to all of the ground only.
fn nearest(web: &TriangleWeb, exact: &[f32], fraction: f64) -> Vec<bool> {
    if fraction >= 1.0 {
        return vec![true; web.len()];
    }
    let area = |triangle: u32| {
        let [a, b, c] = web
            .corners(triangle)
            .map(|corner| corner.as_dvec3().truncate());
        (b - a).perp_dot(c - a).abs() / 2.0
    };
    let all: f64 = (0..web.len() as u32).map(area).sum();
    let mut sorted: Vec<u32> = (0..web.len() as u32).collect();
    sorted.sort_by(|&a, &b| {
        let [first, second] = [a, b].map(|triangle| exact[triangle as usize]);
        first.total_cmp(&second).then(a.cmp(&b))
    });
    let mut is_near = vec![false; web.len()];
    let mut sum = 0.0;
    for triangle in sorted {
        if sum >= fraction * all {
            break;
        }
        is_near[triangle as usize] = true;
        sum += area(triangle);
    }
    is_near
}

/// Finds the path to each target with a query of its own. Returns their prices, which are infinite if there
/// is no path, and the time in seconds.
fn one_by_one(
    terrain: &Terrain,
    from: [f32; 2],
    engine: TerrainEngine,
    is_target: &[bool],
    common: &Common,
) -> Result<(Vec<f64>, f64), Failure> {
    let count = terrain.web().len();
    let bar = progress(common, "paths", count as u64);
    let start = Instant::now();
    let mut prices = vec![f64::INFINITY; count];
    let found = threads(common)?.install(|| {
        let chunks = prices.par_chunks_mut(CHUNK).enumerate();
        chunks.try_for_each_init(
            || (TerrainScratch::new(), TerrainPath::default()),
            |(scratch, path), (chunk, prices)| {
                for (offset, price) in prices.iter_mut().enumerate() {
                    let goal = (chunk * CHUNK + offset) as u32;
                    if !is_target[goal as usize] {
                        continue;
                    }
                    let query = TerrainQuery {
                        engine,
                        ..TerrainQuery::new(from, goal)
                    };
                    if terrain.find_path(&query, scratch, path)? == TerrainStatus::Found {
                        *price = path.cost;
                    }
                }
                bar.inc(prices.len() as u64);
                Ok(())
            },
        )
    });
    found.map_err(|error: TerrainEngineError| Failure::new(error.to_string()))?;
    bar.finish_and_clear();
    Ok((prices, start.elapsed().as_secs_f64()))
}

/// The number of paths that a thread computes at a time.
const CHUNK: usize = 1024;

/// Draws the prices. The scale ends at the highest price of the cheapest paths, so that pictures of all engines can be
/// compared.
fn draw(
    args: &WaveArgs,
    terrain: &Terrain,
    from: [f32; 2],
    (prices, exact): (&[f64], &[f32]),
    is_target: &[bool],
) -> Result<(), Failure> {
    let reached = exact.iter().zip(is_target);
    let reached = reached.filter(|(price, is_target)| **is_target && price.is_finite());
    let scale = reached.fold(0.0, |scale, (&price, _)| f64::max(scale, price.into()));
    let mut picture = Picture::costs(terrain.web(), PICTURE_SIZE, prices, Some(scale));
    let targets = prices
        .iter()
        .zip(is_target)
        .filter(|(_, is_target)| **is_target);
    let targets: Vec<f64> = targets.map(|(&price, _)| price).collect();
    let mut legend = cost_legend(&targets, Some(scale));
    if targets.len() < prices.len() {
        picture.overlay(1.0, |triangle| {
            (!is_target[triangle as usize]).then_some(OUTSIDE)
        });
        legend.push(LegendItem::Colour(
            OUTSIDE,
            "outside of the area".to_owned(),
        ));
    }
    let [x, y] = from;
    picture.draw_dot(vec3(x, y, 0.0), START);
    legend.push(LegendItem::Dot(START, "start".to_owned()));
    picture.add_legend(&legend);
    Ok(picture.save(&args.output)?)
}

/// The ratios of the prices to those of the cheapest paths.
struct Ratios {
    /// The three quartiles and the maximum; `None` if there are no ratios.
    quartiles: [Option<f64>; 4],
    mean: Option<f64>,
}

impl Ratios {
    fn of(prices: &[f64], exact: &[f32]) -> Self {
        let pairs = prices
            .iter()
            .zip(exact.iter().map(|&price| f64::from(price)));
        // The path from the start to itself has the price 0, and therefore no ratio.
        let pairs = pairs.filter(|(price, exact)| price.is_finite() && *exact > 0.0);
        let mut ratios: Vec<f64> = pairs.map(|(price, exact)| price / exact).collect();
        ratios.sort_by(f64::total_cmp);
        let count = ratios.len();
        let mean = ratios.iter().sum::<f64>() / count as f64;
        Self {
            quartiles: [1, 2, 3, 4].map(|quarter| {
                let rank = (count * quarter).div_ceil(4);
                rank.checked_sub(1).map(|index| ratios[index])
            }),
            mean: (count > 0).then_some(mean),
        }
    }
}

fn print(args: &WaveArgs, terrain: &Terrain, wave: &Wave, common: &Common) {
    let Ratios {
        quartiles: [q1, q2, q3, q4],
        mean,
    } = wave.ratios;
    let (triangles, targets, reached) = (terrain.web().len(), wave.targets, wave.reached);
    if args.json {
        let all = json!({
            "status": "found",
            "engine": args.engine.to_string(),
            "from": wave.from,
            "triangles": triangles,
            "targets": targets,
            "reached": reached,
            "seconds": wave.seconds,
            "q1": q1,
            "q2": q2,
            "q3": q3,
            "q4": q4,
            "mean": mean,
        });
        say!("{all:#}");
        return;
    }
    let [x, y] = wave.from;
    say!(
        "engine {}, from {x},{y}: {reached} of {targets} triangles reached in {:.3} s",
        args.engine,
        wave.seconds
    );
    let mut table = TextTable::new(&["price / cheapest", "q1", "q2", "q3", "q4", "mean"]);
    let shown = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.3}"));
    let mut row = vec![String::new()];
    row.extend([q1, q2, q3, q4, mean].map(shown));
    table.row(row);
    table.print();
    if !common.quiet {
        say!("picture: {}", args.output.display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_of_a_wave_has_the_cheapest_triangles() {
        let points = (0..5).map(|x| vec3(x as f32, (x % 2) as f32, 0.0));
        let triangles = vec![[0, 2, 1], [1, 2, 3], [2, 4, 3]];
        let web = TriangleWeb::new(points.collect(), triangles, Vec::new()).unwrap();
        let exact = [5.0, 0.0, f32::INFINITY];
        let near = |fraction| nearest(&web, &exact, fraction);
        assert_eq!(near(0.1), [false, true, false]);
        assert_eq!(near(0.5), [true, true, false]);
        assert_eq!(near(1.0), [true; 3]);
    }

    #[test]
    fn quartiles_are_ratios_of_existing_paths() {
        let exact = [0.0, 1.0, 1.0, 2.0, 1.0, f32::INFINITY];
        let prices = [0.0, 1.0, 1.5, 4.0, 3.0, f64::INFINITY];
        let ratios = Ratios::of(&prices, &exact);
        assert_eq!(
            ratios.quartiles,
            [Some(1.0), Some(1.5), Some(2.0), Some(3.0)]
        );
        assert_eq!(ratios.mean, Some(7.5 / 4.0));
        let no_ratios = Ratios::of(&[0.0], &[0.0]);
        assert_eq!((no_ratios.quartiles, no_ratios.mean), ([None; 4], None));
    }
}
