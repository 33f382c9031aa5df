//! Many numbers to a few.

/// The mean; 0 of nothing.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for value in values {
        sum += value;
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// The geometric mean of positive numbers: the mean of ratios; 1 of nothing.
pub(crate) fn geometric_mean(ratios: impl IntoIterator<Item = f64>) -> f64 {
    mean(ratios.into_iter().map(f64::ln)).exp()
}

/// The least value that the given share of all does not exceed; 0 of nothing.
pub(crate) fn rank(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = ((sorted.len() as f64 * share).ceil() as usize).max(1) - 1;
    sorted.get(place).copied().unwrap_or(0.0)
}

/// How far values lie apart, over their median: the noise of rounds that should be the same.
pub(crate) fn relative_spread(values: &[f64]) -> f64 {
    let median = rank(values, 0.5);
    if median <= 0.0 {
        return 0.0;
    }
    (rank(values, 1.0) - rank(values, 0.0)) / median
}

/// Cut after three decimals: nanoseconds of microseconds, millimetres of metres. More is noise, and
/// makes files longer.
pub(crate) fn thousandths(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(mean(values), 2.5);
        assert_eq!(rank(&values, 0.5), 2.0);
        assert_eq!(rank(&values, 0.99), 4.0);
        assert_eq!(rank(&values, 0.0), 1.0);
        assert_eq!(relative_spread(&values), 1.5);
        assert!((geometric_mean([2.0, 8.0]) - 4.0).abs() < 1e-12);
        assert_eq!(thousandths(1.23456), 1.235);
    }

    #[test]
    fn of_nothing() {
        assert_eq!((mean([]), rank(&[], 0.5)), (0.0, 0.0));
        assert_eq!((relative_spread(&[]), geometric_mean([])), (0.0, 1.0));
    }

    #[test]
    fn one_round_has_no_spread() {
        assert_eq!(relative_spread(&[7.0]), 0.0);
        assert_eq!(relative_spread(&[0.0, 0.0]), 0.0);
    }
}
