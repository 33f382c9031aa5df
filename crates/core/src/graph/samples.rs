//! How many points stand for a portal, and where on it they lie.

use std::fmt;

use crate::geometry::distance;
use crate::navmesh::{NavMesh, Portal};

/// The sample points of portals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Samples {
    /// So many on each portal, spread evenly. [Limit: 1..=64] More give shorter paths and take time
    /// with the square of their number.
    Each(u32),
    /// By the portal's length: one for each unit of it, or part of one, up to [`Samples::MAX`]. The
    /// unit is the length that `percentile` percent of the portals do not exceed. [Limit: 1..=100]
    /// The lower, the denser.
    ByLength {
        /// Portals with one sample, in percent of all.
        percentile: u8,
    },
}

impl Default for Samples {
    /// The middle of each portal.
    fn default() -> Self {
        Self::Each(1)
    }
}

impl Samples {
    /// The most samples of a portal where they go by its length.
    pub const MAX: u32 = 8;

    /// Whether it keeps its limits.
    pub fn is_sound(self) -> bool {
        match self {
            Self::Each(count) => (1..=64).contains(&count),
            Self::ByLength { percentile } => (1..=100).contains(&percentile),
        }
    }

    /// The length up to which portals of this mesh have one sample; `None` where all have as many. 0 where
    /// there are no portals. [Units: m]
    pub fn unit(self, mesh: &NavMesh) -> Option<f32> {
        match self {
            Self::Each(_) => None,
            Self::ByLength { percentile } => Some(percentile_length(mesh, percentile)),
        }
    }

    /// The samples of each portal of a mesh.
    pub fn counts(self, mesh: &NavMesh) -> Vec<u32> {
        let sampling = self.on(mesh);
        let portals = mesh.portals().iter();
        portals.map(|portal| sampling.count(portal)).collect()
    }

    /// How this is done on one mesh.
    pub(super) fn on(self, mesh: &NavMesh) -> Sampling {
        match self {
            Self::Each(count) => Sampling::Each(count),
            Self::ByLength { percentile } => Sampling::ByLength {
                unit: percentile_length(mesh, percentile),
            },
        }
    }
}

impl fmt::Display for Samples {
    /// In short: `3 each`, `p90`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Each(count) => write!(f, "{count} each"),
            Self::ByLength { percentile } => write!(f, "p{percentile}"),
        }
    }
}

/// [`Samples`] of one mesh, whose portals have been looked at.
#[derive(Clone, Copy)]
pub(super) enum Sampling {
    Each(u32),
    ByLength { unit: f32 },
}

impl Sampling {
    pub(super) fn count(self, portal: &Portal) -> u32 {
        match self {
            Self::Each(count) => count,
            // Also where the unit is 0 and so is the length, whose quotient is no number.
            Self::ByLength { unit } => {
                let units = (length(portal) / unit).ceil();
                (units as u32).clamp(1, Samples::MAX)
            }
        }
    }

    /// Where the samples of a portal lie, as shares of the way from its right end to its left.
    pub(super) fn shares(self, portal: &Portal) -> impl Iterator<Item = f64> {
        let count = self.count(portal);
        (0..count).map(move |i| {
            let (i, count) = (f64::from(i), f64::from(count));
            match self {
                // Ways turn at the ends of portals, so the outer samples are nearer to them than half
                // the distance between two.
                Self::ByLength { .. } if count > 1.0 => {
                    let margin = 0.4 / count;
                    margin + (1.0 - 2.0 * margin) * i / (count - 1.0)
                }
                _ => (i + 0.5) / count,
            }
        })
    }
}

fn length(portal: &Portal) -> f32 {
    distance(portal.right, portal.left)
}

/// The length that so many percent of the portals do not exceed; 0 where there are no portals.
fn percentile_length(mesh: &NavMesh, percentile: u8) -> f32 {
    let mut lengths: Vec<f32> = mesh.portals().iter().map(length).collect();
    if lengths.is_empty() {
        return 0.0;
    }
    let place = (lengths.len() * usize::from(percentile)).div_ceil(100) - 1;
    *lengths.select_nth_unstable_by(place, f32::total_cmp).1
}
