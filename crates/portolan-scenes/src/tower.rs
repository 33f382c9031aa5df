//! Several floors above one another.

use glam::{Vec2, vec2};

use crate::model::{Material, Model};
use crate::plan::Plan;

pub(crate) const DESCRIPTION: &str = "several floors above one another, any number";

pub(crate) fn build(plan: &Plan) -> Model {
    let mut model = Model::new();
    let side = plan.polygons.sqrt() * 4.0;
    model
        .paint(Material::Grass)
        .terrain(Vec2::ZERO, vec2(side, side), 4.0, |_| 0.0);
    model
}
