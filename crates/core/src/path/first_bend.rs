//! The first bend of a path whose portals become known one after the other.
//!
//! An agent that asks where to walk needs only the first corner of its path. The corner is certain as soon
//! as the [wedge](super::wedge) of visible directions closes, usually after a few portals. The rest of the path need not
//! be unpacked.

use glam::{DVec2, Vec3, Vec3Swizzles};

use super::PathCorner;
use super::funnel::is_straight;
use super::wedge::{PlanPortal, Vectors, Wedge};

/// Follows the wedge of directions from a start through portals as they come.
#[derive(Clone, Debug)]
pub(crate) struct FirstBend {
    start: Vec3,
    apex: DVec2,
    portals: Vec<PlanPortal>,
    /// The next portal to look at.
    at: usize,
    wedge: Wedge,
    /// The first corner, unless the path turns out to be straight there.
    corner: Option<PathCorner>,
    /// Whether the start is on the line of a portal. Then the first bend is not decided here.
    is_undecided: bool,
}

impl Default for FirstBend {
    fn default() -> Self {
        Self {
            start: Vec3::ZERO,
            apex: DVec2::ZERO,
            portals: Vec::new(),
            at: 0,
            wedge: Wedge::UNBOUNDED,
            corner: None,
            is_undecided: false,
        }
    }
}

impl FirstBend {
    /// Starts a new path and keeps the allocated memory.
    pub(crate) fn restart(&mut self, start: Vec3) {
        self.start = start;
        self.portals.clear();
        (self.corner, self.is_undecided) = (None, false);
        self.turn_from(start, 0);
    }

    /// Adds the next portal of the path, as its right and left end. Returns the first bend if it is certain now,
    /// whatever comes after this portal. It is then the first bend that [`find_bends`](super::find_bends) finds for the
    /// whole path.
    pub(crate) fn push(&mut self, ends: [Vec3; 2]) -> Option<PathCorner> {
        self.portals.push(PlanPortal::new(ends));
        if self.is_undecided {
            return None;
        }
        while let Some(portal) = self.portals.get(self.at) {
            let to_ends = portal.seen_from(Vectors::splat(self.apex));
            let is_unbounded = self.wedge.is_unbounded();
            if is_unbounded && portal.ends_at(self.apex) {
                if self.corner.is_none() {
                    self.is_undecided = true;
                    return None;
                }
                self.at += 1;
                continue;
            }
            let through = match is_unbounded {
                true => Wedge::through(to_ends, self.at),
                false => None,
            };
            if is_unbounded && through.is_none() && self.corner.is_none() {
                self.is_undecided = true;
                return None;
            }
            let narrowed = through.or_else(|| self.wedge.narrowed(to_ends, self.at));
            let turn =
                match narrowed.map_or_else(|| self.wedge.narrowed_or_turn(to_ends, self.at), Ok) {
                    Ok(wedge) => {
                        self.wedge = wedge;
                        self.at += 1;
                        if let Some(corner) = self.corner
                            && wedge.excludes((corner.point - self.start).xz().as_dvec2())
                        {
                            return Some(corner);
                        }
                        continue;
                    }
                    Err(turn) => turn,
                };
            let next = self.portals[turn.portal].corner(turn.is_left(), turn.portal);
            match self.corner {
                Some(corner) if !is_straight(self.start, corner.point, next.point) => {
                    return Some(corner);
                }
                _ => {
                    self.corner = Some(next);
                    self.turn_from(next.point, turn.portal + 1);
                }
            }
        }
        None
    }

    /// Looks from a new apex, through the portals from index `first` on.
    fn turn_from(&mut self, apex: Vec3, first: usize) {
        self.apex = apex.xz().as_dvec2();
        self.at = first;
        self.wedge = Wedge::UNBOUNDED;
    }
}
