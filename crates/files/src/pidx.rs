//! `.pidx`: a navmesh with its hierarchy, its tiers or both, ready to query, and how they were built.
//!
//! The file stores what takes long to find out: which polygon lies in which node, what crossing a node
//! costs and by which path, the order of each tier's contraction, and hub labels where there are any. What
//! follows from these (the graph, the inter-edges, the shortcuts) is made again when the file is opened.
//!
//! After the navmesh come the options, which also say which parts follow, then times and profile, then
//! the parts: of a hierarchy the nodes of each level and the arrays of the metric, of a contraction the
//! vertex of each rank, of taut tiers a table and the same for each, of hub labels the arrays of one
//! direction or both.

mod tiers;

use std::io::{self, Read, Write};

use portolan_core::contraction::{Hub, LabelArrays};
use portolan_core::hierarchy::PathTable;
use portolan_core::{
    BuildReport, BuildTimes, CostModel, GraphOptions, HierarchyParts, IndexParts, Level, NodeId,
    Partition, PartitionOptions, Profile, TableOptions, Weights, World,
};

use self::tiers::{add_tiers, samples_of, samples_word, take_tiers};
use crate::ReadError;
use crate::container::{Name, Reader, Writer};
use crate::pnav::{add_mesh, check_mesh, take_mesh};

/// The version that this crate writes, and the only one it reads.
pub const VERSION: u32 = 4;

pub(crate) const KIND: Name = *b"INDX";
const FORMAT: &str = "a .pidx file";

/// The bytes of a file that holds the world.
pub fn to_bytes(world: &World) -> Vec<u8> {
    file(world).into_bytes()
}

/// Writes a file that holds the world.
pub fn write(world: &World, out: &mut dyn Write) -> io::Result<()> {
    file(world).finish(out)
}

fn file(world: &World) -> Writer<'_> {
    let costs = world.default_costs();
    let hierarchy = world.hierarchy().zip(costs.metric());
    let labels = || {
        costs
            .labels()
            .into_iter()
            .flat_map(|labels| labels.arrays())
    };
    let mut file = Writer::new(KIND, VERSION);
    add_mesh(world.mesh(), &mut file);
    let head = Head {
        graph: world.graph().options(),
        tables: world.table_options().clone(),
        report: world.report().clone(),
        has_hierarchy: hierarchy.is_some(),
        has_contraction: world.contraction().is_some(),
        levels: hierarchy.map_or(0, |(hierarchy, _)| hierarchy.top().0.into()),
        arrays: hierarchy.map_or(0, |(_, metric)| metric.arrays().count() as u32),
        arcs: world
            .contraction()
            .map_or(0, |made| made.arc_count() as u32),
        labels: labels().count() as u32,
    };
    file.made_section(*b"opts", &head.words());
    let times = world.report().times.as_ref();
    file.made_section(*b"time", times.map_or(&[][..], |times| times.millis()));
    let (factors, rules) = profile_words(costs.profile());
    file.made_section(*b"fact", &factors);
    file.made_section(*b"rule", &rules);
    if let Some((hierarchy, metric)) = hierarchy {
        let partition = hierarchy.partition();
        for level in partition.levels() {
            // The cells of links come after those of polygons, and follow from the links.
            let nodes = &partition.nodes(level)[..world.mesh().polygon_count()];
            let nodes: Vec<u32> = nodes.iter().map(|node| node.0).collect();
            file.made_section(*b"node", &nodes);
        }
        for ways in metric.arrays() {
            let (costs, narrow, wide) = ways.arrays();
            file.section(*b"cost", costs);
            file.section(*b"step", narrow);
            file.section(*b"wide", wide);
        }
    }
    if let Some(contraction) = world.contraction() {
        file.section(*b"rank", contraction.order());
    }
    add_tiers(world, &mut file);
    for LabelArrays {
        offsets,
        hubs,
        nexts,
    } in labels()
    {
        file.section(*b"hbof", offsets);
        file.piecewise_section(*b"hubs", hubs, |hub| [hub.rank, hub.cost.to_bits()]);
        file.section(*b"next", nexts);
    }
    file
}

/// The world that bytes hold.
pub fn from_bytes(bytes: &[u8]) -> Result<World, ReadError> {
    read(bytes, bytes.len() as u64)
}

/// The world that a source of `bytes` bytes holds. Arrays are read straight to where they stay.
pub fn read(source: impl Read, bytes: u64) -> Result<World, ReadError> {
    let mut file = Reader::open(source, bytes, KIND, FORMAT, VERSION)?;
    let parts = take_mesh(&mut file)?;
    let head = Head::from_words(&file.section(*b"opts")?);
    let mut head = head.ok_or_else(|| damaged("its options make no sense"))?;
    head.report.times = times(&file.section(*b"time")?)?;
    let profile = profile(&file.section(*b"fact")?, &file.section(*b"rule")?)?;
    let mut levels = Vec::new();
    for _ in 0..head.levels {
        let nodes: Vec<u32> = file.section(*b"node")?;
        levels.push(nodes.into_iter().map(NodeId).collect());
    }
    let mut arrays = Vec::new();
    for _ in 0..head.arrays {
        let (costs, narrow, wide) = (
            file.section(*b"cost")?,
            file.section(*b"step")?,
            file.section(*b"wide")?,
        );
        arrays.push(PathTable::from_arrays(costs, narrow, wide));
    }
    let contraction = match head.has_contraction {
        true => Some((file.section(*b"rank")?, head.arcs as usize)),
        false => None,
    };
    let tiers = take_tiers(&mut file)?;
    let mut labels = Vec::new();
    for _ in 0..head.labels {
        labels.push(LabelArrays {
            offsets: file.section(*b"hbof")?,
            // Of one size and alignment, so that this happens in place.
            hubs: file
                .section::<[u32; 2]>(*b"hubs")?
                .into_iter()
                .map(|[rank, cost]| Hub {
                    rank,
                    cost: f32::from_bits(cost),
                })
                .collect(),
            nexts: file.section(*b"next")?,
        });
    }
    file.finish()?;
    let mesh = check_mesh(parts)?;
    let hierarchy = match head.has_hierarchy {
        true => {
            let partition = Partition::new(mesh.polygon_count(), levels);
            Some(HierarchyParts {
                partition: partition.map_err(|error| damaged(&error.to_string()))?,
                tables: head.tables,
                arrays,
            })
        }
        false => None,
    };
    let parts = IndexParts {
        graph: head.graph,
        profile,
        hierarchy,
        contraction,
        tiers,
    };
    let world = World::from_index(mesh, parts);
    let mut world = world.ok_or_else(|| damaged("its index is not that of its navmesh"))?;
    if !labels.is_empty() {
        let labelled = world.with_label_arrays(labels);
        world =
            labelled.ok_or_else(|| damaged("its hub labels are not those of its contraction"))?;
    }
    Ok(world.with_report(head.report))
}

fn damaged(what: &str) -> ReadError {
    ReadError::Damaged {
        what: what.to_owned(),
    }
}

/// Numbers that say how to read the rest. The times of the report are a section of their own.
struct Head {
    graph: GraphOptions,
    /// The default without a hierarchy.
    tables: TableOptions,
    report: BuildReport,
    has_hierarchy: bool,
    has_contraction: bool,
    /// Both 0 without a hierarchy.
    levels: u32,
    arrays: u32,
    /// Of the contraction; 0 without one.
    arcs: u32,
    /// Directions with arrays of hub labels, which need a contraction: none, one for both, or two.
    labels: u32,
}

type HeadWords = [u32; 18];

impl Head {
    fn words(&self) -> HeadWords {
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
            self.arcs,
            self.labels,
        ]
    }

    /// `None` where the numbers make no sense, whatever the mesh.
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
            arcs,
            labels,
        ] = words
        else {
            return None;
        };
        let truth = |word: u32| (word <= 1).then_some(word == 1);
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
            centres: truth(centres)?,
        };
        let has_hierarchy = truth(has_hierarchy)?;
        let has_contraction = truth(has_contraction)?;
        let partition = PartitionOptions {
            merge_factor,
            max_levels,
            seed: seed_of_words([seed_low, seed_high]),
            weights: *WEIGHTS.get(weights as usize)?,
        };
        let has_partition = truth(has_partition)?;
        let no_partition = PartitionOptions {
            merge_factor: 0,
            max_levels: 0,
            seed: 0,
            weights: Weights::Balanced,
        };
        let is_sound = (has_hierarchy || (levels, arrays) == (0, 0))
            && (has_partition || partition == no_partition)
            && (has_contraction || (arcs, labels) == (0, 0))
            && labels <= 2;
        if !is_sound {
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
            arcs,
            labels,
        })
    }
}

/// In the order of their numbers.
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

/// No times, or one for each stage.
fn times(millis: &[f64]) -> Result<Option<BuildTimes>, ReadError> {
    if millis.is_empty() {
        return Ok(None);
    }
    let times = millis.try_into().ok().and_then(BuildTimes::from_millis);
    match times {
        Some(times) => Ok(Some(times)),
        None => Err(damaged("its build times make no sense")),
    }
}

/// Factors, infinite where an area is forbidden; flags to include and to exclude, and links.
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
    let wrong = || damaged("its profile makes no sense");
    let (&[include, exclude, links @ (0 | 1)], true) = (rules, factors.len() == 256) else {
        return Err(wrong());
    };
    let mut profile = Profile::default();
    profile.include_flags = u16::try_from(include).map_err(|_| wrong())?;
    profile.exclude_flags = u16::try_from(exclude).map_err(|_| wrong())?;
    profile.links = links == 1;
    for (area, &factor) in (0..=255).zip(factors) {
        if factor == f32::INFINITY {
            profile.forbid(area);
        } else {
            profile.set_factor(area, factor).map_err(|_| wrong())?;
        }
    }
    Ok(profile)
}

#[cfg(test)]
#[path = "pidx_test.rs"]
mod tests;
