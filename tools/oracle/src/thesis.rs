//! The records of the thesis as it describes them, kept with every mesh of every layer and updated merge by
//! merge. Slow and plain: what the records of `Meshes` have to add up to.

use std::collections::{BTreeMap, BTreeSet};

use portolan_terrain::{EntryPrice, LowGraph, NO_MESH, NO_TRIANGLE};

/// A price and a plain distance.
pub type Pair = [f64; 2];

/// Per mesh its neighbours: the highest mesh that holds the other side and not this one.
pub fn records(graph: &LowGraph, parents: &[u32], kind: EntryPrice) -> Vec<BTreeMap<u32, Pair>> {
    let mut records = vec![BTreeMap::new(); parents.len()];
    for low in 0..graph.len() as u32 {
        let (neighbours, prices) = graph.crossings(low);
        let plain = graph.unweighted(low);
        for edge in (0..3).filter(|&edge| neighbours[edge] != NO_TRIANGLE) {
            let pair = [prices[edge].into(), plain[edge].into()];
            cheaper(&mut records[low as usize], neighbours[edge], pair);
        }
    }
    for high in graph.len()..parents.len() {
        merge(&mut records, parents, high as u32, kind);
    }
    records
}

/// Merges everything, looking at all tops in every iteration: after each, the top of every Low Mesh.
pub fn merge_all(graph: &LowGraph, kind: EntryPrice) -> Vec<Vec<u32>> {
    let mut parents = vec![NO_MESH; graph.len()];
    let mut all = self::records(graph, &parents, kind);
    let mut steps = Vec::new();
    loop {
        let tops: Vec<u32> = (0..parents.len() as u32)
            .filter(|&mesh| parents[mesh as usize] == NO_MESH)
            .collect();
        let unit = |a: u32, b: u32| {
            let (there, back) = (all[a as usize][&b], all[b as usize][&a]);
            (there[0] + back[0]) / (there[1] + back[1])
        };
        let nearest = |a: u32| {
            let units = all[a as usize].keys().map(|&b| unit(a, b));
            units.fold(f64::INFINITY, f64::min) * (1.0 + 1e-5)
        };
        let mut groups: Vec<BTreeSet<u32>> = Vec::new();
        for &a in &tops {
            for &b in all[a as usize].keys() {
                if unit(a, b) <= nearest(a).min(nearest(b)) {
                    // Everything that meets a or b becomes one.
                    let (touched, mut rest): (Vec<_>, Vec<_>) = groups
                        .into_iter()
                        .partition(|group| group.contains(&a) || group.contains(&b));
                    rest.push(touched.into_iter().flatten().chain([a, b]).collect());
                    groups = rest;
                }
            }
        }
        if groups.is_empty() {
            return steps;
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
        steps.push((0..graph.len() as u32).map(top).collect());
    }
}

fn merge(records: &mut [BTreeMap<u32, Pair>], parents: &[u32], high: u32, kind: EntryPrice) {
    let is_child = |mesh: &u32| parents[*mesh as usize] == high;
    let children: Vec<u32> = (0..high).filter(is_child).collect();
    let entries: BTreeMap<u32, Pair> = children
        .iter()
        .map(|&child| {
            (
                child,
                rest(&distances(records, &children, child), child, kind),
            )
        })
        .collect();
    // Forward records.
    let mut own = BTreeMap::new();
    for &child in &children {
        for (&to, &pair) in &records[child as usize] {
            if !is_child(&to) {
                cheaper(&mut own, to, pair);
            }
        }
    }
    records[high as usize] = own;
    // Reverse records, of any layer; but not of what lies within the new mesh.
    let within: BTreeSet<u32> = (0..=high)
        .filter(|&mesh| is_within(parents, mesh, high))
        .collect();
    for mesh in (0..high).filter(|mesh| !within.contains(mesh)) {
        for child in &children {
            if let Some([price, plain]) = records[mesh as usize].remove(child) {
                let entry = entries[child];
                let whole = [price + entry[0], plain + entry[1]];
                cheaper(&mut records[mesh as usize], high, whole);
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

/// From one child to all of them, by trying every step until nothing gets cheaper.
fn distances(records: &[BTreeMap<u32, Pair>], children: &[u32], from: u32) -> BTreeMap<u32, Pair> {
    let mut all = BTreeMap::from([(from, [0.0, 0.0])]);
    loop {
        let before = all.clone();
        for (&at, &[price, plain]) in &before {
            for to in children {
                if let Some(step) = records[at as usize].get(to) {
                    cheaper(&mut all, *to, [price + step[0], plain + step[1]]);
                }
            }
        }
        if all == before {
            return all;
        }
    }
}

fn rest(distances: &BTreeMap<u32, Pair>, child: u32, kind: EntryPrice) -> Pair {
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
            let sum = |of: usize| others.iter().map(|pair| pair[of]).sum::<f64>();
            [0, 1].map(|of| sum(of) / others.len() as f64)
        }
        EntryPrice::WorstUnweighted => worst(|pair| pair[1]),
        EntryPrice::WorstWeighted => worst(|pair| pair[0]),
        EntryPrice::WorstUnit => worst(|pair| pair[0] / pair[1]),
    }
}

fn cheaper(records: &mut BTreeMap<u32, Pair>, to: u32, pair: Pair) {
    let known = records.entry(to).or_insert(pair);
    if pair[0] < known[0] {
        *known = pair;
    }
}
