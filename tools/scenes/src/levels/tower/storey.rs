//! The storeys of a tower: outer walls, rooms and furniture.

use glam::{Vec2, vec2, vec3};

use super::{PODIUM, SLAB, STOREY, TOWER, WELL};
use crate::model::{Frame, Gap, Material, Model};
use crate::random::Random;

/// Width of the corridor between the walls of the stairwell and the rooms.
const CORRIDOR: f32 = 2.6;
/// Thickness of outer walls.
const WALL: f32 = 0.3;

/// Returns the four sides of a rectangle: the direction along the side, half of its length, and its distance
/// from the centre.
fn sides(half: Vec2) -> [(Vec2, f32, f32); 4] {
    [
        (vec2(1.0, 0.0), half.x, half.y),
        (vec2(0.0, 1.0), half.y, half.x),
        (vec2(-1.0, 0.0), half.x, half.y),
        (vec2(0.0, -1.0), half.y, half.x),
    ]
}

/// Adds everything between two slabs except the stairs.
pub(super) fn furnish(
    model: &mut Model,
    random: &mut Random,
    half: Vec2,
    base: f32,
    is_ground: bool,
) {
    let top = base + STOREY - SLAB;
    let balcony = if is_ground || random.chance(0.4) {
        4
    } else {
        random.below(4) as usize
    };
    for (side, (east, length, distance)) in sides(half).into_iter().enumerate() {
        // Local x points along the wall, local z outwards.
        model.within(Frame::new(vec3(0.0, base, 0.0), east), |model| {
            facade(
                model,
                length,
                distance - 0.5 * WALL,
                is_ground,
                side == balcony,
            );
        });
    }
    if is_ground {
        lobby(model, base, top);
    } else if random.chance(0.3) {
        hall(model, random, base, top);
    } else {
        rooms(model, random, base, top);
    }
}

/// Adds an outer wall with windows, and with a door on the ground floor or to a balcony.
fn facade(model: &mut Model, length: f32, distance: f32, is_ground: bool, has_balcony: bool) {
    const BAY: f32 = 3.6;
    let height = STOREY - SLAB;
    let bays = (2.0 * length / BAY) as u32;
    let width = 2.0 * length / bays as f32;
    let gaps: Vec<Gap> = (0..bays)
        .map(|bay| {
            let at = (bay as f32 + 0.5) * width;
            let is_middle = bay == bays / 2;
            if is_middle && (is_ground || has_balcony) {
                Gap::door(at, 2.4)
            } else {
                Gap {
                    at,
                    width: width - 1.0,
                    sill: 1.0,
                    head: 2.8,
                }
            }
        })
        .collect();
    let [from, to] = [-length, length].map(|x| vec2(x, distance));
    model.paint(if is_ground {
        Material::Stone
    } else {
        Material::Plaster
    });
    model.wall(from, to, 0.0, height, WALL, &gaps);
    model.paint(Material::Concrete);
    for bay in 0..=bays {
        let x = (bay as f32 * width - length).clamp(0.3 - length, length - 0.3);
        let near = distance + 0.5 * WALL;
        model.block(vec3(x - 0.3, 0.0, near), vec3(x + 0.3, STOREY, near + 0.3));
    }
    if has_balcony {
        let door = (bays / 2) as f32 * width + 0.5 * width - length;
        balcony(model, door, distance + 0.5 * WALL);
    }
}

fn balcony(model: &mut Model, centre: f32, near: f32) {
    let (west, east, far) = (centre - 5.0, centre + 5.0, near + 3.2);
    model.paint(Material::Concrete);
    model.block(vec3(west, -SLAB, near), vec3(east, 0.0, far));
    model.paint(Material::Glass);
    let line = [
        vec2(west, near),
        vec2(west, far),
        vec2(east, far),
        vec2(east, near),
    ];
    model.wall_along(&line, false, 0.0, 1.2, 0.1);
}

/// Adds the columns and two desks of the ground floor.
fn lobby(model: &mut Model, base: f32, top: f32) {
    model.paint(Material::Stone);
    for x in [-1.0, -0.34, 0.34, 1.0] {
        for z in [-1.0, 1.0] {
            model.column(vec2(x * TOWER.x, z * TOWER.y), 0.5, 12, base, top);
        }
    }
    model.paint(Material::Wood);
    for x in [-1.0, 1.0] {
        let x = x * 0.5 * (PODIUM.x + WELL.x);
        model.block(vec3(x - 0.6, base, -3.0), vec3(x + 0.6, base + 1.2, 3.0));
    }
}

/// Adds the pillars and desks of an open hall.
fn hall(model: &mut Model, random: &mut Random, base: f32, top: f32) {
    let ring = 0.5 * (TOWER + WELL) + 0.6;
    model.paint(Material::Concrete);
    for x in [-1.0, 0.0, 1.0] {
        for z in [-1.0, 1.0] {
            let position = ring * vec2(x, z);
            model.column(position, 0.4, 8, base, top);
        }
    }
    for side in [-1.0, 1.0] {
        for x in [-0.5, 0.5] {
            let position = vec2(
                x * ring.x + random.between(-1.0, 1.0),
                side * (TOWER.y - 2.2),
            );
            desk(model, position, base, vec2(1.6, 0.6));
        }
    }
}

/// Adds rooms on the four sides of the corridor.
fn rooms(model: &mut Model, random: &mut Random, base: f32, top: f32) {
    let inner = WELL + 0.3 + CORRIDOR;
    let outer = TOWER - WALL;
    for (side, (east, length, distance)) in sides(inner).into_iter().enumerate() {
        let is_long = side % 2 == 0;
        let end = if is_long { outer.x } else { inner.y };
        let depth = if is_long { outer.y } else { outer.x } - distance;
        model.within(Frame::new(vec3(0.0, base, 0.0), east), |model| {
            let row = RoomRow {
                end,
                door_end: length,
                near: distance,
                depth,
                height: top - base,
            };
            let count = if is_long { 1 + random.below(3) } else { 1 };
            row.rooms(model, random, count);
        });
    }
}

/// A row of rooms. Local x points along the corridor, local z away from it.
struct RoomRow {
    /// Half of the length of the row.
    end: f32,
    /// Half of the length of the corridor, where doors can be.
    door_end: f32,
    near: f32,
    depth: f32,
    height: f32,
}

impl RoomRow {
    fn rooms(&self, model: &mut Model, random: &mut Random, count: u32) {
        let width = 2.0 * self.door_end / count as f32;
        let mut cuts = vec![-self.end];
        for cut in 1..count {
            cuts.push(cut as f32 * width - self.door_end + random.between(-0.8, 0.8));
        }
        cuts.push(self.end);
        let mut doors = Vec::new();
        for pair in cuts.windows(2) {
            let low = pair[0].max(-self.door_end) + 1.3;
            let high = pair[1].min(self.door_end) - 1.3;
            doors.push(random.between(low, high));
            self.furnish(model, random, pair[0], pair[1]);
        }
        model.paint(Material::Plaster);
        for &cut in &cuts[1..cuts.len() - 1] {
            let (from, to) = (vec2(cut, self.near), vec2(cut, self.near + self.depth));
            model.wall(from, to, 0.0, self.height, 0.2, &[]);
        }
        let gaps: Vec<Gap> = doors.iter().map(|x| Gap::door(x + self.end, 1.8)).collect();
        let (from, to) = (vec2(-self.end, self.near), vec2(self.end, self.near));
        model.wall(from, to, 0.0, self.height, 0.2, &gaps);
    }

    /// Adds a desk in the middle of a room, or a cupboard at the window.
    fn furnish(&self, model: &mut Model, random: &mut Random, west: f32, east: f32) {
        let centre = vec2(0.5 * (west + east), self.near + 0.5 * self.depth);
        if east - west > 5.0 && random.chance(0.6) {
            let position = centre + vec2(random.between(-0.6, 0.6), 0.4);
            desk(model, position, 0.0, vec2(1.2, 0.5));
        } else {
            let far = self.near + self.depth;
            model.paint(Material::Wood);
            model.block(
                vec3(centre.x - 1.2, 0.0, far - 0.6),
                vec3(centre.x + 1.2, 2.0, far),
            );
        }
    }
}

/// Adds a desk that is too high to step on.
fn desk(model: &mut Model, position: Vec2, base: f32, half: Vec2) {
    model.paint(Material::Wood);
    let (min, max) = (position - half, position + half);
    model.block(vec3(min.x, base, min.y), vec3(max.x, base + 1.1, max.y));
}
