//! Rounds in which all peers answer the same queries.

use cpu_time::ThreadTime;
use glam::Vec3;
use portolan_measure::{Order, Rounds, Stopwatch, Turn, median, turns};
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

    let mut answer = Answer::default();
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
    // In a round of its own: the CPU clock is a call of the kernel, which slows down what comes after it.
    // Read around each query, it made those of our contraction on vaduz take 12.8 µs and not 11.8.
    let clock = cpu_clock_micros();
    for Turn { contender, query } in turns(order, rounds as usize, peers.len(), queries.len()) {
        let cpu = cpu_time(&mut *peers[contender], queries[query], &mut answer);
        micros[contender][query].cpu = (cpu - clock).max(0.0);
    }
    Measured { answers, micros }
}

/// All but the CPU time.
fn timed(peer: &mut dyn Peer, [from, to]: [Vec3; 2], answer: &mut Answer) -> Micros {
    let mut watch = Stopwatch::start();
    peer.ask(from, to, answer);
    let wall = watch.lap_ns();
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
