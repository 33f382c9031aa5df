//! A few numbers that describe many samples.
//!
//! There is one definition of a percentile, the nearest rank: the smallest sample that is not below the
//! given share of all samples. It is always one of the samples. The median is the percentile of one half,
//! so of an even number of samples it is the lower of the middle two.

/// Returns the mean, or 0 if there are no values.
pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for value in values {
        sum += value;
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// Returns the geometric mean of positive numbers, which is the mean for ratios, or 1 if there are none.
pub fn geometric_mean(ratios: impl IntoIterator<Item = f64>) -> f64 {
    mean(ratios.into_iter().map(f64::ln)).exp()
}

/// Returns the smallest value that is not below the share (0 to 1) of all values, or 0 if there are no
/// values. A share of 0 gives the minimum, a share of 1 the maximum.
pub fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
        .get(rank(sorted.len(), share))
        .copied()
        .unwrap_or(0.0)
}

/// Returns the [percentile](percentile) of one half, or 0 if there are no values.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.into_iter().collect();
    percentile(&values, 0.5)
}

/// Returns the mean over the queries of the median of each query's rounds.
pub fn mean_of_medians(rounds_of_queries: &[Vec<f64>]) -> f64 {
    mean(
        rounds_of_queries
            .iter()
            .map(|rounds| percentile(rounds, 0.5)),
    )
}

/// Returns the sample whose key is the [median](median) of all keys. Of samples with equal keys it is
/// the first in the order of a stable sort.
pub fn median_by<T>(samples: &[T], key: impl Fn(&T) -> f64) -> Option<&T> {
    let mut sorted: Vec<&T> = samples.iter().collect();
    sorted.sort_by(|a, b| key(a).total_cmp(&key(b)));
    sorted.get(rank(sorted.len(), 0.5)).copied()
}

/// Returns the distance between the largest and the smallest value, divided by the median: the noise of
/// rounds that should be the same. It is 0 where the median is not positive.
pub fn relative_spread(values: &[f64]) -> f64 {
    let Some(summary) = Summary::of(values.iter().copied()) else {
        return 0.0;
    };
    if summary.median <= 0.0 {
        return 0.0;
    }
    (summary.max - summary.min) / summary.median
}

/// Rounds to three decimals: nanoseconds of a time in microseconds, millimetres of a length in metres.
/// Further digits are noise and make files longer.
pub fn thousandths(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// The index in sorted order of the smallest of `count` values that is not below the share of all values.
fn rank(count: usize, share: f64) -> usize {
    ((count as f64 * share).ceil() as usize).max(1) - 1
}

/// Minimum, mean, median, 99th percentile and maximum of some samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// The smallest sample.
    pub min: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The lower of the middle two samples if their number is even.
    pub median: f64,
    /// The smallest sample that is not below 99 of 100 samples.
    pub p99: f64,
    /// The largest sample.
    pub max: f64,
}

impl Summary {
    /// Returns `None` if there are no samples.
    pub fn of(samples: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = samples.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        Some(Self {
            min,
            mean: mean(sorted.iter().copied()),
            median: sorted[rank(sorted.len(), 0.5)],
            p99: sorted[rank(sorted.len(), 0.99)],
            max,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, word for word: tries every sample and counts.
    fn slow_percentile(values: &[f64], percent: usize) -> f64 {
        let is_enough = |candidate: f64| {
            let not_above = values.iter().filter(|&&value| value <= candidate).count();
            not_above * 100 >= values.len() * percent
        };
        let candidates = values.iter().copied().filter(|&value| is_enough(value));
        candidates.reduce(f64::min).unwrap_or(0.0)
    }

    proptest! {
        #![proptest_config(portolan_oracle::cases(256))]

        #[test]
        fn percentiles_are_those_of_the_definition(
            values in proptest::collection::vec(-8i32..8, 0..40),
            percent in prop_oneof![Just(0usize), Just(25), Just(50), Just(75), Just(99), Just(100)],
        ) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let slow = slow_percentile(&values, percent);
            prop_assert_eq!(percentile(&values, percent as f64 / 100.0), slow);
        }

        #[test]
        fn a_summary_is_made_of_the_single_functions(
            values in proptest::collection::vec(-1e6f64..1e6, 1..40),
        ) {
            let summary = Summary::of(values.iter().copied()).unwrap();
            prop_assert_eq!(summary.min, slow_percentile(&values, 0));
            prop_assert_eq!(summary.median, slow_percentile(&values, 50));
            prop_assert_eq!(summary.p99, slow_percentile(&values, 99));
            prop_assert_eq!(summary.max, slow_percentile(&values, 100));
            let slow_mean = values.iter().sum::<f64>() / values.len() as f64;
            prop_assert!((summary.mean - slow_mean).abs() <= 1e-6);
            prop_assert_eq!(median(values.iter().copied()), summary.median);
            prop_assert_eq!(median_by(&values, |&value| value).copied(), Some(summary.median));
        }
    }

    #[test]
    fn by_hand() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!((mean(values), median(values)), (2.5, 2.0));
        assert_eq!(percentile(&values, 0.99), 4.0);
        assert_eq!(mean_of_medians(&[vec![9.0, 1.0, 2.0], vec![4.0]]), 3.0);
        assert_eq!(relative_spread(&values), 1.5);
        assert!((geometric_mean([2.0, 8.0]) - 4.0).abs() < 1e-12);
        assert_eq!(thousandths(1.23456), 1.235);
        let summary = Summary::of((1..=200).rev().map(f64::from)).unwrap();
        assert_eq!((summary.min, summary.mean), (1.0, 100.5));
        assert_eq!(
            (summary.median, summary.p99, summary.max),
            (100.0, 198.0, 200.0)
        );
    }

    #[test]
    fn without_samples() {
        assert_eq!(
            (mean([]), median([]), percentile(&[], 0.99)),
            (0.0, 0.0, 0.0)
        );
        assert_eq!((relative_spread(&[]), geometric_mean([])), (0.0, 1.0));
        assert_eq!((Summary::of([]), median_by(&[], |&v| v)), (None, None));
    }

    #[test]
    fn one_round_has_no_spread() {
        assert_eq!(relative_spread(&[7.0]), 0.0);
        assert_eq!(relative_spread(&[0.0, 0.0]), 0.0);
    }
}
