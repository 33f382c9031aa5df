//! Area rules as TOML: which ground gets which area, and off-mesh links.

use std::collections::BTreeMap;
use std::fmt;

use glam::{Vec2, Vec3};
use portolan_core::{AreaRules, DEFAULT_SNAP, Ground, RawLink, Volume};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use toml::Spanned;

use crate::ReadError;
use crate::text::{line_at, read_toml};

/// The maximum number of corners of an outline.
const MAX_CORNERS: usize = 256;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AreasFile {
    #[serde(default)]
    materials: BTreeMap<String, MaterialGround>,
    #[serde(default, rename = "box")]
    boxes: Vec<Spanned<BoxEntry>>,
    #[serde(default, rename = "volume")]
    volumes: Vec<Spanned<VolumeEntry>>,
    #[serde(default, rename = "link")]
    links: Vec<Spanned<LinkEntry>>,
    #[serde(default)]
    flag_names: BTreeMap<String, u16>,
    #[serde(default)]
    area_flags: BTreeMap<Spanned<String>, Flags>,
}

/// Flags as bits (`0x11`) or as a list of names (`["swim", "dark"]`).
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "flags are a number from 0 to 65535 or a list of names"
)]
enum Flags {
    Bits(u16),
    Names(Vec<String>),
}

impl Flags {
    /// Returns the bits. `flag_names` are those that the file defines.
    fn bits(&self, flag_names: &BTreeMap<String, u16>) -> Result<u16, String> {
        let bit = |name: &String| {
            let bit = flag_names.get(name).copied();
            bit.ok_or_else(|| format!("there is no flag '{name}'; add it to [flag_names]"))
        };
        match self {
            Self::Bits(bits) => Ok(*bits),
            Self::Names(names) => names.iter().try_fold(0, |bits, name| Ok(bits | bit(name)?)),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoxEntry {
    min: [f32; 3],
    max: [f32; 3],
    area: Option<BakeArea>,
    #[serde(default)]
    hole: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VolumeEntry {
    outline: Vec<[f32; 2]>,
    bottom: f32,
    top: f32,
    area: Option<BakeArea>,
    #[serde(default)]
    hole: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkEntry {
    from: [f32; 3],
    to: [f32; 3],
    #[serde(default)]
    both_ways: bool,
    cost: Option<f32>,
    #[serde(default)]
    area: BakeArea,
    flags: Option<Flags>,
    snap: Option<[f32; 3]>,
}

/// An area that a bake can assign: 0 to [`AreaRules::MAX_AREA`].
#[derive(Clone, Copy, Default)]
struct BakeArea(u8);

impl<'de> Deserialize<'de> for BakeArea {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let area = i64::deserialize(deserializer)?;
        area_of(area).map(Self)
    }
}

fn area_of<E: de::Error>(area: i64) -> Result<u8, E> {
    u8::try_from(area)
        .ok()
        .filter(|&area| area <= AreaRules::MAX_AREA)
        .ok_or_else(|| {
            let max = AreaRules::MAX_AREA;
            E::custom(format!("{area} is not an area; areas are 0 to {max}"))
        })
}

/// The ground of a material: an area (`7`) or `"hole"`.
struct MaterialGround(Ground);

impl<'de> Deserialize<'de> for MaterialGround {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AreaOrHole;
        impl Visitor<'_> for AreaOrHole {
            type Value = Ground;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an area or \"hole\"")
            }

            fn visit_i64<E: de::Error>(self, area: i64) -> Result<Ground, E> {
                area_of(area).map(Ground::Area)
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Ground, E> {
                match word {
                    "hole" => Ok(Ground::Hole),
                    _ => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
                }
            }
        }
        deserializer.deserialize_any(AreaOrHole).map(Self)
    }
}

/// Reads area rules from TOML. Every entry is optional.
///
/// ```
/// let rules = portolan_formats::read_areas(br#"
/// [materials]            # the area of triangles by the name of their material; 0 by default
/// grass = 2              # an area, 0 to 62
/// water = "hole"         # no ground to walk on
/// "" = 1                 # triangles without a material, in a level where others have one
///
/// [[box]]                # an axis-aligned box between two corners
/// min = [0, -1, 0]
/// max = [10, 3, 5]
/// area = 7
///
/// [[volume]]             # a vertical prism over a convex outline in x and z, in either orientation
/// outline = [[0, 0], [4, 0], [4, 4]]
/// bottom = -1
/// top = 3
/// hole = true
///
/// [[link]]               # a ladder, a jump, a teleporter
/// from = [1, 0, 2]
/// to = [9, 4, 2]
/// both_ways = true       # default: false
/// cost = 12.5            # default: its length
/// area = 3               # default: 0
/// flags = 1              # default: 1
/// snap = [0.5, 2, 0.5]   # how far its ends may be from the ground, in metres; these are the defaults
///
/// [flag_names]           # names of flags, which are bits of a 16-bit number
/// swim = 0x10
/// dark = 0x20
///
/// [area_flags]           # the flags of polygons by area; default: 1
/// 2 = 0x03               # as a number
/// 7 = ["swim", "dark"]   # or by name; links can use names too
/// "#)?;
/// assert_eq!(rules.flags_of(7), 0x30);
/// assert_eq!(rules.flags_of(0), 1);
/// assert_eq!(rules.materials["grass"], portolan_core::Ground::Area(2));
/// assert_eq!(rules.volumes.len(), 2);
/// assert_eq!(rules.links[0].cost, Some(12.5));
/// # Ok::<(), portolan_files::ReadError>(())
/// ```
///
/// The `include_flags` and `exclude_flags` of a profile select by these bits which polygons and links an
/// agent may use.
///
/// Coordinates are those of the baked world: in metres with y up, also if the geometry was read with z up or
/// scaled. If boxes or volumes overlap, the one that is later in the file wins. The id of a link is its
/// index in the file, counted from 0. An error names the line and the entry, counted from 1.
pub fn read_areas(bytes: &[u8]) -> Result<AreaRules, ReadError> {
    let file: AreasFile = read_toml("a file of area rules", bytes)?;
    let boxes = checked("box", bytes, file.boxes, BoxEntry::check)?;
    let volumes = checked("volume", bytes, file.volumes, VolumeEntry::check)?;
    let names = &file.flag_names;
    let links = checked("link", bytes, file.links, |link| link.check(names))?;
    let mut flags = BTreeMap::new();
    for (area, of_area) in &file.area_flags {
        let wrong = |what: String| ReadError::Syntax {
            line: line_at(bytes, area.span().start),
            what: format!("area_flags: {what}"),
        };
        let max = AreaRules::MAX_AREA;
        let number: Option<u8> = area.get_ref().parse().ok();
        let number = number.filter(|&area| area <= max).ok_or_else(|| {
            wrong(format!(
                "'{}' is not an area; areas are 0 to {max}",
                area.get_ref()
            ))
        })?;
        flags.insert(number, of_area.bits(names).map_err(wrong)?);
    }
    let mut volumes: Vec<_> = boxes.into_iter().chain(volumes).collect();
    volumes.sort_by_key(|&(offset, _)| offset);
    let links = (0..)
        .zip(links)
        .map(|(id, (_, link))| RawLink { id, ..link });
    let materials = file.materials.into_iter();
    Ok(AreaRules {
        materials: materials.map(|(name, ground)| (name, ground.0)).collect(),
        volumes: volumes.into_iter().map(|(_, volume)| volume).collect(),
        flags,
        links: links.collect(),
    })
}

/// Validates the entries of a kind. Returns each with its byte offset in the file.
fn checked<E, T>(
    kind: &str,
    bytes: &[u8],
    entries: Vec<Spanned<E>>,
    check: impl Fn(E) -> Result<T, String>,
) -> Result<Vec<(usize, T)>, ReadError> {
    let check_one = |(number, entry): (usize, Spanned<E>)| {
        let offset = entry.span().start;
        let checked = check(entry.into_inner()).map_err(|what| ReadError::Syntax {
            line: line_at(bytes, offset),
            what: format!("{kind} {number}: {what}"),
        });
        checked.map(|checked| (offset, checked))
    };
    (1..).zip(entries).map(check_one).collect()
}

impl BoxEntry {
    fn check(self) -> Result<Volume, String> {
        check_finite("min", &self.min)?;
        check_finite("max", &self.max)?;
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let (min, max) = (self.min[axis], self.max[axis]);
            if min > max {
                return Err(format!("min.{name} {min} is larger than max.{name} {max}"));
            }
            if min == max && name != "y" {
                return Err(format!("min.{name} and max.{name} are both {min}"));
            }
        }
        let ground = ground(self.area, self.hole)?;
        Ok(Volume::cuboid(self.min.into(), self.max.into(), ground))
    }
}

impl VolumeEntry {
    fn check(self) -> Result<Volume, String> {
        let (bottom, top) = (self.bottom, self.top);
        check_finite("bottom", &[bottom])?;
        check_finite("top", &[top])?;
        if bottom > top {
            return Err(format!("bottom {bottom} is larger than top {top}"));
        }
        let count = self.outline.len();
        if !(3..=MAX_CORNERS).contains(&count) {
            return Err(format!(
                "an outline has 3 to {MAX_CORNERS} corners, this one has {count}"
            ));
        }
        for (number, corner) in (1..).zip(&self.outline) {
            check_finite(&format!("corner {number}"), corner)?;
        }
        let outline: Vec<Vec2> = self.outline.into_iter().map(Vec2::from).collect();
        check_convex(&outline)?;
        Ok(Volume {
            outline,
            bottom,
            top,
            ground: ground(self.area, self.hole)?,
        })
    }
}

impl LinkEntry {
    fn check(self, names: &BTreeMap<String, u16>) -> Result<RawLink, String> {
        check_finite("from", &self.from)?;
        check_finite("to", &self.to)?;
        let not_negative = |what: &str, number: f32| match number >= 0.0 {
            true => Ok(()),
            false => Err(format!("{what} {number} is negative")),
        };
        if let Some(cost) = self.cost {
            check_finite("cost", &[cost])?;
            not_negative("cost", cost)?;
        }
        if let Some(snap) = self.snap {
            check_finite("snap", &snap)?;
            for size in snap {
                not_negative("snap", size)?;
            }
        }
        let default = RawLink::default();
        Ok(RawLink {
            start: self.from.into(),
            end: self.to.into(),
            both_ways: self.both_ways,
            cost: self.cost,
            area: self.area.0,
            flags: match self.flags {
                Some(flags) => flags.bits(names)?,
                None => default.flags,
            },
            snap: self.snap.map_or(DEFAULT_SNAP, Vec3::from),
            ..default
        })
    }
}

fn ground(area: Option<BakeArea>, hole: bool) -> Result<Ground, String> {
    match (area, hole) {
        (Some(BakeArea(area)), false) => Ok(Ground::Area(area)),
        (None, true) => Ok(Ground::Hole),
        (None, false) => Err("it needs an area, or hole = true".into()),
        (Some(_), true) => Err("it cannot have an area and be a hole".into()),
    }
}

fn check_finite(name: &str, numbers: &[f32]) -> Result<(), String> {
    match (numbers.iter().all(|number| number.is_finite()), numbers) {
        (true, _) => Ok(()),
        (false, [number]) => Err(format!("{name} {number} is not finite")),
        (false, _) => Err(format!("{name} {numbers:?} is not finite")),
    }
}

/// Checks that the corners are those of a convex polygon, in order. This is the case if all of them differ and
/// none is outside any side.
fn check_convex(outline: &[Vec2]) -> Result<(), String> {
    let corner = |i: usize| outline[i % outline.len()].as_dvec2();
    let count = outline.len();
    for a in 0..count {
        if let Some(b) = (a + 1..count).find(|&b| outline[a] == outline[b]) {
            return Err(format!("corners {} and {} are the same", a + 1, b + 1));
        }
    }
    let turn =
        |a: usize, b: usize, c: usize| (corner(b) - corner(a)).perp_dot(corner(c) - corner(a));
    let area: f64 = (1..count - 1).map(|i| turn(0, i, i + 1)).sum();
    if area == 0.0 {
        return Err("the outline has no area".into());
    }
    for a in 0..count {
        if let Some(c) = (0..count).find(|&c| turn(a, a + 1, c) * area.signum() < 0.0) {
            return Err(format!(
                "the outline is not convex: corner {} is outside the side from corner {} to {}",
                c + 1,
                a + 1,
                (a + 1) % count + 1
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "areas_test.rs"]
mod tests;
