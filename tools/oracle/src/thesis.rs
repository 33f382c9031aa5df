//! A simple, slow implementation of the neighbour records of the terrain thesis (see docs/terrain.md), as the
//! thesis describes them: stored with every mesh of every layer and updated at every merge. The records of
//! `portolan_terrain::Meshes` must agree with these.

use std::collections::{BTreeMap, BTreeSet};

use portolan_terrain::{EntryPrice, LowGraph, NO_MESH, NO_TRIANGLE};

/// A price and an unweighted distance.
pub type Pair = [f64; 2];

/// Returns the records of each mesh, by neighbour. A neighbour is the highest mesh that contains the other side of
/// a border but not this mesh.
pub fn records(graph: &LowGraph, parents: &[u32], kind: EntryPrice) -> Vec<BTreeMap<u32, Pair>> {
    let mut records = vec![BTreeMap::new(); parents.len()];
    for low in 0..graph.len() as u32 {
        let (neighbours, prices) = graph.crossings(low);
        let unweighted = graph.unweighted(low);
        for edge in (0..3).filter(|&edge| neighbours[edge] != NO_TRIANGLE) {
            let pair = [prices[edge].into(), unweighted[edge].into()];
            keep_cheaper(&mut records[low as usize], neighbours[edge], pair);
        }
    }
    for high in graph.len()..parents.len() {
        merge(&mut records, parents, high as u32, kind);
    }
    records
}

/// Merges meshes until nothing more can be merged, and examines all Top Meshes in every iteration. Returns the Top
/// Mesh of every Low Mesh after each iteration.
pub fn merge_all(graph: &LowGraph, kind: EntryPrice) -> Vec<Vec<u32>> {
    let mut parents = vec![NO_MESH; graph.len()];
    let mut all = self::records(graph, &parents, kind);
    let mut iterations = Vec::new();
    loop {
        let tops: Vec<u32> = (0..parents.len() as u32)
            .filter(|&mesh| parents[mesh as usize] == NO_MESH)
            .collect();
        let unit_price = |a: u32, b: u32| {
            let (there, back) = (all[a as usize][&b], all[b as usize][&a]);
            (there[0] + back[0]) / (there[1] + back[1])
        };
        let lowest_price = |a: u32| {
            let prices = all[a as usize].keys().map(|&b| unit_price(a, b));
            prices.fold(f64::INFINITY, f64::min) * (1.0 + 1e-5)
        };
        let mut groups: Vec<BTreeSet<u32>> = Vec::new();
        for &a in &tops {
            for &b in all[a as usize].keys() {
                if unit_price(a, b) <= lowest_price(a).min(lowest_price(b)) {
                    // All groups that contain a or b become one group.
                    let (touched, mut untouched): (Vec<_>, Vec<_>) = groups
                        .into_iter()
                        .partition(|group| group.contains(&a) || group.contains(&b));
                    untouched.push(touched.into_iter().flatten().chain([a, b]).collect());
                    groups = untouched;
                }
            }
        }
        if groups.is_empty() {
            return iterations;
        }
        for group in groups {
            let high = parents.len() as u32;
            parents.push(NO_MESH);
            all.push(BTreeMap::new());
            group
                .into_iter()
                .for_each(|child| parents[child as usize] = high);
            merge(&mut all, &parents, high, kind);
        }
        let top = |mut mesh: u32| {
            while parents[mesh as usize] != NO_MESH {
                mesh = parents[mesh as usize];
            }
            mesh
        };
        iterations.push((0..graph.len() as u32).map(top).collect());
    }
}

/// Computes the records of a new High Mesh and replaces its children in the records of all other meshes.
fn merge(records: &mut [BTreeMap<u32, Pair>], parents: &[u32], high: u32, kind: EntryPrice) {
    let is_child = |mesh: &u32| parents[*mesh as usize] == high;
    let children: Vec<u32> = (0..high).filter(is_child).collect();
    let entries: BTreeMap<u32, Pair> = children
        .iter()
        .map(|&child| {
            (
                child,
                entry_price(&distances(records, &children, child), child, kind),
            )
        })
        .collect();
    // Forward records: from the new mesh to its neighbours.
    let mut own = BTreeMap::new();
    for &child in &children {
        for (&to, &pair) in &records[child as usize] {
            if !is_child(&to) {
                keep_cheaper(&mut own, to, pair);
            }
        }
    }
    records[high as usize] = own;
    // Reverse records: from meshes of any layer to the new mesh, except from those within it.
    let within: BTreeSet<u32> = (0..=high)
        .filter(|&mesh| is_within(parents, mesh, high))
        .collect();
    for mesh in (0..high).filter(|mesh| !within.contains(mesh)) {
        for child in &children {
            if let Some([price, unweighted]) = records[mesh as usize].remove(child) {
                let entry = entries[child];
                let total = [price + entry[0], unweighted + entry[1]];
                keep_cheaper(&mut records[mesh as usize], high, total);
            }
        }
    }
}

fn is_within(parents: &[u32], mut mesh: u32, high: u32) -> bool {
    while mesh != NO_MESH && mesh < high {
        mesh = parents[mesh as usize];
    }
    mesh == high
}

/// Returns the distances from one child to all children, by relaxing every record until nothing changes.
fn distances(records: &[BTreeMap<u32, Pair>], children: &[u32], from: u32) -> BTreeMap<u32, Pair> {
    let mut all = BTreeMap::from([(from, [0.0, 0.0])]);
    loop {
        let before = all.clone();
        for (&at, &[price, unweighted]) in &before {
            for to in children {
                if let Some(step) = records[at as usize].get(to) {
                    keep_cheaper(&mut all, *to, [price + step[0], unweighted + step[1]]);
                }
            }
        }
        if all == before {
            return all;
        }
    }
}

/// Returns the price of entering the new mesh at a child, from the distances to its siblings.
fn entry_price(distances: &BTreeMap<u32, Pair>, child: u32, kind: EntryPrice) -> Pair {
    let others = distances.iter().filter(|(to, _)| **to != child);
    let others: Vec<Pair> = others.map(|(_, pair)| *pair).collect();
    let worst = |measure: fn(&Pair) -> f64| {
        *others
            .iter()
            .max_by(|a, b| measure(a).total_cmp(&measure(b)))
            .expect("a sibling")
    };
    match kind {
        EntryPrice::Average => {
            let sum = |i: usize| others.iter().map(|pair| pair[i]).sum::<f64>();
            [0, 1].map(|i| sum(i) / others.len() as f64)
        }
        EntryPrice::WorstUnweighted => worst(|pair| pair[1]),
        EntryPrice::WorstWeighted => worst(|pair| pair[0]),
        EntryPrice::WorstUnit => worst(|pair| pair[0] / pair[1]),
    }
}

/// Stores the pair unless a cheaper one is stored already.
fn keep_cheaper(records: &mut BTreeMap<u32, Pair>, to: u32, pair: Pair) {
    let known = records.entry(to).or_insert(pair);
    if pair[0] < known[0] {
        *known = pair;
    }
}

/// Compresses a tree to a number of layers as chapter 6.2 describes it, and evaluates all meshes again in every step.
/// Returns, per mesh that is left, the Low Meshes that it contains.
pub fn compress(parents: &[u32], low_count: usize, layers: usize) -> BTreeSet<BTreeSet<u32>> {
    let mut parents = parents.to_vec();
    let mut is_left = vec![true; parents.len()];
    loop {
        let children = |parents: &[u32], is_left: &[bool], mesh: u32| -> Vec<u32> {
            let all = 0..parents.len() as u32;
            all.filter(|&child| is_left[child as usize] && parents[child as usize] == mesh)
                .collect()
        };
        let mut layers_of = vec![1; parents.len()];
        for mesh in low_count..parents.len() {
            let below = children(&parents, &is_left, mesh as u32);
            let highest = below.iter().map(|&child| layers_of[child as usize]).max();
            layers_of[mesh] = highest.unwrap_or(0) + 1;
        }
        let mut evaluated: BTreeMap<u32, usize> = BTreeMap::new();
        let tops = (0..parents.len() as u32).filter(|&mesh| parents[mesh as usize] == NO_MESH);
        let mut queue: Vec<u32> = tops
            .filter(|&top| layers_of[top as usize] > layers)
            .collect();
        while let Some(mesh) = queue.pop() {
            let below = children(&parents, &is_left, mesh);
            let own = layers_of[mesh as usize];
            let deepest = below
                .iter()
                .filter(|&&child| layers_of[child as usize] + 1 == own);
            queue.extend(deepest.filter(|&&child| child as usize >= low_count));
            if parents[mesh as usize] != NO_MESH && own <= layers + 1 {
                evaluated.insert(mesh, below.len());
            }
        }
        let Some(&lowest) = evaluated.values().min() else {
            let contains = |mesh: u32, low: u32| is_within(&parents, low, mesh);
            let left = (0..parents.len() as u32).filter(|&mesh| is_left[mesh as usize]);
            return left
                .map(|mesh| {
                    (0..low_count as u32)
                        .filter(|&low| contains(mesh, low))
                        .collect()
                })
                .collect();
        };
        let mut has_grown = BTreeSet::new();
        for (&mesh, _) in evaluated.iter().filter(|(_, count)| **count == lowest) {
            if has_grown.contains(&mesh) {
                continue;
            }
            let parent = parents[mesh as usize];
            has_grown.insert(parent);
            for child in children(&parents, &is_left, mesh) {
                parents[child as usize] = parent;
            }
            is_left[mesh as usize] = false;
        }
    }
}
