//! How good paths are to be.

use std::fmt;
use std::str::FromStr;

/// A quality tier: what [`Engine::Auto`](super::Engine::Auto) and
/// [`Engine::Contraction`](super::Engine::Contraction) search. Better ones take more
/// memory and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// The world's own graph, the middles of portals unless it was made otherwise, and exact sums: of
    /// all ways over its samples the cheapest. All other engines work on this graph, too.
    Fast,
    /// Taut: shortcuts cost what the line through their portals does, which is nearer to what an agent
    /// walks than a sum of lengths from sample to sample. Paths are shorter than the fast tier's on the
    /// whole, not each of them; there is no bound on what they are above the shortest.
    #[default]
    Default,
    /// Taut, on denser samples.
    Best,
}

/// A name that is no tier's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no tier '{0}'; there are fast, default and best")]
pub struct UnknownTier(pub String);

impl Tier {
    /// All of them, the fastest first.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Default, Self::Best];

    /// Those with samples of their own and taut costs.
    pub const TAUT: [Self; 2] = [Self::Default, Self::Best];

    /// Whether it is one of these.
    pub fn is_taut(self) -> bool {
        self != Self::Fast
    }

    /// The name in files and outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Default => "default",
            Self::Best => "best",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Tier {
    type Err = UnknownTier;

    fn from_str(name: &str) -> Result<Self, UnknownTier> {
        let tier = Self::ALL.into_iter().find(|tier| tier.name() == name);
        tier.ok_or_else(|| UnknownTier(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for tier in Tier::ALL {
            assert_eq!(tier.to_string().parse(), Ok(tier));
            assert_eq!(tier.is_taut(), Tier::TAUT.contains(&tier));
        }
        assert!(Tier::ALL.is_sorted());
    }

    #[test]
    fn other_names_are_refused() {
        for name in ["", "Fast", "worst", " best"] {
            let error = name.parse::<Tier>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{name}'")), "{error}");
        }
    }
}
