//! The writer of a world that changes: applies changes, repairs costs, and publishes snapshots.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;

use super::change::{Change, ChangeError, Limits, Switch};
use super::ground::{Ground, Touched};
use super::links::LinkChanges;
use super::obstacle::Agent;
use super::replace::check_present;
use super::snapshot::Snapshot;
use crate::contraction::{Repair, RepairWork};
use crate::graph::{CostModel, Origin, PlaceBuffers, PortalGraph};
use crate::hierarchy::Metric;
use crate::ids::{LinkId, PolygonId};
use crate::navmesh::NavMesh;
use crate::profile::{Prices, Profile};
use crate::query::Tier;
use crate::world::{ChangedCosts, ChangedMesh, Costs, World};

/// What an update did.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Update {
    /// The version that it published.
    pub version: u64,
    /// The polygons whose ground changed.
    pub polygons: usize,
    /// The id of the first link that was added; those of further links follow it in the order of the changes. `None` if no
    /// link was added.
    pub first_link: Option<LinkId>,
    /// What the contractions of all tiers and profiles had to change.
    pub work: RepairWork,
    /// The time to change the ground and to repair the contractions.
    pub repair_time: Duration,
    /// The time to build the new snapshot and to publish it.
    pub publish_time: Duration,
}

/// The memory of a world that changes, in addition to that of its current snapshot. [Units: bytes]
#[derive(Clone, Copy, Debug, Default)]
pub struct LiveBytes {
    /// What only the writer reads: the costs and halves of all arcs.
    pub writer: usize,
    /// What the current snapshot has of its own: replaced rows of arcs and their parts. An older snapshot from the same
    /// time between two settlings has at most about as much of its own.
    pub snapshot: usize,
    /// The arrays of arcs that all snapshots share until the world is settled the next time. A reader that holds a snapshot
    /// for longer keeps the arrays of that time, too.
    pub settled: usize,
    /// The number of snapshots in memory: the current one, and those that readers hold. The first one of the world does
    /// not count.
    pub versions: usize,
}

/// So many changes while the world was settled are repaired while the writer waits.
const FEW_CHANGES: usize = 16;

/// The costs of one profile in a form that can be repaired.
#[derive(Debug)]
pub(super) struct LiveProfile {
    pub(super) prices: Prices,
    pub(super) repairs: Vec<(Tier, Repair)>,
    /// The costs of the hierarchy, if there is one.
    pub(super) metric: Option<Metric>,
}

/// The state of the writer.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) ground: Ground,
    pub(super) profiles: Vec<LiveProfile>,
    switches: HashMap<String, Switch>,
    agent: Agent,
    pub(super) lineage: u64,
    pub(super) version: u64,
    /// Everything that was touched since the snapshot from which the world was last settled, or is being settled.
    pub(super) since_settled: Touched,
    /// Everything that was touched since the costs of a world of another shape were customized, if they were.
    pub(super) since_customized: Option<Touched>,
    pub(super) is_settled: bool,
    /// All snapshots that readers may still hold, and some that are gone.
    published: Vec<Weak<Snapshot>>,
    /// The world from which the index is made again, while the current one has none.
    pub(super) indexed: Option<World>,
}

/// Everything about the profiles of a world, for its present ground, except the costs of the hierarchy.
pub(super) fn live_profiles(world: &World, costs: &[Costs]) -> Vec<LiveProfile> {
    let profile = |costs: &Costs| {
        // Bounds that were kept up to date may be less tight than new ones.
        let prices = Prices::new(world.mesh(), costs.profile());
        let repairs = Tier::CONTRACTED
            .into_iter()
            .filter_map(|tier| Some((tier, world.repair(tier, &prices)?)));
        let mut profile = LiveProfile {
            repairs: repairs.collect(),
            prices,
            metric: None,
        };
        let obstacles = Touched::of_obstacles(world.mesh());
        profile.repair(world, world.mesh(), &obstacles);
        profile
    };
    costs.iter().map(profile).collect()
}

/// Sets the costs of the hierarchy of each profile. `costs` must have been computed for the present ground.
pub(super) fn set_metrics(profiles: &mut [LiveProfile], world: &World, costs: &[Costs]) {
    for (profile, costs) in profiles.iter_mut().zip(costs) {
        profile.metric = world.changeable_metric(costs);
    }
}

impl Writer {
    /// Prepares a world and returns its first snapshot.
    pub(super) fn new(world: World, profiles: Vec<Profile>, agent: Agent) -> (Self, Snapshot) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut costs = vec![world.default_costs().clone()];
        costs.extend(profiles.iter().map(|profile| world.costs(profile)));
        let lineage = NEXT.fetch_add(1, Ordering::Relaxed);
        let ground = Ground::new(world.mesh());
        let snapshot = Snapshot {
            ground: ground.clone(),
            is_settled: true,
            lineage,
            costs: costs.into(),
            world,
        };
        let mut profiles = live_profiles(&snapshot.world, &snapshot.costs);
        set_metrics(&mut profiles, &snapshot.world, &snapshot.costs);
        let writer = Self {
            ground,
            profiles,
            switches: HashMap::new(),
            agent,
            lineage,
            version: snapshot.version(),
            since_settled: Touched::default(),
            since_customized: None,
            is_settled: true,
            published: Vec::with_capacity(16),
            indexed: None,
        };
        (writer, snapshot)
    }

    pub(super) fn define(
        &mut self,
        name: String,
        switch: Switch,
        mesh: &NavMesh,
    ) -> Result<(), ChangeError> {
        let limits = self.limits();
        for &polygon in &switch.polygons {
            limits.polygon(0, polygon)?;
        }
        for &link in &switch.links {
            limits.link(0, link)?;
        }
        check_present(mesh, 0, &Change::Open(String::new()), &switch)?;
        self.switches.insert(name, switch);
        Ok(())
    }

    fn limits(&self) -> Limits {
        Limits {
            polygons: self.ground.polygon_count(),
            links: self.ground.link_count(),
        }
    }

    pub(super) fn update(
        &mut self,
        changes: &[Change],
        current: &ArcSwap<Snapshot>,
    ) -> Result<Update, ChangeError> {
        let start = Instant::now();
        let mut limits = self.limits();
        let old = current.load_full();
        let mut blocks = Vec::new();
        let mut links = LinkChanges::new(old.world.mesh());
        let none = Switch::default();
        for (index, change) in changes.iter().enumerate() {
            limits.check(index, change)?;
            if let Change::Place(id, obstacle) = change {
                let has_centres = old.world.graph().options().cost_model == CostModel::Published;
                let block = match has_centres {
                    true => Err("the published cost model knows only whole polygons"),
                    false => obstacle.grown(self.agent),
                };
                let block = block.map_err(|reason| ChangeError::Obstacle {
                    change: index,
                    obstacle: *id,
                    reason,
                })?;
                blocks.push(block);
            }
            if let Change::Close(name) | Change::Open(name) = change
                && !self.switches.contains_key(name)
            {
                return Err(ChangeError::Switch {
                    change: index,
                    name: name.clone(),
                });
            }
            let switch = match change {
                Change::Close(name) | Change::Open(name) => &self.switches[name],
                _ => &none,
            };
            check_present(old.world.mesh(), index, change, switch)?;
            links.check(self, index, change, switch)?;
            limits.links = self.ground.link_count() + links.added.len();
        }
        let added = links.added;
        let first_link = (!added.is_empty()).then(|| LinkId::new(self.ground.link_count()));
        let mut touched = Touched::default();
        let bare = first_link.map(|_| self.add_links(&old.world, &added, &mut touched));
        let base = bare.as_ref().unwrap_or(&old.world);
        let mut blocks = blocks.into_iter();
        for change in changes {
            let switch = match change {
                Change::Close(name) | Change::Open(name) => &self.switches[name],
                _ => &none,
            };
            let mesh = base.mesh();
            match *change {
                Change::Place(id, _) => {
                    self.ground
                        .set_obstacle(mesh, id, blocks.next(), &mut touched)
                }
                Change::Remove(id) => self.ground.set_obstacle(mesh, id, None, &mut touched),
                _ => self.ground.change(change, switch, &mut touched),
            }
        }
        let (mesh, work) = self.change_ground(base.mesh(), base, &mut touched, None);
        let repaired = Instant::now();
        if touched.is_empty() {
            // Nothing differs, so everything that was computed in advance is still right. A polygon that is blocked may have
            // got another factor for the time after it.
            self.publish(
                current,
                Snapshot {
                    world: old.world.restored(mesh.mesh, self.version),
                    ground: self.ground.clone(),
                    ..Snapshot::clone(&old)
                },
            );
            return Ok(self.made(&touched, work, start, repaired));
        }
        let changed = self.profiles.iter().map(LiveProfile::costs);
        let (world, costs) = base.next_version(mesh, self.version, changed);
        let snapshot = Snapshot {
            world,
            costs: costs.into(),
            is_settled: self.is_settled,
            ground: self.ground.clone(),
            lineage: self.lineage,
        };
        self.publish(current, snapshot);
        Ok(Update {
            first_link,
            ..self.made(&touched, work, start, repaired)
        })
    }

    pub(super) fn restore(
        &mut self,
        snapshot: &Snapshot,
        current: &ArcSwap<Snapshot>,
    ) -> Result<Update, ChangeError> {
        if snapshot.lineage != self.lineage {
            return Err(ChangeError::OtherWorld);
        }
        let replaced = current.load().world.mesh().topology();
        if snapshot.world.mesh().topology() != replaced {
            return Err(ChangeError::OtherTopology {
                snapshot: snapshot.version(),
                replaced,
            });
        }
        let [found, count] = [&snapshot.ground, &self.ground].map(Ground::link_count);
        if found != count {
            return Err(ChangeError::LinksAdded { found, count });
        }
        let start = Instant::now();
        let old = current.load_full();
        let world = match self.exchange_index(&old.world, snapshot) {
            true => &snapshot.world,
            false => &old.world,
        };
        let mut touched = self.ground.become_same_as(&snapshot.ground);
        let (mesh, work) =
            self.change_ground(old.world.mesh(), world, &mut touched, Some(snapshot));
        let repaired = Instant::now();
        let is_settled = snapshot.is_settled && self.is_settled;
        let restored = Snapshot {
            world: snapshot.world.restored(mesh.mesh, self.version),
            is_settled,
            ..snapshot.clone()
        };
        self.publish(current, restored);
        Ok(self.made(&touched, work, start, repaired))
    }

    /// Returns what an update has done that started and had repaired everything at these times.
    fn made(
        &self,
        touched: &Touched,
        work: RepairWork,
        start: Instant,
        repaired: Instant,
    ) -> Update {
        Update {
            version: self.version,
            polygons: touched.polygons.len(),
            first_link: None,
            work,
            repair_time: repaired - start,
            publish_time: repaired.elapsed(),
        }
    }

    /// Counts a new version, and repairs the costs of everything that was touched. Returns the new mesh. If the ground is
    /// that of an earlier snapshot, obstacles are taken from there, so that pieces have the ids that they had. `world` has
    /// the graphs and contractions of the costs.
    fn change_ground(
        &mut self,
        old: &NavMesh,
        world: &World,
        touched: &mut Touched,
        restored: Option<&Snapshot>,
    ) -> (ChangedMesh, RepairWork) {
        touched.normalize();
        self.version += 1;
        let mesh = self.ground.apply_to(old, touched, self.version);
        let (mesh, relisted) = match restored {
            None => self.ground.cut(mesh, touched),
            Some(snapshot) => (mesh.with_obstacles_of(snapshot.world.mesh()), Vec::new()),
        };
        let mut work = RepairWork::default();
        for profile in &mut self.profiles {
            work = work + profile.repair(world, &mesh, touched);
        }
        self.is_settled &= touched.is_empty();
        self.since_settled.extend(touched);
        if let Some(since) = &mut self.since_customized {
            since.extend(touched);
        }
        (ChangedMesh { mesh, relisted }, work)
    }

    /// Returns what has changed since a world was settled, or was last asked for, together with the snapshot that has these
    /// changes. Returns `None` if that is little, or if the settled world may not fit the present one any more.
    pub(super) fn changed_meanwhile(
        &mut self,
        settled: &World,
        current: &ArcSwap<Snapshot>,
    ) -> Option<(Touched, Arc<Snapshot>)> {
        let present = current.load_full();
        let has_same_shape = settled.mesh().topology() == present.world.mesh().topology()
            && settled.mesh().links().len() == self.ground.link_count()
            && settled.has_index() == present.world.has_index();
        self.since_settled.normalize();
        if !has_same_shape || self.since_settled.count() <= FEW_CHANGES {
            return None;
        }
        Some((std::mem::take(&mut self.since_settled), present))
    }

    /// Publishes a world that was settled from an earlier snapshot, after what has changed since. If it does not fit the present
    /// world any more, because links were added or the world has gone back, nothing is published: the world has to be settled
    /// again. `repaired` are the changes since that `profiles` already have. Returns the profiles that are not needed any more.
    pub(super) fn publish_settled(
        &mut self,
        mut profiles: Vec<LiveProfile>,
        repaired: &Touched,
        (settled, costs): (World, Vec<Costs>),
        current: &ArcSwap<Snapshot>,
    ) -> Vec<LiveProfile> {
        let old = current.load_full();
        if settled.mesh().links().len() != self.ground.link_count() {
            return profiles;
        }
        let is_new_index = match (settled.has_index(), old.world.has_index()) {
            // It knows nothing of obstacles that were placed in the meantime.
            (true, false) if old.world.mesh().has_obstacles() => return profiles,
            (true, false) => true,
            // The world has gone back to a version with an index.
            (false, true) => return profiles,
            _ => false,
        };
        let mut touched = std::mem::take(&mut self.since_settled);
        touched.normalize();
        self.version += 1;
        let is_settled = touched.is_empty() && repaired.is_empty();
        let mesh = old.world.mesh().clone();
        // The graphs of the present world know its obstacles.
        let base = match is_new_index {
            true => &settled,
            false => &old.world,
        };
        for profile in &mut profiles {
            profile.repair(base, &mesh, &touched);
        }
        let retired = std::mem::replace(&mut self.profiles, profiles);
        self.is_settled = is_settled;
        if settled.has_index() {
            self.indexed = None;
        }
        let (world, costs) = match is_settled {
            true => (settled.restored(mesh, self.version), costs),
            false => {
                let changed = self.profiles.iter().map(LiveProfile::costs);
                base.with_changed_costs(mesh, self.version, changed)
            }
        };
        let snapshot = Snapshot {
            world,
            costs: costs.into(),
            is_settled,
            ground: self.ground.clone(),
            lineage: self.lineage,
        };
        self.publish(current, snapshot);
        // What was touched since is not settled.
        touched.extend(repaired);
        self.since_settled = touched;
        retired
    }

    /// Makes a snapshot the current one.
    pub(super) fn publish(&mut self, current: &ArcSwap<Snapshot>, snapshot: Snapshot) {
        let snapshot = Arc::new(snapshot);
        if self.published.len() == self.published.capacity() {
            self.published.retain(|old| old.strong_count() > 0);
        }
        self.published.push(Arc::downgrade(&snapshot));
        current.store(snapshot);
    }

    pub(super) fn bytes(&self) -> LiveBytes {
        let alive = self.published.iter().filter(|old| old.strong_count() > 0);
        let repairs = self.profiles.iter().flat_map(|profile| &profile.repairs);
        let metrics = self.profiles.iter().flat_map(|profile| &profile.metric);
        LiveBytes {
            writer: repairs
                .clone()
                .map(|(_, repair)| repair.bytes())
                .sum::<usize>()
                + metrics.map(Metric::change_bytes).sum::<usize>()
                + self.ground.bytes(),
            snapshot: repairs
                .clone()
                .map(|(_, repair)| repair.patch_bytes())
                .sum(),
            settled: repairs.map(|(_, repair)| repair.base_bytes()).sum(),
            versions: alive.count(),
        }
    }
}

impl LiveProfile {
    /// Returns what queries read.
    pub(super) fn costs(&self) -> ChangedCosts {
        let repairs = self.repairs.iter();
        ChangedCosts {
            prices: self.prices.clone(),
            shortcuts: repairs
                .map(|(tier, repair)| (*tier, repair.shortcuts()))
                .collect(),
            metric: self.metric.clone(),
        }
    }

    /// Repairs the costs of polygons and links that were touched. `mesh` has their new properties.
    pub(super) fn repair(
        &mut self,
        world: &World,
        mesh: &NavMesh,
        touched: &Touched,
    ) -> RepairWork {
        // A link is closed while the polygon at one of its ends is.
        let mut links = touched.links.clone();
        for &polygon in &touched.polygons {
            let ends = world.graph().original_samples_of(polygon);
            links.extend(ends.filter_map(|end| match world.graph().origin(end) {
                Origin::LinkEnd(link, _) => Some(link),
                Origin::Portal(_) => None,
            }));
        }
        self.prices = self.prices.after_changes(
            mesh,
            touched.polygons.iter().copied(),
            links.iter().copied(),
        );
        self.metric = self.metric.as_ref().map(|metric| {
            world.changed_metric(metric, (mesh, &self.prices), &touched.polygons, &links)
        });
        // Samples on the portals of a polygon with obstacles may have moved.
        let beside = touched.cuts.iter();
        let beside = beside.flat_map(|&polygon| mesh.original_neighbours(polygon));
        let mut polygons: Vec<PolygonId> = touched.polygons.iter().copied().chain(beside).collect();
        polygons.sort_unstable();
        polygons.dedup();
        let mut work = RepairWork::default();
        for (tier, repair) in &mut self.repairs {
            let (graph, contraction) = world.tier(*tier).expect("a tier of this world");
            let edges = changed_edges(graph, mesh, &self.prices, &polygons, &links);
            work = work + repair.update(contraction, edges.into_iter());
        }
        work
    }
}

/// Returns all pairs of vertices of a graph whose cost may have changed, with the new costs.
fn changed_edges(
    graph: &PortalGraph,
    mesh: &NavMesh,
    prices: &Prices,
    polygons: &[PolygonId],
    links: &[LinkId],
) -> Vec<([u32; 2], [f32; 2])> {
    let mut edges = Vec::new();
    let mut buffers = PlaceBuffers::default();
    for &polygon in polygons {
        graph.for_each_crossing(mesh, prices, polygon, &mut buffers, |pair, costs| {
            edges.push((pair, costs));
        });
    }
    for &link in links {
        edges.push(graph.link_pair_costs(mesh, prices, link, &mut buffers));
    }
    let edges = edges.into_iter();
    edges
        .map(|(pair, costs)| (pair.map(|end| end.0), costs))
        .collect()
}
