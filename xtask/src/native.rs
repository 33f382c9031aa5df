//! Tests that answers keep their recorded hash if the compiler may use all instructions of this processor.
//!
//! If the compiler fused multiplications with additions or reordered sums, the last bits of answers would change, and
//! with them the hash.

use crate::shell::{self, cargo};
use crate::steps::StepOutcome;
use crate::{TestPlan, programs};

/// The test in `portolan-index` that compares the hash.
const TEST: &str = "pinned::answers_equal_the_recorded_ones";

pub(crate) fn run_step(plan: &TestPlan) -> Result<StepOutcome, String> {
    let target = programs::development()?.with_file_name("native");
    let mut test = cargo(&plan.root, "test");
    test.args(["--package", "portolan-index", "--test", "it"]);
    test.arg("--target-dir").arg(target);
    test.arg(TEST);
    let output = shell::capture(test.env("RUSTFLAGS", "-C target-cpu=native"))?;
    // `cargo test` also succeeds if no test has this name.
    if String::from_utf8_lossy(&output.stdout).contains(&format!("test {TEST} ... ok")) {
        Ok(StepOutcome::Passed)
    } else {
        Err(format!(
            "portolan-index has no test `{TEST}`; if it was renamed, correct its name in xtask/src/native.rs"
        ))
    }
}
