//! `portolan terrain wave`: finds the paths from one point to all triangles.

use std::time::Instant;

use glam::{Vec2, vec3};
use portolan_draw::picture::{Picture, max_cost};
use portolan_terrain::{
    Terrain, TerrainEngine, TerrainEngineError, TerrainLine, TerrainPath, TerrainQuery,
    TerrainScratch, TerrainStatus, TriangleWeb,
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

const START: [u8; 3] = [214, 20, 30];

/// The results of a wave.
struct Wave {
    from: [f32; 2],
    reached: usize,
    seconds: f64,
    ratios: Ratios,
}

pub(crate) fn run(args: &WaveArgs, common: &Common) -> Result<ExitKind, Failure> {
    check_png("-o", &args.output)?;
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
    let (prices, seconds) = match args.engine {
        TerrainEngine::AStar | TerrainEngine::Dijkstra => {
            let prices = exact.iter().map(|&price| f64::from(price));
            (prices.collect(), exact_seconds)
        }
        engine => {
            terrain = with_engine(terrain, engine, common)?;
            one_by_one(&terrain, from, engine, common)?
        }
    };
    draw(args, &terrain, from, (&prices, &exact))?;
    let wave = Wave {
        from,
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

/// Finds the path to each triangle with a query of its own. Returns their prices, which are infinite if there
/// is no path, and the time in seconds.
fn one_by_one(
    terrain: &Terrain,
    from: [f32; 2],
    engine: TerrainEngine,
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
                    let query = TerrainQuery {
                        engine,
                        line: TerrainLine::Midpoints,
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

/// Draws the prices. The scale is that of the cheapest paths, so that pictures of all engines can be compared.
fn draw(
    args: &WaveArgs,
    terrain: &Terrain,
    from: [f32; 2],
    (prices, exact): (&[f64], &[f32]),
) -> Result<(), Failure> {
    let exact: Vec<f64> = exact.iter().map(|&price| f64::from(price)).collect();
    let mut picture = Picture::costs(terrain.web(), PICTURE_SIZE, prices, Some(max_cost(&exact)));
    let [x, y] = from;
    picture.draw_dot(vec3(x, y, 0.0), START);
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
    let (triangles, reached) = (terrain.web().len(), wave.reached);
    if args.json {
        let all = json!({
            "status": "found",
            "engine": args.engine.to_string(),
            "from": wave.from,
            "triangles": triangles,
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
        "engine {}, from {x},{y}: {reached} of {triangles} triangles reached in {:.3} s",
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
