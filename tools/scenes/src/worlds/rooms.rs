//! A building with rooms, walls, doors and furniture.

use super::WorldOptions;
use super::furnished_room::{FurnishedRoom, Span, WallSide};
use super::hilbert::hilbert_order;
use super::links::add_links;
use super::mesh_builder::MeshBuilder;
use super::stairs::{WestEdge, connect_floors, ramps};
use super::streams::{Quota, StreamId, stream};
use portolan_core::RawNavMesh;
use portolan_core::union_find::UnionFind;

/// Mean side of a room, in metres.
const ROOM: f32 = 6.5;
/// Thickness of a wall, in metres.
const WALL: f32 = 0.3;
/// Average number of polygons of a room and its doors if two in five pairs of cells are split. The number of
/// rooms is computed from it; the fraction of split pairs compensates for deviations.
const POLYGONS_PER_ROOM: f64 = 20.5;
/// Maximum fraction of the cells of a floor in rooms without a door.
const MAX_ISLANDS: f32 = 0.04;
/// Probability of a door between two rooms that are already connected.
const EXTRA_DOOR_PROBABILITY: f32 = 0.35;

pub(super) fn build(options: &WorldOptions) -> RawNavMesh {
    let options = options.within_limits();
    let building = Building::new(&options);
    let ramps = ramps(options.floors, building.depth());

    let mut builder = MeshBuilder::new(&options);
    let mut west = Vec::new();
    for floor in 0..options.floors {
        let polygons = options.polygons_of_floor(floor, builder.polygons(), ramps);
        let floor_plan = FloorPlan::new(&building, options.seed, floor);
        let first_vertices = floor_plan.add_to(&mut builder, polygons, options.seed);
        west.push(floor_plan.west_edges(&first_vertices));
    }
    connect_floors(&mut builder, &west, building.depth());

    let mut mesh = builder.into_mesh();
    if options.links {
        add_links(&mut mesh, options.seed);
    }
    mesh
}

/// The size of a building in rooms, the same for all floors.
struct Building {
    columns: usize,
    rows: usize,
}

impl Building {
    fn new(options: &WorldOptions) -> Self {
        let rooms = options.polygons_per_floor() / POLYGONS_PER_ROOM;
        let columns = rooms.sqrt().round().max(1.0);
        // A ramp is longer than one room.
        let min_rows = if options.floors > 1 { 2.0 } else { 1.0 };
        let rows = (rooms / columns).round().max(min_rows);
        Self {
            columns: columns as usize,
            rows: rows as usize,
        }
    }

    /// Returns the length of the building along z, in metres.
    fn depth(&self) -> f32 {
        self.rows as f32 * (ROOM + WALL) - WALL
    }
}

/// The rooms and doors of one floor. The index of a room is `row * columns + column`.
struct FloorPlan {
    floor: u32,
    columns: usize,
    rooms: Vec<FurnishedRoom>,
    /// Per room, whether it has a door to the next room in the east and in the north.
    doors: Vec<[bool; 2]>,
}

impl FloorPlan {
    fn new(building: &Building, seed: u64, floor: u32) -> Self {
        let columns = spans(building.columns, seed, floor, 0);
        let rows = spans(building.rows, seed, floor, 1);
        let rooms: Vec<FurnishedRoom> = (rows.iter())
            .flat_map(|&depth| columns.iter().map(move |&width| (width, depth)))
            .enumerate()
            .map(|(room, (width, depth))| {
                let mut random = stream(seed, StreamId::Furniture, floor, room as u64);
                FurnishedRoom::new(width, depth, &mut random)
            })
            .collect();
        let islands = islands(building, &rooms, seed, floor);
        let doors = doors(building, &islands, seed, floor);
        Self {
            floor,
            columns: building.columns,
            rooms,
            doors,
        }
    }

    /// Adds the rooms along a Hilbert curve. Each room is followed by its doors to earlier rooms. Returns the
    /// first vertex of each room.
    fn add_to(&self, builder: &mut MeshBuilder, polygons: usize, seed: u64) -> Vec<u32> {
        const NO_VERTEX: u32 = u32::MAX;
        let mut splits = self.splits(polygons, seed);
        let mut first_vertices = vec![NO_VERTEX; self.rooms.len()];
        for room in hilbert_order(self.columns, self.rooms.len() / self.columns) {
            let room = room as usize;
            let area = self.area(room, seed);
            first_vertices[room] = self.rooms[room].add_to(builder, self.floor, area, &mut splits);
            for (low, high, direction) in self.doors_of(room) {
                if first_vertices[low] != NO_VERTEX && first_vertices[high] != NO_VERTEX {
                    self.add_door(builder, &first_vertices, [low, high], direction, seed);
                }
            }
        }
        first_vertices
    }

    /// Chooses the pairs of cells to split such that the floor has the intended number of polygons.
    fn splits(&self, polygons: usize, seed: u64) -> Quota {
        let (mut min_polygons, mut pairs) = (0, 0);
        for (room, doors) in self.rooms.iter().zip(&self.doors) {
            let (runs, pairs_here) = room.count_runs();
            min_polygons += runs + doors.iter().filter(|&&door| door).count();
            pairs += pairs_here;
        }
        let random = stream(seed, StreamId::Splits, self.floor, 0);
        Quota::new(polygons.saturating_sub(min_polygons), pairs, random)
    }

    /// Returns the area of a room: 1, 2 or 3 for two rooms in five, else 0.
    fn area(&self, room: usize, seed: u64) -> u8 {
        let mut random = stream(seed, StreamId::Areas, self.floor, room as u64);
        match random.below(15) {
            patch @ 0..6 => 1 + (patch % 3) as u8,
            _ => 0,
        }
    }

    /// Returns the doors of a room: the room west or south of the door, the one east or north of it, and the
    /// direction from the first to the second.
    fn doors_of(&self, room: usize) -> impl Iterator<Item = (usize, usize, DoorDirection)> {
        let sides = [
            (Some(room), DoorDirection::East),
            (Some(room), DoorDirection::North),
            (room.checked_sub(1), DoorDirection::East),
            (room.checked_sub(self.columns), DoorDirection::North),
        ];
        sides.into_iter().filter_map(|(low, direction)| {
            let low = low?;
            let high = low + direction.step(self.columns);
            self.doors[low][direction as usize].then_some((low, high, direction))
        })
    }

    /// Adds a quad through the wall, from a random cell of the first room to the cell of the second room with
    /// the largest overlap. The two edges are parallel, so the quad is convex.
    fn add_door(
        &self,
        builder: &mut MeshBuilder,
        first_vertices: &[u32],
        rooms: [usize; 2],
        direction: DoorDirection,
        seed: u64,
    ) {
        let (near_side, far_side) = match direction {
            DoorDirection::East => (WallSide::East, WallSide::West),
            DoorDirection::North => (WallSide::North, WallSide::South),
        };
        let [near, far] = rooms.map(|room| &self.rooms[room]);

        let door = 2 * rooms[0] as u64 + direction as u64;
        let mut random = stream(seed, StreamId::DoorPosition, self.floor, door);
        let near_cell = random.below(near.wall_cells(near_side) as u32) as usize;
        let near_edge = near.wall_edge(near_side, near_cell);
        let overlap = |&cell: &usize| {
            let edge = far.wall_edge(far_side, cell);
            edge.end.min(near_edge.end) - edge.start.max(near_edge.start)
        };
        let far_cell = (0..far.wall_cells(far_side))
            .max_by(|a, b| overlap(a).total_cmp(&overlap(b)))
            .unwrap_or(0);

        let near = |line| first_vertices[rooms[0]] + near.wall_vertex(near_side, line);
        let far = |line| first_vertices[rooms[1]] + far.wall_vertex(far_side, line);
        let [near_start, near_end] = [near(near_cell), near(near_cell + 1)];
        let [far_start, far_end] = [far(far_cell), far(far_cell + 1)];
        let corners = match direction {
            DoorDirection::East => [near_start, far_start, far_end, near_end],
            DoorDirection::North => [near_start, near_end, far_end, far_start],
        };
        builder.add_polygon(corners, 0);
    }

    /// Returns the border edges along the western wall, where all rooms have doors.
    fn west_edges(&self, first_vertices: &[u32]) -> Vec<WestEdge> {
        let first_column = (0..self.rooms.len()).step_by(self.columns);
        first_column
            .flat_map(|room| {
                let vertex = move |line| {
                    first_vertices[room] + self.rooms[room].wall_vertex(WallSide::West, line)
                };
                (0..self.rooms[room].wall_cells(WallSide::West))
                    .map(move |cell| [vertex(cell), vertex(cell + 1)])
            })
            .collect()
    }
}

/// The direction from a room through a door.
#[derive(Clone, Copy)]
enum DoorDirection {
    East,
    North,
}

impl DoorDirection {
    fn step(self, columns: usize) -> usize {
        match self {
            Self::East => 1,
            Self::North => columns,
        }
    }
}

/// Returns the intervals of rooms along one axis. About every fifth is as narrow as a corridor. They are
/// scaled such that all floors have the same length.
fn spans(count: usize, seed: u64, floor: u32, axis: u64) -> Vec<Span> {
    let mut random = stream(seed, StreamId::Spans, floor, axis);
    let relative_widths: Vec<f32> = (0..count)
        .map(|_| match random.below(5) {
            0 => 0.5,
            _ => random.between(0.8, 1.5),
        })
        .collect();
    let sum: f64 = relative_widths.iter().copied().map(f64::from).sum();
    let metres_per_unit = f64::from(ROOM) * count as f64 / sum;
    let mut start = 0.0;
    relative_widths
        .into_iter()
        .map(|relative_width| {
            let end = start + f64::from(relative_width) * metres_per_unit;
            let span = Span {
                start: start as f32,
                end: end as f32,
            };
            start = end + f64::from(WALL);
            span
        })
        .collect()
}

/// Returns which rooms have no door.
///
/// Such rooms are only in odd rows and odd columns. All other rooms are in an even row or an even column.
/// These rows and columns cross one another, so all other rooms can be connected.
fn islands(building: &Building, rooms: &[FurnishedRoom], seed: u64, floor: u32) -> Vec<bool> {
    let cells: usize = rooms.iter().map(FurnishedRoom::free_cells).sum();
    let mut budget = cells as f32 * MAX_ISLANDS;
    let mut candidates: Vec<usize> = (0..rooms.len())
        .filter(|room| room / building.columns % 2 == 1 && room % building.columns % 2 == 1)
        .collect();
    stream(seed, StreamId::Islands, floor, 0).shuffle(&mut candidates);
    let mut islands = vec![false; rooms.len()];
    for room in candidates {
        budget -= rooms[room].free_cells() as f32;
        if budget < 0.0 {
            break;
        }
        islands[room] = true;
    }
    islands
}

/// Returns the doors of a random spanning tree of the rooms (Kruskal's algorithm on the walls in random
/// order), and some more.
fn doors(building: &Building, islands: &[bool], seed: u64, floor: u32) -> Vec<[bool; 2]> {
    let mut walls = Vec::with_capacity(2 * islands.len());
    for room in 0..islands.len() {
        if room % building.columns + 1 < building.columns {
            walls.push((room, DoorDirection::East));
        }
        if room + building.columns < islands.len() {
            walls.push((room, DoorDirection::North));
        }
    }
    walls.retain(|&(room, direction)| {
        !islands[room] && !islands[room + direction.step(building.columns)]
    });
    let mut random = stream(seed, StreamId::Doors, floor, 0);
    random.shuffle(&mut walls);

    let mut connected = UnionFind::new(islands.len());
    let mut doors = vec![[false; 2]; islands.len()];
    for (room, direction) in walls {
        let neighbour = room + direction.step(building.columns);
        let is_needed = connected.join(room as u32, neighbour as u32);
        doors[room][direction as usize] = is_needed || random.chance(EXTRA_DOOR_PROBABILITY);
    }
    doors
}
