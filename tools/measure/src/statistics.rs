//! Summary statistics of samples.
//!
//! Percentiles use the nearest-rank definition: the smallest sample such that at least the given fraction of
//! all samples is not above it. A percentile is always one of the samples. The median is the percentile of 0.5,
//! so for an even number of samples it is the lower of the middle two.

/// Returns the mean, or 0 if there are no values.
pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for value in values {
        sum += value;
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// Returns the geometric mean of positive numbers, which is the right mean for ratios, or 1 if there are none.
pub fn geometric_mean(ratios: impl IntoIterator<Item = f64>) -> f64 {
    mean(ratios.into_iter().map(f64::ln)).exp()
}

/// Returns the smallest value such that at least `fraction` (0 to 1) of all values is not above it, or 0 if there
/// are no values. A fraction of 0 gives the minimum, a fraction of 1 the maximum.
pub fn percentile(values: &[f64], fraction: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
        .get(rank(sorted.len(), fraction))
        .copied()
        .unwrap_or(0.0)
}

/// Returns the median by the [nearest rank](percentile), or 0 if there are no values.
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

/// Returns the sample whose key is the [median](median) of all keys, or `None` if there are no samples. Ties are
/// broken by a stable sort.
pub fn median_by<T>(samples: &[T], key: impl Fn(&T) -> f64) -> Option<&T> {
    let mut sorted: Vec<&T> = samples.iter().collect();
    sorted.sort_by(|a, b| key(a).total_cmp(&key(b)));
    sorted.get(rank(sorted.len(), 0.5)).copied()
}

/// Returns the difference between the largest and the smallest value, divided by the median. This measures the
/// noise of rounds that should be equal. It is 0 if the median is not positive.
pub fn relative_spread(values: &[f64]) -> f64 {
    let Some(summary) = Summary::of(values.iter().copied()) else {
        return 0.0;
    };
    if summary.median <= 0.0 {
        return 0.0;
    }
    (summary.max - summary.min) / summary.median
}

/// Rounds to three decimals: a time in microseconds to nanoseconds, a length in metres to millimetres. More
/// digits are noise and make files longer.
pub fn thousandths(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// Returns the index, in sorted order, of a percentile of `count` values.
fn rank(count: usize, fraction: f64) -> usize {
    ((count as f64 * fraction).ceil() as usize).max(1) - 1
}

/// The minimum, mean, median, 99th percentile and maximum of samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// The smallest sample.
    pub min: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The median. For an even number of samples it is the lower of the middle two.
    pub median: f64,
    /// The 99th percentile by the nearest rank.
    pub p99: f64,
    /// The largest sample.
    pub max: f64,
}

impl Summary {
    /// Summarizes samples. Returns `None` if there are none.
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

    /// Computes a percentile by its definition: tries every sample and counts.
    fn slow_percentile(values: &[f64], percent: usize) -> f64 {
        let is_high_enough = |candidate: f64| {
            let not_above = values.iter().filter(|&&value| value <= candidate).count();
            not_above * 100 >= values.len() * percent
        };
        let candidates = values
            .iter()
            .copied()
            .filter(|&value| is_high_enough(value));
        candidates.reduce(f64::min).unwrap_or(0.0)
    }

    proptest! {
        #![proptest_config(portolan_oracle::cases(256))]

        #[test]
        fn percentiles_follow_the_definition(
            values in proptest::collection::vec(-8i32..8, 0..40),
            percent in prop_oneof![Just(0usize), Just(25), Just(50), Just(75), Just(99), Just(100)],
        ) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let expected = slow_percentile(&values, percent);
            prop_assert_eq!(percentile(&values, percent as f64 / 100.0), expected);
        }

        #[test]
        fn a_summary_agrees_with_the_single_functions(
            values in proptest::collection::vec(-1e6f64..1e6, 1..40),
        ) {
            let summary = Summary::of(values.iter().copied()).unwrap();
            prop_assert_eq!(summary.min, slow_percentile(&values, 0));
            prop_assert_eq!(summary.median, slow_percentile(&values, 50));
            prop_assert_eq!(summary.p99, slow_percentile(&values, 99));
            prop_assert_eq!(summary.max, slow_percentile(&values, 100));
            let expected_mean = values.iter().sum::<f64>() / values.len() as f64;
            prop_assert!((summary.mean - expected_mean).abs() <= 1e-6);
            prop_assert_eq!(median(values.iter().copied()), summary.median);
            prop_assert_eq!(median_by(&values, |&value| value).copied(), Some(summary.median));
        }
    }

    #[test]
    fn statistics_of_small_samples_are_known() {
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
    fn statistics_without_samples_have_defaults() {
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
