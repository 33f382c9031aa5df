//! The graph of the mesh without obstacles, with the costs that obstacles lead to: what an index over that graph needs.

use glam::Vec3;

use super::{NO_POLYGON, NO_PORTAL, PortalGraph};
use crate::geometry::distance;
use crate::ids::{LinkId, PolygonId, SampleId};
use crate::navmesh::{CutCosts, MovedSample, NavMesh};
use crate::profile::Prices;

/// A vertex of the graph as it was before all obstacles, seen from one polygon: its position now, and the piece of the
/// polygon that it borders on.
pub(crate) type VertexPlace = (SampleId, Option<(Vec3, PolygonId)>);

/// Buffers for places of vertices.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlaceBuffers {
    moved: Vec<Option<MovedSample>>,
    pub(crate) places: Vec<VertexPlace>,
}

/// Returns the cost of a length; infinite if one of the two is, also if the other is 0.
fn cost_of(length: f32, factor: f32) -> f32 {
    match length.max(factor) < f32::INFINITY {
        true => length * factor,
        false => f32::INFINITY,
    }
}

impl PortalGraph {
    /// Sets `buffers.places` to the vertices of a polygon, which is not a piece. A vertex without a place is closed.
    pub(crate) fn place_vertices(
        &self,
        mesh: &NavMesh,
        polygon: PolygonId,
        PlaceBuffers { moved, places }: &mut PlaceBuffers,
    ) {
        places.clear();
        let mut rest = self.original_exits(polygon);
        while let Some(exit) = rest.clone().next() {
            let vertex = exit.step.sample();
            let sample = self.samples[vertex.index()];
            if sample.portal == NO_PORTAL {
                let piece = mesh.piece_at(polygon, sample.position);
                places.push((vertex, piece.map(|piece| (sample.position, piece))));
                rest.next();
                continue;
            }
            let of_portal = rest.clone().take_while(|exit| {
                self.samples[exit.step.sample().index()].portal == sample.portal
            });
            let count = of_portal.clone().count();
            match mesh.cut_portal(sample.portal) {
                None => places.extend(
                    of_portal.map(|exit| (exit.step.sample(), Some((exit.position, polygon)))),
                ),
                Some(cut) => {
                    mesh.move_samples(cut, of_portal.clone().map(|exit| exit.position), moved);
                    let side = usize::from(sample.sides[0] != polygon);
                    places.extend(of_portal.zip(&*moved).map(|(exit, moved)| {
                        let place = moved.as_ref().map(|moved| {
                            (
                                self.cost_model.cost_position(moved.position),
                                moved.sides[side],
                            )
                        });
                        (exit.step.sample(), place)
                    }));
                }
            }
            rest.by_ref().take(count).for_each(drop);
        }
    }

    /// Returns whether the samples of every portal connect all that the open parts of the portal connect.
    pub(crate) fn knows_all_parts(&self, mesh: &NavMesh) -> bool {
        let mut moved = Vec::new();
        mesh.cut_portals().all(|(portal, cut)| {
            let samples = self.samples_of_portal(portal);
            let positions = samples.map(|sample| self.samples[sample as usize].position);
            mesh.move_samples(cut, positions, &mut moved)
        })
    }

    /// Calls `visit` with all pairs of vertices of a polygon, which is not a piece, and their costs in both directions, as
    /// [`pair_costs`](Self::pair_costs) does on a mesh without obstacles.
    pub(crate) fn for_each_crossing(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
        polygon: PolygonId,
        buffers: &mut PlaceBuffers,
        mut visit: impl FnMut([SampleId; 2], [f32; 2]),
    ) {
        let exits = self.original_exits(polygon);
        let is_cut = |exit: super::PolygonExit| {
            let portal = self.samples[exit.step.sample().index()].portal;
            portal != NO_PORTAL && mesh.cut_portal(portal).is_some()
        };
        if mesh.cut(polygon).is_none() && !exits.clone().any(is_cut) {
            for (i, a) in exits.clone().enumerate() {
                for b in exits.clone().take(i) {
                    let pair = [a, b].map(|exit| exit.step.sample());
                    visit(pair, self.pair_costs(mesh, prices, pair));
                }
            }
            return;
        }
        self.place_vertices(mesh, polygon, buffers);
        let places = std::mem::take(&mut buffers.places);
        let factor = prices.factor(mesh, polygon);
        let mut lengths = self.crossing_lengths(mesh, polygon);
        for (i, &(a, from)) in places.iter().enumerate() {
            if let (Some(lengths), Some((point, piece))) = (&mut lengths, from) {
                lengths.set_start(piece, point);
            }
            for &(b, to) in &places[..i] {
                let length = from.zip(to).map(|((from, _), (to, piece))| match &lengths {
                    None => distance(from, to),
                    Some(lengths) => lengths.length_to(piece, to),
                });
                let mut cost = length.map_or(f32::INFINITY, |length| cost_of(length, factor));
                // Samples of one portal, or of two portals between the same polygons.
                let [of_a, of_b] = [a, b].map(|vertex| self.samples[vertex.index()].sides);
                let shared = of_a
                    .into_iter()
                    .find(|&side| side != polygon && side != NO_POLYGON && of_b.contains(&side));
                if let Some(other) = shared {
                    cost = cost.min(self.crossing(mesh, prices, other, [a, b], buffers));
                }
                visit([a, b], self.with_link_costs(mesh, prices, [a, b], cost));
            }
        }
        buffers.places = places;
    }

    /// Returns the costs between the two ends of a link in both directions.
    pub(crate) fn link_pair_costs(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
        link: LinkId,
        buffers: &mut PlaceBuffers,
    ) -> ([SampleId; 2], [f32; 2]) {
        // In the order in which the polygon of both ends has them, so that the costs are the same bit by bit.
        let pair = [1, 0].map(|end| self.link_end(link, end));
        if !mesh.has_obstacles() {
            return (pair, self.pair_costs(mesh, prices, pair));
        }
        let [of_a, of_b] = pair.map(|end| self.samples[end.index()].sides[0]);
        let cost = match of_a == of_b {
            true => self.crossing(mesh, prices, of_a, pair, buffers),
            false => f32::INFINITY,
        };
        (pair, self.with_link_costs(mesh, prices, pair, cost))
    }

    /// Returns the lengths of ways through a polygon if it is cut.
    fn crossing_lengths<'a>(&self, mesh: &'a NavMesh, polygon: PolygonId) -> Option<CutCosts<'a>> {
        let cut = mesh.cut(polygon)?;
        Some(CutCosts::new(cut, |point| {
            self.cost_model.cost_position(point)
        }))
    }

    /// Returns the cost between two vertices through one polygon that they share.
    fn crossing(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
        polygon: PolygonId,
        pair: [SampleId; 2],
        buffers: &mut PlaceBuffers,
    ) -> f32 {
        let factor = prices.factor(mesh, polygon);
        if factor == f32::INFINITY {
            return f32::INFINITY;
        }
        self.place_vertices(mesh, polygon, buffers);
        let place = |vertex| {
            let found = buffers.places.iter().find(|(id, _)| *id == vertex);
            found.and_then(|(_, place)| *place)
        };
        let [Some((from, piece)), Some((to, other))] = pair.map(place) else {
            return f32::INFINITY;
        };
        let length = match self.crossing_lengths(mesh, polygon) {
            None => distance(from, to),
            Some(mut lengths) => {
                lengths.set_start(piece, from);
                lengths.length_to(other, to)
            }
        };
        cost_of(length, factor)
    }

    /// Calls `visit` with the vertices of the polygon that a location lies in or in a piece of, and the length of the way
    /// between each of them and the location inside that polygon.
    pub(crate) fn for_each_leg(
        &self,
        mesh: &NavMesh,
        (point, polygon): (Vec3, PolygonId),
        buffers: &mut PlaceBuffers,
        mut visit: impl FnMut(SampleId, f32),
    ) {
        let whole = mesh.whole(polygon);
        self.place_vertices(mesh, whole, buffers);
        let mut lengths = self.crossing_lengths(mesh, whole);
        if let Some(lengths) = &mut lengths {
            lengths.set_start(polygon, point);
        }
        for &(vertex, place) in &buffers.places {
            let Some((position, piece)) = place else {
                continue;
            };
            let length = match &lengths {
                None => distance(point, position),
                Some(lengths) => lengths.length_to(piece, position),
            };
            if length < f32::INFINITY {
                visit(vertex, length);
            }
        }
    }
}
