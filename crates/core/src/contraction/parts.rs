//! What shortcuts stand for: two others each, down to arcs of the graph; short ones are written out.

use std::ops::ControlFlow;

use super::Contraction;
use super::customize::{Customized, NO_HALVES, NONE, UP, down};

/// Shortcuts of at most so many arcs are written out. With 48 a search was some 2% faster in single runs on a busy machine, and the
/// shortcuts of `open` take 278 bytes a polygon, not 234; with 16 it is some 3% slower, and they take 215
/// (88 000 polygons).
const WRITTEN_OUT: u8 = 24;

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

/// Where an arc lies in a run: where that begins, twice, plus one if it lies there backwards.
#[derive(Clone, Copy, PartialEq)]
struct Place(u32);

const NOWHERE: Place = Place(NONE);

impl Place {
    fn new(begin: u32, is_backwards: bool) -> Self {
        Self(begin << 1 | u32::from(is_backwards))
    }

    fn begin(self) -> u32 {
        self.0 >> 1
    }

    fn is_backwards(self) -> bool {
        self.0 & 1 == 1
    }
}

/// What is known of an arc, one way, while parts are made.
#[derive(Clone, Copy)]
struct Note {
    place: Place,
    /// Arcs of the graph that it stands for; those that are not written out may be more.
    length: u8,
    /// Whether there is to be a part of it.
    is_used: bool,
}

impl Parts {
    /// All parts of the needed arcs, and per arc and way the reference to its part.
    pub(super) fn new<const W: usize>(
        contraction: &Contraction,
        customized: &Customized<W>,
    ) -> (Self, Vec<[u32; W]>) {
        let ways = Ways {
            contraction,
            customized,
            tails: contraction.tails(),
        };
        let count = contraction.arc_count();
        let mut notes: Vec<[Note; W]> = Vec::with_capacity(count);
        for arc in 0..count {
            let note = |way: usize| Note {
                place: NOWHERE,
                length: ways.halves(arc, way).map_or(1, |halves| {
                    let [a, b] = halves.map(|half| half.of(&notes).length);
                    a.saturating_add(b)
                }),
                is_used: customized.needed[arc][way],
            };
            notes.push(std::array::from_fn(note));
        }
        let (mut runs, mut stack) = (Vec::new(), Vec::new());
        for arc in (0..count).rev() {
            for way in 0..W {
                let Note {
                    mut place,
                    length,
                    is_used,
                } = notes[arc][way];
                let is_long = length > WRITTEN_OUT;
                if is_used && !is_long && place == NOWHERE {
                    place = Place::new(runs.len() as u32, false);
                    ways.write_out(arc, way, &notes, &mut stack, &mut runs);
                    notes[arc][way].place = place;
                }
                let Some([first, second]) = ways.halves(arc, way) else {
                    continue;
                };
                if is_long && is_used {
                    for half in [first, second] {
                        half.of_mut(&mut notes).is_used = true;
                    }
                } else if place != NOWHERE {
                    // Read forwards the run has the first half first.
                    let halves = if place.is_backwards() {
                        [second, first]
                    } else {
                        [first, second]
                    };
                    let mut begin = place.begin();
                    for half in halves {
                        let note = half.of_mut(&mut notes);
                        if note.place == NOWHERE {
                            let is_backwards = place.is_backwards() ^ half.is_backwards;
                            note.place = Place::new(begin, is_backwards);
                        }
                        begin += u32::from(note.length);
                    }
                }
            }
        }
        assert!(
            runs.len() < 1 << 31,
            "more shortcuts than can be written out"
        );
        let mut parts = Vec::new();
        let mut references = vec![[NONE; W]; count];
        for arc in 0..count {
            for way in (0..W).filter(|&way| notes[arc][way].is_used) {
                let Note { place, length, .. } = notes[arc][way];
                let part = match ways.halves(arc, way) {
                    Some(halves) if place == NOWHERE => {
                        halves.map(|half| half.of(&references) | u32::from(half.is_backwards))
                    }
                    _ => {
                        let vertices = u32::from(length) + 1;
                        [
                            place.begin(),
                            RUN | vertices << 1 | u32::from(place.is_backwards()),
                        ]
                    }
                };
                references[arc][way] = (parts.len() as u32) << 1;
                assert!(parts.len() < 1 << 30, "more shortcuts than can be numbered");
                parts.push(Part(part));
            }
        }
        (Self { parts, runs }, references)
    }

    /// Tells the vertices that the parts on the stack lead to, the last part first, until told to
    /// stop.
    #[inline]
    pub(super) fn take_apart<B>(
        &self,
        stack: &mut Vec<u32>,
        tell: &mut impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
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
                0 => run[1..].iter().try_for_each(|&vertex| tell(vertex))?,
                _ => run[..vertices - 1]
                    .iter()
                    .rev()
                    .try_for_each(|&vertex| tell(vertex))?,
            }
        }
        ControlFlow::Continue(())
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
    tails: Vec<u32>,
}

/// One of the two arcs that another is made of, and whether it is read backwards.
#[derive(Clone, Copy)]
struct Half {
    arc: u32,
    way: u8,
    is_backwards: bool,
}

impl Half {
    /// What an array with an element an arc and way has for it.
    #[inline]
    fn of<T: Copy, const W: usize>(self, array: &[[T; W]]) -> T {
        array[self.arc as usize][usize::from(self.way)]
    }

    #[inline]
    fn of_mut<T, const W: usize>(self, array: &mut [[T; W]]) -> &mut T {
        &mut array[self.arc as usize][usize::from(self.way)]
    }
}

impl<const W: usize> Ways<'_, W> {
    /// The two halves of an arc, the way it leads; none of an arc of the graph.
    #[inline]
    fn halves(&self, arc: usize, way: usize) -> Option<[Half; 2]> {
        let halves = self.customized.halves[arc][way];
        let first = Half {
            arc: halves[0],
            way: down::<W>() as u8,
            // Where both ways are one, it is kept as the way up.
            is_backwards: W == 1,
        };
        let second = Half {
            arc: halves[1],
            way: UP as u8,
            is_backwards: false,
        };
        (halves != NO_HALVES).then_some([first, second])
    }

    /// Appends the vertices of an arc, from its beginning to its end. What lies in a run already is
    /// copied from there.
    fn write_out(
        &self,
        arc: usize,
        way: usize,
        notes: &[[Note; W]],
        stack: &mut Vec<Half>,
        runs: &mut Vec<u32>,
    ) {
        let vertex = |rank: u32| self.contraction.vertices[rank as usize];
        let ends = |arc: usize, is_up: bool| {
            let [low, high] = [self.tails[arc], self.contraction.up.values()[arc]];
            if is_up { [low, high] } else { [high, low] }
        };
        runs.push(vertex(ends(arc, way == UP)[0]));
        stack.push(Half {
            arc: arc as u32,
            way: way as u8,
            is_backwards: false,
        });
        while let Some(half) = stack.pop() {
            let (arc, way) = (half.arc as usize, usize::from(half.way));
            let is_backwards = half.is_backwards;
            let Note { place, length, .. } = notes[arc][way];
            if place != NOWHERE {
                let begin = place.begin() as usize;
                let run = begin..begin + usize::from(length);
                if place.is_backwards() == is_backwards {
                    runs.extend_from_within(run.start + 1..run.end + 1);
                } else {
                    run.rev().for_each(|at| runs.push(runs[at]));
                }
            } else if let Some([first, second]) = self.halves(arc, way) {
                let turned = |half: Half| Half {
                    is_backwards: half.is_backwards ^ is_backwards,
                    ..half
                };
                match is_backwards {
                    false => stack.extend([turned(second), turned(first)]),
                    true => stack.extend([turned(first), turned(second)]),
                }
            } else {
                runs.push(vertex(ends(arc, (way == UP) != is_backwards)[1]));
            }
        }
    }
}
