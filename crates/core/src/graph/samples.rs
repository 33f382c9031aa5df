//! The number and the positions of the sample points on a portal.

use std::fmt;

use crate::geometry::distance;
use crate::navmesh::{NavMesh, Portal};

/// How many sample points each portal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Samples {
    /// The same number on each portal, evenly spaced. [Limit: 1..=64] More samples give shorter paths;
    /// search time grows with the square of their number.
    Each(u32),
    /// A number that depends on the length of the portal: one sample per unit of length, rounded up, at
    /// most [`Samples::MAX`]. The unit is the given percentile of all portal lengths of the mesh. A lower
    /// percentile gives more samples.
    ByLength {
        /// The percentage of portals, at least, that get a single sample. [Limit: 1..=100]
        percentile: u8,
    },
}

impl Default for Samples {
    /// Returns one sample per portal, at its midpoint.
    fn default() -> Self {
        Self::Each(1)
    }
}

impl Samples {
    /// The maximum number of samples per portal for [`Samples::ByLength`].
    pub const MAX: u32 = 8;

    /// Returns whether the value is within its limits.
    pub fn is_valid(self) -> bool {
        match self {
            Self::Each(count) => (1..=64).contains(&count),
            Self::ByLength { percentile } => (1..=100).contains(&percentile),
        }
    }

    /// Returns the length up to which portals of `mesh` have one sample; 0 for a mesh without portals, and
    /// `None` if the number does not depend on length. [Units: m]
    pub fn unit(self, mesh: &NavMesh) -> Option<f32> {
        match self {
            Self::Each(_) => None,
            Self::ByLength { percentile } => Some(percentile_length(mesh, percentile)),
        }
    }

    /// Returns the number of samples of each portal of a mesh.
    pub fn counts(self, mesh: &NavMesh) -> Vec<u32> {
        let sampling = self.for_mesh(mesh);
        let portals = mesh.portals().iter();
        portals.map(|portal| sampling.count(portal)).collect()
    }

    /// Resolves the percentile to a length on one mesh.
    pub(super) fn for_mesh(self, mesh: &NavMesh) -> Sampling {
        match self {
            Self::Each(count) => Sampling::Each(count),
            Self::ByLength { percentile } => Sampling::ByLength {
                unit: percentile_length(mesh, percentile),
            },
        }
    }
}

impl fmt::Display for Samples {
    /// Writes the short form: `3 each` or `p90`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Each(count) => write!(f, "{count} each"),
            Self::ByLength { percentile } => write!(f, "p{percentile}"),
        }
    }
}

/// [`Samples`] whose percentile is resolved to a length on one mesh.
#[derive(Clone, Copy)]
pub(super) enum Sampling {
    Each(u32),
    ByLength { unit: f32 },
}

impl Sampling {
    /// Returns the number of samples of a portal.
    pub(super) fn count(self, portal: &Portal) -> u32 {
        match self {
            Self::Each(count) => count,
            // The clamp also handles 0 / 0, which is NaN and converts to 0.
            Self::ByLength { unit } => {
                let units = (length(portal) / unit).ceil();
                (units as u32).clamp(1, Samples::MAX)
            }
        }
    }

    /// Returns the positions of a portal's samples as fractions of its length, from its right end (0) to
    /// its left end (1).
    pub(super) fn fractions(self, portal: &Portal) -> impl Iterator<Item = f64> {
        let count = self.count(portal);
        (0..count).map(move |i| {
            let (i, count) = (f64::from(i), f64::from(count));
            match self {
                // Taut paths bend at the ends of portals, so the outer samples are closer to the ends than
                // half the distance between two samples.
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

/// Returns the given percentile of the portal lengths; 0 for a mesh without portals. [Units: m]
fn percentile_length(mesh: &NavMesh, percentile: u8) -> f32 {
    let mut lengths: Vec<f32> = mesh.portals().iter().map(length).collect();
    if lengths.is_empty() {
        return 0.0;
    }
    let index = (lengths.len() * usize::from(percentile)).div_ceil(100) - 1;
    *lengths.select_nth_unstable_by(index, f32::total_cmp).1
}
