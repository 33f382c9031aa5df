//! The state of the ground, and which polygons and links a batch of changes touches.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::change::{Change, Switch};
use super::obstacle::ObstacleId;
use crate::array::Array;
use crate::ids::{LinkId, PolygonId};
use crate::navmesh::{Block, GroundChanges, Link, NavMesh, NumberedBlock};
use crate::paged::Paged;

/// The state of the ground that changes are applied to. A clone shares its pages.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    /// The areas and flags of the mesh before all changes.
    original_areas: Array<u8>,
    original_flags: Array<u16>,
    /// The areas and flags that were changed.
    areas: Paged<Option<u8>>,
    flags: Paged<Option<u16>>,
    /// The factor of each polygon while it is open.
    pub(super) factors: Paged<f32>,
    blocked: Paged<bool>,
    closed_links: Paged<bool>,
    removed_links: Paged<bool>,
    /// The cost of each link while it is open.
    link_costs: Array<f32>,
    /// What stands on the ground.
    obstacles: Arc<BTreeMap<ObstacleId, Placed>>,
}

/// An obstacle and the polygons that it may reach.
#[derive(Clone, Debug)]
struct Placed {
    block: Arc<Block>,
    polygons: Arc<[PolygonId]>,
}

/// The polygons and links that a batch of changes has touched.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    pub(super) polygons: Vec<PolygonId>,
    pub(super) links: Vec<LinkId>,
    /// The polygons whose obstacles changed. They are among `polygons`, too.
    pub(super) cuts: Vec<PolygonId>,
    areas: bool,
    flags: bool,
}

impl Touched {
    /// Returns all polygons with obstacles.
    pub(super) fn of_obstacles(mesh: &NavMesh) -> Self {
        let mut touched = Self::default();
        touched
            .cuts
            .extend(mesh.cut_polygons().map(|cut| cut.whole));
        touched.polygons.clone_from(&touched.cuts);
        touched
    }

    /// Adds polygons whose obstacles change.
    fn cut(&mut self, polygons: &[PolygonId]) {
        self.cuts.extend_from_slice(polygons);
        self.polygons.extend_from_slice(polygons);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.polygons.is_empty() && self.links.is_empty()
    }

    /// Returns the number of polygons and links. The lists must be [normalized](Self::normalize).
    pub(super) fn count(&self) -> usize {
        self.polygons.len() + self.links.len()
    }

    /// Sorts the lists and drops repetitions.
    pub(super) fn normalize(&mut self) {
        self.polygons.sort_unstable();
        self.polygons.dedup();
        self.links.sort_unstable();
        self.links.dedup();
        self.cuts.sort_unstable();
        self.cuts.dedup();
    }

    /// Adds everything that another batch has touched.
    pub(super) fn extend(&mut self, other: &Self) {
        // The lists may grow only with what they contain, however many batches there are.
        if self.polygons.len() + other.polygons.len() > self.polygons.capacity()
            || self.links.len() + other.links.len() > self.links.capacity()
        {
            self.normalize();
        }
        self.polygons.extend_from_slice(&other.polygons);
        self.links.extend_from_slice(&other.links);
        self.cuts.extend_from_slice(&other.cuts);
    }
}

/// Returns the polygons that a block may reach, in ascending order.
fn polygons_under(mesh: &NavMesh, block: &Block) -> Arc<[PolygonId]> {
    let mut polygons = Vec::new();
    mesh.for_each_under(block, |polygon| polygons.push(polygon));
    polygons.sort_unstable();
    polygons.into()
}

impl Ground {
    pub(super) fn new(mesh: &NavMesh) -> Self {
        let mut ground = Self {
            original_areas: mesh.areas().to_vec().into(),
            original_flags: mesh.all_flags().to_vec().into(),
            areas: Paged::new(None),
            flags: Paged::new(None),
            factors: Paged::new(1.0),
            blocked: Paged::new(false),
            closed_links: Paged::new(false),
            removed_links: Paged::new(false),
            link_costs: mesh.links().iter().map(|link| link.cost).collect(),
            obstacles: Arc::default(),
        };
        // The mesh of a snapshot may already have changed.
        for polygon in mesh.polygons() {
            let factor = mesh.condition(polygon);
            if factor == f32::INFINITY {
                ground.blocked.set(polygon.index(), true);
            } else if factor != 1.0 {
                ground.factors.set(polygon.index(), factor);
            }
        }
        let mut placed: BTreeMap<ObstacleId, (Arc<Block>, Vec<PolygonId>)> = BTreeMap::new();
        for cut in mesh.cut_polygons() {
            for (id, block) in cut.blocks() {
                let entry = placed.entry(ObstacleId(*id));
                let (_, polygons) = entry.or_insert_with(|| (Arc::clone(block), Vec::new()));
                polygons.push(cut.whole);
            }
        }
        let placed = placed.into_iter().map(|(id, (block, polygons))| {
            let polygons = polygons.into();
            (id, Placed { block, polygons })
        });
        ground.obstacles = Arc::new(placed.collect());
        ground
    }

    /// Returns this state for a mesh to which polygons and links were added.
    pub(super) fn extended(&self, mesh: &NavMesh) -> Self {
        let [polygons, links] = [self.polygon_count(), self.link_count()];
        let areas = mesh.areas()[polygons..].iter();
        let flags = mesh.all_flags()[polygons..].iter();
        let costs = mesh.links()[links..].iter().map(|link| link.cost);
        let mut ground = Self {
            original_areas: self.original_areas.iter().chain(areas).copied().collect(),
            original_flags: self.original_flags.iter().chain(flags).copied().collect(),
            link_costs: self.link_costs.iter().copied().chain(costs).collect(),
            ..self.clone()
        };
        for link in (0..links).filter(|&link| mesh.is_link_gone(LinkId::new(link))) {
            ground.closed_links.set(link, true);
        }
        if !ground.obstacles.is_empty() {
            // They stand on other polygons now.
            for placed in Arc::make_mut(&mut ground.obstacles).values_mut() {
                placed.polygons = polygons_under(mesh, &placed.block);
            }
        }
        ground
    }

    /// Returns all polygons that obstacles may reach, as if these had just been placed.
    pub(super) fn under_obstacles(&self) -> Touched {
        let mut touched = Touched::default();
        for placed in self.obstacles.values() {
            touched.cut(&placed.polygons);
        }
        touched
    }

    pub(super) fn polygon_count(&self) -> usize {
        self.original_areas.len()
    }

    pub(super) fn link_count(&self) -> usize {
        self.link_costs.len()
    }

    /// Returns whether a link was removed.
    pub(super) fn is_link_removed(&self, link: LinkId) -> bool {
        self.removed_links.get(link.index())
    }

    /// Adds open links.
    pub(super) fn add_links(&mut self, added: &[Link]) {
        let costs = added.iter().map(|link| link.cost);
        self.link_costs = self.link_costs.iter().copied().chain(costs).collect();
    }

    fn area(&self, polygon: PolygonId) -> u8 {
        let area = self.areas.get(polygon.index());
        area.unwrap_or(self.original_areas[polygon.index()])
    }

    fn flags(&self, polygon: PolygonId) -> u16 {
        let flags = self.flags.get(polygon.index());
        flags.unwrap_or(self.original_flags[polygon.index()])
    }

    /// Returns the factor of a polygon; infinite if it is blocked.
    fn factor(&self, polygon: PolygonId) -> f32 {
        match self.blocked.get(polygon.index()) {
            true => f32::INFINITY,
            false => self.factors.get(polygon.index()),
        }
    }

    /// Returns the mesh with everything that was touched as it is now.
    pub(super) fn apply_to(&self, mesh: &NavMesh, touched: &Touched, version: u64) -> NavMesh {
        let polygons: Vec<(PolygonId, f32)> = touched
            .polygons
            .iter()
            .map(|&polygon| (polygon, self.factor(polygon)))
            .collect();
        let areas = touched.areas.then(|| {
            let mut areas = mesh.areas().to_vec();
            for &polygon in &touched.polygons {
                areas[polygon.index()] = self.area(polygon);
            }
            areas
        });
        let flags = touched.flags.then(|| {
            let mut flags = mesh.all_flags().to_vec();
            for &polygon in &touched.polygons {
                flags[polygon.index()] = self.flags(polygon);
            }
            flags
        });
        let links: Vec<(LinkId, f32)> = touched
            .links
            .iter()
            .map(|&link| (link, self.link_cost(link)))
            .collect();
        mesh.with_changes(GroundChanges {
            version,
            polygons: &polygons,
            links: &links,
            areas,
            flags,
        })
    }

    /// Returns the cost of a link; infinite if it is closed.
    pub(super) fn link_cost(&self, link: LinkId) -> f32 {
        match self.is_link_closed(link) {
            true => f32::INFINITY,
            false => self.link_costs[link.index()],
        }
    }

    /// Returns a mesh that [`apply_to`](Self::apply_to) has made, with the obstacles where they are now, and the polygons and
    /// pieces whose portals are others than before.
    pub(super) fn cut(&self, mesh: NavMesh, touched: &Touched) -> (NavMesh, Vec<PolygonId>) {
        let must_move_links = !touched.links.is_empty() && !self.obstacles.is_empty();
        if touched.cuts.is_empty() && !must_move_links {
            return (mesh, Vec::new());
        }
        let mut blocks: Vec<(PolygonId, Vec<NumberedBlock>)> = Vec::new();
        blocks.extend(touched.cuts.iter().map(|&polygon| (polygon, Vec::new())));
        for (id, placed) in self.obstacles.iter() {
            for polygon in placed.polygons.iter() {
                if let Ok(at) = touched.cuts.binary_search(polygon) {
                    blocks[at].1.push((id.0, Arc::clone(&placed.block)));
                }
            }
        }
        let (cut, relisted) = mesh.with_blocks(blocks);
        let cut = match mesh.links().is_empty() {
            true => cut,
            false => cut.with_links_moved(&mesh, |link| self.link_cost(link)),
        };
        (cut, relisted)
    }

    /// Places an obstacle, given by what it closes, or removes it.
    pub(super) fn set_obstacle(
        &mut self,
        mesh: &NavMesh,
        id: ObstacleId,
        block: Option<Block>,
        touched: &mut Touched,
    ) {
        let old = self.obstacles.get(&id);
        if old.map(|placed| &*placed.block) == block.as_ref() {
            return;
        }
        let obstacles = Arc::make_mut(&mut self.obstacles);
        if let Some(old) = obstacles.remove(&id) {
            touched.cut(&old.polygons);
        }
        if let Some(block) = block {
            let polygons = polygons_under(mesh, &block);
            touched.cut(&polygons);
            let placed = Placed {
                block: Arc::new(block),
                polygons,
            };
            obstacles.insert(id, placed);
        }
    }

    /// Makes a change, which must be valid. `switch` has the elements of a named switch.
    pub(super) fn change(&mut self, change: &Change, switch: &Switch, touched: &mut Touched) {
        match *change {
            Change::Block(polygon) => self.set_blocked(polygon, true, touched),
            Change::Unblock(polygon) => self.set_blocked(polygon, false, touched),
            Change::Area(polygon, area) => {
                if self.area(polygon) != area {
                    self.areas.set(polygon.index(), Some(area));
                    touched.areas = true;
                    touched.polygons.push(polygon);
                }
            }
            Change::Flags(polygon, flags) => {
                if self.flags(polygon) != flags {
                    self.flags.set(polygon.index(), Some(flags));
                    touched.flags = true;
                    touched.polygons.push(polygon);
                }
            }
            Change::Factor(polygon, factor) => {
                if self.factors.get(polygon.index()) != factor {
                    self.factors.set(polygon.index(), factor);
                    if !self.blocked.get(polygon.index()) {
                        touched.polygons.push(polygon);
                    }
                }
            }
            Change::CloseLink(link) => self.set_link_closed(link, true, touched),
            Change::OpenLink(link) => self.set_link_closed(link, false, touched),
            Change::RemoveLink(link) => {
                self.removed_links.set(link.index(), true);
                touched.links.push(link);
            }
            // Links are added before everything else.
            Change::AddLink(_) => (),
            Change::Close(_) | Change::Open(_) => {
                let is_closed = matches!(change, Change::Close(_));
                for &polygon in &switch.polygons {
                    self.set_blocked(polygon, is_closed, touched);
                }
                for &link in &switch.links {
                    self.set_link_closed(link, is_closed, touched);
                }
            }
            // Obstacles need the mesh: see `set_obstacle`.
            Change::Place(..) | Change::Remove(_) => {}
        }
    }

    fn is_link_closed(&self, link: LinkId) -> bool {
        self.closed_links.get(link.index()) || self.is_link_removed(link)
    }

    fn set_blocked(&mut self, polygon: PolygonId, is_blocked: bool, touched: &mut Touched) {
        if self.blocked.get(polygon.index()) != is_blocked {
            self.blocked.set(polygon.index(), is_blocked);
            touched.polygons.push(polygon);
        }
    }

    fn set_link_closed(&mut self, link: LinkId, is_closed: bool, touched: &mut Touched) {
        if self.closed_links.get(link.index()) != is_closed {
            self.closed_links.set(link.index(), is_closed);
            touched.links.push(link);
        }
    }

    /// Makes the ground what it was in another state of the same world. Returns what differs.
    pub(super) fn become_same_as(&mut self, other: &Self) -> Touched {
        let mut touched = Touched::default();
        for index in 0..self.polygon_count() {
            let polygon = PolygonId::new(index);
            let has_other_area = self.area(polygon) != other.area(polygon);
            let has_other_flags = self.flags(polygon) != other.flags(polygon);
            touched.areas |= has_other_area;
            touched.flags |= has_other_flags;
            if has_other_area || has_other_flags || self.factor(polygon) != other.factor(polygon) {
                touched.polygons.push(polygon);
            }
        }
        for index in 0..self.link_count() {
            let link = LinkId::new(index);
            if self.is_link_closed(link) != other.is_link_closed(link) {
                touched.links.push(link);
            }
        }
        for (one, another) in [(&*self, other), (other, &*self)] {
            for (id, placed) in one.obstacles.iter() {
                let is_same = |other: &Placed| Arc::ptr_eq(&other.block, &placed.block);
                if !another.obstacles.get(id).is_some_and(is_same) {
                    touched.cut(&placed.polygons);
                }
            }
        }
        self.clone_from(other);
        touched
    }

    pub(super) fn bytes(&self) -> usize {
        self.original_areas.len() * 3
            + self.areas.bytes()
            + self.flags.bytes()
            + self.factors.bytes()
            + self.blocked.bytes()
            + self.closed_links.bytes()
            + self.removed_links.bytes()
            + self.link_costs.len() * 4
    }
}
