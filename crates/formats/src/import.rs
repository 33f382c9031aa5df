//! Navmeshes of other tools. The extension of a file decides its format.

use glam::Vec3;
use portolan_core::{NavMeshOptions, RawNavMesh};

use crate::{ReadError, detour, obj, polyanya};

/// A navmesh of another tool, with the options to validate it with.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The polygons as they are in the file.
    pub raw: RawNavMesh,
    /// The tolerances that the format needs.
    pub options: NavMeshOptions,
}

/// Reads a Detour tile set (`.bin`), a Polyanya mesh (`.mesh`) or an `.obj` file whose faces are the
/// polygons. Only the extension of `name` matters.
pub fn import_bytes(name: &str, bytes: &[u8]) -> Result<Imported, ReadError> {
    let extension = extension(name);
    match extension.to_ascii_lowercase().as_str() {
        ".bin" => detour::read(bytes),
        ".mesh" => polyanya::read(bytes),
        ".obj" => obj::read(bytes),
        _ => Err(ReadError::UnknownExtension {
            extension: extension.to_owned(),
            supported: ".bin (Detour tile set), .mesh (Polyanya) and .obj",
        }),
    }
}

/// Returns the extension of a name, with its dot, or the full name if it has no dot.
pub(crate) fn extension(name: &str) -> &str {
    name.rfind('.').map_or(name, |dot| &name[dot..])
}

/// Refuses an empty file, and one of 4 GiB or more. Every element of every format takes at least one byte,
/// so in a smaller file every count and every index fits into 32 bits.
pub(crate) fn check_size(bytes: &[u8]) -> Result<(), ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::NoBytes);
    }
    if u32::try_from(bytes.len()).is_err() {
        return Err(ReadError::TooLarge { bytes: bytes.len() });
    }
    Ok(())
}

/// Returns the distance up to which two borders count as one. [Units: m]
///
/// Detour allows 1 cm at the borders of tiles. A coordinate there is the origin of the tile (grid origin +
/// tile * size, minus and plus a border) + cell * cell size. Each side has at most four roundings of half a
/// unit in the last place, so both together are off by at most four units. That can be more than 1 cm at
/// distances of 21 km or more from the origin.
pub(crate) fn border_tolerance(vertices: &[Vec3]) -> f32 {
    const DETOUR_TOLERANCE: f32 = 0.01;
    let farthest = vertices
        .iter()
        .fold(0f32, |far, v| far.max(v.x.abs()).max(v.z.abs()));
    (4.0 * f32::EPSILON * farthest).max(DETOUR_TOLERANCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides_the_reader() {
        let not_a_set = import_bytes("a/b.x/W.BIN", b"\n").unwrap_err();
        assert!(not_a_set.to_string().contains("Detour"), "{not_a_set}");
        let not_a_mesh = import_bytes("w.mesh", b"\n").unwrap_err();
        assert!(not_a_mesh.to_string().contains("Polyanya"), "{not_a_mesh}");
        assert_eq!(
            import_bytes(".obj", b"\n").unwrap_err().to_string(),
            "the file has no faces"
        );
        for name in ["w.bin", "w.mesh", "w.obj"] {
            let empty = import_bytes(name, b"").unwrap_err();
            assert_eq!(empty.to_string(), "the file is empty", "{name}");
        }
        assert_eq!(
            import_bytes("world.fbx", b"").unwrap_err().to_string(),
            "files of type '.fbx' are not supported; \
             supported are .bin (Detour tile set), .mesh (Polyanya) and .obj"
        );
        assert!(import_bytes("", b"").is_err());
    }
}
