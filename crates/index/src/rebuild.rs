//! Makes the index of a world again, after polygons were replaced at run time.

use portolan_core::{IndexFailure, Indexer, NavMesh, PartitionOptions, Progress, Tier, World};

use crate::{HierarchyOptions, IndexError, IndexOptions, OrderOptions, build};

/// Returns what makes the index again when polygons of a [`LiveWorld`](portolan_core::LiveWorld) are
/// replaced: pass it in [`LiveOptions::indexer`](portolan_core::LiveOptions::indexer).
///
/// ```
/// use portolan_core::{LiveOptions, LiveWorld, NavMesh, NavMeshOptions, PolygonId, Replacement, no_progress};
/// use portolan_index::{IndexOptions, build, indexer};
/// use portolan_scenes::{WorldOptions, WorldScene};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let mesh = NavMesh::build(raw, &NavMeshOptions::default())?;
/// let world = build(mesh, &IndexOptions::default(), &no_progress)?;
/// let live = LiveWorld::with_options(world, LiveOptions { indexer: indexer(), ..LiveOptions::default() });
///
/// // A hole in the ground.
/// let hole = Replacement { remove: vec![PolygonId(7), PolygonId(8)], ..Replacement::default() };
/// let replaced = live.replace(&hole)?.wait()?;
/// let after = live.snapshot();
/// assert_eq!(after.version(), replaced.version);
/// assert!(after.mesh().is_gone(PolygonId(7)) && !after.mesh().is_gone(PolygonId(9)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn indexer() -> Indexer {
    Indexer::new(
        |mesh, before, progress| match rebuild(mesh, before, progress) {
            Ok(world) => Ok(world),
            Err(IndexError::Stopped) => Err(IndexFailure::Stopped),
            Err(error) => Err(IndexFailure::Failed(error.to_string())),
        },
    )
}

/// Builds a world with the tiers, samples, levels and tables of another one. Hub labels are left out, because they
/// suit worlds that do not change, and so is the exact tier, which [`indexer`] adds.
fn rebuild(mesh: NavMesh, before: &World, progress: Progress<'_>) -> Result<World, IndexError> {
    let report = before.report();
    let tiers = before.tiers().filter(|&tier| tier != Tier::Exact);
    let samples = Tier::TAUT.into_iter().filter_map(|tier| {
        let (graph, _) = before.tier(tier)?;
        Some((tier, graph.options().samples))
    });
    let hierarchy = before.hierarchy().map(|hierarchy| HierarchyOptions {
        partition: report.partition.clone().unwrap_or(PartitionOptions {
            max_levels: u32::from(hierarchy.top().0),
            ..PartitionOptions::default()
        }),
        tables: before.table_options().clone(),
    });
    let options = IndexOptions {
        graph: before.graph().options(),
        profile: before.default_costs().profile().clone(),
        tiers: tiers.collect(),
        exact_where_cheap: false,
        samples: samples.collect(),
        order: OrderOptions {
            seed: report.order_seed,
            ..OrderOptions::default()
        },
        hierarchy,
        labels: None,
        threads: None,
    };
    build(mesh, &options, progress)
}
