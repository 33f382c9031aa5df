//! Measurement of all peers on the same queries, in rounds.

use cpu_time::ThreadTime;
use glam::Vec3;
use portolan_measure::{Order, Rounds, Stopwatch, Turn, median, turns};
use serde::{Deserialize, Serialize};

use crate::peer::{Peer, PeerAnswer};

/// The times of one query of one peer. [Units: µs]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Micros {
    /// Wall time of the complete query.
    pub(crate) total: f64,
    /// CPU time of the thread for the complete query.
    pub(crate) cpu: f64,
    pub(crate) locate: f64,
    pub(crate) corridor: f64,
    pub(crate) waypoints: f64,
}

/// The results of a run, per peer and query.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) answers: Vec<Vec<PeerAnswer>>,
    /// The median of each time over the rounds.
    pub(crate) micros: Vec<Vec<Micros>>,
}

/// Runs every query with every peer: once for the answers, which also warms up the caches, then in rounds for the wall
/// times, and once more for the CPU times.
pub(crate) fn run(
    peers: &mut [Box<dyn Peer>],
    queries: &[[Vec3; 2]],
    rounds: u32,
    order: Order,
) -> Measured {
    let answers = peers
        .iter_mut()
        .map(|peer| {
            let find_answer = |&[from, to]: &[Vec3; 2]| {
                let mut answer = PeerAnswer::default();
                peer.query(from, to, &mut answer);
                answer
            };
            queries.iter().map(find_answer).collect()
        })
        .collect();

    let mut answer = PeerAnswer::default();
    let in_rounds = Rounds {
        count: rounds as usize,
        order,
        patience: None,
    };
    let times = in_rounds.run(peers.len(), queries.len(), |turn| {
        timed(
            &mut *peers[turn.contender],
            queries[turn.query],
            &mut answer,
        )
    });
    let medians = |queries: Vec<Vec<Micros>>| queries.iter().map(|t| medians(t)).collect();
    let mut micros: Vec<Vec<Micros>> = times.into_iter().map(medians).collect();
    // CPU time has its own round, because reading its clock is a system call that slows down the code after it.
    let clock = cpu_clock_micros();
    for Turn { contender, query } in turns(order, rounds as usize, peers.len(), queries.len()) {
        let cpu = cpu_time(&mut *peers[contender], queries[query], &mut answer);
        micros[contender][query].cpu = (cpu - clock).max(0.0);
    }
    Measured { answers, micros }
}

/// Measures the wall times of a query.
fn timed(peer: &mut dyn Peer, [from, to]: [Vec3; 2], answer: &mut PeerAnswer) -> Micros {
    let mut watch = Stopwatch::start();
    peer.query(from, to, answer);
    let wall = watch.lap_ns();
    let wall = answer.own_clocks.map_or(wall, |own| own.wall);
    Micros {
        total: micros(wall),
        cpu: 0.0,
        locate: micros(answer.times.locate),
        corridor: micros(answer.times.corridor),
        waypoints: micros(answer.times.waypoints),
    }
}

/// Measures the CPU time of a query in microseconds, the time to read the clock included.
fn cpu_time(peer: &mut dyn Peer, [from, to]: [Vec3; 2], answer: &mut PeerAnswer) -> f64 {
    let cpu = ThreadTime::now();
    peer.query(from, to, answer);
    let cpu = cpu.elapsed().as_nanos() as u64;
    micros(answer.own_clocks.map_or(cpu, |own| own.cpu))
}

fn micros(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e3
}

/// Measures the time to read the CPU clock, as the median difference of two consecutive readings. [Units: µs]
pub(crate) fn cpu_clock_micros() -> f64 {
    let reading = || ThreadTime::now().elapsed().as_secs_f64() * 1e6;
    median((0..10_001).map(|_| reading()))
}

/// Returns the median of each time over the rounds.
pub(crate) fn medians(rounds: &[Micros]) -> Micros {
    let median = |time: fn(&Micros) -> f64| median(rounds.iter().map(time));
    Micros {
        total: median(|m| m.total),
        cpu: median(|m| m.cpu),
        locate: median(|m| m.locate),
        corridor: median(|m| m.corridor),
        waypoints: median(|m| m.waypoints),
    }
}
