//! Rounds of measurements. In a round, every contender answers every query once. A contender is an engine, a
//! library or any other implementation to measure.

use std::time::Duration;

use rayon::prelude::*;

use crate::statistics::mean_of_medians;
use crate::stopwatch::{Stopwatch, micros};

/// The number of queries that a contender answers untimed before its first round, so that its buffers grow.
const WARM_UP_QUERIES: usize = 3;

/// The number of rounds that every contender does, even if they take longer than [`Rounds::patience`].
const MIN_ROUNDS: usize = 2;

/// The order of contenders and queries in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Contenders alternate after every query. A disturbance of the machine affects all of them, and each
    /// finds the caches filled by the others, as in a game.
    ByQuery,
    /// A contender answers all queries of a round before the next contender starts. It has the caches to
    /// itself, as in a server that only finds paths.
    ByContender {
        /// Whether a contender answers all queries untimed before each of its rounds. Otherwise, a contender
        /// that reads the same arrays as the one before it would have an advantage.
        is_warm: bool,
    },
}

/// One answer of one contender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// The index of the contender.
    pub contender: usize,
    /// The index of the query.
    pub query: usize,
}

/// The number and the order of rounds.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    /// The number of rounds. [Limit: >= 1; 0 means 1] More rounds reduce noise and take longer.
    pub count: usize,
    /// The order of contenders and queries in a round.
    pub order: Order,
    /// The time limit per contender. After it, a contender does no further rounds, but always at least two.
    /// It has no effect with [`Order::ByQuery`]. `None` means no limit.
    pub patience: Option<Duration>,
}

/// Measured values by contender, query and round.
pub type RoundSamples<T> = Vec<Vec<Vec<T>>>;

impl Rounds {
    /// Creates rounds in which every contender answers all queries, with warm caches, before the next starts.
    pub fn by_contender(count: usize) -> Self {
        Self {
            count,
            order: Order::ByContender { is_warm: true },
            patience: None,
        }
    }

    /// Times `answer` for every turn and returns the time per query of each contender in microseconds. This is
    /// the mean over the queries of the median over the rounds.
    pub fn mean_micros(
        &self,
        contenders: usize,
        queries: usize,
        mut answer: impl FnMut(Turn),
    ) -> Vec<f64> {
        let samples = self.run(contenders, queries, |turn| {
            let mut watch = Stopwatch::start();
            answer(turn);
            micros(watch.lap())
        });
        samples
            .iter()
            .map(|samples| mean_of_medians(samples))
            .collect()
    }

    /// Calls `answer` for every turn on this thread and returns the values that it returns. Values of untimed
    /// turns are dropped.
    pub fn run<T>(
        &self,
        contenders: usize,
        queries: usize,
        mut answer: impl FnMut(Turn) -> T,
    ) -> RoundSamples<T> {
        for contender in 0..contenders {
            for query in 0..queries.min(WARM_UP_QUERIES) {
                answer(Turn { contender, query });
            }
        }
        let mut samples = self.empty_samples(contenders, queries);
        let mut spent = vec![Duration::ZERO; contenders];
        for round in 0..self.count.max(1) {
            let turns: Vec<Turn> = turns(self.order, round, contenders, queries).collect();
            for turns in turns.chunks(self.consecutive_turns(contenders, queries)) {
                let first = turns[0].contender;
                if round >= MIN_ROUNDS && self.patience.is_some_and(|limit| spent[first] > limit) {
                    continue;
                }
                if self.is_warm() {
                    turns.iter().for_each(|&turn| drop(answer(turn)));
                }
                let mut watch = Stopwatch::start();
                for &turn in turns {
                    samples[turn.contender][turn.query].push(answer(turn));
                }
                if let Order::ByContender { .. } = self.order {
                    spent[first] += watch.lap();
                }
            }
        }
        samples
    }

    /// Calls `answer` for every turn on the threads of the current rayon pool. Each thread has a state of its
    /// own, which `new_state` creates. This ignores [`patience`](Self::patience).
    pub fn run_on_pool<S, T: Send>(
        &self,
        contenders: usize,
        queries: usize,
        new_state: impl Fn() -> S + Sync + Send,
        answer: impl Fn(&mut S, Turn) -> T + Sync + Send,
    ) -> RoundSamples<T> {
        let mut samples = self.empty_samples(contenders, queries);
        for round in 0..self.count.max(1) {
            let turns: Vec<Turn> = turns(self.order, round, contenders, queries).collect();
            let run_chunk = |state: &mut S, turns: &[Turn]| {
                if self.is_warm() {
                    turns.iter().for_each(|&turn| drop(answer(state, turn)));
                }
                turns
                    .iter()
                    .map(|&turn| answer(state, turn))
                    .collect::<Vec<T>>()
            };
            let measured: Vec<Vec<T>> = turns
                .par_chunks(self.consecutive_turns(contenders, queries))
                .map_init(&new_state, run_chunk)
                .collect();
            for (turn, sample) in turns.iter().zip(measured.into_iter().flatten()) {
                samples[turn.contender][turn.query].push(sample);
            }
        }
        samples
    }

    fn is_warm(&self) -> bool {
        self.order == Order::ByContender { is_warm: true }
    }

    /// Returns the number of consecutive turns on one thread: one of every contender, or all of one
    /// contender. It is at least 1.
    fn consecutive_turns(&self, contenders: usize, queries: usize) -> usize {
        match self.order {
            Order::ByQuery => contenders.max(1),
            Order::ByContender { .. } => queries.max(1),
        }
    }

    fn empty_samples<T>(&self, contenders: usize, queries: usize) -> RoundSamples<T> {
        let of_query = || Vec::with_capacity(self.count);
        let of_contender = || (0..queries).map(|_| of_query()).collect();
        (0..contenders).map(|_| of_contender()).collect()
    }
}

/// Returns the turns of a round. The first contender changes from round to round, and the order of contenders
/// alternates between forwards and backwards. With [`Order::ByQuery`], each contender starts at another query, so that
/// no contender benefits from memory that another has just read for the same points.
pub fn turns(
    order: Order,
    round: usize,
    contenders: usize,
    queries: usize,
) -> impl Iterator<Item = Turn> {
    let (outer, inner) = match order {
        Order::ByQuery => (queries, contenders),
        Order::ByContender { .. } => (contenders, queries),
    };
    (0..outer).flat_map(move |i| {
        (0..inner).map(move |j| {
            let (turn, first) = match order {
                Order::ByQuery => (j, i + round),
                Order::ByContender { .. } => (i, round),
            };
            let contender = if first.is_multiple_of(2) {
                first + turn
            } else {
                // Adding `contenders` avoids an underflow: `turn` is less than `contenders`.
                first + contenders - turn
            } % contenders;
            let query = match order {
                Order::ByQuery => (i + contender * queries / contenders) % queries,
                Order::ByContender { .. } => j,
            };
            Turn { contender, query }
        })
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::thread::sleep;

    use super::*;

    const ORDERS: [Order; 3] = [
        Order::ByQuery,
        Order::ByContender { is_warm: false },
        Order::ByContender { is_warm: true },
    ];

    fn rounds(count: usize, order: Order) -> Rounds {
        Rounds {
            count,
            order,
            patience: None,
        }
    }

    #[test]
    fn a_round_has_every_turn_once_and_each_contender_is_first_equally_often() {
        for order in ORDERS {
            let mut firsts = [0; 3];
            for round in 0..6 {
                let mut turns: Vec<Turn> = turns(order, round, 3, 4).collect();
                firsts[turns[0].contender] += 1;
                turns.sort_unstable();
                let all =
                    (0..3).flat_map(|contender| (0..4).map(move |query| Turn { contender, query }));
                assert_eq!(turns, all.collect::<Vec<_>>());
            }
            assert_eq!(firsts, [2; 3]);
        }
    }

    #[test]
    fn by_query_consecutive_turns_have_different_queries() {
        let turns: Vec<Turn> = turns(Order::ByQuery, 0, 3, 12).collect();
        assert!(turns.windows(2).all(|pair| pair[0].query != pair[1].query));
    }

    #[test]
    fn samples_are_stored_by_contender_and_query() {
        for order in ORDERS {
            let expected: RoundSamples<Turn> = (0..3)
                .map(|contender| {
                    let of_query = |query| vec![Turn { contender, query }; 5];
                    (0..4).map(of_query).collect()
                })
                .collect();
            assert_eq!(rounds(5, order).run(3, 4, |turn| turn), expected);
            let on_pool = rounds(5, order).run_on_pool(3, 4, || (), |(), turn| turn);
            assert_eq!(on_pool, expected);
        }
    }

    #[test]
    fn a_warm_round_answers_every_query_twice() {
        let count = |order| {
            let calls = Cell::new(0);
            rounds(2, order).run(1, 10, |_| calls.set(calls.get() + 1));
            calls.get()
        };
        assert_eq!(count(Order::ByContender { is_warm: false }), 3 + 20);
        assert_eq!(count(Order::ByContender { is_warm: true }), 3 + 40);
    }

    #[test]
    fn a_slow_contender_does_two_rounds() {
        let rounds = Rounds {
            patience: Some(Duration::from_millis(2)),
            ..rounds(4, Order::ByContender { is_warm: false })
        };
        let samples = rounds.run(2, 1, |turn| {
            if turn.contender == 1 {
                sleep(Duration::from_millis(3));
            }
        });
        assert_eq!((samples[0][0].len(), samples[1][0].len()), (4, 2));
    }

    #[test]
    fn there_are_no_samples_without_contenders_or_queries() {
        for order in ORDERS {
            assert!(rounds(2, order).run(0, 5, |_| ()).is_empty());
            assert_eq!(
                rounds(2, order).run(2, 0, |_| ()),
                vec![Vec::<Vec<()>>::new(); 2]
            );
            assert!(
                rounds(2, order)
                    .run_on_pool(0, 5, || (), |_, _| ())
                    .is_empty()
            );
        }
    }
}
