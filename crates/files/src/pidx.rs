//! `.pidx`: an index, which is a navmesh with its hierarchy, its contractions, its exact tier, or several of
//! them.
//!
//! The file stores everything that takes long to compute: the node of each polygon at each level, the cost
//! and the path of each crossing of a node, the contraction of each tier and its shortcuts for the default
//! profile, the tangents and labels of the exact tier, and hub labels if the index has them. The reader
//! computes everything else: the graph and the inter-edges.
//!
//! The sections of the navmesh come first, as in a `.pnav` file. The section `opts` follows. It contains
//! the build options and says which of these parts come after it:
//! - always: build times (`time`) and the default profile (`fact`, `rule`)
//! - contraction of the fast tier: see below
//! - always: the table of taut tiers (`tier`), then the contraction of each tier
//! - always: the options of the exact tier (`exac`), empty without that tier
//! - exact tier: the tangents of each corner (`exof`, `extg`), then the label of each corner if queries use
//!   labels (`exlo`, `exlb`)
//! - hierarchy: the nodes of each level (`node`), then cost and path tables (`cost`, `step`, `wide`)
//! - hub labels: offsets, hubs and next vertices (`hbof`, `hubs`, `next`), once if costs are symmetric and
//!   twice (forward, backward) if not
//!
//! A contraction consists of the vertex of each rank (`rank`), the upper neighbours of each rank (`upof`,
//! `uppr`), the number of directions and the estimate of path costs (`shct`), the arcs that queries scan (`arof`,
//! `ardp`, `arct`, `arpt`), once per direction, and the paths of these arcs (`part`, `runs`).

mod contraction;
mod exact;
mod tiers;

use std::io::{self, Read, Write};

use portolan_core::contraction::{Hub, LabelArrays};
use portolan_core::hierarchy::PathTable;
use portolan_core::{
    BuildReport, BuildTimes, CostModel, GraphOptions, HierarchyParts, IndexParts, Level, NodeId,
    Partition, PartitionOptions, Profile, TableOptions, Tier, Weights, World,
};

use self::contraction::{add_contraction, read_contraction};
use self::exact::{add_exact, read_exact};
use self::tiers::{add_tiers, read_tiers, samples_of, samples_word};
use crate::ReadError;
use crate::container::{Name, Reader, Writer};
use crate::pnav::{add_mesh_sections, mesh_from_parts, read_mesh_sections};

/// The version of `.pidx` files that this crate writes, and the only one that it reads.
pub const VERSION: u32 = 6;

pub(crate) const KIND: Name = *b"INDX";
const FORMAT: &str = "a .pidx file";

/// Returns the bytes of a `.pidx` file that contains `world`.
pub fn to_bytes(world: &World) -> Vec<u8> {
    file(world).into_bytes()
}

/// Writes a `.pidx` file that contains `world` to `out`.
pub fn write(world: &World, out: &mut dyn Write) -> io::Result<()> {
    file(world).finish(out)
}

fn file(world: &World) -> Writer<'_> {
    let costs = world.default_costs();
    let hierarchy = world.hierarchy().zip(costs.metric());
    let contraction = world.contraction().zip(costs.shortcuts(Tier::Fast));
    let labels = || {
        costs
            .labels()
            .into_iter()
            .flat_map(|labels| labels.arrays())
    };
    let mut file = Writer::new(KIND, VERSION);
    add_mesh_sections(world.mesh(), &mut file);
    let header = IndexHeader {
        graph: world.graph().options(),
        tables: world.table_options().clone(),
        report: world.report().clone(),
        has_hierarchy: hierarchy.is_some(),
        has_contraction: contraction.is_some(),
        levels: hierarchy.map_or(0, |(hierarchy, _)| hierarchy.top().0.into()),
        arrays: hierarchy.map_or(0, |(_, metric)| metric.arrays().count() as u32),
        labels: labels().count() as u32,
    };
    file.owned_section(*b"opts", &header.words());
    let times = world.report().times.as_ref();
    file.owned_section(*b"time", times.map_or(&[][..], |times| times.millis()));
    let (factors, rules) = profile_words(costs.profile());
    file.owned_section(*b"fact", &factors);
    file.owned_section(*b"rule", &rules);
    if let Some((contraction, shortcuts)) = contraction {
        add_contraction(contraction, shortcuts, &mut file);
    }
    add_tiers(world, &mut file);
    add_exact(world, &mut file);
    if let Some((hierarchy, metric)) = hierarchy {
        let partition = hierarchy.partition();
        for level in partition.levels() {
            // The cells of links come after those of polygons. They follow from the links.
            let nodes = &partition.nodes(level)[..world.mesh().polygon_count()];
            let nodes: Vec<u32> = nodes.iter().map(|node| node.0).collect();
            file.owned_section(*b"node", &nodes);
        }
        for table in metric.arrays() {
            let (costs, narrow, wide) = table.arrays();
            file.section(*b"cost", costs);
            file.section(*b"step", narrow);
            file.section(*b"wide", wide);
        }
    }
    for LabelArrays {
        offsets,
        hubs,
        nexts,
    } in labels()
    {
        file.section(*b"hbof", offsets);
        file.converted_section(*b"hubs", hubs, |hub| [hub.rank, hub.cost.to_bits()]);
        file.section(*b"next", nexts);
    }
    file
}

/// Reads a world from the bytes of a `.pidx` file.
pub fn from_bytes(bytes: &[u8]) -> Result<World, ReadError> {
    read(bytes, bytes.len() as u64)
}

/// Reads a world from the contents of a `.pidx` file, which are `bytes` bytes long. Arrays are read
/// straight into the world, without a copy of the file in memory.
pub fn read(source: impl Read, bytes: u64) -> Result<World, ReadError> {
    let mut file = Reader::open(source, bytes, KIND, FORMAT, VERSION)?;
    let mesh = read_mesh_sections(&mut file)?;
    let header = IndexHeader::from_words(&file.section(*b"opts")?);
    let mut header = header.ok_or_else(|| damaged("its options (section opts) are invalid"))?;
    header.report.times = times(&file.section(*b"time")?)?;
    let profile = profile(&file.section(*b"fact")?, &file.section(*b"rule")?)?;
    let contraction = match header.has_contraction {
        true => Some(read_contraction(&mut file)?),
        false => None,
    };
    let index = IndexParts {
        graph: header.graph.clone(),
        profile,
        hierarchy: None,
        contraction,
        tiers: read_tiers(&mut file)?,
        exact: read_exact(&mut file)?,
    };
    // Another thread checks what was read so far while this one reads the rest of the file. The checks do not
    // rely on the checksum.
    let mut world = None;
    let (levels, arrays, labels) = rayon::in_place_scope(|scope| {
        scope.spawn(|_| {
            world = Some(mesh_from_parts(mesh).map(|mesh| World::from_index(mesh, index)));
        });
        let tables = read_tables(&mut file, &header)?;
        file.finish()?;
        Ok::<_, ReadError>(tables)
    })?;
    let world = world.expect("the scope waits for the world")?;
    let does_not_fit = || damaged("its index does not fit its navmesh");
    let mut world = world.ok_or_else(does_not_fit)?;
    if header.has_hierarchy {
        let partition = Partition::new(world.mesh().polygon_count(), levels);
        let parts = HierarchyParts {
            partition: partition.map_err(|error| damaged(&error.to_string()))?,
            tables: header.tables,
            arrays,
        };
        world = world.with_hierarchy_parts(parts).ok_or_else(does_not_fit)?;
    }
    if !labels.is_empty() {
        let labelled = world.with_label_arrays(labels);
        world = labelled.ok_or_else(|| damaged("its hub labels do not fit its contraction"))?;
    }
    Ok(world.with_report(header.report))
}

/// The nodes of each level, the path tables of the hierarchy, and the hub labels.
type Tables = (Vec<Vec<NodeId>>, Vec<PathTable>, Vec<LabelArrays>);

fn read_tables(file: &mut Reader<impl Read>, header: &IndexHeader) -> Result<Tables, ReadError> {
    let mut levels = Vec::new();
    for _ in 0..header.levels {
        let nodes: Vec<u32> = file.section(*b"node")?;
        levels.push(nodes.into_iter().map(NodeId).collect());
    }
    let mut arrays = Vec::new();
    for _ in 0..header.arrays {
        let (costs, narrow, wide) = (
            file.section(*b"cost")?.into(),
            file.section(*b"step")?.into(),
            file.section(*b"wide")?.into(),
        );
        arrays.push(PathTable::from_arrays(costs, narrow, wide));
    }
    let mut labels = Vec::new();
    for _ in 0..header.labels {
        labels.push(LabelArrays {
            offsets: file.section(*b"hbof")?.into(),
            // Both types have the same size and alignment, so the conversion happens in place.
            hubs: file
                .section::<[u32; 2]>(*b"hubs")?
                .into_iter()
                .map(|[rank, cost]| Hub {
                    rank,
                    cost: f32::from_bits(cost),
                })
                .collect(),
            nexts: file.section(*b"next")?.into(),
        });
    }
    Ok((levels, arrays, labels))
}

fn damaged(what: &str) -> ReadError {
    ReadError::Damaged {
        what: what.to_owned(),
    }
}

/// The section `opts`: the build options, and which parts follow. The build times are a section of their
/// own.
struct IndexHeader {
    graph: GraphOptions,
    /// The options of the hierarchy; the default if there is no hierarchy.
    tables: TableOptions,
    report: BuildReport,
    has_hierarchy: bool,
    has_contraction: bool,
    /// The number of levels of the hierarchy; 0 if there is no hierarchy.
    levels: u32,
    /// The number of path tables of the hierarchy; 0 if there is no hierarchy.
    arrays: u32,
    /// The number of directions with hub labels: 0 without labels, 1 if costs are symmetric, else 2. Labels
    /// need a contraction.
    labels: u32,
}

type IndexHeaderWords = [u32; 17];

impl IndexHeader {
    fn words(&self) -> IndexHeaderWords {
        let partition = self.report.partition.as_ref();
        let [seed_low, seed_high] = words_of_seed(partition.map_or(0, |options| options.seed));
        let [order_seed_low, order_seed_high] = words_of_seed(self.report.order_seed);
        [
            samples_word(self.graph.samples),
            match self.graph.cost_model {
                CostModel::Portals => 0,
                CostModel::Published => 1,
                CostModel::Plan => 2,
            },
            self.tables.top.0.into(),
            self.tables.centres.into(),
            partition.is_some().into(),
            partition.map_or(0, |options| options.merge_factor),
            partition.map_or(0, |options| options.max_levels),
            seed_low,
            seed_high,
            partition.map_or(0, |options| options.weights as u32),
            order_seed_low,
            order_seed_high,
            self.has_hierarchy.into(),
            self.has_contraction.into(),
            self.levels,
            self.arrays,
            self.labels,
        ]
    }

    /// Decodes the section, or returns `None` if no index of any navmesh can have these numbers.
    fn from_words(words: &[u32]) -> Option<Self> {
        let &[
            samples,
            cost_model,
            top,
            centres,
            has_partition,
            merge_factor,
            max_levels,
            seed_low,
            seed_high,
            weights,
            order_seed_low,
            order_seed_high,
            has_hierarchy,
            has_contraction,
            levels,
            arrays,
            labels,
        ] = words
        else {
            return None;
        };
        let flag = |word: u32| (word <= 1).then_some(word == 1);
        let cost_model = match cost_model {
            0 => CostModel::Portals,
            1 => CostModel::Published,
            2 => CostModel::Plan,
            _ => return None,
        };
        let graph = GraphOptions {
            samples: samples_of(samples)?,
            cost_model,
        };
        if !graph.is_valid() {
            return None;
        }
        let tables = TableOptions {
            top: Level(u8::try_from(top).ok()?),
            centres: flag(centres)?,
        };
        let has_hierarchy = flag(has_hierarchy)?;
        let has_contraction = flag(has_contraction)?;
        let partition = PartitionOptions {
            merge_factor,
            max_levels,
            seed: seed_of_words([seed_low, seed_high]),
            weights: *WEIGHTS.get(weights as usize)?,
        };
        let has_partition = flag(has_partition)?;
        let no_partition = PartitionOptions {
            merge_factor: 0,
            max_levels: 0,
            seed: 0,
            weights: Weights::Balanced,
        };
        let is_consistent = (has_hierarchy || (levels, arrays) == (0, 0))
            && (has_partition || partition == no_partition)
            && (has_contraction || labels == 0)
            && labels <= 2;
        if !is_consistent {
            return None;
        }
        Some(Self {
            graph,
            tables,
            report: BuildReport {
                partition: has_partition.then_some(partition),
                order_seed: seed_of_words([order_seed_low, order_seed_high]),
                times: None,
            },
            has_hierarchy,
            has_contraction,
            levels,
            arrays,
            labels,
        })
    }
}

/// The weights. The index of each is its number in a file.
const WEIGHTS: [Weights; 3] = [
    Weights::Balanced,
    Weights::RandomNodes,
    Weights::RandomEdges,
];

fn words_of_seed(seed: u64) -> [u32; 2] {
    [seed as u32, (seed >> 32) as u32]
}

fn seed_of_words([low, high]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// Decodes the build times: none at all, or one per stage.
fn times(millis: &[f64]) -> Result<Option<BuildTimes>, ReadError> {
    if millis.is_empty() {
        return Ok(None);
    }
    let times = millis.try_into().ok().and_then(BuildTimes::from_millis);
    match times {
        Some(times) => Ok(Some(times)),
        None => Err(damaged("its build times are invalid")),
    }
}

/// Returns the cost factor per area, infinite for forbidden areas, and three words: the flags to include,
/// the flags to exclude, and whether links may be used.
fn profile_words(profile: &Profile) -> ([f32; 256], [u32; 3]) {
    let factors = std::array::from_fn(|area| profile.factor(area as u8).unwrap_or(f32::INFINITY));
    let rules = [
        profile.include_flags.into(),
        profile.exclude_flags.into(),
        profile.links.into(),
    ];
    (factors, rules)
}

fn profile(factors: &[f32], rules: &[u32]) -> Result<Profile, ReadError> {
    let invalid = || damaged("its profile is invalid");
    let (&[include, exclude, links @ (0 | 1)], true) = (rules, factors.len() == 256) else {
        return Err(invalid());
    };
    let mut profile = Profile::default();
    profile.include_flags = u16::try_from(include).map_err(|_| invalid())?;
    profile.exclude_flags = u16::try_from(exclude).map_err(|_| invalid())?;
    profile.links = links == 1;
    for (area, &factor) in (0..=255).zip(factors) {
        if factor == f32::INFINITY {
            profile.forbid(area);
        } else {
            profile.set_factor(area, factor).map_err(|_| invalid())?;
        }
    }
    Ok(profile)
}

#[cfg(test)]
#[path = "pidx/forged_exact_test.rs"]
mod forged_exact_tests;
#[cfg(test)]
#[path = "pidx/forged_shortcuts_test.rs"]
mod forged_shortcuts_tests;
#[cfg(test)]
#[path = "pidx/forged_test.rs"]
mod forged_tests;
#[cfg(test)]
mod test_worlds;
#[cfg(test)]
#[path = "pidx_test.rs"]
mod tests;
