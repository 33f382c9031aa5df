//! A plane with scattered obstacles and lakes.

use glam::{Vec2, vec2};

use super::WorldOptions;
use super::hilbert::hilbert_order;
use super::links::add_links;
use super::mesh_builder::MeshBuilder;
use super::obstacle::{Obstacle, Ring};
use super::stairs::{WestEdge, connect_floors, ramps};
use super::streams::{Quota, StreamId, stream, stream_seed};
use crate::noise::Noise;
use portolan_core::RawNavMesh;
use portolan_core::union_find::UnionFind;

/// Side of a cell, in metres.
const CELL: f32 = 4.0;
/// Maximum offset of a corner from its position in the grid along each axis, in cells. Below 0.25, all
/// cells are convex.
const JITTER: f32 = 0.15;
/// Fraction of the plane that is covered by lakes, per attempt. If lakes cut off too much ground, the next
/// attempt draws other and later smaller lakes.
const LAKE_FRACTIONS: [f32; 6] = [0.2, 0.2, 0.2, 0.16, 0.12, 0.08];
/// Minimum fraction of the land that must be connected.
const MIN_CONNECTED: f32 = 0.93;
/// Average number of polygons per cell if a fifth of the cells are lakes and one in seven has no obstacle.
/// The number of cells is computed from it; the fraction of cells without obstacle compensates for
/// deviations.
const POLYGONS_PER_CELL: f64 = 4.6;

pub(super) fn build(options: &WorldOptions) -> RawNavMesh {
    let options = options.within_limits();
    let size = PlaneSize::new(&options);
    let ramps = ramps(options.floors, size.depth());

    let mut builder = MeshBuilder::new(&options);
    let mut west = Vec::new();
    for floor in 0..options.floors {
        let polygons = options.polygons_of_floor(floor, builder.polygons(), ramps);
        let open_floor = OpenFloor::new(size, &options, floor);
        west.push(open_floor.add_to(&mut builder, polygons));
    }
    connect_floors(&mut builder, &west, size.depth());

    let mut mesh = builder.into_mesh();
    if options.links {
        add_links(&mut mesh, options.seed);
    }
    mesh
}

/// The size of the plane in cells. The index of a cell is `row * columns + column`.
#[derive(Clone, Copy)]
struct PlaneSize {
    columns: usize,
    rows: usize,
}

impl PlaneSize {
    fn new(options: &WorldOptions) -> Self {
        let cells = options.polygons_per_floor() / POLYGONS_PER_CELL;
        let columns = cells.sqrt().round().max(1.0);
        // A ramp needs more than two cells.
        let min_rows = if options.floors > 1 { 3.0 } else { 1.0 };
        let rows = (cells / columns).round().max(min_rows);
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

    /// Returns the grid points around a cell, counterclockwise from the smallest x and z. Grid points are
    /// numbered like cells, with one more column.
    fn corners(self, cell: usize) -> [usize; 4] {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let south = row * (self.columns + 1) + column;
        let north = south + self.columns + 1;
        [south, south + 1, north + 1, north]
    }
}

/// One floor of the plane.
struct OpenFloor {
    seed: u64,
    floor: u32,
    size: PlaneSize,
    corners: Vec<Vec2>,
    /// Per cell, whether it is land.
    land: Vec<bool>,
}

impl OpenFloor {
    fn new(size: PlaneSize, options: &WorldOptions, floor: u32) -> Self {
        let seed = options.seed;
        Self {
            seed,
            floor,
            size,
            corners: corners(size, seed, floor),
            land: land(size, seed, floor, options.floors > 1),
        }
    }

    /// Adds the cells along a Hilbert curve. Returns the edges on the western border.
    fn add_to(&self, builder: &mut MeshBuilder, polygons: usize) -> Vec<WestEdge> {
        const NO_VERTEX: u32 = u32::MAX;
        let mut without_obstacle = self.cells_without_obstacle(polygons);
        let patches = Patches::new(self.seed, self.floor);
        let mut grid_vertices = vec![NO_VERTEX; self.corners.len()];
        for cell in hilbert_order(self.size.columns, self.size.rows) {
            let cell = cell as usize;
            if !self.land[cell] {
                continue;
            }
            let vertices = self.size.corners(cell).map(|corner| {
                if grid_vertices[corner] == NO_VERTEX {
                    grid_vertices[corner] = builder.add_vertex(self.corners[corner], self.floor);
                }
                grid_vertices[corner]
            });
            let area = patches.area(self.corner_positions(cell)[0]);
            let obstacle = self.obstacle(cell);
            let Some((obstacle, ring)) =
                obstacle.filter(|(_, ring)| !without_obstacle.take(ring.len() - 1))
            else {
                builder.add_polygon(vertices, area);
                continue;
            };
            let mut inner = [NO_VERTEX; Obstacle::MAX_SIDES];
            for (vertex, &position) in inner.iter_mut().zip(obstacle.corners()) {
                *vertex = builder.add_vertex(position, self.floor);
            }
            ring.for_each_piece(vertices, &inner, |piece| {
                builder.add_polygon(piece.iter().copied(), area);
            });
        }
        self.west_edges(&grid_vertices)
    }

    fn corner_positions(&self, cell: usize) -> [Vec2; 4] {
        self.size.corners(cell).map(|corner| self.corners[corner])
    }

    fn obstacle(&self, cell: usize) -> Option<(Obstacle, Ring)> {
        let mut random = stream(self.seed, StreamId::Obstacle, self.floor, cell as u64);
        Obstacle::fitting_into(self.corner_positions(cell), CELL, &mut random)
    }

    /// Chooses the cells without an obstacle such that the floor has the intended number of polygons.
    fn cells_without_obstacle(&self, polygons: usize) -> Quota {
        let (mut cells, mut pieces) = (0, 0);
        for cell in (0..self.size.cells()).filter(|&cell| self.land[cell]) {
            cells += 1;
            pieces += self.obstacle(cell).map_or(1, |(_, ring)| ring.len());
        }
        let random = stream(self.seed, StreamId::Splits, self.floor, 0);
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

/// Returns the grid points with random offsets. Those on the border of the plane stay on the border.
fn corners(size: PlaneSize, seed: u64, floor: u32) -> Vec<Vec2> {
    let mut random = stream(seed, StreamId::Corners, floor, 0);
    let mut jittered = |index: usize, last: usize| {
        let jitter = random.between(-JITTER, JITTER);
        let on_border = index == 0 || index == last;
        index as f32 + if on_border { 0.0 } else { jitter }
    };
    let mut corners = Vec::with_capacity((size.columns + 1) * (size.rows + 1));
    for row in 0..=size.rows {
        for column in 0..=size.columns {
            corners.push(CELL * vec2(jittered(column, size.columns), jittered(row, size.rows)));
        }
    }
    corners
}

/// Returns which cells are land. With `has_ramps`, no lake touches the western border, and that border is connected
/// with nearly all land.
fn land(size: PlaneSize, seed: u64, floor: u32, has_ramps: bool) -> Vec<bool> {
    for (attempt, fraction) in LAKE_FRACTIONS.into_iter().enumerate() {
        let land = flood(size, fraction, has_ramps, |stream| {
            stream_seed(seed, stream, floor, attempt as u64)
        });
        if is_connected(size, &land, has_ramps) {
            return land;
        }
    }
    vec![true; size.cells()]
}

/// Covers `fraction` of the cells with lakes. Cells are chosen by rank and not by depth, so the fraction is
/// exact for floors of any size.
fn flood(
    size: PlaneSize,
    fraction: f32,
    has_ramps: bool,
    seed: impl Fn(StreamId) -> u64,
) -> Vec<bool> {
    // Noises of two sizes, in cells, give irregular shores.
    let basins = Noise::new(seed(StreamId::Basins), 7.0);
    let bays = Noise::new(seed(StreamId::Bays), 3.0);
    let depths: Vec<f32> = (0..size.cells())
        .map(|cell| {
            let (row, column) = (cell / size.columns, cell % size.columns);
            if has_ramps && column == 0 {
                return 0.0;
            }
            let position = vec2(column as f32, row as f32);
            0.7 * basins.at(position) + 0.3 * bays.at(position)
        })
        .collect();
    let dry = size.cells() - (size.cells() as f32 * fraction) as usize;
    let (_, &mut shore, _) = (depths.clone()).select_nth_unstable_by(dry - 1, f32::total_cmp);
    depths.into_iter().map(|depth| depth <= shore).collect()
}

/// Returns whether nearly all land is connected. With `with_first`, it must be connected to the first cell.
fn is_connected(size: PlaneSize, land: &[bool], with_first: bool) -> bool {
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
    let main_part = if with_first {
        sizes[parts.root(0) as usize]
    } else {
        sizes.iter().copied().max().unwrap_or(0)
    };
    main_part as f32 >= MIN_CONNECTED * cells as f32
}

/// Patches of ground of about 40 m with area 1, 2 or 3.
struct Patches {
    extent: Noise,
    kind: Noise,
}

impl Patches {
    fn new(seed: u64, floor: u32) -> Self {
        Self {
            extent: Noise::new(stream_seed(seed, StreamId::Areas, floor, 0), 28.0),
            kind: Noise::new(stream_seed(seed, StreamId::AreaKinds, floor, 0), 50.0),
        }
    }

    fn area(&self, position: Vec2) -> u8 {
        if self.extent.at(position) < 0.6 {
            return 0;
        }
        match self.kind.at(position) {
            ..0.42 => 1,
            0.42..0.58 => 2,
            _ => 3,
        }
    }
}
