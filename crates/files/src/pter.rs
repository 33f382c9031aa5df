//! `.pter`: a terrain, which is a triangle web with the Low, High and Top Meshes over it.
//!
//! The file stores the input and everything that takes long to compute: points, triangles, difficulties,
//! the parameters of the traversal price, the parent of each mesh, the prices of entries and inner distances, and
//! the contraction with its costs, in the layout that queries read. The reader computes everything else: neighbours,
//! crossings and joints. The levels of HNA* are not stored: add them with `Terrain::with_hierarchy`.

use std::io::{self, Read, Write};

use glam::Vec3;
use portolan_core::Array;
use portolan_core::sections::{SectionReader, SectionWriter};
use portolan_terrain::{
    Distances, EntryPrice, MeshDistance, Price, Terrain, TerrainError, TerrainParts, TriangleWeb,
};

use crate::container::{Name, Writer, compare_checksum, sections_of};
use crate::{ReadError, mapping};

/// The version of `.pter` files that this crate writes, and the only one that it reads.
pub const VERSION: u32 = 2;

pub(crate) const KIND: Name = *b"TERR";
const FORMAT: &str = "a .pter file";

/// Returns the bytes of a `.pter` file that contains `terrain`.
pub fn to_bytes(terrain: &Terrain) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(terrain, &mut bytes).expect("writing to a vector cannot fail");
    bytes
}

/// Writes a `.pter` file that contains `terrain` to `out`.
pub fn write(terrain: &Terrain, out: &mut dyn Write) -> io::Result<()> {
    let (web, price) = (terrain.web(), terrain.graph().price());
    let (parents, entries, distances) = terrain.arrays();
    let mut file = Writer::new(KIND, VERSION);
    file.section(*b"vert", web.points());
    file.section(*b"tria", web.triangles());
    file.section(*b"diff", web.difficulty());
    file.owned_section(*b"kind", &kind_words(price, terrain.meshes().entry_price()));
    let numbers = Price::PARAMETERS.map(|parameter| parameter.get(price));
    file.owned_section(*b"pric", &numbers);
    file.section(*b"pare", parents);
    file.converted_section(*b"entr", entries, distance_words);
    file.converted_section(*b"dist", &distances, distance_words);
    file.owned_section(*b"cont", &[u32::from(terrain.contraction().is_some())]);
    let mut contraction = SectionWriter::default();
    terrain.write_contraction(&mut contraction);
    for section in contraction.sections {
        file.shared_section(section);
    }
    file.finish(out)
}

/// Reads a terrain from the bytes of a `.pter` file.
pub fn from_bytes(bytes: &[u8]) -> Result<Terrain, ReadError> {
    read(bytes, bytes.len() as u64)
}

/// Reads a terrain from the contents of a `.pter` file, which are `bytes` bytes long.
pub fn read(source: impl Read, bytes: u64) -> Result<Terrain, ReadError> {
    let file = mapping::read(source, bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => ReadError::Truncated {
            what: "its sections".to_owned(),
            at: bytes,
        },
        _ => ReadError::Unreadable {
            what: error.to_string(),
        },
    })?;
    let mut sections = sections_of(&file, KIND, FORMAT, VERSION)?;
    // Contents are not used before the checksum is known to be right.
    compare_checksum(&file)?;
    terrain_of(&mut sections)
}

fn terrain_of(file: &mut SectionReader) -> Result<Terrain, ReadError> {
    let points: Array<Vec3> = file.array(*b"vert")?;
    let triangles: Array<[u32; 3]> = file.array(*b"tria")?;
    let difficulty: Array<f32> = file.array(*b"diff")?;
    let (distance_kind, entry) = kinds_of(&file.array(*b"kind")?)?;
    let price = price_of(&file.array(*b"pric")?, distance_kind)?;
    let parents: Array<u32> = file.array(*b"pare")?;
    let [entries, distances] = [*b"entr", *b"dist"].map(|name| file.array(name));
    let web = web_of(points.to_vec(), triangles.to_vec(), difficulty.to_vec()).map_err(invalid)?;
    let parts = TerrainParts {
        web,
        price,
        entry,
        parents: parents.to_vec(),
        entries: distances_of(&entries?),
        distances: distances_of(&distances?),
    };
    let mut terrain = Terrain::from_parts(parts).map_err(invalid)?;
    terrain = match file.small(*b"cont")? {
        [0] => terrain,
        [1] => terrain.read_contraction(file)?,
        [_] => return Err(damaged("its section cont is neither 0 nor 1")),
    };
    match file.is_at_end() {
        true => Ok(terrain),
        false => Err(damaged("it has more sections than parts")),
    }
}

fn damaged(what: &str) -> ReadError {
    ReadError::Damaged {
        what: what.to_owned(),
    }
}

fn invalid(error: TerrainError) -> ReadError {
    ReadError::Damaged {
        what: error.to_string(),
    }
}

fn web_of(
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    difficulty: Vec<f32>,
) -> Result<TriangleWeb, TerrainError> {
    // `TriangleWeb::new` also accepts no difficulties at all, but a file always has them.
    if difficulty.len() != triangles.len() {
        return Err(TerrainError::DifficultyCount {
            found: difficulty.len(),
            expected: triangles.len(),
        });
    }
    TriangleWeb::new(points, triangles, difficulty)
}

fn distance_words(distance: &MeshDistance) -> [f32; 2] {
    [distance.weighted, distance.unweighted]
}

fn distances_of(words: &[[f32; 2]]) -> Vec<MeshDistance> {
    let distance = |&[weighted, unweighted]: &[f32; 2]| MeshDistance {
        weighted,
        unweighted,
    };
    words.iter().map(distance).collect()
}

fn kind_words(price: &Price, entry: EntryPrice) -> [u32; 2] {
    let distances = Distances::ALL
        .iter()
        .position(|&kind| kind == price.distances);
    let entry = EntryPrice::ALL.iter().position(|&kind| kind == entry);
    // Readers refuse `u32::MAX`. It would mean a variant that is missing in `ALL`.
    [distances, entry].map(|index| index.map_or(u32::MAX, |index| index as u32))
}

fn kinds_of(words: &[u32]) -> Result<(Distances, EntryPrice), ReadError> {
    let kinds = match *words {
        [distances, entry] => Distances::ALL
            .get(distances as usize)
            .zip(EntryPrice::ALL.get(entry as usize)),
        _ => None,
    };
    let kinds = kinds.map(|(&distances, &entry)| (distances, entry));
    kinds.ok_or_else(|| ReadError::Damaged {
        what: "its kinds of distance or entry price are unknown".to_owned(),
    })
}

fn price_of(numbers: &[f32], distances: Distances) -> Result<Price, ReadError> {
    if numbers.len() != Price::PARAMETERS.len() {
        return Err(ReadError::Damaged {
            what: "its price has the wrong number of parameters".to_owned(),
        });
    }
    let mut price = Price {
        distances,
        ..Price::default()
    };
    for (parameter, &value) in Price::PARAMETERS.iter().zip(numbers) {
        parameter.set(&mut price, value);
    }
    Ok(price)
}

#[cfg(test)]
#[path = "pter_test.rs"]
mod tests;
