//! Rounds in which all peers answer the same queries.

use std::time::Instant;

use cpu_time::ThreadTime;
use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::peer::{Answer, Peer};

/// Times of one query of one peer. [Units: µs]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Micros {
    /// Wall time of the whole query.
    pub(crate) whole: f64,
    /// CPU time of the thread for it.
    pub(crate) cpu: f64,
    pub(crate) locate: f64,
    pub(crate) corridor: f64,
    pub(crate) waypoints: f64,
}

/// Who follows whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// After every query it is the next peer's turn: whatever disturbs the machine hits all alike,
    /// and each finds the caches full of what the others needed, as it does in a game.
    #[default]
    ByQuery,
    /// A peer answers all queries of a round before the next peer: caches are its own.
    ByPeer,
}

/// What a run measured, per peer and query.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) answers: Vec<Vec<Answer>>,
    /// Medians of the rounds, each time for itself.
    pub(crate) micros: Vec<Vec<Micros>>,
}

/// Asks every peer every query: once for the answers, which also warms up, and then in rounds for the
/// times.
pub(crate) fn run(
    peers: &mut [Box<dyn Peer>],
    queries: &[[Vec3; 2]],
    rounds: u32,
    order: Order,
) -> Measured {
    let answers = peers
        .iter_mut()
        .map(|peer| {
            let ask = |&[from, to]: &[Vec3; 2]| {
                let mut answer = Answer::default();
                peer.ask(from, to, &mut answer);
                answer
            };
            queries.iter().map(ask).collect()
        })
        .collect();

    let mut times = vec![vec![Vec::with_capacity(rounds as usize); queries.len()]; peers.len()];
    let mut answer = Answer::default();
    for round in 0..rounds as usize {
        for (peer, query) in turns(order, round, peers.len(), queries.len()) {
            if order == Order::ByPeer && query == 0 {
                // Not timed: the caches are still full of what the one before needed, and a thousand
                // queries of some microseconds are over before that is out of the way.
                for &[from, to] in queries {
                    peers[peer].ask(from, to, &mut answer);
                }
            }
            let micros = timed(&mut *peers[peer], queries[query], &mut answer);
            times[peer][query].push(micros);
        }
    }
    let medians = |queries: Vec<Vec<Micros>>| queries.iter().map(|t| medians(t)).collect();
    let mut micros: Vec<Vec<Micros>> = times.into_iter().map(medians).collect();
    // In a round of its own: the CPU clock is a call of the kernel, which slows down what comes after it.
    // Read around each query, it made those of our contraction on vaduz take 12.8 µs and not 11.8.
    let clock = cpu_clock_micros();
    for (peer, query) in turns(order, rounds as usize, peers.len(), queries.len()) {
        let cpu = cpu_time(&mut *peers[peer], queries[query], &mut answer);
        micros[peer][query].cpu = (cpu - clock).max(0.0);
    }
    Measured { answers, micros }
}

/// The turns of a round: pairs of peer and query. The peers take turns at being first, now forwards,
/// now backwards. By query, each is at a place of its own in the list of queries: nobody comes upon
/// points that somebody else has just looked at.
fn turns(
    order: Order,
    round: usize,
    peers: usize,
    queries: usize,
) -> impl Iterator<Item = (usize, usize)> {
    let (outer, inner) = match order {
        Order::ByQuery => (queries, peers),
        Order::ByPeer => (peers, queries),
    };
    (0..outer).flat_map(move |i| {
        (0..inner).map(move |j| {
            let (turn, first) = match order {
                Order::ByQuery => (j, i + round),
                Order::ByPeer => (i, round),
            };
            let peer = if first.is_multiple_of(2) {
                first + turn
            } else {
                first + peers - turn
            } % peers;
            let query = match order {
                Order::ByQuery => (i + peer * queries / peers) % queries,
                Order::ByPeer => j,
            };
            (peer, query)
        })
    })
}

/// All but the CPU time.
fn timed(peer: &mut dyn Peer, [from, to]: [Vec3; 2], answer: &mut Answer) -> Micros {
    let wall = Instant::now();
    peer.ask(from, to, answer);
    let wall = wall.elapsed().as_nanos() as u64;
    let wall = answer.own_clocks.map_or(wall, |own| own.wall);
    Micros {
        whole: micros(wall),
        cpu: 0.0,
        locate: micros(answer.parts.locate),
        corridor: micros(answer.parts.corridor),
        waypoints: micros(answer.parts.waypoints),
    }
}

/// The CPU time of a query, in microseconds, with that of reading the clock.
fn cpu_time(peer: &mut dyn Peer, [from, to]: [Vec3; 2], answer: &mut Answer) -> f64 {
    let cpu = ThreadTime::now();
    peer.ask(from, to, answer);
    let cpu = cpu.elapsed().as_nanos() as u64;
    micros(answer.own_clocks.map_or(cpu, |own| own.cpu))
}

fn micros(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e3
}

/// What two readings of the CPU clock differ by when nothing happens between them. The median of many.
pub(crate) fn cpu_clock_micros() -> f64 {
    let reading = || ThreadTime::now().elapsed().as_secs_f64() * 1e6;
    median((0..10_001).map(|_| reading()))
}

/// The median of each time for itself.
pub(crate) fn medians(rounds: &[Micros]) -> Micros {
    let median = |time: fn(&Micros) -> f64| median(rounds.iter().map(time));
    Micros {
        whole: median(|m| m.whole),
        cpu: median(|m| m.cpu),
        locate: median(|m| m.locate),
        corridor: median(|m| m.corridor),
        waypoints: median(|m| m.waypoints),
    }
}

/// The middle one; the higher of two. Of nothing: 0.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// Minimum, mean, median, 99th percentile and maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spread {
    pub(crate) min: f64,
    pub(crate) mean: f64,
    pub(crate) median: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

impl Spread {
    /// `None` of nothing.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.collect();
        sorted.sort_by(f64::total_cmp);
        let &max = sorted.last()?;
        // The smallest value that the given share does not exceed.
        let rank = |share: f64| sorted[((sorted.len() as f64 * share).ceil() as usize).max(1) - 1];
        Some(Self {
            min: sorted[0],
            mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
            median: rank(0.5),
            p99: rank(0.99),
            max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_peer_answers_every_query_once_a_round_and_all_come_first_alike() {
        for order in [Order::ByQuery, Order::ByPeer] {
            let mut firsts = [0; 3];
            for round in 0..6 {
                let mut turns: Vec<_> = turns(order, round, 3, 4).collect();
                firsts[turns[0].0] += 1;
                turns.sort_unstable();
                let all: Vec<_> = (0..3).flat_map(|p| (0..4).map(move |q| (p, q))).collect();
                assert_eq!(turns, all);
            }
            assert_eq!(firsts, [2; 3]);
        }
    }

    #[test]
    fn medians_and_spreads_by_hand() {
        assert_eq!(median([3.0, 9.0, 1.0].into_iter()), 3.0);
        let spread = Spread::of((1..=200).rev().map(f64::from)).unwrap();
        assert_eq!(
            (spread.mean, spread.median, spread.p99, spread.max),
            (100.5, 100.0, 198.0, 200.0)
        );
        assert_eq!(Spread::of(std::iter::empty()), None);
    }
}
