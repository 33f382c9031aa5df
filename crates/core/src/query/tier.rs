//! Quality tiers.

use std::fmt;
use std::str::FromStr;

/// A quality tier of [`Engine::Auto`](super::Engine::Auto) and
/// [`Engine::Contraction`](super::Engine::Contraction): which graph is searched, and how its edges are priced.
/// Better tiers give shorter paths. They usually need more memory and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// The world's own graph (the midpoints of portals by default) with exact sums: the cheapest path over
    /// its samples. All engines without tiers search this graph.
    Fast,
    /// Taut costs: a shortcut costs as much as the taut line through its portals, which is closer to what an
    /// agent walks than a sum of distances between samples. Paths are shorter than in the fast tier on
    /// average, but not always. There is no bound on their excess over the shortest path.
    #[default]
    Default,
    /// Taut costs, as in the default tier, on a graph with more samples per portal. Paths are shorter on
    /// average, and the index takes more memory and build time.
    Best,
    /// The shortest any-angle path in plan, that is in the (x, z) plane. It has no portal graph and no
    /// contraction: it searches a graph of the corners of obstacles. It requires one cost per metre on all open
    /// ground. Only [`Engine::Auto`](super::Engine::Auto) has this tier.
    Exact,
}

/// A name that is not the name of a tier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no tier '{0}'; use fast, default, best or exact")]
pub struct UnknownTier(pub String);

impl Tier {
    /// All tiers.
    pub const ALL: [Self; 4] = [Self::Fast, Self::Default, Self::Best, Self::Exact];

    /// The tiers of the contraction, the fastest first.
    pub const CONTRACTED: [Self; 3] = [Self::Fast, Self::Default, Self::Best];

    /// The taut tiers: those with a graph of their own and taut costs.
    pub const TAUT: [Self; 2] = [Self::Default, Self::Best];

    /// Returns whether this is a taut tier.
    pub fn is_taut(self) -> bool {
        matches!(self, Self::Default | Self::Best)
    }

    /// Returns the name in files, options and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Default => "default",
            Self::Best => "best",
            Self::Exact => "exact",
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
    fn names_round_trip() {
        for tier in Tier::ALL {
            assert_eq!(tier.to_string().parse(), Ok(tier));
            assert_eq!(tier.is_taut(), Tier::TAUT.contains(&tier));
        }
        assert!(Tier::ALL.is_sorted());
    }

    #[test]
    fn other_names_are_rejected() {
        for name in ["", "Fast", "worst", " best"] {
            let error = name.parse::<Tier>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{name}'")), "{error}");
        }
    }
}
