//! A contraction and its costs as plain arrays, for searches on another device.

use super::parts::ShortcutPart;
use super::patches::EDGE;
use super::pruned::PrunedArcs;
use super::{Contraction, Shortcuts};

/// Everything that a search over a contraction reads, as plain arrays. All of them are copies.
///
/// A search climbs from the lowest rank of each end over [`parents`](Self::parents) to the root, and relaxes at each
/// rank its arcs, whose upper ends are given by depth. A path over an arc is unpacked from its part.
#[derive(Clone, Debug)]
pub struct ContractionArrays {
    /// The rank of each vertex.
    pub ranks: Vec<u32>,
    /// The vertex of each rank.
    pub vertices: Vec<u32>,
    /// The parent of each rank in the elimination tree; a root is its own parent.
    pub parents: Vec<u32>,
    /// The number of steps from each rank to its root.
    pub depths: Vec<u32>,
    /// The arcs from each rank upwards.
    pub upwards: RankArcs,
    /// The arcs from above down to each rank; `None` if they cost the same as those upwards.
    pub downwards: Option<RankArcs>,
    /// The parts of arcs. A part is either two references, to its first and its second half, or the index of its first
    /// vertex in [`runs`](Self::runs) and [`RUN`](Self::RUN) combined with twice the number of its vertices, plus 1 if
    /// the run is reversed. A reference is twice the number of a part, plus 1 if it is read backwards.
    pub parts: Vec<[u32; 2]>,
    /// The number of arcs of the graph that each part stands for.
    pub part_lengths: Vec<u32>,
    /// The vertices of all runs.
    pub runs: Vec<u32>,
}

/// The arcs between each rank and the ranks above it, in one direction.
#[derive(Clone, Debug)]
pub struct RankArcs {
    /// The index of the first arc of each rank, and the number of arcs at the end.
    pub offsets: Vec<u32>,
    /// The depth of the upper end, the bits of the cost and the reference to the part of each arc.
    pub arcs: Vec<[u32; 3]>,
}

impl ContractionArrays {
    /// Marks the second word of a part that is a run.
    pub const RUN: u32 = 1 << 31;

    /// Copies the arrays of a contraction and its costs.
    pub fn new(contraction: &Contraction, shortcuts: &Shortcuts) -> Self {
        let stored = &shortcuts.parts;
        let plain_part = |part: usize| match stored.get(part) {
            ShortcutPart::Halves(halves) => halves,
            ShortcutPart::Run {
                start,
                arcs,
                is_backwards,
            } => [start, Self::RUN | (arcs + 1) << 1 | is_backwards],
        };
        let mut parts: Vec<[u32; 2]> = (0..stored.len()).map(plain_part).collect();
        let mut runs: Vec<u32> = (0..stored.runs.len())
            .map(|index| stored.runs.get(index))
            .collect();
        let added: Vec<[u32; 2]> = stored.added.iter().collect();
        for (index, &part) in added.iter().enumerate() {
            // A repair adds the two ends of an arc of the graph, and then the part that refers to them. Here both are
            // the run of the two ends.
            let is_ends = added.get(index + 1) == Some(&[index as u32, EDGE]);
            parts.push(match part {
                ends if is_ends => {
                    runs.extend(ends);
                    [runs.len() as u32 - 2, Self::RUN | 2 << 1]
                }
                [_, EDGE] => *parts.last().expect("the ends are the part before"),
                halves => halves,
            });
        }
        Self {
            ranks: contraction.ranks.to_vec(),
            vertices: contraction.vertices.to_vec(),
            parents: contraction.parents.to_vec(),
            depths: contraction.depths.to_vec(),
            upwards: RankArcs::new(&shortcuts.upwards),
            downwards: shortcuts.downwards.as_ref().map(RankArcs::new),
            part_lengths: lengths(&parts),
            parts,
            runs,
        }
    }
}

impl RankArcs {
    fn new(graph: &PrunedArcs) -> Self {
        let mut offsets = vec![0];
        let mut arcs = Vec::with_capacity(graph.arc_count());
        for rank in 0..graph.offsets.len() as u32 - 1 {
            let own = graph.arcs(rank);
            arcs.extend(own.map(|(depth, cost)| [depth, cost.to_bits(), graph.part(rank, depth)]));
            offsets.push(arcs.len() as u32);
        }
        Self { offsets, arcs }
    }
}

/// Returns the number of arcs of each part. Halves come before the part that consists of them.
fn lengths(parts: &[[u32; 2]]) -> Vec<u32> {
    let mut lengths: Vec<u32> = Vec::with_capacity(parts.len());
    for &[first, second] in parts {
        let length = match second & ContractionArrays::RUN {
            0 => [first, second]
                .map(|half| lengths[(half >> 1) as usize])
                .iter()
                .sum(),
            _ => ((second & !ContractionArrays::RUN) >> 1) - 1,
        };
        lengths.push(length);
    }
    lengths
}
