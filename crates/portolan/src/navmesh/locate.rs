//! The polygon that a point in space stands on.

use glam::Vec3;

use super::NavMesh;
use super::tree::MAX_DEPTH;
use crate::geometry::Aabb;
use crate::ids::PolygonId;

/// A point on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Location {
    /// The polygon it lies in or on the border of.
    pub polygon: PolygonId,
    /// The point itself, on the polygon's ground.
    pub point: Vec3,
}

impl NavMesh {
    /// The polygon nearest to `place` within the box that reaches `snap` to each side of it, among
    /// those that `allowed` lets through.
    ///
    /// Each polygon offers its point nearest to `place` seen from above: straight below or above
    /// it, or else on the border. The offer that is nearest in space wins, the lower id among
    /// equals; offers outside the box do not count. So a point above a slope lands straight below
    /// itself, and of stacked floors the one nearest in height is taken.
    /// [`DEFAULT_SNAP`](crate::DEFAULT_SNAP) suits people-sized agents. `None` also for a `place`
    /// or `snap` that is not a number.
    pub fn locate(
        &self,
        place: Vec3,
        snap: Vec3,
        allowed: impl Fn(PolygonId) -> bool,
    ) -> Option<Location> {
        if !place.is_finite() || snap.is_nan() || self.tree.nodes().is_empty() {
            return None;
        }
        let nodes = self.tree.nodes();
        let within = Aabb {
            min: place - snap,
            max: place + snap,
        };
        let mut best: Option<(f32, Location)> = None;
        let mut stack = [(0u32, 0f32); MAX_DEPTH + 2];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let (index, bound) = stack[height];
            if best.is_some_and(|(distance, _)| bound > distance) {
                continue;
            }
            let node = &nodes[index as usize];
            if node.count == 0 {
                // The nearer child is pushed last, so that it is looked at first.
                let mut children = [index + 1, node.first]
                    .map(|child| (child, nodes[child as usize].aabb().distance_squared(place)));
                if children[0].1 <= children[1].1 {
                    children.swap(0, 1);
                }
                for child in children {
                    if nodes[child.0 as usize].aabb().meets(within) {
                        stack[height] = child;
                        height += 1;
                    }
                }
                continue;
            }
            for polygon in (node.first..node.first + node.count).map(PolygonId) {
                if !allowed(polygon) {
                    continue;
                }
                let point = self.nearest_on(polygon, place);
                let inside = point.cmpge(within.min).all() && point.cmple(within.max).all();
                let distance = point.distance_squared(place);
                let better = best.is_none_or(|(least, location)| {
                    distance < least || (distance == least && polygon < location.polygon)
                });
                if inside && better {
                    best = Some((distance, Location { polygon, point }));
                }
            }
        }
        best.map(|(_, location)| location)
    }
}
