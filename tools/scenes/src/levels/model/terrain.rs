//! Terrain: ground from a height function.

use glam::{Vec2, vec2};

use super::{Material, Model, at};

impl Model {
    /// Adds terrain over a rectangle in the current material. `height` returns the height at (x, z). Cells
    /// have a side of at most `cell` metres and fill the rectangle exactly.
    pub fn terrain(&mut self, min: Vec2, max: Vec2, cell: f32, height: impl Fn(Vec2) -> f32) {
        let material = self.material;
        self.landscape(min, max, cell, height, |_| Some(material));
    }

    /// Adds terrain like [`Model::terrain`] with a material per cell. `cover` is called with the centre of each
    /// cell and returns its material, or `None` to leave the cell out.
    pub fn landscape(
        &mut self,
        min: Vec2,
        max: Vec2,
        cell: f32,
        height: impl Fn(Vec2) -> f32,
        cover: impl Fn(Vec2) -> Option<Material>,
    ) {
        let columns = ((max.x - min.x) / cell).ceil().max(1.0) as u32;
        let rows = ((max.y - min.y) / cell).ceil().max(1.0) as u32;
        let position = |column: f32, row: f32| {
            let part = vec2(column / columns as f32, row / rows as f32);
            min + (max - min) * part
        };
        let corner = |column: u32, row: u32| {
            let position = position(column as f32, row as f32);
            at(position, height(position))
        };
        let chosen = self.material;
        for row in 0..rows {
            for column in 0..columns {
                let Some(material) = cover(position(column as f32 + 0.5, row as f32 + 0.5)) else {
                    continue;
                };
                self.paint(material);
                let (a, b) = (corner(column, row), corner(column, row + 1));
                let (c, d) = (corner(column + 1, row + 1), corner(column + 1, row));
                // Split along the diagonal with the smaller difference in height.
                if (a.y - c.y).abs() <= (b.y - d.y).abs() {
                    self.quad(a, b, c, d);
                } else {
                    self.quad(b, c, d, a);
                }
            }
        }
        self.paint(chosen);
    }
}
