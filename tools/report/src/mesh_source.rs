//! The navmeshes that are measured: built-in scenes, navmeshes from files, and generated worlds.

use std::path::Path;
use std::time::Instant;

use portolan_bake::{BakeOptions, bake};
use portolan_core::{AreaRules, NavMesh, NavMeshOptions};
use portolan_measure::thousandths;
use portolan_scenes::{LevelScene, SceneOptions, WorldOptions, WorldScene};

use crate::ReportError;
use crate::model::SceneCell;
use crate::options::ReportOptions;

/// A navmesh that is ready to be measured.
pub(crate) struct LoadedMesh {
    pub(crate) cell: SceneCell,
    pub(crate) mesh: NavMesh,
    /// The kind of a generated world; `None` for scenes and maps.
    pub(crate) world: Option<WorldScene>,
}

/// The origin of a navmesh.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MeshSource {
    /// A built-in scene, which is baked.
    Scene(LevelScene),
    /// A navmesh file.
    Map(std::path::PathBuf),
    /// A generated world with approximately this number of polygons.
    World(WorldScene, u32),
}

impl MeshSource {
    /// Lists all sources that the options name, in order. Their names are unique.
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

    /// Returns the name of the scene, the file stem of the map, or the kind and size of the world.
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

    /// Bakes the scene, reads the map, or generates the world.
    pub(crate) fn open(&self, seed: u64) -> Result<LoadedMesh, ReportError> {
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
                Ok(self.load(mesh, triangles, bake_ms))
            }
            Self::Map(file) => {
                let mesh = open_map(file)?;
                let components = mesh.components();
                if components.size(components.largest()) < 2 {
                    return Err(ReportError::NothingToSearch { file: file.clone() });
                }
                Ok(self.load(mesh, None, 0.0))
            }
            Self::World(kind, size) => {
                // Areas make the costs of profiles differ.
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
                Ok(self.load(mesh, None, 0.0))
            }
        }
    }

    fn load(&self, mesh: NavMesh, triangles_in: Option<usize>, bake_ms: f64) -> LoadedMesh {
        let corners = mesh.polygons().map(|p| mesh.corners(p).len() - 2);
        let components = mesh.components();
        let cell = SceneCell {
            scene: self.name(),
            is_map: matches!(self, Self::Map(_)),
            triangles_in,
            // Recast merges triangles into polygons without moving corners, so a polygon of n corners
            // consists of n - 2 triangles.
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
        LoadedMesh { cell, mesh, world }
    }
}

/// Reads a `.pnav` file or imports a navmesh of another format.
fn open_map(file: &Path) -> Result<NavMesh, ReportError> {
    let is_pnav = file
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("pnav"));
    if is_pnav {
        return Ok(portolan_files::open_navmesh(file)?);
    }
    let imported = portolan_formats::import(file)?;
    NavMesh::build(imported.raw, &imported.options).map_err(|error| ReportError::NoReport {
        file: file.to_owned(),
        why: error.to_string(),
    })
}
