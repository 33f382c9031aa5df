//! Places in short lists, kept as small as they can be.

/// Numbers below an end that is known beforehand.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Places {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Places {
    /// Empty, for so many entries below `end`.
    pub(super) fn new(end: usize, entries: usize) -> Self {
        if end <= 1 << 16 {
            Self::Narrow(Vec::with_capacity(entries))
        } else {
            Self::Wide(Vec::with_capacity(entries))
        }
    }

    pub(super) fn extend(&mut self, places: &[u32]) {
        match self {
            Self::Narrow(all) => all.extend(places.iter().map(|&place| place as u16)),
            Self::Wide(all) => all.extend_from_slice(places),
        }
    }

    #[inline]
    pub(super) fn get(&self, entry: usize) -> usize {
        match self {
            Self::Narrow(all) => usize::from(all[entry]),
            Self::Wide(all) => all[entry] as usize,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Narrow(all) => size_of_val(&all[..]),
            Self::Wide(all) => size_of_val(&all[..]),
        }
    }
}
