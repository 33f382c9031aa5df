//! PCCP as Rahmani and Pelechano publish it: connecting paths calculated beforehand from the centre
//! of every polygon.

use rayon::prelude::*;

use super::path_table::{PathTable, Shape};
use super::{ConnectTable, Connects, Hierarchy};
use crate::geometry::distance;
use crate::graph::PortalGraph;
use crate::ids::{Level, PolygonId};
use crate::navmesh::NavMesh;
use crate::profile::Prices;

/// Connecting paths from and to the centres of polygons.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Centres {
    /// Per polygon, where its row begins; an entry an inter-edge of its node.
    starts: Vec<usize>,
    /// With each cost the place, among the vertices that the node holds, of the one by which the
    /// polygon is left.
    there: PathTable,
    /// By which it is entered; `None` where every arc costs the same in both directions.
    back: Option<PathTable>,
}

impl Centres {
    pub(super) fn new(
        mesh: &NavMesh,
        graph: &PortalGraph,
        prices: &Prices,
        hierarchy: &Hierarchy,
        level: Level,
        table: &ConnectTable,
    ) -> Self {
        let starts = starts(hierarchy, mesh.polygon_count(), level);
        let row = |connects, polygon: PolygonId| {
            let centre = graph
                .options()
                .cost_model
                .cost_position(mesh.centre(polygon));
            let node = hierarchy.node_of(level, polygon);
            let length = starts[polygon.index() + 1] - starts[polygon.index()];
            let mut best = vec![f32::INFINITY; length];
            let mut doors = vec![0; length];
            let factor = prices.factor(mesh, polygon);
            let exits = graph.exits(polygon).iter();
            for exit in exits.filter(|_| factor < f32::INFINITY) {
                let leg = distance(centre, exit.position) * factor;
                let place = table.index_of(node, exit.step.sample());
                let known = table.costs(connects, node, place, length);
                for ((best, door), cost) in best.iter_mut().zip(&mut doors).zip(known) {
                    if leg + cost < *best {
                        (*best, *door) = (leg + cost, place as u32);
                    }
                }
            }
            (best, doors)
        };
        let rows = |connects| {
            let polygons = (0..mesh.polygon_count())
                .into_par_iter()
                .map(PolygonId::new);
            let rows = polygons.map(|polygon| row(connects, polygon));
            PathTable::join(shape(&starts, table), rows.collect())
        };
        Self {
            there: rows(Connects::Start),
            back: (!table.is_symmetric()).then(|| rows(Connects::Goal)),
            starts,
        }
    }

    /// Takes arrays in the order of [`arrays`](Self::arrays).
    pub(super) fn from_arrays(
        hierarchy: &Hierarchy,
        polygons: usize,
        level: Level,
        table: &ConnectTable,
        arrays: &mut impl Iterator<Item = PathTable>,
    ) -> Option<Self> {
        let starts = starts(hierarchy, polygons, level);
        let shape = shape(&starts, table);
        let mut next = || arrays.next().filter(|ways| ways.fits(shape));
        let there = next()?;
        let back = match table.is_symmetric() {
            true => None,
            false => Some(next()?),
        };
        // A door is one of the vertices of the very node: places fit the largest.
        let is_held = |polygon: usize, ways: &PathTable| {
            let node = hierarchy.node_of(level, PolygonId::new(polygon));
            let mut row = starts[polygon]..starts[polygon + 1];
            row.all(|entry| ways.place(entry) < table.held_count(node).max(1))
        };
        let ways = [Some(&there), back.as_ref()];
        let are_held = ways
            .into_iter()
            .flatten()
            .all(|ways| (0..polygons).all(|polygon| is_held(polygon, ways)));
        are_held.then_some(Self {
            starts,
            there,
            back,
        })
    }

    /// All arrays in a fixed order.
    pub(super) fn arrays(&self) -> impl Iterator<Item = &PathTable> {
        [&self.there].into_iter().chain(&self.back)
    }

    /// Costs between the centre of a polygon and the inter-edges of its node, and the places of the
    /// doors.
    pub(crate) fn row(
        &self,
        connects: Connects,
        polygon: PolygonId,
    ) -> (&[f32], impl Iterator<Item = usize>) {
        let ways = match (connects, &self.back) {
            (Connects::Goal, Some(back)) => back,
            _ => &self.there,
        };
        let row = self.starts[polygon.index()]..self.starts[polygon.index() + 1];
        let doors = row.clone().map(|entry| ways.place(entry));
        (&ways.costs[row], doors)
    }

    pub(super) fn bytes(&self) -> usize {
        let ways: usize = self.arrays().map(PathTable::bytes).sum();
        size_of_val(&self.starts[..]) + ways
    }
}

/// Where the row of each polygon begins, and the end of the last.
fn starts(hierarchy: &Hierarchy, polygons: usize, level: Level) -> Vec<usize> {
    let graph = hierarchy.level(level);
    let mut starts = vec![0];
    for polygon in (0..polygons).map(PolygonId::new) {
        let node = hierarchy.node_of(level, polygon);
        starts.push(starts[polygon.index()] + graph.of_node(node).len());
    }
    starts
}

fn shape(starts: &[usize], table: &ConnectTable) -> Shape {
    let entries = *starts.last().expect("an end");
    Shape {
        costs: entries,
        places: entries,
        end: table.max_held(),
    }
}
