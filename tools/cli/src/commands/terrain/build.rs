//! `portolan terrain build`: builds terrain from a height map or triangles.

use std::path::Path;
use std::time::Instant;

use glam::vec2;
use portolan_formats::Up;
use portolan_terrain::{
    LowGraph, MergeOptions, MeshTree, Price, Terrain, TerrainError, TerrainOptions, TriangleWeb,
    WebOptions,
};

use super::info::{describe, summary};
use super::steps::StepPictures;
use crate::args::{BuildArgs, Common, UpAxis};
use crate::commands::{check_outputs, extension};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{say, spinner};

/// With more layers than this, the command recommends `--layers`.
const MANY_LAYERS: usize = 20;

pub(crate) fn run(args: &BuildArgs, common: &Common) -> Result<ExitKind, Failure> {
    if extension(&args.output) != "pter" {
        let output = args.output.display();
        return Err(Failure::new(format!(
            "{output}: terrain build writes .pter"
        )));
    }
    let mut inputs = vec![args.ground.as_path()];
    inputs.extend(args.difficulty.as_deref());
    inputs.extend(args.price.as_deref());
    check_outputs(&inputs, &[Some(&args.output)])?;
    let mut steps = args.steps.as_deref().map(StepPictures::new).transpose()?;
    let options = options(args)?;

    let mut times = StageTimes::default();
    let waiting = spinner(common, "building triangles");
    let web = times.measure("triangles", || match args.contours {
        None => open_ground(args),
        Some(interval) => open_ground(args)?
            .with_contours(interval)
            .map_err(|error| Failure::new(format!("--contours: {error}"))),
    })?;
    waiting.set_message("computing prices");
    let graph = times.measure("prices", || LowGraph::new(&web, &options.price));
    let graph = graph.map_err(|error| ground_failure(args, &error))?;
    let mut mesh_counts = Vec::new();
    let merged = times.measure("merging", || {
        MeshTree::with_progress(&graph, &options.merge, |remaining| {
            mesh_counts.push(remaining);
            waiting.set_message(format!("merging: {remaining} meshes left"));
        })
    });
    waiting.finish_and_clear();
    if let Some(steps) = &mut steps {
        times.measure("pictures", || {
            steps.draw(&web, &merged, &mesh_counts, common)
        })?;
    }
    let waiting = spinner(common, "building meshes");
    let iterations = merged.iterations();
    let terrain = times.measure("meshes", || {
        Terrain::from_merged(web, graph, &merged, &options)
    });
    let terrain = terrain.map_err(|error| ground_failure(args, &error))?;
    check_prices(args, &terrain)?;
    waiting.set_message("writing");
    times.measure("writing", || {
        portolan_files::save_terrain(&args.output, &terrain)
    })?;
    waiting.finish_and_clear();

    if !common.quiet {
        say!(
            "{}: {}, {iterations} iterations",
            args.output.display(),
            summary(&terrain)
        );
        describe(&args.output, &terrain);
        say!("  {}", times.shown());
        if let Some(steps) = &steps {
            say!("  {}", steps.shown(iterations));
        }
        let layers = terrain.meshes().layers();
        if args.layers.is_none() && layers > MANY_LAYERS {
            say!(
                "  hint: {layers} layers make queries of the engine mesh slow; --layers 10 makes them faster"
            );
        }
    }
    Ok(ExitKind::Success)
}

fn options(args: &BuildArgs) -> Result<TerrainOptions, Failure> {
    let price = match &args.price {
        Some(file) => portolan_formats::open_price(file)?,
        None => Price::default(),
    };
    let options = TerrainOptions {
        price,
        merge: MergeOptions {
            entry: args.entry,
            max_children: args.max_children as usize,
            tie: args.tie,
            unit: args.unit,
            ..MergeOptions::default()
        },
        layers: args.layers.map(|layers| layers as usize),
        compression: args.compression,
        ..TerrainOptions::default()
    };
    match options.check() {
        Ok(()) => Ok(options),
        Err(error) => Err(Failure::new(error.to_string())),
    }
}

fn open_ground(args: &BuildArgs) -> Result<TriangleWeb, Failure> {
    match extension(&args.ground).as_str() {
        "png" => open_map(args),
        "obj" | "gltf" | "glb" => open_geometry(args),
        _ => Err(Failure::new(format!(
            "{}: expected a height map (.png) or triangles (.obj, .gltf, .glb); `portolan heightmap` generates \
             height maps",
            args.ground.display()
        ))),
    }
}

fn open_map(args: &BuildArgs) -> Result<TriangleWeb, Failure> {
    let map = portolan_formats::open_height_map(&args.ground)?;
    let difficulty = args.difficulty.as_deref();
    let difficulty = difficulty.map(|file| match extension(file).as_str() {
        "txt" => Err(wrong_difficulty(file, "a height map", ".png")),
        _ => Ok(portolan_formats::open_height_map(file)?),
    });
    let difficulty = difficulty.transpose()?;
    let options = WebOptions {
        hidef: args.hidef,
        extent: args
            .extent
            .map(|[x0, y0, x1, y1]| [vec2(x0, y0), vec2(x1, y1)]),
        height_range: args.height_range.unwrap_or([0.0, 1.0]),
    };
    map.triangulate(&options, difficulty.as_ref())
        .map_err(|error| match error {
            TerrainError::MapExtent { .. } => Failure::new(format!("--extent: {error}")),
            TerrainError::HeightRange(..) => Failure::new(format!("--height-range: {error}")),
            TerrainError::MapSizes { .. } => {
                let file = args.difficulty.as_deref().unwrap_or(&args.ground);
                Failure::new(format!("{}: {error}", file.display()))
            }
            _ => ground_failure(args, &error),
        })
}

fn open_geometry(args: &BuildArgs) -> Result<TriangleWeb, Failure> {
    let map_options = [
        ("--hidef", args.hidef),
        ("--extent", args.extent.is_some()),
        ("--height-range", args.height_range.is_some()),
    ];
    if let Some((option, _)) = map_options.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::new(format!(
            "{}: {option} is for height maps (.png); geometry has coordinates of its own",
            args.ground.display()
        )));
    }
    let difficulty = args.difficulty.as_deref();
    if let Some(file) = difficulty.filter(|file| extension(file) == "png") {
        return Err(wrong_difficulty(file, "geometry", ".txt"));
    }
    let up = match args.up {
        UpAxis::Y => Up::Y,
        UpAxis::Z => Up::Z,
    };
    Ok(portolan_formats::open_web(&args.ground, up, difficulty)?)
}

fn wrong_difficulty(file: &Path, ground: &str, extension: &str) -> Failure {
    let file = file.display();
    Failure::new(format!(
        "{file}: the difficulty of {ground} must be a {extension} file"
    ))
}

fn ground_failure(args: &BuildArgs, error: &TerrainError) -> Failure {
    Failure::new(format!("{}: {error}", args.ground.display()))
}

/// Fails if a price is infinite, which happens on large ground with a high price.
fn check_prices(args: &BuildArgs, terrain: &Terrain) -> Result<(), Failure> {
    let (_, entries, distances) = terrain.arrays();
    let all = entries.iter().chain(&distances);
    let is_price = |price: f32| (0.0..f32::INFINITY).contains(&price);
    let mut all = all.map(|distance| is_price(distance.weighted) && is_price(distance.unweighted));
    match all.all(|is_price| is_price) {
        true => Ok(()),
        false => Err(Failure::new(format!(
            "{}: prices overflow; make the ground smaller, or the parameters of --price lower",
            args.ground.display()
        ))),
    }
}

/// The times of the stages of a build, in seconds.
#[derive(Default)]
struct StageTimes(Vec<(&'static str, f64)>);

impl StageTimes {
    fn measure<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.0.push((stage, start.elapsed().as_secs_f64()));
        result
    }

    fn shown(&self) -> String {
        let total: f64 = self.0.iter().map(|(_, seconds)| seconds).sum();
        let stages = self.0.iter();
        let stages = stages.map(|(stage, seconds)| format!("{stage} {seconds:.2}"));
        let stages: Vec<String> = stages.collect();
        format!("built in {total:.2} s: {}", stages.join(", "))
    }
}
