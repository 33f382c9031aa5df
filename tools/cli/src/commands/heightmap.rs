//! `portolan heightmap`: generates a height map from a built-in function or a formula.

use portolan_formats::heightmap::Coding;
use portolan_scenes::{HeightFunction, Scene, UnknownScene};
use portolan_terrain::{HeightMap, TerrainError};

use super::formula::Formula;
use super::scene::quoted;
use super::{check_outputs, extension};
use crate::args::{Bits, Common, HeightmapArgs};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{say, spinner};

pub(crate) fn run(args: &HeightmapArgs, common: &Common) -> Result<ExitKind, Failure> {
    if args.list {
        list();
        return Ok(ExitKind::Success);
    }
    let Some(output) = &args.output else {
        return Err(Failure::new("heightmap needs -o FILE"));
    };
    if extension(output) != "png" {
        let output = output.display();
        return Err(Failure::new(format!("{output}: heightmap writes .png")));
    }
    check_outputs(&[], &[Some(output)])?;
    let waiting = spinner(common, "generating the map");
    let (map, scaled_range) = match (&args.formula, &args.name) {
        (Some(formula), _) => from_formula(formula, args)?,
        (None, Some(name)) => (from_name(name, args)?, None),
        (None, None) => return Err(Failure::new("heightmap needs a NAME or --formula EXPR")),
    };
    let coding = match (args.colours, args.bits) {
        (true, _) => Coding::Colours,
        (false, Bits::Eight) => Coding::Grey8,
        (false, Bits::Sixteen) => Coding::Grey16,
    };
    portolan_formats::save_height_map(output, &map, coding)?;
    waiting.finish_and_clear();
    if !common.quiet {
        let kind = match coding {
            Coding::Grey8 => "8 bits, grey",
            Coding::Grey16 => "16 bits, grey",
            Coding::Colours => "24 bits in red, green and blue",
        };
        let (width, height) = (map.width(), map.height());
        say!("{}: {width} x {height} pixels, {kind}", output.display());
        if let Some([low, high]) = scaled_range {
            say!("  heights from {low} to {high} were scaled to the range 0 to 1");
        }
        say!(
            "  next: portolan terrain build {} -o {}",
            quoted(output),
            quoted(&output.with_extension("pter"))
        );
    }
    Ok(ExitKind::Success)
}

fn list() {
    say!("Height functions. Those marked `seed` change their shape with --seed N:");
    for function in HeightFunction::ALL {
        let seed = if function.is_random() { "seed" } else { "" };
        say!("  {function:<7} {seed:<4}  {}", function.description());
    }
}

fn from_name(name: &str, args: &HeightmapArgs) -> Result<HeightMap, Failure> {
    if let Ok(scene @ (Scene::Level(_) | Scene::World(_))) = name.parse() {
        return Err(Failure::new(format!(
            "{scene} is not a height map: run `portolan scene {scene} -o {scene}.pnav`"
        )));
    }
    let function: HeightFunction = name
        .parse()
        .map_err(|error: UnknownScene| Failure::new(format!("{error}; or use --formula EXPR")))?;
    let map = function.map(args.width as usize, args.height as usize, args.seed);
    map.map_err(failure)
}

/// Returns the map and, if heights outside of 0 to 1 made scaling necessary, the range of heights before it.
fn from_formula(
    text: &str,
    args: &HeightmapArgs,
) -> Result<(HeightMap, Option<[f64; 2]>), Failure> {
    let heights = Formula::new(text)?.heights(args.width, args.height)?;
    let (width, height) = (args.width as usize, args.height as usize);
    let range = heights.iter().fold(
        [f64::INFINITY, f64::NEG_INFINITY],
        |[low, high], &height| [low.min(height), high.max(height)],
    );
    if range[0] >= 0.0 && range[1] <= 1.0 {
        let values = heights.iter().map(|&height| height as f32).collect();
        let map = HeightMap::new(width, height, values);
        return Ok((map.map_err(failure)?, None));
    }
    let map = HeightMap::stretched(width, height, &heights);
    Ok((map.map_err(failure)?, Some(range)))
}

fn failure(error: TerrainError) -> Failure {
    Failure::new(error.to_string())
}
