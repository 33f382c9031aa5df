//! What is compared with what. Each check asks its own random queries and asserts.

mod answers;
mod distances;
mod lengths;
mod limits;
mod published;
mod taut;
mod terrain;

use portolan_core::{Endpoints, Engine, Path};
use portolan_oracle::{CaseRng, assert_corridor};

use crate::{Case, Compared};

/// How many queries a check asks of a world.
const QUERIES: usize = 6;

/// A comparison.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The name in reports.
    pub name: &'static str,
    /// Runs it with random queries and counts the answers compared.
    ///
    /// # Panics
    /// When an answer is wrong. The message begins with the engine's name.
    pub run: fn(&Case, &mut CaseRng) -> Compared,
}

/// All checks.
pub const CHECKS: &[Check] = &[
    Check {
        name: "answers",
        run: answers::check,
    },
    Check {
        name: "limits",
        run: limits::check,
    },
    Check {
        name: "partial",
        run: limits::check_partial,
    },
    Check {
        name: "distances",
        run: distances::check,
    },
    Check {
        name: "published",
        run: published::check,
    },
    Check {
        name: "taut",
        run: taut::check,
    },
    Check {
        name: "taut limits",
        run: taut::check_limits,
    },
    Check {
        name: "lengths",
        run: lengths::check,
    },
    Check {
        name: "terrain",
        run: terrain::check,
    },
];

/// Asserts that the corridor can be walked and leads from start to goal.
fn assert_joins(case: &Case, engine: Engine, ends: &Endpoints, path: &Path) {
    assert_corridor(case.world.mesh(), &case.profile, path);
    let polygons = &path.corridor.polygons;
    let joined = [polygons.first(), polygons.last()];
    let right = [Some(&ends.start.polygon), Some(&ends.goal.polygon)];
    assert_eq!(joined, right, "{engine}: the corridor joins other polygons");
}
