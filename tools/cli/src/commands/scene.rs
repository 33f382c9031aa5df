//! `portolan scene`: generates built-in levels and worlds.

use std::path::Path;

use portolan_bake::BakeOptions;
use portolan_core::{AreaRules, NavMesh, NavMeshOptions};
use portolan_scenes::{LevelScene, Scene, SceneOptions, UnknownScene, WorldOptions, WorldScene};

use super::bake::{bake, work};
use super::info::summary;
use super::{check_outputs, extension};
use crate::args::{Common, SceneArgs, Size};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, say, spinner};

pub(crate) fn run(args: &SceneArgs, common: &Common) -> Result<ExitKind, Failure> {
    if args.list {
        list();
        return Ok(ExitKind::Success);
    }
    let (Some(name), Some(output)) = (&args.name, &args.output) else {
        return Err(Failure::new("scene needs a NAME and -o FILE"));
    };
    let is_obj = match extension(output).as_str() {
        "pnav" => false,
        "obj" => true,
        _ => {
            return Err(Failure::new(format!(
                "{}: scene writes .pnav or .obj",
                output.display()
            )));
        }
    };
    check_outputs(&[], &[Some(output)])?;
    let scene = name
        .parse()
        .map_err(|error: UnknownScene| Failure::new(error.to_string()))?;
    match scene {
        Scene::Level(level) => write_level(level, args, output, is_obj, common),
        Scene::World(world) => write_world(world, args, output, is_obj, common),
        Scene::HeightMap(function) => Err(Failure::new(format!(
            "{function} is a height map: run `portolan heightmap {function} -o {function}.png`"
        ))),
    }
}

fn list() {
    say!(
        "Levels are geometry to bake. Number of polygons at --size paper; large has ten times as many:"
    );
    for level in LevelScene::ALL {
        let polygons = level.paper_polygons();
        let polygons = polygons.map_or("any".to_owned(), |polygons| polygons.to_string());
        row(level.name(), &polygons, level.description());
    }
    say!(
        "Worlds are generated as navmeshes. Number of polygons at --size paper; --polygons sets any other:"
    );
    for world in WorldScene::ALL {
        let polygons = world_polygons(Size::Paper).to_string();
        row(world.name(), &polygons, world.description());
    }
}

fn row(name: &str, polygons: &str, description: &str) {
    say!("  {name:<13} {polygons:>6}  {description}");
}

fn world_polygons(size: Size) -> usize {
    match size {
        Size::Small => 1_000,
        Size::Paper => 5_500,
        Size::Large => 100_000,
    }
}

/// Writes the geometry of a level, or its navmesh.
fn write_level(
    level: LevelScene,
    args: &SceneArgs,
    output: &Path,
    is_obj: bool,
    common: &Common,
) -> Result<ExitKind, Failure> {
    let not_for_levels = [
        (args.polygons.is_some(), "--polygons"),
        (args.areas, "--areas"),
        (args.links, "--links"),
        (args.relief.is_some(), "--relief"),
        (
            args.floors.is_some() && level != LevelScene::Tower,
            "--floors",
        ),
    ];
    if let Some((_, option)) = not_for_levels.iter().find(|(given, _)| *given) {
        return Err(Failure::new(format!(
            "{option} does not apply to the level {level}; use --size and --seed"
        )));
    }
    let waiting = spinner(common, "generating the level");
    let options = SceneOptions {
        size: match args.size {
            Size::Small => portolan_scenes::Size::Small,
            Size::Paper => portolan_scenes::Size::Paper,
            Size::Large => portolan_scenes::Size::Large,
        },
        seed: args.seed,
        floors: args.floors,
    };
    let triangles = level.build(&options);
    let triangle_count = count(triangles.triangles.len(), "triangle");
    if is_obj {
        let comments = [
            format!("{level}, size {}, seed {}", options.size, options.seed),
            "units are metres, y is up; bake it with the default options of portolan bake"
                .to_owned(),
        ];
        portolan_files::save(output, |mut file| {
            portolan_formats::geometry::obj::write(&triangles, &comments, &mut file)
        })?;
        waiting.finish_and_clear();
        if !common.quiet {
            say!("{}: {triangle_count}", output.display());
            say!(
                "  next: portolan bake {} -o {}",
                quoted(output),
                quoted(&output.with_extension("pnav"))
            );
        }
        return Ok(ExitKind::Success);
    }
    waiting.finish_and_clear();
    let start = std::time::Instant::now();
    let (rules, options) = (AreaRules::default(), BakeOptions::default());
    let (baked, mesh) = bake(&triangles, &rules, &options, output, common)?;
    portolan_files::save_navmesh(output, &mesh)?;
    if !common.quiet {
        say!("{}: {}", output.display(), summary(&mesh));
        say!(
            "  {}",
            work(&triangles, &baked, start.elapsed().as_secs_f64())
        );
    }
    Ok(ExitKind::Success)
}

/// Returns a file name, quoted for a shell if necessary.
pub(super) fn quoted(file: &Path) -> String {
    let name = file.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if name.chars().all(is_plain) {
        name
    } else {
        format!("'{}'", name.replace('\'', r"'\''"))
    }
}

/// Writes a world, which is a navmesh without a bake.
fn write_world(
    world: WorldScene,
    args: &SceneArgs,
    output: &Path,
    is_obj: bool,
    common: &Common,
) -> Result<ExitKind, Failure> {
    if is_obj && args.links {
        return Err(Failure::new(
            "--links: an .obj cannot store links; write a .pnav",
        ));
    }
    let waiting = spinner(common, "generating the world");
    let raw = world.build(&WorldOptions {
        polygons: args
            .polygons
            .map_or(world_polygons(args.size), |polygons| polygons as usize),
        seed: args.seed,
        areas: args.areas,
        links: args.links,
        floors: args.floors.unwrap_or(1),
        relief: args.relief.unwrap_or(0.0),
    });
    // Neighbouring polygons of a world share their vertices, so edges need not be matched by position.
    let options = NavMeshOptions {
        borders: None,
        ..NavMeshOptions::default()
    };
    let mesh = NavMesh::build(raw, &options).map_err(|error| Failure::navmesh(output, &error))?;
    if is_obj {
        portolan_files::save(output, |mut file| {
            portolan_formats::obj::write(&mesh, &mut file)
        })?;
    } else {
        portolan_files::save_navmesh(output, &mesh)?;
    }
    waiting.finish_and_clear();
    if !common.quiet {
        say!("{}: {}", output.display(), summary(&mesh));
    }
    Ok(ExitKind::Success)
}
