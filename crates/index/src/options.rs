//! Everything that decides what an index will be.

use std::collections::BTreeMap;

#[cfg(feature = "metis")]
use portolan_core::MAX_LEVELS;
use portolan_core::contraction::LabelsError;
use portolan_core::{
    GraphOptions, NavMesh, PartitionOptions, Profile, Samples, TableOptions, Tier, WorldError,
};

use crate::IndexError;

/// Options of [`build`](crate::build()). The default index is a contraction at the tiers fast and default:
/// the default engine and what it falls back on. It needs no METIS.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexOptions {
    /// The graph that all engines but taut tiers search.
    pub graph: GraphOptions,
    /// The profile of queries that bring no costs.
    pub profile: Profile,
    /// The tiers of the contraction. [Default: fast and default] Each takes build time and memory.
    pub tiers: Vec<Tier>,
    /// Sample points of portals at taut tiers. [Default: empty; a tier without an entry gets the densest
    /// samples that keep a query cheap on this mesh] More samples give shorter paths, and take time and
    /// memory. The samples of the fast tier are those of `graph`.
    pub samples: BTreeMap<Tier, Samples>,
    /// The orders of all contractions.
    pub order: OrderOptions,
    /// The hierarchy of HNA* and PCCP. [Default: none] Needs the feature `metis`.
    pub hierarchy: Option<HierarchyOptions>,
    /// Hub labels of the fast tier, of no more than so many bytes. [Default: none] They answer distances
    /// fastest and take the most memory.
    pub labels: Option<usize>,
    /// Threads to build with. [Default: none; those of the rayon pool that the caller runs in] The index is
    /// the same for any number. METIS always runs on the thread of the caller.
    pub threads: Option<usize>,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self {
            graph: GraphOptions::default(),
            profile: Profile::default(),
            tiers: vec![Tier::Fast, Tier::Default],
            samples: BTreeMap::new(),
            order: OrderOptions::default(),
            hierarchy: None,
            labels: None,
            threads: None,
        }
    }
}

/// Options of a hierarchy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HierarchyOptions {
    /// How polygons are merged into nodes.
    pub partition: PartitionOptions,
    /// Which connecting paths are calculated beforehand.
    pub tables: TableOptions,
}

impl IndexOptions {
    /// Refuses what could not be built, before any work is done.
    pub(crate) fn check(&self, mesh: &NavMesh) -> Result<(), IndexError> {
        if !self.graph.is_valid_for(mesh) {
            return Err(WorldError::Graph(self.graph.clone()).into());
        }
        self.order.check()?;
        if let Some(&tier) = self.samples.keys().find(|tier| !tier.is_taut()) {
            return Err(WorldError::NotTaut(tier).into());
        }
        if self.labels.is_some() && !self.tiers.contains(&Tier::Fast) {
            return Err(LabelsError::NoContraction.into());
        }
        match &self.hierarchy {
            #[cfg(feature = "metis")]
            Some(hierarchy) => check_partition(&hierarchy.partition),
            #[cfg(not(feature = "metis"))]
            Some(_) => Err(IndexError::NoMetis("a hierarchy")),
            None => Ok(()),
        }
    }
}

/// The most separators to choose from.
pub(crate) const MAX_SEPARATORS: u32 = 100;

/// Options of an [order](crate::order()).
///
/// `cargo bench -p portolan-index --features metis --bench orders` compares them. From 12 000 polygons on, inertial
/// flow gives 8 to 18% fewer arcs than METIS, and a quarter to two fifths fewer on the chains of
/// queries. More separators bring METIS about halfway there at best, and are worth little to flows but
/// on `rooms`. Orders by the nodes of HNA*, which the bench has too, are worse than either.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderOptions {
    /// What parts the world.
    pub method: OrderMethod,
    /// Separators to choose from, wherever a thousand polygons (METIS: 2000 portals) or more are
    /// parted. [Limit: 1..=100] [Default: 1] Each takes as long as the first. In an index, taut tiers have
    /// four times as many. Four at the fast tier, too, would double the time for the order and gain
    /// nothing on large worlds.
    pub separators: u32,
    /// What ties are broken by. [Default: 0] Another seed gives another order, about as good.
    pub seed: u64,
}

/// What parts a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OrderMethod {
    /// Inertial flow: the lightest cut between polygons that lie far apart. On all cores.
    #[default]
    Flow,
    /// METIS's nested dissection, which looks at the graph and not at where things lie. On one core.
    /// Needs the feature `metis`.
    Metis,
}

impl Default for OrderOptions {
    fn default() -> Self {
        Self {
            method: OrderMethod::Flow,
            separators: 1,
            seed: 0,
        }
    }
}

impl OrderOptions {
    /// Checks every value against its limits.
    pub(crate) fn check(&self) -> Result<(), IndexError> {
        if self.method == OrderMethod::Metis && !cfg!(feature = "metis") {
            return Err(IndexError::NoMetis("an order by METIS"));
        }
        within("separators", self.separators, 1, MAX_SEPARATORS)
    }
}

fn within(name: &'static str, value: u32, min: u32, max: u32) -> Result<(), IndexError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(IndexError::Option {
        name,
        value,
        min,
        max,
    })
}

/// Checks every value against its limits.
#[cfg(feature = "metis")]
pub(crate) fn check_partition(options: &PartitionOptions) -> Result<(), IndexError> {
    within("merge_factor", options.merge_factor, 2, 1000)?;
    within("max_levels", options.max_levels, 0, MAX_LEVELS as u32)
}
