//! Customization: the cost of every arc of a contraction, and which of them queries need.
//!
//! Generic over the ways of an arc: two, or one where every arc costs the same both ways. Then
//! everything is done once instead of twice.

use std::ops::Range;

use rayon::prelude::*;

use super::{Contraction, tree};
use crate::csr::Csr;

/// Up: from the lower end to the upper.
pub(super) const UP: usize = 0;

/// The place of the way down among `W` ways.
pub(super) const fn down<const W: usize>() -> usize {
    W - 1
}

/// No rank below: an arc of the graph itself.
pub(super) const NONE: u32 = u32::MAX;

/// Parts of the elimination tree with fewer vertices are not shared out between threads.
const LEAST_SHARE: usize = 512;
/// Parts that a tree is cut into, about: some more than threads, since they are not equal.
const SHARES: usize = 32;

/// All arcs with their costs.
pub(super) struct Customized<const W: usize> {
    pub(super) costs: Vec<[f32; W]>,
    /// The rank below that the cheapest way runs over; [`NONE`] for an arc of the graph.
    pub(super) via: Vec<[u32; W]>,
}

/// A lower neighbour.
#[derive(Clone, Copy, Default)]
struct Lower {
    rank: u32,
    arc: u32,
}

/// Ranks, and the arcs up from them: what one thread works at. All arrays begin there.
struct Share<'a, const W: usize> {
    ranks: Range<usize>,
    first_arc: usize,
    costs: &'a mut [[f32; W]],
    via: &'a mut [[u32; W]],
}

impl<const W: usize> Customized<W> {
    /// `costs` of the arcs of the graph; infinite where there is none.
    pub(super) fn new(contraction: &Contraction, costs: Vec<[f32; W]>) -> Self {
        let via = vec![[NONE; W]; costs.len()];
        let mut all = Self { costs, via };
        let lower = lower_neighbours(contraction);
        let shares = shares(contraction);
        let (mut costs, mut via) = (&mut all.costs[..], &mut all.via[..]);
        let mut first_arc = 0;
        let mut tasks = Vec::new();
        for ranks in &shares {
            let begin = contraction.arcs_of(ranks.start).start;
            let end = contraction.up.offsets()[ranks.end] as usize;
            let mut cut = |at: usize| {
                let (head, tail) = std::mem::take(&mut costs).split_at_mut(at);
                let (via_head, via_tail) = std::mem::take(&mut via).split_at_mut(at);
                (costs, via) = (tail, via_tail);
                (head, via_head)
            };
            cut(begin - first_arc);
            let (costs, via) = cut(end - begin);
            first_arc = end;
            tasks.push(Share {
                ranks: ranks.clone(),
                first_arc: begin,
                costs,
                via,
            });
        }
        tasks.into_par_iter().for_each(|mut share| {
            let mut places = vec![NONE; contraction.depth()];
            for rank in share.ranks.clone() {
                share.relax(contraction, &lower, rank, &mut places);
            }
        });
        let mut whole = Share {
            ranks: 0..contraction.vertex_count(),
            first_arc: 0,
            costs: &mut all.costs,
            via: &mut all.via,
        };
        let mut places = vec![NONE; contraction.depth()];
        for rank in outside(&shares, contraction.vertex_count()) {
            whole.relax(contraction, &lower, rank, &mut places);
        }
        all
    }

    /// Which arcs queries need: not those where going over another upper neighbour is no dearer.
    /// From the highest rank down.
    ///
    /// Going over the other one has to cost more than getting there. So what an arc is dropped
    /// for is strictly cheaper, and two arcs are never dropped for one another, whatever costs
    /// nothing or is lost in rounding.
    pub(super) fn needed(&self, contraction: &Contraction) -> Vec<[bool; W]> {
        // The least costs between the ends of arcs, over whatever lies above both, too.
        let mut least = self.costs.clone();
        let finite = |cost: &[f32; W]| cost.map(|cost| cost < f32::INFINITY);
        let mut needed: Vec<[bool; W]> = self.costs.iter().map(finite).collect();
        let shares = shares(contraction);
        let mut places = vec![NONE; contraction.depth()];
        for rank in outside(&shares, contraction.vertex_count()).rev() {
            let arcs = contraction.arcs_of(rank);
            let (own, above) = least.split_at_mut(arcs.end);
            let (own, needed) = (&mut own[arcs.start..], &mut needed[arcs.clone()]);
            let of_arc = |arc: usize| above[arc - arcs.end];
            self.prune(contraction, rank, of_arc, own, needed, &mut places);
        }
        let done = least.clone();
        let mut rest = (&mut least[..], &mut needed[..]);
        let mut first_arc = 0;
        let mut tasks = Vec::new();
        for ranks in &shares {
            let begin = contraction.arcs_of(ranks.start).start;
            let end = contraction.up.offsets()[ranks.end] as usize;
            let (least, needed) = std::mem::take(&mut rest);
            let (least, least_rest) = least[begin - first_arc..].split_at_mut(end - begin);
            let (needed, needed_rest) = needed[begin - first_arc..].split_at_mut(end - begin);
            rest = (least_rest, needed_rest);
            first_arc = end;
            tasks.push((ranks.clone(), begin..end, least, needed));
        }
        tasks
            .into_par_iter()
            .for_each(|(ranks, share, least, needed)| {
                let mut places = vec![NONE; contraction.depth()];
                for rank in ranks.rev() {
                    let arcs = contraction.arcs_of(rank);
                    let end = arcs.end - share.start;
                    let own = arcs.start - share.start..end;
                    let (below, above) = least.split_at_mut(end);
                    let of_arc = |arc: usize| match arc < share.end {
                        true => above[arc - arcs.end],
                        false => done[arc],
                    };
                    let (least, needed) = (&mut below[own.clone()], &mut needed[own]);
                    self.prune(contraction, rank, of_arc, least, needed, &mut places);
                }
            });
        needed
    }

    /// Looks at the triangles of which `rank` is the lowest. `least` and `needed` are of its arcs;
    /// `of_arc` is the least cost of an arc above. `places` is a buffer, all [`NONE`].
    fn prune(
        &self,
        contraction: &Contraction,
        rank: usize,
        of_arc: impl Fn(usize) -> [f32; W],
        least: &mut [[f32; W]],
        needed: &mut [[bool; W]],
        places: &mut [u32],
    ) {
        let heads = contraction.up.get(rank);
        let costs = &self.costs[contraction.arcs_of(rank)];
        for (&head, place) in heads.iter().zip(0..) {
            places[contraction.depths[head as usize] as usize] = place;
        }
        for (low, &middle) in heads.iter().enumerate() {
            for between in contraction.arcs_of(middle as usize) {
                let head = contraction.up.values()[between];
                let high = places[contraction.depths[head as usize] as usize];
                if high == NONE {
                    continue;
                }
                let high = high as usize;
                let step = of_arc(between);
                for way in 0..W {
                    // Over the lower of the two and on up, or over the higher and back down.
                    let back = W - 1 - way;
                    for (arc, other, step) in [(high, low, step[way]), (low, high, step[back])] {
                        let leg = costs[other][way];
                        let detour = leg + step;
                        if detour <= costs[arc][way] && detour > leg {
                            needed[arc][way] = false;
                            least[arc][way] = least[arc][way].min(detour);
                        }
                    }
                }
            }
        }
        for &head in heads {
            places[contraction.depths[head as usize] as usize] = NONE;
        }
    }
}

impl<const W: usize> Share<'_, W> {
    /// Whatever goes down from a rank to a lower neighbour and up again is a way to one of the upper
    /// neighbours. Those below are done. `places` is a buffer.
    fn relax(
        &mut self,
        contraction: &Contraction,
        lower: &Csr<Lower>,
        rank: usize,
        places: &mut [u32],
    ) {
        let first = contraction.arcs_of(rank).start - self.first_arc;
        for (&head, place) in contraction.up.get(rank).iter().zip(first as u32..) {
            places[contraction.depths[head as usize] as usize] = place;
        }
        for lower in lower.get(rank) {
            let ends = contraction.up.offsets()[lower.rank as usize + 1] as usize;
            let low = self.costs[lower.arc as usize - self.first_arc];
            // All these heads are upper neighbours of the rank, too.
            for other in lower.arc as usize + 1..ends {
                let head = contraction.up.values()[other];
                let arc = places[contraction.depths[head as usize] as usize] as usize;
                let high = self.costs[other - self.first_arc];
                for way in 0..W {
                    // Up, from the rank: down to the lower one and then up. Down: the other way.
                    let cost = low[W - 1 - way] + high[way];
                    if cost < self.costs[arc][way] {
                        self.costs[arc][way] = cost;
                        self.via[arc][way] = lower.rank;
                    }
                }
            }
        }
    }
}

/// Per rank its lower neighbours, each with the arc between. They hang under it.
fn lower_neighbours(contraction: &Contraction) -> Csr<Lower> {
    let mut pairs = Vec::with_capacity(contraction.arc_count());
    for (rank, heads) in (0..).zip(contraction.up.iter()) {
        let first = contraction.up.offsets()[rank as usize];
        let arcs = heads.iter().zip(first..);
        pairs.extend(arcs.map(|(&head, arc)| (head, Lower { rank, arc })));
    }
    Csr::group(contraction.vertex_count(), &pairs)
}

/// Parts of the tree that can be worked at side by side, as ranks, in their order. They depend on the
/// tree alone, and so does the result.
fn shares(contraction: &Contraction) -> Vec<Range<usize>> {
    let sizes = tree::sizes(&contraction.parents);
    let most = (contraction.vertex_count() / SHARES).max(LEAST_SHARE);
    let size = |rank: usize| sizes[rank] as usize;
    let mut shares: Vec<Range<usize>> = Vec::new();
    for rank in 0..contraction.vertex_count() {
        let parent = contraction.parents[rank] as usize;
        let is_top = parent == rank || size(parent) > most;
        if is_top && size(rank) <= most && size(rank) > 1 {
            shares.push(rank + 1 - size(rank)..rank + 1);
        }
    }
    shares
}

/// The ranks in none of the shares.
fn outside(shares: &[Range<usize>], count: usize) -> impl DoubleEndedIterator<Item = usize> {
    let starts = std::iter::once(0).chain(shares.iter().map(|share| share.end));
    let ends = shares.iter().map(|share| share.start).chain([count]);
    let gaps: Vec<Range<usize>> = starts.zip(ends).map(|(start, end)| start..end).collect();
    gaps.into_iter().flatten()
}
