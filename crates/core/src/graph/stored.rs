//! A portal graph in an index file, in the layout that queries read.

use rayon::prelude::*;

use super::{CostModel, GraphOptions, NO_POLYGON, NO_PORTAL, PortalGraph, Sample, Samples};
use crate::ids::{MAX_ELEMENTS, PolygonId};
use crate::navmesh::NavMesh;
use crate::sections::{SectionError, SectionReader, SectionWriter};

/// The number of elements that a thread checks at a time.
const CHUNK: usize = 1 << 14;

impl PortalGraph {
    /// Adds the sections of the graph to a file. Its options are not among them.
    pub(crate) fn write_sections(&self, file: &mut SectionWriter) {
        file.array(*b"samp", &self.samples);
        file.lists([*b"exio", *b"exit"], &self.exits);
        file.array(*b"cent", &self.centres);
        file.small(*b"spac", &[self.sample_spacing]);
    }

    /// Reads the sections of the graph of a mesh. Only the lengths of the arrays are checked: see
    /// [`check`](Self::check).
    pub(crate) fn read_sections(
        file: &mut SectionReader,
        mesh: &NavMesh,
        options: &GraphOptions,
    ) -> Result<Self, SectionError> {
        let samples = file.array::<Sample>(*b"samp")?;
        let links = 2 * mesh.links().len();
        let graph = Self {
            first_link_end: samples.len().saturating_sub(links) as u32,
            samples,
            exits: file.lists([*b"exio", *b"exit"])?,
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
            && graph.exits.len() == mesh.polygon_count()
            && graph.exits.values().len() == 2 * count - links
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
        let exits = self.exits(polygon);
        let is_exit = |exit: &super::PolygonExit| {
            let sample = self.samples.get(exit.step.sample().index());
            sample.is_some_and(|sample| {
                let near_side = 1 - exit.step.far_side();
                sample.sides[near_side] == polygon && sample.position == exit.position
            })
        };
        exits.is_sorted_by(|a, b| a.step.sample() < b.step.sample()) && exits.iter().all(is_exit)
    }
}
