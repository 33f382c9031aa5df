//! The directed graph of Low Meshes, which are the triangles, and the prices of the crossings between them.

use glam::{DVec3, Vec3};

use super::entry_price::MeshDistance;
use super::price::TriangleSurface;
use super::{Extent, NO_TRIANGLE, Price, TerrainError, TriangleWeb};

/// The directed graph of all triangles. Its vertices are the Low Meshes, and its arcs the crossings of edges.
#[derive(Clone, Debug, PartialEq)]
pub struct LowGraph {
    pub(super) neighbours: Vec<[u32; 3]>,
    /// The price of crossing each edge into the next triangle. It is infinite at the rim, and where the crossing is too
    /// steep.
    pub(super) weighted: Vec<[f32; 3]>,
    /// The plain length of each crossing, in which all axes count alike and multipliers are ignored.
    pub(super) unweighted: Vec<[f32; 3]>,
    pub(super) extents: Vec<Extent>,
    pub(super) price: Price,
}

/// The traversal price base of a path, summed over its crossings, without the final multipliers. The tables of
/// the terrain thesis have these three columns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BaseLengths {
    /// The price base from all three axes.
    pub xyz: f64,
    /// The price base from the x and y axes only.
    pub xy: f64,
    /// The price base from the z axis only.
    pub z: f64,
}

impl LowGraph {
    /// Computes the price of every crossing of a web.
    pub fn new(web: &TriangleWeb, price: &Price) -> Result<Self, TerrainError> {
        price.check()?;
        let count = web.len();
        let surfaces: Vec<TriangleSurface> = (0..count as u32)
            .map(|triangle| surface_of(web, triangle))
            .collect();
        let mut graph = Self {
            neighbours: web.neighbours().to_vec(),
            weighted: vec![[f32::INFINITY; 3]; count],
            unweighted: vec![[f32::INFINITY; 3]; count],
            extents: surfaces.iter().map(|surface| surface.extent).collect(),
            price: *price,
        };
        for (triangle, from) in surfaces.iter().enumerate() {
            graph.price_edges(web, triangle as u32, from, |to| surfaces[to as usize]);
        }
        Ok(graph)
    }

    /// Computes the prices of the crossings out of one triangle.
    pub(super) fn price_out_of(&mut self, web: &TriangleWeb, triangle: u32) {
        let from = surface_of(web, triangle);
        self.price_edges(web, triangle, &from, |to| surface_of(web, to));
    }

    /// Computes the prices of the crossings out of one triangle. `surface` returns the surface of a neighbour:
    /// when all triangles are priced, surfaces are computed once and looked up.
    fn price_edges(
        &mut self,
        web: &TriangleWeb,
        triangle: u32,
        from: &TriangleSurface,
        surface: impl Fn(u32) -> TriangleSurface,
    ) {
        for edge in 0..3 {
            let to = self.neighbours[triangle as usize][edge];
            if to == NO_TRIANGLE {
                continue;
            }
            let to = surface(to);
            let edge_extent = edge_extent(web, triangle, edge);
            let distances = self.price.coordinate_distances(edge_extent, from, &to);
            let floor = self.price.floor * to.extent.size().length();
            let leg = leg(web, triangle, edge, from, &to);
            let base = match self.price.distances.walking() {
                None => self.price.scale_axes(distances).length().max(floor),
                Some(walking) => walking.cost(leg.run, leg.rise) as f32,
            };
            self.weighted[triangle as usize][edge] = match self.price.allows(leg.run, leg.rise) {
                true => base * self.price.multiplier(from, &to),
                false => f32::INFINITY,
            };
            let plain = (distances[0] + distances[1]).length();
            self.unweighted[triangle as usize][edge] = plain.max(floor);
        }
    }

    fn coordinate_distances(&self, web: &TriangleWeb, triangle: u32, edge: usize) -> [Vec3; 2] {
        let to = self.neighbours[triangle as usize][edge];
        self.price.coordinate_distances(
            edge_extent(web, triangle, edge),
            &surface_of(web, triangle),
            &surface_of(web, to),
        )
    }

    /// Returns the lengths of a path before multipliers, or `None` if two consecutive triangles of it are not
    /// neighbours.
    pub fn base_lengths(&self, web: &TriangleWeb, path: &[u32]) -> Option<BaseLengths> {
        let mut sum = BaseLengths::default();
        for pair in path.windows(2) {
            let edge = self.edge(pair[0], pair[1])?;
            let distances = self.coordinate_distances(web, pair[0], edge);
            let scaled = self.price.scale_axes(distances).as_dvec3();
            let size = self.extents[pair[1] as usize].size().length();
            sum.xyz += scaled.length().max(f64::from(self.price.floor * size));
            sum.xy += scaled.truncate().length();
            sum.z += scaled.z;
        }
        Some(sum)
    }

    /// Returns the cost of a path, or `None` if two consecutive triangles of it are not neighbours.
    pub fn cost(&self, path: &[u32]) -> Option<f64> {
        let costs = path.windows(2).map(|pair| {
            let edge = self.edge(pair[0], pair[1])?;
            Some(f64::from(self.weighted[pair[0] as usize][edge]))
        });
        costs.sum()
    }

    /// Returns the cost of crossing from one triangle to another, or `None` if they are not neighbours.
    #[inline]
    pub(super) fn crossing(&self, from: u32, to: u32) -> Option<f32> {
        let edge = self.edge(from, to)?;
        Some(self.weighted[from as usize][edge])
    }

    /// Returns the cheapest edge between two triangles, or `None` if they are not neighbours.
    #[inline]
    pub(super) fn edge(&self, from: u32, to: u32) -> Option<usize> {
        let costs = self.weighted[from as usize];
        let edges = (0..3).filter(|&edge| self.neighbours[from as usize][edge] == to);
        edges.min_by(|&a, &b| costs[a].total_cmp(&costs[b]))
    }

    /// Returns the number of triangles.
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// Returns whether there are no triangles. A graph always has at least one, so this is always false.
    pub fn is_empty(&self) -> bool {
        self.neighbours.is_empty()
    }

    /// Returns the neighbour beyond each edge of a triangle and the cost of crossing into it. At the rim, these are
    /// [`NO_TRIANGLE`] and infinity. The cost is also infinite where the crossing is too steep.
    pub fn crossings(&self, triangle: u32) -> ([u32; 3], [f32; 3]) {
        let triangle = triangle as usize;
        (self.neighbours[triangle], self.weighted[triangle])
    }

    /// Returns the plain length of the crossing of each edge of a triangle. It is infinite at the rim.
    pub fn unweighted(&self, triangle: u32) -> [f32; 3] {
        self.unweighted[triangle as usize]
    }

    /// Returns the price and the plain length of the crossing of an edge. High Meshes need finite prices, so a crossing
    /// that is too steep has a very high one. Without slope limits, an infinite price has overflowed and stays infinite.
    pub(super) fn distance(&self, triangle: u32, edge: usize) -> MeshDistance {
        let weighted = self.weighted[triangle as usize][edge];
        let unweighted = self.unweighted[triangle as usize][edge];
        MeshDistance {
            weighted: match weighted == f32::INFINITY && self.price.has_limits() {
                true => unweighted * TOO_STEEP,
                false => weighted,
            },
            unweighted,
        }
    }

    /// Returns the distance from a triangle to a neighbour. It is infinite if the two are not neighbours.
    pub(super) fn between(&self, from: u32, to: u32) -> MeshDistance {
        let edge = self.edge(from, to);
        edge.map_or(MeshDistance::INFINITE, |edge| self.distance(from, edge))
    }

    /// Returns the bounding box of a triangle.
    pub fn extent(&self, triangle: u32) -> Extent {
        self.extents[triangle as usize]
    }

    /// Returns the parameters of the traversal price.
    pub fn price(&self) -> &Price {
        &self.price
    }

    /// Returns the heap memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.neighbours[..])
            + size_of_val(&self.weighted[..])
            + size_of_val(&self.unweighted[..])
            + size_of_val(&self.extents[..])
    }
}

/// The price per metre of a crossing that is too steep, where a finite price is needed.
const TOO_STEEP: f32 = 1e9;

/// The way from the centroid of one triangle over the midpoint of an edge to the centroid of the next one.
struct CrossingLeg {
    /// Its length in plan. [Units: metres]
    run: f64,
    /// The difference in height between its ends. [Units: metres]
    rise: f64,
}

fn leg(
    web: &TriangleWeb,
    triangle: u32,
    edge: usize,
    from: &TriangleSurface,
    to: &TriangleSurface,
) -> CrossingLeg {
    let corners = web.corners(triangle);
    let middle = corners[edge].midpoint(corners[(edge + 1) % 3]);
    let [start, middle, end] = [from.centroid, middle, to.centroid].map(Vec3::as_dvec3);
    let run = |a: DVec3, b: DVec3| (b - a).truncate().length();
    CrossingLeg {
        run: run(start, middle) + run(middle, end),
        rise: end.z - start.z,
    }
}

/// Returns the bounding box of an edge.
fn edge_extent(web: &TriangleWeb, triangle: u32, edge: usize) -> Extent {
    let corners = web.corners(triangle);
    Extent::of([corners[edge], corners[(edge + 1) % 3]])
}

pub(super) fn surface_of(web: &TriangleWeb, triangle: u32) -> TriangleSurface {
    let [a, b, c] = web.corners(triangle);
    // Collinear corners have no plane. Such a triangle counts as horizontal.
    let normal = (b - a).cross(c - a).normalize_or(Vec3::Z);
    TriangleSurface {
        extent: Extent::of([a, b, c]),
        centroid: web.centroid(triangle),
        normal: if normal.z < 0.0 { -normal } else { normal },
        difficulty: web.difficulty()[triangle as usize],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HeightMap, WebOptions};

    #[test]
    fn pricing_triangles_one_by_one_equals_pricing_all() {
        let height = |i: u32| (i.wrapping_mul(2_654_435_761) >> 16) as f32 / 65_535.0;
        let map = HeightMap::new(9, 9, (0..81).map(height).collect()).unwrap();
        let web = map.triangulate(&WebOptions::default(), Some(&map)).unwrap();
        let graph = LowGraph::new(&web, &Price::default()).unwrap();
        let mut repriced = graph.clone();
        repriced.weighted.fill([f32::INFINITY; 3]);
        repriced.unweighted.fill([f32::INFINITY; 3]);
        (0..web.len() as u32).for_each(|triangle| repriced.price_out_of(&web, triangle));
        assert_eq!(repriced, graph);
    }
}
