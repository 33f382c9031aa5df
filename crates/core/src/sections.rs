//! The named arrays that an index file consists of, in the layout that queries read.
//!
//! Writing clones [`Array`]s, which copies nothing. Reading casts bytes, which touches nothing: the time to open a
//! file that is trusted does not depend on its size. What a part of a world must be for queries to be safe is
//! checked by a second step, so that it can be left out for files that are trusted.

use bytemuck::{AnyBitPattern, NoUninit};

use crate::array::Array;
use crate::csr::Lists;

/// Four letters that name a section.
pub type SectionName = [u8; 4];

/// One array of a file.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name. Several sections may have the same one.
    pub name: SectionName,
    /// The size of an element. [Units: bytes]
    pub element_bytes: usize,
    /// All elements.
    pub bytes: Array<u8>,
}

/// The reason why the arrays of a file are not a world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SectionError(pub String);

impl SectionError {
    pub(crate) fn of(name: SectionName, what: &str) -> Self {
        Self(format!(
            "its section {} {what}",
            String::from_utf8_lossy(&name)
        ))
    }

    /// Returns `Ok` if a condition holds, and otherwise the error with this text.
    pub(crate) fn unless(condition: bool, what: &str) -> Result<(), Self> {
        condition.then_some(()).ok_or_else(|| Self(what.to_owned()))
    }
}

/// Collects the sections of a file.
#[derive(Clone, Debug, Default)]
pub struct SectionWriter {
    /// The sections so far.
    pub sections: Vec<Section>,
}

impl SectionWriter {
    /// Adds an array.
    pub fn array<T: NoUninit>(&mut self, name: SectionName, elements: &Array<T>) {
        self.sections.push(Section {
            name,
            element_bytes: size_of::<T>(),
            bytes: elements.bytes(),
        });
    }

    /// Adds a copy of a few elements.
    pub fn small<T: NoUninit + Send + Sync>(&mut self, name: SectionName, elements: &[T]) {
        self.array(name, &elements.to_vec().into());
    }

    /// Adds the two arrays of a list of lists.
    pub fn lists<T: NoUninit>(&mut self, names: [SectionName; 2], lists: &Lists<T>) {
        self.array(names[0], lists.offsets());
        self.array(names[1], lists.values());
    }
}

/// Returns the sections of a file in the order in which they were written.
#[derive(Debug)]
pub struct SectionReader {
    sections: std::vec::IntoIter<Section>,
}

impl SectionReader {
    /// Creates a reader of these sections.
    pub fn new(sections: Vec<Section>) -> Self {
        Self {
            sections: sections.into_iter(),
        }
    }

    /// Returns the next array, whose name must be `name`. The elements share the memory of the section, or are
    /// copied if they are not aligned.
    ///
    /// # Errors
    /// Fails if the next section has another name, or elements of another size.
    pub fn array<T: AnyBitPattern + NoUninit + Send + Sync>(
        &mut self,
        name: SectionName,
    ) -> Result<Array<T>, SectionError> {
        let section = self.sections.next().filter(|section| section.name == name);
        let section = section.ok_or_else(|| SectionError::of(name, "is missing"))?;
        if section.element_bytes != size_of::<T>() || section.bytes.len() % size_of::<T>() != 0 {
            return Err(SectionError::of(name, "has elements of the wrong size"));
        }
        let copied = || bytemuck::pod_collect_to_vec(&section.bytes).into();
        Ok(section.bytes.cast().unwrap_or_else(copied))
    }

    /// Returns the size of the elements of the next array, if there is one. [Units: bytes]
    pub fn next_element_bytes(&self) -> Option<usize> {
        let next = self.sections.as_slice().first();
        next.map(|section| section.element_bytes)
    }

    /// Returns the next array, which must have exactly `N` elements.
    ///
    /// # Errors
    /// Fails if it has another number of elements, or as [`array`](Self::array) does.
    pub fn small<T: AnyBitPattern + NoUninit + Send + Sync, const N: usize>(
        &mut self,
        name: SectionName,
    ) -> Result<[T; N], SectionError> {
        let elements = self.array(name)?;
        let elements = elements[..].try_into();
        elements.map_err(|_| SectionError::of(name, "has the wrong length"))
    }

    /// Returns the two arrays of a list of lists. Whether the offsets ascend is not checked.
    ///
    /// # Errors
    /// Fails if the offsets do not start at 0 or do not end at the number of values, or as [`array`](Self::array)
    /// does.
    pub fn lists<T: AnyBitPattern + NoUninit + Send + Sync>(
        &mut self,
        [offsets, values]: [SectionName; 2],
    ) -> Result<Lists<T>, SectionError> {
        let lists = Lists::from_arrays(self.array(offsets)?, self.array(values)?);
        lists.ok_or_else(|| SectionError::of(offsets, "is not a list of offsets"))
    }

    /// Returns whether all sections have been read.
    pub fn is_at_end(&self) -> bool {
        self.sections.len() == 0
    }
}
