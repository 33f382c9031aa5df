//! Times changes of the ground, and queries next to them, with an index of default options.

use std::time::Duration;

use portolan_core::no_progress;
use portolan_index::{IndexOptions, OrderOptions, build};
use portolan_measure::{UpdateKind, UpdateOptions, measure_updates};

use super::SceneBench;
use crate::ReportError;
use crate::change_model::ChangesCell;

impl SceneBench<'_> {
    pub(super) fn changes(&self) -> Result<ChangesCell, ReportError> {
        let index = IndexOptions {
            order: OrderOptions {
                seed: self.effort.seed,
                ..OrderOptions::default()
            },
            ..IndexOptions::default()
        };
        let world = build(self.loaded.mesh.clone(), &index, &no_progress);
        let world = world.map_err(|error| ReportError::Order {
            scene: self.scene(),
            error,
        })?;
        let options = UpdateOptions {
            kind: UpdateKind::Polygon,
            updates: self.effort.updates,
            queries: self.effort.length_queries,
            beside: Some(Duration::from_millis(self.effort.beside_ms)),
            seed: self.effort.seed,
        };
        let updates = measure_updates(self.scene(), &world, &options, &|| ());
        Ok(ChangesCell {
            world: self.loaded.world.map(|world| world.to_string()),
            updates: updates.expect("a mesh has polygons"),
        })
    }
}
