//! The options of an index.

use std::collections::BTreeMap;

#[cfg(feature = "metis")]
use portolan_core::MAX_LEVELS;
use portolan_core::contraction::LabelsError;
use portolan_core::{
    GraphOptions, NavMesh, PartitionOptions, Profile, Samples, TableOptions, Tier, WorldError,
};

use crate::IndexError;

/// The options of [`build`](crate::build()). The default index has a contraction at the tiers fast and
/// default, which is enough for the default engine, and does not need METIS.
///
/// ```
/// use portolan_core::{NavMesh, NavMeshOptions, Profile, Tier, no_progress};
/// use portolan_index::{IndexOptions, build};
/// use portolan_scenes::{WorldOptions, WorldScene};
///
/// // An index with all tiers and hub labels, for agents that avoid area 2.
/// let mut profile = Profile::default();
/// profile.set_factor(2, 5.0)?; // a metre in area 2 costs 5
/// let options = IndexOptions {
///     profile,
///     tiers: Tier::ALL.to_vec(),
///     labels: Some(64 << 20), // at most 64 MiB
///     ..IndexOptions::default()
/// };
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let mesh = NavMesh::build(raw, &NavMeshOptions::default())?;
/// let world = build(mesh, &options, &no_progress)?;
/// assert!(world.tiers().eq(Tier::ALL));
/// assert!(world.default_costs().labels().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct IndexOptions {
    /// The options of the portal graph that all engines except the taut tiers search. [Default: one sample
    /// per portal]
    pub graph: GraphOptions,
    /// The profile for queries that do not select other costs. [Default: every area is open and costs 1 per
    /// metre] Hub labels are built for this profile only.
    pub profile: Profile,
    /// The tiers of the contraction. [Default: fast and default] Each tier takes build time and memory.
    /// Without any tier, queries use HNA* if there is a hierarchy, and otherwise A*.
    pub tiers: Vec<Tier>,
    /// Whether to add the exact tier where it costs no more than the default tier. `auto` then finds exact
    /// paths. [Default: true] It needs the tier default in `tiers` to compare with, and one cost per metre on all
    /// open ground. With the tier exact in `tiers`, that tier is built in any case, and `auto` uses it only where
    /// it costs no more.
    pub exact_where_cheap: bool,
    /// The sample points on portals at taut tiers. [Default: empty; a tier without an entry gets the
    /// densest samples that keep a query fast on this mesh] More samples give shorter paths, and take more
    /// time and memory. The samples of the fast tier are set in `graph`.
    pub samples: BTreeMap<Tier, Samples>,
    /// The options for the orders of all contractions.
    pub order: OrderOptions,
    /// The hierarchy of HNA* and PCCP. [Default: none] It needs the feature `metis`. The contraction is
    /// faster; build a hierarchy to compare with published results.
    pub hierarchy: Option<HierarchyOptions>,
    /// The maximum size of the hub labels, or `None` for no labels. [Units: bytes] [Default: none] Hub labels
    /// give the fastest distance queries and take the most memory. They need the tier fast in `tiers`.
    pub labels: Option<usize>,
    /// The number of threads of the build; 0 means one per core. [Default: none; the build uses the caller's
    /// rayon pool] The index does not depend on it. The partition by METIS always runs on
    /// the caller's thread.
    pub threads: Option<usize>,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self {
            graph: GraphOptions::default(),
            profile: Profile::default(),
            tiers: vec![Tier::Fast, Tier::Default],
            exact_where_cheap: true,
            samples: BTreeMap::new(),
            order: OrderOptions::default(),
            hierarchy: None,
            labels: None,
            threads: None,
        }
    }
}

/// The options of a hierarchy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HierarchyOptions {
    /// How polygons are merged into nodes. [Default: at most three levels, each with about 1/15 of the nodes
    /// of the level below]
    pub partition: PartitionOptions,
    /// Which connecting paths are calculated in advance. [Default: all] They make queries faster and the
    /// index larger.
    pub tables: TableOptions,
}

impl IndexOptions {
    /// Rejects invalid options before any work is done.
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

/// The maximum number of separators to choose from.
pub(crate) const MAX_SEPARATORS: u32 = 100;

/// The options of an [order](crate::order()).
///
/// `cargo bench -p portolan-index --features metis --bench orders` compares them. From 12 000 polygons on,
/// inertial flow gives 8 to 18% fewer arcs than METIS, and 25 to 40% fewer arcs on the chains of queries.
/// More separators close at most about half of that gap for METIS, and help flows only on `rooms`. Orders
/// by the nodes of HNA*, which the bench also measures, are worse than both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderOptions {
    /// The method that bisects the graph. [Default: flow]
    pub method: OrderMethod,
    /// The number of separators to choose from, for pieces of at least 1000 polygons (METIS: 2000 portals).
    /// [Limit: 1..=100] [Default: 1] Each takes about half as long to compute as the first, because with flows only
    /// the best is refined on the complete graph. In an index, taut tiers use four times as many. Four at the fast
    /// tier would double the time for its order without a gain on large worlds.
    pub separators: u32,
    /// The seed for breaking ties. [Default: 0] Another seed gives another order of similar quality.
    pub seed: u64,
}

/// The method that bisects a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OrderMethod {
    /// Inertial flow: the lightest cut between polygons that are far apart. It uses all cores.
    #[default]
    Flow,
    /// METIS's nested dissection, which uses the structure of the graph and no positions. It uses one core
    /// and needs the feature `metis`.
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
    /// Checks that every value is within its limits.
    pub(crate) fn check(&self) -> Result<(), IndexError> {
        if self.method == OrderMethod::Metis && !cfg!(feature = "metis") {
            return Err(IndexError::NoMetis("an order by METIS"));
        }
        within("separators", self.separators, 1, MAX_SEPARATORS)
    }
}

/// Checks that a value is from `min` to `max`.
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

/// Checks that the options of a partition are within their limits.
#[cfg(feature = "metis")]
pub(crate) fn check_partition(options: &PartitionOptions) -> Result<(), IndexError> {
    within("merge_factor", options.merge_factor, 2, 1000)?;
    within("max_levels", options.max_levels, 0, MAX_LEVELS as u32)
}
