//! PCCP as published (Rahmani and Pelechano 2020, MA-HNA*): connecting paths that are calculated in advance
//! from the centre of every polygon.

use rayon::prelude::*;

use super::path_table::{PathTable, TableShape};
use super::{ConnectTable, Connects, Hierarchy};
use crate::array::Array;
use crate::geometry::distance;
use crate::graph::PortalGraph;
use crate::ids::{Level, PolygonId};
use crate::navmesh::NavMesh;
use crate::profile::Prices;
use crate::sections::{SectionError, SectionReader, SectionWriter};

/// The connecting paths from and to the centres of polygons.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CentreRows {
    /// The entry where each polygon's row starts, and the number of entries at the end. A row has one entry
    /// per inter-edge of the polygon's node.
    row_starts: Array<u64>,
    /// The paths from centres to inter-edges. Each cost comes with the index, in the node's list of
    /// vertices, of the vertex by which the path leaves the polygon.
    to_edges: PathTable,
    /// The paths from inter-edges to centres. Each cost comes with the index of the vertex by which the
    /// path enters the polygon. `None` if every arc costs the same in both directions.
    from_edges: Option<PathTable>,
}

impl CentreRows {
    pub(super) fn new(
        mesh: &NavMesh,
        graph: &PortalGraph,
        prices: &Prices,
        hierarchy: &Hierarchy,
        level: Level,
        table: &ConnectTable,
    ) -> Self {
        let row_starts = row_starts(hierarchy, mesh.polygon_count(), level);
        let row = |connects, polygon: PolygonId| {
            let centre = graph
                .options()
                .cost_model
                .cost_position(mesh.centre(polygon));
            let node = hierarchy.node_of(level, polygon);
            let length = (row_starts[polygon.index() + 1] - row_starts[polygon.index()]) as usize;
            let mut best = vec![f32::INFINITY; length];
            let mut exit_indexes = vec![0; length];
            let factor = prices.factor(mesh, polygon);
            let exits = graph.exits(polygon);
            for exit in exits.filter(|_| factor < f32::INFINITY) {
                let leg = distance(centre, exit.position) * factor;
                let index = table.index_of(node, exit.step.sample());
                let known = table.costs(connects, node, index, length);
                for ((best, exit_index), cost) in best.iter_mut().zip(&mut exit_indexes).zip(known)
                {
                    if leg + cost < *best {
                        (*best, *exit_index) = (leg + cost, index as u32);
                    }
                }
            }
            (best, exit_indexes)
        };
        let rows = |connects| {
            let polygons = (0..mesh.polygon_count())
                .into_par_iter()
                .map(PolygonId::new);
            let rows = polygons.map(|polygon| row(connects, polygon));
            PathTable::join(shape(&row_starts, table), rows.collect())
        };
        Self {
            to_edges: rows(Connects::Start),
            from_edges: (!table.is_symmetric()).then(|| rows(Connects::Goal)),
            row_starts,
        }
    }

    /// Creates rows from arrays in the order of [`arrays`](Self::arrays).
    pub(super) fn from_arrays(
        hierarchy: &Hierarchy,
        polygons: usize,
        level: Level,
        table: &ConnectTable,
        arrays: &mut impl Iterator<Item = PathTable>,
    ) -> Option<Self> {
        let row_starts = row_starts(hierarchy, polygons, level);
        let shape = shape(&row_starts, table);
        let mut next = || arrays.next().filter(|paths| paths.fits(shape));
        let to_edges = next()?;
        let from_edges = match table.is_symmetric() {
            true => None,
            false => Some(next()?),
        };
        let rows = Self {
            row_starts,
            to_edges,
            from_edges,
        };
        rows.rows_fit(hierarchy, level, table, polygons)
            .then_some(rows)
    }

    /// Returns whether every index is valid in the polygon's own node. The shape of a table only limits it to the
    /// largest node.
    fn rows_fit(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        table: &ConnectTable,
        polygons: usize,
    ) -> bool {
        let row_fits = |polygon: usize, paths: &PathTable| {
            let node = hierarchy.node_of(level, PolygonId::new(polygon));
            let row = self.row_starts[polygon] as usize..self.row_starts[polygon + 1] as usize;
            paths.are_below(row, table.vertex_count(node).max(1))
        };
        self.arrays()
            .all(|paths| (0..polygons).all(|polygon| row_fits(polygon, paths)))
    }

    /// Adds the sections of the rows to a file.
    pub(super) fn write_sections(&self, file: &mut SectionWriter) {
        file.array(*b"cero", &self.row_starts);
        for paths in self.arrays() {
            paths.write_sections(file);
        }
    }

    /// Reads the sections of rows. Only the lengths of the arrays are checked: see [`check`](Self::check).
    pub(super) fn read_sections(
        file: &mut SectionReader,
        polygons: usize,
        is_symmetric: bool,
    ) -> Result<Self, SectionError> {
        let rows = Self {
            row_starts: file.array(*b"cero")?,
            to_edges: PathTable::read_sections(file)?,
            from_edges: match is_symmetric {
                true => None,
                false => Some(PathTable::read_sections(file)?),
            },
        };
        SectionError::unless(
            rows.row_starts.len() == polygons + 1,
            "its rows for centres do not fit its navmesh",
        )?;
        Ok(rows)
    }

    /// Returns whether queries can follow all paths.
    pub(super) fn check(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        table: &ConnectTable,
        polygons: usize,
    ) -> bool {
        let graph = hierarchy.level(level);
        let has_row = |polygon: usize| {
            let node = hierarchy.node_of(level, PolygonId::new(polygon));
            let length = graph.of_node(node).len() as u64;
            self.row_starts[polygon].checked_add(length) == Some(self.row_starts[polygon + 1])
        };
        self.row_starts[0] == 0
            && (0..polygons).all(has_row)
            && self
                .arrays()
                .all(|paths| paths.fits(shape(&self.row_starts, table)))
            && self.rows_fit(hierarchy, level, table, polygons)
    }

    /// Returns the entry where each polygon's row starts, and the number of entries at the end.
    pub(super) fn starts(&self) -> &[u64] {
        &self.row_starts
    }

    /// Returns all arrays in a fixed order.
    pub(super) fn arrays(&self) -> impl Iterator<Item = &PathTable> {
        [&self.to_edges].into_iter().chain(&self.from_edges)
    }

    /// Returns the costs between the centre of a polygon and the inter-edges of its node, and the index of
    /// the vertex by which each path leaves or enters the polygon.
    pub(crate) fn row(
        &self,
        connects: Connects,
        polygon: PolygonId,
    ) -> (&[f32], impl Iterator<Item = usize>) {
        let paths = match (connects, &self.from_edges) {
            (Connects::Goal, Some(from_edges)) => from_edges,
            _ => &self.to_edges,
        };
        let [start, end] = [0, 1].map(|next| self.row_starts[polygon.index() + next] as usize);
        let row = start..end;
        let exit_indexes = row.clone().map(|entry| paths.index(entry));
        (&paths.costs[row], exit_indexes)
    }

    pub(super) fn bytes(&self) -> usize {
        let paths: usize = self.arrays().map(PathTable::bytes).sum();
        size_of_val(&self.row_starts[..]) + paths
    }
}

/// Returns the entry where each polygon's row starts, and the number of entries at the end.
fn row_starts(hierarchy: &Hierarchy, polygons: usize, level: Level) -> Array<u64> {
    let graph = hierarchy.level(level);
    let mut row_starts = vec![0];
    for polygon in (0..polygons).map(PolygonId::new) {
        let node = hierarchy.node_of(level, polygon);
        row_starts.push(row_starts[polygon.index()] + graph.of_node(node).len() as u64);
    }
    row_starts.into()
}

fn shape(row_starts: &[u64], table: &ConnectTable) -> TableShape {
    let entries = *row_starts.last().expect("the end of the last row");
    TableShape {
        costs: entries as usize,
        indexes: entries as usize,
        end: table.max_vertices(),
    }
}
