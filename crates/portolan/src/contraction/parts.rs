//! What shortcuts stand for: two others each, down to arcs of the graph; short ones are written out.

use super::Contraction;
use super::customize::{Customized, NONE, UP, down};

/// Shortcuts of at most so many arcs are written out, as Portolan's specification measured it.
const WRITTEN_OUT: u32 = 48;

/// The shortcuts that needed ones are made of. A reference to one is its number, twice, plus one to
/// read it backwards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parts {
    parts: Vec<Part>,
    /// The vertices of those that are written out. A short way within another lies in its run.
    runs: Vec<u32>,
}

/// A shortcut: references to two, one after the other; or a run of vertices, with both ends, where it
/// begins, and [`RUN`], its vertices and whether it lies there backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part([u32; 2]);

const RUN: u32 = 1 << 31;
const BACKWARDS: u32 = 1;

/// Where an arc lies in a run.
#[derive(Clone, Copy)]
struct Place {
    begin: u32,
    is_backwards: bool,
}

const NOWHERE: Place = Place {
    begin: NONE,
    is_backwards: false,
};

impl Parts {
    /// All parts of the needed arcs, and per arc and way the reference to its part.
    pub(super) fn new<const W: usize>(
        contraction: &Contraction,
        customized: &Customized<W>,
        needed: &[[bool; W]],
    ) -> (Self, Vec<[u32; W]>) {
        let ways = Ways {
            contraction,
            customized,
        };
        let count = needed.len();
        // An arc is made of arcs with lower numbers: those of a lower rank.
        let mut lengths = vec![[1u32; W]; count];
        let mut ranks = vec![0; count];
        for rank in 0..contraction.vertex_count() {
            for arc in contraction.arcs_of(rank) {
                ranks[arc] = rank as u32;
                for way in 0..W {
                    if let Some(halves) = ways.halves(rank as u32, arc, way) {
                        let [a, b] = halves.map(|half| lengths[half.arc][half.way]);
                        lengths[arc][way] = a.saturating_add(b);
                    }
                }
            }
        }
        let mut is_used = needed.to_vec();
        let mut places = vec![[NOWHERE; W]; count];
        let mut runs = Vec::new();
        for arc in (0..count).rev() {
            for way in 0..W {
                let is_long = lengths[arc][way] > WRITTEN_OUT;
                if is_used[arc][way] && !is_long && places[arc][way].begin == NONE {
                    places[arc][way].begin = runs.len() as u32;
                    ways.write_out(&ranks, arc, way, &mut runs);
                }
                let place = places[arc][way];
                let Some([first, second]) = ways.halves(ranks[arc], arc, way) else {
                    continue;
                };
                if is_long && is_used[arc][way] {
                    for half in [first, second] {
                        is_used[half.arc][half.way] = true;
                    }
                } else if place.begin != NONE {
                    // Read forwards the run has the first half first.
                    let halves = if place.is_backwards {
                        [second, first]
                    } else {
                        [first, second]
                    };
                    let mut begin = place.begin;
                    for half in halves {
                        let known = &mut places[half.arc][half.way];
                        if known.begin == NONE {
                            let is_backwards = place.is_backwards ^ half.is_backwards;
                            *known = Place {
                                begin,
                                is_backwards,
                            };
                        }
                        begin += lengths[half.arc][half.way];
                    }
                }
            }
        }
        let mut parts = Vec::new();
        let mut references = vec![[NONE; W]; count];
        for arc in 0..count {
            for way in (0..W).filter(|&way| is_used[arc][way]) {
                let Place {
                    begin,
                    is_backwards,
                } = places[arc][way];
                let part = match ways.halves(ranks[arc], arc, way) {
                    Some(halves) if begin == NONE => halves
                        .map(|half| references[half.arc][half.way] | u32::from(half.is_backwards)),
                    _ => {
                        let vertices = lengths[arc][way] + 1;
                        [begin, RUN | vertices << 1 | u32::from(is_backwards)]
                    }
                };
                references[arc][way] = (parts.len() as u32) << 1;
                assert!(parts.len() < 1 << 30, "more shortcuts than can be numbered");
                parts.push(Part(part));
            }
        }
        (Self { parts, runs }, references)
    }

    /// Tells the vertices that the parts on the stack lead to, the last part first.
    #[inline]
    pub(super) fn take_apart(&self, stack: &mut Vec<u32>, tell: &mut impl FnMut(u32)) {
        while let Some(reference) = stack.pop() {
            let is_backwards = reference & BACKWARDS;
            let Part([first, second]) = self.parts[(reference >> 1) as usize];
            if second & RUN == 0 {
                match is_backwards {
                    0 => stack.extend([second, first]),
                    _ => stack.extend([first ^ BACKWARDS, second ^ BACKWARDS]),
                }
                continue;
            }
            let vertices = ((second & !RUN) >> 1) as usize;
            let run = &self.runs[first as usize..first as usize + vertices];
            match is_backwards ^ (second & BACKWARDS) {
                0 => run[1..].iter().for_each(|&vertex| tell(vertex)),
                _ => run[..vertices - 1]
                    .iter()
                    .rev()
                    .for_each(|&vertex| tell(vertex)),
            }
        }
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.parts[..]) + size_of_val(&self.runs[..])
    }
}

/// What arcs are made of.
struct Ways<'a, const W: usize> {
    contraction: &'a Contraction,
    customized: &'a Customized<W>,
}

/// One of the two arcs that another is made of, and whether it is read backwards.
#[derive(Clone, Copy)]
struct Half {
    arc: usize,
    way: usize,
    is_backwards: bool,
}

impl<const W: usize> Ways<'_, W> {
    /// The two halves of an arc up from `rank`, the way it leads; none of an arc of the graph.
    fn halves(&self, rank: u32, arc: usize, way: usize) -> Option<[Half; 2]> {
        let via = self.customized.via[arc][way];
        if via == NONE {
            return None;
        }
        let head = self.contraction.up.values()[arc];
        let [from, to] = if way == UP {
            [rank, head]
        } else {
            [head, rank]
        };
        let arc = |end| self.contraction.arc(via, end).expect("a lower triangle");
        let first = Half {
            arc: arc(from),
            way: down::<W>(),
            // Where both ways are one, it is kept as the way up.
            is_backwards: W == 1,
        };
        let second = Half {
            arc: arc(to),
            way: UP,
            is_backwards: false,
        };
        Some([first, second])
    }

    /// Appends the vertices of an arc, from its beginning to its end.
    fn write_out(&self, ranks: &[u32], arc: usize, way: usize, runs: &mut Vec<u32>) {
        let vertex = |rank: u32| self.contraction.vertices[rank as usize];
        let ends = |arc: usize, way: usize, is_backwards: bool| {
            let [low, high] = [ranks[arc], self.contraction.up.values()[arc]];
            if (way == UP) != is_backwards {
                [low, high]
            } else {
                [high, low]
            }
        };
        runs.push(vertex(ends(arc, way, false)[0]));
        let mut stack = vec![Half {
            arc,
            way,
            is_backwards: false,
        }];
        while let Some(half) = stack.pop() {
            let Half {
                arc,
                way,
                is_backwards,
            } = half;
            match self.halves(ranks[arc], arc, way) {
                None => runs.push(vertex(ends(arc, way, is_backwards)[1])),
                Some([first, second]) => {
                    let turned = |half: Half| Half {
                        is_backwards: half.is_backwards ^ is_backwards,
                        ..half
                    };
                    match is_backwards {
                        false => stack.extend([turned(second), turned(first)]),
                        true => stack.extend([turned(first), turned(second)]),
                    }
                }
            }
        }
    }
}
