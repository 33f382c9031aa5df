//! A contraction in the layout of the kernels.

use portolan_core::contraction::{ContractionArrays, RankArcs};

use crate::arrays::Words;

/// A contraction with its costs.
pub(crate) struct ContractionWords {
    pub(crate) index: Vec<u32>,
    pub(crate) layout: ContractionLayout,
    pub(crate) depth: u32,
    pub(crate) is_symmetric: bool,
    /// The number of parts that may wait while one is unpacked.
    pub(crate) stack: u32,
}

/// The first words of the arrays of a contraction that change with the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContractionLayout {
    /// Per direction, where the rows are: two words per rank, its first arc and the arc after its last.
    pub(crate) rows: [u32; 2],
    /// Per direction, the arcs: three words each.
    pub(crate) arcs: [u32; 2],
    /// Three words each.
    pub(crate) parts: u32,
    pub(crate) runs: u32,
}

impl ContractionWords {
    /// The words of the header, as in `kernels/contraction.wgsl`.
    const HEADER: usize = 16;

    pub(crate) fn new(arrays: &ContractionArrays) -> Self {
        let mut words = Words::with_header(Self::HEADER);
        words.push_at(0, arrays.ranks.iter().copied());
        words.push_at(1, arrays.vertices.iter().copied());
        words.push_at(2, arrays.parents.iter().copied());
        words.push_at(3, arrays.depths.iter().copied());
        let push_arcs = |words: &mut Words, header: usize, arcs: &RankArcs| {
            let rows = arcs.offsets.windows(2).flatten().copied();
            words.push_at(header, rows);
            words.push_at(header + 1, arcs.arcs.iter().flatten().copied());
        };
        push_arcs(&mut words, 4, &arrays.upwards);
        match &arrays.downwards {
            Some(downwards) => push_arcs(&mut words, 6, downwards),
            None => (words.0[6], words.0[7]) = (words.0[4], words.0[5]),
        }
        let parts = arrays.parts.iter().zip(&arrays.part_lengths);
        words.push_at(8, parts.flat_map(|(&[a, b], &length)| [a, b, length]));
        words.push_at(9, arrays.runs.iter().copied());
        let [_, _, _, _, up, up_arcs, down, down_arcs, parts, runs] =
            *words.0.first_chunk().expect("a header");
        Self {
            layout: ContractionLayout {
                rows: [up, down],
                arcs: [up_arcs, down_arcs],
                parts,
                runs,
            },
            index: words.0,
            depth: arrays.depths.iter().max().map_or(1, |&depth| depth + 1),
            is_symmetric: arrays.downwards.is_none(),
            stack: stack_depth(&arrays.parts),
        }
    }
}

/// Returns the number of references that may be on the stack while a part is unpacked.
fn stack_depth(parts: &[[u32; 2]]) -> u32 {
    let mut depths: Vec<u32> = Vec::with_capacity(parts.len());
    for &[first, second] in parts {
        let halves = [first, second].map(|half| half >> 1);
        depths.push(match second & ContractionArrays::RUN {
            0 => 1 + depths[halves[0] as usize].max(depths[halves[1] as usize]),
            _ => 1,
        });
    }
    1 + depths.into_iter().max().unwrap_or(1)
}
