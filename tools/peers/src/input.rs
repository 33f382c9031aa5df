//! The input of a measurement: navmeshes with queries, and levels to bake.

use std::path::{Path, PathBuf};

use glam::Vec3;
use portolan_bake::{BakeOptions, Tiling};
use portolan_core::{AreaRules, NavMesh, NavMeshOptions, Triangles};
use portolan_formats::LevelOptions;
use portolan_measure::{ReferenceQuery, Stopwatch, random_queries, read_references};
use portolan_scenes::{LevelScene, SceneOptions, WorldOptions, WorldScene};

/// The built-in scenes that are measured by default, baked at the size used in the HNA* papers.
const SCENES: [LevelScene; 6] = [
    LevelScene::Simple,
    LevelScene::Dungeon,
    LevelScene::Map,
    LevelScene::CityColony,
    LevelScene::Serpentine,
    LevelScene::CityIslands,
];
/// The scenes that `--large` adds. Polyanya and landmass take long on them.
const LARGE_SCENES: [LevelScene; 3] = [
    LevelScene::Tropical,
    LevelScene::Medieval,
    LevelScene::Sirius,
];
/// The generated worlds that are measured by default, each with all of [`WORLD_SEEDS`].
const WORLDS: [WorldScene; 2] = WorldScene::ALL;
/// The seeds of the generated worlds.
const WORLD_SEEDS: [u64; 2] = [1, 2];
/// The number of polygons of each generated world.
const WORLD_POLYGONS: usize = 12_000;

/// A navmesh and its queries.
pub(crate) struct Map {
    pub(crate) name: String,
    pub(crate) mesh: NavMesh,
    pub(crate) queries: Vec<[Vec3; 2]>,
    /// The origin of the queries, for the report.
    pub(crate) query_source: String,
    /// Reference results, one per query, or none.
    pub(crate) references: Vec<ReferenceQuery>,
    /// The level that the navmesh was baked from, if it is known.
    pub(crate) level: Option<LevelInput>,
}

/// The geometry of a level and the options to bake it.
pub(crate) struct LevelInput {
    pub(crate) triangles: Triangles,
    pub(crate) options: BakeOptions,
}

/// Options for random queries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RandomQueries {
    pub(crate) count: usize,
    pub(crate) seed: u64,
    /// Whether files of queries are ignored.
    pub(crate) always: bool,
}

/// The origin of a map. Maps are opened one by one, so that only one is in memory at a time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MapSource {
    File(PathBuf),
    Scene(LevelScene),
    /// A generated world with its seed.
    World(WorldScene, u64),
}

/// Returns the maps that the arguments name. Without arguments, these are the built-in scenes, with the large ones
/// on request.
pub(crate) fn sources(arguments: &[PathBuf], is_large: bool) -> Result<Vec<MapSource>, String> {
    if arguments.is_empty() {
        let large = LARGE_SCENES.into_iter().filter(|_| is_large);
        let scenes = SCENES.into_iter().chain(large).map(MapSource::Scene);
        let of_seeds = |scene| WORLD_SEEDS.map(|seed| MapSource::World(scene, seed));
        return Ok(scenes
            .chain(WORLDS.into_iter().flat_map(of_seeds))
            .collect());
    }
    let mut sources = Vec::new();
    for argument in arguments {
        if argument.is_dir() {
            let maps = maps_in(argument)?;
            if maps.is_empty() {
                return Err(format!(
                    "{}: no .pnav or .navmesh.obj files in this folder",
                    argument.display()
                ));
            }
            sources.extend(maps.into_iter().map(MapSource::File));
        } else {
            sources.push(MapSource::File(argument.clone()));
        }
    }
    Ok(sources)
}

/// Returns the navmeshes in a folder, sorted by name. A plain `.obj` in a folder is a level, not a navmesh.
fn maps_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut maps = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(at)? {
        let path = entry.map_err(at)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".pnav") || name.ends_with(".navmesh.obj") {
            maps.push(path);
        }
    }
    maps.sort();
    Ok(maps)
}

impl MapSource {
    pub(crate) fn open(&self, random: &RandomQueries) -> Result<Map, String> {
        match self {
            Self::File(file) => open_file(file, random),
            Self::Scene(scene) => {
                let triangles = scene.build(&SceneOptions::default());
                let options = BakeOptions::default();
                let baked = portolan_bake::bake(&triangles, &AreaRules::default(), &options);
                let mesh = baked.and_then(|baked| baked.build_navmesh());
                let mesh = mesh.map_err(|error| format!("{scene}: {error}"))?;
                let level = LevelInput { triangles, options };
                Ok(random_map(scene.name(), mesh, Some(level), random))
            }
            &Self::World(scene, seed) => {
                let raw = scene.build(&WorldOptions {
                    polygons: WORLD_POLYGONS,
                    seed,
                    ..WorldOptions::default()
                });
                let mesh = NavMesh::build(raw, &NavMeshOptions::default())
                    .map_err(|error| format!("{scene}: {error}"))?;
                let name = format!("{scene}-{seed}");
                Ok(random_map(&name, mesh, None, random))
            }
        }
    }
}

fn random_map(name: &str, mesh: NavMesh, level: Option<LevelInput>, random: &RandomQueries) -> Map {
    let queries = random_queries(&mesh, random.seed)
        .take(random.count)
        .collect();
    Map {
        name: name.to_owned(),
        mesh,
        queries,
        query_source: format!("random, seed {}", random.seed),
        references: Vec::new(),
        level,
    }
}

fn open_file(file: &Path, random: &RandomQueries) -> Result<Map, String> {
    let mesh = open_mesh(file)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = [".navmesh.obj", ".obj", ".pnav"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(&name);
    let level = open_level(file, &folder.join(format!("{name}.obj")))?;
    let mut map = random_map(name, mesh, level, random);
    if random.always {
        return Ok(map);
    }
    let reference = folder.join(format!("{name}.queries.txt"));
    let tables = ["queries.csv", "csv"].map(|ending| folder.join(format!("{name}.{ending}")));
    if reference.is_file() {
        let text = std::fs::read_to_string(&reference)
            .map_err(|error| format!("{}: {error}", reference.display()))?;
        let read = read_references(&text);
        map.references = read.map_err(|error| format!("{}: {error}", reference.display()))?;
        map.queries = map
            .references
            .iter()
            .map(|query| [query.from, query.to])
            .collect();
        map.query_source = file_name(&reference);
    } else if let Some(table) = tables.iter().find(|table| table.is_file()) {
        let queries = portolan_formats::open_queries(table).map_err(|error| error.to_string())?;
        map.queries = queries.iter().map(|query| [query.from, query.to]).collect();
        map.query_source = file_name(table);
    }
    if map.queries.is_empty() {
        return Err(format!(
            "{}: its file of queries is empty; add queries, or use `--no-files` for random ones",
            file.display()
        ));
    }
    Ok(map)
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn open_mesh(file: &Path) -> Result<NavMesh, String> {
    let is_pnav = file.extension().is_some_and(|ending| ending == "pnav");
    if is_pnav {
        return portolan_files::open_navmesh(file).map_err(|error| error.to_string());
    }
    let imported = portolan_formats::import(file).map_err(|error| error.to_string())?;
    NavMesh::build(imported.raw, &imported.options)
        .map_err(|error| format!("{}: {error}", file.display()))
}

/// Opens the level of a navmesh, if the first line of the navmesh contains the parameters that Recast used.
fn open_level(navmesh: &Path, level: &Path) -> Result<Option<LevelInput>, String> {
    if level == navmesh || !level.is_file() {
        return Ok(None);
    }
    let text = std::fs::read(navmesh).map_err(|error| format!("{}: {error}", navmesh.display()))?;
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let Some(options) = bake_options(&String::from_utf8_lossy(first)) else {
        return Ok(None);
    };
    let triangles = portolan_formats::open_geometry(level, &LevelOptions::default())
        .map_err(|error| error.to_string())?;
    Ok(Some(LevelInput { triangles, options }))
}

/// Parses the options in a line like `# ... Cfg { cs: 0.3, ch: 0.2, height: 2.0, ... tile: 0 }`.
fn bake_options(line: &str) -> Option<BakeOptions> {
    let (_, fields) = line.split_once("Cfg {")?;
    let fields: Vec<(&str, f32)> = fields
        .trim_end()
        .trim_end_matches('}')
        .split(',')
        .filter_map(|field| {
            let (name, value) = field.split_once(':')?;
            Some((name.trim(), value.trim().parse().ok()?))
        })
        .collect();
    let field = |name: &str| fields.iter().find(|field| field.0 == name).map(|f| f.1);
    Some(BakeOptions {
        cell_size: field("cs")?,
        cell_height: field("ch")?,
        agent_height: field("height")?,
        agent_radius: field("radius")?,
        agent_climb: field("climb")?,
        agent_slope: field("slope")?,
        tiles: match field("tile")? as u16 {
            0 => Tiling::SingleTile,
            side => Tiling::Side(side),
        },
        ..BakeOptions::default()
    })
}

/// Bakes a level with Portolan. Returns the wall time in milliseconds and the number of polygons.
pub(crate) fn bake_with_portolan(
    level: &LevelInput,
    threads: usize,
) -> Result<(f64, usize), String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| error.to_string())?;
    pool.install(|| {
        let mut watch = Stopwatch::start();
        let rules = AreaRules::default();
        let baked = portolan_bake::bake(&level.triangles, &rules, &level.options)
            .map_err(|error| error.to_string())?;
        let ms = watch.lap_ms();
        let mesh = baked.build_navmesh().map_err(|error| error.to_string())?;
        Ok((ms, mesh.polygon_count()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recast_parameters_are_parsed_from_the_first_line() {
        let line = "# convex; built by Recast C++ Cfg { cs: 0.5, ch: 0.25, height: 2.0, \
                    radius: 0.5, climb: 0.9, slope: 45.0, tile: 256 }";
        let options = bake_options(line).unwrap();
        assert_eq!((options.cell_size, options.cell_height), (0.5, 0.25));
        assert_eq!(options.tiles, Tiling::Side(256));
        assert_eq!(bake_options("# a navmesh"), None);
        assert_eq!(bake_options("# Cfg { cs: 0.5 }"), None);
    }

    #[test]
    fn without_arguments_the_built_in_scenes_are_measured() {
        let built_in = sources(&[], false).unwrap();
        assert_eq!(built_in.len(), 6 + 2 * 2);
        let with_large = sources(&[], true).unwrap();
        assert_eq!(with_large.len(), built_in.len() + 3);
        assert!(built_in.iter().all(|source| with_large.contains(source)));
        let file = PathBuf::from("a.pnav");
        assert_eq!(
            sources(std::slice::from_ref(&file), false),
            Ok(vec![MapSource::File(file)])
        );
    }
}
