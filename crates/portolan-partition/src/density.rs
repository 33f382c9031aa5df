//! How many samples a taut tier has on its portals.

use portolan::{NavMesh, Samples, Tier};

/// The samples of a tier, where nobody says: more where there is more to gain.
pub fn choose_samples(_mesh: &NavMesh, tier: Tier) -> Samples {
    match tier {
        Tier::Fast => Samples::default(),
        Tier::Default => Samples::ByLength { percentile: 90 },
        Tier::Best => Samples::ByLength { percentile: 75 },
    }
}
