//! `.pter`: ground with the meshes over it, ready to navigate.
//!
//! Stored is what the ground is made of and what takes long to find out: points, triangles and
//! difficulties, the price, who was merged into what, and the prices of entries and records. What follows
//! from these (neighbours, crossings, joints) is made again when the file is read. A contraction and the levels
//! of HNA* are not stored: a terrain that was read has neither, and `Terrain::with_contraction` and
//! `Terrain::with_hierarchy` add them.

use std::io::{self, Read, Write};

use glam::Vec3;
use portolan_terrain::{
    Distance, Distances, EntryPrice, Price, Terrain, TerrainError, TerrainParts, TriangleWeb,
};

use crate::ReadError;
use crate::container::{Name, Reader, Writer};

/// The version that this crate writes, and the only one it reads.
pub const VERSION: u32 = 1;

pub(crate) const KIND: Name = *b"TERR";
const FORMAT: &str = "a .pter file";

/// The bytes of a file that holds the terrain.
pub fn to_bytes(terrain: &Terrain) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(terrain, &mut bytes).expect("memory takes all bytes");
    bytes
}

/// Writes a file that holds the terrain.
pub fn write(terrain: &Terrain, out: &mut dyn Write) -> io::Result<()> {
    let (web, price) = (terrain.web(), terrain.graph().price());
    let (parents, entries, distances) = terrain.arrays();
    let mut file = Writer::new(KIND, VERSION);
    file.section(*b"vert", web.points());
    file.section(*b"tria", web.triangles());
    file.section(*b"diff", web.difficulty());
    file.made_section(*b"kind", &kind_words(price, terrain.meshes().entry_price()));
    let numbers = Price::PARAMETERS.map(|parameter| parameter.get(price));
    file.made_section(*b"pric", &numbers);
    file.section(*b"pare", parents);
    file.piecewise_section(*b"entr", entries, distance_words);
    file.piecewise_section(*b"dist", &distances, distance_words);
    file.finish(out)
}

/// The terrain that bytes hold.
pub fn from_bytes(bytes: &[u8]) -> Result<Terrain, ReadError> {
    read(bytes, bytes.len() as u64)
}

/// The terrain that a source of `bytes` bytes holds. Arrays are read straight to where they stay.
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
    // Nothing is made of it before all of it is known to be what was written.
    file.finish()?;
    let (distance_kind, entry) = kinds_of(&kinds)?;
    let price = price_of(&numbers, distance_kind)?;
    let web = web_of(points, triangles, difficulty).map_err(damaged)?;
    Terrain::from_parts(TerrainParts {
        web,
        price,
        entry,
        parents,
        entries: distances_of(entries),
        distances: distances_of(distances),
    })
    .map_err(damaged)
}

fn damaged(error: TerrainError) -> ReadError {
    ReadError::Damaged {
        what: error.to_string(),
    }
}

fn web_of(
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    difficulty: Vec<f32>,
) -> Result<TriangleWeb, TerrainError> {
    // A web may leave difficulties out, a file may not.
    if difficulty.len() != triangles.len() {
        return Err(TerrainError::DifficultyCount {
            found: difficulty.len(),
            expected: triangles.len(),
        });
    }
    TriangleWeb::new(points, triangles, difficulty)
}

fn distance_words(distance: &Distance) -> [f32; 2] {
    [distance.weighted, distance.unweighted]
}

/// In place: both have the same size.
fn distances_of(words: Vec<[f32; 2]>) -> Vec<Distance> {
    let distance = |[weighted, unweighted]: [f32; 2]| Distance {
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
    // One that is missing in its list would be no kind to any reader.
    [distances, entry].map(|place| place.map_or(u32::MAX, |place| place as u32))
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
        what: "its kinds of distance and entry price are none".to_owned(),
    })
}

fn price_of(numbers: &[f32], distances: Distances) -> Result<Price, ReadError> {
    if numbers.len() != Price::PARAMETERS.len() {
        return Err(ReadError::Damaged {
            what: "its price has another number of parameters".to_owned(),
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
