//! Draws values from proptest strategies without its test runner, so without shrinking or regression files.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::CaseRng;

/// Draws one value of a strategy. The same generator state gives the same value.
///
/// # Panics
/// Panics if the strategy rejects too many values.
pub fn draw<S: Strategy>(strategy: S, rng: &mut CaseRng) -> S::Value {
    let mut seed = [0; 32];
    for bytes in seed.chunks_exact_mut(8) {
        bytes.copy_from_slice(&rng.seed().to_le_bytes());
    }
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let test_rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let tree = strategy.new_tree(&mut TestRunner::new_with_rng(config, test_rng));
    tree.expect("the strategy accepts some values").current()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_draw_equal_values() {
        let drawn = |seed| draw(0u64..u64::MAX, &mut CaseRng::new(seed));
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
    }
}
