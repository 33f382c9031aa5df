//! A portal graph in an index file, in the layout that queries read.

use rayon::prelude::*;

use super::exits::ExitLists;
use super::{
    CostModel, DirectedSample, GraphOptions, NO_POLYGON, NO_PORTAL, PortalGraph, Sample, Samples,
};
use crate::ids::{MAX_ELEMENTS, PolygonId};
use crate::navmesh::NavMesh;
use crate::sections::{SectionError, SectionReader, SectionWriter};

/// The number of elements that a thread checks at a time.
const CHUNK: usize = 1 << 14;

impl PortalGraph {
    /// Adds the sections of the graph to a file. Its options are not among them.
    pub(crate) fn write_sections(&self, file: &mut SectionWriter) {
        file.array(*b"samp", &self.samples);
        match &self.exits {
            ExitLists::WithPositions(lists) => file.lists([*b"exio", *b"exit"], lists),
            ExitLists::Short(lists) => file.lists([*b"exio", *b"exst"], lists),
        }
        file.array(*b"cent", &self.centres);
        file.small(*b"spac", &[self.sample_spacing]);
    }

    /// Reads the sections of the graph of a mesh, which has [short exits](Self::with_short_exits) if it is that of a taut
    /// tier. Only the lengths of the arrays are checked: see [`check`](Self::check).
    pub(crate) fn read_sections(
        file: &mut SectionReader,
        mesh: &NavMesh,
        options: &GraphOptions,
        is_taut: bool,
    ) -> Result<Self, SectionError> {
        let samples = file.array::<Sample>(*b"samp")?;
        let links = 2 * mesh.links().len();
        let graph = Self {
            first_link_end: samples.len().saturating_sub(links) as u32,
            samples,
            exits: match is_taut {
                true => ExitLists::Short(file.lists([*b"exio", *b"exst"])?),
                false => ExitLists::WithPositions(file.lists([*b"exio", *b"exit"])?),
            },
            density: options.samples,
            cost_model: options.cost_model,
            centres: file.array(*b"cent")?,
            sample_spacing: {
                let [spacing] = file.small(*b"spac")?;
                spacing
            },
            cuts: None,
        };
        let centres = match options.cost_model {
            CostModel::Published => mesh.polygon_count(),
            _ => 0,
        };
        let count = graph.samples.len();
        let has_density = match options.samples {
            Samples::Each(each) => {
                Some(count - links.min(count)) == mesh.portals().len().checked_mul(each as usize)
            }
            // The number depends on the lengths of all portals.
            Samples::ByLength { .. } => true,
        };
        let lengths_fit = options.is_valid()
            && has_density
            && (mesh.portals().len() + links..=MAX_ELEMENTS).contains(&count)
            && graph.exits.polygon_count() == mesh.polygon_count()
            && graph.exits.entry_count() == 2 * count - links
            && graph.centres.len() == centres;
        SectionError::unless(lengths_fit, "its graph does not fit its navmesh")?;
        Ok(graph)
    }

    /// Returns whether the invariants hold that queries rely on. Positions must be finite, and need not be those of
    /// the mesh.
    pub(crate) fn check(&self, mesh: &NavMesh) -> bool {
        let first_link_end = self.first_link_end as usize;
        let (on_portals, on_links) = self.samples.split_at(first_link_end);
        let is_link_end = |(index, sample): (usize, &Sample)| {
            let polygon = mesh.links()[index / 2].polygons[index % 2];
            sample.sides == [polygon, NO_POLYGON] && sample.portal == NO_PORTAL
        };
        let mut links = on_links.iter().enumerate();
        // Every portal has samples, in the order of the portals.
        let ends =
            [on_portals.first(), on_portals.last()].map(|sample| sample.map(|s| s.portal.index()));
        let all_portals = match mesh.portals().len() {
            0 => ends == [None; 2],
            count => ends == [Some(0), Some(count - 1)],
        };
        let is_sample = |sample: &Sample| {
            let portal = mesh.portals().get(sample.portal.index());
            portal.is_some_and(|portal| sample.sides == portal.polygons)
        };
        let has_samples = |chunk: &[Sample]| {
            let mut pairs = chunk.windows(2);
            chunk.iter().all(is_sample)
                && pairs.all(|pair| pair[1].portal.0.wrapping_sub(pair[0].portal.0) <= 1)
        };
        // Chunks overlap by one sample, so that every pair is in one of them.
        let starts = (0..on_portals.len()).into_par_iter().step_by(CHUNK);
        let chunks =
            starts.map(|start| &on_portals[start..on_portals.len().min(start + CHUNK + 1)]);
        let polygons = (0..mesh.polygon_count()).into_par_iter().step_by(CHUNK);
        let all_exits = || {
            polygons.all(|first| {
                let last = mesh.polygon_count().min(first + CHUNK);
                (first..last).all(|polygon| self.check_exits(PolygonId::new(polygon)))
            })
        };
        let are_finite = self
            .samples
            .iter()
            .all(|sample| sample.position.is_finite())
            && self.centres.iter().all(|centre| centre.is_finite());
        self.exits.is_valid()
            && are_finite
            && self.sample_spacing >= 0.0
            && self.sample_spacing.is_finite()
            && links.all(is_link_end)
            && all_portals
            && chunks.all(has_samples)
            && all_exits()
    }

    /// Returns whether the exits of a polygon are samples of it, in ascending order, with their positions. All lists
    /// together have one exit per side of a sample, so they are complete if none is repeated.
    fn check_exits(&self, polygon: PolygonId) -> bool {
        let sample_of = |step: DirectedSample| {
            let sample = self.samples.get(step.sample().index());
            sample.filter(|sample| sample.sides[1 - step.far_side()] == polygon)
        };
        match &self.exits {
            ExitLists::WithPositions(lists) => {
                let exits = lists.get(polygon.index());
                exits.is_sorted_by(|a, b| a.step.sample() < b.step.sample())
                    && exits.iter().all(|exit| {
                        let sample = sample_of(exit.step);
                        sample.is_some_and(|sample| sample.position == exit.position)
                    })
            }
            ExitLists::Short(lists) => {
                let steps = lists.get(polygon.index());
                steps.is_sorted_by(|a, b| a.sample() < b.sample())
                    && steps.iter().all(|&step| sample_of(step).is_some())
            }
        }
    }
}
