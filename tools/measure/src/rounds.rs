//! Rounds, in which every contender answers every query once.

use std::time::Duration;

use rayon::prelude::*;

use crate::statistics::mean_of_medians;
use crate::stopwatch::{Stopwatch, micros};

/// Queries that a contender answers untimed before its first round: its buffers grow.
const FIRST_QUERIES: usize = 3;

/// Rounds that every contender does, however long they take.
const MIN_ROUNDS: usize = 2;

/// Whose turn follows whose in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// After every query it is the next contender's turn. Whatever disturbs the machine meets all of
    /// them, and each finds the caches full of what the others needed, as in a game.
    ByQuery,
    /// A contender answers all queries of a round before the next contender begins. The caches are its
    /// own, as where one path-finder serves many agents.
    ByContender {
        /// Whether a contender answers all queries untimed before each of its rounds. Without that, a
        /// contender that reads the same arrays as the one before it is up to twice as fast.
        is_warm: bool,
    },
}

/// One answer to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// The index of the contender.
    pub contender: usize,
    /// The index of the query.
    pub query: usize,
}

/// How many rounds there are and in which order.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    /// [Limit: >= 1; 0 is taken for 1]
    pub count: usize,
    /// Whose turn follows whose.
    pub order: Order,
    /// A contender whose timed answers have taken longer than this does no more than two rounds. By
    /// query, all do all rounds. `None` is without limit.
    pub patience: Option<Duration>,
}

/// What was measured: by contender, by query, by round.
pub type Samples<T> = Vec<Vec<Vec<T>>>;

impl Rounds {
    /// Rounds in which every contender answers all queries, its caches warm, before the next begins.
    pub fn in_turn(count: usize) -> Self {
        Self {
            count,
            order: Order::ByContender { is_warm: true },
            patience: None,
        }
    }

    /// Times `ask` for every turn and returns the microseconds that a query takes each contender: the mean
    /// over the queries of the median of the rounds.
    pub fn mean_micros(
        &self,
        contenders: usize,
        queries: usize,
        mut ask: impl FnMut(Turn),
    ) -> Vec<f64> {
        let samples = self.run(contenders, queries, |turn| {
            let mut watch = Stopwatch::start();
            ask(turn);
            micros(watch.lap())
        });
        samples
            .iter()
            .map(|samples| mean_of_medians(samples))
            .collect()
    }

    /// Calls `ask` for every turn, on this thread, and returns what it measured. Answers that only fill
    /// buffers and caches are dropped.
    pub fn run<T>(
        &self,
        contenders: usize,
        queries: usize,
        mut ask: impl FnMut(Turn) -> T,
    ) -> Samples<T> {
        for contender in 0..contenders {
            for query in 0..queries.min(FIRST_QUERIES) {
                ask(Turn { contender, query });
            }
        }
        let mut samples = self.no_samples(contenders, queries);
        let mut spent = vec![Duration::ZERO; contenders];
        for round in 0..self.count.max(1) {
            let turns: Vec<Turn> = turns(self.order, round, contenders, queries).collect();
            for turns in turns.chunks(self.turns_together(contenders, queries)) {
                let first = turns[0].contender;
                if round >= MIN_ROUNDS && self.patience.is_some_and(|most| spent[first] > most) {
                    continue;
                }
                if self.is_warm() {
                    turns.iter().for_each(|&turn| drop(ask(turn)));
                }
                let mut watch = Stopwatch::start();
                for &turn in turns {
                    samples[turn.contender][turn.query].push(ask(turn));
                }
                if let Order::ByContender { .. } = self.order {
                    spent[first] += watch.lap();
                }
            }
        }
        samples
    }

    /// Calls `ask` for every turn, on the threads of the current rayon pool, each of which has a state of
    /// its own from `new_state`. It does all rounds, whatever the patience.
    pub fn run_on_pool<S, T: Send>(
        &self,
        contenders: usize,
        queries: usize,
        new_state: impl Fn() -> S + Sync + Send,
        ask: impl Fn(&mut S, Turn) -> T + Sync + Send,
    ) -> Samples<T> {
        let mut samples = self.no_samples(contenders, queries);
        for round in 0..self.count.max(1) {
            let turns: Vec<Turn> = turns(self.order, round, contenders, queries).collect();
            let of_chunk = |state: &mut S, turns: &[Turn]| {
                if self.is_warm() {
                    turns.iter().for_each(|&turn| drop(ask(state, turn)));
                }
                turns
                    .iter()
                    .map(|&turn| ask(state, turn))
                    .collect::<Vec<T>>()
            };
            let measured: Vec<Vec<T>> = turns
                .par_chunks(self.turns_together(contenders, queries))
                .map_init(&new_state, of_chunk)
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

    /// The number of turns that follow each other on one thread: one of every contender, or all of one
    /// contender. At least 1.
    fn turns_together(&self, contenders: usize, queries: usize) -> usize {
        match self.order {
            Order::ByQuery => contenders.max(1),
            Order::ByContender { .. } => queries.max(1),
        }
    }

    fn no_samples<T>(&self, contenders: usize, queries: usize) -> Samples<T> {
        let of_query = || Vec::with_capacity(self.count);
        let of_contender = || (0..queries).map(|_| of_query()).collect();
        (0..contenders).map(|_| of_contender()).collect()
    }
}

/// Returns the turns of a round. Contenders take turns at being first, now forwards, now backwards. By
/// query, each contender is at another index of the list of queries, so that nobody meets points that
/// another contender has just looked at.
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
                // `first` may be less than `turn`, which is less than `contenders`.
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
    fn every_contender_answers_every_query_once_a_round_and_all_come_first_alike() {
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
    fn by_query_neighbours_in_time_ask_different_queries() {
        let turns: Vec<Turn> = turns(Order::ByQuery, 0, 3, 12).collect();
        assert!(turns.windows(2).all(|pair| pair[0].query != pair[1].query));
    }

    #[test]
    fn samples_stand_at_their_contender_and_query() {
        for order in ORDERS {
            let expected: Samples<Turn> = (0..3)
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
    fn a_warm_round_asks_twice() {
        let count = |order| {
            let asked = Cell::new(0);
            rounds(2, order).run(1, 10, |_| asked.set(asked.get() + 1));
            asked.get()
        };
        assert_eq!(count(Order::ByContender { is_warm: false }), 3 + 20);
        assert_eq!(count(Order::ByContender { is_warm: true }), 3 + 40);
    }

    #[test]
    fn who_takes_too_long_does_two_rounds() {
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
    fn nothing_to_ask_is_no_samples() {
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
