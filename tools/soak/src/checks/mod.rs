//! The checks. Each runs random queries of its own and asserts properties of the answers.

mod answers;
mod batches;
mod distances;
mod exact;
mod lengths;
mod limits;
mod live;
mod obstacles;
mod published;
mod taut;
mod terrain;

use portolan_core::{Endpoints, Engine, Path};
use portolan_oracle::{CaseRng, assert_corridor};

use crate::{AnswerCounts, SoakCase};

/// The number of queries per check and world.
const QUERIES: usize = 6;

/// A check of the answers of engines.
#[derive(Clone, Copy, Debug)]
pub struct SoakCheck {
    /// The name in reports.
    pub name: &'static str,
    /// Runs the check with random queries and returns the number of answers compared.
    ///
    /// # Panics
    /// Panics if an answer is wrong. The message starts with the name of the engine.
    pub run: fn(&SoakCase, &mut CaseRng) -> AnswerCounts,
}

/// All checks.
pub const CHECKS: &[SoakCheck] = &[
    SoakCheck {
        name: "answers",
        run: answers::check,
    },
    SoakCheck {
        name: "limits",
        run: limits::check,
    },
    SoakCheck {
        name: "partial",
        run: limits::check_partial,
    },
    SoakCheck {
        name: "distances",
        run: distances::check,
    },
    SoakCheck {
        name: "batches",
        run: batches::check,
    },
    SoakCheck {
        name: "published",
        run: published::check,
    },
    SoakCheck {
        name: "exact",
        run: exact::check,
    },
    SoakCheck {
        name: "taut",
        run: taut::check,
    },
    SoakCheck {
        name: "taut limits",
        run: taut::check_limits,
    },
    SoakCheck {
        name: "lengths",
        run: lengths::check,
    },
    SoakCheck {
        name: "live",
        run: live::check,
    },
    SoakCheck {
        name: "obstacles",
        run: obstacles::check,
    },
    SoakCheck {
        name: "terrain",
        run: terrain::check,
    },
];

/// Asserts that the corridor is valid and leads from the start's polygon to the goal's.
fn assert_connects(case: &SoakCase, engine: Engine, ends: &Endpoints, path: &Path) {
    assert_corridor(case.world.mesh(), &case.profile, path);
    let polygons = &path.corridor.polygons;
    let connected = [polygons.first(), polygons.last()];
    let expected = [Some(&ends.start.polygon), Some(&ends.goal.polygon)];
    assert_eq!(
        connected, expected,
        "{engine}: the corridor connects other polygons"
    );
}
