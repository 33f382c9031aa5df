//! Statistics about the quality of a partition.

use super::Partition;
use crate::ids::{Level, PolygonId};
use crate::navmesh::NavMesh;

/// The contents of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeStatistics {
    /// The number of polygons.
    pub polygons: usize,
    /// The number of portals between this node and others.
    pub inter_edges: usize,
    /// The number of links between this node and others, in either direction.
    pub links_out: usize,
    /// The number of links between two of its polygons.
    pub links_inside: usize,
}

/// The statistics of the nodes of one level.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LevelStatistics {
    /// The level.
    pub level: Level,
    /// The number of nodes.
    pub nodes: usize,
    /// The number of polygons per node.
    pub polygons: MinMeanMax,
    /// The number of inter-edges per node: portals between a node and others.
    pub inter_edges: MinMeanMax,
    /// The number of portals between different nodes.
    pub edge_cut: usize,
    /// The number of links between different nodes.
    pub links_between: usize,
    /// The number of nodes without portals or links to other nodes: islands.
    pub without_edges: usize,
    /// The maximum number of portals of a polygon: s in the published bound.
    pub max_portals: usize,
    /// The maximum of the [bounds](NodeStatistics::bound) of all nodes.
    pub bound: i64,
}

/// The minimum, the mean and the maximum of some numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MinMeanMax {
    /// The minimum.
    pub min: usize,
    /// The mean.
    pub mean: f64,
    /// The maximum.
    pub max: usize,
}

impl NodeStatistics {
    /// Returns the maximum number of inter-edges that a node with this many polygons can have if no polygon
    /// has more than `max_portals` portals: n (s - 2) + 2, plus 2 for each link inside.
    ///
    /// Proof: the n polygons of a node have at most n s portals, where portals inside count twice. The node
    /// is connected by portals and links. Without its l links it consists of at most 1 + l components, so
    /// at least n - 1 - l portals are inside. That leaves at most n s - 2 (n - 1 - l) inter-edges.
    pub fn bound(&self, max_portals: usize) -> i64 {
        self.polygons as i64 * (max_portals as i64 - 2) + 2 + 2 * self.links_inside as i64
    }
}

impl LevelStatistics {
    /// Returns the size of the largest node divided by the mean size. 1 is perfectly balanced. Islands,
    /// which cannot be merged with anything, lower the mean.
    pub fn balance(&self) -> f64 {
        self.polygons.max as f64 / self.polygons.mean
    }

    /// Returns the published bound on the inter-edges of a node (Pelechano and Fuentes 2016), which is
    /// mu^x (s - 2) + 2 at level x. It assumes nodes of exactly mu^x polygons, which actual nodes exceed.
    /// [`bound`](Self::bound) holds for actual nodes.
    pub fn published_bound(&self, merge_factor: u32) -> f64 {
        let factors = (0..self.level.0).map(|_| f64::from(merge_factor));
        let polygons: f64 = factors.product();
        polygons * (self.max_portals as f64 - 2.0) + 2.0
    }
}

impl MinMeanMax {
    fn of(numbers: impl Iterator<Item = usize> + Clone) -> Self {
        let (count, sum) = numbers
            .clone()
            .fold((0, 0), |(count, sum), number| (count + 1, sum + number));
        Self {
            min: numbers.clone().min().unwrap_or(0),
            mean: if count == 0 {
                0.0
            } else {
                sum as f64 / f64::from(count)
            },
            max: numbers.max().unwrap_or(0),
        }
    }
}

impl Partition {
    /// Returns the contents of each node of a level. At level 0, each node is a polygon.
    ///
    /// # Panics
    /// Panics if the level does not exist, or if the partition has a different number of cells than the
    /// mesh has polygons.
    pub fn node_statistics(&self, mesh: &NavMesh, level: Level) -> Vec<NodeStatistics> {
        assert!(
            self.cell_count() == mesh.polygon_count(),
            "the partition has {} cells, and the mesh has {} polygons",
            self.cell_count(),
            mesh.polygon_count()
        );
        let mut nodes = vec![NodeStatistics::default(); self.node_count(level)];
        let node_of = |polygon: PolygonId| self.node_of(level, polygon.index());
        for polygon in mesh.polygons() {
            nodes[node_of(polygon).index()].polygons += 1;
        }
        for portal in mesh.portals() {
            let [a, b] = portal.polygons.map(node_of);
            if a != b {
                nodes[a.index()].inter_edges += 1;
                nodes[b.index()].inter_edges += 1;
            }
        }
        for link in mesh.links() {
            let [a, b] = link.polygons.map(node_of);
            if a != b {
                nodes[a.index()].links_out += 1;
                nodes[b.index()].links_out += 1;
            } else if link.polygons[0] != link.polygons[1] {
                nodes[a.index()].links_inside += 1;
            }
        }
        nodes
    }

    /// Returns the statistics of each level from level 1 on.
    ///
    /// # Panics
    /// Panics if the partition has a different number of cells than the mesh has polygons.
    pub fn statistics(&self, mesh: &NavMesh) -> Vec<LevelStatistics> {
        let portals = self.node_statistics(mesh, Level(0));
        let max_portals = portals.iter().map(|polygon| polygon.inter_edges).max();
        let max_portals = max_portals.unwrap_or(0);
        let statistics = |level| {
            let nodes = self.node_statistics(mesh, level);
            let is_island = |node: &&NodeStatistics| node.inter_edges + node.links_out == 0;
            // Everything between two nodes is counted by both.
            let half_of =
                |count: fn(&NodeStatistics) -> usize| nodes.iter().map(count).sum::<usize>() / 2;
            LevelStatistics {
                level,
                nodes: nodes.len(),
                polygons: MinMeanMax::of(nodes.iter().map(|node| node.polygons)),
                inter_edges: MinMeanMax::of(nodes.iter().map(|node| node.inter_edges)),
                edge_cut: half_of(|node| node.inter_edges),
                links_between: half_of(|node| node.links_out),
                without_edges: nodes.iter().filter(is_island).count(),
                max_portals,
                bound: nodes
                    .iter()
                    .map(|node| node.bound(max_portals))
                    .max()
                    .unwrap_or(0),
            }
        };
        self.levels().map(statistics).collect()
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;
    use crate::ids::NodeId;
    use crate::navmesh::{NavMeshOptions, RawLink, RawNavMesh};

    /// Creates a row of squares, and one separate square that a link from the first one leads to.
    fn squares(row: u32) -> NavMesh {
        let mut raw = RawNavMesh::default();
        let offsets = (0..row).chain([row + 5]);
        for (square, x) in (0..).zip(offsets.map(|x| x as f32)) {
            let corners = [(x, 0.), (x + 1., 0.), (x + 1., 1.), (x, 1.)];
            raw.vertices.extend(corners.map(|(x, z)| vec3(x, 0., z)));
            raw.polygons.push(4 * square..4 * square + 4);
        }
        raw.links.push(RawLink {
            start: vec3(0.5, 0., 0.5),
            end: vec3(row as f32 + 5.5, 0., 0.5),
            ..RawLink::default()
        });
        NavMesh::build(raw, &NavMeshOptions::default()).expect("valid squares")
    }

    #[test]
    fn statistics_of_a_row_of_squares() {
        let mesh = squares(5);
        // The nodes are pairs of squares by user id. The last pair includes the separate square.
        let node_of = |polygon| NodeId(mesh.user_id(polygon) as u32 / 2);
        let nodes = mesh.polygons().map(node_of).collect();
        let partition = Partition::new(6, vec![nodes]).unwrap();
        let [level] = &partition.statistics(&mesh)[..] else {
            panic!("one level");
        };
        assert_eq!(
            (level.nodes, level.edge_cut, level.links_between),
            (3, 2, 1)
        );
        assert_eq!(
            level.polygons,
            MinMeanMax {
                min: 2,
                mean: 2.0,
                max: 2
            }
        );
        assert_eq!(
            level.inter_edges,
            MinMeanMax {
                min: 1,
                mean: 4.0 / 3.0,
                max: 2
            }
        );
        assert_eq!(
            (level.max_portals, level.bound, level.without_edges),
            (2, 2, 0)
        );
        assert_eq!((level.balance(), level.published_bound(2)), (1.0, 2.0));
    }

    #[test]
    fn a_link_inside_raises_the_bound() {
        let mesh = squares(3);
        let is_linked = |polygon| u32::from([0, 3].contains(&mesh.user_id(polygon)));
        let nodes = mesh.polygons().map(|p| NodeId(1 - is_linked(p))).collect();
        let partition = Partition::new(4, vec![nodes]).unwrap();
        let nodes = partition.node_statistics(&mesh, Level(1));
        let [linked, row] = &nodes[..] else {
            panic!("two nodes");
        };
        assert_eq!(
            (linked.inter_edges, linked.links_inside, linked.links_out),
            (1, 1, 0)
        );
        assert_eq!((linked.bound(2), row.bound(2)), (4, 2));
    }
}
