//! Compares flows with those of the Ford-Fulkerson algorithm on a matrix of capacities.

use oorandom::Rand32;
use proptest::prelude::*;

use super::*;

/// A slow maximum flow. Returns its amount, and whether the source reaches each node and each node reaches the
/// sink in the residual network. The source and the sink are the last two nodes.
fn slow_flow(mut capacities: Vec<Vec<i32>>) -> (i64, Vec<[bool; 2]>) {
    let count = capacities.len();
    let [source, sink] = [count - 2, count - 1];
    let mut total = 0;
    // Returns the nodes that `from` reaches, each with the node before it.
    let reached = |capacities: &[Vec<i32>], from: usize, is_reverse: bool| {
        let mut before = vec![None; count];
        before[from] = Some(from);
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for (to, before) in before.iter_mut().enumerate() {
                let [a, b] = if is_reverse { [to, node] } else { [node, to] };
                if before.is_none() && capacities[a][b] > 0 {
                    *before = Some(node);
                    queue.push_back(to);
                }
            }
        }
        before
    };
    loop {
        let before = reached(&capacities, source, false);
        if before[sink].is_none() {
            let after = reached(&capacities, sink, true);
            let sides = before.iter().zip(&after);
            let sides = sides.map(|(before, after)| [before.is_some(), after.is_some()]);
            return (total, sides.collect());
        }
        let mut node = sink;
        while node != source {
            let from = before[node].expect("a node on the path");
            capacities[from][node] -= 1;
            capacities[node][from] += 1;
            node = from;
        }
        total += 1;
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    /// A few nodes in a row with short edges have long paths, so that nodes often lose their parents.
    #[test]
    fn flows_equal_those_of_a_slow_algorithm(count in 1usize..40, span in 1usize..40, seed: u64) {
        let mut random = Rand32::new(seed);
        let mut any = |end: usize| random.rand_range(0..end as u32) as usize;
        let mut edges = Vec::new();
        for _ in 0..any(4 * count + 1) {
            let a = any(count);
            let b = (a + any(span) + 1) % count;
            if a != b {
                edges.push(([a as u32, b as u32], 1 + any(6) as i32));
            }
        }
        let terminals: Vec<i32> = (0..count).map(|_| any(25) as i32 - 12).collect();
        let terminals: Vec<i32> = terminals
            .into_iter()
            .map(|terminal| if terminal.abs() < 7 { 0 } else { terminal })
            .collect();
        let mut degrees = vec![0; count];
        let mut capacities = vec![vec![0; count + 2]; count + 2];
        for &([a, b], capacity) in &edges {
            for (from, to) in [(a, b), (b, a)] {
                degrees[from as usize] += 1;
                capacities[from as usize][to as usize] += capacity;
            }
        }
        for (node, &terminal) in terminals.iter().enumerate() {
            capacities[count][node] = terminal.max(0);
            capacities[node][count + 1] = (-terminal).max(0);
        }
        let (total, sides) = slow_flow(capacities);
        let network = || MaxFlow::new(&degrees, &terminals, |add| {
            edges.iter().for_each(|&(ends, capacity)| add(ends, capacity));
        });
        let mut flow = network();
        prop_assert_eq!(flow.run(|_| false), Some(total));
        for (tree, sides) in flow.trees().zip(sides) {
            prop_assert_eq!([tree == FlowTree::Source, tree == FlowTree::Sink], sides);
        }
        prop_assert_eq!(network().run(|flow| flow >= total.max(1)), (total == 0).then_some(0));
        prop_assert_eq!(network().run(|flow| flow > total), Some(total));
    }
}
