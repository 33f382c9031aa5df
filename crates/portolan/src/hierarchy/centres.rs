//! PCCP as Rahmani and Pelechano publish it: connecting paths calculated beforehand from the centre
//! of every polygon.

use super::places::Places;
use super::{ConnectTable, Connects, Hierarchy};
use crate::geometry::distance;
use crate::graph::PortalGraph;
use crate::ids::{Level, PolygonId};
use crate::navmesh::NavMesh;
use crate::profile::Costs;

/// Connecting paths from and to the centres of polygons, as published.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Centres {
    /// Per polygon, where its row begins.
    starts: Vec<usize>,
    there: CentreRows,
    /// `None` where every arc costs the same in both directions.
    back: Option<CentreRows>,
}

#[derive(Clone, Debug, PartialEq)]
struct CentreRows {
    costs: Vec<f32>,
    /// The place, among the vertices that the node holds, of the one by which the polygon is left or
    /// entered.
    doors: Places,
}

impl Centres {
    pub(super) fn new(
        mesh: &NavMesh,
        graph: &PortalGraph,
        costs: &Costs,
        hierarchy: &Hierarchy,
        level: Level,
        table: &ConnectTable,
    ) -> Self {
        let inter_edges = |polygon| {
            let node = hierarchy.node_of(level, polygon);
            hierarchy.level(level).of_node(node).len()
        };
        let mut starts = vec![0];
        for polygon in mesh.polygons() {
            starts.push(starts[polygon.index()] + inter_edges(polygon));
        }
        let rows = |connects| {
            let mut rows = CentreRows {
                costs: vec![f32::INFINITY; starts[mesh.polygon_count()]],
                doors: Places::new(table.most_held(), starts[mesh.polygon_count()]),
            };
            let mut doors = Vec::new();
            for polygon in mesh.polygons() {
                let (node, centre) = (hierarchy.node_of(level, polygon), mesh.centre(polygon));
                let row = starts[polygon.index()]..starts[polygon.index() + 1];
                doors.clear();
                doors.resize(row.len(), 0);
                let factor = costs.factor(mesh, polygon);
                let exits = graph.exits(polygon).iter();
                for exit in exits.filter(|_| factor < f32::INFINITY) {
                    let leg = distance(centre, exit.position) * factor;
                    let place = table.place(node, exit.step.sample());
                    let known = table.costs(connects, node, place, row.len());
                    let best = rows.costs[row.clone()].iter_mut().zip(&mut doors);
                    for ((best, door), cost) in best.zip(known) {
                        if leg + cost < *best {
                            (*best, *door) = (leg + cost, place as u32);
                        }
                    }
                }
                rows.doors.extend(&doors);
            }
            rows
        };
        Self {
            there: rows(Connects::Start),
            back: (!table.is_symmetric()).then(|| rows(Connects::Goal)),
            starts,
        }
    }

    /// Costs between the centre of a polygon and the inter-edges of its node, and the places of the
    /// doors.
    pub(crate) fn row(
        &self,
        connects: Connects,
        polygon: PolygonId,
    ) -> (&[f32], impl Iterator<Item = usize>) {
        let rows = match (connects, &self.back) {
            (Connects::Goal, Some(back)) => back,
            _ => &self.there,
        };
        let row = self.starts[polygon.index()]..self.starts[polygon.index() + 1];
        let doors = row.clone().map(|entry| rows.doors.get(entry));
        (&rows.costs[row], doors)
    }

    pub(super) fn bytes(&self) -> usize {
        let rows = [Some(&self.there), self.back.as_ref()];
        let bytes = |rows: &CentreRows| size_of_val(&rows.costs[..]) + rows.doors.bytes();
        size_of_val(&self.starts[..]) + rows.into_iter().flatten().map(bytes).sum::<usize>()
    }
}
