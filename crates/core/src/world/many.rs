//! Where questions with more than one start or goal begin.

use glam::Vec3;

use super::{Costs, Query, World};
use crate::many::Many;
use crate::query::{Engine, EngineError, Tier};

impl World {
    /// Returns the view of this world that answers questions with more than one start or goal, for agents
    /// with the default profile.
    pub fn many(&self) -> Many<'_> {
        Many::new(self, &self.costs, self.id)
    }

    /// Returns the view of this world that answers questions with more than one start or goal, for agents
    /// with these costs.
    ///
    /// # Errors
    /// Fails if the costs were built for another world, or if this world has a contraction and the costs were
    /// not built for `contraction:fast`.
    pub fn many_with<'a>(&'a self, costs: &'a Costs) -> Result<Many<'a>, EngineError> {
        let query = Query {
            costs: Some(costs),
            ..Query::new(Vec3::ZERO, Vec3::ZERO)
        };
        let costs = self.costs_of(&query)?;
        let engine = Engine::Contraction(Tier::Fast);
        if self.contraction.is_some() && !costs.supports(engine) {
            return Err(EngineError::CostsLack(engine));
        }
        Ok(Many::new(self, costs, self.id))
    }
}
