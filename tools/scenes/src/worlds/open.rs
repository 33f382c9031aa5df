//! A plane strewn with obstacles.

use glam::{Vec2, vec2};

use super::WorldOptions;
use super::ground::Ground;
use super::hilbert::hilbert_order;
use super::links::add_links;
use super::obstacle::{Obstacle, Ring};
use super::stairs::{WestEdge, join_floors, ramps};
use super::streams::{Quota, Use, stream, stream_seed};
use crate::noise::Noise;
use portolan_core::RawNavMesh;
use portolan_core::union_find::UnionFind;

/// The side of a cell, in metres.
const CELL: f32 = 4.0;
/// How far a corner of a cell may be off its place along each axis, in cells. Below 0.25 all
/// cells are convex.
const JITTER: f32 = 0.15;
/// The share of the plane that lakes take, try by try: lakes that cut off too much are drawn
/// again, smaller in the end.
const LAKES: [f32; 6] = [0.2, 0.2, 0.2, 0.16, 0.12, 0.08];
/// The share of the remaining cells that has to be connected.
const CONNECTED: f32 = 0.93;
/// What a cell comes to, with a fifth of them under water and one in seven plain. It sets the
/// number of cells; the share of plain cells makes up for what it misses.
const POLYGONS_PER_CELL: f64 = 4.6;

pub(super) fn build(options: &WorldOptions) -> RawNavMesh {
    let options = options.within_limits();
    let size = Size::new(&options);
    let ramps = ramps(options.floors, size.depth());

    let mut ground = Ground::new(&options);
    let mut west = Vec::new();
    for floor in 0..options.floors {
        let polygons = options.polygons_of_floor(floor, ground.polygons(), ramps);
        let field = Field::new(size, &options, floor);
        west.push(field.lay(&mut ground, polygons));
    }
    join_floors(&mut ground, &west, size.depth());

    let mut mesh = ground.into_mesh();
    if options.links {
        add_links(&mut mesh, options.seed);
    }
    mesh
}

/// The plane in cells. Cell `row * columns + column` lies in that row and column.
#[derive(Clone, Copy)]
struct Size {
    columns: usize,
    rows: usize,
}

impl Size {
    fn new(options: &WorldOptions) -> Self {
        let cells = options.polygons_per_floor() / POLYGONS_PER_CELL;
        let columns = cells.sqrt().round().max(1.0);
        // A stairwell is longer than two cells.
        let least_rows = if options.floors > 1 { 3.0 } else { 1.0 };
        let rows = (cells / columns).round().max(least_rows);
        Self {
            columns: columns as usize,
            rows: rows as usize,
        }
    }

    fn depth(self) -> f32 {
        self.rows as f32 * CELL
    }

    fn cells(self) -> usize {
        self.columns * self.rows
    }

    /// The grid points around a cell, counter-clockwise from the smallest x and z. Grid points are
    /// counted like cells, with one column more.
    fn corners(self, cell: usize) -> [usize; 4] {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let south = row * (self.columns + 1) + column;
        let north = south + self.columns + 1;
        [south, south + 1, north + 1, north]
    }
}

/// One floor.
struct Field {
    seed: u64,
    floor: u32,
    size: Size,
    corners: Vec<Vec2>,
    /// Per cell, whether it is land and not lake.
    land: Vec<bool>,
}

impl Field {
    fn new(size: Size, options: &WorldOptions, floor: u32) -> Self {
        let seed = options.seed;
        Self {
            seed,
            floor,
            size,
            corners: corners(size, seed, floor),
            land: land(size, seed, floor, options.floors > 1),
        }
    }

    /// Adds the cells along a Hilbert curve. Gives the edges on the western border.
    fn lay(&self, ground: &mut Ground, polygons: usize) -> Vec<WestEdge> {
        const NOT_YET: u32 = u32::MAX;
        let mut plain = self.plain_cells(polygons);
        let patches = Patches::new(self.seed, self.floor);
        let mut grid_vertices = vec![NOT_YET; self.corners.len()];
        for cell in hilbert_order(self.size.columns, self.size.rows) {
            let cell = cell as usize;
            if !self.land[cell] {
                continue;
            }
            let vertices = self.size.corners(cell).map(|corner| {
                if grid_vertices[corner] == NOT_YET {
                    grid_vertices[corner] = ground.vertex(self.corners[corner], self.floor);
                }
                grid_vertices[corner]
            });
            let area = patches.area(self.places(cell)[0]);
            let fitting = self.obstacle(cell);
            let Some((obstacle, ring)) = fitting.filter(|(_, ring)| !plain.take(ring.len() - 1))
            else {
                ground.polygon(vertices, area);
                continue;
            };
            let mut inner = [NOT_YET; Obstacle::MAX_SIDES];
            for (vertex, &place) in inner.iter_mut().zip(obstacle.corners()) {
                *vertex = ground.vertex(place, self.floor);
            }
            ring.for_each_piece(vertices, &inner, |piece| {
                ground.polygon(piece.iter().copied(), area);
            });
        }
        self.west_edges(&grid_vertices)
    }

    fn places(&self, cell: usize) -> [Vec2; 4] {
        self.size.corners(cell).map(|corner| self.corners[corner])
    }

    fn obstacle(&self, cell: usize) -> Option<(Obstacle, Ring)> {
        let mut random = stream(self.seed, Use::Obstacle, self.floor, cell as u64);
        Obstacle::fitting(self.places(cell), CELL, &mut random)
    }

    /// Chooses the cells that lose their obstacle, so that the floor gets as many polygons as it
    /// should.
    fn plain_cells(&self, polygons: usize) -> Quota {
        let (mut cells, mut pieces) = (0, 0);
        for cell in (0..self.size.cells()).filter(|&cell| self.land[cell]) {
            cells += 1;
            pieces += self.obstacle(cell).map_or(1, |(_, ring)| ring.len());
        }
        let random = stream(self.seed, Use::Splits, self.floor, 0);
        Quota::new(pieces.saturating_sub(polygons), pieces - cells, random)
    }

    fn west_edges(&self, grid_vertices: &[u32]) -> Vec<WestEdge> {
        (0..self.size.rows)
            .map(|row| row * self.size.columns)
            .filter(|&cell| self.land[cell])
            .map(|cell| {
                let [south, _, _, north] = self.size.corners(cell);
                [grid_vertices[south], grid_vertices[north]]
            })
            .collect()
    }
}

/// The grid points, a little off their places, but not off the border of the plane.
fn corners(size: Size, seed: u64, floor: u32) -> Vec<Vec2> {
    let mut random = stream(seed, Use::Corners, floor, 0);
    let mut off = |index: usize, last: usize| {
        let jitter = random.between(-JITTER, JITTER);
        let on_border = index == 0 || index == last;
        index as f32 + if on_border { 0.0 } else { jitter }
    };
    let mut corners = Vec::with_capacity((size.columns + 1) * (size.rows + 1));
    for row in 0..=size.rows {
        for column in 0..=size.columns {
            corners.push(CELL * vec2(off(column, size.columns), off(row, size.rows)));
        }
    }
    corners
}

/// The cells outside the lakes. `stairs` keeps lakes away from the western border and that
/// border in the largest connected part.
fn land(size: Size, seed: u64, floor: u32, stairs: bool) -> Vec<bool> {
    for (attempt, share) in LAKES.into_iter().enumerate() {
        let land = flood(size, share, stairs, |purpose| {
            stream_seed(seed, purpose, floor, attempt as u64)
        });
        if is_connected(size, &land, stairs) {
            return land;
        }
    }
    vec![true; size.cells()]
}

/// Puts `share` of the cells under water, by rank and not by depth, so that it holds for every
/// floor however small.
fn flood(size: Size, share: f32, stairs: bool, seed: impl Fn(Use) -> u64) -> Vec<bool> {
    // Widths in cells, large and small, so that the shores are ragged.
    let basins = Noise::new(seed(Use::Basins), 7.0);
    let bays = Noise::new(seed(Use::Bays), 3.0);
    let depths: Vec<f32> = (0..size.cells())
        .map(|cell| {
            let (row, column) = (cell / size.columns, cell % size.columns);
            if stairs && column == 0 {
                return 0.0;
            }
            let position = vec2(column as f32, row as f32);
            0.7 * basins.at(position) + 0.3 * bays.at(position)
        })
        .collect();
    let dry = size.cells() - (size.cells() as f32 * share) as usize;
    let (_, &mut shore, _) = (depths.clone()).select_nth_unstable_by(dry - 1, f32::total_cmp);
    depths.into_iter().map(|depth| depth <= shore).collect()
}

/// Whether nearly all land hangs together, and with the first cell if `with_first`.
fn is_connected(size: Size, land: &[bool], with_first: bool) -> bool {
    let mut parts = UnionFind::new(land.len());
    for cell in (0..land.len()).filter(|&cell| land[cell]) {
        let has_east = (cell + 1) % size.columns != 0;
        let neighbours = [has_east.then_some(cell + 1), Some(cell + size.columns)];
        for neighbour in neighbours.into_iter().flatten() {
            if land.get(neighbour) == Some(&true) {
                parts.join(cell as u32, neighbour as u32);
            }
        }
    }
    let mut sizes = vec![0usize; land.len()];
    for cell in (0..land.len()).filter(|&cell| land[cell]) {
        sizes[parts.root(cell as u32) as usize] += 1;
    }
    let cells: usize = sizes.iter().sum();
    let main = if with_first {
        sizes[parts.root(0) as usize]
    } else {
        sizes.iter().copied().max().unwrap_or(0)
    };
    main as f32 >= CONNECTED * cells as f32
}

/// Where the ground is of another kind: blobs of some 40 m.
struct Patches {
    extent: Noise,
    kind: Noise,
}

impl Patches {
    fn new(seed: u64, floor: u32) -> Self {
        Self {
            extent: Noise::new(stream_seed(seed, Use::Areas, floor, 0), 28.0),
            kind: Noise::new(stream_seed(seed, Use::AreaKinds, floor, 0), 50.0),
        }
    }

    fn area(&self, place: Vec2) -> u8 {
        if self.extent.at(place) < 0.6 {
            return 0;
        }
        match self.kind.at(place) {
            ..0.42 => 1,
            0.42..0.58 => 2,
            _ => 3,
        }
    }
}
