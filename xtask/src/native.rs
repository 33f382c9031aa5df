//! Compiles for this processor with all of its instructions and tests that answers keep their pinned hash.
//!
//! A compiler that fused multiplications and additions, or reordered sums, would change the last bits of an
//! answer, and thereby the hash.

use crate::shell::{self, cargo};
use crate::steps::StepOutcome;
use crate::{TestPlan, programs};

/// The test that compares the hash.
const TEST: &str = "pinned::answers_equal_the_recorded_ones";

pub(crate) fn run_step(plan: &TestPlan) -> Result<StepOutcome, String> {
    let target = programs::development()?.with_file_name("native");
    let mut test = cargo(&plan.root, "test");
    test.args(["--package", "portolan-index", "--test", "it"]);
    test.arg("--target-dir").arg(target);
    test.arg(TEST);
    let output = shell::capture(test.env("RUSTFLAGS", "-C target-cpu=native"))?;
    // Without this check, the step would pass if the test had another name.
    if String::from_utf8_lossy(&output.stdout).contains(&format!("test {TEST} ... ok")) {
        Ok(StepOutcome::Passed)
    } else {
        Err(format!("there is no test `{TEST}` in portolan-index"))
    }
}
