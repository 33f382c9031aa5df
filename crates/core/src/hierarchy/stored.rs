//! A hierarchy and its metric in an index file, in the layout that queries read.

use rayon::prelude::*;

use super::centres::CentreRows;
use super::metric::IntraEdges;
use super::path_table::PathTable;
use super::{ConnectTable, Hierarchy, InterEdge, InterEdgeSide, LevelGraph, Metric, TableOptions};
use crate::graph::DirectedSample;
use crate::ids::{Level, NodeId, SampleId};
use crate::partition::Partition;
use crate::sections::{SectionError, SectionReader, SectionWriter};

impl Hierarchy {
    /// Adds the sections of the hierarchy to a file.
    pub(crate) fn write_sections(&self, file: &mut SectionWriter) {
        for level in self.partition.levels() {
            file.array(*b"node", self.partition.stored_nodes(level));
            file.small(*b"ncnt", &[self.partition.node_count(level) as u64]);
        }
        for level in &self.levels {
            level.write_sections(file);
        }
    }

    /// Reads the sections of a hierarchy with `levels` levels over `cells` cells and `vertices` vertices. Only the
    /// lengths of the arrays are checked: see [`check`](Self::check).
    pub(crate) fn read_sections(
        file: &mut SectionReader,
        levels: usize,
        cells: usize,
        vertices: usize,
    ) -> Result<Self, SectionError> {
        let mut nodes = Vec::new();
        for _ in 0..levels {
            let of = file.array(*b"node")?;
            let [count] = file.small::<u64, 1>(*b"ncnt")?;
            nodes.push((of, usize::try_from(count).unwrap_or(usize::MAX)));
        }
        let partition = Partition::from_stored(cells, nodes);
        let partition =
            partition.ok_or_else(|| SectionError("its partition is invalid".to_owned()))?;
        let mut graphs = vec![LevelGraph::read_sections(file, cells)?];
        for level in partition.levels() {
            graphs.push(LevelGraph::read_sections(
                file,
                partition.node_count(level),
            )?);
        }
        SectionError::unless(
            graphs[0].inter_edges().len() == vertices,
            "its hierarchy does not fit its graph",
        )?;
        Ok(Self {
            partition,
            levels: graphs,
        })
    }

    /// Returns whether all invariants hold. `cells` are the two cells of each vertex.
    pub(crate) fn check(&self, cells: impl Fn(usize) -> [u32; 2] + Sync) -> bool {
        let ground = &self.levels[0];
        let is_ground_edge = |(edge, number): (&InterEdge, u32)| {
            edge.vertex.0 == number
                && edge.below == number
                && edge.sides.map(|side| side.node.0) == cells(number as usize)
                && edge.sides.iter().all(|side| side.inner == 0)
        };
        let edges = ground
            .inter_edges()
            .par_iter()
            .zip(0..ground.inter_edges().len() as u32);
        self.partition.check()
            && ground.check()
            && ground.inner_lists().values().is_empty()
            && edges.all(is_ground_edge)
            && self.partition.levels().all(|level| {
                let graph = self.level(level);
                graph.check() && self.check_above(level, graph)
            })
    }

    /// Returns whether a level above the ground fits the level below it and the partition.
    fn check_above(&self, level: Level, graph: &LevelGraph) -> bool {
        let below = self.level(Level(level.0 - 1));
        let ground = self.level(Level(0));
        let node_of = |edge: &InterEdge, side: usize| {
            let cell = ground.inter_edge(edge.vertex.0).sides[side].node;
            self.partition.node_of(level, cell.index())
        };
        let is_edge = |edge: &InterEdge| {
            let lower = below.inter_edges().get(edge.below as usize);
            lower.is_some_and(|lower| {
                lower.vertex == edge.vertex
                    && (0..2).all(|side| {
                        let InterEdgeSide { node, inner, .. } = edge.sides[side];
                        node == node_of(lower, side)
                            && graph.inner(node).get(inner as usize) == Some(&edge.below)
                    })
            })
        };
        let edges = graph.inter_edges();
        let ascends = edges.is_sorted_by(|a, b| a.below < b.below);
        // All lists together have an entry per node of a lower inter-edge, so they are complete if none is repeated.
        let is_inner = |(node, list): (usize, &[u32])| {
            let is_inside = |&number: &u32| {
                let lower = below.inter_edges().get(number as usize);
                lower.is_some_and(|lower| (0..2).any(|side| node_of(lower, side).index() == node))
            };
            list.is_sorted_by(|a, b| a < b) && list.iter().all(is_inside)
        };
        let nodes = below.inter_edges().iter().map(|lower| {
            let [a, b] = [0, 1].map(|side| node_of(lower, side));
            if a == b { 1 } else { 2 }
        });
        ascends
            && graph.inner_lists().values().len() == nodes.sum::<usize>()
            && graph.inner_lists().iter().enumerate().all(is_inner)
            && edges.par_iter().all(is_edge)
    }
}

impl LevelGraph {
    /// Returns whether the invariants hold that concern this level alone.
    fn check(&self) -> bool {
        let nodes = self.node_count();
        let is_edge = |(edge, number): (&InterEdge, u32)| {
            let [a, b] = edge.sides;
            a.node != b.node
                && [a, b].iter().zip([1, 0]).all(|(side, far_side)| {
                    let step = DirectedSample::new(SampleId(number), far_side);
                    let is_node = side.node.index() < nodes;
                    is_node && self.of_node(side.node).get(side.index as usize) == Some(&step)
                })
        };
        let edges = self.inter_edges();
        self.lists_are_valid()
            && (0..nodes)
                .map(NodeId::new)
                .all(|node| self.rows_are_valid(node))
            && edges.par_iter().zip(0..edges.len() as u32).all(is_edge)
    }
}

impl Metric {
    /// Adds the sections of the metric to a file.
    pub(crate) fn write_sections(&self, file: &mut SectionWriter) {
        for level in &self.levels {
            level.0.write_sections(file);
        }
        for table in &self.tables {
            table.write_sections(file);
        }
    }

    /// Reads the sections of the metric of a hierarchy. Only the lengths of the arrays are checked: see
    /// [`check`](Self::check).
    pub(crate) fn read_sections(
        file: &mut SectionReader,
        hierarchy: &Hierarchy,
        polygons: usize,
        options: &TableOptions,
        is_symmetric: bool,
    ) -> Result<Self, SectionError> {
        let mut levels = Vec::new();
        for level in hierarchy.partition.levels() {
            let paths = PathTable::read_sections(file)?;
            let graph = hierarchy.level(level);
            SectionError::unless(
                paths.has_lengths(graph.intra_edge_count(), graph.tree_entries()),
                "its intra-edges do not fit its hierarchy",
            )?;
            levels.push(IntraEdges(paths));
        }
        let mut tables = Vec::new();
        for level in options.levels(hierarchy) {
            let nodes = hierarchy.level(level).node_count();
            let mut table = ConnectTable::read_sections(file, nodes, is_symmetric)?;
            if options.centres {
                table =
                    table.with_centres(CentreRows::read_sections(file, polygons, is_symmetric)?);
            }
            tables.push(table);
        }
        Ok(Self {
            levels,
            tables,
            changes: None,
        })
    }

    /// Returns whether queries can follow all paths. The costs and paths may be wrong.
    pub(crate) fn check(&self, hierarchy: &Hierarchy, polygons: usize) -> bool {
        let levels = || hierarchy.partition.levels();
        let intra_edges = levels().zip(&self.levels);
        let mut intra_edges =
            intra_edges.map(|(level, edges)| (IntraEdges::shape(hierarchy.level(level)), &edges.0));
        let tables: Vec<_> = levels().zip(&self.tables).collect();
        intra_edges.all(|(shape, paths)| paths.fits(shape))
            && tables
                .par_iter()
                .all(|&(level, table)| table.check(hierarchy, level, polygons))
    }
}

impl PathTable {
    pub(super) fn write_sections(&self, file: &mut SectionWriter) {
        let (costs, narrow, wide) = self.stored();
        file.array(*b"cost", &costs);
        file.array(*b"step", &narrow);
        file.array(*b"wide", &wide);
    }

    pub(super) fn read_sections(file: &mut SectionReader) -> Result<Self, SectionError> {
        Ok(Self::from_arrays(
            file.array(*b"cost")?,
            file.array(*b"step")?,
            file.array(*b"wide")?,
        ))
    }
}
