//! The area rules of a bake as sections of a `.pbake` file.

use std::io::Read;

use glam::{Vec2, Vec3};
use portolan_core::{AreaRules, Csr, Ground, RawLink, Volume};

use super::damaged;
use crate::ReadError;
use crate::container::{Name, Reader, Writer};

/// A link as 72 bytes.
type RawLinkWords = [u32; 18];

/// The word that encodes a hole instead of an area.
const HOLE: u32 = u32::MAX;
/// The word that encodes a link end without a polygon.
const NO_POLYGON: u32 = u32::MAX;

/// Strings that are not yet known to be UTF-8.
pub(super) struct RawStrings(Csr<u8>);

/// Adds a list of strings to a file.
pub(super) fn add_strings<'a>(
    file: &mut Writer<'_>,
    offsets: Name,
    bytes: Name,
    strings: impl IntoIterator<Item = &'a String>,
) {
    let mut lists = Csr::new();
    for string in strings {
        lists.push(string.bytes());
    }
    file.owned_section(offsets, lists.offsets());
    file.owned_section(bytes, lists.values());
}

/// Reads a list of strings from a file.
pub(super) fn read_strings<R: Read>(
    file: &mut Reader<R>,
    offsets: Name,
    bytes: Name,
) -> Result<RawStrings, ReadError> {
    file.lists(offsets, bytes).map(RawStrings)
}

impl RawStrings {
    /// Returns the strings, or an error if one of them is not UTF-8.
    pub(super) fn strings(&self) -> Result<Vec<String>, ReadError> {
        let decode = |bytes: &[u8]| {
            let string = std::str::from_utf8(bytes).map(str::to_owned);
            string.map_err(|_| damaged("the name of a material is not UTF-8"))
        };
        self.0.iter().map(decode).collect()
    }
}

/// Adds the sections of the rules to a file.
pub(super) fn add_rules(file: &mut Writer<'_>, rules: &AreaRules) {
    add_strings(file, *b"maof", *b"mate", rules.materials.keys());
    let grounds: Vec<u32> = rules.materials.values().map(|&g| ground_word(g)).collect();
    file.owned_section(*b"mgrd", &grounds);
    let flags: Vec<[u32; 2]> = rules
        .flags
        .iter()
        .map(|(&area, &flags)| [area.into(), flags.into()])
        .collect();
    file.owned_section(*b"aflg", &flags);
    let mut outlines: Csr<Vec2> = Csr::new();
    for volume in &rules.volumes {
        outlines.push(volume.outline.iter().copied());
    }
    let volumes: Vec<[u32; 3]> = rules.volumes.iter().map(volume_words).collect();
    file.owned_section(*b"voof", outlines.offsets());
    file.owned_section(*b"vout", outlines.values());
    file.owned_section(*b"volu", &volumes);
    let links: Vec<RawLinkWords> = rules.links.iter().map(link_words).collect();
    file.owned_section(*b"link", &links);
}

/// The sections of the rules, not yet checked.
pub(super) struct RuleSections {
    materials: RawStrings,
    grounds: Vec<u32>,
    flags: Vec<[u32; 2]>,
    outlines: Csr<Vec2>,
    volumes: Vec<[u32; 3]>,
    links: Vec<RawLinkWords>,
}

/// Reads the sections of the rules from a file.
pub(super) fn read_rules<R: Read>(file: &mut Reader<R>) -> Result<RuleSections, ReadError> {
    Ok(RuleSections {
        materials: read_strings(file, *b"maof", *b"mate")?,
        grounds: file.section(*b"mgrd")?,
        flags: file.section(*b"aflg")?,
        outlines: file.lists(*b"voof", *b"vout")?,
        volumes: file.section(*b"volu")?,
        links: file.section(*b"link")?,
    })
}

impl RuleSections {
    /// Returns the rules. Their values are not validated here, but by the bake that uses them.
    pub(super) fn rules(&self) -> Result<AreaRules, ReadError> {
        let names = self.materials.strings()?;
        if names.len() != self.grounds.len() || self.outlines.len() != self.volumes.len() {
            return Err(damaged("the sections of its area rules differ in length"));
        }
        let mut rules = AreaRules::default();
        for (name, &word) in names.into_iter().zip(&self.grounds) {
            rules.materials.insert(name, ground(word)?);
        }
        for &[area, flags] in &self.flags {
            let (Ok(area), Ok(flags)) = (area.try_into(), flags.try_into()) else {
                return Err(damaged("the flags of an area are too large"));
            };
            rules.flags.insert(area, flags);
        }
        for (outline, &[bottom, top, word]) in self.outlines.iter().zip(&self.volumes) {
            rules.volumes.push(Volume {
                outline: outline.to_vec(),
                bottom: f32::from_bits(bottom),
                top: f32::from_bits(top),
                ground: ground(word)?,
            });
        }
        for words in &self.links {
            rules.links.push(link(words)?);
        }
        Ok(rules)
    }
}

fn ground_word(ground: Ground) -> u32 {
    match ground {
        Ground::Area(area) => area.into(),
        Ground::Hole => HOLE,
    }
}

fn ground(word: u32) -> Result<Ground, ReadError> {
    match (word, u8::try_from(word)) {
        (HOLE, _) => Ok(Ground::Hole),
        (_, Ok(area)) => Ok(Ground::Area(area)),
        _ => Err(damaged("the area of a rule is neither a hole nor 0 to 255")),
    }
}

fn volume_words(volume: &Volume) -> [u32; 3] {
    [
        volume.bottom.to_bits(),
        volume.top.to_bits(),
        ground_word(volume.ground),
    ]
}

fn link_words(link: &RawLink) -> RawLinkWords {
    let mut words = [0; 18];
    for (to, point) in words
        .chunks_exact_mut(3)
        .zip([link.start, link.end, link.snap])
    {
        to.copy_from_slice(&point.to_array().map(f32::to_bits));
    }
    words[9..11].copy_from_slice(&link.polygons.map(|polygon| polygon.unwrap_or(NO_POLYGON)));
    words[11] = link.cost.is_some().into();
    words[12] = link.cost.unwrap_or(0.0).to_bits();
    words[13] = link.both_ways.into();
    words[14] = link.area.into();
    words[15] = link.flags.into();
    words[16] = link.id as u32;
    words[17] = (link.id >> 32) as u32;
    words
}

fn link(words: &RawLinkWords) -> Result<RawLink, ReadError> {
    let point = |at: usize| {
        Vec3::new(
            f32::from_bits(words[at]),
            f32::from_bits(words[at + 1]),
            f32::from_bits(words[at + 2]),
        )
    };
    let polygon = |at: usize| Some(words[at]).filter(|&polygon| polygon != NO_POLYGON);
    let (Ok(area), Ok(flags)) = (words[14].try_into(), words[15].try_into()) else {
        return Err(damaged("a link has an area or flags that are too large"));
    };
    let [has_cost, both_ways] = [words[11], words[13]];
    if has_cost > 1 || both_ways > 1 {
        return Err(damaged("a flag of a link is neither 0 nor 1"));
    }
    Ok(RawLink {
        start: point(0),
        end: point(3),
        snap: point(6),
        polygons: [polygon(9), polygon(10)],
        cost: (has_cost == 1).then_some(f32::from_bits(words[12])),
        both_ways: both_ways == 1,
        area,
        flags,
        id: u64::from(words[17]) << 32 | u64::from(words[16]),
    })
}
