//! The exact tier of an index: its size and its method, and whether the default engine uses it.

use portolan_core::{BuildTimes, Engine, ExactMethod, Stage, World};
use serde::Serialize;

use crate::terminal::say;

/// The exact tier of an index.
#[derive(Serialize)]
pub(super) struct ExactFigures {
    /// Whether `auto` finds exact paths.
    auto: bool,
    /// How queries search: `labels` or `lazy`.
    method: &'static str,
    /// The number of convex corners of obstacles, and of the ends of links.
    corners: usize,
    /// The number of tangents between corners.
    edges: usize,
    /// The number of entries of all hub labels; 0 if queries search lazily.
    label_entries: usize,
    /// The size in memory.
    bytes: usize,
    /// The build time. `None` if the index does not store it.
    build_ms: Option<f64>,
}

/// Returns the figures of the exact tier, if there is one.
pub(super) fn exact_figures(world: &World, times: Option<&BuildTimes>) -> Option<ExactFigures> {
    let (size, method) = world.exact_size().zip(world.exact_method())?;
    Some(ExactFigures {
        auto: world.auto_is_exact(),
        method: method.name(),
        corners: size.nodes,
        edges: size.edges,
        label_entries: size.label_entries,
        bytes: size.bytes,
        build_ms: times.map(|times| times.of(Stage::ExactTier)),
    })
}

/// Returns the size of the exact tier on the heap, or 0 if there is none. [Units: bytes]
pub(super) fn exact_bytes(world: &World) -> usize {
    world.exact_size().map_or(0, |size| size.bytes)
}

/// Prints a line about the exact tier, if there is one, and a line about what `auto` is.
pub(super) fn print_exact(world: &World, times: Option<&BuildTimes>) {
    if let Some(figures) = exact_figures(world, times) {
        let build_time = figures
            .build_ms
            .map(|ms| format!(", built in {ms:.0} ms"))
            .unwrap_or_default();
        say!(
            "tier exact: method {}, {} corners, {} tangents, {} label entries, {} bytes ({:.0} per polygon){build_time}",
            figures.method,
            figures.corners,
            figures.edges,
            figures.label_entries,
            figures.bytes,
            figures.bytes as f64 / world.mesh().polygon_count() as f64,
        );
    }
    say!(
        "{}",
        auto_line(world, world.resolve_engine(Engine::default()))
    );
}

/// Describes in one line what `auto` is. `resolved` is the engine that answers for it.
pub(super) fn auto_line(world: &World, resolved: Engine) -> String {
    let how = match resolved {
        Engine::Auto(tier) if world.tier(tier).is_some() => {
            format!("the contraction at the tier {tier}")
        }
        Engine::Auto(_) => match world.exact_method() {
            Some(ExactMethod::Labels) => {
                "exact: the shortest paths in plan, by hub labels of corners".to_owned()
            }
            _ => "exact: the shortest paths in plan, by a lazy search over corners".to_owned(),
        },
        Engine::Contraction(tier) => format!("the contraction at the tier {tier}"),
        engine => engine.to_string(),
    };
    format!("auto is {how}")
}
