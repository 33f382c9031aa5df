//! The ground of the islands: positions and heights.

use glam::{Vec2, vec2};

use crate::levels::plan::ScenePlan;
use crate::model::{Material, Model};
use crate::noise::{Noise, smooth_step};

/// Distance between the centres of neighbouring islands, in metres.
const PITCH: f32 = 165.0;
/// Side of a square of the ground, in metres.
const CELL: f32 = 3.0;
/// Ground below this height is left out.
const DEEP: f32 = -2.6;
/// Radius of the level ground around a village or a temple, in metres.
const LEVEL: f32 = 21.0;

/// An island with a village or a temple.
pub(super) struct TropicalIsland {
    pub(super) centre: Vec2,
    pub(super) radius: f32,
    /// The centre of the village or the temple.
    pub(super) clearing: Vec2,
    /// The height of the ground at the clearing.
    pub(super) level: f32,
    pub(super) has_temple: bool,
}

pub(super) struct Land {
    columns: usize,
    rows: usize,
    islands: Vec<TropicalIsland>,
    coast: Noise,
    coves: Noise,
    hills: Noise,
    bumps: Noise,
}

impl Land {
    /// Creates approximately `islands` islands in complete rows.
    pub(super) fn new(plan: &ScenePlan, islands: f32) -> Self {
        let rows = islands.sqrt().floor().max(1.0);
        let columns = (islands / rows).round() as usize;
        let rows = rows as usize;
        let mut random = plan.random(1);
        let islands = (0..rows * columns)
            .map(|number| {
                let slot = vec2((number % columns) as f32, (number / columns) as f32);
                let jitter = vec2(random.between(-16.0, 16.0), random.between(-16.0, 16.0));
                let centre = slot * PITCH + jitter;
                let radius = random.between(64.0, 84.0);
                TropicalIsland {
                    centre,
                    radius,
                    clearing: centre + random.direction() * random.between(4.0, 0.35 * radius),
                    level: random.between(2.0, 5.5),
                    has_temple: number % 5 == 3,
                }
            })
            .collect();
        Self {
            columns,
            rows,
            islands,
            coast: plan.noise(2, 55.0),
            coves: plan.noise(3, 19.0),
            hills: plan.noise(4, 42.0),
            bumps: plan.noise(5, 13.0),
        }
    }

    pub(super) fn islands(&self) -> &[TropicalIsland] {
        &self.islands
    }

    /// Returns the pairs of neighbouring islands in rows and columns.
    pub(super) fn neighbours(&self) -> Vec<[usize; 2]> {
        let mut pairs = Vec::new();
        for island in 0..self.islands.len() {
            if (island + 1) % self.columns != 0 {
                pairs.push([island, island + 1]);
            }
            if island + self.columns < self.islands.len() {
                pairs.push([island, island + self.columns]);
            }
        }
        pairs
    }

    /// Returns the height of the ground relative to the sea.
    pub(super) fn height(&self, position: Vec2) -> f32 {
        let slot = (position / PITCH).round();
        let mut rise = -1.0f32;
        let mut level = (0.0, 0.0);
        // Islands extend into neighbouring slots and no farther.
        for row in -1..=1 {
            for column in -1..=1 {
                let (column, row) = (slot.x as i32 + column, slot.y as i32 + row);
                let Some(island) = self.island(column, row) else {
                    continue;
                };
                rise = rise.max(1.0 - position.distance(island.centre) / island.radius);
                let near = 1.0 - (position.distance(island.clearing) - LEVEL) / 12.0;
                if near > level.0 {
                    level = (near.min(1.0), island.level);
                }
            }
        }
        let rise =
            rise + 0.5 * (self.coast.at(position) - 0.42) + 0.14 * (self.coves.at(position) - 0.5);
        let height = if rise < 0.0 {
            (26.0 * rise).max(-8.0)
        } else {
            let inland = smooth_step((2.2 * rise - 0.15).clamp(0.0, 1.0));
            9.0 * rise.min(0.25)
                + inland * (13.0 * self.hills.at(position) + 2.5 * self.bumps.at(position) - 2.0)
        };
        height + (level.1 - height) * smooth_step(level.0)
    }

    fn island(&self, column: i32, row: i32) -> Option<&TropicalIsland> {
        let (column, row) = (usize::try_from(column).ok()?, usize::try_from(row).ok()?);
        let is_inside = column < self.columns && row < self.rows;
        is_inside.then(|| &self.islands[row * self.columns + column])
    }

    /// Adds the ground and the sea.
    pub(super) fn build(&self, model: &mut Model) {
        let low = Vec2::splat(-0.72 * PITCH);
        let high = vec2(self.columns as f32 - 0.28, self.rows as f32 - 0.28) * PITCH;
        let is_steep = |position: Vec2| {
            let height = self.height(position);
            let [x, z] = [Vec2::X, Vec2::Y].map(|step| self.height(position + step) - height);
            x * x + z * z > 0.75
        };
        model.landscape(
            low,
            high,
            CELL,
            |position| self.height(position),
            |position| match self.height(position) {
                height if height < DEEP => None,
                _ if is_steep(position) => Some(Material::Rock),
                height if height < 0.8 + self.coves.at(position) => Some(Material::Sand),
                _ => Some(Material::Grass),
            },
        );
        model.paint(Material::Water);
        model.terrain(low - 10.0, high + 10.0, 60.0, |_| -0.25);
    }
}
