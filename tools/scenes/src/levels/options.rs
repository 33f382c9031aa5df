//! What a level should be like.

use std::fmt;
use std::str::FromStr;

/// How large a level is, and which of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneOptions {
    /// How large.
    pub size: Size,
    /// The level's number: another seed gives another level of the same kind.
    pub seed: u64,
    /// Storeys of a tower. [Limit: 1..=1000] Default: 3 at size small, else 10. A bake tells 60 floors
    /// above one another apart. Other scenes ignore it.
    pub floors: Option<u32>,
}

impl Default for SceneOptions {
    /// Seed 1 at the papers' size.
    fn default() -> Self {
        Self {
            size: Size::Paper,
            seed: 1,
            floors: None,
        }
    }
}

/// How large a level is. The ground grows, the grain stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// For tests: a tenth of the papers' polygons, or as many where the papers have few.
    Small,
    /// As many polygons as in the papers.
    Paper,
    /// Ten times as many.
    Large,
}

/// The names of all sizes, in the order of [`Size::ALL`].
const NAMES: [&str; Size::ALL.len()] = ["small", "paper", "large"];

impl Size {
    /// Every size there is.
    pub const ALL: [Self; 3] = [Self::Small, Self::Paper, Self::Large];

    /// What [`Size::from_str`] knows it by.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No size has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no size is called {0:?}; there are: {names}", names = NAMES.join(", "))]
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
