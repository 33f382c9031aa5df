//! Level 0 as a graph: sample points on portals, joined within polygons.

use glam::Vec3;

use crate::csr::Csr;
use crate::geometry::{between, distance};
use crate::ids::{LinkId, MAX_ELEMENTS, PolygonId, PortalId, SampleId};
use crate::navmesh::NavMesh;
use crate::profile::Costs;

/// How a [`PortalGraph`] is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphOptions {
    /// Sample points a portal. [Limit: 1..=64] [Default: 1, the middle] More give shorter paths
    /// and take time with the square of their number.
    pub samples_per_portal: u32,
}

impl Default for GraphOptions {
    fn default() -> Self {
        Self {
            samples_per_portal: 1,
        }
    }
}

/// The portal graph. Its vertices are the samples of portals and the ends of links; any two in one
/// polygon are joined by an arc that costs their distance times the polygon's factor, and the ends
/// of a link by one that costs what the link does.
///
/// Invariants:
/// - samples `p * k .. (p + 1) * k` belong to portal `p` and to no other, k a portal; the two ends
///   of link `l` are `first_link_end + 2 * l` and the one after;
/// - a sample of a portal has the portal's polygons as its two sides. An end of a link has its
///   polygon as side 0; side 1 is the link.
///
/// Arcs are not stored: a polygon's list of exits is the clique.
#[derive(Clone, Debug, PartialEq)]
pub struct PortalGraph {
    samples: Vec<Sample>,
    exits: Csr<Exit>,
    samples_per_portal: u32,
    first_link_end: u32,
}

/// A vertex of the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    pub(crate) position: Vec3,
    /// `sides[1]` of a link's end is [`NO_POLYGON`].
    pub(crate) sides: [PolygonId; 2],
}

const NO_POLYGON: PolygonId = PolygonId(u32::MAX);

/// A vertex as its polygon sees it. The position stands here once more, so that a search reads
/// one run of memory a polygon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Exit {
    pub(crate) position: Vec3,
    pub(crate) step: Step,
}

/// A vertex and the side to which one passes it: `sides[onward]`. Half the arcs of a search can
/// be left out because of it: what can be reached on the side one comes from was reached from
/// there directly, at no more cost, straight lines within one polygon being shortest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step(u32);

impl Step {
    #[inline]
    pub(crate) fn new(sample: SampleId, onward: usize) -> Self {
        Self(sample.0 << 1 | onward as u32)
    }

    #[inline]
    pub(crate) fn sample(self) -> SampleId {
        SampleId(self.0 >> 1)
    }

    #[inline]
    pub(crate) fn onward(self) -> usize {
        (self.0 & 1) as usize
    }
}

/// What lies on one side of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
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
    /// When `samples_per_portal` is out of its limits, or makes more than [`MAX_ELEMENTS`] samples.
    pub fn new(mesh: &NavMesh, options: &GraphOptions) -> Self {
        let per_portal = options.samples_per_portal;
        assert!(
            (1..=64).contains(&per_portal),
            "samples_per_portal is {per_portal}, not 1..=64"
        );
        let count = mesh.portals().len() * per_portal as usize + 2 * mesh.links().len();
        assert!(
            count <= MAX_ELEMENTS,
            "{count} samples are more than {MAX_ELEMENTS}"
        );

        let mut samples = Vec::with_capacity(count);
        for portal in mesh.portals() {
            samples.extend((0..per_portal).map(|i| {
                let share = (f64::from(i) + 0.5) / f64::from(per_portal);
                let position = between(portal.right, portal.left, share);
                Sample {
                    position,
                    sides: portal.polygons,
                }
            }));
        }
        let first_link_end = samples.len() as u32;
        for link in mesh.links() {
            for (position, polygon) in link.ends.into_iter().zip(link.polygons) {
                samples.push(Sample {
                    position,
                    sides: [polygon, NO_POLYGON],
                });
            }
        }
        let mut seen_from = Vec::with_capacity(2 * samples.len());
        for (id, sample) in samples.iter().enumerate() {
            for (side, polygon) in sample.sides.into_iter().enumerate() {
                if polygon != NO_POLYGON {
                    let step = Step::new(SampleId::new(id), 1 - side);
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
            samples,
            exits,
            samples_per_portal: per_portal,
            first_link_end,
        }
    }

    /// The number of vertices: samples of portals and ends of links.
    pub fn sample_count(&self) -> usize {
        self.samples.len()
    }

    /// Where a vertex lies.
    #[inline]
    pub fn position(&self, sample: SampleId) -> Vec3 {
        self.samples[sample.index()].position
    }

    /// What a vertex is a point of.
    #[inline]
    pub fn origin(&self, sample: SampleId) -> Origin {
        match sample.0.checked_sub(self.first_link_end) {
            None => Origin::Portal(PortalId(sample.0 / self.samples_per_portal)),
            Some(end) => Origin::LinkEnd(LinkId(end / 2), (end % 2) as usize),
        }
    }

    /// What lies on side 0 or 1 of a vertex.
    #[inline]
    pub fn side(&self, sample: SampleId, side: usize) -> Side {
        let polygon = self.samples[sample.index()].sides[side];
        if polygon != NO_POLYGON {
            return Side::Polygon(polygon);
        }
        let end = sample.0 - self.first_link_end;
        Side::Link(LinkId(end / 2), (end % 2) as usize)
    }

    /// End 0 or 1 of a link as a vertex.
    #[inline]
    pub fn link_end(&self, link: LinkId, end: usize) -> SampleId {
        SampleId(self.first_link_end + 2 * link.0 + end as u32)
    }

    /// The vertices of a polygon: the samples of its portals and the ends of links in it.
    pub fn samples_of(&self, polygon: PolygonId) -> impl ExactSizeIterator<Item = SampleId> {
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
        costs: &Costs,
        from: SampleId,
        mut visit: impl FnMut(SampleId, f32, Side),
    ) {
        for side in [self.side(from, 0), self.side(from, 1)] {
            match side {
                Side::Polygon(polygon) => {
                    let factor = costs.factor(mesh, polygon);
                    if factor == f32::INFINITY {
                        continue;
                    }
                    for to in self.samples_of(polygon).filter(|&to| to != from) {
                        let length = distance(self.position(from), self.position(to));
                        visit(to, length * factor, side);
                    }
                }
                Side::Link(link, end) => {
                    let opens = end == 0 || mesh.link(link).both_ways;
                    if let Some(cost) = costs.of_link(mesh, mesh.link(link)).filter(|_| opens) {
                        visit(self.link_end(link, 1 - end), cost, side);
                    }
                }
            }
        }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.samples[..]) + self.exits.bytes()
    }
}
