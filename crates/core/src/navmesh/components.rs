//! Connected components, with which a query reports an unreachable goal without a search.

use super::{Link, NavMesh, NavMeshError, NavMeshOptions, Portal};
use crate::array::Array;
use crate::ids::PolygonId;
use crate::union_find::UnionFind;

/// The weakly connected components of a mesh. There is no path between polygons of different
/// components, in either direction and for any profile. Components are numbered by their lowest
/// polygon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Components {
    of: Array<u32>,
    sizes: Array<u32>,
}

/// Polygons that are gone are in no component.
const NO_COMPONENT: u32 = u32::MAX;

impl Components {
    pub(super) fn new(polygons: usize, portals: &[Portal], links: &[Link]) -> Self {
        Self::of_present(polygons, portals, links, |_| true)
    }

    /// Finds the components of the polygons for which `is_present` returns true. The others have none, and neither portals
    /// nor links may lead to them.
    pub(super) fn of_present(
        polygons: usize,
        portals: &[Portal],
        links: &[Link],
        is_present: impl Fn(PolygonId) -> bool,
    ) -> Self {
        let mut sets = UnionFind::new(polygons);
        let pairs = portals
            .iter()
            .map(|portal| portal.polygons)
            .chain(links.iter().map(|link| link.polygons));
        for [a, b] in pairs {
            sets.join(a.0, b.0);
        }
        let mut of = vec![0; polygons];
        let mut sizes = Vec::new();
        for polygon in 0..polygons as u32 {
            if !is_present(PolygonId(polygon)) {
                of[polygon as usize] = NO_COMPONENT;
                continue;
            }
            // The root is the lowest polygon of its set, so it is numbered before the others.
            let root = sets.root(polygon);
            if root == polygon {
                of[polygon as usize] = sizes.len() as u32;
                sizes.push(0);
            } else {
                of[polygon as usize] = of[root as usize];
            }
            sizes[of[polygon as usize] as usize] += 1;
        }
        Self {
            of: of.into(),
            sizes: sizes.into(),
        }
    }

    /// Restores components from the stored component of each polygon. Returns `None` unless the
    /// components are numbered from 0 without gaps.
    pub(super) fn from_labels(of: Vec<u32>) -> Option<Self> {
        let count = of.iter().max().map_or(0, |&highest| highest as usize + 1);
        if count > of.len() {
            return None;
        }
        let mut sizes = vec![0; count];
        of.iter()
            .for_each(|&component| sizes[component as usize] += 1);
        (!sizes.contains(&0)).then(|| Self {
            of: of.into(),
            sizes: sizes.into(),
        })
    }

    /// Restores components from stored arrays, which must be valid or be checked with [`check`](Self::check).
    pub(super) fn from_stored(of: Array<u32>, sizes: Array<u32>) -> Self {
        Self { of, sizes }
    }

    /// Returns whether the components are numbered from 0 without gaps and have the stored sizes.
    pub(super) fn check(&self) -> bool {
        let mut sizes = vec![0; self.sizes.len()];
        let exist = self.of.iter().all(|&component| {
            let size = sizes.get_mut(component as usize);
            size.map(|size| *size += 1).is_some()
        });
        exist && sizes[..] == self.sizes[..] && !sizes.contains(&0)
    }

    /// Returns the component of every polygon.
    pub(super) fn all(&self) -> &Array<u32> {
        &self.of
    }

    /// Returns the number of polygons of every component.
    pub(super) fn sizes(&self) -> &Array<u32> {
        &self.sizes
    }

    /// Returns the components after the polygons are reordered: the new polygon `i` is the old polygon
    /// `order[i]`.
    pub(super) fn in_order(&self, order: &[u32]) -> Self {
        const NEW: u32 = u32::MAX;
        let mut new_labels = vec![NEW; self.sizes.len()];
        let mut sizes = Vec::with_capacity(self.sizes.len());
        let relabel = |&polygon: &u32| {
            let component = self.of[polygon as usize] as usize;
            if new_labels[component] == NEW {
                new_labels[component] = sizes.len() as u32;
                sizes.push(self.sizes[component]);
            }
            new_labels[component]
        };
        let of = order.iter().map(relabel).collect();
        Self {
            of,
            sizes: sizes.into(),
        }
    }

    /// Returns the number of components.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// Returns the component of a polygon; `u32::MAX` if the polygon [is gone](NavMesh::is_gone).
    #[inline]
    pub fn of(&self, polygon: PolygonId) -> u32 {
        self.of[polygon.index()]
    }

    /// Returns the number of polygons of a component; 0 if there is no such component.
    pub fn size(&self, component: u32) -> u32 {
        self.sizes.get(component as usize).copied().unwrap_or(0)
    }

    /// Returns the component with the most polygons, or the lowest of them if several are equally
    /// large.
    pub fn largest(&self) -> u32 {
        let mut largest = 0;
        for component in 1..self.sizes.len() {
            if self.sizes[component] > self.sizes[largest] {
                largest = component;
            }
        }
        largest as u32
    }

    /// Returns the component of every polygon, indexed by polygon.
    pub fn labels(&self) -> &[u32] {
        &self.of
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.of[..]) + size_of_val(&self.sizes[..])
    }
}

/// The conditions for [`NavMesh::keep_components`]. A component must meet both to be kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeepComponents {
    /// The smallest number of polygons of a component that is kept. [Units: polygons] 0 and 1 keep all
    /// components.
    pub min_polygons: u32,
    /// Points of which a kept component must contain at least one. If empty, this condition always
    /// holds.
    pub holding: Vec<glam::Vec3>,
}

impl NavMesh {
    /// Builds the mesh of the components that meet the conditions of `keep`. Polygons and links keep
    /// their user ids, and the new [`repairs`](Self::repairs) include those of this mesh. `options`
    /// should be the options that this mesh was built with.
    ///
    /// A mesh need not be connected. Pelechano and Fuentes 2016 (HNA*) remove unreachable parts, and this
    /// function does the same.
    pub fn keep_components(
        &self,
        keep: &KeepComponents,
        options: &NavMeshOptions,
    ) -> Result<Self, NavMeshError> {
        let held: Vec<u32> = keep
            .holding
            .iter()
            .filter_map(|&point| self.locate(point, crate::DEFAULT_SNAP, |_| true))
            .map(|location| self.components.of(location.polygon))
            .collect();
        let is_kept = |component: u32| {
            self.components.size(component) >= keep.min_polygons
                && (keep.holding.is_empty() || held.contains(&component))
        };
        let is_kept: Vec<bool> = (0..self.components.count() as u32).map(is_kept).collect();
        self.keep_polygons(
            |polygon| is_kept[self.components.of(polygon) as usize],
            options,
        )
    }
}
