//! `portolan scene`: levels and worlds to try things on.

use std::path::Path;

use portolan_bake::BakeOptions;
use portolan_core::{AreaRules, NavMesh, NavMeshOptions};
use portolan_scenes::{LevelScene, Scene, SceneOptions, UnknownScene, WorldOptions, WorldScene};

use super::bake::{bake, work};
use super::info::summary;
use super::{check_outputs, ending};
use crate::args::{Common, SceneArgs, Size};
use crate::outcome::{Answer, Failure};
use crate::terminal::{count, say, spinner};

pub(crate) fn run(args: &SceneArgs, common: &Common) -> Result<Answer, Failure> {
    if args.list {
        list();
        return Ok(Answer::Yes);
    }
    let (Some(name), Some(output)) = (&args.name, &args.output) else {
        return Err(Failure::new("scene needs a NAME and -o FILE"));
    };
    let is_obj = match ending(output).as_str() {
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
        Scene::Level(level) => make_level(level, args, output, is_obj, common),
        Scene::World(world) => make_world(world, args, output, is_obj, common),
        Scene::HeightMap(function) => Err(Failure::new(format!(
            "{function} is a height map: run `portolan heightmap {function} -o {function}.png`"
        ))),
    }
}

fn list() {
    say!(
        "Levels, geometry to bake; polygons at size paper, large has ten times as many, small is for tests:"
    );
    for level in LevelScene::ALL {
        let polygons = level.paper_polygons();
        let polygons = polygons.map_or("any".to_owned(), |polygons| polygons.to_string());
        row(level.name(), &polygons, level.description());
    }
    say!("Worlds, navmeshes without a bake; --polygons makes them of any size:");
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

/// Geometry as it is, or baked.
fn make_level(
    level: LevelScene,
    args: &SceneArgs,
    output: &Path,
    is_obj: bool,
    common: &Common,
) -> Result<Answer, Failure> {
    let refused = [
        (args.polygons.is_some(), "--polygons"),
        (args.areas, "--areas"),
        (args.links, "--links"),
        (args.relief.is_some(), "--relief"),
        (
            args.floors.is_some() && level != LevelScene::Tower,
            "--floors",
        ),
    ];
    if let Some((_, option)) = refused.iter().find(|(given, _)| *given) {
        return Err(Failure::new(format!(
            "{option} does not apply to {level}; --size and --seed do"
        )));
    }
    let waiting = spinner(common, "making the level");
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
            "metres, y up; portolan bake without further options gives its navmesh".to_owned(),
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
        return Ok(Answer::Yes);
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
    Ok(Answer::Yes)
}

/// A name as a shell takes it.
pub(super) fn quoted(file: &Path) -> String {
    let name = file.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if name.chars().all(is_plain) {
        name
    } else {
        format!("'{}'", name.replace('\'', r"'\''"))
    }
}

/// A navmesh, without a bake.
fn make_world(
    world: WorldScene,
    args: &SceneArgs,
    output: &Path,
    is_obj: bool,
    common: &Common,
) -> Result<Answer, Failure> {
    if is_obj && args.links {
        return Err(Failure::new("an .obj cannot hold --links; write a .pnav"));
    }
    let waiting = spinner(common, "making the world");
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
    // The worlds conform, so their walls need no second look.
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
    Ok(Answer::Yes)
}
