//! Tests the functions of the crate root, from a level file to a saved world and a path.

use std::path::PathBuf;

use portolan::engines::{Engine, Tier};
use portolan::{BakeOptions, Error, IndexOptions, Path, Query, Scratch, Status};

fn yard() -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/yard.obj"
    ))
}

const START: [f32; 3] = [2.0, 0.0, 2.0];
const PLATFORM: [f32; 3] = [22.0, 1.6, 13.0];

#[test]
fn a_saved_and_reopened_world_finds_the_same_path() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("level.pidx");
    let level = portolan::read_level(yard())?;
    let mesh = portolan::bake(&level, &BakeOptions::default())?;
    let world = portolan::index(mesh, &IndexOptions::default())?;
    assert!(world.tiers().eq([Tier::Fast, Tier::Default, Tier::Exact]));
    let path = world.find(START, PLATFORM)?;
    portolan::save(&world, &file)?;

    let opened = portolan::open(&file)?;
    // On this level exact paths cost less than those of the default tier.
    assert_eq!(
        opened.resolve_engine(Engine::default()),
        Engine::Auto(Tier::Exact)
    );
    assert_eq!(opened.find(START, PLATFORM)?, path);
    // The path leads around two walls and up the ramp. It is longer than the straight line and shorter than
    // twice that.
    assert!((25.0..45.0).contains(&path.length()), "{}", path.length());
    let end = path.stops(opened.mesh()).last().expect("a goal");
    assert!((end.point.y - 1.6).abs() < 0.5);

    let (mut scratch, mut reopened_path) = (Scratch::new(), Path::default());
    let status = opened.find_path(
        &Query::new(START, PLATFORM),
        &mut scratch,
        &mut reopened_path,
    )?;
    assert_eq!((status, reopened_path), (Status::Found, path));
    Ok(())
}

#[test]
fn errors_name_the_file_or_the_missing_engine() {
    let missing = portolan::read_level("no/such.glb").unwrap_err().to_string();
    assert!(missing.starts_with("no/such.glb: "), "{missing}");
    let missing = portolan::open("no/such.pidx").unwrap_err().to_string();
    assert!(missing.starts_with("no/such.pidx: "), "{missing}");

    let level = portolan::read_level(yard()).expect("the level of the yard");
    let mesh = portolan::bake(&level, &BakeOptions::default()).expect("a mesh of the yard");
    let world = portolan::index(mesh, &IndexOptions::default()).expect("an index");
    let off_mesh = world.find([500.0, 0.0, 0.0], PLATFORM).map_err(Error::from);
    assert!(matches!(off_mesh, Err(Error::NoPath(Status::StartOffMesh))));
    let query = Query {
        engine: Engine::Labels,
        ..Query::new(START, PLATFORM)
    };
    let missing_engine = world.find_path(&query, &mut Scratch::new(), &mut Path::default());
    let message = Error::from(missing_engine.unwrap_err()).to_string();
    assert!(
        message.contains("labels") && message.contains("portolan index"),
        "{message}"
    );
}

/// The front page of the documentation lists at most twelve types and the functions of the pipeline.
#[test]
fn the_crate_root_has_at_most_twelve_types() {
    let source = include_str!("../../src/lib.rs");
    let uses = source.split("\npub use ").skip(1);
    let names = uses.flat_map(|import| {
        let list = import.split(';').next().expect("an item");
        let list = list.rsplit("::").next().expect("a name");
        let names = list.split(['{', '}', ',', '\n', ' ']);
        names.filter(|name| !name.is_empty()).map(str::to_owned)
    });
    let (types, mut functions): (Vec<String>, Vec<String>) =
        names.partition(|name| name.starts_with(char::is_uppercase));
    assert!((10..=12).contains(&types.len()), "{types:?}");
    functions.sort();
    assert_eq!(
        functions,
        ["bake", "import", "index", "open", "read_level", "save"]
    );
}
