//! `portolan scene`: worlds to try things on.

use portolan::worlds::{Scene, WorldOptions};
use portolan::{NavMesh, NavMeshOptions};

use super::info::summary;
use super::{check_outputs, ending};
use crate::args::{Common, SceneArgs};
use crate::outcome::{Answer, Failure};
use crate::terminal::{say, spinner};

pub(crate) fn run(args: &SceneArgs, common: &Common) -> Result<Answer, Failure> {
    if args.list {
        for scene in Scene::ALL {
            say!("{:<8} {}", scene.name(), scene.description());
        }
        return Ok(Answer::Yes);
    }
    let (Some(name), Some(output)) = (&args.name, &args.output) else {
        return Err(Failure::new("scene needs a NAME and -o FILE"));
    };
    let scene: Scene = name
        .parse()
        .map_err(|error| Failure::new(format!("{error}")))?;
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
    if is_obj && args.links {
        return Err(Failure::new("an .obj cannot hold --links; write a .pnav"));
    }
    check_outputs(&[], &[Some(output)])?;
    let waiting = spinner(common, "making the world");
    let raw = scene.build(&WorldOptions {
        polygons: args
            .polygons
            .map_or(args.size.polygons(), |polygons| polygons as usize),
        seed: args.seed,
        areas: args.areas,
        links: args.links,
        floors: args.floors,
        relief: args.relief,
    });
    // The worlds conform, so their walls need no second look.
    let options = NavMeshOptions {
        borders: None,
        ..NavMeshOptions::default()
    };
    let mesh = NavMesh::build(raw, &options).map_err(|error| Failure::navmesh(output, &error))?;
    if is_obj {
        portolan_io::save(output, |mut file| portolan_io::obj::write(&mesh, &mut file))?;
    } else {
        portolan_io::save_navmesh(output, &mesh)?;
    }
    waiting.finish_and_clear();
    if !common.quiet {
        say!("{}: {}", output.display(), summary(&mesh));
    }
    Ok(Answer::Yes)
}
