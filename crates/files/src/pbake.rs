//! `.pbake`: a baked level, tile by tile, so that single tiles can be baked again.
//!
//! The file stores the options and area rules of the bake, the options that the level was read with, the
//! grid, and the polygons of each tile as they were before the tiles were joined.

mod rules;

use std::io::{self, Read, Write};

use glam::Vec3;
use portolan_bake::{BakeOptions, Baked, BakedParts, FaceDirections, Statistics, Tiling};
use portolan_core::{LevelOptions, RawHeights, Up};

use crate::ReadError;
use crate::container::{Name, Reader, Writer};
use rules::{add_rules, add_strings, read_rules, read_strings};

/// The version of `.pbake` files that this crate writes, and the only one that it reads.
pub const VERSION: u32 = 1;

pub(crate) const KIND: Name = *b"BAKE";
const FORMAT: &str = "a .pbake file";

/// A baked level with the options that its geometry was read with.
///
/// ```
/// use glam::vec3;
/// use portolan_bake::{BakeOptions, bake};
/// use portolan_core::{AreaRules, LevelOptions, Triangles};
/// use portolan_files::pbake::{self, KeptBake};
///
/// let mut floor = Triangles::default();
/// floor.vertices = vec![vec3(0., 0., 0.), vec3(0., 0., 9.), vec3(9., 0., 9.), vec3(9., 0., 0.)];
/// floor.triangles = vec![[0, 1, 2], [0, 2, 3]];
/// let baked = bake(&floor, &AreaRules::default(), &BakeOptions::default());
/// let kept = KeptBake {
///     baked: baked.expect("the floor can be baked"),
///     level: LevelOptions::default(),
/// };
/// assert_eq!(pbake::from_bytes(&pbake::to_bytes(&kept))?, kept);
/// # Ok::<(), portolan_files::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct KeptBake {
    /// The baked level.
    pub baked: Baked,
    /// The options that the file of the level was read with. Read it with the same options to bake a tile
    /// again.
    pub level: LevelOptions,
}

/// Returns the bytes of a `.pbake` file that contains `kept`.
pub fn to_bytes(kept: &KeptBake) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(kept, &mut bytes).expect("writing to a vector cannot fail");
    bytes
}

/// Writes a `.pbake` file that contains `kept` to `out`.
pub fn write(kept: &KeptBake, out: &mut dyn Write) -> io::Result<()> {
    let parts = kept.baked.to_parts();
    let mut file = Writer::new(KIND, VERSION);
    file.owned_section(*b"levl", &level_words(&kept.level));
    file.owned_section(*b"opts", &option_words(&parts.options));
    file.owned_section(*b"grid", &parts.origin.map(f64::to_bits));
    file.owned_section(*b"cell", &grid_words(&parts));
    file.owned_section(*b"stat", &statistics_words(&parts.statistics));
    add_strings(
        &mut file,
        *b"unof",
        *b"unus",
        &parts.statistics.unused_rules,
    );
    add_rules(&mut file, &parts.rules);
    file.section(*b"tver", &parts.tile_vertices);
    file.section(*b"vert", &parts.vertices);
    file.section(*b"tpol", &parts.tile_polygons);
    file.section(*b"poly", parts.polygons.offsets());
    file.section(*b"corn", parts.polygons.values());
    file.section(*b"area", &parts.areas);
    file.section(*b"rcel", &parts.region_cells);
    file.section(*b"hpof", parts.heights.vertices.offsets());
    file.section(*b"hpnt", parts.heights.vertices.values());
    file.section(*b"htof", parts.heights.triangles.offsets());
    file.section(*b"htri", parts.heights.triangles.values());
    file.section(*b"cuts", &parts.splits);
    file.finish(out)
}

/// Reads a bake from the bytes of a `.pbake` file.
pub fn from_bytes(bytes: &[u8]) -> Result<KeptBake, ReadError> {
    read(bytes, bytes.len() as u64)
}

/// Reads a bake from the contents of a `.pbake` file, which are `bytes` bytes long.
pub fn read(source: impl Read, bytes: u64) -> Result<KeptBake, ReadError> {
    let mut file = Reader::open(source, bytes, KIND, FORMAT, VERSION)?;
    let level = file.section(*b"levl")?;
    let options = file.section(*b"opts")?;
    let origin = file.section::<u64>(*b"grid")?;
    let grid = file.section(*b"cell")?;
    let statistics = file.section(*b"stat")?;
    let unused_rules = read_strings(&mut file, *b"unof", *b"unus")?;
    let rules = read_rules(&mut file)?;
    let tile_vertices = file.section(*b"tver")?;
    let vertices: Vec<Vec3> = file.section(*b"vert")?;
    let tile_polygons = file.section(*b"tpol")?;
    let polygons = file.lists(*b"poly", *b"corn")?;
    let areas = file.section(*b"area")?;
    let region_cells = file.section(*b"rcel")?;
    let heights = RawHeights {
        vertices: file.lists(*b"hpof", *b"hpnt")?,
        triangles: file.lists(*b"htof", *b"htri")?,
    };
    let splits = file.section(*b"cuts")?;
    // The sections are not used before the checksum is known to be right.
    file.finish()?;
    let &[x, y, z, tile_side] = expect_length(&grid, "cell")?;
    let parts = BakedParts {
        options: options_of(&options)?,
        rules: rules.rules()?,
        statistics: statistics_of(&statistics, unused_rules.strings()?)?,
        origin: expect_length::<_, 3>(&origin, "grid")?.map(f64::from_bits),
        cells: [x, y, z],
        tile_side,
        tile_vertices,
        vertices,
        tile_polygons,
        polygons,
        areas,
        region_cells,
        heights,
        splits,
    };
    Ok(KeptBake {
        level: level_of(&level)?,
        baked: Baked::from_parts(parts).map_err(|error| damaged(error.to_string()))?,
    })
}

fn damaged(what: impl Into<String>) -> ReadError {
    ReadError::Damaged { what: what.into() }
}

/// Returns the list as an array, or an error if its length is not `N`.
fn expect_length<'a, T, const N: usize>(
    list: &'a [T],
    what: &str,
) -> Result<&'a [T; N], ReadError> {
    let array = list.try_into();
    array.map_err(|_| damaged(format!("its section {what} has the wrong length")))
}

fn level_words(level: &LevelOptions) -> [u32; 3] {
    let up = match level.up {
        Up::Y => 0,
        Up::Z => 1,
    };
    [up, level.flip.into(), level.scale.to_bits()]
}

fn level_of(words: &[u32]) -> Result<LevelOptions, ReadError> {
    let &[up, flip, scale] = expect_length(words, "levl")?;
    let scale = f32::from_bits(scale);
    let up = match up {
        0 => Up::Y,
        1 => Up::Z,
        _ => return Err(damaged("the up axis of its level is unknown")),
    };
    if flip > 1 || !(scale.is_finite() && scale > 0.0) {
        return Err(damaged(
            "the options that its level was read with are invalid",
        ));
    }
    Ok(LevelOptions {
        up,
        flip: flip == 1,
        scale,
    })
}

fn option_words(options: &BakeOptions) -> [u32; 17] {
    let (tiles, side) = match options.tiles {
        Tiling::Auto => (0, 0),
        Tiling::SingleTile => (1, 0),
        Tiling::Side(side) => (2, side),
    };
    [
        options.cell_size.to_bits(),
        options.cell_height.to_bits(),
        options.agent_height.to_bits(),
        options.agent_radius.to_bits(),
        options.agent_climb.to_bits(),
        options.agent_slope.to_bits(),
        options.max_vertices.into(),
        options.min_region.into(),
        options.merge_region.into(),
        options.max_edge.to_bits(),
        options.max_edge_error.to_bits(),
        options.detail_sample.to_bits(),
        options.detail_error.to_bits(),
        tiles,
        side.into(),
        options.max_cells as u32,
        (options.max_cells >> 32) as u32,
    ]
}

fn options_of(words: &[u32]) -> Result<BakeOptions, ReadError> {
    let words: &[u32; 17] = expect_length(words, "opts")?;
    let number = |at: usize| f32::from_bits(words[at]);
    let count = |at: usize| {
        u16::try_from(words[at]).map_err(|_| damaged("an option of its bake is too large"))
    };
    Ok(BakeOptions {
        cell_size: number(0),
        cell_height: number(1),
        agent_height: number(2),
        agent_radius: number(3),
        agent_climb: number(4),
        agent_slope: number(5),
        max_vertices: count(6)?,
        min_region: count(7)?,
        merge_region: count(8)?,
        max_edge: number(9),
        max_edge_error: number(10),
        detail_sample: number(11),
        detail_error: number(12),
        tiles: match (words[13], count(14)?) {
            (0, 0) => Tiling::Auto,
            (1, 0) => Tiling::SingleTile,
            (2, side) => Tiling::Side(side),
            _ => return Err(damaged("its kind of tiles is unknown")),
        },
        max_cells: u64::from(words[16]) << 32 | u64::from(words[15]),
    })
}

fn grid_words(parts: &BakedParts) -> [u32; 4] {
    let [x, y, z] = parts.cells;
    [x, y, z, parts.tile_side]
}

fn statistics_words(statistics: &Statistics) -> [u64; 6] {
    let FaceDirections {
        up,
        down,
        along_x,
        along_z,
    } = statistics.facing;
    let [up, down, along_x, along_z] =
        [up, down, along_x, along_z].map(|fraction| fraction.to_bits());
    [
        statistics.degenerate as u64,
        statistics.splits as u64,
        up.into(),
        down.into(),
        along_x.into(),
        along_z.into(),
    ]
}

fn statistics_of(words: &[u64], unused_rules: Vec<String>) -> Result<Statistics, ReadError> {
    let &[degenerate, splits, up, down, along_x, along_z] = expect_length(words, "stat")?;
    let fraction = |word: u64| f32::from_bits(word as u32);
    let mut statistics = Statistics::default();
    statistics.degenerate = degenerate as usize;
    statistics.splits = splits as usize;
    statistics.unused_rules = unused_rules;
    statistics.facing = FaceDirections {
        up: fraction(up),
        down: fraction(down),
        along_x: fraction(along_x),
        along_z: fraction(along_z),
    };
    Ok(statistics)
}

#[cfg(test)]
#[path = "pbake_test.rs"]
mod tests;
