//! Lines of heights with as few points as will do: Ramer, Douglas and Peucker.

/// The inner points to keep, by index and in order, of points at even distances, so that none is
/// farther than `tolerance` above or below the line through those that stay.
pub(crate) fn thin(heights: &[f64], tolerance: f64) -> Vec<usize> {
    let mut kept = Vec::new();
    keep(heights, 0, tolerance, &mut kept);
    kept
}

fn keep(heights: &[f64], offset: usize, tolerance: f64, kept: &mut Vec<usize>) {
    let [first, .., last] = *heights else { return };
    let steps = (heights.len() - 1) as f64;
    let off = |at: usize| (heights[at] - first - (last - first) * (at as f64 / steps)).abs();
    let inner = 1..heights.len() - 1;
    // The first of equal ones, as `max_by` has it from the end.
    let Some(worst) = inner.rev().max_by(|&a, &b| off(a).total_cmp(&off(b))) else {
        return;
    };
    if off(worst) > tolerance {
        keep(&heights[..=worst], offset, tolerance, kept);
        kept.push(offset + worst);
        keep(&heights[worst..], offset + worst, tolerance, kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_on_the_line_goes() {
        assert!(thin(&[], 0.0).is_empty());
        assert!(thin(&[1.0, 5.0], 0.0).is_empty());
        assert!(thin(&[0.0, 1.0, 2.0, 3.0], 1e-9).is_empty());
        assert!(thin(&[0.0, 1.0, 2.0, 3.5, 4.0], 1.0).is_empty());
        assert_eq!(thin(&[0.0, 2.0, 4.0, 2.0, 0.0], 1.0), [2]);
        assert_eq!(thin(&[0.0, 0.0, 3.0, 0.0, 0.0], 2.0), [2]);
        assert_eq!(thin(&[0.0, 0.0, 3.0, 0.0, 0.0], 1.0), [1, 2, 3]);
        assert!(thin(&[0.0, 0.0, 3.0, 0.0, 0.0], 3.0).is_empty());
    }
}
