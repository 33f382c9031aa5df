//! The version of a world that arrays on the device were written from, and what differs in another version.

use std::ops::Deref;
use std::sync::Arc;

use portolan_core::{Costs, LinkId, PolygonId, World};

/// The version of a world, and of the costs of one kind of agent, that an array on the device was written from. Arrays of one
/// version share it.
#[derive(Clone, Debug)]
pub(crate) struct Source(Arc<Version>);

/// See [`Source`].
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) world: World,
    pub(crate) costs: Costs,
}

impl Deref for Source {
    type Target = Version;

    fn deref(&self) -> &Version {
        &self.0
    }
}

/// The polygons and links that cost something else in another version.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangedGround {
    pub(crate) polygons: Vec<PolygonId>,
    pub(crate) links: Vec<LinkId>,
}

impl ChangedGround {
    pub(crate) fn is_empty(&self) -> bool {
        self.polygons.is_empty() && self.links.is_empty()
    }

    /// Returns the vertices of the graph that arcs with other costs lead between.
    pub(crate) fn vertices(&self, world: &World) -> Vec<u32> {
        let graph = world.graph();
        let of_polygons = self.polygons.iter();
        let mut vertices: Vec<u32> = of_polygons
            .flat_map(|&polygon| graph.samples_of(polygon))
            .map(|sample| sample.0)
            .collect();
        let first_end = graph.sample_count() - 2 * world.mesh().links().len();
        for link in &self.links {
            vertices.extend([0, 1].map(|end| (first_end + 2 * link.index() + end) as u32));
        }
        vertices
    }
}

impl Source {
    pub(crate) fn new(world: &World, costs: &Costs) -> Self {
        Self(Arc::new(Version {
            world: world.clone(),
            costs: costs.clone(),
        }))
    }

    /// Returns what differs in another version of the same world. It compares the costs themselves, and not the versions of
    /// polygons, so it finds the changes between any two versions. The profiles may differ.
    pub(crate) fn changed_in(&self, other: &Self) -> ChangedGround {
        if self.costs.are_same_as(&other.costs) {
            return ChangedGround::default();
        }
        let [before, after] =
            [self, other].map(|source| (source.costs.prices(), source.world.mesh()));
        let factor_changes = |&polygon: &PolygonId| {
            let [a, b] = [before, after].map(|(prices, mesh)| prices.factor(mesh, polygon));
            a != b
        };
        let links = after.1.links().len();
        let link_changes = |&link: &LinkId| {
            let [a, b] =
                [before, after].map(|(prices, mesh)| prices.link_cost(mesh, mesh.link(link)));
            a != b
        };
        let polygons = match self.costs.profile() == other.costs.profile() {
            true => other.world.polygons_unlike(&self.world),
            false => after.1.polygons().collect(),
        };
        ChangedGround {
            polygons: polygons.into_iter().filter(factor_changes).collect(),
            links: (0..links).map(LinkId::new).filter(link_changes).collect(),
        }
    }
}

/// Ranges of words that are to be written to an array.
#[derive(Debug, Default)]
pub(crate) struct Writes {
    ranges: Vec<(usize, Vec<u32>)>,
}

impl Writes {
    /// Adds words, from word `first` of the array on.
    pub(crate) fn push(&mut self, first: usize, words: impl IntoIterator<Item = u32>) {
        match self.ranges.last_mut() {
            Some((start, range)) if *start + range.len() == first => range.extend(words),
            _ => self.ranges.push((first, words.into_iter().collect())),
        }
    }

    /// Returns the words that differ between two versions of an array, as few ranges. A range may have some words that do not
    /// differ, because every range takes a copy of its own. Returns `None` if the lengths differ.
    pub(crate) fn between(before: &[u32], after: &[u32]) -> Option<Self> {
        /// The maximum number of equal words between two ranges that are written as one.
        const GAP: usize = 16;
        if before.len() != after.len() {
            return None;
        }
        let mut writes = Self::default();
        let pairs = before.iter().zip(after).enumerate();
        for (at, _) in pairs.filter(|(_, (before, after))| before != after) {
            let end = writes
                .ranges
                .last()
                .map(|(first, range)| first + range.len());
            match end.filter(|&end| at - end <= GAP) {
                Some(end) => writes.push(end, after[end..=at].iter().copied()),
                None => writes.push(at, [after[at]]),
            }
        }
        Some(writes)
    }

    /// Calls `write` with every range. Returns the number of bytes.
    pub(crate) fn for_each(&self, mut write: impl FnMut(usize, &[u32])) -> u64 {
        let mut bytes = 0;
        for (first, words) in &self.ranges {
            write(*first, words);
            bytes += 4 * words.len() as u64;
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_make_the_earlier_array_the_later_one() {
        let mut before: Vec<u32> = (0..500).collect();
        let mut after = before.clone();
        for at in [0, 1, 10, 27, 100, 499] {
            after[at] += 1000;
        }
        let writes = Writes::between(&before, &after).expect("equal lengths");
        assert_eq!(writes.ranges.len(), 3);
        let bytes = writes.for_each(|first, words| {
            before[first..first + words.len()].copy_from_slice(words);
        });
        assert_eq!(before, after);
        assert_eq!(bytes, 4 * (28 + 1 + 1));
        assert!(Writes::between(&before, &after[1..]).is_none());
    }

    #[test]
    fn adjacent_words_are_one_range() {
        let mut writes = Writes::default();
        writes.push(5, [1, 2]);
        writes.push(7, [3]);
        writes.push(9, [4]);
        assert_eq!(writes.ranges, [(5, vec![1, 2, 3]), (9, vec![4])]);
    }
}
