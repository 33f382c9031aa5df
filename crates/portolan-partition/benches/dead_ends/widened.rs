//! The corridor of the midpoint path and what lies beside it, searched again on dense samples.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use portolan::{Corridor, Ends, PolygonId, PortalGraph, SampleId};

use crate::ways::sides;

/// A set of polygons that is emptied at no cost.
pub(crate) struct Set {
    of: Vec<u32>,
    now: u32,
    members: Vec<PolygonId>,
}

impl Set {
    pub(crate) fn new(polygons: usize) -> Self {
        Self {
            of: vec![0; polygons],
            now: 1,
            members: Vec::new(),
        }
    }

    pub(crate) fn fill(&mut self, polygons: impl Iterator<Item = PolygonId>) {
        self.now += 1;
        self.members.clear();
        polygons.for_each(|polygon| self.add(polygon));
    }

    fn add(&mut self, polygon: PolygonId) {
        let of = &mut self.of[polygon.index()];
        if *of != self.now {
            *of = self.now;
            self.members.push(polygon);
        }
    }

    pub(crate) fn has(&self, polygon: PolygonId) -> bool {
        self.of[polygon.index()] == self.now
    }

    pub(crate) fn holds(&self, corridor: &Corridor) -> bool {
        corridor.polygons.iter().all(|&polygon| self.has(polygon))
    }

    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// Adds all neighbours, so many times.
    pub(crate) fn widen(&mut self, midpoints: &PortalGraph, times: usize) {
        let mut first = 0;
        for _ in 0..times {
            let end = self.members.len();
            for i in first..end {
                for sample in midpoints.samples_of(self.members[i]) {
                    for polygon in sides(midpoints, sample.0) {
                        self.add(polygon);
                    }
                }
            }
            first = end;
        }
    }
}

#[derive(Clone, Copy)]
struct Label {
    search: u32,
    cost: f32,
    before: u32,
    /// The polygon that the way leaves the vertex to.
    onward: PolygonId,
}

const NONE: u32 = u32::MAX;

/// A* within a set of polygons.
pub(crate) struct Within {
    labels: Vec<Label>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    search: u32,
    /// The way from start to goal.
    pub(crate) vertices: Vec<u32>,
}

impl Within {
    pub(crate) fn new(graph: &PortalGraph) -> Self {
        let label = Label {
            search: 0,
            cost: 0.0,
            before: NONE,
            onward: PolygonId(0),
        };
        Self {
            labels: vec![label; graph.sample_count()],
            heap: BinaryHeap::new(),
            search: 0,
            vertices: Vec::new(),
        }
    }

    /// The way within one polygon, which costs so much.
    pub(crate) fn stay(&mut self, cost: f32) -> f32 {
        self.vertices.clear();
        cost
    }

    /// The cost of the cheapest way, whose vertices it sets. The ends are in different polygons.
    pub(crate) fn search(&mut self, graph: &PortalGraph, ends: &Ends, set: &Set) -> f32 {
        self.search += 1;
        self.heap.clear();
        let mut best = (f32::INFINITY, NONE);
        self.expand(graph, ends, set, (NONE, 0.0, ends.start.polygon));
        while let Some(Reverse((key, vertex))) = self.heap.pop() {
            if f32::from_bits(key) >= best.0 {
                break;
            }
            let Label { cost, onward, .. } = self.labels[vertex as usize];
            let here = graph.position(SampleId(vertex));
            let rest = here.distance(ends.goal.point);
            // Reached at less cost since.
            if (cost + rest).to_bits() != key {
                continue;
            }
            if onward == ends.goal.polygon && cost + rest < best.0 {
                best = (cost + rest, vertex);
            }
            self.expand(graph, ends, set, (vertex, cost, onward));
        }
        self.vertices.clear();
        let mut at = best.1;
        while at != NONE {
            self.vertices.push(at);
            at = self.labels[at as usize].before;
        }
        self.vertices.reverse();
        best.0
    }

    /// Reaches the vertices of a polygon from one of them, or from the start, on their way out of it.
    fn expand(
        &mut self,
        graph: &PortalGraph,
        ends: &Ends,
        set: &Set,
        (from, cost, polygon): (u32, f32, PolygonId),
    ) {
        let here = match from {
            NONE => ends.start.point,
            from => graph.position(SampleId(from)),
        };
        for sample in graph.samples_of(polygon) {
            let [a, b] = sides(graph, sample.0);
            let onward = if a == polygon { b } else { a };
            let there = graph.position(sample);
            let cost = cost + here.distance(there);
            let label = &mut self.labels[sample.index()];
            let is_known = label.search == self.search && label.cost <= cost;
            if is_known || !set.has(onward) {
                continue;
            }
            *label = Label {
                search: self.search,
                cost,
                before: from,
                onward,
            };
            let key = cost + there.distance(ends.goal.point);
            self.heap.push(Reverse((key.to_bits(), sample.0)));
        }
    }
}
