//! Observers, which receive the events of a search.
//!
//! Every search reports what it visits to an observer. The observer `()` ignores all events, which then
//! compile to nothing, so a search without an observer has no overhead.

use glam::Vec3;

use crate::ids::{Level, SampleId, Terminal};

/// An event of a search. Vertices are those of the graph of the tier that is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A search over the vertices of the graph starts: A*, Dijkstra or `closest`.
    Mesh,
    /// A search over the inter-edges of a level starts.
    Level(Level),
    /// A search over a contraction starts. It restarts if the first estimate of the cost was too low;
    /// events before a restart still count as visits.
    Chains,
    /// A vertex is settled: its cost is final.
    Settled(SampleId),
    /// HNA* connects the start or the goal to the inter-edge at this vertex.
    Connected(Terminal, SampleId),
    /// HNA* relaxes the intra-edge between the inter-edges at these vertices.
    IntraEdge([SampleId; 2]),
    /// The climb from the start or the goal reaches this vertex of the contraction.
    Climbed(Terminal, SampleId),
    /// The path over the contraction has its highest vertex here.
    Meeting(SampleId),
    /// This vertex is a hub of the start or the goal.
    Hub(Terminal, SampleId),
    /// A search at the exact tier starts.
    Exact,
    /// The start or the goal looks through the part of a portal between these points.
    Interval(Terminal, [Vec3; 2]),
    /// The start or the goal sees this corner of an obstacle along a tangent.
    Seen(Terminal, Vec3),
    /// A search over corners follows the edges of the corner at this point.
    Corner(Terminal, Vec3),
}

/// Receives the events of a search. Any closure `|event| ...` is an observer, and so is `()`, which ignores
/// all events.
pub trait Observer {
    /// Whether events are used at all. Searches skip work that only an observer needs if this is false.
    const WATCHES: bool;

    /// Receives an event. Events arrive in the order in which they happen.
    fn observe(&mut self, event: Event);
}

impl Observer for () {
    const WATCHES: bool = false;

    #[inline(always)]
    fn observe(&mut self, _: Event) {}
}

impl<F: FnMut(Event)> Observer for F {
    const WATCHES: bool = true;

    fn observe(&mut self, event: Event) {
        self(event);
    }
}
