//! Which polygons hang together, so that "unreachable" is cheap to say.

use super::{Link, NavMesh, NavMeshError, NavMeshOptions, Portal};
use crate::ids::PolygonId;
use crate::union_find::UnionFind;

/// Weakly connected components: two polygons of different components have no path between them in
/// either direction, for any kind of agent. Numbered by their lowest polygon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Components {
    of: Vec<u32>,
    sizes: Vec<u32>,
}

impl Components {
    pub(super) fn new(polygons: usize, portals: &[Portal], links: &[Link]) -> Self {
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
            // The root is the lowest of its set, so it was numbered before the others.
            let root = sets.root(polygon);
            if root == polygon {
                of[polygon as usize] = sizes.len() as u32;
                sizes.push(0);
            } else {
                of[polygon as usize] = of[root as usize];
            }
            sizes[of[polygon as usize] as usize] += 1;
        }
        Self { of, sizes }
    }

    /// Takes the component of each polygon from a file; `None` unless they are numbered from 0
    /// without gaps.
    pub(super) fn from_labels(of: Vec<u32>) -> Option<Self> {
        let count = of.iter().max().map_or(0, |&most| most as usize + 1);
        if count > of.len() {
            return None;
        }
        let mut sizes = vec![0; count];
        of.iter()
            .for_each(|&component| sizes[component as usize] += 1);
        (!sizes.contains(&0)).then_some(Self { of, sizes })
    }

    /// The same components of polygons in another order: polygon `i` is what `order[i]` was.
    pub(super) fn in_order(&self, order: &[u32]) -> Self {
        const NEW: u32 = u32::MAX;
        let mut names = vec![NEW; self.sizes.len()];
        let mut sizes = Vec::with_capacity(self.sizes.len());
        let renamed = |&polygon: &u32| {
            let component = self.of[polygon as usize] as usize;
            if names[component] == NEW {
                names[component] = sizes.len() as u32;
                sizes.push(self.sizes[component]);
            }
            names[component]
        };
        let of = order.iter().map(renamed).collect();
        Self { of, sizes }
    }

    /// The number of components.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The component of a polygon.
    #[inline]
    pub fn of(&self, polygon: PolygonId) -> u32 {
        self.of[polygon.index()]
    }

    /// The number of polygons of a component.
    pub fn size(&self, component: u32) -> u32 {
        self.sizes[component as usize]
    }

    /// The component with the most polygons, the lowest number among equals.
    pub fn largest(&self) -> u32 {
        let mut largest = 0;
        for component in 1..self.sizes.len() {
            if self.sizes[component] > self.sizes[largest] {
                largest = component;
            }
        }
        largest as u32
    }

    /// The component of every polygon.
    pub fn labels(&self) -> &[u32] {
        &self.of
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.of[..]) + size_of_val(&self.sizes[..])
    }
}

/// Which components [`NavMesh::keep_components`] keeps: those that meet both conditions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeepComponents {
    /// Components with fewer polygons go. [Units: polygons] 0 and 1 keep all.
    pub min_polygons: u32,
    /// Components that hold none of these points go. Empty: all stay.
    pub holding: Vec<glam::Vec3>,
}

impl NavMesh {
    /// The mesh without some of its components, under the same user ids, checked again with the
    /// options it was built with. What was put right before still counts.
    ///
    /// Islands are legitimate; the papers remove what cannot be reached, so this is there.
    pub fn keep_components(
        &self,
        keep: &KeepComponents,
        options: &NavMeshOptions,
    ) -> Result<Self, NavMeshError> {
        let held: Vec<u32> = keep
            .holding
            .iter()
            .filter_map(|&place| self.locate(place, crate::DEFAULT_SNAP, |_| true))
            .map(|location| self.components.of(location.polygon))
            .collect();
        let stays = |component: u32| {
            self.components.size(component) >= keep.min_polygons
                && (keep.holding.is_empty() || held.contains(&component))
        };
        let stays: Vec<bool> = (0..self.components.count() as u32).map(stays).collect();
        self.keep_polygons(
            |polygon| stays[self.components.of(polygon) as usize],
            options,
        )
    }
}
