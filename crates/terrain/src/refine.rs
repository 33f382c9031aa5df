//! The line of a path: from the triangles that a search has found to points that the path really walks over.
//!
//! The triangles of a search are a corridor for a path from centre to centre. The cheapest line is often
//! elsewhere, so the triangles can change here:
//! 1. The line starts over the midpoints of the edges. Straight lines replace pieces of it, and crossings slide along their
//!    edges ([`Strip::improve`]). On flat ground the result is a straight line; where the price changes, the line bends
//!    like light (Snell's law).
//! 2. A search over points on the edges of all triangles around it finds another line ([`PointSearch`]), which is improved
//!    in the same way, and kept if it is cheaper. If it comes close to the rim of that window, the window moves along.

use super::strip::Strip;
use super::window::{LineEnd, PointSearch, WindowScratch};
use super::{Terrain, TerrainEndpoints, TerrainLine, TerrainPath, TerrainQuery, TerrainScratch};

/// The number of points per edge in the search, including both ends.
const POINTS: usize = 5;

/// The window contains the triangles that are at most this many crossings away from the line.
const WINDOW: u32 = 12;

/// The line is close to the rim of the window from this many crossings on.
const RIM: u32 = WINDOW - 2;

/// The maximum number of windows per path.
const MAX_WINDOWS: usize = 6;

/// A line over points on edges may cost this much more than the line so far. It gets cheaper when it is improved.
const SLACK: f64 = 1.1;

/// The buffers for computing a line.
#[derive(Clone, Debug, Default)]
pub(super) struct RefineScratch {
    strip: Strip,
    other: Strip,
    spare: Strip,
    pub(super) window: WindowScratch,
}

impl Terrain {
    /// Computes the points of a path, as [`TerrainQuery::line`] says. This is the third step of
    /// [`find_path`](Self::find_path). The triangles of `path` are those that [`search`](Self::search) has found for the
    /// same ends; if they are not, the path is left as it is.
    pub fn refine(
        &self,
        query: &TerrainQuery<'_>,
        ends: &TerrainEndpoints,
        scratch: &mut TerrainScratch,
        path: &mut TerrainPath,
    ) {
        let [start, goal] = [ends.start, ends.goal];
        let pair = (Some(&start.triangle), Some(&goal.triangle));
        let count = self.web.len() as u32;
        let exist = path.triangles.iter().all(|&triangle| triangle < count);
        let (graph, _) = self.priced(query.profile);
        if !exist
            || graph.len() != self.web.len()
            || (path.triangles.first(), path.triangles.last()) != pair
        {
            return;
        }
        let ground = self.ground(query.profile);
        let RefineScratch {
            strip,
            other,
            spare,
            window,
        } = &mut scratch.refine;
        let [from, to] = [start, goal].map(|end| LineEnd {
            triangle: end.triangle,
            point: end.point.as_dvec3(),
        });
        strip.reset(from.point, to.point);
        if strip.set_midpoints(ground, &path.triangles).is_none() {
            return;
        }
        strip.set_costs(ground);
        if query.line != TerrainLine::Midpoints {
            strip.improve(ground, spare);
        }
        if query.line == TerrainLine::Refined {
            let mut search = PointSearch {
                ground,
                points: POINTS,
                scratch: window,
            };
            for _ in 0..MAX_WINDOWS {
                search.open_window(&strip.triangles, WINDOW);
                if search.find(from, to, strip.cost() * SLACK, other).is_none() {
                    break;
                }
                other.set_costs(ground);
                other.improve(ground, spare);
                if other.cost() >= strip.cost() {
                    break;
                }
                std::mem::swap(strip, other);
                let is_inside =
                    |triangle: u32| search.contains(triangle) && search.distance(triangle) < RIM;
                if strip.triangles.iter().all(|&triangle| is_inside(triangle)) {
                    break;
                }
            }
        }
        path.set_line(ground, strip, ends);
    }
}
