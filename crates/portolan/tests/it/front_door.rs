//! Level file, navmesh, world, file, path.

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
fn from_a_level_file_to_a_path_saved_and_opened_again() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("level.pidx");
    let level = portolan::read_level(yard())?;
    let mesh = portolan::bake(&level, &BakeOptions::default())?;
    let world = portolan::index(mesh, &IndexOptions::default())?;
    assert!(world.tiers().eq([Tier::Fast, Tier::Default]));
    let path = world.find(START, PLATFORM)?;
    portolan::save(&world, &file)?;

    let opened = portolan::open(&file)?;
    // The default tier answers, and not plain A*.
    assert_eq!(
        opened.resolve_engine(Engine::default()),
        Engine::Contraction(Tier::Default)
    );
    assert_eq!(opened.find(START, PLATFORM)?, path);
    // Around two walls and up the ramp: longer than the straight line, shorter than twice that.
    assert!((25.0..45.0).contains(&path.length()), "{}", path.length());
    let end = path.stops(opened.mesh()).last().expect("a goal");
    assert!((end.point.y - 1.6).abs() < 0.5);

    let (mut scratch, mut again) = (Scratch::new(), Path::default());
    let status = opened.find_path(&Query::new(START, PLATFORM), &mut scratch, &mut again)?;
    assert_eq!((status, again), (Status::Found, path));
    Ok(())
}

#[test]
fn what_goes_wrong_is_one_line_that_says_what() {
    let missing = portolan::read_level("no/such.glb").unwrap_err().to_string();
    assert!(missing.starts_with("no/such.glb: "), "{missing}");
    let missing = portolan::open("no/such.pidx").unwrap_err().to_string();
    assert!(missing.starts_with("no/such.pidx: "), "{missing}");

    let level = portolan::read_level(yard()).expect("the yard");
    let mesh = portolan::bake(&level, &BakeOptions::default()).expect("ground");
    let world = portolan::index(mesh, &IndexOptions::default()).expect("an index");
    let off = world.find([500.0, 0.0, 0.0], PLATFORM).map_err(Error::from);
    assert!(matches!(off, Err(Error::NoPath(Status::StartOffMesh))));
    let query = Query {
        engine: Engine::Labels,
        ..Query::new(START, PLATFORM)
    };
    let lacking = world.find_path(&query, &mut Scratch::new(), &mut Path::default());
    let words = Error::from(lacking.unwrap_err()).to_string();
    assert!(
        words.contains("labels") && words.contains("portolan index"),
        "{words}"
    );
}

/// The front page of rustdoc has twelve types at most, and the verbs.
#[test]
fn the_front_page_stays_short() {
    let source = include_str!("../../src/lib.rs");
    let uses = source.split("\npub use ").skip(1);
    let names = uses.flat_map(|one| {
        let list = one.split(';').next().expect("an item");
        let list = list.rsplit("::").next().expect("a name");
        let names = list.split(['{', '}', ',', '\n', ' ']);
        names.filter(|name| !name.is_empty()).map(str::to_owned)
    });
    let (types, mut verbs): (Vec<String>, Vec<String>) =
        names.partition(|name| name.starts_with(char::is_uppercase));
    assert!((10..=12).contains(&types.len()), "{types:?}");
    verbs.sort();
    assert_eq!(
        verbs,
        ["bake", "import", "index", "open", "read_level", "save"]
    );
}
