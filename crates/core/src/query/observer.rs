//! Watching a search.
//!
//! Every search takes an observer and tells it what it looks at. A search that nobody watches has the
//! observer `()`: its events compile to nothing, so watching costs only those who watch.

use crate::ids::{Level, SampleId, Terminal};

/// What a search looks at, in the order in which it does. Vertices are those of the graph of the tier
/// that is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A search over the vertices of the graph begins: A*, Dijkstra, `closest`.
    Mesh,
    /// A search over the inter-edges of a level begins.
    Level(Level),
    /// A search over a contraction begins. It begins once more where the first guess of the cost was too
    /// low; what was seen before still was looked at.
    Chains,
    /// A vertex is settled: its cost is final.
    Settled(SampleId),
    /// HNA* connects the start or the goal to the inter-edge at this vertex.
    Connected(Terminal, SampleId),
    /// HNA* looks at the intra-edge between the inter-edges at these vertices.
    IntraEdge([SampleId; 2]),
    /// The contraction climbs from the start or the goal to this vertex.
    Climbed(Terminal, SampleId),
    /// The path over the contraction is highest at this vertex.
    Meeting(SampleId),
    /// Hub labels look at this hub of the start or the goal.
    Hub(Terminal, SampleId),
}

/// Watches a search. The closure `|event| ...` is an observer, and so is `()`, which watches nothing.
pub trait Observer {
    /// Whether events are wanted at all. Searches ask before work that only an observer needs.
    const WATCHES: bool;

    /// Called for each event, in order.
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
