//! The rules of a bake as sections of a file.

use std::io::Read;

use glam::{Vec2, Vec3};
use portolan_core::{AreaRules, Csr, Ground, RawLink, Volume};

use super::damaged;
use crate::ReadError;
use crate::container::{Name, Reader, Writer};

/// 72 bytes of a link.
type LinkWords = [u32; 18];

/// What stands for a hole among areas.
const HOLE: u32 = u32::MAX;
/// What stands for "not given" among polygons.
const NO_POLYGON: u32 = u32::MAX;

/// Texts, not yet known to be UTF-8.
pub(super) struct Words(Csr<u8>);

/// Adds a list of texts to a file.
pub(super) fn add_words<'a>(
    file: &mut Writer<'_>,
    offsets: Name,
    bytes: Name,
    words: impl IntoIterator<Item = &'a String>,
) {
    let mut all = Csr::new();
    for word in words {
        all.push(word.bytes());
    }
    file.made_section(offsets, all.offsets());
    file.made_section(bytes, all.values());
}

/// Takes a list of texts from a file.
pub(super) fn take_words<R: Read>(
    file: &mut Reader<R>,
    offsets: Name,
    bytes: Name,
) -> Result<Words, ReadError> {
    file.lists(offsets, bytes).map(Words)
}

impl Words {
    /// The texts.
    pub(super) fn strings(&self) -> Result<Vec<String>, ReadError> {
        let text = |bytes: &[u8]| {
            let text = std::str::from_utf8(bytes).map(str::to_owned);
            text.map_err(|_| damaged("the name of a material is no text"))
        };
        self.0.iter().map(text).collect()
    }
}

/// Adds the sections of the rules to a file.
pub(super) fn add_rules(file: &mut Writer<'_>, rules: &AreaRules) {
    add_words(file, *b"maof", *b"mate", rules.materials.keys());
    let grounds: Vec<u32> = rules.materials.values().map(|&g| ground_word(g)).collect();
    file.made_section(*b"mgrd", &grounds);
    let flags: Vec<[u32; 2]> = rules
        .flags
        .iter()
        .map(|(&area, &flags)| [area.into(), flags.into()])
        .collect();
    file.made_section(*b"aflg", &flags);
    let mut outlines: Csr<Vec2> = Csr::new();
    for volume in &rules.volumes {
        outlines.push(volume.outline.iter().copied());
    }
    let volumes: Vec<[u32; 3]> = rules.volumes.iter().map(volume_words).collect();
    file.made_section(*b"voof", outlines.offsets());
    file.made_section(*b"vout", outlines.values());
    file.made_section(*b"volu", &volumes);
    let links: Vec<LinkWords> = rules.links.iter().map(link_words).collect();
    file.made_section(*b"link", &links);
}

/// The sections of the rules, not yet checked.
pub(super) struct RuleSections {
    materials: Words,
    grounds: Vec<u32>,
    flags: Vec<[u32; 2]>,
    outlines: Csr<Vec2>,
    volumes: Vec<[u32; 3]>,
    links: Vec<LinkWords>,
}

/// Takes the sections of the rules from a file.
pub(super) fn take_rules<R: Read>(file: &mut Reader<R>) -> Result<RuleSections, ReadError> {
    Ok(RuleSections {
        materials: take_words(file, *b"maof", *b"mate")?,
        grounds: file.section(*b"mgrd")?,
        flags: file.section(*b"aflg")?,
        outlines: file.lists(*b"voof", *b"vout")?,
        volumes: file.section(*b"volu")?,
        links: file.section(*b"link")?,
    })
}

impl RuleSections {
    /// The rules. What is in them is checked by whoever bakes with them.
    pub(super) fn rules(&self) -> Result<AreaRules, ReadError> {
        let names = self.materials.strings()?;
        if names.len() != self.grounds.len() || self.outlines.len() != self.volumes.len() {
            return Err(damaged("its lists of rules differ in length"));
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
        _ => Err(damaged("a rule names no kind of ground")),
    }
}

fn volume_words(volume: &Volume) -> [u32; 3] {
    [
        volume.bottom.to_bits(),
        volume.top.to_bits(),
        ground_word(volume.ground),
    ]
}

fn link_words(link: &RawLink) -> LinkWords {
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

fn link(words: &LinkWords) -> Result<RawLink, ReadError> {
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
        return Err(damaged("a link makes no sense"));
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
