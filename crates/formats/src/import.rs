//! Foreign navmeshes, told apart by the ending of the name.

use glam::Vec3;
use portolan_core::{NavMeshOptions, RawNavMesh};

use crate::{ReadError, detour, obj, polyanya};

/// Somebody else's navmesh and how it wants to be checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The polygons, as they are in the file.
    pub raw: RawNavMesh,
    /// The tolerances that the format calls for.
    pub options: NavMeshOptions,
}

/// Reads a Detour tile set (`.bin`), a Polyanya mesh (`.mesh`) or an `.obj` whose faces are the
/// polygons. Only the ending of `name` matters.
pub fn import_bytes(name: &str, bytes: &[u8]) -> Result<Imported, ReadError> {
    let extension = extension(name);
    match extension.to_ascii_lowercase().as_str() {
        ".bin" => detour::read(bytes),
        ".mesh" => polyanya::read(bytes),
        ".obj" => obj::read(bytes),
        _ => Err(ReadError::UnknownExtension {
            extension: extension.to_owned(),
            known: ".bin (Detour tile set), .mesh (Polyanya) and .obj",
        }),
    }
}

/// What a name ends in, with its dot; all of it where there is no dot.
pub(crate) fn extension(name: &str) -> &str {
    name.rfind('.').map_or(name, |dot| &name[dot..])
}

/// Refuses an empty file, and one that is too large. Every element of every format takes at least one
/// byte, so below that size no count and no index passes 32 bits.
pub(crate) fn check_size(bytes: &[u8]) -> Result<(), ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::NoBytes);
    }
    if u32::try_from(bytes.len()).is_err() {
        return Err(ReadError::TooLarge { bytes: bytes.len() });
    }
    Ok(())
}

/// How far apart two borders may lie that are meant to be one.
///
/// Detour allows 1 cm at the borders of tiles. A coordinate there is the tile's origin (grid
/// origin + tile * size, minus and plus a border) + cell * cell size, so each side has seen at
/// most four roundings of half a unit in the last place: together four units, more than 1 cm from
/// 16 km on.
pub(crate) fn border_noise(vertices: &[Vec3]) -> f32 {
    const DETOUR: f32 = 0.01;
    let farthest = vertices
        .iter()
        .fold(0f32, |far, v| far.max(v.x.abs()).max(v.z.abs()));
    (4.0 * f32::EPSILON * farthest).max(DETOUR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_chooses_the_reader() {
        let not_a_set = import_bytes("a/b.x/W.BIN", b"\n").unwrap_err();
        assert!(not_a_set.to_string().contains("Detour"), "{not_a_set}");
        let not_a_mesh = import_bytes("w.mesh", b"\n").unwrap_err();
        assert!(not_a_mesh.to_string().contains("Polyanya"), "{not_a_mesh}");
        assert_eq!(
            import_bytes(".obj", b"\n").unwrap_err().to_string(),
            "there are no faces in it"
        );
        for name in ["w.bin", "w.mesh", "w.obj"] {
            let empty = import_bytes(name, b"").unwrap_err();
            assert_eq!(empty.to_string(), "the file is empty", "{name}");
        }
        assert_eq!(
            import_bytes("world.fbx", b"").unwrap_err().to_string(),
            "no reader for '.fbx'; known are .bin (Detour tile set), .mesh (Polyanya) and .obj"
        );
        assert!(import_bytes("", b"").is_err());
    }
}
