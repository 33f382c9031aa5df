//! The graph of a mesh with obstacles: other vertices and lists of vertices for polygons that are cut.

use std::sync::Arc;

use super::{DirectedSample, NO_PORTAL, PolygonExit, PortalGraph, Sample};
use crate::geometry::lerp;
use crate::ids::{PolygonId, PortalId, SampleId};
use crate::navmesh::{CUT_SAMPLES, Cuts, NavMesh};
use crate::paged::Paged;

/// What differs from the graph of the mesh as it was built. Vertices on portals of pieces have numbers above those of the
/// graph.
#[derive(Clone, Debug)]
pub(super) struct GraphCuts {
    mesh: Arc<Cuts>,
    /// The number of portals of the mesh as it was built.
    portals: u32,
    /// The exits of pieces, and of polygons next to polygons that are cut.
    exits: Paged<Option<Arc<[PolygonExit]>>>,
    /// The ends of links that lie in pieces: vertex and piece, by vertex.
    link_ends: Vec<(u32, PolygonId)>,
}

impl GraphCuts {
    /// Returns the exits of a polygon if they are not those of the mesh as it was built.
    #[inline]
    pub(super) fn exits_of(&self, polygon: PolygonId) -> Option<&[PolygonExit]> {
        self.exits.at(polygon.index()).as_deref()
    }
}

/// Two graphs with obstacles are equal if their obstacles are.
impl PartialEq for GraphCuts {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.mesh, &other.mesh)
    }
}

impl PortalGraph {
    /// Returns this graph for a mesh whose obstacles have changed. `relisted` are the polygons whose portals are others than
    /// before.
    pub(crate) fn with_cuts(&self, mesh: &NavMesh, relisted: &[PolygonId]) -> Self {
        let mut graph = self.clone();
        let Some(of_mesh) = mesh.cuts() else {
            graph.cuts = None;
            return graph;
        };
        let exits = match &self.cuts {
            Some(cuts) => cuts.exits.clone(),
            None => Paged::new(None),
        };
        let ends = (0..).zip(mesh.links()).flat_map(|(id, link)| {
            let polygons = link.polygons.into_iter().enumerate();
            polygons.map(move |(end, polygon)| (self.first_link_end + 2 * id + end as u32, polygon))
        });
        let mut cuts = GraphCuts {
            mesh: Arc::clone(of_mesh),
            portals: mesh.portals().len() as u32,
            exits,
            link_ends: ends
                .filter(|(_, polygon)| mesh.whole(*polygon) != *polygon)
                .collect(),
        };
        graph.cuts = Some(Arc::new(cuts.clone()));
        for &polygon in relisted {
            let list = (!mesh.has_original_portals(polygon)).then(|| graph.exits_of(mesh, polygon));
            cuts.exits.set(polygon.index(), list);
        }
        graph.cuts = Some(Arc::new(cuts));
        graph
    }

    /// Collects the exits of a polygon or a piece.
    fn exits_of(&self, mesh: &NavMesh, polygon: PolygonId) -> Arc<[PolygonExit]> {
        let portals = mesh.portals_of(polygon).iter();
        let on_portals = portals.flat_map(|&portal| self.samples_of_any_portal(portal));
        let whole = mesh.whole(polygon);
        let link_ends = self.samples_of(whole).map(|sample| sample.0);
        let link_ends = link_ends.filter(|&sample| {
            let is_link_end = (self.first_link_end..self.samples.len() as u32).contains(&sample);
            is_link_end && self.sample(SampleId(sample)).sides[0] == polygon
        });
        let exit = |sample: u32| {
            let id = SampleId(sample);
            let Sample {
                position, sides, ..
            } = self.sample(id);
            let near = usize::from(sides[0] != polygon);
            PolygonExit {
                position,
                step: DirectedSample::new(id, 1 - near),
            }
        };
        on_portals.chain(link_ends).map(exit).collect()
    }

    /// Returns the vertices of a portal, which may be one of a piece.
    fn samples_of_any_portal(&self, portal: PortalId) -> std::ops::Range<u32> {
        match &self.cuts {
            Some(cuts) if portal.0 >= cuts.portals => {
                let count = CUT_SAMPLES.len() as u32;
                let first = self.samples.len() as u32 + count * (portal.0 - cuts.portals);
                first..first + count
            }
            _ => self.samples_of_portal(portal),
        }
    }

    /// Returns a vertex of a graph with obstacles.
    #[inline(never)]
    pub(super) fn sample_of_cuts(&self, cuts: &GraphCuts, id: SampleId) -> Sample {
        let Some(mut sample) = self.samples.get(id.index()).copied() else {
            let number = id.index() - self.samples.len();
            let (number, place) = (number / CUT_SAMPLES.len(), number % CUT_SAMPLES.len());
            let portal = cuts.mesh.overlay_portal(number);
            let portal = portal.expect("a vertex of this version of the graph");
            let position = lerp(portal.right, portal.left, CUT_SAMPLES[place]);
            return Sample {
                position: self.cost_model.cost_position(position),
                sides: portal.polygons,
                portal: PortalId(cuts.portals + number as u32),
            };
        };
        if sample.portal == NO_PORTAL
            && let Ok(at) = cuts.link_ends.binary_search_by_key(&id.0, |&(end, _)| end)
        {
            sample.sides[0] = cuts.link_ends[at].1;
        }
        sample
    }

    /// Returns the number of vertices with those on portals of pieces, some of which may not exist.
    pub(super) fn slots_of_cuts(&self, cuts: &GraphCuts) -> usize {
        self.samples.len() + CUT_SAMPLES.len() * cuts.mesh.overlay_portal_slots()
    }
}
