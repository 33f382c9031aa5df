//! A dungeon: rooms at three heights, connected by corridors with stairs, mostly without ceilings.
//!
//! Rooms have pillars, tombs, a dais or a gallery along a wall. Some galleries have no stairs and some rooms
//! have a vault; neither can be reached. Larger sizes have more rooms.

mod rooms;

use std::collections::VecDeque;

use glam::{Vec2, vec2, vec3};
use portolan_core::union_find::UnionFind;

use crate::levels::plan::ScenePlan;
use crate::model::{Material, Model};
use crate::random::Random;

pub(crate) const DESCRIPTION: &str =
    "rooms and corridors at three heights, with stairs, pillars, tombs and galleries";

/// Distance between the centres of neighbouring rooms.
const PITCH: f32 = 19.0;
/// Difference in height between levels.
const LEVEL: f32 = 2.4;
/// Height of the bottom of all floors.
const BASE: f32 = -1.0;
/// Thickness of walls.
const WALL: f32 = 0.6;
/// Width of a corridor between its walls.
const CORRIDOR: f32 = 3.0;
/// Approximate number of polygons per room after a bake, including its corridors.
const POLYGONS: f32 = 11.2;
/// Number of polygons that are missing at the edge of the dungeon, where rooms have fewer corridors.
const MISSING_AT_EDGE: f32 = 12.0;

/// A room. `doors` are the sides with a corridor: east, south, west, north.
#[derive(Clone, Debug)]
struct DungeonRoom {
    centre: Vec2,
    half: Vec2,
    floor: f32,
    doors: [bool; 4],
}

pub(crate) fn build(plan: &ScenePlan) -> Model {
    let mut rooms = lay_out(plan);
    let corridors = connect(plan, &mut rooms);
    let mut model = Model::new();
    for (index, room) in rooms.iter().enumerate() {
        room.build(&mut model, &mut plan.random(1000 + index as u64), index);
    }
    for &(from, to) in &corridors {
        corridor(&mut model, &rooms[from], &rooms[to]);
    }
    model
}

/// Places rooms on a grid. Each room contains the centre of its cell, so that corridors are straight.
fn lay_out(plan: &ScenePlan) -> Vec<DungeonRoom> {
    let count = ((plan.polygons + MISSING_AT_EDGE) / POLYGONS)
        .round()
        .max(2.0) as usize;
    let columns = columns(count);
    let mut random = plan.random(1);
    (0..count)
        .map(|index| {
            let cell = vec2((index % columns) as f32, (index / columns) as f32);
            let half = vec2(random.between(4.6, 6.2), random.between(4.6, 6.2));
            let shift = vec2(random.between(-1.0, 1.0), random.between(-1.0, 1.0));
            DungeonRoom {
                centre: cell * PITCH + shift,
                half,
                floor: 0.0,
                doors: [false; 4],
            }
        })
        .collect()
}

fn columns(count: usize) -> usize {
    (1.2 * count as f32).sqrt().ceil() as usize
}

/// Adds corridors that connect all rooms, and some more. A corridor leads to the next room in the east or
/// south. Connected rooms differ by one level at most.
fn connect(plan: &ScenePlan, rooms: &mut [DungeonRoom]) -> Vec<(usize, usize)> {
    let columns = columns(rooms.len());
    let mut random = plan.random(2);
    let mut candidates: Vec<(usize, usize)> = (0..rooms.len())
        .flat_map(|room| {
            let east = (room % columns + 1 < columns).then_some((room, room + 1));
            [east, Some((room, room + columns))]
        })
        .flatten()
        .filter(|&(_, to)| to < rooms.len())
        .collect();
    random.shuffle(&mut candidates);
    let mut connected = UnionFind::new(rooms.len());
    let (mut corridors, spare): (Vec<_>, Vec<_>) = candidates
        .into_iter()
        .partition(|&(from, to)| connected.join(from as u32, to as u32));

    let levels = levels(&mut random, rooms.len(), &corridors);
    let loops = rooms.len() / 5;
    let is_near = |&(from, to): &(usize, usize)| levels[from].abs_diff(levels[to]) <= 1;
    corridors.extend(spare.into_iter().filter(is_near).take(loops));
    for (room, &level) in rooms.iter_mut().zip(&levels) {
        room.floor = LEVEL * level as f32;
    }
    for &(from, to) in &corridors {
        let side = if to == from + 1 && columns > 1 { 0 } else { 1 };
        rooms[from].doors[side] = true;
        rooms[to].doors[side + 2] = true;
    }
    corridors
}

/// Returns a level for each room. Connected rooms differ by one level at most.
fn levels(random: &mut Random, rooms: usize, corridors: &[(usize, usize)]) -> Vec<u32> {
    let mut neighbours = vec![Vec::new(); rooms];
    for &(from, to) in corridors {
        neighbours[from].push(to);
        neighbours[to].push(from);
    }
    let mut levels = vec![u32::MAX; rooms];
    levels[0] = 1;
    let mut queue = VecDeque::from([0]);
    while let Some(room) = queue.pop_front() {
        for &next in &neighbours[room] {
            if levels[next] == u32::MAX {
                levels[next] = (levels[room] + random.below(3)).clamp(1, 3) - 1;
                queue.push_back(next);
            }
        }
    }
    levels
}

/// Adds a corridor between two rooms, with stairs at its midpoint if the rooms differ in height.
fn corridor(model: &mut Model, from: &DungeonRoom, to: &DungeonRoom) {
    const STAIRS: f32 = 4.8;
    let is_east = to.centre.x - from.centre.x > 0.5 * PITCH;
    // The corridor follows the grid line of both cells; see `lay_out`.
    let grid = (from.centre / PITCH).round() * PITCH;
    let along = |distance: f32, across: f32| {
        if is_east {
            vec2(distance, grid.y + across)
        } else {
            vec2(grid.x + across, distance)
        }
    };
    let (start, end) = if is_east {
        (from.centre.x + from.half.x, to.centre.x - to.half.x)
    } else {
        (from.centre.y + from.half.y, to.centre.y - to.half.y)
    };
    let half = 0.5 * CORRIDOR;
    let mut floor = |low: f32, high: f32, top: f32| {
        let (a, b) = (along(low, -half - WALL), along(high, half + WALL));
        let (min, max) = (a.min(b), a.max(b));
        model.paint(Material::Stone);
        model.block(vec3(min.x, BASE, min.y), vec3(max.x, top, max.y));
    };
    let centre = 0.5 * (start + end);
    if from.floor == to.floor {
        floor(start, end, from.floor);
    } else {
        let (first, last) = (centre - 0.5 * STAIRS, centre + 0.5 * STAIRS);
        floor(start, first, from.floor);
        floor(first, last, from.floor.min(to.floor));
        floor(last, end, to.floor);
        let (low, high) = (along(first, 0.0), along(last, 0.0));
        model.paint(Material::Rock);
        model.stairs(
            vec3(low.x, from.floor, low.y),
            vec3(high.x, to.floor, high.y),
            CORRIDOR,
            0.2,
        );
    }
    model.paint(Material::Brick);
    let top = from.floor.max(to.floor) + 2.0;
    for side in [-1.0, 1.0] {
        let across = side * (half + 0.5 * WALL);
        let bottom = from.floor.min(to.floor);
        model.wall(
            along(start, across),
            along(end, across),
            bottom,
            top,
            WALL,
            &[],
        );
    }
}
