//! Halving many cells: in a small likeness of them, and then closer and closer (Hendrickson and Leland
//! 1995, "A multilevel algorithm for partitioning graphs"), with flows that mend the cut.

use glam::Vec3;
use rayon::prelude::*;

use crate::cells::{Cells, Door};
use crate::flow::{FREE, Halves, Net, SINK, SOURCE, halve_along};

/// Few cells, which are halved as they are. With more, orders take longer; those of `rooms` get a little
/// better, as they do with more tries, and those of `open` do not.
const FEW: usize = 1000;

/// How far from a cut a lighter one may lie. [Units: cells]
const REACH: usize = 12;

/// Halves connected cells, of which there are at least two; neither half is empty. Many are halved
/// `tries` times, and the best halves stay.
pub(crate) fn halve(cells: &Cells, tries: u32, seed: u64) -> Vec<bool> {
    let net = Net::new(cells);
    let tries = if cells.len() > FEW { tries } else { 1 };
    let all: Vec<Halves> = (0..tries)
        .into_par_iter()
        .map(|number| halve_net(&net, seed.wrapping_add(number.into())))
        .collect();
    let best = all.into_iter().min_by(|a, b| a.score.total_cmp(&b.score));
    best.expect("one try at least").second
}

fn halve_net(net: &Net<'_>, seed: u64) -> Halves {
    let count = net.cells.len();
    if count > FEW {
        let (clusters, coarse) = coarsened(net, seed);
        // A star has next to no pairs.
        if coarse.len() < count - count / 10 {
            let halves = halve_net(&Net::new(&coarse), seed).second;
            let second: Vec<bool> = clusters.iter().map(|&at| halves[at as usize]).collect();
            return mended(net, &second);
        }
    }
    halve_along(net)
}

/// A number for each cell, without a pattern.
fn shuffled(cell: u32, seed: u64) -> u32 {
    let mixed = (u64::from(cell) ^ seed.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}

/// Cells beside each other in pairs, as one cell each: the cluster of every cell, and the clusters.
fn coarsened(net: &Net<'_>, seed: u64) -> (Vec<u32>, Cells) {
    const NONE: u32 = u32::MAX;
    let cells = net.cells;
    let mut clusters = vec![NONE; cells.len()];
    let mut members: Vec<[u32; 2]> = Vec::with_capacity(cells.len() / 2);
    for cell in 0..cells.len() as u32 {
        if clusters[cell as usize] != NONE {
            continue;
        }
        // Heavy doors first, and light cells; many are equal.
        let mut best = (0.0, 0, cell);
        for arc in net.arcs(cell) {
            if clusters[arc.to as usize] == NONE && arc.to != cell {
                let door = f64::from(cells.doors[(arc.way >> 1) as usize].weight);
                let rating = door * door / f64::from(cells.weights[arc.to as usize]);
                let rating = (rating, shuffled(arc.to, seed));
                if rating > (best.0, best.1) {
                    best = (rating.0, rating.1, arc.to);
                }
            }
        }
        for member in [cell, best.2] {
            clusters[member as usize] = members.len() as u32;
        }
        members.push([cell, best.2]);
    }
    let mut coarse = Cells {
        taken: vec![0; members.len()],
        ..Cells::default()
    };
    // Per cluster, the last door that leads there.
    let mut doors_to = vec![NONE; members.len()];
    for (&[a, b], cluster) in members.iter().zip(0..) {
        let both = if a == b { &[a][..] } else { &[a, b] };
        let first = coarse.doors.len();
        let (mut weight, mut centre) = (0, Vec3::ZERO);
        for &cell in both {
            let own = cells.weights[cell as usize];
            weight += own;
            centre += cells.centres[cell as usize] * own as f32;
            for arc in net.arcs(cell) {
                let to = clusters[arc.to as usize];
                if to <= cluster {
                    continue;
                }
                let known = doors_to[to as usize];
                let weight = cells.doors[(arc.way >> 1) as usize].weight;
                if known != NONE && known as usize >= first {
                    coarse.doors[known as usize].weight += weight;
                } else {
                    doors_to[to as usize] = coarse.doors.len() as u32;
                    coarse.doors.push(Door {
                        cells: [cluster, to],
                        id: 0,
                        weight,
                    });
                }
            }
        }
        coarse.weights.push(weight);
        coarse.centres.push(centre / weight as f32);
    }
    (clusters, coarse)
}

/// The lightest cut near the one between the halves.
fn mended(net: &Net<'_>, second: &[bool]) -> Halves {
    let count = second.len();
    let mut kinds: Vec<u8> = second
        .iter()
        .map(|&is| if is { SINK } else { SOURCE })
        .collect();
    let mut sizes = [0u64; 2];
    for (&is, &weight) in second.iter().zip(&net.cells.weights) {
        sizes[usize::from(is)] += u64::from(weight);
    }
    // Half of a half, at most, is free.
    let mut left = sizes.map(|size| size / 2);
    let mut edge: Vec<u32> = (0..count as u32)
        .filter(|&cell| {
            let mut beside = net.arcs(cell).iter();
            beside.any(|arc| second[arc.to as usize] != second[cell as usize])
        })
        .collect();
    for _ in 0..REACH {
        let mut next = Vec::new();
        for &cell in &edge {
            let weight = u64::from(net.cells.weights[cell as usize]);
            let left = &mut left[usize::from(second[cell as usize])];
            if kinds[cell as usize] == FREE || *left < weight {
                continue;
            }
            *left -= weight;
            kinds[cell as usize] = FREE;
            next.extend(net.arcs(cell).iter().map(|arc| arc.to));
        }
        edge = next;
    }
    let halves = net.part(&kinds, f64::INFINITY);
    halves.expect("there is no bound")
}
