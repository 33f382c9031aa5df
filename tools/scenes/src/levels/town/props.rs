//! Props for streets, squares and gardens. Agents have to walk around all of them.

use glam::{Vec2, Vec3, vec2, vec3};

use super::claims::ClaimMap;
use super::outline::{bounds, contains, oriented_rectangle};
use crate::model::{Frame, Material, Model, at, ngon, turn};
use crate::random::Random;

/// A prop. Obstacles are higher than the default climb of an agent, 0.9 m.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prop {
    /// A tree with a round crown above head height.
    Tree,
    /// A tree with a conical crown.
    Conifer,
    /// A trunk with a tuft of leaves.
    Palm,
    /// A boulder, steep on all sides.
    Boulder,
    Lamp,
    /// A bench whose back is too high to step over.
    Bench,
    /// A stack of boxes.
    Crates,
    Barrel,
    /// A stone box with a shrub in it.
    Planter,
    /// Four posts, a table and an awning.
    Stall,
    Well,
    Statue,
    Cart,
    /// A basin with a column in it.
    Fountain,
    /// A light pole of a city of the future.
    Pylon,
    /// A box of glass and metal.
    Kiosk,
    /// A hover car at rest.
    Car,
}

impl Prop {
    /// Returns the length and the width on the ground, in metres.
    fn footprint(self) -> Vec2 {
        match self {
            Self::Tree | Self::Conifer => vec2(0.7, 0.7),
            Self::Palm | Self::Lamp => vec2(0.5, 0.5),
            Self::Boulder => vec2(2.4, 2.0),
            Self::Bench => vec2(1.8, 0.6),
            Self::Crates => vec2(2.0, 1.6),
            Self::Barrel => vec2(0.9, 0.9),
            Self::Planter => vec2(2.2, 1.1),
            Self::Stall => vec2(3.2, 2.0),
            Self::Well => vec2(2.0, 2.0),
            Self::Statue => vec2(1.6, 1.6),
            Self::Cart => vec2(3.0, 1.5),
            Self::Fountain => vec2(7.0, 7.0),
            Self::Pylon => vec2(0.8, 0.8),
            Self::Kiosk => vec2(3.0, 2.4),
            Self::Car => vec2(4.2, 1.9),
        }
    }

    /// Adds the prop if no claim is within `clear` metres of it. Returns whether it did.
    pub(crate) fn try_place(
        self,
        model: &mut Model,
        claims: &mut ClaimMap,
        position: Vec3,
        along: Vec2,
        clear: f32,
        random: &mut Random,
    ) -> bool {
        let size = self.footprint();
        let outline = oriented_rectangle(vec2(position.x, position.z), along, size.x, size.y);
        let is_free = claims.try_claim(&outline, clear);
        if is_free {
            model.within(Frame::new(position, along), |model| {
                self.draw(model, random)
            });
        }
        is_free
    }

    fn draw(self, model: &mut Model, random: &mut Random) {
        match self {
            Self::Tree => {
                let height = random.between(2.6, 3.4);
                let crown = random.between(1.3, 2.1);
                model.paint(Material::Wood);
                model.column(Vec2::ZERO, 0.3, 6, 0.0, height + 0.4);
                model.paint(Material::Leaves);
                model.taper(
                    &ngon(Vec2::ZERO, crown, 6),
                    height,
                    height + 1.4 * crown,
                    0.6,
                );
                model.taper(
                    &ngon(Vec2::ZERO, 0.6 * crown, 6),
                    height + 1.4 * crown,
                    height + 2.2 * crown,
                    0.1,
                );
            }
            Self::Conifer => {
                let height = random.between(6.0, 10.0);
                model.paint(Material::Wood);
                model.column(Vec2::ZERO, 0.3, 6, 0.0, 2.6);
                model.paint(Material::Leaves);
                model.cone(Vec2::ZERO, 1.7, 8, 2.3, height);
            }
            Self::Palm => palm(model, random),
            Self::Boulder => {
                let foot = ngon(Vec2::ZERO, 1.0, 6)
                    .iter()
                    .map(|&corner| corner * vec2(1.2, 1.0) * random.between(0.85, 1.1))
                    .collect::<Vec<_>>();
                model.paint(Material::Rock);
                model.taper(
                    &foot,
                    -1.2,
                    random.between(1.2, 2.2),
                    random.between(0.35, 0.55),
                );
            }
            Self::Lamp => {
                model.paint(Material::Metal);
                model.column(Vec2::ZERO, 0.2, 6, 0.0, 4.0);
                model.paint(Material::Signal);
                model.cone(Vec2::ZERO, 0.35, 6, 4.0, 4.6);
            }
            Self::Bench => {
                model.paint(Material::Wood);
                model.block(vec3(-0.9, 0.0, -0.3), vec3(0.9, 0.5, 0.3));
                model.block(vec3(-0.9, 0.5, 0.1), vec3(0.9, 1.1, 0.3));
            }
            Self::Crates => {
                model.paint(Material::Wood);
                model.block(vec3(-1.0, 0.0, -0.8), vec3(0.1, 1.1, 0.4));
                model.block(vec3(0.15, 0.0, -0.5), vec3(1.0, 1.0, 0.8));
                model.block(vec3(-0.7, 1.1, -0.6), vec3(0.0, 1.8, 0.2));
            }
            Self::Barrel => {
                model.paint(Material::Wood);
                model.column(Vec2::ZERO, 0.45, 8, 0.0, 1.1);
            }
            Self::Planter => {
                model.paint(Material::Stone);
                model.block(vec3(-1.1, 0.0, -0.55), vec3(1.1, 0.8, 0.55));
                model.paint(Material::Leaves);
                model.taper(
                    &oriented_rectangle(Vec2::ZERO, Vec2::X, 1.9, 0.8),
                    0.8,
                    1.7,
                    0.5,
                );
            }
            Self::Stall => {
                model.paint(Material::Wood);
                model.block(vec3(-1.4, 0.0, -0.6), vec3(1.4, 1.0, 0.2));
                for x in [-1.5, 1.4] {
                    for z in [-0.9, 0.8] {
                        model.block(vec3(x, 0.0, z), vec3(x + 0.1, 2.4, z + 0.1));
                    }
                }
                model.paint(random.pick(&[Material::Roof, Material::Signal, Material::Plaster]));
                model.gable(vec2(-1.7, -1.1), vec2(1.7, 1.1), 2.4, 3.6);
            }
            Self::Well => {
                model.paint(Material::Stone);
                model.column(Vec2::ZERO, 1.0, 8, 0.0, 1.0);
                model.paint(Material::Wood);
                for x in [-0.9, 0.75] {
                    model.block(vec3(x, 1.0, -0.1), vec3(x + 0.15, 2.6, 0.1));
                }
                model.paint(Material::Roof);
                model.gable(vec2(-1.2, -0.8), vec2(1.2, 0.8), 2.6, 3.6);
            }
            Self::Statue => {
                model.paint(Material::Stone);
                model.block(vec3(-0.8, 0.0, -0.8), vec3(0.8, 1.4, 0.8));
                model.paint(Material::Metal);
                model.taper(
                    &oriented_rectangle(Vec2::ZERO, Vec2::X, 0.7, 0.5),
                    1.4,
                    3.4,
                    0.5,
                );
            }
            Self::Cart => {
                model.paint(Material::Wood);
                model.block(vec3(-1.0, 0.5, -0.6), vec3(1.2, 1.3, 0.6));
                for z in [-0.75, 0.6] {
                    model.block(vec3(-0.6, 0.0, z), vec3(0.6, 1.1, z + 0.15));
                }
                model.block(vec3(-1.5, 0.6, -0.1), vec3(-1.0, 0.8, 0.1));
            }
            Self::Fountain => {
                model.paint(Material::Stone);
                model.column(Vec2::ZERO, 3.5, 8, 0.0, 0.4);
                model.column(Vec2::ZERO, 2.6, 8, 0.4, 1.3);
                model.paint(Material::Water);
                model.column(Vec2::ZERO, 2.2, 8, 1.3, 1.4);
                model.paint(Material::Stone);
                model.column(Vec2::ZERO, 0.5, 8, 1.4, 3.4);
                model.paint(Material::Metal);
                model.cone(Vec2::ZERO, 0.8, 8, 3.4, 5.2);
            }
            Self::Pylon => {
                model.paint(Material::Metal);
                model.taper(&ngon(Vec2::ZERO, 0.4, 6), 0.0, 5.0, 0.4);
                model.paint(Material::Signal);
                model.cone(Vec2::ZERO, 0.3, 6, 5.0, 6.2);
            }
            Self::Kiosk => {
                model.paint(Material::Glass);
                model.block(vec3(-1.3, 0.0, -1.0), vec3(1.3, 2.4, 1.0));
                model.paint(Material::Metal);
                model.taper(
                    &oriented_rectangle(Vec2::ZERO, Vec2::X, 3.0, 2.4),
                    2.4,
                    3.6,
                    0.1,
                );
            }
            Self::Car => {
                model.paint(random.pick(&[Material::Metal, Material::Signal, Material::Plaster]));
                model.block(vec3(-2.1, 0.2, -0.95), vec3(2.1, 1.0, 0.95));
                model.paint(Material::Glass);
                model.taper(
                    &oriented_rectangle(vec2(-0.2, 0.0), Vec2::X, 2.4, 1.7),
                    1.0,
                    1.7,
                    0.7,
                );
            }
        }
    }
}

/// Tries `tries` random positions in an outline and adds a random prop where agents can still pass it.
/// `ground` returns the height at a position.
pub(crate) fn scatter(
    model: &mut Model,
    claims: &mut ClaimMap,
    outline: &[Vec2],
    ground: impl Fn(Vec2) -> f32,
    tries: u32,
    props: &[Prop],
    random: &mut Random,
) {
    let [low, high] = bounds(outline);
    for _ in 0..tries {
        let position = vec2(random.between(low.x, high.x), random.between(low.y, high.y));
        let (prop, along) = (random.pick(props), random.direction());
        if contains(outline, position, 1.0) {
            prop.try_place(
                model,
                claims,
                at(position, ground(position)),
                along,
                2.0,
                random,
            );
        }
    }
}

/// Adds a palm with a leaning trunk of three pieces and a star of fronds.
fn palm(model: &mut Model, random: &mut Random) {
    let height = random.between(4.5, 8.0);
    let lean = random.direction() * random.between(0.2, 1.2);
    model.paint(Material::Wood);
    let joint = |part: f32| ngon(lean * (part * part), 0.28 - 0.1 * part, 6);
    for piece in 0..3 {
        let [low, high] = [piece, piece + 1].map(|joint| joint as f32 / 3.0);
        model.frustum(&joint(low), low * height, &joint(high), high * height);
    }
    model.paint(Material::Leaves);
    let crown = at(lean, height);
    let rotation = random.below(8);
    for frond in 0..6 {
        let out = turn(rotation + frond * 8);
        let side = vec2(-out.y, out.x) * 0.45;
        let (bend, reach) = (out * 1.3, out * random.between(2.2, 2.8));
        let rise = random.between(0.2, 0.6);
        let tip = crown + at(reach, -0.9);
        let (left, right) = (crown + at(bend + side, rise), crown + at(bend - side, rise));
        model.triangle(crown, left, right);
        model.triangle(left, tip, right);
        model.triangle(crown, right, left);
        model.triangle(left, right, tip);
    }
}
