//! Low Meshes: every triangle, and what the crossings between them cost.

use glam::Vec3;

use super::inner::Distance;
use super::price::Side;
use super::{Extent, NONE, Price, TerrainError, TriangleWeb};

/// The directed graph of all triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct LowGraph {
    pub(super) neighbours: Vec<[u32; 3]>,
    /// What it costs to get over each edge into the triangle beyond; infinite at the rim.
    pub(super) weighted: Vec<[f32; 3]>,
    /// The same as a plain distance: every axis counts alike, and no multiplier.
    pub(super) unweighted: Vec<[f32; 3]>,
    pub(super) extents: Vec<Extent>,
    pub(super) price: Price,
}

/// A length of a path before multipliers: the thesis's other three columns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Base {
    /// Price base.
    pub xyz: f64,
    /// The same without height.
    pub xy: f64,
    /// The same by height alone.
    pub z: f64,
}

impl LowGraph {
    /// Prices every crossing of a web.
    pub fn new(web: &TriangleWeb, price: &Price) -> Result<Self, TerrainError> {
        price.check()?;
        let count = web.len();
        let sides: Vec<Side> = (0..count as u32)
            .map(|triangle| side(web, triangle))
            .collect();
        let mut graph = Self {
            neighbours: web.neighbours().to_vec(),
            weighted: vec![[f32::INFINITY; 3]; count],
            unweighted: vec![[f32::INFINITY; 3]; count],
            extents: sides.iter().map(|side| side.extent).collect(),
            price: *price,
        };
        for (triangle, from) in sides.iter().enumerate() {
            graph.price_edges(web, triangle as u32, from, |to| sides[to as usize]);
        }
        Ok(graph)
    }

    /// Prices the crossings out of one triangle.
    pub(super) fn price_out_of(&mut self, web: &TriangleWeb, triangle: u32) {
        let from = side(web, triangle);
        self.price_edges(web, triangle, &from, |to| side(web, to));
    }

    /// Whoever prices all triangles looks their sides up: each is asked for six times.
    fn price_edges(
        &mut self,
        web: &TriangleWeb,
        triangle: u32,
        from: &Side,
        side_of: impl Fn(u32) -> Side,
    ) {
        for edge in 0..3 {
            let to = self.neighbours[triangle as usize][edge];
            if to == NONE {
                continue;
            }
            let to = side_of(to);
            let reach = self.price.reach(common(web, triangle, edge), from, &to);
            let floor = self.price.floor * to.extent.size().length();
            let base = self.price.weigh(reach).length().max(floor);
            let multiplier = self.price.multiplier(from, &to);
            self.weighted[triangle as usize][edge] = base * multiplier;
            self.unweighted[triangle as usize][edge] = (reach[0] + reach[1]).length().max(floor);
        }
    }

    fn reach(&self, web: &TriangleWeb, triangle: u32, edge: usize) -> [Vec3; 2] {
        let to = self.neighbours[triangle as usize][edge];
        self.price.reach(
            common(web, triangle, edge),
            &side(web, triangle),
            &side(web, to),
        )
    }

    /// The lengths of a path before multipliers. `None` where two triangles in turn are not neighbours.
    pub fn base(&self, web: &TriangleWeb, path: &[u32]) -> Option<Base> {
        let mut sum = Base::default();
        for pair in path.windows(2) {
            let edge = self.edge(pair[0], pair[1])?;
            let way = self.price.weigh(self.reach(web, pair[0], edge)).as_dvec3();
            let size = self.extents[pair[1] as usize].size().length();
            sum.xyz += way.length().max(f64::from(self.price.floor * size));
            sum.xy += way.truncate().length();
            sum.z += way.z;
        }
        Some(sum)
    }

    /// What a path costs, crossing by crossing. `None` where two triangles in turn are not neighbours.
    pub fn cost(&self, path: &[u32]) -> Option<f64> {
        let costs = path.windows(2).map(|pair| {
            let edge = self.edge(pair[0], pair[1])?;
            Some(f64::from(self.weighted[pair[0] as usize][edge]))
        });
        costs.sum()
    }

    /// What it costs from one triangle to the next; `None` where they are not neighbours.
    #[inline]
    pub(super) fn crossing(&self, from: u32, to: u32) -> Option<f32> {
        let edge = self.edge(from, to)?;
        Some(self.weighted[from as usize][edge])
    }

    /// The cheapest edge from one triangle to the next.
    #[inline]
    pub(super) fn edge(&self, from: u32, to: u32) -> Option<usize> {
        let costs = self.weighted[from as usize];
        let edges = (0..3).filter(|&edge| self.neighbours[from as usize][edge] == to);
        edges.min_by(|&a, &b| costs[a].total_cmp(&costs[b]))
    }

    /// How many triangles there are.
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// Never.
    pub fn is_empty(&self) -> bool {
        self.neighbours.is_empty()
    }

    /// What lies beyond the edges of a triangle, and what getting there costs; [`NONE`] and infinite at the
    /// rim.
    pub fn crossings(&self, triangle: u32) -> ([u32; 3], [f32; 3]) {
        let triangle = triangle as usize;
        (self.neighbours[triangle], self.weighted[triangle])
    }

    /// The plain distances over the edges of a triangle.
    pub fn unweighted(&self, triangle: u32) -> [f32; 3] {
        self.unweighted[triangle as usize]
    }

    /// Both distances over an edge.
    pub(super) fn distance(&self, triangle: u32, edge: usize) -> Distance {
        Distance {
            weighted: self.weighted[triangle as usize][edge],
            unweighted: self.unweighted[triangle as usize][edge],
        }
    }

    /// Both distances from a triangle to one next to it; infinite where it is not.
    pub(super) fn between(&self, from: u32, to: u32) -> Distance {
        let edge = self.edge(from, to);
        edge.map_or(Distance::INFINITE, |edge| self.distance(from, edge))
    }

    /// The box around a triangle.
    pub fn extent(&self, triangle: u32) -> Extent {
        self.extents[triangle as usize]
    }

    /// What it was priced by.
    pub fn price(&self) -> &Price {
        &self.price
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.neighbours[..])
            + size_of_val(&self.weighted[..])
            + size_of_val(&self.unweighted[..])
            + size_of_val(&self.extents[..])
    }
}

/// The box of an edge.
fn common(web: &TriangleWeb, triangle: u32, edge: usize) -> Extent {
    let corners = web.corners(triangle);
    Extent::of([corners[edge], corners[(edge + 1) % 3]])
}

fn side(web: &TriangleWeb, triangle: u32) -> Side {
    let [a, b, c] = web.corners(triangle);
    // Of corners in a line there is no plane; then it lies flat.
    let normal = (b - a).cross(c - a).normalize_or(Vec3::Z);
    Side {
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
    fn one_triangle_is_priced_as_all_are() {
        let height = |i: u32| (i.wrapping_mul(2_654_435_761) >> 16) as f32 / 65_535.0;
        let map = HeightMap::new(9, 9, (0..81).map(height).collect()).unwrap();
        let web = map.triangulate(&WebOptions::default(), Some(&map)).unwrap();
        let graph = LowGraph::new(&web, &Price::default()).unwrap();
        let mut again = graph.clone();
        again.weighted.fill([f32::INFINITY; 3]);
        again.unweighted.fill([f32::INFINITY; 3]);
        (0..web.len() as u32).for_each(|triangle| again.price_out_of(&web, triangle));
        assert_eq!(again, graph);
    }
}
