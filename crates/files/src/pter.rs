//! `.pter`: a terrain, which is a triangle web with the Low, High and Top Meshes over it.
//!
//! The file stores the input and everything that takes long to compute: points, triangles, difficulties,
//! the parameters of the traversal price, the parent of each mesh, the prices of entries and inner distances, and the
//! number of meshes after each iteration of merging. So one file holds all steps of merging, unless the tree is compressed.
//! The reader computes everything else: neighbours, crossings and joints. A contraction and the
//! levels of HNA* are not stored: add them to the terrain with `Terrain::with_contraction` and
//! `Terrain::with_hierarchy`.

use std::io::{self, Read, Write};

use glam::Vec3;
use portolan_terrain::{
    Distances, EntryPrice, MeshDistance, Price, Terrain, TerrainError, TerrainParts, TriangleWeb,
};

use crate::ReadError;
use crate::container::{Name, Reader, Writer};

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
    // A compressed tree has no iterations.
    let tree = terrain.tree();
    let mesh_counts: &[u32] = match tree.iterations() {
        0 => &[],
        _ => tree.mesh_counts(),
    };
    file.section(*b"iter", mesh_counts);
    file.finish(out)
}

/// Reads a terrain from the bytes of a `.pter` file.
pub fn from_bytes(bytes: &[u8]) -> Result<Terrain, ReadError> {
    read(bytes, bytes.len() as u64)
}

/// Reads a terrain from the contents of a `.pter` file, which are `bytes` bytes long.
pub fn read(source: impl Read, bytes: u64) -> Result<Terrain, ReadError> {
    let mut file = Reader::open(source, bytes, KIND, FORMAT, VERSION)?;
    let points: Vec<Vec3> = file.section(*b"vert")?;
    let triangles = file.section(*b"tria")?;
    let difficulty: Vec<f32> = file.section(*b"diff")?;
    let kinds = file.section(*b"kind")?;
    let numbers = file.section(*b"pric")?;
    let parents = file.section(*b"pare")?;
    let entries = file.section(*b"entr")?;
    let distances = file.section(*b"dist")?;
    let mesh_counts = file.section(*b"iter")?;
    // The sections are not used before the checksum is known to be right.
    file.finish()?;
    let (distance_kind, entry) = kinds_of(&kinds)?;
    let price = price_of(&numbers, distance_kind)?;
    let web = web_of(points, triangles, difficulty).map_err(invalid)?;
    Terrain::from_parts(TerrainParts {
        web,
        price,
        entry,
        parents,
        entries: distances_of(entries),
        distances: distances_of(distances),
        mesh_counts,
    })
    .map_err(invalid)
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

/// Converts in place, because both types have the same size and alignment.
fn distances_of(words: Vec<[f32; 2]>) -> Vec<MeshDistance> {
    let distance = |[weighted, unweighted]: [f32; 2]| MeshDistance {
        weighted,
        unweighted,
    };
    words.into_iter().map(distance).collect()
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
