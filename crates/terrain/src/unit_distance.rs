//! The unit distance between two Top Meshes, which decides what is merged (chapter 5.2.1 of the terrain thesis).

use super::MeshDistance;

/// How the two directions between Top Meshes become one unit distance.
///
/// The thesis uses "half of the sum" of both directions, and divides the weighted by the unweighted distance. It does not
/// say in which order. `docs/terrain.md` compares the two on several grounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UnitDistance {
    /// The sum of the weighted distances divided by the sum of the unweighted ones. The longer direction counts more.
    #[default]
    RatioOfSums,
    /// The mean of the two quotients. Both directions count the same.
    MeanOfRatios,
}

impl UnitDistance {
    /// All rules.
    pub const ALL: [Self; 2] = [Self::RatioOfSums, Self::MeanOfRatios];

    /// Returns the name of the rule on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RatioOfSums => "ratio-of-sums",
            Self::MeanOfRatios => "mean-of-ratios",
        }
    }

    /// Returns the unit distance. The result depends on the order of the directions in the last bit.
    #[inline]
    pub(super) fn of(self, there: MeshDistance, back: MeshDistance) -> f32 {
        let ratio = |distance: MeshDistance| distance.weighted / distance.unweighted;
        match self {
            Self::RatioOfSums => ratio(there.plus(back)),
            Self::MeanOfRatios => f32::midpoint(ratio(there), ratio(back)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_differ_if_the_directions_have_different_lengths() {
        let there = MeshDistance {
            weighted: 10.0,
            unweighted: 1.0,
        };
        let back = MeshDistance {
            weighted: 6.0,
            unweighted: 3.0,
        };
        assert_eq!(UnitDistance::RatioOfSums.of(there, back), 4.0);
        assert_eq!(UnitDistance::MeanOfRatios.of(there, back), 6.0);
        for rule in UnitDistance::ALL {
            assert_eq!(rule.of(there, there), 10.0);
        }
    }
}
