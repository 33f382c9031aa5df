//! What surfaces are to an agent.

use portolan::{AreaRules, Ground};

use crate::Scene;
use crate::model::Material;

impl Scene {
    /// What to bake the scene with: water, where there is any, is nothing to walk on.
    pub fn rules(self) -> AreaRules {
        let water = Material::Water.name().to_owned();
        AreaRules {
            materials: [(water, Ground::Hole)].into(),
            ..Default::default()
        }
    }
}
