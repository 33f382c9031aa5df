//! Wall time of any work.

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

/// A stopwatch with laps. One reading of the clock ends a lap and begins the next, so the laps add up to
/// the whole time.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts the first lap.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Ends a lap and returns its time.
    pub fn lap(&mut self) -> Duration {
        let now = Instant::now();
        let lap = now - self.0;
        self.0 = now;
        lap
    }

    /// Ends a lap and returns its time in milliseconds.
    pub fn lap_ms(&mut self) -> f64 {
        millis(self.lap())
    }

    /// Ends a lap and returns its time in whole nanoseconds.
    pub fn lap_ns(&mut self) -> u64 {
        self.lap().as_nanos() as u64
    }
}

/// Makes something in each of some rounds and returns the median time in milliseconds. Dropping what was
/// made is not timed.
pub fn median_ms<T>(rounds: usize, mut make: impl FnMut() -> T) -> f64 {
    median((0..rounds).map(|_| {
        let mut watch = Stopwatch::start();
        let made = black_box(make());
        let ms = watch.lap_ms();
        drop(made);
        ms
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laps_add_up() {
        let start = Instant::now();
        let mut watch = Stopwatch(start);
        std::thread::sleep(Duration::from_millis(2));
        let first = watch.lap();
        assert!(first >= Duration::from_millis(2));
        let second = watch.lap();
        assert_eq!(start + first + second, watch.0);
    }

    #[test]
    fn everything_is_made_once_a_round() {
        let mut made = 0;
        assert!(median_ms(3, || made += 1) >= 0.0);
        assert_eq!(made, 3);
    }
}
