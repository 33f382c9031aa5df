//! `.pidx`: an index, which is a navmesh with its hierarchy, its contractions, its exact tier, or several of
//! them.
//!
//! The file stores everything that takes long to compute, in the layout that queries read, so that it can be mapped
//! into memory and used where it is. Only the exact tier is an exception: the file has its tangents and labels, and
//! everything else about it is computed when the file is opened.
//!
//! The section `opts` is first. It contains the build options and says which parts follow:
//! - always: build times (`time`), the default profile (`fact`, `rule`) and the table of taut tiers (`tier`)
//! - the arrays of the world, in the order of [`World::write_sections`]: navmesh, graph, contraction of the fast tier,
//!   holes, graph and contraction of each taut tier, hierarchy, hub labels
//! - always: the options of the exact tier (`exac`), empty without that tier
//! - exact tier: the tangents of each corner (`exof`, `extg`), then the label of each corner if queries use
//!   labels (`exlo`, `exlb`)
//!
//! `docs/file-formats.md` lists all sections.

mod exact;
mod tiers;

use std::io::{self, Read, Write};

use portolan_core::sections::{SectionReader, SectionWriter};
use portolan_core::{
    Array, BuildReport, BuildTimes, Check, CostModel, GraphOptions, Level, PartitionOptions,
    Profile, StoredOptions, TableOptions, Weights, World,
};

use self::exact::{add_exact, read_exact};
use self::tiers::{add_tiers, read_tiers, samples_of, samples_word};
use crate::container::{Name, Writer, compare_checksum, sections_of};
use crate::pnav::check_unchanged;
use crate::{ReadError, mapping};

/// The version of `.pidx` files that this crate writes, and the only one that it reads.
pub const VERSION: u32 = 9;

pub(crate) const KIND: Name = *b"INDX";
const FORMAT: &str = "a .pidx file";

/// Returns the bytes of a `.pidx` file that contains `world`.
///
/// # Panics
/// Panics if the ground of the world has changed at run time: see [`write`](fn@write).
pub fn to_bytes(world: &World) -> Vec<u8> {
    check_unchanged(world.mesh()).expect("the ground has not changed");
    file(world).into_bytes()
}

/// Writes a `.pidx` file that contains `world` to `out`.
///
/// # Errors
/// Fails if writing fails, or if the ground of the world has changed at run time, which files do not store.
pub fn write(world: &World, out: &mut dyn Write) -> io::Result<()> {
    check_unchanged(world.mesh())?;
    file(world).finish(out)
}

fn file(world: &World) -> Writer<'static> {
    let stored = world.stored_options();
    let mut sections = SectionWriter::default();
    let header = IndexHeader {
        graph: stored.graph.clone(),
        tables: world.table_options().clone(),
        report: world.report().clone(),
        has_hierarchy: stored.hierarchy.is_some(),
        has_contraction: stored.has_contraction,
        levels: stored
            .hierarchy
            .as_ref()
            .map_or(0, |(_, levels)| *levels as u32),
        labels: stored.labels as u32,
    };
    sections.small(*b"opts", &header.words());
    let times = world.report().times.as_ref();
    sections.small(*b"time", times.map_or(&[][..], |times| times.millis()));
    let (factors, rules) = profile_words(&stored.profile);
    sections.small(*b"fact", &factors);
    sections.small(*b"rule", &rules);
    add_tiers(&stored.tiers, &mut sections);
    world.write_sections(&mut sections);
    add_exact(world, &mut sections);
    let mut file = Writer::new(KIND, VERSION);
    for section in sections.sections {
        file.shared_section(section);
    }
    file
}

/// Reads a world from the bytes of a `.pidx` file.
pub fn from_bytes(bytes: &[u8]) -> Result<World, ReadError> {
    read(bytes, bytes.len() as u64)
}

/// Reads a world from the contents of a `.pidx` file, which are `bytes` bytes long.
pub fn read(source: impl Read, bytes: u64) -> Result<World, ReadError> {
    read_checked(source, bytes, Check::default())
}

/// Reads a world from the contents of a `.pidx` file, which are `bytes` bytes long. The checksum is compared unless
/// nothing is to be checked.
pub fn read_checked(source: impl Read, bytes: u64, check: Check) -> Result<World, ReadError> {
    let file = mapping::read(source, bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => ReadError::Truncated {
            what: "its sections".to_owned(),
            at: bytes,
        },
        _ => ReadError::Unreadable {
            what: error.to_string(),
        },
    })?;
    from_array(&file, check)
}

/// Reads a world whose arrays are in the bytes of a `.pidx` file, without a copy of them.
pub(crate) fn from_array(bytes: &Array<u8>, check: Check) -> Result<World, ReadError> {
    let mut file = sections_of(bytes, KIND, FORMAT, VERSION)?;
    if check == Check::None {
        return world_of(&mut file, check);
    }
    // The checks of the contents do not rely on the checksum. If both fail, the checksum is the reason.
    let (checksum, world) = rayon::join(|| compare_checksum(bytes), || world_of(&mut file, check));
    checksum.and(world)
}

fn world_of(file: &mut SectionReader, check: Check) -> Result<World, ReadError> {
    let header = IndexHeader::from_words(&file.array(*b"opts")?);
    let mut header = header.ok_or_else(|| damaged("its options (section opts) are invalid"))?;
    header.report.times = times(&file.array(*b"time")?)?;
    let profile = profile(&file.array(*b"fact")?, &file.array(*b"rule")?)?;
    let stored = StoredOptions {
        graph: header.graph,
        profile,
        hierarchy: header
            .has_hierarchy
            .then_some((header.tables, header.levels as usize)),
        has_contraction: header.has_contraction,
        tiers: read_tiers(file)?,
        labels: header.labels as usize,
    };
    let mut world = World::read_sections(&stored, file, check)?;
    if let Some((options, parts)) = read_exact(file)? {
        let exact = world.with_exact_parts(options, parts);
        world = exact.ok_or_else(|| damaged("its exact tier does not fit its navmesh"))?;
    }
    if !file.is_at_end() {
        return Err(damaged("it has more sections than parts"));
    }
    Ok(world.with_report(header.report))
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
    /// The number of directions with hub labels: 0 without labels, 1 if costs are symmetric, else 2. Labels
    /// need a contraction.
    labels: u32,
}

type IndexHeaderWords = [u32; 16];

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
        let is_consistent = (has_hierarchy || levels == 0)
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
