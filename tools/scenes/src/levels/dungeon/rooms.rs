//! The rooms of a dungeon: walls, doors and furnishings.

use glam::{Vec2, vec2, vec3};

use super::{BASE, CORRIDOR, DungeonRoom, PITCH, WALL};
use crate::model::{Frame, Gap, Material, Model, rectangle, turn};
use crate::random::Random;

/// Height of the walls of a room.
const HEIGHT: f32 = 4.0;

impl DungeonRoom {
    pub(super) fn build(&self, model: &mut Model, random: &mut Random, index: usize) {
        let (min, max) = (self.centre - self.half, self.centre + self.half);
        model.paint(Material::Stone);
        model.block(vec3(min.x, BASE, min.y), vec3(max.x, self.floor, max.y));
        self.walls(model);
        let frame = Frame::at(vec3(self.centre.x, self.floor, self.centre.y));
        model.within(frame, |model| match index % 4 {
            0 => self.pillars(model, random),
            1 => self.tombs(model, random),
            2 => self.dais(model, random),
            _ => self.gallery(model, random),
        });
        if index % 7 == 5 {
            model.paint(Material::Rock);
            let top = self.floor + HEIGHT;
            model.block(vec3(min.x, top, min.y), vec3(max.x, top + 0.5, max.y));
        }
    }

    /// Adds walls inside the room's outline, with a door for each corridor.
    fn walls(&self, model: &mut Model) {
        let inset = self.half - 0.5 * WALL;
        let [nw, sw, se, ne] = rectangle(self.centre - inset, self.centre + inset);
        // The centre lines of the corridors along z and x.
        let grid = (self.centre / PITCH).round() * PITCH;
        let walls = [(ne, se), (sw, se), (nw, sw), (nw, ne)];
        model.paint(Material::Brick);
        for (side, (from, to)) in walls.into_iter().enumerate() {
            let at = if side % 2 == 0 {
                grid.y - from.y
            } else {
                grid.x - from.x
            };
            let door = [Gap {
                head: 2.8,
                ..Gap::open(at, CORRIDOR - 0.6)
            }];
            let gaps = &door[..usize::from(self.doors[side])];
            // The walls along x include the corners.
            let end = if side % 2 == 1 {
                vec2(0.5 * WALL, 0.0)
            } else {
                Vec2::ZERO
            };
            let gaps: Vec<Gap> = gaps
                .iter()
                .map(|gap| Gap {
                    at: gap.at + end.x,
                    ..*gap
                })
                .collect();
            model.wall(
                from - end,
                to + end,
                self.floor,
                self.floor + HEIGHT,
                WALL,
                &gaps,
            );
        }
    }

    /// Adds two rows of pillars that keep the paths between doors free.
    fn pillars(&self, model: &mut Model, random: &mut Random) {
        let position = (self.half - WALL) * random.between(0.56, 0.62);
        for corner in rectangle(-position, position) {
            model.paint(Material::Stone);
            model.column(corner, 0.9, 8, 0.0, 0.4);
            model.column(corner, 0.6, 8, 0.4, HEIGHT);
        }
    }

    fn tombs(&self, model: &mut Model, random: &mut Random) {
        let position = (self.half - WALL) * 0.55;
        for corner in rectangle(-position, position).into_iter().take(3) {
            let east = turn(random.pick(&[0, 12]));
            model.within(Frame::new(vec3(corner.x, 0.0, corner.y), east), |model| {
                model.paint(Material::Rock);
                model.block(vec3(-1.2, 0.0, -0.6), vec3(1.2, 1.0, 0.6));
                model.paint(Material::Stone);
                model.block(vec3(-1.3, 1.0, -0.7), vec3(1.3, 1.2, 0.7));
            });
        }
    }

    /// Adds an altar with two steps.
    fn dais(&self, model: &mut Model, random: &mut Random) {
        let half = vec2(random.between(2.0, 2.6), random.between(2.0, 2.6));
        model.paint(Material::Stone);
        for (step, wide) in [(0.0, 0.5), (0.25, 0.0)] {
            let (min, max) = (-half - wide, half + wide);
            model.block(vec3(min.x, step, min.y), vec3(max.x, step + 0.25, max.y));
        }
        model.paint(Material::Rock);
        model.block(vec3(-0.9, 0.5, -0.5), vec3(0.9, 1.7, 0.5));
        model.paint(Material::Signal);
        model.column(vec2(0.5, 0.0), 0.12, 6, 1.7, 2.0);
    }

    /// Adds a gallery along the west wall. Some galleries have stairs.
    fn gallery(&self, model: &mut Model, random: &mut Random) {
        const TOP: f32 = 2.6;
        let inner = self.half - WALL;
        let edge = -inner.x + 2.6;
        model.paint(Material::Wood);
        model.block(
            vec3(-inner.x, TOP - 0.3, -inner.y),
            vec3(edge, TOP, inner.y),
        );
        for z in [-0.6, 0.6] {
            model.column(vec2(edge - 0.2, z * inner.y), 0.2, 6, 0.0, TOP - 0.3);
        }
        // The stairs are at a wall without a door, where they block nothing.
        let free_side = [1, 3].into_iter().find(|&side| !self.doors[side]);
        if let Some(side) = free_side.filter(|_| random.chance(0.6)) {
            let z = (inner.y - 1.1) * if side == 1 { 1.0 } else { -1.0 };
            model.stairs(vec3(edge + 4.2, 0.0, z), vec3(edge, TOP, z), 2.2, 0.2);
        } else {
            model.paint(Material::Rock);
            model.block(vec3(1.0, 0.0, 0.8), vec3(2.6, 1.2, 2.0));
        }
    }
}
