//! Costs, and steps of the ways they are of, kept as small as they can be.

/// Flat arrays of costs and of places in short lists. What stands where, who uses them knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathTable {
    pub(super) costs: Vec<f32>,
    pub(super) places: ListIndexes,
}

/// Numbers below an end that is known beforehand.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ListIndexes {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Default for ListIndexes {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

/// How many costs and places there have to be, and below what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) costs: usize,
    pub(super) places: usize,
    /// ListIndexes are below it.
    pub(super) end: usize,
}

impl Shape {
    fn is_narrow(self) -> bool {
        self.end <= 1 << 16
    }
}

impl PathTable {
    /// Puts together what parts hold, one after the other.
    pub(super) fn join(shape: Shape, parts: Vec<(Vec<f32>, Vec<u32>)>) -> Self {
        let mut costs = Vec::with_capacity(shape.costs);
        let mut places = if shape.is_narrow() {
            ListIndexes::Narrow(Vec::with_capacity(shape.places))
        } else {
            ListIndexes::Wide(Vec::with_capacity(shape.places))
        };
        for (part, places_of_part) in parts {
            costs.extend_from_slice(&part);
            match &mut places {
                ListIndexes::Narrow(all) => all.extend(places_of_part.iter().map(|&p| p as u16)),
                ListIndexes::Wide(all) => all.extend_from_slice(&places_of_part),
            }
        }
        Self { costs, places }
    }

    /// The arrays, for files: costs; places as `u16` or, where they do not fit, as `u32`.
    pub fn arrays(&self) -> (&[f32], &[u16], &[u32]) {
        match &self.places {
            ListIndexes::Narrow(narrow) => (&self.costs, narrow, &[]),
            ListIndexes::Wide(wide) => (&self.costs, &[], wide),
        }
    }

    /// Takes arrays as [`arrays`](Self::arrays) gives them.
    pub fn from_arrays(costs: Vec<f32>, narrow: Vec<u16>, wide: Vec<u32>) -> Self {
        let places = if wide.is_empty() {
            ListIndexes::Narrow(narrow)
        } else {
            ListIndexes::Wide(wide)
        };
        Self { costs, places }
    }

    /// Whether there are as many as there have to be, and nothing among them that a query would trip
    /// over.
    pub(super) fn fits(&self, shape: Shape) -> bool {
        let places = match &self.places {
            ListIndexes::Narrow(all) => {
                let below = all.iter().all(|&place| usize::from(place) < shape.end);
                (all.is_empty() || shape.is_narrow() && below) && all.len() == shape.places
            }
            ListIndexes::Wide(all) => {
                let below = all.iter().all(|&place| (place as usize) < shape.end);
                !shape.is_narrow() && below && all.len() == shape.places
            }
        };
        // Also false for what is no number.
        places && self.costs.len() == shape.costs && self.costs.iter().all(|&cost| cost >= 0.0)
    }

    #[inline]
    pub(super) fn place(&self, entry: usize) -> usize {
        match &self.places {
            ListIndexes::Narrow(all) => usize::from(all[entry]),
            ListIndexes::Wide(all) => all[entry] as usize,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let (costs, narrow, wide) = self.arrays();
        size_of_val(costs) + size_of_val(narrow) + size_of_val(wide)
    }
}
