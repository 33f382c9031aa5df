//! The options of level scenes.

use std::fmt;
use std::str::FromStr;

/// The options of a level scene.
///
/// ```
/// use portolan_scenes::{LevelScene, SceneOptions, Size};
///
/// let options = SceneOptions { size: Size::Small, floors: Some(5), ..SceneOptions::default() };
/// let tower = LevelScene::Tower.build(&options);
/// assert!(!tower.triangles.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneOptions {
    /// The size of the level. [Default: [`Size::Paper`]]
    pub size: Size,
    /// The seed of all random numbers. Another seed gives another level of the same kind. [Default: 1]
    pub seed: u64,
    /// The number of storeys of [`LevelScene::Tower`](crate::LevelScene::Tower); other scenes ignore it.
    /// [Limit: 1..=1000, clamped] [Default: 3 at size small, else 10] A bake supports at most 60 floors above
    /// one another.
    pub floors: Option<u32>,
}

impl Default for SceneOptions {
    /// Returns seed 1 at [`Size::Paper`].
    fn default() -> Self {
        Self {
            size: Size::Paper,
            seed: 1,
            floors: None,
        }
    }
}

/// The size of a level. A larger level has more ground with the same level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// A tenth of the number of polygons of
    /// [`LevelScene::paper_polygons`](crate::LevelScene::paper_polygons), for tests. Scenes with fewer than
    /// 1000 polygons there are not reduced.
    Small,
    /// About the number of polygons of [`LevelScene::paper_polygons`](crate::LevelScene::paper_polygons).
    Paper,
    /// About ten times the number of polygons of
    /// [`LevelScene::paper_polygons`](crate::LevelScene::paper_polygons).
    Large,
}

/// The names of all sizes, in the order of [`Size::ALL`].
const NAMES: [&str; Size::ALL.len()] = ["small", "paper", "large"];

impl Size {
    /// All sizes.
    pub const ALL: [Self; 3] = [Self::Small, Self::Paper, Self::Large];

    /// Returns the name that [`Size::from_str`] parses.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for an unknown name of a size. Its message lists the known names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no size {0:?}; choose one of: {names}", names = NAMES.join(", "))]
pub struct UnknownSize(pub String);

impl FromStr for Size {
    type Err = UnknownSize;

    fn from_str(name: &str) -> Result<Self, UnknownSize> {
        Self::ALL
            .into_iter()
            .find(|size| size.name() == name)
            .ok_or_else(|| UnknownSize(name.to_owned()))
    }
}
