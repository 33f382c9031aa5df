//! A contraction and its shortcuts in an index file, in the layout that queries read.
//!
//! The checks here are those that searches and customization rely on: with arrays that pass them, nothing panics,
//! reads out of bounds or unpacks a shortcut without end. That the paths of shortcuts are paths of the graph is a
//! separate check (`check_paths.rs`), because it takes several times as long; a query whose path is none
//! searches the graph instead.

use glam::Vec4;
use rayon::prelude::*;

use super::parts::{MAX_PARTS, MAX_RUN_ARCS, Runs, ShortcutParts};
use super::patches::AddedParts;
use super::pruned::{LANES, PrunedArcs, arcs_in};
use super::{Arcs, Contraction, HubLabels, LabelArrays, Shortcuts, tree};
use crate::array::Array;
use crate::graph::PortalGraph;
use crate::sections::{SectionError, SectionReader, SectionWriter};

/// The number of elements that a thread checks at a time.
const CHUNK: usize = 1 << 14;

/// A part whose path has more than this many arcs per vertex of the graph is rejected. The path of a shortcut
/// hardly ever visits a vertex twice. Without a limit, a forged file could contain paths whose length is
/// exponential in the number of parts.
pub(super) const MAX_VISITS: u32 = 4;

impl Contraction {
    /// Adds the sections of the contraction to a file.
    pub(crate) fn write_sections(&self, file: &mut SectionWriter) {
        self.write_arrays(&self.positions, file);
    }

    /// Adds the sections of the contraction to a file, with these positions.
    pub(super) fn write_arrays(&self, positions: &Array<Vec4>, file: &mut SectionWriter) {
        file.array(*b"rank", &self.vertices);
        file.array(*b"rkof", &self.ranks);
        file.array(*b"pare", &self.parents);
        file.array(*b"dept", &self.depths);
        file.array(*b"posi", positions);
        file.small(*b"arcs", &[self.arc_count as u64]);
    }

    /// Reads the sections of the contraction of a graph, whose vertices have positions. Only the lengths of the arrays
    /// are checked: see [`check`](Self::check).
    pub(crate) fn read_sections(
        file: &mut SectionReader,
        graph: &PortalGraph,
    ) -> Result<Self, SectionError> {
        let contraction = Self::read_arrays(file, Arcs::of_graph(graph.clone()))?;
        let count = graph.sample_count();
        contraction.check_lengths(count, count)
    }

    /// Reads the arrays of a contraction, whose lengths are not checked.
    pub(super) fn read_arrays(file: &mut SectionReader, arcs: Arcs) -> Result<Self, SectionError> {
        Ok(Self {
            vertices: file.array(*b"rank")?,
            ranks: file.array(*b"rkof")?,
            parents: file.array(*b"pare")?,
            depths: file.array(*b"dept")?,
            positions: file.array(*b"posi")?,
            arc_count: {
                let [count] = file.small::<u64, 1>(*b"arcs")?;
                usize::try_from(count).unwrap_or(usize::MAX)
            },
            arcs,
        })
    }

    /// Returns the contraction if its arrays fit a graph with `count` vertices, of which `positions` have a position.
    pub(super) fn check_lengths(
        self,
        count: usize,
        positions: usize,
    ) -> Result<Self, SectionError> {
        let Self {
            ranks,
            vertices,
            parents,
            depths,
            ..
        } = &self;
        let per_vertex = [ranks, vertices, parents, depths].map(|array| array.len());
        let lengths_fit = per_vertex == [count; 4] && self.positions.len() == positions;
        SectionError::unless(lengths_fit, "its contraction does not fit its graph")?;
        Ok(self)
    }

    /// Checks the elimination tree, ranks and vertices, and returns `None` if they are not valid. Positions may be anything.
    /// If the vertices of all polygons and links of the graph [are on a chain](Subtrees::are_on_chain) as well, the arcs that
    /// follow from the graph satisfy all invariants.
    pub(crate) fn check(&self) -> Option<Subtrees<'_>> {
        let count = self.vertex_count();
        let leads_up = |(&parent, rank): (&u32, u32)| parent >= rank && (parent as usize) < count;
        if !self.parents.iter().zip(0..).all(leads_up) {
            return None;
        }
        let sizes = tree::sizes(&self.parents);
        let starts = (0..count).into_par_iter().step_by(CHUNK);
        let are_valid = starts.into_par_iter().all(|start| {
            (start..count.min(start + CHUNK)).all(|rank| self.check_rank(rank, &sizes))
        });
        let is_too_deep = self.depth() > Self::MAX_DEPTH;
        // All upper neighbours of a rank are on its chain.
        let max_arcs: u64 = self.depths.iter().map(|&depth| u64::from(depth)).sum();
        (are_valid && !is_too_deep && self.arc_count as u64 <= max_arcs).then_some(Subtrees {
            contraction: self,
            sizes,
        })
    }

    /// Checks everything about one rank. `sizes` are the sizes of all subtrees.
    fn check_rank(&self, rank: usize, sizes: &[u32]) -> bool {
        // If this holds for all ranks, `ranks` and `vertices` are inverse permutations.
        if self.ranks.get(self.vertices[rank] as usize) != Some(&(rank as u32)) {
            return false;
        }
        let parent = self.parents[rank] as usize;
        if parent == rank {
            return self.depths[rank] == 0;
        }
        // The descendants of a rank are in the range that ends with it and is as long as their number. This is so
        // for all ranks if the range of each child is in that of its parent.
        let start = |rank: usize| rank + 1 - sizes[rank] as usize;
        self.depths[rank].checked_sub(1) == Some(self.depths[parent])
            && start(rank) >= start(parent)
    }
}

/// The subtrees of a valid elimination tree.
pub(crate) struct Subtrees<'a> {
    contraction: &'a Contraction,
    /// The number of vertices in the subtree of each rank.
    sizes: Vec<u32>,
}

impl Subtrees<'_> {
    /// Returns whether vertices, which must exist, are on one chain: whether the lowest is a descendant of all others.
    pub(crate) fn are_on_chain(&self, vertices: impl Iterator<Item = u32> + Clone) -> bool {
        let mut ranks = vertices.map(|vertex| self.contraction.ranks[vertex as usize]);
        let lowest = ranks.clone().min();
        let first_descendant = |rank: u32| rank - (self.sizes[rank as usize] - 1);
        ranks.all(|rank| Some(first_descendant(rank)) <= lowest)
    }
}

impl Shortcuts {
    /// Adds the sections of the shortcuts to a file.
    pub(crate) fn write_sections(&self, file: &mut SectionWriter) {
        let directions = 1 + u32::from(self.downwards.is_some());
        file.small(*b"shct", &[directions, self.cost_estimate.to_bits()]);
        for arcs in [&self.upwards].into_iter().chain(&self.downwards) {
            file.array(*b"arof", &arcs.offsets);
            file.array(*b"ardp", &arcs.depths);
            file.array(*b"arct", &arcs.costs);
            file.array(*b"arpt", &arcs.first_parts);
            file.small(*b"arno", &[arcs.arcs as u64]);
        }
        file.array(*b"part", &self.parts.starts);
        file.array(*b"plen", &self.parts.lengths);
        file.array(*b"half", &self.parts.halves);
        match &self.parts.runs {
            Runs::Short(runs) => file.array(*b"runs", runs),
            Runs::Long(runs) => file.array(*b"runs", runs),
        }
    }

    /// Reads the sections of the shortcuts of a contraction with `count` vertices. Only the lengths of the arrays are
    /// checked: see [`check`](Self::check).
    pub(crate) fn read_sections(
        file: &mut SectionReader,
        count: usize,
    ) -> Result<Self, SectionError> {
        let [directions, estimate] = file.small::<u32, 2>(*b"shct")?;
        let cost_estimate = f32::from_bits(estimate);
        if !(1..=2).contains(&directions) || cost_estimate.is_nan() || cost_estimate < 0.0 {
            return Err(SectionError::of(*b"shct", "is invalid"));
        }
        let upwards = PrunedArcs::read_sections(file, count)?;
        let downwards = match directions {
            2 => Some(PrunedArcs::read_sections(file, count)?),
            _ => None,
        };
        let parts = ShortcutParts {
            starts: file.array(*b"part")?,
            lengths: file.array(*b"plen")?,
            halves: file.array(*b"half")?,
            runs: match Runs::are_short(count) {
                true => Runs::Short(file.array(*b"runs")?),
                false => Runs::Long(file.array(*b"runs")?),
            },
            added: AddedParts::default(),
        };
        let lengths_fit = parts.lengths.len() == parts.len();
        SectionError::unless(lengths_fit, "its shortcuts do not fit its contraction")?;
        Ok(Self {
            upwards,
            downwards,
            parts,
            cost_estimate,
        })
    }

    /// Returns whether searches can scan the arcs and unpack their paths. The paths may be those of other arcs.
    pub(crate) fn check(&self, contraction: &Contraction) -> bool {
        let parts = self.parts.len();
        let arcs = [Some(&self.upwards), self.downwards.as_ref()];
        let (arcs, parts) = rayon::join(
            || {
                arcs.into_iter()
                    .flatten()
                    .all(|arcs| arcs.check(contraction, parts))
            },
            || self.parts.check(contraction.vertex_count()),
        );
        arcs && parts
    }
}

impl PrunedArcs {
    fn read_sections(file: &mut SectionReader, count: usize) -> Result<Self, SectionError> {
        let mut arcs = Self {
            offsets: file.array(*b"arof")?,
            depths: file.array(*b"ardp")?,
            costs: file.array(*b"arct")?,
            first_parts: file.array(*b"arpt")?,
            arcs: 0,
            patches: None,
        };
        let [number] = file.small::<u64, 1>(*b"arno")?;
        arcs.arcs = number.try_into().unwrap_or(usize::MAX);
        let blocks = arcs.depths.len();
        let lengths_fit = arcs.offsets.len() == count + 1
            && arcs.offsets[0] == 0
            && arcs.offsets[count] as usize == blocks
            && arcs.first_parts.len() == count
            && arcs.costs.len() == blocks;
        SectionError::unless(lengths_fit, "its shortcuts do not fit its contraction")?;
        Ok(arcs)
    }

    /// Returns whether every arc leads up, has a cost that is not negative and has a part, of which there are
    /// `parts`.
    fn check(&self, contraction: &Contraction, parts: usize) -> bool {
        let count = contraction.vertex_count();
        // Loops over all blocks without an early exit are vectorized. Costs are compared by their bits: those of
        // negative numbers and of NaN are above those of infinity.
        let max = |blocks: &[[u32; LANES]]| {
            let max_of_lanes = |max: [u32; LANES], block: &[u32; LANES]| {
                std::array::from_fn(|lane| max[lane].max(block[lane]))
            };
            blocks
                .iter()
                .fold([0; LANES], max_of_lanes)
                .into_iter()
                .max()
        };
        let costs: &[[u32; LANES]] = bytemuck::cast_slice(&self.costs);
        let costs_are_valid = costs
            .par_chunks(CHUNK)
            .map(|costs| max(costs) <= Some(f32::INFINITY.to_bits()));
        let starts = (0..count as u32).into_par_iter().step_by(CHUNK);
        let leads_up = |start: u32| {
            let mut ranks = start..(count as u32).min(start + CHUNK as u32);
            ranks.all(|rank| {
                self.leads_up(rank, contraction.depths[rank as usize])
                    && self.has_parts(rank, parts)
            })
        };
        self.offsets.is_sorted()
            && costs_are_valid.all(|is_valid| is_valid)
            && starts.into_par_iter().all(leads_up)
    }

    /// Returns whether all arcs of a rank have a part, of which there are `parts`.
    fn has_parts(&self, rank: u32, parts: usize) -> bool {
        let costs = &self.costs[self.blocks_of(rank)];
        let arcs: u32 = costs.iter().map(|&costs| arcs_in(costs)).sum();
        arcs == 0 || self.first_parts[rank as usize] as usize + arcs as usize <= parts
    }

    /// Returns whether all arcs of a rank at `depth` lead to smaller depths, in ascending order.
    fn leads_up(&self, rank: u32, depth: u32) -> bool {
        let blocks = self.blocks_of(rank);
        let Some(last) = blocks.clone().next_back() else {
            return true;
        };
        // The last block may contain the depth of the rank itself and more. No arc leads there.
        let first_depth = u64::from(self.depths[last]) * LANES as u64;
        let costs: &[f32; LANES] = self.costs[last].as_ref();
        let lanes = (first_depth..).zip(costs);
        let mut beyond = lanes.filter(|&(at, _)| at >= u64::from(depth));
        first_depth < u64::from(depth)
            && beyond.all(|(_, &cost)| cost == f32::INFINITY)
            && self.depths[blocks].is_sorted_by(|a, b| a < b)
    }
}

impl ShortcutParts {
    /// Returns whether all parts can be unpacked: halves are earlier parts, runs exist, and no path is longer than
    /// several visits of all vertices.
    fn check(&self, vertices: usize) -> bool {
        if self.len() >= MAX_PARTS as usize {
            return false;
        }
        let max_length = (vertices as u32).saturating_mul(MAX_VISITS);
        let (runs, parts) = rayon::join(
            || self.runs.are_below(vertices),
            || {
                // The number of arcs of each part.
                let mut lengths = Vec::with_capacity(self.len());
                let mut are_valid = true;
                for (&start, &length) in self.starts.iter().zip(&self.lengths) {
                    let length = if length == 0 {
                        let half = |reference: u32| lengths.get((reference >> 1) as usize).copied();
                        let halves = self.halves.get(start as usize);
                        let Some((a, b)) = halves.and_then(|&[a, b]| half(a).zip(half(b))) else {
                            return false;
                        };
                        u32::saturating_add(a, b)
                    } else {
                        let arcs = length >> 1;
                        are_valid &= (1..=MAX_RUN_ARCS).contains(&arcs)
                            && start as usize + usize::from(arcs) < self.runs.len();
                        arcs.into()
                    };
                    are_valid &= length <= max_length;
                    lengths.push(length);
                }
                are_valid
            },
        );
        runs && parts
    }
}

impl Runs {
    /// Returns whether all vertices exist, of which there are `vertices`.
    pub(super) fn are_below(&self, vertices: usize) -> bool {
        // Loops over whole chunks without an early exit are vectorized.
        fn are_below<T: Copy + Ord + Default + Sync + Into<u32>>(runs: &[T], end: u32) -> bool {
            runs.par_chunks(CHUNK).all(|run| {
                let max = run
                    .iter()
                    .fold(T::default(), |max, &vertex| max.max(vertex));
                max.into() < end
            })
        }
        let end = vertices.max(1) as u32;
        match self {
            Self::Short(runs) => are_below(runs, end),
            Self::Long(runs) => are_below(runs, end),
        }
    }
}

impl HubLabels {
    /// Adds the sections of the labels to a file.
    pub(crate) fn write_sections(&self, file: &mut SectionWriter) {
        for arrays in self.arrays() {
            file.array(*b"hbof", &arrays.offsets);
            file.array(*b"hubs", &arrays.hubs);
            file.array(*b"next", &arrays.nexts);
        }
    }
}

impl LabelArrays {
    /// Reads the sections of the labels of one direction. Nothing is checked.
    pub(crate) fn read_sections(file: &mut SectionReader) -> Result<Self, SectionError> {
        Ok(Self {
            offsets: file.array(*b"hbof")?,
            hubs: file.array(*b"hubs")?,
            nexts: file.array(*b"next")?,
        })
    }
}

#[cfg(test)]
#[path = "stored_test.rs"]
mod tests;
