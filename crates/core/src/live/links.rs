//! Off-mesh links that are added and removed at run time.
//!
//! A link adds two vertices to the graph, which no index has. So the world that is published at once has no index, and A*
//! answers until the index is made again, by settling. A link that is removed is closed for ever: its vertices stay
//! in the graph, and its id is never used again.

use std::collections::HashSet;

use super::change::{Change, ChangeError, Switch};
use super::ground::Touched;
use super::snapshot::Snapshot;
use super::writer::{Writer, live_profiles, set_metrics};
use crate::ids::LinkId;
use crate::navmesh::{AttachError, Link, NavMesh};
use crate::world::World;

/// The links that a batch adds and removes, found while its changes are checked in order.
pub(super) struct LinkChanges<'a> {
    mesh: &'a NavMesh,
    pub(super) added: Vec<Link>,
    removed: HashSet<LinkId>,
}

impl<'a> LinkChanges<'a> {
    pub(super) fn new(mesh: &'a NavMesh) -> Self {
        Self {
            mesh,
            added: Vec::new(),
            removed: HashSet::new(),
        }
    }

    /// Checks the next change. Its ids must be within the limits. `switch` has the elements of a named switch.
    pub(super) fn check(
        &mut self,
        writer: &Writer,
        index: usize,
        change: &Change,
        switch: &Switch,
    ) -> Result<(), ChangeError> {
        let present = |link: LinkId| {
            let is_removed = writer.ground.is_link_removed(link) || self.removed.contains(&link);
            (!is_removed).then_some(()).ok_or(ChangeError::LinkRemoved {
                change: index,
                link: link.0,
            })
        };
        match change {
            Change::CloseLink(link) | Change::OpenLink(link) => present(*link)?,
            Change::Close(_) | Change::Open(_) => {
                switch.links.iter().try_for_each(|&link| present(link))?;
            }
            Change::RemoveLink(link) => {
                present(*link)?;
                self.removed.insert(*link);
            }
            Change::AddLink(_) if self.mesh.has_obstacles() => {
                return Err(ChangeError::LinkAmongObstacles { change: index });
            }
            Change::AddLink(raw) => {
                let link = self.mesh.attach_link(raw).map_err(|error| match error {
                    AttachError::Bad(what) => ChangeError::BadLink {
                        change: index,
                        what,
                    },
                    AttachError::OffMesh => ChangeError::LinkOffMesh { change: index },
                })?;
                self.added.push(link);
            }
            _ => (),
        }
        Ok(())
    }
}

impl Writer {
    /// Adds links. Returns the world with them, which has no index, before the other changes of the batch.
    pub(super) fn add_links(
        &mut self,
        old: &World,
        added: &[Link],
        touched: &mut Touched,
    ) -> World {
        let first = self.ground.link_count();
        self.ground.add_links(added);
        touched
            .links
            .extend((first..first + added.len()).map(LinkId::new));
        self.drop_index(old);
        old.without_index(old.mesh().with_added_links(added))
    }

    /// Prepares for a world of the same shape that has an index while the present one has none, or the reverse. Returns whether
    /// that is so.
    pub(super) fn exchange_index(&mut self, old: &World, next: &Snapshot) -> bool {
        match (old.has_index(), next.world.has_index()) {
            (true, false) => self.drop_index(old),
            (false, true) => {
                self.profiles = live_profiles(&next.world, &next.costs);
                set_metrics(&mut self.profiles, &next.world, &next.costs);
                self.indexed = None;
            }
            _ => return false,
        }
        true
    }

    fn drop_index(&mut self, old: &World) {
        for profile in &mut self.profiles {
            profile.repairs.clear();
            profile.metric = None;
        }
        // If the index is missing already, it is made again from the same world as before.
        self.indexed.get_or_insert_with(|| old.clone());
    }
}
