//! Compiles for this processor with all of its instructions and tests that answers keep their pinned hash.
//!
//! A compiler that fused multiplications and additions, or reordered sums, would change the last bits of an
//! answer, and thereby the hash.

use crate::shell::{self, cargo};
use crate::steps::StepOutcome;
use crate::{TestPlan, programs};

pub(crate) fn run_step(plan: &TestPlan) -> Result<StepOutcome, String> {
    let target = programs::development()?.with_file_name("native");
    let mut test = cargo(&plan.root, "test");
    test.args(["--package", "portolan-index", "--test", "it"]);
    test.arg("--target-dir").arg(target);
    test.arg("pinned::answers_are_those_that_were_recorded");
    shell::run(test.env("RUSTFLAGS", "-C target-cpu=native"))?;
    Ok(StepOutcome::Passed)
}
