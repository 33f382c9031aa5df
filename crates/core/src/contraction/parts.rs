//! Stores the path of each shortcut, so that queries can unpack it into vertices of the graph.
//!
//! A long shortcut refers to its two halves. A short one refers to a run: its vertices, stored one after
//! another. Most parts are runs, so halves are in an array of their own.
//!
//! Parts are numbered by rank, and the parts of the arcs that queries scan come first, by the depth of their upper end. So
//! the part of an arc follows from the first part of its rank and the number of arcs before it.

use std::ops::ControlFlow;

use super::Contraction;
use super::customize::{Customized, NO_ARC, NO_HALVES, UP, down};
use super::patches::{AddedParts, EDGE};
use crate::array::Array;

/// Shortcuts of at most this many arcs are stored as runs. The limit trades memory for unpacking time. On
/// `open` with 88 000 polygons, 48 takes 44 bytes more per polygon and makes searches about 2% faster; 16
/// takes 19 bytes less and makes them about 3% slower.
pub(super) const MAX_RUN_ARCS: u8 = 24;

/// There are fewer parts than this, so that a reference has room for its direction and repairs can add some.
pub(super) const MAX_PARTS: u32 = 1 << 30;

/// The parts of all shortcuts that queries need, and the parts of those parts. A reference to a part is
/// twice its number, plus 1 if it is read backwards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShortcutParts {
    /// Per part, the start of its run, or the index of its halves.
    pub(super) starts: Array<u32>,
    /// Per part, twice the number of arcs of its run, plus [`BACKWARDS`] if the run is reversed; 0 if it has two halves.
    pub(super) lengths: Array<u8>,
    /// References to the first and the second half.
    pub(super) halves: Array<[u32; 2]>,
    /// The vertices of all runs. A short path that is part of another run is stored only there.
    pub(super) runs: Runs,
    /// The parts that [repairs](super::repair) have added. Their numbers follow those of `starts`.
    pub(super) added: AddedParts,
}

/// One shortcut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ShortcutPart {
    /// References to the first and the second half.
    Halves([u32; 2]),
    /// The start of a run, its number of arcs, and [`BACKWARDS`] if it is reversed.
    Run {
        start: u32,
        arcs: u32,
        is_backwards: u32,
    },
}

pub(super) const BACKWARDS: u32 = 1;

/// Vertices of the graph, one run after another. Numbers below 2^16 take two bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Runs {
    Short(Array<u16>),
    Long(Array<u32>),
}

impl Runs {
    /// Returns whether the runs of a graph with this many vertices have short numbers.
    pub(super) fn are_short(vertices: usize) -> bool {
        vertices <= 1 << 16
    }

    /// Stores runs of a graph with `vertices` vertices.
    pub(super) fn new(runs: Vec<u32>, vertices: usize) -> Self {
        match Self::are_short(vertices) {
            true => Self::Short(runs.into_iter().map(|vertex| vertex as u16).collect()),
            false => Self::Long(runs.into()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Short(runs) => runs.len(),
            Self::Long(runs) => runs.len(),
        }
    }

    /// Returns the vertex at an index.
    #[inline]
    pub(super) fn get(&self, index: usize) -> u32 {
        match self {
            Self::Short(runs) => runs[index].into(),
            Self::Long(runs) => runs[index],
        }
    }

    /// Calls `visit` with each vertex of a run but the first, in the direction in which it is read.
    #[inline]
    fn visit<B>(
        &self,
        run: std::ops::Range<usize>,
        is_backwards: bool,
        visit: &mut impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self {
            Self::Short(runs) => visit_run(&runs[run], is_backwards, visit),
            Self::Long(runs) => visit_run(&runs[run], is_backwards, visit),
        }
    }

    fn is_shared_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Short(runs), Self::Short(others)) => runs.is_shared_with(others),
            (Self::Long(runs), Self::Long(others)) => runs.is_shared_with(others),
            _ => false,
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Short(runs) => size_of_val(&runs[..]),
            Self::Long(runs) => size_of_val(&runs[..]),
        }
    }
}

#[inline]
fn visit_run<T: Copy + Into<u32>, B>(
    run: &[T],
    is_backwards: bool,
    visit: &mut impl FnMut(u32) -> ControlFlow<B>,
) -> ControlFlow<B> {
    match is_backwards {
        false => run[1..].iter().try_for_each(|&vertex| visit(vertex.into())),
        true => run[..run.len() - 1]
            .iter()
            .rev()
            .try_for_each(|&vertex| visit(vertex.into())),
    }
}

/// The position of an arc in the runs: twice the index of its first vertex, plus 1 if it is stored
/// backwards.
#[derive(Clone, Copy, PartialEq)]
struct RunPosition(u32);

const NOT_IN_RUN: RunPosition = RunPosition(NO_ARC);

impl RunPosition {
    fn new(start: u32, is_backwards: bool) -> Self {
        Self(start << 1 | u32::from(is_backwards))
    }

    fn start(self) -> u32 {
        self.0 >> 1
    }

    fn is_backwards(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The state of one direction of an arc while the parts are built.
#[derive(Clone, Copy)]
struct ArcState {
    position: RunPosition,
    /// The number of graph arcs on its path. It saturates for arcs that are too long for a run.
    length: u8,
    /// Whether a part is needed for it.
    is_used: bool,
}

impl ShortcutParts {
    /// Builds the parts of the needed arcs. Returns them with the reference to the part of each arc and
    /// direction.
    pub(super) fn new<const DIRS: usize>(
        contraction: &Contraction,
        customized: &Customized<DIRS>,
    ) -> (Self, Vec<[u32; DIRS]>) {
        let expansion = ArcExpansion {
            contraction,
            customized,
            tails: contraction.tails(),
        };
        let count = contraction.arc_count();
        let mut states: Vec<[ArcState; DIRS]> = Vec::with_capacity(count);
        for arc in 0..count {
            let state = |direction: usize| ArcState {
                position: NOT_IN_RUN,
                length: expansion.halves(arc, direction).map_or(1, |halves| {
                    let [a, b] = halves.map(|half| half.of(&states).length);
                    a.saturating_add(b)
                }),
                is_used: customized.needed[arc][direction],
            };
            states.push(std::array::from_fn(state));
        }
        let (mut runs, mut stack) = (Vec::new(), Vec::new());
        for arc in (0..count).rev() {
            for direction in 0..DIRS {
                let ArcState {
                    mut position,
                    length,
                    is_used,
                } = states[arc][direction];
                let is_long = length > MAX_RUN_ARCS;
                if is_used && !is_long && position == NOT_IN_RUN {
                    position = RunPosition::new(runs.len() as u32, false);
                    expansion.append_vertices(arc, direction, &states, &mut stack, &mut runs);
                    states[arc][direction].position = position;
                }
                let Some([first, second]) = expansion.halves(arc, direction) else {
                    continue;
                };
                if is_long && is_used {
                    for half in [first, second] {
                        half.of_mut(&mut states).is_used = true;
                    }
                } else if position != NOT_IN_RUN {
                    // Read forwards, the run starts with the first half.
                    let halves = if position.is_backwards() {
                        [second, first]
                    } else {
                        [first, second]
                    };
                    let mut start = position.start();
                    for half in halves {
                        let state = half.of_mut(&mut states);
                        if state.position == NOT_IN_RUN {
                            let is_backwards = position.is_backwards() ^ half.is_backwards;
                            state.position = RunPosition::new(start, is_backwards);
                        }
                        start += u32::from(state.length);
                    }
                }
            }
        }
        assert!(
            runs.len() < 1 << 31,
            "the runs of the shortcuts have 2^31 vertices or more"
        );
        let mut parts = PartsBuilder::default();
        let mut references = vec![[NO_ARC; DIRS]; count];
        let up = contraction.up();
        for rank in 0..contraction.vertex_count() {
            // Halves belong to lower ranks, so they come before the part that consists of them.
            for is_needed in [true, false] {
                for direction in 0..DIRS {
                    // The upper ends of a rank are on one chain, so those of higher ranks have smaller depths.
                    for arc in up.range(rank).rev() {
                        let ArcState {
                            position,
                            length,
                            is_used,
                        } = states[arc][direction];
                        if !is_used || customized.needed[arc][direction] != is_needed {
                            continue;
                        }
                        let part = match expansion.halves(arc, direction) {
                            Some(halves) if position == NOT_IN_RUN => {
                                ShortcutPart::Halves(halves.map(|half| {
                                    half.of(&references) | u32::from(half.is_backwards)
                                }))
                            }
                            _ => ShortcutPart::Run {
                                start: position.start(),
                                arcs: length.into(),
                                is_backwards: position.is_backwards().into(),
                            },
                        };
                        references[arc][direction] = parts.push(part) << 1;
                    }
                }
            }
        }
        (
            parts.finish(Runs::new(runs, contraction.vertex_count())),
            references,
        )
    }

    /// Returns the number of parts, without those that repairs have added.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns a part that no repair has added.
    #[inline]
    pub(super) fn get(&self, index: usize) -> ShortcutPart {
        let (start, length) = (self.starts[index], u32::from(self.lengths[index]));
        match length {
            0 => ShortcutPart::Halves(self.halves[start as usize]),
            _ => ShortcutPart::Run {
                start,
                arcs: length >> 1,
                is_backwards: length & BACKWARDS,
            },
        }
    }

    /// Unpacks the parts on the stack, the top of the stack first, and calls `visit` with each vertex that
    /// they lead to, until `visit` breaks. The first vertex of a part is not visited.
    #[inline]
    pub(super) fn unpack<B>(
        &self,
        stack: &mut Vec<u32>,
        visit: &mut impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        while let Some(reference) = stack.pop() {
            let is_backwards = reference & BACKWARDS;
            let index = (reference >> 1) as usize;
            let part = match index.checked_sub(self.len()) {
                None => self.get(index),
                Some(added) => match self.added.get(added) {
                    [first, EDGE] => {
                        let ends = self.added.get(first as usize);
                        visit(ends[usize::from(is_backwards == 0)])?;
                        continue;
                    }
                    halves => ShortcutPart::Halves(halves),
                },
            };
            match part {
                ShortcutPart::Halves([first, second]) => match is_backwards {
                    0 => stack.extend([second, first]),
                    _ => stack.extend([first ^ BACKWARDS, second ^ BACKWARDS]),
                },
                ShortcutPart::Run {
                    start,
                    arcs,
                    is_backwards: is_reversed,
                } => {
                    let run = start as usize..start as usize + arcs as usize + 1;
                    self.runs.visit(run, is_backwards != is_reversed, visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns whether two versions differ in added parts only.
    pub(super) fn shares_arrays_with(&self, other: &Self) -> bool {
        self.starts.is_shared_with(&other.starts)
            && self.lengths.is_shared_with(&other.lengths)
            && self.halves.is_shared_with(&other.halves)
            && self.runs.is_shared_with(&other.runs)
    }

    /// Returns the size on the heap. [Units: bytes]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.starts[..])
            + size_of_val(&self.lengths[..])
            + size_of_val(&self.halves[..])
            + self.runs.bytes()
            + self.added.bytes()
    }
}

/// Parts while they are collected.
#[derive(Default)]
pub(super) struct PartsBuilder {
    starts: Vec<u32>,
    lengths: Vec<u8>,
    halves: Vec<[u32; 2]>,
}

impl PartsBuilder {
    /// Adds a part and returns its number.
    pub(super) fn push(&mut self, part: ShortcutPart) -> u32 {
        let number = self.starts.len() as u32;
        assert!(number < MAX_PARTS, "there are 2^30 shortcuts or more");
        match part {
            ShortcutPart::Halves(halves) => {
                self.starts.push(self.halves.len() as u32);
                self.lengths.push(0);
                self.halves.push(halves);
            }
            ShortcutPart::Run {
                start,
                arcs,
                is_backwards,
            } => {
                self.starts.push(start);
                self.lengths.push((arcs << 1 | is_backwards) as u8);
            }
        }
        number
    }

    pub(super) fn finish(self, runs: Runs) -> ShortcutParts {
        ShortcutParts {
            starts: self.starts.into(),
            lengths: self.lengths.into(),
            halves: self.halves.into(),
            runs,
            added: AddedParts::default(),
        }
    }
}

/// The data that is needed to expand arcs into vertices.
struct ArcExpansion<'a, const DIRS: usize> {
    contraction: &'a Contraction,
    customized: &'a Customized<DIRS>,
    tails: Vec<u32>,
}

/// One of the two halves of a shortcut.
#[derive(Clone, Copy)]
struct HalfArc {
    arc: u32,
    direction: u8,
    /// Whether the arc is traversed against its stored direction.
    is_backwards: bool,
}

impl HalfArc {
    /// Returns the element of an array with one entry per arc and direction.
    #[inline]
    fn of<T: Copy, const DIRS: usize>(self, array: &[[T; DIRS]]) -> T {
        array[self.arc as usize][usize::from(self.direction)]
    }

    /// Returns the element of an array with one entry per arc and direction, to be changed.
    #[inline]
    fn of_mut<T, const DIRS: usize>(self, array: &mut [[T; DIRS]]) -> &mut T {
        &mut array[self.arc as usize][usize::from(self.direction)]
    }
}

impl<const DIRS: usize> ArcExpansion<'_, DIRS> {
    /// Returns the two halves of an arc in one direction, or `None` for an arc of the graph.
    #[inline]
    fn halves(&self, arc: usize, direction: usize) -> Option<[HalfArc; 2]> {
        let halves = self.customized.halves[arc][direction];
        let first = HalfArc {
            arc: halves[0],
            direction: down::<DIRS>() as u8,
            // With one direction, arcs are stored upwards.
            is_backwards: DIRS == 1,
        };
        let second = HalfArc {
            arc: halves[1],
            direction: UP as u8,
            is_backwards: false,
        };
        (halves != NO_HALVES).then_some([first, second])
    }

    /// Appends the vertices of an arc to `runs`, from its start to its end. Vertices that are already in a
    /// run are copied from there.
    fn append_vertices(
        &self,
        arc: usize,
        direction: usize,
        states: &[[ArcState; DIRS]],
        stack: &mut Vec<HalfArc>,
        runs: &mut Vec<u32>,
    ) {
        let vertex = |rank: u32| self.contraction.vertices[rank as usize];
        let endpoints = |arc: usize, is_up: bool| {
            let [low, high] = [self.tails[arc], self.contraction.up().values()[arc]];
            if is_up { [low, high] } else { [high, low] }
        };
        runs.push(vertex(endpoints(arc, direction == UP)[0]));
        stack.push(HalfArc {
            arc: arc as u32,
            direction: direction as u8,
            is_backwards: false,
        });
        while let Some(half) = stack.pop() {
            let (arc, direction) = (half.arc as usize, usize::from(half.direction));
            let is_backwards = half.is_backwards;
            let ArcState {
                position, length, ..
            } = states[arc][direction];
            if position != NOT_IN_RUN {
                let start = position.start() as usize;
                let run = start..start + usize::from(length);
                if position.is_backwards() == is_backwards {
                    runs.extend_from_within(run.start + 1..run.end + 1);
                } else {
                    run.rev().for_each(|at| runs.push(runs[at]));
                }
            } else if let Some([first, second]) = self.halves(arc, direction) {
                let reversed = |half: HalfArc| HalfArc {
                    is_backwards: half.is_backwards ^ is_backwards,
                    ..half
                };
                match is_backwards {
                    false => stack.extend([reversed(second), reversed(first)]),
                    true => stack.extend([reversed(first), reversed(second)]),
                }
            } else {
                runs.push(vertex(endpoints(arc, (direction == UP) != is_backwards)[1]));
            }
        }
    }
}
