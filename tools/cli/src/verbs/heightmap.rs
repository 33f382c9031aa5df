//! `portolan heightmap`: ground to try things on.

use portolan_formats::heightmap::Coding;
use portolan_scenes::{HeightFunction, Scene, UnknownScene};
use portolan_terrain::{HeightMap, TerrainError};

use super::formula::Formula;
use super::scene::quoted;
use super::{check_outputs, ending};
use crate::args::{Bits, Common, HeightmapArgs};
use crate::outcome::{Answer, Failure};
use crate::terminal::{say, spinner};

pub(crate) fn run(args: &HeightmapArgs, common: &Common) -> Result<Answer, Failure> {
    if args.list {
        list();
        return Ok(Answer::Yes);
    }
    let Some(output) = &args.output else {
        return Err(Failure::new("heightmap needs -o FILE"));
    };
    if ending(output) != "png" {
        let output = output.display();
        return Err(Failure::new(format!("{output}: heightmap writes .png")));
    }
    check_outputs(&[], &[Some(output)])?;
    let waiting = spinner(common, "making the map");
    let (map, stretched) = match (&args.formula, &args.name) {
        (Some(formula), _) => by_formula(formula, args)?,
        (None, Some(name)) => (by_name(name, args)?, None),
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
            Coding::Grey8 => "8 bit grey",
            Coding::Grey16 => "16 bit grey",
            Coding::Colours => "24 bit in colours",
        };
        let (width, height) = (map.width(), map.height());
        say!("{}: {width} x {height} pixels, {kind}", output.display());
        if let Some([low, high]) = stretched {
            say!("  heights from {low} to {high} became 0 to 1");
        }
        say!(
            "  next: portolan terrain build {} -o {}",
            quoted(output),
            quoted(&output.with_extension("pter"))
        );
    }
    Ok(Answer::Yes)
}

fn list() {
    say!("Height functions; --seed N gives those with a seed another shape:");
    for function in HeightFunction::ALL {
        let seed = if function.is_random() { "seed" } else { "" };
        say!("  {function:<7} {seed:<4}  {}", function.description());
    }
}

fn by_name(name: &str, args: &HeightmapArgs) -> Result<HeightMap, Failure> {
    if let Ok(scene @ (Scene::Level(_) | Scene::World(_))) = name.parse() {
        return Err(Failure::new(format!(
            "{scene} is not a height map: run `portolan scene {scene} -o {scene}.pnav`"
        )));
    }
    let function: HeightFunction = name
        .parse()
        .map_err(|error: UnknownScene| Failure::new(format!("{error}; or --formula EXPR")))?;
    let map = function.map(args.width as usize, args.height as usize, args.seed);
    map.map_err(refused)
}

/// The map, and which heights became 0 and 1 if any lay outside.
fn by_formula(text: &str, args: &HeightmapArgs) -> Result<(HeightMap, Option<[f64; 2]>), Failure> {
    let heights = Formula::new(text)?.heights(args.width, args.height)?;
    let (width, height) = (args.width as usize, args.height as usize);
    let range = heights.iter().fold(
        [f64::INFINITY, f64::NEG_INFINITY],
        |[low, high], &height| [low.min(height), high.max(height)],
    );
    if range[0] >= 0.0 && range[1] <= 1.0 {
        let values = heights.iter().map(|&height| height as f32).collect();
        let map = HeightMap::new(width, height, values);
        return Ok((map.map_err(refused)?, None));
    }
    let map = HeightMap::stretched(width, height, &heights);
    Ok((map.map_err(refused)?, Some(range)))
}

fn refused(error: TerrainError) -> Failure {
    Failure::new(error.to_string())
}
