//! Level 0 as a graph: sample points on portals, joined within polygons.

mod samples;

use std::ops::Range;

use glam::Vec3;

pub use samples::Samples;

use crate::csr::Csr;
use crate::geometry::{distance, lerp};
use crate::ids::{LinkId, MAX_ELEMENTS, PolygonId, PortalId, SampleId};
use crate::navmesh::{Location, NavMesh};
use crate::profile::Prices;

/// How a [`PortalGraph`] is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphOptions {
    /// Sample points of portals. [Default: the middle of each]
    pub samples: Samples,
    /// Where paths run that costs are made of. [Default: over portals]
    pub cost_model: CostModel,
}

impl GraphOptions {
    /// Whether a graph of this mesh can be made so.
    pub fn fit(&self, mesh: &NavMesh) -> bool {
        self.is_sound() && self.count(mesh) <= MAX_ELEMENTS
    }

    /// Whether a graph can be made so, if it does not get too large.
    pub fn is_sound(&self) -> bool {
        let is_published = self.cost_model == CostModel::Published;
        self.samples.is_sound() && (self.samples == Samples::Each(1) || !is_published)
    }

    fn count(&self, mesh: &NavMesh) -> usize {
        let sampling = self.samples.on(mesh);
        let of_portals = mesh.portals().iter().map(|p| sampling.count(p) as usize);
        of_portals.sum::<usize>() + 2 * mesh.links().len()
    }
}

/// Where the paths run whose lengths make the costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CostModel {
    /// From sample to sample, and to where agents really start and end.
    #[default]
    Portals,
    /// From the centre of one polygon to that of the next, as Rahmani and Pelechano define it; start
    /// and goal count as the centres of their polygons. Cheapest paths are longer than they need be:
    /// this is for comparing with what is published. One sample a portal.
    Published,
    /// As over portals, but seen from above: what goes up or down costs nothing. For agents who are as
    /// fast on the map wherever they go. Paths to what cannot be reached end nearest as seen from above, too.
    Plan,
}

impl CostModel {
    /// A point as it counts: in plan, without its height.
    #[inline]
    pub(crate) fn seen(self, point: Vec3) -> Vec3 {
        match self {
            Self::Plan => point.with_y(0.0),
            _ => point,
        }
    }
}

/// The portal graph. Its vertices are the samples of portals and the ends of links; any two in one
/// polygon are joined by an arc that costs their distance times the polygon's factor, and the ends
/// of a link by one that costs what the link does.
///
/// Invariants:
/// - the samples of a portal are consecutive, one at least, and those of portal `p` come before those
///   of `p + 1`; the two ends of link `l` are `first_link_end + 2 * l` and the one after;
/// - a sample of a portal has the portal's polygons as its two sides. An end of a link has its
///   polygon as side 0; side 1 is the link.
///
/// Arcs are not stored: a polygon's list of exits is the clique.
#[derive(Clone, Debug, PartialEq)]
pub struct PortalGraph {
    samples: Vec<Sample>,
    exits: Csr<Exit>,
    density: Samples,
    first_link_end: u32,
    cost_model: CostModel,
    /// By the published cost model, the centres of polygons, over which arcs lead; a sample then lies
    /// halfway between two. Otherwise nothing.
    hubs: Vec<Vec3>,
    hop: f32,
}

/// A vertex of the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    pub(crate) position: Vec3,
    /// `sides[1]` of a link's end is [`NO_POLYGON`].
    pub(crate) sides: [PolygonId; 2],
    /// A link's end has [`NO_PORTAL`].
    portal: PortalId,
}

const NO_PORTAL: PortalId = PortalId(u32::MAX);
const NO_POLYGON: PolygonId = PolygonId(u32::MAX);

/// A vertex as its polygon sees it. The position stands here once more, so that a search reads
/// one run of memory a polygon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Exit {
    pub(crate) position: Vec3,
    pub(crate) step: DirectedSample,
}

/// A vertex and the side to which one passes it: `sides[far_side]`. Half the arcs of a search can
/// be left out because of it: what can be reached on the side one comes from was reached from
/// there directly, at no more cost, straight lines within one polygon being shortest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectedSample(u32);

impl DirectedSample {
    /// The vertex, and the side (0 or 1) to which it is passed.
    #[inline]
    pub fn new(sample: SampleId, far_side: usize) -> Self {
        Self(sample.0 << 1 | far_side as u32)
    }

    /// The vertex.
    #[inline]
    pub fn sample(self) -> SampleId {
        SampleId(self.0 >> 1)
    }

    /// The side.
    #[inline]
    pub fn far_side(self) -> usize {
        (self.0 & 1) as usize
    }
}

/// What lies on one side of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleSide {
    /// Ground.
    Polygon(PolygonId),
    /// A link, seen from its end 0 or 1.
    Link(LinkId, usize),
}

/// What a vertex is a point of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A sample of a portal.
    Portal(PortalId),
    /// End 0 or 1 of a link.
    LinkEnd(LinkId, usize),
}

impl PortalGraph {
    /// The graph of a mesh.
    ///
    /// # Panics
    /// When the options are out of their limits, or make more than [`MAX_ELEMENTS`] samples.
    pub fn new(mesh: &NavMesh, options: &GraphOptions) -> Self {
        assert!(
            options.samples.is_sound(),
            "{:?} is out of its limits",
            options.samples
        );
        assert!(
            options.is_sound(),
            "the published cost model has one sample a portal"
        );
        let hubs: Vec<Vec3> = match options.cost_model {
            CostModel::Portals | CostModel::Plan => Vec::new(),
            CostModel::Published => mesh.polygons().map(|p| mesh.centre(p)).collect(),
        };
        let count = options.count(mesh);
        assert!(
            count <= MAX_ELEMENTS,
            "{count} samples are more than {MAX_ELEMENTS}"
        );

        let sampling = options.samples.on(mesh);
        let mut samples = Vec::with_capacity(count);
        for (id, portal) in (0..).map(PortalId).zip(mesh.portals()) {
            samples.extend(sampling.shares(portal).map(|share| {
                let position = match hubs[..] {
                    [] => lerp(portal.right, portal.left, share),
                    _ => {
                        let [a, b] = portal.polygons.map(|polygon| hubs[polygon.index()]);
                        a.midpoint(b)
                    }
                };
                Sample {
                    position: options.cost_model.seen(position),
                    sides: portal.polygons,
                    portal: id,
                }
            }));
        }
        let first_link_end = samples.len() as u32;
        for link in mesh.links() {
            for (position, polygon) in link.ends.into_iter().zip(link.polygons) {
                samples.push(Sample {
                    position: options.cost_model.seen(position),
                    sides: [polygon, NO_POLYGON],
                    portal: NO_PORTAL,
                });
            }
        }
        let mut seen_from = Vec::with_capacity(2 * samples.len());
        for (id, sample) in samples.iter().enumerate() {
            for (side, polygon) in sample.sides.into_iter().enumerate() {
                if polygon != NO_POLYGON {
                    let step = DirectedSample::new(SampleId::new(id), 1 - side);
                    seen_from.push((
                        polygon.0,
                        Exit {
                            position: sample.position,
                            step,
                        },
                    ));
                }
            }
        }
        let exits = Csr::group(mesh.polygon_count(), &seen_from);
        Self {
            hop: mean_step(&exits),
            samples,
            exits,
            density: options.samples,
            first_link_end,
            cost_model: options.cost_model,
            hubs,
        }
    }

    /// The number of vertices: samples of portals and ends of links.
    pub fn sample_count(&self) -> usize {
        self.samples.len()
    }

    /// Where a vertex lies; in plan, at no height.
    #[inline]
    pub fn position(&self, sample: SampleId) -> Vec3 {
        self.samples[sample.index()].position
    }

    /// How far it is from one vertex of a polygon to the next in its list, on average; 0 where there
    /// are no two.
    pub(crate) fn hop(&self) -> f32 {
        self.hop
    }

    /// What a vertex is a point of.
    #[inline]
    pub fn origin(&self, sample: SampleId) -> Origin {
        match sample.0.checked_sub(self.first_link_end) {
            None => Origin::Portal(self.samples[sample.index()].portal),
            Some(end) => Origin::LinkEnd(LinkId(end / 2), (end % 2) as usize),
        }
    }

    /// The samples of a portal, from its right end to its left, by number.
    pub fn samples_of_portal(&self, portal: PortalId) -> Range<u32> {
        let first = |portal| self.samples.partition_point(|s| s.portal < portal) as u32;
        first(portal)..first(PortalId(portal.0 + 1))
    }

    /// What lies on side 0 or 1 of a vertex.
    #[inline]
    pub fn side(&self, sample: SampleId, side: usize) -> SampleSide {
        let polygon = self.samples[sample.index()].sides[side];
        if polygon != NO_POLYGON {
            return SampleSide::Polygon(polygon);
        }
        let end = sample.0 - self.first_link_end;
        SampleSide::Link(LinkId(end / 2), (end % 2) as usize)
    }

    /// End 0 or 1 of a link as a vertex.
    #[inline]
    pub fn link_end(&self, link: LinkId, end: usize) -> SampleId {
        SampleId(self.first_link_end + 2 * link.0 + end as u32)
    }

    /// The vertices of a polygon: the samples of its portals and the ends of links in it.
    pub fn samples_of(
        &self,
        polygon: PolygonId,
    ) -> impl ExactSizeIterator<Item = SampleId> + Clone {
        self.exits
            .get(polygon.index())
            .iter()
            .map(|exit| exit.step.sample())
    }

    #[inline]
    pub(crate) fn exits(&self, polygon: PolygonId) -> &[Exit] {
        self.exits.get(polygon.index())
    }

    /// Every arc out of a vertex: where it leads, what it costs, and through what. This is the
    /// definition of the graph; the searches may leave out arcs that cannot matter.
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
                    let opens = end == 0 || mesh.link(link).both_ways;
                    if let Some(cost) = prices.of_link(mesh, mesh.link(link)).filter(|_| opens) {
                        visit(self.link_end(link, 1 - end), cost, side);
                    }
                }
            }
        }
    }

    /// How long the arc between two vertices of a polygon is.
    #[inline]
    pub(crate) fn length(&self, polygon: PolygonId, from: SampleId, to: SampleId) -> f32 {
        let (hub, length) = self.enter(polygon, self.position(from));
        length + distance(hub, self.position(to))
    }

    /// Where the arcs of a polygon part that come from one point, and how far it is there: at that
    /// point itself, or at the centre.
    #[inline]
    pub(crate) fn enter(&self, polygon: PolygonId, from: Vec3) -> (Vec3, f32) {
        match self.hubs.get(polygon.index()) {
            None => (from, 0.0),
            Some(&hub) => (hub, distance(from, hub)),
        }
    }

    /// Where a place counts as being: by the published cost model, in the centre of its polygon, and in
    /// plan, at no height.
    pub fn cost_location(&self, place: Location) -> Location {
        let hub = self.hubs.get(place.polygon.index());
        let point = hub.copied().unwrap_or(place.point);
        Location {
            point: self.cost_model.seen(point),
            ..place
        }
    }

    /// How it was made.
    pub fn options(&self) -> GraphOptions {
        GraphOptions {
            samples: self.density,
            cost_model: self.cost_model,
        }
    }

    /// Whether it has the size of a graph of this mesh.
    pub(crate) fn fits(&self, mesh: &NavMesh) -> bool {
        self.exits.len() == mesh.polygon_count() && self.samples.len() == self.options().count(mesh)
    }

    /// Passing `to` when coming through `through`: on to its other side.
    #[inline]
    pub(crate) fn step_out_of(&self, through: SampleSide, to: SampleId) -> DirectedSample {
        let comes_from_0 = match (self.side(to, 0), through) {
            (SampleSide::Polygon(a), SampleSide::Polygon(b)) => a == b,
            _ => false,
        };
        DirectedSample::new(to, usize::from(comes_from_0))
    }

    /// Passing the second of two vertices when coming from the first, where they have one polygon in
    /// common and not two, nor a link.
    #[inline]
    pub(crate) fn only_step(&self, [from, to]: [SampleId; 2]) -> Option<DirectedSample> {
        let [[a, b], [c, d]] = [from, to].map(|sample| self.samples[sample.index()].sides);
        let (by_c, by_d) = (a == c || b == c, a == d || b == d);
        let is_one = by_c != by_d && (if by_c { c } else { d }) != NO_POLYGON;
        is_one.then(|| DirectedSample::new(to, usize::from(by_c)))
    }

    /// What a vertex was come to through.
    #[inline]
    pub(crate) fn came_through(&self, step: DirectedSample) -> SampleSide {
        self.side(step.sample(), 1 - step.far_side())
    }

    /// The same where it was ground.
    #[inline]
    pub(crate) fn came_over(&self, step: DirectedSample) -> Option<PolygonId> {
        let polygon = self.samples[step.sample().index()].sides[1 - step.far_side()];
        (polygon != NO_POLYGON).then_some(polygon)
    }

    /// What the cheapest arc from one vertex to another, in a cell of both, leads through.
    pub(crate) fn cheapest_side(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
        [from, to]: [SampleId; 2],
    ) -> Option<SampleSide> {
        let through = |side| match side {
            SampleSide::Polygon(polygon) => {
                let factor = prices.factor(mesh, polygon);
                let there = self.samples[to.index()].sides.contains(&polygon);
                let open = there && factor < f32::INFINITY;
                open.then(|| self.length(polygon, from, to) * factor)
            }
            SampleSide::Link(link, end) => {
                let opens = end == 0 || mesh.link(link).both_ways;
                let cost = prices.of_link(mesh, mesh.link(link));
                cost.filter(|_| opens && self.link_end(link, 1 - end) == to)
            }
        };
        let sides = [0, 1].map(|side| self.side(from, side));
        let costs = sides
            .into_iter()
            .filter_map(|side| Some((through(side)?, side)));
        let least = costs.min_by(|a, b| a.0.total_cmp(&b.0));
        least.map(|(_, side)| side)
    }

    /// All pairs of vertices with an arc between them, in either direction, for any agent; some more
    /// than once.
    pub fn adjacent(&self) -> impl Iterator<Item = [u32; 2]> {
        let within = self.exits.iter().flat_map(|exits| {
            let pairs = exits.iter().enumerate();
            pairs.flat_map(|(i, a)| {
                exits[..i]
                    .iter()
                    .map(|b| [a.step.sample().0, b.step.sample().0])
            })
        });
        let ends = (self.first_link_end..self.samples.len() as u32).step_by(2);
        within.chain(ends.map(|end| [end, end + 1]))
    }

    /// All pairs of vertices with an arc between them, and what it costs there and back; infinite
    /// where it is closed. Some more than once.
    pub fn edges(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
    ) -> impl Iterator<Item = ([u32; 2], [f32; 2])> {
        let polygons = (0..).map(PolygonId).zip(self.exits.iter());
        let within = polygons.flat_map(move |(polygon, exits)| {
            let factor = prices.factor(mesh, polygon);
            let exits = if factor < f32::INFINITY { exits } else { &[] };
            let pairs = exits.iter().enumerate();
            pairs.flat_map(move |(i, a)| {
                let (hub, length) = self.enter(polygon, a.position);
                exits[..i].iter().map(move |b| {
                    let cost = (length + distance(hub, b.position)) * factor;
                    ([a, b].map(|exit| exit.step.sample().0), [cost; 2])
                })
            })
        });
        let links = (0..).map(LinkId).zip(mesh.links());
        let links = links.map(move |(id, link)| {
            let cost = prices.of_link(mesh, link).unwrap_or(f32::INFINITY);
            let back = if link.both_ways { cost } else { f32::INFINITY };
            ([0, 1].map(|end| self.link_end(id, end).0), [cost, back])
        });
        within.chain(links)
    }

    /// Per vertex the cells it lies in: polygons by number, and after them links.
    pub(crate) fn cells(&self) -> Vec<[u32; 2]> {
        let samples = (0..self.samples.len()).map(SampleId::new);
        let cell = |side| match side {
            SampleSide::Polygon(polygon) => polygon.0,
            SampleSide::Link(link, _) => self.exits.len() as u32 + link.0,
        };
        samples
            .map(|sample| [0, 1].map(|side| cell(self.side(sample, side))))
            .collect()
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.samples[..]) + self.exits.bytes() + size_of_val(&self.hubs[..])
    }
}

fn mean_step(exits: &Csr<Exit>) -> f32 {
    let steps = exits.iter().flat_map(|exits| exits.windows(2));
    let (mut sum, mut count) = (0.0, 0.0);
    for pair in steps {
        sum += f64::from(distance(pair[0].position, pair[1].position));
        count += 1.0;
    }
    if count == 0.0 {
        0.0
    } else {
        (sum / count) as f32
    }
}
