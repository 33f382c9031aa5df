//! What is taken out of a mesh and put into it at run time, and the checks of it.

use glam::Vec3;

use super::joints::{Joints, NewPolygons, weld};
use super::overlap::overlap;
use super::tree::BoxTree;
use super::{
    Heights, NavMesh, NavMeshError, NavMeshOptions, Portal, RawNavMesh, Repairs, validate,
};
use crate::geometry::Aabb;
use crate::ids::{LinkId, MAX_ELEMENTS, PolygonId};

/// Polygons that are taken out of a mesh and others that are put in at run time: a tile that was baked again, new
/// ground, a hole. See [`LiveWorld::replace`](crate::LiveWorld::replace).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replacement {
    /// The polygons that are taken out. Their ids are gone for good, and so are the links that end on them.
    pub remove: Vec<PolygonId>,
    /// The polygons and links that are put in. They get new ids, in the order of their positions.
    ///
    /// A corner at exactly the position of a corner of an untouched polygon is the same corner. All other borders are joined
    /// with untouched polygons by position, as between tiles. The polygons of [`RawLink`](super::RawLink)s are indices
    /// into this list; an end without one snaps to the nearest polygon of the whole mesh, untouched ones included.
    /// Without `ids`, polygons get user ids above all others of the mesh.
    pub add: RawNavMesh,
    /// The options for `add`. [Default: those of a new mesh] Portals between untouched polygons stay as they are.
    pub options: NavMeshOptions,
}

/// The reason why a [`Replacement`] was rejected. Nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplacementError {
    /// There is nothing to do.
    #[error("the replacement removes no polygons and adds no polygons or links")]
    Empty,
    /// Nothing would remain.
    #[error("the replacement removes all polygons and adds none: a world needs at least one")]
    NothingLeft,
    /// The mesh has no such polygon.
    #[error("the replacement removes polygon {polygon}, and the mesh has {count} polygons")]
    Polygon {
        /// The polygon.
        polygon: u32,
        /// The number of polygons.
        count: usize,
    },
    /// The polygon was replaced before.
    #[error("the replacement removes polygon {polygon}, which is gone: it was replaced before")]
    Gone {
        /// The polygon.
        polygon: u32,
    },
    /// The new polygons or links are invalid by themselves. Indices are those of [`Replacement::add`].
    #[error("the replacement is invalid: {0}")]
    Mesh(#[from] NavMeshError),
    /// Two new polygons cover the same ground.
    #[error("polygons {polygon} and {other} of the replacement overlap")]
    OverlapsItself {
        /// The index of a polygon in [`Replacement::add`].
        polygon: usize,
        /// The index of another.
        other: usize,
    },
    /// A new polygon covers the same ground as a polygon that stays.
    #[error(
        "polygon {polygon} of the replacement overlaps polygon {other} of the mesh, which is not removed"
    )]
    OverlapsMesh {
        /// The index of the polygon in [`Replacement::add`].
        polygon: usize,
        /// The polygon of the mesh.
        other: u32,
    },
    /// More than two polygons have a common border.
    #[error("polygon {polygon} of the replacement has a border that two other polygons have, too")]
    CrowdedBorder {
        /// The index of the polygon in [`Replacement::add`].
        polygon: usize,
    },
    /// The mesh would be too large. Ids of polygons that are gone count, too.
    #[error(
        "with the replacement, the mesh would have {count} {what}: the limit is {MAX_ELEMENTS}"
    )]
    TooMany {
        /// The elements.
        what: &'static str,
        /// Their number.
        count: usize,
    },
}

/// Below this difference in height, polygons overlap whatever the options say. [Units: m]
const MIN_HEIGHT: f32 = 0.1;

/// A replacement that was checked against one mesh, with its portals.
#[derive(Debug)]
pub(crate) struct CheckedReplacement {
    /// The polygons that go, in ascending order, and the links that end on them.
    pub(super) gone: Vec<PolygonId>,
    pub(super) gone_links: Vec<LinkId>,
    /// The vertices after those of the mesh.
    pub(super) vertices: Vec<Vec3>,
    /// The polygons after those of the mesh.
    pub(super) new: NewPolygons,
    /// Their finer surfaces.
    pub(super) heights: Heights,
    /// The index of each new polygon in the raw mesh.
    pub(super) raw_index: Vec<u32>,
    /// The portals of new polygons, and those between polygons that were joined with others before.
    pub(super) portals: Vec<Portal>,
    /// The raw mesh, for everything that needs no check.
    pub(super) raw: RawNavMesh,
    pub(super) repairs: Repairs,
}

impl CheckedReplacement {
    /// Returns, per polygon of [`Replacement::add`], its id in the mesh that results; `None` if it has no area.
    pub(crate) fn new_ids(&self) -> Vec<Option<PolygonId>> {
        let mut ids = vec![None; self.raw.polygons.len()];
        for (i, &raw) in self.raw_index.iter().enumerate() {
            ids[raw as usize] = Some(self.new.id(i));
        }
        ids
    }
}

impl NavMesh {
    /// Checks everything about a replacement, and finds its portals. The time depends on the replacement and its
    /// surroundings only.
    pub(crate) fn check_replacement(
        &self,
        replacement: &Replacement,
    ) -> Result<CheckedReplacement, ReplacementError> {
        let Replacement {
            remove,
            add,
            options,
        } = replacement;
        // 1. What goes.
        let gone = self.checked_removal(remove)?;
        let is_gone = |polygon: PolygonId| gone.binary_search(&polygon).is_ok();

        // 2. What comes, by itself.
        let valid = validate::check_part(add, options)?;
        if gone.is_empty() && valid.polygons.is_empty() && add.links.is_empty() {
            return Err(ReplacementError::Empty);
        }
        let remaining = self.polygon_count() - self.gone_count() - gone.len();
        if remaining == 0 && valid.polygons.is_empty() {
            return Err(ReplacementError::NothingLeft);
        }
        self.check_limits(add, valid.polygons.values().len())?;

        // 3. Number the new polygons by the leaves of a tree, so that neighbours get similar ids.
        let points = |i: usize| {
            let corners = valid.polygons.get(i).iter();
            corners.map(|&vertex| add.vertices[vertex as usize])
        };
        let boxes: Vec<Aabb> = (0..valid.polygons.len())
            .map(|i| Aabb::around(points(i).chain(valid.heights.points(i).iter().copied())))
            .collect();
        let (tree, order) = BoxTree::build(&boxes);
        let raw_index: Vec<u32> = order.iter().map(|&i| valid.raw_index[i as usize]).collect();
        let boxes: Vec<Aabb> = order.iter().map(|&i| boxes[i as usize]).collect();
        let outlines: Vec<Vec<Vec3>> = order
            .iter()
            .map(|&i| points(i as usize).collect())
            .collect();

        // 4. No two polygons may cover the same ground.
        let step = options.borders.map_or(0.0, |borders| borders.step);
        let step = step.max(MIN_HEIGHT);
        let raw = |i: usize| raw_index[i] as usize;
        for (i, outline) in outlines.iter().enumerate() {
            let around = boxes[i].grown(Vec3::Y * step);
            let mut found = None;
            tree.for_each_near(around, |j| {
                let j = j as usize;
                if j > i && found.is_none() && overlap(outline, &outlines[j], step) {
                    found = Some(j);
                }
            });
            if let Some(j) = found {
                return Err(ReplacementError::OverlapsItself {
                    polygon: raw(i),
                    other: raw(j),
                });
            }
            let mut found = None;
            self.tree.for_each_near(around, |other| {
                let other = PolygonId(other);
                if found.is_none() && !is_gone(other) {
                    let other_outline: Vec<Vec3> = self.corner_points(other).collect();
                    found = overlap(outline, &other_outline, step).then_some(other);
                }
            });
            if let Some(other) = found {
                return Err(ReplacementError::OverlapsMesh {
                    polygon: raw(i),
                    other: other.0,
                });
            }
        }

        // 5. Join the new polygons with each other and with those that stay.
        let reach = super::joints::reach(options.borders);
        let near = self.near(&boxes, &gone, reach);
        let (vertices, polygons) = weld(self, &near, add, &valid.polygons, &order);
        let new = NewPolygons {
            first: self.polygon_count(),
            polygons,
        };
        let mut repairs = valid.repairs;
        let joints = Joints {
            mesh: self,
            gone: &gone,
            near: &near,
            added_vertices: &vertices,
            new: &new,
            matching: options.borders,
        };
        let portals = joints
            .find(&boxes, &mut repairs)
            .map_err(|i| ReplacementError::CrowdedBorder { polygon: raw(i) })?;
        let kept = self.portals.len() + portals.len();
        if kept > MAX_ELEMENTS {
            return Err(ReplacementError::TooMany {
                what: "portals",
                count: kept,
            });
        }
        let gone_links = (0..self.links.len())
            .map(LinkId::new)
            .filter(|&link| !self.is_link_gone(link))
            .filter(|&link| {
                let ends = self.link(link).polygons;
                ends.into_iter().any(|end| is_gone(self.whole(end)))
            })
            .collect();
        Ok(CheckedReplacement {
            gone_links,
            vertices,
            new,
            heights: valid.heights.reordered(order.iter().map(|&i| i as usize)),
            raw_index,
            portals,
            raw: add.clone(),
            repairs,
            gone,
        })
    }

    /// Returns the polygons to remove in ascending order, each once.
    fn checked_removal(&self, remove: &[PolygonId]) -> Result<Vec<PolygonId>, ReplacementError> {
        let count = self.polygon_count();
        for &polygon in remove {
            if polygon.index() >= count {
                let polygon = polygon.0;
                return Err(ReplacementError::Polygon { polygon, count });
            }
            if self.is_gone(polygon) {
                return Err(ReplacementError::Gone { polygon: polygon.0 });
            }
        }
        let mut gone = remove.to_vec();
        gone.sort_unstable();
        gone.dedup();
        Ok(gone)
    }

    fn check_limits(&self, add: &RawNavMesh, corners: usize) -> Result<(), ReplacementError> {
        let counts = [
            ("vertices", self.vertices.len() + add.vertices.len()),
            ("polygon corners", self.polygons.values().len() + corners),
            ("links", self.links.len() + add.links.len()),
        ];
        match counts.into_iter().find(|&(_, count)| count > MAX_ELEMENTS) {
            Some((what, count)) => Err(ReplacementError::TooMany { what, count }),
            None => Ok(()),
        }
    }

    /// Returns the polygons that stay, and are near a polygon that comes or goes.
    fn near(&self, boxes: &[Aabb], gone: &[PolygonId], reach: Vec3) -> Vec<PolygonId> {
        let gone_boxes = gone.iter().map(|&p| Aabb::around(self.corner_points(p)));
        let mut near = Vec::new();
        for aabb in boxes.iter().copied().chain(gone_boxes) {
            self.tree.for_each_near(aabb.grown(reach), |polygon| {
                let polygon = PolygonId(polygon);
                if gone.binary_search(&polygon).is_err() {
                    near.push(polygon);
                }
            });
        }
        near.sort_unstable();
        near.dedup();
        near
    }
}
