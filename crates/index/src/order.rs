//! The order in which the vertices of a portal graph are contracted.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use portolan_core::PortalGraph;
use portolan_core::graph::Origin;

use crate::cells::{Cells, Doors};
#[cfg(feature = "metis")]
use crate::dissection::dissect_weighted;
use crate::minimum_degree::by_degree;
use crate::multilevel::halve;
use crate::{IndexError, OrderMethod, OrderOptions};

/// Few portals, which are not parted any further. With twice as many, the chains of `rooms` grow.
const FEW: usize = 32;

/// From how many cells on halves are parted side by side.
const MANY: usize = 1000;

/// An order of the vertices of a portal graph in which few portals part the world again and again:
/// those come last, the parts before them, in the same manner. The samples of a portal follow each
/// other. For [`World::with_contraction`](portolan_core::World::with_contraction).
///
/// The same graph and options give the same order, on any number of threads.
///
/// ```
/// use portolan_core::World;
/// use portolan_scenes::{WorldOptions, WorldScene};
/// use portolan_index::{OrderOptions, order};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let world = World::build(raw, &Default::default())?;
/// let order = order(world.graph(), &OrderOptions::default())?;
/// let world = world.with_contraction(order)?;
/// assert!(world.contraction().unwrap().depth() < 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn order(graph: &PortalGraph, options: &OrderOptions) -> Result<Vec<u32>, IndexError> {
    order_weighted(graph, |_, samples| samples, options)
}

/// As [`order`], where portals count as `weight` says, for which it is told how many samples they
/// have: light ones are preferred where the world is parted. A weight counts as 1 at least, and as
/// no more than lets all together stay within 31 bits.
pub fn order_weighted(
    graph: &PortalGraph,
    weight: impl Fn(Origin, u32) -> u32,
    options: &OrderOptions,
) -> Result<Vec<u32>, IndexError> {
    order_watched(graph, weight, options, &|_| ControlFlow::Continue(()))
}

/// As [`order_weighted`], and tells `watch` the share that is done. Where it breaks, the order ends with
/// [`IndexError::Stopped`]. METIS says nothing while it works, and cannot be stopped.
pub(crate) fn order_watched(
    graph: &PortalGraph,
    weight: impl Fn(Origin, u32) -> u32,
    options: &OrderOptions,
    watch: &(dyn Fn(f32) -> ControlFlow<()> + Sync),
) -> Result<Vec<u32>, IndexError> {
    options.check()?;
    let Doors { cells, offsets } = Doors::new(graph, weight);
    let doors = match options.method {
        OrderMethod::Flow => {
            let count = cells.doors.len();
            let dissection = Dissection {
                options,
                watch,
                done: AtomicUsize::new(0),
                count,
            };
            let mut doors = Vec::with_capacity(count);
            match dissection.part(cells, &mut doors) {
                ControlFlow::Continue(()) => doors,
                ControlFlow::Break(()) => return Err(IndexError::Stopped),
            }
        }
        #[cfg(feature = "metis")]
        OrderMethod::Metis => {
            let weights: Vec<u32> = cells.doors.iter().map(|door| door.weight as u32).collect();
            dissect_weighted(&weights, cells.adjacent(), options.separators, options.seed)?
        }
        #[cfg(not(feature = "metis"))]
        OrderMethod::Metis => return Err(IndexError::NoMetis("an order by METIS")),
    };
    let samples = |door: u32| offsets[door as usize]..offsets[door as usize + 1];
    Ok(doors.into_iter().flat_map(samples).collect())
}

/// A nested dissection under way.
struct Dissection<'a> {
    options: &'a OrderOptions,
    watch: &'a (dyn Fn(f32) -> ControlFlow<()> + Sync),
    /// Doors that have their rank, out of so many.
    done: AtomicUsize,
    count: usize,
}

impl Dissection<'_> {
    /// Writes down the doors of some cells in order: those of either half, then those between.
    fn part(&self, cells: Cells, order: &mut Vec<u32>) -> ControlFlow<()> {
        if cells.doors.len() <= FEW || cells.len() < 2 {
            by_degree(&cells, order);
            return self.ranked(cells.doors.len());
        }
        let (groups, count) = cells.components();
        if count > 1 {
            let (components, _) = cells.split(&groups, count);
            return components
                .into_iter()
                .try_for_each(|component| self.part(component, order));
        }
        let second = halve(&cells, self.options.separators, self.options.seed);
        let groups: Vec<u32> = second.into_iter().map(u32::from).collect();
        let are_many = cells.len() >= MANY;
        let (mut halves, cut) = cells.split(&groups, 2);
        let second = halves.pop().expect("two halves");
        let first = halves.pop().expect("two halves");
        if are_many {
            let mut after = Vec::with_capacity(second.doors.len());
            let (first, second) =
                rayon::join(|| self.part(first, order), || self.part(second, &mut after));
            first?;
            second?;
            order.append(&mut after);
        } else {
            self.part(first, order)?;
            self.part(second, order)?;
        }
        order.extend(cut.iter().map(|door| door.id));
        self.ranked(cut.len())
    }

    /// Counts doors that have their rank now.
    fn ranked(&self, doors: usize) -> ControlFlow<()> {
        let done = self.done.fetch_add(doors, Ordering::Relaxed) + doors;
        (self.watch)(done as f32 / self.count.max(1) as f32)
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;
    use crate::cells::Door;

    fn cells(count: u32, doors: impl Iterator<Item = [u32; 2]>) -> Cells {
        let doors = doors.zip(0..).map(|(cells, id)| Door {
            cells,
            id,
            weight: 1,
        });
        Cells {
            centres: (0..count)
                .map(|cell| vec3((cell % 70) as f32, 0.0, (cell / 70) as f32))
                .collect(),
            weights: vec![1; count as usize],
            taken: vec![0; count as usize],
            doors: doors.collect(),
        }
    }

    fn ordered(cells: Cells) -> Vec<u32> {
        let count = cells.doors.len() as u32;
        let mut order = Vec::new();
        let dissection = Dissection {
            options: &OrderOptions::default(),
            watch: &|_| ControlFlow::Continue(()),
            done: AtomicUsize::new(0),
            count: cells.doors.len(),
        };
        assert!(dissection.part(cells, &mut order).is_continue());
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..count));
        order
    }

    #[test]
    fn a_star_has_no_halves_and_still_an_order() {
        ordered(cells(30_000, (1..30_000).map(|cell| [0, cell])));
    }

    #[test]
    fn two_cells_with_many_doors_between_them() {
        ordered(cells(2, (0..1000).map(|_| [0, 1])));
    }

    #[test]
    fn many_doors_from_a_cell_to_itself() {
        ordered(cells(1, (0..500).map(|_| [0, 0])));
    }

    #[test]
    fn the_last_door_halves_a_row() {
        let order = ordered(cells(70, (1..70).map(|cell| [cell - 1, cell])));
        assert!((20..50).contains(order.last().unwrap()), "{order:?}");
    }
}
