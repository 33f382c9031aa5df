//! `.pidx`: a navmesh with its hierarchy, its tiers or both, ready to query, and how they were made.
//!
//! Stored is what takes long to find out: who lies in which node, what crossing nodes costs, the ways,
//! the order of each tier's contraction, and hub labels where there are any. What follows from these (the graph,
//! the inter-edges, the shortcuts) is made anew.
//!
//! After the navmesh come the options, which also say which parts follow, then times and profile, then
//! the parts: of a hierarchy the nodes of each level and the arrays of the metric, of a contraction the
//! vertex of each rank, of taut tiers a table and the same for each, of hub labels the arrays of one
//! direction or both.

mod tiers;

use std::io::{self, Read, Write};

use portolan_core::contraction::{Hub, LabelArrays};
use portolan_core::hierarchy::Ways;
use portolan_core::{
    CostModel, GraphOptions, IndexOptions, IndexParts, Level, NodeId, Partition, Profile,
    TableOptions, Tier, World,
};

use self::tiers::{add_tiers, samples_of, samples_word, take_tiers};
use crate::ReadError;
use crate::container::{Name, Reader, Writer};
use crate::pnav::{add_mesh, check_mesh, take_mesh};

/// The version that this crate writes, and the only one it reads.
pub const VERSION: u32 = 3;

pub(crate) const KIND: Name = *b"INDX";
const FORMAT: &str = "a .pidx file";

/// How an index was made, beyond what its world says of itself. Only the seed means anything where there
/// is no hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct Making {
    /// Nodes of one level that were to be merged into one of the next: mu.
    pub merge_factor: u32,
    /// Levels that there were to be at most.
    pub max_levels: u32,
    /// What partition and order began with.
    pub seed: u64,
    /// What polygons and portals counted for.
    pub weights: Weights,
    /// How long it took; `None` in files that are to be the same bytes every time.
    pub times: Option<BuildTimes>,
}

/// What polygons and portals counted for in the partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// 1 each.
    #[default]
    Balanced,
    /// Polygons a random number.
    RandomNodes,
    /// Portals a random number.
    RandomEdges,
}

impl Weights {
    const ALL: [Self; 3] = [Self::Balanced, Self::RandomNodes, Self::RandomEdges];
}

const STAGES: usize = 8;

/// How long the stages took; 0 where there was none. [Units: ms]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BuildTimes {
    /// Who lies in which node.
    pub partition: f64,
    /// The graph, inter-edges and intra-edges.
    pub hierarchy: f64,
    /// The connect tables.
    pub tables: f64,
    /// The order of the contraction: nested dissection.
    pub order: f64,
    /// Its arcs, and what they cost the default profile.
    pub contraction: f64,
    /// The hub labels.
    pub labels: f64,
    /// The taut tiers, each with its order, its arcs and what they cost.
    pub taut: [f64; Tier::TAUT.len()],
}

impl BuildTimes {
    /// All stages together.
    pub fn total(&self) -> f64 {
        self.stages().iter().sum()
    }

    /// What a tier took.
    pub fn of_tier(&self, tier: Tier) -> f64 {
        match Tier::TAUT.iter().position(|&taut| taut == tier) {
            Some(place) => self.taut[place],
            None => self.order + self.contraction,
        }
    }

    /// In the order of the file.
    fn stages(&self) -> [f64; STAGES] {
        let [default, best] = self.taut;
        [
            self.partition,
            self.hierarchy,
            self.tables,
            self.order,
            self.contraction,
            self.labels,
            default,
            best,
        ]
    }
}

/// The bytes of a file that holds the world.
pub fn to_bytes(world: &World, making: &Making) -> Vec<u8> {
    file(world, making).into_bytes()
}

/// Writes a file that holds the world.
pub fn write(world: &World, making: &Making, out: &mut dyn Write) -> io::Result<()> {
    file(world, making).finish(out)
}

fn file<'a>(world: &'a World, making: &Making) -> Writer<'a> {
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
        options: world.index_options(),
        making: making.clone(),
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
    let times = making.times.map(|times| times.stages());
    file.made_section(*b"time", times.as_ref().map_or(&[][..], |times| times));
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

/// The world that bytes hold, and how it was made.
pub fn from_bytes(bytes: &[u8]) -> Result<(World, Making), ReadError> {
    read(bytes, bytes.len() as u64)
}

/// The world that a source of `bytes` bytes holds, and how it was made. Arrays are read straight to
/// where they stay.
pub fn read(source: impl Read, bytes: u64) -> Result<(World, Making), ReadError> {
    let mut file = Reader::open(source, bytes, KIND, FORMAT, VERSION)?;
    let parts = take_mesh(&mut file)?;
    let head = Head::from_words(&file.section(*b"opts")?);
    let mut head = head.ok_or_else(|| damaged("its options make no sense"))?;
    head.making.times = times(&file.section(*b"time")?)?;
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
        arrays.push(Ways::from_arrays(costs, narrow, wide));
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
            Some((
                partition.map_err(|error| damaged(&error.to_string()))?,
                arrays,
            ))
        }
        false => None,
    };
    let parts = IndexParts {
        hierarchy,
        contraction,
        tiers,
    };
    let world = World::from_index(mesh, &head.options, &profile, parts);
    let mut world = world.ok_or_else(|| damaged("its index is not that of its navmesh"))?;
    if !labels.is_empty() {
        let labelled = world.with_label_arrays(labels);
        world =
            labelled.ok_or_else(|| damaged("its hub labels are not those of its contraction"))?;
    }
    Ok((world, head.making))
}

fn damaged(what: &str) -> ReadError {
    ReadError::Damaged {
        what: what.to_owned(),
    }
}

/// Numbers that say how to read the rest. The times of [`Making`] are a section of their own.
struct Head {
    options: IndexOptions,
    making: Making,
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

type HeadWords = [u32; 15];

impl Head {
    fn words(&self) -> HeadWords {
        let (IndexOptions { graph, tables }, making) = (&self.options, &self.making);
        [
            samples_word(graph.samples),
            match graph.cost_model {
                CostModel::Portals => 0,
                CostModel::Published => 1,
                CostModel::Plan => 2,
            },
            tables.top.0.into(),
            tables.centres.into(),
            making.merge_factor,
            making.max_levels,
            making.seed as u32,
            (making.seed >> 32) as u32,
            making.weights as u32,
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
            merge_factor,
            max_levels,
            seed_low,
            seed_high,
            weights,
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
        if !graph.is_sound() {
            return None;
        }
        let tables = TableOptions {
            top: Level(u8::try_from(top).ok()?),
            centres: truth(centres)?,
        };
        let has_hierarchy = truth(has_hierarchy)?;
        let has_contraction = truth(has_contraction)?;
        let is_sound = (has_hierarchy || (levels, arrays) == (0, 0))
            && (has_contraction || (arcs, labels) == (0, 0))
            && labels <= 2;
        if !is_sound {
            return None;
        }
        Some(Self {
            options: IndexOptions { graph, tables },
            making: Making {
                merge_factor,
                max_levels,
                seed: u64::from(seed_high) << 32 | u64::from(seed_low),
                weights: *Weights::ALL.get(weights as usize)?,
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

fn times(millis: &[f64]) -> Result<Option<BuildTimes>, ReadError> {
    match *millis {
        [] => Ok(None),
        [
            partition,
            hierarchy,
            tables,
            order,
            contraction,
            labels,
            default,
            best,
        ] if millis.iter().all(|&t| t.is_finite() && t >= 0.0) => Ok(Some(BuildTimes {
            partition,
            hierarchy,
            tables,
            order,
            contraction,
            labels,
            taut: [default, best],
        })),
        _ => Err(damaged("its build times make no sense")),
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
