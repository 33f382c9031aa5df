//! A contraction on the device that follows changes of the ground.
//!
//! Its array has room behind the arrays of the first version. A row of arcs that differs in a later version is written there, and
//! the two words that say where the row is are changed. The path of a new arc is written next to it as one run of vertices, so new
//! arcs refer to no part of the first version that may have changed. When the array would become half as large again as it was,
//! everything is uploaded as a whole.

use std::collections::HashMap;

use portolan_core::contraction::{ArcRows, ContractionArrays, RowArc, Shortcuts};
use portolan_core::{Costs, Tier};
use wgpu::Buffer;

use crate::contraction::ContractionLayout;
use crate::device::Gpu;
use crate::source::{ChangedGround, Source, Writes};

/// The room behind the arrays of a small world. [Units: words]
const MIN_ROOM: usize = 1 << 14;

/// The rows of a contraction that were written after it was uploaded, and where the next ones go.
#[derive(Debug)]
pub(crate) struct RowCopies {
    /// The version that the array has.
    source: Source,
    /// The costs from which the whole array was uploaded.
    uploaded: Costs,
    layout: ContractionLayout,
    /// The number of words of the whole array, of those in use now, and of those that exist.
    uploaded_words: usize,
    end: usize,
    room: usize,
    /// Per direction, the rows that were written later, by rank.
    rows: [HashMap<u32, Vec<CopiedArc>>; 2],
}

/// An arc of a row that was written later.
#[derive(Clone, Debug, PartialEq)]
struct CopiedArc {
    depth: u32,
    cost: f32,
    part: u32,
    /// The vertices of its path; `None` if they are those of the same arc in the version that was uploaded.
    path: Option<Vec<u32>>,
}

/// The rows of a direction of one version on the CPU.
#[derive(Clone, Copy)]
struct Rows<'a> {
    arcs: ArcRows<'a>,
    direction: usize,
}

impl Rows<'_> {
    fn path(&self, rank: u32, depth: u32, stack: &mut Vec<u32>) -> Vec<u32> {
        let mut path = Vec::new();
        let row = (self.direction, rank);
        self.arcs.push_path(row, depth, stack, &mut path);
        path
    }
}

impl RowCopies {
    /// Starts with an array of some words that has just been uploaded.
    pub(crate) fn new(source: Source, layout: ContractionLayout, words: usize) -> Self {
        Self {
            uploaded: source.costs.clone(),
            source,
            layout,
            uploaded_words: words,
            end: words,
            room: words,
            rows: Default::default(),
        }
    }

    /// Returns the version that the array has.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Makes the array the contraction of another version, in which `changed` differs. Returns the number of bytes that were
    /// written; `None` if the array has to be uploaded as a whole.
    pub(crate) fn follow(
        &mut self,
        gpu: &Gpu,
        index: &mut Buffer,
        version: &Source,
        changed: &ChangedGround,
    ) -> Option<u64> {
        let contraction = version.world.contraction()?;
        let costs = [&self.uploaded, &self.source.costs, &version.costs];
        let costs = costs.map(|costs| costs.shortcuts(Tier::Fast));
        let [Some(uploaded), Some(before), Some(after)] = costs else {
            return None;
        };
        let is_symmetric = |shortcuts: &Shortcuts| shortcuts.is_symmetric();
        if is_symmetric(uploaded) != is_symmetric(after)
            || is_symmetric(before) != is_symmetric(after)
        {
            return None;
        }
        let vertices = changed.vertices(&version.world);
        let mut added = AddedWords {
            first: self.end,
            words: Vec::new(),
        };
        let mut places = Writes::default();
        let mut rows: [HashMap<u32, Vec<CopiedArc>>; 2] = Default::default();
        let arcs = ArcRows::new(contraction, after);
        for (direction, copies) in rows.iter_mut().enumerate().take(arcs.directions()) {
            let differing = arcs.differing_from(before, direction);
            let mut ranks = differing.ranks;
            if !differing.has_paths {
                ranks.extend(arcs.ranks_above(vertices.iter().copied()));
                ranks.sort_unstable();
                ranks.dedup();
            }
            let uploaded = Rows {
                arcs: ArcRows::new(contraction, uploaded),
                direction,
            };
            let after = Rows { arcs, direction };
            for rank in ranks {
                let Some(row) = self.changed_row(uploaded, after, rank, &mut added) else {
                    continue;
                };
                let base = self.layout.arcs[direction];
                let first = added.push_row(base, &row);
                let place = self.layout.rows[direction] + 2 * rank;
                places.push(place as usize, [first, first + row.len() as u32]);
                copies.insert(rank, row);
            }
        }
        let end = self.end + added.words.len();
        if !self.make_room(gpu, index, end) {
            return None;
        }
        let mut bytes = places.for_each(|first, words| gpu.write(index, first, words));
        let mut tail = Writes::default();
        if !added.words.is_empty() {
            tail.push(self.end, added.words);
        }
        bytes += tail.for_each(|first, words| gpu.write(index, first, words));
        for (known, rows) in self.rows.iter_mut().zip(rows) {
            known.extend(rows);
        }
        self.end = end;
        self.source = version.clone();
        Some(bytes)
    }

    /// Returns the new arcs of a rank, and adds the paths that the device does not have; `None` if the row is the same.
    fn changed_row(
        &self,
        uploaded: Rows<'_>,
        after: Rows<'_>,
        rank: u32,
        added: &mut AddedWords,
    ) -> Option<Vec<CopiedArc>> {
        let direction = after.direction;
        let known: Vec<CopiedArc> = match self.rows[direction].get(&rank) {
            Some(row) => row.clone(),
            None => {
                let arcs = uploaded.arcs.row(direction, rank);
                arcs.map(|RowArc { depth, cost, part }| CopiedArc {
                    depth,
                    cost,
                    part,
                    path: None,
                })
                .collect()
            }
        };
        let mut stack = Vec::new();
        let mut row = Vec::new();
        for RowArc { depth, cost, .. } in after.arcs.row(direction, rank) {
            let path = after.path(rank, depth, &mut stack);
            let same = known.iter().find(|known| {
                known.depth == depth
                    && match &known.path {
                        Some(known) => *known == path,
                        None => uploaded.path(rank, depth, &mut stack) == path,
                    }
            });
            row.push(match same {
                Some(known) => CopiedArc {
                    cost,
                    ..known.clone()
                },
                None => CopiedArc {
                    depth,
                    cost,
                    part: added.push_path(&self.layout, &path),
                    path: Some(path),
                },
            });
        }
        (row != known).then_some(row)
    }

    /// Makes room for as many words. Returns false if the array would become too large.
    fn make_room(&mut self, gpu: &Gpu, index: &mut Buffer, words: usize) -> bool {
        let binding = (gpu.max_binding() / 4) as usize;
        let limit = self.uploaded_words + (self.uploaded_words / 2).max(MIN_ROOM);
        if words > limit.min(binding) {
            return false;
        }
        if words > self.room {
            self.room = limit.min(binding);
            *index = gpu.enlarged(index, self.end, self.room);
        }
        true
    }
}

/// Words that are to be written behind an array, from word `first` on.
struct AddedWords {
    first: usize,
    words: Vec<u32>,
}

impl AddedWords {
    /// Returns the next word, counted from the word `base`, of which it is a multiple of 3 words away.
    fn align(&mut self, base: u32) -> u32 {
        while !(self.end() - base).is_multiple_of(3) {
            self.words.push(0);
        }
        (self.end() - base) / 3
    }

    fn end(&self) -> u32 {
        (self.first + self.words.len()) as u32
    }

    /// Adds the vertices of a path and a part that consists of them. Returns a reference to the part.
    fn push_path(&mut self, layout: &ContractionLayout, path: &[u32]) -> u32 {
        let run = self.end() - layout.runs;
        let vertices = path.len() as u32;
        self.words.extend(path);
        let part = self.align(layout.parts);
        let tail = ContractionArrays::RUN | vertices << 1;
        self.words.extend([run, tail, vertices - 1]);
        part << 1
    }

    /// Adds the arcs of a row. Returns the number of its first arc.
    fn push_row(&mut self, base: u32, row: &[CopiedArc]) -> u32 {
        let first = self.align(base);
        let words = |arc: &CopiedArc| [arc.depth, arc.cost.to_bits(), arc.part];
        self.words.extend(row.iter().flat_map(words));
        first
    }
}
