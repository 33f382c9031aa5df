//! Foreign navmeshes, told apart by the ending of the name.

use portolan::{NavMeshOptions, RawNavMesh};

use crate::ReadError;

/// Somebody else's navmesh and how it wants to be checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The polygons, as they are in the file.
    pub raw: RawNavMesh,
    /// The tolerances that the format calls for.
    pub options: NavMeshOptions,
}

/// Every element of every format takes at least one byte, so below this size no count and no
/// index passes 32 bits.
pub(crate) fn check_size(bytes: &[u8]) -> Result<(), ReadError> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(ReadError::TooLarge { bytes: bytes.len() });
    }
    Ok(())
}
