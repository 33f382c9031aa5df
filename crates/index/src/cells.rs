//! Where the vertices of a portal graph lie: between two cells each.

use glam::Vec3;
use portolan_core::SampleId;
use portolan_core::graph::{Origin, PortalGraph, SampleSide};
use portolan_core::union_find::UnionFind;

/// A portal, or an end of a link, as an edge between two cells: polygons and links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Door {
    pub(crate) cells: [u32; 2],
    /// Its number in the whole graph.
    pub(crate) id: u32,
    /// What it counts where a cut runs through it.
    pub(crate) weight: i32,
}

/// Some cells and the doors between them. Doors are adjacent where they share a cell, so taking the
/// doors of a cut away parts all others: an edge cut of the cells is a separator of the doors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    /// Per cell, where it lies.
    pub(crate) centres: Vec<Vec3>,
    /// Per cell, what it counts where halves are to be of one size.
    pub(crate) weights: Vec<u32>,
    /// Per cell, how many of its doors were taken away.
    pub(crate) taken: Vec<u32>,
    pub(crate) doors: Vec<Door>,
}

impl Cells {
    pub(crate) fn len(&self) -> usize {
        self.centres.len()
    }

    /// The cells of each group, which are numbered from 0 without gaps; and the doors between groups.
    pub(crate) fn split(self, groups: &[u32], count: usize) -> (Vec<Cells>, Vec<Door>) {
        let mut parts = vec![Cells::default(); count];
        let mut names = Vec::with_capacity(groups.len());
        for (cell, &group) in groups.iter().enumerate() {
            let part = &mut parts[group as usize];
            names.push(part.len() as u32);
            part.centres.push(self.centres[cell]);
            part.weights.push(self.weights[cell]);
            part.taken.push(self.taken[cell]);
        }
        let mut cut = Vec::new();
        for door in self.doors {
            let [a, b] = door.cells.map(|cell| groups[cell as usize]);
            let cells = door.cells.map(|cell| names[cell as usize]);
            if a == b {
                parts[a as usize].doors.push(Door { cells, ..door });
            } else {
                for (group, cell) in [a, b].into_iter().zip(cells) {
                    parts[group as usize].taken[cell as usize] += 1;
                }
                cut.push(door);
            }
        }
        (parts, cut)
    }

    #[cfg(feature = "metis")]
    /// All pairs of doors that share a cell, by number.
    pub(crate) fn adjacent(&self) -> impl Iterator<Item = [u32; 2]> {
        let each = self.doors.iter();
        let sides = each.flat_map(|door| door.cells.map(|cell| (cell, door.id)));
        let of_cells = portolan_core::Csr::group(self.len(), &sides.collect::<Vec<_>>());
        (0..self.len()).flat_map(move |cell| {
            let doors = of_cells.get(cell);
            let mut pairs = Vec::new();
            for (i, &a) in doors.iter().enumerate() {
                pairs.extend(doors[..i].iter().map(|&b| [a, b]));
            }
            pairs
        })
    }

    /// The connected component of each cell, and their number.
    pub(crate) fn components(&self) -> (Vec<u32>, usize) {
        let mut sets = UnionFind::new(self.len());
        for door in &self.doors {
            sets.join(door.cells[0], door.cells[1]);
        }
        let (mut groups, mut count) = (vec![0; self.len()], 0);
        for cell in 0..self.len() as u32 {
            // The root is the lowest of its set, so it comes first.
            let root = sets.root(cell);
            groups[cell as usize] = if root == cell {
                count += 1;
                count - 1
            } else {
                groups[root as usize]
            };
        }
        (groups, count as usize)
    }
}

/// The doors of a portal graph, each with its samples.
#[derive(Clone, Debug)]
pub(crate) struct Doors {
    pub(crate) cells: Cells,
    /// Per door its first sample, and one more at the end: the samples of a portal are consecutive.
    pub(crate) offsets: Vec<u32>,
}

impl Doors {
    pub(crate) fn new(graph: &PortalGraph, weight: impl Fn(Origin, u32) -> u32) -> Self {
        let count = graph.sample_count() as u32;
        let samples = || (0..count).map(SampleId);
        let mut offsets: Vec<u32> = samples()
            .filter(|&s| s.0 == 0 || graph.origin(s) != graph.origin(SampleId(s.0 - 1)))
            .map(|sample| sample.0)
            .collect();
        offsets.push(count);
        let sides = |sample| [0, 1].map(|side| graph.side(sample, side));
        let polygons = samples().flat_map(sides).filter_map(|side| match side {
            SampleSide::Polygon(polygon) => Some(polygon.0 + 1),
            SampleSide::Link(..) => None,
        });
        let polygons = polygons.max().unwrap_or(0);
        let cell = |side| match side {
            SampleSide::Polygon(polygon) => polygon.0,
            SampleSide::Link(link, _) => polygons + link.0,
        };
        let mut sums: Vec<(Vec3, f32)> = Vec::new();
        // Half, because a flow can turn around the whole of a door.
        let most = i32::MAX as u32 / 2 / offsets.len() as u32;
        let mut doors = Vec::with_capacity(offsets.len() - 1);
        for (run, id) in offsets.windows(2).zip(0..) {
            let first = SampleId(run[0]);
            let cells = sides(first).map(cell);
            for cell in cells {
                if sums.len() <= cell as usize {
                    sums.resize(cell as usize + 1, (Vec3::ZERO, 0.0));
                }
                let (sum, count) = &mut sums[cell as usize];
                *sum += graph
                    .position(first)
                    .midpoint(graph.position(SampleId(run[1] - 1)));
                *count += 1.0;
            }
            let weight = weight(graph.origin(first), run[1] - run[0]).clamp(1, most) as i32;
            doors.push(Door { cells, id, weight });
        }
        let centres = sums.iter().map(|&(sum, count)| sum / count.max(1.0));
        let cells = Cells {
            centres: centres.collect(),
            weights: vec![1; sums.len()],
            taken: vec![0; sums.len()],
            doors,
        };
        Self { cells, offsets }
    }
}
