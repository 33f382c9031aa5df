//! A building: rooms, walls, doors and furniture.

use super::WorldOptions;
use super::furnished_room::{Room, Side, Span};
use super::ground::Ground;
use super::hilbert::hilbert_order;
use super::links::add_links;
use super::stairs::{WestEdge, join_floors, ramps};
use super::streams::{Quota, Use, stream};
use portolan_core::RawNavMesh;
use portolan_core::union_find::UnionFind;

/// The mean size of a room and the thickness of a wall, in metres.
const ROOM: f32 = 6.5;
const WALL: f32 = 0.3;
/// What a room and its doors come to when two in five of the pairs of cells are split. It
/// sets the number of rooms; the share of split pairs makes up for what it misses.
const POLYGONS_PER_ROOM: f64 = 20.5;
/// Rooms without a door take no more than this share of a floor's cells.
const ISLANDS: f32 = 0.04;
/// The share of the walls that get a door although both rooms are connected already.
const EXTRA_DOORS: f32 = 0.35;

pub(super) fn build(options: &WorldOptions) -> RawNavMesh {
    let options = options.within_limits();
    let building = Building::new(&options);
    let ramps = ramps(options.floors, building.depth());

    let mut ground = Ground::new(&options);
    let mut west = Vec::new();
    for floor in 0..options.floors {
        let polygons = options.polygons_of_floor(floor, ground.polygons(), ramps);
        let plan = FloorPlan::new(&building, options.seed, floor);
        let first_vertices = plan.lay(&mut ground, polygons, options.seed);
        west.push(plan.west_edges(&first_vertices));
    }
    join_floors(&mut ground, &west, building.depth());

    let mut mesh = ground.into_mesh();
    if options.links {
        add_links(&mut mesh, options.seed);
    }
    mesh
}

/// What all floors have in common.
struct Building {
    columns: usize,
    rows: usize,
}

impl Building {
    fn new(options: &WorldOptions) -> Self {
        let rooms = options.polygons_per_floor() / POLYGONS_PER_ROOM;
        let columns = rooms.sqrt().round().max(1.0);
        // A stairwell is longer than one room.
        let least_rows = if options.floors > 1 { 2.0 } else { 1.0 };
        let rows = (rooms / columns).round().max(least_rows);
        Self {
            columns: columns as usize,
            rows: rows as usize,
        }
    }

    /// From the first to the last row, in metres.
    fn depth(&self) -> f32 {
        self.rows as f32 * (ROOM + WALL) - WALL
    }
}

/// Rooms and doors of one floor. Room `row * columns + column` stands in that row and column.
struct FloorPlan {
    floor: u32,
    columns: usize,
    rooms: Vec<Room>,
    /// Per room, whether it has a door to the next room east and to the next room north.
    doors: Vec<[bool; 2]>,
}

impl FloorPlan {
    fn new(building: &Building, seed: u64, floor: u32) -> Self {
        let columns = spans(building.columns, seed, floor, 0);
        let rows = spans(building.rows, seed, floor, 1);
        let rooms: Vec<Room> = (rows.iter())
            .flat_map(|&depth| columns.iter().map(move |&width| (width, depth)))
            .enumerate()
            .map(|(room, (width, depth))| {
                let mut random = stream(seed, Use::Furniture, floor, room as u64);
                Room::new(width, depth, &mut random)
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

    /// Adds the rooms along a Hilbert curve, each followed by its doors to those before it. Gives
    /// the first vertex of each room.
    fn lay(&self, ground: &mut Ground, polygons: usize, seed: u64) -> Vec<u32> {
        const NOT_YET: u32 = u32::MAX;
        let mut splits = self.splits(polygons, seed);
        let mut first_vertices = vec![NOT_YET; self.rooms.len()];
        for room in hilbert_order(self.columns, self.rooms.len() / self.columns) {
            let room = room as usize;
            let area = self.area(room, seed);
            first_vertices[room] = self.rooms[room].lay(ground, self.floor, area, &mut splits);
            for (low, high, direction) in self.doors_of(room) {
                if first_vertices[low] != NOT_YET && first_vertices[high] != NOT_YET {
                    self.lay_door(ground, &first_vertices, [low, high], direction, seed);
                }
            }
        }
        first_vertices
    }

    /// Chooses the pairs of cells to split so that the floor gets as many polygons as it should.
    fn splits(&self, polygons: usize, seed: u64) -> Quota {
        let (mut least, mut pairs) = (0, 0);
        for (room, doors) in self.rooms.iter().zip(&self.doors) {
            let (runs, pairs_here) = room.count_runs();
            least += runs + doors.iter().filter(|&&door| door).count();
            pairs += pairs_here;
        }
        let random = stream(seed, Use::Splits, self.floor, 0);
        Quota::new(polygons.saturating_sub(least), pairs, random)
    }

    /// Two rooms in five are carpeted, muddy or flooded.
    fn area(&self, room: usize, seed: u64) -> u8 {
        let mut random = stream(seed, Use::Areas, self.floor, room as u64);
        match random.below(15) {
            patch @ 0..6 => 1 + (patch % 3) as u8,
            _ => 0,
        }
    }

    /// The doors on all sides of a room: the room west or south of the door, the one east or
    /// north of it, and the direction from the first to the second.
    fn doors_of(&self, room: usize) -> impl Iterator<Item = (usize, usize, Direction)> {
        let sides = [
            (Some(room), Direction::East),
            (Some(room), Direction::North),
            (room.checked_sub(1), Direction::East),
            (room.checked_sub(self.columns), Direction::North),
        ];
        sides.into_iter().filter_map(|(low, direction)| {
            let low = low?;
            let high = low + direction.step(self.columns);
            self.doors[low][direction as usize].then_some((low, high, direction))
        })
    }

    /// Adds a quad through the wall, from a random cell of the first room to the cell of the
    /// second that faces it best. The two edges are parallel, so that the quad is convex.
    fn lay_door(
        &self,
        ground: &mut Ground,
        first_vertices: &[u32],
        rooms: [usize; 2],
        direction: Direction,
        seed: u64,
    ) {
        let (near_side, far_side) = match direction {
            Direction::East => (Side::East, Side::West),
            Direction::North => (Side::North, Side::South),
        };
        let [near, far] = rooms.map(|room| &self.rooms[room]);

        let door = 2 * rooms[0] as u64 + direction as u64;
        let mut random = stream(seed, Use::DoorPlace, self.floor, door);
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
            Direction::East => [near_start, far_start, far_end, near_end],
            Direction::North => [near_start, near_end, far_end, far_start],
        };
        ground.polygon(corners, 0);
    }

    /// The border edges along the western wall. No island stands there.
    fn west_edges(&self, first_vertices: &[u32]) -> Vec<WestEdge> {
        let first_column = (0..self.rooms.len()).step_by(self.columns);
        first_column
            .flat_map(|room| {
                let vertex = move |line| {
                    first_vertices[room] + self.rooms[room].wall_vertex(Side::West, line)
                };
                (0..self.rooms[room].wall_cells(Side::West))
                    .map(move |cell| [vertex(cell), vertex(cell + 1)])
            })
            .collect()
    }
}

/// From a room to the one behind a wall.
#[derive(Clone, Copy)]
enum Direction {
    East,
    North,
}

impl Direction {
    fn step(self, columns: usize) -> usize {
        match self {
            Self::East => 1,
            Self::North => columns,
        }
    }
}

/// Widths of rooms along one axis, every fifth or so as narrow as a corridor, stretched so that
/// all floors are equally long.
fn spans(count: usize, seed: u64, floor: u32, axis: u64) -> Vec<Span> {
    let mut random = stream(seed, Use::Spans, floor, axis);
    let shares: Vec<f32> = (0..count)
        .map(|_| match random.below(5) {
            0 => 0.5,
            _ => random.between(0.8, 1.5),
        })
        .collect();
    let sum: f64 = shares.iter().copied().map(f64::from).sum();
    let metres_per_share = f64::from(ROOM) * count as f64 / sum;
    let mut start = 0.0;
    shares
        .into_iter()
        .map(|share| {
            let end = start + f64::from(share) * metres_per_share;
            let span = Span {
                start: start as f32,
                end: end as f32,
            };
            start = end + f64::from(WALL);
            span
        })
        .collect()
}

/// The rooms that get no door.
///
/// They stand in odd rows and odd columns only. So all even rows and all even columns are free of
/// them; these cross one another, and every other room stands on one: the rest is connected.
fn islands(building: &Building, rooms: &[Room], seed: u64, floor: u32) -> Vec<bool> {
    let cells: usize = rooms.iter().map(Room::free_cells).sum();
    let mut budget = cells as f32 * ISLANDS;
    let mut candidates: Vec<usize> = (0..rooms.len())
        .filter(|room| room / building.columns % 2 == 1 && room % building.columns % 2 == 1)
        .collect();
    stream(seed, Use::Islands, floor, 0).shuffle(&mut candidates);
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

/// A random spanning tree of the rooms (Kruskal over the walls in random order), and some doors
/// more.
fn doors(building: &Building, islands: &[bool], seed: u64, floor: u32) -> Vec<[bool; 2]> {
    let mut walls = Vec::with_capacity(2 * islands.len());
    for room in 0..islands.len() {
        if room % building.columns + 1 < building.columns {
            walls.push((room, Direction::East));
        }
        if room + building.columns < islands.len() {
            walls.push((room, Direction::North));
        }
    }
    walls.retain(|&(room, direction)| {
        !islands[room] && !islands[room + direction.step(building.columns)]
    });
    let mut random = stream(seed, Use::Doors, floor, 0);
    random.shuffle(&mut walls);

    let mut connected = UnionFind::new(islands.len());
    let mut doors = vec![[false; 2]; islands.len()];
    for (room, direction) in walls {
        let neighbour = room + direction.step(building.columns);
        let needed = connected.join(room as u32, neighbour as u32);
        doors[room][direction as usize] = needed || random.chance(EXTRA_DOORS);
    }
    doors
}
