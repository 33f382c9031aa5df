//! How many cases a property test tries.

use proptest::test_runner::Config;

/// The configuration of a property test that tries `all` cases in the long run.
///
/// `PORTOLAN_CASES` scales every property test of the project: it is the share of `all` to try, 0.1
/// where it is not set. At least one case is tried. (proptest's own `PROPTEST_CASES` is an absolute
/// number and does not reach tests that set theirs.)
///
/// # Panics
/// When `PORTOLAN_CASES` is not a positive number.
pub fn cases(all: u32) -> Config {
    let share = match std::env::var("PORTOLAN_CASES") {
        Ok(text) => parse(&text),
        Err(_) => 0.1,
    };
    Config::with_cases(scaled(all, share))
}

/// Whether tests that are too slow for every day are to run: `PORTOLAN_LONG` is `1`.
pub fn long() -> bool {
    std::env::var_os("PORTOLAN_LONG").is_some_and(|value| value == "1")
}

fn parse(text: &str) -> f64 {
    let share = text.parse().ok();
    share
        .filter(|share: &f64| share.is_finite() && *share > 0.0)
        .unwrap_or_else(|| panic!("PORTOLAN_CASES={text}: not a positive number"))
}

fn scaled(all: u32, share: f64) -> u32 {
    ((f64::from(all) * share).ceil() as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_cases_and_at_least_one() {
        assert_eq!(scaled(1000, 0.1), 100);
        assert_eq!(scaled(24, 0.1), 3);
        assert_eq!(scaled(24, 1.0), 24);
        assert_eq!(scaled(24, 10.0), 240);
        assert_eq!(scaled(24, 0.0001), 1);
    }

    #[test]
    #[should_panic(expected = "not a positive number")]
    fn a_share_of_nothing_is_refused() {
        parse("0");
    }
}
