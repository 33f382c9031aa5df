//! The number of cases of property tests.

use proptest::test_runner::Config;

/// Returns the configuration of a property test that tries `all` cases in a full run.
///
/// The environment variable `PORTOLAN_CASES` scales every property test of the project. It is the
/// fraction of `all` to try and defaults to 0.1. At least one case is tried. (proptest's own
/// `PROPTEST_CASES` is an absolute number and has no effect on tests that set theirs.)
///
/// # Panics
/// Panics if `PORTOLAN_CASES` is not a positive number.
pub fn cases(all: u32) -> Config {
    let fraction = match std::env::var("PORTOLAN_CASES") {
        Ok(text) => parse(&text),
        Err(_) => 0.1,
    };
    Config::with_cases(scaled(all, fraction))
}

/// Returns whether slow tests should run, which is if the environment variable `PORTOLAN_LONG` is `1`.
pub fn is_long_run() -> bool {
    std::env::var_os("PORTOLAN_LONG").is_some_and(|value| value == "1")
}

fn parse(text: &str) -> f64 {
    let fraction = text.parse().ok();
    fraction
        .filter(|fraction: &f64| fraction.is_finite() && *fraction > 0.0)
        .unwrap_or_else(|| panic!("PORTOLAN_CASES={text} is not a positive number"))
}

fn scaled(all: u32, fraction: f64) -> u32 {
    ((f64::from(all) * fraction).ceil() as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_scaled_and_at_least_one() {
        assert_eq!(scaled(1000, 0.1), 100);
        assert_eq!(scaled(24, 0.1), 3);
        assert_eq!(scaled(24, 1.0), 24);
        assert_eq!(scaled(24, 10.0), 240);
        assert_eq!(scaled(24, 0.0001), 1);
    }

    #[test]
    #[should_panic(expected = "not a positive number")]
    fn a_scale_of_zero_is_rejected() {
        parse("0");
    }
}
