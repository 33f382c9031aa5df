//! A world in an index file: its arrays, in the layout that queries read.

use rayon::prelude::*;

use super::tiers::TautTier;
use super::{ExactOptions, World};
use crate::contraction::{Contraction, HubLabels, LabelArrays, Shortcuts};
use crate::exact::{ExactIndex, ExactParts};
use crate::graph::{GraphOptions, PortalGraph, Samples};
use crate::hierarchy::{Hierarchy, Metric, TableOptions};
use crate::ids::{LinkId, PolygonId, SampleId};
use crate::navmesh::{Link, NavMesh};
use crate::path::Rings;
use crate::profile::Profile;
use crate::query::Tier;
use crate::sections::{SectionError, SectionReader, SectionWriter};

/// The options of a world and the parts that it has: what an index file says before its arrays.
#[derive(Clone, Debug, Default)]
pub struct StoredOptions {
    /// The options of the world's own graph.
    pub graph: GraphOptions,
    /// The default profile.
    pub profile: Profile,
    /// The connect tables and the number of levels of the hierarchy, if there is one.
    pub hierarchy: Option<(TableOptions, usize)>,
    /// Whether there is a contraction of the fast tier.
    pub has_contraction: bool,
    /// The taut tiers with their samples, each at most once.
    pub tiers: Vec<(Tier, Samples)>,
    /// The number of directions with hub labels, at most 2. Labels need a contraction.
    pub labels: usize,
}

/// How much of an index file is checked when it is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// Nothing but the lengths of arrays. With a file that is damaged, queries may panic, not end or return anything.
    None,
    /// Everything that queries rely on. No file makes them panic or run without end, and a file that was written by
    /// this library and not changed since gives right answers.
    #[default]
    Safe,
    /// In addition, the path of every shortcut is a path of the graph between the ends of the shortcut.
    Full,
}

impl World {
    /// Adds the arrays of this world to an index file, without its exact tier. The options and parts that
    /// [`StoredOptions`] has are not among them.
    pub fn write_sections(&self, file: &mut SectionWriter) {
        let costs = &self.costs;
        self.mesh.write_sections(file);
        self.graph.write_sections(file);
        if let Some((contraction, shortcuts)) =
            self.contraction.as_ref().zip(costs.shortcuts(Tier::Fast))
        {
            contraction.write_sections(file);
            shortcuts.write_sections(file);
        }
        if let Some(rings) = &self.rings {
            rings.write_sections(file);
        }
        for (taut, shortcuts) in self
            .stored_tiers()
            .map(|(tier, taut)| (taut, costs.shortcuts(tier)))
        {
            taut.graph.write_sections(file);
            taut.contraction.write_sections(file);
            shortcuts
                .expect("a stored tier has shortcuts")
                .write_sections(file);
        }
        if let Some((hierarchy, metric)) = self.hierarchy.as_ref().zip(costs.metric()) {
            hierarchy.write_sections(file);
            metric.write_sections(file);
        }
        if let Some(labels) = costs.labels() {
            labels.write_sections(file);
        }
    }

    /// Returns the options and parts of this world for an index file.
    pub fn stored_options(&self) -> StoredOptions {
        let costs = &self.costs;
        let tiers = self.stored_tiers();
        let hierarchy = self.hierarchy.as_ref().zip(costs.metric());
        StoredOptions {
            graph: self.graph.options(),
            profile: costs.profile().clone(),
            hierarchy: hierarchy
                .map(|(hierarchy, _)| (self.tables.clone(), usize::from(hierarchy.top().0))),
            has_contraction: self.contraction.is_some() && costs.shortcuts(Tier::Fast).is_some(),
            tiers: tiers
                .map(|(tier, taut)| (tier, taut.graph.options().samples))
                .collect(),
            labels: costs.labels().map_or(0, |labels| labels.arrays().count()),
        }
    }

    /// Returns the taut tiers that a file stores, in the order of their numbers.
    fn stored_tiers(&self) -> impl Iterator<Item = (Tier, &TautTier)> {
        let tiers = Tier::TAUT.into_iter();
        let tiers = tiers.filter(|&tier| self.costs.shortcuts(tier).is_some());
        tiers.filter_map(|tier| Some((tier, self.taut[tier as usize].as_ref()?)))
    }

    /// Assembles a world from the arrays of an index file.
    ///
    /// # Errors
    /// Fails if an array is missing or has the wrong length, or does not pass `check`.
    pub fn read_sections(
        options: &StoredOptions,
        file: &mut SectionReader,
        check: Check,
    ) -> Result<Self, SectionError> {
        let invalid = |what: &str| SectionError(what.to_owned());
        let mesh = NavMesh::read_sections(file)?;
        let graph = PortalGraph::read_sections(file, &mesh, &options.graph, false)?;
        if check != Check::None {
            // The profile is applied to the mesh below.
            mesh.check()
                .map_err(|error| SectionError(error.to_string()))?;
        }
        let mut world = Self::from_graph(mesh, graph, &options.profile);
        let mut shortcuts = Vec::new();
        if options.has_contraction {
            let count = world.graph.sample_count();
            world.contraction = Some(Contraction::read_sections(file, &world.graph)?);
            shortcuts.push((Tier::Fast, Shortcuts::read_sections(file, count)?));
        }
        if !options.tiers.is_empty() {
            world.rings = Some(Rings::read_sections(file, &world.mesh)?);
        }
        for &(tier, samples) in &options.tiers {
            let graph_options = world.taut_graph_options(samples);
            if !tier.is_taut() || world.taut[tier as usize].is_some() {
                return Err(invalid("its tiers are invalid"));
            }
            let graph = PortalGraph::read_sections(file, &world.mesh, &graph_options, true)?;
            let count = graph.sample_count();
            let contraction = Contraction::read_sections(file, &graph)?;
            world.taut[tier as usize] = Some(TautTier { graph, contraction });
            shortcuts.push((tier, Shortcuts::read_sections(file, count)?));
        }
        for (tier, shortcuts) in shortcuts {
            world = world.with_default_shortcuts(tier, shortcuts);
        }
        if let Some((tables, levels)) = &options.hierarchy {
            let cells = world.mesh.polygon_count() + world.mesh.links().len();
            let vertices = world.graph.sample_count();
            let hierarchy = Hierarchy::read_sections(file, *levels, cells, vertices)?;
            let (polygons, is_symmetric) =
                (world.mesh.polygon_count(), world.links_are_symmetric());
            let metric = Metric::read_sections(file, &hierarchy, polygons, tables, is_symmetric)?;
            world.hierarchy = Some(hierarchy);
            world.tables = tables.clone();
            world.costs = world.costs.with_metric(metric);
        }
        let mut labels = Vec::new();
        for _ in 0..options.labels {
            labels.push(LabelArrays::read_sections(file)?);
        }
        if check != Check::None {
            // Labels contain the arcs of shortcuts, so they are only safe together with those.
            let is_full = check == Check::Full || !labels.is_empty();
            world.check_sections(is_full)?;
        }
        if !labels.is_empty() {
            let labelled = world.with_stored_labels(labels, check != Check::None);
            world = labelled.ok_or_else(|| invalid("its hub labels do not fit its contraction"))?;
        }
        Ok(world)
    }

    /// Adds the exact tier from an index file. Everything but its tangents and labels is computed. Returns `None` if they
    /// do not fit the mesh.
    pub fn with_exact_parts(self, options: ExactOptions, parts: ExactParts) -> Option<Self> {
        let index = ExactIndex::from_parts(&self.mesh, self.costs.prices(), parts)?;
        Some(self.with_exact_index(options, index))
    }

    /// Returns whether all open links can be used in both directions.
    pub(super) fn links_are_symmetric(&self) -> bool {
        let (mesh, prices) = (&self.mesh, self.costs.prices());
        let is_two_way = |link: &Link| link.both_ways || prices.link_cost(mesh, link).is_none();
        mesh.links().iter().all(is_two_way)
    }

    fn with_stored_labels(self, labels: Vec<LabelArrays>, checked: bool) -> Option<Self> {
        if checked {
            return self.with_label_arrays(labels);
        }
        let labels = HubLabels::from_trusted(labels)?;
        Some(self.with_hub_labels(labels))
    }

    /// Checks all arrays except those of the mesh and the labels.
    fn check_sections(&self, is_full: bool) -> Result<(), SectionError> {
        let tiers: Vec<_> = self.contraction_tiers().collect();
        let check_tier = |&tier: &Tier| self.check_tier(tier, is_full);
        let hierarchy = || {
            let rings = self.rings.as_ref();
            let has_rings = rings.is_none_or(|rings| rings.check(&self.mesh));
            SectionError::unless(has_rings, "its holes do not fit its navmesh")?;
            self.check_hierarchy()
        };
        SectionError::unless(
            self.graph.check(&self.mesh),
            "its graph does not fit its navmesh",
        )?;
        let (tiers, hierarchy) =
            rayon::join(|| tiers.par_iter().try_for_each(check_tier), hierarchy);
        tiers.and(hierarchy)
    }

    fn check_tier(&self, tier: Tier, is_full: bool) -> Result<(), SectionError> {
        let (graph, contraction) = self.tier(tier).expect("the world has this tier");
        let stored = self.costs.shortcuts(tier).expect("the costs of this tier");
        let (mesh, prices) = (&self.mesh, self.costs.prices());
        let is_arc = |pair: [u32; 2]| graph.open_arcs(mesh, prices, pair.map(SampleId));
        let is_graph_valid = || {
            // Every arc of the graph is within a polygon or along a link.
            let within = |polygon: PolygonId| graph.samples_of(polygon).map(|sample| sample.0);
            let along = |link| [0, 1].map(|end| graph.link_end(link, end).0).into_iter();
            let mut links = (0..mesh.links().len()).map(LinkId::new);
            // The graph of the fast tier is that of the world, which has been checked.
            (tier == Tier::Fast || graph.check(mesh))
                && contraction.check().is_some_and(|subtrees| {
                    let polygons = (0..mesh.polygon_count()).into_par_iter();
                    polygons
                        .with_min_len(1 << 14)
                        .all(|polygon| subtrees.are_on_chain(within(PolygonId::new(polygon))))
                        && links.all(|link| subtrees.are_on_chain(along(link)))
                })
        };
        let (graph, shortcuts) = rayon::join(is_graph_valid, || stored.check(contraction));
        let have_paths = || {
            // Only this check needs the arcs, so they must not stay in memory.
            let contraction = contraction.clone();
            contraction.has_arcs() && stored.check_paths(&contraction, is_arc)
        };
        let is_valid = graph && shortcuts && (!is_full || have_paths());
        SectionError::unless(is_valid, "its index does not fit its navmesh")
    }

    fn check_hierarchy(&self) -> Result<(), SectionError> {
        let Some((hierarchy, metric)) = self.hierarchy.as_ref().zip(self.costs.metric()) else {
            return Ok(());
        };
        let is_valid = hierarchy.check(|vertex| self.graph.cells_of(SampleId::new(vertex)))
            && hierarchy.check_tables(&self.tables).is_ok()
            && metric.check(hierarchy, self.mesh.polygon_count());
        SectionError::unless(is_valid, "its index does not fit its navmesh")
    }
}
