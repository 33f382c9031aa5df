//! Sweeps along a line where it does not cross portals properly.
//!
//! The line may pass over a vertex, run along a border or a wall, or pass between portals that should meet but differ
//! by rounding. The sweep follows every portal that the line touches, so it is in all polygons that the line may be
//! in but for rounding. Often there are two of them, one on each side of the line. A wall may be between them, so
//! one of them may end at a wall where the other leads on.

use super::Probe;
use super::line::{Line, in_plan};
use super::short_list::ShortList;
use super::walk::WalkEnd;
use crate::ids::PolygonId;

/// A polygon that the line touches.
#[derive(Clone, Copy)]
struct Branch {
    polygon: PolygonId,
    /// The fraction of the line at which the sweep gets into the polygon.
    entry: f64,
    /// The last fraction at which the line touches the polygon.
    exit: f64,
    /// The polygon in the [`Trail`].
    node: u32,
}

/// The polygons that a sweep has passed. Each polygon and the index of the one before it take two elements of a
/// list of polygons, so the list of the caller is the only memory that is needed.
struct Trail<'a> {
    list: Option<&'a mut Vec<PolygonId>>,
    /// Where the trail begins. The polygons before are those that were crossed before the sweep.
    first: usize,
}

/// The node of the polygon in which a sweep begins.
const START: u32 = u32::MAX;

impl Probe<'_> {
    /// Goes on with a walk from a polygon that the line does not leave by crossing a portal properly. Returns
    /// true at the end of the walk, and false if the line properly crosses a portal of the polygon that it has
    /// got to.
    #[cold]
    pub(super) fn sweep(
        &self,
        here: &mut WalkEnd,
        line: Line,
        goal: Option<PolygonId>,
        crossed: Option<&mut Vec<PolygonId>>,
    ) -> bool {
        let start = Branch {
            polygon: here.polygon,
            entry: here.fraction,
            exit: self.last_touch(here.polygon, line).unwrap_or(here.fraction),
            node: START,
        };
        let mut trail = Trail::new(crossed);
        // The branches whose portals have not been followed, and all polygons that the line still touches, each with
        // its exit.
        let mut open = ShortList::new(start);
        let mut known = ShortList::new((start.polygon, start.exit));
        open.push(start);
        known.push((start.polygon, start.exit));
        if let Some(before) = here.before {
            // The line has left it properly, so nothing leads back.
            known.push((before, f64::INFINITY));
        }
        let mut farthest = (f64::NEG_INFINITY, start);
        while let Some(branch) = open.pop() {
            let is_end =
                branch.exit >= 1.0 || self.is_close(branch.polygon, line.at(1.0), self.touch());
            if is_end && self.is_goal(branch.polygon, line, goal) {
                here.polygon = branch.polygon;
                here.has_reached = true;
                trail.keep(branch.node);
                return true;
            }
            let ahead = self.ahead(branch.entry, line);
            if self.crossing(branch.polygon, line, ahead).is_some() {
                here.polygon = branch.polygon;
                here.before = None;
                here.fraction = branch.entry;
                trail.keep(branch.node);
                return false;
            }
            let reach = self.reach(branch, line);
            if reach > farthest.0 {
                farthest = (reach, branch);
            }
            // The sweep is past the polygons that the line no longer touches.
            known.retain(|&(_, exit)| exit >= branch.entry);
            for &portal in self.mesh.portals_of(branch.polygon) {
                let portal = self.mesh.portal(portal);
                let beyond = portal.beyond(branch.polygon);
                let ends = [portal.right, portal.left].map(in_plan);
                let Some([first, last]) = line.contact(ends, self.touch()) else {
                    continue;
                };
                let entry = first.max(branch.entry);
                let is_known = || known.as_slice().iter().any(|known| known.0 == beyond);
                if entry > last || entry > 1.0 || is_known() || !self.is_open(beyond) {
                    continue;
                }
                let exit = self.last_touch(beyond, line);
                if let Some(exit) = exit.filter(|&exit| exit >= entry) {
                    known.push((beyond, exit));
                    open.push(Branch {
                        polygon: beyond,
                        entry,
                        exit,
                        node: trail.add(beyond, branch.node),
                    });
                }
            }
            // The branch that begins first is the last of the list, and so the next.
            open.as_mut_slice().sort_unstable_by(|a, b| {
                let by_entry = b.entry.total_cmp(&a.entry);
                by_entry.then(b.polygon.cmp(&a.polygon))
            });
        }
        let (reach, branch) = farthest;
        here.polygon = branch.polygon;
        here.fraction = reach.clamp(here.fraction, 1.0);
        trail.keep(branch.node);
        true
    }

    /// Returns the last fraction of a line at which it touches a polygon.
    fn last_touch(&self, polygon: PolygonId, line: Line) -> Option<f64> {
        let borders = self.mesh.borders(polygon);
        let contacts = borders.filter_map(|ends| line.contact(ends.map(in_plan), self.touch()));
        contacts.map(|[_, last]| last).max_by(f64::total_cmp)
    }

    /// Returns the fraction of a line up to which it is in the polygon of a branch. If it is not in it, but runs
    /// along its border, that is the last fraction at which it touches the polygon.
    fn reach(&self, branch: Branch, line: Line) -> f64 {
        let exit = self.exit(branch.polygon, line, branch.entry);
        let only_touches = (branch.exit - branch.entry) * line.length <= 8.0 * self.touch();
        if exit > branch.entry || only_touches {
            exit.max(branch.entry)
        } else {
            branch.exit
        }
    }
}

impl<'a> Trail<'a> {
    fn new(list: Option<&'a mut Vec<PolygonId>>) -> Self {
        let first = list.as_ref().map_or(0, |list| list.len());
        Self { list, first }
    }

    /// Adds a polygon after a node and returns its node.
    fn add(&mut self, polygon: PolygonId, after: u32) -> u32 {
        let Some(list) = &mut self.list else {
            return START;
        };
        let node = list.len() as u32;
        list.extend([polygon, PolygonId(after)]);
        node
    }

    /// Leaves only the polygons that lead to a node, in order.
    fn keep(self, node: u32) {
        let Some(list) = self.list else { return };
        // The polygons are read from the last to the first, behind everything else, and then reversed.
        let (end, mut at) = (list.len(), node);
        while at != START {
            list.push(list[at as usize]);
            at = list[at as usize + 1].0;
        }
        list[end..].reverse();
        list.drain(self.first..end);
    }
}
