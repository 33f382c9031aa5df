//! Simplifies height profiles with the algorithm of Ramer, Douglas and Peucker.

/// Selects the points of a height profile that have to be kept between the first and the last one, so
/// that the line through the kept points is within `tolerance` of every height. The points of the profile
/// are evenly spaced. Returns their indices in order.
pub(crate) fn simplify(heights: &[f64], tolerance: f64) -> Vec<usize> {
    let mut kept = Vec::new();
    keep(heights, 0, tolerance, &mut kept);
    kept
}

fn keep(heights: &[f64], offset: usize, tolerance: f64, kept: &mut Vec<usize>) {
    let [first, .., last] = *heights else { return };
    let steps = (heights.len() - 1) as f64;
    let error = |at: usize| (heights[at] - first - (last - first) * (at as f64 / steps)).abs();
    let inner = 1..heights.len() - 1;
    // `max_by` returns the last maximum; in reverse, that is the first one.
    let Some(worst) = inner.rev().max_by(|&a, &b| error(a).total_cmp(&error(b))) else {
        return;
    };
    if error(worst) > tolerance {
        keep(&heights[..=worst], offset, tolerance, kept);
        kept.push(offset + worst);
        keep(&heights[worst..], offset + worst, tolerance, kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_near_the_line_are_dropped() {
        assert!(simplify(&[], 0.0).is_empty());
        assert!(simplify(&[1.0, 5.0], 0.0).is_empty());
        assert!(simplify(&[0.0, 1.0, 2.0, 3.0], 1e-9).is_empty());
        assert!(simplify(&[0.0, 1.0, 2.0, 3.5, 4.0], 1.0).is_empty());
        assert_eq!(simplify(&[0.0, 2.0, 4.0, 2.0, 0.0], 1.0), [2]);
        assert_eq!(simplify(&[0.0, 0.0, 3.0, 0.0, 0.0], 2.0), [2]);
        assert_eq!(simplify(&[0.0, 0.0, 3.0, 0.0, 0.0], 1.0), [1, 2, 3]);
        assert!(simplify(&[0.0, 0.0, 3.0, 0.0, 0.0], 3.0).is_empty());
    }
}
