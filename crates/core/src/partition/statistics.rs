//! How good a partition of a navmesh is, counted.

use super::Partition;
use crate::ids::{Level, PolygonId};
use crate::navmesh::NavMesh;

/// What one node holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeStatistics {
    /// Polygons in it.
    pub polygons: usize,
    /// Portals between it and other nodes.
    pub inter_edges: usize,
    /// Links between it and other nodes, either way.
    pub links_out: usize,
    /// Links between two of its polygons.
    pub links_inside: usize,
}

/// The nodes of one level, summed up.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LevelStatistics {
    /// The level.
    pub level: Level,
    /// Its number of nodes.
    pub nodes: usize,
    /// Polygons a node.
    pub polygons: MinMeanMax,
    /// Inter-edges a node: portals between it and others.
    pub inter_edges: MinMeanMax,
    /// Portals between different nodes.
    pub edge_cut: usize,
    /// Links between different nodes.
    pub links_between: usize,
    /// Nodes without portals or links to others: islands.
    pub without_edges: usize,
    /// The most portals that one polygon has: s in the bounds.
    pub max_portals: usize,
    /// The highest of all nodes' [bounds](NodeStatistics::bound).
    pub bound: i64,
}

/// Least, mean and most of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MinMeanMax {
    /// The least.
    pub min: usize,
    /// The mean.
    pub mean: f64,
    /// The most.
    pub max: usize,
}

impl NodeStatistics {
    /// The most inter-edges that a node of so many polygons can have, where no polygon has more than
    /// `max_portals`: n (s - 2) + 2, and 2 more for each link inside.
    ///
    /// Proof: the polygons of a node have at most n s portals, of which those inside count twice. The
    /// node is connected by portals and links; without its l links it falls into at most 1 + l
    /// pieces, so at least n - 1 - l portals lie inside. That leaves n s - 2 (n - 1 - l).
    pub fn bound(&self, max_portals: usize) -> i64 {
        self.polygons as i64 * (max_portals as i64 - 2) + 2 + 2 * self.links_inside as i64
    }
}

impl LevelStatistics {
    /// The largest node over the mean: 1 is balanced. Islands, which nothing can be merged with, lower
    /// the mean.
    pub fn balance(&self) -> f64 {
        self.polygons.max as f64 / self.polygons.mean
    }

    /// The papers' bound for the inter-edges of a node: mu^x (s - 2) + 2 at level x. It is for nodes
    /// of exactly mu^x polygons, which real ones exceed; [`bound`](Self::bound) holds for those.
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
    /// What each node of a level holds; at level 0 each polygon.
    ///
    /// # Panics
    /// When there is no such level, or the partition is for another number of polygons.
    pub fn node_statistics(&self, mesh: &NavMesh, level: Level) -> Vec<NodeStatistics> {
        assert!(
            self.cell_count() == mesh.polygon_count(),
            "a partition of {} polygons for a mesh of {}",
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

    /// The levels from 1 on, counted.
    ///
    /// # Panics
    /// When the partition is for another number of polygons.
    pub fn statistics(&self, mesh: &NavMesh) -> Vec<LevelStatistics> {
        let portals = self.node_statistics(mesh, Level(0));
        let max_portals = portals.iter().map(|polygon| polygon.inter_edges).max();
        let max_portals = max_portals.unwrap_or(0);
        let counted = |level| {
            let nodes = self.node_statistics(mesh, level);
            let alone = |node: &&NodeStatistics| node.inter_edges + node.links_out == 0;
            // Whatever lies between two nodes was counted by both.
            let half_of =
                |count: fn(&NodeStatistics) -> usize| nodes.iter().map(count).sum::<usize>() / 2;
            LevelStatistics {
                level,
                nodes: nodes.len(),
                polygons: MinMeanMax::of(nodes.iter().map(|node| node.polygons)),
                inter_edges: MinMeanMax::of(nodes.iter().map(|node| node.inter_edges)),
                edge_cut: half_of(|node| node.inter_edges),
                links_between: half_of(|node| node.links_out),
                without_edges: nodes.iter().filter(alone).count(),
                max_portals,
                bound: nodes
                    .iter()
                    .map(|node| node.bound(max_portals))
                    .max()
                    .unwrap_or(0),
            }
        };
        self.levels().map(counted).collect()
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;
    use crate::ids::NodeId;
    use crate::navmesh::{NavMeshOptions, RawLink, RawNavMesh};

    /// Squares in a row, and one apart that a link leads to from the first.
    fn squares(row: u32) -> NavMesh {
        let mut raw = RawNavMesh::default();
        let places = (0..row).chain([row + 5]);
        for (square, x) in (0..).zip(places.map(|x| x as f32)) {
            let corners = [(x, 0.), (x + 1., 0.), (x + 1., 1.), (x, 1.)];
            raw.vertices.extend(corners.map(|(x, z)| vec3(x, 0., z)));
            raw.polygons.push(4 * square..4 * square + 4);
        }
        raw.links.push(RawLink {
            start: vec3(0.5, 0., 0.5),
            end: vec3(row as f32 + 5.5, 0., 0.5),
            ..RawLink::default()
        });
        NavMesh::build(raw, &NavMeshOptions::default()).expect("sound squares")
    }

    #[test]
    fn a_row_of_squares_is_counted_by_hand() {
        let mesh = squares(5);
        // By the squares' own names, in pairs; the last with the one apart.
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
        let apart = |polygon| u32::from([0, 3].contains(&mesh.user_id(polygon)));
        let nodes = mesh.polygons().map(|p| NodeId(1 - apart(p))).collect();
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
