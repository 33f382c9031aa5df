//! The ids by which callers know polygons.

use crate::array::Array;
use crate::sections::{SectionError, SectionReader, SectionWriter};

/// One id per polygon. Ids below 2^32, as most are, take four bytes.
#[derive(Clone, Debug)]
pub(super) enum UserIds {
    Short(Array<u32>),
    Long(Array<u64>),
}

impl PartialEq for UserIds {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl FromIterator<u64> for UserIds {
    fn from_iter<I: IntoIterator<Item = u64>>(ids: I) -> Self {
        let ids: Vec<u64> = ids.into_iter().collect();
        match ids.iter().max() {
            Some(&max) if max > u32::MAX.into() => Self::Long(ids.into()),
            _ => Self::Short(ids.into_iter().map(|id| id as u32).collect()),
        }
    }
}

impl UserIds {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Short(ids) => ids.len(),
            Self::Long(ids) => ids.len(),
        }
    }

    /// Returns the id of a polygon.
    #[inline]
    pub(super) fn get(&self, polygon: usize) -> u64 {
        match self {
            Self::Short(ids) => ids[polygon].into(),
            Self::Long(ids) => ids[polygon],
        }
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = u64> {
        (0..self.len()).map(|polygon| self.get(polygon))
    }

    /// Adds the section of the ids to a file.
    pub(super) fn write_section(&self, file: &mut SectionWriter) {
        match self {
            Self::Short(ids) => file.array(*b"user", ids),
            Self::Long(ids) => file.array(*b"user", ids),
        }
    }

    /// Reads the section of the ids, whose elements have four or eight bytes.
    pub(super) fn read_section(file: &mut SectionReader) -> Result<Self, SectionError> {
        match file.next_element_bytes() {
            Some(4) => Ok(Self::Short(file.array(*b"user")?)),
            _ => Ok(Self::Long(file.array(*b"user")?)),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Short(ids) => size_of_val(&ids[..]),
            Self::Long(ids) => size_of_val(&ids[..]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_any_size_are_kept() {
        for ids in [
            vec![],
            vec![3, 0, 7],
            vec![u32::MAX.into(), 5],
            vec![1, 1 << 32],
            vec![u64::MAX],
        ] {
            let stored: UserIds = ids.iter().copied().collect();
            assert_eq!(stored.iter().collect::<Vec<_>>(), ids);
            let mut file = SectionWriter::default();
            stored.write_section(&mut file);
            let read = UserIds::read_section(&mut SectionReader::new(file.sections));
            assert_eq!(read, Ok(stored.clone()));
            let bytes = if ids.iter().any(|&id| id > u32::MAX.into()) {
                8
            } else {
                4
            };
            assert_eq!(stored.bytes(), bytes * ids.len());
        }
    }
}
