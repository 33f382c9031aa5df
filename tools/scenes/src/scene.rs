//! Built-in scenes of all kinds, by name.

use std::fmt;
use std::str::FromStr;

use crate::{HeightFunction, LevelScene, WorldScene};

/// A built-in scene of any kind. No two scenes have the same name.
///
/// The kind determines what is generated and from which options:
/// ```
/// use portolan_scenes::{Scene, SceneOptions, WorldOptions};
///
/// let corners = match "rooms".parse()? {
///     Scene::Level(level) => level.build(&SceneOptions::default()).vertices.len(),
///     Scene::World(world) => world.build(&WorldOptions::default()).vertices.len(),
///     Scene::HeightMap(function) => function.map(65, 65, 1)?.values().len(),
/// };
/// assert!(corners > 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scene {
    /// A scene that generates level geometry, which can be baked into a navmesh.
    Level(LevelScene),
    /// A scene that generates a navmesh directly.
    World(WorldScene),
    /// A scene that generates a height map.
    HeightMap(HeightFunction),
}

impl Scene {
    /// Returns all scenes: levels, then worlds, then height maps.
    pub fn all() -> impl Iterator<Item = Self> {
        let levels = LevelScene::ALL.into_iter().map(Self::Level);
        let worlds = WorldScene::ALL.into_iter().map(Self::World);
        let height_maps = HeightFunction::ALL.into_iter().map(Self::HeightMap);
        levels.chain(worlds).chain(height_maps)
    }

    /// Returns the name that [`Scene::from_str`] parses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Level(scene) => scene.name(),
            Self::World(scene) => scene.name(),
            Self::HeightMap(function) => function.name(),
        }
    }

    /// Returns a description of one line for lists of scenes.
    pub fn description(self) -> &'static str {
        match self {
            Self::Level(scene) => scene.description(),
            Self::World(scene) => scene.description(),
            Self::HeightMap(function) => function.description(),
        }
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Scene {
    type Err = UnknownScene;

    fn from_str(name: &str) -> Result<Self, UnknownScene> {
        Self::all()
            .find(|scene| scene.name() == name)
            .ok_or_else(|| {
                let names: Vec<&str> = Self::all().map(Self::name).collect();
                UnknownScene::new("scene", name, &names)
            })
    }
}

/// The error for an unknown name of a scene. Its message lists the known names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {kind} {name:?}; choose one of: {known}")]
pub struct UnknownScene {
    kind: &'static str,
    name: String,
    known: String,
}

impl UnknownScene {
    pub(crate) fn new(kind: &'static str, name: &str, known: &[&str]) -> Self {
        Self {
            kind,
            name: name.to_owned(),
            known: known.join(", "),
        }
    }
}
