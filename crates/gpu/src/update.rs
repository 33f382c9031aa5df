//! Another version of a world that changes: only what differs is written to the device.

use std::borrow::Cow;
use std::sync::atomic::Ordering;

use portolan_core::{Costs, Engine, Level, Tier, World};

use crate::arrays::{self, LevelArrays};
use crate::error::GpuError;
use crate::parts::LevelPart;
use crate::source::{ChangedGround, Source, Writes};
use crate::world::{GpuWorld, check_costs};

/// What an update of a world on the device did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GpuUpdate {
    /// The version of the world that is on the device now.
    pub version: u64,
    /// The number of bytes that were written to the device. What engines upload when they next need it comes on top: see
    /// [`GpuWorld::uploaded_bytes`].
    pub bytes: u64,
    /// The number of polygons and links that cost something else than before.
    pub changed: usize,
    /// Whether the world was not a version of the one before, so that everything is uploaded again.
    pub is_whole: bool,
}

/// Two versions of a world, and what differs between them.
struct VersionStep {
    known: Source,
    version: Source,
    changed: ChangedGround,
}

impl VersionStep {
    /// Returns what differs from the version that an array has, which most often is the one before.
    fn changed_since(&self, source: &Source) -> Cow<'_, ChangedGround> {
        match source.costs.are_same_as(&self.known.costs) {
            true => Cow::Borrowed(&self.changed),
            false => Cow::Owned(source.changed_in(&self.version)),
        }
    }
}

impl GpuWorld<'_> {
    /// Makes this another version of its world, such as the newest [`Snapshot`](portolan_core::live::Snapshot) of a
    /// `LiveWorld`, or an older one. Of the portal graph, the contraction and the hierarchy, only words that differ are written.
    /// A version with the same costs, as after a world was settled, writes nothing. Labels are uploaded as a whole when they are
    /// next needed, if costs differ. A world that is not a version of the one before is uploaded as a whole.
    ///
    /// The costs may be those of another profile. Batches must then be asked with these costs. While there are obstacles, nothing
    /// is written, and batches fail with [`GpuError::Obstacles`].
    ///
    /// ```no_run
    /// # use portolan_core::live::{Change, LiveWorld};
    /// # use portolan_core::PolygonId;
    /// # fn example(gpu: &portolan_gpu::Gpu, live: &LiveWorld) -> Result<(), Box<dyn std::error::Error>> {
    /// let first = live.snapshot();
    /// let mut device = gpu.upload(&first, first.default_costs())?;
    /// live.update(&[Change::Block(PolygonId(17))])?;
    /// let newest = live.snapshot();
    /// let update = device.update(&newest, newest.default_costs())?;
    /// println!("version {}: {} bytes", update.version, update.bytes);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Fails if the costs were built for another world or version; then nothing has changed. Fails if the world does not fit
    /// on the device; then the device has the new version, and engines that need what does not fit fail.
    pub fn update(&mut self, world: &World, costs: &Costs) -> Result<GpuUpdate, GpuError> {
        check_costs(world, costs)?;
        let before = self.uploaded_bytes();
        let mut update = GpuUpdate {
            version: world.version(),
            ..GpuUpdate::default()
        };
        if world.mesh().has_obstacles() {
            // What is on the device waits for a version without.
            (self.world, self.costs) = (world.clone(), costs.clone());
        } else if world.is_version_of(&self.graph_source.world) {
            (self.world, self.costs) = (world.clone(), costs.clone());
            let version = self.source();
            let known = std::mem::replace(&mut self.graph_source, version.clone());
            let step = VersionStep {
                changed: known.changed_in(&version),
                known,
                version,
            };
            update.changed = step.changed.polygons.len() + step.changed.links.len();
            self.update_graph(&step.changed);
            // Nothing is left undone if one of them fails.
            let updated = [self.update_contraction(&step), self.update_levels(&step)];
            let labels = self.labels.get();
            if labels.is_some_and(|labels| !step.changed_since(&labels.source).is_empty()) {
                self.labels.take();
            }
            updated.into_iter().collect::<Result<(), _>>()?;
        } else {
            update.is_whole = true;
            update.changed = world.mesh().polygon_count() + world.mesh().links().len();
            let mut whole = self.gpu.upload(world, costs)?.with_limits(self.limits());
            whole.has_step_times = self.has_step_times;
            whole.uploaded.fetch_add(before, Ordering::Relaxed);
            *self = whole;
        }
        update.bytes = self.uploaded_bytes() - before;
        Ok(update)
    }

    /// Writes the prices of polygons and links.
    fn update_graph(&mut self, changed: &ChangedGround) {
        let (mesh, prices) = (self.world.mesh(), self.costs.prices());
        self.params.heuristic = prices.heuristic_scale();
        let mut writes = Writes::default();
        for &polygon in &changed.polygons {
            let factor = arrays::bits(prices.factor(mesh, polygon));
            writes.push((self.params.factors + polygon.0) as usize, [factor]);
        }
        for link in &changed.links {
            let words = arrays::link_costs(prices, mesh, mesh.link(*link));
            writes.push(self.params.link_costs as usize + 2 * link.index(), words);
        }
        let bytes = writes.for_each(|first, words| self.gpu.write(&self.graph, first, words));
        self.uploaded.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Makes the contraction that of another version, or drops it if this version has none.
    fn update_contraction(&mut self, step: &VersionStep) -> Result<(), GpuError> {
        let version = &step.version;
        let Some(mut part) = self.contraction.take() else {
            return Ok(());
        };
        let changed = step.changed_since(part.copies.source());
        if changed.is_empty() {
            let _ = self.contraction.set(part);
            return Ok(());
        }
        if version.costs.shortcuts(Tier::Fast).is_none() {
            return Ok(());
        }
        let followed = part
            .copies
            .follow(self.gpu, &mut part.index, version, &changed);
        match followed {
            Some(bytes) => {
                self.uploaded.fetch_add(bytes, Ordering::Relaxed);
            }
            None => part = self.upload_contraction(Engine::Contraction(Tier::Fast))?,
        }
        let _ = self.contraction.set(part);
        Ok(())
    }

    /// Makes the levels of the hierarchy those of another version. While costs have changed and the world is not settled, the
    /// levels are stale: their engines fail, and they wait for a version that is settled.
    fn update_levels(&mut self, step: &VersionStep) -> Result<(), GpuError> {
        let version = &step.version;
        let metric = version.costs.metric();
        let is_ready = metric.is_some_and(|metric| !metric.is_changed());
        for number in 0..self.levels.len() {
            let Some(mut part) = self.levels[number].take().flatten() else {
                continue;
            };
            let is_same = step.changed_since(&part.source).is_empty();
            part.is_stale = !is_same;
            let part = match is_ready && !is_same {
                true => {
                    let level = Level((number / 2) as u8);
                    self.updated_level(part, version, level, number % 2 == 1)?
                }
                false => Some(part),
            };
            if part.is_some() {
                let _ = self.levels[number].set(part);
            }
        }
        Ok(())
    }

    fn updated_level(
        &self,
        mut part: LevelPart,
        version: &Source,
        level: Level,
        centres: bool,
    ) -> Result<Option<LevelPart>, GpuError> {
        let [before, after] = [&part.source, version]
            .map(|source| LevelArrays::new(&source.world, &source.costs, level, centres));
        let (Some(before), Some(after)) = (before, after) else {
            return Ok(None);
        };
        let index = Writes::between(&before.index, &after.index);
        let table = Writes::between(&before.table, &after.table);
        let (Some(index), Some(table)) = (index, table) else {
            return self.upload_level(&after).map(Some);
        };
        let bytes = index.for_each(|first, words| self.gpu.write(&part.index, first, words))
            + table.for_each(|first, words| self.gpu.write_table(&part.table, first, words));
        self.uploaded.fetch_add(bytes, Ordering::Relaxed);
        part.source = version.clone();
        part.is_stale = false;
        Ok(Some(part))
    }
}
