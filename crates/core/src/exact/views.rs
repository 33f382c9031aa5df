//! Views: the corners that can be seen from each polygon along a tangent, so that an end of a query need not look
//! around.
//!
//! A corner sees a polygon through cones of sight. The part of the polygon that is inside such a cone, and from
//! which a path can bend at the corner, lies between lines through the corner. A polygon stores two of these lines for
//! every corner: a point of the polygon sees the corners whose two lines it lies between. This is decided in `f32`, four
//! corners at a time.
//!
//! A point within a margin of a line of sight may see the corner or not. Then the caller looks around instead, with
//! exact signs. The margin exceeds all rounding errors, so views never change an answer.

use glam::{DVec2, Vec2, Vec4};
use rayon::prelude::*;

use super::graph::{Node, TautGraph};
use super::plan::{PlanMesh, in_plan};
use super::sight::{Cone, manhattan};
use crate::csr::Csr;

/// The margin of a line of sight, in units of the rounding error of a point. Looking around tolerates less than 8.
const MARGIN: f64 = 64.0;

/// The part of the margin that is due to lines in `f32`, relative to the size of the polygon.
const RELATIVE_MARGIN: f64 = 4e-6;

/// Polygons from which more corners can be seen have no views: looking around is then as fast.
const MAX_VIEWS: usize = 96;

/// The maximum number of cones that a corner looks through, per polygon. Only cones through dented polygons can be so many.
const MAX_CONES: usize = 16;

/// The number of views in a block.
const LANES: usize = 4;

/// The views of all polygons.
#[derive(Clone, Debug)]
pub(super) struct Views {
    /// The polygons, and one more, whose first block is the end of all blocks.
    polygons: Vec<PolygonViews>,
    blocks: Vec<ViewBlock>,
}

/// The views of a polygon. A polygon without blocks has no views.
#[derive(Clone, Copy, Debug)]
struct PolygonViews {
    /// Where coordinates start.
    origin: Vec2,
    /// Points that are inside a line by less may see the corner or not. [Units: m]
    unsure: f32,
    first_block: u32,
}

/// Four views.
#[derive(Clone, Copy, Debug)]
struct ViewBlock {
    /// The two lines of each view.
    lines: [Lines; 2],
    corners: [SeenCorner; LANES],
}

/// A line of each view of a block: points with `x * at.x + y * at.y + offset >= 0` are inside. Values are
/// distances. [Units: m]
#[derive(Clone, Copy, Debug)]
struct Lines {
    x: Vec4,
    y: Vec4,
    offset: Vec4,
}

/// A corner that is seen, in one word: its node, the side of the polygon that it is seen through, and whether
/// the lines do not tell if a path can bend there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SeenCorner(u32);

impl SeenCorner {
    const NODE_BITS: u32 = 25;
    const SIDE_BITS: u32 = 6;
    /// The number that stands for no side: the corner belongs to the polygon itself.
    const NO_SIDE: u32 = (1 << Self::SIDE_BITS) - 1;
    const IS_DOUBTFUL: u32 = 1 << 31;

    fn node(self) -> u32 {
        self.0 & ((1 << Self::NODE_BITS) - 1)
    }

    fn side(self) -> u32 {
        self.0 >> Self::NODE_BITS & Self::NO_SIDE
    }

    fn is_doubtful(self) -> bool {
        self.0 & Self::IS_DOUBTFUL != 0
    }
}

/// A line of one view, in the coordinates of the mesh: points with `normal * at + offset >= 0` are inside.
#[derive(Clone, Copy, Debug)]
struct Line {
    normal: DVec2,
    offset: f64,
}

/// A view from a polygon.
#[derive(Clone, Copy, Debug)]
struct View {
    polygon: u32,
    corner: SeenCorner,
    lines: [Line; 2],
}

impl Line {
    /// The line that all points are inside of.
    const EVERYTHING: Self = Self {
        normal: DVec2::ZERO,
        offset: f32::MAX as f64,
    };

    /// The line that no point is inside of.
    const NOTHING: Self = Self {
        normal: DVec2::ZERO,
        offset: -1.0,
    };

    /// Returns the line through two points, moved to the right by `margin`. Points on its left are inside. `None` if
    /// the points are the same.
    fn left_of(from: DVec2, to: DVec2, margin: f64) -> Option<Self> {
        let normal = (to - from).perp().try_normalize()?;
        Some(Self {
            normal,
            offset: margin - normal.dot(from),
        })
    }

    fn scaled(self, factor: f64) -> Self {
        Self {
            normal: self.normal * factor,
            offset: self.offset * factor,
        }
    }

    /// Returns the least and the largest value at some points.
    fn range(&self, points: &[DVec2]) -> [f64; 2] {
        let values = points.iter().map(|&at| self.normal.dot(at) + self.offset);
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[min, max], value| {
            [min.min(value), max.max(value)]
        })
    }
}

/// The outline of a polygon.
struct Outline {
    points: Vec<DVec2>,
    /// Where the coordinates of its views start: one of the points.
    origin: Vec2,
    /// All points are nearer to the origin.
    reach: f64,
    /// The margin of lines.
    margin: f64,
}

impl Outline {
    fn new(plan: &PlanMesh, points: &[Vec2]) -> Self {
        let origin = points.first().copied().unwrap_or_default();
        let points: Vec<DVec2> = points.iter().map(|point| point.as_dvec2()).collect();
        let distances = points.iter().map(|&at| manhattan(at - origin.as_dvec2()));
        let reach = distances.fold(0.0, f64::max);
        Self {
            points,
            origin,
            reach,
            margin: MARGIN * plan.rounding + RELATIVE_MARGIN * reach,
        }
    }

    /// Points that are inside a line by less may see the corner or not.
    fn unsure(&self) -> f64 {
        2.0 * self.margin
    }

    /// Returns the factor by which lines are scaled so that all points inside of them may see the corner or not: all
    /// values become smaller than the margin.
    fn unsure_factor(&self) -> f64 {
        self.margin / (2.0 * self.reach + self.unsure())
    }
}

/// Lines that bound a part of a polygon.
#[derive(Clone, Copy)]
struct Bounds {
    lines: [Line; 2],
    count: usize,
    /// Whether there was no room for a line.
    is_loose: bool,
}

impl Bounds {
    const NONE: Self = Self {
        lines: [Line::EVERYTHING; 2],
        count: 0,
        is_loose: false,
    };

    /// Adds a line, unless all of the polygon is inside of it. Returns false if all of the polygon is outside.
    fn add(&mut self, line: Line, outline: &Outline) -> bool {
        let [min, max] = line.range(&outline.points);
        if max < -outline.margin {
            return false;
        }
        if min < outline.unsure() + outline.margin {
            match self.lines.get_mut(self.count) {
                Some(slot) => {
                    *slot = line;
                    self.count += 1;
                }
                None => self.is_loose = true,
            }
        }
        true
    }
}

/// A corner, and its views so far.
struct ViewsOfCorner<'a> {
    plan: &'a PlanMesh,
    outlines: &'a [Outline],
    node: u32,
    at: DVec2,
    walls: Option<[DVec2; 2]>,
    found: Vec<View>,
}

impl ViewsOfCorner<'_> {
    /// Adds the views from the part of a polygon between the rays of a cone. If the cone has passed dented polygons, they
    /// are unsure.
    fn add_cone(&mut self, cone: &Cone, is_unsure: bool) {
        let side = &self.plan.sides[cone.side as usize];
        let outline = &self.outlines[side.beyond as usize];
        let rays = [
            Line::left_of(self.at, cone.right, outline.margin),
            Line::left_of(cone.left, self.at, outline.margin),
        ];
        let mut seen = Bounds::NONE;
        for line in rays.into_iter().flatten() {
            if !seen.add(line, outline) {
                return;
            }
        }
        if is_unsure {
            let factor = outline.unsure_factor();
            seen.lines = match seen.count {
                0 => [Line::EVERYTHING.scaled(0.0); 2],
                _ => seen.lines.map(|line| line.scaled(factor)),
            };
            seen.count = 2;
        }
        let sides = self.plan.sides_of(side.beyond);
        let side_index = (side.twin - sides.start as u32).min(SeenCorner::NO_SIDE);
        self.add(side.beyond, side_index, seen);
    }

    /// Adds the views from the part of a polygon that the corner sees.
    fn add(&mut self, polygon: u32, side: u32, seen: Bounds) {
        let outline = &self.outlines[polygon as usize];
        let corner = self.node | side << SeenCorner::NODE_BITS;
        let mut add = |bounds: Bounds| {
            let flag = u32::from(bounds.is_loose) * SeenCorner::IS_DOUBTFUL;
            self.found.push(View {
                polygon,
                corner: SeenCorner(corner | flag),
                lines: bounds.lines,
            });
        };
        let Some(walls) = self.walls else {
            return add(seen);
        };
        // A path bends at the corner if it has both walls on its left or both on its right.
        let slack = self.plan.turn_slack();
        let sides = [1.0, -1.0].map(|sign| {
            let mut bounds = seen;
            for wall in walls {
                let Some(line) = Line::left_of(self.at, wall, 0.0) else {
                    continue;
                };
                let line = line.scaled(sign);
                let distances = outline.points.iter().map(|&point| manhattan(wall - point));
                let reach = distances.fold(0.0, f64::max) + manhattan(wall - self.at);
                let margin = slack * reach / wall.distance(self.at) + outline.margin;
                let line = Line {
                    offset: line.offset + margin + outline.unsure(),
                    ..line
                };
                if !bounds.add(line, outline) {
                    return None;
                }
            }
            Some(bounds)
        });
        let sides = sides.into_iter().flatten();
        // Two views with the same lines are one.
        match sides.clone().find(|side| side.count == seen.count) {
            Some(side) => add(side),
            None => sides.for_each(add),
        }
    }
}

/// The buffers of [`views_of`].
#[derive(Default)]
struct ViewBuffers {
    touched: Vec<u32>,
    /// Cones, each with whether it has passed dented polygons.
    cones: Vec<(Cone, bool)>,
}

/// Returns the views of a corner from all polygons that it sees; `None` if it sees too much.
fn views_of(
    plan: &PlanMesh,
    outlines: &[Outline],
    node: u32,
    corner: &Node,
    buffers: &mut ViewBuffers,
) -> Option<Vec<View>> {
    let ViewBuffers { touched, cones } = buffers;
    let at = in_plan(corner.point);
    let mut views = ViewsOfCorner {
        plan,
        outlines,
        node,
        at,
        walls: corner.wedge.walls(),
        found: Vec::new(),
    };
    plan.touching(corner.polygon, at, touched);
    for &polygon in &*touched {
        views.add(polygon, SeenCorner::NO_SIDE, Bounds::NONE);
    }
    cones.clear();
    let mut enter = |cone: Cone| {
        if cone.has_width(at) {
            cones.push((cone, false));
        }
    };
    plan.look(at, touched, None, |_| {}, &mut enter);
    let max_cones = MAX_CONES * (plan.polygon_count() + 1);
    let mut count = 0;
    while let Some((cone, is_unsure)) = cones.pop() {
        count += 1;
        if count > max_cones {
            return None;
        }
        views.add_cone(&cone, is_unsure);
        let entry = &plan.sides[cone.side as usize];
        if plan.is_dented[entry.beyond as usize] {
            // A point beyond may look back through the dent, although the corner does not look out through it. So the
            // cone is not narrowed.
            let exits = (entry.first_beyond..entry.end_beyond).filter(|&exit| exit != entry.twin);
            cones.extend(exits.map(|exit| (cone.through(exit), true)));
        } else {
            let enter = |cone| cones.push((cone, is_unsure));
            plan.follow(at, &cone, None, 0.0, |_| {}, enter);
        }
    }
    Some(views.found)
}

impl Views {
    /// Finds the views of all polygons, which have the corners `outlines`. Returns `None` if there are too many nodes or
    /// cones.
    pub(super) fn new(plan: &PlanMesh, graph: &TautGraph, outlines: &Csr<Vec2>) -> Option<Self> {
        let nodes = &graph.nodes;
        if nodes.len() >> SeenCorner::NODE_BITS != 0 {
            return None;
        }
        let outlines = outlines.iter().map(|points| Outline::new(plan, points));
        let outlines: Vec<Outline> = outlines.collect();
        let views: Option<Vec<Vec<View>>> = (0..nodes.len())
            .into_par_iter()
            .map_init(ViewBuffers::default, |buffers, node| {
                views_of(plan, &outlines, node as u32, &nodes[node], buffers)
            })
            .collect();
        let mut views = views?.concat();
        views.sort_by_key(|view| view.polygon);
        let mut all = Self {
            polygons: Vec::with_capacity(plan.polygon_count() + 1),
            blocks: Vec::new(),
        };
        let mut rest = &views[..];
        let mut own = Vec::new();
        for (polygon, outline) in (0..).zip(&outlines) {
            let count = rest.partition_point(|view| view.polygon == polygon);
            own.clear();
            own.extend_from_slice(&rest[..count]);
            rest = &rest[count..];
            // A point on a side touches other polygons, so it is unsure what it sees. So it is for a point behind the line
            // of a side, as there is where borders are not straight.
            for side in &plan.sides[plan.sides_of(polygon)] {
                let line = Line::left_of(side.left, side.right, outline.margin);
                own.extend(line.map(|line| View {
                    polygon,
                    corner: SeenCorner(0),
                    lines: [line.scaled(outline.unsure_factor()), Line::EVERYTHING],
                }));
            }
            all.polygons.push(PolygonViews {
                origin: outline.origin,
                unsure: outline.unsure() as f32,
                first_block: all.blocks.len() as u32,
            });
            let is_dented = plan.is_dented[polygon as usize];
            let has_side_numbers = plan.sides_of(polygon).len() < SeenCorner::NO_SIDE as usize;
            if own.len() <= MAX_VIEWS && !is_dented && has_side_numbers {
                let blocks = own.chunks(LANES);
                all.blocks
                    .extend(blocks.map(|views| ViewBlock::new(views, outline.origin)));
            }
        }
        all.polygons.push(PolygonViews {
            origin: Vec2::ZERO,
            unsure: 0.0,
            first_block: all.blocks.len() as u32,
        });
        Some(all)
    }

    /// Calls `see` with the corners that a point of a polygon sees, and from which a path can lead on to goals at the
    /// position `goal` of the tour, and with whether it is doubtful that the line to the corner is tangent. Returns
    /// false if it is not clear what the point sees, or if it touches other polygons.
    #[inline(always)]
    pub(super) fn see_from(
        &self,
        plan: &PlanMesh,
        polygon: u32,
        point: Vec2,
        goal: u32,
        mut see: impl FnMut(u32, bool),
    ) -> bool {
        let [views, next] = [0, 1].map(|i| &self.polygons[polygon as usize + i]);
        let blocks = &self.blocks[views.first_block as usize..next.first_block as usize];
        if blocks.is_empty() {
            return false;
        }
        let mut admits = 1u64 << SeenCorner::NO_SIDE;
        for (i, side) in plan.sides[plan.sides_of(polygon)].iter().enumerate() {
            admits |= u64::from(side.gate.admits(goal)) << (i % 64);
        }
        let at = point - views.origin;
        let (x, y) = (Vec4::splat(at.x), Vec4::splat(at.y));
        let unsure = Vec4::splat(views.unsure);
        for block in blocks {
            let [a, b] = block
                .lines
                .each_ref()
                .map(|line| line.x * x + line.y * y + line.offset);
            // How far the point is inside both lines.
            let inside = a.min(b);
            let mut is_inside = inside.cmpge(Vec4::ZERO).bitmask();
            if is_inside == 0 {
                continue;
            }
            let is_sure = inside.cmpge(unsure).bitmask();
            if is_inside != is_sure {
                return false;
            }
            while is_inside != 0 {
                let lane = is_inside.trailing_zeros() as usize % LANES;
                is_inside &= is_inside - 1;
                let corner = block.corners[lane];
                if admits >> corner.side() & 1 != 0 {
                    see(corner.node(), corner.is_doubtful());
                }
            }
        }
        true
    }

    /// Returns the heap memory of the views. [Units: bytes]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.polygons[..]) + size_of_val(&self.blocks[..])
    }
}

impl ViewBlock {
    /// Creates a block of up to four views.
    fn new(views: &[View], origin: Vec2) -> Self {
        let lanes = [0, 1, 2, 3].map(|lane| views.get(lane));
        let origin = origin.as_dvec2();
        let lines = [0, 1].map(|which| {
            let lines = lanes.map(|view| view.map_or(Line::NOTHING, |view| view.lines[which]));
            let values = |of: fn(&Line, DVec2) -> f64| {
                Vec4::from_array(lines.map(|line| of(&line, origin) as f32))
            };
            Lines {
                x: values(|line, _| line.normal.x),
                y: values(|line, _| line.normal.y),
                offset: values(|line, origin| line.offset + line.normal.dot(origin)),
            }
        });
        Self {
            lines,
            corners: lanes.map(|view| view.map_or(SeenCorner(0), |view| view.corner)),
        }
    }
}
