//! The portal graph, which is level 0 of every search: sample points on portals, joined within polygons.

mod crossings;
mod cuts;
mod exits;
mod options;
mod pair_costs;
mod samples;
mod stored;

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

pub(crate) use crossings::PlaceBuffers;
use cuts::GraphCuts;
pub(crate) use exits::PolygonExit;
pub use options::{CostModel, GraphOptions};
pub use samples::Samples;

use crate::array::Array;
use crate::csr::{Csr, Lists};
use crate::geometry::{distance, lerp};
use crate::ids::{LinkId, MAX_ELEMENTS, PolygonId, PortalId, SampleId};
use crate::navmesh::{Location, NavMesh};
use crate::profile::Prices;

/// The portal graph. Its vertices are the samples of portals and the ends of links. Two vertices in one
/// polygon are joined by an arc whose cost is their distance times the polygon's factor. The two ends of a
/// link are joined by an arc that costs as much as the link.
///
/// Invariants:
/// - the samples of a portal are consecutive, there is at least one, and those of portal `p` come before
///   those of `p + 1`; the two ends of link `l` are vertices `first_link_end + 2 * l` and `first_link_end +
///   2 * l + 1`;
/// - the two sides of a portal's sample are the portal's two polygons. Side 0 of a link's end is the
///   polygon it lies in; side 1 is the link.
///
/// Arcs are not stored: the list of exits of a polygon defines a clique.
#[derive(Clone, Debug, PartialEq)]
pub struct PortalGraph {
    samples: Array<Sample>,
    exits: exits::ExitLists,
    density: Samples,
    first_link_end: u32,
    cost_model: CostModel,
    /// In the published cost model, the centre of each polygon. Arcs lead over these centres, and a sample
    /// lies halfway between two of them. Empty in the other models.
    centres: Array<Vec3>,
    /// See [`sample_spacing`](Self::sample_spacing).
    sample_spacing: f32,
    /// What obstacles on the mesh have changed.
    cuts: Option<Arc<GraphCuts>>,
}

/// A vertex of the graph: a sample of a portal or an end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Sample {
    pub(crate) position: Vec3,
    /// The polygons on both sides. `sides[1]` of a link's end is [`NO_POLYGON`].
    pub(crate) sides: [PolygonId; 2],
    /// The portal that is sampled; [`NO_PORTAL`] for a link's end.
    portal: PortalId,
}

pub(crate) const NO_PORTAL: PortalId = PortalId(u32::MAX);
const NO_POLYGON: PolygonId = PolygonId(u32::MAX);

/// A vertex together with the side by which it is left, `sides[far_side]`. A trail, the result of a search,
/// is a list of directed samples: one step per vertex that the path passes.
///
/// The direction halves the arcs that a search relaxes. Vertices on the near side, where the search came
/// from, were already reached from there directly. That is never more expensive, because a straight line is
/// the shortest path within a convex polygon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct DirectedSample(u32);

impl DirectedSample {
    /// Creates the step that leaves `sample` by side `far_side` (0 or 1).
    #[inline]
    pub fn new(sample: SampleId, far_side: usize) -> Self {
        Self(sample.0 << 1 | far_side as u32)
    }

    /// Returns the vertex.
    #[inline]
    pub fn sample(self) -> SampleId {
        SampleId(self.0 >> 1)
    }

    /// Returns the side, 0 or 1, by which the vertex is left.
    #[inline]
    pub fn far_side(self) -> usize {
        (self.0 & 1) as usize
    }
}

/// The polygon or link on one side of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleSide {
    /// A polygon of the mesh.
    Polygon(PolygonId),
    /// A link, and the end of it (0 or 1) at which the vertex lies.
    Link(LinkId, usize),
}

/// The mesh element from which a vertex was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A portal that is sampled.
    Portal(PortalId),
    /// A link, and which end of it (0 or 1) the vertex is.
    LinkEnd(LinkId, usize),
}

/// The arrival of a trail at a vertex. Corridors are made of these, so they have no nested enums.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) sample: SampleId,
    /// The polygon through which the trail arrives; [`NO_POLYGON`] if it arrives by a link.
    pub(crate) polygon: PolygonId,
    /// The portal of the vertex; [`NO_PORTAL`] for a link's end.
    pub(crate) portal: PortalId,
}

impl Arrival {
    /// Returns whether a trail that continues through the polygon `after` enters another polygon here. `after` is
    /// [`NO_POLYGON`] if the trail continues by a link.
    ///
    /// A sample that the trail touches without passing to the other side is not a crossing. Rounding can make such a
    /// detour look free. At the first end of a link the trail only leaves the ground; the crossing is at the second
    /// end.
    #[inline]
    pub(crate) fn is_crossed_to(&self, after: PolygonId) -> bool {
        after != self.polygon && after != NO_POLYGON
    }
}

impl PortalGraph {
    /// Returns whether two graphs are one in memory.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        self.samples.is_shared_with(&other.samples)
    }

    /// Builds the graph of a mesh.
    ///
    /// # Panics
    /// Panics if the options are out of their limits, or if the graph would have more than [`MAX_ELEMENTS`]
    /// vertices. [`GraphOptions::is_valid_for`] checks both.
    pub fn new(mesh: &NavMesh, options: &GraphOptions) -> Self {
        assert!(
            options.samples.is_valid(),
            "{:?} is out of its limits: use Each(1..=64) or a percentile of 1..=100",
            options.samples
        );
        assert!(
            options.is_valid(),
            "the published cost model needs exactly one sample per portal"
        );
        let centres: Vec<Vec3> = match options.cost_model {
            CostModel::Portals | CostModel::Plan => Vec::new(),
            CostModel::Published => mesh.polygons().map(|p| mesh.centre(p)).collect(),
        };
        let count = options.count(mesh);
        assert!(
            count <= MAX_ELEMENTS,
            "the graph would have {count} vertices; the limit is {MAX_ELEMENTS}: use fewer samples per portal"
        );

        let sampling = options.samples.for_mesh(mesh);
        let mut samples = Vec::with_capacity(count);
        for (id, portal) in (0..).map(PortalId).zip(mesh.portals()) {
            samples.extend(sampling.fractions(portal).map(|fraction| {
                let position = match centres[..] {
                    [] => lerp(portal.right, portal.left, fraction),
                    _ => {
                        let [a, b] = portal.polygons.map(|polygon| centres[polygon.index()]);
                        a.midpoint(b)
                    }
                };
                Sample {
                    position: options.cost_model.cost_position(position),
                    sides: portal.polygons,
                    portal: id,
                }
            }));
        }
        let first_link_end = samples.len() as u32;
        for link in mesh.links() {
            for (position, polygon) in link.ends.into_iter().zip(link.polygons) {
                samples.push(Sample {
                    position: options.cost_model.cost_position(position),
                    sides: [polygon, NO_POLYGON],
                    portal: NO_PORTAL,
                });
            }
        }
        let mut exits_by_polygon = Vec::with_capacity(2 * samples.len());
        for (id, sample) in samples.iter().enumerate() {
            for (side, polygon) in sample.sides.into_iter().enumerate() {
                if polygon != NO_POLYGON {
                    let step = DirectedSample::new(SampleId::new(id), 1 - side);
                    exits_by_polygon.push((
                        polygon.0,
                        PolygonExit {
                            position: sample.position,
                            step,
                        },
                    ));
                }
            }
        }
        let exits = Csr::group(mesh.polygon_count(), &exits_by_polygon).into();
        let sample_spacing = mean_spacing(&exits);
        Self {
            sample_spacing,
            samples: samples.into(),
            exits: exits::ExitLists::WithPositions(exits),
            density: options.samples,
            first_link_end,
            cost_model: options.cost_model,
            centres: centres.into(),
            cuts: None,
        }
    }

    /// Returns the number of vertices: samples of portals and ends of links. On a mesh with obstacles, numbers of vertices that
    /// do not exist may count, too.
    pub fn sample_count(&self) -> usize {
        match &self.cuts {
            None => self.samples.len(),
            Some(cuts) => self.slots_of_cuts(cuts),
        }
    }

    /// Returns a vertex.
    #[inline]
    fn sample(&self, id: SampleId) -> Sample {
        self.read_sample(id, |sample| *sample)
    }

    /// Returns what `read` reads of a vertex. Without obstacles it reads the array itself: a copy of the whole vertex, which
    /// otherwise comes from a call, would go through memory.
    #[inline(always)]
    fn read_sample<R>(&self, id: SampleId, read: impl Fn(&Sample) -> R) -> R {
        let Some(cuts) = &self.cuts else {
            return read(&self.samples[id.index()]);
        };
        match self.samples.get(id.index()) {
            // Obstacles do not change these.
            Some(sample) if sample.portal != NO_PORTAL => read(sample),
            _ => read(&self.sample_of_cuts(cuts, id)),
        }
    }

    /// Returns the polygons on both sides of a vertex.
    #[inline(always)]
    fn sides(&self, sample: SampleId) -> [PolygonId; 2] {
        self.read_sample(sample, |sample| sample.sides)
    }

    /// Returns the position of a vertex. In the plan cost model its height is 0.
    #[inline]
    pub fn position(&self, sample: SampleId) -> Vec3 {
        self.read_sample(sample, |sample| sample.position)
    }

    /// Returns the mean distance between consecutive vertices in the lists of polygons; 0 if no polygon has
    /// two vertices. [Units: m]
    pub(crate) fn sample_spacing(&self) -> f32 {
        self.sample_spacing
    }

    /// Returns the portal or link from which a vertex was created.
    #[inline]
    pub fn origin(&self, sample: SampleId) -> Origin {
        match self.read_sample(sample, |sample| sample.portal) {
            NO_PORTAL => {
                let end = sample.0 - self.first_link_end;
                Origin::LinkEnd(LinkId(end / 2), (end % 2) as usize)
            }
            portal => Origin::Portal(portal),
        }
    }

    /// Returns the vertex numbers of a portal's samples, from its right end to its left end.
    pub fn samples_of_portal(&self, portal: PortalId) -> Range<u32> {
        if let Samples::Each(count) = self.density {
            let end = |portals: u32| portals.saturating_mul(count).min(self.first_link_end);
            return end(portal.0)..end(portal.0.saturating_add(1));
        }
        let first = |portal| self.samples.partition_point(|s| s.portal < portal) as u32;
        first(portal)..first(PortalId(portal.0 + 1))
    }

    /// Returns the polygon or link on side 0 or 1 of a vertex.
    #[inline]
    pub fn side(&self, sample: SampleId, side: usize) -> SampleSide {
        let polygon = self.read_sample(sample, |sample| sample.sides[side]);
        if polygon != NO_POLYGON {
            return SampleSide::Polygon(polygon);
        }
        let end = sample.0 - self.first_link_end;
        SampleSide::Link(LinkId(end / 2), (end % 2) as usize)
    }

    /// Returns the vertex of end 0 or 1 of a link.
    #[inline]
    pub fn link_end(&self, link: LinkId, end: usize) -> SampleId {
        SampleId(self.first_link_end + 2 * link.0 + end as u32)
    }

    /// Returns the vertices of a polygon: the samples of its portals and the link ends in it.
    pub fn samples_of(
        &self,
        polygon: PolygonId,
    ) -> impl ExactSizeIterator<Item = SampleId> + Clone {
        self.exits(polygon).map(|exit| exit.step.sample())
    }

    /// Returns the vertices of a polygon as if there were no obstacles.
    pub(crate) fn original_samples_of(
        &self,
        polygon: PolygonId,
    ) -> impl ExactSizeIterator<Item = SampleId> + Clone {
        self.original_exits(polygon).map(|exit| exit.step.sample())
    }

    /// Calls `visit` with each arc out of a vertex: its target, its cost, and the polygon or link that it
    /// leads through. This is the definition of the graph. Searches may skip arcs that cannot be part of a
    /// cheapest path.
    pub fn for_each_arc(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
        from: SampleId,
        mut visit: impl FnMut(SampleId, f32, SampleSide),
    ) {
        for side in [self.side(from, 0), self.side(from, 1)] {
            match side {
                SampleSide::Polygon(polygon) => {
                    let factor = prices.factor(mesh, polygon);
                    if factor == f32::INFINITY {
                        continue;
                    }
                    for to in self.samples_of(polygon).filter(|&to| to != from) {
                        visit(to, self.length(polygon, from, to) * factor, side);
                    }
                }
                SampleSide::Link(link, end) => {
                    let is_open = end == 0 || mesh.link(link).both_ways;
                    if let Some(cost) = prices.link_cost(mesh, mesh.link(link)).filter(|_| is_open)
                    {
                        visit(self.link_end(link, 1 - end), cost, side);
                    }
                }
            }
        }
    }

    /// Returns the length of the arc between two vertices of a polygon.
    #[inline]
    pub(crate) fn length(&self, polygon: PolygonId, from: SampleId, to: SampleId) -> f32 {
        let (branch, length) = self.branch_point(polygon, self.position(from));
        length + distance(branch, self.position(to))
    }

    /// Returns the point from which the arcs out of `from` fan out within a polygon, and its distance from
    /// `from`. In the published cost model that is the centre of the polygon, otherwise `from` itself.
    #[inline]
    pub(crate) fn branch_point(&self, polygon: PolygonId, from: Vec3) -> (Vec3, f32) {
        match self.centres.get(polygon.index()) {
            None => (from, 0.0),
            Some(&centre) => (centre, distance(from, centre)),
        }
    }

    /// Returns the location from which costs are measured for an agent at `location`: the centre of its
    /// polygon in the published cost model, height 0 in the plan model, otherwise `location` itself.
    pub fn cost_location(&self, location: Location) -> Location {
        let centre = self.centres.get(location.polygon.index());
        let point = centre.copied().unwrap_or(location.point);
        Location {
            point: self.cost_model.cost_position(point),
            ..location
        }
    }

    /// Returns the options with which this graph was built.
    pub fn options(&self) -> GraphOptions {
        GraphOptions {
            samples: self.density,
            cost_model: self.cost_model,
        }
    }

    /// Returns whether this graph has as many polygons and vertices as a graph of `mesh` would have.
    pub(crate) fn has_size_for(&self, mesh: &NavMesh) -> bool {
        self.exits.polygon_count() == mesh.polygon_count()
            && self.samples.len() == self.options().count(mesh)
    }

    /// Returns the step at `to` of a trail that arrives through `through` and so leaves by the other side.
    #[inline]
    pub(crate) fn step_via(&self, through: SampleSide, to: SampleId) -> DirectedSample {
        let arrives_from_0 = match (self.side(to, 0), through) {
            (SampleSide::Polygon(a), SampleSide::Polygon(b)) => a == b,
            _ => false,
        };
        DirectedSample::new(to, usize::from(arrives_from_0))
    }

    /// Returns the step from one vertex to another if they share exactly one polygon and no link. Otherwise
    /// the side has to be found by cost: see [`cheapest_side`](Self::cheapest_side).
    #[inline]
    pub(crate) fn unambiguous_step(&self, [from, to]: [SampleId; 2]) -> Option<DirectedSample> {
        let [[a, b], [c, d]] = [from, to].map(|sample| self.sides(sample));
        let (shares_c, shares_d) = (a == c || b == c, a == d || b == d);
        let is_unambiguous = shares_c != shares_d && (if shares_c { c } else { d }) != NO_POLYGON;
        is_unambiguous.then(|| DirectedSample::new(to, usize::from(shares_c)))
    }

    /// Returns the polygon or link through which a trail arrives at a step.
    #[inline]
    pub(crate) fn side_before(&self, step: DirectedSample) -> SampleSide {
        self.side(step.sample(), 1 - step.far_side())
    }

    /// Returns how a trail arrives at a step.
    #[inline]
    pub(crate) fn arrival(&self, step: DirectedSample) -> Arrival {
        let sample = step.sample();
        let near_side = 1 - step.far_side();
        self.read_sample(sample, |vertex| Arrival {
            sample,
            polygon: vertex.sides[near_side],
            portal: vertex.portal,
        })
    }

    /// Returns the polygon or link that the cheapest arc between two vertices leads through; `None` if no
    /// open arc joins them.
    pub(crate) fn cheapest_side(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
        [from, to]: [SampleId; 2],
    ) -> Option<SampleSide> {
        let through = |side| match side {
            SampleSide::Polygon(polygon) => {
                let factor = prices.factor(mesh, polygon);
                let is_shared = self.sides(to).contains(&polygon);
                let is_open = is_shared && factor < f32::INFINITY;
                is_open.then(|| self.length(polygon, from, to) * factor)
            }
            SampleSide::Link(link, end) => {
                let is_open = end == 0 || mesh.link(link).both_ways;
                let cost = prices.link_cost(mesh, mesh.link(link));
                cost.filter(|_| is_open && self.link_end(link, 1 - end) == to)
            }
        };
        let sides = [0, 1].map(|side| self.side(from, side));
        let costs = sides
            .into_iter()
            .filter_map(|side| Some((through(side)?, side)));
        let cheapest = costs.min_by(|a, b| a.0.total_cmp(&b.0));
        cheapest.map(|(_, side)| side)
    }

    /// Returns whether an open arc leads from the first vertex to the second, and whether one leads back: whether
    /// they have a [`cheapest_side`](Self::cheapest_side) in that direction.
    #[inline]
    pub(crate) fn open_arcs(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
        [from, to]: [SampleId; 2],
    ) -> [bool; 2] {
        let [[a, b], [c, d]] = [from, to].map(|sample| self.sides(sample));
        let joins = |polygon: PolygonId| {
            (polygon == c || polygon == d) && polygon != NO_POLYGON && prices.allows(mesh, polygon)
        };
        if joins(a) || joins(b) {
            return [true; 2];
        }
        [[from, to], [to, from]].map(|pair| self.has_open_link(mesh, prices, pair))
    }

    fn has_open_link(&self, mesh: &NavMesh, prices: &Prices, [from, to]: [SampleId; 2]) -> bool {
        let SampleSide::Link(link, end) = self.side(from, 1) else {
            return false;
        };
        let is_open = end == 0 || mesh.link(link).both_ways;
        is_open
            && self.link_end(link, 1 - end) == to
            && prices.link_cost(mesh, mesh.link(link)).is_some()
    }

    /// Returns all pairs of vertices that are joined by an arc, in either direction, for any profile. A
    /// pair may appear more than once.
    pub fn adjacent(&self) -> impl Iterator<Item = [u32; 2]> {
        let within_polygons = self.polygons().flat_map(|polygon| {
            let vertices = self.original_samples_of(polygon);
            let numbered = vertices.clone().enumerate();
            numbered.flat_map(move |(i, a)| vertices.clone().take(i).map(move |b| [a.0, b.0]))
        });
        let ends = (self.first_link_end..self.samples.len() as u32).step_by(2);
        within_polygons.chain(ends.map(|end| [end, end + 1]))
    }

    /// Returns all pairs of vertices that are joined by an arc, with its cost in both directions; a closed
    /// direction costs infinity. A pair may appear more than once.
    pub fn edges(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
    ) -> impl Iterator<Item = ([u32; 2], [f32; 2])> {
        let open_polygons = self
            .polygons()
            .map(|polygon| (polygon, prices.factor(mesh, polygon)))
            .filter(|&(_, factor)| factor < f32::INFINITY);
        let within_polygons = open_polygons.flat_map(move |(polygon, factor)| {
            let exits = self.original_exits(polygon);
            let numbered = exits.clone().enumerate();
            numbered.flat_map(move |(i, a)| {
                let (branch, length) = self.branch_point(polygon, a.position);
                exits.clone().take(i).map(move |b| {
                    let cost = (length + distance(branch, b.position)) * factor;
                    ([a, b].map(|exit| exit.step.sample().0), [cost; 2])
                })
            })
        });
        let links = (0..).map(LinkId).zip(mesh.links());
        let links = links.map(move |(id, link)| {
            let cost = prices.link_cost(mesh, link).unwrap_or(f32::INFINITY);
            let back = if link.both_ways { cost } else { f32::INFINITY };
            ([0, 1].map(|end| self.link_end(id, end).0), [cost, back])
        });
        within_polygons.chain(links)
    }

    /// Iterates over the polygons of the mesh.
    fn polygons(&self) -> impl Iterator<Item = PolygonId> + use<> {
        (0..self.exits.polygon_count()).map(PolygonId::new)
    }

    /// Returns the two cells of each vertex. Cells are polygons, by number, followed by links.
    pub(crate) fn cells(&self) -> Vec<[u32; 2]> {
        let samples = (0..self.samples.len()).map(SampleId::new);
        samples.map(|sample| self.cells_of(sample)).collect()
    }

    /// Returns the two cells of a vertex.
    pub(crate) fn cells_of(&self, sample: SampleId) -> [u32; 2] {
        [0, 1].map(|side| match self.side(sample, side) {
            SampleSide::Polygon(polygon) => polygon.0,
            SampleSide::Link(link, _) => self.exits.polygon_count() as u32 + link.0,
        })
    }

    /// Returns the heap memory of the graph. [Units: bytes]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.samples[..]) + self.exits.bytes() + size_of_val(&self.centres[..])
    }
}

/// Returns the mean distance between consecutive exits of a polygon; 0 if no polygon has two exits. [Units:
/// m]
fn mean_spacing(exits: &Lists<PolygonExit>) -> f32 {
    let pairs = exits.iter().flat_map(|exits| exits.windows(2));
    let (mut sum, mut count) = (0.0, 0.0);
    for pair in pairs {
        sum += f64::from(distance(pair[0].position, pair[1].position));
        count += 1.0;
    }
    if count == 0.0 {
        0.0
    } else {
        (sum / count) as f32
    }
}
