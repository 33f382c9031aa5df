//! The integration tests of the core, in one binary so that they link once.
#![allow(
    clippy::disallowed_methods,
    reason = "tests compare within a tolerance"
)]

mod agents;
mod anytime;
mod around_obstacles;
mod batch;
mod contraction;
mod determinism;
mod exact;
mod exact_answers;
mod exact_cases;
mod exact_corridor_cases;
mod flips;
mod follow;
mod heights;
mod heuristic;
mod hierarchy;
mod labels;
mod live;
mod live_exact;
mod live_links;
mod live_repair;
mod live_threads;
mod location;
mod many;
mod many_field;
mod misuse;
mod obstacles;
mod optimum;
mod oracle;
mod order;
mod pending;
mod plan_costs;
mod probe;
mod queries;
mod replace;
mod stops;
mod straight;
mod taut;
mod taut_costs;
mod tiers;
mod validation;
mod walk;
