//! What is measured on: built-in scenes, baked, navmeshes of the user's, and worlds of any size.

use std::path::Path;
use std::time::Instant;

use glam::Vec3;
use portolan_bake::{BakeOptions, bake};
use portolan_core::{AreaRules, NavMesh, NavMeshOptions};
use portolan_scenes::{LevelScene, RandomPoints, SceneOptions, WorldOptions, WorldScene};

use crate::ReportError;
use crate::model::SceneCell;
use crate::options::ReportOptions;
use crate::statistics::thousandths;

/// A navmesh with a name.
pub(crate) struct Subject {
    pub(crate) cell: SceneCell,
    pub(crate) mesh: NavMesh,
    /// What kind of world it is, if it is one.
    pub(crate) world: Option<WorldScene>,
}

/// Where a subject comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    Scene(LevelScene),
    Map(std::path::PathBuf),
    /// A world of that many polygons, about.
    World(WorldScene, u32),
}

impl Source {
    /// All that the options name, in order. Their names are all different.
    pub(crate) fn all(options: &ReportOptions) -> Result<Vec<Self>, ReportError> {
        let mut sources: Vec<Self> = Vec::new();
        for &scene in &options.scenes {
            if !sources.contains(&Self::Scene(scene)) {
                sources.push(Self::Scene(scene));
            }
        }
        let sizes = &options.effort.world_sizes;
        let of_kind = |kind| sizes.iter().map(move |&size| Self::World(kind, size));
        let worlds: Vec<Self> = WorldScene::ALL.into_iter().flat_map(of_kind).collect();
        for file in &options.maps {
            let map = Self::Map(file.clone());
            let name = map.name();
            let others = sources.iter().chain(&worlds);
            if others.into_iter().any(|other| other.name() == name) {
                let file = file.clone();
                return Err(ReportError::SameName { file, name });
            }
            sources.push(map);
        }
        sources.extend(worlds);
        Ok(sources)
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Self::Scene(scene) => scene.name().to_owned(),
            Self::Map(file) => {
                let stem = file.file_stem().unwrap_or_default();
                stem.to_string_lossy().into_owned()
            }
            Self::World(kind, size) => format!("{kind}-{size}"),
        }
    }

    /// Builds and bakes the scene, or opens the map.
    pub(crate) fn open(&self, seed: u64) -> Result<Subject, ReportError> {
        match self {
            Self::Scene(scene) => {
                let triangles = scene.build(&SceneOptions {
                    seed,
                    ..SceneOptions::default()
                });
                let start = Instant::now();
                let baked = bake(&triangles, &AreaRules::default(), &BakeOptions::default());
                let mesh = baked.and_then(|baked| baked.build_navmesh());
                let mesh = mesh.map_err(|error| ReportError::Bake {
                    scene: self.name(),
                    error,
                })?;
                let bake_ms = start.elapsed().as_secs_f64() * 1e3;
                let triangles = Some(triangles.triangles.len());
                Ok(self.subject(mesh, triangles, bake_ms))
            }
            Self::Map(file) => {
                let mesh = open_map(file)?;
                let components = mesh.components();
                if components.size(components.largest()) < 2 {
                    return Err(ReportError::NoGround { file: file.clone() });
                }
                Ok(self.subject(mesh, None, 0.0))
            }
            Self::World(kind, size) => {
                // With areas, so that profiles differ.
                let raw = kind.build(&WorldOptions {
                    polygons: *size as usize,
                    seed,
                    areas: true,
                    ..WorldOptions::default()
                });
                let mesh = NavMesh::build(raw, &NavMeshOptions::default());
                let mesh = mesh.map_err(|error| ReportError::World {
                    world: self.name(),
                    error,
                })?;
                Ok(self.subject(mesh, None, 0.0))
            }
        }
    }

    fn subject(&self, mesh: NavMesh, triangles_in: Option<usize>, bake_ms: f64) -> Subject {
        let corners = mesh.polygons().map(|p| mesh.corners(p).len() - 2);
        let components = mesh.components();
        let cell = SceneCell {
            scene: self.name(),
            is_map: matches!(self, Self::Map(_)),
            triangles_in,
            // Recast merges triangles into polygons and moves no corner, so that a polygon of n
            // corners was n - 2 triangles.
            triangles_out: corners.sum(),
            polygons: mesh.polygon_count(),
            portals: mesh.portals().len(),
            components: components.count(),
            largest: components.size(components.largest()) as usize,
            bake_ms: thousandths(bake_ms),
        };
        let world = match self {
            Self::World(kind, _) => Some(*kind),
            _ => None,
        };
        Subject { cell, mesh, world }
    }
}

/// A `.pnav`, or any other navmesh that can be imported.
fn open_map(file: &Path) -> Result<NavMesh, ReportError> {
    let is_ours = file
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("pnav"));
    if is_ours {
        return Ok(portolan_files::open_navmesh(file)?);
    }
    let imported = portolan_formats::import(file)?;
    NavMesh::build(imported.raw, &imported.options).map_err(|error| ReportError::NoReport {
        file: file.to_owned(),
        why: error.to_string(),
    })
}

/// Pairs of random points of the largest component, at least a metre apart where there is room:
/// from a point to itself there is nothing to search.
pub(crate) fn queries(mesh: &NavMesh, count: usize, seed: u64) -> Vec<[Vec3; 2]> {
    let mut points = RandomPoints::new(mesh, seed);
    let mut pairs = Vec::with_capacity(count);
    let mut tries = 0;
    while pairs.len() < count {
        let (Some(from), Some(to)) = (points.next(), points.next()) else {
            break;
        };
        tries += 1;
        if from.distance(to) >= 1.0 || tries > 10 * count {
            pairs.push([from, to]);
        }
    }
    pairs
}
