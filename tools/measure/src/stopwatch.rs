//! Measures wall-clock time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::statistics::median;

/// Converts a time to microseconds.
pub fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Converts a time to milliseconds.
pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A stopwatch with laps. One reading of the clock ends a lap and starts the next, so the laps add up to the total
/// time.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Creates a stopwatch and starts its first lap.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Ends the current lap, starts the next and returns the time of the ended lap.
    pub fn lap(&mut self) -> Duration {
        let now = Instant::now();
        let lap = now - self.0;
        self.0 = now;
        lap
    }

    /// Ends the current lap, starts the next and returns the time of the ended lap in milliseconds.
    pub fn lap_ms(&mut self) -> f64 {
        millis(self.lap())
    }

    /// Ends the current lap, starts the next and returns the time of the ended lap in whole nanoseconds.
    pub fn lap_ns(&mut self) -> u64 {
        self.lap().as_nanos() as u64
    }
}

/// Calls `build` once per round and returns the median time in milliseconds. The time to drop the results is not
/// included.
pub fn median_ms<T>(rounds: usize, mut build: impl FnMut() -> T) -> f64 {
    median((0..rounds).map(|_| {
        let mut watch = Stopwatch::start();
        let built = black_box(build());
        let ms = watch.lap_ms();
        drop(built);
        ms
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laps_add_up_to_the_total_time() {
        let start = Instant::now();
        let mut watch = Stopwatch(start);
        std::thread::sleep(Duration::from_millis(2));
        let first = watch.lap();
        assert!(first >= Duration::from_millis(2));
        let second = watch.lap();
        assert_eq!(start + first + second, watch.0);
    }

    #[test]
    fn the_function_is_called_once_per_round() {
        let mut calls = 0;
        assert!(median_ms(3, || calls += 1) >= 0.0);
        assert_eq!(calls, 3);
    }
}
